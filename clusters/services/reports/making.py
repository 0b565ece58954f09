"""The life of a review: it is ordered, a worker writes it, it is kept for its time, and removed with its simulations.

A review has one writer at a time. Of one that dies over it nothing is left: another writes it from its beginning."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone
from msgspec.structs import replace

from clusters.documents.stored_problems import encoded
from clusters.documents.titles import review_title
from clusters.engine import ConfigurationError
from clusters.engine.problems import MissingField, NoSuchName, OutOfRange, Problem
from clusters.models import Cluster, Report, ReportSchedule, SimulationRun
from clusters.problems.orders import (
    ChangingTooFast,
    ClusterNotRead,
    SimulationOfNoCluster,
    SimulationReviewed,
    SimulationUnfinished,
    TooManySchedules,
    WorkFailed,
)
from clusters.services import runs
from clusters.services.lanes import Hold, LeaseLostError, send_all, work_on
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.reports import capacity_samples as capacity
from clusters.services.reports.order import MOST_TITLE, Order, OrderError, read_order, storable
from clusters.services.reports.sections.capacity import cost, quotas, stranded_capacity, usage, utilisation
from clusters.services.reports.sections.history import agreement, pending, run_section, trend
from clusters.services.reports.sections.losses import headroom_section, spread
from clusters.services.reports.sections.maintenance import maintenance, upgrade
from clusters.services.reports.sections.recommendations import recommendations
from clusters.services.reports.subject import (
    Row,
    Subject,
    in_order,
    moment,
    subject_of_cluster,
    subject_of_run,
    unit_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from django.contrib.auth.models import User


# Which kept reviews refer to a simulation, so that it cannot go before they do.

_NAMED = 3
_AT_ONCE = 20


class KeptError(Exception):
    """A simulation that reviews refer to."""

    def __init__(self, reviews: list[Report]) -> None:
        named = tuple(f"“{each.title}” ({each.pk})" for each in reviews[:_NAMED])
        self.problem = SimulationReviewed(named, len(reviews))
        super().__init__(self.problem)


def refuse_kept(run: SimulationRun) -> None:
    """Raise KeptError for a simulation that a review is about, or that one of its recommendations links to."""
    reviews = Report.objects.exclude(state=Report.State.FAILED).filter(Q(run=run) | Q(cluster_id=run.cluster_id))
    found = [
        report
        for report in reviews.order_by("pk").iterator(_AT_ONCE)
        if report.run_id == run.pk or ((document := report.document) is not None and run.pk in runs_of(document))
    ]
    if found:
        raise KeptError(found)


def runs_of(document: Mapping[str, Any]) -> list[int]:
    """Return the simulations that a review's recommendations link to, by primary key."""
    found = [section for section in document["sections"] if section["key"] == "recommendations"]
    return [made[key] for section in found for made in section["facts"]["made"] for key in ("run", "base_run")]


# Writes the document of a review: its head, and the sections that were ordered, one after another.

SCHEMA = "berth-review"
REVIEW_VERSION = 2


def document_of(
    *,
    cluster: Cluster,
    run: SimulationRun | None,
    order: Order,
    now: datetime,
    user: User | None,
    alive: Callable[[], object],
    written: Callable[[int], object],
    number: int | None = None,
) -> dict[str, Any]:
    """Return a review as data; the same for the same state, samples, journal, order and `now`.

    `alive` is called within long sections, and `written` before each with the number of those before it; what they
    raise ends the work. The simulations that back
    recommendations are stored as runs of `user`, with `number`, the review's, in their titles. Raises
    ConfigurationError, ChangingTooFastError and SpecError.
    """
    if run is None:
        capacity.sample(cluster=cluster)
        subject = subject_of_cluster(cluster)
    else:
        subject = subject_of_run(run)
    start, end = order.period(subject.as_of)
    sections = []
    for section in _sections(subject, order, start, end, user, alive, number):
        sections.append(section)
        written(len(sections))
    resources = in_order({name for each in sections for name in _resources(each)})
    return {
        "schema": SCHEMA,
        "version": REVIEW_VERSION,
        "title": order.title,
        "cluster": {
            "name": cluster.name,
            "kube_version": cluster.kube_version,
            "feature_gates": subject.snapshot.release.changed_gates,
            "source": cluster.source,
            "revision": subject.revision,
        },
        "run": None if run is None else {"id": run.pk, "title": run.title},
        "period": {"from": moment(start), "to": moment(end)},
        "as_of": moment(subject.as_of),
        "made_at": moment(now),
        "made_by": "" if user is None else user.get_username(),
        "time_zone": settings.TIME_ZONE,
        "notes": order.notes,
        "gaps": cluster.gaps,
        "units": {name: unit_of(name) for name in resources},
        "sections": sections,
    }


def _sections(
    subject: Subject,
    order: Order,
    start: datetime,
    end: datetime,
    user: User | None,
    alive: Callable[[], object],
    number: int | None,
) -> Iterator[Row]:
    cluster = subject.cluster
    makers: dict[str, Callable[[], Row]] = {
        "utilisation": lambda: utilisation(subject),
        "trend": lambda: trend(subject, start, end),
        "stranded": lambda: stranded_capacity(subject),
        "headroom": lambda: headroom_section(subject, order.shapes, alive),
        "spread": lambda: spread(subject),
        "maintenance": lambda: maintenance(subject, alive),
        "upgrade": lambda: upgrade(subject, order.upgrade_to, alive),
        "quotas": lambda: quotas(cluster, subject.snapshot),
        "usage": lambda: usage(subject, alive),
        "pending": lambda: pending(subject, start, end),
        "agreement": lambda: agreement(cluster, start, end),
        "recommendations": lambda: recommendations(subject, user, alive, number),
    }
    if subject.run is not None:
        run = subject.run
        makers["run"] = lambda: run_section(run)
    if order.prices is not None:
        prices = order.prices
        makers["cost"] = lambda: cost(subject, prices)
    for key in order.applying:
        yield makers[key]()


def _resources(section: Row) -> set[str]:
    """The resources that a section's tables have amounts of."""
    found = {column["resource"] for each in section["tables"] for column in each["columns"] if "resource" in column}
    return found | set(section["facts"].get("resources") or ())


_SECONDS_BETWEEN_LOOKS = 1.0
# So many of a cluster's reviews are kept that one user made by hand; the oldest goes for the next.
MOST_KEPT = 200

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
            raise OrderError("cluster", NoSuchName(str(order.cluster)))
        if cluster.is_unread:
            raise OrderError("cluster", ClusterNotRead(cluster.name))
        return cluster, None
    run = SimulationRun.objects.select_related("cluster").filter(pk=order.run).first()
    if run is None:
        raise OrderError("run", NoSuchName(str(order.run)))
    if run.state != SimulationRun.State.DONE:
        raise OrderError("run", SimulationUnfinished(str(run.pk)))
    if run.cluster is None:
        raise OrderError("run", SimulationOfNoCluster(run.pk))
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
            raise OrderError("run", NoSuchName(str(order.run)))
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
        _fail(hold, ChangingTooFast(report.cluster.name))
    except Exception:
        _fail(hold, WorkFailed())
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


# Reviews that are made by themselves, once a week, at an hour of the site's time zone.

_log = logging.getLogger(__name__)

MOST_KEEP_DAYS = 3650
MOST_SCHEDULES = 20
_WEEK = 7


def create_schedule(
    *,
    cluster: Cluster,
    order: Mapping[str, Any],
    weekday: int,
    hour: int,
    keep_days: int,
    user: User | None,
) -> ReportSchedule:
    """Have a review of a cluster made every week; Monday is 0. Raises OrderError."""
    read = read_order({**order, "cluster": cluster.name})
    about(read)
    if read.start is not None:
        raise OrderError("period", MissingField("days", "7"))
    for field, value, least, most in (
        ("weekday", weekday, 0, _WEEK - 1),
        ("hour", hour, 0, 23),
        ("keep_days", keep_days, 1, MOST_KEEP_DAYS),
    ):
        if type(value) is not int or not least <= value <= most:
            raise OrderError(field, OutOfRange(repr(value), least, most))
    if ReportSchedule.objects.filter(cluster=cluster).count() >= MOST_SCHEDULES:
        raise OrderError("cluster", TooManySchedules(cluster.name, MOST_SCHEDULES))
    return ReportSchedule.objects.create(
        cluster=cluster,
        title=read.title or review_title(cluster=cluster.name, simulation="")[:MOST_TITLE],
        order=storable({**order, "cluster": cluster.name}),
        weekday=weekday,
        hour=hour,
        keep_days=keep_days,
        created_by=user,
        next_at=next_time(weekday, hour, timezone.now(), timezone.get_default_timezone()),
    )


def delete_schedule(schedule: ReportSchedule) -> None:
    """End a schedule; the reviews that it made stay for their time."""
    schedule.delete()


def next_time(weekday: int, hour: int, after: datetime, zone: tzinfo) -> datetime:
    """Return the next time, later than `after`, that is this hour of this weekday in a zone.

    An hour that clocks skip is the one after it; of one that they show twice it is the first.
    """
    today = after.astimezone(zone).date()
    day = today + timedelta(days=(weekday - today.weekday()) % _WEEK)
    found = _at(day, hour, zone)
    return found if found > after else _at(day + timedelta(days=_WEEK), hour, zone)


def _at(day: date, hour: int, zone: tzinfo) -> datetime:
    # Through UTC, so that an hour that does not exist becomes one that does.
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def make_due() -> int:
    """Order every review that is due, and plan the next one; return how many.

    Weeks that Berth slept through are made up for by one review.
    """
    count = 0
    now = timezone.now()
    for schedule in ReportSchedule.objects.filter(next_at__lte=now).select_related("cluster", "created_by"):
        following = next_time(schedule.weekday, schedule.hour, now, timezone.get_default_timezone())
        with transaction.atomic():
            # Only one of several beats orders it.
            due = ReportSchedule.objects.filter(pk=schedule.pk, next_at=schedule.next_at)
            if not due.update(next_at=following):
                continue
            try:
                create_report(
                    order=schedule.order,
                    user=schedule.created_by,
                    schedule=schedule,
                    expires_at=now + timedelta(days=schedule.keep_days),
                )
                count += 1
            except OrderError as error:
                _log.warning("No review by the schedule %s of %s: %s", schedule, schedule.cluster, error)
    return count
