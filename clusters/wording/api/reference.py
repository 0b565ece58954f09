"""The reference of the API as a page."""

from __future__ import annotations

from django.utils.translation import gettext as _


def parameters_caption(operation: str) -> str:
    """Name the table of an operation's parameters."""
    return _("Parameters of %(operation)s") % {"operation": operation}
