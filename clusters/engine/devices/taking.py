"""What a search has taken so far on one node, device by device, and whether another device can be had beside that.

Upstream: ``allocateDevice`` and ``rollbackDevice`` of ``structured/internal`` of
``k8s.io/dynamic-resource-allocation``, ``experimental`` of v0.34.1 and v0.35.4, ``incubating`` of v0.35.4 to v0.37.2
and ``experimental`` of v0.37.2, step for step, what they leave behind when they give a device back included: until 1.35
counters that a device took stay taken when one of its taints or a constraint turns it down, and those of a shared
device always do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from clusters.engine.devices.capacity import NOTHING_CONSUMED, capacity_shortage, consumed_amounts
from clusters.engine.devices.compatibility import CompatibleDevices
from clusters.engine.devices.counters import available_counters, counter_owner, pool_counters
from clusters.engine.devices.offers import DistinctDevices, MatchingDevices
from clusters.engine.devices.requests import ClaimFault, MatchAttribute
from clusters.engine.matching.nodes import tolerates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.devices.capacity import Amounts
    from clusters.engine.devices.holders import Consumption, HeldDevices
    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.devices.offers import OfferedDevice
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.devices.suitability import Suitability
    from clusters.engine.versions.device_rules import DeviceRules


class SearchLimitError(Exception):
    """The search was given up: whether there is a solution is not known."""


@dataclass(frozen=True, slots=True)
class Allocated:
    """A device that a request of a claim got; ``claim`` is the claim's place among those to allocate.

    ``is_share``: others can have it too; ``consumed`` is then what the request consumes of its capacities.
    ``skipped_operations``: what the kubelet leaves out for it, where the scheduler says so to kubelets.
    """

    claim: int
    request: DeviceRequest
    candidate: OfferedDevice
    is_share: bool = False
    consumed: Amounts = ()
    skipped_operations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Undo:
    """What giving the device back has to know: whether it took counters, and whether it was shared before."""

    took_counters: bool
    was_shared: bool


class TakenDevices:
    """The devices that the claims of one search have taken; ``held`` are those that other claims have."""

    def __init__(
        self, claims: Sequence[Claim], held: HeldDevices, suitability: Suitability, row: int, rules: DeviceRules
    ) -> None:
        self._row = row
        self._claims = claims
        self._held = held
        self._suitability = suitability
        self._rules = rules
        self._constraints = [
            [
                MatchingDevices(rule)
                if isinstance(rule, MatchAttribute)
                else DistinctDevices(rule, of_every_device=rules.counts_every_share, by_value=rules.sees_whole_pools)
                for rule in claim.constraints
            ]
            for claim in claims
        ]
        self._taken: dict[DeviceId, set[int]] = {}
        self._allocating: dict[DeviceId, Consumption] = {}
        self._consumed: dict[tuple[str, str], dict[tuple[str, str], Fraction]] = {}
        self._available: dict[tuple[str, str], dict[tuple[str, str], Fraction]] = {}
        self._compatible = CompatibleDevices(held.counted) if rules.compares_groups else None
        self._undo: list[_Undo] = []
        self.results: list[Allocated] = []
        self.sizes = [0] * len(claims)

    def is_in_use(self, claim: int, request: DeviceRequest, device: DeviceId) -> bool:
        """Whether a claim has a device for itself, or for administrators, this one."""
        claims = self._taken.get(device, ())
        return claim in claims if request.admin_access else bool(device in self._held.whole or claims)

    def lacks_capacity(self, request: DeviceRequest, candidate: OfferedDevice, *, is_unused: bool = False) -> bool:
        """Whether too little of a device's capacity is left; ``is_unused``: whether it never has that much.

        Raises CapacityFault.
        """
        if not self._rules.shares_capacity:
            return False
        used: tuple[Mapping[str, Fraction], ...] = ()
        if not is_unused and candidate.device.is_shared:
            device = candidate.id
            used = self._held.consumed(device), self._allocating.get(device, NOTHING_CONSUMED)
        return capacity_shortage(candidate.device, request, *used, rules=self._rules) is not None

    def take(self, claim: int, request: DeviceRequest, candidate: OfferedDevice, number: int, *, must: bool) -> bool:
        """Take a selected device unless it is in use, lacks counters or capacity, is tainted, or is turned down.

        ``number``: which device of the request it would be. Raises ClaimFault, SearchLimitError.
        """
        device, name = candidate.device, candidate.id
        is_share = self._rules.shares_capacity and device.is_shared
        if self.is_in_use(claim, request, name):
            return False
        if (device.uses and not self._rules.reads_counters) or not self._suitability.is_prepared(
            candidate.slice, self._row
        ):
            return False
        takes_counters = bool(device.uses) and not (is_share and self._is_shared_already(name))
        if takes_counters and not self._consume(candidate):
            return False
        undo = _Undo(takes_counters, name in self._allocating)
        if not all(tolerates(request.tolerations, taint) for taint in self._suitability.taints(device)):
            self._turn_down(claim, request, candidate, undo, 0)
            return False
        for added, constraint in enumerate(self._constraints[claim]):
            if constraint.add(request, candidate):
                continue
            self._turn_down(claim, request, candidate, undo, added)
            if must:
                raise ClaimFault(
                    f"claim {self._claims[claim].key}, request {request.name}: cannot add device {name} "
                    "because a claim constraint would not be satisfied"
                )
            return False
        if self.lacks_capacity(request, self._rechecked(candidate, number)):
            if self._rules.gives_everything_back:
                self._turn_down(claim, request, candidate, undo, len(self._constraints[claim]))
            elif not is_share:
                self._taken.setdefault(name, set()).add(claim)
            return False
        consumed: Amounts = ()
        if is_share:
            in_thousandths = self._rules.counts_in_thousandths
            consumed = tuple(consumed_amounts(device, request, in_thousandths=in_thousandths).items())
            self._add(name, consumed)
        else:
            self._taken.setdefault(name, set()).add(claim)
        self._undo.append(undo)
        skipped = candidate.slice.skipped_operations if self._rules.asks_nodes_to_skip else ()
        self.results.append(Allocated(claim, request, candidate, is_share, consumed, skipped))
        self.sizes[claim] += 1
        return True

    def _rechecked(self, candidate: OfferedDevice, number: int) -> OfferedDevice:
        """The device whose capacity is looked at before this one is taken.

        kube-scheduler 1.34 takes the device of the slice that has the number of the device in its request, and crashes
        where there is none.
        """
        if not self._rules.shares_capacity or self._rules.sees_whole_pools:
            return candidate
        if number >= len(candidate.slice.devices):
            raise SearchLimitError
        return candidate._replace(device=candidate.slice.devices[number])

    def give_back(self) -> None:
        """Give the device back that was taken last."""
        last, undo = self.results.pop(), self._undo.pop()
        candidate, gives_everything = last.candidate, self._rules.gives_everything_back
        self.sizes[last.claim] -= 1
        if not last.is_share:
            self._taken[candidate.id].discard(last.claim)
        elif last.consumed or gives_everything:
            self._subtract(candidate.id, last.consumed, stays=undo.was_shared and gives_everything)
        for constraint in self._constraints[last.claim]:
            constraint.remove(last.request)
        if undo.took_counters and (gives_everything or not last.is_share):
            self._release(candidate)

    def _turn_down(self, claim: int, request: DeviceRequest, candidate: OfferedDevice, undo: _Undo, added: int) -> None:
        """Take a device out of the constraints that counted it in; only from 1.36 its counters are given back too."""
        for constraint in self._constraints[claim][:added]:
            constraint.remove(request)
        if self._rules.gives_everything_back and undo.took_counters:
            self._release(candidate)

    # -- capacity ------------------------------------------------------------------------------------------

    def _is_shared_already(self, device: DeviceId) -> bool:
        """Whether some of a shared device is consumed: its counters are then taken already, from 1.35 on."""
        if not self._rules.sees_whole_pools:
            return False
        if device in self._allocating:
            return True
        shares = self._held.shares.get(device)
        return shares is not None and (self._rules.counts_every_share or any(shares.values()))

    def _add(self, device: DeviceId, consumed: Amounts) -> None:
        held = self._allocating.setdefault(device, {})
        for name, amount in consumed:
            held[name] = held.get(name, Fraction()) + amount

    def _subtract(self, device: DeviceId, consumed: Amounts, *, stays: bool) -> None:
        """Take back what was consumed; nothing is left of a device of which nothing is, unless it ``stays`` shared."""
        held = self._allocating.get(device)
        if held is None:
            return
        for name, amount in consumed:
            held[name] -= amount
        if not any(held.values()):
            del self._allocating[device]
            if stays:
                self._allocating[device] = {}

    # -- counters ------------------------------------------------------------------------------------------

    def _consume(self, candidate: OfferedDevice) -> bool:
        """Take a device's counters, if all counters that its own belong to then still are what they may be.

        Where groups count, those who take of the same counters must be compatible.
        """
        if self._compatible is not None:
            if not self._compatible.admits(candidate):
                return False
            self._compatible.add(candidate)
        owner = counter_owner(candidate, self._rules)
        if owner not in self._available:
            counted = self._held.counted
            self._available[owner] = (
                pool_counters(candidate.pool, counted)
                if self._rules.sees_whole_pools
                else available_counters(candidate.slice, counted)
            )
        consumed = self._consumed.setdefault(owner, {})
        for use in candidate.device.uses:
            key = use.counter_set, use.counter
            consumed[key] = consumed.get(key, 0) + use.amount
        if all(amount >= consumed.get(key, 0) for key, amount in self._available[owner].items()):
            return True
        self._release(candidate)
        return False

    def _release(self, candidate: OfferedDevice) -> None:
        consumed = self._consumed.get(counter_owner(candidate, self._rules), {})
        for use in candidate.device.uses:
            consumed[use.counter_set, use.counter] -= use.amount
        if self._compatible is not None:
            self._compatible.remove(candidate)
