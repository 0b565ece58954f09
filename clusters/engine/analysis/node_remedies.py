"""What could be done on nodes for a pod that fits nowhere: devices that are not offered, and resizes that hold room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.analysis.remedies import RepairDevicePlugin, RevertResize
from clusters.engine.nodes.deferred import deferred_slots

# NodeResourcesFit by name: what it compares is looked at with what nodes could offer.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit
from clusters.engine.resources.requests import is_extended
from clusters.engine.world import no_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.analysis.remedies import Remedy
    from clusters.engine.status import Ints, Mask

# So many nodes or pods are named.
_MOST_NAMED = 5


def node_remedies(explanation: Explanation) -> Iterator[Remedy]:
    """Yield what would make room for a pod that every other filter lets pass."""
    if NodeResourcesFit.name not in explanation.cycle.filters:
        return
    yield from _devices(explanation)
    yield from _resizes(explanation)


def _devices(explanation: Explanation) -> Iterator[Remedy]:
    nodes = explanation.snapshot.nodes
    for resource in filter(is_extended, explanation.pod.requests):
        gained = np.array([dict(node.unhealthy).get(resource, 0) for node in nodes.nodes], np.int64)
        if not gained.any():
            continue
        more = np.zeros_like(nodes.allocatable)
        more[:, nodes.resources.index(resource)] = gained
        rows = np.flatnonzero(_opened(explanation, more))
        if len(rows):
            offered = int(nodes.allocatable[rows, nodes.resources.index(resource)].sum())
            named = tuple(nodes.names[row] for row in rows[:_MOST_NAMED])
            yield RepairDevicePlugin(resource, named, len(rows), offered + int(gained[rows].sum()), offered)


def _resizes(explanation: Explanation) -> Iterator[Remedy]:
    """Resizes that are deferred, on the node of the fewest on which the pod fits without them."""
    snapshot = explanation.snapshot
    slots = deferred_slots(snapshot)
    if not len(slots):
        return
    nodes, pods = snapshot.nodes, snapshot.pods
    more = np.zeros_like(nodes.allocatable)
    for slot in slots.tolist():
        more[pods.node[slot]] += nodes.vector(pods.shapes[pods.shape[slot]].deferred)
    rows = np.flatnonzero(_opened(explanation, more))
    if len(rows):
        number = np.bincount(pods.node[slots], minlength=len(nodes))
        row = int(rows[np.argmin(number[rows])])
        on_it = sorted(pods.keys[slot] for slot in slots.tolist() if pods.node[slot] == row)
        held = tuple((nodes.resources[column], int(more[row, column])) for column in np.flatnonzero(more[row]).tolist())
        yield RevertResize(nodes.names[row], tuple(on_it[:_MOST_NAMED]), len(on_it), held)


def _opened(explanation: Explanation, more: Ints) -> Mask:
    """Shape (N,): nodes that take the pod with ``more`` free, shape (N, R), and that have more of something."""
    nodes, cycle = explanation.snapshot.nodes, explanation.cycle
    passing = ~cycle.left_out & more.any(axis=1) & (nodes.pod_count < nodes.allowed_pods)
    asked = nodes.vector(explanation.pod.requests.items())
    passing &= ((nodes.allocatable + more - nodes.requested >= asked) | (asked == 0)).all(axis=1)
    for name in cycle.filters:
        failed = None if name == NodeResourcesFit.name else cycle.plugins[name].filter(no_changes()).failed
        if failed is not None:
            passing &= ~failed
    return passing
