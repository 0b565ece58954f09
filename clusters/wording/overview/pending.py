"""The cards of the overview about pending pods, the most effective change, and failing workloads."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.messages import message, plural

# Titles.
CHANGE: Final = pgettext_lazy("card", "Most effective change")
FAILING: Final = pgettext_lazy("card", "Failing workloads")
# Badges.
BADGE_NONE: Final = pgettext_lazy("badge", "None pending")
BADGE_NO_CHANGE: Final = pgettext_lazy("badge", "No single change")
BADGE_SAME_CHANGE: Final = pgettext_lazy("badge", "The same change")
BADGE_ONE_CHANGE: Final = pgettext_lazy("badge", "One change")
BADGE_TWO_CHANGES: Final = pgettext_lazy("badge", "Two changes")
BADGE_FAILING: Final = pgettext_lazy("badge", "Failing")

NO_PODS: Final = gettext_lazy("No pod is mirrored.")
NOTHING_PENDING: Final = gettext_lazy("No pod is pending.")
QUEUE_ORDER: Final = gettext_lazy("Order of the queue")
NOBODY: Final = pgettext_lazy("number of pods", "None")


OF_PENDING = plural("of %(pods)s pending pod unschedulable", "of %(pods)s pending pods unschedulable", by="pods")


def pending_only(pods: int) -> str:
    """Say, after the number of pending pods, that none is unschedulable."""
    return ngettext("pending pod, not unschedulable", "pending pods, none unschedulable", pods)


MORE_CAUSES = plural("%(causes)s more cause", "%(causes)s more causes", by="causes")
OTHER_PODS = plural("%(pods)s other pending pod", "%(pods)s other pending pods", by="pods")
AND_OTHER_CAUSES = plural("and %(causes)s other cause", "and %(causes)s other causes", by="causes")
ALL_PENDING_FOR = message("All pods pending: %(cause)s")
MORE_PODS = plural("and %(pods)s more pod", "and %(pods)s more pods", by="pods")
NO_CHANGE_HELPS = plural(
    "of %(pods)s unschedulable pod would fit after one tried change",
    "of %(pods)s unschedulable pods would fit after one tried change",
    by="pods",
)
FIT_AFTER_ONE = plural(
    "of %(pods)s unschedulable pod would fit after one change",
    "of %(pods)s unschedulable pods would fit after one change",
    by="pods",
)
FIT_AFTER_TWO = plural(
    "of %(pods)s unschedulable pod would fit after two changes",
    "of %(pods)s unschedulable pods would fit after two changes",
    by="pods",
)
FIT_AFTER_SAME_ON_NODES = plural(
    "of %(pods)s unschedulable pod would fit after the same change on %(nodes)s nodes",
    "of %(pods)s unschedulable pods would fit after the same change on %(nodes)s nodes",
    by="pods",
)
FIT_AFTER_SAME_TO_WORKLOADS = plural(
    "of %(pods)s unschedulable pod would fit after the same change to %(workloads)s workloads",
    "of %(pods)s unschedulable pods would fit after the same change to %(workloads)s workloads",
    by="pods",
)
AT_NODES = plural("The node: %(names)s.", "The nodes: %(names)s.", by="nodes")
MORE_WORKLOADS = plural("and %(workloads)s more workload", "and %(workloads)s more workloads", by="workloads")
