"""From where the next search of a scheduler can begin, by what its searches before have chosen.

Upstream: ``nextStartNodeIndex`` of ``pkg/scheduler/scheduler.go`` and ``findNodesThatFitPod`` of ``schedule_one.go``,
v1.34.1. It is a place in the order of nodes, one for all profiles of a scheduler; each search begins at it and moves
it on by the number of nodes that it looked at. It begins at 0.

Beside the start two things are not known: in which order the scheduler has the nodes, and how many of its workers
search at the same time. What both may be are the rows here. Each start of each row is measured by the likeliest course
of decisions that leads to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.searching.walks import Chances
    from clusters.engine.status import Index, Mask

Surprises = NDArray[np.float32]

# Decisions are now and then heard in another order than they were taken, or judged on a state that is not quite the
# scheduler's: with this chance any node is chosen, whatever the start.
_ODD_CHANCE = 0.05
ODD = -log(_ODD_CHANCE)
# A start that is one odd decision worse than the best is kept.
_KEPT = ODD + 0.01
# None is held to be worse than by so many, so that one is found again after the scheduler was restarted.
MOST = 3 * ODD
# Up to this a decision is one that was to be expected from a start.
_EXPECTED = ODD / 2
# Up to which part of all places a set of starts says something.
_NARROW = 4


def surprise(chances: Chances) -> Surprises:
    """How surprising it is that something happened which had these chances: 0 for what was certain, at most ``ODD``."""
    found: Surprises = -np.log(_ODD_CHANCE + (1 - _ODD_CHANCE) * chances).astype(np.float32)
    return found


@dataclass(frozen=True, slots=True)
class Advance:
    """By how many places a search moves each start, at least and at most, each of shape (N,)."""

    least: Index
    most: Index

    @classmethod
    def between(cls, least: int, most: int, nodes: int) -> Self:
        """The same for every start."""
        return cls(np.full(nodes, least, np.intp), np.full(nodes, most, np.intp))

    def moved(self, surprises: Surprises) -> Surprises:
        """Where starts are after it; ``surprises`` has shape (N,)."""
        count = len(surprises)
        moved = np.full(count, MOST, np.float32)
        starts = np.flatnonzero(surprises < MOST)
        spread = np.minimum(self.most[starts] - self.least[starts], count - 1)
        for further in range(int(spread.max(initial=-1)) + 1):
            some = starts[spread >= further]
            np.minimum.at(moved, (some + self.least[some] + further) % count, surprises[some])
        return moved


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one attempt to schedule a pod says of the starts, a row each.

    ``surprises`` (N,): how surprising the choice is from each start. ``advances``: how the attempt moves the starts.
    """

    surprises: Sequence[Surprises]
    advances: Sequence[Advance]


@dataclass(frozen=True, eq=False)
class SearchStarts:
    """Where searches of N nodes can begin: ``surprises`` (R, N), how surprising the decisions are that lead there.

    The least is 0.
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
    def is_alive(self) -> list[bool]:
        """Of each row, whether it is worth going on with."""
        return [bool(row.min() < MOST) for row in self.surprises]

    def expecting(self, attempt: Attempt) -> Mask:
        """Shape (R, N): kept starts from which it was to be expected that the scheduler chose as it did."""
        return self.kept & (np.stack(attempt.surprises) <= _EXPECTED)

    def after(self, attempt: Attempt) -> SearchStarts:
        """Where the search after an attempt can begin."""
        sums = np.minimum(self.surprises + np.stack(attempt.surprises), MOST)
        moved = np.stack([advance.moved(row) for advance, row in zip(attempt.advances, sums, strict=True)])
        return SearchStarts(moved - moved.min())

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


def is_narrow(places: int, nodes: int) -> bool:
    """Whether so few of all places are left that a start which explains a decision says something."""
    return places * _NARROW <= nodes
