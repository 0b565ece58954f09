"""What nodes have of resources, and what the pods on them request, as they are and in imagined worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints
    from clusters.engine.world import World


class NodeAmounts:
    """The amounts of a snapshot's nodes by resource, in base units."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._by_shape: dict[str, Ints] = {}

    def allocatable(self, resource: str) -> Ints:
        """Shape (N,): how much of a resource each node has."""
        nodes = self._snapshot.nodes
        column = nodes.resource(resource)
        return np.zeros(len(nodes), np.int64) if column is None else nodes.allocatable[:, column]

    def requested(self, resource: str, world: World | None) -> Ints:
        """Shape (N,): how much of a resource the pods on each node request."""
        nodes, pods = self._snapshot.nodes, self._snapshot.pods
        column = nodes.resource(resource)
        used = np.zeros(len(nodes), np.int64) if column is None else nodes.requested[:, column]
        if world is None:
            return used
        return used + world.per_node(self._by_shapes(resource)[pods.shape[world.slots]], len(nodes))

    def _by_shapes(self, resource: str) -> Ints:
        """Shape (S,): how much of a resource the pods of each shape request."""
        known = self._by_shape.get(resource)
        if known is None:
            amounts = [dict(shape.requests).get(resource, 0) for shape in self._snapshot.pods.shapes]
            known = self._by_shape[resource] = np.array(amounts, np.int64)
        return known
