"""Changes to workloads, budgets and priority classes, and traces."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration
from clusters.engine.objects import Pod, key_of
from clusters.engine.problems import NoPodToCopy, OverLimit, TooMany
from clusters.engine.resources import CPU
from clusters.engine.simulation import Base, ChangeError, prepared, read_changes
from clusters.engine.simulation.changes import KINDS
from clusters.engine.simulation.remarks import ExtendersNotAsked, RequestsSet, UnknownPlugins
from clusters.engine.versions import ASSUMED
from clusters.wording.problems import problem_sentence
from tests.engine.builders import HOSTNAME, ZONE, a_node, a_pod
from tests.engine.simulation.changing import a_workload, after, owned, texts, wanted
from tests.engine.storage_builders import a_claim, a_csi_node, a_volume, csi, uses
from tests.support.answers import error_of, known

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


def test_workloads_find_what_was_added_before_them() -> None:
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
        {"change": "add-workload", "manifest": a_workload("DaemonSet", "log", pod={"priorityClassName": "high"})},
        {"change": "add-nodes", "count": 1, "cpu": "1", "memory": "1Gi", "prefix": "z"},
    )

    assert wanted(made.case) == ["log-n1", "log-n2", "log-z1"]
    assert {each.pod["spec"]["priority"] for each in made.case.wanted} == {9}
    assert made.case.snapshot.namespace_labels("default") == {"a": "b"}
    assert texts(made)[0] == "ConfigMap c is left out: its kind is not read."


@pytest.mark.parametrize(("mode", "volumes"), [("WaitForFirstConsumer", 1), ("Immediate", 0)])
def test_a_claim_that_is_added_has_the_default_class(mode: str, volumes: int) -> None:
    marked = {"storageclass.kubernetes.io/is-default-class": "true"}
    manifests: list[dict[str, Any]] = [
        {"kind": "StorageClass", "metadata": {"name": "usual", "annotations": marked}, "volumeBindingMode": mode},
        {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": {}},
        a_workload("ReplicaSet", pod={"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}),
    ]
    made = after([], *({"change": "add-workload", "manifest": manifest} for manifest in manifests))
    claim = known(made.case.snapshot.object("PersistentVolumeClaim", "data", "default"))

    assert claim["spec"]["storageClassName"] == "usual"
    assert len(made.case.wanted[0].pod["spec"]["volumes"]) == volumes
    assert len(made.remarks) == 1 - volumes


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
    kept = known(put.case.snapshot.object("PodDisruptionBudget", "web", "default"))

    # Three of four are ready, and what was said of another spec does not count.
    assert kept["status"]["disruptionsAllowed"] == 0
    assert gone.case.snapshot.objects("PodDisruptionBudget") == []


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
    assert texts(made) == ["1 pod requests part of a GPU, counted as a whole."]


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
        "No column gpu: no node has GPUs.",
        "No column model: no node has a GPU model.",
        "No column num_gpu: no pod requests GPUs.",
        "No column gpu_milli: each pod requests whole GPUs.",
        "No column gpu_spec: each pod runs on any GPU model.",
        "No column creation_time: all pods arrive at once.",
        "No column deletion_time: no pod leaves.",
    ]


@pytest.mark.parametrize(
    ("change", "path", "problem"),
    [
        ({**SCALE, "name": "wob", "by": 1}, ".name", "There is no Deployment default/wob."),
        ({**SCALE, "kind": "StatefulSet", "by": 1}, ".name", "There is no StatefulSet default/web."),
        (
            {"change": "add-workload", "manifest": a_workload("Deployment", pod={"schedulerName": "x"})},
            ".manifest.spec.template.spec.schedulerName",
            "x is not valid here.",
        ),
        (
            {"change": "add-workload", "manifest": a_workload("Deployment", selector={})},
            ".manifest.spec.selector",
            "The selector does not match the pod template's labels.",
        ),
        ({"change": "remove-workload", "kind": "Pod", "namespace": "default", "name": "x"}, ".name", "There is no Pod"),
        (
            {"change": "remove-budget", "namespace": "default", "name": "x"},
            ".name",
            "There is no default/x.",
        ),
    ],
)
def test_what_the_cluster_does_not_have(change: dict[str, Any], path: str, problem: str) -> None:
    caught = error_of(ChangeError, after, WEB, change)

    assert caught.path == f"changes[0]{path}"
    assert problem in problem_sentence(caught.problem)


def test_too_many_pods() -> None:
    caught = error_of(
        ChangeError,
        after,
        [],
        {"change": "add-workload", "manifest": a_workload("ReplicaSet", "a"), "replicas": 50_000},
        {"change": "add-workload", "manifest": a_workload("ReplicaSet", "b"), "replicas": 1},
    )

    assert caught.problem == OverLimit(50_000)


def test_an_empty_workload_has_nothing_to_copy() -> None:
    caught = error_of(ChangeError, after, [document("Deployment", "web", replicas=0)], {**SCALE, "by": 1})

    assert caught.problem == NoPodToCopy("Deployment default/web")


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


BASE = [a_node("a1", zone="a", labels={"pool": "x"}), a_node("a2", zone="a"), a_node("b1", zone="b")]


def test_cordon_and_uncordon() -> None:
    cordoned = after(BASE, {"change": "cordon", "selector": "pool=x"}).case.snapshot.nodes
    again = after(BASE, {"change": "cordon", "zone": "a"}, {"change": "uncordon", "nodes": ["a2"]}).case.snapshot.nodes

    assert cordoned.unschedulable.tolist() == [True, False, False]
    assert [taint.key for taint in cordoned.nodes[0].taints] == ["node.kubernetes.io/unschedulable"]
    assert again.unschedulable.tolist() == [True, False, False]
    assert again.nodes[1].taints == ()


def test_taints_replace_their_like_and_drive_pods_out() -> None:
    base = [
        a_node(
            "n", taints=[{"key": "old", "effect": "NoSchedule"}, {"key": "gone", "value": "1", "effect": "NoExecute"}]
        ),
        owned("web-1", "web", "n"),
        owned("stays", "web", "n", tolerations=[{"key": "gone", "operator": "Exists"}]),
        owned("waits", "web", "n", tolerations=[{"key": "gone", "operator": "Exists", "tolerationSeconds": 60}]),
        a_pod("bare", node="n"),
    ]
    added = [{"key": "gone", "value": "2", "effect": "NoExecute"}]
    made = after(base, {"change": "taint-nodes", "nodes": ["n"], "taints": added, "remove": ["old:NoSchedule"]})

    assert [(t.key, t.value) for t in made.case.snapshot.nodes.nodes[0].taints] == [("gone", "2")]
    assert wanted(made.case) == ["web-again-1"]
    assert sorted(made.case.placed) == ["default/stays", "default/waits"]
    assert texts(made) == [
        "1 pod is deleted and not recreated: default/bare.",
        "1 pod tolerates the taint for a limited time; here it stays.",
    ]


LIVED_IN = [
    *BASE,
    owned("web-1", "web", "a1", requests={"cpu": "1"}),
    owned("db-0", "db", "a1", kind="StatefulSet"),
    owned("proxy-x", "proxy", "a1", kind="DaemonSet"),
    owned("static", "a1", "a1", kind="Node"),
    owned("done", "job", "a1", kind="Job", status={"phase": "Succeeded"}),
    owned("run", "job", "a1", kind="Job"),
    a_pod("bare", node="a1"),
    owned("web-2", "web", "b1"),
]


@pytest.mark.parametrize(
    "change",
    [
        {"change": "remove-nodes", "nodes": ["a2", "a1"]},
        {"change": "remove-nodes", "selector": f"{ZONE} notin (b)"},
        {"change": "lose-zone", "zone": "a", "how": "gone"},
    ],
)
def test_what_has_a_controller_comes_back(change: dict[str, object]) -> None:
    made = after(LIVED_IN, change)

    assert made.case.snapshot.nodes.names == ["b1"]
    assert sorted(wanted(made.case)) == ["db-0", "job-again-1", "web-again-1"]
    assert all(not Pod(each.pod).node_name for each in made.case.wanted)
    assert list(made.case.placed) == ["default/web-2"]
    assert texts(made) == ["1 pod is deleted and not recreated: default/bare."]


def test_some_nodes_of_a_zone_fail() -> None:
    changes: list[dict[str, object]] = [
        {"change": "fail-nodes", "nodes": ["a1"], "how": "unreachable"},
        {"change": "fail-nodes", "selector": f"{ZONE}=b", "how": "not-ready"},
    ]
    made = after(LIVED_IN, *changes)

    assert (made.case.unreachable, made.case.not_ready) == (["a1"], ["b1"])


def test_nodes_like_another() -> None:
    base = [
        a_node(
            "old",
            zone="a",
            unschedulable=True,
            labels={"pool": "x"},
            allocatable={"nvidia.com/gpu": "4"},
            taints=[
                {"key": "dedicated", "effect": "NoSchedule"},
                {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"},
            ],
        ),
        owned("proxy-old", "proxy", "old", kind="DaemonSet", tolerations=[{"operator": "Exists"}]),
        owned("before-the-taint", "late", "old", kind="DaemonSet"),
        a_node("other"),
        owned("log-other", "log", "other", kind="DaemonSet"),
        {"kind": "CSINode", "metadata": {"name": "old"}, "spec": {"drivers": []}},
    ]
    change = {"change": "add-nodes", "count": 3, "like": "old", "prefix": "n-", "zones": ["a", "b"], "pods": 7}
    made = after(base, change)
    nodes = {node.name: node for node in made.case.snapshot.nodes.nodes if node.name.startswith("n-")}

    assert [(name, node.labels[ZONE], node.labels[HOSTNAME], node.labels["pool"]) for name, node in nodes.items()] == [
        ("n-1", "a", "n-1", "x"),
        ("n-2", "b", "n-2", "x"),
        ("n-3", "a", "n-3", "x"),
    ]
    assert [taint.key for taint in nodes["n-1"].taints] == ["dedicated"]
    assert not nodes["n-1"].unschedulable
    assert (nodes["n-1"].allocatable["pods"], nodes["n-1"].allocatable["nvidia.com/gpu"]) == (7, 4)
    assert made.case.snapshot.object("CSINode", "n-2") is not None
    assert wanted(made.case) == ["proxy-n-1", "proxy-n-2", "proxy-n-3"]
    assert texts(made) == ["Pods added by 1 DaemonSets: 3."]
    terms = made.case.wanted[1].pod["spec"]["affinity"]["nodeAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]
    assert terms["nodeSelectorTerms"][0]["matchFields"][0]["values"] == ["n-2"]


def test_nodes_from_a_template() -> None:
    base = [
        a_node("old"),
        owned("proxy-old", "proxy", "old", kind="DaemonSet"),
        owned("gpu-old", "gpu", "old", kind="DaemonSet", nodeSelector={"pool": "gpu"}),
    ]
    taints = [{"key": "new", "effect": "NoSchedule"}]
    size = {"cpu": 4, "memory": "16Gi", "resources": {"nvidia.com/gpu": "2"}, "labels": {"pool": "gpu"}}
    bare = after(base, {"change": "add-nodes", "count": 2, **size})
    tainted = after(base, {"change": "add-nodes", "count": 2, **size, "taints": taints})
    node = bare.case.snapshot.nodes.nodes[0]

    assert bare.case.snapshot.nodes.names == ["new-node-1", "new-node-2", "old"]
    assert dict(node.allocatable) == {"cpu": 4000, "memory": 16 * 2**30, "pods": 110, "nvidia.com/gpu": 2}
    assert wanted(bare.case) == ["gpu-new-node-1", "proxy-new-node-1", "gpu-new-node-2", "proxy-new-node-2"]
    assert wanted(tainted.case) == []


@pytest.mark.parametrize(
    ("change", "path", "problem"),
    [
        ({"change": "cordon", "nodes": ["a1", "nope"]}, "changes[0].nodes[1]", "There is no Node nope."),
        ({"change": "cordon", "zone": "c"}, "changes[0].zone", "There is no c."),
        ({"change": "lose-zone", "zone": "c", "how": "gone"}, "changes[0].zone", "There is no c."),
        (
            {"change": "remove-nodes", "selector": "pool=y"},
            "changes[0].selector",
            "No node matches pool=y.",
        ),
        ({"change": "add-nodes", "count": 1, "like": "z"}, "changes[0].like", "There is no Node z."),
        (
            {"change": "add-nodes", "count": 3, "cpu": "1", "memory": "1Gi"},
            "changes[0]",
            "more than 2.",
        ),
        ({"change": "trace", "format": "openb", "nodes": [], "pods": []}, "changes[0].pods", "It is empty."),
    ],
)
def test_nodes_that_the_cluster_does_not_have(
    change: dict[str, object], path: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clusters.engine.simulation.changes.cluster.MOST_NODES", 2)
    caught = error_of(ChangeError, after, BASE, change)

    assert caught.path == path
    assert problem in problem_sentence(caught.problem)


def test_whose_replacements_wait_for_an_unreachable_node_is_remarked() -> None:
    storage = [
        a_csi_node("a1"),
        a_claim("data", volume="pv"),
        a_volume("pv", csi=csi("1")),
        a_claim("shared", volume="pv-shared"),
        a_volume("pv-shared", modes=["ReadWriteMany"], csi=csi("2")),
    ]
    pods = [
        owned("db-0", "db", "a1", kind="StatefulSet", volumes=[uses("data")]),
        owned("db-1", "db", "a2", kind="StatefulSet", volumes=[uses("data")]),
        owned("web-1", "web", "a1", volumes=[uses("shared")]),
        owned("agent", "agent", "a1", kind="DaemonSet", volumes=[uses("data")]),
    ]
    base = [*BASE, *storage, *pods]
    fail = {"change": "fail-nodes", "nodes": ["a1"], "how": "unreachable"}

    said = texts(after(base, fail))

    assert len(said) == 2
    assert "1 StatefulSet pod is replaced when evicted" in said[0]
    assert "1 replacement would wait for a volume of an unreachable node" in said[1]
    assert "360" in said[1]
    assert texts(after(base, {**fail, "how": "not-ready"})) == []
    assert "2 StatefulSet pods" in texts(after(base, {"change": "lose-zone", "zone": "a", "how": "unreachable"}))[0]


BUDGET = {
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "b", "namespace": "x"},
    "spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": "web"}}},
}
CLASS = {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000}
ROW = {"name": "p", "cpu_milli": 1, "memory_mib": 1, "num_gpu": 0, "gpu_milli": 0, "creation_time": 3}
NODE = {"sn": "n", "cpu_milli": 1, "memory_mib": 1, "gpu": 1, "model": "T4"}
WHOLE: list[dict[str, Any]] = [
    {
        "change": "add-nodes",
        "count": 3,
        "prefix": "n-",
        "cpu": "4",
        "memory": "16Gi",
        "pods": 20,
        "resources": {"x.io/gpu": "1"},
        "labels": {"pool": "a"},
        "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}, {"key": "l", "effect": "NoExecute"}],
        "zones": ["a", "b"],
    },
    {"change": "add-nodes", "count": 1, "like": "n"},
    {"change": "remove-nodes", "nodes": ["n", "m"]},
    {"change": "cordon", "selector": "a=b, c in (d,e), f notin (g), !h, i, j != k"},
    {"change": "uncordon", "zone": "z"},
    {"change": "label-nodes", "nodes": ["n"], "labels": {"a": None, "b": ""}},
    {
        "change": "taint-nodes",
        "nodes": ["n"],
        "taints": [{"key": "k", "effect": "NoExecute"}],
        "remove": ["a", "b:NoSchedule"],
    },
    {"change": "lose-zone", "zone": "z", "how": "unreachable"},
    {"change": "drain-nodes", "zone": "z"},
    {"change": "scale", "kind": "Deployment", "namespace": "x", "name": "web", "by": -2},
    {"change": "scale", "kind": "Job", "namespace": "x", "name": "web", "replicas": 0},
    {"change": "add-workload", "manifest": a_workload("Deployment"), "replicas": 5},
    {"change": "remove-workload", "kind": "Pod", "namespace": "x", "name": "web"},
    {
        "change": "set-requests",
        "workloads": [
            {"kind": "Deployment", "namespace": "x", "name": "web", "containers": {"main": {"cpu": "10m"}}},
            {"kind": "DaemonSet", "namespace": "x", "name": "log", "containers": {"a": {"cpu": "1", "memory": "1Gi"}}},
        ],
    },
    {"change": "put-budget", "manifest": BUDGET},
    {"change": "remove-budget", "namespace": "x", "name": "b"},
    {"change": "put-priority-class", "manifest": CLASS},
    {"change": "trace", "format": "openb", "pods": [ROW], "nodes": [NODE]},
    {"change": "place", "pods": "all"},
    {"change": "fail-nodes", "nodes": ["n"], "how": "not-ready"},
]


def test_every_kind_says_again_what_it_was_read_from() -> None:
    assert [change.as_dict() for change in read_changes(WHOLE)] == WHOLE
    assert {entry["change"] for entry in WHOLE} == set(KINDS)


def without(entry: dict[str, Any], *names: str, **more: Any) -> dict[str, Any]:
    return {**{name: value for name, value in entry.items() if name not in names}, **more}


ADD, SCALE_CHANGE = WHOLE[0], WHOLE[9]


@pytest.mark.parametrize(
    ("entry", "path", "problem"),
    [
        ("add-nodes", ".change", "It is missing."),
        ({"change": "add-node"}, ".change", "'add-node' is not valid here."),
        ({"change": ["x"]}, ".change", "[…] is not valid here."),
        (without(ADD, kount=3), "", "There is no field 'kount'."),
        (without(ADD, "count"), ".count", "It is missing."),
        (without(ADD, count=True), ".count", "True is not a whole number from 1 to 20\u202f000."),
        (without(ADD, count=20_001), ".count", "20001 is not a whole number from 1 to 20\u202f000."),
        (without(ADD, count=10**400), ".count", "10^400 is not a whole number from 1"),
        (without(ADD, like="n"), ".cpu", "like and cpu exclude each other."),
        (without(ADD, cpu="1e30"), ".cpu", "'1e30' is not a resource quantity."),
        (without(ADD, cpu=-1), ".cpu", "-1 is not a resource quantity."),
        (without(ADD, memory="9999999Pi"), ".memory", "is more than any node has."),
        (without(ADD, resources={"x.io/gpu": None}), ".resources.x.io/gpu", "None is not a resource quantity."),
        (without(ADD, labels={"a b": "c"}), ".labels", "'a b' is not a label key."),
        (without(ADD, labels={"a": 5}), ".labels.a", "5 is not a text."),
        (without(ADD, taints=[{"key": "a", "effect": "Never"}]), ".taints[0].effect", "'Never' is not valid here."),
        (without(ADD, zones=["a", "b c"]), ".zones[1]", "'b c' is not a label value."),
        (without(ADD, prefix="a/b"), ".prefix", "'a/b' cannot be an object's name."),
        ({"change": "cordon"}, "", "It needs exactly one of nodes, selector or zone."),
        ({"change": "cordon", "nodes": ["a"], "zone": "z"}, "", "It needs exactly one of nodes, selector or zone."),
        ({"change": "cordon", "nodes": []}, ".nodes", "It is empty."),
        ({"change": "cordon", "nodes": "a"}, ".nodes", "'a' is not a list."),
        ({"change": "cordon", "selector": "a=b,c in (d"}, ".selector", "It cannot be read from character 5 on."),
        ({"change": "cordon", "selector": "a=b,"}, ".selector", "It cannot be read from character 5 on."),
        ({"change": "cordon", "selector": "-=b"}, ".selector", 'Invalid value: "-": name part must consist of'),
        ({"change": "label-nodes", "nodes": ["a"]}, ".labels", "It is empty."),
        ({"change": "taint-nodes", "nodes": ["a"], "remove": ["a:b"]}, ".remove[0]", "'a:b' is not valid here."),
        (without(SCALE_CHANGE, replicas=2), "", "It needs exactly one of replicas or by."),
        (without(SCALE_CHANGE, "by"), "", "It needs exactly one of replicas or by."),
        (without(SCALE_CHANGE, kind="DaemonSet"), ".kind", "'DaemonSet' is not valid here."),
        (without(WHOLE[11], replicas=50_001), ".replicas", "50001 is not a whole number from 0 to 50\u202f000."),
        (without(WHOLE[11], manifest=[]), ".manifest", "[…] is not a Kubernetes object."),
        (without(WHOLE[11], manifest=BUDGET), ".manifest.kind", "A PodDisruptionBudget is not a workload."),
        (without(WHOLE[11], manifest=a_workload("DaemonSet")), ".replicas", "There is no field replicas."),
        (
            {"change": "put-budget", "manifest": {**BUDGET, "spec": {"minAvailable": 1, "maxUnavailable": 1}}},
            ".manifest.spec",
            "minAvailable and maxUnavailable exclude each other.",
        ),
        (
            {"change": "put-budget", "manifest": {**BUDGET, "spec": {"maxUnavailable": -1}}},
            ".manifest.spec.maxUnavailable",
            "-1 is not valid here.",
        ),
        (
            {"change": "put-priority-class", "manifest": {**CLASS, "value": 2**40}},
            ".manifest.value",
            "is not a whole number from",
        ),
        ({"change": "trace", "format": "x", "pods": [ROW]}, ".format", "'x' is not valid here."),
        ({"change": "trace", "format": "openb", "pods": [{**ROW, "x": 1}]}, ".pods[0]", "There is no field 'x'."),
        (
            {"change": "trace", "format": "openb", "pods": [ROW, {**ROW, "cpu_milli": -1}]},
            ".pods[1].cpu_milli",
            "-1 is not a whole number",
        ),
        (
            {"change": "trace", "format": "openb", "pods": [{**ROW, "deletion_time": 2}]},
            ".pods[0].deletion_time",
            "It must be ≥ creation_time (3), not 2.",
        ),
        ({"change": "place", "pods": "some"}, ".pods", "'some' is not valid here."),
    ],
)
def test_a_bad_change_names_its_place(entry: Any, path: str, problem: str) -> None:
    caught = error_of(ChangeError, read_changes, [{"change": "place", "pods": "pending"}, entry])

    assert caught.path == f"changes[1]{path}"
    assert problem in problem_sentence(caught.problem)


def test_whoever_cannot_be_asked_is_named() -> None:
    """Plugins from outside of Kubernetes and extenders may place pods otherwise."""
    enabled = {"enabled": [{"name": "Coscheduling"}]}
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [
                {"plugins": {"filter": enabled, "score": {"enabled": [{"name": "Coscheduling", "weight": 2}]}}}
            ],
            "extenders": [{"urlPrefix": "http://gpu.example", "filterVerb": "filter"}],
        }
    )

    empty = Base.of((), ASSUMED)
    not_asked = ExtendersNotAsked(1, ("http://gpu.example",))
    assert prepared(empty, [], configuration).remarks == (UnknownPlugins(("Coscheduling",)), not_asked)
    assert prepared(empty, [], SchedulerConfiguration.default()).remarks == ()


def test_too_many_changes() -> None:
    caught = error_of(ChangeError, read_changes, [{"change": "place", "pods": "pending"}] * 201)

    assert (caught.path, caught.problem) == ("changes", TooMany(201, 200))


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WHOLE), st.data())
def test_whatever_a_field_holds_it_is_read_or_refused(entry: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(entry)))
    try:
        (read,) = read_changes([{**entry, name: data.draw(_ANYTHING)}])
    except ChangeError:
        return
    assert read_changes([read.as_dict()]) == [read]


def web_of_hash(name: str, node: str | None, cpu: str = "2") -> dict[str, Any]:
    return owned(name, "web-h", node, labels=HASHED, requests={"cpu": cpu, "memory": "1Gi"})


OBJECTS = [
    *NODES,
    web_of_hash("a", "n1"),
    web_of_hash("b", "n2"),
    web_of_hash("waits", None),
    owned("other", "db-h", "n1"),
]


def to(**requests: str) -> dict[str, Any]:
    place = {"kind": "Deployment", "namespace": "default", "name": "web"}
    return {"change": "set-requests", "workloads": [{**place, "containers": {"main": requests}}]}


WEB_DOCUMENTS = to(cpu="1")["workloads"][0]


def test_pods_on_nodes_and_pending_ones_get_the_requests() -> None:
    made = after(OBJECTS, to(cpu="500m"))

    assert {key: pod["spec"].get("nodeName") for key, pod in made.case.placed.items()} == {
        "default/a": "n1",
        "default/b": "n2",
        "default/other": "n1",
    }
    for key in ("default/a", "default/b"):
        requests = made.case.placed[key]["spec"]["containers"][0]["resources"]["requests"]
        assert requests == {"cpu": "500m", "memory": "1Gi"}
    assert wanted(made.case) == ["waits"]
    assert made.case.wanted[0].pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "500m"
    assert made.remarks[0] == RequestsSet(3, 1)
    # What was handed in stays as it was.
    assert OBJECTS[2]["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "2"


@given(st.integers(1, 4000))
def test_nodes_book_what_their_pods_request_now(milli: int) -> None:
    nodes = after(OBJECTS, to(cpu=f"{milli}m")).case.snapshot.nodes

    assert nodes.requested[:, nodes.resources.index(CPU)].tolist() == [milli, milli]


@pytest.mark.parametrize(
    ("entry", "path", "said"),
    [
        ({"workloads": []}, ".workloads", "It is empty."),
        ({}, ".workloads", "It is empty."),
        (
            {"workloads": [{**WEB_DOCUMENTS, "containers": {}}]},
            ".workloads[0].containers",
            "It is empty.",
        ),
        (
            {"workloads": [{**WEB_DOCUMENTS, "containers": {"main": {}}}]},
            ".workloads[0].containers.main",
            "It is empty.",
        ),
        (to(cpu="much"), ".workloads[0].containers.main.cpu", "'much' is not a resource quantity."),
        (to(disk="1"), ".workloads[0].containers.main", "There is no field 'disk'."),
        (
            {"workloads": [{**WEB_DOCUMENTS, "name": "gone"}]},
            ".workloads[0].name",
            "There is no Deployment",
        ),
        (
            {"workloads": [{**WEB_DOCUMENTS, "containers": {"proxy": {"cpu": "1"}}}]},
            ".workloads[0].containers.proxy",
            "There is no proxy.",
        ),
    ],
)
def test_what_cannot_be_set_is_an_error_with_its_place(entry: dict[str, Any], path: str, said: str) -> None:
    caught = error_of(ChangeError, after, OBJECTS, {**entry, "change": "set-requests"})

    assert caught.path == f"changes[0]{path}"
    assert said in problem_sentence(caught.problem)
