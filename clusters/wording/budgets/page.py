"""The pages about disruption budgets: labels, numbers, remarks, and the drains that budgets block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

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
    True: gettext_lazy("unhealthyPodEvictionPolicy AlwaysAllow."),
    False: gettext_lazy("unhealthyPodEvictionPolicy IfHealthyBudget: only while enough others are healthy."),
}

# Lists of pods on a budget's page.
NOT_READY: Final = pgettext_lazy("heading of a list of pods", "Not ready")
UNDER_SEVERAL: Final = pgettext_lazy("heading of a list of pods", "Under several budgets")
WITHOUT_CONTROLLER: Final = pgettext_lazy("heading of a list of pods", "Without a controller")

UNTIL_CHANGED: Final = pgettext_lazy("how long a drain is blocked", "Until changed")
FOR_NOW: Final = pgettext_lazy("how long a drain is blocked", "Until pods are ready")
REFUSES_NONE: Final = gettext_lazy("Refuses no eviction")
STATUS_DIFFERS: Final = gettext_lazy(
    "The API server acts on the reported status, which does not follow from the objects: it may be behind."
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
    "Pending or finished: %(pods)s pod.",
    "Pending or finished: %(pods)s pods.",
    by="pods",
)


BLOCKS_DRAINS = plural("Blocks the drain of %(nodes)s node.", "Blocks the drains of %(nodes)s nodes.", by="nodes")
SHARED_PODS = plural(
    "%(pods)s pod is also selected by %(budgets)s, so its eviction fails (500): let one budget select it.",
    "%(pods)s pods are also selected by %(budgets)s, so their evictions fail (500): let one budget select each.",
    by="pods",
)
NOT_COMPUTABLE = message("The status cannot be computed: %(failure)s.")
EXPECTED_NOT_KNOWN = message("Expected pods unknown: %(object)s is missing.")
UNMANAGED_PODS = plural(
    "%(pods)s pod without a controller.",
    "%(pods)s pods without a controller.",
    by="pods",
)
TERMINATING_PODS = plural(
    "%(pods)s terminating pod is not counted as healthy.",
    "%(pods)s terminating pods are not counted as healthy.",
    by="pods",
)


_REFUSES = plural("Refuses %(evictions)s eviction", "Refuses %(evictions)s evictions", by="evictions")
_REFUSES_SHARED = plural(
    "Refuses %(evictions)s eviction, %(shared)s with 500 (several budgets)",
    "Refuses %(evictions)s evictions, %(shared)s with 500 (several budgets)",
    by="evictions",
)
_REFUSED_OF = plural(
    "%(evictions)s of %(pods)s eviction refused", "%(evictions)s of %(pods)s evictions refused", by="pods"
)
_REFUSED_OF_SHARED = plural(
    "%(evictions)s of %(pods)s eviction refused, %(shared)s with 500 (several budgets)",
    "%(evictions)s of %(pods)s evictions refused, %(shared)s with 500 (several budgets)",
    by="pods",
)


def refuses(evictions: int, shared: int) -> str:
    """Say how many evictions of a node's drain a budget refuses, ``shared`` of them for pods under several budgets."""
    return _REFUSES_SHARED(evictions=evictions, shared=shared) if shared else _REFUSES(evictions=evictions)


def refused_of(evictions: int, pods: int, shared: int) -> str:
    """Say how many of the evictions that a budget counts it refuses in the drain of a node."""
    if shared:
        return _REFUSED_OF_SHARED(evictions=evictions, pods=pods, shared=shared)
    return _REFUSED_OF(evictions=evictions, pods=pods)


BLOCKS_NO_DRAIN = plural(
    "Budgets allow the drain of %(nodes)s node now.",
    "Budgets allow the drain of each of %(nodes)s nodes now.",
    by="nodes",
)
_NOT_DRAINABLE = plural(
    "Budgets block the drain of %(blocked)s of %(nodes)s node: %(lasting)s until changed, %(passing)s until pods are "
    "ready.",
    "Budgets block the drains of %(blocked)s of %(nodes)s nodes: %(lasting)s until changed, %(passing)s until pods are "
    "ready.",
    by="nodes",
)
_NEVER_ALLOW = message("%(number)s of %(total)s budgets never allow a disruption until changed: %(budgets)s.")


def not_drainable(*, blocked: int, nodes: int, lasting: int) -> str:
    """Say how many drains budgets block, ``lasting`` of them until a budget is changed."""
    return _NOT_DRAINABLE(blocked=blocked, nodes=nodes, lasting=lasting, passing=blocked - lasting)


def never_allow(budgets: Sequence[str], total: int) -> str:
    """Say which budgets can never be met, and so never allow a disruption."""
    return _NEVER_ALLOW(number=len(budgets), total=total, budgets=first_of(budgets))


SHOW_BLOCKED = plural("Show %(nodes)s node", "Show all %(nodes)s nodes", by="nodes")
WITH_COUNT = message("%(title)s: %(pods)s", context="heading of a list")
MORE = message("and %(pods)s more", context="end of a list of pods")
