"""Which workloads a simulation leaves with fewer pods, which StatefulSets lose their quorum, which budgets break."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from clusters.engine.disruption import budget_states
from clusters.engine.nodes.health import node_health
from clusters.engine.simulation.case import Origin
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

# Whatever has fewer members than this keeps no quorum by majority.
LEAST_MEMBERS = 3
_WITH_REPLICAS = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
# Their pods belong to nodes: of a node that is lost, none is missing.
_PER_NODE = frozenset({"DaemonSet", "Node"})


class Quorum(StrEnum):
    """What becomes of the majority of a StatefulSet's replicas.

    ``INTERRUPTED``: nodes that are lost at once take it, and the pods that are recreated bring it back.
    """

    LOST = "lost"
    INTERRUPTED = "interrupted"
    KEPT = "kept"


class WorkloadEffect(StrEnum):
    """What became of a workload, the gravest first."""

    LOSES_QUORUM = "quorum-lost"
    STOPPED = "stopped"
    QUORUM_INTERRUPTED = "quorum-interrupted"
    RUNS_FEWER = "fewer"
    MORE_PENDING = "pending"
    RECREATED = "recreated"


@dataclass(frozen=True, slots=True)
class HealthyPods:
    """How many pods of a budget are healthy, and how many it requires."""

    healthy: int
    desired: int


@dataclass(frozen=True, slots=True)
class RunningPods:
    """The pods that run at one moment: those on nodes that report to be ready, but for those that terminate.

    ``nodes`` and ``workloads``: where each pod runs and what it belongs to, by ``namespace/name``; a pod that nothing
    controls is a workload of its own, of the kind Pod. ``replicas``: how many each workload is to have, where its
    object says so. ``ready_nodes``: nodes by name. ``budgets`` by ``namespace/name``, where all that they count is
    known.
    """

    nodes: Mapping[str, str]
    workloads: Mapping[str, Workload]
    replicas: Mapping[Workload, int]
    ready_nodes: frozenset[str]
    budgets: Mapping[str, HealthyPods]


@dataclass(frozen=True, slots=True)
class AffectedWorkload:
    """A workload some of whose pods had to leave their nodes, or are newly pending.

    ``before`` and ``after``: running pods, of a DaemonSet those on nodes that are not lost; ``left``: so many had to
    leave; ``pending``: newly pending pods; ``expected``: how many of ``before`` are still wanted, as a simulation may
    scale down, too.
    """

    workload: Workload
    before: int
    expected: int
    left: int
    after: int
    pending: int
    quorum: Quorum

    @property
    def missing(self) -> int:
        """How many of the pods that ran and are still wanted do not run."""
        return max(0, self.expected - self.after)

    @property
    def is_stopped(self) -> bool:
        """Whether it ran, and no pod of it does any more."""
        return bool(self.expected) and not self.after


@dataclass(frozen=True, slots=True)
class BrokenBudget:
    """A budget with fewer healthy pods than it requires, which had as many before."""

    key: str
    desired: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Affected:
    """The workloads, the gravest first, and the budgets that are the worse for a simulation."""

    workloads: tuple[AffectedWorkload, ...]
    budgets: tuple[BrokenBudget, ...]


def newly_pending(pending: Iterable[str], origins: Mapping[str, Origin]) -> tuple[str, ...]:
    """Pods without a node at the end that were not pending at the beginning, by name.

    ``origins``: why pods are wanted; a pod that is not among them was created during the simulation.
    """
    return tuple(sorted(key for key in pending if origins.get(key) is not Origin.PENDING_BEFORE))


def running_pods(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> RunningPods:
    """Read the pods that run in a snapshot; ``waiting`` are the pending pods beside it, which budgets count."""
    pods, names = snapshot.pods, snapshot.nodes.names
    not_ready = node_health(snapshot).not_ready
    rows, templates, terminating = pods.node.tolist(), pods.template.tolist(), pods.terminating.tolist()
    nodes, workloads = {}, {}
    for key, slot in pods.slot_of.items():
        if rows[slot] >= 0 and not (terminating[slot] or not_ready[rows[slot]]):
            nodes[key] = names[rows[slot]]
            workloads[key] = named_workload(key, pods.templates[templates[slot]].workload)
    ready = frozenset(name for name, is_out in zip(names, not_ready.tolist(), strict=True) if not is_out)
    return RunningPods(nodes, workloads, wanted_replicas(snapshot), ready, _healthy(snapshot, waiting, ready))


def named_workload(key: str, workload: Workload) -> Workload:
    """The workload of a pod; one that nothing controls is a workload of its own, of the kind Pod."""
    return workload if workload.kind else Workload(workload.namespace, "Pod", key.partition("/")[2])


def wanted_replicas(snapshot: Snapshot) -> dict[Workload, int]:
    """How many pods each workload is to have, where its object says so."""
    found = {}
    for kind in _WITH_REPLICAS:
        for document in snapshot.objects(kind):
            about = document.get("metadata") or {}
            replicas = (document.get("spec") or {}).get("replicas")
            workload = Workload(about.get("namespace") or "default", kind, about.get("name") or "")
            found[workload] = 1 if replicas is None else int(replicas)
    return found


def _healthy(snapshot: Snapshot, waiting: Iterable[Document], ready: frozenset[str]) -> dict[str, HealthyPods]:
    found = {}
    for state in budget_states(snapshot, waiting):
        healthy, desired = state.computed.healthy, state.computed.desired
        if desired is None:
            continue
        # The node lifecycle controller marks the pods of nodes that do not report as not ready.
        shares = zip(state.nodes.names, state.nodes.healthy.tolist(), strict=True)
        found[state.budget.key] = HealthyPods(healthy - sum(n for name, n in shares if name not in ready), desired)
    return found


def affected(before: RunningPods, after: RunningPods, pending: Mapping[str, Workload]) -> Affected:
    """What a simulation did to workloads and budgets; ``pending``: the workloads of the newly pending pods."""
    ran, runs = Counter(before.workloads.values()), Counter(after.workloads.values())
    left = Counter(before.workloads[key] for key, node in before.nodes.items() if after.nodes.get(key) != node)
    lost = Counter(before.workloads[key] for key, node in before.nodes.items() if node not in after.ready_nodes)
    waits = Counter(named_workload(key, workload) for key, workload in pending.items())
    found = []
    for workload in ran.keys() | waits.keys():
        if workload.kind in _PER_NODE:
            ran[workload] -= lost[workload]
            left[workload] -= lost[workload]
        expected = _expected(workload, ran[workload], before, after)
        # Those that are not wanted any more do not count.
        had_to_leave = max(0, left[workload] - (ran[workload] - expected))
        if not (had_to_leave or waits[workload] or runs[workload] < expected):
            continue
        quorum = _quorum(workload, after, ran[workload], lost[workload], runs[workload])
        found.append(
            AffectedWorkload(workload, ran[workload], expected, had_to_leave, runs[workload], waits[workload], quorum)
        )
    return Affected(tuple(sorted(found, key=_gravity)), _broken(before.budgets, after.budgets))


def _expected(workload: Workload, ran: int, before: RunningPods, after: RunningPods) -> int:
    wanted = after.replicas.get(workload, 0 if workload in before.replicas else ran)
    return min(ran, wanted)


def _quorum(workload: Workload, after: RunningPods, ran: int, lost: int, runs: int) -> Quorum:
    members = after.replicas.get(workload, 0)
    majority = members // 2 + 1
    if workload.kind != "StatefulSet" or members < LEAST_MEMBERS or ran < majority:
        return Quorum.KEPT
    if runs < majority:
        return Quorum.LOST
    return Quorum.INTERRUPTED if ran - lost < majority else Quorum.KEPT


def _gravity(each: AffectedWorkload) -> tuple[int, bool, int, int, int, Workload]:
    quorum = list(Quorum).index(each.quorum)
    return quorum, not each.is_stopped, -each.missing, -each.pending, -each.left, each.workload


def _broken(before: Mapping[str, HealthyPods], after: Mapping[str, HealthyPods]) -> tuple[BrokenBudget, ...]:
    return tuple(
        BrokenBudget(key, now.desired, before[key].healthy, now.healthy)
        for key, now in sorted(after.items())
        if key in before and now.healthy < now.desired and before[key].healthy >= before[key].desired
    )
