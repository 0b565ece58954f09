"""Another number of replicas of a workload that the cluster has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from clusters.engine.objects import Pod, key_of, labels_of, metadata, name_of
from clusters.engine.rollout.plan import Way, plan_of
from clusters.engine.simulation.changes.change import ClusterChange
from clusters.engine.simulation.changes.copying import want_copies
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import NoPodToCopy, NotScaled, ScaledTwice
from clusters.engine.simulation.changes.workloads import owned_objects, unknown_workload
from clusters.engine.simulation.copying import copies_of
from clusters.engine.simulation.limits import MOST_REPLICAS
from clusters.engine.simulation.ranking import first_to_go, last_ordinals, ordinal_of
from clusters.engine.simulation.remarks import OrdinalsHeldBack, ScaledInProportion
from clusters.engine.simulation.workloads import ManifestError, made_of
from clusters.engine.volumes.claims import annotations_of
from clusters.engine.workloads.ordinals import Ordinals
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload, template_of
from clusters.engine.workloads.proportional import MAX_REPLICAS, SizedReplicaSet, proportional_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments

_SCALED = ("Deployment", "ReplicaSet", "StatefulSet", "Job", "ReplicationController")


class _Sizes(NamedTuple):
    """What a Deployment wants, its active ReplicaSets as they were, and the replicas of each after it is scaled."""

    desired: int
    before: list[SizedReplicaSet]
    sets: dict[str, int]


@dataclass(frozen=True, slots=True)
class Scale(ClusterChange):
    """So many ``replicas`` in all, or ``by`` so many more (negative: fewer). New pods are like the newest one.

    Where there is none they are made from the template, if it is mirrored.
    """

    kind: str
    namespace: str
    name: str
    replicas: int | None = None
    by: int | None = None

    change: ClassVar[str] = "scale"
    known: ClassVar[tuple[str, ...]] = ("kind", "namespace", "name", "replicas", "by")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        kind = given.word("kind", _SCALED)
        if given.has("replicas") == given.has("by"):
            raise ChangeError(given.path, ScaledTwice() if given.has("by") else NotScaled())
        return cls(
            kind,
            given.name("namespace"),
            given.name("name"),
            given.integer_or_none("replicas", 0, MOST_REPLICAS),
            given.integer_or_none("by", -MOST_REPLICAS, MOST_REPLICAS),
        )

    def apply(self, world: ClusterDocuments, path: str) -> None:
        workload = Workload(self.namespace, self.kind, self.name)
        pods = [pod for pod in world.pods_of(workload) if _is_active(pod)]
        objects = owned_objects(world, workload)
        if not pods and not objects:
            raise unknown_workload(world, workload, path)
        sizes = self._proportional(objects, pods) if self.kind == "Deployment" else None
        if sizes is not None:
            self._scale_in_proportion(world, path, pods, sizes)
        else:
            difference = (self.replicas or 0) - len(pods) if self.by is None else self.by
            if self.kind == "StatefulSet" and difference:
                self._wait_for_predecessors(world, pods, difference)
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
                world.shelf.upsert({**document, "spec": {**(document.get("spec") or {}), "replicas": count}})

    def _scale_by(self, world: ClusterDocuments, path: str, pods: list[Document], difference: int) -> None:
        if difference > 0:
            self._grow(world, path, pods, difference)
        elif difference < 0:
            choose = last_ordinals if self.kind == "StatefulSet" else first_to_go
            for pod in choose(pods, -difference):
                world.drop(key_of(pod))

    def _begin(self, world: ClusterDocuments, path: str, objects: list[Document], replicas: int) -> None:
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
            made = made_of(own, world.shelf, world.nodes.values(), replicas)
        except ManifestError as error:
            raise ChangeError(f"{path}.{error.field}", error.problem) from None
        known = {(document["kind"], name_of(document)) for document in objects}
        for document in made.objects:
            if (document["kind"], name_of(document)) not in known:
                world.shelf.upsert(document)
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
        if planned is None or planned.way is not Way.SURGE or len(active) < 2 or not is_copied:
            return None
        return _Sizes(desired, active, proportional_sizes(active, desired=desired, surge=planned.surge))

    def _scale_in_proportion(self, world: ClusterDocuments, path: str, pods: list[Document], sizes: _Sizes) -> None:
        for each in sizes.before:
            own = [pod for pod in pods if (made_by := Controller.of(pod)) is not None and made_by.name == each.name]
            self._scale_by(world, path, own, sizes.sets[each.name] - len(own))
        told = tuple((each.name, each.replicas, sizes.sets[each.name]) for each in sizes.before)
        world.remarks.append(ScaledInProportion(f"{self.kind} {self.namespace}/{self.name}", told))

    def _grow(self, world: ClusterDocuments, path: str, pods: list[Document], more: int) -> None:
        newest = max(pods, key=lambda pod: (_created(pod), key_of(pod)))
        controller = Controller.of(newest)
        if self.kind == "StatefulSet":
            names = self._ordinals(world, pods)
        else:
            stem = self.name if controller is None else controller.name
            names = world.new_names(self.namespace, f"{stem}-more")
        want_copies(world, path, list(copies_of(world.shelf, newest, islice(names, more))))

    def _ordinals(self, world: ClusterDocuments, pods: list[Document]) -> Iterator[str]:
        """Names of the next pods of a StatefulSet: missing ordinals first, as its controller fills them."""
        document = world.shelf.object(self.kind, self.name, self.namespace)
        for number in Ordinals.of(document or {}).free({ordinal_of(pod) for pod in pods}):
            if world.pod(f"{self.namespace}/{self.name}-{number}") is None:
                yield f"{self.name}-{number}"

    def _wait_for_predecessors(self, world: ClusterDocuments, pods: list[Document], difference: int) -> None:
        """Remark what keeps an ordered StatefulSet from creating, or deleting, its ordinals."""
        ordinals = Ordinals.of(world.shelf.object(self.kind, self.name, self.namespace) or {})
        ready = {ordinal_of(pod): Pod(pod).ready for pod in pods}
        waits_for = ordinals.scaled(len(pods) + difference).step(ready).waits_for
        # What is pending decides in the run itself for whom the set waits as it grows.
        is_pending = f"{self.namespace}/{self.name}-{waits_for}" in world.waiting
        if waits_for is not None and not (is_pending and difference > 0):
            named = f"{self.namespace}/{self.name}"
            world.remarks.append(OrdinalsHeldBack(named, f"{self.name}-{waits_for}"))

    def _record(self, world: ClusterDocuments, document: Document, pods: list[Document]) -> None:
        count = len(pods)
        if document["kind"] == "ReplicaSet" and self.kind == "Deployment":
            own = (Controller.of(pod) for pod in pods)
            count = sum(each is not None and each.name == metadata(document).get("name") for each in own)
        field = "parallelism" if document["kind"] == "Job" else "replicas"
        world.shelf.upsert({**document, "spec": {**(document.get("spec") or {}), field: count}})


def _is_active(document: Document) -> bool:
    pod = Pod(document)
    return not pod.finished and not pod.terminating


def _created(document: Document) -> str:
    return str(metadata(document).get("creationTimestamp") or "")


def _most(replica_set: Document) -> int:
    """What the Deployment's controller noted on a ReplicaSet; 0 where that is missing or no number."""
    noted = str(annotations_of(replica_set).get(MAX_REPLICAS) or "")
    return int(noted) if noted.isdecimal() and len(noted) < 10 else 0
