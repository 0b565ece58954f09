"""The columns of budgets and of blocked drains as files."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

BUDGETS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "budget"),
    pgettext_lazy("column of a file", "requires"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "expected"),
    pgettext_lazy("column of a file", "healthy"),
    pgettext_lazy("column of a file", "desired"),
    pgettext_lazy("column of a file", "allowed"),
    pgettext_lazy("column of a file", "expected computed"),
    pgettext_lazy("column of a file", "healthy computed"),
    pgettext_lazy("column of a file", "desired computed"),
    pgettext_lazy("column of a file", "allowed computed"),
    pgettext_lazy("column of a file", "differs"),
    pgettext_lazy("column of a file", "blocks until changed"),
    pgettext_lazy("column of a file", "nodes blocked"),
    pgettext_lazy("column of a file", "pods under several budgets"),
)
DRAINS: Final = (
    pgettext_lazy("column of a file", "node"),
    pgettext_lazy("column of a file", "budget"),
    pgettext_lazy("column of a file", "pods"),
    pgettext_lazy("column of a file", "refused"),
    pgettext_lazy("column of a file", "refused with 500"),
    pgettext_lazy("column of a file", "until changed"),
)
