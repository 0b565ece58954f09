"""Changes to nodes: what becomes of them, and of the pods on them."""

from __future__ import annotations

import pytest

from clusters.engine.objects import Pod
from clusters.engine.simulation import ChangeError
from clusters.engine.simulation.controllers import pinned
from clusters.wording.problems import problem_sentence, remedy_sentence
from tests.engine.builders import HOSTNAME, ZONE, a_node, a_pod
from tests.engine.simulation.changing import after, owned, texts, wanted
from tests.engine.storage_builders import a_claim, a_csi_node, a_volume, csi, uses

BASE = [a_node("a1", zone="a", labels={"pool": "x"}), a_node("a2", zone="a"), a_node("b1", zone="b")]


def test_cordon_and_uncordon() -> None:
    cordoned = after(BASE, {"change": "cordon", "selector": "pool=x"}).case.snapshot.nodes
    again = after(BASE, {"change": "cordon", "zone": "a"}, {"change": "uncordon", "nodes": ["a2"]}).case.snapshot.nodes

    assert cordoned.unschedulable.tolist() == [True, False, False]
    assert [taint.key for taint in cordoned.nodes[0].taints] == ["node.kubernetes.io/unschedulable"]
    assert again.unschedulable.tolist() == [True, False, False]
    assert again.nodes[1].taints == ()


def test_labels_are_set_and_taken_away() -> None:
    change = {"change": "label-nodes", "zone": "a", "labels": {"pool": None, "tier": "gold"}}
    nodes = after(BASE, change).case.snapshot.nodes.nodes

    assert nodes[0].labels == {HOSTNAME: "a1", ZONE: "a", "tier": "gold"}
    assert "tier" not in nodes[2].labels


def test_taints_replace_their_like_and_drive_pods_out() -> None:
    tolerant = [{"key": "gone", "operator": "Exists"}]
    patient = [{"key": "gone", "operator": "Exists", "tolerationSeconds": 60}]
    base = [
        a_node(
            "n", taints=[{"key": "old", "effect": "NoSchedule"}, {"key": "gone", "value": "1", "effect": "NoExecute"}]
        ),
        owned("web-1", "web", "n"),
        owned("stays", "web", "n", tolerations=tolerant),
        owned("waits", "web", "n", tolerations=patient),
        a_pod("bare", node="n"),
    ]
    added = [{"key": "gone", "value": "2", "effect": "NoExecute"}]
    made = after(base, {"change": "taint-nodes", "nodes": ["n"], "taints": added, "remove": ["old:NoSchedule"]})

    assert [(t.key, t.value) for t in made.case.snapshot.nodes.nodes[0].taints] == [("gone", "2")]
    assert wanted(made.case) == ["web-again-1"]
    assert sorted(made.case.placed) == ["default/stays", "default/waits"]
    assert texts(made) == [
        "1 pod that no controller recreates is deleted: default/bare.",
        "1 pod tolerates the taint for a limited time; in the simulation it stays.",
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
    assert texts(made) == ["1 pod that no controller recreates is deleted: default/bare."]


def test_drained_and_unreachable_nodes_stay_for_the_simulation() -> None:
    changes: list[dict[str, object]] = [
        {"change": "drain-nodes", "nodes": ["b1"]},
        {"change": "lose-zone", "zone": "a", "how": "unreachable"},
    ]
    made = after(LIVED_IN, *changes)

    assert (made.case.drained, made.case.unreachable) == (["b1"], ["a1", "a2"])
    assert len(made.case.snapshot.nodes) == 3
    assert wanted(made.case) == []


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
    assert texts(made) == ["3 pods of 1 DaemonSet are created on nodes that it did not run on."]
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
        ({"change": "cordon", "nodes": ["a1", "nope"]}, "changes[0].nodes[1]", "There is no node nope."),
        ({"change": "cordon", "zone": "c"}, "changes[0].zone", "There is no node in a zone c."),
        ({"change": "lose-zone", "zone": "c", "how": "gone"}, "changes[0].zone", "There is no node in a zone c."),
        (
            {"change": "remove-nodes", "selector": "pool=y"},
            "changes[0].selector",
            "The label selector pool=y matches no node.",
        ),
        ({"change": "add-nodes", "count": 1, "like": "z"}, "changes[0].like", "There is no node z."),
        (
            {"change": "add-nodes", "count": 20_000, "cpu": "1", "memory": "1Gi"},
            "changes[0]",
            "more than 20\u202f000 nodes",
        ),
        ({"change": "trace", "format": "openb", "nodes": [], "pods": []}, "changes[0].pods", "The trace has no pods."),
    ],
)
def test_what_the_cluster_does_not_have(change: dict[str, object], path: str, problem: str) -> None:
    with pytest.raises(ChangeError) as caught:
        after(BASE, change)

    assert caught.value.path == path
    assert problem in problem_sentence(caught.value.problem)
    assert remedy_sentence(caught.value.problem)


def test_pods_of_daemon_sets_that_wait_go_with_their_node() -> None:
    base = [*BASE, *(owned(f"log-{node}", "log", kind="DaemonSet") for node in ("a1", "a2", "b1"))]
    base = [pinned(each, each["metadata"]["name"][4:]) if each["kind"] == "Pod" else each for each in base]
    base.append(owned("web-1", "web", "a1"))

    for change in ({"change": "remove-nodes", "zone": "a"}, {"change": "lose-zone", "zone": "a", "how": "gone"}):
        made = after(base, change)
        assert wanted(made.case) == ["log-b1", "web-again-1"]
        assert made.case.replaced == {"default/web-1": "default/web-again-1"}


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
    assert "1 pod of a StatefulSet on unreachable nodes stays Terminating" in said[0]
    assert "1 pod on unreachable nodes has a volume that one node at a time can attach" in said[1]
    assert "360" in said[1]
    assert texts(after(base, {**fail, "how": "not-ready"})) == []
    zone = texts(after(base, {"change": "lose-zone", "zone": "a", "how": "unreachable"}))
    assert "2 pods of StatefulSets" in zone[0]
