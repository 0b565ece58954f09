"""How many pods the controllers of some pods mean to keep.

Upstream: the controller finders of ``pkg/controller/disruption/disruption.go`` v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import Document, metadata
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.snapshot import Snapshot

# Kinds with replicas, and the API groups in which they are looked for.
_SCALED = {
    "ReplicationController": ("",),
    "ReplicaSet": ("apps", "extensions"),
    "StatefulSet": ("apps",),
}
# Controllers that Kubernetes brings and that cannot be scaled, as the API names their resources.
_UNSCALED = {
    "DaemonSet": "daemonsets.apps",
    "Job": "jobs.batch",
    "CronJob": "cronjobs.batch",
    "Node": "nodes",
}


@dataclass(frozen=True, slots=True)
class ControllerScale:
    """The sum of the controllers' replicas; None where the disruption controller fails, or where it cannot be known.

    ``failure`` is what the disruption controller would report, ``unknown`` says what the snapshot does not hold.
    """

    replicas: int | None
    failure: str = ""
    unknown: str = ""


class _FailureError(Exception):
    """The disruption controller cannot compute a status."""


class _UnknownError(Exception):
    """The snapshot does not hold what the disruption controller would look at."""


def scale_of(snapshot: Snapshot, namespace: str, controllers: Iterable[tuple[Controller, str]]) -> ControllerScale:
    """Add up the replicas of controllers, each with the name of one of its pods; a Deployment counts once."""
    scales: dict[tuple[str, str], int] = {}
    unknown = ""
    for controller, pod in controllers:
        try:
            scales.update([_find(snapshot, namespace, controller, pod)])
        except _FailureError as error:
            return ControllerScale(None, failure=str(error))
        except _UnknownError as error:
            unknown = unknown or str(error)
    return ControllerScale(None, unknown=unknown) if unknown else ControllerScale(sum(scales.values()))


def _find(snapshot: Snapshot, namespace: str, controller: Controller, pod: str) -> tuple[tuple[str, str], int]:
    """What is scaled for a controller's pods, by kind and name, and to how many."""
    kind, name = controller.kind, controller.name
    if kind in _UNSCALED:
        raise _FailureError(f"{_UNSCALED[kind]} does not implement the scale subresource")
    if kind not in _SCALED or (controller.api_version and controller.group not in _SCALED[kind]):
        raise _UnknownError(f"the scale of {kind} {name}")
    document = snapshot.object(kind, name, namespace)
    if document is None and not snapshot.objects(kind, namespace):
        raise _UnknownError(f"{kind} {name}")
    if document is None or not controller.is_at(metadata(document).get("uid")):
        raise _FailureError(f'found no controllers for pod "{pod}"')
    above = Controller.of(document)
    if kind == "ReplicaSet" and above is not None and above.kind == "Deployment":
        deployment = snapshot.object("Deployment", above.name, namespace)
        if deployment is not None and "spec" in deployment and above.is_at(metadata(deployment).get("uid")):
            return ("Deployment", above.name), _replicas(deployment)
    return (kind, name), _replicas(document)


def _replicas(document: Document) -> int:
    """The replicas of a controller's spec; 1 where it has none."""
    replicas = (document.get("spec") or {}).get("replicas")
    return 1 if replicas is None else int(replicas)
