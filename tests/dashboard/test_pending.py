from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.analysis.causes import Cause, Kind, PendingFinding
from clusters.engine.configuration.scheduler import Backoff
from clusters.services.pending.pods import Attempts
from clusters.wording import pending as words
from dashboard.presenters.pending import next_attempt
from tests.support.decision_cluster import node, pod, unschedulable
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PENDING = "/clusters/shop/pending/"
LACKS_CPU = (
    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: "
    "1 Preemption is not helpful for scheduling."
)


def born(document: dict[str, Any], time: str, **metadata: Any) -> dict[str, Any]:
    stamp = f"2026-01-01T{time}Z"
    return {**document, "metadata": {**document["metadata"], "creationTimestamp": stamp, **metadata}}


def failure(name: str, *, count: int, last: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{name}.1", "namespace": "shop", "uid": f"{name}.1"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": name, "uid": f"shop-{name}"},
        "reason": "FailedScheduling",
        "message": LACKS_CPU,
        "count": count,
        "lastTimestamp": f"2026-01-01T{last}Z",
    }


def made_by(document: dict[str, Any], name: str) -> dict[str, Any]:
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": name, "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


def few() -> list[dict[str, Any]]:
    """Return a node, two pods that are too large for it, one that fits and one with a gate."""
    return [
        node("ash", "north"),
        born(made_by(pod("import-1", cpu="9", status=unschedulable(LACKS_CPU)), "import"), "06:00:00"),
        born(pod("import-2", cpu="8", app="other"), "08:00:00"),
        born(pod("web-1"), "08:59:00"),
        born(pod("audit", schedulingGates=[{"name": "shop.example/budget"}]), "07:00:00"),
        failure("import-1", count=4, last="08:59:57"),
        failure("import-2", count=1, last="09:00:00"),
    ]


def test_answer_counts_the_pods_ages_the_oldest_and_names_the_most_urgent(
    tmp_path: Path, signed_in_client: Client
) -> None:
    urgent = [born(pod(f"urgent-{number}", priority=9), f"08:59:0{number}") for number in (2, 1)]
    load(tmp_path, "shop", [*few(), *urgent])

    said = text(signed_in_client, PENDING)

    assert "6 pods are pending, the oldest for 3h." in said
    assert "Highest priority: 9 shop/ urgent-1" in said
    assert "As of 2026-01-01 09:00:00 UTC (dump)." in said


def test_groups_say_why_and_what_would_free_them(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    said = text(signed_in_client, PENDING)

    titles = re.findall(r"<caption[^>]*>([^<]*)<", signed_in_client.get(PENDING).text)
    assert titles == [
        "2 pods pending: insufficient CPU, larger than any node",
        "1 pod pending: scheduling gate shop.example/budget",
        "1 pod pending: schedulable, in the queue",
    ]
    assert "0 of 1 node fits. Insufficient CPU on 1 node." in said
    assert "Request less CPU: 2 of 2 would fit." in said
    events = "a node is added; a node's allocatable resources change; a pod is deleted; a pod requests less"
    assert f"Requeued when: {events} " in said
    assert "Without its gates it would fit on 1 node." in said
    assert "Fits on 1 of 1 node." in said


def test_rows_tell_attempts_next_attempts_and_the_report_agrees(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    said = text(signed_in_client, f"{PENDING}?kind=unschedulable")

    # Four failures: 8 s of rest after 08:59:57, and the rest of that second.
    assert "import-1 Job import 3h at least 4 last 3s not before 09:00:06 UTC Agrees" in said
    assert "import-2 60m at least 1 last 0s not before 09:00:02 UTC Agrees" in said


def test_filter_hides_the_rest_and_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    for query, left in [
        ("", ["import-1", "import-2", "audit", "web-1"]),
        ("kind=unschedulable", ["import-1", "import-2"]),
        ("q=import-2", ["import-2"]),
        ("q=shop/aud", ["audit"]),
        ("q=insufficient CPU", ["import-1"]),
        ("workload=import", ["import-1"]),
        ("cause=0123456789ab", []),
        ("kind=gated&q=web", []),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=nowhere", []),
    ]:
        said = text(signed_in_client, f"{PENDING}?{query}")
        assert re.findall(r"shop/ ([a-z0-9-]+) ", said) == left
        assert (f"{len(left)} of 4 pending pods shown. {4 - len(left)} hidden by: " in said) == (len(left) < 4)


def test_one_cause_has_an_address_with_all_its_pods(tmp_path: Path, signed_in_client: Client) -> None:
    waiting = [born(pod(f"large-{number:03}", cpu="9"), f"06:{number % 60:02}:00") for number in range(60)]
    load(tmp_path, "shop", [node("ash", "north"), pod("web-1"), *waiting])
    page = signed_in_client.get(PENDING).text
    assert page.count("large-") < 60
    found = re.search(r'href="[^"]*(\?cause=[0-9a-f]+)"[^>]*>Show all 60', page)
    assert found

    first, second = (text(signed_in_client, f"{PENDING}{found[1]}{page}") for page in ("", "&page=2"))

    shown = [re.findall(r"shop/ (large-\d+)", said) for said in (first, second)]
    assert (len(shown[0]), len(shown[1]), len({*shown[0], *shown[1]})) == (50, 10, 60)
    assert "web-1" not in first
    assert "Show all 60" not in first


def test_file_holds_what_the_filter_lets_through(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*few(), born(pod("odd", cpu="9", status=unschedulable("=1+1")), "08:00:00")])

    response = signed_in_client.get(f"{PENDING}pods.csv?kind=unschedulable")

    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert response["Content-Disposition"] == 'attachment; filename="shop-pending.csv"'
    assert [(row["pod"], row["plugin"], row["reason"], row["report"]) for row in rows] == [
        ("import-1", "NodeResourcesFit", "Insufficient cpu", "Agrees"),
        ("import-2", "NodeResourcesFit", "Insufficient cpu", "Agrees"),
        ("odd", "NodeResourcesFit", "Insufficient cpu", "Differs"),
    ]
    assert {row["state"] for row in rows} == {"Unschedulable"}
    assert rows[0]["not before"] == "2026-01-01T09:00:06Z"
    assert rows[2]["scheduler's message"] == "'=1+1"


NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "seconds_ago", "said"),
    [
        (Kind.UNSCHEDULABLE, 1, words.NOT_BEFORE),
        (Kind.UNSCHEDULABLE, 60, words.REQUEUED_OR),
        (Kind.FITS, 60, words.EXPECTED),
        (Kind.UNSCHEDULABLE, 329, words.REQUEUED_OR),
        (Kind.UNSCHEDULABLE, 330, words.TRIED_SINCE),
        (Kind.UNSCHEDULABLE, None, words.NOT_KNOWN),
        (Kind.GATED, 1, words.WITHOUT_GATES),
        (Kind.OTHER_SCHEDULER, 1, words.NOT_KNOWN),
    ],
)
def test_next_attempt_is_told_as_far_as_it_is_known(kind: Kind, seconds_ago: int | None, said: object) -> None:
    attempts = None if seconds_ago is None else Attempts(3, NOW - timedelta(seconds=seconds_ago), "")

    assert next_attempt(PendingFinding(Cause(kind)), attempts, Backoff(), NOW).text is said
