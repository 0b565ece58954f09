"""With what chance a search that ends early reaches each node, and with what chance the pod gets it.

Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go``, v1.34.1. A search begins
where the one before it ended, which nobody outside knows: here each of the N places in the order is as likely as any
other. As in ``search_order.py``, nodes are looked at one by one and in the order that a scheduler has which
started with these nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.configuration.interest import interested_extenders
from clusters.engine.plugin import Plugin
from clusters.engine.registry import PLUGINS
from clusters.engine.sampling import foreign_scorers
from clusters.engine.search_order import heap_order
from clusters.engine.ties import takes_first

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from clusters.engine.cycle import Cycle
    from clusters.engine.explanation import Explanation
    from clusters.engine.status import Index, Ints

# Scoring what a search found takes about a tenth of a millisecond: so many different searches take some seconds.
MOST_SEARCHES = 20_000


@dataclass(frozen=True, slots=True)
class SearchChances:
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
            self._instances[key] = (plugin, plugin.score(self._rows))
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
