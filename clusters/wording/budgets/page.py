"""The pages about disruption budgets: labels, numbers, remarks, and the drains that budgets block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# The numbers of a status.
EXPECTED: Final = pgettext_lazy("number of pods", "Expected")
HEALTHY: Final = pgettext_lazy("number of pods", "Healthy")
DESIRED: Final = pgettext_lazy("number of pods", "Desired")
ALLOWED: Final = pgettext_lazy("number of disruptions", "Allowed")
NOT_KNOWN: Final = pgettext_lazy("number of pods", "not known")

# The spec field by field.
REQUIRES: Final = pgettext_lazy("field of a budget", "Requires")
SELECTOR: Final = pgettext_lazy("field of a budget", "Selector")
UNHEALTHY_PODS: Final = pgettext_lazy("field of a budget", "Pods that are not ready")
PODS: Final = pgettext_lazy("field of a budget", "Pods selected")
REPLICAS: Final = pgettext_lazy("field of a budget", "Replicas")
DRAINS_BLOCKED: Final = pgettext_lazy("field of a budget", "Drains blocked")
# By whether the budget always allows the eviction of pods that are not ready.
POLICIES: Final = {
    True: gettext_lazy("unhealthyPodEvictionPolicy AlwaysAllow: they may always be evicted."),
    False: gettext_lazy(
        "unhealthyPodEvictionPolicy IfHealthyBudget: evicted uncounted only while enough others are healthy."
    ),
}

# Lists of pods on a budget's page.
NOT_READY: Final = pgettext_lazy("heading of a list of pods", "Not ready")
UNDER_SEVERAL: Final = pgettext_lazy("heading of a list of pods", "Under several budgets")
WITHOUT_CONTROLLER: Final = pgettext_lazy("heading of a list of pods", "Without a controller")

UNTIL_CHANGED: Final = pgettext_lazy("how long a drain is blocked", "Until changed")
FOR_NOW: Final = pgettext_lazy("how long a drain is blocked", "Until pods are ready")
REFUSES_NONE: Final = gettext_lazy("Refuses no eviction")
STATUS_DIFFERS: Final = gettext_lazy(
    "The reported status does not follow from the objects, but the API server acts on it. It may be "
    "behind, or was read at another moment."
)

# Filters of the list.
SEARCH_HINT: Final = gettext_lazy("Part of a budget's name")
FILTER_LASTING: Final = pgettext_lazy("filter of budgets", "Allows 0 until changed")
FILTER_PASSING: Final = pgettext_lazy("filter of budgets", "Allows 0 until pods are ready")
FILTER_DRAINS: Final = pgettext_lazy("filter of budgets", "Blocks drains")
FILTER_ALLOWS: Final = pgettext_lazy("filter of budgets", "Allows disruptions")
FILTER_SHARED: Final = pgettext_lazy("filter of budgets", "Pods under several budgets")
FILTER_DIFFERS: Final = pgettext_lazy("filter of budgets", "Status differs")


DIFFERS = message("%(number)s, differs")
COMPUTED = message("computed %(number)s")
ZONE_PODS = plural("%(pods)s pod, %(healthy)s healthy", "%(pods)s pods, %(healthy)s healthy", by="pods")
ON_NO_NODE = plural(
    "Not counted by zone: %(pods)s pod that is pending or has finished.",
    "Not counted by zone: %(pods)s pods that are pending or have finished.",
    by="pods",
)


def drains_blocked(nodes: int) -> str:
    """Count the nodes whose drain a budget blocks."""
    return ngettext("Blocks the drain of %(nodes)s node.", "Blocks the drains of %(nodes)s nodes.", nodes) % {
        "nodes": grouped(nodes)
    }


SHARED_PODS = plural(
    "%(pods)s pod is also selected by %(budgets)s. The Eviction API answers 500 for it: let one budget select it.",
    "%(pods)s pods are also selected by %(budgets)s. The Eviction API answers 500 for them: let one "
    "budget select each.",
    by="pods",
)
NOT_COMPUTABLE = message("The disruption controller cannot compute the status: %(failure)s.")
EXPECTED_NOT_KNOWN = message("The number of expected pods is not known: the mirror lacks %(object)s.")
UNMANAGED_PODS = plural(
    "%(pods)s pod has no controller that says how many are expected.",
    "%(pods)s pods have no controller that says how many are expected.",
    by="pods",
)
TERMINATING_PODS = plural(
    "%(pods)s pod is terminating and not counted as healthy.",
    "%(pods)s pods are terminating and not counted as healthy.",
    by="pods",
)


def refuses(evictions: int, shared: int) -> str:
    """Say how many evictions of a node's drain a budget refuses, ``shared`` of them for pods under several budgets."""
    if not shared:
        return ngettext("Refuses %(evictions)s eviction", "Refuses %(evictions)s evictions", evictions) % {
            "evictions": grouped(evictions)
        }
    if shared == evictions:
        return ngettext(
            "%(shared)s eviction fails (500): more than one budget selects its pod",
            "%(shared)s evictions fail (500): more than one budget selects these pods",
            shared,
        ) % {"shared": grouped(shared)}
    return ngettext(
        "%(refused)s eviction refused (429), %(shared)s failed (500): more than one budget selects these pods",
        "%(refused)s evictions refused (429), %(shared)s failed (500): more than one budget selects these pods",
        evictions - shared,
    ) % {"refused": grouped(evictions - shared), "shared": grouped(shared)}


def refused_of(evictions: int, pods: int, shared: int) -> str:
    """Say how many of the evictions that a budget counts it refuses in the drain of a node."""
    if not shared:
        return ngettext(
            "%(evictions)s of %(pods)s eviction refused", "%(evictions)s of %(pods)s evictions refused", pods
        ) % {"evictions": grouped(evictions), "pods": grouped(pods)}
    if shared == evictions:
        return ngettext(
            "%(shared)s of %(pods)s eviction fails (500): more than one budget selects its pod",
            "%(shared)s of %(pods)s evictions fail (500): more than one budget selects these pods",
            pods,
        ) % {"shared": grouped(shared), "pods": grouped(pods)}
    return ngettext(
        "%(refused)s of %(pods)s eviction refused (429), %(shared)s failed (500): "
        "more than one budget selects these pods",
        "%(refused)s of %(pods)s evictions refused (429), %(shared)s failed (500): "
        "more than one budget selects these pods",
        pods,
    ) % {"refused": grouped(evictions - shared), "pods": grouped(pods), "shared": grouped(shared)}


BLOCKS_NO_DRAIN = plural(
    "Budgets allow the drain of %(nodes)s node now.",
    "Budgets allow the drain of each of %(nodes)s nodes now.",
    by="nodes",
)


def not_drainable(*, blocked: int, nodes: int, lasting: int) -> str:
    """Say how many drains budgets block, ``lasting`` of them until a budget is changed."""
    return ngettext(
        "Budgets block the drain of %(blocked)s of %(nodes)s node: %(lasting)s until a budget is changed, %(passing)s "
        "until pods are ready.",
        "Budgets block the drains of %(blocked)s of %(nodes)s nodes: %(lasting)s until a budget is changed, "
        "%(passing)s until pods are ready.",
        nodes,
    ) % {
        "blocked": grouped(blocked),
        "nodes": grouped(nodes),
        "lasting": grouped(lasting),
        "passing": grouped(blocked - lasting),
    }


def never_allow(budgets: Sequence[str], total: int) -> str:
    """Say which budgets can never be met, and so never allow a disruption."""
    return ngettext(
        "%(number)s of %(total)s budgets never allows a disruption until it is changed: %(budgets)s.",
        "%(number)s of %(total)s budgets never allow a disruption until they are changed: %(budgets)s.",
        len(budgets),
    ) % {"number": grouped(len(budgets)), "total": grouped(total), "budgets": first_of(budgets)}


SHOW_BLOCKED = plural("Show %(nodes)s node", "Show all %(nodes)s nodes", by="nodes")
WITH_COUNT = message("%(title)s: %(pods)s", context="heading of a list")
MORE = message("and %(pods)s more", context="end of a list of pods")
