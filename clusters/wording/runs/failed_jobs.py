"""Why a Job of a simulation fails when it loses pods."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.workloads import JobFailureReason
from clusters.wording.amounts import grouped


def job_failed(job: str, reason: str, limit: int) -> str:
    """Say which limit or rule ends a Job; ``reason`` is that of its condition Failed."""
    values = {"job": job, "limit": grouped(limit)}
    match reason:
        case JobFailureReason.BACKOFF_LIMIT:
            return (
                _("Job %(job)s has failed: with its evicted pods more have failed than backoffLimit %(limit)s allows.")
                % values
            )
        case JobFailureReason.MOST_INDEXES:
            return (
                _(
                    "Job %(job)s has failed: with its evicted pods more indexes have failed than maxFailedIndexes "
                    "%(limit)s allows."
                )
                % values
            )
        case JobFailureReason.POLICY:
            return _("Job %(job)s has failed: its podFailurePolicy has the action FailJob for evicted pods.") % values
        case _:
            return _("Job %(job)s has failed: all of its indexes have ended, and some of them failed.") % values
