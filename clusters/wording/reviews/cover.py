"""What stands around the sections of a review: its cover, its first findings, notes and gaps."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message

KIND: Final = gettext_lazy("Capacity review")
CONTENTS: Final = pgettext_lazy("heading of a review", "Contents")
IN_SHORT: Final = pgettext_lazy("heading of a review", "In short")
NOTES: Final = pgettext_lazy("heading of a review", "The reviewer's notes")
INCOMPLETE_DATA: Final = pgettext_lazy("heading of a review", "Incomplete data")
GAPS: Final = pgettext_lazy("table of a review", "Gaps")
NOT_READ: Final = pgettext_lazy("column of a review", "Not read")
WHY: Final = pgettext_lazy("column of a review", "Why")
UNCERTAIN: Final = pgettext_lazy("column of a review", "What is uncertain because of it")

# Terms of the cover.
CLUSTER: Final = pgettext_lazy("fact about a review", "Cluster")
SIMULATION: Final = pgettext_lazy("fact about a review", "Simulation")
KUBERNETES: Final = pgettext_lazy("fact about a review", "Kubernetes")
ANSWERED_AS: Final = pgettext_lazy("fact about a review", "Answered as kube-scheduler")
FEATURE_GATES: Final = pgettext_lazy("fact about a review", "Feature gates that differ from the defaults")
PERIOD: Final = pgettext_lazy("fact about a review", "Period")
STATE_OF: Final = pgettext_lazy("fact about a review", "State of")
WRITTEN: Final = pgettext_lazy("fact about a review", "Written")
BY: Final = pgettext_lazy("fact about a review", "By")
FROM_TERMINAL: Final = gettext_lazy("from the terminal")


def run(title: str, number: int) -> str:
    """Name the simulation that a review is about."""
    return _("%(title)s (run %(run)s)") % {"title": title, "run": str(number)}


MOMENT = message("%(at)s UTC", context="moment")


def state_of(at: str, revision: int) -> str:
    """Say of which state of the cluster a review is."""
    return _("%(at)s UTC, revision %(revision)s") % {"at": at, "revision": grouped(revision)}


def gaps(number: int) -> str:
    """Say how many gaps the read objects have."""
    return ngettext(
        "%(gaps)s gap in the data makes some answers uncertain.",
        "%(gaps)s gaps in the data make some answers uncertain.",
        number,
    ) % {"gaps": grouped(number)}


DESCRIPTION = message("Capacity review of %(cluster)s")
PAGE_OF = message("%(page)s of %(pages)s", context="foot of a page")
WRITTEN_BY_BERTH = message("Written by Berth, %(at)s UTC")
