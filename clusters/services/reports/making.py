"""The life of a review: it is ordered, a worker writes it, it is kept for its time, and removed with its simulations.

A review has one writer at a time. Of one that dies over it nothing is left: another writes it from its beginning.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.db import OperationalError, transaction
from django.utils import timezone

from clusters.documents.stored_problems import encoded
from clusters.documents.titles import review_title
from clusters.engine import ConfigurationError
from clusters.models import Cluster, Report, SimulationRun
from clusters.problems import orders
from clusters.services import runs
from clusters.services.lanes.holds import work_on
from clusters.services.lanes.sending import send_all
from clusters.services.leases.rows import LeaseLostError
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.reports.links import runs_of
from clusters.services.reports.order import MOST_TITLE, OrderError, read_order, storable
from clusters.services.reports.writing import document_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.contrib.auth.models import User

    from clusters.engine.problems import Problem
    from clusters.models import ReportSchedule
    from clusters.services.lanes.holds import Hold
    from clusters.services.reports.order import Order

_SECONDS_BETWEEN_LOOKS = 1.0
# So many of a cluster's reviews are kept that one user made by hand; the oldest goes for the next.
MOST_KEPT = 200
_AT_ONCE = 20

State = Report.State


def create_report(
    *,
    order: Mapping[str, Any],
    user: User | None,
    schedule: ReportSchedule | None = None,
    expires_at: datetime | None = None,
) -> Report:
    """Store an order and have a worker write the review. Raises OrderError."""
    report = stored_report(order=order, user=user, schedule=schedule, expires_at=expires_at)
    transaction.on_commit(partial(send_all, Report, [report.pk]))
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
    if not read.title:
        title = review_title(cluster=cluster.name, simulation=run.title if run else "")[:MOST_TITLE]
        order, read = {**order, "title": title}, replace(read, title=title)
    with transaction.atomic():
        _make_room(cluster, user)
        return Report.objects.create(
            cluster=cluster,
            run=run,
            schedule=schedule,
            title=read.title,
            order=storable(order),
            created_by=user,
            expires_at=expires_at,
        )


def about(order: Order) -> tuple[Cluster, SimulationRun | None]:
    """Return the cluster that an order is about, and the run if it is about one. Raises OrderError."""
    if order.run is None:
        cluster = Cluster.objects.filter(name=order.cluster).first()
        if cluster is None:
            raise OrderError("cluster", orders.NoSuchCluster(str(order.cluster)))
        if cluster.is_unread:
            raise OrderError("cluster", orders.ClusterNotRead(cluster.name))
        return cluster, None
    run = SimulationRun.objects.select_related("cluster").filter(pk=order.run).first()
    if run is None:
        raise OrderError("run", orders.NoSuchSimulation(order.run))
    if run.state != SimulationRun.State.DONE:
        raise OrderError("run", orders.SimulationNotDone(run.pk))
    if run.cluster is None:
        raise OrderError("run", orders.SimulationOfNoCluster(run.pk))
    return run.cluster, run


def _make_room(cluster: Cluster, user: User | None) -> None:
    # Nobody's order removes what somebody else ordered.
    kept = Report.objects.filter(cluster=cluster, schedule=None, created_by=user).order_by("-created_at", "-pk")
    for report in kept[MOST_KEPT - 1 :]:
        delete_report(report)


def write(report_id: int) -> bool:
    """Write a review that waits; how it ends is recorded in it. One that another worker has begun is left alone.

    Returns whether it was written here.
    """
    return work_on(Report.objects.select_related("cluster", "run", "created_by").filter(pk=report_id), _write)


def _write(report: Report, hold: Hold) -> None:
    """Write, and record how it ends. Raises LeaseLostError, and OperationalError without a database."""
    try:
        # Another writer may have had some of them.
        hold.update(sections_done=0)
        order = replace(read_order(report.order), title=report.title)
        if order.run is not None and report.run is None:
            raise OrderError("run", orders.SimulationDeleted(order.run))
        document = document_of(
            cluster=report.cluster,
            run=report.run,
            order=order,
            now=timezone.now(),
            user=report.created_by,
            alive=_StillOurs(hold),
            written=lambda sections: hold.update(sections_done=sections),
            number=report.pk,
        )
    except (LeaseLostError, OperationalError):
        raise
    except runs.SpecError as error:
        hold.update(state=State.FAILED, error=error.as_dict(), finished_at=timezone.now())
    except OrderError as error:
        _fail(hold, error.problem, error.field)
    except ConfigurationError as error:
        _fail(hold, error.problem, f"configuration.{error.path}".rstrip("."))
    except ChangingTooFastError:
        _fail(hold, orders.ClusterChanging())
    except Exception:
        _fail(hold, orders.WritingFailed())
        raise
    else:
        report.document = document
        try:
            hold.update(state=State.DONE, packed_document=report.packed_document, finished_at=timezone.now())
        except LeaseLostError:
            # It was removed or taken over in the last moment, and nobody would find its simulations.
            _delete_runs(document)
            raise


def _fail(hold: Hold, problem: Problem, field: str = "") -> None:
    error = {"problem": encoded(problem), **({"field": field} if field else {})}
    hold.update(state=State.FAILED, error=error, finished_at=timezone.now())


def delete_report(report: Report) -> None:
    """Remove a review and the simulations that were made for it."""
    document = report.document
    with transaction.atomic():
        report.delete()
        if document is not None:
            _delete_runs(document)


def _delete_runs(document: Mapping[str, Any]) -> None:
    for run in SimulationRun.objects.filter(pk__in=runs_of(document), reports=None):
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
    return frozenset(run for report in done.iterator(_AT_ONCE) if report.document for run in runs_of(report.document))


class _StillOurs:
    """Raises LeaseLostError, when called, for a review that another writer has; looks every second at most."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold
        self._due = 0.0

    def __call__(self) -> None:
        if monotonic() < self._due:
            return
        self._due = monotonic() + _SECONDS_BETWEEN_LOOKS
        self._hold.update()
