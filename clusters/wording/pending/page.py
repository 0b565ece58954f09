"""What pages, files and filters say of pending pods: how many there are of a cause, attempts, and reports."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# How the scheduler's own report compares with what is computed.
AGREES: Final = pgettext_lazy("comparison of reports", "Agrees")
DIFFERS: Final = pgettext_lazy("comparison of reports", "Differs")
REPORTED: Final = pgettext_lazy("comparison of reports", "Reported")
NOTHING_REPORTED: Final = pgettext_lazy("comparison of reports", "Nothing reported")

# When the scheduler tries a pod next; the last three end with a time.
NOT_KNOWN: Final = pgettext_lazy("next attempt", "not known")
WITH_GROUP: Final = pgettext_lazy("next attempt", "when its group is complete")
WITHOUT_GATES: Final = pgettext_lazy("next attempt", "when its gates are removed")
TRIED_SINCE: Final = pgettext_lazy("next attempt", "not known: it was tried since, or no scheduler runs")
NOT_BEFORE: Final = pgettext_lazy("next attempt, with a time", "not before")
EXPECTED: Final = pgettext_lazy("next attempt, with a time", "expected by")
REQUEUED_OR: Final = pgettext_lazy("next attempt, with a time", "when requeued, else by")

SEARCH_HINT: Final = gettext_lazy("Part of a pod's name, or of the scheduler's message")
CAUSE_LABEL: Final = pgettext_lazy("label of a filter", "Cause")
STATE_LABEL: Final = pgettext_lazy("label of a filter", "State")
CAUSE_GONE: Final = gettext_lazy("a cause that no pod has now")

PENDING_FOR = plural("%(pods)s pod pending: %(cause)s", "%(pods)s pods pending: %(cause)s", by="pods")
# There may be more of them.
AT_LEAST_PENDING_FOR = plural(
    "At least %(pods)s pod pending: %(cause)s", "At least %(pods)s pods pending: %(cause)s", by="pods"
)
PENDING_BECAUSE = message("Pending: %(cause)s")
NOT_COMPUTED = plural("%(pods)s pod could not be computed", "%(pods)s pods could not be computed", by="pods")
