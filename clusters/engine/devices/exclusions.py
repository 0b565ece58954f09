"""Why a device cannot be had for a request, device by device and apart from what else is requested.

Upstream: ``allocateDevice`` and ``isSelectable`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1, and of ``incubating`` of later ones, in the order in which they look.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.devices.capacity import CapacityFault, CapacityLack, capacity_shortage
from clusters.engine.devices.counters import available_counters
from clusters.engine.devices.offers import attribute_of
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.matching.nodes import tolerates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.devices.holders import HeldDevices
    from clusters.engine.devices.inventory import Device, DeviceId, DeviceSlice
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.devices.suitability import Suitability
    from clusters.engine.versions.device_rules import DeviceRules


class DeviceExclusion(enum.StrEnum):
    """Why a device cannot be had for a request, the first that holds in the order in which the scheduler looks."""

    HELD = "held"
    """A claim holds it."""
    CONDITIONS = "conditions"
    """It has binding conditions, and the scheduler allocates no such devices."""
    SELECTOR = "selector"
    """A CEL expression of the class or of the request does not select it."""
    NODE = "node"
    """It cannot be used from the node."""
    OPERATIONS = "operations"
    """The node's kubelet does not know how to leave out what the device does not need, or the scheduler does not."""
    CAPACITY_ABSENT = "capacity-absent"
    """It has no capacity of which the request asks for an amount."""
    CAPACITY_REFUSED = "capacity-refused"
    """The policy of a capacity admits no such amount."""
    CAPACITY_SHORT = "capacity-short"
    """Too little is left of a capacity that claims share."""
    COUNTER = "counter"
    """Too little is left of a counter that it takes from."""
    TAINT = "taint"
    """It has a taint that the request does not tolerate."""
    ATTRIBUTE = "attribute"
    """It lacks the attribute in which devices have to match."""


class ExcludedDevice(NamedTuple):
    """What excludes a device.

    ``by`` is the claim that holds it, the expression, the capacity, the counter, the taint, the attribute. ``owner`` is
    the class or claim that has the expression. ``requested`` and ``available`` are amounts of the capacity or counter.
    """

    exclusion: DeviceExclusion
    by: str = ""
    owner: str = ""
    requested: str = ""
    available: str = ""


class CounterShortage(NamedTuple):
    """A counter of a slice of which a device would take more than is left."""

    name: str
    requested: Fraction
    available: Fraction


_LACKS: Final = {
    CapacityLack.ABSENT: DeviceExclusion.CAPACITY_ABSENT,
    CapacityLack.REFUSED: DeviceExclusion.CAPACITY_REFUSED,
    CapacityLack.SHORT: DeviceExclusion.CAPACITY_SHORT,
}


class Exclusions:
    """What excludes devices; ``held``: what claims have of them."""

    def __init__(self, suitability: Suitability, held: HeldDevices, rules: DeviceRules) -> None:
        self._suitability = suitability
        self._held = held
        self._rules = rules
        self._left: dict[str, dict[tuple[str, str], Fraction]] = {}

    def of(
        self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device, row: int | None
    ) -> ExcludedDevice | None:
        """What excludes a device on the node of a row, or whatever the node; None where nothing does."""
        name = each.id_of(device)
        if not request.admin_access and name in self._held.whole:
            return ExcludedDevice(DeviceExclusion.HELD, self._held.whole[name])
        if not self._suitability.is_offered(device):
            return ExcludedDevice(DeviceExclusion.CONDITIONS, ", ".join(device.conditions))
        try:
            use = self._suitability.excluding(claim, request, each, device)
        except (ClaimFault, UnsupportedExpressionError):
            # The whole search fails, or is open, for it.
            use = None
        if use is not None:
            return ExcludedDevice(DeviceExclusion.SELECTOR, use.expression, use.owner)
        unusable = None if row is None else self._unusable_from(each, device, row)
        if unusable is not None:
            return unusable
        lacking = self._lacking_capacity(request, name, device)
        if lacking is not None:
            return lacking
        # A device that is shared already has its counters.
        short = None if name in self._held.shares else shortage_of(device, self._counters_of(each))
        if short is not None:
            return ExcludedDevice(
                DeviceExclusion.COUNTER,
                short.name,
                requested=amount_text(short.requested),
                available=amount_text(short.available),
            )
        for taint in self._suitability.taints(device):
            if not tolerates(request.tolerations, taint):
                return ExcludedDevice(DeviceExclusion.TAINT, str(taint))
        for rule in claim.constraints:
            if rule.concerns(request) and attribute_of(each.driver, device, rule.attribute) is None:
                return ExcludedDevice(DeviceExclusion.ATTRIBUTE, rule.attribute)
        return None

    def _unusable_from(self, each: DeviceSlice, device: Device, row: int) -> ExcludedDevice | None:
        if each.has_reach_by_device and not self._suitability.is_reached(device, row):
            return ExcludedDevice(DeviceExclusion.NODE)
        if not self._suitability.is_prepared(each, row):
            return ExcludedDevice(DeviceExclusion.OPERATIONS, ", ".join(each.skipped_operations))
        return None

    def _lacking_capacity(self, request: DeviceRequest, name: DeviceId, device: Device) -> ExcludedDevice | None:
        if not self._rules.shares_capacity:
            return None
        used = self._held.consumed(name)
        try:
            short = capacity_shortage(device, request, used, rules=self._rules)
        except CapacityFault:
            # The whole search fails for it.
            return None
        if short is None:
            return None
        requested, available = amount_text(short.requested), amount_text(short.available)
        return ExcludedDevice(_LACKS[short.lack], short.name, requested=requested, available=available)

    def _counters_of(self, each: DeviceSlice) -> Mapping[tuple[str, str], Fraction]:
        if each.name not in self._left:
            self._left[each.name] = available_counters(each, self._held.counted)
        return self._left[each.name]


def shortage_of(device: Device, left: Mapping[tuple[str, str], Fraction]) -> CounterShortage | None:
    """The first counter of its slice that keeps a device out; None where there is none.

    A counter of which others hold more than there is keeps every device out that takes of any.
    """
    if not device.uses:
        return None
    taken: dict[tuple[str, str], Fraction] = {}
    for use in device.uses:
        key = use.counter_set, use.counter
        taken[key] = taken.get(key, Fraction()) + use.amount
    for key, available in left.items():
        requested = taken.get(key, Fraction())
        if requested > available:
            return CounterShortage("/".join(key), requested, available)
    return None


def amount_text(amount: Fraction) -> str:
    """Write an amount of a counter as a plain number."""
    return str(amount.numerator) if amount.denominator == 1 else str(float(amount))
