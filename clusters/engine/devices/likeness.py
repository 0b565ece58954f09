"""Nodes whose devices are alike in all that a search looks at: one search answers for all of them.

Devices of one model differ in their serial numbers alone, and so do their nodes. What a search asks of a device is
whether it is held, which requests select it, its taints, its counters, and the attributes in which devices must match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.devices.counters import pool_counters
from clusters.engine.devices.offers import attribute_of
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.devices.selecting import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from clusters.engine.devices.holders import HeldDevices
    from clusters.engine.devices.inventory import Device, DeviceId, DeviceSlice
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim
    from clusters.engine.devices.suitability import Suitability
    from clusters.engine.versions.device_rules import DeviceRules


class DeviceLikeness:
    """What the devices of nodes look like to the search for some claims."""

    def __init__(
        self, claims: Sequence[Claim], held: HeldDevices, suitability: Suitability, rules: DeviceRules
    ) -> None:
        self._held = held
        self._shares_capacity = rules.shares_capacity
        self._skips_by_node = rules.asks_nodes_to_skip
        self._gives_no_skipping = rules.gives_no_skipping
        self._compares_groups = rules.compares_groups
        self._suitability = suitability
        self._asked = [(claim, request) for claim in claims for choices in claim.requests for request in choices]
        # Devices that claims hold are left aside before anything else is asked of them.
        self._asks_of_held = any(request.admin_access or request.wants_all for _, request in self._asked)
        self._asks_for_capacity = any(request.amounts for _, request in self._asked)
        self._attributes = list(dict.fromkeys(rule.attribute for claim in claims for rule in claim.constraints))
        self._slices: dict[int, Hashable | None] = {}
        self._held_groups: dict[tuple[str, str], tuple[Hashable, ...]] = {}

    def of(self, pools: Sequence[Pool]) -> Hashable | None:
        """Return what the devices of these pools look like; None where each node has to be searched by itself."""
        found = []
        for pool in pools:
            for each in pool.slices:
                like = self._slice(each)
                if like is None:
                    return None
                found.append((pool.is_incomplete, bool(pool.fault), like))
            # Names of pools do not matter, but which slices are of one, which have the same, and what is left to them.
            namesake = next(place for place, other in enumerate(pools) if other.name == pool.name)
            found.append((pool.is_incomplete, bool(pool.fault), (namesake, *self._left(pool))))
        return tuple(found)

    def _left(self, pool: Pool) -> Iterator[Hashable]:
        """What devices that claims hold leave of a whole pool's counters, and to which groups they belong."""
        if pool.counters:
            yield from pool_counters(pool, self._held.counted).items()
        if self._compares_groups:
            yield from self._groups_held(pool)

    def _groups_held(self, pool: Pool) -> tuple[Hashable, ...]:
        """The groups of all devices of a whole pool that take of counters and that claims hold."""
        key = pool.driver, pool.name
        if key not in self._held_groups:
            self._held_groups[key] = tuple(
                (device.uses, self._groups(device))
                for each in (*pool.slices, *pool.others)
                for device, name in zip(each.devices, each.ids, strict=True)
                if device.uses and name in self._held.counted
            )
        return self._held_groups[key]

    def _slice(self, each: DeviceSlice) -> Hashable | None:
        # Slices live as long as the snapshot that this looks at.
        if id(each) not in self._slices:
            try:
                is_by_node = each.has_reach_by_device or bool(each.skipped_operations and self._skips_by_node)
                self._slices[id(each)] = None if is_by_node else tuple(self._devices(each))
            except (ClaimFault, UnsupportedExpressionError):
                self._slices[id(each)] = None
        return self._slices[id(each)]

    def _devices(self, each: DeviceSlice) -> Iterator[Hashable]:
        held, shares_capacity = self._held.whole, self._shares_capacity
        yield each.driver, tuple(each.counters.items()), self._gives_no_skipping and bool(each.skipped_operations)
        for device, name in zip(each.devices, each.ids, strict=True):
            is_held = name in held
            if is_held and not self._asks_of_held:
                yield device.uses, self._groups(device)
            else:
                yield is_held, *self._looks(each, device)
                if shares_capacity and (device.is_shared or device.policies or self._asks_for_capacity):
                    yield self._capacity(device, name)

    def _groups(self, device: Device) -> Hashable:
        return tuple(device.groups.items()) if self._compares_groups else ()

    def _capacity(self, device: Device, name: DeviceId) -> Hashable:
        """What there is of a device's capacities, and what claims consume of them."""
        policies, consumed = tuple(device.policies.items()), tuple(self._held.consumed(name).items())
        return device.is_shared, tuple(device.amounts.items()), policies, name in self._held.shares, consumed

    def _looks(self, each: DeviceSlice, device: Device) -> Iterator[Hashable]:
        for claim, request in self._asked:
            yield self._suitability.excluding(claim, request, each, device) is None
        if device.conditions:
            yield self._suitability.is_offered(device)
        yield device.taints
        yield device.uses, self._groups(device), device.node_resources
        if self._attributes:
            for name in self._attributes:
                yield attribute_of(each.driver, device, name)
