"""The columns that a cluster's picture is drawn from, against the snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.services.mirror.snapshots import forget_snapshots, snapshot_of
from clusters.wording.amounts import percent
from dashboard.pictures import cluster as cluster_picture
from tests.clusters.live_batches import apply, followed_cluster
from tests.dashboard.rows import a_cluster
from tests.support.decision_cluster import ZONE, node, pod
from tests.support.mirrored import load, load_demo

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def demo(tmp_path: Path) -> Cluster:
    return load_demo(tmp_path)


def test_picture_holds_every_node_and_pod_as_the_snapshot_does(demo: Cluster, signed_in_client: Client) -> None:
    picture = signed_in_client.get("/clusters/demo/picture/").json()
    snapshot = snapshot_of(demo)
    nodes, pods = picture["nodes"], picture["pods"]
    zones = [zone["name"] for zone in picture["zones"] for _ in range(zone["nodes"])]

    assert sorted(nodes["name"]) == snapshot.nodes.names
    assert list(zip(zones, nodes["name"], strict=True)) == sorted(zip(zones, nodes["name"], strict=True))
    for place, name in enumerate(nodes["name"]):
        row = snapshot.nodes.index[name]
        requested, allocatable = snapshot.nodes.requested[row, 0], snapshot.nodes.allocatable[row, 0]
        assert percent(int(requested), int(allocatable)) in (f"{nodes['cpu'][place]} %", "< 1 %")
        assert picture["sizes"][nodes["size"][place]][2] == allocatable
        assert zones[place] == snapshot.nodes.nodes[row].labels[ZONE]
    on = [name for name, count in zip(nodes["name"], pods["count"], strict=True) for _ in range(count)]
    keys = [f"{pods['namespaces'][space]}/{name}" for space, name in zip(pods["namespace"], pods["name"], strict=True)]
    assert dict(zip(keys, on, strict=True)) == {
        key: snapshot.placed_on(key) for key in snapshot.pods.slot_of if snapshot.placed_on(key)
    }
    assert nodes["pods"] == pods["count"]


def test_picture_names_the_gravest_state(tmp_path: Path, signed_in_client: Client) -> None:
    dead = node("b", "north", unschedulable=True)
    dead["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    leaving = pod("web", nodeName="a")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    load(tmp_path, "shop", [node("a", "north"), dead, node("c", "north", unschedulable=True), leaving])

    picture = signed_in_client.get("/clusters/shop/picture/").json()

    assert [picture["nodeStates"][state][0] for state in picture["nodes"]["state"]] == ["open", "not-ready", "cordoned"]
    assert [picture["podStates"][state][1] for state in picture["pods"]["state"]] == ["terminating"]


def test_picture_is_asked_for_again_only_when_the_cluster_changed(signed_in_client: Client) -> None:
    _, lease = followed_cluster()
    forget_snapshots()
    apply(lease, put=(node("ash", "north"),))
    first = signed_in_client.get("/clusters/prod/picture/")

    same = signed_in_client.get("/clusters/prod/picture/", headers={"If-None-Match": first.headers["ETag"]})
    apply(lease, put=(pod("web", nodeName="ash"),))
    other = signed_in_client.get("/clusters/prod/picture/", headers={"If-None-Match": first.headers["ETag"]})

    assert same.status_code == 304
    assert other.status_code == 200
    assert other.json()["pods"]["name"] == ["web"]
    assert signed_in_client.get("/clusters/none/picture/").status_code == 404


def test_strangers_see_no_picture(client: Client) -> None:
    a_cluster()

    assert client.get("/clusters/prod/picture/").headers["Location"].startswith("/sign-in/")


def test_beyond_a_limit_pods_are_not_drawn(
    demo: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_picture, "NODES_WITH_PODS", 10)

    assert signed_in_client.get("/clusters/demo/picture/").json()["pods"] is None


def test_picture_of_a_large_cluster_stays_small(tmp_path: Path, signed_in_client: Client) -> None:
    """Names as clouds give them, a hash of the pool and a random end, and amounts without a pattern."""
    names = [
        f"gke-prod-pool-{number % 21}-{number % 21 * 2654435761 % 2**32:08x}-{number * 48271 % 2**20:05x}"
        for number in range(1_000)
    ]
    nodes = [node(name, f"z{number % 3}", cpu="32") for number, name in enumerate(names)]
    pods = [
        pod(f"p{number}", cpu=f"{1000 + number * 7919 % 30000}m", memory=f"{number * 104729 % 8000}Mi", nodeName=name)
        for number, name in enumerate(names)
    ]
    load(tmp_path, "large", [*nodes, *pods])

    answer = signed_in_client.get("/clusters/large/picture/", headers={"Accept-Encoding": "gzip"})

    assert answer.headers["Content-Encoding"] == "gzip"
    # 5,000 of them stay below 60 KB by far.
    assert len(answer.content) < 10_000
