"""DaemonSets on nodes that are changed: pods come where they begin to run, and go where they stop."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.simulation import ChangeError, Simulation
from clusters.engine.simulation.changes.problems import NoPodToCopy
from tests.engine.builders import a_node
from tests.engine.simulation.changing import a_workload, after, owned, texts, wanted

CREATED = "1 pod of 1 DaemonSet are created on nodes that it did not run on."
DELETED = "1 pod of 1 DaemonSet are deleted on nodes that it runs on no longer."


def agents(**pod: Any) -> dict[str, Any]:
    return a_workload("DaemonSet", "agent", pod=pod)


def on(name: str, **more: Any) -> dict[str, Any]:
    """A pod of the DaemonSet on a node, as its controller ties it to it."""
    field = {"key": "metadata.name", "operator": "In", "values": [name]}
    term = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": term}}
    return owned(f"agent-{name}", "agent", name, kind="DaemonSet", affinity=affinity, **more)


SSD = agents(nodeSelector={"disk": "ssd"})
REQUIRED = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd", "nvme"]}]}]}
AFFINE = agents(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": REQUIRED}})
LABEL = {"change": "label-nodes", "nodes": ["n1"], "labels": {"disk": "ssd"}}
UNLABEL = {"change": "label-nodes", "nodes": ["n1"], "labels": {"disk": None}}


@pytest.mark.parametrize("daemon_set", [SSD, AFFINE])
def test_a_label_brings_a_pod_to_the_node_that_it_makes_eligible(daemon_set: dict[str, Any]) -> None:
    made = after([a_node("n1"), a_node("n2"), daemon_set], LABEL)

    (step,) = Simulation(made.case)
    assert (step.pod, step.node) == ("default/agent-n1", "n1")
    assert texts(made) == [CREATED]


def test_a_label_that_makes_nothing_eligible_says_nothing() -> None:
    # What should run there already and does not is for the cluster to make.
    nodes = [a_node("n1", labels={"disk": "ssd"}), a_node("n2")]
    made = after([*nodes, SSD], {**LABEL, "labels": {"disk": "ssd", "tier": "gold"}})
    assert (wanted(made.case), texts(made)) == ([], [])


@pytest.mark.parametrize("daemon_set", [SSD, AFFINE])
def test_a_label_that_goes_takes_the_pod_with_it(daemon_set: dict[str, Any]) -> None:
    made = after([a_node("n1", labels={"disk": "ssd"}), daemon_set, on("n1")], UNLABEL)

    assert made.case.placed == {}
    assert texts(made) == [DELETED]


def test_of_a_daemon_set_whose_template_is_not_known_a_pod_tells_where_it_runs() -> None:
    nodes = [a_node("n1"), a_node("n2", labels={"disk": "ssd"})]
    made = after([*nodes, on("n2", nodeSelector={"disk": "ssd"})], LABEL)
    assert wanted(made.case) == ["agent-n1"]


def test_taints_keep_new_pods_away_and_evict_those_that_do_not_tolerate_them() -> None:
    taint = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
    tainted = a_node("n1", taints=[taint])
    untaint = {"change": "taint-nodes", "nodes": ["n1"], "taints": [], "remove": ["gpu"]}

    assert wanted(after([tainted, agents()], untaint).case) == ["agent-n1"]
    kept = after([a_node("n1"), agents(), on("n1")], {**untaint, "taints": [taint], "remove": []})
    assert list(kept.case.placed) == ["default/agent-n1"]
    evicting = {**untaint, "taints": [{**taint, "effect": "NoExecute"}], "remove": []}
    gone = after([a_node("n1"), agents(), on("n1")], evicting)
    assert (gone.case.placed, wanted(gone.case)) == ({}, [])


def test_added_nodes_get_pods_by_the_template() -> None:
    add = {"change": "add-nodes", "count": 1, "cpu": "4", "memory": "8Gi", "labels": {"disk": "nvme"}}
    assert wanted(after([a_node("n1"), AFFINE], add).case) == ["agent-new-node-1"]
    assert wanted(after([a_node("n1"), SSD], add).case) == []


@pytest.mark.parametrize(
    ("kind", "spec", "names"),
    [
        ("Deployment", {"replicas": 0}, None),
        ("ReplicaSet", {"replicas": 0}, ["web-1", "web-2"]),
        ("StatefulSet", {"replicas": 0}, ["web-0", "web-1"]),
        ("Job", {"parallelism": 0, "completions": 4, "pod": {"restartPolicy": "Never"}}, ["web-1", "web-2"]),
    ],
)
def test_a_workload_without_pods_is_scaled_by_its_template(
    kind: str, spec: dict[str, Any], names: list[str] | None
) -> None:
    workload = a_workload(kind, **spec)
    scale = {"change": "scale", "kind": kind, "namespace": "default", "name": "web", "replicas": 2}
    made = after([a_node("n1"), workload], scale)

    assert names is None or wanted(made.case) == names
    assert [step.node for step in Simulation(made.case)] == ["n1", "n1"]
    # Down and up again: the template is still there.
    again = after([a_node("n1"), workload], scale, {**scale, "replicas": 0}, {**scale, "replicas": 1})
    assert len(wanted(again.case)) == 1


def test_pods_of_a_deployment_scaled_from_zero_belong_to_its_newest_replica_set() -> None:
    deployment = a_workload("Deployment", replicas=0)
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "uid-web", "controller": True}
    deployment["metadata"]["uid"] = "uid-web"
    sets = [
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": f"web-{hashed}",
                "namespace": "default",
                "uid": f"uid-{hashed}",
                "creationTimestamp": created,
                "labels": {"app": "web", "pod-template-hash": hashed},
                "ownerReferences": [owner],
            },
            "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "web", "pod-template-hash": hashed}}},
        }
        for hashed, created in (("old", "2026-01-01T00:00:00Z"), ("new", "2026-02-01T00:00:00Z"))
    ]
    scale = {"change": "scale", "kind": "Deployment", "namespace": "default", "name": "web", "by": 1}
    made = after([a_node("n1"), deployment, *sets], scale)

    (pod,) = [each.pod for each in made.case.wanted]
    assert pod["metadata"]["labels"] == {"app": "web", "pod-template-hash": "new"}
    assert [(each["name"], each["uid"]) for each in pod["metadata"]["ownerReferences"]] == [("web-new", "uid-new")]
    replicas = {each["metadata"]["name"]: each["spec"]["replicas"] for each in made.case.snapshot.objects("ReplicaSet")}
    assert replicas == {"web-new": 1, "web-old": 0}


def test_a_workload_without_pods_and_template_is_not_scaled() -> None:
    bare = {**a_workload("StatefulSet", replicas=0), "spec": {"replicas": 0}}
    scale = {"change": "scale", "kind": "StatefulSet", "namespace": "default", "name": "web", "replicas": 2}
    with pytest.raises(ChangeError) as caught:
        after([a_node("n1"), bare], scale)
    assert caught.value.problem == NoPodToCopy("StatefulSet default/web")
