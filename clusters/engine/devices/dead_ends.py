"""From which states a search found nothing, so that it does not search from there again.

Whether devices are left for what is still wanted depends on few of those that are taken: on those that a later request
selects, on what is left of the counters and capacities of such devices, and on the constraints of the claim. Which of
several devices that are alike is taken does not matter. kube-scheduler searches from each such state anew, until its
time is up: so the number of steps is kept that this takes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.counters import counter_owner
from clusters.engine.devices.offers import OfferedDevice, attribute_of
from clusters.engine.devices.requests import DistinctAttribute

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from fractions import Fraction

    from clusters.engine.devices.holders import HeldDevices
    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim
    from clusters.engine.devices.suitability import Suitability
    from clusters.engine.devices.taking import Allocated
    from clusters.engine.versions.device_rules import DeviceRules


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
