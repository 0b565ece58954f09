"""The states of an ingest run: how it is found, moved on, cancelled, failed and given up."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clusters.documents.stored_problems import encoded
from clusters.models import Cluster, Ingest
from clusters.problems.ingests import BerthStopped, WorkerStopped
from clusters.services.leases.rows import from_now, silent, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.problems import Problem

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
        give_up(ingest, BerthStopped())
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
