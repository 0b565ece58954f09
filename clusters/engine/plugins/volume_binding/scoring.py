"""Scores by how much of the storage that a node reaches the pod's claims would take.

Upstream: ``Score`` and ``buildScorerFunction`` of ``pkg/scheduler/framework/plugins/volumebinding`` v1.37.2, with the
feature gate StorageCapacityScoring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.evidence import ScorePart
from clusters.engine.resources.scoring import FULL, on_shape, round_half_away

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.status import Ints


@dataclass(frozen=True, slots=True)
class StorageUse:
    """What claims of one storage class request on a node, and the capacity that they request it of, in bytes."""

    requested: int = 0
    capacity: int = 0

    @property
    def utilisation(self) -> int:
        """Percent of the capacity, 100 where it is exceeded or there is none."""
        if self.capacity == 0 or self.requested > self.capacity:
            return FULL
        return self.requested * FULL // self.capacity


@dataclass(frozen=True, slots=True)
class StorageScore(ScorePart):
    """What claims of one storage class would take on the node, in bytes and percent, and the class's score."""

    kind = "storage-class"

    storage_class: str
    requested_bytes: int
    capacity_bytes: int
    utilisation: int
    score: int


def class_scores(uses: Mapping[str, StorageUse], points: Sequence[tuple[int, int]]) -> tuple[StorageScore, ...]:
    """The score of each storage class on a node: its utilisation on a broken line of (utilisation, score) points."""
    levels = np.array([[use.utilisation for use in uses.values()]], np.int64)
    scores = on_shape(levels, points)[0] if uses else ()
    return tuple(
        StorageScore(name, use.requested, use.capacity, use.utilisation, int(score))
        for (name, use), score in zip(uses.items(), scores, strict=True)
    )


def mean_score(parts: Sequence[StorageScore]) -> int:
    """The rounded mean of the classes' scores; 0 of none."""
    if not parts:
        return 0
    mean: Ints = round_half_away(np.array([sum(part.score for part in parts) / len(parts)]))
    return int(mean[0])
