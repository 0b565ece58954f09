"""How many pods a workload is meant to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.volumes.claims import spec_of
from clusters.services.workloads.owners import BARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.workloads.pod_template import Workload

_WITH_REPLICAS = ("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController")


def desired_of(workload: Workload, owners: Mapping[tuple[str, str, str], Document], snapshot: Snapshot) -> int | None:
    """Return how many pods a workload should have now; None where no object of the mirror says it.

    ``owners``: objects that the snapshot leaves out, by kind, namespace and name.
    """
    kind, namespace, name = workload.kind, workload.namespace, workload.name
    if kind == BARE:
        return 1
    if kind in _WITH_REPLICAS:
        document = snapshot.object(kind, name, namespace)
        if document is None or "spec" not in document:
            return None
        replicas = spec_of(document).get("replicas")
        return 1 if replicas is None else int(replicas)
    document = owners.get((kind, namespace, name))
    if document is None:
        return None
    status = document.get("status") or {}
    if kind == "DaemonSet":
        return int(status["desiredNumberScheduled"]) if "desiredNumberScheduled" in status else None
    return _parallel(spec_of(document), int(status.get("succeeded") or 0)) if kind == "Job" else None


def _parallel(spec: Document, succeeded: int) -> int:
    """Return how many pods a Job runs at once: as many as are allowed, and no more than are still needed."""
    if spec.get("suspend"):
        return 0
    parallelism = int(1 if spec.get("parallelism") is None else spec["parallelism"])
    completions = spec.get("completions")
    return parallelism if completions is None else max(0, min(parallelism, int(completions) - succeeded))
