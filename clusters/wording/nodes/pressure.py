"""The order in which a kubelet evicts pods while its node is short of something, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.kubelet import DiskPart, KnownMemory, RankGround, ReclaimStep, Signal
from clusters.wording.amounts import grouped, moment
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

NO_AMOUNT: Final = pgettext_lazy("request or limit of memory", "none")
REASONS: Final = {
    KnownMemory.STATIC: gettext_lazy("A static pod: the kubelet does not evict it."),
    KnownMemory.CRITICAL: gettext_lazy("Critical priority (2 000 000 000 or more): not evicted."),
    KnownMemory.STARTING: gettext_lazy("It may not run yet: pods without statistics go first."),
    KnownMemory.NOTHING_REQUESTED: gettext_lazy("It requests no memory, so whatever it uses exceeds its request."),
    KnownMemory.NOTHING_AS_A_WHOLE: gettext_lazy(
        "It has pod-level resources without memory, so the kubelet counts a request of 0."
    ),
    KnownMemory.CAPPED: gettext_lazy("Its limits do not exceed its request, so its usage cannot."),
    KnownMemory.ABOVE_REQUEST: gettext_lazy("Its limits exceed its request: early if its usage does, else late."),
    KnownMemory.UNLIMITED: gettext_lazy(
        "A container has no memory limit: early if usage exceeds the request, else late."
    ),
    KnownMemory.SIDECARS: gettext_lazy("Kubelet versions count sidecars differently, so its limits prove nothing."),
    KnownMemory.MEASURED_ABOVE: gettext_lazy("It uses more memory than it requests."),
    KnownMemory.MEASURED_WITHIN: gettext_lazy("It uses no more memory than it requests."),
}
GROUNDS: Final = {
    RankGround.STATIC: REASONS[KnownMemory.STATIC],
    RankGround.CRITICAL: REASONS[KnownMemory.CRITICAL],
    RankGround.STARTING: REASONS[KnownMemory.STARTING],
    RankGround.NOTHING_REQUESTED: gettext_lazy("Its request is 0, so whatever it uses exceeds it."),
    RankGround.USAGE: gettext_lazy("Evicted early if its usage exceeds its request, else late."),
    RankGround.PRIORITY: gettext_lazy("By priority, then the one with more processes."),
    RankGround.UNCOUNTED: gettext_lazy("By priority, then the smaller request first."),
    RankGround.ABOVE: gettext_lazy("It uses more than it requests."),
    RankGround.WITHIN: gettext_lazy("It uses no more than it requests."),
}
# What may run out, by the signal that says so.
SHORT_OF: Final = {
    Signal.MEMORY: pgettext_lazy("what a node is short of", "Memory"),
    Signal.NODE_FS: pgettext_lazy("what a node is short of", "Disk (nodefs)"),
    Signal.IMAGE_FS: pgettext_lazy("what a node is short of", "Disk (imagefs)"),
    Signal.NODE_FS_INODES: pgettext_lazy("what a node is short of", "Inodes (nodefs)"),
    Signal.IMAGE_FS_INODES: pgettext_lazy("what a node is short of", "Inodes (imagefs)"),
    Signal.PIDS: pgettext_lazy("what a node is short of", "Process IDs"),
}
PARTS: Final = {
    DiskPart.LAYERS: pgettext_lazy("part of a pod's usage of disks", "writable layers"),
    DiskPart.LOGS: pgettext_lazy("part of a pod's usage of disks", "logs"),
    DiskPart.VOLUMES: pgettext_lazy("part of a pod's usage of disks", "local volumes"),
}
BY_MEMORY: Final = gettext_lazy(
    "The kubelet evicts pods whose usage exceeds their memory request first, then by priority, then by how far usage "
    "exceeds the request. Where usage is not known, a rank is a range. Disruption budgets do not apply."
)
BY_PROCESSES: Final = gettext_lazy("By priority, then by the number of processes. Disruption budgets do not apply.")
BY_INODES: Final = gettext_lazy(
    "By priority, then by inodes used less ephemeral storage requested. Disruption budgets do not apply."
)
BY_DISK: Final = gettext_lazy(
    "The kubelet evicts pods whose usage exceeds their request for ephemeral storage first, then by priority, then by "
    "how far usage exceeds the request. Where usage is not known, a rank is a range. Disruption budgets do not apply."
)
NOTHING_FIRST: Final = gettext_lazy("The kubelet can free nothing itself: it evicts at once.")
NOTHING_COUNTED: Final = gettext_lazy("Of a pod nothing counts: only images are on this file system.")
HARD_GRACE: Final = gettext_lazy("At a hard threshold a pod gets 1 s; the runtime gives each container at least 2 s.")


def reclaims(steps: Sequence[ReclaimStep]) -> str:
    """Say what the kubelet tries before it evicts."""
    if not steps:
        return str(NOTHING_FIRST)
    if ReclaimStep.CONTAINERS not in steps:
        return _("The kubelet first removes all unused images, and evicts only if that is not enough.")
    if ReclaimStep.IMAGES not in steps:
        return _("The kubelet first removes all dead containers, and evicts only if that is not enough.")
    return _(
        "The kubelet first removes all dead containers, then all unused images, and evicts only if that is not enough."
    )


def counted(parts: Iterable[DiskPart]) -> str:
    """Say what of a pod's usage counts."""
    names = [str(PARTS[part]) for part in DiskPart if part in set(parts)]
    if not names:
        return str(NOTHING_COUNTED)
    return _("Of a pod these count: %(parts)s.") % {"parts": listed(names)}


def soft_grace(most: int) -> str:
    """Say how long pods get at a soft threshold."""
    if most <= 1:
        return _("At a soft threshold too: evictionMaxPodGracePeriod is %(most)s.") % {"most": grouped(most)}
    return _(
        "At a soft threshold a pod gets its terminationGracePeriodSeconds, at most %(most)s s "
        "(evictionMaxPodGracePeriod)."
    ) % {"most": grouped(most)}


SECONDS = message("%(seconds)s s")
ONE_AFTER_THE_OTHER = plural(
    "%(resource)s: %(pods)s pod may be evicted, one at a time.",
    "%(resource)s: %(pods)s pods may be evicted, one at a time.",
    by="pods",
)
NO_PODS: Final = gettext_lazy("No pod runs on the node: there is nothing to evict.")
ONE_AT_A_TIME: Final = gettext_lazy("Under memory pressure the kubelet evicts one pod at a time.")


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


def within_request(pods: int) -> str:
    """Count the pods that used no more than they request when that was measured."""
    return ngettext(
        "%(pods)s pod uses no more than it requests.",
        "%(pods)s pods use no more than they request.",
        pods,
    ) % {"pods": grouped(pods)}


def usage_of(at: datetime) -> str:
    """Say when usage was measured."""
    return _("Usage of memory is that of %(moment)s.") % {"moment": moment(at)}


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
