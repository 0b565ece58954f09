"""Ingest: read a source into the mirror, or a scheduler's log or usage beside it.

Reading and pruning happen outside of any transaction, so that progress can be seen while they last; the result is then
written in one. An ingest that fails at any point leaves the mirror as it was."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import Struct, field

from clusters.adapters.bad_input import BadInput, limits, printable
from clusters.adapters.buffers import LogFile, Meter, is_log, start_of
from clusters.adapters.bulk import insert
from clusters.adapters.files import is_archive, read_source, size_of
from clusters.adapters.observed import Attempt, Held
from clusters.adapters.rows import DIGEST, OBJECTS, TABLES, UID, Kept, Row, Table, table_of
from clusters.adapters.state import DISKS, OBSERVED, USAGE, ClusterState
from clusters.adapters.usage import TopText, UsageFound, begins_with_metrics, begins_with_summary, begins_with_top
from clusters.documents.stored_problems import encoded, stored_skips
from clusters.models import Change, Cluster, Event, Ingest, Observation, UsageHour
from clusters.problems.inputs import (
    ClusterIsLive,
    LaterDumpTaken,
    NoNodesAndPods,
    UnreadableFile,
    WorkerStopped,
)
from clusters.problems.live import NoUsageFound
from clusters.problems.orders import ClusterNotRead, WorkFailed
from clusters.problems.skips import BesideUsage, IncompleteLines, LongLines, ManyAttempts, OtherLines
from clusters.services.lanes import LeaseLostError, from_now, silent, write
from clusters.services.mirror.bases import Replaced, keep_replaced
from clusters.services.usage.keeping import keep_usage
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

# The states of an ingest run: how it is found, moved on, cancelled, failed and given up.

# Writing shows no signs of life, and takes less than this on the slowest disk that holds the largest cluster.
SILENCE = timedelta(minutes=15)
# What became of a first dump that was not taken can be looked up for so long, and so long a file may be on its way in.
_KEPT = timedelta(days=1)


def find(*, cluster: str, pk: int) -> Ingest | None:
    """Return a run by its cluster's name, also when the cluster was never added."""
    of_cluster = Q(cluster__name=cluster) | Q(cluster=None, intended_name=cluster)
    return Ingest.objects.select_related("cluster").filter(of_cluster, pk=pk).first()


def move(ingest: Ingest, before: Ingest.State, after: Ingest.State, **values: object) -> None:
    """Take a run from one state to the next, and show life. Raises LeaseLostError if it is not in the first one."""
    write(Ingest.objects.filter(pk=ingest.pk, state=before), state=after, **values)
    _note(ingest, {"state": after, **values})


def report(ingest: Ingest, **values: object) -> None:
    """Write down how far reading is, and show life. Raises LeaseLostError for a run that is not being read any more."""
    write(Ingest.objects.filter(pk=ingest.pk, state=Ingest.State.READING), **values)
    _note(ingest, values)


def _note(ingest: Ingest, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        setattr(ingest, name, value)


def fail(ingest: Ingest, error: Mapping[str, Any]) -> int:
    """Mark a run as failed unless it has ended already; return how many were marked."""
    return _end(ingest, Ingest.UNFINISHED, {"state": Ingest.State.FAILED, "error": dict(error)})


def cancel(ingest: Ingest) -> bool:
    """Stop a run, remove its file, and say whether that was in time: one that is being written is not stopped.

    Whatever reads the file notices within a second.
    """
    states = (Ingest.State.QUEUED, Ingest.State.READING)
    # Writing keeps others from writing, so that trying to would mean to wait for its end.
    if not Ingest.objects.filter(pk=ingest.pk, state__in=states).exists():
        return False
    count = _end(ingest, states, {"state": Ingest.State.CANCELLED})
    if count:
        remove_upload(ingest)
    return bool(count)


@transaction.atomic
def _end(ingest: Ingest, states: tuple[Ingest.State, ...], values: Mapping[str, object]) -> int:
    """End a run that has not been done; a cluster of which nothing was ever read goes with its last run."""
    ended = {**values, "finished_at": timezone.now()}
    count = Ingest.objects.filter(pk=ingest.pk, state__in=states).update(**ended)
    if count:
        _note(ingest, ended)
    unread = Cluster.objects.select_for_update().filter(ingests=ingest, source=Cluster.Source.DUMP, last_sync=None)
    cluster = unread.first() if count else None
    if cluster is not None and not cluster.ingests.filter(state__in=Ingest.UNFINISHED).exists():
        cluster.ingests.update(cluster=None, intended_name=cluster.name)
        cluster.delete()
        ingest.cluster, ingest.intended_name = None, cluster.name
    return count


def fail_abandoned(*, silence: timedelta = SILENCE) -> int:
    """Mark runs as failed whose worker must have died, remove their files, and return how many there were.

    A run that waits while others show life waits for its turn, however long that takes.
    """
    unfinished = Ingest.objects.filter(state__in=Ingest.UNFINISHED)
    dead = list(silent(unfinished, silence))
    if not Ingest.objects.filter(heartbeat_at__gte=from_now(-silence)).exists():
        dead += unfinished.filter(heartbeat_at=None, created_at__lt=from_now(-silence))
    return sum(give_up(ingest, WorkerStopped()) for ingest in dead)


def fail_lost_uploads() -> int:
    """Mark uploads as failed whose runs have not ended, and return how many; for when no worker has their tasks."""
    return sum(
        give_up(ingest, WorkerStopped())
        for ingest in Ingest.objects.filter(state__in=Ingest.UNFINISHED).exclude(upload="")
    )


def prune() -> None:
    """Forget first dumps that were not taken a while ago, and remove files that nobody waits for."""
    since = timezone.now() - _KEPT
    Ingest.objects.filter(cluster=None, created_at__lt=since).delete()
    folder = Path(settings.MEDIA_ROOT)
    if not folder.is_dir():
        return
    wanted = set(Ingest.objects.filter(state__in=Ingest.UNFINISHED).values_list("upload", flat=True))
    for path in folder.iterdir():
        # A web process that was killed leaves behind what it was receiving.
        if str(path) not in wanted and path.is_file() and path.stat().st_mtime < since.timestamp():
            path.unlink(missing_ok=True)


def give_up(ingest: Ingest, problem: Problem) -> int:
    """Mark a run as failed unless it has ended already, remove its file, and return how many were marked."""
    count = fail(ingest, {"problem": encoded(problem)})
    remove_upload(ingest)
    return count


def remove_upload(ingest: Ingest) -> None:
    """Remove the uploaded file of a run."""
    if ingest.upload:
        Path(ingest.upload).unlink(missing_ok=True)


# Writes the log of the latest changes, by which snapshots in memory follow a cluster.

# Some minutes at full speed. Whoever is further behind reads all rows, which is not slower then.
KEPT_REVISIONS = 1_000
_MOST_OBJECTS_A_REVISION = 20_000
# Reading an object among all takes a quarter of the time in which a snapshot is brought forward by it.
_SOONER_READ = 4
_REVISIONS_BETWEEN_PRUNING = 50


def record_changes(cluster: Cluster, touched: Mapping[str, list[Touched]]) -> None:
    """Note what the cluster's present revision changed, by kind; the caller holds the transaction."""
    if sum(map(len, touched.values())) <= _MOST_OBJECTS_A_REVISION:
        Change.objects.bulk_create(
            Change(cluster=cluster, revision=cluster.revision, kind=kind, touched=objects)
            for kind, objects in touched.items()
            if objects
        )
    if not cluster.revision % _REVISIONS_BETWEEN_PRUNING:
        Change.objects.filter(cluster=cluster, revision__lte=cluster.revision - KEPT_REVISIONS).delete()


# Keeps what others recorded of scheduling attempts, beside the mirror, which it never changes.

_AT_ONCE = 200
_Key = tuple[str, str, str, str, str]


class Recorded(Struct):
    """How many attempts were new, and of how many more was known than before."""

    added: int = 0
    changed: int = 0


def record_observations(*, cluster: Cluster, attempts: Iterable[Attempt], origin: str) -> Recorded:
    """Keep attempts of a cluster's pods; what is known already is not written again. The caller holds the transaction.

    Of two readings of one attempt the fuller one is kept: a log may have been cut off in its midst.
    """
    recorded = Recorded()
    rest = iter(attempts)
    while some := list(islice(rest, _AT_ONCE)):
        _record(cluster, some, origin, recorded)
    return recorded


def _record(cluster: Cluster, attempts: Sequence[Attempt], origin: str, recorded: Recorded) -> None:
    present: dict[_Key, tuple[int | None, int, bytes]] = {
        (namespace, name, source, uid, key): (pk, cells, bytes(content))
        for pk, namespace, name, source, uid, key, cells, content in Observation.objects.filter(
            cluster=cluster, name__in={attempt.name for attempt in attempts}, key__in={each.key for each in attempts}
        ).values_list("pk", "namespace", "name", "source", "pod_uid", "key", "cells", "packed_document")
    }
    fresh: dict[_Key, Observation] = {}
    fuller: dict[_Key, Observation] = {}
    for attempt in attempts:
        identity = (attempt.namespace, attempt.name, str(attempt.source), attempt.uid, attempt.key)
        pk, cells, content = present.get(identity, (None, -1, b""))
        if attempt.cells < cells or attempt.packed == content:
            continue
        present[identity] = pk, attempt.cells, attempt.packed
        (fresh if pk is None else fuller)[identity] = Observation(
            pk=pk,
            cluster=cluster,
            namespace=attempt.namespace,
            name=attempt.name,
            pod_uid=attempt.uid,
            source=attempt.source,
            key=attempt.key,
            origin=origin,
            attempt=attempt.number,
            observed_at=attempt.observed_at,
            cells=attempt.cells,
            packed_document=attempt.packed,
        )
    Observation.objects.bulk_create(fresh.values())
    Observation.objects.bulk_update(fuller.values(), ["origin", "observed_at", "cells", "packed_document"])
    recorded.added += len(fresh)
    recorded.changed += len(fuller)


# Bring the mirror's tables to the state that a source tells, touching only the rows that differ.

# SQLite may be built to take no more than 999 values in one statement.
_KEYS_AT_ONCE = 900


class Touched(NamedTuple):
    """An object of which a row was written or removed; a cluster-scoped one has an empty namespace."""

    uid: str
    namespace: str
    name: str
    is_deleted: bool


class Changes(Struct):
    """What was written: how many rows, and whose, by kind.

    `before` holds the objects as they were, by UID, where somebody asked for single ones to be changed.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    touched: defaultdict[str, list[Touched]] = field(default_factory=lambda: defaultdict(list))
    before: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    # Nodes and pods that went, as they were, where one kind was written.
    gone: list[Mapping[str, Any]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def replace_rows(cluster: Cluster, rows: Mapping[str, Mapping[tuple[str, str], Kept]]) -> Changes:
    """Make the cluster's rows equal to `rows`, given by kind; the caller holds the transaction."""
    changes = Changes()
    for kind, table in TABLES.items():
        _replace(cluster, table, _all(cluster, table), rows.get(kind, {}).values(), changes)
    others = (row for kind, by_name in rows.items() if kind not in TABLES for row in by_name.values())
    _replace(cluster, OBJECTS, _all(cluster, OBJECTS), others, changes)
    return changes


# Of which the journal keeps what goes.
_TABLES_KEPT = frozenset({"Node", "Pod"})


def replace_kind(cluster: Cluster, kind: str, rows: Iterable[Row]) -> Changes:
    """Make the cluster's rows of one kind equal to `rows`; the caller holds the transaction."""
    changes = Changes()
    table = table_of(kind)
    present = _all(cluster, table)
    _replace(
        cluster,
        table,
        present.filter(kind=kind) if table is OBJECTS else present,
        rows,
        changes,
        keeps=kind in _TABLES_KEPT,
    )
    return changes


def change_kind(cluster: Cluster, kind: str, rows: Mapping[str, Row | None]) -> Changes:
    """Write the rows of some objects of one kind, by UID; None removes. The caller holds the transaction."""
    changes = Changes()
    table = table_of(kind)
    # Those that go come first: their names may be taken over within the same batch.
    uids = sorted(rows, key=lambda uid: rows[uid] is not None)
    for start in range(0, len(uids), _KEYS_AT_ONCE):
        some = uids[start : start + _KEYS_AT_ONCE]
        wanted = (row for uid in some if (row := rows[uid]) is not None)
        present = _all(cluster, table).filter(uid__in=some)
        if kind != "Event":
            changes.before.update(present.values_list("uid", "object"))
        _replace(cluster, table, present, wanted, changes, keeps=kind in _TABLES_KEPT)
    return changes


def _all(cluster: Cluster, table: Table) -> QuerySet[Any]:
    return table.model._default_manager.filter(cluster=cluster)


def _replace(
    cluster: Cluster,
    table: Table,
    objects: QuerySet[Any],
    rows: Iterable[Row],
    changes: Changes,
    *,
    keeps: bool = False,
) -> None:
    """Make `objects`, a part of the table, equal to `rows`; ``keeps`` what goes as it was.

    Rows of what is merely kept are made where they differ.
    """
    place = [name for name in ("kind", "namespace", "name") if name in table.columns]
    present = {
        uid: (key, digest, where) for uid, key, digest, *where in objects.values_list("uid", "pk", "digest", *place)
    }
    columns = [table.columns.index(name) for name in place]

    def touch(uid: str, where: list[str], *, is_deleted: bool) -> Replaced:
        names = dict(zip(place, where, strict=True))
        found = Replaced(names.get("kind", table.model.__name__), uid, names.get("namespace", ""), names["name"])
        changes.touched[found.kind].append(Touched(*found[1:], is_deleted))
        return found

    fresh = []
    outdated = []
    coming = []
    for row in rows:
        key, digest, before = present.pop(row[UID], (None, "", []))
        if key is not None and digest == (row.digest if isinstance(row, Kept) else row[DIGEST]):
            continue
        whole = table.row(row) if isinstance(row, Kept) else row
        fresh.append(whole)
        where = [whole[column] for column in columns]
        touched = touch(row[UID], where, is_deleted=False)
        if key is None:
            changes.added += 1
            coming.append(touched)
        else:
            changes.changed += 1
            outdated.append(key)
            if before != where:
                # In dumps that people write, an object is called otherwise and keeps its UID.
                touch(row[UID], before, is_deleted=True)
    changes.removed += len(present)
    if keeps:
        keys = [key for key, _, _ in present.values()]
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            going = _all(cluster, table).filter(pk__in=keys[start : start + _KEYS_AT_ONCE])
            changes.gone.extend(going.order_by("pk").values_list("object", flat=True))
    for uid, (key, _, where) in present.items():
        # What changed is deleted and inserted rather than updated: a name may have passed from one object to another.
        outdated.append(key)
        touch(uid, where, is_deleted=True)
    if table.model is not Event and (outdated or coming):
        keep_replaced(cluster=cluster, table=table, going=outdated, coming=coming)
    for start in range(0, len(outdated), _KEYS_AT_ONCE):
        _all(cluster, table).filter(pk__in=outdated[start : start + _KEYS_AT_ONCE]).delete()
    if fresh:
        insert(table.model, ("cluster_id", *table.columns), _database_values(cluster, table, fresh))


def _database_values(cluster: Cluster, table: Table, rows: list[Row]) -> Iterator[tuple[Any, ...]]:
    """Put the cluster in front of each row, and its times into the form that the database takes."""
    times = [
        index
        for index, column in enumerate(table.columns)
        if isinstance(table.model._meta.get_field(column), models.DateTimeField)
    ]
    adapt = connection.ops.adapt_datetimefield_value
    for row in rows:
        values = [cluster.pk, *row]
        for index in times:
            moment = row[index]
            if moment is not None:
                values[index + 1] = adapt(moment)
        yield tuple(values)


_Progress = Callable[[Ingest], None] | None

_SECONDS_BETWEEN_REPORTS = 0.5
_OBJECTS_BETWEEN_LOOKS = 256


def ingest_path(
    *,
    cluster: Cluster,
    path: Path,
    ingest: Ingest | None = None,
    progress: Callable[[Ingest], None] | None = None,
    default_pods: bool = False,
) -> Ingest:
    """Read a file, a directory or an archive, and make it the cluster's state.

    ``default_pods``: complete pods that were written by hand as admission would.

    A scheduler's log and usage are told by their content and taken as ingest_log and ingest_usage do. `progress` is
    called now and then with the run as it stands. Raises BadInput, which the run records unless the cluster is a live
    one, and LeaseLostError if the run is not waiting to be started.
    """
    match content_of(path, printable(path.name) if ingest is None else ingest.file_name):
        case Ingest.Content.LOG:
            return ingest_log(cluster=cluster, path=path, ingest=ingest, progress=progress)
        case Ingest.Content.USAGE:
            return ingest_usage(cluster=cluster, path=path, ingest=ingest, progress=progress)
    # What an archive holds is known once it is read.
    if not is_archive(path):
        refuse_live(cluster)
    take = partial(_take_dump, default_pods=default_pods)
    return _run(cluster, path, ingest, progress, take, Ingest.Content.DUMP)


def ingest_log(
    *, cluster: Cluster, path: Path, ingest: Ingest | None = None, progress: Callable[[Ingest], None] | None = None
) -> Ingest:
    """Keep what a kube-scheduler's log tells of attempts; the cluster's state stays as it is.

    The cluster may be a live one. Raises as ingest_path does, and BadInput for a cluster without any state.
    """
    refuse_log_of_unread(cluster)
    return _run(cluster, path, ingest, progress, _take_log, Ingest.Content.LOG)


def ingest_usage(
    *, cluster: Cluster, path: Path, ingest: Ingest | None = None, progress: Callable[[Ingest], None] | None = None
) -> Ingest:
    """Keep what metrics.k8s.io, kubelets' summaries or kubectl top tell of usage; the state stays as it is.

    The cluster may be a live one. Raises as ingest_path does, and BadInput for a cluster without any state.
    """
    refuse_usage_of_unread(cluster)
    return _run(cluster, path, ingest, progress, _take_usage, Ingest.Content.USAGE)


def refuse_log_of_unread(cluster: Cluster) -> None:
    """Raise BadInput for a cluster that holds no pods yet: there is nothing that a log could stand beside."""
    if cluster.is_unread:
        raise BadInput(ClusterNotRead())


def refuse_usage_of_unread(cluster: Cluster) -> None:
    """Raise BadInput for a cluster that holds no pods yet: whose usage it is could not be told."""
    if cluster.is_unread:
        raise BadInput(ClusterNotRead())


def content_of(path: Path, name: str) -> Ingest.Content:
    """Tell what a file holds by its first bytes, and by its name where these do not tell."""
    try:
        start = start_of(path)
    except OSError:
        # Reading it as a dump says why it cannot be read.
        return Ingest.Content.DUMP
    if any(begins(start) for begins in (begins_with_top, begins_with_metrics, begins_with_summary)):
        return Ingest.Content.USAGE
    return Ingest.Content.LOG if is_log(start, name) else Ingest.Content.DUMP


def _run(
    cluster: Cluster,
    path: Path,
    ingest: Ingest | None,
    progress: _Progress,
    take: Callable[[Cluster, Ingest, Path, _Progress], None],
    content: Ingest.Content,
) -> Ingest:
    """Take one source from its first byte to its last row, and write down how it ends."""
    if ingest is None:
        ingest = Ingest.objects.create(cluster=cluster, file_name=printable(path.name)[:255])
    move(ingest, Ingest.State.QUEUED, Ingest.State.READING, started_at=timezone.now(), content=content)
    try:
        take(cluster, ingest, path, progress)
    except BadInput as error:
        placed = error.at(file=ingest.file_name)
        fail(ingest, placed.as_dict())
        raise placed from error
    except (LeaseLostError, MemoryError):
        # Whoever bounds the memory knows by how much, and says so.
        raise
    except Exception:
        fail(ingest, {"problem": encoded(WorkFailed())})
        raise
    if progress is not None:
        progress(ingest)
    return ingest


def _take_dump(cluster: Cluster, ingest: Ingest, path: Path, progress: _Progress, *, default_pods: bool) -> None:
    state = _read(ingest, path, progress)
    if state.usage and not state.objects_kept:
        refuse_usage_of_unread(cluster)
        counts = {"objects_read": state.objects_read, "content": Ingest.Content.USAGE}
        move(ingest, Ingest.State.READING, Ingest.State.WRITING, **counts)
        _keep_usage(cluster, ingest, state.usage, dict(state.skipped), ingest.bytes_total)
        return
    refuse_live(cluster)
    if not state.rows.get("Node") and not state.rows.get("Pod"):
        raise BadInput(NoNodesAndPods(state.kinds_seen))
    if default_pods:
        state.default_pods()
    move(ingest, Ingest.State.READING, Ingest.State.WRITING, **_counts(state))
    _write(cluster=cluster, ingest=ingest, state=state)


def refuse_live(cluster: Cluster) -> None:
    """Raise BadInput for a cluster that is followed live: its watcher and a dump would overwrite each other."""
    if cluster.is_live:
        raise BadInput(ClusterIsLive(cluster.name))


def _read(ingest: Ingest, path: Path, progress: Callable[[Ingest], None] | None) -> ClusterState:
    bounds = limits()
    state = ClusterState(bounds)
    try:
        meter = Meter(bounds, bytes_total=size_of(path))
        ingest.bytes_total = meter.bytes_total
        due = 0.0
        for count, _ in enumerate(read_source(path, state, meter, name=ingest.file_name)):
            # Looking at the clock for every object would cost more than reading some of them.
            if not count % _OBJECTS_BETWEEN_LOOKS and monotonic() >= due:
                due = monotonic() + _SECONDS_BETWEEN_REPORTS
                ingest.bytes_read = meter.bytes_read
                _report(ingest, state)
                if progress is not None:
                    progress(ingest)
    except OSError as error:
        raise _unreadable(error) from error
    state.settle_kubelets()
    ingest.bytes_read = ingest.bytes_total
    return state


def _take_log(cluster: Cluster, ingest: Ingest, path: Path, progress: _Progress) -> None:
    """Read a log to its end, and then write what it told in one transaction."""
    bounds = limits()
    held = Held(bounds)
    try:
        meter = Meter(bounds, bytes_total=size_of(path))
        ingest.bytes_total = meter.bytes_total
        log = LogFile(path, meter, name=ingest.file_name, now=timezone.now())
        due = 0.0
        for attempt in log.attempts():
            if attempt is not None:
                held.add(attempt)
            elif monotonic() >= due:
                due = monotonic() + _SECONDS_BETWEEN_REPORTS
                size = {"bytes_read": meter.bytes_read, "bytes_total": meter.bytes_total}
                report(ingest, **size, objects_read=log.lines, objects_kept=len(held))
                if progress is not None:
                    progress(ingest)
    except OSError as error:
        raise _unreadable(error) from error
    left: dict[Problem, int] = {
        OtherLines(): log.lines - log.understood - log.unreadable - log.too_long,
        IncompleteLines(): log.unreadable,
        LongLines(): log.too_long,
        ManyAttempts(): held.left_out,
    }
    skipped = stored_skips((why, count) for why, count in left.items() if count)
    counts = {"objects_read": log.lines, "objects_kept": len(held), "objects_skipped": log.lines - log.understood}
    move(ingest, Ingest.State.READING, Ingest.State.WRITING, **counts)
    with transaction.atomic():
        if not Cluster.objects.select_for_update().filter(pk=cluster.pk).exists():
            raise LeaseLostError("the cluster was deleted meanwhile")
        recorded = record_observations(cluster=cluster, attempts=held, origin=ingest.file_name)
        move(
            ingest,
            Ingest.State.WRITING,
            Ingest.State.DONE,
            bytes_read=meter.bytes_total,
            bytes_total=meter.bytes_total,
            finished_at=timezone.now(),
            kept={OBSERVED: len(held)},
            skipped=skipped,
            rows_added=recorded.added,
            rows_changed=recorded.changed,
            revision=cluster.revision,
        )


def _take_usage(cluster: Cluster, ingest: Ingest, path: Path, progress: _Progress) -> None:
    """Read usage to its end, and then keep it in one transaction."""
    bounds = limits()
    state, table = ClusterState(bounds), None
    try:
        meter = Meter(bounds, bytes_total=size_of(path))
        if begins_with_top(start_of(path)):
            table = TopText(state.usage, at=timezone.now(), most=bounds.objects)
            steps = table.read(path, meter, name=ingest.file_name)
        else:
            steps = read_source(path, state, meter, name=ingest.file_name)
        due = 0.0
        for count, _ in enumerate(steps):
            if not count % _OBJECTS_BETWEEN_LOOKS and monotonic() >= due:
                due = monotonic() + _SECONDS_BETWEEN_REPORTS
                size = {"bytes_read": meter.bytes_read, "bytes_total": meter.bytes_total}
                report(ingest, **size, objects_read=state.objects_read if table is None else table.lines)
                if progress is not None:
                    progress(ingest)
    except OSError as error:
        raise _unreadable(error) from error
    if not state.usage:
        raise BadInput(NoUsageFound())
    read = state.objects_read if table is None else table.rows
    move(ingest, Ingest.State.READING, Ingest.State.WRITING, objects_read=read)
    skipped = _beside_usage(state) if table is None else table.skipped
    _keep_usage(cluster, ingest, state.usage, skipped, meter.bytes_total)


def _beside_usage(state: ClusterState) -> dict[Problem, int]:
    """Return what a file of usage holds beside it, of which nothing is kept."""
    return {**state.skipped, **{BesideUsage(kind): len(rows) for kind, rows in state.rows.items() if rows}}


@transaction.atomic
def _keep_usage(
    cluster: Cluster, ingest: Ingest, found: UsageFound, skipped: dict[Problem, int], bytes_total: int
) -> None:
    """Keep usage and end the run."""
    if not Cluster.objects.select_for_update().filter(pk=cluster.pk).exists():
        raise LeaseLostError("the cluster was deleted meanwhile")
    kept = keep_usage(cluster=cluster, found=found, source=UsageHour.Source.FILE)
    skipped |= kept.skipped
    move(
        ingest,
        Ingest.State.WRITING,
        Ingest.State.DONE,
        bytes_read=bytes_total,
        bytes_total=bytes_total,
        finished_at=timezone.now(),
        kept={USAGE: kept.samples, **({DISKS: kept.disks} if kept.disks else {})},
        objects_kept=kept.samples,
        objects_skipped=sum(skipped.values()),
        skipped=stored_skips(skipped.items()),
        rows_added=kept.hours,
        revision=cluster.revision,
    )


def _unreadable(error: OSError) -> BadInput:
    return BadInput(UnreadableFile(error.strerror or str(error)))


def _counts(state: ClusterState) -> dict[str, int]:
    return {
        "objects_read": state.objects_read,
        "objects_kept": state.objects_kept,
        "objects_skipped": state.objects_skipped,
    }


def _report(ingest: Ingest, state: ClusterState) -> None:
    size = {"bytes_read": ingest.bytes_read, "bytes_total": ingest.bytes_total}
    report(ingest, **size, skipped=stored_skips(state.skipped.most_common()), **_counts(state))


@transaction.atomic
def _write(*, cluster: Cluster, ingest: Ingest, state: ClusterState) -> None:
    """Replace the cluster's state; the run's own end is part of the same transaction."""
    locked = Cluster.objects.select_for_update().filter(pk=cluster.pk).first()
    if locked is None:
        raise LeaseLostError("the cluster was deleted meanwhile")
    later = Ingest.objects.filter(cluster=cluster, state=Ingest.State.DONE, pk__gt=ingest.pk)
    if later.filter(content=Ingest.Content.DUMP).exists():
        raise BadInput(LaterDumpTaken())
    now = timezone.now()
    changes = replace_rows(locked, state.rows)
    recorded = record_observations(cluster=locked, attempts=state.observed, origin=ingest.file_name)
    if state.usage:
        for why, count in keep_usage(cluster=locked, found=state.usage, source=UsageHour.Source.FILE).skipped.items():
            state.skip(why, count)
    brought = (locked.scheduler_configuration, locked.feature_gates)
    changed = bool(changes) or brought != (state.configuration, state.feature_gates)
    locked.scheduler_configuration = state.configuration
    locked.feature_gates = state.feature_gates
    locked.kube_version = state.kube_version[:64]
    locked.gaps = [gap.as_dict() for gap in state.gaps(state.pods())]
    locked.last_sync = now
    locked.revision += changed
    locked.save()
    is_brought_forward = sum(map(len, changes.touched.values())) * _SOONER_READ <= state.objects_kept
    record_changes(locked, changes.touched if is_brought_forward else {})
    move(
        ingest,
        Ingest.State.WRITING,
        Ingest.State.DONE,
        bytes_read=ingest.bytes_read,
        bytes_total=ingest.bytes_total,
        finished_at=now,
        gaps=locked.gaps,
        kept=state.kept,
        skipped=stored_skips(state.skipped.most_common()),
        rows_added=changes.added + recorded.added,
        rows_changed=changes.changed + recorded.changed,
        rows_removed=changes.removed,
        revision=locked.revision,
    )
    transaction.on_commit(
        lambda: snapshot_ready.send_robust(
            sender=Cluster, cluster_id=locked.pk, revision=locked.revision, changed=changed, kinds=()
        )
    )
    for name in (
        *("revision", "last_sync", "gaps", "kube_version"),
        *("scheduler_configuration", "chosen_configuration", "feature_gates", "chosen_feature_gates"),
    ):
        setattr(cluster, name, getattr(locked, name))
