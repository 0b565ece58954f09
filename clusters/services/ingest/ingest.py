"""Ingest: read a source into the mirror, or a scheduler's log or usage beside it.

Reading and pruning happen outside of any transaction, so that progress can be seen while they last; the result is then
written in one. An ingest that fails at any point leaves the mirror as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clusters.adapters.bad_input import BadInput, printable
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.sources import is_archive, read_source, size_of
from clusters.adapters.limits import limits
from clusters.adapters.observed.held import Held
from clusters.adapters.observed.log_files import LogFile, is_log, start_of
from clusters.adapters.state import DISKS, OBSERVED, USAGE, ClusterState
from clusters.adapters.usage.metrics import begins_with_metrics
from clusters.adapters.usage.summary import begins_with_summary
from clusters.adapters.usage.top_text import TopText, begins_with_top
from clusters.documents.stored_problems import encoded, stored_skips
from clusters.models import Cluster, Ingest, UsageHour
from clusters.problems.files import UnreadableFile
from clusters.problems.ingests import ClusterIsLive, LaterDumpTaken, LogBeforeDump, NoNodesAndPods, ReadingFailed
from clusters.problems.skips import BesideUsage, IncompleteLines, LongLines, ManyAttempts, OtherLines
from clusters.problems.usage import NoUsageFound, UsageBeforeState
from clusters.services.ingest.observations import record
from clusters.services.ingest.runs import fail, move, report
from clusters.services.ingest.tables import replace_rows
from clusters.services.leases.rows import LeaseLostError
from clusters.services.usage.keeping import keep_usage
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.adapters.usage.found import UsageFound
    from clusters.engine.problems import Problem

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
        raise BadInput(LogBeforeDump())


def refuse_usage_of_unread(cluster: Cluster) -> None:
    """Raise BadInput for a cluster that holds no pods yet: whose usage it is could not be told."""
    if cluster.is_unread:
        raise BadInput(UsageBeforeState())


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
        fail(ingest, {"problem": encoded(ReadingFailed())})
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
        recorded = record(cluster=cluster, attempts=held, origin=ingest.file_name)
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
    recorded = record(cluster=locked, attempts=state.observed, origin=ingest.file_name)
    if state.usage:
        for why, count in keep_usage(cluster=locked, found=state.usage, source=UsageHour.Source.FILE).skipped.items():
            state.skip(why, count)
    brought = (locked.scheduler_configuration, locked.feature_gates)
    changed = bool(changes) or brought != (state.configuration, state.feature_gates)
    locked.scheduler_configuration = state.configuration
    locked.feature_gates = state.feature_gates
    locked.kube_version = state.kube_version[:64]
    locked.gaps = [gap.as_dict() for gap in state.gaps()]
    locked.last_sync = now
    locked.revision += changed
    locked.save()
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
