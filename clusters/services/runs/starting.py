"""The life of a run but for the work: it is asked for, waits, is cancelled, resumed, deleted."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from clusters.models import RunBase, SimulationRun
from clusters.services.configurations import document_of
from clusters.services.runs.bases import base_of, free, free_unused
from clusters.services.runs.errors import SpecError
from clusters.services.runs.sending import send_all
from clusters.services.runs.spec import CLUSTER, Spec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.contrib.auth.models import User

    from clusters.models import Cluster, Study

# By name, because tasks call services and not the other way round.
_TASK = "clusters.tasks.simulate"
# So many workers may die over a run before it is given up.
MOST_BEGUN = 3
# A run that waits behind others waits; when nothing moves for so long, its message is taken for lost.
_LOST = timedelta(seconds=60)
_LONGEST_TITLE = 200

State = SimulationRun.State


def create_run(
    *, cluster: Cluster | None, spec: Spec, title: str, user: User | None, study: Study | None = None
) -> SimulationRun:
    """Store a run and have a worker begin it.

    It begins with the cluster's present state, and with its present configuration unless the spec has one. Raises
    SpecError where the spec asks for a cluster and there is none, or nothing of it has been read.
    """
    run = stored_run(cluster=cluster, spec=spec, title=title, user=user, study=study)
    transaction.on_commit(partial(send, [run.pk]))
    return run


def stored_run(
    *, cluster: Cluster | None, spec: Spec, title: str, user: User | None, study: Study | None = None
) -> SimulationRun:
    """Store a run that nobody is told to begin yet. Raises SpecError."""
    if spec.base == CLUSTER:
        if cluster is None:
            raise SpecError("base.kind", "There is no cluster to begin with.", 'Name one, or write "empty".')
        if cluster.is_unread:
            raise SpecError("base.kind", f"Nothing of {cluster} has been read yet.", "Send a dump of it first.")
        if spec.configuration is None:
            # As it is now: the same run must come out if it is made again when the cluster has another one.
            spec = spec.under(document_of(cluster))
            # One that cannot be read is told of now, and not by the worker.
            spec.scheduler_configuration()
    with transaction.atomic():
        return SimulationRun.objects.create(
            cluster=cluster,
            base=held_base(cluster) if cluster is not None and spec.base == CLUSTER else None,
            study=study,
            title=(title.strip() or "Simulation")[:_LONGEST_TITLE],
            spec=spec.as_dict(),
            created_by=user,
        )


def held_base(cluster: Cluster) -> RunBase:
    """Return the base of the present state; nobody can remove it before the caller's transaction ends."""
    while True:
        base = base_of(cluster)
        if RunBase.objects.select_for_update().filter(pk=base.pk).exists():
            return base


def cancel(run: SimulationRun) -> bool:
    """Stop a run that is not over, at once or, where a worker has it, within a second; say whether that was so."""
    waiting = SimulationRun.objects.filter(pk=run.pk, state=State.QUEUED)
    if waiting.update(state=State.CANCELLED, finished_at=timezone.now()):
        return True
    return bool(SimulationRun.objects.filter(pk=run.pk, state=State.RUNNING).update(is_stop_wanted=True))


def resume(run: SimulationRun) -> bool:
    """Let a run that failed or was cancelled go on from its last stored step; say whether it was such a one."""
    stopped = SimulationRun.objects.filter(pk=run.pk, state__in=(State.FAILED, State.CANCELLED))
    resumed = bool(
        stopped.update(
            state=State.QUEUED,
            begun=0,
            worker="",
            is_stop_wanted=False,
            error=None,
            finished_at=None,
            heartbeat_at=None,
        )
    )
    if resumed:
        transaction.on_commit(partial(send, [run.pk]))
    return resumed


def delete(run: SimulationRun) -> None:
    """Delete a run and all that came of it; a worker that has it notices before it writes again."""
    base_id = run.base_id
    run.delete()
    free(base_id)


def prune(*, spared: Collection[int] = ()) -> int:
    """Delete runs that are older than they are kept, and bases without runs; return how many runs there were.

    A run that a review is about stays as long as the review, and so do those that are ``spared``, by primary key.
    """
    before = timezone.now() - settings.BERTH_RUNS_KEPT
    old = SimulationRun.objects.filter(finished_at__lt=before, reports__isnull=True, study__isnull=True)
    count = 0
    for run in old.only("pk", "base_id"):
        if run.pk not in spared:
            delete(run)
            count += 1
    free_unused()
    return count


def resume_abandoned() -> int:
    """Have other workers go on with runs whose workers are dead, and return how many there were.

    A run that was begun so often before is given up. Runs that wait are sent again when no worker shows life: their
    messages were lost with Redis.
    """
    now = timezone.now()
    silent = SimulationRun.objects.filter(state=State.RUNNING, heartbeat_at__lt=now - settings.BERTH_RUNS_SILENCE)
    count = 0
    for run in silent.only("pk", "begun", "is_stop_wanted", "heartbeat_at"):
        count += _abandoned(run)
    if not SimulationRun.objects.filter(state=State.RUNNING).exists():
        waiting = SimulationRun.objects.filter(state=State.QUEUED)
        lost = waiting.filter(created_at__lt=now - _LOST).exclude(heartbeat_at__gte=now - _LOST)
        keys = list(lost.values_list("pk", flat=True))
        SimulationRun.objects.filter(pk__in=keys, state=State.QUEUED).update(heartbeat_at=now)
        send(keys)
        count += len(keys)
    return count


def _abandoned(run: SimulationRun) -> int:
    mine = SimulationRun.objects.filter(pk=run.pk, state=State.RUNNING, heartbeat_at=run.heartbeat_at)
    if run.is_stop_wanted:
        mine.update(state=State.CANCELLED, worker="", finished_at=timezone.now())
        return 0
    if run.begun >= MOST_BEGUN:
        error = {
            "problem": f"{run.begun} workers ended while they worked on it.",
            "remedy": "Give workers more memory or ask for less; then let it go on.",
        }
        mine.update(state=State.FAILED, worker="", error=error, finished_at=timezone.now())
        return 0
    # Its worker, should it still be alive, notices that the run is not its own any more.
    if not mine.update(state=State.QUEUED, worker="", heartbeat_at=timezone.now()):
        return 0
    send([run.pk])
    return 1


def send(keys: Iterable[int]) -> None:
    """Have workers begin runs."""
    send_all(_TASK, keys)
