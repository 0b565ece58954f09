"""How far a Job is, in sentences."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clusters.wording.workloads import jobs as words
from dashboard.presenters.shared.moments import later

if TYPE_CHECKING:
    from clusters.engine.workloads.job_progress import JobProgress


def job_sentence(job: JobProgress) -> str:
    """Say how far a Job is, what ends it, and when its next pod comes."""
    if job.is_suspended:
        return words.counted(job)
    said = [words.counted(job), words.left(job)]
    if job.in_a_row and job.last_failed and (at := later(job.last_failed, job.delay)) is not None:
        said.append(words.next_pod(job, delay=timedelta(seconds=job.delay), at=at))
    # A deadline beyond the calendar ends nothing.
    if job.deadline is not None and job.started and (at := later(job.started, job.deadline)) is not None:
        said.append(words.deadline(at))
    return " ".join(filter(None, said))
