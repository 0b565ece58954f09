"""The controller that owns a pod in the end, how many pods it means to have, and a pod that stands for the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from clusters.engine.objects import Document, labels_of, metadata, name_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.volumes import spec_of
from clusters.models import Cluster, KubeObject, Pod
from clusters.services.mirror.past import pods_named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BudgetState
    from clusters.engine.spreading import SpreadGroup
    from clusters.engine.status import Index, Ints
    from clusters.engine.workloads import Failures

# What is known of the workloads of a cluster.


# The controller that owns a pod in the end: the Deployment behind a ReplicaSet, the CronJob behind a Job.


class PendingPod(NamedTuple):
    """A pod without a node."""

    namespace: str
    name: str
    document: Document
    cpu_milli: int
    memory_bytes: int
    created_at: datetime | None


class WorkloadState(NamedTuple):
    """One workload. ``desired`` is None where nothing says how many pods it should have.

    ``placed``: pods on nodes, those being deleted included; ``zones``: of these in every zone of the
    cluster, the last one for nodes without; ``nodes``: on how many nodes. ``cpu_milli`` and ``memory_bytes``: what
    placed and pending pods request. ``priorities``: the lowest and the highest. ``groups``: the short names of its
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


class BarePods(NamedTuple):
    """The pods on nodes that nothing controls, each of which is a workload; there may be as many as pods.

    ``slots`` are in order of namespace and name. ``zone``: the place of each node row's zone among all, the last one of
    nodes that are not there. ``budgets``: of label sets those that any budget selects. ``desired``: of each of them.
    """

    snapshot: Snapshot
    slots: Index
    zone: Index
    zones: int
    budgets: Mapping[int, tuple[str, ...]]
    desired: int | None

    def workload(self, place: int) -> Workload:
        """Return what the pod at a place of ``slots`` is called as a workload."""
        slot = int(self.slots[place])
        return Workload(self.snapshot.pods.namespace(slot), BARE, self.snapshot.pods.name(slot))

    def state(self, slot: int) -> WorkloadState:
        """Return the state of the workload that the pod of a slot is."""
        pods = self.snapshot.pods
        requests = dict(pods.shapes[pods.shape[slot]].requests)
        zones = [0] * self.zones
        zones[self.zone[pods.node[slot]]] = 1
        priority = int(pods.priority[slot])
        return WorkloadState(
            workload=Workload(pods.namespace(slot), BARE, pods.name(slot)),
            desired=self.desired,
            placed=1,
            ready=int(pods.ready[slot] and not pods.terminating[slot]),
            terminating=int(pods.terminating[slot]),
            pending=0,
            zones=tuple(zones),
            nodes=1,
            cpu_milli=requests.get("cpu", 0),
            memory_bytes=requests.get("memory", 0),
            priorities=(priority, priority),
            groups=(),
            budgets=self.budgets.get(int(pods.label_set[slot]), ()),
        )


class WorkloadStates(Mapping["Workload", WorkloadState]):
    """The state of each workload in the order of the list; those of bare pods on nodes are made when asked for.

    ``owned``: all others, in order. ``places``: where each of them stands in the whole order.
    """

    def __init__(self, owned: Mapping[Workload, WorkloadState], places: Index, bare: BarePods) -> None:
        self.owned = owned
        self.bare = bare
        self._in_order = list(owned)
        self._places = places

    def __len__(self) -> int:
        return len(self.owned) + len(self.bare.slots)

    def __iter__(self) -> Iterator[Workload]:
        return map(self._at, range(len(self)))

    def __getitem__(self, workload: Workload) -> WorkloadState:
        state = self.owned.get(workload)
        if state is not None:
            return state
        slot = self.bare_slot(workload)
        if slot is None:
            raise KeyError(workload)
        return self.bare.state(slot)

    def bare_slot(self, workload: Workload) -> int | None:
        """Return the slot of the pod on a node that stands for itself under this name; None where there is none."""
        if workload.kind != BARE or workload in self.owned:
            return None
        pods = self.bare.snapshot.pods
        slot = pods.slot_of.get(f"{workload.namespace}/{workload.name}")
        is_bare = slot is not None and slot not in pods.nominees and pods.label_set[slot] >= 0
        return slot if is_bare and pods.templates[pods.template[slot]].controller is None else None

    def in_order(self) -> StatesInOrder:
        """Return the states in order, made when they are looked at."""
        return StatesInOrder(self)

    def at(self, place: int) -> WorkloadState:
        """Return the state at a place of the order."""
        return self[self._at(place)]

    def _at(self, place: int) -> Workload:
        before = int(np.searchsorted(self._places, place))
        if before < len(self._places) and self._places[before] == place:
            return self._in_order[before]
        return self.bare.workload(place - before)


class StatesInOrder(Sequence[WorkloadState]):
    """All states of a mapping in its order, of which a page makes those alone that it shows."""

    def __init__(self, states: WorkloadStates) -> None:
        self._states = states

    def __len__(self) -> int:
        return len(self._states)

    @overload
    def __getitem__(self, place: int) -> WorkloadState: ...
    @overload
    def __getitem__(self, place: slice) -> list[WorkloadState]: ...
    def __getitem__(self, place: int | slice) -> WorkloadState | list[WorkloadState]:
        places = range(len(self))[place]
        return self._states.at(places) if isinstance(places, int) else [*map(self._states.at, places)]


class Summary(NamedTuple):
    """What is said of all workloads together. ``worst``: the one with the worst skew, None where none is spread.

    ``astray``: of the pods that are ``placed`` those on nodes that the cluster's data lacks.
    """

    placed: int
    astray: int
    pending: int
    with_pending: int
    worst: WorkloadState | None
    namespaces: tuple[str, ...]
    kinds: tuple[str, ...]


class ClusterWorkloads(NamedTuple):
    """Every workload: failing ones first, then those with most pending pods, the most uneven ones, and the largest.

    ``zones`` are those of the cluster in order of name, the last one, "", that of nodes without one. ``numbers`` are of
    all workloads but bare pods on nodes, and ``of_slot`` has the one of every pod slot of the snapshot, -1 for none.
    ``inferred``: how many ReplicaSets the mirror lacks. ``owners`` are the objects that snapshots leave out, by kind,
    namespace and name. ``failures``: what controllers report.
    """

    snapshot: Snapshot
    zones: tuple[str, ...]
    states: WorkloadStates
    numbers: Mapping[Workload, int]
    by_number: Sequence[Workload]
    of_slot: Ints
    pending: Mapping[Workload, tuple[PendingPod, ...]]
    groups: Mapping[str, SpreadGroup]
    budgets: Mapping[str, BudgetState]
    owners: Mapping[tuple[str, str, str], Document]
    failures: Failures
    inferred: int
    summary: Summary

    def slots(self, workload: Workload) -> Index:
        """Slots of the placed pods of a workload."""
        if workload in self.numbers:
            return np.flatnonzero(self.of_slot == self.numbers[workload])
        slot = self.states.bare_slot(workload)
        return np.array([] if slot is None else [slot], np.intp)

    def workload_at(self, slot: int) -> Workload:
        """Return the workload of the pod of a slot."""
        pods, number = self.snapshot.pods, int(self.of_slot[slot])
        return self.by_number[number] if number >= 0 else Workload(pods.namespace(slot), BARE, pods.name(slot))

    def document(self, workload: Workload) -> Document | None:
        """Return the object that stands behind a workload, as far as it is mirrored."""
        kind, namespace, name = workload.kind, workload.namespace, workload.name
        return self.owners.get((kind, namespace, name)) or self.snapshot.object(kind, name, namespace)

    def unevenness(self, state: WorkloadState) -> tuple[int, int]:
        """Return what orders workloads by their worst skew: how far it is over maxSkew, then the skew itself."""
        return unevenness_of(self.groups, state)

    def worst_group(self, state: WorkloadState) -> SpreadGroup | None:
        """Return the spread group of a workload with the worst skew."""
        return self.groups[state.groups[0]] if state.groups else None


def unevenness_of(groups: Mapping[str, SpreadGroup], state: WorkloadState) -> tuple[int, int]:
    """Return how far a workload is over maxSkew, then the skew itself; -1 for one that is not spread."""
    if not state.groups:
        return -1, -1
    return groups[state.groups[0]].unevenness


# The kind under which a pod that nothing controls stands for itself.
BARE = "Pod"
# What makes pods may have been made itself.
_BETWEEN = ("ReplicaSet", "Job")


class Owners:
    """Resolves controllers to workloads; ``jobs`` are by namespace and name.

    ``inferred`` gathers the ReplicaSets, as ``namespace/name``, that the mirror lacks: whose they are is read from
    their names, and where those do not tell, they stand for themselves.
    """

    def __init__(self, snapshot: Snapshot, jobs: Mapping[tuple[str, str], Document]) -> None:
        self._snapshot = snapshot
        self._jobs = jobs
        self.inferred: set[str] = set()

    def of_controller(self, namespace: str, controller: Controller, named: Workload) -> Workload:
        """Return the workload to which the pods of a controller belong; ``named`` is what the pods alone tell of it."""
        if controller.kind == "ReplicaSet":
            document = self._snapshot.object("ReplicaSet", controller.name, namespace)
            if document is None:
                self.inferred.add(f"{namespace}/{controller.name}")
                return named
            return _above(namespace, controller, document)
        if controller.kind == "Job":
            return _above(namespace, controller, self._jobs.get((namespace, controller.name)))
        return Workload(namespace, controller.kind, controller.name)

    def of_pod(self, namespace: str, name: str, pod: Document) -> Workload:
        """Return the workload of a pod; one that nothing controls is its own."""
        controller = Controller.of(pod)
        if controller is None:
            return Workload(namespace, BARE, name)
        named = Workload.of(namespace, controller, labels_of(pod).get(TEMPLATE_HASH, ""))
        return self.of_controller(namespace, controller, named)


def makers_of(cluster: Cluster, pods: Collection[Pod]) -> list[Workload]:
    """Return the workload of each pod as far as its controller, where the mirror has it, tells; empty for bare pods."""
    between = [pod.owner_name for pod in pods if pod.owner_kind in _BETWEEN]
    rows = KubeObject.objects.filter(cluster=cluster, kind__in=_BETWEEN, name__in=between)
    documents = {
        (kind, namespace, name): document
        for kind, namespace, name, document in rows.values_list("kind", "namespace", "name", "object")
    }
    return [
        _above(
            pod.namespace,
            Controller("", pod.owner_kind, pod.owner_name, ""),
            documents.get((pod.owner_kind, pod.namespace, pod.owner_name)),
        )
        for pod in pods
    ]


def _above(namespace: str, controller: Controller, document: Document | None) -> Workload:
    above = None if document is None else Controller.of(document)
    found = above or controller
    return Workload(namespace, found.kind, found.name)


# A pod of a workload that stands for the ones its controller would make next.


def sample_of(cluster: Cluster, found: ClusterWorkloads, workload: Workload) -> Document | None:
    """Return the workload's newest pod, which is made from its present template; None where it has none.

    One query. Pods that are being deleted are the last choice.
    """
    pods, slots = found.snapshot.pods, found.slots(workload)
    waiting = found.pending.get(workload, ())
    newest = max((pod.document for pod in waiting), key=_created, default=None)
    staying = slots[~pods.terminating[slots]]
    slots = staying if len(staying) or newest is not None else slots
    if not len(slots):
        return newest
    name = pods.name(int(slots[np.argmax(pods.start[slots])]))
    placed = documents_of(cluster, workload.namespace, [name]).get(name)
    candidates = [document for document in (placed, newest) if document is not None]
    return max(candidates, key=_created, default=None)


def documents_of(cluster: Cluster, namespace: str, names: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """Return pods of a namespace by name, as they are mirrored, with one query; or as they were."""
    if cluster.past is not None:
        return {pod.name: pod.object for pod in pods_named(cluster, namespace, list(names))}
    rows = Pod.objects.filter(cluster=cluster, namespace=namespace, name__in=names)
    return {name_of(document): document for document in rows.values_list("object", flat=True)}


def _created(pod: Document) -> str:
    return str(metadata(pod).get("creationTimestamp") or "")


# How many pods a workload is meant to have.

_WITH_REPLICAS = ("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController")


def desired_of(workload: Workload, owners: Mapping[tuple[str, str, str], Document], snapshot: Snapshot) -> int | None:
    """Return how many pods a workload should have now; None where no object of the mirror says it.

    ``owners``: objects that the snapshot leaves out, by kind, namespace and name.
    """
    kind, namespace, name = workload.kind, workload.namespace, workload.name
    if kind == BARE:
        return 1
    if kind in _WITH_REPLICAS:
        document = snapshot.object(kind, name, namespace)
        if document is None or "spec" not in document:
            return None
        replicas = spec_of(document).get("replicas")
        return 1 if replicas is None else int(replicas)
    document = owners.get((kind, namespace, name))
    if document is None:
        return None
    status = document.get("status") or {}
    if kind == "DaemonSet":
        return int(status["desiredNumberScheduled"]) if "desiredNumberScheduled" in status else None
    return _parallel(spec_of(document), int(status.get("succeeded") or 0)) if kind == "Job" else None


def _parallel(spec: Document, succeeded: int) -> int:
    """Return how many pods a Job runs at once: as many as are allowed, and no more than are still needed."""
    if spec.get("suspend"):
        return 0
    parallelism = int(1 if spec.get("parallelism") is None else spec["parallelism"])
    completions = spec.get("completions")
    return parallelism if completions is None else max(0, min(parallelism, int(completions) - succeeded))
