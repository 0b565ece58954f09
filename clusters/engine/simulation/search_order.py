"""In which order nodes are searched when the search ends early, and from where.

Upstream: ``findNodesThatPassFilters`` of ``pkg/scheduler/schedule_one.go`` and ``backend/cache/node_tree.go``, v1.34.1.
There several nodes are looked at together, so that how far a search gets differs from one run to the next; here they
are looked at one by one, and a search ends at the first node that fits beyond those that are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.nodes.zones import zone_key
from clusters.engine.sampling import sampling_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Node
    from clusters.engine.status import Index, Mask


def interleaved(nodes: Sequence[Node]) -> Index:
    """Rows of the nodes with their zones in turn: the first of each zone, the second of each, and so on, shape (N,)."""
    places: dict[tuple[str, str], int] = {}
    turns: dict[tuple[str, str], int] = {}
    keys = []
    for node in nodes:
        key = zone_key(node.labels)
        place = places.setdefault(key, len(places))
        turn = turns[key] = turns.get(key, -1) + 1
        keys.append((turn, place))
    return np.array(sorted(range(len(nodes)), key=keys.__getitem__), np.intp)


@dataclass(frozen=True, slots=True)
class Search:
    """The rows that were found, in order of name, how many nodes were looked at, and the row whose error ended it."""

    found: Index
    looked_at: int
    failed: int | None = None


class SearchOrder:
    """The scheduler's walk over the nodes, which each attempt goes on with where the one before it stopped."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._rows = interleaved(nodes)
        self.start = 0

    def search(self, considered: Mask, fits: Mask, profile: Profile, fails: Mask | None = None) -> Search:
        """Search for nodes. ``considered``, ``fits`` and ``fails``, where an error would end it, have shape (N,)."""
        rows = self._rows if considered.all() else np.flatnonzero(considered)
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

    def advance(self, looked_at: int) -> None:
        """Let the next search begin after the nodes that this one looked at."""
        self.start = (self.start + looked_at) % max(1, len(self._rows))
