"""Reviews that are made by themselves, once a week, at an hour of the site's time zone."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from clusters.documents.titles import review_title
from clusters.engine.problems import OutOfRange
from clusters.models import ReportSchedule
from clusters.problems import orders
from clusters.services.reports.making import about, create_report
from clusters.services.reports.order import MOST_TITLE, OrderError, read_order, storable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, tzinfo

    from django.contrib.auth.models import User

    from clusters.models import Cluster

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
        raise OrderError("period", orders.DatesEachWeek())
    for field, value, least, most in (
        ("weekday", weekday, 0, _WEEK - 1),
        ("hour", hour, 0, 23),
        ("keep_days", keep_days, 1, MOST_KEEP_DAYS),
    ):
        if type(value) is not int or not least <= value <= most:
            raise OrderError(field, OutOfRange(repr(value), least, most))
    if ReportSchedule.objects.filter(cluster=cluster).count() >= MOST_SCHEDULES:
        raise OrderError("cluster", orders.TooManySchedules(cluster.name, MOST_SCHEDULES))
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
