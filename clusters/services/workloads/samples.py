"""A pod of a workload that stands for the ones its controller would make next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.objects import metadata, name_of
from clusters.models import Pod

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.workloads.pod_template import Workload
    from clusters.models import Cluster
    from clusters.services.workloads.state import ClusterWorkloads


def sample_of(cluster: Cluster, found: ClusterWorkloads, workload: Workload) -> Document | None:
    """Return the workload's newest pod, which is made from its present template; None where it has none.

    One query. Pods that are being deleted are the last choice.
    """
    pods, slots = found.snapshot.pods, found.slots(workload)
    waiting = found.pending.get(workload, ())
    newest = max((pod.document for pod in waiting), key=_created, default=None)
    staying = slots[~pods.terminating[slots]]
    slots = staying if len(staying) or newest is not None else slots
    if not len(slots):
        return newest
    name = pods.name(int(slots[np.argmax(pods.start[slots])]))
    placed = documents_of(cluster, workload.namespace, [name]).get(name)
    candidates = [document for document in (placed, newest) if document is not None]
    return max(candidates, key=_created, default=None)


def documents_of(cluster: Cluster, namespace: str, names: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """Return pods of a namespace by name, as they are mirrored, with one query."""
    rows = Pod.objects.filter(cluster=cluster, namespace=namespace, name__in=names)
    return {name_of(document): document for document in rows.values_list("object", flat=True)}


def _created(pod: Document) -> str:
    return str(metadata(pod).get("creationTimestamp") or "")
