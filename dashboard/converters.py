"""Parts of addresses."""

from __future__ import annotations

from django.urls.converters import StringConverter


class PathNameConverter(StringConverter):
    """A name that is checked as a part of a path alone, as that of a budget."""

    regex = "[^/%\\x00-\\x1f\\x7f]+"


class NameConverter(StringConverter):
    """A name that Kubernetes takes; PostgreSQL refuses to be asked about some others, such as one with a NUL in it."""

    regex = "[-.A-Za-z0-9]+"


class AnythingConverter(StringConverter):
    """Whatever else an address has, with nothing or a line feed in it, too."""

    regex = r"[\s\S]*"
