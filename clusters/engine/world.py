"""Changes that are imagined on each node by itself: nominated pods added, or preemption victims removed.

Upstream clones a node and the cycle state for each node it tries (``AddPod`` and ``RemovePod`` of the PreFilter
extensions). As a pod is on one node only, one set of changed pods describes all N trials at once: in node n's world
just the changes on n have happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.columns import PodTable
    from clusters.engine.status import Ints


class World(Struct, frozen=True):
    """Pods added (+1) to or removed (-1) from nodes. All arrays but the last have shape (C,).

    ``returned`` are slots of bound pods that were removed and put back: what they hold is held again.
    """

    slots: Ints
    rows: Ints
    signs: Ints
    returned: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    @classmethod
    def adding(cls, pods: PodTable, slots: Iterable[int]) -> World:
        """Nominated pods, as if they ran where they are nominated."""
        chosen = np.array(list(slots), np.int64)
        return cls(chosen, pods.nominated[chosen], np.ones(len(chosen), np.int64))

    def removing(self, pods: PodTable, slots: Ints, returned: Ints) -> World:
        """This world without bound pods: they leave before anybody is added, as upstream tries it."""
        return World(
            np.concatenate([slots, self.slots]),
            np.concatenate([pods.node[slots], self.rows]),
            np.concatenate([np.full(len(slots), -1, np.int64), self.signs]),
            returned,
        )

    def joining(self, row: int) -> Ints:
        """Slots of the pods that are added to one node."""
        added: Ints = self.slots[(self.rows == row) & (self.signs > 0)]
        return added

    def per_node(self, weights: Ints, nodes: int) -> Ints:
        """Sum of signed weights (C,) or (C, K) of the changed pods on each node: (N,) or (N, K)."""
        sums = np.zeros((nodes, *weights.shape[1:]), np.int64)
        signs = self.signs if weights.ndim == 1 else self.signs[:, None]
        np.add.at(sums, self.rows, signs * weights)
        return sums

    def count(self, pods: PodTable, label_sets: Iterable[int], nodes: int) -> Ints:
        """How many more pods with these label sets each node has in its own world, shape (N,)."""
        wanted = np.zeros(len(pods.label_sets), np.int64)
        wanted[list(label_sets)] = 1
        return self.per_node(wanted[pods.label_set[self.slots]], nodes)


def no_changes() -> World:
    """The world as it is."""
    nothing = np.empty(0, np.int64)
    return World(nothing, nothing, nothing)
