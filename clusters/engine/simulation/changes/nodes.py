"""Nodes that come, go or are marked, and what becomes of the pods on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from clusters.engine.disruption.failing_nodes import tolerated_seconds
from clusters.engine.objects import Document, Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.problems import Empty, NoSuchObject, NotTogether
from clusters.engine.simulation.case import MOST_NODES, Origin
from clusters.engine.simulation.changes.change import (
    ChangeFields,
    ClusterChange,
    NodesChange,
    first,
    nodes_of_zone,
)
from clusters.engine.simulation.changes.workloads import want_copies
from clusters.engine.simulation.controllers import (
    DaemonEligibility,
    JobKey,
    JobPods,
    ManifestError,
    PodLoss,
    daemon_pod,
    job_of,
    pinned,
    pinned_node,
)
from clusters.engine.simulation.node_counts import twin_of
from clusters.engine.simulation.problems import ChangeError, JobFailed, JobIndexFailed
from clusters.engine.simulation.remarks import (
    DaemonPodsAdded,
    DaemonPodsGone,
    DaemonSetRefused,
    DrainedAsKubectl,
    JobFails,
    JobIndexesFail,
    NotRecreatedElsewhere,
    OrdinalsWaitForNodes,
    PodsLost,
    TaintToleratedForAWhile,
    VolumesStayAttached,
)
from clusters.engine.spreading.constraints import ZONE
from clusters.engine.taints import NO_EXECUTE, Taint
from clusters.engine.volumes import exclusive_volumes
from clusters.engine.workloads.jobs import Indexes
from clusters.engine.workloads.pods import REVISION_HASH, PodCopy, copy_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Node
    from clusters.engine.simulation.changes.cluster import ChangedCluster


# Pods of DaemonSets on nodes that are changed: made where a DaemonSet begins to run, deleted where it stops.
#
# Upstream: ``updateDaemonSet`` and ``podsShouldBeOnNode`` of ``pkg/controller/daemon/daemon_controller.go``, v1.37.2.


# Nodes that are added: like one that there is, or from a template.


class _Daemon(NamedTuple):
    """What a DaemonSet's pods are made after, where it runs, and the pods that it has, by node."""

    workload: Workload
    likeness: Document
    where: DaemonEligibility
    pods: Mapping[str, list[str]]


def follow(world: ChangedCluster, path: str, before: Mapping[str, Node]) -> None:
    """Make and delete the pods of DaemonSets on nodes that were as ``before``."""
    copies: list[PodCopy] = []
    gone: list[tuple[Workload, str]] = []
    for daemon in _daemons(world, None):
        for name, node in before.items():
            now = world.nodes.node(name)
            if daemon.where.runs_on(now):
                if not daemon.where.runs_on(node) and name not in daemon.pods:
                    copies.append(_copy(world, daemon, name))
            elif daemon.where.stays_on(node) and not daemon.where.stays_on(now):
                gone += [(daemon.workload, key) for key in daemon.pods.get(name, ())]
    for _, key in gone:
        world.drop(key)
    if gone:
        world.remarks.append(DaemonPodsGone(len(gone), len({workload for workload, _ in gone})))
    _want(world, path, copies)


def join(world: ChangedCluster, path: str, nodes: Iterable[str], like: str | None) -> None:
    """Make the pods of DaemonSets on nodes that are new, perhaps ``like`` another one."""
    daemons = list(_daemons(world, like))
    copies = [
        _copy(world, daemon, name)
        for name in nodes
        for daemon in daemons
        if daemon.where.runs_on(world.nodes.node(name))
    ]
    _want(world, path, copies)


def _daemons(world: ChangedCluster, like: str | None) -> Iterable[_Daemon]:
    """Every DaemonSet whose template is known; of others those with a pod, on the node ``like`` if there is one.

    Of the latter the pods' node affinity was replaced by the name of their own node, and only their node selector and
    tolerations tell where else they run.
    """
    for document in sorted(world.snapshot.objects("DaemonSet"), key=lambda each: (namespace_of(each), name_of(each))):
        workload = Workload(namespace_of(document), "DaemonSet", name_of(document))
        key = f"{workload.namespace}/{workload.name}"
        pods = _pods_by_node(world, workload)
        template = world.daemons.get(key)
        if template is None and ((document.get("spec") or {}).get("template") or {}).get("spec"):
            try:
                template, _ = daemon_pod(document, world.snapshot, _revision(world, workload))
            except ManifestError:
                world.remarks.append(DaemonSetRefused(key))
                continue
        if template is not None:
            yield _Daemon(workload, template, DaemonEligibility(template, is_template=True), pods)
        elif (sample := _sample(world, workload, like)) is not None:
            yield _Daemon(workload, sample, DaemonEligibility(sample, is_template=False), pods)
    known = {(namespace_of(each), name_of(each)) for each in world.snapshot.objects("DaemonSet")}
    for workload in sorted(world.workloads()):
        if workload.kind == "DaemonSet" and (workload.namespace, workload.name) not in known:
            sample = _sample(world, workload, like)
            if sample is not None:
                pods = _pods_by_node(world, workload)
                yield _Daemon(workload, sample, DaemonEligibility(sample, is_template=False), pods)


def _sample(world: ChangedCluster, workload: Workload, like: str | None) -> Document | None:
    places = world.places_of(workload)
    first = min((key for key, node in places if like is None or (node == like and key in world.pods)), default=None)
    return None if first is None else world.pod(first)


def _revision(world: ChangedCluster, workload: Workload) -> str:
    """The revision that the newest pod of a DaemonSet bears; empty without pods."""
    borne = {world.label_of(key, REVISION_HASH) or "" for key, _ in world.places_of(workload)}
    if len(borne) < 2:
        return next(iter(borne), "")
    newest = max(map(Pod, world.pods_of(workload)), key=lambda pod: (pod.created, pod.key))
    return str(newest.labels.get(REVISION_HASH) or "")


def _pods_by_node(world: ChangedCluster, workload: Workload) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, node in world.places_of(workload):
        found.setdefault(node, []).append(key)
    return found


def _copy(world: ChangedCluster, daemon: _Daemon, node: str) -> PodCopy:
    return copy_of(world.snapshot, pinned(daemon.likeness, node), f"{daemon.workload.name}-{node}")


def _want(world: ChangedCluster, path: str, copies: list[PodCopy]) -> None:
    foreign = Counter(Pod(copy.pod).scheduler_name for copy in copies)
    mine = [copy for copy in copies if Pod(copy.pod).scheduler_name in world.schedulers]
    for scheduler, count in sorted(foreign.items()):
        if scheduler not in world.schedulers:
            world.remarks.append(NotRecreatedElsewhere(scheduler, count))
    if mine:
        want_copies(world, path, mine)
        world.remarks.append(DaemonPodsAdded(len(mine), len({Controller.of(copy.pod) for copy in mine})))


_BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"
_PREFIX = "new-node-"
_PODS_BY_DEFAULT = 110
_MOST_PODS = 100_000


@dataclass(frozen=True, slots=True)
class AddNodes(ClusterChange, change="add-nodes"):
    """New nodes: ``like`` another node, or with so much ``cpu`` and ``memory``. ``zones``: one after another in turn.

    Labels, taints and resources are added to those of the likeness.
    """

    count: int
    prefix: str | None = None
    like: str | None = None
    cpu: str | None = None
    memory: str | None = None
    pods: int | None = None
    resources: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()
    zones: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        like = given.text_or_none("like")
        if like is not None and (given.has("cpu") or given.has("memory")):
            name = "cpu" if given.has("cpu") else "memory"
            raise given.bad(name, NotTogether(("like", name)))
        return cls(
            count=given.integer("count", 1, MOST_NODES),
            prefix=given.name("prefix") if given.has("prefix") else None,
            like=like,
            cpu=given.quantity("cpu") if like is None else None,
            memory=given.quantity("memory") if like is None else None,
            pods=given.integer_or_none("pods", 1, _MOST_PODS),
            resources=given.quantities("resources"),
            labels=given.plain_labels("labels"),
            taints=given.taints("taints"),
            zones=given.label_values("zones"),
        )

    def apply(self, world: ChangedCluster, path: str) -> None:
        likeness = self._likeness(world, path)
        names: list[str] = []
        number = 0
        while len(names) < self.count:
            number += 1
            name = f"{self.prefix or _PREFIX}{number}"
            if name not in world.nodes:
                zone = self.zones[len(names) % len(self.zones)] if self.zones else None
                world.add_node(path, self._node(likeness, name, zone))
                names.append(name)
        self._add_attach_limits(world, names)
        join(world, path, names, self.like)

    def _likeness(self, world: ChangedCluster, path: str) -> Document:
        """The node that all new ones are made after."""
        if self.like is None:
            amounts = {"cpu": self.cpu, "memory": self.memory, "pods": str(_PODS_BY_DEFAULT)}
            return {"metadata": {}, "spec": {}, "status": {"allocatable": amounts, "capacity": amounts}}
        if self.like not in world.nodes:
            raise ChangeError(f"{path}.like", NoSuchObject("Node", self.like, first(world.nodes), len(world.nodes)))
        return world.nodes[self.like]

    def _node(self, likeness: Document, name: str, zone: str | None) -> Document:
        twin = twin_of(likeness, name)
        labels, status = {**twin["metadata"]["labels"], **self.labels}, twin["status"]
        if zone is not None:
            labels[ZONE] = zone
            if _BETA_ZONE in labels:
                labels[_BETA_ZONE] = zone
        more = {**self.resources, **({} if self.pods is None else {"pods": str(self.pods)})}
        amounts = {role: {**status[role], **more} for role in ("allocatable", "capacity") if role in status}
        mine = {(taint.key, taint.effect) for taint in self.taints}
        kept = [taint for taint in twin["spec"]["taints"] if (taint.get("key"), taint.get("effect")) not in mine]
        taints = [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in self.taints]
        return {
            **twin,
            "metadata": {**twin["metadata"], "labels": labels},
            "spec": {"taints": [*kept, *taints]},
            "status": {**status, **amounts},
        }

    def _add_attach_limits(self, world: ChangedCluster, names: list[str]) -> None:
        """How many volumes a node takes is told by an object of its name."""
        limits = world.snapshot.object("CSINode", self.like) if self.like else None
        if limits is not None:
            for name in names:
                fields = {**metadata(limits), "name": name, "uid": f"imagined:csinode/{name}"}
                world.snapshot.upsert({**limits, "metadata": fields})


# Jobs that lose pods with the nodes that a change takes away or taints.


class JobLosses:
    """The pods that Jobs lose at one moment: all are lost before others are made in their place."""

    def __init__(self, world: ChangedCluster) -> None:
        self._world = world
        self._made: defaultdict[JobKey, list[Document]] = defaultdict(list)
        self._jobs = JobPods(world.snapshot, self._pods_of)
        self._losses: list[PodLoss] = []
        self._failed: set[JobKey] = set()

    def lose(self, pod: Document) -> PodLoss:
        """Let a pod go, whoever controls it."""
        loss = self._jobs.lose(pod)
        self._losses.append(loss)
        if loss.failed is not None:
            self._failed.add(loss.failed)
        return loss

    def likeness(self, loss: PodLoss) -> Document | None:
        """The pod after which another one is made, once all are lost; None where none is."""
        owner = None if loss.pod is None else job_of(loss.pod)
        return None if owner in self._failed else self._jobs.likeness(loss)

    def makes(self, pod: Document) -> None:
        """Note a pod that is made, and not yet in the world."""
        owner = job_of(pod)
        if owner is not None:
            self._made[owner].append(pod)

    def end(self) -> None:
        """Delete the pods that Jobs still have which failed, and remark which did, and which indexes of others."""
        indexes: defaultdict[str, list[int]] = defaultdict(list)
        for loss in self._losses:
            if loss.failed is not None and isinstance(loss.problem, JobFailed):
                pods = self._world.pods_of(Workload(loss.failed[0], "Job", loss.failed[1]))
                for pod in pods:
                    self._world.drop(key_of(pod))
                why = loss.problem
                self._world.remarks.append(JobFails(why.job, why.reason, why.limit, len(pods)))
            elif isinstance(loss.problem, JobIndexFailed):
                indexes[loss.problem.job].append(loss.problem.index)
        self._world.remarks += [JobIndexesFail(job, str(Indexes.of(found))) for job, found in sorted(indexes.items())]

    def _pods_of(self, job: JobKey) -> list[Document]:
        namespace, name = job
        return [*self._world.pods_of(Workload(namespace, "Job", name)), *self._made[job]]


# Nodes that go, and what becomes of the pods on them.

GONE, UNREACHABLE, NOT_READY = "gone", "unreachable", "not-ready"
# So many pods are named.
_NAMED = 5


class RemoveNodes(NodesChange, change="remove-nodes"):
    """Nodes that are taken away without a drain."""

    def apply(self, world: ChangedCluster, path: str) -> None:
        take_away(world, path, self.chosen(world, path))


class DrainNodes(NodesChange, change="drain-nodes"):
    """Nodes that are drained when the simulation begins."""

    def apply(self, world: ChangedCluster, path: str) -> None:
        world.drained.update(dict.fromkeys(self.chosen(world, path)))
        world.remarks.append(DrainedAsKubectl())


@dataclass(frozen=True, slots=True)
class LoseZone(ClusterChange, change="lose-zone"):
    """A zone whose nodes are gone, or that stops answering when the simulation begins."""

    zone: str
    how: str

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.text("zone"), given.word("how", (GONE, UNREACHABLE)))

    def apply(self, world: ChangedCluster, path: str) -> None:
        nodes = nodes_of_zone(world, self.zone, path)
        if self.how == GONE:
            take_away(world, path, nodes)
        else:
            world.unreachable.update(dict.fromkeys(nodes))
            remark_waiting(world, nodes)


@dataclass(frozen=True, slots=True)
class FailNodes(NodesChange, change="fail-nodes"):
    """Nodes that stop reporting, or report that they are not ready, when the simulation begins."""

    how: str = UNREACHABLE

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given), how=given.word("how", (UNREACHABLE, NOT_READY)))

    def apply(self, world: ChangedCluster, path: str) -> None:
        failing = dict.fromkeys(self.chosen(world, path))
        (world.unreachable if self.how == UNREACHABLE else world.not_ready).update(failing)
        if self.how == UNREACHABLE:
            remark_waiting(world, failing)


def remark_waiting(world: ChangedCluster, nodes: Iterable[str]) -> None:
    """Remark whose replacements wait while nodes stay unreachable, and their pods Terminating.

    Those are a StatefulSet's, which come only once the pod's object is gone, and those that need a volume which one
    node at a time can attach. The simulation makes all of them at once.
    """
    stateful = attached = 0
    for document in world.pods_on(nodes):
        pod, controller = Pod(document), Controller.of(document)
        if pod.finished or controller is None or controller.kind in ("DaemonSet", "Node"):
            continue
        stateful += controller.kind == "StatefulSet"
        attached += bool(exclusive_volumes(world.snapshot, pod))
    if stateful:
        world.remarks.append(OrdinalsWaitForNodes(stateful))
    if attached:
        world.remarks.append(VolumesStayAttached(attached))


def take_away(world: ChangedCluster, path: str, nodes: Iterable[str]) -> None:
    """Take nodes away, and recreate the pods on them that have a controller."""
    names = frozenset(nodes)
    gone = world.drop_nodes(sorted(names))
    # Their controller deletes the pods of DaemonSets whose node is no more, whether or not they ever ran there.
    for key, wanted in list(world.waiting.items()):
        controller = Controller.of(wanted.pod)
        if controller is not None and controller.kind == "DaemonSet" and pinned_node(wanted.pod) in names:
            world.drop(key)
    bring_back(world, path, gone)


def bring_back(world: ChangedCluster, path: str, pods: Iterable[Document]) -> None:
    """Drop pods; those that controllers recreate are pending then.

    Pods of DaemonSets and of kubelets go with their node, what has finished and what is being deleted goes for good.
    Jobs count their pods as failed, and may fail with that.
    """
    lost, foreign = [], Counter[str]()
    copies: list[PodCopy] = []
    jobs = JobLosses(world)
    losses: list[PodLoss] = []
    for document in pods:
        pod = Pod(document)
        controller = Controller.of(document)
        world.drop(pod.key)
        if pod.finished or (controller is not None and controller.kind in ("DaemonSet", "Node")):
            continue
        if controller is None:
            lost.append(pod.key)
        elif pod.scheduler_name not in world.schedulers:
            foreign[pod.scheduler_name] += 1
        elif controller.kind == "StatefulSet" or not pod.terminating:
            losses.append(jobs.lose(document))
    for loss in losses:
        copy = _copy_for(world, jobs, loss)
        if copy is not None:
            copies.append(copy)
    jobs.end()
    want_copies(world, path, copies, Origin.DISPLACED)
    if lost:
        world.remarks.append(PodsLost(tuple(lost[:_NAMED]), len(lost)))
    for scheduler, count in sorted(foreign.items()):
        world.remarks.append(NotRecreatedElsewhere(scheduler, count))


def _copy_for(world: ChangedCluster, jobs: JobLosses, loss: PodLoss) -> PodCopy | None:
    """The pod that is made in the place of one that is gone, None where none is."""
    likeness = jobs.likeness(loss)
    controller = None if likeness is None else Controller.of(likeness)
    if likeness is None or controller is None:
        return None
    if controller.kind == "StatefulSet":
        return copy_of(world.snapshot, likeness, name_of(likeness), keeps_claims=True)
    namespace = namespace_of(likeness)
    name = next(world.new_names(namespace, f"{controller.name}-again"))
    world.replaced[key_of(likeness)] = f"{namespace}/{name}"
    copied = copy_of(world.snapshot, likeness, name)
    jobs.makes(copied.pod)
    return copied


# Changes to nodes that stay: cordons, labels, taints.

# What the node controller adds to a node that is cordoned.
_CORDONED = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


class Cordon(NodesChange, change="cordon"):
    """Nodes that accept no pods from now on."""

    def apply(self, world: ChangedCluster, path: str) -> None:
        chosen = self.chosen(world, path)
        world.nodes.load(chosen)
        for name in chosen:
            tainted = _with_taints(world.nodes[name], [_CORDONED], ())
            world.nodes.put({**tainted, "spec": {**tainted["spec"], "unschedulable": True}})


class Uncordon(Cordon, change="uncordon"):
    """Nodes that accept pods again."""

    def apply(self, world: ChangedCluster, path: str) -> None:
        chosen = self.chosen(world, path)
        world.nodes.load(chosen)
        for name in chosen:
            node = _with_taints(world.nodes[name], (), [(_CORDONED.key, "")])
            spec = {key: value for key, value in node["spec"].items() if key != "unschedulable"}
            world.nodes.put({**node, "spec": spec})


@dataclass(frozen=True, slots=True)
class LabelNodes(NodesChange, change="label-nodes"):
    """Nodes that get labels, and lose those whose value is None."""

    labels: Mapping[str, str | None] = field(default_factory=dict)

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        labels = given.labels("labels", removable=True)
        if not labels:
            raise given.bad("labels", Empty())
        return cls(**cls.read_choice(given), labels=labels)

    def apply(self, world: ChangedCluster, path: str) -> None:
        before = {name: world.nodes.node(name) for name in self.chosen(world, path)}
        world.nodes.load(before)
        for name, node in before.items():
            labels = {**node.labels, **self.labels}
            kept = {key: value for key, value in labels.items() if value is not None}
            document = world.nodes[name]
            world.nodes.put({**document, "metadata": {**metadata(document), "labels": kept}})
        follow(world, path, before)


@dataclass(frozen=True, slots=True)
class TaintNodes(NodesChange, change="taint-nodes"):
    """Nodes that get taints and lose others; ``remove`` holds keys, or keys with effects as in ``key:effect``."""

    taints: tuple[Taint, ...] = ()
    remove: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        taints, remove = given.taints("taints"), given.taint_names("remove")
        if not taints and not remove:
            raise given.bad("taints", Empty())
        return cls(**cls.read_choice(given), taints=taints, remove=remove)

    def apply(self, world: ChangedCluster, path: str) -> None:
        gone = [(key, effect) for key, _, effect in (text.partition(":") for text in self.remove)]
        driven: list[Document] = []
        later = 0
        before = {name: world.nodes.node(name) for name in self.chosen(world, path)}
        world.nodes.load(before)
        for name in before:
            world.nodes.put(_with_taints(world.nodes[name], self.taints, gone))
        for pod in world.pods_on(before):
            seconds = self._stays(pod)
            if seconds == 0:
                driven.append(pod)
            later += bool(seconds)
        bring_back(world, path, driven)
        follow(world, path, before)
        if later:
            world.remarks.append(TaintToleratedForAWhile(later))

    def _stays(self, pod: Document) -> int | None:
        """How many seconds a pod stays under the new taints; None for ever."""
        driving = [taint for taint in self.taints if taint.effect == NO_EXECUTE]
        return tolerated_seconds(driving, (pod.get("spec") or {}).get("tolerations") or ()) if driving else None


def _with_taints(node: Document, more: Any, gone: Any) -> dict[str, Any]:
    """A node with taints added, each in place of one of its key and effect, and others taken away."""
    spec = node.get("spec") or {}
    replaced = {(taint.key, taint.effect) for taint in more}

    def stays(taint: Mapping[str, Any]) -> bool:
        key, effect = taint.get("key"), taint.get("effect")
        return (key, effect) not in replaced and not any(key == k and e in ("", effect) for k, e in gone)

    kept = [taint for taint in spec.get("taints") or () if stays(taint)]
    added = [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in more]
    return {**node, "spec": {**spec, "taints": [*kept, *added]}}
