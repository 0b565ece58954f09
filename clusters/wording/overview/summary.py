"""The findings that sum a cluster up, each a link: what is wrong, at risk and wasteful."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

AT_RISK: Final = gettext_lazy("At risk:")
WASTEFUL: Final = gettext_lazy("Wasteful:")


def not_ready(nodes: int) -> str:
    """Count the nodes that are not ready."""
    return ngettext("%(nodes)s node is NotReady", "%(nodes)s nodes are NotReady", nodes) % {"nodes": grouped(nodes)}


def pending(pods: int) -> str:
    """Count the pending pods."""
    return ngettext("%(pods)s pod is pending", "%(pods)s pods are pending", pods) % {"pods": grouped(pods)}


def under_pressure(nodes: int) -> str:
    """Count the nodes under pressure."""
    return ngettext("%(nodes)s node is under pressure", "%(nodes)s nodes are under pressure", nodes) % {
        "nodes": grouped(nodes)
    }


def blocked_until_changed(nodes: int) -> str:
    """Count the nodes that cannot be drained until somebody changes a budget."""
    return ngettext(
        "%(nodes)s node cannot be drained until a budget is changed",
        "%(nodes)s nodes cannot be drained until a budget is changed",
        nodes,
    ) % {"nodes": grouped(nodes)}


def blocked_for_now(nodes: int) -> str:
    """Count the nodes that cannot be drained as long as a budget allows no disruption."""
    return ngettext(
        "budgets block the drain of %(nodes)s node until pods are ready",
        "budgets block the drains of %(nodes)s nodes until pods are ready",
        nodes,
    ) % {"nodes": grouped(nodes)}


def exceeded(constraints: int, *, worst: str, skew: int, max_skew: int) -> str:
    """Count the spread constraints that are exceeded, and name the worst."""
    return ngettext(
        "%(constraints)s spread constraint is exceeded (%(worst)s: skew %(skew)s, maxSkew %(max_skew)s)",
        "%(constraints)s spread constraints are exceeded (worst: %(worst)s, skew %(skew)s, maxSkew %(max_skew)s)",
        constraints,
    ) % {
        "constraints": grouped(constraints),
        "worst": worst,
        "skew": grouped(skew),
        "max_skew": grouped(max_skew),
    }


def not_recreated(pods: int) -> str:
    """Count the pods that no controller owns."""
    return ngettext(
        "%(pods)s pod has no controller that would recreate it",
        "%(pods)s pods have no controller that would recreate them",
        pods,
    ) % {"pods": grouped(pods)}


def host_ports(pods: int) -> str:
    """Count the pods that few nodes can take for their host ports."""
    return ngettext(
        "%(pods)s pod has a host port, so that it fits only where that port is free",
        "%(pods)s pods have host ports, so that each fits only where its ports are free",
        pods,
    ) % {"pods": grouped(pods)}


def stranded(nodes: int, left: Iterable[str]) -> str:
    """Count the nodes with stranded capacity, and say how much that is; ``left``: amounts of each resource."""
    return ngettext("%(nodes)s node strands %(left)s", "%(nodes)s nodes strand %(left)s", nodes) % {
        "nodes": grouped(nodes),
        "left": listed(left),
    }
