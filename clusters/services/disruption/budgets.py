"""What the disruption budgets of a mirrored cluster allow: the engine's answer, kept for each revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db.models import Q

from clusters.engine.disruption import blocked_drains, budget_states
from clusters.models import Pod, PodDisruptionBudget
from clusters.services.computing.caches import Cache
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BlockedDrain, BudgetState
    from clusters.models import Cluster

# A snapshot holds the pods on nodes; a budget counts these too.
_BESIDE_NODES = Q(node_name="") | Q(phase__in=("Succeeded", "Failed"))


class ClusterBudgets(NamedTuple):
    """Every budget by ``namespace/name``, the most urgent first, and every node that they keep from being drained."""

    snapshot: Snapshot
    states: Mapping[str, BudgetState]
    drains: tuple[BlockedDrain, ...]

    @property
    def lasting(self) -> frozenset[str]:
        """The budgets that block until somebody changes them."""
        return frozenset(name for name, state in self.states.items() if state.is_blocker)


_latest: Cache[int, ClusterBudgets] = Cache("budgets", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def budgets_of(*, cluster: Cluster) -> ClusterBudgets:
    """Return what the cluster's budgets allow in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _latest.get(cluster.pk, lambda: _computed(cluster, snapshot), version=snapshot)


def pods_beside_nodes(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Yield the pods that budgets may count and that a snapshot does not hold."""
    namespaces = PodDisruptionBudget.objects.filter(cluster=cluster).values("namespace")
    others = Pod.objects.filter(_BESIDE_NODES, cluster=cluster, namespace__in=namespaces)
    return others.values_list("object", flat=True).iterator(2_000)


def _computed(cluster: Cluster, snapshot: Snapshot) -> ClusterBudgets:
    states = budget_states(snapshot, pods_beside_nodes(cluster))
    return ClusterBudgets(
        snapshot=snapshot,
        states={state.budget.key: state for state in states},
        drains=tuple(blocked_drains(states)),
    )
