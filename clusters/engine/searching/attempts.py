"""What an attempt to schedule a pod says of the starts, read from its explanation.

Upstream: ``findNodesThatFitPod`` of ``pkg/scheduler/schedule_one.go`` v1.34.1. A search that finds no more nodes than
are wanted looks at all of them, which moves the start once round; so does one for a pod that fits nowhere. PreFilter
that rejects the pod, and a nominated node that is taken, leave the start where it is. Where PreFilter names the nodes,
the start moves by as many of them as were looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from clusters.engine.batching import may_share_an_evaluation
from clusters.engine.configuration.interest import interested_extenders
from clusters.engine.sampling import foreign_scorers
from clusters.engine.search_chances import SearchChances, Searches
from clusters.engine.searching.starts import Advance, Attempt, surprise
from clusters.engine.searching.walks import Walks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.searching.starts import SearchStarts
    from clusters.engine.searching.walks import Chances
    from clusters.engine.status import Index, Mask

# Scoring what a search found takes about a tenth of a millisecond, and decisions come in bursts.
MOST_SCORED = 300
# In the place of a chance of nothing, which has no logarithm.
_TINY = 1e-9
# One refusal that is heard can stand for several attempts.
_REPEATED = 3


@dataclass(frozen=True, slots=True)
class SearchCourse:
    """How a scheduler may search: in which order of the nodes, shape (N,), and with how many workers at a time."""

    order: Index
    workers: int


def bound(explanation: Explanation, node: str | None, starts: SearchStarts, courses: Sequence[SearchCourse]) -> Attempt:
    """What it says that a pod was bound to a node, or to one that the explanation does not allow (None).

    ``courses`` are the rows of the starts.
    """
    count, wanted, cycle = explanation.node_count, explanation.sampling.wanted, explanation.cycle
    if _has_others(explanation) or cycle.error is not None or cycle.filter_error is not None or not len(cycle.feasible):
        return unheard(count, len(courses))
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


def unheard(nodes: int, rows: int) -> Attempt:
    """What attempts say of which nothing is known: after them a search can begin anywhere."""
    return _moving(Advance.between(0, nodes, nodes), rows)


def _moving(advance: Advance, rows: int) -> Attempt:
    """An attempt that says nothing but how it moved the start."""
    return Attempt([surprise(np.ones(len(advance.least)))] * rows, [advance] * rows)


def _has_others(explanation: Explanation) -> bool:
    """Whether something that is not computed has a say in which nodes are found, or in which of them is chosen."""
    profile = explanation.profile
    others = foreign_scorers(profile) or profile.unknown_plugins or interested_extenders(profile, explanation.pod)
    return bool(others or explanation.uncertainties) or may_share_an_evaluation(explanation)


@dataclass(frozen=True, slots=True)
class _Choice:
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
