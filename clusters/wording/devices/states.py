"""The states of devices, pools and ResourceClaims."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.devices import DeviceState, PoolState, ResourceClaimPhase
from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

DEVICE: Final = {
    DeviceState.FREE: pgettext_lazy("state of a device", "Free"),
    DeviceState.HELD: pgettext_lazy("state of a device", "Held"),
    DeviceState.SHARED: pgettext_lazy("state of a device", "Shared"),
    DeviceState.TAINTED: pgettext_lazy("state of a device", "Tainted"),
    DeviceState.COUNTERS_USED: pgettext_lazy("state of a device", "Counters used"),
}
CLAIM: Final = {
    ResourceClaimPhase.PENDING: pgettext_lazy("state of a resource claim", "pending"),
    ResourceClaimPhase.ALLOCATED: pgettext_lazy("state of a resource claim", "allocated"),
    ResourceClaimPhase.RESERVED: pgettext_lazy("state of a resource claim", "allocated,reserved"),
    ResourceClaimPhase.DELETED: pgettext_lazy("state of a resource claim", "deleted"),
    ResourceClaimPhase.DELETED_ALLOCATED: pgettext_lazy("state of a resource claim", "deleted,allocated"),
    ResourceClaimPhase.DELETED_RESERVED: pgettext_lazy("state of a resource claim", "deleted,allocated,reserved"),
}
INCOMPLETE: Final = pgettext_lazy("state of a pool of devices", "Incomplete")
INVALID: Final = pgettext_lazy("state of a pool of devices", "Invalid")
PARTLY_REACHED: Final = pgettext_lazy("state of a pool of devices", "Incomplete for some nodes")


def counted_state(state: DeviceState, number: int) -> str:
    """Say how many devices are in a state."""
    match state:
        case DeviceState.FREE:
            return ngettext("%(number)s free", "%(number)s free", number) % {"number": grouped(number)}
        case DeviceState.HELD:
            return ngettext("%(number)s held", "%(number)s held", number) % {"number": grouped(number)}
        case DeviceState.SHARED:
            return ngettext("%(number)s shared", "%(number)s shared", number) % {"number": grouped(number)}
        case DeviceState.TAINTED:
            return ngettext("%(number)s tainted", "%(number)s tainted", number) % {"number": grouped(number)}
        case DeviceState.COUNTERS_USED:
            return ngettext("%(number)s with counters used", "%(number)s with counters used", number) % {
                "number": grouped(number)
            }


DEVICES = plural("%(number)s device", "%(number)s devices", by="number")


def pools(number: int) -> str:
    """Count pools of devices."""
    return ngettext("%(number)s pool", "%(number)s pools", number) % {"number": grouped(number)}


def claims(number: int) -> str:
    """Count ResourceClaims."""
    return ngettext("%(number)s resource claim", "%(number)s resource claims", number) % {"number": grouped(number)}


REQUESTS = plural("%(number)s request", "%(number)s requests", by="number")


def generation(state: PoolState) -> str:
    """Say how many slices of its newest generation a pool has."""
    count = state.slice_count
    return ngettext(
        "generation %(generation)s, %(slices)s of %(count)s slice",
        "generation %(generation)s, %(slices)s of %(count)s slices",
        count,
    ) % {
        "generation": str(state.generation),
        "slices": grouped(len(state.pool.slices)),
        "count": grouped(count),
    }


def incomplete(state: PoolState) -> str:
    """Say what kube-scheduler does about a pool of which slices are missing."""
    count = state.slice_count
    return ngettext(
        "Incomplete: %(slices)s of %(count)s slice is there. A request with a count gets devices of it all the same; "
        "one with allocationMode All ends each attempt with an error until the driver has published all slices.",
        "Incomplete: %(slices)s of %(count)s slices are there. A request with a count gets devices of it all the same; "
        "one with allocationMode All ends each attempt with an error until the driver has published all slices.",
        count,
    ) % {"slices": grouped(len(state.pool.slices)), "count": grouped(count)}


def partly_reached(state: PoolState) -> str:
    """Say that some nodes reach only some slices of a complete pool."""
    every = len(state.rows)
    return ngettext(
        "%(nodes)s of %(every)s node does not reach all slices: requests with allocationMode All end "
        "with an error there.",
        "%(nodes)s of %(every)s nodes do not reach all slices: requests with allocationMode All end with "
        "an error there.",
        every,
    ) % {"nodes": grouped(every - state.whole), "every": grouped(every)}


def invalid(state: PoolState) -> str:
    """Say what kube-scheduler does about a pool that has a device twice."""
    return _("Invalid: device %(device)s is listed twice. Attempts that search it end with an error.") % {
        "device": state.pool.duplicate
    }


OUTDATED = plural(
    "%(slices)s slice of an older generation is left out where a node reaches a newer one.",
    "%(slices)s slices of older generations are left out where a node reaches a newer one.",
    by="slices",
)
SHARED = plural(
    "%(devices)s device allows multiple allocations: whether claims share it is not known, as "
    "DRAConsumableCapacity is off by default in %(minor)s.",
    "%(devices)s devices allow multiple allocations: whether claims share them is not known, as "
    "DRAConsumableCapacity is off by default in %(minor)s.",
    by="devices",
)
CONDITIONAL = plural(
    "%(devices)s device has binding conditions: where DRADeviceBindingConditions is off in kube-scheduler, as by "
    "default in %(minor)s, no request gets it.",
    "%(devices)s devices have binding conditions: where DRADeviceBindingConditions is off in kube-scheduler, as by "
    "default in %(minor)s, no request gets them.",
    by="devices",
)
WAITED_FOR = plural(
    "%(devices)s device has binding conditions: it is allocated last, and its pods are bound once they hold.",
    "%(devices)s devices have binding conditions: they are allocated last, and their pods are bound once they hold.",
    by="devices",
)
NOT_REACHED: Final = gettext_lazy("No node reaches it.")


def more_pods(number: int) -> str:
    """Count the pods that are not listed."""
    return ngettext("and %(number)s more pod", "and %(number)s more pods", number) % {"number": grouped(number)}


def more_devices(number: int) -> str:
    """Count the devices that are not listed."""
    return ngettext("and %(number)s more device", "and %(number)s more devices", number) % {"number": grouped(number)}
