"""What an attempt to schedule a pod says of the starts, read from its explanation.

Upstream: ``findNodesThatFitPod`` of ``pkg/scheduler/schedule_one.go`` v1.34.1. A search that finds no more nodes than
are wanted looks at all of them, which moves the start once round; so does one for a pod that fits nowhere. PreFilter
that rejects the pod, and a nominated node that is taken, leave the start where it is. Where PreFilter names the nodes,
the start moves by as many of them as were looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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
    surprises, advances = [], []
    for course, kept, is_alive in zip(courses, starts.kept, starts.is_alive, strict=True):
        fits = np.isin(course.order, cycle.feasible)
        walks = Walks.of(fits, wanted, course.workers)
        found = np.zeros(count) if not is_alive else _chances(explanation, row, course.order, walks, kept)
        surprises.append(surprise(found))
        advances.append(Advance(walks.least, walks.most + besides))
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
    return bool(others or explanation.uncertainties)


def _chances(explanation: Explanation, row: int | None, order: Index, walks: Walks, kept: Mask) -> Chances:
    """Shape (N,): with what chance a search from each start finds a node to be one of the best that it looked at."""
    count, cycle = len(order), explanation.cycle
    total = None if row is None else explanation.total_of(row)
    if row is None or total is None:
        return np.zeros(count)
    everywhere = np.arange(count)
    place_of = np.empty(count, np.intp)
    place_of[order] = everywhere
    found = walks.chances(everywhere, (place_of[row] - everywhere) % count)
    searches = Searches(
        explanation, SearchChances(order, walks.surely, explanation.sampling.wanted, len(cycle.feasible))
    )
    if searches.are_scored_alike:
        better = place_of[cycle.feasible[cycle.totals > total]]
        passed = np.concatenate(([0], np.cumsum(np.tile(np.isin(everywhere, better), 2))))
        found[passed[everywhere + walks.surely] > passed[everywhere]] = 0
        asked = np.flatnonzero(found)
        found[asked] *= _chances_to_miss(walks, asked, better, count)
        return found
    asked = np.flatnonzero((found > 0) & kept)
    if len(asked) > MOST_SCORED:
        return found
    # Scores are those among the nodes that one worker would have found.
    firsts = np.searchsorted(np.flatnonzero(np.isin(order, cycle.feasible)), asked) % len(cycle.feasible)
    for start, first in zip(asked.tolist(), firsts.tolist(), strict=True):
        rows, totals = searches.found_from(first)
        own = totals[rows == row]
        if len(own):
            better = place_of[rows[totals > own[0]]]
            found[start] *= _chances_to_miss(walks, np.array([start]), better, count)[0]
    return found


def _chances_to_miss(walks: Walks, starts: Index, places: Index, count: int) -> Chances:
    """With what chance a search from each start (S,) looks at none of the nodes in some places, shape (S,)."""
    missed = np.ones(len(starts))
    for place in places.tolist():
        missed *= 1 - walks.chances(starts, (place - starts) % count)
    return missed
