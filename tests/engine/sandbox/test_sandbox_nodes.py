"""Nodes of a sandbox: duplicated, cordoned, failing, recovered, and gone."""

from __future__ import annotations

import pytest

from clusters.engine import sandbox as nodes
from clusters.engine.lessons import SituationError
from clusters.engine.sandbox import SandboxCluster, WorkloadFields, WorkloadKind, run_queue
from clusters.engine.simulation.changes.problems import NoSuchNode
from tests.engine.lessons.clusters import node, pod
from tests.engine.sandbox.sandboxes import built, nodes_of, pods_of, scheduled

WEB = WorkloadFields(WorkloadKind.DEPLOYMENT, "web", "1", "64Mi", replicas=4).manifests()
AGENT = WorkloadFields(WorkloadKind.DAEMON_SET, "agent", "100m", "64Mi").manifests()


def taints(cluster: SandboxCluster, name: str) -> list[str]:
    snapshot = cluster.situation.snapshot
    return [str(each) for each in snapshot.nodes.nodes[snapshot.nodes.index[name]].taints]


def test_a_duplicate_has_the_next_name_and_the_pods_of_daemon_sets() -> None:
    cluster = scheduled(node("small-1", labels={"disk": "ssd"}), node("small-2"), *AGENT)
    name, objects = nodes.duplicated(cluster, "small-1")

    assert name == "small-3"
    found = SandboxCluster(objects)
    assert found.situation.snapshot.nodes.nodes[2].labels["disk"] == "ssd"
    assert nodes_of(found, "agent") == ["small-1", "small-2", ""]
    assert nodes.duplicated(built(node("large")), "large")[0] == "large-2"


def test_a_cordoned_node_takes_no_pods_until_it_is_uncordoned() -> None:
    cluster = SandboxCluster(nodes.cordoned(built(node("a"), *WEB), "a", is_cordoned=True))
    assert taints(cluster, "a") == ["node.kubernetes.io/unschedulable:NoSchedule"]
    assert set(nodes_of(SandboxCluster(run_queue(cluster).objects), "web")) == {""}

    after = SandboxCluster(nodes.cordoned(cluster, "a", is_cordoned=False))
    assert taints(after, "a") == []
    # Also where the file from which it came has the taint, as the API server returns it.
    exported = built(*cluster.situation.objects)
    assert taints(SandboxCluster(nodes.cordoned(exported, "a", is_cordoned=False)), "a") == []


def test_a_node_that_fails_is_tainted_and_evicts_what_does_not_tolerate_that_for_ever() -> None:
    cluster = scheduled(node("a", zone="x"), node("b", zone="y"), *WEB, *AGENT, pod("bare", on="a"))
    failed = SandboxCluster(nodes.failing(cluster, "a", is_failing=True))
    assert taints(failed, "a") == [
        "node.kubernetes.io/not-ready:NoSchedule",
        "node.kubernetes.io/not-ready:NoExecute",
    ]
    assert nodes_of(failed, "web").count("a") == nodes_of(cluster, "web").count("a")

    evicted = SandboxCluster(nodes.evicted(failed, "a"))
    assert "a" not in nodes_of(evicted, "web")
    assert len(pods_of(evicted, "web")) == 4
    assert sorted(nodes_of(evicted, "agent")) == ["a", "b"]
    assert pods_of(evicted, "bare") == []
    assert taints(SandboxCluster(nodes.failing(evicted, "a", is_failing=False)), "a") == []


def test_where_no_node_is_ready_none_evicts() -> None:
    cluster = SandboxCluster(nodes.failing(scheduled(node("a"), *WEB), "a", is_failing=True))

    assert taints(cluster, "a") == ["node.kubernetes.io/not-ready:NoSchedule"]
    assert nodes.evicted(cluster, "a") == cluster.objects


def test_the_pods_of_a_node_that_is_gone_are_recreated_by_their_controllers() -> None:
    cluster = scheduled(node("a"), node("b"), *WEB, *AGENT, pod("bare", on="a"))
    after = SandboxCluster(nodes.without_node(cluster, "a"))

    assert sorted(nodes_of(after, "web")) == ["", "", "b", "b"]
    assert nodes_of(after, "agent") == ["b"]
    assert pods_of(after, "bare") == []


def test_a_node_that_is_not_there_is_named() -> None:
    cluster = built(node("a"))
    for act in (nodes.without_node, nodes.evicted, nodes.duplicated):
        with pytest.raises(SituationError) as error:
            act(cluster, "gone")
        assert error.value.problem == NoSuchNode("gone", ("a",), 1)
