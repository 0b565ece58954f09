"""Requests of a cluster's workloads against what they use: computed once for each state of both."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.conf import settings

from clusters.engine.objects import Document, key_of, metadata
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.usage import UsedAmounts, WorkloadSizing, quantity_text, workload_sizing
from clusters.models import Cluster, Pod
from clusters.services.computing import Cache
from clusters.services.usage.history import ClusterUsage, usage_of, usage_version
from clusters.services.workloads import ClusterWorkloads, WorkloadState, workloads_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Snapshot
    from clusters.engine.owners import Workload

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ClusterSizing:
    """A cluster's workloads with usage, those first whose requests are off by most, and the sums of its nodes.

    ``without``: how many workloads with pods have no usage. ``requested``: by pods on nodes; ``freed``: what all
    recommended requests together take off.
    """

    usage: ClusterUsage
    workloads: tuple[WorkloadSizing, ...]
    without: int
    requested: UsedAmounts
    allocatable: UsedAmounts
    freed: UsedAmounts

    def of(self, workload: Workload) -> WorkloadSizing | None:
        """Return one workload's, None where it has no usage."""
        return next((each for each in self.workloads if each.workload == workload), None)


_latest: Cache[int, ClusterSizing | None] = Cache("sizings", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def sizing_of(*, cluster: Cluster) -> ClusterSizing | None:
    """Compare requests with usage in the cluster's present state; None where there is no usage.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    version = usage_version(cluster)
    if not version:
        return None
    found = workloads_of(cluster=cluster)
    return _latest.get(cluster.pk, lambda: _computed(cluster, found), version=(found.snapshot, version))


def _computed(cluster: Cluster, found: ClusterWorkloads) -> ClusterSizing | None:
    usage = usage_of(cluster=cluster)
    if usage is None:
        return None
    running = [state for state in found.states.values() if state.placed + state.pending]
    measured = [state for state in running if state.workload in usage.workloads]
    templates = _templates(cluster, found, measured)
    sized = [
        workload_sizing(
            state.workload,
            templates[state.workload],
            state.placed + state.pending,
            UsedAmounts(state.cpu_milli, state.memory_bytes),
            usage.workloads[state.workload],
        )
        for state in measured
        if state.workload in templates
    ]
    requested, allocatable = _sums(found.snapshot)

    def off_by(each: WorkloadSizing) -> float:
        """How far requests are off, in shares of the cluster."""
        cpu, memory = each.freed
        return abs(cpu) / max(1, allocatable.cpu_milli) + abs(memory) / max(1, allocatable.memory_bytes)

    return ClusterSizing(
        usage=usage,
        workloads=tuple(sorted(sized, key=lambda each: (-off_by(each), each.workload))),
        without=len(running) - len(sized),
        requested=requested,
        allocatable=allocatable,
        freed=UsedAmounts(sum(each.freed.cpu_milli for each in sized), sum(each.freed.memory_bytes for each in sized)),
    )


# What has a template that can be changed, and pods for as long as it is there.
_LASTING = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController")


def right_sized(found: ClusterSizing) -> list[dict[str, Any]]:
    """Return the recommended requests as the change ``set-requests`` of a simulation takes them."""
    return [
        {
            "kind": each.workload.kind,
            "namespace": each.workload.namespace,
            "name": each.workload.name,
            "containers": {
                container: {resource: quantity_text(resource, number) for resource, number in requests.items()}
                for container, requests in each.changes.items()
            },
        }
        for each in found.workloads
        if each.workload.kind in _LASTING and each.changes
    ]


def _sums(snapshot: Snapshot) -> tuple[UsedAmounts, UsedAmounts]:
    nodes = snapshot.nodes
    columns = [nodes.resources.index(resource) for resource in (CPU, MEMORY)]
    return (
        UsedAmounts(*(int(nodes.requested[:, column].sum()) for column in columns)),
        UsedAmounts(*(int(nodes.allocatable[:, column].sum()) for column in columns)),
    )


def _templates(
    cluster: Cluster, found: ClusterWorkloads, states: Iterable[WorkloadState]
) -> Mapping[Workload, Document]:
    """Return the newest pod of each workload, which is made of its present template, be it pending or on a node."""
    pods = found.snapshot.pods
    slots = np.flatnonzero(found.of_slot >= 0)
    # Of what is written to one place the last stays: the pod that started last, and one that is being deleted only
    # where there is no other.
    slots = slots[np.lexsort((pods.start[slots], ~pods.terminating[slots]))]
    newest = np.full(len(found.numbers), -1, np.int64)
    newest[found.of_slot[slots]] = slots
    chosen = {state.workload: int(newest[found.numbers[state.workload]]) for state in states}
    keys = {each: f"{pods.namespace(slot)}/{pods.name(slot)}" for each, slot in chosen.items() if slot >= 0}
    documents = _documents(cluster, keys.values())
    templates: dict[Workload, Document] = {}
    for workload in chosen:
        candidates = [pod.document for pod in found.pending.get(workload, ())]
        placed = documents.get(keys.get(workload, ""))
        if placed is not None:
            candidates.append(placed)
        if candidates:
            templates[workload] = max(candidates, key=_created)
    return templates


def _created(pod: Document) -> str:
    return str(metadata(pod).get("creationTimestamp") or "")


def _documents(cluster: Cluster, keys: Iterable[str]) -> dict[str, Document]:
    by_namespace: defaultdict[str, list[str]] = defaultdict(list)
    for key in keys:
        namespace, _, name = key.partition("/")
        by_namespace[namespace].append(name)
    found: dict[str, Document] = {}
    for namespace, names in by_namespace.items():
        for start in range(0, len(names), _AT_ONCE):
            some = Pod.objects.filter(cluster=cluster, namespace=namespace, name__in=names[start : start + _AT_ONCE])
            found |= {key_of(document): document for document in some.values_list("object", flat=True)}
    return found
