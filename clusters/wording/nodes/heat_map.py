"""The heat map, which shades nodes by how much of a resource is requested."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, ngettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

NO_ZONE: Final = pgettext_lazy("group of nodes", "no zone")


PODS_LABEL: Final = pgettext_lazy("resource of a node", "Pods")
CELL = message("%(requested)s of %(allocatable)s, %(share)s")
WITHOUT = plural(
    "%(nodes)s node without %(resource)s is left out.", "%(nodes)s nodes without %(resource)s are left out.", by="nodes"
)
TITLE = message("%(resource)s requested of the nodes of each zone")
ZONE = plural("%(nodes)s node, %(share)s requested", "%(nodes)s nodes, %(share)s requested", by="nodes")
NO_NODE_HAS = message("None of these nodes has %(resource)s.")


def requested(
    *, resource: str, is_pods: bool, requested: str, allocatable: str, share: str, nodes: int, zones: int
) -> str:
    """Say how much of a resource is requested on how many nodes; an amount that has its unit needs no name."""
    if is_pods:
        return _(
            "%(requested)s of %(allocatable)s (%(share)s) pods of the node pod limits, on %(nodes)s in %(zones)s."
        ) % {
            "requested": requested,
            "allocatable": allocatable,
            "share": share,
            "nodes": counts.nodes(nodes),
            "zones": counts.ZONES(number=zones),
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
            "zones": counts.ZONES(number=zones),
        }
    return _("%(requested)s of %(allocatable)s (%(share)s) is requested on %(nodes)s in %(zones)s.") % {
        "requested": requested,
        "allocatable": allocatable,
        "share": share,
        "nodes": counts.nodes(nodes),
        "zones": counts.ZONES(number=zones),
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
