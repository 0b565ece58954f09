"""Workloads that come, go, or get another number of replicas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.admission.limit_ranges import claim_refusals
from clusters.engine.objects import Pod, key_of, name_of, namespace_of
from clusters.engine.problems import Missing
from clusters.engine.simulation.case import Origin
from clusters.engine.simulation.changes.adopting import adopt
from clusters.engine.simulation.changes.change import ClusterChange, first
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import NoSuchProfile, NoSuchWorkload, NotAWorkload
from clusters.engine.simulation.claims import as_stored
from clusters.engine.simulation.limits import MOST_REPLICAS
from clusters.engine.simulation.problems import NoName, NoReplicas
from clusters.engine.simulation.remarks import KindLeftOut, PodsReplaced, StayWhereTheyAre
from clusters.engine.simulation.workloads import WORKLOADS, ManifestError, made_of
from clusters.engine.workloads.pod_template import Controller, Workload, template_of

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments
    from clusters.engine.simulation.workloads import Made

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
class AddWorkload(ClusterChange):
    """A workload, or an object that one needs. ``replicas`` takes the place of the manifest's own number.

    ``source``: where the manifest was read, which errors name: a file, and the document in it.
    """

    manifest: Document
    replicas: int | None = None
    source: str | None = None

    change: ClassVar[str] = "add-workload"
    known: ClassVar[tuple[str, ...]] = ("manifest", "replicas", "source")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        manifest = given.document("manifest")
        kind, fields = manifest.get("kind"), manifest.get("metadata")
        if not isinstance(kind, str) or not kind:
            raise given.bad("manifest.kind", Missing(WORKLOADS))
        if kind in _OWN_CHANGES:
            raise given.bad("manifest.kind", NotAWorkload(kind, _OWN_CHANGES[kind]))
        if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str) or not fields["name"]:
            raise given.bad("manifest.metadata.name", NoName(kind))
        replicas = given.integer_or_none("replicas", 0, MOST_REPLICAS)
        if replicas is not None and (kind not in WORKLOADS or kind in ("CronJob", "DaemonSet")):
            raise given.bad("replicas", NoReplicas(kind))
        return cls(manifest, replicas, given.text_or_none("source"))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        kind, name = str(self.manifest["kind"]), name_of(self.manifest)
        if kind in PLAIN:
            self._check_claim(world, path, self.manifest)
            is_claim = kind == _CLAIM
            world.shelf.upsert(as_stored(self.manifest, world.shelf) if is_claim else self.manifest)
            return
        if kind not in WORKLOADS:
            world.remarks.append(KindLeftOut(kind, name))
            return
        made = self._made(world, path)
        gone = self._replaced(world, made)
        for document in gone:
            world.drop(key_of(document))
        for document in owned_objects(world, Workload(namespace_of(self.manifest), kind, name)):
            world.shelf.delete(document)
        if gone:
            world.remarks.append(PodsReplaced(f"{kind} {namespace_of(self.manifest)}/{name}", len(gone)))
        for document in made.objects:
            self._check_claim(world, path, document)
            world.shelf.upsert(document)
        if made.template is not None:
            world.daemons[key_of(self.manifest)] = made.template
        world.remarks += made.remarks
        adopted = adopt(world, made.objects[0]) if kind in ("ReplicaSet", "ReplicationController") else 0
        world.want(f"{path}.manifest", made.pods[: len(made.pods) - adopted])

    def _check_claim(self, world: ClusterDocuments, path: str, document: Document) -> None:
        """The API server refuses claims that their namespace's bounds leave out. Raises ChangeError."""
        if document["kind"] != _CLAIM:
            return
        where = self._where(path)
        for refusal in claim_refusals(document, world.shelf):
            claim = "" if document is self.manifest else f".{_CLAIM} {name_of(document)}"
            raise ChangeError(f"{where}{claim}.{refusal.field}", refusal.problem)

    def _where(self, path: str) -> str:
        """What errors name: the file and document that the manifest was read from, or the change."""
        return f"{path}.{self.source or 'manifest'}"

    def _made(self, world: ClusterDocuments, path: str) -> Made:
        where = self._where(path)
        try:
            made = made_of(self.manifest, world.shelf, world.nodes.values(), self.replicas)
        except ManifestError as error:
            raise ChangeError(f"{where}.{error.field}", error.problem) from None
        for pod in made.pods[:1]:
            scheduler = Pod(pod).scheduler_name
            if scheduler not in world.schedulers:
                field = "spec" if self.manifest["kind"] == "Pod" else f"{template_of(self.manifest)[1]}.spec"
                raise ChangeError(f"{where}.{field}.schedulerName", NoSuchProfile(scheduler, first(world.schedulers)))
        return made

    def _replaced(self, world: ClusterDocuments, made: Made) -> list[Document]:
        """The pods that the workload has already."""
        kind, namespace, name = str(self.manifest["kind"]), namespace_of(self.manifest), name_of(self.manifest)
        if kind != "Pod":
            return world.pods_of(Workload(namespace, kind, name))
        keys = [key_of(pod) for pod in made.pods]
        return [found for key in keys if (found := world.pod(key)) is not None]


@dataclass(frozen=True, slots=True)
class RemoveWorkload(ClusterChange):
    """A workload that goes with its pods."""

    kind: str
    namespace: str
    name: str

    change: ClassVar[str] = "remove-workload"
    known: ClassVar[tuple[str, ...]] = ("kind", "namespace", "name")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.text("kind"), given.name("namespace"), given.name("name"))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        one = world.pod(f"{self.namespace}/{self.name}") if self.kind == "Pod" else None
        workload = Workload(self.namespace, self.kind, self.name)
        pods = [one] if one is not None else [] if self.kind == "Pod" else world.pods_of(workload)
        objects = owned_objects(world, workload)
        if not pods and not objects:
            raise unknown_workload(world, workload, path)
        for pod in pods:
            world.drop(key_of(pod))
        for document in objects:
            world.shelf.delete(document)
        world.daemons.pop(f"{self.namespace}/{self.name}", None)


@dataclass(frozen=True, slots=True)
class Place(ClusterChange):
    """Which pods of the base are to be placed: those that wait, or all but those that belong to their node."""

    pods: str

    change: ClassVar[str] = "place"
    known: ClassVar[tuple[str, ...]] = ("pods",)

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.word("pods", ("pending", "all")))

    def apply(self, world: ClusterDocuments, path: str) -> None:
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


def owned_objects(world: ClusterDocuments, workload: Workload) -> list[Document]:
    """The object behind a workload and, of a Deployment, its ReplicaSets."""
    own = world.shelf.object(workload.kind, workload.name, workload.namespace)
    found = [own] if own is not None else []
    if workload.kind == "Deployment":
        for document in world.shelf.objects("ReplicaSet", workload.namespace):
            controller = Controller.of(document)
            if controller is not None and (controller.kind, controller.name) == ("Deployment", workload.name):
                found.append(document)
    return found


def unknown_workload(world: ClusterDocuments, workload: Workload, path: str) -> ChangeError:
    """The error of a change to a workload that is not there."""
    alike = {
        each.name for each in world.workloads() if (each.kind, each.namespace) == (workload.kind, workload.namespace)
    }
    named = f"{workload.kind} {workload.namespace}/{workload.name}"
    return ChangeError(f"{path}.name", NoSuchWorkload(named, workload.kind, first(alike), len(alike)))


def _free(pod: Document) -> Document:
    """The same pod without its node."""
    spec = {key: value for key, value in (pod.get("spec") or {}).items() if key != "nodeName"}
    return {**pod, "spec": spec, "status": {}}
