"""What a review says of requests, allocatable and capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import begun, listed
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


def scheduled(pods: int) -> str:
    """Say how many pods have a node."""
    return ngettext("%(pods)s pod is scheduled.", "%(pods)s pods are scheduled.", pods) % {"pods": grouped(pods)}


def pending(pods: int) -> str:
    """Say how many pods have none."""
    return ngettext("%(pods)s pod is pending.", "%(pods)s pods are pending.", pods) % {"pods": grouped(pods)}


def amounts(*, cpu: str, cpu_allocatable: str, memory: str, memory_allocatable: str) -> str:
    """Say what is requested of what is allocatable, and that usage does not count."""
    return _(
        "%(cpu)s of %(cpu_allocatable)s and %(memory)s of %(memory_allocatable)s of memory are requested. "
        "kube-scheduler counts requests, not what the pods use."
    ) % {
        "cpu": cpu,
        "cpu_allocatable": cpu_allocatable,
        "memory": memory,
        "memory_allocatable": memory_allocatable,
    }


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


def of_amount(amount: str) -> str:
    """Say of what a share is."""
    return pgettext("note to a figure", "of %(amount)s") % {"amount": amount}


def accepting(nodes: int) -> str:
    """Say how many nodes accept pods."""
    return ngettext("%(nodes)s accepts pods", "%(nodes)s accept pods", nodes) % {"nodes": grouped(nodes)}


def pending_note(pods: int) -> str:
    """Say beside the pods that have a node how many have none."""
    return pgettext("note to a figure", "%(pods)s pending") % {"pods": grouped(pods)}


def share_of_amount(share: str, amount: str) -> str:
    """Write how much of an amount is requested."""
    return pgettext("label of a bar", "%(share)s of %(amount)s") % {"share": share, "amount": amount}


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


def fullest(caption: str, *, shown: int, total: int) -> str:
    """Head a picture that shows the fullest zones or pools only."""
    return _("%(caption)s, the %(shown)s fullest of %(total)s") % {
        "caption": caption,
        "shown": grouped(shown),
        "total": grouped(total),
    }


def part(amount: str, label: str) -> str:
    """Write a part of a bar in words."""
    return pgettext("part of a bar", "%(amount)s %(part)s") % {"amount": amount, "part": label}


def bar(label: str, parts: Iterable[str], share: str) -> str:
    """Write a bar in words."""
    return pgettext("bar of a picture", "%(label)s: %(parts)s (%(share)s requested).") % {
        "label": label,
        "parts": listed(parts),
        "share": share,
    }
