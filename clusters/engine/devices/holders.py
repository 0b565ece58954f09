"""Which claims hold which devices, brought forward as claims change: simulations allocate devices by the thousand.

Upstream: ``foreachAllocatedDevice`` of ``plugins/dynamicresources`` v1.34.1 to v1.37.2.
"""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from clusters.engine.devices.pod_claims import CLAIM, devices_of, shares_of
from clusters.engine.objects import key_of
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

# By name of a capacity.
Consumption = dict[str, Fraction]
_NOBODY: Final[Mapping[str, Consumption]] = MappingProxyType({})


class HeldDevices(NamedTuple):
    """What claims have of the devices, as the scheduler of a release counts it.

    ``whole``: the claim that has each device for itself. ``shares``: the claims that share a device, with what each
    consumes of its capacities. ``counted``: devices that take of counters.
    """

    whole: Mapping[DeviceId, str]
    shares: Mapping[DeviceId, Mapping[str, Consumption]]
    counted: Collection[DeviceId]

    def consumed(self, device: DeviceId) -> Consumption:
        """What all claims together consume of the capacities of a device that they share."""
        return _total(self.shares.get(device, _NOBODY))


def _total(shares: Mapping[str, Consumption]) -> Consumption:
    found: Consumption = {}
    for amounts in shares.values():
        for name, amount in amounts.items():
            found[name] = found.get(name, Fraction()) + amount
    return found


class Holders:
    """The claims (``namespace/name``) of each allocated device, and the devices that are allocated by pool.

    A device belongs to one claim; of several that say they have it the first by name counts. Shares of a device belong
    to many.
    """

    kinds: ClassVar[tuple[str, ...]] = (CLAIM,)

    def __init__(self) -> None:
        self.by_device: dict[DeviceId, str] = {}
        self.shares: dict[DeviceId, dict[str, Consumption]] = {}
        self._claims: dict[DeviceId, tuple[str, ...]] = {}
        self._by_pool: dict[tuple[str, str], set[str]] = {}
        self._shared_by_pool: dict[tuple[str, str], set[DeviceId]] = {}
        # Another object after each change, and the same in copies: whoever saw it knows these holders.
        self.state = object()
        # What was asked for since it changed last.
        self._frozen: dict[tuple[str, str], Hashable] = {}
        self._held: dict[tuple[bool, bool], tuple[object, HeldDevices]] = {}

    def change(self, before: Document | None, after: Document | None) -> None:
        """Take in that a claim was added, replaced or removed."""
        self.state = object()
        had = frozenset() if before is None else frozenset(devices_of(before, held=True))
        has = frozenset() if after is None else frozenset(devices_of(after, held=True))
        for device in had - has:
            self._set(device, tuple(key for key in self._claims[device] if before is None or key != key_of(before)))
        for device in has - had:
            self._set(device, (*self._claims.get(device, ()), "" if after is None else key_of(after)))
        if before is not None:
            self._share(before, is_over=True)
        if after is not None:
            self._share(after)

    def _set(self, device: DeviceId, claims: tuple[str, ...]) -> None:
        pool = device.driver, device.pool
        self._frozen.pop(pool, None)
        if claims:
            self._claims[device], self.by_device[device] = claims, min(claims)
            self._by_pool.setdefault(pool, set()).add(device.device)
        else:
            del self._claims[device], self.by_device[device]
            self._by_pool[pool].remove(device.device)

    def _share(self, claim: Document, *, is_over: bool = False) -> None:
        key = key_of(claim)
        for device, amounts in shares_of(claim):
            pool = device.driver, device.pool
            self._frozen.pop(pool, None)
            # Whoever was told of the shares keeps what it was told.
            others = {other: held for other, held in self.shares.get(device, {}).items() if other != key or not is_over}
            if not is_over:
                held = others.get(key, {})
                others[key] = {
                    name: held.get(name, Fraction()) + amounts.get(name, Fraction()) for name in {**held, **amounts}
                }
            if others:
                self.shares[device] = others
                self._shared_by_pool.setdefault(pool, set()).add(device)
            elif self.shares.pop(device, None) is not None:
                self._shared_by_pool[pool].discard(device)

    def in_pool(self, driver: str, pool: str) -> Hashable:
        """What claims have of the devices of a pool, by their names; the same object until that changes."""
        found = self._frozen.get((driver, pool))
        if found is None:
            names = frozenset(self._by_pool.get((driver, pool), ()))
            shared = frozenset(
                (device.device, tuple(sorted(_total(self.shares[device]).items())))
                for device in self._shared_by_pool.get((driver, pool), ())
            )
            found = self._frozen[driver, pool] = (names, shared) if shared else names
        return found

    def held(self, *, shares: bool, counts_shares: bool) -> HeldDevices:
        """What claims have. ``shares``: devices can be shared; ``counts_shares``: shared ones take of counters."""
        known = self._held.get((shares, counts_shares))
        if known is not None and known[0] is self.state:
            return known[1]
        if not self.shares:
            found = HeldDevices(self.by_device, {}, self.by_device)
        elif not shares:
            whole = {**{device: min(claims) for device, claims in self.shares.items()}, **self.by_device}
            found = HeldDevices(whole, {}, whole)
        else:
            counted = {*self.by_device, *self.shares} if counts_shares else self.by_device
            found = HeldDevices(self.by_device, self.shares, counted)
        self._held[shares, counts_shares] = self.state, found
        return found

    def copy(self) -> Holders:
        """Independent holders that start equal to these."""
        twin = Holders()
        twin.by_device, twin._claims = dict(self.by_device), dict(self._claims)
        twin.shares = dict(self.shares)
        twin._by_pool = {pool: set(names) for pool, names in self._by_pool.items()}
        twin._shared_by_pool = {pool: set(devices) for pool, devices in self._shared_by_pool.items()}
        twin._frozen, twin.state = dict(self._frozen), self.state
        return twin


def held_devices(snapshot: Snapshot) -> HeldDevices:
    """What claims have of the devices now; admin access holds none."""
    release = snapshot.release
    return snapshot.followed(Holders).held(
        shares=release.enables(Gate.DRA_CONSUMABLE_CAPACITY), counts_shares=release.device_rules.gives_everything_back
    )
