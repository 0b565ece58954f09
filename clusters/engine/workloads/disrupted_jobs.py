"""What a Job makes of one of its pods that is evicted, preempted or lost with its node.

Upstream (v1.34.1): ``syncJob`` of ``pkg/controller/job/job_controller.go``. Such a pod has the condition
DisruptionTarget and counts as failed, unless a rule of podFailurePolicy matches that. The exit codes of its containers
are not known: rules that ask for one match nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from clusters.engine.objects import labels_of, metadata
from clusters.engine.workloads.job_failures import FailureAction, disrupted_pods
from clusters.engine.workloads.job_indexes import COUNTED, IGNORED, INDEX, Indexes, counted, index_of
from clusters.engine.workloads.job_progress import backoff_limit, has_ended

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.objects import Document


class JobFailureReason(StrEnum):
    """Why a Job fails: the reason of its condition Failed."""

    BACKOFF_LIMIT = "BackoffLimitExceeded"
    POLICY = "PodFailurePolicy"
    MOST_INDEXES = "MaxFailedIndexesExceeded"
    INDEXES = "FailedIndexes"


@dataclass(frozen=True, slots=True)
class DisruptedJob:
    """A Job after it lost a pod: ``job`` as it is then, and ``fails``, why it fails with that, if it does.

    ``had_ended``: whether it had ended before. ``failed_index``: the pod's, where that has no further pod.
    ``likeness``: the pod after which the one in its place is made; None where none is made for its index or the Job.
    """

    job: Document
    fails: JobFailureReason | None = None
    had_ended: bool = False
    failed_index: int | None = None
    likeness: Document | None = None


def disrupted_job(job: Document, pod: Document) -> DisruptedJob:
    """Let a Job lose a pod that has not ended."""
    spec = job.get("spec") or {}
    if has_ended(job):
        return DisruptedJob(job, had_ended=True)
    action = disrupted_pods(spec).action
    per_index = spec.get("backoffLimitPerIndex")
    index = None if per_index is None else index_of(pod, _completions(job))
    if action is FailureAction.IGNORE:
        return DisruptedJob(job, likeness=pod if index is None else _counting(pod, IGNORED))
    failed = int(_status(job).get("failed") or 0) + 1
    job = _with_status(job, failed=failed)
    if action is FailureAction.FAIL_JOB:
        return _failing(job, JobFailureReason.POLICY)
    limit = backoff_limit(spec)
    if limit is not None and failed > limit:
        return _failing(job, JobFailureReason.BACKOFF_LIMIT)
    if index is None:
        return DisruptedJob(job, likeness=pod)
    if action is not FailureAction.FAIL_INDEX and counted(pod, COUNTED) < int(per_index or 0):
        return DisruptedJob(job, likeness=_counting(pod, COUNTED))
    return _without_index(job, index)


def of_next_index(job: Document, pod: Document, active: Collection[int]) -> Document | None:
    """The likeness of the pod that a Job makes for its lowest index without one, after one failed; None without such.

    ``active``: the indexes that have pods.
    """
    taken = Indexes.of(active) | _indexes(job, "completedIndexes") | _indexes(job, "failedIndexes")
    free = taken.others(_completions(job)).first(1)
    if not free:
        return None
    annotations = {**(metadata(pod).get("annotations") or {}), INDEX: str(free[0]), COUNTED: "0"}
    annotations.pop(IGNORED, None)
    labels = labels_of(pod)
    if INDEX in labels:
        labels[INDEX] = str(free[0])
    return {**pod, "metadata": {**metadata(pod), "annotations": annotations, "labels": labels}}


def _without_index(job: Document, index: int) -> DisruptedJob:
    """Let an index of a Job fail."""
    failed = _indexes(job, "failedIndexes") | Indexes.of([index])
    job = _with_status(job, failedIndexes=str(failed))
    most = (job.get("spec") or {}).get("maxFailedIndexes")
    if most is not None and failed.count > int(most):
        return _failing(job, JobFailureReason.MOST_INDEXES)
    if failed.count + _indexes(job, "completedIndexes").count >= _completions(job):
        return _failing(job, JobFailureReason.INDEXES)
    return DisruptedJob(job, failed_index=index)


def _failing(job: Document, reason: JobFailureReason) -> DisruptedJob:
    conditions = [*(_status(job).get("conditions") or ()), {"type": "Failed", "status": "True", "reason": reason.value}]
    return DisruptedJob(_with_status(job, conditions=conditions), fails=reason)


def _status(job: Document) -> Document:
    return job.get("status") or {}


def _with_status(job: Document, **fields: Any) -> Document:
    return {**job, "status": {**_status(job), **fields}}


def _completions(job: Document) -> int:
    return int((job.get("spec") or {}).get("completions") or 0)


def _indexes(job: Document, field: str) -> Indexes:
    return Indexes.parse(str(_status(job).get(field) or ""), _completions(job))


def _counting(pod: Document, key: str) -> Document:
    annotations = {**(metadata(pod).get("annotations") or {}), key: str(counted(pod, key) + 1)}
    return {**pod, "metadata": {**metadata(pod), "annotations": annotations}}
