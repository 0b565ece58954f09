"""Changes to workloads, budgets and priority classes, and traces."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.disruption import disruption_budgets
from clusters.engine.objects import Pod, key_of
from clusters.engine.simulation import ChangeError
from clusters.engine.simulation.changes.problems import NoPodToCopy, TooManyWanted
from clusters.wording.problems import problem_sentence
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.changing import a_workload, after, owned, texts, wanted

NODES = [a_node("n1"), a_node("n2")]
READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
HASHED = {"pod-template-hash": "h"}


def document(kind: str, name: str, owner: str = "", **spec: Any) -> dict[str, Any]:
    owners = [{"apiVersion": "apps/v1", "kind": "Deployment", "name": owner, "controller": True}] if owner else []
    fields = {"name": name, "namespace": "default", "ownerReferences": owners}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": fields, "spec": spec}


def web(name: str, node: str | None, created: str = "2026-01-01T00:00:00Z", **more: Any) -> dict[str, Any]:
    status = more.pop("status", READY if node else None)
    return owned(name, "web-h", node, labels={"app": "web", **HASHED}, created=created, status=status, **more)


WEB = [
    *NODES,
    document("Deployment", "web", replicas=4),
    document("ReplicaSet", "web-h", "web", replicas=4),
    web("old", "n1", "2026-01-01T00:00:00Z"),
    web("new", "n1", "2026-01-03T00:00:00Z", requests={"cpu": "2"}),
    web("alone", "n2", "2026-01-02T00:00:00Z"),
    web("waits", None, "2026-01-02T00:00:00Z"),
    owned("other", "db", "n2"),
]
SCALE = {"change": "scale", "kind": "Deployment", "namespace": "default", "name": "web"}


def test_more_replicas_are_like_the_newest_pod() -> None:
    made = after(WEB, {**SCALE, "by": 3})

    assert wanted(made.case) == ["waits", "web-h-more-1", "web-h-more-2", "web-h-more-3"]
    assert made.case.wanted[1].pod["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "2"}
    assert made.case.wanted[1].pod["spec"] is made.case.wanted[3].pod["spec"]
    for kind, name in (("Deployment", "web"), ("ReplicaSet", "web-h")):
        kept = made.case.snapshot.object(kind, name, "default")
        assert kept is not None
        assert kept["spec"]["replicas"] == 7
    assert wanted(after(WEB, {**SCALE, "replicas": 5}).case) == ["waits", "web-h-more-1"]


@pytest.mark.parametrize(
    ("fewer", "left"),
    [
        (1, ["alone", "new", "old"]),
        # Two lie on n1, and of these the younger one goes.
        (2, ["alone", "old"]),
        (3, ["alone"]),
        (9, []),
    ],
)
def test_fewer_replicas_go_as_the_controller_ranks_them(fewer: int, left: list[str]) -> None:
    made = after(WEB, {**SCALE, "by": -fewer})

    assert sorted(Pod(pod).name for pod in made.case.placed.values()) == sorted([*left, "other"])
    assert wanted(made.case) == []


def test_unready_pods_go_before_ready_ones() -> None:
    base = [
        *NODES,
        web("ready", "n1"),
        web("starts", "n2", status={"phase": "Running"}),
        web("pending", "n2", status={}),
    ]

    assert sorted(after(base, {**SCALE, "replicas": 1}).case.placed) == ["default/ready"]
    assert sorted(after(base, {**SCALE, "replicas": 2}).case.placed) == ["default/ready", "default/starts"]


def test_who_became_ready_last_goes_first() -> None:
    """Where nobody says since when a pod is ready, it counts as the latest."""

    def ready(since: str) -> dict[str, Any]:
        moment = {"lastTransitionTime": since} if since else {}
        return {"phase": "Running", "conditions": [{"type": "Ready", "status": "True", **moment}]}

    times = {"long": "2026-01-02T00:00:00Z", "short": "2026-01-03T00:00:00Z", "unsaid": ""}
    base = [*NODES, a_node("n3"), *(web(name, f"n{n}", status=ready(times[name])) for n, name in enumerate(times, 1))]

    assert sorted(after(base, {**SCALE, "replicas": 2}).case.placed) == ["default/long", "default/short"]
    assert sorted(after(base, {**SCALE, "replicas": 1}).case.placed) == ["default/long"]


def test_stateful_sets_count() -> None:
    base = [*NODES, *(owned(f"db-{n}", "db", "n1", kind="StatefulSet") for n in (0, 2, 10))]
    scale = {"change": "scale", "kind": "StatefulSet", "namespace": "default", "name": "db"}

    assert wanted(after(base, {**scale, "by": 2}).case) == ["db-1", "db-3"]
    assert sorted(after(base, {**scale, "replicas": 2}).case.placed) == ["default/db-0", "default/db-2"]


def test_a_workload_that_is_there_already_makes_way() -> None:
    made = after(WEB, {"change": "add-workload", "manifest": a_workload("Deployment"), "replicas": 2})

    assert len(wanted(made.case)) == 2
    assert list(made.case.placed) == ["default/other"]
    assert texts(made) == ["Deployment default/web is there already: its 4 pods are replaced."]


def test_workloads_find_what_was_added_before_them() -> None:
    pod = {"priorityClassName": "high"}
    made = after(
        NODES,
        {
            "change": "put-priority-class",
            "manifest": {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 9},
        },
        {"change": "add-workload", "manifest": {"kind": "ConfigMap", "metadata": {"name": "c"}}},
        {
            "change": "add-workload",
            "manifest": {"kind": "Namespace", "metadata": {"name": "default", "labels": {"a": "b"}}},
        },
        {"change": "add-workload", "manifest": a_workload("DaemonSet", "log", pod=pod)},
        {"change": "add-nodes", "count": 1, "cpu": "1", "memory": "1Gi", "prefix": "z"},
    )

    assert wanted(made.case) == ["log-n1", "log-n2", "log-z1"]
    assert {each.pod["spec"]["priority"] for each in made.case.wanted} == {9}
    assert made.case.snapshot.namespace_labels("default") == {"a": "b"}
    assert texts(made)[0] == "ConfigMap c is left out: simulations do not read this kind."


@pytest.mark.parametrize(("mode", "volumes"), [("WaitForFirstConsumer", 1), ("Immediate", 0)])
def test_a_claim_that_is_added_has_the_default_class(mode: str, volumes: int) -> None:
    marked = {"storageclass.kubernetes.io/is-default-class": "true"}
    manifests: list[dict[str, Any]] = [
        {"kind": "StorageClass", "metadata": {"name": "usual", "annotations": marked}, "volumeBindingMode": mode},
        {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": {}},
        a_workload("ReplicaSet", pod={"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}),
    ]
    made = after([], *({"change": "add-workload", "manifest": manifest} for manifest in manifests))
    claim = made.case.snapshot.object("PersistentVolumeClaim", "data", "default")

    assert claim is not None
    assert claim["spec"]["storageClassName"] == "usual"
    assert len(made.case.wanted[0].pod["spec"]["volumes"]) == volumes
    assert len(made.remarks) == 1 - volumes


def test_a_workload_goes_with_its_pods() -> None:
    made = after(WEB, {"change": "remove-workload", "kind": "Deployment", "namespace": "default", "name": "web"})
    one = after(
        [a_pod("a"), a_pod("b")], {"change": "remove-workload", "kind": "Pod", "namespace": "default", "name": "a"}
    )

    assert list(made.case.placed) == ["default/other"]
    assert wanted(made.case) == []
    assert made.case.snapshot.objects("ReplicaSet") == []
    assert wanted(one.case) == ["b"]


def test_all_pods_are_placed_anew() -> None:
    base = [
        *WEB,
        owned("proxy", "proxy", "n1", kind="DaemonSet"),
        a_pod("elsewhere", node="n1", schedulerName="another"),
        a_pod("foreign", schedulerName="another"),
    ]
    made = after(base, {"change": "place", "pods": "all"})

    assert wanted(made.case) == ["waits", "old", "alone", "new", "other"]
    assert all(not Pod(each.pod).node_name and not Pod(each.pod).status for each in made.case.wanted[1:])
    assert sorted(made.case.placed) == ["default/elsewhere", "default/proxy"]
    assert texts(made) == [
        "1 pending pod of another scheduler is left out.",
        "1 pod of another scheduler stays on its node.",
    ]


def test_pending_pods_come_first_and_in_order_of_their_age() -> None:
    base = [web("young", None, "2026-01-02T00:00:00Z"), web("old", None), web("done", None, status={"phase": "Failed"})]
    base[2]["metadata"]["deletionTimestamp"] = "2026-01-02T00:00:00Z"

    assert wanted(after(base, {"change": "place", "pods": "pending"}).case) == ["old", "young"]


def test_budgets() -> None:
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}},
        "status": {"disruptionsAllowed": 9},
    }
    put = after(WEB, {"change": "put-budget", "manifest": budget})
    gone = after([*WEB, budget], {"change": "remove-budget", "namespace": "default", "name": "web"})
    kept = put.case.snapshot.object("PodDisruptionBudget", "web", "default")

    assert kept is not None
    # Three of four are ready, and what was said of another spec does not count.
    assert kept["status"]["disruptionsAllowed"] == 0
    assert gone.case.snapshot.objects("PodDisruptionBudget") == []


def test_what_budgets_allow_is_computed_of_the_cluster_as_it_was_changed() -> None:
    """Preemption would take every victim of a budget without a status for one too many."""
    pods = [owned(f"web-{number}", "web", f"n{number}", labels={"app": "web"}, status=READY) for number in range(4)]
    gone = owned("web-done", "web", "n0", labels={"app": "web"}, status={"phase": "Succeeded"})
    selector = {"matchLabels": {"app": "web"}}
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default", "generation": 3},
        "spec": {"selector": selector, "minAvailable": 2},
        "status": {"disruptionsAllowed": 7, "disruptedPods": {"web-0": "2026-01-01T00:00:00Z"}},
    }
    base = [*(a_node(f"n{number}") for number in range(4)), *pods, gone]
    for cluster, changes in (([*base, budget], []), (base, [{"change": "put-budget", "manifest": budget}])):
        made = after(cluster, {"change": "remove-nodes", "nodes": ["n0"]}, *changes)
        (known,) = disruption_budgets(made.case.snapshot)

        # Of five pods that are there or wait, three are healthy.
        assert known.is_observed
        assert (known.reported.allowed, known.reported.healthy, known.reported.desired) == (1, 3, 2)


def test_a_trace() -> None:
    row = {"name": "p", "cpu_milli": 500, "memory_mib": 64, "num_gpu": 1, "gpu_milli": 460, "gpu_spec": "T4|G2"}
    rows = [
        {**row, "creation_time": 7, "deletion_time": 9},
        {**row, "name": "q", "gpu_milli": 1000, "creation_time": 3},
    ]
    nodes = [{"sn": "n", "cpu_milli": 8000, "memory_mib": 1024, "gpu": 2, "model": "T4"}]
    made = after([], {"change": "trace", "format": "openb", "nodes": nodes, "pods": rows})
    node = made.case.snapshot.nodes.nodes[0]

    assert (node.labels["alibabacloud.com/gpu-card-model"], node.allocatable["alibabacloud.com/gpu"]) == ("T4", 2)
    assert [(key_of(each.pod), each.at, each.until) for each in made.case.wanted] == [
        ("openb/q", 3 * 10**9, None),
        ("openb/p", 7 * 10**9, 9 * 10**9),
    ]
    assert Pod(made.case.wanted[1].pod).requests == {"cpu": 500, "memory": 64 * 2**20, "alibabacloud.com/gpu": 1}
    assert texts(made) == ["1 pod of the trace requests a part of a GPU, which counts as a whole one."]


def test_a_trace_takes_what_is_there_and_says_what_is_not() -> None:
    pods = [{"name": name, "cpu_milli": 500, "memory_mib": 64} for name in "pq"]
    nodes = [{"sn": "n", "cpu_milli": 8000, "memory_mib": 1024}]
    made = after([], {"change": "trace", "format": "openb", "nodes": nodes, "pods": pods})

    assert [(key_of(each.pod), each.at, each.until) for each in made.case.wanted] == [
        ("openb/p", 0, None),
        ("openb/q", 0, None),
    ]
    assert Pod(made.case.wanted[0].pod).requests == {"cpu": 500, "memory": 64 * 2**20}
    assert texts(made) == [
        "The trace has no column gpu: no node has GPUs.",
        "The trace has no column model: no node has a GPU model.",
        "The trace has no column num_gpu: no pod requests GPUs.",
        "The trace has no column gpu_milli: each pod requests whole GPUs.",
        "The trace has no column gpu_spec: each pod runs on any GPU model.",
        "The trace has no column creation_time: all pods arrive at the beginning.",
        "The trace has no column deletion_time: no pod leaves.",
    ]


@pytest.mark.parametrize(
    ("change", "path", "problem"),
    [
        ({**SCALE, "name": "wob", "by": 1}, ".name", "There is no Deployment default/wob."),
        ({**SCALE, "kind": "StatefulSet", "by": 1}, ".name", "There is no StatefulSet default/web."),
        (
            {"change": "add-workload", "manifest": a_workload("Deployment", pod={"schedulerName": "x"})},
            ".manifest.spec.template.spec.schedulerName",
            "No profile of the scheduler configuration is named x.",
        ),
        (
            {"change": "add-workload", "manifest": a_workload("Deployment", selector={})},
            ".manifest.spec.selector",
            "The selector does not match the labels of the pod template.",
        ),
        ({"change": "remove-workload", "kind": "Pod", "namespace": "default", "name": "x"}, ".name", "There is no Pod"),
        (
            {"change": "remove-budget", "namespace": "default", "name": "x"},
            ".name",
            "There is no disruption budget default/x.",
        ),
    ],
)
def test_what_the_cluster_does_not_have(change: dict[str, Any], path: str, problem: str) -> None:
    with pytest.raises(ChangeError) as caught:
        after(WEB, change)

    assert caught.value.path == f"changes[0]{path}"
    assert problem in problem_sentence(caught.value.problem)


def test_too_many_pods() -> None:
    manifest = a_workload("ReplicaSet", "a")

    with pytest.raises(ChangeError) as caught:
        after(
            [],
            {"change": "add-workload", "manifest": manifest, "replicas": 50_000},
            {"change": "add-workload", "manifest": a_workload("ReplicaSet", "b"), "replicas": 1},
        )

    assert caught.value.problem == TooManyWanted(50_000)


def test_an_empty_workload_has_nothing_to_copy() -> None:
    with pytest.raises(ChangeError) as caught:
        after([document("Deployment", "web", replicas=0)], {**SCALE, "by": 1})

    assert caught.value.problem == NoPodToCopy("Deployment default/web")


def test_the_same_changes_make_the_same_case() -> None:
    changes: list[dict[str, Any]] = [
        {**SCALE, "by": 5},
        {"change": "remove-nodes", "nodes": ["n1"]},
        {"change": "place", "pods": "all"},
    ]
    one, two = after(WEB, *changes, seed=3), after(list(reversed(WEB)), *changes, seed=3)

    assert [each.pod for each in one.case.wanted] == [each.pod for each in two.case.wanted]
    assert one.case.snapshot.content() == two.case.snapshot.content()
    assert one.case.seed == 3
