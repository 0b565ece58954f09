"""The workloads of a cluster: what makes its pods, and how those lie; kept for each revision."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusters.engine.objects import Pod as EnginePod
from clusters.engine.objects import labels_of, name_of, namespace_of
from clusters.engine.pod_template import Controller, PodTemplate, Workload
from clusters.engine.spread import ZONE
from clusters.models import KubeObject, Pod
from clusters.services.budgets import budgets_of
from clusters.services.explain import configuration_of
from clusters.services.latest import Latest
from clusters.services.snapshots import snapshot_of
from clusters.services.spread import spread_of
from clusters.services.workloads.desired import desired_of
from clusters.services.workloads.owners import BARE, Owners

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BudgetState
    from clusters.engine.objects import Document
    from clusters.engine.spread_groups import SpreadGroup
    from clusters.engine.status import Index, Ints
    from clusters.models import Cluster

# Kinds that snapshots leave out, because the scheduler does not ask for them.
_BESIDE_SNAPSHOT = ("DaemonSet", "Job", "CronJob")
# What has a size is a workload even while it has no pods.
_LASTING = ("Deployment", "StatefulSet", "ReplicationController")


class PendingPod(NamedTuple):
    """A pod without a node."""

    namespace: str
    name: str
    document: Document
    cpu_milli: int
    memory_bytes: int
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class WorkloadState:
    """One workload. ``desired`` is None where nothing says how many pods it should have.

    ``placed``: pods that lie on a node, those being deleted included; ``zones``: of these in every zone of the
    cluster, the last one for nodes without; ``nodes``: on how many nodes. ``cpu_milli`` and ``memory_bytes``: what
    placed and waiting pods request. ``priorities``: the lowest and the highest. ``groups``: the short names of its
    spread groups, the most violated first; ``budgets``: those that select any of its pods.
    """

    workload: Workload
    desired: int | None
    placed: int
    ready: int
    terminating: int
    pending: int
    zones: tuple[int, ...]
    nodes: int
    cpu_milli: int
    memory_bytes: int
    priorities: tuple[int, int] | None
    groups: tuple[str, ...]
    budgets: tuple[str, ...]


class ClusterWorkloads(NamedTuple):
    """Every workload, by namespace, kind and name.

    ``zones`` are those of the cluster in order of name, the last one, "", that of nodes without one. ``slots_of``
    numbers the workload of every pod slot of the snapshot, -1 for none. ``inferred``: how many ReplicaSets the mirror
    lacks. ``owners`` are the objects that snapshots leave out, by kind, namespace and name.
    """

    snapshot: Snapshot
    zones: tuple[str, ...]
    states: Mapping[Workload, WorkloadState]
    numbers: Mapping[Workload, int]
    of_slot: Ints
    pending: Mapping[Workload, tuple[PendingPod, ...]]
    groups: Mapping[str, SpreadGroup]
    budgets: Mapping[str, BudgetState]
    owners: Mapping[tuple[str, str, str], Document]
    inferred: int

    def slots(self, workload: Workload) -> Index:
        """Slots of the placed pods of a workload."""
        return np.flatnonzero(self.of_slot == self.numbers.get(workload, -2))

    def document(self, workload: Workload) -> Document | None:
        """Return the object that stands behind a workload, as far as it is mirrored."""
        kind, namespace, name = workload.kind, workload.namespace, workload.name
        return self.owners.get((kind, namespace, name)) or self.snapshot.object(kind, name, namespace)

    def worst_group(self, state: WorkloadState) -> SpreadGroup | None:
        """Return the spread group of a workload that is over its maxSkew by most, and among equals has most skew."""
        return self.groups[state.groups[0]] if state.groups else None


_latest: Latest[ClusterWorkloads] = Latest()


def workloads_of(*, cluster: Cluster) -> ClusterWorkloads:
    """Return the cluster's workloads in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    # Changes of these leave the snapshot as it is.
    beside = KubeObject.objects.filter(cluster=cluster, kind__in=_BESIDE_SNAPSHOT)
    digests = frozenset(beside.values_list("uid", "digest"))
    settled = (repr(configuration.profiles), digests)
    return _latest.get(cluster.pk, snapshot, settled, lambda: _computed(cluster, snapshot))


def _computed(cluster: Cluster, snapshot: Snapshot) -> ClusterWorkloads:
    beside = KubeObject.objects.filter(cluster=cluster, kind__in=_BESIDE_SNAPSHOT)
    owners: dict[tuple[str, str, str], Document] = {
        (kind, namespace, name): document
        for kind, namespace, name, document in beside.values_list("kind", "namespace", "name", "object")
    }
    columns = ("namespace", "name", "object", "cpu_milli", "memory_bytes", "created_at")
    rows = Pod.objects.filter(cluster=cluster, is_pending=True).order_by("namespace", "name").values_list(*columns)
    pending = [PendingPod(*row) for row in rows]
    jobs = {(namespace, name): document for (kind, namespace, name), document in owners.items() if kind == "Job"}
    spread, budgets = spread_of(cluster=cluster), budgets_of(cluster=cluster)
    return _Counting(snapshot, Owners(snapshot, jobs), owners, pending).counted(spread.groups, budgets.states)


class _Counting:
    """Counts the pods of a snapshot by workload."""

    def __init__(
        self,
        snapshot: Snapshot,
        resolve: Owners,
        owners: Mapping[tuple[str, str, str], Document],
        pending: Iterable[PendingPod],
    ) -> None:
        self._snapshot = snapshot
        self._resolve = resolve
        self._owners = owners
        self._numbers: dict[Workload, int] = {}
        # What the engine calls a workload, by which it names those of a spread group.
        self._named: defaultdict[Workload, set[Workload]] = defaultdict(set)
        self._of_slot = self._numbered()
        self._pending: defaultdict[Workload, list[PendingPod]] = defaultdict(list)
        for pod in pending:
            workload = resolve.of_pod(pod.namespace, pod.name, pod.document)
            self._number(workload)
            self._pending[workload].append(pod)
            self._named[PodTemplate.of(EnginePod(pod.document)).workload].add(workload)
        for workload in self._lasting():
            self._number(workload)

    def _number(self, workload: Workload) -> int:
        return self._numbers.setdefault(workload, len(self._numbers))

    def _numbered(self) -> Ints:
        """Return the number of the workload of every slot, shape (P,)."""
        pods = self._snapshot.pods
        of_template = np.full(len(pods.templates), -1, np.int64)
        size = len(pods.keys)
        is_bound = pods.label_set[:size] >= 0
        is_bound[list(pods.nominees)] = False
        bound = np.flatnonzero(is_bound)
        for number in np.unique(pods.template[bound]).tolist():
            template = pods.templates[number]
            if template.controller is not None:
                workload = self._resolve.of_controller(template.namespace, template.controller, template.workload)
                of_template[number] = self._number(workload)
                self._named[template.workload].add(workload)
        found = np.full(size, -1, np.int64)
        found[bound] = of_template[pods.template[bound]]
        for slot in bound[found[bound] < 0].tolist():
            found[slot] = self._number(Workload(pods.namespace(slot), BARE, pods.name(slot)))
        return found

    def _lasting(self) -> Iterable[Workload]:
        for kind in _LASTING:
            for document in self._snapshot.objects(kind):
                yield Workload(namespace_of(document), kind, name_of(document))
        for document in self._snapshot.objects("ReplicaSet"):
            if Controller.of(document) is None:
                yield Workload(namespace_of(document), "ReplicaSet", name_of(document))
        for kind, namespace, name in self._owners:
            if kind == "DaemonSet":
                yield Workload(namespace, kind, name)

    def counted(self, groups: Mapping[str, SpreadGroup], budgets: Mapping[str, BudgetState]) -> ClusterWorkloads:
        """Add everything up; the work grows with the pods only where NumPy does it."""
        pods, size = self._snapshot.pods, len(self._numbers)
        slots = np.flatnonzero(self._of_slot >= 0)
        of = self._of_slot[slots]
        zones, zone = self._zones(pods.node[slots])

        def count(mask: Any = None) -> Ints:
            return np.bincount(of if mask is None else of[mask], minlength=size).astype(np.int64)

        terminating = pods.terminating[slots]
        placed, leaving = count(), count(terminating)
        ready = count(pods.ready[slots] & ~terminating)
        by_zone = np.bincount(of * len(zones) + zone, minlength=size * len(zones)).reshape(size, len(zones))
        width = len(self._snapshot.nodes) + 1
        homes = np.unique(of * width + pods.node[slots] + 1)
        nodes = np.bincount(homes // width, minlength=size)
        cpu, memory = (self._requested(slots, of, name) for name in ("cpu", "memory"))
        lowest, highest = self._priorities(slots, of)
        by_group, by_budget = self._groups(groups), self._budgets(slots, budgets)
        states = {}
        for workload, number in self._numbers.items():
            waiting = self._pending.get(workload, [])
            own = [EnginePod(pod.document).priority for pod in waiting]
            if placed[number]:
                own += [int(lowest[number]), int(highest[number])]
            states[workload] = WorkloadState(
                workload=workload,
                desired=desired_of(workload, self._owners, self._snapshot),
                placed=int(placed[number]),
                ready=int(ready[number]),
                terminating=int(leaving[number]),
                pending=len(waiting),
                zones=tuple(by_zone[number].tolist()),
                nodes=int(nodes[number]),
                cpu_milli=int(cpu[number]) + sum(pod.cpu_milli for pod in waiting),
                memory_bytes=int(memory[number]) + sum(pod.memory_bytes for pod in waiting),
                priorities=(min(own), max(own)) if own else None,
                groups=tuple(by_group.get(workload, ())),
                budgets=tuple(by_budget.get(workload, ())),
            )
        return ClusterWorkloads(
            snapshot=self._snapshot,
            zones=zones,
            states=states,
            numbers=self._numbers,
            of_slot=self._of_slot,
            pending={workload: tuple(waiting) for workload, waiting in self._pending.items()},
            groups=groups,
            budgets=budgets,
            owners=self._owners,
            inferred=len(self._resolve.inferred),
        )

    def _zones(self, nodes: Ints) -> tuple[tuple[str, ...], Ints]:
        """Return the zones in order of name with the nameless one last, and the place of each node's among them."""
        column = self._snapshot.nodes.label(ZONE)
        named = sorted((number for number, value in enumerate(column.values) if value), key=column.values.__getitem__)
        place = np.full(len(column.values) + 1, len(named), np.int64)
        place[named] = np.arange(len(named))
        codes = np.where(column.present, column.codes, len(column.values))
        codes = np.append(codes, len(column.values))
        return (*(column.values[number] for number in named), ""), place[codes[nodes]]

    def _requested(self, slots: Index, of: Ints, resource: str) -> Ints:
        shapes = self._snapshot.pods.shapes
        amounts = np.array([dict(shape.requests).get(resource, 0) for shape in shapes], np.int64)
        weights = amounts[self._snapshot.pods.shape[slots]]
        total = np.zeros(len(self._numbers), np.int64)
        np.add.at(total, of, weights)
        return total

    def _priorities(self, slots: Index, of: Ints) -> tuple[Ints, Ints]:
        priority = self._snapshot.pods.priority[slots]
        far = np.iinfo(np.int64)
        lowest, highest = np.full(len(self._numbers), far.max), np.full(len(self._numbers), far.min)
        np.minimum.at(lowest, of, priority)
        np.maximum.at(highest, of, priority)
        return lowest, highest

    def _groups(self, groups: Mapping[str, SpreadGroup]) -> dict[Workload, list[str]]:
        found: defaultdict[Workload, list[str]] = defaultdict(list)
        # The groups come most violated first, and so do those of each workload.
        for identity, group in groups.items():
            for named in group.workloads:
                for workload in self._named.get(named, ()):
                    found[workload].append(identity)
        return found

    def _budgets(self, slots: Index, budgets: Mapping[str, BudgetState]) -> dict[Workload, list[str]]:
        pods = self._snapshot.pods
        width = max(1, len(pods.label_sets))
        pairs = np.unique(pods.label_set[slots].astype(np.int64) + self._of_slot[slots] * width)
        bearing: defaultdict[int, list[int]] = defaultdict(list)
        for pair in pairs.tolist():
            bearing[pair % width].append(pair // width)
        workloads = list(self._numbers)
        found: defaultdict[Workload, dict[str, None]] = defaultdict(dict)
        for key, state in budgets.items():
            budget = state.budget
            for label_set in pods.select(budget.selector, frozenset({budget.namespace})):
                for number in bearing.get(label_set, ()):
                    found[workloads[number]][key] = None
        by_namespace: defaultdict[str, list[BudgetState]] = defaultdict(list)
        for state in budgets.values():
            by_namespace[state.budget.namespace].append(state)
        for workload, waiting in self._pending.items():
            labels = labels_of(waiting[0].document)
            for state in by_namespace.get(workload.namespace, ()):
                if state.budget.selector.matches(labels):
                    found[workload][state.budget.key] = None
        return {workload: list(keys) for workload, keys in found.items()}
