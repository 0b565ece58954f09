"""Why a device cannot be had for a request, device by device and apart from what else is requested.

Upstream: ``allocateDevice`` and ``isSelectable`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1, in the order in which they look.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.counters import available_counters
from clusters.engine.devices.offers import attribute_of
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.matching.nodes import tolerates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.devices.inventory import Device, DeviceId, DeviceSlice
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.devices.suitability import Suitability


class DeviceExclusion(enum.StrEnum):
    """Why a device cannot be had for a request, the first that holds in the order in which the scheduler looks."""

    HELD = "held"
    """A claim holds it."""
    SELECTOR = "selector"
    """A CEL expression of the class or of the request does not select it."""
    NODE = "node"
    """It cannot be used from the node."""
    COUNTER = "counter"
    """Too little is left of a counter that it takes from."""
    TAINT = "taint"
    """It has a taint that the request does not tolerate."""
    ATTRIBUTE = "attribute"
    """It lacks the attribute in which devices have to match."""


class ExcludedDevice(NamedTuple):
    """What excludes a device: ``by`` is the claim that holds it, the expression, the counter, the taint, the attribute.

    ``owner`` is the class or claim that has the expression. ``requested`` and ``available`` are amounts of the counter.
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


class Exclusions:
    """What excludes devices; ``held``: which claim has which device."""

    def __init__(self, suitability: Suitability, held: Mapping[DeviceId, str]) -> None:
        self._suitability = suitability
        self._held = held
        self._left: dict[str, dict[tuple[str, str], Fraction]] = {}

    def of(
        self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device, row: int | None
    ) -> ExcludedDevice | None:
        """What excludes a device on the node of a row, or whatever the node; None where nothing does."""
        name = each.id_of(device)
        if not request.admin_access and name in self._held:
            return ExcludedDevice(DeviceExclusion.HELD, self._held[name])
        try:
            use = self._suitability.excluding(claim, request, each, device)
        except (ClaimFault, UnsupportedExpressionError):
            # The whole search fails, or is open, for it.
            use = None
        if use is not None:
            return ExcludedDevice(DeviceExclusion.SELECTOR, use.expression, use.owner)
        if row is not None and each.has_reach_by_device and not self._suitability.is_reached(device, row):
            return ExcludedDevice(DeviceExclusion.NODE)
        short = shortage_of(device, self._counters_of(each))
        if short is not None:
            return ExcludedDevice(
                DeviceExclusion.COUNTER,
                short.name,
                requested=amount_text(short.requested),
                available=amount_text(short.available),
            )
        for taint in device.taints:
            if not tolerates(request.tolerations, taint):
                return ExcludedDevice(DeviceExclusion.TAINT, str(taint))
        for rule in claim.constraints:
            if rule.concerns(request) and attribute_of(each.driver, device, rule.attribute) is None:
                return ExcludedDevice(DeviceExclusion.ATTRIBUTE, rule.attribute)
        return None

    def _counters_of(self, each: DeviceSlice) -> Mapping[tuple[str, str], Fraction]:
        if each.name not in self._left:
            self._left[each.name] = available_counters(each, self._held)
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
