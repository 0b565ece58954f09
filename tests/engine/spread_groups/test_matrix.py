"""Pods by workload and zone."""

from __future__ import annotations

import pytest

from clusters.engine import Snapshot
from clusters.engine.owners import Workload
from clusters.engine.spreading import workload_matrix
from tests.engine.builders import Document, a_node, a_pod

OWNERS = {
    "web": ("apps/v1", "ReplicaSet", "web-7d9", {"pod-template-hash": "7d9"}, ("Deployment", "web")),
    "rollout": ("apps/v1", "ReplicaSet", "rollout-5f", {}, ("ReplicaSet", "rollout-5f")),
    "other": ("apps/v1", "ReplicaSet", "other", {"pod-template-hash": "x1"}, ("ReplicaSet", "other")),
    "db": ("apps/v1", "StatefulSet", "db", {}, ("StatefulSet", "db")),
    "agent": ("apps/v1", "DaemonSet", "agent", {}, ("DaemonSet", "agent")),
    "pi": ("batch/v1", "Job", "pi", {}, ("Job", "pi")),
    "kept": ("v1", "ReplicationController", "kept", {}, ("ReplicationController", "kept")),
}


def owned(name: str, owner: str, node: str | None = None) -> Document:
    version, kind, controller, labels, _ = OWNERS[owner]
    pod = a_pod(name, node=node, labels=labels)
    reference = {"apiVersion": version, "kind": kind, "name": controller, "uid": controller, "controller": True}
    pod["metadata"]["ownerReferences"] = [{"kind": "Noise", "name": "noise", "uid": "noise"}, reference]
    return pod


@pytest.mark.parametrize("owner", OWNERS)
def test_what_a_workload_is_called(owner: str) -> None:
    snapshot = Snapshot.from_objects([a_node("n", zone="a"), owned("p", owner, "n")])

    assert workload_matrix(snapshot).workloads == (Workload("default", *OWNERS[owner][-1]),)


def test_pods_by_zone_the_largest_workload_first() -> None:
    snapshot = Snapshot.from_objects(
        [
            a_node("b1", zone="b"),
            a_node("a1", zone="a"),
            a_node("nowhere"),
            a_node("blank", zone=""),
            owned("web-1", "web", "a1"),
            owned("web-2", "web", "b1"),
            owned("web-3", "web", "b1"),
            owned("db-0", "db", "nowhere"),
            owned("db-1", "db", "blank"),
            a_pod("bare", node="a1"),
            owned("lost", "web", "no-such-node"),
        ]
    )
    matrix = workload_matrix(snapshot, [owned("web-4", "web"), owned("pi-1", "pi")])

    assert matrix.zones == ("a", "b", "")
    assert matrix.workloads == (
        Workload("default", "Deployment", "web"),
        Workload("default", "StatefulSet", "db"),
        Workload("default", "", ""),
        Workload("default", "Job", "pi"),
    )
    assert matrix.placed.tolist() == [[1, 2, 0], [0, 0, 2], [1, 0, 0], [0, 0, 0]]
    assert matrix.pending.tolist() == [1, 0, 0, 1]


def test_an_empty_cluster_has_an_empty_matrix() -> None:
    matrix = workload_matrix(Snapshot())

    assert (matrix.zones, matrix.workloads, matrix.placed.shape) == (("",), (), (0, 1))
