"""The controller that owns a pod in the end: the Deployment behind a ReplicaSet, the CronJob behind a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import labels_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.models import KubeObject

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.models import Cluster, Pod

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
