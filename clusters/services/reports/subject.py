"""What a review is about, a cluster as it is or as a simulation left it, and the tables of its document."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils import timezone

from clusters.engine.objects import Document, key_of, labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS, Unit, node_amounts, resource_unit
from clusters.engine.simulation import (
    Base,
    Case,
    Loss,
    Losses,
    Origin,
    Removal,
    RemovalOptions,
    Simulation,
    Wanted,
    find_removable,
    play_losses,
)
from clusters.engine.taints import Taint, Toleration
from clusters.engine.volumes import spec_of
from clusters.models import PENDING, Cluster, Node, Pod, SimulationRun
from clusters.services.disruption import daemon_sets_of
from clusters.services.mirror.bases import present
from clusters.services.mirror.snapshots import configuration_of, last_moment
from clusters.services.reports.capacity_samples import bound_slots
from clusters.services.runs import case_of, nodes_of, state_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clusters.engine import SchedulerConfiguration, Snapshot

# What a review is about: a cluster as it is, or as a simulation left it.

_ROWS_AT_ONCE = 2_000


# Moving more pods than these is not tried, as it takes minutes.
MOST_PLACEMENTS = 8_000
# Losses are played through where at most so many pods are on nodes.
MOST_PLAYED = 20_000


@dataclass(frozen=True, eq=False)
class Subject:
    """A state and what its snapshot does not hold.

    ``waiting``: the pods without a node. ``capacity``: what each node has in all, by name; one that is missing has as
    much as is allocatable. ``classes``: the priority class and the QoS class of each pod by ``namespace/name``.
    """

    cluster: Cluster
    run: SimulationRun | None
    revision: int
    as_of: datetime
    base: Base
    configuration: SchedulerConfiguration
    waiting: Sequence[Document]
    capacity: Mapping[str, Mapping[str, int]]
    classes: Mapping[str, tuple[str, str]]
    daemon_sets: frozenset[str] | None
    _zones_lost: list[tuple[Loss, ...]] = field(default_factory=list, init=False)

    @property
    def snapshot(self) -> Snapshot:
        """Its nodes, the pods on them, and the objects around them."""
        return self.base.snapshot

    def losses_for(self, shapes: Sequence[Document], most: int = 0) -> Losses | None:
        """Return how many pods like each shape fit after losses; None of clusters with too many pods."""
        if int(self.snapshot.nodes.pod_count.sum()) > MOST_PLAYED:
            return None
        found = play_losses(self.base, self.configuration, shapes, most=most)
        # What the loss of a zone leaves pending is the same whichever shapes are counted.
        self._zones_lost.append(found.zones)
        return found

    @property
    def newly_pending_by_zone(self) -> Mapping[str, int]:
        """How many pods the loss of each zone leaves newly pending; nothing of one zone, or of too large ones."""
        if not self._zones_lost:
            self.losses_for(())
        zones = self._zones_lost[0] if self._zones_lost else ()
        return {loss.name: len(loss.newly_pending) for loss in zones} if len(zones) > 1 else {}

    @cached_property
    def removable(self) -> Removal:
        """Which nodes could go, one after another, once all pending pods have been tried."""
        return self.removable_with(self.snapshot, self.placed_on(self.snapshot.nodes.names))

    def removable_with(self, snapshot: Snapshot, pods: Sequence[Document]) -> Removal:
        """Return which nodes could go if the cluster were ``snapshot``, with ``pods`` on its nodes.

        The pending pods are tried first: who removes a node that one of them needs adds it again.
        """
        wanted = [Wanted(pod, origin=Origin.PENDING_BEFORE) for pod in self.waiting]
        simulation = Simulation(Case(snapshot, self.configuration, wanted, placed={key_of(pod): pod for pod in pods}))
        for _ in simulation:
            pass
        after = simulation.snapshot
        keys = (after.pods.keys[slot] for slot in bound_slots(after).tolist())
        on_nodes = [_on(simulation.document_of(key), after.placed_on(key)) for key in keys]
        left = [simulation.document_of(key) for key in simulation.waiting]
        options = RemovalOptions(most_placements=MOST_PLACEMENTS)
        return find_removable(after, self.configuration, on_nodes, options, others=left)

    def placed_on(self, nodes: Sequence[str]) -> list[Document]:
        """Return the documents of the pods on these nodes; finished ones are not among them."""
        pods, index = self.snapshot.pods, self.snapshot.nodes.index
        on_them = np.flatnonzero(np.isin(pods.node, [index[name] for name in nodes]))
        found = self.base.read_pods([pods.keys[slot] for slot in on_them.tolist()])
        return [pod for key, pod in found.items() if self.snapshot.placed_on(key) == spec_of(pod).get("nodeName")]

    @staticmethod
    def workload_of(pod: Document) -> Workload:
        """Return what an operator calls the maker of a pod."""
        return Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))


def subject_of_cluster(cluster: Cluster) -> Subject:
    """Return a cluster in its present state; what is read beside the snapshot may be a moment newer.

    Raises ConfigurationError and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    revision, base = present(cluster)
    pods = Pod.objects.filter(cluster=cluster)
    classes = {
        f"{namespace}/{name}": (priority_class, qos)
        for namespace, name, priority_class, qos in pods.values_list(
            "namespace", "name", "priority_class", "qos_class"
        ).iterator(_ROWS_AT_ONCE)
    }
    nodes = Node.objects.filter(cluster=cluster).values_list("name", "object")
    return Subject(
        cluster=cluster,
        run=None,
        revision=revision,
        as_of=last_moment(cluster) or timezone.now(),
        base=base,
        configuration=configuration,
        waiting=list(pods.filter(PENDING).order_by("namespace", "name").values_list("object", flat=True)),
        capacity={name: capacity_of(document) for name, document in nodes.iterator(_ROWS_AT_ONCE)},
        classes=classes,
        daemon_sets=daemon_sets_of(cluster),
    )


def subject_of_run(run: SimulationRun) -> Subject:
    """Return the cluster as a run left it. Raises SpecError for a run whose steps cannot be gone through."""
    assert run.cluster is not None  # noqa: S101 - orders about others are refused
    case, state = case_of(run), state_at(run, run.steps)
    snapshot = state.snapshot
    waiting = [state.document_of(key) for key in sorted(state.waiting)]
    placed = [snapshot.pods.keys[slot] for slot in bound_slots(snapshot).tolist()]

    def document(key: str) -> Document:
        try:
            return state.document_of(key)
        except KeyError:
            return {}

    def read_pods(keys: Collection[str]) -> dict[str, Document]:
        return {key: _on(found, snapshot.placed_on(key)) for key in keys if (found := document(key))}

    nodes = nodes_of(run)
    return Subject(
        cluster=run.cluster,
        run=run,
        revision=run.cluster.revision if run.base is None else run.base.revision,
        as_of=run.created_at if run.base is None else run.base.as_of or run.base.created_at,
        base=Base(snapshot, tuple(waiting), lambda names: {name: nodes[name] for name in names}, read_pods),
        configuration=case.configuration,
        waiting=waiting,
        capacity={name: capacity_of(document) for name, document in nodes.items()},
        classes={key: _classes(document(key)) for key in placed},
        daemon_sets=None,
    )


def _on(pod: Document, node: str | None) -> Document:
    """Return a pod's document with the node that it is on."""
    return {**pod, "spec": {**spec_of(pod), "nodeName": node}}


def _classes(pod: Document) -> tuple[str, str]:
    return str((pod.get("spec") or {}).get("priorityClassName") or ""), qos_of(pod) if pod else ""


def capacity_of(node: Document) -> Mapping[str, int]:
    """Return what a node has in all, what is kept for the system with it; as allocatable where it does not say."""
    status = node.get("status") or {}
    return node_amounts({**(status.get("allocatable") or {}), **(status.get("capacity") or {})})


def qos_of(pod: Document) -> str:
    """Return the QoS class that the kubelet reported, or that follows from the containers' requests and limits."""
    reported = (pod.get("status") or {}).get("qosClass")
    if reported:
        return str(reported)
    spec = pod.get("spec") or {}
    containers = [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]
    resources = [each.get("resources") or {} for each in (spec, *containers) if each is not spec or "resources" in spec]
    asked = [
        ((each.get("limits") or {}).get(name), (each.get("requests") or each.get("limits") or {}).get(name))
        for each in resources
        for name in ("cpu", "memory")
    ]
    if not any(limit or request for limit, request in asked):
        return "BestEffort"
    return "Guaranteed" if all(limit and limit == request for limit, request in asked) else "Burstable"


# Tables of a review's document: raw values under keys, and of which kind they are. Titles are the web ring's.

Column = dict[str, str]
Row = dict[str, Any]
_FIRST = (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)
# As documents name the kinds of columns and the units of amounts.
_KINDS = {Unit.MILLI_CPU: "cpu", Unit.BYTES: "memory", Unit.COUNT: "number"}
_UNITS = {Unit.MILLI_CPU: "millicores", Unit.BYTES: "bytes", Unit.COUNT: "count"}


def text(key: str) -> Column:
    """Words."""
    return {"key": key, "kind": "text"}


def name(key: str) -> Column:
    """An object's name."""
    return {"key": key, "kind": "name"}


def names(key: str) -> Column:
    """A list of objects' names."""
    return {"key": key, "kind": "names"}


def number(key: str) -> Column:
    """A whole number."""
    return {"key": key, "kind": "number"}


def time(key: str) -> Column:
    """A time, or null."""
    return {"key": key, "kind": "time"}


def money(key: str) -> Column:
    """An amount of money as a decimal text."""
    return {"key": key, "kind": "money"}


def yes(key: str) -> Column:
    """Whether something is so."""
    return {"key": key, "kind": "yes"}


def resource(resource: str, measure: str) -> Column:
    """An amount of a resource in base units."""
    return {"key": f"{resource}_{measure}", "kind": kind_of(resource), "resource": resource, "measure": measure}


def share(resource: str) -> Column:
    """What is requested of what is allocatable, 0 to 1; null where nothing is allocatable."""
    return {"key": f"{resource}_share", "kind": "share", "resource": resource, "measure": "share"}


def kind_of(resource: str) -> str:
    """The kind of a resource's amounts: milli-CPU, bytes, or a number."""
    return _KINDS[resource_unit(resource)]


def unit_of(resource: str) -> str:
    """The name of the unit of a resource's amounts."""
    return "pods" if resource == PODS else _UNITS[resource_unit(resource)]


def in_order(resources: Iterable[str]) -> list[str]:
    """Resources, the usual ones first, then by name."""
    return sorted(resources, key=lambda each: (_FIRST.index(each) if each in _FIRST else len(_FIRST), each))


def ratio(part: int, whole: int) -> float | None:
    """Part of whole, to four decimals."""
    return round(part / whole, 4) if whole > 0 else None


def table(name: str, columns: Sequence[Column], rows: Sequence[Row], total: Mapping[str, Any] | None = None) -> Row:
    """A table; every row has a value under every column's key."""
    return {"name": name, "columns": list(columns), "rows": list(rows), "total": None if total is None else dict(total)}


def section(key: str, facts: Mapping[str, Any], tables: Sequence[Row] = ()) -> Row:
    """A section of a document."""
    return {"key": key, "facts": dict(facts), "tables": list(tables)}


def moment(at: datetime) -> str:
    """A time of UTC to the second."""
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


# Taints that no pod of a cluster tolerates.

# Kubernetes itself puts these on nodes that are not well.
_OF_CONDITIONS = "node.kubernetes.io/"


def untolerated(subject: Subject) -> dict[Taint, list[int]]:
    """Taints that keep pods away and that no pod tolerates, placed or waiting, but for those of DaemonSets.

    With the rows of their nodes; the taint of most nodes first.
    """
    where: dict[Taint, list[int]] = {}
    for row, node in enumerate(subject.snapshot.nodes.nodes):
        for taint in node.taints:
            if taint.forbids_scheduling and not taint.key.startswith(_OF_CONDITIONS):
                where.setdefault(taint, []).append(row)
    tolerations = _tolerations(subject) if where else set()
    return {
        taint: where[taint]
        for taint in sorted(where, key=lambda taint: (-len(where[taint]), taint.key, taint.value, taint.effect))
        if not any(toleration.tolerates(taint) for toleration in tolerations)
    }


def _tolerations(subject: Subject) -> set[Toleration]:
    pods = subject.snapshot.pods
    used = np.unique(pods.template[pods.node >= 0])
    placed = (pods.templates[number] for number in used.tolist())
    written = [entry for template in placed if not template.is_pinned for entry in template.tolerations]
    written += [entry for pod in subject.waiting for entry in (pod.get("spec") or {}).get("tolerations") or ()]
    return {Toleration.from_dict(entry) for entry in written}
