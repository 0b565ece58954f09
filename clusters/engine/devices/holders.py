"""Which claims hold which devices, brought forward as claims change: simulations allocate devices by the thousand.

Upstream: ``foreachAllocatedDevice`` of ``plugins/dynamicresources`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from clusters.engine.devices.pod_claims import CLAIM, devices_of
from clusters.engine.objects import key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


class Holders:
    """The claims (``namespace/name``) of each allocated device, and the devices that are allocated by pool.

    A device belongs to one claim; of several that say they have it the first by name counts.
    """

    kinds: ClassVar[tuple[str, ...]] = (CLAIM,)

    def __init__(self) -> None:
        self.by_device: dict[DeviceId, str] = {}
        self._claims: dict[DeviceId, tuple[str, ...]] = {}
        self._by_pool: dict[tuple[str, str], set[str]] = {}
        # Another object after each change, and the same in copies: whoever saw it knows these holders.
        self.state = object()
        # What was asked for since it changed last.
        self._frozen: dict[tuple[str, str], frozenset[str]] = {}

    def change(self, before: Document | None, after: Document | None) -> None:
        """Take in that a claim was added, replaced or removed."""
        self.state = object()
        had = frozenset() if before is None else frozenset(devices_of(before, held=True))
        has = frozenset() if after is None else frozenset(devices_of(after, held=True))
        for device in had - has:
            self._set(device, tuple(key for key in self._claims[device] if before is None or key != key_of(before)))
        for device in has - had:
            self._set(device, (*self._claims.get(device, ()), "" if after is None else key_of(after)))

    def _set(self, device: DeviceId, claims: tuple[str, ...]) -> None:
        pool = device.driver, device.pool
        self._frozen.pop(pool, None)
        if claims:
            self._claims[device], self.by_device[device] = claims, min(claims)
            self._by_pool.setdefault(pool, set()).add(device.device)
        else:
            del self._claims[device], self.by_device[device]
            self._by_pool[pool].remove(device.device)

    def in_pool(self, driver: str, pool: str) -> frozenset[str]:
        """The names of the devices of a pool that claims hold; the same object until that changes."""
        found = self._frozen.get((driver, pool))
        if found is None:
            found = self._frozen[driver, pool] = frozenset(self._by_pool.get((driver, pool), ()))
        return found

    def copy(self) -> Holders:
        """Independent holders that start equal to these."""
        twin = Holders()
        twin.by_device, twin._claims = dict(self.by_device), dict(self._claims)
        twin._by_pool = {pool: set(names) for pool, names in self._by_pool.items()}
        twin._frozen, twin.state = dict(self._frozen), self.state
        return twin


def holders_of(snapshot: Snapshot) -> Mapping[DeviceId, str]:
    """Which claim (``namespace/name``) holds each allocated device now; admin access holds none."""
    return snapshot.followed(Holders).by_device
