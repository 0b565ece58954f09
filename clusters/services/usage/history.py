"""What pods used, and which requests follow from it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
from django.conf import settings
from django.db.models import Count, Max, Min, Sum
from msgspec import Struct

from clusters.engine.kubelet import NodeDisks
from clusters.engine.objects import Document, key_of, metadata
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.usage import (
    HIGH,
    HourlyUsage,
    PodUsage,
    UsageStatistics,
    UsedAmounts,
    WorkloadSizing,
    percentile,
    quantity_text,
    statistics_of,
    workload_sizing,
)
from clusters.models import Cluster, NodeDiskUse, Pod, UsageHour, UsageReading
from clusters.services.computing import Cache
from clusters.services.workloads import ClusterWorkloads, WorkloadState, workloads_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.owners import Workload


class HourTotal(Struct, frozen=True):
    """What all pods with usage used in one hour, and how many those were."""

    at: datetime
    pods: int
    used: UsedAmounts


class NodeHistory(Struct, frozen=True):
    """What a node used: in its newest sample, and over ``hours`` p95 of CPU and the maximum of memory."""

    at: datetime
    latest: UsedAmounts
    high: UsedAmounts
    hours: int


class ClusterUsage(Struct, frozen=True):
    """All that is kept of a cluster's usage.

    ``sampled_at``: the moment of the newest sample; ``source``: where that came from. ``totals``: of the hours that
    have any pods, in order; ``high``: p95 of their CPU and of their memory.
    """

    sampled_at: datetime
    source: UsageHour.Source
    totals: tuple[HourTotal, ...]
    high: UsedAmounts
    workloads: Mapping[Workload, Mapping[str, UsageStatistics]]
    nodes: Mapping[str, NodeHistory]


_latest: Cache[int, ClusterUsage | None] = Cache("usage", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def usage_version(cluster: Cluster) -> tuple[object, ...]:
    """Return what changes with everything that is kept: which hours, and how often they were written; empty of none."""
    hours = UsageHour.objects.filter(cluster=cluster)
    kept = hours.aggregate(Count("pk"), Max("pk"), Min("at"), Max("at"), Sum("version"))
    # When the cluster was made tells apart two that had the same key one after the other.
    return (cluster.created_at, *kept.values()) if kept["pk__count"] else ()


def usage_of(*, cluster: Cluster) -> ClusterUsage | None:
    """Return what is known of a cluster's usage, None where nothing is.

    The result is shared with others who ask for it: leave it as it is.
    """
    version = usage_version(cluster)
    return _latest.get(cluster.pk, lambda: _read(cluster), version=version) if version else None


def _read(cluster: Cluster) -> ClusterUsage | None:
    rows = list(UsageHour.objects.filter(cluster=cluster).defer("packed_pods").order_by("at"))
    if not rows:
        return None
    hours: list[HourlyUsage] = []
    totals: list[HourTotal] = []
    nodes: defaultdict[str, list[tuple[datetime, UsedAmounts]]] = defaultdict(list)
    for row in rows:
        content = row.content
        pods, *used = content["total"]
        if pods:
            hours.append(HourlyUsage.from_dict(content["workloads"]))
            totals.append(HourTotal(row.at, pods, UsedAmounts(*used)))
        for name, amounts in content["nodes"].items():
            nodes[name].append((row.sampled_at, UsedAmounts(*amounts)))
    workloads: defaultdict[Workload, dict[str, UsageStatistics]] = defaultdict(dict)
    for key, statistics in statistics_of(hours).items():
        workloads[key.workload][key.container] = statistics
    return ClusterUsage(
        sampled_at=rows[-1].sampled_at,
        source=UsageHour.Source(rows[-1].source),
        totals=tuple(totals),
        high=UsedAmounts(
            percentile([each.used.cpu_milli for each in totals], HIGH),
            percentile([each.used.memory_bytes for each in totals], HIGH),
        ),
        workloads=workloads,
        nodes={name: _node(samples) for name, samples in nodes.items()},
    )


def _node(samples: list[tuple[datetime, UsedAmounts]]) -> NodeHistory:
    at, latest = samples[-1]
    cpu = percentile([used.cpu_milli for _, used in samples], HIGH)
    return NodeHistory(at, latest, UsedAmounts(cpu, max(used.memory_bytes for _, used in samples)), len(samples))


def reading_of(cluster: Cluster) -> UsageReading | None:
    """Return how the last attempt to read a cluster's usage by itself ended; None where there was none."""
    return UsageReading.objects.filter(cluster=cluster).first()


class PodSample(Struct, frozen=True):
    """What one pod used at the newest moment that is kept; ``uid`` tells it from others of its name."""

    uid: str
    usage: PodUsage


def newest_pods(*, cluster: Cluster) -> dict[str, PodSample]:
    """Return what pods used in the newest hour that has any, by ``namespace/name``."""
    row = _newest_with_pods(cluster)
    return {} if row is None else _pods_of(row)


def _newest_with_pods(cluster: Cluster) -> UsageHour | None:
    return UsageHour.objects.filter(cluster=cluster, packed_pods__isnull=False).order_by("-at").first()


def _pods_of(row: UsageHour) -> dict[str, PodSample]:
    found = {}
    for namespace, name, uid, containers in row.pods:
        used = {container: UsedAmounts(*amounts) for container, amounts in containers.items()}
        found[f"{namespace}/{name}"] = PodSample(uid, PodUsage(namespace, name, used))
    return found


class MemorySample(Struct, frozen=True):
    """What pods used of memory at one moment, in bytes by UID: what a kubelet ranks pods by that it may evict."""

    at: datetime
    by_uid: Mapping[str, int]


def newest_memory(*, cluster: Cluster) -> MemorySample | None:
    """Return what pods use of memory by the newest sample of pods; None where there is none."""
    row = _newest_with_pods(cluster)
    if row is None:
        return None
    return MemorySample(row.sampled_at, {each.uid: each.usage.total.memory_bytes for each in _pods_of(row).values()})


class DiskSample(Struct, frozen=True):
    """What a node's kubelet said of disks at one moment."""

    at: datetime
    disks: NodeDisks


def newest_disks(*, cluster: Cluster, node: str) -> DiskSample | None:
    """Return what a node's kubelet said last of disks; None where nobody gave it."""
    row = NodeDiskUse.objects.filter(cluster=cluster, node=node).first()
    return None if row is None else DiskSample(row.sampled_at, NodeDisks.from_dict(row.content))


_AT_ONCE = 500


class ClusterSizing(Struct, frozen=True):
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


_sizings_latest: Cache[int, ClusterSizing | None] = Cache("sizings", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def sizing_of(*, cluster: Cluster) -> ClusterSizing | None:
    """Compare requests with usage in the cluster's present state; None where there is no usage.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    version = usage_version(cluster)
    if not version:
        return None
    found = workloads_of(cluster=cluster)
    return _sizings_latest.get(cluster.pk, lambda: _computed(cluster, found), version=(found.snapshot, version))


def _computed(cluster: Cluster, found: ClusterWorkloads) -> ClusterSizing | None:
    usage = usage_of(cluster=cluster)
    if usage is None:
        return None
    states = found.states
    running = len(states) - sum(not state.placed + state.pending for state in states.owned.values())
    asked = [states[workload] for workload in usage.workloads if workload in states]
    measured = [state for state in asked if state.placed + state.pending]
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
        without=running - len(sized),
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
    bare, numbers = found.states.bare_slot, found.numbers
    chosen = {
        each: int(newest[numbers[each]]) if each in numbers else (-1 if (slot := bare(each)) is None else slot)
        for each in (state.workload for state in states)
    }
    keys = {each: f"{pods.namespace(slot)}/{pods.name(slot)}" for each, slot in chosen.items() if slot >= 0}
    documents = _documents(cluster, keys.values())
    templates: dict[Workload, Document] = {}
    for workload in chosen:
        candidates = [pod.document for pod in found.pending.get(workload, ())]
        placed = documents.get(keys.get(workload, ""))
        if placed is not None:
            candidates.append(placed)
        if candidates:
            templates[workload] = max(candidates, key=lambda pod: str(metadata(pod).get("creationTimestamp") or ""))
    return templates


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
