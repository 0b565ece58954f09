"""The page about the scheduler's queue, against the engine's own answers."""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import Cluster
from clusters.services.mirror.snapshots import forget_snapshots
from clusters.services.pending.queue import queue_of
from tests.clusters.live_batches import apply, followed_cluster
from tests.dashboard.test_pending import LACKS_CPU, born, failure
from tests.support.decision_cluster import node, pod, unschedulable
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

QUEUE = "/clusters/shop/pending/queue/"


def few() -> list[dict[str, Any]]:
    """Return a node and pods at every place; the dump's last moment is 09:00:00."""
    return [
        node("ash", "north"),
        born(pod("first-tried", cpu="9", priority=10, status=unschedulable(LACKS_CPU)), "06:00:00"),
        born(pod("then-tried", cpu="9", priority=10, status=unschedulable(LACKS_CPU)), "05:00:00"),
        born(pod("urgent", cpu="9", priority=1000, priorityClassName="high", status=unschedulable("old")), "08:00:00"),
        born(pod("new", cpu="1"), "08:59:00"),
        born(pod("newer-but-urgent", cpu="1", priority=1000, priorityClassName="high"), "08:59:30"),
        born(pod("resting", cpu="1", status=unschedulable(LACKS_CPU)), "08:00:00"),
        born(pod("audit", schedulingGates=[{"name": "shop.example/budget"}]), "07:00:00"),
        born(pod("render", schedulerName="other"), "07:30:00"),
        failure("first-tried", count=4, last="08:55:57"),
        failure("then-tried", count=5, last="08:59:00"),
        failure("resting", count=3, last="09:00:00"),
    ]


def names(client: Client, query: str = "") -> list[str]:
    return re.findall(r"shop/ ([a-z0-9-]+) ", text(client, f"{QUEUE}{query}").partition("Next attempt Rejected by")[2])


def test_pods_stand_in_the_order_of_the_queue_and_every_part_is_counted(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", few())
    assert names(signed_in_client) == [
        "newer-but-urgent",
        "new",
        "resting",
        "urgent",
        "first-tried",
        "then-tried",
        "audit",
        "render",
    ]

    said = text(signed_in_client, QUEUE)
    assert "8 pods are pending; shop/newer-but-urgent is tried first." in said
    counted = re.findall(r"<dt>([^<]*)</dt><dd>(?:<a[^>]*>)?(\d+)<", signed_in_client.get(QUEUE).text)
    assert counted == [
        ("Active", "2"),
        ("Backoff", "1"),
        ("Unschedulable", "3"),
        ("SchedulingGated", "1"),
        ("Another scheduler", "1"),
    ]


def test_rows_tell_the_next_try_as_far_as_it_is_known(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    said = text(signed_in_client, QUEUE)

    # Three failures rest four seconds, and to the end of the second.
    assert "Backoff Rejected before; fits now. not before 09:00:05 UTC at least 3 attempts, last 0s" in said
    assert "Unschedulable when requeued, at most 5m30s later tried at an unknown time NodeResourcesFit" in said
    assert "Unschedulable when requeued, else by 09:01:27 UTC at least 4 attempts, last 4m3s NodeResourcesFit" in said
    assert "Active in its turn no attempt recorded" in said


def test_the_page_of_a_pending_pod_says_after_the_verdict_where_it_stands(
    tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", few())

    for name, age, stands in [
        ("newer-but-urgent", "30s", "Queue Active Rank 1 Next attempt in its turn Attempts no attempt recorded"),
        (
            "resting",
            "60m",
            "Queue Backoff Rank 3 Next attempt not before 09:00:05 UTC Attempts at least 3 attempts, last 0s",
        ),
        ("render", "90m", "Queue Another scheduler Next attempt not known"),
    ]:
        page = f"/clusters/shop/pods/shop/{name}/"
        html = signed_in_client.get(page).text
        assert f"Pending for {age} Queue Workload" in text(signed_in_client, page)
        assert html.index('class="verdict-sentence"') < html.index('class="pod-facts"')
        (later,) = re.findall(r'hx-get="([^"]+)" hx-trigger="load"><a [^>]*>Queue<', html)
        assert text(signed_in_client, unescape(later)).strip() == stands


def test_what_requeues_pods_is_told_by_plugin(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    said = text(signed_in_client, QUEUE)

    assert "a pod is deleted Pod/Delete a pod requests less" in said
    assert "TaintToleration" not in said


def test_nominated_pods_show_their_node(tmp_path: Path, signed_in_client: Client) -> None:
    waiting = pod("chosen", cpu="2", priority=100, status={**unschedulable(LACKS_CPU), "nominatedNodeName": "ash"})
    load(tmp_path, "shop", [node("ash", "north", cpu="2"), pod("small", cpu="1", nodeName="ash"), waiting, pod("new")])

    assert "Nominated ash" in text(signed_in_client, f"{QUEUE}?state=nominated")
    assert names(signed_in_client, "?state=nominated") == ["chosen"]


def test_gates_that_are_gone_do_not_count_as_an_attempt(tmp_path: Path, signed_in_client: Client) -> None:
    status = unschedulable("Scheduling is blocked due to non-empty scheduling gates")
    load(tmp_path, "shop", [node("ash", "north"), pod("opened", cpu="99", status=status)])

    assert names(signed_in_client, "?state=active") == ["opened"]


def test_without_nodes_no_plugin_is_to_blame_and_a_foreign_one_may_be(tmp_path: Path, signed_in_client: Client) -> None:
    tried = pod("tried", status=unschedulable("no nodes available to schedule pods"))
    load(tmp_path, "shop", [tried])
    assert names(signed_in_client, "?state=active") == ["tried"]

    cluster = load(tmp_path, "shop", [node("ash", "north"), tried])
    assert "Rejected before; fits now." in text(signed_in_client, f"{QUEUE}?state=active")
    foreign = {"enabled": [{"name": "Coscheduling"}]}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"filter": foreign}}],
    }
    Cluster.objects.filter(pk=cluster.pk).update(chosen_configuration=configuration)
    assert names(signed_in_client, "?state=unschedulable") == ["tried"]
    assert "Uncertain: the plugin Coscheduling is not part of Kubernetes" in text(signed_in_client, QUEUE)


def test_filter_hides_the_rest_and_keeps_the_ranks(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    for query, left in [
        ("state=unschedulable", ["urgent", "first-tried", "then-tried"]),
        ("state=gated", ["audit"]),
        ("priority=1000", ["newer-but-urgent", "urgent"]),
        ("q=tried", ["first-tried", "then-tried"]),
        ("q=shop/aud", ["audit"]),
        ("q=nothing", []),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=nowhere&state=backoff", []),
    ]:
        assert names(signed_in_client, f"?{query}") == left
        assert " pending pods shown. " in text(signed_in_client, f"{QUEUE}?{query}")


def test_file_holds_the_queue_in_its_order(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", few())

    response = signed_in_client.get("/clusters/shop/pending/queue.csv?priority=10")

    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert response["Content-Disposition"] == 'attachment; filename="shop-queue.csv"'
    assert [(row["rank"], row["pod"], row["state"], row["rejected by"]) for row in rows] == [
        ("5", "first-tried", "Unschedulable", "NodeResourcesFit"),
        ("6", "then-tried", "Unschedulable", "NodeResourcesFit"),
    ]
    assert rows[0]["by"] == "2026-01-01T09:01:27Z"
    assert rows[0]["created"].endswith("Z")


def test_long_queues_are_paged(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("ash", "north"), *(pod(f"p-{number:03}", priority=number) for number in range(60))])

    assert names(signed_in_client) == [f"p-{number:03}" for number in range(59, 9, -1)]
    assert names(signed_in_client, "?page=2") == [f"p-{number:03}" for number in range(9, -1, -1)]


def test_attempts_of_a_live_cluster_count_as_soon_as_they_are_heard_of() -> None:
    forget_snapshots()
    cluster, lease = followed_cluster()
    apply(lease, put=(node("ash", "north"), pod("large", cpu="9")))
    cluster.refresh_from_db()
    assert [queued.attempts for queued in queue_of(cluster=cluster).pods] == [None]

    apply(lease, put=(failure("large", count=2, last="09:00:00"),))

    cluster.refresh_from_db()
    (queued,) = queue_of(cluster=cluster).pods
    assert queued.attempts is not None
    assert queued.attempts.count == 2
