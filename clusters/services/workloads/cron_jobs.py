"""What CronJobs' controllers do at a moment, by schedules in whatever time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clusters.adapters.rows import first_moment
from clusters.engine.cron import CronSchedule, CronStart, ScheduleError, StartKind, cron_start, zoned
from clusters.engine.objects import Document, metadata, name_of, namespace_of
from clusters.engine.owners import Workload
from clusters.engine.workloads import FailureKind, MissedStarts, WorkloadFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - the wall clock of whatever time zone
# One start that is due is no missed one yet: the controller needs some seconds for it.
_LEAST_MISSED = 2


class UnreadableScheduleError(Exception):
    """A CronJob's schedule or time zone is none that can be read."""

    def __init__(self, schedule: str) -> None:
        super().__init__(schedule)
        self.schedule = schedule


@dataclass(frozen=True, slots=True)
class DatedStart:
    """What a controller does, with its moments in the CronJob's time zone; ``zone`` is empty where it names none."""

    schedule: str
    zone: str
    found: CronStart
    due: datetime | None
    following: datetime | None
    earliest: datetime | None


def start_of(cron_job: Document, now: datetime) -> DatedStart | None:
    """Return what a CronJob's controller does now; None for one whose schedule is not mirrored.

    Raises UnreadableScheduleError.
    """
    spec, status = cron_job.get("spec") or {}, cron_job.get("status") or {}
    text, named = zoned(str(spec.get("schedule") or ""), str(spec.get("timeZone") or ""))
    last = first_moment(status, "lastScheduleTime") or first_moment(metadata(cron_job), "creationTimestamp")
    if not text or last is None:
        return None
    try:
        schedule, zone = CronSchedule.of(text), _zone(named)
    except (ScheduleError, ValueError, OSError, ZoneInfoNotFoundError):
        raise UnreadableScheduleError(f"{text} {named}".strip()) from None
    deadline = spec.get("startingDeadlineSeconds")
    found = cron_start(
        schedule,
        last=_wall_clock(last, zone),
        now=_wall_clock(now, zone),
        deadline=None if deadline is None else int(deadline),
        is_suspended=bool(spec.get("suspend")),
        forbids_another=spec.get("concurrencyPolicy") == "Forbid" and bool(status.get("active")),
    )
    moments = (_moment(at, zone) for at in (found.due, found.following, found.earliest))
    return DatedStart(text, named, found, *moments)


def missed_starts(cron_jobs: Iterable[Document], now: datetime) -> Iterator[WorkloadFailure]:
    """Yield the CronJobs that have missed starts, apart from those that are suspended or cannot be read."""
    for cron_job in cron_jobs:
        try:
            start = start_of(cron_job, now)
        except UnreadableScheduleError:
            continue
        if start is None or start.found.kind is StartKind.SUSPENDED or start.found.missed < _LEAST_MISSED:
            continue
        since = "" if start.earliest is None else start.earliest.astimezone(UTC).isoformat()
        missed = MissedStarts(start.found.missed, start.found.kind is StartKind.ALREADY_ACTIVE)
        workload = Workload(namespace_of(cron_job), "CronJob", name_of(cron_job))
        yield WorkloadFailure(workload, FailureKind.STARTS, "", "", None, since, missed=missed)


def _zone(name: str) -> tzinfo:
    """Return a time zone. Raises ZoneInfoNotFoundError, ValueError and OSError."""
    return ZoneInfo(name) if name else UTC


def _wall_clock(at: datetime, zone: tzinfo) -> int:
    return int((at.astimezone(zone).replace(tzinfo=None) - _EPOCH).total_seconds())


def _moment(seconds: int | None, zone: tzinfo) -> datetime | None:
    return None if seconds is None else (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=zone)
