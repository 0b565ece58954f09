"""What the loss of one zone takes of the pods that a constraint counts, whatever the constraint itself allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index


@dataclass(frozen=True, slots=True)
class ZoneLoss:
    """The zone with most of a group's pods: ``pods`` of all ``of`` that run; a node without a zone counts as one.

    ``zone`` is empty where ``node`` names such a node; both are where no pod runs.
    """

    zone: str = ""
    node: str = ""
    pods: int = 0
    of: int = 0

    @property
    def share(self) -> float:
        """Which part of the pods is lost with it; 0 for fewer than two pods, which nothing can spread."""
        return self.pods / self.of if self.of > 1 else 0.0


class FailureDomains:
    """The zones of a snapshot's nodes, for counting any pods by them."""

    def __init__(self, snapshot: Snapshot) -> None:
        column = snapshot.nodes.label(ZONE)
        self._names = snapshot.nodes.names
        self._zones = column.values
        has_zone = column.spread(np.array([bool(value) for value in column.values], np.int64)) > 0
        alone = len(column.values) + np.arange(len(snapshot.nodes))
        self._place = np.where(has_zone, column.codes, alone)

    def worst(self, rows: Index) -> ZoneLoss:
        """Find the zone with most of some pods, given the rows of their nodes; among equals the first by name."""
        if not len(rows):
            return ZoneLoss()
        counts = np.bincount(self._place[rows])
        most = int(counts.max())
        zone, node = min(
            map(self._named, np.flatnonzero(counts == most).tolist()), key=lambda each: (not each[0], each)
        )
        return ZoneLoss(zone, node, most, len(rows))

    def _named(self, place: int) -> tuple[str, str]:
        width = len(self._zones)
        return (self._zones[place], "") if place < width else ("", self._names[place - width])
