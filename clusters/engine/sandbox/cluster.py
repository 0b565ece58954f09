"""The cluster of a sandbox: as its API server returns it, and as a world in which something changes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from clusters.engine.explanation import explain
from clusters.engine.lessons.lesson import SituationParts
from clusters.engine.lessons.situation import build_situation
from clusters.engine.objects import Pod, key_of
from clusters.engine.sandbox.objects import ObjectsChange, created, named
from clusters.engine.simulation.changes.world import ClusterDocuments
from clusters.engine.versions import Known, match_release

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.objects import Document
    from clusters.engine.sandbox.objects import Objects


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
        parts = SituationParts(tuple(self.objects.values()), kubernetes=self._kubernetes)
        return build_situation(parts, existing=pods)

    @property
    def _kubernetes(self) -> str:
        """The version of the newest kubelet, as of any dump; empty, for the newest known one, where no node says."""
        versions = (kubelet_version(each) for name, each in self.objects.items() if name.kind == "Node")
        matches = map(match_release, versions)
        told = [found.release.first_version for found in matches if found.known is not Known.UNTOLD]
        return max(told, key=lambda version: [int(number) for number in version.split(".")], default="")

    @property
    def pods(self) -> dict[str, Document]:
        """All pods by ``namespace/name``."""
        return self.situation.pods

    def world(self) -> ClusterDocuments:
        """The cluster to change. Raises SituationError."""
        return ClusterDocuments(self.situation.objects, self.situation.configuration)

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

    def after(self, world: ClusterDocuments) -> Objects:
        """The objects once a world of this cluster has changed; what controllers of the cluster write is left out."""
        change = ObjectsChange.between(named(_documents(self.world())), named(_documents(world)))
        put = created(change.put, self.objects)
        return ObjectsChange(tuple(put), change.gone).applied_to(self.objects)


def kubelet_version(node: Document) -> str:
    """The version that a node's kubelet reports, empty where it is not told."""
    return str(((node.get("status") or {}).get("nodeInfo") or {}).get("kubeletVersion") or "")


def _documents(world: ClusterDocuments) -> list[Document]:
    kinds = world.shelf.content()["objects"].values()
    return [*world.nodes.values(), *kinds, *world.pods.values(), *(each.pod for each in world.waiting.values())]
