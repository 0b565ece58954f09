"""From where the next search of a scheduler can begin, by what its searches before have chosen.

Upstream: ``nextStartNodeIndex`` of ``pkg/scheduler/scheduler.go`` and ``findNodesThatFitPod`` of ``schedule_one.go``,
v1.34.1. It is a place in the order of nodes, one for all profiles of a scheduler; each search begins at it and moves
it on by the number of nodes that it looked at. It begins at 0.

Beside the start two things are not known: in which order the scheduler has the nodes, and how many of its workers
search at the same time. What both may be are the rows here; the number of workers can be another one each time. Each
start of each row is measured by how likely it is, all decisions before taken together.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
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


@dataclass(frozen=True, slots=True)
class Advance:
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
        furthest = int(spread.max())
        steps = range(furthest + 1)
        first = (self.least - self.likely).astype(np.float64)
        width = np.maximum(self.deviation, _EXACT)
        weights = [np.where(spread >= step, np.exp(-0.5 * ((first + step) / width) ** 2), 0.0) for step in steps]
        shares = chances / np.sum(weights, axis=0)
        targets = np.arange(count) + self.least
        moved: Chances = np.zeros(count)
        for step, weight in zip(steps, weights, strict=True):
            moved += np.bincount((targets + step) % count, shares * weight, minlength=count)
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
        sums = np.minimum(self.surprises + np.stack(attempt.surprises), MOST)
        chances = np.exp(-sums.astype(np.float64))
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


def is_narrow(places: int, nodes: int) -> bool:
    """Whether so few of all places are left that a start which explains a decision says something."""
    return places * _NARROW <= nodes
