"""The taints that a node has on account of its conditions, once the node lifecycle controller has seen them.

Upstream: ``nodeConditionToTaintKeyStatusMap``, ``doNoScheduleTaintingPass`` and ``processTaintBaseEviction`` of
``pkg/controller/nodelifecycle`` v1.34.1.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.taint_eviction import NO_EXECUTE
from clusters.engine.matching.taints import Taint
from clusters.engine.nodes.health import READY
from clusters.engine.nodes.lifecycle import NOT_READY_KEY, UNREACHABLE_KEY, zone_disruptions
from clusters.engine.nodes.zones import zone_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot

_KEYS: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        (READY, "False"): NOT_READY_KEY,
        (READY, "Unknown"): UNREACHABLE_KEY,
        ("MemoryPressure", "True"): "node.kubernetes.io/memory-pressure",
        ("DiskPressure", "True"): "node.kubernetes.io/disk-pressure",
        ("NetworkUnavailable", "True"): "node.kubernetes.io/network-unavailable",
        ("PIDPressure", "True"): "node.kubernetes.io/pid-pressure",
    }
)
_CORDONED: Final = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


def condition_taints(snapshot: Snapshot) -> dict[str, tuple[Taint, ...]]:
    """The taints that the nodes lack and get, by name: those that keep pods away, then the one that evicts.

    Every node that is to be tainted NoExecute has had its turn; none is while no node of any zone is ready.
    """
    evicting = {zone for zone, found in zone_disruptions(snapshot).items() if found.pause is not None}
    found = {}
    for node in snapshot.nodes.nodes:
        wanted = (*_keeping_away(node), *(_evicting(node) if zone_key(node.labels) in evicting else ()))
        present = {(taint.key, taint.effect) for taint in node.taints}
        found[node.name] = tuple(taint for taint in wanted if (taint.key, taint.effect) not in present)
    return found


def _keeping_away(node: Node) -> tuple[Taint, ...]:
    by_condition = (Taint(_KEYS[pair], "", "NoSchedule") for pair in node.conditions.items() if pair in _KEYS)
    return (*by_condition, *((_CORDONED,) if node.unschedulable else ()))


def _evicting(node: Node) -> tuple[Taint, ...]:
    key = _KEYS.get((READY, node.conditions.get(READY, "")))
    return () if key is None else (Taint(key, "", NO_EXECUTE),)
