from __future__ import annotations

import pytest

from clusters.models import Cluster, KubeObject
from clusters.services.mirror.state import Hit, search
from tests.dashboard.rows import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


def pods(cluster: Cluster, text: str, most: int = 10) -> list[str]:
    return [f"{hit.namespace}/{hit.name}" for hit in search(cluster=cluster, text=text, most=most).pods.hits]


def a_workload(cluster: Cluster, kind: str, name: str) -> None:
    KubeObject.objects.create(
        cluster=cluster, kind=kind, api_version="apps/v1", namespace="shop", name=name, uid=f"{kind}-{name}", object={}
    )


def test_whole_name_comes_before_its_beginning_and_that_before_a_part() -> None:
    cluster = a_cluster()
    for name in ("a-web", "web-1", "web", "cart"):
        a_pod(cluster, name)
    a_pod(cluster, "log", namespace="web")

    assert pods(cluster, "web") == ["shop/web", "shop/web-1", "shop/a-web", "web/log"]


def test_pending_pods_come_before_those_that_run_and_a_whole_name_before_all() -> None:
    cluster = a_cluster()
    for name, phase in (("web", "Succeeded"), ("web-done", "Succeeded"), ("web-runs", "Running")):
        a_pod(cluster, name, on="n1", phase=phase)
    a_pod(cluster, "a-web-pending")
    a_pod(cluster, "log", namespace="web")

    found = search(cluster=cluster, text="web", most=10).pods.hits

    assert [hit.name for hit in found] == ["web", "a-web-pending", "web-runs", "web-done", "log"]
    assert [hit.is_pending for hit in found] == [False, True, False, False, True]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("shop/eb", ["shop/web"]),
        ("ho/", ["shop/web", "shop/x_y"]),
        ("web ops", ["ops/web"]),
        ("WEB shop", ["shop/web"]),
        ("%", []),
        ("_", ["shop/x_y"]),
        ("\0", []),
        ("   ", []),
        ("/", []),
    ],
)
def test_every_word_has_to_be_there(text: str, found: list[str]) -> None:
    cluster = a_cluster()
    a_pod(cluster, "web")
    a_pod(cluster, "web", namespace="ops")
    a_pod(cluster, "x_y")

    assert pods(cluster, text) == found


def test_nodes_and_workloads_are_found_and_replica_sets_are_not() -> None:
    cluster = a_cluster()
    a_node(cluster, "web-node")
    a_workload(cluster, "Deployment", "web")
    a_workload(cluster, "ReplicaSet", "web-7f9")

    found = search(cluster=cluster, text="web", most=10)

    assert found.workloads.hits == (Hit("Deployment", "shop", "web"),)
    assert found.nodes.hits == (Hit("", "", "web-node"),)
    assert search(cluster=cluster, text="shop/web", most=10).nodes.hits == ()


def test_what_is_not_listed_is_counted_and_other_clusters_are_not() -> None:
    cluster, other = a_cluster(), a_cluster("other")
    for number in range(5):
        a_pod(cluster, f"web-{number}")
        a_pod(other, f"web-{number}")

    found = search(cluster=cluster, text="web", most=3).pods

    assert ([hit.name for hit in found.hits], found.total) == (["web-0", "web-1", "web-2"], 5)
