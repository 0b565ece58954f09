"""How far a Job is: what is left of its limits, what becomes of its indexes, when its next pod comes, its deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext

from clusters.engine.workloads import (
    FailureAction,
    FailurePolicy,
    IndexProgress,
    IndexState,
    JobEnding,
    JobProgress,
    SuccessRule,
)
from clusters.wording.amounts import age, grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from datetime import datetime, timedelta


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
    """Say how many failures end it; empty where only each index has a limit."""
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


def managed_by(job: JobProgress) -> str:
    """Say that another controller decides."""
    return _("Job %(job)s is managed by %(controller)s, not by the Job controller.") % {
        "job": job.name,
        "controller": job.managed_by,
    }


def ending(end: JobEnding) -> str:
    """Say that a Job is about to end, as its controller has decided."""
    if end.succeeds:
        return _("It succeeds (SuccessCriteriaMet, %(reason)s): pods are deleted, none created.") % {
            "reason": end.reason
        }
    return _("It fails (FailureTarget, %(reason)s): pods are deleted, none created.") % {"reason": end.reason}


WAITS_FOR_ENDED: Final = gettext_lazy(
    "A pod that is deleted is replaced, and counts as failed, only once it has ended."
)


# -- indexes -----------------------------------------------------------------------------------------------------------


def index_limit(progress: IndexProgress) -> str:
    """Say after how many failures an index fails, and how many such indexes end the Job."""
    if progress.limit is None:
        return ""
    each = ngettext(
        "An index fails once %(pods)s of its pods has failed (backoffLimitPerIndex %(limit)s).",
        "An index fails once %(pods)s of its pods have failed (backoffLimitPerIndex %(limit)s).",
        progress.limit + 1,
    ) % {"pods": grouped(progress.limit + 1), "limit": grouped(progress.limit)}
    return f"{each} {_failed_indexes(progress)}"


def _failed_indexes(progress: IndexProgress) -> str:
    if progress.most_failed is not None:
        more = max(0, progress.most_failed - progress.failed) + 1
        return ngettext(
            "The Job fails once %(more)s more index has failed (maxFailedIndexes %(most)s, %(failed)s failed).",
            "The Job fails once %(more)s more indexes have failed (maxFailedIndexes %(most)s, %(failed)s failed).",
            more,
        ) % {"more": grouped(more), "most": grouped(progress.most_failed), "failed": grouped(progress.failed)}
    if progress.failed:
        return ngettext(
            "%(failed)s index failed: the Job fails once all others have ended.",
            "%(failed)s indexes failed: the Job fails once all others have ended.",
            progress.failed,
        ) % {"failed": grouped(progress.failed)}
    return _("Without maxFailedIndexes every index is run; then the Job fails if one failed.")


def success_rule(rule: SuccessRule) -> str:
    """Say what a rule of successPolicy requires, and how much of it there is."""
    values = {"among": str(rule.among), "count": grouped(rule.count or 0), "done": grouped(rule.done)}
    if rule.among is None:
        return (
            ngettext(
                "It succeeds once %(count)s index has completed (%(done)s so far).",
                "It succeeds once %(count)s indexes have completed (%(done)s so far).",
                rule.count or 0,
            )
            % values
        )
    if rule.count is None:
        values["count"] = grouped(rule.among.count)
        return _("It succeeds once the indexes %(among)s have completed (%(done)s of %(count)s).") % values
    return (
        ngettext(
            "It succeeds once %(count)s of the indexes %(among)s has completed (so far %(done)s).",
            "It succeeds once %(count)s of the indexes %(among)s have completed (so far %(done)s).",
            rule.count,
        )
        % values
    )


PARTLY_KNOWN = message("It has more than %(pods)s pods: only ended indexes are listed.")


def index_state(state: IndexState) -> str:
    """Name how indexes are."""
    return {
        IndexState.COMPLETED: pgettext("state of an index", "Completed"),
        IndexState.FAILED: pgettext("state of an index", "Failed"),
        IndexState.ACTIVE: pgettext("state of an index", "With a pod"),
        IndexState.TERMINATING: pgettext("state of an index", "Pod terminating"),
        IndexState.NEXT: pgettext("state of an index", "Pod created next"),
        IndexState.LATER: pgettext("state of an index", "Later, as parallelism allows"),
    }[state]


AT_ONCE: Final = gettext_lazy("at once")


def not_before(at: datetime) -> str:
    """Say when a pod is created, after the failure of another."""
    return f"{at:%Y-%m-%d %H:%M:%S %Z}"


MORE_GROUPS = plural("%(more)s more row of indexes", "%(more)s more rows of indexes", by="more")


# -- podFailurePolicy --------------------------------------------------------------------------------------------------


def failure_policy(policy: FailurePolicy) -> str:
    """Say what becomes of pods that are evicted or preempted, and which that failed do not count."""
    said = [_disrupted(policy)]
    if policy.ignored:
        said.append(
            ngettext(
                "Of its failed pods %(pods)s does not count.",
                "Of its failed pods %(pods)s do not count.",
                policy.ignored,
            )
            % {"pods": grouped(policy.ignored)}
        )
    if policy.fails_job is not None:
        pod, rule = policy.fails_job
        said.append(_("Rule %(rule)s fails the Job on account of pod %(pod)s.") % {"rule": grouped(rule), "pod": pod})
    return " ".join(said)


def _disrupted(policy: FailurePolicy) -> str:
    """Say what becomes of pods with the condition DisruptionTarget."""
    unless = policy.disrupted.may_exit_otherwise
    match policy.disrupted.action:
        case FailureAction.IGNORE if unless:
            return _(
                "By podFailurePolicy a pod that is evicted or preempted does not count as failed, unless a rule before"
                " matches the exit code of a container."
            )
        case FailureAction.IGNORE:
            return _("By podFailurePolicy a pod that is evicted or preempted does not count as failed.")
        case FailureAction.FAIL_JOB if unless:
            return _(
                "By podFailurePolicy a pod that is evicted or preempted fails the Job, unless a rule before matches the"
                " exit code of a container."
            )
        case FailureAction.FAIL_JOB:
            return _("By podFailurePolicy a pod that is evicted or preempted fails the Job.")
        case FailureAction.FAIL_INDEX if unless:
            return _(
                "By podFailurePolicy a pod that is evicted or preempted fails its index, unless a rule before matches"
                " the exit code of a container."
            )
        case FailureAction.FAIL_INDEX:
            return _("By podFailurePolicy a pod that is evicted or preempted fails its index.")
        case FailureAction.COUNT if unless:
            return _(
                "A pod that is evicted or preempted counts as failed, unless a rule of podFailurePolicy matches the"
                " exit code of a container."
            )
        case _:
            return _("A pod that is evicted or preempted counts as failed, in spite of podFailurePolicy.")
