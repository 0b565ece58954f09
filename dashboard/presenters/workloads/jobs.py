"""How far a Job is, in sentences."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils.timezone import localtime

from clusters.wording.workloads import jobs as words

if TYPE_CHECKING:
    from clusters.engine.workloads.job_progress import JobProgress


def job_sentence(job: JobProgress) -> str:
    """Say how far a Job is, what ends it, and when its next pod comes."""
    if job.is_suspended:
        return words.counted(job)
    said = [words.counted(job), words.left(job)]
    if job.in_a_row and job.last_failed:
        delay = timedelta(seconds=job.delay)
        said.append(words.next_pod(job, delay=delay, at=_local(job.last_failed) + delay))
    if job.deadline is not None and job.started:
        said.append(words.deadline(_local(job.started) + timedelta(seconds=job.deadline)))
    return " ".join(filter(None, said))


def _local(text: str) -> datetime:
    return localtime(datetime.fromisoformat(text))
