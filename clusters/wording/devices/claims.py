"""What the pages of ResourceClaims say."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.devices import ClaimOutlook, DeviceExclusion, ExclusionCount
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

SEARCH_HINT: Final = gettext_lazy("Part of a claim's or pod's name")
ADMIN_ACCESS: Final = gettext_lazy("admin access: it shares devices that others hold, and holds none")

# Facts of a claim.
CONSTRAINT: Final = pgettext_lazy("fact of a resource claim", "Same value for all devices")
NODE_SELECTOR: Final = pgettext_lazy("fact of a resource claim", "Usable from nodes")
# By whether a pod that uses a claim has reserved it.
RESERVED: Final = {
    True: pgettext_lazy("pod of a resource claim", "reserved"),
    False: pgettext_lazy("pod of a resource claim", "not reserved"),
}
GONE: Final = gettext_lazy("reserved; such a pod is not held")
NOT_A_POD: Final = gettext_lazy("reserved by something that is no pod")
EVERY_NODE: Final = gettext_lazy("all nodes")

ALLOCATED: Final = gettext_lazy("Allocated, and reserved for no pod: the next pod that uses it gets these devices.")
BEING_DELETED: Final = gettext_lazy("Being deleted: no pod is scheduled with it any more.")
UNKNOWN: Final = gettext_lazy(
    "Pending. Whether devices can be allocated is not computed: an unsupported expression, devices "
    "allocated twice, or a search given up."
)
ALTERNATIVE: Final = gettext_lazy("one of several alternatives: the first that works is taken")


def wants(*, name: str, count: int | None, device_class: str) -> str:
    """Say how many devices of which class a request is for; None for all."""
    if count is None:
        return _("%(request)s: all devices of class %(class)s") % {"request": name, "class": device_class}
    return ngettext(
        "%(request)s: %(count)s device of class %(class)s", "%(request)s: %(count)s devices of class %(class)s", count
    ) % {"request": name, "count": grouped(count), "class": device_class}


def reserved(pods: int) -> str:
    """Say for how many pods a claim is reserved."""
    return ngettext("Allocated, and reserved for %(pods)s pod.", "Allocated, and reserved for %(pods)s pods.", pods) % {
        "pods": grouped(pods)
    }


REFUSED: Final = gettext_lazy("Pending: kube-scheduler rejects every pod that uses it, whatever the node.")


def found(outlook: ClaimOutlook) -> str:
    """Say on how many nodes devices for a claim can be had."""
    if not outlook.nodes:
        return ngettext(
            "Pending: devices for all its requests are on none of %(every)s node. The page of a pod that uses it has "
            "ways to make it schedulable.",
            "Pending: devices for all its requests are on none of %(every)s nodes. The page of a pod that uses it has "
            "ways to make it schedulable.",
            outlook.every,
        ) % {"every": grouped(outlook.every)}
    return ngettext(
        "Pending: devices for all its requests are on %(nodes)s of %(every)s node. Whether a pod that uses it fits "
        "there is said on the page of the pod.",
        "Pending: devices for all its requests are on %(nodes)s of %(every)s nodes. Whether a pod that uses it fits "
        "there is said on the page of the pod.",
        outlook.every,
    ) % {"nodes": grouped(outlook.nodes), "every": grouped(outlook.every)}


def found_unused(outlook: ClaimOutlook) -> str:
    """Say on how many nodes devices could be had for a claim that no pod uses."""
    return ngettext(
        "Pending: no pod uses it, and kube-scheduler allocates devices when it schedules a pod that does. Devices for "
        "all its requests are on %(nodes)s of %(every)s node.",
        "Pending: no pod uses it, and kube-scheduler allocates devices when it schedules a pod that does. Devices for "
        "all its requests are on %(nodes)s of %(every)s nodes.",
        outlook.every,
    ) % {"nodes": grouped(outlook.nodes), "every": grouped(outlook.every)}


def fails(outlook: ClaimOutlook) -> str:
    """Say on how many nodes the search fails; kube-scheduler's error follows."""
    return ngettext(
        "Pending: the search for devices fails on %(nodes)s of %(every)s node, and an attempt that comes to it ends "
        "with an error such as this:",
        "Pending: the search for devices fails on %(nodes)s of %(every)s nodes, and an attempt that comes to one of "
        "them ends with an error such as this:",
        outlook.every,
    ) % {"nodes": grouped(outlook.faulty), "every": grouped(outlook.every)}


AVAILABLE = plural(
    "%(devices)s of %(every)s device can be allocated", "%(devices)s of %(every)s devices can be allocated", by="every"
)


def excluded(count: ExclusionCount) -> str:
    """Say how many devices are excluded, and by what."""
    number, by = count.devices, count.by
    match count.exclusion:
        case DeviceExclusion.HELD:
            return ngettext("%(number)s is held by a claim", "%(number)s are held by claims", number) % {
                "number": grouped(number)
            }
        case DeviceExclusion.CONDITIONS:
            return ngettext(
                "%(number)s has the binding conditions %(by)s, which are not waited for",
                "%(number)s have the binding conditions %(by)s, which are not waited for",
                number,
            ) % {"number": grouped(number), "by": by}
        case DeviceExclusion.SELECTOR:
            return ngettext("%(number)s is not selected by %(by)s", "%(number)s are not selected by %(by)s", number) % {
                "number": grouped(number),
                "by": by,
            }
        case DeviceExclusion.OPERATIONS:
            return ngettext(
                "%(number)s needs a kubelet that leaves out %(by)s",
                "%(number)s need a kubelet that leaves out %(by)s",
                number,
            ) % {"number": grouped(number), "by": by}
        case DeviceExclusion.CAPACITY_ABSENT:
            return ngettext("%(number)s lacks the capacity %(by)s", "%(number)s lack the capacity %(by)s", number) % {
                "number": grouped(number),
                "by": by,
            }
        case DeviceExclusion.CAPACITY_REFUSED:
            return ngettext(
                "%(number)s does not admit the amount of %(by)s",
                "%(number)s do not admit the amount of %(by)s",
                number,
            ) % {"number": grouped(number), "by": by}
        case DeviceExclusion.CAPACITY_SHORT:
            return ngettext(
                "%(number)s has less of the capacity %(by)s left than is requested",
                "%(number)s have less of the capacity %(by)s left than is requested",
                number,
            ) % {"number": grouped(number), "by": by}
        case DeviceExclusion.COUNTER:
            return ngettext(
                "%(number)s takes more of the counter %(by)s than is left",
                "%(number)s take more of the counter %(by)s than is left",
                number,
            ) % {"number": grouped(number), "by": by}
        case DeviceExclusion.TAINT:
            return ngettext(
                "%(number)s has the taint %(by)s, which is not tolerated",
                "%(number)s have the taint %(by)s, which is not tolerated",
                number,
            ) % {"number": grouped(number), "by": by}
        case DeviceExclusion.ATTRIBUTE:
            return ngettext("%(number)s lacks the attribute %(by)s", "%(number)s lack the attribute %(by)s", number) % {
                "number": grouped(number),
                "by": by,
            }
        case DeviceExclusion.NODE:
            return ngettext(
                "%(number)s cannot be used from the node", "%(number)s cannot be used from the node", number
            ) % {"number": grouped(number)}


NOT_OFFERED = message("%(device)s (no ResourceSlice offers it now)")
