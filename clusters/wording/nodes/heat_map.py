"""The heat map, which shades nodes by how much of a resource is requested."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped

NO_ZONE: Final = pgettext_lazy("group of nodes", "no zone")


def pods_label() -> str:
    """Name what node pod limits count, among resources."""
    return pgettext("resource of a node", "Pods")


def cell(*, requested: str, allocatable: str, share: str) -> str:
    """Write what is requested of one node."""
    return _("%(requested)s of %(allocatable)s, %(share)s") % {
        "requested": requested,
        "allocatable": allocatable,
        "share": share,
    }


def without(*, nodes: int, resource: str) -> str:
    """Count the nodes that have none of a resource."""
    return ngettext(
        "%(nodes)s node without %(resource)s is left out.", "%(nodes)s nodes without %(resource)s are left out.", nodes
    ) % {"nodes": grouped(nodes), "resource": resource}


def title(*, resource: str) -> str:
    """Name the table of the zones' sums."""
    return _("%(resource)s requested of the nodes of each zone") % {"resource": resource}


def zone(*, nodes: int, share: str) -> str:
    """Say beside a zone's name how many nodes it has and how much of the resource is requested there."""
    return ngettext("%(nodes)s node, %(share)s requested", "%(nodes)s nodes, %(share)s requested", nodes) % {
        "nodes": grouped(nodes),
        "share": share,
    }


def no_node_has(*, resource: str) -> str:
    """Say that none of the nodes has anything of the resource."""
    return _("None of these nodes has %(resource)s.") % {"resource": resource}


def requested(
    *, resource: str, is_pods: bool, requested: str, allocatable: str, share: str, nodes: int, zones: int
) -> str:
    """Say how much of a resource is requested on how many nodes; an amount that has its unit needs no name."""
    if is_pods:
        return _(
            "%(requested)s of %(allocatable)s (%(share)s) pods that node pod limits allow, on %(nodes)s in %(zones)s."
        ) % {
            "requested": requested,
            "allocatable": allocatable,
            "share": share,
            "nodes": counts.nodes(nodes),
            "zones": counts.zones(zones),
        }
    if resource:
        return _(
            "%(requested)s of %(allocatable)s (%(share)s) of %(resource)s is requested on %(nodes)s in %(zones)s."
        ) % {
            "requested": requested,
            "allocatable": allocatable,
            "share": share,
            "resource": resource,
            "nodes": counts.nodes(nodes),
            "zones": counts.zones(zones),
        }
    return _("%(requested)s of %(allocatable)s (%(share)s) is requested on %(nodes)s in %(zones)s.") % {
        "requested": requested,
        "allocatable": allocatable,
        "share": share,
        "nodes": counts.nodes(nodes),
        "zones": counts.zones(zones),
    }


def nearly_full(*, full: int, over: int) -> str:
    """Say how many nodes have at least 90 % requested, and how many of them are overcommitted."""
    if not full:
        return _("No node reaches 90\u00a0%.")
    if not over:
        return ngettext("%(full)s node reaches 90\u00a0%%.", "%(full)s nodes reach 90\u00a0%%.", full) % {
            "full": grouped(full)
        }
    return ngettext(
        "%(full)s node reaches 90\u00a0%%; overcommitted: %(over)s.",
        "%(full)s nodes reach 90\u00a0%%; overcommitted: %(over)s.",
        full,
    ) % {"full": grouped(full), "over": grouped(over)}
