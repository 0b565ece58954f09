"""The search for devices that meet all requests of a pod's claims on one node: the first solution is taken.

Upstream: ``allocateOne`` and ``allocateDevice`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1, which kube-scheduler takes by default (the other allocators lack
DRAResourceClaimDeviceStatus, which is on), step for step: after the first device of an alternative that
wants all devices the search goes on with the first alternative. Of later minors ``incubating`` v0.35.4 to v0.37.2, or,
of 1.35 where a gate of a new feature is on, ``experimental``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.devices.capacity import CapacityFault
from clusters.engine.devices.dead_ends import DeadEnd, DeadEnds, returns_everything
from clusters.engine.devices.offers import OfferedDevice
from clusters.engine.devices.requests import MAX_RESULTS, AllocationMode, ClaimFault
from clusters.engine.devices.taking import SearchLimitError, TakenDevices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.devices.holders import HeldDevices
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.devices.suitability import Suitability
    from clusters.engine.devices.taking import Allocated
    from clusters.engine.versions.device_rules import DeviceRules

# How many steps the search may take on one node, and on all nodes of a decision: far more than any claim of use needs.
MAX_STEPS: Final = 100_000
MAX_STEPS_IN_ALL: Final = 3_000_000
# How many steps kube-scheduler takes on one node well before its ten seconds are over.
MAX_STEPS_OF_SCHEDULER: Final = 3_000_000
# After so many steps states that are dead ends are kept: a search that finds something seldom takes more.
USUAL_STEPS: Final = 1_000
# How deep the search may go, one level for each device: what a Python program can carry.
MAX_DEPTH: Final = 250

TOO_MANY: Final = "allocation max size exceeded"
CAPACITY_DISABLED: Final = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
INVALID_POOLS: Final = "invalid resource pools were encountered"


class _TooManyResultsError(Exception):
    """The claim would hold more devices than it may: upstream's sign to backtrack further."""


class StepsLeft:
    """How many steps the searches of one decision may still take."""

    def __init__(self) -> None:
        self.count = MAX_STEPS_IN_ALL


class DevicePlace(NamedTuple):
    """Which device of which request of which claim is looked for."""

    claim: int = 0
    request: int = 0
    alternative: int = 0
    device: int = 0


@dataclass(slots=True)
class _Plan:
    """How many devices one request or alternative is for, and which, where it is for all."""

    request: DeviceRequest
    count: int
    all_devices: list[OfferedDevice]


class Allocator:
    """The search on the node of one row.

    ``held`` is what claims have of the devices; ``pools`` are those that the node reaches. ``left`` is shared by the
    searches of one decision.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        pools: Sequence[Pool],
        held: HeldDevices,
        suitability: Suitability,
        row: int,
        left: StepsLeft,
        rules: DeviceRules,
    ) -> None:
        self._row = row
        self._rules = rules
        self._left = left
        self._claims = claims
        self._pools = pools
        self._suitability = suitability
        self._held = held
        self._taken = TakenDevices(claims, held, suitability, row, rules)
        self._begin_at: dict[DevicePlace, int] = {}
        self._steps = 0
        # Those that kube-scheduler takes beside them, from states that are known to be dead ends.
        self._spared = 0
        self._dead_ends: DeadEnds | None = None
        self._keeps_dead_ends = returns_everything(claims, pools, rules)
        self._plans: dict[tuple[int, int, int], _Plan] = {}

    def allocate(self) -> tuple[Allocated, ...] | None:
        """Return what every request gets; None where there is no solution.

        Raises ClaimFault with the scheduler's error, SearchLimitError, and what selectors raise.
        """
        self._prepare()
        try:
            return tuple(self._taken.results) if self._allocate_one(DevicePlace(), within=False) else None
        except _TooManyResultsError:
            raise ClaimFault(TOO_MANY) from None

    @property
    def refusal(self) -> str:
        """What the scheduler says of the node where nothing was found; empty: what it always says."""
        is_invalid = self._rules.sees_whole_pools and any(pool.fault for pool in self._pools)
        return INVALID_POOLS if is_invalid else ""

    # -- what is wanted ------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        depth = 0
        for place, claim in enumerate(self._claims):
            fewest = 0
            for number, alternatives in enumerate(claim.requests):
                self._check_capacity(claim, alternatives)
                counts = []
                for choice, request in enumerate(alternatives):
                    # Upstream looks for the devices of the second alternative with the answers for the first.
                    plan = self._plan(claim, request, self._answers_as(place, number, choice))
                    self._plans[place, number, choice] = plan
                    counts.append(plan.count)
                least = min(counts, default=0)
                if self._rules.counts_by_request and least > MAX_RESULTS - fewest:
                    raise ClaimFault(
                        f"claim {claim.key}, request {alternatives[0].parent or alternatives[0].name}: adding {least} "
                        f"devices exceeds the claim limit of {MAX_RESULTS}, with {fewest} already accounted for"
                    )
                fewest += least
                depth += 2 * max(counts, default=0) + 2
            if fewest > MAX_RESULTS:
                text = (
                    f"claim {claim.key}: number of requested devices {fewest} exceeds the claim limit of {MAX_RESULTS}"
                )
                raise ClaimFault(text)
            unknown = self._unknown_constraint(claim)
            if unknown is not None:
                text = f"claim {claim.key}, constraint #{unknown}: "
                raise ClaimFault(f"{text}empty constraint (unsupported constraint type?)")
        if depth > MAX_DEPTH:
            raise SearchLimitError

    def _check_capacity(self, claim: Claim, alternatives: Sequence[DeviceRequest]) -> None:
        """Refuse amounts of capacity where claims do not share devices; an old allocator does not look at them."""
        if self._rules.shares_capacity or not self._rules.knows_distinct_attributes:
            return
        for request in alternatives:
            if request.is_of_capacity:
                is_whole = not request.parent or not self._rules.sees_whole_pools
                named = f"request {request.parent or request.name}" if is_whole else f"subrequest {request.name}"
                raise ClaimFault(f"claim {claim.key}, {named}: {CAPACITY_DISABLED}")

    def _unknown_constraint(self, claim: Claim) -> int | None:
        """The place of the first constraint of no known kind."""
        distinct = None if self._rules.knows_distinct_attributes else claim.distinct
        places = (claim.unknown_constraint, None if distinct is None else distinct.place)
        return min((place for place in places if place is not None), default=None)

    def _answers_as(self, place: int, number: int, choice: int) -> DeviceRequest | None:
        """The alternative whose answers stand in for those of this one; None: its own."""
        if choice != 1 or self._rules.gives_everything_back:
            return None
        first = self._plans[place, number, 0]
        return first.request if first.request.wants_all else None

    def _plan(self, claim: Claim, request: DeviceRequest, answers_as: DeviceRequest | None) -> _Plan:
        self._suitability.check(claim, request)
        if request.mode == AllocationMode.EXACT_COUNT:
            return _Plan(request, request.count, [])
        if request.mode != AllocationMode.ALL:
            raise ClaimFault(f"claim {claim.key}, request {request.name}: unsupported count mode {request.mode}")
        found: list[OfferedDevice] = []
        for pool in self._pools:
            for is_wrong, state in ((pool.is_incomplete, "being updated"), (pool.fault, "invalid")):
                if is_wrong:
                    raise ClaimFault(
                        f"claim {claim.key}, request {request.name}: asks for all devices, "
                        f"but resource pool {pool} is currently {state}"
                    )
            for each in pool.slices:
                for device in each.devices:
                    candidate = OfferedDevice(device, each, pool)
                    if not self._is_selected(claim, answers_as or request, candidate):
                        continue
                    if not self._lacks_capacity(claim, request, candidate, is_one_of_all=True):
                        found.append(candidate)
        return _Plan(request, len(found), found)

    # -- the search ----------------------------------------------------------------------------------------

    def _allocate_one(self, place: DevicePlace, *, within: bool) -> bool:
        """Find a device for a place and all that come after; ``within``: one alternative is being tried."""
        self._step()
        if place.claim >= len(self._claims):
            return True
        claim = self._claims[place.claim]
        if place.request >= len(claim.requests):
            try:
                return self._allocate_one(DevicePlace(place.claim + 1), within=False)
            except _TooManyResultsError:
                return False
        plan = self._plans[place.claim, place.request, place.alternative]
        if not within and plan.request.parent:
            return self._first_available(place)
        if plan.request.wants_all and not plan.all_devices:
            return False
        if place.device >= plan.count:
            return self._allocate_one(DevicePlace(place.claim, place.request + 1), within=False)
        if self._taken.sizes[place.claim] + plan.count - place.device > MAX_RESULTS:
            raise _TooManyResultsError
        if plan.request.wants_all:
            return self._all_devices(place, plan, within=within)
        return self._any_device(place, plan, within=within)

    def _first_available(self, place: DevicePlace) -> bool:
        """Try the alternatives of a request in order."""
        are_all_too_many = True
        for choice in range(len(self._claims[place.claim].requests[place.request])):
            try:
                if self._allocate_one(place._replace(alternative=choice), within=True):
                    return True
            except _TooManyResultsError:
                continue
            are_all_too_many = False
        if are_all_too_many:
            raise _TooManyResultsError
        return False

    def _all_devices(self, place: DevicePlace, plan: _Plan, *, within: bool) -> bool:
        candidate = plan.all_devices[place.device]
        if not self._taken.take(place.claim, plan.request, candidate, place.device, must=True):
            return False
        alternative = place.alternative if self._rules.gives_everything_back else 0
        following = DevicePlace(place.claim, place.request, alternative, place.device + 1)
        return self._go_on(following, within=within)

    def _any_device(self, place: DevicePlace, plan: _Plan, *, within: bool) -> bool:
        """Find a device for a place, unless it is known that there is none."""
        begin = self._begin_at.get(place, 0) if place.device and self._rules.gives_everything_back else 0
        if not self._keeps_dead_ends or self._steps <= USUAL_STEPS:
            return self._one_of(begin, place, plan, within=within)
        if self._dead_ends is None:
            self._dead_ends = DeadEnds(self._claims, self._pools, self._held, self._suitability, self._row, self._rules)
        state = place, begin, self._dead_ends.state(place.claim, place.request, begin, self._taken.results)
        known = self._dead_ends.found.get(state)
        if known is None:
            before, is_too_many = self._steps + self._spared, True
            try:
                if self._one_of(begin, place, plan, within=within):
                    return True
                is_too_many = False
            finally:
                # What else it raises ends the whole search.
                self._dead_ends.found[state] = DeadEnd(self._steps + self._spared - before, is_too_many)
            return False
        self._spared += known.steps - 1
        self._step()
        if known.is_too_many:
            raise _TooManyResultsError
        return False

    def _one_of(self, begin: int, place: DevicePlace, plan: _Plan, *, within: bool) -> bool:
        """Try the devices from a number on, one after the other."""
        claim, request = self._claims[place.claim], plan.request
        following = place._replace(device=place.device + 1)
        for number, candidate in self._candidates(begin):
            self._step()
            if self._taken.is_in_use(place.claim, request, candidate.id):
                continue
            if not self._is_selected(claim, request, candidate) or self._lacks_capacity(claim, request, candidate):
                continue
            if not self._taken.take(place.claim, request, candidate, place.device, must=False):
                continue
            self._begin_at[following] = number + 1
            if self._go_on(following, within=within):
                return True
        return False

    def _candidates(self, begin: int) -> Iterator[tuple[int, OfferedDevice]]:
        """The devices of all pools from a number on: from 1.36 that after the one that the request took last."""
        number = 0
        for pool in self._pools:
            if self._rules.sees_whole_pools:
                if pool.is_incomplete or pool.fault:
                    continue
            elif pool.duplicate:
                raise ClaimFault(f"pool {pool.name} is invalid: duplicate device name {pool.duplicate}")
            for each in pool.slices:
                for device in each.devices:
                    if number >= begin:
                        yield number, OfferedDevice(device, each, pool)
                    number += 1

    def _go_on(self, following: DevicePlace, *, within: bool) -> bool:
        """Look for what comes after a device that was taken, and give it back where there is nothing."""
        try:
            is_done = self._allocate_one(following, within=within)
        except _TooManyResultsError:
            self._taken.give_back()
            raise
        if not is_done:
            self._taken.give_back()
        return is_done

    def _lacks_capacity(
        self, claim: Claim, request: DeviceRequest, candidate: OfferedDevice, *, is_one_of_all: bool = False
    ) -> bool:
        """Whether a device has too little capacity. Raises ClaimFault where a request cannot be counted."""
        try:
            is_unused = is_one_of_all and self._rules.counts_every_share
            return self._taken.lacks_capacity(request, candidate, is_unused=is_unused)
        except CapacityFault as fault:
            device = candidate.device.name if is_one_of_all else str(candidate.id)
            where = f"claim {claim.key}, request {request.name}"
            raise ClaimFault(f"{where}: checking capacity for device {device}: {fault}") from None

    def _step(self) -> None:
        """Count a place that is filled or a device that is looked at. Raises SearchLimitError."""
        self._steps += 1
        self._left.count -= 1
        if self._steps > MAX_STEPS or self._left.count < 0 or self._steps + self._spared > MAX_STEPS_OF_SCHEDULER:
            raise SearchLimitError

    def _is_selected(self, claim: Claim, request: DeviceRequest, candidate: OfferedDevice) -> bool:
        return self._suitability.is_selected(claim, request, candidate.slice, candidate.device, self._row)
