"""What devices that claims hold leave of the counters of a slice or of a whole pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from fractions import Fraction

    from clusters.engine.devices.inventory import DeviceId, DeviceSlice
    from clusters.engine.devices.offers import OfferedDevice
    from clusters.engine.devices.pools import Pool
    from clusters.engine.versions.device_rules import DeviceRules


def counter_owner(candidate: OfferedDevice, rules: DeviceRules) -> tuple[str, str]:
    """What a device's counters are kept by: its slice, or its pool."""
    if not rules.sees_whole_pools:
        return "", candidate.slice.name
    return "" if rules.shares_counters_by_name else candidate.pool.driver, candidate.pool.name


def pool_counters(pool: Pool, held: Collection[DeviceId]) -> dict[tuple[str, str], Fraction]:
    """What is left of a whole pool's counters beside the devices that claims hold; less than nothing is possible."""
    left = dict(pool.counters)
    for each in (*pool.slices, *pool.others):
        _take_held(left, each, held)
    return left


def available_counters(each: DeviceSlice, held: Collection[DeviceId]) -> dict[tuple[str, str], Fraction]:
    """What is left of a slice's counters beside the devices that claims hold; less than nothing is possible."""
    left = dict(each.counters)
    _take_held(left, each, held)
    return left


def _take_held(left: dict[tuple[str, str], Fraction], each: DeviceSlice, held: Collection[DeviceId]) -> None:
    """Take what the devices of a slice use that claims hold."""
    for device in each.devices:
        if device.uses and each.id_of(device) in held:
            for use in device.uses:
                key = use.counter_set, use.counter
                if key in left:
                    left[key] -= use.amount
