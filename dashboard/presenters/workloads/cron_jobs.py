"""When a CronJob starts its next Job, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.services.workloads.cron_jobs import UnreadableScheduleError, start_of
from clusters.wording.workloads import cron_jobs as words

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.engine.objects import Document


def cron_sentence(cron_job: Document, now: datetime) -> str:
    """Say what a CronJob's controller does now; empty for one whose schedule is not mirrored."""
    try:
        start = start_of(cron_job, now)
    except UnreadableScheduleError as error:
        return words.UNREADABLE(schedule=error.schedule)
    if start is None:
        return ""
    said = words.start(start.found, due=start.due, following=start.following)
    scheduled = words.scheduled(schedule=start.schedule, zone=start.zone)
    return " ".join(filter(None, (scheduled, said, words.missed(start.found))))
