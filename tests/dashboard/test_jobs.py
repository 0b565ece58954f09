"""A Job that retries, on its page: attempts left, the next pod and the deadline."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from clusters.engine.workloads.jobs import job_progress
from clusters.wording.workloads import UNKNOWN_ZONE, UNREADABLE
from dashboard.presenters.workloads.detail import JobView, cron_sentence
from tests.support.decision_cluster import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def a_job(name: str = "import", owner: str = "", **spec: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name, "namespace": "shop", "uid": name}
    if owner:
        reference = {"apiVersion": "batch/v1", "kind": "CronJob", "name": owner, "uid": owner, "controller": True}
        metadata["ownerReferences"] = [reference]
    template = {"metadata": {"labels": {"app": "job"}}, "spec": {"restartPolicy": "Never", "containers": []}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata,
        "spec": {"completions": 4, "backoffLimit": 6, "template": template, **spec},
        "status": {"succeeded": 1, "failed": 3, "startTime": "2026-01-01T00:00:00Z"},
    }


def failed(job: str, number: int, at: str) -> dict[str, Any]:
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": job, "controller": True}
    name = f"{job}-{number}"
    terminated = {"exitCode": 1, "reason": "Error", "finishedAt": at}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": name, "ownerReferences": [owner]},
        "spec": {"containers": [{"name": "main"}], "nodeName": "n1"},
        "status": {"phase": "Failed", "containerStatuses": [{"name": "main", "state": {"terminated": terminated}}]},
    }


def test_a_job_between_two_pods_has_a_page_that_says_when_the_next_comes(
    signed_in_client: Client, tmp_path: Path
) -> None:
    pods = [failed("import", number, f"2026-01-01T00:0{number}:00Z") for number in (1, 2, 3)]
    load(tmp_path, "prod", [node("n1", "a"), a_job(activeDeadlineSeconds=3600), *pods])

    said = text(signed_in_client, "/clusters/prod/workloads/Job/shop/import/")

    assert "Job import: completions 1 of 4, 3 failed. backoffLimit 6, retries left: 3." in said
    assert "Next pod: 2026-01-01 00:03:40 UTC, 40s after failure 3 in a row." in said
    assert "activeDeadlineSeconds ends it at 2026-01-01 01:00:00 UTC." in said


def test_the_page_of_a_cron_job_tells_of_its_jobs(signed_in_client: Client, tmp_path: Path) -> None:
    cron_job = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "tidy", "namespace": "shop", "uid": "tidy"},
        "spec": {},
    }
    over = a_job("tidy-0", "tidy")
    over["status"] = {**over["status"], "conditions": [{"type": "Complete", "status": "True"}]}
    load(tmp_path, "prod", [node("n1", "a"), cron_job, over, a_job("tidy-1", "tidy", suspend=True)])

    said = text(signed_in_client, "/clusters/prod/workloads/CronJob/shop/tidy/")

    assert "Job tidy-1 is suspended." in said
    assert "tidy-0" not in said


@pytest.mark.parametrize("deadline", [10**12, 2**63 - 1])
def test_a_deadline_beyond_the_calendar_ends_nothing(deadline: int) -> None:
    assert JobView(job_progress(a_job(activeDeadlineSeconds=deadline), [])).ends_at is None


def test_a_deadline_is_so_many_seconds_also_where_clocks_are_put_forward() -> None:
    job = a_job(activeDeadlineSeconds=86_400)
    job["status"]["startTime"] = "2026-03-28T12:00:00Z"

    with timezone.override("Europe/Berlin"):
        ends_at = JobView(job_progress(job, [])).ends_at

    assert f"{ends_at:%Y-%m-%d %H:%M:%S %Z}" == "2026-03-29 14:00:00 CEST"


def of_index(job: str, index: int, phase: str, *, failures: int = 0, at: str = "") -> dict[str, Any]:
    pod = failed(job, index, at or "2026-01-01T00:00:00Z")
    pod["metadata"]["annotations"] = {
        "batch.kubernetes.io/job-completion-index": str(index),
        "batch.kubernetes.io/job-index-failure-count": str(failures),
    }
    pod["status"] = {**pod["status"], "phase": phase} if phase == "Failed" else {"phase": phase}
    return pod


def test_the_page_of_an_indexed_job_tells_of_its_indexes(signed_in_client: Client, tmp_path: Path) -> None:
    spec: dict[str, Any] = {
        "completions": 12,
        "parallelism": 3,
        "completionMode": "Indexed",
        "backoffLimit": 2**31 - 1,
        "backoffLimitPerIndex": 2,
        "maxFailedIndexes": 3,
        "podFailurePolicy": {
            "rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]
        },
        "successPolicy": {"rules": [{"succeededIndexes": "0-5", "succeededCount": 4}]},
    }
    job = a_job(**spec)
    job["status"] |= {"succeeded": 3, "failed": 4, "completedIndexes": "0,1,5", "failedIndexes": "2"}
    pods = [
        of_index("import", 3, "Running", failures=1),
        of_index("import", 4, "Failed", failures=1, at="2026-01-01T00:05:00Z"),
    ]
    load(tmp_path, "prod", [node("n1", "a"), job, *pods])

    said = text(signed_in_client, "/clusters/prod/workloads/Job/shop/import/")

    assert "backoffLimit 6" not in said
    assert "backoffLimitPerIndex 2. maxFailedIndexes 3, 1 failed." in said
    assert "successPolicy: 3 of 4 completed among the indexes 0-5." in said
    assert "Evicted or preempted pods do not count as failed." in said
    assert "A deleted pod is replaced once it has ended." in said
    for row in (
        "Completed 0, 1, 5 3 – – –",
        "Failed 2 1 – – –",
        "With a pod 3 1 1 1 –",
        "Pod created next 6 1 0 2 at once",
        "Pod created next 4 1 2 0 2026-01-01 00:05:20 UTC",
        "Later, as parallelism allows 7-11 5 0 2 –",
    ):
        assert row in said


# -- CronJobs: when the next Job starts, and what was missed -----------------------------------------------------------


PAGE = "/clusters/prod/workloads/CronJob/shop/tidy/"


def a_cron_job(last: str = "2026-01-01T08:29:00Z", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "tidy", "namespace": "shop", "uid": "tidy"},
        "spec": {"schedule": "* * * * *", **spec},
        "status": {"lastScheduleTime": last, "active": [{"name": "tidy-1"}]},
    }


def said(cron_job: dict[str, Any]) -> str:
    return cron_sentence(cron_job, datetime(2026, 1, 1, 10, 21, tzinfo=UTC))


def test_the_page_says_which_start_is_due_and_which_were_missed(signed_in_client: Client, tmp_path: Path) -> None:
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "now", "namespace": "shop", "uid": "now"},
        "involvedObject": {"kind": "Node", "name": "n1"},
        "lastTimestamp": "2026-01-01T10:21:00Z",
    }
    # The dump's last moment is now.
    load(tmp_path, "prod", [node("n1", "a"), a_cron_job(), event])

    shown = text(signed_in_client, PAGE)

    assert f"Schedule * * * * * ({UNKNOWN_ZONE})." in shown
    assert "The start at 2026-01-01 10:21:00 UTC is due." in shown
    assert "Missed starts: 112 (event TooManyMissedTimes)" in shown


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ({"startingDeadlineSeconds": 200}, "Missed starts: 4;"),
        (
            {"schedule": "0 12 * * *", "timeZone": "Europe/Berlin"},
            "(Europe/Berlin). Next start: 2026-01-01 12:00:00 CET.",
        ),
        ({"schedule": "TZ=Europe/Berlin 0 12 * * *", "timeZone": "Asia/Tokyo"}, "12:00:00 CET"),
        ({"schedule": "CRON_TZ=Europe/Berlin 0 12 * * *", "timeZone": "Asia/Tokyo"}, "12:00:00 CET"),
        ({"concurrencyPolicy": "Forbid"}, "(concurrencyPolicy Forbid)"),
        ({"suspend": True, "schedule": "0 * * * *"}, "Suspended. Missed starts: 2;"),
        ({"schedule": "every day"}, "cannot be read: no Job starts."),
        ({"timeZone": "Atlantis/Capital"}, "cannot be read: no Job starts."),
        ({"timeZone": "../x"}, "cannot be read: no Job starts."),
        ({"schedule": "@every 99999999h"}, UNREADABLE(schedule="@every 99999999h")),
    ],
)
def test_time_zones_deadlines_concurrency_suspension_and_what_cannot_be_read(spec: dict[str, Any], part: str) -> None:
    assert part in said(a_cron_job(**spec))


def test_a_suspended_start_whose_deadline_is_over_is_not_missed() -> None:
    assert "Missed" not in said(a_cron_job(suspend=True, schedule="0 * * * *", startingDeadlineSeconds=60))


@pytest.mark.parametrize("last", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_a_start_at_either_end_of_the_calendar_is_none(last: str, zone: str) -> None:
    assert said(a_cron_job(last, timeZone=zone)) == ""
