"""The pages about disruption budgets: labels, numbers, remarks, and the drains that budgets block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of

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
        "unhealthyPodEvictionPolicy IfHealthyBudget: they may be evicted without being counted only while enough "
        "others are healthy."
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
    "The cluster reports a status that does not follow from its objects. The API server acts on the reported one; it "
    "may be behind, or the objects were read at different moments."
)

# Filters of the list.
SEARCH_HINT: Final = gettext_lazy("Part of a budget's name")
FILTER_LASTING: Final = pgettext_lazy("filter of budgets", "Allows 0 until changed")
FILTER_PASSING: Final = pgettext_lazy("filter of budgets", "Allows 0 until pods are ready")
FILTER_DRAINS: Final = pgettext_lazy("filter of budgets", "Blocks drains")
FILTER_ALLOWS: Final = pgettext_lazy("filter of budgets", "Allows disruptions")
FILTER_SHARED: Final = pgettext_lazy("filter of budgets", "Pods under several budgets")
FILTER_DIFFERS: Final = pgettext_lazy("filter of budgets", "Status differs")


def differs(computed: str) -> str:
    """Say that a computed number is not the one reported."""
    return _("%(number)s, differs") % {"number": computed}


def computed(number: str) -> str:
    """Name a computed number, beside the one reported."""
    return _("computed %(number)s") % {"number": number}


def zone_pods(pods: int, healthy: int) -> str:
    """Count a budget's pods in a zone, and the healthy ones of them."""
    return ngettext("%(pods)s pod, %(healthy)s healthy", "%(pods)s pods, %(healthy)s healthy", pods) % {
        "pods": grouped(pods),
        "healthy": grouped(healthy),
    }


def on_no_node(pods: int) -> str:
    """Count a budget's pods that are in no zone because they are on no node."""
    return ngettext(
        "Not counted by zone: %(pods)s pod that is pending or has finished.",
        "Not counted by zone: %(pods)s pods that are pending or have finished.",
        pods,
    ) % {"pods": grouped(pods)}


def drains_blocked(nodes: int) -> str:
    """Count the nodes whose drain a budget blocks."""
    return ngettext("Blocks the drain of %(nodes)s node.", "Blocks the drains of %(nodes)s nodes.", nodes) % {
        "nodes": grouped(nodes)
    }


def shared_pods(pods: int, budgets: str) -> str:
    """Say that other budgets select a budget's pods too, what follows, and what to do."""
    return ngettext(
        "%(pods)s pod is also selected by %(budgets)s. The Eviction API answers 500 for a pod under several budgets, "
        "so no drain can evict it: let one budget select it.",
        "%(pods)s pods are also selected by %(budgets)s. The Eviction API answers 500 for pods under several budgets, "
        "so no drain can evict them: let one budget select them.",
        pods,
    ) % {"pods": grouped(pods), "budgets": budgets}


def not_computable(failure: str) -> str:
    """Say why the disruption controller computes no status; ``failure``: its own words."""
    return _("The disruption controller cannot compute the status: %(failure)s.") % {"failure": failure}


def expected_not_known(missing: str) -> str:
    """Say that the number of expected pods is not known for want of an object."""
    return _("The number of expected pods is not known: the mirror lacks %(object)s.") % {"object": missing}


def unmanaged_pods(pods: int) -> str:
    """Count the pods that nothing controls."""
    return ngettext(
        "%(pods)s pod has no controller that says how many are expected.",
        "%(pods)s pods have no controller that says how many are expected.",
        pods,
    ) % {"pods": grouped(pods)}


def terminating_pods(pods: int) -> str:
    """Count the pods that are being deleted."""
    return ngettext(
        "%(pods)s pod is terminating and not counted as healthy.",
        "%(pods)s pods are terminating and not counted as healthy.",
        pods,
    ) % {"pods": grouped(pods)}


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


def blocks_no_drain(nodes: int) -> str:
    """Say that budgets block no drain."""
    return ngettext(
        "Budgets allow the drain of %(nodes)s node now.",
        "Budgets allow the drain of each of %(nodes)s nodes now.",
        nodes,
    ) % {"nodes": grouped(nodes)}


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


def show_blocked(nodes: int) -> str:
    """Offer the list of all nodes whose drain is blocked."""
    return ngettext("Show %(nodes)s node", "Show all %(nodes)s nodes", nodes) % {"nodes": grouped(nodes)}


def with_count(title: str, pods: int) -> str:
    """Head a list of pods with their number."""
    return pgettext("heading of a list", "%(title)s: %(pods)s") % {"title": title, "pods": grouped(pods)}


def more(pods: int) -> str:
    """Count the pods that a list does not show."""
    return pgettext("end of a list of pods", "and %(pods)s more") % {"pods": grouped(pods)}
