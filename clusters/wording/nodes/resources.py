"""How full a node is: what its pods request, what is free, and which resource runs out first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable


def requested_label(resource: str) -> str:
    """Name the meter of a resource."""
    return _("%(resource)s requested") % {"resource": resource}


def exact(requested: str, allocatable: str) -> str:
    """Write both amounts to the byte."""
    return _("%(requested)s of %(allocatable)s") % {"requested": requested, "allocatable": allocatable}


def kept(amount: str) -> str:
    """Say how much of a node's capacity is not allocatable."""
    return _("%(amount)s kept from pods") % {"amount": amount}


def exceeded_by(amount: str) -> str:
    """Say by how much requests exceed what a node has."""
    return _("%(amount)s over") % {"amount": amount}


def amount_of(amount: str, resource: str) -> str:
    """Write an amount of a resource: `7 GiB of memory`."""
    return _("%(amount)s of %(resource)s") % {"amount": amount, "resource": resource}


def free_pods(number: int) -> str:
    """Count the pods that the node's pod limit still permits."""
    return ngettext("%(number)s more pod", "%(number)s more pods", number) % {"number": grouped(number)}


def share_of(share: str, resource: str) -> str:
    """Write how much of a resource is requested: `40 % of its CPU`."""
    return _("%(share)s of its %(resource)s") % {"share": share, "resource": resource}


def pods_request(pods: int, shares: Iterable[str]) -> str:
    """Say what the pods of a node request; ``shares``: of `share_of`."""
    return ngettext("Its %(pods)s pod requests %(shares)s.", "Its %(pods)s pods request %(shares)s.", pods) % {
        "pods": grouped(pods),
        "shares": listed(shares),
    }


def no_pods() -> str:
    """Say that no pod runs on a node."""
    return _("No pod runs on it.")


def free(amounts: Iterable[str]) -> str:
    """Say what is free; ``amounts`` name their resources."""
    return _("Free: %(amounts)s.") % {"amounts": listed(amounts)}


def nothing_requested() -> str:
    """Say that the pods of a node request nothing."""
    return _("They request nothing.")


def overcommitted(resource: str) -> str:
    """Say that pods request more than the node has."""
    return _("%(resource)s is overcommitted: requests exceed allocatable.") % {"resource": resource}


def used_up(resource: str) -> str:
    """Say that all of a resource is requested."""
    return _("%(resource)s is requested in full.") % {"resource": resource}


def pod_limit_reached() -> str:
    """Say that the node runs as many pods as it may."""
    return _("The node pod limit is reached.")


def pod_limit_next(pods: int) -> str:
    """Say that the pod limit is reached before any resource runs out."""
    return ngettext(
        "The node pod limit is reached first, after %(pods)s more pod.",
        "The node pod limit is reached first, after %(pods)s more pods.",
        pods,
    ) % {"pods": grouped(pods)}


def runs_out_at_once(resource: str) -> str:
    """Say that less of a resource is free than the pods of the node request on average."""
    return _("%(resource)s runs out first: less is free than these pods request on average.") % {"resource": resource}


def runs_out(resource: str, pods: int) -> str:
    """Say for how many more pods a resource lasts that request as much as those of the node do on average."""
    return ngettext(
        "%(resource)s runs out first, after about %(pods)s more pod with the average request of these.",
        "%(resource)s runs out first, after about %(pods)s more pods with the average request of these.",
        pods,
    ) % {"resource": resource, "pods": grouped(pods)}
