"""Workloads that come, go, request something else or get another number of replicas, and what guards them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from clusters.engine.admission.objects import second_default, wrongs_of_object
from clusters.engine.admission.plugins import claim_refusals
from clusters.engine.disruption.budgets import KIND as BUDGET
from clusters.engine.objects import Document, Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload, template_of
from clusters.engine.problems import (
    Empty,
    Missing,
    MissingField,
    MustBe,
    NeedsOneOf,
    NoPodToCopy,
    NoSuchName,
    NotOneOf,
    OutOfRange,
    Quoted,
    UnknownField,
    shown,
)
from clusters.engine.resources import CPU, MEMORY, base_amount
from clusters.engine.rollout import RolloutWay, plan_of
from clusters.engine.selectors import LabelSelector, SelectorError
from clusters.engine.simulation import openb
from clusters.engine.simulation.case import MOST_NODES, MOST_REPLICAS, MOST_WANTED, Origin
from clusters.engine.simulation.changes.change import ChangeFields, ClusterChange, first
from clusters.engine.simulation.controllers import (
    WORKLOADS,
    Made,
    ManifestError,
    as_stored,
    copies_of,
    first_to_go,
    last_ordinals,
    made_of,
    ordinal_of,
    put_claim,
)
from clusters.engine.simulation.problems import (
    ChangeError,
    NotAWorkload,
)
from clusters.engine.simulation.remarks import (
    ColumnMissing,
    FractionalGpus,
    ImmediateVolumes,
    KindLeftOut,
    OrdinalsHeldBack,
    PodsAdopted,
    PodsReplaced,
    PrioritiesKept,
    RequestsSet,
    ScaledInProportion,
    StayWhereTheyAre,
    TemplatedResourceClaims,
)
from clusters.engine.usage import running_containers, with_requests
from clusters.engine.volumes import annotations_of, spec_of
from clusters.engine.workloads.pods import MAX_REPLICAS, Ordinals, PodCopy, SizedReplicaSet, proportional_sizes

if TYPE_CHECKING:
    from clusters.engine.simulation.changes.cluster import ChangedCluster
    from clusters.engine.simulation.openb import Column

# Pods that nothing controls, of which a ReplicaSet that comes takes control.
#
# Upstream: ``ClaimPods`` in ``pkg/controller/controller_ref_manager.go`` and ``manageReplicas`` in
# ``pkg/controller/replicaset`` v1.34.1. Pods that have ended or are being deleted are not adopted; of more than are
# wanted some go, in the order in which the controller deletes.


# Workloads that come, go, or get another number of replicas.


def adopt(world: ChangedCluster, replica_set: Document) -> int:
    """Let a ReplicaSet, or a ReplicationController, take control of the pods that its selector means.

    Returns how many it then has.
    """
    namespace, spec = namespace_of(replica_set), spec_of(replica_set)
    kind, given = str(replica_set["kind"]), spec.get("selector")
    selector = LabelSelector.from_dict({"matchLabels": given} if kind == "ReplicationController" else given)
    orphans = [
        document
        for document in world.pods_of(Workload(namespace, "", ""))
        if selector.matches(labels_of(document)) and not Pod(document).finished and not Pod(document).terminating
    ]
    if not orphans:
        return 0
    deleted = first_to_go(orphans, max(0, len(orphans) - int(spec["replicas"])))
    gone = {key_of(document) for document in deleted}
    for key in gone:
        world.drop(key)
    fields = metadata(replica_set)
    owner = {
        "apiVersion": str(replica_set.get("apiVersion") or "apps/v1"),
        "kind": kind,
        "name": name_of(replica_set),
        "uid": fields["uid"],
        "controller": True,
    }
    for document in orphans:
        if key_of(document) not in gone:
            world.own(key_of(document), owner)
    world.remarks.append(PodsAdopted(f"{kind} {namespace}/{name_of(replica_set)}", len(orphans), len(gone)))
    return len(orphans) - len(gone)


# What workloads may need beside themselves.
PLAIN = frozenset(
    {
        "CSIDriver",
        "CSINode",
        "CSIStorageCapacity",
        "CompositePodGroup",
        "DeviceClass",
        "DeviceTaintRule",
        "LimitRange",
        "Namespace",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "PodGroup",
        "ResourceClaim",
        "ResourceClaimTemplate",
        "ResourceQuota",
        "ResourceSlice",
        "RuntimeClass",
        "Service",
        "StorageClass",
        "VolumeAttachment",
        "Workload",
    }
)
_CLAIM = "PersistentVolumeClaim"
_OWN_CHANGES = {"PodDisruptionBudget": "put-budget", "PriorityClass": "put-priority-class", "Node": "add-nodes"}


@dataclass(frozen=True, slots=True)
class AddWorkload(ClusterChange, change="add-workload"):
    """A workload, or an object that one needs. ``replicas`` takes the place of the manifest's own number.

    ``source``: where the manifest was read, which errors name: a file, and the document in it.
    """

    manifest: Document
    replicas: int | None = None
    source: str | None = None

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        manifest = given.document("manifest")
        kind, fields = manifest.get("kind"), manifest.get("metadata")
        if not isinstance(kind, str) or not kind:
            raise given.bad("manifest.kind", Missing(WORKLOADS))
        if kind in _OWN_CHANGES:
            raise given.bad("manifest.kind", NotAWorkload(kind, _OWN_CHANGES[kind]))
        if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str) or not fields["name"]:
            raise given.bad("manifest.metadata.name", MissingField("metadata.name"))
        replicas = given.integer_or_none("replicas", 0, MOST_REPLICAS)
        if replicas is not None and (kind not in WORKLOADS or kind in ("CronJob", "DaemonSet")):
            raise given.bad("replicas", UnknownField("replicas"))
        return cls(manifest, replicas, given.text_or_none("source"))

    def apply(self, world: ChangedCluster, path: str) -> None:
        kind, name = str(self.manifest["kind"]), name_of(self.manifest)
        if kind in PLAIN:
            self._check_claim(world, path, self.manifest)
            is_claim = kind == _CLAIM
            world.snapshot.upsert(as_stored(self.manifest, world.snapshot) if is_claim else self.manifest)
            return
        if kind not in WORKLOADS:
            world.remarks.append(KindLeftOut(kind, name))
            return
        made = self._made(world, path)
        gone = self._replaced(world, made)
        for document in gone:
            world.drop(key_of(document))
        for document in owned_objects(world, Workload(namespace_of(self.manifest), kind, name)):
            world.snapshot.delete(document)
        if gone:
            world.remarks.append(PodsReplaced(f"{kind} {namespace_of(self.manifest)}/{name}", len(gone)))
        for document in made.objects:
            self._check_claim(world, path, document)
            world.snapshot.upsert(document)
        if made.template is not None:
            world.daemons[key_of(self.manifest)] = made.template
        world.remarks += made.remarks
        adopted = adopt(world, made.objects[0]) if kind in ("ReplicaSet", "ReplicationController") else 0
        world.want(f"{path}.manifest", made.pods[: len(made.pods) - adopted])

    def _check_claim(self, world: ChangedCluster, path: str, document: Document) -> None:
        """The API server refuses claims that their namespace's bounds leave out. Raises ChangeError."""
        if document["kind"] != _CLAIM:
            return
        where = self._where(path)
        for refusal in claim_refusals(document, world.snapshot):
            claim = "" if document is self.manifest else f".{_CLAIM} {name_of(document)}"
            raise ChangeError(f"{where}{claim}.{refusal.field}", refusal.problem)

    def _where(self, path: str) -> str:
        """What errors name: the file and document that the manifest was read from, or the change."""
        return f"{path}.{self.source or 'manifest'}"

    def _made(self, world: ChangedCluster, path: str) -> Made:
        where = self._where(path)
        try:
            made = made_of(self.manifest, world.snapshot, map(world.nodes.node, world.nodes), self.replicas)
        except ManifestError as error:
            raise ChangeError(f"{where}.{error.path}", error.problem) from None
        for pod in made.pods[:1]:
            scheduler = Pod(pod).scheduler_name
            if scheduler not in world.schedulers:
                field = "spec" if self.manifest["kind"] == "Pod" else f"{template_of(self.manifest)[1]}.spec"
                raise ChangeError(f"{where}.{field}.schedulerName", NotOneOf(scheduler, first(world.schedulers)))
        return made

    def _replaced(self, world: ChangedCluster, made: Made) -> list[Document]:
        """The pods that the workload has already."""
        kind, namespace, name = str(self.manifest["kind"]), namespace_of(self.manifest), name_of(self.manifest)
        if kind != "Pod":
            return world.pods_of(Workload(namespace, kind, name))
        keys = [key_of(pod) for pod in made.pods]
        return [found for key in keys if (found := world.pod(key)) is not None]


@dataclass(frozen=True, slots=True)
class RemoveWorkload(ClusterChange, change="remove-workload"):
    """A workload that goes with its pods."""

    kind: str
    namespace: str
    name: str

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.text("kind"), given.name("namespace"), given.name("name"))

    def apply(self, world: ChangedCluster, path: str) -> None:
        one = world.pod(f"{self.namespace}/{self.name}") if self.kind == "Pod" else None
        workload = Workload(self.namespace, self.kind, self.name)
        pods = [one] if one is not None else [] if self.kind == "Pod" else world.pods_of(workload)
        objects = owned_objects(world, workload)
        if not pods and not objects:
            raise unknown_workload(world, workload, path)
        for pod in pods:
            world.drop(key_of(pod))
        for document in objects:
            world.snapshot.delete(document)
        world.daemons.pop(f"{self.namespace}/{self.name}", None)


@dataclass(frozen=True, slots=True)
class Place(ClusterChange, change="place"):
    """Which pods of the base are to be placed: those that wait, or all but those that belong to their node."""

    pods: str

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.word("pods", ("pending", "all")))

    def apply(self, world: ChangedCluster, path: str) -> None:
        if self.pods == "pending":
            return
        taken = []
        foreign = 0
        for document in list(world.pods.values()):
            pod = Pod(document)
            controller = Controller.of(document)
            pinned = controller is not None and controller.kind in ("DaemonSet", "Node")
            if pod.finished or pod.terminating or pinned:
                continue
            if pod.scheduler_name in world.schedulers:
                taken.append((pod.created, pod.key))
            else:
                foreign += 1
        pods = [world.pods[key] for _, key in sorted(taken)]
        for document in pods:
            world.drop(key_of(document))
        world.want(path, (_free(document) for document in pods), Origin.DISPLACED)
        if foreign:
            world.remarks.append(StayWhereTheyAre(foreign))


def owned_objects(world: ChangedCluster, workload: Workload) -> list[Document]:
    """The object behind a workload and, of a Deployment, its ReplicaSets."""
    own = world.snapshot.object(workload.kind, workload.name, workload.namespace)
    found = [own] if own is not None else []
    if workload.kind == "Deployment":
        for document in world.snapshot.objects("ReplicaSet", workload.namespace):
            controller = Controller.of(document)
            if controller is not None and (controller.kind, controller.name) == ("Deployment", workload.name):
                found.append(document)
    return found


def unknown_workload(world: ChangedCluster, workload: Workload, path: str) -> ChangeError:
    """The error of a change to a workload that is not there."""
    alike = {
        each.name for each in world.workloads() if (each.kind, each.namespace) == (workload.kind, workload.namespace)
    }
    named = f"{workload.kind} {workload.namespace}/{workload.name}"
    return ChangeError(f"{path}.name", NoSuchName(named, first(alike), len(alike)))


def _free(pod: Document) -> Document:
    """The same pod without its node."""
    spec = {key: value for key, value in (pod.get("spec") or {}).items() if key != "nodeName"}
    return {**pod, "spec": spec, "status": {}}


# Copies of pending pods.


def want_copies(world: ChangedCluster, path: str, copies: Sequence[PodCopy], origin: Origin = Origin.ADDED) -> None:
    """Let copies wait for a node, their claims with them."""
    for copy in copies:
        for claim in copy.claims:
            put_claim(world.snapshot, claim)
    world.want(path, (copy.pod for copy in copies), origin)
    unplaced = sum(bool(copy.unplaced) for copy in copies)
    if unplaced:
        world.remarks.append(ImmediateVolumes(unplaced))
    devices = sum(bool(copy.devices) for copy in copies)
    if devices:
        world.remarks.append(TemplatedResourceClaims(devices))


# Another number of replicas of a workload that the cluster has.

_SCALED = ("Deployment", "ReplicaSet", "StatefulSet", "Job", "ReplicationController")


class _Sizes(NamedTuple):
    """What a Deployment wants, its active ReplicaSets as they were, and the replicas of each after it is scaled."""

    desired: int
    before: list[SizedReplicaSet]
    sets: dict[str, int]


@dataclass(frozen=True, slots=True)
class Scale(ClusterChange, change="scale"):
    """So many ``replicas`` in all, or ``by`` so many more (negative: fewer). New pods are like the newest one.

    Where there is none they are made from the template, if it is mirrored.
    """

    kind: str
    namespace: str
    name: str
    replicas: int | None = None
    by: int | None = None

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        kind = given.word("kind", _SCALED)
        if given.has("replicas") == given.has("by"):
            raise ChangeError(given.path, NeedsOneOf(("replicas", "by")))
        return cls(
            kind,
            given.name("namespace"),
            given.name("name"),
            given.integer_or_none("replicas", 0, MOST_REPLICAS),
            given.integer_or_none("by", -MOST_REPLICAS, MOST_REPLICAS),
        )

    def apply(self, world: ChangedCluster, path: str) -> None:
        workload = Workload(self.namespace, self.kind, self.name)
        pods = [pod for pod in world.pods_of(workload) if _is_active(pod)]
        objects = owned_objects(world, workload)
        if not pods and not objects:
            raise unknown_workload(world, workload, path)
        sizes = self._proportional(objects, pods) if self.kind == "Deployment" else None
        if sizes is not None:
            for each in sizes.before:
                own = [pod for pod in pods if (made_by := Controller.of(pod)) is not None and made_by.name == each.name]
                self._scale_by(world, path, own, sizes.sets[each.name] - len(own))
            told = tuple((each.name, each.replicas, sizes.sets[each.name]) for each in sizes.before)
            world.remarks.append(ScaledInProportion(f"{self.kind} {self.namespace}/{self.name}", told))
        else:
            difference = (self.replicas or 0) - len(pods) if self.by is None else self.by
            if self.kind == "StatefulSet" and difference:
                # Remark what keeps an ordered StatefulSet from creating, or deleting, its ordinals.
                ordinals = Ordinals.of(world.snapshot.object(self.kind, self.name, self.namespace) or {})
                ready = {ordinal_of(pod): Pod(pod).ready for pod in pods}
                waits_for = ordinals.scaled(len(pods) + difference).step(ready).waits_for
                # What is pending decides in the run itself for whom the set waits as it grows.
                is_pending = f"{self.namespace}/{self.name}-{waits_for}" in world.waiting
                if waits_for is not None and not (is_pending and difference > 0):
                    world.remarks.append(OrdinalsHeldBack(f"{self.namespace}/{self.name}", f"{self.name}-{waits_for}"))
            if difference > 0 and not pods:
                self._begin(world, path, objects, difference)
            else:
                self._scale_by(world, path, pods, difference)
        # Budgets count what their pods' controllers mean to keep.
        kept = [pod for pod in world.pods_of(workload) if _is_active(pod)]
        for document in objects:
            if sizes is None:
                self._record(world, document, kept)
            else:
                count = sizes.sets.get(name_of(document), 0) if document["kind"] == "ReplicaSet" else sizes.desired
                world.snapshot.upsert({**document, "spec": {**(document.get("spec") or {}), "replicas": count}})

    def _scale_by(self, world: ChangedCluster, path: str, pods: list[Document], difference: int) -> None:
        if difference > 0:
            self._grow(world, path, pods, difference)
        elif difference < 0:
            choose = last_ordinals if self.kind == "StatefulSet" else first_to_go
            for pod in choose(pods, -difference):
                world.drop(key_of(pod))

    def _begin(self, world: ChangedCluster, path: str, objects: list[Document], replicas: int) -> None:
        """Let pods be made from the workload's template, where there are none to copy. Raises ChangeError."""
        own = next((document for document in objects if document["kind"] == self.kind), {"kind": self.kind})
        template, _ = template_of(own)
        if not (template or {}).get("spec"):
            raise ChangeError(f"{path}.name", NoPodToCopy(f"{self.kind} {self.namespace}/{self.name}"))
        sets = [document for document in objects if document["kind"] == "ReplicaSet"]
        if self.kind == "Deployment" and sets:
            newest = max(sets, key=lambda document: (_created(document), name_of(document)))
            hashed = labels_of(newest).get(TEMPLATE_HASH)
            labels = {**labels_of(template), **({TEMPLATE_HASH: hashed} if hashed else {})}
            own = {**newest, "spec": {**newest["spec"], "template": {**template, "metadata": {"labels": labels}}}}
        try:
            made = made_of(own, world.snapshot, map(world.nodes.node, world.nodes), replicas)
        except ManifestError as error:
            raise ChangeError(f"{path}.{error.path}", error.problem) from None
        known = {(document["kind"], name_of(document)) for document in objects}
        for document in made.objects:
            if (document["kind"], name_of(document)) not in known:
                world.snapshot.upsert(document)
        world.remarks += made.remarks
        world.want(path, made.pods)

    def _proportional(self, objects: list[Document], pods: list[Document]) -> _Sizes | None:
        """The replicas of each ReplicaSet of a Deployment in the middle of a rolling update; None of any other."""
        own = next((document for document in objects if document["kind"] == "Deployment"), None)
        if own is None:
            return None
        before = int((own.get("spec") or {}).get("replicas", 1))
        desired = max(0, before + self.by) if self.by is not None else self.replicas or 0
        planned = plan_of(own, "Deployment", desired)
        # Where a ReplicaSet lost the note of what was allowed before, the controller takes what there is.
        there = int((own.get("status") or {}).get("replicas") or 0)
        makers = {controller.name for pod in pods if (controller := Controller.of(pod)) is not None}
        sets = [
            SizedReplicaSet(
                name_of(document),
                int((document.get("spec") or {}).get("replicas", 1)),
                _created(document),
                _most(document) or there,
            )
            for document in objects
            if document["kind"] == "ReplicaSet"
        ]
        active = [each for each in sets if each.replicas > 0]
        # What has no pod yet cannot be copied.
        is_copied = {each.name for each in active} <= makers
        if planned is None or planned.way is not RolloutWay.SURGE or len(active) < 2 or not is_copied:
            return None
        return _Sizes(desired, active, proportional_sizes(active, desired=desired, surge=planned.surge))

    def _grow(self, world: ChangedCluster, path: str, pods: list[Document], more: int) -> None:
        newest = max(pods, key=lambda pod: (_created(pod), key_of(pod)))
        controller = Controller.of(newest)
        if self.kind == "StatefulSet":
            names = self._ordinals(world, pods)
        else:
            stem = self.name if controller is None else controller.name
            names = world.new_names(self.namespace, f"{stem}-more")
        want_copies(world, path, list(copies_of(world.snapshot, newest, islice(names, more))))

    def _ordinals(self, world: ChangedCluster, pods: list[Document]) -> Iterator[str]:
        """Names of the next pods of a StatefulSet: missing ordinals first, as its controller fills them."""
        document = world.snapshot.object(self.kind, self.name, self.namespace)
        for number in Ordinals.of(document or {}).free({ordinal_of(pod) for pod in pods}):
            if world.pod(f"{self.namespace}/{self.name}-{number}") is None:
                yield f"{self.name}-{number}"

    def _record(self, world: ChangedCluster, document: Document, pods: list[Document]) -> None:
        count = len(pods)
        if document["kind"] == "ReplicaSet" and self.kind == "Deployment":
            own = (Controller.of(pod) for pod in pods)
            count = sum(each is not None and each.name == metadata(document).get("name") for each in own)
        field = "parallelism" if document["kind"] == "Job" else "replicas"
        world.snapshot.upsert({**document, "spec": {**(document.get("spec") or {}), field: count}})


def _is_active(document: Document) -> bool:
    pod = Pod(document)
    return not pod.finished and not pod.terminating


def _created(document: Document) -> str:
    return str(metadata(document).get("creationTimestamp") or "")


def _most(replica_set: Document) -> int:
    """What the Deployment's controller noted on a ReplicaSet; 0 where that is missing or no number."""
    noted = str(annotations_of(replica_set).get(MAX_REPLICAS) or "")
    return int(noted) if noted.isdecimal() and len(noted) < 10 else 0


# Other requests of workloads that the cluster has, such as those that follow from what they use.

MOST_WORKLOADS = 5_000
_RESOURCES = (CPU, MEMORY)


@dataclass(frozen=True, slots=True)
class SetRequests(ClusterChange, change="set-requests"):
    """Requests for CPU and memory of containers, by workload; the pods stay on their nodes.

    ``workloads``: maps with ``kind``, ``namespace``, ``name`` and ``containers``, by name with ``cpu``, ``memory`` or
    both. No request is set above its container's limit.
    """

    workloads: tuple[Document, ...]

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        entries = given.listed("workloads", MOST_WORKLOADS)
        if not entries:
            raise given.bad("workloads", Empty())
        return cls(tuple(_workload(entry, f"{given.path}.workloads[{number}]") for number, entry in enumerate(entries)))

    def apply(self, world: ChangedCluster, path: str) -> None:
        changed = 0
        for number, entry in enumerate(self.workloads):
            changed += _apply(world, entry, f"{path}.workloads[{number}]")
        world.remarks.append(RequestsSet(changed, len(self.workloads)))


def _workload(entry: object, path: str) -> dict[str, Any]:
    fields = ChangeFields(entry, path, ("kind", "namespace", "name", "containers"))
    given = fields.document("containers")
    if not given:
        raise fields.bad("containers", Empty())
    containers = {}
    for name in given:
        one = ChangeFields(given[name], f"{path}.containers.{name}", _RESOURCES)
        requests = {resource: one.quantity(resource) for resource in _RESOURCES if one.has(resource)}
        if not requests:
            raise fields.bad(f"containers.{name}", Empty())
        containers[str(name)] = requests
    return {
        "kind": fields.text("kind"),
        "namespace": fields.name("namespace"),
        "name": fields.name("name"),
        "containers": containers,
    }


def _apply(world: ChangedCluster, entry: Document, path: str) -> int:
    """Give the pods of one workload their requests; return how many there are. Raises ChangeError."""
    workload = Workload(entry["namespace"], entry["kind"], entry["name"])
    pods = [pod for pod in world.pods_of(workload) if not Pod(pod).finished]
    if not pods:
        raise unknown_workload(world, workload, path)
    running = {str(each.get("name") or "") for pod in pods for each in running_containers(pod)}
    for name in entry["containers"]:
        if name not in running:
            raise ChangeError(f"{path}.containers.{name}", NoSuchName(name, first(running), len(running)))
    requests = {
        name: {resource: base_amount(resource, given) for resource, given in amounts.items()}
        for name, amounts in entry["containers"].items()
    }
    for pod in pods:
        world.put_pod(key_of(pod), with_requests(pod, requests))
    return len(pods)


# Disruption budgets and priority classes.

_CLASS = "PriorityClass"
_HIGHEST, _LOWEST = 2**31 - 1, -(2**31)
_POLICIES = ("Never", "PreemptLowerPriority")


@dataclass(frozen=True, slots=True)
class PutBudget(ClusterChange, change="put-budget"):
    """A disruption budget that is added, or takes the place of the one of its name."""

    manifest: Document

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        manifest = given.document("manifest")
        _check_kind(given, manifest, BUDGET)
        spec = manifest.get("spec")
        if not isinstance(spec, Mapping):
            raise given.bad("manifest.spec", MissingField("spec"))
        try:
            LabelSelector.from_dict(spec.get("selector"), "manifest.spec.selector")
        except SelectorError as error:
            problem = error.faults[0]
            raise given.bad(problem.path, Quoted(problem.kubernetes)) from None
        for wrong in wrongs_of_object(manifest):
            raise given.bad(f"manifest.{wrong.field}", wrong.problem)
        return cls(manifest)

    def apply(self, world: ChangedCluster, path: str) -> None:
        # What was reported was reported of another spec, and what it allows is computed anew.
        kept = {key: value for key, value in self.manifest.items() if key != "status"}
        fields = {**metadata(self.manifest), "namespace": namespace_of(self.manifest)}
        world.snapshot.upsert({**kept, "metadata": fields})


@dataclass(frozen=True, slots=True)
class RemoveBudget(ClusterChange, change="remove-budget"):
    """A disruption budget that goes."""

    namespace: str
    name: str

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.name("namespace"), given.name("name"))

    def apply(self, world: ChangedCluster, path: str) -> None:
        budget = world.snapshot.object(BUDGET, self.name, self.namespace)
        if budget is None:
            names = [str(metadata(each).get("name")) for each in world.snapshot.objects(BUDGET, self.namespace)]
            problem = NoSuchName(f"{self.namespace}/{self.name}", first(names), len(names))
            raise ChangeError(f"{path}.name", problem)
        world.snapshot.delete(budget)


@dataclass(frozen=True, slots=True)
class PutPriorityClass(ClusterChange, change="put-priority-class"):
    """A priority class that is added, or takes the place of the one of its name; pods that are there keep theirs."""

    manifest: Document

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        manifest = given.document("manifest")
        _check_kind(given, manifest, _CLASS)
        value = manifest.get("value")
        if type(value) is not int or not _LOWEST <= value <= _HIGHEST:
            raise given.bad("manifest.value", OutOfRange(shown(value), _LOWEST, _HIGHEST))
        policy = manifest.get("preemptionPolicy")
        if policy not in (None, *_POLICIES):
            raise given.bad("manifest.preemptionPolicy", NotOneOf(shown(policy), _POLICIES))
        return cls(manifest)

    def apply(self, world: ChangedCluster, path: str) -> None:
        wrong = second_default(self.manifest, world.snapshot.objects(_CLASS))
        if wrong is not None:
            raise ChangeError(f"{path}.manifest.{wrong.field}", wrong.problem)
        if world.snapshot.object(_CLASS, name_of(self.manifest)) is not None:
            world.remarks.append(PrioritiesKept())
        world.snapshot.upsert(self.manifest)


def _check_kind(given: ChangeFields, manifest: Document, kind: str) -> None:
    if manifest.get("kind") != kind:
        raise given.bad("manifest.kind", MustBe(shown(manifest.get("kind")), kind))
    fields = manifest.get("metadata")
    if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str) or not fields["name"]:
        raise given.bad("manifest.metadata.name", MissingField("metadata.name"))


# Pods that arrive and leave as a trace says, and the nodes of the trace.

_FORMATS = ("openb",)


@dataclass(frozen=True, slots=True)
class Trace(ClusterChange, change="trace"):
    """Rows of a trace, as `clusters.adapters.traces` reads them from files."""

    format: str
    pods: tuple[Mapping[str, Any], ...]
    nodes: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        kind = given.word("format", _FORMATS)
        nodes = _rows(given, "nodes", openb.NODE_COLUMNS, MOST_NODES)
        pods = _rows(given, "pods", openb.POD_COLUMNS, MOST_WANTED)
        if not pods:
            raise given.bad("pods", Empty())
        return cls(kind, pods, nodes)

    def apply(self, world: ChangedCluster, path: str) -> None:
        for node in openb.nodes_of(self.nodes):
            world.add_node(f"{path}.nodes", node)
        world.want(f"{path}.pods", openb.pods_of(self.pods))
        for rows, columns in ((self.nodes, openb.NODE_COLUMNS), (self.pods, openb.POD_COLUMNS)):
            for column in openb.missing(columns, rows) if rows else ():
                if column.matters:
                    world.remarks.append(ColumnMissing(column.name))
        parts = sum(map(openb.is_fractional, self.pods))
        if parts:
            world.remarks.append(FractionalGpus(parts))


def _rows(given: ChangeFields, name: str, columns: Sequence[Column], most: int) -> tuple[Mapping[str, Any], ...]:
    """Rows, checked cell by cell. Raises ChangeError."""
    names = [column.name for column in columns]
    found = []
    for number, entry in enumerate(given.listed(name, most)):
        # Its errors name the row; what is in it is checked by column.
        ChangeFields(entry, f"{given.path}.{name}[{number}]", names)
        try:
            for column in columns:
                openb.check(column, entry)
            if columns is openb.POD_COLUMNS:
                openb.check_pod(entry)
        except openb.CellError as error:
            raise given.bad(f"{name}[{number}].{error.path}", error.problem) from None
        found.append(entry)
    return tuple(found)
