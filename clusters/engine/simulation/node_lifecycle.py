"""When nodes that stop answering are given the taint that drives their pods out.

Upstream: ``handleDisruption``, ``ComputeZoneState`` and ``ReducedQPSFunc`` of ``pkg/controller/nodelifecycle``, its
``scheduler.RateLimitedTimedQueue``, and the flags' defaults in ``pkg/controller/nodelifecycle/config``, v1.34.1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.matching.taints import Taint
from clusters.engine.nodes.health import READY
from clusters.engine.simulation.search_order import zone_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot

SECOND: Final = 1_000_000_000
# --node-monitor-grace-period: a node is taken to be well for so long after its last word.
GRACE: Final = 50 * SECOND
# --node-eviction-rate 0.1 and --secondary-node-eviction-rate 0.01, as the time from one node of a zone to the next.
PAUSE: Final = 10 * SECOND
REDUCED_PAUSE: Final = 100 * SECOND
# --unhealthy-zone-threshold, compared in single precision as there, and --large-cluster-size-threshold.
THRESHOLD: Final = np.float32(0.55)
LARGE: Final = 50
# A zone with fewer nodes that do not answer is never in partial disruption.
_FEWEST_UNHEALTHY: Final = 3

# All nodes that do not answer get the first as soon as that is known, the second one after the other.
UNREACHABLE: Final = Taint("node.kubernetes.io/unreachable", "", "NoSchedule")
DRIVES_OUT: Final = Taint("node.kubernetes.io/unreachable", "", "NoExecute")

_EXCLUDED = "node.kubernetes.io/exclude-disruption"


def taint_times(snapshot: Snapshot, nodes: Sequence[str]) -> list[tuple[int, str]]:
    """When each of these nodes, which stop answering at time 0, gets the taint NoExecute; in order of time.

    Times are in nanoseconds. Nodes that are missing keep their pods: no zone answers any more, or more than half of a
    small zone does not. Within a zone the nodes go in order of name, where the controller takes any order. Raises
    KeyError for a node that the snapshot does not hold.
    """
    silent = {snapshot.nodes.index[name] for name in nodes}
    sizes, unwell = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row, node in enumerate(snapshot.nodes.nodes):
        if _EXCLUDED not in node.labels:
            zone = zone_key(node.labels)
            sizes[zone] += 1
            unwell[zone] += row in silent or not _is_ready(node)
    # Only the zones with a node that counts have a state; where none is well in any, the fault is taken to be its own.
    if sizes and all(unwell[zone] == size for zone, size in sizes.items()):
        return []
    queues: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in sorted(silent):
        node = snapshot.nodes.nodes[row]
        queues[zone_key(node.labels)].append(node.name)
    times = []
    for zone, names in queues.items():
        pause = _pause(sizes[zone], unwell[zone])
        if pause is not None:
            times += [(GRACE + turn * pause, name) for turn, name in enumerate(names)]
    return sorted(times)


def _is_ready(node: Node) -> bool:
    # Nodes written by hand have no conditions at all.
    return not node.conditions or node.conditions.get(READY) == "True"


def _pause(size: int, unwell: int) -> int | None:
    """The time between two nodes of a zone of which so many are not well; None where none is touched."""
    partly = unwell < size and unwell >= _FEWEST_UNHEALTHY and np.float32(unwell) / np.float32(size) >= THRESHOLD
    if not partly:
        return PAUSE
    return REDUCED_PAUSE if size > LARGE else None
