"""In which order nodes are searched, from where, and which of them a search takes of equally good ones.

Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go`` and ``backend/cache/node_tree.go``, v1.34.1.
There several nodes are looked at together, so that how far a search gets differs from one run to the next; here they
are looked at one by one, and a search ends at the first node that fits beyond those that are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.sampling import sampling_of

if TYPE_CHECKING:
    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.configuration import Profile
    from clusters.engine.status import Index, Ints, Mask

# Places below 2^32.
_BITS: Final = 32


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


@dataclass(frozen=True, slots=True)
class Search:
    """The rows that were found, in order of name, how many nodes were looked at, and the row whose error ended it."""

    found: Index
    looked_at: int
    failed: int | None = None


class SearchOrder:
    """The scheduler's walk over the nodes, which each attempt goes on with where the one before it stopped.

    ``ends_early``: whether a search ends once it has found enough, or looks at every node.
    """

    def __init__(self, nodes: NodeTable, *, start: int = 0, ends_early: bool = True) -> None:
        self._nodes, self.start, self.ends_early = nodes, start, ends_early

    def __len__(self) -> int:
        return len(self._nodes)

    def search(self, considered: Mask, fits: Mask, profile: Profile, fails: Mask | None = None) -> Search:
        """Search for nodes. ``considered``, ``fits`` and ``fails``, where an error would end it, have shape (N,)."""
        rows = self._nodes.search_order if considered.all() else np.flatnonzero(considered)
        wanted = sampling_of(profile, len(rows)).wanted
        if not len(rows):
            return Search(rows, 0)
        walk = np.roll(rows, -(self.start % len(rows)))
        found = np.flatnonzero(fits[walk])
        looked_at = len(walk) if len(found) <= wanted else int(found[wanted])
        failing = np.flatnonzero(fails[walk[:looked_at]]) if fails is not None else walk[:0]
        if len(failing):
            place = int(failing[0])
            return Search(walk[:0], place, int(walk[place]))
        return Search(np.sort(walk[found[:wanted]]), looked_at)

    def ranks(self, rows: Index, found: Index) -> Ints:
        """The lower, the sooner each of the rows is taken of equally good ones among those ``found``."""
        is_found = np.zeros(len(self), np.bool_)
        is_found[self._steps(found)] = True
        ranks: Ints = heap_order(len(self))[np.cumsum(is_found)[self._steps(rows)] - 1]
        return ranks

    def _steps(self, rows: Index) -> Index:
        """How many nodes a search looks at before each of the rows."""
        steps: Index = self._nodes.search_places[rows]
        return steps if not self.start else (steps - self.start) % len(self)

    def first(self, best: Index, found: Index) -> int:
        """The row that is taken of the ``best`` ones of those ``found``, both in order of name."""
        nearest = found[np.argmin(self._steps(found))]
        if best[np.searchsorted(best, nearest) % len(best)] == nearest:
            return int(nearest)
        return int(best[np.argmin(self.ranks(best, found))])

    def advance(self, looked_at: int) -> None:
        """Let the next search begin after the nodes that this one looked at."""
        self.start = (self.start + looked_at) % max(1, len(self._nodes))
