"""The facts of a review and the units of its columns, as files for spreadsheets have them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext, pgettext_lazy

ABOUT_COLUMNS: Final = (pgettext_lazy("column of a file", "what"), pgettext_lazy("column of a file", "value"))
TITLE: Final = pgettext_lazy("fact in a file about a review", "title")
CLUSTER: Final = pgettext_lazy("fact in a file about a review", "cluster")
KUBERNETES: Final = pgettext_lazy("fact in a file about a review", "kubernetes")
FEATURE_GATES: Final = pgettext_lazy("fact in a file about a review", "feature gates")
REVISION: Final = pgettext_lazy("fact in a file about a review", "revision")
RUN: Final = pgettext_lazy("fact in a file about a review", "run")
PERIOD_FROM: Final = pgettext_lazy("fact in a file about a review", "period from")
PERIOD_TO: Final = pgettext_lazy("fact in a file about a review", "period to")
STATE_OF: Final = pgettext_lazy("fact in a file about a review", "state of")
MADE_AT: Final = pgettext_lazy("fact in a file about a review", "made at")
MADE_BY: Final = pgettext_lazy("fact in a file about a review", "made by")
NOTES: Final = pgettext_lazy("fact in a file about a review", "notes")


def column(title: str, kind: str) -> str:
    """Head a column by its title and, where its cells are amounts, their unit; ``kind`` is that of the column."""
    match kind:
        case "cpu":
            return pgettext("column of a file", "%(title)s (millicores)") % {"title": title}
        case "memory":
            return pgettext("column of a file", "%(title)s (bytes)") % {"title": title}
        case "share":
            return pgettext("column of a file", "%(title)s (0 to 1)") % {"title": title}
        case _:
            return title
