"""The states of devices, pools and ResourceClaims."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.devices import DeviceState, ResourceClaimPhase
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

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


# How many devices are in a state.
COUNTED: Final = {
    DeviceState.FREE: message("%(number)s free", context="devices"),
    DeviceState.SHARED: message("%(number)s shared", context="devices"),
    DeviceState.HELD: message("%(number)s held", context="devices"),
    DeviceState.TAINTED: message("%(number)s tainted", context="devices"),
    DeviceState.COUNTERS_USED: message("%(number)s with counters used", context="devices"),
}
DEVICES = plural("%(number)s device", "%(number)s devices", by="number")


def pools(number: int) -> str:
    """Count pools of devices."""
    return ngettext("%(number)s pool", "%(number)s pools", number) % {"number": grouped(number)}


def claims(number: int) -> str:
    """Count ResourceClaims."""
    return ngettext("%(number)s resource claim", "%(number)s resource claims", number) % {"number": grouped(number)}


REQUESTS = plural("%(number)s request", "%(number)s requests", by="number")


GENERATION = plural(
    "generation %(generation)s, %(slices)s of %(count)s slice",
    "generation %(generation)s, %(slices)s of %(count)s slices",
    by="count",
)
MISSING_SLICES = plural(
    "%(slices)s of %(count)s slice: requests with allocationMode All fail until all are published.",
    "%(slices)s of %(count)s slices: requests with allocationMode All fail until all are published.",
    by="count",
)
REACHED_IN_PART = plural(
    "%(nodes)s of %(every)s node does not reach all slices: allocationMode All fails there.",
    "%(nodes)s of %(every)s nodes do not reach all slices: allocationMode All fails there.",
    by="every",
)
DUPLICATE = message("Device %(device)s is listed twice: attempts that search the pool fail.")
OUTDATED = plural(
    "%(slices)s slice of an older generation is left out where a node reaches a newer one.",
    "%(slices)s slices of older generations are left out where a node reaches a newer one.",
    by="slices",
)
SHARED = plural(
    "%(devices)s device allows multiple allocations; sharing is unknown (DRAConsumableCapacity, default in %(minor)s: "
    "off).",
    "%(devices)s devices allow multiple allocations; sharing is unknown (DRAConsumableCapacity, default in %(minor)s: "
    "off).",
    by="devices",
)
CONDITIONAL = plural(
    "%(devices)s device has binding conditions: not allocated without DRADeviceBindingConditions (default in "
    "%(minor)s: off).",
    "%(devices)s devices have binding conditions: not allocated without DRADeviceBindingConditions (default in "
    "%(minor)s: off).",
    by="devices",
)
WAITED_FOR = plural(
    "%(devices)s device with binding conditions is allocated last; binding waits for them.",
    "%(devices)s devices with binding conditions are allocated last; binding waits for them.",
    by="devices",
)
NOT_REACHED: Final = gettext_lazy("No node reaches it.")


MORE = message("and %(number)s more")
