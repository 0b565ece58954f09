"""A container that waits to be restarted, on the page of its pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def crashing(message: str = "", **last: object) -> dict[str, Any]:
    waiting = {"reason": "CrashLoopBackOff", "message": message}
    status = {"name": "main", "restartCount": 3, "state": {"waiting": waiting}, "lastState": {"terminated": last}}
    document = pod("web-0", nodeName="n1")
    return {**document, "status": {"phase": "Running", "containerStatuses": [status]}}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            crashing("back-off 20s restarting failed container=main pod=web-0", finishedAt="2026-01-01T00:00:50Z"),
            "main: CrashLoopBackOff; restart 4 20s after it ended, at 00:01:10 UTC",
        ),
        (
            crashing(finishedAt="2026-01-01T00:00:50Z"),
            "main: CrashLoopBackOff; restart 4 ≤ 40s after it ended, at ≤ 00:01:30 UTC",
        ),
        (
            crashing(f"back-off {9 * 10**9}h0m0s restarting failed container", finishedAt="2026-01-01T00:00:50Z"),
            "main: CrashLoopBackOff; restart 4 ≤ 40s after it ended, at ≤ 00:01:30 UTC",
        ),
        (
            crashing("back-off 20s restarting failed container=main pod=web-0"),
            "main: CrashLoopBackOff; restart 4 20s after it ended",
        ),
        (crashing(), "main: CrashLoopBackOff; restart 4 ≤ 40s after it ended"),
    ],
)
def test_the_pods_page_says_which_restart_comes_when(
    signed_in_client: Client, tmp_path: Path, document: dict[str, Any], said: str
) -> None:
    load(tmp_path, "prod", [node("n1", "a"), document])

    assert said in text(signed_in_client, "/clusters/prod/pods/shop/web-0/")


def test_a_pod_whose_containers_run_says_nothing_of_it(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "prod", [node("n1", "a"), pod("web-0", nodeName="n1")])

    assert "CrashLoopBackOff" not in text(signed_in_client, "/clusters/prod/pods/shop/web-0/")
