"""The groups of pods of a mirrored cluster, kept for each revision, and what keeps the members of one pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.engine.podgroups.states import pod_group_states
from clusters.services.computing.caches import Cache
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.pending.more_nodes import more_nodes_of
from clusters.services.pending.pods import grouped_by_cause, pending_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.podgroups.states import PodGroupState
    from clusters.engine.simulation.one_more import OneMoreNode
    from clusters.models import Cluster
    from clusters.services.pending.pods import CauseGroup, WaitingPod


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


def causes_of_members(*, cluster: Cluster, state: PodGroupState) -> list[CauseGroup]:
    """Return what keeps the pending members of a group pending, each pod evaluated by itself, most pods first.

    Raises ConfigurationError and ChangingTooFastError.
    """
    if not state.pending:
        return []
    pending = pending_of(cluster=cluster)
    pods = [pod for group in pending.groups.values() for pod in group.pods if pod.key in state.members]
    more, configuration = more_nodes_of(cluster=cluster, snapshot=snapshot_of(cluster)), configuration_of(cluster)

    def placed(node: OneMoreNode, pods: Sequence[WaitingPod]) -> frozenset[str]:
        return more.freed(node, [state.members[pod.key].document for pod in pods], configuration)

    return sorted(grouped_by_cause(pods, placed), key=lambda group: -len(group.pods))
