"""What a cluster's pods and nodes used, over all hours that are kept: put together once for all who ask."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Max, Min, Sum

from clusters.engine.kubelet import NodeDisks
from clusters.engine.usage import HIGH, HourlyUsage, PodUsage, UsageStatistics, UsedAmounts, percentile, statistics_of
from clusters.models import Cluster, NodeDiskUse, UsageHour, UsageReading
from clusters.services.computing import Cache

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clusters.engine.owners import Workload


@dataclass(frozen=True, slots=True)
class HourTotal:
    """What all pods with usage used in one hour, and how many those were."""

    at: datetime
    pods: int
    used: UsedAmounts


@dataclass(frozen=True, slots=True)
class NodeHistory:
    """What a node used: in its newest sample, and over ``hours`` p95 of CPU and the maximum of memory."""

    at: datetime
    latest: UsedAmounts
    high: UsedAmounts
    hours: int


@dataclass(frozen=True, slots=True)
class ClusterUsage:
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


@dataclass(frozen=True, slots=True)
class PodSample:
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


@dataclass(frozen=True, slots=True)
class MemorySample:
    """What pods used of memory at one moment, in bytes by UID: what a kubelet ranks pods by that it may evict."""

    at: datetime
    by_uid: Mapping[str, int]


def newest_memory(*, cluster: Cluster) -> MemorySample | None:
    """Return what pods use of memory by the newest sample of pods; None where there is none."""
    row = _newest_with_pods(cluster)
    if row is None:
        return None
    return MemorySample(row.sampled_at, {each.uid: each.usage.total.memory_bytes for each in _pods_of(row).values()})


@dataclass(frozen=True, slots=True)
class DiskSample:
    """What a node's kubelet said of disks at one moment."""

    at: datetime
    disks: NodeDisks


def newest_disks(*, cluster: Cluster, node: str) -> DiskSample | None:
    """Return what a node's kubelet said last of disks; None where nobody gave it."""
    row = NodeDiskUse.objects.filter(cluster=cluster, node=node).first()
    return None if row is None else DiskSample(row.sampled_at, NodeDisks.from_dict(row.content))
