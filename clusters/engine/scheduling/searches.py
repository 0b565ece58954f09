"""Searches that end early: with what chance each node is reached, and where they began by what was decided."""

from __future__ import annotations

from math import exp, isqrt, log
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from clusters.engine.columns import interleaved, zone_key
from clusters.engine.configuration.profiles import interested_extenders
from clusters.engine.plugin import Plugin
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling.explanation import may_share_an_evaluation
from clusters.engine.scheduling.search import foreign_scorers, heap_order, sampling_of, takes_first

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from clusters.engine.objects import Node
    from clusters.engine.scheduling.cycle import Cycle
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.status import Index, Ints, Mask

# With what chance a search that ends early reaches each node, and with what chance the pod gets it.
#
# Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go``, v1.34.1. A search begins where the one
# before it ended, which nobody outside knows: here each of the N places in the order is as likely as any other. As in
# ``search_order.py``, nodes are looked at one by one and in the order that a scheduler has which started with these
# nodes.

# Scoring what a search found takes about a tenth of a millisecond: so many different searches take some seconds.
MOST_SEARCHES = 20_000


class SearchChances(Struct, frozen=True):
    """From how many of the N starts a search reaches each node.

    ``order`` (N,): rows in the order of the search. ``reached`` (N,), by row: the number of starts from which the node
    is looked at before the search has found enough; a feasible node is then among those that are compared. ``wanted``:
    how many feasible nodes are compared, ``feasible`` how many there are, which is more.
    """

    order: Index
    reached: Index
    wanted: int
    feasible: int

    @property
    def starts(self) -> int:
        return len(self.order)


def search_chances(explanation: Explanation) -> SearchChances | None:
    """Count the starts from which a search reaches each node.

    None where every node is looked at, where an error or a nomination decides, and where PreFilter leaves nodes out:
    the order of the others is then another one each time.
    """
    cycle = explanation.cycle
    wanted = explanation.sampling.wanted
    if (
        explanation.takes_nominated
        or cycle.stopped_by is not None
        or cycle.filter_error is not None
        or not cycle.considered.all()
        or len(cycle.feasible) <= wanted
    ):
        return None
    order = explanation.snapshot.nodes.search_order
    places = _feasible_places(order, cycle.feasible)
    count, found = len(order), len(places)
    everywhere = np.arange(count)
    # How many feasible nodes stand before each place, counted from the first place.
    before = np.searchsorted(places, everywhere)
    fits = np.zeros(count, np.bool_)
    fits[places] = True
    # A feasible node is compared unless `wanted` feasible ones come before it; any other is looked at unless one more
    # does. The start must lie behind the feasible node so far back.
    back = np.where(fits, wanted, wanted + 1)
    behind = places[(before - back) % found]
    reached = np.zeros(count, np.intp)
    reached[order] = _distance(behind, everywhere, count)
    return SearchChances(order, reached, wanted, found)


def choice_chances(
    explanation: Explanation,
    chances: SearchChances,
    row: int | None = None,
    *,
    between: Callable[[], None] = lambda: None,
) -> dict[int, float] | None:
    """With what chance the pod gets each feasible node, by row; one of the best is taken as the release takes it.

    Every search that differs in what it finds is scored by itself, as scores are normalised over the nodes that were
    found. With ``row``, a feasible one, only the searches that find it are scored, and only its chance is complete.
    ``between`` is called between searches, and may end all by an error. None where something rejects or scores that is
    not computed, where scoring fails, or where there are more than ``MOST_SEARCHES`` searches to score.
    """
    # Extenders answer about the nodes that they are asked about: of another search nothing is known.
    others = foreign_scorers(explanation.profile) or interested_extenders(explanation.profile, explanation.pod)
    if others or explanation.uncertainties or explanation.cycle.score_error is not None:
        return None
    searches = Searches(explanation, chances)
    firsts = range(chances.feasible) if row is None else searches.finding(row)
    if len(firsts) > MOST_SEARCHES:
        return None
    found = np.zeros(len(chances.order))
    for first in firsts:
        between()
        best = searches.taken_from(first)
        found[best] += searches.starts[first] / chances.starts / max(1, len(best))
    return {each: float(found[each]) for each in np.flatnonzero(found).tolist()}


class Searches:
    """The different searches: each finds ``wanted`` feasible nodes that follow each other, from the first one on.

    ``are_scored_alike``: a node has the same total in each search that finds it.

    Raw scores of plugins that judge each node by itself are those of the explanation; the others score again where
    what they go by has changed. Arrays in the order of the search go twice round, so that each search is a slice.
    """

    def __init__(self, explanation: Explanation, chances: SearchChances) -> None:
        cycle = explanation.cycle
        self._wanted, self._count = chances.wanted, chances.feasible
        self._takes_first = takes_first(
            explanation.snapshot.release, explanation.profile, explanation.pod, cycle.considered
        )
        places = _feasible_places(chances.order, cycle.feasible)
        rows = chances.order[places]
        # From the place behind the feasible node before, up to the first one that is found.
        self.starts = _distance(np.roll(places, 1), places, chances.starts)
        self._rows = np.concatenate((rows, rows))
        self._place_of = {row: place for place, row in enumerate(rows.tolist())}
        position = np.searchsorted(cycle.feasible, self._rows)
        self._alike = np.zeros(len(self._rows), np.int64)
        self._varying: list[_Scorer] = []
        for score in cycle.scores:
            plugin = cycle.plugins[score.plugin]
            if type(plugin).normalise is Plugin.normalise and type(plugin).scored_by is Plugin.scored_by:
                self._alike += score.weighted[position]
            else:
                self._varying.append(_Scorer(cycle, plugin, score.weight, score.raw[position], self._rows))

    def finding(self, row: int) -> list[int]:
        """The searches that find a feasible node, by the number of the first one that each finds."""
        place = self._place_of[row]
        return [(place - back) % self._count for back in range(self._wanted)]

    @property
    def are_scored_alike(self) -> bool:
        return all(scorer.is_even for scorer in self._varying)

    def taken_from(self, first: int) -> Index:
        """The rows of which a search takes any one: those with the highest total, or one of them."""
        rows, totals = self.found_from(first)
        places = np.flatnonzero(totals == totals.max())
        if self._takes_first:
            places = places[[np.argmin(heap_order(len(rows))[places])]]
        taken: Index = rows[places]
        return taken

    def found_from(self, first: int) -> tuple[Index, Ints]:
        """Rows that a search finds, in the order of the search, and their totals."""
        found = slice(first, first + self._wanted)
        totals = self._alike[found]
        for scorer in self._varying:
            totals = totals + scorer.weighted(found)
        return self._rows[found], totals


class _Scorer:
    """A plugin whose scores depend on which nodes a search found."""

    def __init__(self, cycle: Cycle, plugin: Plugin, weight: int, raw: Ints, rows: Index) -> None:
        self._cycle, self._plugin, self._weight, self._rows = cycle, plugin, weight, rows
        self._scores_alike = type(plugin).scored_by is Plugin.scored_by
        self._raw = raw
        self._instances: dict[Hashable, tuple[Plugin, Ints]] = {}

    @property
    def is_even(self) -> bool:
        """Whether it tells no node from another, so that it does not matter which of them were found."""
        return self._scores_alike and bool((self._raw == self._raw[0]).all())

    def weighted(self, found: slice) -> Ints:
        """The weighted scores of what a search found."""
        if self._scores_alike:
            return self._plugin.normalise(self._raw[found]) * self._weight
        rows = self._rows[found]
        key = self._plugin.scored_by(rows)
        if key not in self._instances:
            # Plugins remember what they scored last: that of the explanation is left alone.
            plugin = PLUGINS[self._plugin.name](self._cycle.context)
            plugin.pre_score(rows)
            # Each node once: plugins score sets of nodes.
            once = plugin.score(self._rows[: len(self._rows) // 2])
            self._instances[key] = (plugin, np.concatenate((once, once)))
        plugin, raw = self._instances[key]
        plugin.pre_score(rows)
        return plugin.normalise(raw[found]) * self._weight


def _feasible_places(order: Index, feasible: Index) -> Index:
    """Where the feasible nodes stand in the order, rising."""
    return np.flatnonzero(np.isin(order, feasible))


def _distance(behind: Index, place: Index, count: int) -> Index:
    """How many places lie after one and up to another, round the end; from a place to itself it is once round."""
    distance: Index = (place - behind - 1) % count + 1
    return distance


# From where the next search of a scheduler can begin, by what its searches before have chosen.
#
# Upstream: ``nextStartNodeIndex`` of ``pkg/scheduler/scheduler.go`` and ``findNodesThatFitPod`` of
# ``schedule_one.go``, v1.34.1. It is a place in the order of nodes, one for all profiles of a scheduler; each search
# begins at it and moves it on by the number of nodes that it looked at. It begins at 0.
#
# Beside the start two things are not known: in which order the scheduler has the nodes, and how many of its workers
# search at the same time. What both may be are the rows here; the number of workers can be another one each time.
# Each start of each row is measured by how likely it is, all decisions before taken together.

Surprises = NDArray[np.float32]

# Decisions are now and then heard in another order than they were taken, or judged on a state that is not quite the
# scheduler's: with this chance any node is chosen, whatever the start.
_ODD_CHANCE = 0.05
ODD = -log(_ODD_CHANCE)
# A start that is one odd decision less likely than the likeliest is kept.
_KEPT = ODD + 0.01
# So many odd decisions less likely it is still looked at closely.
_LIKELY = 2 * ODD
# None is held to be less likely than by so many, so that one is found again after the scheduler was restarted.
MOST = 4 * ODD
# With this chance another number of workers searches the next time.
_CHANGING = 0.3
# Up to this a decision is one that was to be expected from a start.
_EXPECTED = ODD / 2
# A deviation of no places, as a number to divide by.
_EXACT = 0.1
# Up to which part of all places a set of starts says something.
_NARROW = 4


def surprise(chances: Chances) -> Surprises:
    """How surprising it is that something happened which had these chances: 0 for what was certain, at most ``ODD``."""
    found: Surprises = -np.log(_ODD_CHANCE + (1 - _ODD_CHANCE) * chances).astype(np.float32)
    return found


class Advance(Struct, frozen=True):
    """By how many places a search moves each start, at least and at most, each of shape (N,).

    How likely the places between are follows a normal distribution around ``likely`` with the standard deviation
    ``deviation``; where that is infinite, one is as likely as the other.
    """

    least: Index
    most: Index
    likely: Index
    deviation: Chances

    @classmethod
    def between(cls, least: int, most: int, nodes: int) -> Self:
        """The same for every start."""
        at_least = np.full(nodes, least, np.intp)
        return cls(at_least, np.full(nodes, most, np.intp), at_least, np.full(nodes, np.inf))

    def moved(self, chances: Chances) -> Chances:
        """Where starts are after it, by what is likely before; both of shape (N,)."""
        count = len(chances)
        spread = np.minimum(self.most - self.least, count - 1)
        if (spread == count - 1).all() and np.isinf(self.deviation).all():
            return np.full(count, chances.sum() / count)
        steps = range(int(spread.max()) + 1)
        first = (self.least - self.likely).astype(np.float64)
        width = np.maximum(self.deviation, _EXACT)
        weights = [np.where(spread >= step, np.exp(-0.5 * ((first + step) / width) ** 2), 0.0) for step in steps]
        shares = chances / np.sum(weights, axis=0)
        targets = np.arange(count) + self.least
        moved: Chances = np.zeros(count)
        for step, weight in zip(steps, weights, strict=True):
            moved += np.bincount((targets + step) % count, shares * weight, minlength=count)
        return moved


class Attempt(Struct, frozen=True):
    """What one attempt to schedule a pod says of the starts, a row each.

    ``surprises`` (N,): how surprising the choice is from each start. ``advances``: how the attempt moves the starts.
    """

    surprises: Sequence[Surprises]
    advances: Sequence[Advance]


class SearchStarts(Struct, frozen=True, eq=False):
    """Where searches of N nodes can begin: ``surprises`` (R, N), how much less likely each is than the likeliest.

    They are negative logarithms; the least is 0.
    """

    surprises: Surprises

    @classmethod
    def anywhere(cls, rows: int, nodes: int) -> Self:
        """Nothing is known."""
        return cls(np.zeros((rows, nodes), np.float32))

    @property
    def nodes(self) -> int:
        return int(self.surprises.shape[1])

    @property
    def kept(self) -> Mask:
        """Shape (R, N): where the next search can begin, as far as the decisions before make that likely."""
        return self.surprises <= _KEPT

    @property
    def likely(self) -> Mask:
        """Shape (R, N): where the next search can begin, with some that were nearly given up."""
        return self.surprises <= _LIKELY

    @property
    def is_alive(self) -> list[bool]:
        """Of each row, whether it is worth going on with."""
        return [bool(row.min() < MOST - _EXACT) for row in self.surprises]

    def expecting(self, attempt: Attempt) -> Mask:
        """Shape (R, N): kept starts from which it was to be expected that the scheduler chose as it did."""
        return self.kept & (np.stack(attempt.surprises) <= _EXPECTED)

    def evidence(self, attempt: Attempt) -> float:
        """How much likelier a choice is from where the search can have begun than from anywhere, as a logarithm.

        Where the scheduler has the nodes in another order, it is as often less likely.
        """
        alive = np.array(self.is_alive)
        before = np.exp(-self.surprises[alive].astype(np.float64))
        chances = np.exp(-np.stack(attempt.surprises)[alive].astype(np.float64))
        return float(np.log((before * chances).sum() / before.sum() / chances.mean()))

    def after(self, attempt: Attempt, *, together: int = 1) -> SearchStarts:
        """Where the search after an attempt can begin; of rows that follow each other so many are of one order."""
        chances = np.exp(-np.minimum(self.surprises + np.stack(attempt.surprises), MOST).astype(np.float64))
        moved = np.stack([advance.moved(row) for advance, row in zip(attempt.advances, chances, strict=True)])
        by_order = moved.reshape(-1, together, self.nodes)
        mixed = (1 - _CHANGING) * by_order + _CHANGING * by_order.mean(axis=1, keepdims=True)
        surprises = -np.log(np.maximum(mixed / mixed.max(), exp(-MOST)))
        return SearchStarts(surprises.reshape(moved.shape).astype(np.float32))

    def among(self, rows: Sequence[int], nodes: int) -> SearchStarts:
        """The same starts when the nodes are others: a start is a place, whatever node is there.

        ``rows``: which row each of the new ones follows from.
        """
        if nodes == self.nodes and list(rows) == list(range(len(self.surprises))):
            return self
        known = self.surprises[list(rows)]
        moved = np.full((len(rows), nodes), MOST, np.float32)
        for first in range(0, self.nodes, nodes):
            part = known[:, first : first + nodes]
            np.minimum(moved[:, : part.shape[1]], part, out=moved[:, : part.shape[1]])
        return SearchStarts(moved - moved.min())


# How far a search goes from each start, as far as that can be known.
#
# Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go``, ``chunkSizeFor`` of
# ``pkg/scheduler/framework/parallelize/parallelism.go`` (v1.34.1) and client-go's ``ParallelizeUntil``. Workers take
# pieces of the walk in turn, and all stop when one of them finds a node more than is wanted. One worker looks at the
# nodes one by one, so that its walk is known. Several are each somewhere in one of the pieces that were begun last:
# from there on it becomes less and less likely that a node was looked at.

Chances = NDArray[np.float64]

# A number of rejected nodes is this many times its standard deviation away from what is expected, at most.
_DEVIATIONS = 2.5
# What is expected is not quite right itself: the deviations are larger by so much.
_MORE = 1.3


class Walks(Struct, frozen=True):
    """Searches by the place in the order from which they start, each array of shape (N,).

    From its start on a search looks at ``surely`` nodes, and at none beyond ``at_most``. The next search starts at
    least ``least`` and at most ``most`` places later, most likely ``alone``, with the standard deviation ``deviation``.
    """

    surely: Index
    at_most: Index
    least: Index
    most: Index
    alone: Index
    deviation: Chances

    @classmethod
    def of(cls, fits: Mask, wanted: int, workers: int) -> Self:
        """Searches among N nodes, more than ``wanted`` of which fit: ``fits`` (N,) is in the order of the search.

        ``workers``: how many search at the same time.
        """
        count = len(fits)
        starts = np.arange(count)
        places = np.flatnonzero(fits)
        twice = np.concatenate((places, places + count))
        # Up to the node that fits and is one too many.
        alone = twice[np.searchsorted(places, starts) + wanted] - starts
        piece = max(1, min(isqrt(count), count // workers + 1))
        together = min(workers, -(-count // piece))
        if together == 1:
            return cls(alone, alone, alone, alone, alone, np.zeros(count))
        reach = together * piece // 2
        surely, at_most = np.maximum(alone - reach, 0), np.minimum(alone + reach, count)
        rejected = np.concatenate(([0], np.cumsum(np.tile(~fits, 2))))
        open_to_chance = rejected[starts + at_most] - rejected[starts + surely]
        # Of a node whose chance is evenly spread between none and certainty the mean variance is a sixth.
        deviation = _MORE * np.sqrt(open_to_chance / 6)
        off = np.ceil(_DEVIATIONS * deviation).astype(np.intp)
        least, most = np.maximum(alone - off, wanted), np.minimum(alone + off, count)
        return cls(surely, at_most, least, most, alone, deviation)

    def chances(self, starts: Index, ahead: Index) -> Chances:
        """With what chance nodes so many places ahead are looked at; both arrays broadcast to one shape."""
        surely, at_most = self.surely[starts], self.at_most[starts]
        chances: Chances = np.clip((at_most - ahead) / np.maximum(at_most - surely, 1), 0.0, 1.0)
        return chances


# What an attempt to schedule a pod says of the starts, read from its explanation.
#
# Upstream: ``findNodesThatFitPod`` of ``pkg/scheduler/schedule_one.go`` v1.34.1. A search that finds no more nodes
# than are wanted looks at all of them, which moves the start once round; so does one for a pod that fits nowhere.
# PreFilter that rejects the pod, and a nominated node that is taken, leave the start where it is. Where PreFilter
# names the nodes, the start moves by as many of them as were looked at.

# Scoring what a search found takes about a tenth of a millisecond, and decisions come in bursts.
MOST_SCORED = 300
# In the place of a chance of nothing, which has no logarithm.
_TINY = 1e-9
# One refusal that is heard can stand for several attempts.
_REPEATED = 3


class SearchCourse(Struct, frozen=True):
    """How a scheduler may search: in which order of the nodes, shape (N,), and with how many workers at a time."""

    order: Index
    workers: int


def bound(explanation: Explanation, node: str | None, starts: SearchStarts, courses: Sequence[SearchCourse]) -> Attempt:
    """What it says that a pod was bound to a node, or to one that the explanation does not allow (None).

    ``courses`` are the rows of the starts.
    """
    count, wanted, cycle = explanation.node_count, explanation.sampling.wanted, explanation.cycle
    # Whether something that is not computed has a say in which nodes are found, or in which of them is chosen
    profile = explanation.profile
    others = foreign_scorers(profile) or profile.unknown_plugins or interested_extenders(profile, explanation.pod)
    if (
        others
        or explanation.uncertainties
        or may_share_an_evaluation(explanation)
        or cycle.error is not None
        or cycle.filter_error is not None
        or not len(cycle.feasible)
    ):
        return _moving(Advance.between(0, count, count), len(courses))
    if explanation.takes_nominated:
        return _moving(Advance.between(0, 0, count), len(courses))
    considered = int(cycle.considered.sum())
    # A nominated node that no longer fits is looked at before the search, and counts by itself if that ends early.
    besides = int(cycle.nominated_row is not None)
    if len(cycle.feasible) <= wanted:
        besides = besides if considered < count else 0
        return _moving(Advance.between(considered, considered + besides, count), len(courses))
    if considered < count:
        return _moving(Advance.between(wanted, considered + besides, count), len(courses))
    row = None if node is None else explanation.snapshot.nodes.index.get(node)
    fits = [np.isin(course.order, cycle.feasible) for course in courses]
    walks = [Walks.of(each, wanted, course.workers) for each, course in zip(fits, courses, strict=True)]
    choices: dict[int, _Choice] = {}
    surprises, advances = [], []
    for number, course in enumerate(courses):
        walk, found = walks[number], np.zeros(count)
        if row is not None and starts.is_alive[number] and explanation.total_of(row) is not None:
            key = id(course.order)
            if key not in choices:
                rows = [each.order is course.order for each in courses]
                asked = np.atleast_1d(starts.likely[rows].any(axis=0))
                choices[key] = _Choice.of(explanation, row, course.order, walk, asked)
            found = choices[key].chances(walk)
        surprises.append(surprise(found))
        advances.append(Advance(walk.least, walk.most + besides, walk.alone, walk.deviation))
    return Attempt(surprises, advances)


def refused(explanation: Explanation, rows: int) -> Attempt:
    """What it says that a pod was refused."""
    count, cycle = explanation.node_count, explanation.cycle
    looked_at = 0 if cycle.stopped_by is not None else int(cycle.considered.sum()) % count
    return _moving(Advance.between(looked_at, _REPEATED * looked_at, count), rows)


def _moving(advance: Advance, rows: int) -> Attempt:
    """An attempt that says nothing but how it moved the start."""
    return Attempt([surprise(np.ones(len(advance.least)))] * rows, [advance] * rows)


class _Choice(Struct, frozen=True):
    """The node that was chosen, at a ``place`` in an order of N nodes, and the better ones.

    ``better``: their places, where a node has the same total in each search that finds it. Otherwise the better ones
    depend on which nodes a search finds: from the start ``starts[i]`` on, one is so many places ``ahead[i]``.
    """

    place: int
    nodes: int
    better: Index
    starts: Index
    ahead: Index

    @classmethod
    def of(cls, explanation: Explanation, row: int, order: Index, walks: Walks, asked: Mask) -> Self:
        """Read it from an explanation, and look for better nodes from the starts ``asked`` for, shape (N,).

        Scores are those among the nodes that one worker would have found.
        """
        count, feasible = len(order), explanation.cycle.feasible
        place_of = np.empty(count, np.intp)
        place_of[order] = np.arange(count)
        none = np.empty(0, np.intp)
        searches = Searches(explanation, SearchChances(order, walks.surely, explanation.sampling.wanted, len(feasible)))
        if searches.are_scored_alike:
            totals = explanation.cycle.totals
            better = place_of[feasible[totals > totals[feasible == row]]]
            return cls(int(place_of[row]), count, better, none, none)
        begun = np.flatnonzero(asked)
        firsts = np.searchsorted(np.flatnonzero(np.isin(order, feasible)), begun) % len(feasible)
        starts, ahead = [none], [none]
        if len(np.unique(firsts)) <= MOST_SCORED:
            for first in np.unique(firsts).tolist():
                rows, totals = searches.found_from(first)
                own = totals[rows == row]
                better = place_of[rows[totals > own]] if len(own) else none
                from_here = begun[firsts == first]
                starts.append(np.repeat(from_here, len(better)))
                ahead.append(((better - from_here[:, None]) % count).ravel())
        return cls(int(place_of[row]), count, none, np.concatenate(starts), np.concatenate(ahead))

    def chances(self, walks: Walks) -> Chances:
        """Shape (N,): with what chance a search from each start finds the node to be one of the best that it sees."""
        everywhere = np.arange(self.nodes)
        found = walks.chances(everywhere, (self.place - everywhere) % self.nodes)
        if len(self.better):
            passed = np.concatenate(([0], np.cumsum(np.tile(np.isin(everywhere, self.better), 2))))
            found[passed[everywhere + walks.surely] > passed[everywhere]] = 0
            asked = np.flatnonzero(found)
            for place in self.better.tolist():
                found[asked] *= 1 - walks.chances(asked, (place - asked) % self.nodes)
        if len(self.starts):
            missed = np.maximum(1 - walks.chances(self.starts, self.ahead), _TINY)
            found *= np.exp(np.bincount(self.starts, np.log(missed), minlength=self.nodes))
        return found


# The orders in which a scheduler may hold the nodes that it searches.
#
# Upstream: ``addNode`` and ``list`` of ``pkg/scheduler/backend/cache/node_tree.go`` v1.34.1, and ``Replace`` of
# client-go's queues. A scheduler that starts is told of all nodes by name, and of later ones as they come; the zones
# then take turns. When it started nobody outside knows: after all nodes, before all of them, or in between. Of the
# last it is followed when it started before the first of these nodes was seen that came later.
#
# From 1.35 on a scheduler that starts is told of the nodes that are there in no order (``watchList`` of client-go's
# ``reflector.go`` v0.37.2 collects them in a map). Only one that started before all of them is followed there; those
# that were created within one second count as created by name, unless they were seen to come.


class KnownOrders(NamedTuple):
    """Different orders of rows, each of shape (N,), and for each of them the number that it had before (0 at first)."""

    orders: tuple[Index, ...]
    sources: tuple[int, ...]


class NodeOrders:
    """The possible orders of a cluster's nodes, as nodes come and go."""

    def __init__(self, *, is_told_by_name: bool = True) -> None:
        self._is_told_by_name = is_told_by_name
        self._nodes: list[Node] = []
        # Names in the order in which a scheduler was told of them, the first ones by name or else by age.
        self._heard: list[str] = []
        self._orders: tuple[Index, ...] = ()
        # Which of the orders is that by name, by age and as heard.
        self._numbers = (0, 0, 0)

    @property
    def told(self) -> tuple[tuple[str, ...], tuple[int, int, int]]:
        """What to go on from: names as they were heard, and which of the orders is by name, by age and as heard."""
        return tuple(self._heard), self._numbers

    def go_on(self, heard: Sequence[str], numbers: tuple[int, int, int]) -> None:
        """Know what others were told."""
        self._heard, self._numbers = list(heard), numbers

    def of(self, nodes: Sequence[Node]) -> KnownOrders:
        """Return the orders of these nodes, which are sorted by name."""
        # Nodes change often, and hardly ever in what orders them.
        is_known = len(self._nodes) == len(nodes) and all(
            known is node or _place(known) == _place(node) for known, node in zip(self._nodes, nodes, strict=True)
        )
        self._nodes = list(nodes)
        if is_known:
            return KnownOrders(self._orders, tuple(range(len(self._orders))))
        orders: list[Index] = []
        numbers = []
        row_of = {node.name: row for row, node in enumerate(nodes)}
        by_age = sorted(range(len(nodes)), key=lambda row: nodes[row].created)
        known = {name: None for name in self._heard if name in row_of}
        if not self._heard and self._is_told_by_name:
            known = dict.fromkeys(row_of)
        self._heard = [*known, *(nodes[row].name for row in by_age if nodes[row].name not in known)]
        aged = _in_turn(nodes, by_age)
        for order in (
            interleaved(nodes) if self._is_told_by_name else aged,
            aged,
            _in_turn(nodes, [row_of[name] for name in self._heard]),
        ):
            number = next((place for place, each in enumerate(orders) if np.array_equal(each, order)), len(orders))
            numbers.append(number)
            if number == len(orders):
                orders.append(order)
        sources = tuple(self._numbers[numbers.index(number)] for number in range(len(orders)))
        self._orders, self._numbers = tuple(orders), (numbers[0], numbers[1], numbers[2])
        return KnownOrders(self._orders, sources)


def _in_turn(nodes: Sequence[Node], rows: Sequence[int]) -> Index:
    """Let the zones take turns, of nodes that came in this order."""
    return np.array(rows, np.intp)[interleaved([nodes[row] for row in rows])]


def _place(node: Node) -> tuple[str, tuple[str, str], int]:
    """What orders a node among others."""
    return node.name, zone_key(node.labels), node.created


# Following a scheduler's searches: where each began, which nodes it looked at, and whether it explains the choice.

# So much evidence proves that the scheduler has the nodes in one of the orders that are followed. It is bounded, so
# that a scheduler that starts anew and has them in another order is noticed soon, and one that is followed again, too.
_PROVES = ODD
_LEAST_EVIDENCE, _MOST_EVIDENCE = -ODD, 4 * ODD


class LookedAt(Struct, frozen=True):
    """How many nodes a search looked at: ``likely`` at so many, and ``possibly`` at others up to so many.

    It began at the node ``first``, at ``last``, or at one between them in the order of the search.
    """

    first: str
    last: str
    likely: int
    possibly: int


class SearchFinding(Struct, frozen=True):
    """What is known of the search that chose a node.

    It began in one of ``places`` places of ``nodes``, by the decisions before; ``is_expected``: the choice was to be
    expected from one of them, and then ``looked_at`` says what follows. ``is_followed``: the choices before are so much
    likelier from where their searches began than from anywhere that the order of the nodes is right.
    """

    places: int
    nodes: int
    is_expected: bool
    is_followed: bool
    looked_at: LookedAt | None

    @property
    def is_proof(self) -> bool:
        """Whether the choice follows from where the search began, which hardly any other choice would."""
        return self.is_followed and self.is_expected and self.places * _NARROW <= self.nodes


class HeardAttempt(Struct, frozen=True):
    """An attempt, the starts that were possible before it, and what is known of its search, if it chose a node."""

    before: SearchStarts
    attempt: Attempt
    finding: SearchFinding | None = None


class FollowedState(Struct, frozen=True):
    """What a follower knows: the orders of the nodes, as ``NodeOrders.told`` has them, the starts, and the evidence.

    ``evidence``: how much likelier the choices are from these starts than from any, as a logarithm.
    """

    heard: tuple[str, ...]
    numbers: tuple[int, int, int]
    starts: SearchStarts
    evidence: float


class SearchFollower:
    """The starts of one scheduler, as its decisions are heard, in the order in which it took them."""

    def __init__(self, parallelism: int, *, is_told_by_name: bool = True) -> None:
        """Begin with nothing known; ``parallelism`` is that of the scheduler's configuration.

        ``is_told_by_name``: whether a scheduler that starts is told of the nodes by name, and not in any order.
        """
        self._numbers = [1 << power for power in range(parallelism.bit_length())]
        self._orders = NodeOrders(is_told_by_name=is_told_by_name)
        self._starts: SearchStarts | None = None
        self._evidence = 0.0

    @property
    def state(self) -> FollowedState | None:
        """What another follower of the same scheduler can go on from; None where nothing is known."""
        return None if self._starts is None else FollowedState(*self._orders.told, self._starts, self._evidence)

    def resume(self, state: FollowedState) -> None:
        """Go on from what another follower knew, after the same decisions."""
        self._orders.go_on(state.heard, state.numbers)
        self._starts, self._evidence = state.starts, state.evidence

    def hear(self, explanation: Explanation, node: str | None) -> HeardAttempt | None:
        """Read what it says that a pod was bound to a node, or to one that the explanation does not allow (None).

        Where all nodes are looked at it says nothing.
        """
        if _is_complete(explanation):
            return None
        courses, starts = self._courses(explanation.snapshot.nodes.nodes)
        attempt = bound(explanation, node, starts, courses)
        is_sampled = len(explanation.cycle.feasible) > explanation.sampling.wanted and not explanation.takes_nominated
        if node is None or not is_sampled:
            return HeardAttempt(starts, attempt)
        expecting = starts.expecting(attempt)
        places = int(starts.kept.any(axis=0).sum())
        looked_at = _looked_at(explanation, courses, starts, expecting) if expecting.any() else None
        finding = SearchFinding(
            places=places,
            nodes=starts.nodes,
            is_expected=bool(expecting.any()),
            is_followed=self._evidence >= _PROVES,
            looked_at=looked_at,
        )
        return HeardAttempt(starts, attempt, finding)

    def hear_refusal(self, explanation: Explanation) -> HeardAttempt | None:
        """Read what it says that a pod was refused, if anything."""
        if _is_complete(explanation):
            return None
        courses, starts = self._courses(explanation.snapshot.nodes.nodes)
        return HeardAttempt(starts, refused(explanation, len(courses)))

    def take(self, heard: HeardAttempt) -> None:
        """Go on to where the search after an attempt can begin."""
        self._starts = heard.before.after(heard.attempt, together=len(self._numbers))
        if heard.finding is not None:
            evidence = self._evidence + heard.before.evidence(heard.attempt)
            self._evidence = min(max(evidence, _LEAST_EVIDENCE), _MOST_EVIDENCE)

    def lose(self) -> None:
        """Forget all: there were decisions of which nothing is known, or the scheduler is another one."""
        self._starts = None

    def _courses(self, nodes: Sequence[Node]) -> tuple[list[SearchCourse], SearchStarts]:
        known, kinds = self._orders.of(nodes), len(self._numbers)
        courses = [SearchCourse(order, workers) for order in known.orders for workers in self._numbers]
        if self._starts is None:
            return courses, SearchStarts.anywhere(len(courses), len(nodes))
        rows = [kinds * source + number for source in known.sources for number in range(kinds)]
        self._starts = self._starts.among(rows, len(nodes))
        return courses, self._starts


def _is_complete(explanation: Explanation) -> bool:
    """Whether the scheduler looks at all nodes in any case, and so ends where it began."""
    return sampling_of(explanation.profile, explanation.node_count).complete


def _looked_at(
    explanation: Explanation, courses: Sequence[SearchCourse], starts: SearchStarts, expecting: Mask
) -> LookedAt:
    """What searches that explain a choice have looked at, by the order of nodes that explains it best."""
    best = int(np.argmin(np.where(expecting, starts.surprises, np.inf).min(axis=1)))
    order = courses[best].order
    count, wanted = len(order), explanation.sampling.wanted
    fits = np.isin(order, explanation.cycle.feasible)
    everywhere = np.zeros(count, np.intp)
    surely, possibly, searches = everywhere, everywhere, 0
    for course, expected in zip(courses, expecting, strict=True):
        if course.order is order and expected.any():
            found, walks = np.flatnonzero(expected), Walks.of(fits, wanted, course.workers)
            surely = surely + _covered(found, walks.surely[found], count)
            possibly = possibly + _covered(found, walks.at_most[found], count)
            searches += len(found)
    places = np.flatnonzero(expecting[[each.order is order for each in courses]].any(axis=0))
    names = explanation.snapshot.nodes.names
    # The first and the last of some places, on the shortest way round that has them all
    widest = int(np.diff(places, append=places[0] + count).argmax())
    first, last = int(places[(widest + 1) % len(places)]), int(places[widest])
    return LookedAt(
        first=names[int(order[first])],
        last=names[int(order[last])],
        likely=int((surely == searches).sum()),
        possibly=int((possibly > 0).sum()),
    )


def _covered(starts: Index, lengths: Index, count: int) -> Index:
    """How many of some walks look at each place, shape (N,)."""
    steps = np.zeros(2 * count + 1, np.intp)
    np.add.at(steps, starts, 1)
    np.add.at(steps, starts + lengths, -1)
    covered = np.cumsum(steps)
    twice: Index = covered[:count] + covered[count : 2 * count]
    return twice
