"""What pages say of ResourceClaims, and of pods that a device's taint evicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.devices import DeviceExclusion
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine.devices import DeviceTaintStay, ExclusionCount

SEARCH_HINT: Final = gettext_lazy("Part of a claim's or pod's name")
ADMIN_ACCESS: Final = gettext_lazy("admin access: shares devices, and holds none")
ALTERNATIVE: Final = gettext_lazy("one of several alternatives")

# Facts of a claim.
CONSTRAINT: Final = pgettext_lazy("fact of a resource claim", "Same value for all devices")
NODE_SELECTOR: Final = pgettext_lazy("fact of a resource claim", "Usable from nodes")
EVERY_NODE: Final = gettext_lazy("all nodes")
# By whether a pod that uses a claim has reserved it.
RESERVED: Final = {
    True: pgettext_lazy("pod of a resource claim", "reserved"),
    False: pgettext_lazy("pod of a resource claim", "not reserved"),
}
GONE: Final = gettext_lazy("reserved; no such pod")
NOT_A_POD: Final = gettext_lazy("reserved; not a pod")

ALLOCATED = plural("Allocated, and reserved for %(pods)s pod.", "Allocated, and reserved for %(pods)s pods.", by="pods")
BEING_DELETED: Final = gettext_lazy("Being deleted: no pod is scheduled with it any more.")
UNKNOWN: Final = gettext_lazy(
    "Pending. Not computed: an unsupported expression, devices allocated twice, or a search given up."
)
REFUSED: Final = gettext_lazy("Pending: kube-scheduler rejects every pod that uses it, whatever the node.")
FOUND = plural(
    "Pending: devices for all its requests are on %(nodes)s of %(every)s node.",
    "Pending: devices for all its requests are on %(nodes)s of %(every)s nodes.",
    by="every",
)
FAILS = plural(
    "Pending: the search for devices fails on %(nodes)s of %(every)s node:",
    "Pending: the search for devices fails on %(nodes)s of %(every)s nodes:",
    by="every",
)
WANTS = plural(
    "%(request)s: %(count)s device of class %(name)s", "%(request)s: %(count)s devices of class %(name)s", by="count"
)
WANTS_ALL = message("%(request)s: all devices of class %(name)s")
AVAILABLE = plural(
    "%(devices)s of %(every)s device can be allocated", "%(devices)s of %(every)s devices can be allocated", by="every"
)
NOT_OFFERED = message("%(device)s (no ResourceSlice offers it now)")
# What excludes some of the devices.
_EXCLUDED: Final = {
    DeviceExclusion.HELD: message("held by claims: %(number)s"),
    DeviceExclusion.CONDITIONS: message("binding conditions not waited for, %(by)s: %(number)s"),
    DeviceExclusion.SELECTOR: message("not selected by %(by)s: %(number)s"),
    DeviceExclusion.OPERATIONS: message("kubelet has to leave out %(by)s: %(number)s"),
    DeviceExclusion.CAPACITY_ABSENT: message("no capacity %(by)s: %(number)s"),
    DeviceExclusion.CAPACITY_REFUSED: message("amount of %(by)s not admitted: %(number)s"),
    DeviceExclusion.CAPACITY_SHORT: message("insufficient capacity %(by)s: %(number)s"),
    DeviceExclusion.COUNTER: message("insufficient counter %(by)s: %(number)s"),
    DeviceExclusion.TAINT: message("taint %(by)s not tolerated: %(number)s"),
    DeviceExclusion.ATTRIBUTE: message("no attribute %(by)s: %(number)s"),
    DeviceExclusion.NODE: message("not usable from the node: %(number)s"),
}


def excluded(count: ExclusionCount) -> str:
    """Say how many devices are excluded, and by what."""
    return _EXCLUDED[count.exclusion](by=count.by, number=count.devices)


REQUESTED: Final = gettext_lazy(
    "The request tolerates it, but kube-scheduler v1.34.1 does not copy tolerations into the allocation."
)
_AT_ONCE = message(
    "Deleted at once: the allocation does not tolerate the taint %(taint)s of %(device)s (claim %(claim)s)."
)
_AFTER = message(
    "Deleted after %(seconds)s s: so long the allocation tolerates the taint %(taint)s of %(device)s (claim %(claim)s)."
)
_AT = message(
    "Deleted at %(at)s: the allocation tolerates the taint %(taint)s of %(device)s (claim %(claim)s) for %(seconds)s s."
)


def deleted(stay: DeviceTaintStay, *, at: str) -> str:
    """Say for which taint of which device a pod is deleted, and when."""
    device, claim, taint = str(stay.device), stay.claim, str(stay.taint)
    if stay.seconds is None:
        return _AT_ONCE(device=device, claim=claim, taint=taint)
    if not stay.added:
        return _AFTER(device=device, claim=claim, taint=taint, seconds=stay.seconds)
    return _AT(device=device, claim=claim, taint=taint, seconds=stay.seconds, at=at)
