"""What a review says of requests, allocatable and capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import begun, listed
from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_name, resource_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NONE_PENDING: Final = gettext_lazy("No pod is pending.")
MAY_BE_PENDING: Final = gettext_lazy("If a node fails, or with the next release, pods may be pending.")
# Figures and parts of pictures.
NODES: Final = pgettext_lazy("figure of a review", "Nodes")
SCHEDULED_PODS: Final = pgettext_lazy("figure of a review", "Scheduled pods")
CAPACITY: Final = pgettext_lazy("picture of a review", "Capacity of the cluster")
REQUESTED: Final = pgettext_lazy("part of a capacity", "requested")
FREE: Final = pgettext_lazy("part of a capacity", "free")
RESERVED: Final = pgettext_lazy("part of a capacity", "reserved for the system")
NO_ZONE: Final = pgettext_lazy("nodes without a label", "no zone")
NO_POOL: Final = pgettext_lazy("nodes without a label", "no node pool")


def share_of(share: str, resource: str) -> str:
    """Write a share of a resource, as a list of several takes it in."""
    return _("%(share)s of the %(resource)s") % {"share": share, "resource": resource_name(resource)}


def requested(shares: Iterable[str], nodes: int) -> str:
    """Say which shares of the nodes' resources the pods request."""
    return ngettext(
        "The pods request %(shares)s of %(nodes)s node.",
        "The pods request %(shares)s of %(nodes)s nodes.",
        nodes,
    ) % {"shares": listed(shares), "nodes": grouped(nodes)}


SCHEDULED = plural("%(pods)s pod is scheduled.", "%(pods)s pods are scheduled.", by="pods")
PENDING = plural("%(pods)s pod is pending.", "%(pods)s pods are pending.", by="pods")
AMOUNTS = message(
    "%(cpu)s of %(cpu_allocatable)s and %(memory)s of %(memory_allocatable)s of memory are "
    "requested, as kube-scheduler counts."
)


def not_ready(nodes: int) -> str:
    """Say how many nodes are NotReady."""
    return ngettext("%(nodes)s node is NotReady.", "%(nodes)s nodes are NotReady.", nodes) % {"nodes": grouped(nodes)}


def under_pressure(nodes: int) -> str:
    """Say how many nodes have a pressure condition."""
    return ngettext("%(nodes)s node has a pressure condition.", "%(nodes)s nodes have a pressure condition.", nodes) % {
        "nodes": grouped(nodes)
    }


def cordoned(nodes: int) -> str:
    """Say how many nodes are cordoned."""
    return ngettext("%(nodes)s node is cordoned.", "%(nodes)s nodes are cordoned.", nodes) % {"nodes": grouped(nodes)}


def not_requested(resources: Sequence[str]) -> str:
    """Say which resources no pod requests."""
    return _("No pod requests %(resources)s.") % {"resources": resource_names(resources)}


def nearly_all_requested(share: str, resources: Sequence[str]) -> str:
    """Head a warning that nearly all of some resources is requested."""
    return _("More than %(share)s is requested of %(resources)s") % {
        "share": share,
        "resources": resource_names(resources),
    }


def figure(resource: str) -> str:
    """Name the share of a resource that is requested."""
    return pgettext("figure of a review", "%(resource)s requested") % {"resource": resource_label(resource)}


OF_AMOUNT = message("of %(amount)s", context="note to a figure")
ACCEPTING = plural("%(nodes)s accepts pods", "%(nodes)s accept pods", by="nodes")
PENDING_NOTE = message("%(pods)s pending", context="note to a figure")
SHARE_OF_AMOUNT = message("%(share)s of %(amount)s", context="label of a bar")


def resource_label(resource: str) -> str:
    """Write a resource as the first word of a label."""
    name = resource_name(resource)
    return name if "/" in name else begun(name)


def by_zone(resource: str) -> str:
    """Head a picture of a resource by zone."""
    return _("%(resource)s by zone") % {"resource": resource_label(resource)}


def by_pool(resource: str) -> str:
    """Head a picture of a resource by node pool."""
    return _("%(resource)s by node pool") % {"resource": resource_label(resource)}


FULLEST = message("%(caption)s, the %(shown)s fullest of %(total)s")
PART = message("%(amount)s %(part)s", context="part of a bar")


def bar(label: str, parts: Iterable[str], share: str) -> str:
    """Write a bar in words."""
    return pgettext("bar of a picture", "%(label)s: %(parts)s (%(share)s requested).") % {
        "label": label,
        "parts": listed(parts),
        "share": share,
    }
