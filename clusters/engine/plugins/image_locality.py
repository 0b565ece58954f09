"""ImageLocality: nodes that already hold the pod's images score higher, the more so the rarer an image is not.

Upstream: ``pkg/scheduler/framework/plugins/imagelocality`` v1.34.1, and of v1.36.3 and v1.37.2 for image volumes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.evidence import ScorePart
from clusters.engine.plugin import MAX_NODE_SCORE, Plugin, Reads

if TYPE_CHECKING:
    from clusters.engine.status import Index, Ints

_MIB = 1024 * 1024
_LEAST = 23 * _MIB
_MOST_PER_CONTAINER = 1000 * _MIB


def canonical_image(name: str) -> str:
    """An image reference with its default tag."""
    return name if name.rfind(":") > name.rfind("/") else f"{name}:latest"


class ImageSize(ScorePart, frozen=True):
    """An image of the pod and what it counts on the node.

    ``size_bytes`` and ``counted_bytes`` are 0 where the node does not have the image; the latter is the size scaled by
    the share of nodes that have it. The sum over all images counts between the two thresholds.
    """

    kind = "image"

    image: str
    size_bytes: int
    nodes_with_image: int
    nodes: int
    counted_bytes: int
    minimum_bytes: int
    maximum_bytes: int


class ImageLocality(Plugin):
    """Scores only; every node passes."""

    name = "ImageLocality"
    reads = Reads.NODES
    colour = "grey"

    @cached_property
    def _images(self) -> tuple[str, ...]:
        images = self.pod.images
        if self.release.rules.scores_image_volumes:
            images = (*images, *self.pod.volume_images)
        return tuple(canonical_image(name) for name in images)

    def _weighed(self, image: str) -> tuple[Index, int]:
        """Rows that hold an image, and its bytes scaled by the share of nodes that hold it."""
        rows, size = self.snapshot.nodes.image(image)
        share = len(rows) / len(self.snapshot.nodes)
        return rows, int(size * share)

    @property
    def _most(self) -> int:
        counted = self._images if self.release.rules.counts_image_volumes else self.pod.images
        return _MOST_PER_CONTAINER * len(counted)

    def score(self, feasible: Index) -> Ints:
        asked = self.name, self._images, self._most
        return self.snapshot.nodes.kept.by_nodes(asked, self._counted).take(feasible)

    def _counted(self) -> Ints:
        """Shape (N,): raw scores."""
        sums = np.zeros(len(self.snapshot.nodes), np.int64)
        for image in self._images:
            rows, weighed = self._weighed(image)
            sums[rows] += weighed
        if not self.pod.images:
            return np.zeros_like(sums)
        within = np.clip(sums, _LEAST, self._most)
        return MAX_NODE_SCORE * (within - _LEAST) // (self._most - _LEAST)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        return tuple(self._part(image, row) for image in self._images)

    def _part(self, image: str, row: int) -> ImageSize:
        nodes = self.snapshot.nodes
        rows, weighed = self._weighed(image)
        here = row in rows
        return ImageSize(
            image=image,
            size_bytes=nodes.image(image)[1] if here else 0,
            nodes_with_image=len(rows),
            nodes=len(nodes),
            counted_bytes=weighed if here else 0,
            minimum_bytes=_LEAST,
            maximum_bytes=self._most,
        )
