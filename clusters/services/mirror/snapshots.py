"""The engine's snapshot of a cluster: one per process, cluster and revision."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import transaction

from clusters.adapters.rows import table_of
from clusters.engine import Snapshot
from clusters.models import Cluster, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.problems.answers import ChangingTooFast
from clusters.services.computing import long_lived
from clusters.services.computing.caches import Cache
from clusters.services.mirror import changes
from clusters.services.mirror.configurations import READ_FOR_RELEASE, release_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.versions import Release
    from clusters.models.mirrored import Mirrored
    from clusters.services.mirror.changes import Identity

_ROWS_AT_ONCE = 2_000
_MOST_ATTEMPTS = 5
# SQLite may be built to take no more than 999 values in one statement.
_UIDS_AT_ONCE = 900
# From so many pods on the collector of garbage is kept away from a snapshot; setting it aside takes a full collection.
_MANY_PODS = 10_000
# Pages group by these owners; neither the scheduler nor the disruption controller asks.
_UNREAD_KINDS = ("Job", "CronJob", "KubeletConfiguration")
# And what happened, as against what is.
NEVER_READ = frozenset({*_UNREAD_KINDS, "Event"})


class ChangingTooFastError(Exception):
    """The cluster changed again and again while its rows were read."""

    def __init__(self, cluster: str, times: int) -> None:
        self.problem = ChangingTooFast(cluster, times)
        super().__init__(repr(self.problem))


class _Kept(NamedTuple):
    """A snapshot, and the revision whose state it is."""

    revision: int
    snapshot: Snapshot


_snapshots: Cache[int, _Kept] = Cache("snapshots", settings.BERTH_SNAPSHOTS_IN_MEMORY)
_revisions: WeakKeyDictionary[Snapshot, int] = WeakKeyDictionary()


def snapshot_of(cluster: Cluster) -> Snapshot:
    """Return the snapshot of the cluster's present revision; it is shared, so leave it as it is.

    One that is in memory is brought forward by what changed since; only without one are all rows read.
    """
    return snapshot_at_revision(cluster)[1]


def snapshot_at_revision(cluster: Cluster) -> tuple[int, Snapshot]:
    """Return the cluster's present revision and what `snapshot_of` returns for it."""
    kept = _snapshots.get(cluster.pk, lambda: _present(cluster), version=_revision(cluster))
    _revisions[kept.snapshot] = kept.revision
    return kept


def revision_of(snapshot: Snapshot) -> int:
    """Return the revision of a cluster of which `snapshot_of` returned this, the latest of those that equal it."""
    return _revisions[snapshot]


def _present(cluster: Cluster) -> _Kept:
    """Bring forward what is in memory, or build from all rows. Raises ChangingTooFastError."""
    kept = _snapshots.latest(cluster.pk)
    if kept is not None and kept.snapshot.release != _release(cluster):
        # What the scheduler of another release makes of the same objects is another state.
        kept = None
    for _ in range(_MOST_ATTEMPTS):
        revision = _revision(cluster)
        # Rows are read by several statements, and changes may be committed in between. The changes after the
        # revision that was there before reading say which: they are read again until there are none.
        kept = (kept and _forward(cluster, kept, revision)) or _built(cluster, revision)
        if _revision(cluster) == revision:
            return kept
    kept = _caught_up(cluster, kept)
    if kept is not None:
        return kept
    raise ChangingTooFastError(cluster.name, _MOST_ATTEMPTS)


def is_same_state(cluster: Cluster, revision: int, other: int) -> bool:
    """Tell whether nothing that a snapshot holds changed between two revisions, as far as the log tells."""
    changed = changes.between(cluster.pk, after=min(revision, other), upto=max(revision, other))
    return changed is not None and NEVER_READ.issuperset(identity.kind for identity in changed)


def is_in_memory(cluster: Cluster) -> bool:
    """Tell whether this process holds a snapshot of the cluster of any revision, and need not read all its rows."""
    return _snapshots.latest(cluster.pk) is not None


def forget_snapshots() -> None:
    """Drop all snapshots of this process; the next call builds them anew."""
    _snapshots.clear()


def _revision(cluster: Cluster) -> int:
    return Cluster.objects.values_list("revision", flat=True).get(pk=cluster.pk)


def _release(cluster: Cluster) -> Release:
    return release_of(Cluster.objects.only(*READ_FOR_RELEASE).get(pk=cluster.pk))


def _built(cluster: Cluster, revision: int) -> _Kept:
    """Build a snapshot from all rows; changes after `revision` may be in it or not."""
    snapshot = Snapshot.from_objects(_objects(cluster), _release(cluster))
    if len(snapshot.pods) >= _MANY_PODS:
        long_lived.set_aside()
    return _Kept(revision, snapshot)


def _forward(cluster: Cluster, kept: _Kept, revision: int) -> _Kept | None:
    """Bring a snapshot forward to a revision; changes after it may be in it or not. None where the log does not reach.

    The snapshot itself stays as it is, because others may be reading it.
    """
    changed = changes.between(cluster.pk, after=kept.revision, upto=revision)
    if changed is None:
        return None
    read = {identity: uid for identity, uid in changed.items() if identity.kind not in NEVER_READ}
    if not read:
        return _Kept(revision, kept.snapshot)
    snapshot = kept.snapshot.copy()
    objects = _objects_by_uid(cluster, read)
    for identity, uid in read.items():
        document = objects.get(uid)
        if document is not None:
            snapshot.upsert(document)
        else:
            place = {"namespace": identity.namespace} if identity.namespace else {}
            snapshot.delete({"kind": identity.kind, "metadata": {"name": identity.name, **place}})
    return _Kept(revision, snapshot)


def _caught_up(cluster: Cluster, kept: _Kept | None) -> _Kept | None:
    """Bring a snapshot forward while nothing can be committed: by now that is a moment's work."""
    with unchanging(cluster) as revision:
        return kept and _forward(cluster, kept, revision)


@contextmanager
def unchanging(cluster: Cluster) -> Iterator[int]:
    """Let nothing of the cluster be committed meanwhile; the present revision."""
    with transaction.atomic():
        yield Cluster.objects.select_for_update().values_list("revision", flat=True).get(pk=cluster.pk)


def _objects_by_uid(cluster: Cluster, changed: Mapping[Identity, str]) -> dict[str, dict[str, Any]]:
    uids: dict[type[Mirrored], list[str]] = {}
    for identity, uid in changed.items():
        if uid:
            uids.setdefault(table_of(identity.kind).model, []).append(uid)
    return {
        uid: document
        for model, wanted in uids.items()
        for start in range(0, len(wanted), _UIDS_AT_ONCE)
        for uid, document in model._default_manager.filter(
            cluster=cluster, uid__in=wanted[start : start + _UIDS_AT_ONCE]
        ).values_list("uid", "object")
    }


def _objects(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Yield all objects that the scheduler may read."""
    for model in (Node, Pod, PodDisruptionBudget):
        rows = model._default_manager.filter(cluster=cluster).order_by("pk").values_list("object", flat=True)
        yield from rows.iterator(_ROWS_AT_ONCE)
    others = KubeObject.objects.filter(cluster=cluster).exclude(kind__in=_UNREAD_KINDS).order_by("pk")
    yield from others.values_list("object", flat=True).iterator(_ROWS_AT_ONCE)
