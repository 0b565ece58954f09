"""The life of a run but for the work: it is asked for, waits, is cancelled, let go on, deleted."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clusters.adapters.bad_input import printable
from clusters.engine.problems import Missing, NoSuchName
from clusters.models import Cluster, RunBase, SimulationRun, Study
from clusters.models.run import Lane
from clusters.problems.orders import ClusterNotRead
from clusters.services.lanes import send_all
from clusters.services.mirror.bases import free, hold
from clusters.services.mirror.snapshots import document_of, gates_of
from clusters.services.runs.spec import CLUSTER, Spec, SpecError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.contrib.auth.models import User


_LONGEST_TITLE = 200

State = SimulationRun.State


def create_run(
    *, cluster: Cluster | None, spec: Spec, title: str, user: User | None, lane: Lane = Lane.SIMULATIONS
) -> SimulationRun:
    """Store a run and have a worker begin it when its user's turn has come in a line.

    It begins with the cluster's present state, and with its present configuration unless the spec has one. Raises
    SpecError as `settled` does.
    """
    run = stored_run(cluster=cluster, spec=spec, title=title, user=user)
    transaction.on_commit(partial(send, [run.pk], lane))
    return run


def stored_run(*, cluster: Cluster | None, spec: Spec, title: str, user: User | None) -> SimulationRun:
    """Store a run that nobody is told to begin yet. Raises SpecError."""
    spec = settled(spec, cluster)
    with base_held(cluster, spec) as base:
        return run_on(base, cluster=cluster, spec=spec, title=title, user=user)


def run_on(
    base: RunBase | None,
    *,
    cluster: Cluster | None,
    spec: Spec,
    title: str,
    user: User | None,
    study: Study | None = None,
) -> SimulationRun:
    """Store a run on a base that is held, or that another run holds; None for an empty cluster."""
    return SimulationRun.objects.create(
        cluster=cluster,
        base=base,
        study=study,
        title=(printable(title).strip() or "Simulation")[:_LONGEST_TITLE],
        spec=spec.as_dict(),
        created_by=user,
    )


def settled(spec: Spec, cluster: Cluster | None) -> Spec:
    """Return a spec under the configuration that the cluster has now, unless it has its own or begins with nothing.

    The same run must come out if it is made again when the cluster has another one. Raises SpecError where the spec
    asks for a cluster and there is none, nothing of it has been read, or its configuration cannot be.
    """
    if spec.base != CLUSTER:
        spec.scheduler_configuration()
        return spec
    if cluster is None:
        raise SpecError("base.kind", Missing(("empty", "cluster")))
    if cluster.is_unread:
        raise SpecError("base.kind", ClusterNotRead(cluster.name))
    spec = spec.on_version(cluster.kube_version, gates_of(cluster))
    if spec.configuration is None:
        spec = spec.under(document_of(cluster))
        # One that cannot be read is told of now, and not by the worker.
        spec.scheduler_configuration()
    return spec


@contextmanager
def base_held(cluster: Cluster | None, spec: Spec) -> Iterator[RunBase | None]:
    """Open a transaction before whose end nobody can remove the base of the cluster's present state.

    None for an empty cluster.
    """
    with transaction.atomic():
        try:
            base = hold(cluster) if cluster is not None and spec.base == CLUSTER else None
        except Cluster.DoesNotExist:
            raise SpecError("base.kind", NoSuchName("" if cluster is None else cluster.name)) from None
        yield base


def cancel(run: SimulationRun) -> bool:
    """Stop a run that is not over, at once or, where a worker has it, when it writes next; say whether that was so.

    Its worker writes every second, but for the time in which it makes a large cluster ready.
    """
    # First the wish, which whoever takes it in this moment sees.
    unfinished = SimulationRun.objects.filter(pk=run.pk, state__in=SimulationRun.UNFINISHED)
    is_unfinished = bool(unfinished.update(is_stop_wanted=True))
    SimulationRun.objects.filter(pk=run.pk, state=State.QUEUED).update(
        state=State.CANCELLED, finished_at=timezone.now()
    )
    return is_unfinished


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


def send(keys: Collection[int], lane: Lane = Lane.SIMULATIONS) -> None:
    """Have workers begin runs."""
    send_all(SimulationRun, keys, lane)
