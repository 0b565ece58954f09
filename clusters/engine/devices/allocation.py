"""The search for devices that meet all requests of a pod's claims on one node: the first solution is taken.

Upstream: ``allocateOne`` and ``allocateDevice`` of ``structured/internal/experimental`` of
``k8s.io/dynamic-resource-allocation`` v0.34.1, which kube-scheduler takes by default (the other allocators lack
DRAResourceClaimDeviceStatus, which is on), step for step: after the first device of an alternative that
wants all devices the search goes on with the first alternative. Of later minors ``incubating`` v0.35.4 to v0.37.2, or,
of 1.35 where a gate of a new feature is on, ``experimental``; ``stable`` v0.38.0-beta.0, or ``incubating`` for them."""

from __future__ import annotations

import operator
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from clusters.engine.devices.claims import (
    Consumption,
    HeldDevices,
    Holders,
    has_conditions,
    held_devices,
    may_have_waited_too_long,
)
from clusters.engine.devices.inventory import (
    CLAIM,
    CLASS,
    MAX_RESULTS,
    NOTHING_CONSUMED,
    SLICE,
    TAINT_RULE,
    AllocationMode,
    Allowance,
    Amounts,
    Attribute,
    AttributeType,
    CapacityFault,
    Claim,
    ClaimFault,
    CompileError,
    CostlyExpressionError,
    Device,
    DeviceId,
    DeviceRequest,
    DeviceSlice,
    DistinctAttribute,
    EvaluationError,
    Inventory,
    MatchAttribute,
    Pool,
    PoolFault,
    Reach,
    Selector,
    UnsupportedExpressionError,
    allocation_of,
    available_counters,
    capacity_shortage,
    compiled,
    consumed_amounts,
    counter_owner,
    expressions_of,
    pool_counters,
    reach_rows,
    slices_of,
    unknown_taint_rules,
)
from clusters.engine.matching import tolerates
from clusters.engine.versions import DeviceRules, Dialect, Gate, Release

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

    from clusters.engine.columns import NodeTable
    from clusters.engine.objects import Document, Node
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.taints import Taint

# A device that a search looks at, and the devices of one claim that must agree on an attribute.


class OfferedDevice(NamedTuple):
    """A device, and the slice and the pool that it is of."""

    device: Device
    slice: DeviceSlice
    pool: Pool

    @property
    def id(self) -> DeviceId:
        return self.slice.id_of(self.device)

    @property
    def reach(self) -> Reach:
        """From which nodes the device can be used: its own, or its slice's."""
        return self.device.reach if self.slice.has_reach_by_device else self.slice.reach


class MatchingDevices:
    """Devices that must agree on the value of an attribute, added and removed as the search goes."""

    def __init__(self, rule: MatchAttribute, rules: DeviceRules) -> None:
        self.rule = rule
        self._rules = rules
        self._attribute: Attribute | None = None
        self._count = 0

    def add(self, request: DeviceRequest, candidate: OfferedDevice) -> bool:
        """Count a device in, if it agrees with those before it."""
        if not self.rule.concerns(request):
            return True
        attribute = _compared(candidate, self.rule.attribute, self._rules)
        if attribute is None or (self._count and attribute != self._attribute):
            return False
        if not self._count:
            self._attribute = attribute
        self._count += 1
        return True

    def remove(self, request: DeviceRequest) -> None:
        """Count a device out that was counted in."""
        self._count -= self.rule.concerns(request)


class DistinctDevices:
    """Devices that must differ in an attribute, added and removed as the search goes.

    Until 1.36 (``counts_every_share`` is False) the last device of each request alone is compared, and until 1.34
    (``sees_whole_pools`` is False) no device has what another one has, whatever the values are.
    """

    def __init__(self, rule: DistinctAttribute, rules: DeviceRules) -> None:
        self.rule = rule
        self._rules = rules
        self._by_request: dict[str, Attribute] = {}
        self._count = 0
        self._all: list[Attribute] = []

    def add(self, request: DeviceRequest, candidate: OfferedDevice) -> bool:
        """Count a device in, if it differs from those before it."""
        if not self.rule.concerns(request):
            return True
        attribute = _compared(candidate, self.rule.attribute, self._rules)
        if attribute is None:
            return False
        before = self._all if self._rules.counts_every_share else self._by_request.values() if self._count else ()
        if any(attribute is each or (self._rules.sees_whole_pools and attribute == each) for each in before):
            return False
        self._all.append(attribute)
        self._by_request[request.parent or request.name] = attribute
        self._count += 1
        return True

    def remove(self, request: DeviceRequest) -> None:
        """Count a device out that was counted in."""
        if self.rule.concerns(request):
            self._all.pop()
            self._by_request.pop(request.parent or request.name, None)
            self._count -= 1


def _compared(candidate: OfferedDevice, name: str, rules: DeviceRules) -> Attribute | None:
    """A device's attribute as constraints compare it."""
    found = attribute_of(candidate.slice.driver, candidate.device, name)
    if found is None or found.type is not AttributeType.VERSION or not rules.ignores_builds:
        return found
    return Attribute(found.type, str(found.value).partition("+")[0])


def attribute_of(driver: str, device: Device, name: str) -> Attribute | None:
    """A device's attribute by its full name; the driver's own may be written without its domain."""
    attributes = device.attributes
    if name in attributes:
        return attributes[name]
    domain, slash, own = name.partition("/")
    return attributes.get(own) if slash and domain == driver else None


# Which devices may be taken together of one counter set: those that have a compatibility group in common.
#
# Upstream: ``compatibility_groups.go`` of ``structured/internal/experimental`` of
# ``k8s.io/dynamic-resource-allocation`` v0.37.2. Devices without groups go with their like alone.

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


# What a search has taken so far on one node, device by device, and whether another device can be had beside that.
#
# Upstream: ``allocateDevice`` and ``rollbackDevice`` of ``structured/internal`` of
# ``k8s.io/dynamic-resource-allocation``, ``experimental`` of v0.34.1 and v0.35.4, ``incubating`` of v0.35.4 to
# v0.37.2 and ``experimental`` of v0.37.2, step for step, what they leave behind when they give a device back
# included: until 1.35 counters that a device took stay taken when one of its taints or a constraint turns it down,
# and those of a shared device always do.


class SearchLimitError(Exception):
    """The search was given up: whether there is a solution is not known."""


class Allocated(Struct, frozen=True):
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


class _Undo(Struct, frozen=True):
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
                MatchingDevices(rule, rules) if isinstance(rule, MatchAttribute) else DistinctDevices(rule, rules)
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
        if self.is_in_use(claim, request, name) or self._is_kept(request, candidate):
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

    def _is_kept(self, request: DeviceRequest, candidate: OfferedDevice) -> bool:
        """Whether a device goes to nobody: for counters that are not read, for the node, or for those who share it."""
        device, rules = candidate.device, self._rules
        if (device.uses and not rules.reads_counters) or not self._suitability.is_prepared(candidate.slice, self._row):
            return True
        is_alone = rules.keeps_shared_devices and not device.is_shared and not request.admin_access
        return is_alone and self._is_shared(candidate.id)

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
        if self._rules.counts_every_share:
            return self._is_shared(device)
        return device in self._allocating or any(self._held.shares.get(device, NOTHING_CONSUMED).values())

    def _is_shared(self, device: DeviceId) -> bool:
        """Whether claims share a device, those of this search included."""
        return device in self._allocating or device in self._held.shares

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


# From which states a search found nothing, so that it does not search from there again.
#
# Whether devices are left for what is still wanted depends on few of those that are taken: on those that a later
# request selects, on what is left of the counters and capacities of such devices, and on the constraints of the
# claim. Which of several devices that are alike is taken does not matter. kube-scheduler searches from each such
# state anew, until its time is up: so the number of steps is kept that this takes.


class DeadEnd(NamedTuple):
    """The search from a state that finds nothing; ``is_too_many``: the claim would hold more devices than it may."""

    steps: int
    is_too_many: bool


class _Known(NamedTuple):
    """A device: a number for what it is like, those of the last request that selects it and of itself, its counters."""

    likeness: int
    until: tuple[int, int]
    counters: tuple[tuple[Hashable, int | Fraction], ...]


def returns_everything(claims: Sequence[Claim], pools: Sequence[Pool], rules: DeviceRules) -> bool:
    """Whether a search that finds nothing leaves everything as it was, which until 1.36 it does not always do."""
    is_distinct = any(isinstance(rule, DistinctAttribute) for claim in claims for rule in claim.constraints)
    if rules.compares_groups or (is_distinct and not rules.counts_every_share):
        return False
    if rules.gives_everything_back:
        return True
    devices = (device for pool in pools for each in pool.slices for device in each.devices)
    return not rules.shares_capacity and not any(device.uses for device in devices)


class DeadEnds:
    """What tells states of one search apart, on the node of a row, and which of them are dead ends.

    Raises what selectors raise: of each device is asked which requests select it.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        pools: Sequence[Pool],
        held: HeldDevices,
        suitability: Suitability,
        row: int,
        rules: DeviceRules,
    ) -> None:
        self._claims, self._held, self._suitability = claims, held, suitability
        self._row, self._rules = row, rules
        # Requests are numbered in the order of the search.
        self._first = [sum(len(claim.requests) for claim in claims[:place]) for place in range(len(claims))]
        asked = [request for claim in claims for choices in claim.requests for request in choices]
        self._gives_admin_access = any(request.admin_access for request in asked)
        # Where all devices are wanted, the one that is met first decides between a refusal and an error.
        self._tells_apart = any(request.wants_all for request in asked)
        self._attributes = tuple(dict.fromkeys(rule.attribute for claim in claims for rule in claim.constraints))
        self._numbers: dict[Hashable, int] = {}
        self._devices: dict[DeviceId, _Known] = {}
        # The last devices, as in ``until``, that take of each counter.
        self._until: dict[Hashable, tuple[int, int]] = {}
        self.found: dict[Hashable, DeadEnd] = {}
        devices = (
            OfferedDevice(device, each, pool) for pool in pools for each in pool.slices for device in each.devices
        )
        for number, candidate in enumerate(devices):
            known = self._devices[candidate.id] = self._known(number, candidate)
            for counter, _ in known.counters:
                self._until[counter] = max(known.until, self._until.get(counter, known.until))

    def state(self, claim: int, request: int, begin: int, results: Sequence[Allocated]) -> Hashable:
        """What of the devices taken so far decides whether something is found for a request and those after it.

        ``begin``: the number of the first device that may be taken for the request.
        """
        now = self._first[claim] + request, begin
        alike: Counter[Hashable] = Counter()
        counters: dict[Hashable, int | Fraction] = {}
        shares: dict[DeviceId, Counter[str]] = {}
        for each in results:
            known = self._devices[each.candidate.id]
            if each.candidate.id in shares:
                shares[each.candidate.id].update(_whole(each.consumed))
                continue
            if each.is_share:
                shares[each.candidate.id] = Counter(_whole(each.consumed))
            elif known.until >= now:
                alike[known.likeness, known.until[1] >= begin, self._gives_admin_access and each.claim] += 1
            for counter, amount in known.counters:
                if self._until[counter] >= now:
                    counters[counter] = counters.get(counter, 0) + amount
        for device, consumed in shares.items():
            known = self._devices[device]
            if known.until >= now:
                alike[known.likeness, known.until[1] >= begin, frozenset(consumed.items())] += 1
        of_claim = [each for each in results if each.claim == claim]
        return len(of_claim), frozenset(alike.items()), frozenset(counters.items()), self._values(claim, of_claim)

    def _values(self, claim: int, results: Sequence[Allocated]) -> Hashable:
        """By constraint of a claim, the values that its devices have of the attribute."""
        return tuple(
            frozenset(
                attribute_of(each.candidate.slice.driver, each.candidate.device, rule.attribute)
                for each in results
                if rule.concerns(each.request)
            )
            for rule in self._claims[claim].constraints
        )

    def _known(self, number: int, candidate: OfferedDevice) -> _Known:
        device = candidate.device
        selected = tuple(self._selected(candidate))
        likeness: Hashable = number
        if not self._tells_apart:
            likeness = selected, *self._looks(candidate)
        owner = counter_owner(candidate, self._rules)
        counters = [((owner, use.counter_set, use.counter), _plain(use.amount)) for use in device.uses]
        last = max((place for place, _ in selected), default=-1)
        return _Known(self._numbers.setdefault(likeness, len(self._numbers)), (last, number), tuple(counters))

    def _selected(self, candidate: OfferedDevice) -> Iterator[tuple[int, str]]:
        """The requests and alternatives that select a device."""
        is_asked = self._gives_admin_access or self._tells_apart
        if candidate.id in self._held.whole and not is_asked:
            return
        for place, claim in enumerate(self._claims):
            for number, choices in enumerate(claim.requests):
                for request in choices:
                    if self._suitability.is_selected(claim, request, candidate.slice, candidate.device, self._row):
                        yield self._first[place] + number, request.full_name

    def _looks(self, candidate: OfferedDevice) -> Iterator[Hashable]:
        """What else the search asks of a device."""
        device, each, pool = candidate
        yield candidate.id in self._held.whole, self._suitability.taints(device)
        yield self._suitability.is_prepared(each, self._row)
        yield pool.is_incomplete, pool.fault, counter_owner(candidate, self._rules), device.uses
        if self._rules.shares_capacity:
            yield device.is_shared, tuple(device.amounts.items()), tuple(device.policies.items())
            yield candidate.id in self._held.shares, tuple(self._held.consumed(candidate.id).items())
        for name in self._attributes:
            yield attribute_of(each.driver, device, name)


def _plain(amount: Fraction) -> int | Fraction:
    """The same amount as a plain number where it is a whole one, which is quicker."""
    return amount.numerator if amount.denominator == 1 else amount


def _whole(consumed: Sequence[tuple[str, Fraction]]) -> dict[str, int | Fraction]:
    return {name: _plain(amount) for name, amount in consumed}


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


class _Plan(Struct):
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
                    raise PoolFault(
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
            candidate = plan.all_devices[place.device]
            if not self._taken.take(place.claim, plan.request, candidate, place.device, must=True):
                return False
            alternative = place.alternative if self._rules.gives_everything_back else 0
            following = DevicePlace(place.claim, place.request, alternative, place.device + 1)
            return self._go_on(following, within=within)
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


# Which devices a request selects, whoever has them: by the selectors of its class, its own, and the device's nodes.


class SelectorUse(Struct, frozen=True):
    """A CEL expression by which a request selects; ``device_class`` is empty where the claim itself has it."""

    claim: str
    request: str
    device_class: str
    number: int
    expression: str

    @property
    def owner(self) -> str:
        """The object that has the expression, as the scheduler names it."""
        return f"class {self.device_class}" if self.device_class else f"claim {self.claim}"


class Leniency(NamedTuple):
    """What is left out of account: selectors and taints."""

    selectors: frozenset[SelectorUse] = frozenset()
    taints: frozenset[Taint] = frozenset()


STRICT = Leniency()
DERIVED_ATTRIBUTES_DISABLED = "cannot handle request with derived attributes, the feature is disabled"
ADMIN_ACCESS_DISABLED = "admin access is requested, but the feature is disabled"
# From 1.37 the scheduler adds what may help (``EnhanceRuntimeError`` in ``k8s.io/dynamic-resource-allocation/cel``).
MISSING_KEY = "no such key:"
MISSING_KEY_HINT = (
    ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
    "fields"
)


class Suitability:
    """The answers for one pod, kept for all nodes."""

    def __init__(self, snapshot: Snapshot, leniency: Leniency = STRICT) -> None:
        self._snapshot = snapshot
        self._leniency = leniency
        self._selectors: dict[tuple[str, str], tuple[tuple[SelectorUse, Selector], ...]] = {}
        self._answers: dict[tuple[str, str, int], bool] = {}
        self._rows: dict[Reach, frozenset[int]] = {}
        self._rules = snapshot.release.devices
        self._gives_admin_access = snapshot.release.enables(Gate.DRA_ADMIN_ACCESS)
        self._known = snapshot.derived(_answers, SLICE, TAINT_RULE, CLASS)
        self._allowance = snapshot.derived(allowance_of, SLICE, TAINT_RULE, CLASS)

    def check(self, claim: Claim, request: DeviceRequest) -> None:
        """Refuse a request that cannot be worked with. Raises ClaimFault with the scheduler's error."""
        prefix = f"claim {claim.key}, request {request.name}"
        # Until 1.36 the scheduler knows no such field. Where the gate is on nothing is computed.
        if request.derives_attributes and Gate.DRA_DERIVED_ATTRIBUTES in self._snapshot.release.known_gates:
            raise ClaimFault(f"{prefix}: {DERIVED_ATTRIBUTES_DISABLED}")
        if None in request.expressions:
            number = request.expressions.index(None)
            raise ClaimFault(f"{prefix}, selector #{number}: CEL expression empty (unsupported selector type?)")
        if request.names_admin_access and not self._gives_admin_access:
            raise ClaimFault(f"{prefix}: {ADMIN_ACCESS_DISABLED}")
        if not request.device_class:
            raise ClaimFault(f"{prefix}: missing device class name (unsupported request type?)")

    def taints(self, device: Device) -> tuple[Taint, ...]:
        """The device's taints, as far as they count."""
        if not self._rules.reads_taints or not device.taints:
            return ()
        found = (taint for taint in device.taints if taint not in self._leniency.taints)
        return tuple(taint for taint in found if taint.forbids_scheduling or self._rules.reads_every_effect)

    def is_selected(self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device, row: int) -> bool:
        """Whether a request selects a device for a node.

        Raises ClaimFault with the scheduler's error, UnsupportedExpressionError.
        """
        # Devices live as long as the snapshot that this looks at.
        key = claim.key, request.full_name, id(device)
        answer = self._answers.get(key)
        if answer is None:
            answer = self.is_offered(device) and self.excluding(claim, request, each, device) is None
            self._answers[key] = answer
        return answer and (not each.has_reach_by_device or self.is_reached(device, row))

    def is_offered(self, device: Device) -> bool:
        """Whether a device can be allocated at all: not one with binding conditions that the scheduler ignores."""
        return self._rules.waits_for_conditions or not device.conditions

    def is_prepared(self, each: DeviceSlice, row: int) -> bool:
        """Whether the node of a row can do with less the devices of a slice need, where operations are skipped."""
        if not each.skipped_operations or not (self._rules.asks_nodes_to_skip or self._rules.gives_no_skipping):
            return True
        return not self._rules.gives_no_skipping and skips_operations(self._snapshot.nodes.nodes[row])

    def _fault(self, use: SelectorUse, each: DeviceSlice, device: Device, error: EvaluationError) -> str:
        """What the scheduler says of an expression that cannot be evaluated for a device."""
        if not self._rules.explains_errors:
            return f"{use.owner}: selector #{use.number}: CEL runtime error: {error}"
        where = f"{each.driver}/{each.pool}/{device.name}"
        hint = MISSING_KEY_HINT if MISSING_KEY in str(error) else ""
        return f"{use.owner}: selector #{use.number} on device {where}: CEL runtime error: {error}{hint}"

    def excluding(self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device) -> SelectorUse | None:
        """Return the first selector that excludes a device; None where all select it. Raises as ``is_selected``."""
        for use, selector in self.selectors(claim, request):
            known = self._known.setdefault(use.expression, {})
            answer = known.get(id(device))
            if answer is None:
                try:
                    answer = known[id(device)] = selector.matches(each.driver, device, self._allowance)
                except EvaluationError as error:
                    raise ClaimFault(self._fault(use, each, device, error)) from None
            if not answer:
                return use
        return None

    def is_reached(self, device: Device, row: int) -> bool:
        """Whether a device that names its nodes itself can be used from one."""
        if device.reach not in self._rows:
            self._rows[device.reach] = frozenset(reach_rows(self._snapshot.nodes, device.reach))
        return row in self._rows[device.reach]

    def selectors(self, claim: Claim, request: DeviceRequest) -> tuple[tuple[SelectorUse, Selector], ...]:
        """The selectors of a request that count, those of its class first. Raises as ``is_selected``."""
        key = claim.key, request.full_name
        if key not in self._selectors:
            self._selectors[key] = tuple(
                (use, _compiled(use, self._snapshot.release.dialect))
                for use in uses_of(self._snapshot, claim, request)
                if use not in self._leniency.selectors
            )
        return self._selectors[key]


def skips_operations(node: Node) -> bool:
    """Whether the kubelet of a node declares that it can leave operations out that devices do not need."""
    return Gate.DRA_OPTIONAL_NODE_OPERATIONS.value in node.features


def _answers(snapshot: Snapshot) -> dict[str, dict[int, bool]]:
    """Room for what expressions answer for devices, by expression and device, kept as long as the devices are."""
    return {}


def allowance_of(snapshot: Snapshot) -> Allowance:
    """What the expressions of a cluster may cost together."""
    return Allowance()


def uses_of(snapshot: Snapshot, claim: Claim, request: DeviceRequest) -> tuple[SelectorUse, ...]:
    """The CEL expressions by which a request selects, those of its class first."""
    found = snapshot.object(CLASS, request.device_class) or {}
    by_class = expressions_of(found.get("spec") or {})
    return (
        *(
            SelectorUse(claim.key, request.full_name, request.device_class, number, expression or "")
            for number, expression in enumerate(by_class)
        ),
        *(
            SelectorUse(claim.key, request.full_name, "", number, expression or "")
            for number, expression in enumerate(request.expressions)
        ),
    )


def _compiled(use: SelectorUse, dialect: Dialect) -> Selector:
    try:
        return compiled(use.expression, dialect)
    except CompileError as error:
        raise ClaimFault(f"{use.owner}: selector #{use.number}: CEL compile error: {error}") from None


# What searches found on nodes, kept as long as the devices are offered: for the next pod most nodes are as before.
#
# An answer depends on what is requested, on the slices of the pools that a node reaches, and on which of their
# devices are held. It is kept by just these, so that it does not matter in which snapshot it was found, nor in which
# order. Snapshots share it, which threads explain in at the same time: whatever is kept is read once, and replaced as
# a whole.

# So many kinds of requests, and of each so many answers, are kept at most; then it begins anew.
_MOST_KINDS: Final = 32
_MOST_ANSWERS: Final = 100_000


class ReachedPools(NamedTuple):
    """The pools that some nodes reach, and the places of their slices, which name them."""

    places: tuple[int, ...]
    pools: tuple[Pool, ...]


class KeptSearches:
    """The answers for one kind of requests: by pools and the devices held of each, and by what devices look like.

    ``latest`` are those of all nodes at once, with the state of the holders and the pools that they are of.
    """

    def __init__(self) -> None:
        self.by_held: dict[Hashable, DeviceSearch] = {}
        self.by_likeness: dict[Hashable, DeviceSearch] = {}
        self.latest: tuple[object, tuple[ReachedPools, ...], tuple[DeviceSearch, ...]] | None = None

    def keep(self, held: Hashable, likeness: Hashable, search: DeviceSearch) -> None:
        """Keep an answer by both."""
        if len(self.by_held) >= _MOST_ANSWERS:
            self.by_held.clear()
        if len(self.by_likeness) >= _MOST_ANSWERS:
            self.by_likeness.clear()
        self.by_held[held] = self.by_likeness[likeness] = search


class SearchMemory:
    """What is kept of the devices that are offered."""

    def __init__(self, slices: Sequence[DeviceSlice], rules: DeviceRules) -> None:
        self._slices = slices
        self._rules = rules
        self._by_node: tuple[tuple[Node, ...], tuple[ReachedPools, ...]] | None = None
        self._kinds: dict[Hashable, KeptSearches] = {}

    def reached(self, nodes: NodeTable) -> tuple[ReachedPools, ...]:
        """The pools that each node reaches, by row."""
        kept = self._by_node
        if kept is not None and len(kept[0]) == len(nodes) and all(map(operator.is_, kept[0], nodes.nodes)):
            return kept[1]
        inventory = Inventory(self._slices, nodes, self._rules)
        known: dict[tuple[int, ...], ReachedPools] = {}
        found = []
        for row in range(len(nodes)):
            places = inventory.places(row)
            if places not in known:
                known[places] = ReachedPools(places, inventory.pools(places))
            found.append(known[places])
        reached = tuple(found)
        self._by_node = tuple(nodes.nodes), reached
        return reached

    def searches(self, claims: Sequence[Claim]) -> KeptSearches:
        """What is kept for claims that request the same as these."""
        kind = tuple((claim.requests, claim.constraints, claim.unknown_constraint) for claim in claims)
        found = self._kinds.get(kind)
        if found is None:
            if len(self._kinds) >= _MOST_KINDS:
                self._kinds.clear()
            found = self._kinds[kind] = KeptSearches()
        return found


def _memory(snapshot: Snapshot) -> SearchMemory:
    return SearchMemory(slices_of(snapshot), snapshot.release.devices)


# Nodes whose devices are alike in all that a search looks at: one search answers for all of them.
#
# Devices of one model differ in their serial numbers alone, and so do their nodes. What a search asks of a device is
# whether it is held, which requests select it, its taints, its counters, and the attributes in which devices must
# match.


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
            key = pool.driver, pool.name
            if key not in self._held_groups:
                self._held_groups[key] = tuple(
                    (device.uses, self._groups(device))
                    for each in (*pool.slices, *pool.others)
                    for device, name in zip(each.devices, each.ids, strict=True)
                    if device.uses and name in self._held.counted
                )
            yield from self._held_groups[key]

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
                is_shared = device.is_shared or name in self._held.shares
                if shares_capacity and (is_shared or device.policies or self._asks_for_capacity):
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


# What the search for devices finds on each node: nodes whose devices are alike share one search.


class DeviceSearch(NamedTuple):
    """What was looked for on one node and found: None where there is no solution, ``fault`` where it fails.

    ``gave_up``: the search was ended before that was known, ``is_costly`` because it takes too much. ``refusal``: what
    the scheduler says of the node instead of that claims cannot be allocated.
    """

    allocated: tuple[Allocated, ...] | None
    fault: str = ""
    gave_up: bool = False
    refusal: str = ""
    is_costly: bool = False

    @property
    def is_named(self) -> bool:
        """Whether what is said names the claim, and pools or devices of the node."""
        return bool(self.fault) or self.refusal not in ("", INVALID_POOLS)


class NodeSearch:
    """Searches nodes of a snapshot for devices that meet all requests of some claims at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._memory = snapshot.derived(_memory, SLICE, TAINT_RULE, CLASS)
        self._reached = self._memory.reached(snapshot.nodes)

    def pools(self, row: int) -> tuple[Pool, ...]:
        """The pools of devices that a node reaches."""
        return self._reached[row].pools

    def everywhere(self, claims: tuple[Claim, ...], leniency: Leniency = STRICT) -> tuple[DeviceSearch, ...]:
        """What is found on each node, by row. Of nodes that are alike the devices found are those of one of them."""
        holders = self._snapshot.followed(Holders)
        kept = self._memory.searches(claims) if leniency == STRICT else KeptSearches()
        # Read once: threads that explain in other snapshots write it too.
        latest = kept.latest
        if latest is not None and latest[0] is holders.state and latest[1] is self._reached:
            return latest[2]
        suitability = Suitability(self._snapshot, leniency)
        likeness = DeviceLikeness(claims, held_devices(self._snapshot), suitability, self._snapshot.release.devices)
        given_up: dict[Hashable, DeviceSearch] = {}
        left = StepsLeft()
        found: list[DeviceSearch] = []
        for row, reached in enumerate(self._reached):
            held = reached.places, *(holders.in_pool(pool.driver, pool.name) for pool in reached.pools)
            search = kept.by_held.get(held)
            if search is None:
                like = likeness.of(reached.pools)
                search = kept.by_likeness.get(like) or given_up.get(like)
                if search is None:
                    search = self._searched(row, reached.pools, claims, suitability, left)
                # What names devices is said of its node alone; where a search ends depends on those before it.
                if like is not None and search.gave_up:
                    given_up[like] = search
                elif like is not None and not search.is_named:
                    kept.keep(held, like, search)
            found.append(search)
        answers = tuple(found)
        if not any(search.is_named for search in found):
            kept.latest = holders.state, self._reached, answers
        return answers

    def on(self, row: int, claims: tuple[Claim, ...]) -> DeviceSearch:
        """What is found on one node, with the devices of that node."""
        return self._searched(row, self.pools(row), claims, Suitability(self._snapshot), StepsLeft())

    def _searched(
        self, row: int, pools: tuple[Pool, ...], claims: tuple[Claim, ...], suitability: Suitability, left: StepsLeft
    ) -> DeviceSearch:
        rules = self._snapshot.release.devices
        allocator = Allocator(claims, pools, held_devices(self._snapshot), suitability, row, left, rules)
        try:
            found = allocator.allocate()
            return DeviceSearch(found, refusal=allocator.refusal if found is None else "")
        except PoolFault as fault:
            text = str(fault)
            return DeviceSearch(None, fault=text) if rules.fails_whole_cycles else DeviceSearch(None, refusal=text)
        except ClaimFault as fault:
            return DeviceSearch(None, fault=str(fault))
        except (SearchLimitError, CostlyExpressionError):
            return DeviceSearch(None, gave_up=True, is_costly=True)
        except UnsupportedExpressionError:
            return DeviceSearch(None, gave_up=True)


# What decides about devices and is not known: expressions, and whether features are on that are off by default.
#
# Upstream: v1.34.1 and v1.35.4, in which DRAConsumableCapacity, DRADeviceBindingConditions and DRAExtendedResource
# are off unless somebody turns them on, and v1.36.3 and v1.37.2 with others. The API server stores their fields only
# where they are on there; whether they are on in kube-scheduler too, which decides, cannot be seen unless somebody
# says so.


def holds_devices(snapshot: Snapshot) -> bool:
    """Whether there is any object about devices: where there is none, the source most likely has left them out."""
    return snapshot.derived(_any_object, CLAIM, CLASS, SLICE)


def _any_object(snapshot: Snapshot) -> bool:
    return any(snapshot.objects(kind) for kind in (CLAIM, CLASS, SLICE))


def is_known(snapshot: Snapshot, claims: Sequence[Document]) -> bool:
    """Whether all that decides about devices for those of these claims that have none is computed."""
    wanted = [Claim.from_dict(each) for each in claims if allocation_of(each) is None]
    return not wanted or is_request_known(snapshot, wanted)


def is_request_known(snapshot: Snapshot, wanted: Sequence[Claim]) -> bool:
    """Whether all that decides about devices for what claims request is computed."""
    if unknown_taint_rules(snapshot):
        return False
    release = snapshot.release
    if any(claim.shares_capacity for claim in wanted) and not release.decides(Gate.DRA_CONSUMABLE_CAPACITY):
        return False
    requests = [request for claim in wanted for choices in claim.requests for request in choices]
    if any(request.derives_attributes for request in requests) and (
        release.enables(Gate.DRA_DERIVED_ATTRIBUTES) or not release.decides(Gate.DRA_DERIVED_ATTRIBUTES)
    ):
        return False
    if wanted and not _is_allocator_known(release):
        return False
    if _reads_lists(snapshot, wanted):
        return False
    return _are_selectors_known(snapshot, wanted) and not _selects_gated(snapshot, wanted)


def _is_allocator_known(release: Release) -> bool:
    """Whether Berth follows the allocator: 1.34 takes an older one where devices of claims have no status."""
    is_older = not release.device_rules.sees_whole_pools and not release.enables(Gate.DRA_CLAIM_DEVICE_STATUS)
    newer = (Gate.DRA_CONSUMABLE_CAPACITY, Gate.DRA_DEVICE_BINDING_CONDITIONS)
    return not is_older or any(release.gates[gate] for gate in newer)


def is_open_for(claim: Document, release: Release) -> bool:
    """Whether it is open if a claim is rejected, for devices with conditions that fail, or do not come in time."""
    if not release.decides(Gate.DRA_DEVICE_BINDING_CONDITIONS):
        return has_conditions(claim)
    return release.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS) and may_have_waited_too_long(claim)


def _are_selectors_known(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether every expression by which claims select is supported; one that is no CEL fails, which is known."""
    requests = ((claim, request) for claim in claims for choices in claim.requests for request in choices)
    for claim, request in requests:
        for use in uses_of(snapshot, claim, request):
            try:
                compiled(use.expression, snapshot.release.dialect)
            except UnsupportedExpressionError:
                return False
            except CompileError:
                continue
    return True


def _is_gated(each: DeviceSlice, device: Device, release: Release) -> bool:
    """Whether it is open how kube-scheduler treats a device, for a feature that is off by default."""
    features = (
        (device.is_shared, Gate.DRA_CONSUMABLE_CAPACITY),
        (device.has_conditions, Gate.DRA_DEVICE_BINDING_CONDITIONS),
        (any(policy.is_fractional for policy in device.policies.values()), Gate.DRA_FRACTIONAL_CAPACITY),
        (device.is_ruled, Gate.DRA_DEVICE_TAINT_RULES),
        (bool(each.skipped_operations), Gate.DRA_OPTIONAL_NODE_OPERATIONS),
        (bool(device.node_resources) and release.device_rules.takes_of_nodes, Gate.DRA_NODE_RESOURCES),
    )
    if any(has_fields and not release.decides(gate) for has_fields, gate in features):
        return True
    # What 1.36 does with its own fields is not computed: known is only that nothing happens where the gate is set off.
    has_early_mappings = device.has_early_mappings and not release.device_rules.takes_of_nodes
    return has_early_mappings and (
        release.enables(Gate.DRA_NODE_RESOURCES) or not release.decides(Gate.DRA_NODE_RESOURCES)
    )


def _selects_gated(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether a request selects a device that is treated by features."""
    gated = snapshot.derived(_gated_devices, SLICE, TAINT_RULE, CLASS)
    if not gated:
        return False
    suitability = Suitability(snapshot)
    for claim in claims:
        for request in (request for choices in claim.requests for request in choices):
            for each, device in gated:
                try:
                    if suitability.excluding(claim, request, each, device) is None:
                        return True
                except (ClaimFault, UnsupportedExpressionError):
                    return True
    return False


def _gated_devices(snapshot: Snapshot) -> list[tuple[DeviceSlice, Device]]:
    slices, release = slices_of(snapshot), snapshot.release
    # One slice with groups decides whether its whole pool is complete.
    grouped: set[tuple[str, str]] = set()
    if not release.decides(Gate.DRA_DEVICE_COMPATIBILITY_GROUPS):
        grouped = {(each.driver, each.pool) for each in slices if each.has_groups}
    return [
        (each, device)
        for each in slices
        for device in each.devices
        if (each.driver, each.pool) in grouped or _is_gated(each, device, release)
    ]


def _reads_lists(snapshot: Snapshot, claims: Sequence[Claim]) -> bool:
    """Whether claims compare or select by an attribute of which a device has several values."""
    if Gate.DRA_LIST_ATTRIBUTES not in snapshot.release.known_gates:
        return False
    names = snapshot.derived(_names_of_lists, SLICE, TAINT_RULE, CLASS)
    if not names:
        return False
    if any(rule.attribute.rpartition("/")[2] in names for claim in claims for rule in claim.constraints):
        return True
    requests = ((claim, request) for claim in claims for choices in claim.requests for request in choices)
    uses = (use for claim, request in requests for use in uses_of(snapshot, claim, request))
    return any(name in use.expression for use in uses for name in names)


def _names_of_lists(snapshot: Snapshot) -> frozenset[str]:
    devices = (device for each in slices_of(snapshot) for device in each.devices)
    return frozenset(name.rpartition("/")[2] for device in devices for name in device.lists)
