"""What fills the nodes of a map: the requests of the pods on each, in shares of what the node has."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from dashboard.pictures.verdict_map.layout import MOST_NAMED
from dashboard.pictures.verdict_map.spec import NodeLoad

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Snapshot
    from clusters.engine.status import Index

# Up to so many pods, each is drawn on its node.
_MOST_PODS = 1_500


def node_loads(
    snapshot: Snapshot,
    order: Index,
    resource: str,
    asked: int = 0,
    leaving: Mapping[str, set[int]] = MappingProxyType({}),
) -> tuple[NodeLoad, ...]:
    """Return what fills each node of the `order` of one resource; none where nodes or pods are too many to draw.

    `asked` is what a pod would request beside them, `leaving` the slots of pods that would be removed, by node: they
    come last, and pods of high priority first.
    """
    pods, nodes = snapshot.pods, snapshot.nodes
    bound = np.flatnonzero(pods.node[: len(pods.keys)] >= 0)
    if len(order) > MOST_NAMED or len(bound) > _MOST_PODS:
        return ()
    has = nodes.allocatable[:, nodes.resources.index(resource)]
    requested = np.array([dict(shape.requests).get(resource, 0) for shape in pods.shapes], np.int64)
    on: dict[int, list[int]] = {}
    for slot in bound.tolist():
        on.setdefault(int(pods.node[slot]), []).append(slot)
    loads = []
    for row in order.tolist():
        gone = leaving.get(nodes.names[row], set())
        slots = sorted(
            on.get(row, ()),
            key=lambda slot: (slot in gone, -int(pods.priority[slot]), -int(requested[pods.shape[slot]]), slot),
        )
        whole = int(has[row])
        amounts = [int(requested[pods.shape[slot]]) for slot in slots]
        shares = tuple(_share(amount, whole) for amount in amounts)
        loads.append(NodeLoad(shares, len(gone), _share(asked, whole)))
    return tuple(loads)


def _share(amount: int, whole: int) -> float:
    """Return a share of a node; of what it does not have, all that could be drawn."""
    return amount / whole if whole > 0 else float(amount > 0)
