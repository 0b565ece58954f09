"""The cards of the overview about spreading, drains, nodes and stranded capacity, and the table of zones."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives
from clusters.wording.messages import message, plural

# Titles.
SPREAD: Final = pgettext_lazy("card", "Spread")
DRAINS: Final = pgettext_lazy("card", "Drains")
NODES: Final = pgettext_lazy("card", "Nodes")
STRANDED: Final = pgettext_lazy("card", "Stranded")
USAGE: Final = pgettext_lazy("card", "Usage")
# Badges.
NOT_KNOWN: Final = pgettext_lazy("badge", "Not known")
BLOCKING: Final = pgettext_lazy("badge of spread constraints", "Blocking")
EXCEEDED: Final = pgettext_lazy("badge of spread constraints", "Exceeded")
WITHIN: Final = pgettext_lazy("badge of spread constraints", "Within maxSkew")
BLOCKED: Final = pgettext_lazy("badge of drains", "Blocked")
BLOCKED_FOR_NOW: Final = pgettext_lazy("badge of drains", "Blocked until pods are ready")
DRAINABLE: Final = pgettext_lazy("badge of drains", "Drainable")
UNHEALTHY: Final = pgettext_lazy("badge of nodes", "Unhealthy")
CORDONED: Final = pgettext_lazy("badge of nodes", "Cordoned")
HEALTHY: Final = pgettext_lazy("badge of nodes", "Healthy")
CAPACITY_STRANDED: Final = pgettext_lazy("badge of nodes", "Stranded")
NOTHING_STRANDED: Final = pgettext_lazy("badge of nodes", "None")
# Links.
WORKLOADS: Final = gettext_lazy("Workloads")
WORKLOADS_BY_ZONE: Final = gettext_lazy("Workloads by zone")
PLAN_DRAIN: Final = gettext_lazy("Plan a drain")
FREE_BY_SHAPE: Final = gettext_lazy("Free capacity by shape")
BIN_PACKING: Final = gettext_lazy("What would bin packing change?")
TAINTED_NODES: Final = gettext_lazy("Nodes with any taint")

REQUESTS_OFF: Final = pgettext_lazy("badge of requests", "Not as used")
REQUESTS_FIT: Final = pgettext_lazy("badge of requests", "As used")
NO_USAGE: Final = gettext_lazy("No sample of usage.")

NO_ZONE: Final = pgettext_lazy("group of nodes", "No zone")
UNIT_NOT_KNOWN: Final = gettext_lazy("not known")
NO_NODES: Final = gettext_lazy("No node is mirrored.")
NO_CAPACITY: Final = gettext_lazy("No node is mirrored.")
NOTHING_TO_SPREAD: Final = gettext_lazy("No pod has spread constraints.")
NO_BUDGETS: Final = gettext_lazy("There are no disruption budgets.")
BUDGETS_NOT_READ: Final = gettext_lazy("Berth may not read budgets here.")
BUDGETS_NOT_DUMPED: Final = gettext_lazy("The dump has no budgets; the cluster may.")
NOT_STRANDED: Final = gettext_lazy("No node strands a resource.")
CPU: Final = pgettext_lazy("resource", "CPU")
MEMORY: Final = pgettext_lazy("resource", "memory")
PODS: Final = pgettext_lazy("resource", "pods")


OVER_MAX_SKEW = plural(
    "of %(constraints)s spread constraint exceeds maxSkew",
    "of %(constraints)s spread constraints exceed maxSkew",
    by="constraints",
)
OF_REQUESTS = plural(
    "of %(workloads)s workload requests too much or too little",
    "of %(workloads)s workloads request too much or too little",
    by="workloads",
)
SKEW = message("skew %(skew)s over %(domains)s, maxSkew %(max_skew)s, %(action)s")
LOSS_AND_SKEW = message("%(pods)s of %(of)s pods in %(zone)s; %(skew)s")
NOT_DRAINABLE = plural("of %(nodes)s drain blocked", "of %(nodes)s drains blocked", by="nodes")
HOW_LONG = message("Until a budget is changed: %(lasting)s. Until pods are ready: %(for_now)s.")


def blocking_budget(bound: str, *, drains: int, lasting: int) -> str:
    """Say what a budget requires and how many drains it blocks, ``lasting`` of them until it is changed."""
    if lasting == drains:
        return ngettext(
            "%(bound)s; blocks %(drains)s drain until changed",
            "%(bound)s; blocks %(drains)s drains until changed",
            drains,
        ) % {"bound": bound, "drains": grouped(drains)}
    if not lasting:
        return ngettext(
            "%(bound)s; blocks %(drains)s drain until pods are ready",
            "%(bound)s; blocks %(drains)s drains until pods are ready",
            drains,
        ) % {"bound": bound, "drains": grouped(drains)}
    return ngettext(
        "%(bound)s; blocks %(drains)s drain, %(lasting)s of them until changed",
        "%(bound)s; blocks %(drains)s drains, %(lasting)s of them until changed",
        drains,
    ) % {"bound": bound, "drains": grouped(drains), "lasting": grouped(lasting)}


BLOCKING_BUDGETS = plural("%(budgets)s budget blocks", "%(budgets)s budgets block", by="budgets")
CLOSED = message("%(nodes)s NotReady, cordoned or under pressure")
OF_CLOSED = plural(
    "of %(nodes)s node NotReady, cordoned or under pressure",
    "of %(nodes)s nodes NotReady, cordoned or under pressure",
    by="nodes",
)


def ready_unknown(nodes: int) -> str:
    """Count the nodes without a condition Ready."""
    return ngettext("%(nodes)s node reports no condition Ready", "%(nodes)s nodes report no condition Ready", nodes) % {
        "nodes": grouped(nodes)
    }


def cordoned(nodes: int) -> str:
    """Count the cordoned nodes."""
    return ngettext("%(nodes)s node is cordoned", "%(nodes)s nodes are cordoned", nodes) % {"nodes": grouped(nodes)}


ONE_UNDER_PRESSURE = message("%(node)s is under pressure")
RESERVED = plural("%(nodes)s node needs a toleration", "%(nodes)s nodes need a toleration", by="nodes")
OF_STRANDED = plural(
    "of %(nodes)s node strands CPU or memory",
    "of %(nodes)s nodes strand CPU or memory",
    by="nodes",
)


def stranded_on(amount: str, nodes: int) -> str:
    """Say how much of a resource is stranded on how many nodes."""
    return _("%(amount)s on %(nodes)s") % {"amount": amount, "nodes": counts.nodes(nodes)}


OF_MEMORY = message("%(amount)s of memory")


def stranded_for(*, share: str, resource: str, used_up: list[str], most: str) -> str:
    """Say which part of the cluster's resource is stranded, for lack of which others, and where most of it is."""
    return _(
        "%(share)s of the cluster's %(resource)s, most on %(most)s; over 90 %% of %(used_up)s is requested there."
    ) % {
        "share": share,
        "resource": resource,
        "used_up": alternatives(used_up),
        "most": most,
    }


REQUESTED_IN = message("%(what)s in %(zone)s")
REQUESTED_SHARE = message("%(requested)s of %(allocatable)s (%(share)s)")


def capacity(*, cpu: str, memory: str, nodes: int, zones: int) -> str:
    """Say how much of the whole cluster is requested; ``cpu`` and ``memory``: of `requested_share`."""
    return _("Pods request %(cpu)s and %(memory)s on %(nodes)s in %(zones)s.") % {
        "cpu": cpu,
        "memory": memory,
        "nodes": counts.nodes(nodes),
        "zones": counts.ZONES(number=zones),
    }
