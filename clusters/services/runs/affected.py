"""What a run did to workloads and budgets, as its summary keeps it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.simulation.affected import Quorum, WorkloadEffect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.simulation.affected import Affected, AffectedWorkload

# So many workloads and budgets are listed, the gravest first; all of them are counted.
_MOST_LISTED: Final = 200


def effect_of(each: Mapping[str, Any]) -> WorkloadEffect:
    """Return what became of a workload, as `affected_document` lists it."""
    if each["quorum"] == "lost":
        return WorkloadEffect.LOSES_QUORUM
    if each["missing"] and not each["after"]:
        return WorkloadEffect.STOPPED
    if each["quorum"] == "interrupted":
        return WorkloadEffect.QUORUM_INTERRUPTED
    if each["missing"]:
        return WorkloadEffect.RUNS_FEWER
    return WorkloadEffect.MORE_PENDING if each["pending"] else WorkloadEffect.RECREATED


def affected_document(found: Affected) -> dict[str, Any]:
    """Return how many workloads are affected, how gravely, and the first of them; the same of broken budgets."""
    quorums = Counter(each.quorum for each in found.workloads)
    return {
        "workloads": len(found.workloads),
        "fewer": sum(bool(each.missing) for each in found.workloads),
        "stopped": sum(each.is_stopped for each in found.workloads),
        "quorum_lost": quorums[Quorum.LOST],
        "quorum_interrupted": quorums[Quorum.INTERRUPTED],
        "left": sum(each.left for each in found.workloads),
        "pending": sum(each.pending for each in found.workloads),
        "budgets": len(found.budgets),
        "first": [_workload(each) for each in found.workloads[:_MOST_LISTED]],
        "broken_budgets": [
            {"budget": each.key, "desired": each.desired, "before": each.before, "after": each.after}
            for each in found.budgets[:_MOST_LISTED]
        ],
    }


def _workload(each: AffectedWorkload) -> dict[str, Any]:
    return {
        "namespace": each.workload.namespace,
        "kind": each.workload.kind,
        "name": each.workload.name,
        "before": each.before,
        "left": each.left,
        "after": each.after,
        "missing": each.missing,
        "pending": each.pending,
        "quorum": each.quorum.value,
    }
