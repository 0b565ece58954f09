"""All kinds of pods that a simulation meets against all nodes, and what makes that out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.objects import PodAffinity
from clusters.engine.simulation.kind_on_nodes import KindOnNodes

if TYPE_CHECKING:
    from clusters.engine.simulation.kinds import PodKind
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

# Kinds times nodes that are held at once.
_CELLS: Final = 1_000_000
_NOWHERE: Final = -1


class KindsOnNodes:
    """The kinds that were asked for last, and which of their rows are out of date.

    Only so many are kept that they take no more room than a fixed number of nodes and pods would. This is no cache of
    answers but part of the algorithm: what is kept is brought forward row by row, one thread uses it, and how many
    there may be depends on the nodes of the moment.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._on_nodes: dict[int, KindOnNodes] = {}
        self.clock = 0
        # What pods that are or were on nodes say about others; none first, so that there is always one.
        self._met: list[PodAffinity] = [PodAffinity()]
        pods = snapshot.pods
        for group in (*pods.by_affinity, *(int(pods.affinity[slot]) for slot in pods.nominees)):
            self.meet(pods.affinities[group])
        # The kind, row and moment of the last placement.
        self._latest = (_NOWHERE, _NOWHERE, _NOWHERE)
        self.forget_all()

    def forget_all(self) -> None:
        """Begin anew, because nodes have changed."""
        self._on_nodes.clear()
        self.clock += 1
        self._touched: Ints = np.zeros(len(self._snapshot.nodes), np.int64)

    def touch(self, row: int) -> None:
        """Note that a pod came to a row or left it."""
        self.clock += 1
        self._touched[row] = self.clock

    def placed(self, row: int, kind: PodKind) -> None:
        """Note that a pod of a kind came to a row."""
        self.touch(row)
        self.meet(kind.pod.affinity)
        self._latest = (kind.number, row, self.clock)

    def meet(self, affinity: PodAffinity) -> None:
        """Note what a pod that is on a node, or is to be placed on one, says about others."""
        if affinity and affinity not in self._met:
            self._met.append(affinity)

    def note(self) -> None:
        """Note that something changed that rows do not tell, such as a nomination."""
        self.clock += 1

    def peek(self, kind: PodKind) -> KindOnNodes:
        """A kind of pods without volumes on all nodes, true in all that stays the same."""
        on_nodes = self._on_nodes.pop(kind.number, None)
        if on_nodes is None:
            assert kind.profile is not None  # noqa: S101 - nobody else is tried
            on_nodes = KindOnNodes(self._snapshot, kind, kind.profile, self._met)
            most = max(16, _CELLS // max(1, len(self._snapshot.nodes)))
            if len(self._on_nodes) >= most:
                del self._on_nodes[next(iter(self._on_nodes))]
        self._on_nodes[kind.number] = on_nodes
        return on_nodes

    def of(self, kind: PodKind) -> KindOnNodes | None:
        """How nodes stand with a kind now; None for one that takes the whole cycle."""
        if kind.pod.volumes:
            return None
        on_nodes = self.peek(kind)
        if not on_nodes.is_usable:
            return None
        if on_nodes.seen < self.clock:
            number, row, moment = self._latest
            if number == kind.number and moment == self.clock == on_nodes.seen + 1:
                on_nodes.placed(row)
            else:
                on_nodes.refresh(np.flatnonzero(self._touched > on_nodes.seen))
            on_nodes.seen = self.clock
        return on_nodes
