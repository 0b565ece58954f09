"""The log of the latest changes, by which snapshots in memory follow a live cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.models import Change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import Cluster
    from clusters.services.ingest.tables import Touched

# Some minutes at full speed. Whoever is further behind reads all rows, which is not slower then.
KEPT_REVISIONS = 1_000
_MOST_OBJECTS_A_REVISION = 20_000
_REVISIONS_BETWEEN_PRUNING = 50


class Identity(NamedTuple):
    """What a snapshot knows an object by."""

    kind: str
    namespace: str
    name: str


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


def between(cluster_id: int, *, after: int, upto: int) -> dict[Identity, str] | None:
    """Return the objects that the revisions from `after` (exclusive) to `upto` changed, each with its latest UID.

    An object that is gone has an empty UID. None where the log does not hold all of these revisions.
    """
    rows = Change.objects.filter(cluster_id=cluster_id, revision__gt=after, revision__lte=upto)
    revisions = set()
    found: dict[Identity, str] = {}
    for revision, kind, touched in rows.order_by("revision").values_list("revision", "kind", "touched"):
        revisions.add(revision)
        # Within one revision an object that came follows the one of the same name that went.
        for uid, namespace, name, is_deleted in sorted(touched, key=lambda each: not each[3]):
            found[Identity(kind, namespace, name)] = "" if is_deleted else uid
    return found if len(revisions) == upto - after else None
