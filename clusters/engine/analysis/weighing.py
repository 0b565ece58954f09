"""What a change of a cluster brings against what it costs, in parts of a thousand, so that changes can be ranked."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

_WHOLE: Final = 1000
# Budgets permit an eviction, and a rollout a restart: of all pods together they weigh as a tenth of the whole does.
_MOVED: Final = 100
# Of a workload that runs fewer pods, a quorum that is lost and a budget that is broken, each.
_HARM: Final = 100


class Whole(Struct, frozen=True):
    """How much a cluster has of what changes are measured in."""

    pending: int
    nodes: int
    pods: int
    cpu_milli: int
    memory_bytes: int


class ChangeGain(Struct, frozen=True):
    """What a change brings.

    ``pods_scheduled``: pending pods that get a node. ``nodes_drainable``: nodes that budgets do not block any more
    until they are changed. ``nodes_removed``: nodes that are not needed any more. ``cpu_milli`` and ``memory_bytes``:
    what is requested less, or allocatable on nodes that are not needed any more.
    """

    pods_scheduled: int = 0
    nodes_drainable: int = 0
    nodes_removed: int = 0
    cpu_milli: int = 0
    memory_bytes: int = 0


class ChangeCost(Struct, frozen=True):
    """What a change costs: nodes, evictions, restarts in rollouts, and what is the worse for it at the end."""

    nodes_added: int = 0
    pods_evicted: int = 0
    pods_restarted: int = 0
    newly_pending: int = 0
    workloads_fewer: int = 0
    quorums_lost: int = 0
    budgets_broken: int = 0


def worth(gain: ChangeGain, cost: ChangeCost, scale: Whole) -> int:
    """Return the shares of the cluster that a change brings, less those that it costs, in parts of a thousand.

    What is gained of CPU and of memory counts once, by the larger share.
    """
    brought = (
        _share(gain.pods_scheduled, scale.pending)
        + _share(gain.nodes_drainable, scale.nodes)
        + _share(gain.nodes_removed, scale.nodes)
        + max(_share(gain.cpu_milli, scale.cpu_milli), _share(gain.memory_bytes, scale.memory_bytes))
    )
    spent = (
        _share(cost.nodes_added, scale.nodes)
        + _share(cost.pods_evicted + cost.pods_restarted, scale.pods, _MOVED)
        + _share(cost.newly_pending, scale.pending)
        + _HARM * (cost.workloads_fewer + cost.quorums_lost + cost.budgets_broken)
    )
    return brought - spent


def _share(part: int, whole: int, most: int = _WHOLE) -> int:
    return most * part // max(1, whole)
