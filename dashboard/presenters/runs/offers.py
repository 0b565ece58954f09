"""What of a cluster a simulation's form suggests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.models import PodDisruptionBudget
from clusters.services.mirror.state import utilisation_of
from clusters.services.workloads import workloads_of
from dashboard.forms.runs.base import Offers

if TYPE_CHECKING:
    from clusters.models import Cluster

# Lists of suggestions; any other name may be typed.
_MOST = 200
_REPLICATED = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "Job"})


def offers_of(cluster: Cluster) -> Offers:
    """Return names to choose from."""
    found = utilisation_of(cluster=cluster)
    workloads = [each for each in workloads_of(cluster=cluster).states if each.kind in _REPLICATED]
    budgets = PodDisruptionBudget.objects.filter(cluster=cluster).values_list("namespace", "name")
    return Offers(
        nodes=tuple(found.snapshot.nodes.names[:_MOST]),
        zones=tuple(zone.zone for zone in found.zones if zone.zone),
        workloads=tuple(f"{each.kind} {each.namespace}/{each.name}" for each in workloads[:_MOST]),
        budgets=tuple(f"{namespace}/{name}" for namespace, name in budgets.order_by("namespace", "name")[:_MOST]),
    )
