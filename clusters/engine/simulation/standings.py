"""The standings of all kinds of pods that a simulation meets, and what makes them out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.objects import PodAffinity
from clusters.engine.simulation.standing import Standing

if TYPE_CHECKING:
    from clusters.engine.simulation.kinds import Kind
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

# How many nodes all standings together may hold.
_CELLS: Final = 1_000_000
_NOWHERE: Final = -1


class Standings:
    """The standings of the kinds that were asked for, and which of their rows are out of date.

    Only so many are kept that they take no more room than a fixed number of nodes and pods would.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._standings: dict[int, Standing] = {}
        self.clock = 0
        # What pods that lie or lay on nodes say about others; none first, so that there is always one.
        self._met: list[PodAffinity] = [PodAffinity()]
        pods = snapshot.pods
        for group in (*pods.by_affinity, *(int(pods.affinity[slot]) for slot in pods.nominees)):
            self.meet(pods.affinities[group])
        # The kind, row and moment of the last placement.
        self._latest = (_NOWHERE, _NOWHERE, _NOWHERE)
        self.forget_all()

    def forget_all(self) -> None:
        """Begin anew, because nodes have changed."""
        self._standings.clear()
        self.clock += 1
        self._touched: Ints = np.zeros(len(self._snapshot.nodes), np.int64)

    def touch(self, row: int) -> None:
        """Note that a pod came to a row or left it."""
        self.clock += 1
        self._touched[row] = self.clock

    def placed(self, row: int, kind: Kind) -> None:
        """Note that a pod of a kind came to a row."""
        self.touch(row)
        self.meet(kind.pod.affinity)
        self._latest = (kind.number, row, self.clock)

    def meet(self, affinity: PodAffinity) -> None:
        """Note what a pod that lies on a node, or is to lie on one, says about others."""
        if affinity and affinity not in self._met:
            self._met.append(affinity)

    def note(self) -> None:
        """Note that something changed that rows do not tell, such as a nomination."""
        self.clock += 1

    def peek(self, kind: Kind) -> Standing:
        """The standing of a kind of pods without volumes, true in all that stays the same."""
        standing = self._standings.pop(kind.number, None)
        if standing is None:
            assert kind.profile is not None  # noqa: S101 - nobody else is tried
            standing = Standing(self._snapshot, kind, kind.profile, self._met)
            most = max(16, _CELLS // max(1, len(self._snapshot.nodes)))
            if len(self._standings) >= most:
                del self._standings[next(iter(self._standings))]
        self._standings[kind.number] = standing
        return standing

    def of(self, kind: Kind) -> Standing | None:
        """How nodes stand with a kind now; None for one that takes the whole cycle."""
        if kind.pod.volumes:
            return None
        standing = self.peek(kind)
        if not standing.is_usable:
            return None
        if standing.seen < self.clock:
            number, row, moment = self._latest
            if number == kind.number and moment == self.clock == standing.seen + 1:
                standing.placed(row)
            else:
                standing.refresh(np.flatnonzero(self._touched > standing.seen))
            standing.seen = self.clock
        return standing
