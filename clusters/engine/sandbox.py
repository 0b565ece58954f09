"""A small cluster that somebody builds object by object, and what kube-scheduler decides in it, pod by pod."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, reduce
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.admission import Refusal, admit
from clusters.engine.admission.creation import LimitRangeRefusal
from clusters.engine.admission.objects import second_default
from clusters.engine.admission.plugins import LIMIT_RANGER
from clusters.engine.disruption.budgets import KIND as BUDGET
from clusters.engine.disruption.failing_nodes import driven_out
from clusters.engine.lessons.lesson import ObjectName, SituationParts
from clusters.engine.lessons.problems import PodIsRefused
from clusters.engine.lessons.situation import (
    Situation,
    SituationError,
    as_created,
    build_situation,
    completed_node,
    object_name,
)
from clusters.engine.nodes import READY
from clusters.engine.objects import Document, Node, Pod, key_of, labels_of, metadata
from clusters.engine.owners import Workload
from clusters.engine.problems import NoSuchObject, no_such_name
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.simulation.case import Outcome, Step
from clusters.engine.simulation.changes.cluster import Base, ChangedCluster
from clusters.engine.simulation.changes.nodes import bring_back, follow, take_away
from clusters.engine.simulation.changes.workloads import AddWorkload, RemoveWorkload, Scale
from clusters.engine.simulation.controllers import (
    QUOTA,
    WORKLOADS,
    ManifestError,
    PodAdmission,
    made_of,
    nominated,
    uid_of,
)
from clusters.engine.simulation.node_counts import twin_of
from clusters.engine.simulation.problems import ChangeError
from clusters.engine.simulation.run import Simulation
from clusters.engine.spreading.constraints import HOSTNAME, ZONE
from clusters.engine.taints import Taint, says_state
from clusters.engine.versions import Known, match_release

# The objects of a sandbox by name, and what changes from one state of them to the next.

# In the order in which they came.
Objects: TypeAlias = Mapping["ObjectName", "Document"]

# How UIDs of objects begin that the engine makes for a question, and how once they exist.
_IMAGINED: Final = "imagined:"
_EXISTING: Final = "sandbox:"
_FIRST_CREATED: Final = "2025-01-01T00:00:00Z"
_CREATED: Final = "creationTimestamp"


class ObjectsChange(Struct, frozen=True):
    """What became of some objects: ``put`` are new or others than before, ``gone`` are no more."""

    put: tuple[Document, ...] = ()
    gone: tuple[ObjectName, ...] = ()

    @classmethod
    def between(cls, before: Objects, after: Objects) -> ObjectsChange:
        """Tell what changed."""
        put = tuple(document for name, document in after.items() if before.get(name) != document)
        return cls(put, tuple(name for name in before if name not in after))

    def applied_to(self, objects: Objects) -> Objects:
        """The objects after it."""
        gone = set(self.gone)
        return {name: each for name, each in objects.items() if name not in gone} | named(self.put)

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.put or self.gone)


def named(documents: Iterable[Document]) -> dict[ObjectName, Document]:
    """Objects by name; of several with one name the last counts."""
    return {object_name(document): document for document in documents}


def created(documents: Iterable[Document], there: Objects) -> list[Document]:
    """Objects as they exist from now on: each pod is created a second after the one before, so that the queue has an
    order, and UIDs no longer say that a question made them.
    """
    latest = max(
        (str(metadata(each).get(_CREATED) or "") for name, each in there.items() if name.kind == "Pod"), default=""
    )
    at = np.datetime64((latest or _FIRST_CREATED).removesuffix("Z"), "s")
    found: list[Document] = []
    for document in documents:
        fields = dict(metadata(document))
        if document.get("kind") == "Pod" and not fields.get(_CREATED):
            at += np.timedelta64(1, "s")
            fields[_CREATED] = f"{at}Z"
        if "uid" in fields:
            fields["uid"] = _existing(str(fields["uid"]))
        if owners := fields.get("ownerReferences"):
            fields["ownerReferences"] = [
                {**owner, "uid": _existing(str(owner["uid"]))} if owner.get("uid") else owner for owner in owners
            ]
        found.append({**document, "metadata": fields})
    return found


def _existing(uid: str) -> str:
    return f"{_EXISTING}{uid.removeprefix(_IMAGINED)}" if uid.startswith(_IMAGINED) else uid


# The cluster of a sandbox: as its API server returns it, and as a world in which something changes.


class SandboxCluster:
    """A cluster made of the objects that somebody built; nothing in it is changed, every change makes another one."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects

    @cached_property
    def situation(self) -> Situation:
        """The cluster as its components report it. Raises SituationError.

        Its pods were created before, so that none is refused now.
        """
        pods = [key_of(each) for name, each in self.objects.items() if name.kind == "Pod"]
        # The version of the newest kubelet, as of any dump; empty, for the newest known one, where no node says.
        versions = (kubelet_version(each) for name, each in self.objects.items() if name.kind == "Node")
        matches = map(match_release, versions)
        told = [found.release.first_version for found in matches if found.known is not Known.UNTOLD]
        parts = SituationParts(
            tuple(self.objects.values()),
            kubernetes=max(told, key=lambda version: [int(number) for number in version.split(".")], default=""),
        )
        return build_situation(parts, existing=pods)

    @property
    def pods(self) -> dict[str, Document]:
        """All pods by ``namespace/name``."""
        return self.situation.pods

    def world(self) -> ChangedCluster:
        """The cluster to change. Raises SituationError."""
        configuration = self.situation.configuration
        return ChangedCluster(Base.of(self.situation.objects, configuration.release), configuration)

    def explain(self, key: str) -> Explanation:
        """Where a pod could go as things are, as if it were pending where it has a node.

        Raises KeyError for one that is not there, and UnknownScheduler.
        """
        pod, snapshot = self.pods[key], self.situation.snapshot
        if Pod(pod).node_name:
            snapshot = snapshot.copy()
            snapshot.delete({**pod, "kind": "Pod"})
            pod = {**pod, "spec": {field: part for field, part in pod["spec"].items() if field != "nodeName"}}
        return explain(snapshot, pod, self.situation.configuration.profile_for(pod))

    def after(self, world: ChangedCluster) -> Objects:
        """The objects once a world of this cluster has changed; what controllers of the cluster write is left out."""
        change = ObjectsChange.between(named(_documents(self.world())), named(_documents(world)))
        return ObjectsChange(tuple(created(change.put, self.objects)), change.gone).applied_to(self.objects)


def kubelet_version(node: Document) -> str:
    """The version that a node's kubelet reports, empty where it is not told."""
    return str(((node.get("status") or {}).get("nodeInfo") or {}).get("kubeletVersion") or "")


def _documents(world: ChangedCluster) -> list[Document]:
    kinds = world.snapshot.content()["objects"].values()
    return [*world.nodes.values(), *kinds, *world.pods.values(), *(each.pod for each in world.waiting.values())]


# Nodes of a sandbox: added, duplicated, cordoned, failing, and gone.

_DAEMON_SET: Final = "DaemonSet"
_NOT_READY: Final = {
    "type": READY,
    "status": "False",
    "reason": "KubeletNotReady",
}


def node_of(cluster: SandboxCluster, name: str) -> Document:
    """A node as it was built. Raises SituationError for one that is not there."""
    found = cluster.objects.get(ObjectName("Node", "", name))
    if found is None:
        names = tuple(each.name for each in cluster.objects if each.kind == "Node")
        raise SituationError(NoSuchObject("Node", name, names, len(names)))
    return found


def without_state(node: Document) -> Document:
    """A node without the taints that the node lifecycle controller writes, which follow from its conditions."""
    spec = dict(node.get("spec") or {})
    if "taints" in spec:
        spec["taints"] = [each for each in spec["taints"] or () if not says_state(Taint.from_dict(each))]
    return {**node, "spec": spec}


def duplicated(cluster: SandboxCluster, name: str) -> tuple[str, Objects]:
    """The name of a node like another one, which is ready, and the objects with it and its DaemonSet pods."""
    likeness = node_of(cluster, name)
    stem, _, number = name.rpartition("-")
    stem, count = (stem, int(number)) if stem and number.isdecimal() else (name, 1)
    taken = {each.name for each in cluster.objects if each.kind == "Node"}
    while (new := f"{stem}-{(count := count + 1)}") in taken:
        pass
    return new, with_nodes(cluster, [twin_of(likeness, new)])


def with_nodes(cluster: SandboxCluster, nodes: Iterable[Document]) -> Objects:
    """The objects with nodes, each with the pods of the DaemonSets that run there. Raises SituationError."""
    given = named(created(map(without_state, nodes), cluster.objects))
    new = [completed_node(node) for name, node in given.items() if name not in cluster.objects]
    daemons: list[Document] = []
    for name, daemon_set in cluster.objects.items():
        if name.kind == _DAEMON_SET and new:
            try:
                daemons += made_of(daemon_set, cluster.situation.snapshot, map(Node.from_dict, new)).pods
            except ManifestError as error:
                # What was admitted once may be refused by now, as by a LimitRange that came later.
                raise SituationError(error.problem, name, error.path) from None
    after = SandboxCluster({**cluster.objects, **given, **named(created(daemons, cluster.objects))})
    edited = {
        name.name: Node.from_dict(completed_node(cluster.objects[name])) for name in given if name in cluster.objects
    }
    if not edited:
        return after.objects
    world = after.world()
    follow(world, "", edited)
    return after.after(world)


def without_node(cluster: SandboxCluster, name: str) -> Objects:
    """The objects without a node; its pods are recreated where a controller does. Raises SituationError."""
    node_of(cluster, name)
    world = cluster.world()
    take_away(world, "", [name])
    return cluster.after(world)


def cordoned(cluster: SandboxCluster, name: str, *, is_cordoned: bool) -> Objects:
    """The objects with a node that is unschedulable, or no longer. Raises SituationError."""
    node = without_state(node_of(cluster, name))
    spec = {field: value for field, value in node["spec"].items() if field != "unschedulable"}
    if is_cordoned:
        spec["unschedulable"] = True
    return {**cluster.objects, ObjectName("Node", "", name): {**node, "spec": spec}}


def failing(cluster: SandboxCluster, name: str, *, is_failing: bool) -> Objects:
    """The objects with a node that its kubelet reports not to be ready, or to be again. Raises SituationError."""
    node = without_state(node_of(cluster, name))
    status: dict[str, Any] = dict(node.get("status") or {})
    others = [each for each in status.get("conditions") or () if each.get("type") != READY]
    status["conditions"] = [*others, *([_NOT_READY] if is_failing else [])]
    return {**cluster.objects, ObjectName("Node", "", name): {**node, "status": status}}


def evicted(cluster: SandboxCluster, name: str) -> Objects:
    """The objects once the pods are gone that do not tolerate the NoExecute taints of a node for ever."""
    node_of(cluster, name)
    leaving = {key for key, _ in driven_out(cluster.situation.snapshot, name)}
    world = cluster.world()
    bring_back(world, "", [pod for pod in world.pods_on([name]) if key_of(pod) in leaving])
    return cluster.after(world)


# Objects of a sandbox put in place and taken away, with what their controllers do about it.

# What controllers create pods for; a pod is created by whoever writes it, and a CronJob's are those of its Jobs.
_CONTROLLERS: Final = frozenset(WORKLOADS) - {"CronJob", "Pod"}
_SCALED: Final = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})
# What controllers write into the status of these follows from the other objects.
_COUNTED: Final = frozenset({BUDGET, QUOTA})


class Built(NamedTuple):
    """Objects, and the pods that the API server refused to create among them, with why."""

    objects: Objects
    refused: tuple[tuple[str, Refusal], ...] = ()


def imported(documents: Sequence[Document]) -> Built:
    """A cluster of these objects alone. Raises SituationError.

    Controllers create pods where there are none of theirs, as in a file that somebody wrote by hand.
    """
    return put(SandboxCluster({}), documents)


def put(cluster: SandboxCluster, documents: Sequence[Document]) -> Built:
    """Put objects beside the others, or in the place of those of their names. Raises SituationError."""
    given = named(_as_written(each) for each in documents)
    _hold_to_one_default(given, {**cluster.objects, **given})
    plain = [each for name, each in given.items() if name.kind not in {*_CONTROLLERS, "Node", "Pod"}]
    cluster = SandboxCluster({**cluster.objects, **named(created(plain, cluster.objects))})
    cluster = SandboxCluster(with_nodes(cluster, (each for name, each in given.items() if name.kind == "Node")))
    built = _with_pods(cluster, [each for name, each in given.items() if name.kind == "Pod"])
    refused = list(built.refused)
    for name, manifest in given.items():
        if name.kind in _CONTROLLERS:
            built = _with_workload(SandboxCluster(built.objects), name, manifest)
            refused += built.refused
    if refused and not any(name.kind == "Pod" and name not in cluster.objects for name in built.objects):
        key, refusal = refused[0]
        raise SituationError(
            PodIsRefused(key, refusal.by, refusal.problem), ObjectName("Pod", *key.split("/", 1)), refusal.field
        )
    # What cannot be is told here, and not by the first who looks.
    _ = SandboxCluster(built.objects).situation
    return Built(built.objects, tuple(refused))


def _hold_to_one_default(given: Objects, objects: Objects) -> None:
    """Raise SituationError for a PriorityClass that is marked as default where another one is."""
    classes = [each for name, each in objects.items() if name.kind == "PriorityClass"]
    for name, document in given.items():
        wrong = second_default(document, classes) if name.kind == "PriorityClass" else None
        if wrong is not None:
            raise SituationError(wrong.problem, name, wrong.field)


def removed(cluster: SandboxCluster, name: ObjectName) -> Objects:
    """Take an object away, a controller with its pods; a pod is recreated by its own. Raises SituationError."""
    if name not in cluster.objects:
        raise SituationError(no_such_name(str(name), tuple(map(str, cluster.objects))))
    if name.kind == "Node":
        return without_node(cluster, name.name)
    world = cluster.world()
    pod = world.pod(f"{name.namespace}/{name.name}") if name.kind == "Pod" else None
    if name.kind in _CONTROLLERS:
        RemoveWorkload(name.kind, name.namespace, name.name).apply(world, "")
    elif pod is not None:
        bring_back(world, "", [pod])
    return {each: document for each, document in cluster.after(world).items() if each != name}


def _as_written(document: Document) -> Document:
    """An object without what controllers write of it, as in a file that was exported."""
    if document.get("kind") in _COUNTED:
        return {field: value for field, value in document.items() if field != "status"}
    spec = document.get("spec") or {}
    if document.get("kind") == "DaemonSet" and "template" in spec and "selector" not in spec:
        # Nothing reads it of one that exists; the pods that it is to create have to match it.
        selector = {"matchLabels": labels_of(spec["template"])}
        return {**document, "spec": {**spec, "selector": selector}}
    return document


def _with_pods(cluster: SandboxCluster, pods: Iterable[Document]) -> Built:
    """Create pods, each as the API server admits it after those before."""
    snapshot = cluster.situation.snapshot
    quotas = PodAdmission(snapshot)
    found: list[Document] = []
    refused: list[tuple[str, Refusal]] = []
    for pod in pods:
        admission = admit(as_created(pod), snapshot)
        refusals = list(admission.refusals)
        is_new = object_name(pod) not in cluster.objects
        if is_new and not refusals and (problem := quotas.admit(admission.pod)) is not None:
            refusals.append(Refusal(LIMIT_RANGER if isinstance(problem, LimitRangeRefusal) else QUOTA, "spec", problem))
        if refusals:
            refused.append((key_of(pod), refusals[0]))
        else:
            found.append(admission.pod)
    _hold_on_nodes(cluster, found)
    return Built({**cluster.objects, **named(created(found, cluster.objects))}, tuple(refused))


def _hold_on_nodes(cluster: SandboxCluster, pods: Iterable[Document]) -> None:
    """Raise SituationError for a pod on a node that is not there."""
    for pod in pods:
        if node := Pod(pod).node_name:
            try:
                node_of(cluster, node)
            except SituationError as error:
                raise SituationError(error.problem, object_name(pod), "spec.nodeName") from None


def _with_workload(cluster: SandboxCluster, name: ObjectName, manifest: Document) -> Built:
    """Put a controller in place; its pods are created anew if their template is another one. Raises SituationError."""
    identified = {**metadata(manifest), "uid": uid_of(name.kind, name.namespace, name.name)}
    manifest = {**manifest, "metadata": {**identified, "namespace": name.namespace}}
    [stored] = created([manifest], cluster.objects)
    world = cluster.world()
    pods = world.pods_of(Workload(name.namespace, name.kind, name.name))
    known = cluster.objects.get(name)
    has_pods = bool(pods) and (known is None or _template(known) == _template(manifest))
    if (has_pods and known is None) or any(
        owner.get("controller") for owner in metadata(manifest).get("ownerReferences") or ()
    ):
        # The pods came with it, or it came with the Deployment that decides about them.
        return Built({**cluster.objects, name: stored})
    try:
        if has_pods and name.kind in _SCALED:
            replicas = (manifest.get("spec") or {}).get("replicas", 1)
            Scale(name.kind, name.namespace, name.name, replicas=replicas).apply(world, "")
        elif not has_pods:
            AddWorkload(manifest).apply(world, "")
    except ChangeError as error:
        raise SituationError(error.problem, name, error.path.removeprefix(".manifest").strip(".")) from None
    change = ObjectsChange.between(cluster.objects, cluster.after(world))
    # Who creates the pods comes before them: what a quota leaves no room for is not created.
    others = [each for each in change.put if each.get("kind") != "Pod"]
    new = [each for each in change.put if each.get("kind") == "Pod"]
    objects = ObjectsChange(tuple(others), change.gone).applied_to(cluster.objects)
    return _with_pods(SandboxCluster({**objects, name: stored}), new)


def _template(manifest: Document) -> object:
    return (manifest.get("spec") or {}).get("template")


# What somebody did to a sandbox, act by act, so that each can be taken back.

# So many acts can be taken back; what was done before stays done.
MOST_ACTS: Final = 100


class ActKind(StrEnum):
    """What somebody did."""

    ADDED = "added"
    EDITED = "edited"
    REMOVED = "removed"
    DUPLICATED = "duplicated"
    CORDONED = "cordoned"
    UNCORDONED = "uncordoned"
    FAILED = "failed"
    RECOVERED = "recovered"
    EVICTED = "evicted"
    SCHEDULED = "scheduled"
    """Pending pods were tried, one or all."""
    STARTED = "started"
    """The whole cluster became another one: one to begin with, that of a file, or a copy of another user's."""
    UPLOADED = "uploaded"
    COPIED = "copied"
    RESET = "reset"
    """The cluster became the one again with which its owner began."""


_BEGINNINGS: Final = frozenset({ActKind.STARTED, ActKind.UPLOADED, ActKind.COPIED})


class Act(Struct, frozen=True):
    """One act: on which object (``subject``), what it changed, and of scheduling the attempts."""

    kind: ActKind
    subject: str
    change: ObjectsChange
    attempts: tuple[PodAttempt, ...] = ()


class FoundAttempt(Struct, frozen=True):
    """An attempt, and the objects with which the run of the queue began that made it."""

    attempt: PodAttempt
    objects: Objects


class SandboxHistory(Struct, frozen=True):
    """The objects with which it begins, and the acts since."""

    base: Objects
    acts: tuple[Act, ...] = ()

    @property
    def objects(self) -> Objects:
        """The objects after all acts."""
        return _after(self.base, self.acts)

    @property
    def beginning(self) -> Objects:
        """The objects with which the cluster began that is built now."""
        return _after(self.base, self.acts[: self._began])

    @property
    def acts_since(self) -> tuple[Act, ...]:
        """The acts since that cluster began."""
        return self.acts[self._began :]

    @property
    def _began(self) -> int:
        return max((number for number, act in enumerate(self.acts, 1) if act.kind in _BEGINNINGS), default=0)

    @property
    def run_base(self) -> Objects:
        """The objects before the attempts that were made last one after another, or those after all acts."""
        return _after(self.base, self.acts[: self._run_start(len(self.acts))])

    @property
    def run_attempts(self) -> int:
        """How many attempts were made since, in the same run of the queue."""
        return sum(len(act.attempts) for act in self.acts[self._run_start(len(self.acts)) :])

    def done(self, kind: ActKind, subject: str, after: Objects) -> SandboxHistory:
        """The history with one more act; as it is where nothing changes."""
        change = ObjectsChange.between(self.objects, after)
        return self._with(Act(kind, subject, change)) if change else self

    def scheduled(self, run: QueueRun) -> SandboxHistory:
        """The history with the further attempts of its run; as it is where there are none."""
        attempts = run.attempts[self.run_attempts :]
        if not attempts:
            return self
        change = ObjectsChange.between(self.objects, run.objects)
        return self._with(Act(ActKind.SCHEDULED, attempts[-1].pod, change, attempts))

    def undone(self) -> SandboxHistory:
        """The history without its last act."""
        return replace(self, acts=self.acts[:-1])

    def attempt_of(self, pod: str) -> FoundAttempt | None:
        """The last attempt to schedule a pod that is still remembered."""
        for number in range(len(self.acts), 0, -1):
            for attempt in reversed(self.acts[number - 1].attempts):
                if attempt.pod == pod:
                    return FoundAttempt(attempt, _after(self.base, self.acts[: self._run_start(number)]))
        return None

    def _with(self, act: Act) -> SandboxHistory:
        acts = (*self.acts, act)
        if len(acts) <= MOST_ACTS:
            return SandboxHistory(self.base, acts)
        # The attempts of one run are forgotten together: each is found by its number among them.
        leading = next((number for number, each in enumerate(acts) if each.kind is not ActKind.SCHEDULED), len(acts))
        return SandboxHistory(_after(self.base, acts[: leading or 1]), acts[leading or 1 :])

    def _run_start(self, end: int) -> int:
        """Where the run begins that the act before ``end`` belongs to; ``end`` itself where that act is none of one."""
        start = end
        while start and self.acts[start - 1].kind is ActKind.SCHEDULED:
            start -= 1
        return start


def _after(base: Objects, acts: Sequence[Act]) -> Objects:
    return reduce(lambda objects, act: act.change.applied_to(objects), acts, base)


# Manifests of nodes and workloads from a few fields, as somebody would write them by hand.

GPU: Final = "nvidia.com/gpu"
_APP: Final = "app"
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


class WorkloadKind(StrEnum):
    """What creates the pods."""

    DEPLOYMENT = "Deployment"
    DAEMON_SET = "DaemonSet"
    POD = "Pod"


class Spread(StrEnum):
    """How the pods of a workload are spread."""

    NONE = ""
    ZONES = "zones"
    """Topology spread over zones: maxSkew 1, DoNotSchedule."""
    ZONES_PREFERRED = "zones-preferred"
    """The same with ScheduleAnyway."""
    NODES = "nodes"
    """Topology spread over nodes: maxSkew 1, DoNotSchedule."""


class Apart(StrEnum):
    """How pod anti-affinity keeps the pods of a workload from each other."""

    NONE = ""
    NODES = "nodes"
    ZONES = "zones"
    NODES_PREFERRED = "nodes-preferred"


class NodeFields(Struct, frozen=True):
    """A node: amounts are quantities, an empty zone none, no GPU is 0."""

    name: str
    cpu: str
    memory: str
    zone: str = ""
    pods: int = 110
    gpus: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    taint: Taint | None = None

    def manifest(self) -> Document:
        """The node as a manifest."""
        amounts = {"cpu": self.cpu, "memory": self.memory, "pods": str(self.pods)}
        if self.gpus:
            amounts[GPU] = str(self.gpus)
        zone = {ZONE: self.zone} if self.zone else {}
        found: dict[str, Any] = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": self.name, "labels": {HOSTNAME: self.name, **zone, **self.labels}},
            "spec": {},
            "status": {"capacity": amounts, "allocatable": amounts},
        }
        if self.taint is not None:
            found["spec"]["taints"] = [
                _without_empty(key=self.taint.key, value=self.taint.value, effect=self.taint.effect)
            ]
        return found


class WorkloadFields(Struct, frozen=True):
    """A workload of pods with one container.

    ``priority``: 0 without a PriorityClass. ``zones``: the only ones that its node affinity allows; all if empty.
    ``tolerates``: a taint as it stands on nodes. ``near``: the value of the label ``app`` of pods in whose zone its
    pods have to be. ``available``: how many its PodDisruptionBudget keeps available; 0 without one.
    """

    kind: WorkloadKind
    name: str
    cpu: str
    memory: str
    replicas: int = 1
    namespace: str = "default"
    gpus: int = 0
    priority: int = 0
    node_selector: Mapping[str, str] = field(default_factory=dict)
    zones: tuple[str, ...] = ()
    tolerates: Taint | None = None
    spread: Spread = Spread.NONE
    apart: Apart = Apart.NONE
    near: str = ""
    available: int = 0

    def manifests(self) -> list[Document]:
        """The workload with its PriorityClass and its PodDisruptionBudget, where it has them."""
        found: list[Document] = []
        if self.priority:
            metadata = {"name": self._priority_class}
            found.append(
                {
                    "apiVersion": "scheduling.k8s.io/v1",
                    "kind": "PriorityClass",
                    "metadata": metadata,
                    "value": self.priority,
                }
            )
        found.append(self._workload())
        if self.available:
            spec = {"minAvailable": self.available, "selector": self._selector}
            found.append(
                {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": self._metadata, "spec": spec}
            )
        return found

    def _workload(self) -> Document:
        if self.kind is WorkloadKind.POD:
            metadata = {**self._metadata, "labels": {_APP: self.name}}
            return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": self._pod_spec()}
        spec: dict[str, Any] = {"replicas": self.replicas} if self.kind is WorkloadKind.DEPLOYMENT else {}
        template = {"metadata": {"labels": {_APP: self.name}}, "spec": self._pod_spec()}
        spec |= {"selector": self._selector, "template": template}
        return {"apiVersion": "apps/v1", "kind": str(self.kind), "metadata": self._metadata, "spec": spec}

    @property
    def _metadata(self) -> dict[str, Any]:
        return {"name": self.name, "namespace": self.namespace}

    @property
    def _selector(self) -> dict[str, Any]:
        return {"matchLabels": {_APP: self.name}}

    @property
    def _priority_class(self) -> str:
        return f"priority-{self.priority}" if self.priority > 0 else f"priority-minus-{-self.priority}"

    def _pod_spec(self) -> dict[str, Any]:
        requests = _without_empty(cpu=self.cpu, memory=self.memory)
        resources: dict[str, Any] = {"requests": requests}
        if self.gpus:
            requests[GPU] = str(self.gpus)
            resources["limits"] = {GPU: str(self.gpus)}
        spec: dict[str, Any] = {
            "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": resources}]
        }
        if self.priority:
            spec["priorityClassName"] = self._priority_class
        if self.node_selector:
            spec["nodeSelector"] = dict(self.node_selector)
        if affinity := self._affinity():
            spec["affinity"] = affinity
        if self.tolerates is not None:
            taint = self.tolerates
            operator = {"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"}
            spec["tolerations"] = [{"key": taint.key, **operator, "effect": taint.effect}]
        if self.spread:
            spec["topologySpreadConstraints"] = [
                {
                    "maxSkew": 1,
                    "topologyKey": HOSTNAME if self.spread is Spread.NODES else ZONE,
                    "whenUnsatisfiable": "ScheduleAnyway" if self.spread is Spread.ZONES_PREFERRED else "DoNotSchedule",
                    "labelSelector": self._selector,
                }
            ]
        return spec

    def _affinity(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.zones:
            expression = {"key": ZONE, "operator": "In", "values": list(self.zones)}
            found["nodeAffinity"] = {_REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
        if self.near:
            term = {"labelSelector": {"matchLabels": {_APP: self.near}}, "topologyKey": ZONE}
            found["podAffinity"] = {_REQUIRED: [term]}
        if self.apart:
            term = {"labelSelector": self._selector, "topologyKey": ZONE if self.apart is Apart.ZONES else HOSTNAME}
            is_preferred = self.apart is Apart.NODES_PREFERRED
            rule = {_PREFERRED: [{"weight": 100, "podAffinityTerm": term}]} if is_preferred else {_REQUIRED: [term]}
            found["podAntiAffinity"] = rule
        return found


def _without_empty(**fields: str) -> dict[str, str]:
    return {name: text for name, text in fields.items() if text}


# Pending pods tried one after the other, as kube-scheduler takes them from its queue, with what follows from each.
#
# All nodes are looked at, preempted pods are gone at once and recreated by their controllers, and pods that no node
# takes are tried again once something happens that may help them: the engine's own simulation decides.

# What is bound to pods, and allocated for them, when they get a node.
_CLAIMED: Final = ("PersistentVolumeClaim", "PersistentVolume", "ResourceClaim")
_ATTEMPTS: Final = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.NOT_COMPUTED})


class PodAttempt(Struct, frozen=True):
    """One attempt to schedule a pod: ``number`` finds it among the steps of the queue's run.

    ``node``: where the pod was placed, or for which it was nominated. ``victims``: the pods that it preempted.
    """

    number: int
    pod: str
    outcome: Outcome
    node: str = ""
    message: str = ""
    victims: tuple[str, ...] = ()


class QueueRun(Struct, frozen=True):
    """The objects after some attempts. ``is_over``: nobody is left whom kube-scheduler would try now."""

    objects: Objects
    attempts: tuple[PodAttempt, ...]
    is_over: bool


def run_queue(cluster: SandboxCluster, most: int | None = None) -> QueueRun:
    """Try the pending pods, at most so many attempts. Raises SituationError."""
    simulation = Simulation(cluster.world().case(seed=0, samples=False))
    attempts: list[PodAttempt] = []
    victims: dict[str, list[str]] = {}
    pods = dict(cluster.pods)
    refused: set[str] = set()
    is_over, steps = True, 0
    for step in simulation:
        if step.outcome in _ATTEMPTS:
            if len(attempts) == most:
                # The next one shows that whatever follows from those before has happened.
                is_over = False
                break
            attempts.append(PodAttempt(step.number, step.pod, step.outcome, step.node, step.message))
            refused.discard(step.pod)
            pods[step.pod] = _tried(pods.get(step.pod) or simulation.document_of(step.pod), step)
        elif step.outcome in (Outcome.PREEMPTED, Outcome.DELETED):
            victims.setdefault(step.by, []).append(step.pod)
            del pods[step.pod]
        elif step.outcome is Outcome.FORBIDDEN:
            refused.add(step.pod)
        steps += 1
    for new in simulation.replaced.values():
        if new not in pods and new not in refused:
            pods[new] = simulation.document_of(new)
    told = tuple(_with_victims(attempt, victims) for attempt in attempts)
    change = ObjectsChange.between(named(cluster.pods.values()), named(pods.values()))
    after = ObjectsChange(tuple(created(change.put, cluster.objects)), change.gone).applied_to(cluster.objects)
    return QueueRun(_claims_after(cluster, steps).applied_to(after), told, is_over)


def explain_attempt(cluster: SandboxCluster, number: int) -> Explanation:
    """Explain an attempt as it was made, in the cluster with which the run of the queue began."""
    return Simulation(cluster.world().case(seed=0, samples=False)).explanation_at(number)


def _tried(pod: Document, step: Step) -> Document:
    """A pod as it is after an attempt: on its node, or with what kube-scheduler writes into its status."""
    if step.outcome is Outcome.PLACED:
        spec = {**pod["spec"], "nodeName": step.node}
        kept = {field: part for field, part in (pod.get("status") or {}).items() if field == "resourceClaimStatuses"}
        return {**pod, "apiVersion": "v1", "kind": "Pod", "spec": spec, "status": kept}
    said = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": step.message}
    others = [each for each in _conditions(pod) if each.get("type") != "PodScheduled"]
    status = {**(pod.get("status") or {}), "phase": "Pending", "conditions": [*others, said]}
    return nominated({**pod, "status": status}, step.node)


def last_message(pod: Document) -> str:
    """What kube-scheduler said when it tried a pod last, empty where it has not, or where the pod has a node."""
    if Pod(pod).node_name:
        return ""
    said = (each for each in _conditions(pod) if each.get("type") == "PodScheduled" and each.get("status") == "False")
    return next((str(each.get("message") or "") for each in said), "")


def _conditions(pod: Document) -> list[Document]:
    return list((pod.get("status") or {}).get("conditions") or ())


def _with_victims(attempt: PodAttempt, victims: dict[str, list[str]]) -> PodAttempt:
    if attempt.outcome is not Outcome.UNSCHEDULABLE or not attempt.node:
        return attempt
    found = tuple(victims.get(attempt.pod, ()))
    return PodAttempt(attempt.number, attempt.pod, attempt.outcome, attempt.node, attempt.message, found)


def _claims_after(cluster: SandboxCluster, steps: int) -> ObjectsChange:
    """What so many steps make of claims, their volumes and devices."""
    before = named(each for kind in _CLAIMED for each in cluster.situation.snapshot.objects(kind))
    if not before:
        return ObjectsChange()
    simulation = Simulation(cluster.world().case(seed=0, samples=False))
    for _ in islice(simulation, steps):
        pass
    after = named(each for kind in _CLAIMED for each in simulation.snapshot.objects(kind))
    put = [document for name, document in after.items() if before.get(name) != document]
    return ObjectsChange(tuple(created(put, cluster.objects)), tuple(name for name in before if name not in after))
