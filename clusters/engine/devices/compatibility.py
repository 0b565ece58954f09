"""Which devices may be taken together of one counter set: those that have a compatibility group in common.

Upstream: ``compatibility_groups.go`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.37.2. Devices without groups go with their like alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clusters.engine.devices.inventory import Device, DeviceId
    from clusters.engine.devices.offers import OfferedDevice
    from clusters.engine.devices.pools import Pool

Groups = frozenset[str]
_NONE: Final[Groups] = frozenset()


class CompatibleDevices:
    """The groups of the devices that take of each counter set: those that claims hold, then those of one search."""

    def __init__(self, held: Collection[DeviceId]) -> None:
        self._held = held
        self._members: dict[tuple[str, str], dict[str, list[Groups]]] = {}

    def admits(self, candidate: OfferedDevice) -> bool:
        """Whether a device may be taken beside all others of its counter sets."""
        members = self._of(candidate.pool)
        return all(
            _admits(members.get(counter_set, ()), candidate.device.groups.get(counter_set, _NONE))
            for counter_set in _sets(candidate.device)
        )

    def add(self, candidate: OfferedDevice) -> None:
        """Count a device in."""
        _add(self._of(candidate.pool), candidate.device)

    def remove(self, candidate: OfferedDevice) -> None:
        """Count the device out that was counted in last."""
        for counter_set in _sets(candidate.device):
            self._of(candidate.pool)[counter_set].pop()

    def _of(self, pool: Pool) -> dict[str, list[Groups]]:
        key = pool.driver, pool.name
        if key not in self._members:
            found: dict[str, list[Groups]] = {}
            for each in (*pool.slices, *pool.others):
                for device in each.devices:
                    if device.uses and each.id_of(device) in self._held:
                        _add(found, device)
            self._members[key] = found
        return self._members[key]


def _sets(device: Device) -> list[str]:
    """The counter sets from which a device takes."""
    return list(dict.fromkeys(use.counter_set for use in device.uses))


def _add(members: dict[str, list[Groups]], device: Device) -> None:
    for counter_set in _sets(device):
        members.setdefault(counter_set, []).append(device.groups.get(counter_set, _NONE))


def _admits(members: Sequence[Groups], groups: Groups) -> bool:
    """Whether a device with these groups goes with all members: the first of them says if any may have groups."""
    if not members:
        return True
    if not groups or not members[0]:
        return not groups and not members[0]
    return bool(groups.intersection(*filter(None, members)))
