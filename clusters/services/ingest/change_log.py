"""Writes the log of the latest changes, by which snapshots in memory follow a live cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.models import Change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import Cluster
    from clusters.services.ingest.tables import Touched

# Some minutes at full speed. Whoever is further behind reads all rows, which is not slower then.
KEPT_REVISIONS = 1_000
_MOST_OBJECTS_A_REVISION = 20_000
_REVISIONS_BETWEEN_PRUNING = 50


def record(cluster: Cluster, touched: Mapping[str, list[Touched]]) -> None:
    """Note what the cluster's present revision changed, by kind; the caller holds the transaction."""
    if sum(map(len, touched.values())) <= _MOST_OBJECTS_A_REVISION:
        Change.objects.bulk_create(
            Change(cluster=cluster, revision=cluster.revision, kind=kind, touched=objects)
            for kind, objects in touched.items()
            if objects
        )
    if not cluster.revision % _REVISIONS_BETWEEN_PRUNING:
        Change.objects.filter(cluster=cluster, revision__lte=cluster.revision - KEPT_REVISIONS).delete()
