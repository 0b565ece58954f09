"""The page of a simulation: its numbers, the cluster before and after, and the pods that are pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_amount, resource_names

if TYPE_CHECKING:
    from collections.abc import Iterable

# Key numbers.
PLACED: Final = gettext_lazy("placed")
PLACED_UNCERTAIN: Final = gettext_lazy("placed, uncertain")
NEWLY_PENDING: Final = gettext_lazy("newly pending")
STILL_PENDING: Final = gettext_lazy("still pending")
FORBIDDEN: Final = gettext_lazy("not created")
FORBIDDEN_BADGE: Final = pgettext_lazy("answer of the API server", "Forbidden (403)")
ERROR_BADGE: Final = pgettext_lazy("answer of the API server", "Internal error (500)")
INVALID_BADGE: Final = pgettext_lazy("answer of the API server", "Invalid (422)")
PREEMPTED: Final = gettext_lazy("preempted")
EVICTED: Final = gettext_lazy("evicted")
DELETED: Final = gettext_lazy("deleted with failed Jobs")
EVICTIONS_REFUSED: Final = gettext_lazy("evictions refused")

# The cluster before and after.
NODES: Final = gettext_lazy("Nodes")
OPEN_NODES: Final = gettext_lazy("Nodes that accept pods")
EMPTY_NODES: Final = gettext_lazy("Empty nodes")
PODS_ON_NODES: Final = gettext_lazy("Pods on nodes")
PENDING_BEFORE: Final = gettext_lazy("Pods pending before")
NEWLY_PENDING_PODS: Final = gettext_lazy("Newly pending pods")
VIOLATED: Final = gettext_lazy("Spread constraints violated")
LARGEST_SKEW: Final = gettext_lazy("Largest skew of a DoNotSchedule constraint")
ALLOWED: Final = gettext_lazy("Disruptions allowed by budgets")
ALLOW_NONE: Final = gettext_lazy("Budgets that allow 0 disruptions")

NO_ZONE: Final = gettext_lazy("No zone")
NO_POOL: Final = gettext_lazy("No pool")


def resource_title(resource: str) -> str:
    """Name a resource as headings do; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Pods")}.get(resource, resource)


def requested(resource: str) -> str:
    """Name the share of a resource that pods request."""
    return _("%(resource)s requested") % {"resource": resource_title(resource)}


def open_capacity(resource: str) -> str:
    """Name the allocatable amount of a resource on the nodes that accept pods."""
    return _("%(resource)s of nodes that accept pods") % {"resource": resource_title(resource)}


POINTS = message("%(difference)s points")


def meter_before(*, resource: str, part: str) -> str:
    """Name the bar of a zone or pool before the simulation."""
    return _("%(resource)s in %(part)s before") % {"resource": resource_title(resource), "part": part}


def meter_after(*, resource: str, part: str) -> str:
    """Name the bar of a zone or pool after the simulation."""
    return _("%(resource)s in %(part)s after") % {"resource": resource_title(resource), "part": part}


WITH_CLOSED = message("%(nodes)s, %(closed)s", context="number of nodes, then those that accept no pods")
ALL_POOLS = plural("%(pools)s pool", "All %(pools)s pools", by="pools")


# -- pending pods by cause ---------------------------------------------------------------------------------------------


REFUSED_BY_QUOTA = plural(
    "%(pods)s pod is refused by ResourceQuota %(namespace)s/%(quota)s",
    "%(pods)s pods are refused by ResourceQuota %(namespace)s/%(quota)s",
    by="pods",
)
REFUSED_BY_LIMIT_RANGE = plural(
    "%(pods)s pod is refused by LimitRange %(namespace)s/%(limit_range)s",
    "%(pods)s pods are refused by LimitRange %(namespace)s/%(limit_range)s",
    by="pods",
)
INVALID_BY_DEFAULTS = plural(
    "%(pods)s pod is invalid with the defaults of the LimitRanges of namespace %(namespace)s",
    "%(pods)s pods are invalid with the defaults of the LimitRanges of namespace %(namespace)s",
    by="pods",
)
UNCOVERED = plural(
    "%(pods)s pod is refused: no ResourceQuota of namespace %(namespace)s covers it",
    "%(pods)s pods are refused: no ResourceQuota of namespace %(namespace)s covers them",
    by="pods",
)


def more_causes(*, causes: int, pods: int) -> str:
    """Open the causes that are folded away."""
    values = {"causes": grouped(causes), "pods": grouped(pods)}
    if causes == 1:
        return (
            ngettext("%(causes)s more cause, of %(pods)s pod", "%(causes)s more cause, of %(pods)s pods", pods) % values
        )
    return _("%(causes)s more causes, of %(pods)s pods") % values


AND_MORE = message("and %(pods)s more")


def more_of_workloads(*, pods: int, workloads: int) -> str:
    """Say of how many workloads the named pods are, and how many other pods there are."""
    values = {"pods": grouped(pods), "workloads": grouped(workloads)}
    if pods:
        return (
            ngettext(
                "and %(pods)s more, of %(workloads)s workload",
                "and %(pods)s more, of %(workloads)s workloads",
                workloads,
            )
            % values
        )
    return ngettext("of %(workloads)s workload", "of %(workloads)s workloads", workloads) % values


def would_fit(*, pods: int, total: int) -> str:
    """Say how many of ``total`` pods fit by a change that was just described."""
    if pods == total:
        return _("Then all of them fit, evaluated independently.")
    return ngettext(
        "Then %(pods)s of them fits, evaluated independently.",
        "Then %(pods)s of them fit, evaluated independently.",
        pods,
    ) % {"pods": grouped(pods)}


def would_fit_requesting_less(*, resources: Iterable[str], pods: int, total: int) -> str:
    """Say how many of ``total`` pods fit if each requests less."""
    values = {"resources": resource_names(resources), "pods": grouped(pods)}
    if pods == total:
        return _("If they request less %(resources)s, all of them fit, evaluated independently.") % {
            "resources": values["resources"]
        }
    return (
        ngettext(
            "If they request less %(resources)s, %(pods)s of them fits, evaluated independently.",
            "If they request less %(resources)s, %(pods)s of them fit, evaluated independently.",
            pods,
        )
        % values
    )


def would_fit_without(*, plugins: Iterable[str], pods: int, total: int, nodes: int) -> str:
    """Say how many of ``total`` pods fit without what some plugins require, and on how many more nodes."""
    values = {"plugins": listed(plugins), "pods": grouped(pods), "nodes": grouped(nodes)}
    if pods == total:
        return ngettext(
            "Without the constraint of %(plugins)s, all would fit on %(nodes)s node.",
            "Without the constraint of %(plugins)s, all would fit on %(nodes)s nodes.",
            nodes,
        ) % {"plugins": values["plugins"], "nodes": values["nodes"]}
    return (
        ngettext(
            "Without the constraint of %(plugins)s, %(pods)s of them would fit on %(nodes)s node.",
            "Without the constraint of %(plugins)s, %(pods)s of them would fit on %(nodes)s nodes.",
            nodes,
        )
        % values
    )


def placed_uncertain(pods: int) -> str:
    """Count the pods that were placed by all that is computed, and may be rejected by what is not."""
    return ngettext("%(pods)s pod placed, uncertain", "%(pods)s pods placed, uncertain", pods) % {"pods": grouped(pods)}


# -- free capacity -----------------------------------------------------------------------------------------------------


def pod_shape(requests: Iterable[tuple[str, int]]) -> str:
    """Name a shape of pod by what it requests, in base units."""
    return ", ".join(resource_amount(resource, amount) for resource, amount in requests)


def room_of_shape(*, pods: int, nodes: int, is_whole: bool) -> str:
    """Say how many more pods of a shape fit; at least, where counting ended before all were counted."""
    values = {"pods": grouped(pods), "nodes": grouped(nodes)}
    if not is_whole:
        return (
            ngettext(
                "At least %(pods)s more pod fits; more are not evaluated.",
                "At least %(pods)s more pods fit; more are not evaluated.",
                pods,
            )
            % values
        )
    if not pods:
        return _("None fits any more.")
    if pods == 1:
        return _("1 more pod fits.")
    return (
        ngettext("%(pods)s more pods fit on %(nodes)s node.", "%(pods)s more pods fit on %(nodes)s nodes.", nodes)
        % values
    )


def of_no_use(shares: Iterable[str]) -> str:
    """Say what part of the free capacity is on nodes where no pod of the shape fits."""
    return _("On nodes where none fits: %(shares)s.") % {"shares": listed(shares)}


def share_of_free(*, share: str, resource: str) -> str:
    """Write a share of what is free of a resource."""
    return _("%(share)s of the free %(resource)s") % {"share": share, "resource": resource_names([resource])}


def stranded(*, resource: str, amount: int, nodes: int, insufficient: Iterable[str]) -> str:
    """Say how much of a resource is stranded on nodes where others are insufficient."""
    return ngettext(
        "%(amount)s on %(nodes)s node with insufficient %(resources)s",
        "%(amount)s on %(nodes)s nodes with insufficient %(resources)s",
        nodes,
    ) % {
        "amount": resource_amount(resource, amount),
        "nodes": grouped(nodes),
        "resources": resource_names(insufficient),
    }


def all_stranded(parts: Iterable[str]) -> str:
    """Say what is stranded."""
    return _("Stranded: %(parts)s.") % {"parts": "; ".join(parts)}


NO_DISRUPTION_ALLOWED = message("Budgets that allow 0 disruptions: %(budgets)s.")
