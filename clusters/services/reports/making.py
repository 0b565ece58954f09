"""The life of a review: it is ordered, a worker writes it, it is kept for its time, and removed with its simulations.

A review has one writer. A worker that dies over it leaves it without a sign of life, and it is given up after a while:
what killed one worker might kill the next.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from clusters.engine import ConfigurationError
from clusters.models import Cluster, Report, SimulationRun
from clusters.services import runs
from clusters.services.reports.order import OrderError, read_order
from clusters.services.reports.writing import document_of
from clusters.services.snapshots import ChangingTooFastError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    from clusters.models import ReportSchedule
    from clusters.services.reports.order import Order

_log = logging.getLogger(__name__)

# By name, because tasks call services and not the other way round.
_TASK = "clusters.tasks.write_report"
# The longest silence is one simulation on the largest cluster, or its first snapshot.
SILENCE = timedelta(minutes=15)
_SECONDS_BETWEEN_BEATS = 1.0
# So many of a cluster's reviews are kept that somebody made by hand; the oldest goes for the next.
MOST_KEPT = 200
_AT_ONCE = 20

State = Report.State
_UNFINISHED = (State.QUEUED, State.RUNNING)


class ReportTakenError(Exception):
    """The review is no longer this worker's: it was given up or removed."""


def create_report(
    *,
    order: Mapping[str, Any],
    user: User | None,
    schedule: ReportSchedule | None = None,
    expires_at: datetime | None = None,
) -> Report:
    """Store an order and have a worker write the review. Raises OrderError."""
    report = stored_report(order=order, user=user, schedule=schedule, expires_at=expires_at)
    transaction.on_commit(partial(_send, report.pk))
    return report


def stored_report(
    *,
    order: Mapping[str, Any],
    user: User | None,
    schedule: ReportSchedule | None = None,
    expires_at: datetime | None = None,
) -> Report:
    """Store an order that no worker is told of. Raises OrderError."""
    read = read_order(order)
    cluster, run = about(read)
    with transaction.atomic():
        _make_room(cluster)
        return Report.objects.create(
            cluster=cluster,
            run=run,
            schedule=schedule,
            title=read.title,
            order=dict(order),
            created_by=user,
            expires_at=expires_at,
        )


def about(order: Order) -> tuple[Cluster, SimulationRun | None]:
    """Return the cluster that an order is about, and the run if it is about one. Raises OrderError."""
    if order.run is None:
        cluster = Cluster.objects.filter(name=order.cluster).first()
        if cluster is None:
            raise OrderError("cluster", f"There is no cluster {order.cluster}.", "Write the name of one that is here.")
        if cluster.is_unread:
            raise OrderError("cluster", f"Nothing of {cluster} has been read yet.", "Send a dump of it first.")
        return cluster, None
    run = SimulationRun.objects.select_related("cluster").filter(pk=order.run).first()
    if run is None:
        raise OrderError("run", f"There is no run {order.run}.", "Write the number in the run's address.")
    if run.state != SimulationRun.State.DONE:
        raise OrderError("run", f"Run {run.pk} is not done.", "Wait until it is, or order another one.")
    if run.cluster is None:
        raise OrderError(
            "run", f"Run {run.pk} began with an empty cluster.", "Order a review of a run that begins with a cluster."
        )
    return run.cluster, run


def _make_room(cluster: Cluster) -> None:
    kept = Report.objects.filter(cluster=cluster, schedule=None).order_by("-created_at", "-pk")
    for report in kept[MOST_KEPT - 1 :]:
        delete_report(report)


def _send(report_id: int) -> None:
    try:
        current_app.send_task(_TASK, args=(report_id,))
    except OperationalError as error:
        _log.warning("Review %d cannot be given to a worker: %s", report_id, error)
        fail(report_id, "No worker can be reached.", "See to it that Redis runs, then order the review again.")


def write(report_id: int) -> None:
    """Write a review that waits; how it ends is recorded in it. One that another worker has begun is left alone."""
    now = timezone.now()
    waiting = Report.objects.filter(pk=report_id, state=State.QUEUED)
    if not waiting.update(state=State.RUNNING, heartbeat_at=now):
        _log.info("Review %d does not wait for a worker.", report_id)
        return
    report = Report.objects.select_related("cluster", "run", "created_by").get(pk=report_id)
    try:
        order = read_order(report.order)
        if order.run is not None and report.run is None:
            raise OrderError("run", f"Run {order.run} was deleted meanwhile.", "Order a review of another run.")
        written = document_of(
            cluster=report.cluster,
            run=report.run,
            order=order,
            now=now,
            user=report.created_by,
            alive=_Pulse(report_id),
        )
    except ReportTakenError:
        _log.warning("Review %d was given up or removed.", report_id)
    except (OrderError, runs.SpecError) as error:
        fail(report_id, error.problem, error.remedy, error.field)
    except ConfigurationError as error:
        fail(report_id, str(error), "Give the cluster another scheduler configuration.")
    except ChangingTooFastError as error:
        fail(report_id, str(error), "Order the review again.")
    except Exception:
        fail(report_id, "Berth failed while it wrote this.", "The worker's log says why.")
        raise
    else:
        report.document = written
        is_ours = _unfinished(report_id).update(
            state=State.DONE, packed_document=report.packed_document, finished_at=timezone.now(), error=None
        )
        if not is_ours:
            # It was removed or given up in the last moment, and nobody would find its simulations.
            _delete_runs(written)


def fail(report_id: int, problem: str, remedy: str, field: str = "") -> int:
    """Give a review up unless it is finished; return how many that were."""
    error = {"problem": problem, "remedy": remedy, **({"field": field} if field else {})}
    return _unfinished(report_id).update(state=State.FAILED, error=error, finished_at=timezone.now())


def fail_abandoned(*, silence: timedelta = SILENCE) -> int:
    """Give up reviews whose worker must have died, and those that no worker took while others were written."""
    since = timezone.now() - silence
    dead = Report.objects.filter(
        Q(state=State.RUNNING, heartbeat_at__lt=since) | Q(state=State.QUEUED, created_at__lt=since)
    )
    if Report.objects.filter(state=State.RUNNING, heartbeat_at__gte=since).exists():
        # Whoever waits behind one that is being written waits for its turn.
        dead = dead.exclude(state=State.QUEUED)
    return sum(
        fail(pk, "The worker stopped before it was done.", "Order the review again.")
        for pk in dead.values_list("pk", flat=True)
    )


def delete_report(report: Report) -> None:
    """Remove a review and the simulations that were made for it."""
    document = report.document
    with transaction.atomic():
        report.delete()
        if document is not None:
            _delete_runs(document)


def _delete_runs(document: Mapping[str, Any]) -> None:
    for run in SimulationRun.objects.filter(pk__in=_runs_of(document), reports=None):
        runs.delete(run)


def prune() -> int:
    """Remove the reviews whose time is over; return how many."""
    count = 0
    for report in Report.objects.filter(expires_at__lte=timezone.now()):
        delete_report(report)
        count += 1
    return count


def linked_runs() -> frozenset[int]:
    """Return the simulations that recommendations of kept reviews link to, by primary key."""
    done = Report.objects.filter(state=State.DONE).only("packed_document")
    return frozenset(run for report in done.iterator(_AT_ONCE) if report.document for run in _runs_of(report.document))


def _runs_of(document: Mapping[str, Any]) -> list[int]:
    """The runs that a review's recommendations link to."""
    found = [section for section in document["sections"] if section["key"] == "recommendations"]
    return [made[key] for section in found for made in section["facts"]["made"] for key in ("run", "base_run")]


def _unfinished(report_id: int) -> QuerySet[Report]:
    return Report.objects.filter(pk=report_id, state__in=_UNFINISHED)


class _Pulse:
    """Shows that the writer lives, every second at most, and tells it when the review is not its any more."""

    def __init__(self, report_id: int) -> None:
        self._report_id = report_id
        self._due = 0.0

    def __call__(self) -> None:
        if monotonic() < self._due:
            return
        self._due = monotonic() + _SECONDS_BETWEEN_BEATS
        running = Report.objects.filter(pk=self._report_id, state=State.RUNNING)
        if not running.update(heartbeat_at=timezone.now()):
            raise ReportTakenError(f"review {self._report_id} is not being written any more")
