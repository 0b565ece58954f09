"""How evenly the pods of a mirrored cluster are spread: the engine's answer, kept for each revision."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.engine.spreading.groups import first_of_each, spreading_of, workload_matrix
from clusters.models import Pod
from clusters.services.computing.caches import Cache
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import SchedulerConfiguration, Snapshot
    from clusters.engine.spreading.groups import SpreadGroup, UnreadableConstraints, WorkloadMatrix
    from clusters.models import Cluster


class ClusterSpread(NamedTuple):
    """Every group by a short name that stays the same from revision to revision, in the order of the engine."""

    snapshot: Snapshot
    groups: Mapping[str, SpreadGroup]
    unreadable: tuple[UnreadableConstraints, ...]
    matrix: WorkloadMatrix

    def by_workloads(self) -> list[tuple[str, SpreadGroup]]:
        """Return the first group of each workload, in the order of all groups."""
        return first_of_each(self.groups.items())


_latest: Cache[int, ClusterSpread] = Cache("spread", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def spread_of(*, cluster: Cluster) -> ClusterSpread:
    """Return how the cluster's pods are spread in its present state, by its own scheduler configuration.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    return _latest.get(
        cluster.pk,
        lambda: _computed(cluster, snapshot, configuration),
        version=(snapshot, repr(configuration.profiles)),
    )


def _computed(cluster: Cluster, snapshot: Snapshot, configuration: SchedulerConfiguration) -> ClusterSpread:
    pending = list(Pod.objects.filter(cluster=cluster, is_pending=True).values_list("object", flat=True))
    spreading = spreading_of(snapshot, configuration.profiles, pending)
    return ClusterSpread(
        snapshot=snapshot,
        groups={blake2b(group.identity.encode(), digest_size=6).hexdigest(): group for group in spreading.groups},
        unreadable=spreading.unreadable,
        matrix=workload_matrix(snapshot, pending),
    )
