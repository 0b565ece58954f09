"""A CronJob on its page: when its next Job starts, and what was missed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from clusters.wording.workloads import UNKNOWN_ZONE, UNREADABLE
from dashboard.presenters.workloads.detail import cron_sentence
from tests.support.decision_cluster import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/clusters/prod/workloads/CronJob/shop/tidy/"


def a_cron_job(last: str = "2026-01-01T08:29:00Z", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "tidy", "namespace": "shop", "uid": "tidy"},
        "spec": {"schedule": "* * * * *", **spec},
        "status": {"lastScheduleTime": last, "active": [{"name": "tidy-1"}]},
    }


def said(client: Client, folder: Path, cron_job: dict[str, Any], now: str = "2026-01-01T10:21:00Z") -> str:
    """Return what the page says in a dump whose last moment is now."""
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "now", "namespace": "shop", "uid": "now"},
        "involvedObject": {"kind": "Node", "name": "n1"},
        "lastTimestamp": now,
    }
    load(folder, "prod", [node("n1", "a"), cron_job, event])
    return text(client, PAGE)


def test_a_start_that_is_due_and_those_that_were_missed(signed_in_client: Client, tmp_path: Path) -> None:
    shown = said(signed_in_client, tmp_path, a_cron_job())
    assert f"Schedule * * * * * ({UNKNOWN_ZONE})." in shown
    assert "The start at 2026-01-01 10:21:00 UTC is due." in shown
    assert "Missed starts: 112 (event TooManyMissedTimes)" in shown


def test_a_starting_deadline(signed_in_client: Client, tmp_path: Path) -> None:
    shown = said(signed_in_client, tmp_path, a_cron_job(startingDeadlineSeconds=200))
    assert "Missed starts: 4; only the latest is made up for." in shown


def test_time_zones_concurrency_and_suspension(signed_in_client: Client, tmp_path: Path) -> None:
    berlin = {"schedule": "0 12 * * *", "timeZone": "Europe/Berlin"}
    shown = said(signed_in_client, tmp_path, a_cron_job(**berlin))
    assert "Schedule 0 12 * * * (Europe/Berlin). Next start: 2026-01-01 12:00:00 CET." in shown
    for before in ("TZ", "CRON_TZ"):
        zoned = {"schedule": f"{before}=Europe/Berlin 0 12 * * *", "timeZone": "Asia/Tokyo"}
        assert "12:00:00 CET" in cron_sentence(a_cron_job(**zoned), datetime(2026, 1, 1, 10, 21, tzinfo=UTC))
    shown = said(signed_in_client, tmp_path, a_cron_job(concurrencyPolicy="Forbid"))
    assert "waits for the active Job (concurrencyPolicy Forbid)." in shown
    shown = said(signed_in_client, tmp_path, a_cron_job(suspend=True, schedule="0 * * * *"))
    assert "Suspended. Missed starts: 2; the latest is made up for when resumed." in shown
    late = a_cron_job(suspend=True, schedule="0 * * * *", startingDeadlineSeconds=60)
    assert "Missed" not in cron_sentence(late, datetime(2026, 1, 1, 10, 21, tzinfo=UTC))


@pytest.mark.parametrize("spec", [{"schedule": "every day"}, {"timeZone": "Atlantis/Capital"}, {"timeZone": "../x"}])
def test_a_schedule_that_cannot_be_read(signed_in_client: Client, tmp_path: Path, spec: dict[str, Any]) -> None:
    assert "cannot be read: no Job starts." in said(signed_in_client, tmp_path, a_cron_job(**spec))


@pytest.mark.parametrize("last", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_a_start_at_either_end_of_the_calendar_is_none(last: str, zone: str) -> None:
    assert cron_sentence(a_cron_job(last, timeZone=zone), datetime(2026, 1, 1, 10, 21, tzinfo=UTC)) == ""


def test_a_schedule_that_is_longer_than_a_duration_can_be_is_none(signed_in_client: Client, tmp_path: Path) -> None:
    shown = said(signed_in_client, tmp_path, a_cron_job(schedule="@every 99999999h"))

    assert UNREADABLE(schedule="@every 99999999h") in shown
