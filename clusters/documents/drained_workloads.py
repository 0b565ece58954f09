"""What a plan of a drain does to workloads, as it is kept beside the plan."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.simulation import DrainedWorkload, Quorum

if TYPE_CHECKING:
    from collections.abc import Sequence


# So many workloads are listed, the gravest first; all of them are counted.
_MOST_LISTED: Final = 200


def drained_document(found: Sequence[DrainedWorkload]) -> dict[str, Any]:
    """Return how many workloads a plan touches, how gravely, and the first of them."""
    quorums = Counter(each.quorum for each in found)
    return {
        "workloads": len(found),
        "fewer": sum(bool(each.missing) for each in found),
        "stopped": sum(each.is_stopped for each in found),
        "quorum_lost": quorums[Quorum.LOST],
        "quorum_interrupted": quorums[Quorum.INTERRUPTED],
        "unschedulable": sum(each.unschedulable for each in found),
        "refused": sum(each.refused for each in found),
        "first": [_workload(each) for each in found[:_MOST_LISTED]],
    }


def _workload(each: DrainedWorkload) -> dict[str, Any]:
    return {
        "namespace": each.workload.namespace,
        "kind": each.workload.kind,
        "name": each.workload.name,
        "before": each.before,
        "evicted": each.evicted,
        "at_once": each.at_once,
        "after": each.after,
        "missing": each.missing,
        "unschedulable": each.unschedulable,
        "refused": each.refused,
        "quorum": each.quorum.value,
    }
