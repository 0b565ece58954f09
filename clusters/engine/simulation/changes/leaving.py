"""Nodes that go, and what becomes of the pods on them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.objects import Pod, key_of, name_of, namespace_of
from clusters.engine.simulation.case import Origin
from clusters.engine.simulation.changes.change import ClusterChange, NodesChange, nodes_of_zone
from clusters.engine.simulation.changes.copying import want_copies
from clusters.engine.simulation.changes.job_losses import JobLosses
from clusters.engine.simulation.daemons import pinned_node
from clusters.engine.simulation.remarks import (
    DrainedAsKubectl,
    NotRecreatedElsewhere,
    OrdinalsWaitForNodes,
    PodsLost,
    VolumesStayAttached,
)
from clusters.engine.volumes.lost_attachments import exclusive_volumes
from clusters.engine.workloads.pod_copies import copy_of
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments
    from clusters.engine.simulation.job_pods import PodLoss
    from clusters.engine.workloads.pod_copies import PodCopy

GONE, UNREACHABLE, NOT_READY = "gone", "unreachable", "not-ready"
# So many pods are named.
_NAMED = 5


class RemoveNodes(NodesChange):
    """Nodes that are taken away without a drain."""

    __slots__ = ()
    change: ClassVar[str] = "remove-nodes"
    known: ClassVar[tuple[str, ...]] = ("nodes", "selector", "zone")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        take_away(world, path, self.chosen(world, path))


class DrainNodes(NodesChange):
    """Nodes that are drained when the simulation begins."""

    __slots__ = ()
    change: ClassVar[str] = "drain-nodes"
    known: ClassVar[tuple[str, ...]] = ("nodes", "selector", "zone")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        world.drained.update(dict.fromkeys(self.chosen(world, path)))
        world.remarks.append(DrainedAsKubectl())


@dataclass(frozen=True, slots=True)
class LoseZone(ClusterChange):
    """A zone whose nodes are gone, or that stops answering when the simulation begins."""

    zone: str
    how: str

    change: ClassVar[str] = "lose-zone"
    known: ClassVar[tuple[str, ...]] = ("zone", "how")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(given.text("zone"), given.word("how", (GONE, UNREACHABLE)))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        nodes = nodes_of_zone(world, self.zone, path)
        if self.how == GONE:
            take_away(world, path, nodes)
        else:
            world.unreachable.update(dict.fromkeys(nodes))
            remark_waiting(world, nodes)


@dataclass(frozen=True, slots=True)
class FailNodes(NodesChange):
    """Nodes that stop reporting, or report that they are not ready, when the simulation begins."""

    how: str = UNREACHABLE

    change: ClassVar[str] = "fail-nodes"
    known: ClassVar[tuple[str, ...]] = ("nodes", "selector", "zone", "how")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given), how=given.word("how", (UNREACHABLE, NOT_READY)))

    def apply(self, world: ClusterDocuments, path: str) -> None:
        failing = dict.fromkeys(self.chosen(world, path))
        (world.unreachable if self.how == UNREACHABLE else world.not_ready).update(failing)
        if self.how == UNREACHABLE:
            remark_waiting(world, failing)


def remark_waiting(world: ClusterDocuments, nodes: Iterable[str]) -> None:
    """Remark whose replacements wait while nodes stay unreachable, and their pods Terminating.

    Those are a StatefulSet's, which come only once the pod's object is gone, and those that need a volume which one
    node at a time can attach. The simulation makes all of them at once.
    """
    stateful = attached = 0
    for document in (pod for name in nodes for pod in world.pods_on(name)):
        pod, controller = Pod(document), Controller.of(document)
        if pod.finished or controller is None or controller.kind in ("DaemonSet", "Node"):
            continue
        stateful += controller.kind == "StatefulSet"
        attached += bool(exclusive_volumes(world.shelf, pod))
    if stateful:
        world.remarks.append(OrdinalsWaitForNodes(stateful))
    if attached:
        world.remarks.append(VolumesStayAttached(attached))


def take_away(world: ClusterDocuments, path: str, nodes: Iterable[str]) -> None:
    """Take nodes away, and recreate the pods on them that have a controller."""
    names = frozenset(nodes)
    gone = [pod for name in sorted(names) for pod in world.drop_node(name)]
    # Their controller deletes the pods of DaemonSets whose node is no more, whether or not they ever ran there.
    for key, wanted in list(world.waiting.items()):
        controller = Controller.of(wanted.pod)
        if controller is not None and controller.kind == "DaemonSet" and pinned_node(wanted.pod) in names:
            world.drop(key)
    bring_back(world, path, gone)


def bring_back(world: ClusterDocuments, path: str, pods: Iterable[Document]) -> None:
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


def _copy_for(world: ClusterDocuments, jobs: JobLosses, loss: PodLoss) -> PodCopy | None:
    """The pod that is made in the place of one that is gone, None where none is."""
    likeness = jobs.likeness(loss)
    controller = None if likeness is None else Controller.of(likeness)
    if likeness is None or controller is None:
        return None
    if controller.kind == "StatefulSet":
        return copy_of(world.shelf, likeness, name_of(likeness), keeps_claims=True)
    namespace = namespace_of(likeness)
    name = next(world.new_names(namespace, f"{controller.name}-again"))
    world.replaced[key_of(likeness)] = f"{namespace}/{name}"
    copied = copy_of(world.shelf, likeness, name)
    jobs.makes(copied.pod)
    return copied
