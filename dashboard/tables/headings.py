"""Headings that columns of several tables have."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

REPORT: Final = pgettext_lazy("column", "Report")
PENDING_FOR: Final = pgettext_lazy("column", "Pending for")
NEXT_ATTEMPT: Final = pgettext_lazy("column", "Next attempt")
