"""ImageLocality: nodes that already hold the pod's images score higher, the more so the rarer an image is not.

Upstream: ``pkg/scheduler/framework/plugins/imagelocality`` v1.34.1.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.evidence import Evidence, Fact, Unit
from clusters.engine.plugin import MAX_NODE_SCORE, Plugin
from clusters.engine.traits import Reads

if TYPE_CHECKING:
    from clusters.engine.status import Index, Ints

_MIB = 1024 * 1024
_LEAST = 23 * _MIB
_MOST_PER_CONTAINER = 1000 * _MIB


def canonical_image(name: str) -> str:
    """An image reference with its default tag."""
    return name if name.rfind(":") > name.rfind("/") else f"{name}:latest"


class ImageLocality(Plugin):
    """Scores only; every node passes."""

    name = "ImageLocality"
    reads = Reads.NODES
    colour = "grey"

    @cached_property
    def _images(self) -> tuple[str, ...]:
        return tuple(canonical_image(name) for name in self.pod.images)

    def _weighed(self, image: str) -> tuple[Index, int]:
        """Rows that hold an image, and its bytes scaled by the share of nodes that hold it."""
        rows, size = self.snapshot.nodes.image(image)
        share = len(rows) / len(self.snapshot.nodes)
        return rows, int(size * share)

    @property
    def _most(self) -> int:
        return _MOST_PER_CONTAINER * len(self._images)

    def score(self, feasible: Index) -> Ints:
        sums = np.zeros(len(self.snapshot.nodes), np.int64)
        for image in self._images:
            rows, weighed = self._weighed(image)
            sums[rows] += weighed
        if not self._images:
            return np.zeros(len(feasible), np.int64)
        within = np.clip(sums[feasible], _LEAST, self._most)
        return MAX_NODE_SCORE * (within - _LEAST) // (self._most - _LEAST)

    def score_evidence(self, row: int) -> tuple[Evidence, ...]:
        found = []
        for image in self._images:
            rows, weighed = self._weighed(image)
            here = row in rows
            facts = (
                Fact("size here", self.snapshot.nodes.image(image)[1] if here else 0, Unit.BYTES),
                Fact("nodes with it", len(rows)),
                Fact("nodes", len(self.snapshot.nodes)),
                Fact("counts as", weighed if here else 0, Unit.BYTES),
            )
            found.append(Evidence(image, facts, formula="size here × nodes with it ÷ nodes"))
        bounds = (Fact("least", _LEAST, Unit.BYTES), Fact("most", self._most, Unit.BYTES))
        found.append(Evidence("sum", bounds, formula="100 × (sum − least) ÷ (most − least), within 0 to 100"))
        return tuple(found)
