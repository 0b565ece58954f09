"""How far a Job is: what is left of its backoffLimit, when its next pod comes, and its deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import age, grouped

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from clusters.engine.workloads.job_progress import JobProgress


def counted(job: JobProgress) -> str:
    """Say how many pods succeeded and failed."""
    values = {"job": job.name, "succeeded": grouped(job.succeeded), "failed": grouped(job.failed)}
    if job.is_suspended:
        return _("Job %(job)s is suspended: it creates no pods until spec.suspend is false.") % {"job": job.name}
    if job.completions is None:
        return _("Job %(job)s: %(succeeded)s pods succeeded, %(failed)s failed.") % values
    return ngettext(
        "Job %(job)s: %(succeeded)s of %(completions)s completion, %(failed)s pods failed.",
        "Job %(job)s: %(succeeded)s of %(completions)s completions, %(failed)s pods failed.",
        job.completions,
    ) % {
        "job": values["job"],
        "succeeded": values["succeeded"],
        "failed": values["failed"],
        "completions": grouped(job.completions),
    }


def left(job: JobProgress) -> str:
    """Say what ends it; empty where each index has a limit of its own."""
    if job.limit is None or job.left is None:
        return ""
    limit = grouped(job.limit)
    if job.restarts_left is not None:
        return ngettext(
            "It fails with %(restarts)s more restart of a container (backoffLimit %(limit)s).",
            "It fails with %(restarts)s more restarts of containers (backoffLimit %(limit)s).",
            job.restarts_left,
        ) % {"restarts": grouped(job.restarts_left), "limit": limit}
    return ngettext(
        "It fails once %(pods)s more pod has failed (backoffLimit %(limit)s).",
        "It fails once %(pods)s more pods have failed (backoffLimit %(limit)s).",
        job.left + 1,
    ) % {"pods": grouped(job.left + 1), "limit": limit}


def next_pod(job: JobProgress, *, delay: timedelta, at: datetime) -> str:
    """Say when another pod is created after pods failed."""
    return ngettext(
        "After %(failures)s failure in a row the next pod is created %(delay)s after it, at %(at)s.",
        "After %(failures)s failures in a row the next pod is created %(delay)s after the last, at %(at)s.",
        job.in_a_row,
    ) % {"failures": grouped(job.in_a_row), "delay": age(delay), "at": f"{at:%Y-%m-%d %H:%M:%S %Z}"}


def deadline(at: datetime) -> str:
    """Say when its deadline ends it."""
    return _("activeDeadlineSeconds ends it at %(at)s, whatever is left of backoffLimit.") % {
        "at": f"{at:%Y-%m-%d %H:%M:%S %Z}"
    }
