"""What stands around the sections of a review: its cover, its first findings, notes and gaps."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

KIND: Final = gettext_lazy("Capacity review")
CONTENTS: Final = pgettext_lazy("heading", "Contents")
IN_SHORT: Final = pgettext_lazy("heading", "In short")
NOTES: Final = pgettext_lazy("heading", "The reviewer's notes")
INCOMPLETE_DATA: Final = pgettext_lazy("heading", "Incomplete data")
GAPS: Final = pgettext_lazy("table", "Gaps")
NOT_READ: Final = pgettext_lazy("column", "Not read")
WHY: Final = pgettext_lazy("column", "Why")
UNCERTAIN: Final = pgettext_lazy("column", "What is uncertain")

# Terms of the cover.
CLUSTER: Final = pgettext_lazy("fact", "Cluster")
SIMULATION: Final = pgettext_lazy("fact", "Simulation")
KUBERNETES: Final = pgettext_lazy("fact", "Kubernetes")
ANSWERED_AS: Final = pgettext_lazy("fact", "Answered as kube-scheduler")
FEATURE_GATES: Final = pgettext_lazy("fact", "Feature gates (non-default)")
PERIOD: Final = pgettext_lazy("fact", "Period")
STATE_OF: Final = pgettext_lazy("fact", "State of")
WRITTEN: Final = pgettext_lazy("fact", "Written")
BY: Final = pgettext_lazy("fact", "By")
FROM_TERMINAL: Final = gettext_lazy("from the terminal")


RUN = message("%(title)s (run %(run)s)")
MOMENT = message("%(at)s UTC")
STATE_AT = message("%(at)s UTC, revision %(revision)s")
UNCERTAIN_ANSWERS = message("Gaps in the data make some answers uncertain: %(gaps)s.")
DESCRIPTION = message("Capacity review of %(cluster)s")
PAGE_OF = message("%(page)s of %(pages)s")
WRITTEN_BY_BERTH = message("Written by Berth, %(at)s UTC")
