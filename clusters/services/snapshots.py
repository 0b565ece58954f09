"""The engine's snapshot of a cluster: one per process, cluster and revision."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.conf import settings

from clusters.engine import Snapshot
from clusters.models import Cluster, KubeObject, Node, Pod, PodDisruptionBudget

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROWS_AT_ONCE = 2_000
_MOST_ATTEMPTS = 5
# Owners of owners: pages group by them, the scheduler never asks.
_UNREAD_KINDS = ("Deployment", "DaemonSet", "Job", "CronJob")


class ChangingTooFastError(Exception):
    """The cluster changed again and again while its rows were read."""


class _Shelf:
    """Snapshots in the order of their last use; building one takes the cluster's lock, looking one up does not."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._snapshots: OrderedDict[int, tuple[int, Snapshot]] = OrderedDict()
        self._builders: dict[int, Lock] = {}

    def builder(self, cluster_id: int) -> Lock:
        with self._lock:
            return self._builders.setdefault(cluster_id, Lock())

    def find(self, cluster_id: int, revision: int) -> Snapshot | None:
        with self._lock:
            kept_revision, snapshot = self._snapshots.get(cluster_id, (-1, None))
            if snapshot is None or kept_revision != revision:
                return None
            self._snapshots.move_to_end(cluster_id)
            return snapshot

    def keep(self, cluster_id: int, revision: int, snapshot: Snapshot) -> None:
        with self._lock:
            self._snapshots[cluster_id] = revision, snapshot
            self._snapshots.move_to_end(cluster_id)
            while len(self._snapshots) > settings.BERTH_SNAPSHOTS_IN_MEMORY:
                self._snapshots.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._snapshots.clear()


_shelf = _Shelf()


def snapshot_of(cluster: Cluster) -> Snapshot:
    """Return the snapshot of the cluster's present revision; it is shared, so leave it as it is."""
    snapshot = _shelf.find(cluster.pk, _revision(cluster))
    if snapshot is not None:
        return snapshot
    with _shelf.builder(cluster.pk):
        for _ in range(_MOST_ATTEMPTS):
            revision = _revision(cluster)
            snapshot = _shelf.find(cluster.pk, revision)
            if snapshot is not None:
                return snapshot
            snapshot = Snapshot.from_objects(_objects(cluster))
            # The rows were read by several statements: they belong together only if nothing was committed in between.
            if _revision(cluster) == revision:
                _shelf.keep(cluster.pk, revision, snapshot)
                return snapshot
    raise ChangingTooFastError(f"{cluster} changed {_MOST_ATTEMPTS} times while it was read; try again.")


def forget_snapshots() -> None:
    """Drop all snapshots of this process; the next call builds them anew."""
    _shelf.clear()


def _revision(cluster: Cluster) -> int:
    return Cluster.objects.values_list("revision", flat=True).get(pk=cluster.pk)


def _objects(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Yield all objects that the scheduler may read."""
    for model in (Node, Pod, PodDisruptionBudget):
        rows = model._default_manager.filter(cluster=cluster).order_by("pk").values_list("object", flat=True)
        yield from rows.iterator(_ROWS_AT_ONCE)
    others = KubeObject.objects.filter(cluster=cluster).exclude(kind__in=_UNREAD_KINDS).order_by("pk")
    yield from others.values_list("object", flat=True).iterator(_ROWS_AT_ONCE)
