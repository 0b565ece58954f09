"""How far a Job is from its end: what is left of its backoffLimit, when its next pod comes, and its deadline.

Upstream (v1.34.1): ``syncJob`` and ``pastBackoffLimitOnFailure`` of ``pkg/controller/job/job_controller.go``, and
``backoff_utils.go`` there: the delay is capped at 10 minutes, where the documentation has 6. The controller keeps its
count of failures in memory; it is counted here from the pods that there are, and begins anew with a new controller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import metadata, name_of, sortable_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.objects import Document

# Seconds: the delay after the first failure, and the longest one.
FIRST_DELAY: Final = 10
LONGEST_DELAY: Final = 600
# backoffLimit of Jobs that have none.
USUAL_LIMIT: Final = 6


@dataclass(frozen=True, slots=True)
class JobProgress:
    """One Job that has not ended.

    ``completions`` is None where any success ends it. ``limit``: its backoffLimit, None where each index has its own;
    ``left``: how many more pods may fail without its end, ``restarts_left``: how many more restarts of containers, None
    unless its pods restart them. ``in_a_row``: failures since the last success, ``delay``: seconds from the last one,
    at ``last_failed``, until another pod is created; the latter is empty where nothing failed. ``deadline``: seconds
    from ``started``, None without one. Times are RFC 3339.
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


def delay_after(failures: int) -> int:
    """Return after how many seconds the next pod is created, with so many failures since the last success."""
    if failures <= 0:
        return 0
    # Beyond 6 doublings the longest is reached.
    return min(LONGEST_DELAY, FIRST_DELAY << min(failures - 1, 6))


def has_ended(job: Document) -> bool:
    """Return whether a Job is complete or has failed."""
    conditions = (job.get("status") or {}).get("conditions") or ()
    return any(each.get("type") in ("Complete", "Failed") and each.get("status") == "True" for each in conditions)


def job_progress(job: Document, pods: Iterable[Document]) -> JobProgress:
    """Tell how far a Job is; ``pods`` are those that it has, ended ones included."""
    spec, status = job.get("spec") or {}, job.get("status") or {}
    known = list(pods)
    failed = int(status.get("failed") or 0)
    is_per_index = spec.get("backoffLimitPerIndex") is not None
    # With a limit for each index the API server sets the whole Job's to the greatest number.
    limit = None if is_per_index else int(USUAL_LIMIT if spec.get("backoffLimit") is None else spec["backoffLimit"])
    policy = ((spec.get("template") or {}).get("spec") or {}).get("restartPolicy")
    restarts = None if limit is None or policy != "OnFailure" else max(1, limit) - sum(_restarts(known))
    in_a_row, last = (0, "") if is_per_index else _failures_in_a_row(known)
    deadline = spec.get("activeDeadlineSeconds")
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
    )


def _restarts(pods: Iterable[Document]) -> Iterator[int]:
    for pod in pods:
        status = pod.get("status") or {}
        if status.get("phase") in ("Running", "Pending"):
            for statuses in ("initContainerStatuses", "containerStatuses"):
                yield from (int(each.get("restartCount") or 0) for each in status.get(statuses) or ())


def _failures_in_a_row(pods: Iterable[Document]) -> tuple[int, str]:
    """Count the pods that failed after the last one that succeeded, and tell when the last of them did."""
    ended: dict[str, list[str]] = {"Succeeded": [], "Failed": []}
    for pod in pods:
        phase = (pod.get("status") or {}).get("phase")
        if phase in ended:
            ended[phase].append(_finished(pod))
    success = max(map(sortable_time, ended["Succeeded"]), default=None)
    later = [at for at in ended["Failed"] if success is None or sortable_time(at) > success]
    return len(later), max(later, key=sortable_time, default="")


def _finished(pod: Document) -> str:
    """Return when a pod ended: when its last container did, or else since when it is not ready, or was created."""
    status = pod.get("status") or {}
    states = [(each.get("state") or {}).get("terminated") or {} for each in status.get("containerStatuses") or ()]
    times = [str(each.get("finishedAt") or "") for each in states]
    if times and all(times):
        return max(times, key=sortable_time)
    for condition in status.get("conditions") or ():
        if condition.get("type") == "Ready" and condition.get("status") == "False":
            turned = str(condition.get("lastTransitionTime") or "")
            if turned:
                return turned
    return str(metadata(pod).get("creationTimestamp") or "")
