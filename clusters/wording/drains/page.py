"""The list of nodes with what a drain of each meets now, and the choice of those to be drained."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.disruption import Flag, Outlook
from clusters.wording.amounts import grouped
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
ROOM_SOUGHT: Final = gettext_lazy("Replacements are placed on other nodes, as the plan of each node does.")
NO_CONFIGURATION: Final = gettext_lazy(
    "Only budgets and controllers count here: replacements are not placed in this list, because the cluster's "
    "scheduler configuration cannot be read. A plan places them."
)

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
    "Budgets and controllers allow the drain of %(ready)s of %(nodes)s node now.",
    "Budgets and controllers allow the drain of %(ready)s of %(nodes)s nodes now.",
    by="nodes",
)


def with_outlook(outlook: Outlook, nodes: int) -> str:
    """Count the nodes whose drain something blocks, and say what."""
    match outlook:
        case Outlook.NO_ROOM:
            return ngettext(
                "Replacements of %(nodes)s node would be unschedulable.",
                "Replacements of %(nodes)s nodes would be unschedulable.",
                nodes,
            ) % {"nodes": grouped(nodes)}
        case Outlook.WAITS:
            return ngettext(
                "%(nodes)s node is blocked only until pods are ready.",
                "%(nodes)s nodes are blocked only until pods are ready.",
                nodes,
            ) % {"nodes": grouped(nodes)}
        case Outlook.FORCE:
            return ngettext("%(nodes)s node needs --force.", "%(nodes)s nodes need --force.", nodes) % {
                "nodes": grouped(nodes)
            }
        case _:
            return ngettext(
                "%(nodes)s node is blocked until a budget is changed.",
                "%(nodes)s nodes are blocked until a budget is changed.",
                nodes,
            ) % {"nodes": grouped(nodes)}


TOO_MANY_PODS = plural(
    "Only budgets and controllers count here: %(pods)s replacement would have to be placed, and this list places "
    "at most %(most)s. A plan places them.",
    "Only budgets and controllers count here: %(pods)s replacements would have to be placed, and this list places "
    "at most %(most)s. A plan places them.",
    by="pods",
)


def unmanaged(pods: int) -> str:
    """Say how many pods need --force."""
    return ngettext(
        "%(pods)s pod without a controller needs %(flag)s",
        "%(pods)s pods without a controller need %(flag)s",
        pods,
    ) % {"pods": grouped(pods), "flag": str(Flag.FORCE)}


FOR_NOW = message("%(refused)s until pods are ready")
BLOCKS = message("%(blocker)s: %(why)s")
MORE = message("and %(number)s more", context="end of a list")


def plan_all(nodes: int) -> str:
    """Offer to plan the drain of all nodes of the cluster."""
    return _("Plan the drain of all %(nodes)s") % {"nodes": grouped(nodes)}


def plan_matching(nodes: int) -> str:
    """Offer to plan the drain of all nodes that the filters let through."""
    return _("Plan the drain of all %(nodes)s that match") % {"nodes": grouped(nodes)}
