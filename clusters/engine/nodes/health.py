"""Which nodes are NotReady, under pressure, cordoned or tainted.

Upstream: ``pkg/controller/nodelifecycle/node_lifecycle_controller.go`` (v1.34.1), which turns these conditions into
taints.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints, Mask

READY = "Ready"
# Conditions that are wrong when True; each keeps new pods away by a taint.
PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")
# Taints that nodes get that do not answer, do not work, or do not work yet.
_OUT = frozenset(
    {
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "node.kubernetes.io/out-of-service",
        "node.cloudprovider.kubernetes.io/uninitialized",
        "node.cloudprovider.kubernetes.io/shutdown",
    }
)
# Taints of these say how a node is; all others say whom it is for.
_OF_KUBERNETES = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")


class NodeState(enum.IntEnum):
    """What most concerns about a node, the gravest first; ``OPEN``: nothing, and any pod may come."""

    NOT_READY = 0
    UNKNOWN = 1
    PRESSURE = 2
    CORDONED = 3
    RESERVED = 4
    OPEN = 5


@dataclass(frozen=True, slots=True)
class NodeHealth:
    """Masks over N nodes, shape (N,), of which several may hold for one node.

    ``not_ready``: the condition Ready is False or Unknown, or a taint says as much. ``unknown``: there is no such
    condition. ``pressure``: any of PRESSURES is True. ``cordoned``: spec.unschedulable. ``reserved``: a taint that
    Kubernetes does not set by itself forbids pods that do not tolerate it.
    """

    not_ready: Mask
    unknown: Mask
    pressure: Mask
    cordoned: Mask
    reserved: Mask

    @property
    def states(self) -> Ints:
        """Shape (N,): the gravest NodeState of each node."""
        masks = (self.not_ready, self.unknown, self.pressure, self.cordoned, self.reserved)
        return np.select(masks, range(len(masks)), int(NodeState.OPEN)).astype(np.int64)

    @property
    def usable(self) -> Mask:
        """Shape (N,): nodes that are well and accept pods, if only of some kinds."""
        return ~(self.not_ready | self.pressure | self.cordoned)


def node_health(snapshot: Snapshot) -> NodeHealth:
    """Look at every node of a snapshot."""
    nodes = snapshot.nodes
    ready = [node.conditions.get(READY) for node in nodes.nodes]
    out = np.array(
        [any(t.forbids_scheduling and t.key in _OUT for t in taints) for taints in nodes.taint_sets], np.bool_
    )
    reserving = np.array(
        [
            any(t.forbids_scheduling and not t.key.startswith(_OF_KUBERNETES) for t in taints)
            for taints in nodes.taint_sets
        ],
        np.bool_,
    )
    return NodeHealth(
        not_ready=np.array([status not in (None, "True") for status in ready], np.bool_) | out[nodes.taint_set],
        unknown=np.array([status is None for status in ready], np.bool_),
        pressure=np.array([bool(pressures(node)) for node in nodes.nodes], np.bool_),
        cordoned=nodes.unschedulable.copy(),
        reserved=reserving[nodes.taint_set],
    )


def pressures(node: Node) -> tuple[str, ...]:
    """Return the conditions that are True of a node and should not be."""
    return tuple(name for name in PRESSURES if node.conditions.get(name) == "True")
