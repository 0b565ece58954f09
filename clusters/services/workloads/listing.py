"""The workloads of a cluster and the nodes and zones of their pods, cached for each revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from clusters.models import KubeObject, Pod
from clusters.services.computing.caches import Cache
from clusters.services.disruption.budgets import budgets_of
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.mirror.spread import spread_of
from clusters.services.workloads.counting import Counting
from clusters.services.workloads.failing import BESIDE_SNAPSHOTS, creation_reports, mirrored_failures, missed_by
from clusters.services.workloads.owners import Owners
from clusters.services.workloads.state import ClusterWorkloads, PendingPod

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.workloads.failures import WorkloadFailure
    from clusters.models import Cluster
    from clusters.services.workloads.failures import CreationReport

_latest: Cache[int, ClusterWorkloads] = Cache("workloads", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def workloads_of(*, cluster: Cluster) -> ClusterWorkloads:
    """Return the cluster's workloads in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    # Changes of these leave the snapshot as it is.
    beside = KubeObject.objects.filter(cluster=cluster, kind__in=BESIDE_SNAPSHOTS)
    digests = frozenset(beside.values_list("uid", "digest"))
    reports = creation_reports(cluster)
    missed = missed_by(cluster)
    settled = (repr(configuration.profiles), digests, frozenset(reports), missed)
    return _latest.get(cluster.pk, lambda: _computed(cluster, snapshot, reports, missed), version=(snapshot, settled))


def _computed(
    cluster: Cluster, snapshot: Snapshot, reports: list[CreationReport], missed: Iterable[WorkloadFailure]
) -> ClusterWorkloads:
    beside = KubeObject.objects.filter(cluster=cluster, kind__in=BESIDE_SNAPSHOTS)
    owners: dict[tuple[str, str, str], Document] = {
        (kind, namespace, name): document
        for kind, namespace, name, document in beside.values_list("kind", "namespace", "name", "object")
    }
    columns = ("namespace", "name", "object", "cpu_milli", "memory_bytes", "created_at")
    rows = Pod.objects.filter(cluster=cluster, is_pending=True).order_by("namespace", "name").values_list(*columns)
    pending = [PendingPod(*row) for row in rows]
    jobs = {(namespace, name): document for (kind, namespace, name), document in owners.items() if kind == "Job"}
    spread, budgets = spread_of(cluster=cluster), budgets_of(cluster=cluster)
    failures = mirrored_failures(cluster, snapshot, owners, reports, missed)
    counting = Counting(snapshot, Owners(snapshot, jobs), owners, pending, failures)
    return counting.counted(spread.groups, budgets.states)
