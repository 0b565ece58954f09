"""How many pods a cluster has, and in which namespaces: counted once for each revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count

from clusters.models import Pod
from clusters.services.computing.caches import Cache

if TYPE_CHECKING:
    from clusters.models import Cluster

# Of so many clusters the answer is kept for the state that was asked about last.
_MOST_KEPT = 256


class PodCounts(NamedTuple):
    """The namespaces that hold pods, in the order of their names; how many pods there are, and how many are pending."""

    namespaces: tuple[str, ...]
    pods: int
    pending: int


_latest: Cache[int, PodCounts] = Cache("pod counts", _MOST_KEPT)


def pod_counts(cluster: Cluster) -> PodCounts:
    """Return what a cluster has of pods in the revision that `cluster` was read with, or in a later one."""
    # When the cluster was made tells apart two that had the same key one after the other.
    version = cluster.created_at, cluster.revision
    return _latest.get(cluster.pk, lambda: _counted(cluster.pk), version=version)


def _counted(cluster_id: int) -> PodCounts:
    """Count with one query, which walks an index of all pods."""
    groups = (
        Pod.objects.filter(cluster_id=cluster_id)
        .order_by()
        .values_list("namespace", "is_pending")
        .annotate(count=Count("pk"))
    )
    found = list(groups)
    return PodCounts(
        namespaces=tuple(sorted({namespace for namespace, _, _ in found})),
        pods=sum(count for _, _, count in found),
        pending=sum(count for _, is_pending, count in found if is_pending),
    )
