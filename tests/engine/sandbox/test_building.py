"""Objects of a sandbox put in place, edited and taken away, and what their controllers and the API server do."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import ObjectName, SituationError
from clusters.engine.lessons.problems import PlacedPodRefused
from clusters.engine.sandbox import NodeFields, SandboxCluster, WorkloadFields, WorkloadKind, imported, put, removed
from tests.engine.lessons.clusters import node, pod
from tests.engine.sandbox.sandboxes import built, pods_of


def deployment(name: str, replicas: int, cpu: str = "1") -> list[Any]:
    return WorkloadFields(WorkloadKind.DEPLOYMENT, name, cpu, "64Mi", replicas=replicas).manifests()


def test_a_deployment_creates_its_replica_set_and_pods_in_the_order_of_the_queue() -> None:
    cluster = built(node("a"), *deployment("web", 11))
    pods = pods_of(cluster, "web")
    created = [each["metadata"]["creationTimestamp"] for each in pods]

    assert [name.kind for name in cluster.objects].count("ReplicaSet") == 1
    assert len(pods) == 11
    assert created == sorted(set(created))
    # What the API server adds is there: each tolerates failing nodes for five minutes.
    assert all(len(each["spec"]["tolerations"]) == 2 for each in pods)
    assert not any(each["metadata"].get("uid", "").startswith("imagined") for each in cluster.objects.values())


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
    with pytest.raises(SituationError) as error:
        put(cluster, [pod("urgent", priorityClassName="urgent")])
    assert isinstance(error.value.problem, PlacedPodRefused)
    assert error.value.subject == ObjectName("Pod", "default", "urgent")

    with pytest.raises(SituationError) as error:
        put(cluster, [pod("lost", on="gone")])
    assert error.value.field == "spec.nodeName"


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
    with pytest.raises(SituationError) as error:
        put(cluster, [NodeFields("b", "4", "8Gi").manifest()])
    assert error.value.subject == ObjectName("DaemonSet", "default", "agent")


def test_what_was_read_from_a_file_with_its_pods_creates_no_others() -> None:
    cluster = built(node("a"), *deployment("web", 3))
    again = imported(cluster.situation.objects)

    assert set(again.objects) >= set(cluster.objects)
    assert len(pods_of(SandboxCluster(again.objects), "web")) == 3


def test_a_world_in_which_nothing_happened_changes_nothing() -> None:
    cluster = built(node("a"), *deployment("web", 3), pod("elsewhere", schedulerName="another"))

    assert cluster.after(cluster.world()) == cluster.objects
