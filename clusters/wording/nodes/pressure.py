"""The order in which a kubelet evicts pods under memory pressure, and why."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.disruption.pressure import KnownMemory
from clusters.wording.amounts import grouped

NO_AMOUNT: Final = pgettext_lazy("request or limit of memory", "none")
REASONS: Final = {
    KnownMemory.STATIC: gettext_lazy("A static pod: the kubelet does not evict it."),
    KnownMemory.CRITICAL: gettext_lazy(
        "Critical priority (2\u202f000\u202f000\u202f000 or more): the kubelet does not evict it."
    ),
    KnownMemory.STARTING: gettext_lazy("It may not run yet: pods without statistics are evicted before all others."),
    KnownMemory.NOTHING_REQUESTED: gettext_lazy("It requests no memory, so whatever it uses exceeds its request."),
    KnownMemory.NOTHING_AS_A_WHOLE: gettext_lazy(
        "It has pod-level resources and requests no memory there, so the kubelet counts a request of 0, "
        "whatever its containers request."
    ),
    KnownMemory.CAPPED: gettext_lazy("Its limits do not exceed its request, so its usage cannot either."),
    KnownMemory.ABOVE_REQUEST: gettext_lazy(
        "Its limits exceed its request: evicted early if its usage exceeds the request, else late."
    ),
    KnownMemory.UNLIMITED: gettext_lazy(
        "A container has no memory limit: evicted early if its usage exceeds the request, else late."
    ),
    KnownMemory.SIDECARS: gettext_lazy(
        "Kubelet versions count the requests of sidecars differently, so its limits prove nothing."
    ),
}


def no_pods() -> str:
    """Say that there is nothing to evict."""
    return _("No pod runs on the node: there is nothing to evict.")


def one_at_a_time() -> str:
    """Say how the kubelet evicts."""
    return _("Under memory pressure the kubelet evicts one pod at a time.")


def certainly_above(pods: int) -> str:
    """Count the pods that are evicted first."""
    return ngettext(
        "%(pods)s pod certainly exceeds its request and is evicted first.",
        "%(pods)s pods certainly exceed their requests and are evicted first.",
        pods,
    ) % {"pods": grouped(pods)}


def depends_on_usage(pods: int) -> str:
    """Count the pods whose rank usage decides."""
    return ngettext(
        "%(pods)s pod may exceed its request: its usage decides.",
        "%(pods)s pods may exceed their requests: their usage decides.",
        pods,
    ) % {"pods": grouped(pods)}


def cannot_exceed(pods: int) -> str:
    """Count the pods that are evicted last."""
    return ngettext(
        "%(pods)s pod cannot exceed its request and is evicted last.",
        "%(pods)s pods cannot exceed their requests and are evicted last, by priority.",
        pods,
    ) % {"pods": grouped(pods)}


def never_evicted(pods: int) -> str:
    """Count the pods that the kubelet does not evict."""
    return ngettext("%(pods)s pod is never evicted.", "%(pods)s pods are never evicted.", pods) % {
        "pods": grouped(pods)
    }


def ranks(earliest: int, latest: int) -> str:
    """Write a range of ranks; one where both are the same."""
    if earliest == latest:
        return grouped(earliest)
    return _("%(earliest)s to %(latest)s") % {"earliest": grouped(earliest), "latest": grouped(latest)}
