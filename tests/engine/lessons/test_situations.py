"""Situations are filled in as the components of a cluster would report them, and refused where they cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import (
    AnswerIsUncertain,
    ObjectName,
    PodHasNode,
    SituationError,
    SituationParts,
    UnsolvableError,
    build_situation,
)
from clusters.engine.lessons.problems import BudgetNotComputed, NoSuchPod, PlacedPodRefused, PodIsHeldBack, PodIsRefused
from clusters.engine.problems import NotOneOf
from clusters.engine.simulation.changes.problems import NoSuchNode
from clusters.engine.versions import NEWEST
from tests.engine.lessons.clusters import (
    Document,
    budget,
    node,
    owned,
    pod,
    priority_class,
    question,
    situation,
)


def kind_of(here: Any, kind: str) -> list[Document]:
    return [each for each in here.objects if each["kind"] == kind]


def taints_of(here: Any, name: str) -> set[str]:
    row = here.snapshot.nodes.index[name]
    return set(map(str, here.snapshot.nodes.nodes[row].taints))


def test_a_kubelet_reports_what_a_node_has() -> None:
    (found,) = kind_of(situation(node("a", capacity={"nvidia.com/gpu": "2"})), "Node")

    assert found["metadata"]["labels"] == {"kubernetes.io/hostname": "a"}
    status = found["status"]
    amounts = {"cpu": "4", "memory": "8Gi", "pods": "110", "nvidia.com/gpu": "2"}
    assert status["allocatable"] == status["capacity"] == amounts
    assert status["conditions"] == [{"type": "Ready", "status": "True"}]


def test_what_is_written_of_a_node_stands() -> None:
    written = node("a", labels={"kubernetes.io/hostname": "other"}, capacity={"pods": "5"})
    written["status"]["allocatable"] = {"cpu": "3800m", "memory": "7Gi"}
    (found,) = kind_of(situation(written), "Node")

    assert found["metadata"]["labels"] == {"kubernetes.io/hostname": "other"}
    assert found["status"]["allocatable"] == {"cpu": "3800m", "memory": "7Gi", "pods": "110"}
    assert found["status"]["capacity"] == {"cpu": "4", "memory": "8Gi", "pods": "5"}


def condition(kind: str, status: str) -> dict[str, str]:
    return {"type": kind, "status": status}


@pytest.mark.parametrize(
    ("spec", "taints"),
    [
        ({"conditions": [condition("MemoryPressure", "True")]}, {"node.kubernetes.io/memory-pressure:NoSchedule"}),
        ({"conditions": [condition("DiskPressure", "True")]}, {"node.kubernetes.io/disk-pressure:NoSchedule"}),
        ({"conditions": [condition("PIDPressure", "True")]}, {"node.kubernetes.io/pid-pressure:NoSchedule"}),
        ({"conditions": [condition("PIDPressure", "False")]}, set()),
        (
            {"conditions": [condition("NetworkUnavailable", "True")]},
            {"node.kubernetes.io/network-unavailable:NoSchedule"},
        ),
        ({"unschedulable": True}, {"node.kubernetes.io/unschedulable:NoSchedule"}),
        (
            {"conditions": [condition("Ready", "False")]},
            {"node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute"},
        ),
        (
            {"conditions": [condition("Ready", "Unknown")]},
            {"node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute"},
        ),
    ],
)
def test_nodes_are_tainted_by_their_conditions(spec: dict[str, Any], taints: set[str]) -> None:
    assert taints_of(situation(node("a", **spec), node("b")), "a") == taints


def test_no_node_is_tainted_no_execute_while_none_is_ready() -> None:
    silent = [node(name, conditions=[condition("Ready", "Unknown")]) for name in "ab"]

    assert taints_of(situation(*silent), "a") == {"node.kubernetes.io/unreachable:NoSchedule"}


def test_a_taint_that_is_written_is_not_added_again() -> None:
    cordoned = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    (found,) = kind_of(situation(node("a", unschedulable=True, taints=[cordoned])), "Node")

    assert found["spec"]["taints"] == [cordoned]


def test_pods_are_admitted_and_run() -> None:
    here = situation(
        priority_class("high", 7), node("a"), pod("old", "a", priorityClassName="high", limits={"cpu": "1"})
    )
    old = here.pods["default/old"]

    assert old["spec"]["priority"] == 7
    assert old["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "1"}
    assert old["status"]["phase"] == "Running"
    assert {"type": "Ready", "status": "True"} in old["status"]["conditions"]


def test_a_pod_that_is_not_ready_stays_so() -> None:
    waiting = {**pod("old", "a"), "status": {"phase": "Running", "conditions": [condition("Ready", "False")]}}
    starting = {**pod("new", "a"), "status": {"phase": "Pending"}}
    here = situation(node("a"), waiting, starting, budget("all", {"app": "x"}, minAvailable=1))

    assert here.pods["default/old"]["status"]["conditions"] == [condition("Ready", "False")]
    assert "conditions" not in here.pods["default/new"]["status"]


def test_namespaces_that_are_used_exist() -> None:
    named = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team", "labels": {"tier": "gold"}}}
    found = kind_of(situation(node("a"), named, pod("x", "a", namespace="shop")), "Namespace")

    assert {each["metadata"]["name"]: each["metadata"]["labels"] for each in found} == {
        "team": {"tier": "gold", "kubernetes.io/metadata.name": "team"},
        "shop": {"kubernetes.io/metadata.name": "shop"},
        "default": {"kubernetes.io/metadata.name": "default"},
    }


def test_budgets_get_their_status() -> None:
    labels = {"app": "web"}
    pods = [pod(f"web-{number}", "a", labels=labels) for number in range(3)]
    unready = {**pods[0], "status": {"phase": "Running", "conditions": [condition("Ready", "False")]}}
    written = {**budget("written", {"app": "none"}, minAvailable=1), "status": {"disruptionsAllowed": 9}}
    found = kind_of(
        situation(node("a"), unready, *pods[1:], budget("web", labels, minAvailable=1), written), "PodDisruptionBudget"
    )

    assert found[0]["status"] == {
        "observedGeneration": 0,
        "disruptionsAllowed": 1,
        "currentHealthy": 2,
        "desiredHealthy": 1,
        "expectedPods": 3,
    }
    assert found[1]["status"] == {"disruptionsAllowed": 9}


def test_a_budget_of_pods_without_a_controller_allows_none_by_percentage() -> None:
    labels = {"app": "web"}
    here = situation(node("a"), pod("web", "a", labels=labels), budget("web", labels, maxUnavailable=1))

    assert question("eviction", pod="web").solution(here) == "refused"


def failing(*objects: Document, **parts: Any) -> SituationError:
    with pytest.raises(SituationError) as raised:
        build_situation(SituationParts(objects, **parts))
    return raised.value


def test_situations_that_cannot_be() -> None:
    old, new = pod("old", "a"), pod("new")
    missing = failing(node("a"), pod="default/new")
    assert missing.problem == NoSuchPod("default/new")
    placed = failing(node("a"), old, pod="default/old")
    assert (placed.problem, placed.field) == (PodHasNode("default/old", "a"), "spec.nodeName")
    lost = failing(node("b"), old)
    assert lost.problem == NoSuchNode("a", ("b",), 1)
    assert lost.subject == ObjectName("Pod", "default", "old")
    refused = failing(node("a"), pod("old", "a", priorityClassName="none"), new, pod="default/new")
    assert isinstance(refused.problem, PlacedPodRefused)
    assert refused.field == "spec.priorityClassName"
    assert failing(node("a"), kubernetes="1.2").problem == NotOneOf("'1.2'", ("1.34", "1.35", "1.36", "1.37"), "")


@pytest.mark.parametrize(
    "objects", [(node("a", capacity={"cpu": "many"}),), (node("a"), pod("old", "a", cpu="1e")), (pod("new", cpu="x"),)]
)
def test_amounts_that_are_none(objects: tuple[Document, ...]) -> None:
    failing(*objects)


def test_a_configuration_that_no_scheduler_starts_with() -> None:
    error = failing(node("a"), configuration={"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "X"})

    assert error.field == "kind"


def test_a_configuration_that_no_kubelet_starts_with() -> None:
    error = failing(
        node("a"),
        kubelet={
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "evictionHard": {"memory": "1Gi"},
        },
    )

    assert (error.subject, error.field) == (ObjectName("KubeletConfiguration", "", ""), "evictionHard.memory")


def test_a_request_is_known_whoever_schedules_the_pod() -> None:
    here = situation(node("a"), pod("new", cpu="1", schedulerName="another"), about="new")

    assert question("number", value="request", resource="cpu").solution(here) == "1"
    with pytest.raises(UnsolvableError):
        question("outcome").solution(here)


def test_a_budget_whose_controller_is_not_there() -> None:
    labels = {"app": "web"}
    web = owned(pod("web", "a", labels=labels), "web")
    error = failing(node("a"), web, budget("web", labels, minAvailable="50%"))

    assert error.problem == BudgetNotComputed("default/web", "ReplicaSet web")


def test_the_newest_scheduler_decides_unless_another_is_named() -> None:
    assert situation(node("a")).release is NEWEST
    assert situation(node("a"), kubernetes="1.34").release.first_version == "1.34.0"
    assert situation(node("a"), kubernetes="1.34.9").release.first_version == "1.34.2"


def test_what_nobody_computes_leaves_no_answer() -> None:
    foreign = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"filter": {"enabled": [{"name": "Lottery"}]}}}],
    }
    here = situation(node("a"), pod("new"), about="new", configuration=foreign)

    for kind, arguments in {"node": {}, "rejections": {}, "outcome": {}, "nodes": {"which": "best"}}.items():
        with pytest.raises(UnsolvableError) as raised:
            question(kind, **arguments).solution(here)
        assert raised.value.problem == AnswerIsUncertain("default/new", ("foreign-plugin",))


def test_a_pod_that_is_not_tried_is_on_no_node() -> None:
    gated = situation(node("a"), pod("new", schedulingGates=[{"name": "a/b"}]), about="new")
    refused = situation(node("a"), pod("new", priorityClassName="none"), about="new")

    for here, kind in ((gated, PodIsHeldBack), (refused, PodIsRefused)):
        with pytest.raises(UnsolvableError) as raised:
            question("nodes", which="feasible").solution(here)
        assert isinstance(raised.value.problem, kind)


def test_a_quota_refuses_the_pod_in_question() -> None:
    hard = {"spec": {"hard": {"requests.cpu": "2"}}}
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "default"}, **hard}
    here = situation(node("a"), quota, pod("old", "a", cpu="1500m"), pod("new", cpu="501m"), about="new")

    assert here.refusal is not None
    assert here.refusal.by == "ResourceQuota"
    assert question("outcome").solution(here) == "refused"
    assert question("number", value="quotaUsed", quota="q", resource="requests.cpu").solution(here) == "1500m"
    fits = situation(node("a"), quota, pod("old", "a", cpu="1500m"), pod("new", cpu="500m"), about="new")
    assert question("outcome").solution(fits) == "scheduled"
