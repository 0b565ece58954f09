"""How far Jobs are from their end, as the Job controller has it."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.workloads import has_ended, job_progress
from clusters.engine.workloads.jobs import delay_after


def a_job(status: dict[str, Any] | None = None, policy: str = "Never", **spec: Any) -> dict[str, Any]:
    template = {"spec": {"restartPolicy": policy}}
    return {
        "kind": "Job",
        "metadata": {"name": "import"},
        "spec": {"template": template, **spec},
        "status": status or {},
    }


def ended(phase: str, at: str) -> dict[str, Any]:
    terminated = {"exitCode": int(phase == "Failed"), "finishedAt": f"2026-01-01T00:{at}Z"}
    return {
        "metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"},
        "status": {"phase": phase, "containerStatuses": [{"name": "main", "state": {"terminated": terminated}}]},
    }


def running(*restarts: int) -> dict[str, Any]:
    return {"status": {"phase": "Running", "containerStatuses": [{"restartCount": each} for each in restarts]}}


def test_each_failure_waits_twice_as_long_up_to_ten_minutes() -> None:
    assert [delay_after(failures) for failures in range(9)] == [0, 10, 20, 40, 80, 160, 320, 600, 600]
    assert delay_after(10**9) == 600


@pytest.mark.parametrize(("limit", "failed", "left"), [(None, 0, 6), (6, 2, 4), (0, 0, 0), (2, 5, 0)])
def test_what_is_left_of_the_limit(limit: int | None, failed: int, left: int) -> None:
    spec: dict[str, Any] = {} if limit is None else {"backoffLimit": limit}
    progress = job_progress(a_job({"failed": failed}, **spec), [])
    assert (progress.left, progress.restarts_left) == (left, None)


@pytest.mark.parametrize(
    ("limit", "restarts", "left"), [(6, (2, 1), 3), (0, (), 1), (0, (1,), 0), (1, (), 1), (2, (5,), 0)]
)
def test_restarts_count_where_containers_are_restarted(limit: int, restarts: tuple[int, ...], left: int) -> None:
    pods = [running(*restarts), {**ended("Failed", "01:00")}]
    progress = job_progress(a_job({"failed": 0}, "OnFailure", backoffLimit=limit), pods)
    assert progress.restarts_left == left


def test_with_a_limit_for_each_index_there_is_none_for_all() -> None:
    progress = job_progress(a_job({"failed": 3}, backoffLimitPerIndex=1), [ended("Failed", "01:00")])
    assert (progress.limit, progress.left, progress.in_a_row, progress.delay) == (None, None, 0, 0)


def test_failures_after_the_last_success_count() -> None:
    pods = [ended("Failed", "01:00"), ended("Succeeded", "02:00"), ended("Failed", "05:00"), ended("Failed", "03:00")]
    progress = job_progress(a_job(), [*pods, running(0)])
    assert (progress.in_a_row, progress.delay, progress.last_failed) == (2, 20, "2026-01-01T00:05:00Z")
    progress = job_progress(a_job(), [*pods, ended("Succeeded", "09:00")])
    assert (progress.in_a_row, progress.delay, progress.last_failed) == (0, 0, "")
    assert job_progress(a_job(), []).in_a_row == 0


def test_a_pod_whose_containers_do_not_tell_when_they_ended() -> None:
    unready = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:07:00Z"}
    created = {"creationTimestamp": "2026-01-01T00:04:00Z"}
    evicted = {"metadata": created, "status": {"phase": "Failed", "conditions": [unready]}}
    assert job_progress(a_job(), [evicted]).last_failed == "2026-01-01T00:07:00Z"
    assert job_progress(a_job(), [{"metadata": created, "status": {"phase": "Failed"}}]).last_failed == (
        "2026-01-01T00:04:00Z"
    )


@pytest.mark.parametrize(
    ("kind", "status", "over"),
    [("Complete", "True", True), ("Failed", "True", True), ("Failed", "False", False), ("Suspended", "True", False)],
)
def test_whether_it_has_ended(kind: str, status: str, over: bool) -> None:
    assert has_ended(a_job({"conditions": [{"type": kind, "status": status}]})) is over
    assert not has_ended(a_job())
