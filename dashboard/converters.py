"""Parts of addresses."""

from __future__ import annotations

from django.urls.converters import StringConverter


class NameConverter(StringConverter):
    """A name that Kubernetes takes; PostgreSQL refuses to be asked about some others, such as one with a NUL in it."""

    regex = "[-.A-Za-z0-9]+"
