"""Objects of a sandbox put in place, edited and taken away, and what their controllers and the API server do."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import sandbox as nodes
from clusters.engine.lessons import ObjectName, SituationError
from clusters.engine.lessons.problems import PodIsRefused
from clusters.engine.problems import NoSuchObject
from clusters.engine.sandbox import (
    MOST_ACTS,
    ActKind,
    Apart,
    NodeFields,
    SandboxCluster,
    SandboxHistory,
    Spread,
    WorkloadFields,
    WorkloadKind,
    explain_attempt,
    last_message,
    put,
    removed,
    run_queue,
)
from clusters.engine.simulation import Outcome
from clusters.engine.taints import Taint
from tests.engine.lessons.clusters import node, pod, priority_class
from tests.engine.sandbox.sandboxes import built, nodes_of, pods_of, scheduled
from tests.support.answers import error_of, known


def deployment(name: str, replicas: int, cpu: str = "1") -> list[Any]:
    return WorkloadFields(WorkloadKind.DEPLOYMENT, name, cpu, "64Mi", replicas=replicas).manifests()


def test_another_number_of_replicas_keeps_the_pods_that_are_there() -> None:
    cluster = built(node("a"), *deployment("web", 3))
    before = {each["metadata"]["name"] for each in pods_of(cluster, "web")}

    more = SandboxCluster(put(cluster, deployment("web", 5)).objects)
    fewer = SandboxCluster(put(cluster, deployment("web", 1)).objects)
    assert {each["metadata"]["name"] for each in pods_of(more, "web")} > before
    assert len(pods_of(more, "web")) == 5
    assert len(pods_of(fewer, "web")) == 1


def test_another_template_creates_all_pods_anew() -> None:
    cluster = built(node("a"), *deployment("web", 3))
    before = {each["metadata"]["name"] for each in pods_of(cluster, "web")}
    after = SandboxCluster(put(cluster, deployment("web", 3, cpu="2")).objects)

    assert len(pods_of(after, "web")) == 3
    assert not before & {each["metadata"]["name"] for each in pods_of(after, "web")}


def test_who_removes_a_workload_removes_all_that_it_created() -> None:
    cluster = built(node("a"), *deployment("web", 3), *deployment("api", 1))
    after = removed(cluster, ObjectName("Deployment", "default", "web"))

    assert {str(name) for name in after if "web" in name.name} == set()
    assert [name.kind for name in after if "api" in name.name] == ["Deployment", "ReplicaSet", "Pod"]


def test_a_pod_that_is_removed_is_recreated_by_its_controller_and_not_otherwise() -> None:
    cluster = built(node("a"), *deployment("web", 1), pod("bare"))
    [web] = [name for name in cluster.objects if name.kind == "Pod" and name.name.startswith("web")]

    recreated = SandboxCluster(removed(cluster, web))
    assert web not in recreated.objects
    assert len(pods_of(recreated, "web")) == 1
    assert not pods_of(SandboxCluster(removed(cluster, ObjectName("Pod", "default", "bare"))), "bare")


def test_a_daemon_set_has_a_pod_for_each_node_and_for_those_that_come() -> None:
    agent = WorkloadFields(WorkloadKind.DAEMON_SET, "agent", "100m", "64Mi").manifests()
    cluster = built(node("a"), node("b"), *agent)
    assert len(pods_of(cluster, "agent")) == 2

    more = SandboxCluster(put(cluster, [NodeFields("c", "4", "8Gi").manifest()]).objects)
    assert [each["metadata"]["name"] for each in pods_of(more, "agent")] == ["agent-a", "agent-b", "agent-c"]
    # A node that is edited is none that came.
    again = put(more, [NodeFields("c", "8", "8Gi").manifest()]).objects
    assert len(pods_of(SandboxCluster(again), "agent")) == 3


def test_what_the_api_server_refuses_is_not_taken_and_says_why() -> None:
    cluster = built(node("a"))
    error = error_of(SituationError, put, cluster, [pod("urgent", priorityClassName="urgent")])
    assert isinstance(error.problem, PodIsRefused)
    assert error.subject == ObjectName("Pod", "default", "urgent")

    assert error_of(SituationError, put, cluster, [pod("lost", on="gone")]).field == "spec.nodeName"


def test_a_quota_lets_a_controller_create_as_many_pods_as_it_has_room_for() -> None:
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": "default"},
        "spec": {"hard": {"pods": "2"}},
    }
    found = put(built(node("a"), quota), deployment("web", 3))

    assert len(pods_of(SandboxCluster(found.objects), "web")) == 2
    assert len(found.refused) == 1
    with pytest.raises(SituationError):
        put(SandboxCluster(found.objects), [pod("one-more")])


def test_a_daemon_set_whose_pods_are_refused_by_now_is_named() -> None:
    agent = WorkloadFields(WorkloadKind.DAEMON_SET, "agent", "100m", "64Mi").manifests()
    limits = {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "large", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", "min": {"cpu": "1"}}]},
    }
    cluster = SandboxCluster(put(built(node("a"), *agent), [limits]).objects)
    assert error_of(SituationError, put, cluster, [NodeFields("b", "4", "8Gi").manifest()]).subject == ObjectName(
        "DaemonSet", "default", "agent"
    )


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

    assert taints(SandboxCluster(nodes.cordoned(cluster, "a", is_cordoned=False)), "a") == []
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
        assert error_of(SituationError, act, cluster, "gone").problem == NoSuchObject("Node", "gone", ("a",), 1)


DEDICATED = Taint("dedicated", "db", "NoSchedule")
NODES = (
    NodeFields("a-1", "4", "8Gi", zone="a").manifest(),
    NodeFields("a-2", "4", "8Gi", zone="a", gpus=2, labels={"disk": "ssd"}).manifest(),
    NodeFields("b-1", "4", "8Gi", zone="b", taint=DEDICATED).manifest(),
)


def placed(name: str = "web", **fields: Any) -> list[str]:
    """Return the nodes of the pods of a workload, empty for those that are pending."""
    asked = WorkloadFields(**{"kind": WorkloadKind.DEPLOYMENT, "name": name, "cpu": "100m", "memory": "64Mi", **fields})
    return sorted(nodes_of(scheduled(*NODES, *asked.manifests()), name))


@pytest.mark.parametrize(
    ("fields", "pending", "on"),
    [
        ({"gpus": 1, "replicas": 3}, 1, {"a-2"}),
        ({"node_selector": {"disk": "ssd"}}, 0, {"a-2"}),
        ({"zones": ("b",)}, 1, set()),
        ({"zones": ("b",), "tolerates": DEDICATED}, 0, {"b-1"}),
        ({"zones": ("b",), "tolerates": Taint("dedicated", "", "NoSchedule")}, 0, {"b-1"}),
        ({"apart": Apart.NODES, "replicas": 3}, 1, {"a-1", "a-2"}),
        ({"apart": Apart.NODES_PREFERRED, "replicas": 2}, 0, {"a-1", "a-2"}),
        ({"apart": Apart.ZONES, "replicas": 3, "tolerates": DEDICATED}, 1, {"a-1", "a-2", "b-1"}),
        ({"spread": Spread.ZONES, "replicas": 3}, 2, {"a-1", "a-2"}),
        ({"spread": Spread.ZONES_PREFERRED, "replicas": 3}, 0, {"a-1", "a-2"}),
        ({"spread": Spread.NODES, "replicas": 2, "zones": ("a",)}, 0, {"a-1", "a-2"}),
        ({"near": "nobody"}, 1, set()),
        ({"near": "web"}, 0, {"a-1", "a-2"}),
        ({"kind": WorkloadKind.DAEMON_SET}, 0, {"a-1", "a-2"}),
        ({"kind": WorkloadKind.POD, "cpu": "", "memory": ""}, 0, {"a-1", "a-2"}),
    ],
)
def test_each_field_decides_where_pods_go(fields: dict[str, Any], pending: int, on: set[str]) -> None:
    found = placed(**fields)

    assert found.count("") == pending
    assert set(found) - {""} <= on


@pytest.mark.parametrize("fields", [{"apart": Apart.NODES}, {"apart": Apart.NODES_PREFERRED}, {"spread": Spread.NODES}])
def test_pods_that_keep_apart_are_on_nodes_of_their_own(fields: dict[str, Any]) -> None:
    assert placed(replicas=2, zones=("a",), **fields) == ["a-1", "a-2"]


def test_priority_and_budget_come_with_the_workload() -> None:
    fields = WorkloadFields(WorkloadKind.DEPLOYMENT, "web", "1", "64Mi", priority=-5, available=2, namespace="shop")
    priority, deployment, budget = fields.manifests()

    assert (priority["value"], priority["metadata"]["name"]) == (-5, "priority-minus-5")
    assert deployment["spec"]["template"]["spec"]["priorityClassName"] == "priority-minus-5"
    assert budget["spec"] == {"minAvailable": 2, "selector": {"matchLabels": {"app": "web"}}}
    assert budget["metadata"] == {"name": "web", "namespace": "shop"}


def one_more(history: SandboxHistory) -> SandboxHistory:
    return history.scheduled(run_queue(SandboxCluster(history.run_base), history.run_attempts + 1))


def test_a_pod_that_no_node_takes_keeps_the_words_of_the_scheduler() -> None:
    after = scheduled(node("a"), pod("huge", cpu="64"))
    [huge] = pods_of(after, "huge")

    assert last_message(huge).startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert last_message(huge) == after.explain("default/huge").message


def test_one_attempt_after_the_other_ends_as_all_at_once_do() -> None:
    full = scheduled(node("a"), *WorkloadFields(WorkloadKind.DEPLOYMENT, "low", "2", "64Mi", replicas=3).manifests())
    more = [priority_class("high", 1000), pod("vip", cpu="3", priorityClassName="high"), pod("small", cpu="1")]
    history = SandboxHistory(put(full, more).objects)
    whole = history.scheduled(run_queue(SandboxCluster(history.run_base)))
    steps = [history]
    while (after := one_more(steps[-1])) is not steps[-1]:
        steps.append(after)

    assert steps[-1].objects == whole.objects
    assert [attempt for act in steps[-1].acts for attempt in act.attempts] == list(whole.acts[-1].attempts)
    # Each is taken back by itself.
    for before, after in pairwise(steps):
        assert after.undone().objects == before.objects


def test_the_attempt_of_a_pod_is_found_with_the_cluster_in_which_it_was_made() -> None:
    history = one_more(one_more(SandboxHistory(built(node("a"), pod("one"), pod("two")).objects)))
    found = known(history.attempt_of("default/two"))

    explanation = explain_attempt(SandboxCluster(found.objects), found.attempt.number)
    # The first one is on the node by then.
    assert explanation.snapshot.placed_on("default/one") == "a"
    assert history.attempt_of("default/three") is None
    assert history.undone().attempt_of("default/two") is None


def test_so_many_acts_are_remembered_and_what_was_done_before_stays_done() -> None:
    history = SandboxHistory(built(node("a"), pod("web")).objects)
    history = one_more(history)
    for number in range(MOST_ACTS):
        objects = put(SandboxCluster(history.base), [priority_class(f"class-{number}", number)]).objects
        history = history.done(ActKind.ADDED, f"class-{number}", {**history.objects, **objects})

    assert len(history.acts) == MOST_ACTS
    assert len([name for name in history.objects if name.kind == "PriorityClass"]) == MOST_ACTS


@settings(max_examples=15)
@given(
    replicas=st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["500m", "1", "3", "9"])), min_size=1, max_size=3),
    nodes=st.integers(0, 3),
    most=st.integers(0, 6),
)
def test_what_is_pending_is_what_no_attempt_placed(replicas: list[tuple[int, str]], nodes: int, most: int) -> None:
    workloads = [
        manifest
        for number, (count, cpu) in enumerate(replicas)
        for manifest in WorkloadFields(WorkloadKind.DEPLOYMENT, f"w{number}", cpu, "64Mi", replicas=count).manifests()
    ]
    cluster = built(*(node(f"n{number}") for number in range(nodes)), *workloads)
    run = run_queue(cluster, most)
    after = SandboxCluster(run.objects)

    assert len(run.attempts) <= most
    assert set(after.objects) == set(cluster.objects)
    placed = {attempt.pod for attempt in run.attempts if attempt.outcome is Outcome.PLACED}
    pending = {f"default/{each['metadata']['name']}" for each in after.situation.pending}
    assert placed.isdisjoint(pending)
    assert placed | pending == set(after.pods)


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        (["v1.34.1"], "1 node(s) had untolerated taint {k: v}"),
        (["v1.34.1", "v1.34.9+k3s1"], "2 node(s) had untolerated taint(s)"),
    ],
)
def test_the_patch_of_the_newest_kubelet_decides(versions: list[str], said: str) -> None:
    taints = [{"key": "k", "value": "v", "effect": "NoSchedule"}]
    tainted = [node(f"n{number}", taints=taints) for number in range(len(versions))]
    for each, version in zip(tainted, versions, strict=True):
        each["status"]["nodeInfo"] = {"kubeletVersion": version}

    assert said in str(built(*tainted, pod("web")).explain("default/web").message)
