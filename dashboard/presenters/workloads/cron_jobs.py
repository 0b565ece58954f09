"""When a CronJob starts its next Job, in sentences."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clusters.engine.objects import metadata
from clusters.engine.workloads.cron_schedule import CronSchedule, ScheduleError, zoned
from clusters.engine.workloads.cron_starts import cron_start
from clusters.wording.workloads import cron_jobs as words

if TYPE_CHECKING:
    from datetime import tzinfo

    from clusters.engine.objects import Document

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - the wall clock of whatever time zone


def cron_sentence(cron_job: Document, now: datetime) -> str:
    """Say what a CronJob's controller does now; empty for one whose schedule is not mirrored."""
    spec, status = cron_job.get("spec") or {}, cron_job.get("status") or {}
    text, named = zoned(str(spec.get("schedule") or ""), str(spec.get("timeZone") or ""))
    earliest = status.get("lastScheduleTime") or metadata(cron_job).get("creationTimestamp")
    if not text or not earliest:
        return ""
    try:
        schedule, zone = CronSchedule.of(text), _zone(named)
    except (ScheduleError, ValueError, OSError, ZoneInfoNotFoundError):
        return words.unreadable(f"{text} {named}".strip())
    deadline = spec.get("startingDeadlineSeconds")
    found = cron_start(
        schedule,
        last=_wall_clock(datetime.fromisoformat(earliest), zone),
        now=_wall_clock(now, zone),
        deadline=None if deadline is None else int(deadline),
        is_suspended=bool(spec.get("suspend")),
        forbids_another=spec.get("concurrencyPolicy") == "Forbid" and bool(status.get("active")),
    )
    said = words.start(found, due=_moment(found.due, zone), following=_moment(found.following, zone))
    return " ".join(filter(None, (words.scheduled(schedule=text, zone=named), said, words.missed(found))))


def _zone(name: str) -> tzinfo:
    """Return a time zone. Raises ZoneInfoNotFoundError, ValueError and OSError."""
    return ZoneInfo(name) if name else UTC


def _wall_clock(at: datetime, zone: tzinfo) -> int:
    # At either end of the calendar the zone does not matter.
    with suppress(OverflowError):
        at = at.astimezone(zone)
    return int((at.replace(tzinfo=None) - _EPOCH).total_seconds())


def _moment(seconds: int | None, zone: tzinfo) -> datetime | None:
    return None if seconds is None else (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=zone)
