"""How the nodes of a mirrored cluster are and how much of them is requested: computed once for each revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.engine.nodes.health import node_health
from clusters.engine.resources.utilisation import amounts_of, stranded, zone_uses
from clusters.services.computing.caches import Cache
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine import Snapshot
    from clusters.engine.nodes.health import NodeHealth
    from clusters.engine.resources.utilisation import Amounts, Stranded, ZoneUse
    from clusters.models import Cluster


class ClusterUtilisation(NamedTuple):
    """The state of every node, what is requested of each and of each zone, and what is stranded."""

    snapshot: Snapshot
    health: NodeHealth
    amounts: Mapping[str, Amounts]
    zones: tuple[ZoneUse, ...]
    stranded: tuple[Stranded, ...]


_latest: Cache[int, ClusterUtilisation] = Cache("utilisation", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def utilisation_of(*, cluster: Cluster) -> ClusterUtilisation:
    """Return how the cluster's nodes are in its present state.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _latest.get(cluster.pk, lambda: utilisation_in(snapshot), version=snapshot)


def utilisation_in(snapshot: Snapshot) -> ClusterUtilisation:
    """Compute how the nodes of any snapshot are, such as one of a simulation."""
    health, amounts = node_health(snapshot), amounts_of(snapshot)
    return ClusterUtilisation(
        snapshot=snapshot,
        health=health,
        amounts=amounts,
        zones=zone_uses(snapshot, amounts),
        stranded=stranded(amounts, health.usable),
    )
