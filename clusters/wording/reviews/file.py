"""The facts of a review and the units of its columns, as files for spreadsheets have them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import message

ABOUT_COLUMNS: Final = (pgettext_lazy("column", "what"), pgettext_lazy("column", "value"))
TITLE: Final = pgettext_lazy("fact", "title")
CLUSTER: Final = pgettext_lazy("fact", "cluster")
KUBERNETES: Final = pgettext_lazy("fact", "kubernetes")
FEATURE_GATES: Final = pgettext_lazy("fact", "feature gates")
REVISION: Final = pgettext_lazy("fact", "revision")
RUN: Final = pgettext_lazy("fact", "run")
PERIOD_FROM: Final = pgettext_lazy("fact", "period from")
PERIOD_TO: Final = pgettext_lazy("fact", "period to")
STATE_OF: Final = pgettext_lazy("fact", "state of")
MADE_AT: Final = pgettext_lazy("fact", "made at")
MADE_BY: Final = pgettext_lazy("fact", "made by")
NOTES: Final = pgettext_lazy("fact", "notes")


# Heads of columns of amounts, by the kind of the column.
UNITS: Final = {
    "cpu": message("%(title)s (millicores)"),
    "memory": message("%(title)s (bytes)"),
    "share": message("%(title)s (0 to 1)"),
}
