"""How far a Job is from its end: what is left of its limits, when its next pods come, and its deadline.

Upstream (v1.34.1): ``syncJob`` and ``pastBackoffLimitOnFailure`` of ``pkg/controller/job/job_controller.go``, and
``backoff_utils.go`` there: the delay is capped at 10 minutes, where the documentation has 6. The controller keeps its
count of failures in memory; it is counted here from the pods that there are, and begins anew with a new controller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import name_of, sortable_time
from clusters.engine.workloads.index_progress import IndexProgress, index_progress
from clusters.engine.workloads.job_failures import (
    DisruptedPods,
    FailureAction,
    disrupted_pods,
    is_failed,
    matched_rule,
    replaces_only_failed,
    rules_of,
)
from clusters.engine.workloads.job_times import delay_after, finished_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.objects import Document

# backoffLimit of Jobs that have none.
USUAL_LIMIT: Final = 6
# What the API server sets it to where each index has a limit of its own.
_NO_LIMIT: Final = 2**31 - 1
CONTROLLER: Final = "kubernetes.io/job-controller"


@dataclass(frozen=True, slots=True)
class JobEnding:
    """A Job that ends, and whose pods are deleted: whether it ``succeeds``, and the reason of its condition."""

    succeeds: bool
    reason: str


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """What a podFailurePolicy of so many ``rules`` does: with ``disrupted`` pods, and with those that failed by now.

    ``ignored``: how many of those do not count. ``fails_job``: the name of the first that fails the Job, and the rule.
    """

    rules: int
    disrupted: DisruptedPods
    ignored: int
    fails_job: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class JobProgress:
    """One Job that has not ended.

    ``completions`` is None where any success ends it. ``limit``: its backoffLimit, None where only each index has one;
    ``left``: how many more pods may fail without its end, ``restarts_left``: how many more restarts of containers, None
    unless its pods restart them. ``in_a_row``: failures since the last success, ``delay``: seconds from the last one,
    at ``last_failed``, until another pod is created; the latter is empty where nothing failed. ``deadline``: seconds
    from ``started``, None without one. Times are RFC 3339. ``managed_by``: another controller, which alone creates its
    pods. ``waits_for_ended``: whether a pod is replaced only once it has ended. ``indexes``: of an Indexed Job.
    """

    name: str
    succeeded: int
    completions: int | None
    failed: int
    limit: int | None
    left: int | None
    restarts_left: int | None
    in_a_row: int
    delay: int
    last_failed: str
    started: str
    deadline: int | None
    is_suspended: bool
    managed_by: str
    ending: JobEnding | None
    waits_for_ended: bool
    policy: FailurePolicy | None
    indexes: IndexProgress | None


def has_ended(job: Document) -> bool:
    """Return whether a Job is complete or has failed."""
    return _condition(job, "Complete", "Failed") is not None


def backoff_limit(spec: Document) -> int | None:
    """Return after how many failed pods more end a Job; None where only each of its indexes has a limit."""
    given = spec.get("backoffLimit")
    if spec.get("backoffLimitPerIndex") is not None and (given is None or int(given) == _NO_LIMIT):
        return None
    return USUAL_LIMIT if given is None else int(given)


def job_progress(job: Document, pods: Iterable[Document], *, knows_all: bool = True) -> JobProgress:
    """Tell how far a Job is; ``pods`` are those that it has, ended ones included, or with ``knows_all`` only some."""
    spec, status = job.get("spec") or {}, job.get("status") or {}
    known = list(pods)
    failed = int(status.get("failed") or 0)
    is_per_index = spec.get("backoffLimitPerIndex") is not None
    limit = backoff_limit(spec)
    policy = ((spec.get("template") or {}).get("spec") or {}).get("restartPolicy")
    restarts = None if limit is None or policy != "OnFailure" else max(1, limit) - sum(_restarts(known))
    in_a_row, last = (0, "") if is_per_index else _failures_in_a_row(known, spec)
    deadline = spec.get("activeDeadlineSeconds")
    managed_by = str(spec.get("managedBy") or "")
    return JobProgress(
        name=name_of(job),
        succeeded=int(status.get("succeeded") or 0),
        completions=None if spec.get("completions") is None else int(spec["completions"]),
        failed=failed,
        limit=limit,
        left=None if limit is None else max(0, limit - failed),
        restarts_left=None if restarts is None else max(0, restarts),
        in_a_row=in_a_row,
        delay=delay_after(in_a_row),
        last_failed=last,
        started=str(status.get("startTime") or ""),
        deadline=None if deadline is None else int(deadline),
        is_suspended=bool(spec.get("suspend")),
        managed_by="" if managed_by == CONTROLLER else managed_by,
        ending=_ending(job),
        waits_for_ended=replaces_only_failed(spec),
        policy=_policy(spec, known),
        indexes=index_progress(job, known if knows_all else None) if spec.get("completionMode") == "Indexed" else None,
    )


def _condition(job: Document, *types: str) -> Document | None:
    conditions: Sequence[Document] = (job.get("status") or {}).get("conditions") or ()
    return next((each for each in conditions if each.get("type") in types and each.get("status") == "True"), None)


def _ending(job: Document) -> JobEnding | None:
    """What the controller has decided already, and has still to delete pods for."""
    found = _condition(job, "SuccessCriteriaMet", "FailureTarget")
    return None if found is None else JobEnding(found["type"] == "SuccessCriteriaMet", str(found.get("reason") or ""))


def _policy(spec: Document, pods: Sequence[Document]) -> FailurePolicy | None:
    rules = rules_of(spec)
    if not rules:
        return None
    matched = [(name_of(pod), matched_rule(pod, spec)) for pod in pods if is_failed(pod, spec)]
    failing = next(
        (
            (name, each.rule)
            for name, each in matched
            if each.action is FailureAction.FAIL_JOB and each.rule is not None
        ),
        None,
    )
    return FailurePolicy(len(rules), disrupted_pods(spec), sum(not each.counts for _, each in matched), failing)


def _restarts(pods: Iterable[Document]) -> Iterator[int]:
    for pod in pods:
        status = pod.get("status") or {}
        if status.get("phase") in ("Running", "Pending"):
            for statuses in ("initContainerStatuses", "containerStatuses"):
                yield from (int(each.get("restartCount") or 0) for each in status.get(statuses) or ())


def _failures_in_a_row(pods: Iterable[Document], spec: Document) -> tuple[int, str]:
    """Count the pods that failed after the last one that succeeded, and tell when the last of them did."""
    succeeded, failed = [], []
    for pod in pods:
        if (pod.get("status") or {}).get("phase") == "Succeeded":
            succeeded.append(finished_at(pod))
        elif is_failed(pod, spec):
            failed.append(finished_at(pod))
    success = max(map(sortable_time, succeeded), default=None)
    later = [at for at in failed if success is None or sortable_time(at) > success]
    return len(later), max(later, key=sortable_time, default="")
