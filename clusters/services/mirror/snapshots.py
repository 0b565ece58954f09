"""The engine's snapshot of a cluster and the configuration it is explained with: one per process and revision."""

from __future__ import annotations

import enum
from collections import defaultdict
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

import orjson
from django.conf import settings
from django.db import connections, transaction
from django.db.models import Count, Max, Q, TextField
from django.db.models.functions import Cast

from clusters.adapters.rows import table_of
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.pod_texts import read
from clusters.engine.versions import (
    GATE_NAMES,
    GateSettings,
    Known,
    Release,
    ReplicaSettings,
    match_release,
    refused_settings,
    release_with,
    scheduling_settings,
)
from clusters.models import Change, Cluster, Event, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.problems.orders import ChangingTooFast
from clusters.services.computing import Cache, drop, give_back_blocks, may_wait, set_aside, set_more_aside

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.engine.objects import Document
    from clusters.engine.pod_texts import PodText
    from clusters.models.mirrored import Mirrored

# The log of the latest changes, by which snapshots in memory follow a live cluster.


# The engine's snapshot of a cluster: one per process, cluster and revision.


class Identity(NamedTuple):
    """What a snapshot knows an object by."""

    kind: str
    namespace: str
    name: str


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


# The scheduler configuration that a cluster's pods are explained with.

# The fields of a cluster that tell its release.
READ_FOR_RELEASE: Final = ("kube_version", "feature_gates", "chosen_feature_gates")


class Origin(enum.StrEnum):
    """Where the configuration in force comes from."""

    CHOSEN = "chosen"
    DUMP = "dump"
    DEFAULT = "default"


class SchedulerUse(NamedTuple):
    """How many pods name a scheduler, and how many of those have no node yet."""

    name: str
    pods: int
    waiting: int


def origin_of(cluster: Cluster) -> Origin:
    """Say who gave the configuration in force: somebody here, the dump, or nobody."""
    if cluster.chosen_configuration is not None:
        return Origin.CHOSEN
    return Origin.DEFAULT if cluster.scheduler_configuration is None else Origin.DUMP


def document_of(cluster: Cluster) -> dict[str, Any] | None:
    """Return the configuration in force as it was given, but for what is not kept of it; None for the default."""
    document = cluster.chosen_configuration
    given: dict[str, Any] | None = cluster.scheduler_configuration if document is None else document
    return given


def scheduler_uses(cluster: Cluster) -> list[SchedulerUse]:
    """Return which schedulers the cluster's pods name, that of most pods first."""
    counts = (
        Pod.objects.filter(cluster=cluster)
        .order_by()
        .values_list("scheduler_name")
        .annotate(pods=Count("pk"), waiting=Count("pk", filter=Q(is_pending=True)))
    )
    return sorted((SchedulerUse(*row) for row in counts), key=lambda use: (-use.pods, use.name))


def gates_of(cluster: Cluster) -> GateSettings:
    """Return the feature gates that somebody set, or else those that the cluster's scheduler is started with."""
    chosen: GateSettings | None = cluster.chosen_feature_gates
    return scheduling_settings(cluster.feature_gates) if chosen is None else chosen


def started_with(cluster: Cluster) -> GateSettings:
    """Return the gates that are set, with those of its own scheduler that decide nothing here."""
    found: ReplicaSettings = cluster.feature_gates
    others = {name: is_on for name, is_on in found.items() if name not in GATE_NAMES and is_on is not None}
    return {**others, **gates_of(cluster)}


def differing_gates(cluster: Cluster) -> list[str]:
    """Return the gates by name that not all replicas of kube-scheduler are started alike with."""
    found: ReplicaSettings = cluster.feature_gates
    return sorted(name for name, is_on in found.items() if is_on is None)


def refused_gates(cluster: Cluster) -> GateSettings:
    """Return the gates as they are set that kube-scheduler of the cluster's minor would not start with.

    None where the minor is not known here, or not told.
    """
    found = match_release(cluster.kube_version)
    return refused_settings(started_with(cluster), found.release) if found.known is Known.EXACT else {}


def release_of(cluster: Cluster) -> Release:
    """Return the release that the cluster is answered as, its own or the nearest that is known, with its gates."""
    return release_with(cluster.kube_version, gates_of(cluster))


def configuration_of(cluster: Cluster) -> SchedulerConfiguration:
    """Return the configuration that somebody gave, or else the one that the dump brought along, or else the default.

    Raises ConfigurationError for one that kube-scheduler would not start with.
    """
    document, release = document_of(cluster), release_of(cluster)
    if document is None:
        return SchedulerConfiguration.default(release)
    return SchedulerConfiguration.from_dict(document, release)


def digest_of(cluster: Cluster, *asked: object) -> str:
    """Return a name for what is asked of a cluster as it is set up now, whatever its state; the same in all processes.

    It is made of what is stored: sets have another order in each process. When the cluster was made tells apart two
    that had the same key one after the other.
    """
    told = [cluster.created_at, document_of(cluster), release_of(cluster).first_version, started_with(cluster), *asked]
    return f"{cluster.pk}:{blake2b(orjson.dumps(told, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()}"


# The moment that a cluster's state is about.

# Of so many clusters the answer is kept for the state that was asked about last.
_MOST_KEPT = 256
_MENTIONED: Final = ((Event, "last_seen"), (Pod, "created_at"), (Node, "created_at"))


class _Mention(NamedTuple):
    """The latest time that the rows of a model mention, and the key of a row that does."""

    at: datetime
    row: int


class _LastMentioned(NamedTuple):
    """What each model mentions last in a revision of a cluster; None where its rows mention no time."""

    made_at: datetime
    revision: int
    mentions: tuple[_Mention | None, ...]


_last_moments: Cache[int, _LastMentioned] = Cache("last moments", _MOST_KEPT)


def last_moment(cluster: Cluster) -> datetime | None:
    """Return the last time that a dump mentions, or else when it was read, as it goes no further than that.

    None for a cluster that is followed, whose last moment is now, and for one that was never read. The moment that is
    asked about, where one is.
    """
    if cluster.past is not None:
        return cluster.past.at
    if cluster.is_live or cluster.last_sync is None:
        return None
    # When the cluster was made tells apart two that had the same key one after the other.
    version = cluster.created_at, cluster.revision
    found = _last_moments.get(cluster.pk, lambda: _last_mentioned(cluster), version=version)
    mentioned = max((each.at for each in found.mentions if each is not None), default=None)
    return cluster.last_sync if mentioned is None else min(mentioned, cluster.last_sync)


def _last_mentioned(cluster: Cluster) -> _LastMentioned:
    """Return the last time of any event, pod and node: the one of before or of what changed, else of all rows."""
    before = _last_moments.latest(cluster.pk)
    changed = None
    if before is not None and before.made_at == cluster.created_at and before.revision <= cluster.revision:
        changed = between(cluster.pk, after=before.revision, upto=cluster.revision)
    mentions = []
    for place, (model, field) in enumerate(_MENTIONED):
        rows = model._default_manager.filter(cluster=cluster)
        known = None if before is None else before.mentions[place]
        stands = known is None or rows.filter(pk=known.row, **{field: known.at}).exists()
        if changed is None or not stands:
            # This walks an index of all rows.
            mentions.append(_latest_of(rows, field))
            continue
        uids = [uid for identity, uid in changed.items() if uid and identity.kind == model.__name__]
        parts = (uids[start : start + _NAMES_AT_ONCE] for start in range(0, len(uids), _NAMES_AT_ONCE))
        newer = (_latest_of(rows.filter(uid__in=part), field) for part in parts)
        mentions.append(max((each for each in (known, *newer) if each is not None), default=None))
    return _LastMentioned(cluster.created_at, cluster.revision, tuple(mentions))


def _latest_of(rows: QuerySet[Any], field: str) -> _Mention | None:
    last = rows.aggregate(last=Max(field))["last"]
    if last is None:
        return None
    return _Mention(last, rows.filter(**{field: last}).order_by().values_list("pk", flat=True)[0])


_ROWS_AT_ONCE = 2_000
_MOST_ATTEMPTS = 5
# A process that has just started reads all rows of a cluster first. Beyond so many pods no page waits for that.
READ_AT_ONCE = 20_000
# SQLite may be built to take no more than 999 values in one statement.
_NAMES_AT_ONCE = 900
# From so many pods on the collector of garbage is kept away from a snapshot; setting it aside takes a full collection.
_MANY_PODS = 10_000
# Pages group by these owners, and simulations look at Jobs; neither the scheduler nor the disruption controller asks.
JOBS = ("Job", "CronJob")
_UNREAD_KINDS = (*JOBS, "KubeletConfiguration")
# And what happened, as against what is.
NEVER_READ = frozenset({*_UNREAD_KINDS, "Event"})


class ChangingTooFastError(Exception):
    """The cluster changed again and again while its rows were read."""

    def __init__(self, cluster: str) -> None:
        self.problem = ChangingTooFast(cluster)
        super().__init__(repr(self.problem))


class BeingReadError(Exception):
    """A large cluster is not read yet, and the question does not wait: of ``total`` pods ``done`` are."""

    def __init__(self, done: int, total: int) -> None:
        self.done = done
        self.total = total
        super().__init__(done, total)


class _Kept(NamedTuple):
    """A snapshot, and the revision whose state it is."""

    revision: int
    snapshot: Snapshot


_snapshots: Cache[int, _Kept] = Cache("snapshots", settings.BERTH_SNAPSHOTS_IN_MEMORY, is_counted=False)
_revisions: WeakKeyDictionary[Snapshot, int] = WeakKeyDictionary()
# States of large clusters that a later one has replaced.
_outdated: WeakSet[Snapshot] = WeakSet()


def snapshot_of(cluster: Cluster) -> Snapshot:
    """Return the cluster's snapshot, of its present revision or of the moment that is asked about.

    It is shared, so leave it as it is. One that is in memory is brought forward by what changed since; only without one
    are all rows read.
    """
    return snapshot_at_revision(cluster)[1] if cluster.past is None else cluster.past.snapshot


def snapshot_at_revision(cluster: Cluster) -> tuple[int, Snapshot]:
    """Return the cluster's present revision and what `snapshot_of` returns for it. Raises BeingReadError.

    Of a cluster that is held they are those that were returned first.
    """
    if cluster.held is not None:
        return cluster.held
    if not may_wait() and not is_in_memory(cluster):
        _read_aside(cluster)
    before = _snapshots.latest(cluster.pk)
    kept = _snapshots.get(cluster.pk, lambda: _present(cluster), version=_revision(cluster))
    _revisions[kept.snapshot] = kept.revision
    if before is not None and before.snapshot is not kept.snapshot and len(before.snapshot.pods) >= _MANY_PODS:
        # Each answer about a large cluster would keep the state alive that it is about, until it is asked for again.
        _outdated.add(before.snapshot)
        drop(lambda part: isinstance(part, Snapshot) and part in _outdated)
        # So would the context that a page was rendered with, which refers to itself.
        del before
        set_more_aside()
    if cluster.is_held:
        cluster.held = kept
    return kept


def revision_of(snapshot: Snapshot) -> int:
    """Return the revision of a cluster of which `snapshot_of` returned this, the latest of those that equal it."""
    return _revisions[snapshot]


class _Reading:
    """What a thread does: so many of all pods of a cluster are read, or an error ended it."""

    def __init__(self, total: int) -> None:
        self.done = 0
        self.total = total
        self.error: Exception | None = None


# By cluster.
_readings: dict[int, _Reading] = {}
_readings_lock = Lock()


def _read_aside(cluster: Cluster) -> None:
    """Let a thread read a cluster, if it is large. Raises BeingReadError, and what such a thread met."""
    with _readings_lock:
        reading = _readings.get(cluster.pk)
        if reading is None:
            total = Pod.objects.filter(cluster=cluster).count()
            if total <= READ_AT_ONCE:
                return
            reading = _readings[cluster.pk] = _Reading(total)
            Thread(target=_read, args=(cluster, reading), name="reading", daemon=True).start()
        elif reading.error is not None:
            del _readings[cluster.pk]
            raise reading.error
    raise BeingReadError(reading.done, reading.total)


def _read(cluster: Cluster, reading: _Reading) -> None:
    try:
        snapshot_at_revision(cluster)
    except Exception as error:  # noqa: BLE001 - whatever it is, the next page says it
        reading.error = error
    else:
        del _readings[cluster.pk]
    finally:
        connections.close_all()


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
    raise ChangingTooFastError(cluster.name)


def is_same_state(cluster: Cluster, revision: int, other: int) -> bool:
    """Tell whether nothing that a snapshot holds changed between two revisions, as far as the log tells."""
    if revision == other:
        return True
    changed = between(cluster.pk, after=min(revision, other), upto=max(revision, other))
    return changed is not None and NEVER_READ.issuperset(identity.kind for identity in changed)


def is_in_memory(cluster: Cluster) -> bool:
    """Tell whether this process holds a snapshot of the cluster of any revision, and need not read all its rows."""
    return _snapshots.latest(cluster.pk) is not None


def forget_snapshots(but: Container[int] = ()) -> None:
    """Drop all snapshots of this process but those of some clusters; the next call builds them anew."""
    _snapshots.clear(but)


def _revision(cluster: Cluster) -> int:
    return Cluster.objects.values_list("revision", flat=True).get(pk=cluster.pk)


def _release(cluster: Cluster) -> Release:
    return release_of(Cluster.objects.only(*READ_FOR_RELEASE).get(pk=cluster.pk))


def _built(cluster: Cluster, revision: int) -> _Kept:
    """Build a snapshot from all rows; changes after `revision` may be in it or not."""
    give_back_blocks()
    snapshot = Snapshot.from_objects(_objects(cluster), _release(cluster), pods=_pods(cluster))
    if len(snapshot.pods) >= _MANY_PODS:
        set_aside()
    return _Kept(revision, snapshot)


def _forward(cluster: Cluster, kept: _Kept, revision: int) -> _Kept | None:
    """Bring a snapshot forward to a revision; changes after it may be in it or not. None where the log does not reach.

    The snapshot itself stays as it is, because others may be reading it.
    """
    changed = between(cluster.pk, after=kept.revision, upto=revision)
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
        for start in range(0, len(wanted), _NAMES_AT_ONCE)
        for uid, document in model._default_manager.filter(
            cluster=cluster, uid__in=wanted[start : start + _NAMES_AT_ONCE]
        ).values_list("uid", "object")
    }


def _objects(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Yield all objects that the scheduler may read, but pods."""
    for model in (Node, PodDisruptionBudget):
        rows = model._default_manager.filter(cluster=cluster).order_by("pk").values_list("object", flat=True)
        yield from rows.iterator(_ROWS_AT_ONCE)
    others = KubeObject.objects.filter(cluster=cluster).exclude(kind__in=_UNREAD_KINDS).order_by("pk")
    yield from others.values_list("object", flat=True).iterator(_ROWS_AT_ONCE)


def _pods(cluster: Cluster) -> Iterator[PodText]:
    """Yield all pods by their JSON, and tell who waits for them how many they are."""
    rows = Pod.objects.filter(cluster=cluster).order_by("pk").values_list(Cast("object", TextField()), flat=True)
    reading = _readings.get(cluster.pk)
    for done, text in enumerate(rows.iterator(_ROWS_AT_ONCE)):
        if reading is not None:
            reading.done = done
        yield read(text)


# A cluster's state as the scheduler of another Kubernetes minor reads it.

_latest: Cache[tuple[int, str], Snapshot] = Cache("other-releases", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def release_as(cluster: Cluster, version: str) -> Release:
    """Return the release of a version with the cluster's gates, as far as it has them; the cluster's own for none."""
    return release_with(version, gates_of(cluster)) if version else release_of(cluster)


def snapshot_as(cluster: Cluster, snapshot: Snapshot, release: Release) -> Snapshot:
    """Return a state of the cluster under a release; it is shared, so leave it as it is."""
    if release == snapshot.release:
        return snapshot
    return _latest.get(
        (cluster.pk, release.first_version),
        lambda: snapshot.read_as(release, _resized(cluster, snapshot, release)),
        version=(snapshot, tuple(release.changed_gates.items())),
    )


def _resized(cluster: Cluster, snapshot: Snapshot, release: Release) -> Sequence[Document]:
    """Return the pods that the release may count otherwise; what is read may be a moment newer than the snapshot."""
    if release.counting == snapshot.release.counting:
        return []
    # What compares minors is loaded where somebody compares.
    from clusters.engine.upgrading import resized_pods

    return resized_pods(snapshot, partial(pods_named, cluster))


def pods_named(cluster: Cluster, keys: Collection[str]) -> dict[str, Document]:
    """Return the pods that are there, by ``namespace/name``."""
    return {
        f"{namespace}/{name}": document
        for some in places(keys)
        for namespace, name, document in Pod.objects.filter(cluster=cluster, **some).values_list(
            "namespace", "name", "object"
        )
    }


def places(keys: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield conditions by which rows are found, of names or ``namespace/name``, each for one statement."""
    by_namespace: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        namespace, _, name = key.rpartition("/")
        by_namespace[namespace].append(name)
    for namespace, names in by_namespace.items():
        for start in range(0, len(names), _NAMES_AT_ONCE):
            place = {"namespace": namespace} if namespace else {}
            yield {"name__in": names[start : start + _NAMES_AT_ONCE], **place}
