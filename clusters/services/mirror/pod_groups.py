"""The groups of pods of a mirrored cluster, kept for each revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.engine.podgroups.states import pod_group_states
from clusters.services.computing.caches import Cache
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Snapshot
    from clusters.engine.podgroups.states import PodGroupState
    from clusters.models import Cluster


class ClusterPodGroups(NamedTuple):
    """Every group by its ``namespace/name``, those first that need somebody."""

    snapshot: Snapshot
    states: Mapping[str, PodGroupState]


_latest: Cache[int, ClusterPodGroups] = Cache("pod groups", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def pod_groups_of(*, cluster: Cluster) -> ClusterPodGroups:
    """Return the groups of pods of the cluster in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _latest.get(cluster.pk, lambda: _computed(snapshot), version=snapshot)


def _computed(snapshot: Snapshot) -> ClusterPodGroups:
    return ClusterPodGroups(snapshot, {str(state.key): state for state in pod_group_states(snapshot)})
