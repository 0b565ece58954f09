"""The columns that a cluster's picture is drawn from, against the snapshot."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.mirror.state import utilisation_of
from clusters.wording.amounts import percent
from dashboard.pictures import cluster as cluster_picture
from tests.support.decision_cluster import ZONE, node, pod
from tests.support.mirrored import load, load_demo

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def picture_of(cluster: Cluster) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(cluster_picture.picture_of(utilisation_of(cluster=cluster), cluster.revision))
    return found


@pytest.fixture
def demo(tmp_path: Path) -> Cluster:
    return load_demo(tmp_path)


def test_picture_holds_every_node_and_pod_as_the_snapshot_does(demo: Cluster) -> None:
    picture = picture_of(demo)
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


def test_picture_names_the_gravest_state(tmp_path: Path) -> None:
    dead = node("b", "north", unschedulable=True)
    dead["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    leaving = pod("web", nodeName="a")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    shop = load(tmp_path, "shop", [node("a", "north"), dead, node("c", "north", unschedulable=True), leaving])

    picture = picture_of(shop)

    assert [picture["nodeStates"][state][0] for state in picture["nodes"]["state"]] == ["open", "not-ready", "cordoned"]
    assert [picture["podStates"][state][1] for state in picture["pods"]["state"]] == ["terminating"]


def test_beyond_a_limit_pods_are_not_drawn(demo: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_picture, "NODES_WITH_PODS", 10)

    assert picture_of(demo)["pods"] is None


def test_picture_of_a_large_cluster_stays_small(tmp_path: Path) -> None:
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
    large = load(tmp_path, "large", [*nodes, *pods])

    content = gzip.compress(cluster_picture.picture_of(utilisation_of(cluster=large), large.revision))

    # 5,000 of them stay below 60 KB by far.
    assert len(content) < 10_000
