"""The search for nodes: in which order, how many before it stops, and which of equally good ones is taken."""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct

from clusters.engine.configuration.profiles import MULTI_POINT, interested_extenders
from clusters.engine.versions import ExtensionPoint, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.columns import NodeTable
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Pod
    from clusters.engine.scheduling.cycle import Cycle
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.status import Index, Ints, Mask

# How many nodes the scheduler looks for before it stops searching.
#
# Upstream: ``numFeasibleNodesToFind``, ``hasScoring`` and ``hasExtenderFilters`` in ``pkg/scheduler/schedule_one.go``
# v1.34.1.

_SCORES: Final = frozenset({MULTI_POINT, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE})
LEAST_WANTED: Final = 100
LEAST_PERCENTAGE: Final = 5
MOST_PERCENTAGE: Final = 50
NODES_PER_PERCENT: Final = 125


class Sampling(Struct, frozen=True):
    """``wanted`` feasible nodes end the search among ``nodes``; from which node it starts cannot be known."""

    nodes: int
    wanted: int

    @classmethod
    def of(cls, percentage: int, nodes: int) -> Sampling:
        """``percentage`` 0 lets the size of the cluster decide: 50 % of 100 nodes down to 5 %."""
        if nodes < LEAST_WANTED:
            return cls(nodes, nodes)
        return cls(nodes, max(nodes * searched_percentage(percentage, nodes) // 100, LEAST_WANTED))

    @property
    def complete(self) -> bool:
        """Whether every node is looked at, whatever is found."""
        return self.wanted >= self.nodes


def searched_percentage(percentage: int, nodes: int) -> int:
    """The percentage of so many nodes that is looked for, before the least number of nodes is taken into account."""
    return percentage or max(MOST_PERCENTAGE - nodes // NODES_PER_PERCENT, LEAST_PERCENTAGE)


def foreign_scorers(profile: Profile) -> tuple[str, ...]:
    """The foreign plugins that score nodes, so that another node than the computed one may be best."""
    return tuple(name for name, points in profile.unknown_plugins.items() if not _SCORES.isdisjoint(points))


def sampling_of(profile: Profile, nodes: int) -> Sampling:
    """How many nodes a profile looks for among so many.

    Where nothing scores, and no extender filters, any node is as good as another, and one is enough.
    """
    chooses = any(each.filter_verb or each.prioritize_verb for each in profile.extenders)
    if profile.score or foreign_scorers(profile) or chooses:
        return Sampling.of(profile.percentage_of_nodes_to_score, nodes)
    return Sampling(nodes, min(1, nodes))


# In which order nodes are searched, from where, and which of them a search takes of equally good ones.
#
# Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go`` and ``backend/cache/node_tree.go``,
# v1.34.1. There several nodes are looked at together, so that how far a search gets differs from one run to the next;
# here they are looked at one by one, and a search ends at the first node that fits beyond those that are wanted.

# Places below 2^32.
_BITS: Final = 32
_NONE: Index = np.zeros(0, np.intp)


@lru_cache(maxsize=8)
def heap_order(count: int) -> Ints:
    """Ranks of so many places of a heap that is made of equals, shape (``count``,): the lowest of the best is its root.

    A parent stands before its children, and all that stands under the left one before all under the right one. Nodes
    that are worse than the best change nothing about that.
    """
    numbers = np.arange(1, count + 1)
    length = np.frexp(numbers.astype(np.float64))[1].astype(np.int64)
    ranks: Ints = ((numbers << (_BITS - length)) << 6) | length
    ranks.setflags(write=False)
    return ranks


class Search(Struct, frozen=True):
    """The rows that were found, in order of name, how many nodes were looked at, and the row whose error ended it.

    ``turns``: where each of them stands in the order in which they were found.
    """

    found: Index
    looked_at: int
    turns: Index
    failed: int | None = None

    def first(self, totals: Ints) -> int:
        """The row that is taken of those with the highest of the totals of what was found."""
        best = np.flatnonzero(totals == totals.max())
        return int(self.found[best[heap_order(len(totals))[self.turns[best]].argmin()]])


class Walk(NamedTuple):
    """Rows of nodes in the order in which they are looked at, and the places there of those that fit, rising."""

    rows: Index
    places: Index


class SearchOrder:
    """The scheduler's walk over the nodes, which each attempt goes on with where the one before it stopped.

    ``ends_early``: whether a search ends once it has found enough, or looks at every node.
    """

    def __init__(self, nodes: NodeTable, *, start: int = 0, ends_early: bool = True) -> None:
        self._nodes, self.start, self.ends_early = nodes, start, ends_early

    def __len__(self) -> int:
        return len(self._nodes)

    def walk(self, considered: Mask, fits: Mask) -> Walk:
        """The nodes that are looked at, wherever a search starts; ``considered`` and ``fits`` have shape (N,)."""
        rows = self._nodes.search_order if considered.all() else np.flatnonzero(considered)
        return Walk(rows, np.flatnonzero(fits.take(rows)))

    def search(self, walk: Walk, profile: Profile, fails: Mask | None = None) -> Search:
        """Search for nodes that fit; ``fails``, shape (N,): where an error would end it."""
        (rows, places), count = walk, len(walk.rows)
        wanted, start = sampling_of(profile, count).wanted, self.start % max(1, count)
        first = int(places.searchsorted(start))
        found = places[first : first + wanted + 1]
        if len(found) <= wanted:
            found = np.concatenate((found, places[: min(first, wanted + 1 - len(found))]))
        looked_at = count if len(found) <= wanted else int(found[wanted] - start) % count
        failing = np.flatnonzero(fails[np.roll(rows, -start)[:looked_at]]) if fails is not None else _NONE
        if len(failing):
            return Search(_NONE, int(failing[0]), _NONE, int(rows[(failing[0] + start) % count]))
        met = rows[found[:wanted]]
        order = np.argsort(met)
        return Search(met[order], looked_at, order)

    def ranks(self, rows: Index, found: Index) -> Ints:
        """The lower, the sooner each of the rows is taken of equally good ones among those ``found``."""
        return self._ranked(rows, self._met(found))

    def _met(self, found: Index) -> Mask:
        """Shape (N,), in the order of the search: whether a node is among those ``found``."""
        met = np.zeros(len(self), np.bool_)
        met[self._steps(found)] = True
        return met

    def _ranked(self, rows: Index, met: Mask) -> Ints:
        ranks: Ints = heap_order(len(self)).take(np.cumsum(met).take(self._steps(rows)) - 1)
        return ranks

    def _steps(self, rows: Index) -> Index:
        """How many nodes a search looks at before each of the rows."""
        steps: Index = self._nodes.search_places.take(rows)
        return steps if not self.start else (steps - self.start) % len(self)

    def first(self, best: Index, found: Index) -> int:
        """The row that is taken of the ``best`` ones of those ``found``, both in order of name."""
        met = self._met(found)
        nearest = self._nodes.search_order[(int(met.argmax()) + self.start) % len(self)]
        if best[np.searchsorted(best, nearest) % len(best)] == nearest:
            return int(nearest)
        return int(best[self._ranked(best, met).argmin()])

    def advance(self, looked_at: int) -> None:
        """Let the next search begin after the nodes that this one looked at."""
        self.start = (self.start + looked_at) % max(1, len(self._nodes))


# Which of several nodes with the highest total kube-scheduler takes.
#
# Upstream: ``selectHost`` of ``pkg/scheduler/schedule_one.go`` v1.34.1 draws one at random. From 1.35 on
# (``newSortedNodeScores`` there, v1.35.4; ``framework/sorted_nodes.go`` v1.37.2) the nodes that a search found become
# a heap, in the order in which they were found, and its root is taken. That is the first node of the search wherever
# that is among the best, as several workers seldom change which node is found first.


class TieBreak(enum.StrEnum):
    """How one of equally good nodes is taken: by a random number, or as the first that the search found."""

    RANDOM = "random"
    FIRST_FOUND = "first-found"


class Tie(Struct, frozen=True):
    """Several nodes have the highest total.

    ``likely``: the row that is taken nearly always; None where that follows from no rule, or depends on where the
    search starts. ``is_start_known``: whether that is known, and not assumed to be the first node in the order.
    """

    by: TieBreak
    likely: int | None = None
    is_start_known: bool = False


def takes_first(release: Release, profile: Profile, pod: Pod, considered: Mask) -> bool:
    """Whether the first node of those that a search found is taken, and not a random one.

    An extender that is asked about the pod, also one that scores nothing, brings a random number for each node. Nodes
    that PreFilter names are searched in random order.
    """
    is_ruled = release.rules.takes_first_found and bool(considered.all())
    return is_ruled and not interested_extenders(profile, pod)


def first_found(cycle: Cycle, order: SearchOrder) -> int | None:
    """The row that is taken of the best of a cycle by a search from the start of ``order``; None for any of them."""
    best, nodes, placement = cycle.choices, cycle.snapshot.nodes, cycle.placement
    searched = cycle.considered if placement is None else cycle.considered | ~placement
    if len(best) < 2 or not takes_first(cycle.snapshot.release, cycle.profile, cycle.context.pod, searched):
        return None
    if placement is not None:
        # The nodes of one placement of a group are searched as if there were no others.
        rows = nodes.search_order[placement.take(nodes.search_order)]
        order = SearchOrder(nodes, start=int(nodes.search_places[rows[order.start % len(rows)]]))
    return order.first(best, cycle.feasible)


def first_row(cycle: Cycle) -> int:
    """The row that is taken of a cycle's best by a search from the first node; where any may be, the first by name."""
    row = first_found(cycle, SearchOrder(cycle.snapshot.nodes))
    return int(cycle.choices[0]) if row is None else row


def tie_of(explanation: Explanation) -> Tie | None:
    """How one of several best nodes is taken; None where one alone is the best, or none at all."""
    cycle = explanation.cycle
    if len(cycle.choices) < 2:
        return None
    if not takes_first(explanation.snapshot.release, explanation.profile, explanation.pod, cycle.considered):
        return Tie(TieBreak.RANDOM)
    is_known = cycle.search_start is not None
    if not is_known and len(cycle.feasible) > explanation.sampling.wanted:
        return Tie(TieBreak.FIRST_FOUND)
    order = SearchOrder(explanation.snapshot.nodes, start=cycle.search_start or 0)
    return Tie(TieBreak.FIRST_FOUND, first_found(cycle, order), is_known)


def likely_row(explanation: Explanation) -> int | None:
    """The row of the node that is taken, or nearly always is; None where any of several may be, or there is none."""
    rows, tie = explanation.cycle.choices, tie_of(explanation)
    if tie is not None:
        return tie.likely
    return int(rows[0]) if len(rows) else None


# The order in which Go's ``sort.Slice`` leaves equal elements.
#
# The scheduler sorts preemption victims with it. The sort is not stable: beyond twelve elements the place of equals
# depends on its steps, and victims of equal importance are common. So the steps are followed here: a pattern-
# defeating quicksort (Orson Peters, arXiv 2106.05123) with insertion sort for short runs, as Go has had it since
# 1.19.

Item = TypeVar("Item")

_SHORT = 12
_NINTHER_FROM = 50
_MOST_SWAPS = 12
_MOST_REPAIRS = 5
_REPAIR_FROM = 50
_WORD = (1 << 64) - 1


def unstable_sort(items: Sequence[Item], less: Callable[[Item, Item], bool]) -> list[Item]:
    """Sort as Go's ``sort.Slice`` does, also with a ``less`` that contradicts itself."""
    sorter = _Sorter(list(items), less)
    sorter.sort(0, len(items), len(items).bit_length())
    return sorter.items


class _Sorter(Generic[Item]):
    """Sorts ``items`` in place; ranges are half open."""

    def __init__(self, items: list[Item], less: Callable[[Item, Item], bool]) -> None:
        self.items = items
        self._compare = less

    def _less(self, left: int, right: int) -> bool:
        return self._compare(self.items[left], self.items[right])

    def _swap(self, left: int, right: int) -> None:
        self.items[left], self.items[right] = self.items[right], self.items[left]

    def sort(self, start: int, end: int, bad_pivots_left: int) -> None:
        balanced = partitioned = True
        while end - start > _SHORT:
            if bad_pivots_left == 0:
                self._heap_sort(start, end)
                return
            if not balanced:
                self._scatter(start, end)
                bad_pivots_left -= 1
            pivot, swaps = self._choose_pivot(start, end)
            rising = swaps == 0
            if swaps == _MOST_SWAPS:
                self.items[start:end] = self.items[start:end][::-1]
                pivot = end - 1 - (pivot - start)
                rising = True
            if balanced and partitioned and rising and self._repair(start, end):
                return
            if start > 0 and not self._less(start - 1, pivot):
                start = self._gather_equals(start, end, pivot)
                continue
            middle, partitioned = self._partition(start, end, pivot)
            left, right = middle - start, end - middle
            balanced = min(left, right) >= (end - start) // 8
            if left < right:
                self.sort(start, middle, bad_pivots_left)
                start = middle + 1
            else:
                self.sort(middle + 1, end, bad_pivots_left)
                end = middle
        for number in range(start + 1, end):
            self._sink(number, start)

    def _sink(self, number: int, lowest: int) -> None:
        """Move an element down while it is less than the one before."""
        while number > lowest and self._less(number, number - 1):
            self._swap(number, number - 1)
            number -= 1

    def _heap_sort(self, start: int, end: int) -> None:
        size = end - start
        for root in range((size - 1) // 2, -1, -1):
            self._sift_down(start, root, size)
        for last in range(size - 1, -1, -1):
            self._swap(start, start + last)
            self._sift_down(start, 0, last)

    def _sift_down(self, start: int, root: int, size: int) -> None:
        while (child := 2 * root + 1) < size:
            if child + 1 < size and self._less(start + child, start + child + 1):
                child += 1
            if not self._less(start + root, start + child):
                return
            self._swap(start + root, start + child)
            root = child

    def _scatter(self, start: int, end: int) -> None:
        """Swap three elements of the middle with pseudo-random others, to break a pattern."""
        length = end - start
        state, mask = length, (1 << length.bit_length()) - 1
        middle = start + length // 4 * 2
        for place in (middle - 1, middle, middle + 1):
            state ^= state << 13 & _WORD
            state ^= state >> 7
            state ^= state << 17 & _WORD
            other = state & mask
            self._swap(place, start + (other - length if other >= length else other))

    def _choose_pivot(self, start: int, end: int) -> tuple[int, int]:
        """A pivot near the median, and how many swaps finding it took."""
        length = end - start
        quarters = [start + length // 4 * part for part in (1, 2, 3)]
        swaps = 0
        if length >= _NINTHER_FROM:
            for number, place in enumerate(quarters):
                quarters[number], more = self._median(place - 1, place, place + 1)
                swaps += more
        median, more = self._median(*quarters)
        return median, swaps + more

    def _median(self, first: int, second: int, third: int) -> tuple[int, int]:
        swaps = 0
        if self._less(second, first):
            first, second, swaps = second, first, swaps + 1
        if self._less(third, second):
            second, swaps = third, swaps + 1
        if self._less(second, first):
            second, swaps = first, swaps + 1
        return second, swaps

    def _repair(self, start: int, end: int) -> bool:
        """Sort a range that is almost sorted; gives up after a few repairs."""
        place = start + 1
        for _ in range(_MOST_REPAIRS):
            while place < end and not self._less(place, place - 1):
                place += 1
            if place == end:
                return True
            if end - start < _REPAIR_FROM:
                return False
            self._swap(place, place - 1)
            if place - start >= 2:
                self._sink(place - 1, 0)
            if end - place >= 2:
                self._rise(place + 1, end)
        return False

    def _rise(self, place: int, end: int) -> None:
        """Move the element before ``place`` up while the next one is less."""
        while place < end and self._less(place, place - 1):
            self._swap(place, place - 1)
            place += 1

    def _partition(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """Put what is less than the pivot before it; says whether that was so already."""
        self._swap(start, pivot)
        low, high, untouched = start + 1, end - 1, True
        while True:
            while low <= high and self._less(low, start):
                low += 1
            while low <= high and not self._less(high, start):
                high -= 1
            if low > high:
                break
            self._swap(low, high)
            low, high, untouched = low + 1, high - 1, False
        self._swap(high, start)
        return high, untouched

    def _gather_equals(self, start: int, end: int, pivot: int) -> int:
        """Put what equals the pivot first, given that nothing is less; returns where the greater ones begin."""
        self._swap(start, pivot)
        low, high = start + 1, end - 1
        while True:
            while low <= high and not self._less(start, low):
                low += 1
            while low <= high and self._less(start, high):
                high -= 1
            if low > high:
                return low
            self._swap(low, high)
            low, high = low + 1, high - 1
