"""How far a search goes from each start, as far as that can be known.

Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go``, ``chunkSizeFor`` of
``pkg/scheduler/framework/parallelize/parallelism.go`` (v1.34.1) and client-go's ``ParallelizeUntil``. Workers take
pieces of the walk in turn, and all stop when one of them finds a node more than is wanted. One worker looks at the
nodes one by one, so that its walk is known. Several are each somewhere in one of the pieces that were begun last: from
there on it becomes less and less likely that a node was looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from clusters.engine.status import Index, Mask

Chances = NDArray[np.float64]

# A number of rejected nodes is this many times its standard deviation away from what is expected, at most.
_DEVIATIONS = 2.5
# What is expected is not quite right itself: the deviations are larger by so much.
_MORE = 1.3


@dataclass(frozen=True, slots=True)
class Walks:
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
        piece = _piece(count, workers)
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


def _piece(count: int, workers: int) -> int:
    """How many nodes a worker takes at a time."""
    return max(1, min(isqrt(count), count // workers + 1))
