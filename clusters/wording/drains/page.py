"""The list of nodes with what a drain of each meets now, and the choice of those to be drained."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import Outlook
from clusters.wording.messages import message, plural

OUTLOOKS: Final = {
    Outlook.NOW: pgettext_lazy("what a drain meets now", "Can be drained now"),
    Outlook.ALLOWED: pgettext_lazy("what a drain meets now", "Allowed by budgets"),
    Outlook.WAITS: pgettext_lazy("what a drain meets now", "Blocked until pods are ready"),
    Outlook.FORCE: pgettext_lazy("what a drain meets now", "Needs --force"),
    Outlook.NO_ROOM: pgettext_lazy("what a drain meets now", "Replacements unschedulable"),
    Outlook.LASTING: pgettext_lazy("what a drain meets now", "Blocked until changed"),
}

POOL: Final = pgettext_lazy("column", "Pool")
KUBELET: Final = pgettext_lazy("column", "Kubelet")
PODS_TO_EVICT: Final = pgettext_lazy("column", "Pods to evict")
DRAIN_NOW: Final = pgettext_lazy("column", "A drain now")
BLOCKED_BY: Final = pgettext_lazy("column", "Blocked by")

NO_BUDGET: Final = pgettext_lazy("what blocks a drain", "no budget")
NOTHING: Final = pgettext_lazy("what blocks a drain", "nothing")

# What the states of the list assume.
CALLED: Final = gettext_lazy("Each node alone, with --ignore-daemonsets and --delete-emptydir-data.")
NO_CONFIGURATION: Final = gettext_lazy("Replacements are not placed here: the scheduler configuration cannot be read.")

# The choice of nodes.
SEARCH_HINT: Final = gettext_lazy("Part of a name, zone, pool, version or type")
AT_A_TIME: Final = pgettext_lazy("label of a choice", "At a time")
KUBECTL: Final = pgettext_lazy("label of a choice", "kubectl drain")
DRAINED_NODES: Final = pgettext_lazy("label of a choice", "Drained nodes")
NODES_BY_NAME: Final = pgettext_lazy("label of a choice", "Nodes by name")
NONE: Final = pgettext_lazy("choice of a filter", "None")
AS_BUDGETS_ALLOW: Final = pgettext_lazy("how many nodes at a time", "As budgets allow")
WITHOUT_FORCE: Final = pgettext_lazy("flags of kubectl drain", "Without --force")
WITH_FORCE: Final = pgettext_lazy("flags of kubectl drain", "With --force")
KEEPING_DATA: Final = pgettext_lazy("flags of kubectl drain", "Without --delete-emptydir-data")
STAY_CORDONED: Final = pgettext_lazy("what becomes of drained nodes", "Stay cordoned")
UNCORDONED: Final = pgettext_lazy("what becomes of drained nodes", "Are uncordoned")

# The columns of the list as a file.
COLUMNS: Final = (
    pgettext_lazy("column of a file", "node"),
    pgettext_lazy("column of a file", "zone"),
    pgettext_lazy("column of a file", "pool"),
    pgettext_lazy("column of a file", "kubelet"),
    pgettext_lazy("column of a file", "instance type"),
    pgettext_lazy("column of a file", "cordoned"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "pods to evict"),
    pgettext_lazy("column of a file", "pods without controller"),
    pgettext_lazy("column of a file", "pods that stay"),
    pgettext_lazy("column of a file", "blocked by"),
)


AT_MOST = message("At most %(nodes)s", context="how many nodes at a time")
DRAINABLE = plural(
    "%(ready)s of %(nodes)s node can be drained now.", "%(ready)s of %(nodes)s nodes can be drained now.", by="nodes"
)
ALLOWED = plural(
    "Budgets and controllers allow %(ready)s of %(nodes)s drain now.",
    "Budgets and controllers allow %(ready)s of %(nodes)s drains now.",
    by="nodes",
)


TOO_MANY_PODS = message("Replacements are not placed here: there are %(pods)s, more than %(most)s. A plan places them.")
UNMANAGED = plural(
    "%(pods)s pod without a controller needs --force", "%(pods)s pods without a controller need --force", by="pods"
)
FOR_NOW = message("%(refused)s until pods are ready")
BLOCKS = message("%(blocker)s: %(why)s")
MORE = message("and %(number)s more", context="end of a list")


PLAN_ALL = message("Plan the drain of these %(nodes)s")
