"""What a plan of a drain does to workloads: running pods before and after, quorums, and what keeps nodes from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.disruption.drain_plan import Block
from clusters.engine.nodes.health import node_health
from clusters.engine.simulation.affected import LEAST_MEMBERS, Quorum, named_workload, wanted_replicas
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.disruption.drain_plan import Plan
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Mask


@dataclass(frozen=True, slots=True)
class DrainedWorkload:
    """A workload with pods that a plan evicts, or that keep a node from being drained.

    ``before`` and ``after``: running pods. ``evicted``: pods that leave their nodes. ``at_once``: the most of them that
    are evicted at the same time, before any replacement is there. ``unschedulable``: pods whose replacement would have
    no node, ``refused``: pods whose eviction budgets refuse to the end; both stay, and so do their nodes.
    """

    workload: Workload
    before: int
    evicted: int
    after: int
    at_once: int
    unschedulable: int
    refused: int
    quorum: Quorum

    @property
    def missing(self) -> int:
        """How many of the pods that ran do not run afterwards."""
        return max(0, self.before - self.after)

    @property
    def is_stopped(self) -> bool:
        """Whether it ran, and no pod of it does any more."""
        return bool(self.before) and not self.after


def drained_workloads(snapshot: Snapshot, plan: Plan) -> tuple[DrainedWorkload, ...]:
    """What the plan does to each workload that it touches, the gravest first; the snapshot is that before the drain.

    A replacement that is evicted again is a pod of the same workload that has left already.
    """
    not_ready = node_health(snapshot).not_ready
    running = _running(snapshot, not_ready)
    evicted, lost, at_once = Counter[Workload](), Counter[Workload](), Counter[Workload]()
    for batch in plan.batches:
        together = Counter[tuple[Workload, int]]()
        for eviction in batch.evictions:
            workload = _workload_of(snapshot, eviction.pod)
            if workload is None or eviction.moved:
                continue
            evicted[workload] += 1
            together[workload, eviction.round] += 1
            lost[workload] += eviction.landing is None and _runs(snapshot, not_ready, eviction.pod)
        for (workload, _), pods in together.items():
            at_once[workload] = max(at_once[workload], pods)
    unschedulable, refused = Counter[Workload](), Counter[Workload]()
    for node in plan.blocked:
        for blocker in node.blockers:
            workload = _workload_of(snapshot, blocker.pod)
            if workload is None or blocker.kind is Block.FLAG:
                continue
            (unschedulable if blocker.kind is Block.NO_ROOM else refused)[workload] += 1
    replicas = wanted_replicas(snapshot)
    found = []
    for workload in evicted.keys() | unschedulable.keys() | refused.keys():
        before = running[workload]
        after = before - lost[workload]
        quorum = _quorum(workload, replicas, before, after, at_once[workload])
        found.append(
            DrainedWorkload(
                workload, before, evicted[workload], after, at_once[workload], unschedulable[workload],
                refused[workload], quorum,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=_gravity))


def _workload_of(snapshot: Snapshot, key: str) -> Workload | None:
    """The workload of a pod of the snapshot; None for one that the plan itself made, or that has finished."""
    slot = snapshot.pods.slot_of.get(key)
    if slot is None:
        return None
    return named_workload(key, snapshot.pods.templates[int(snapshot.pods.template[slot])].workload)


def _runs(snapshot: Snapshot, not_ready: Mask, key: str) -> bool:
    slot = snapshot.pods.slot_of[key]
    row = int(snapshot.pods.node[slot])
    return row >= 0 and not (snapshot.pods.terminating[slot] or not_ready[row])


def _running(snapshot: Snapshot, not_ready: Mask) -> Counter[Workload]:
    """Count the pods that run, those on nodes that report to be ready but for those that terminate, by workload."""
    pods = snapshot.pods
    slots = np.fromiter(pods.slot_of.values(), np.intp, len(pods.slot_of))
    rows = pods.node[slots]
    counts = (rows >= 0) & ~pods.terminating[slots] & ~not_ready[rows]
    templates = pods.template[slots]
    found = Counter[Workload]()
    for template, number in zip(
        pods.templates, np.bincount(templates[counts], minlength=len(pods.templates)).tolist(), strict=False
    ):
        if template.workload.kind:
            found[template.workload] += number
    is_alone = np.array([not template.workload.kind for template in pods.templates], np.bool_)
    keys = list(pods.slot_of)
    for place in np.flatnonzero(counts & is_alone[templates]).tolist():
        found[named_workload(keys[place], pods.templates[int(templates[place])].workload)] += 1
    return found


def _quorum(workload: Workload, replicas: Mapping[Workload, int], before: int, after: int, at_once: int) -> Quorum:
    members = replicas.get(workload, 0)
    majority = members // 2 + 1
    if workload.kind != "StatefulSet" or members < LEAST_MEMBERS or before < majority:
        return Quorum.KEPT
    if after < majority:
        return Quorum.LOST
    return Quorum.INTERRUPTED if before - at_once < majority else Quorum.KEPT


def _gravity(each: DrainedWorkload) -> tuple[int, bool, int, int, int, int, Workload]:
    quorum = list(Quorum).index(each.quorum)
    return quorum, not each.is_stopped, -each.missing, -each.unschedulable, -each.refused, -each.evicted, each.workload
