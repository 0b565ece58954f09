"""Worked examples of the documentation as situations: preemption, budgets, drains, nodes that fail, memory pressure."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import UnsolvableError
from clusters.engine.lessons.problems import CapacityUnknown
from clusters.engine.problems import NoSuchName
from tests.engine.lessons.clusters import (
    Document,
    node,
    pod,
    priority_class,
    question,
    situation,
)
from tests.support.answers import error_of

GI = 1024**3

CLASSES = [priority_class(name, value) for name, value in (("high", 1_000_000), ("mid", 10), ("low", -1))]

SMALL = {"cpu": "1"}


def number(here: Any, value: str, **arguments: Any) -> Any:
    return question("number", value=value, **arguments).solution(here)


def about(*objects: Document) -> Any:
    return situation(*CLASSES, *objects, about="new")


def running(name: str, on: str, priority: str = "low", cpu: str = "900m", **more: Any) -> Document:
    return pod(name, on, cpu=cpu, labels={"app": name}, priorityClassName=priority, **more)


def new(**more: Any) -> Document:
    return pod("new", cpu="500m", **{"priorityClassName": "high", **more})


def test_a_nominated_node_is_not_reserved_for_the_pod_that_preempted() -> None:
    nominated = {**pod("waits", cpu="1", priorityClassName="mid"), "status": {"nominatedNodeName": "n"}}
    nodes = [node("n", capacity=SMALL)]

    # Of higher priority, the other pod takes the node; of lower priority it leaves it free.
    assert question("node").solution(about(*nodes, nominated, new())) == "n"
    assert question("node").solution(about(*nodes, nominated, new(priorityClassName="low"))) is None
    # The pod that preempted goes elsewhere where its node is not free yet.
    mine = {**new(), "status": {"nominatedNodeName": "n"}}
    leaving = running("leaving", "n")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert question("node").solution(about(*nodes, node("free", capacity=SMALL), leaving, mine)) == "free"
    # And takes its own node, tried first, as soon as that is free, whatever else would score higher.
    large = node("large", capacity={"cpu": "64", "memory": "64Gi"})
    assert question("node").solution(about(*nodes, large, mine)) == "n"
    assert question("node").solution(about(*nodes, large, new())) == "large"


def kubelet(**more: Any) -> Document:
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **more}


def threshold(signal: str, value: str = "evictionThreshold", **configuration: Any) -> Any:
    large = node("n", capacity={"memory": "10Gi"})
    return number(situation(large, kubelet=kubelet(**configuration)), value, node="n", signal=signal)


def test_a_threshold_is_an_amount_or_a_share_of_what_the_node_has() -> None:
    assert threshold("memory.available", evictionHard={"memory.available": "1Gi"}) == "1Gi"
    # The kubelet holds percentages as floats of 32 bits, which makes it 16 bytes more.
    assert threshold("memory.available", evictionHard={"memory.available": "10%"}) == str(GI + 16)
    assert threshold("memory.available") == "100Mi"
    assert threshold("memory.available", evictionHard={"memory.available": "500Mi"}) == "500Mi"
    # Whoever sets one threshold sets the others to nothing; a share of a disk needs its size.
    raised = error_of(UnsolvableError, threshold, "nodefs.available", evictionHard={"memory.available": "1Gi"})
    assert isinstance(raised.problem, NoSuchName)
    assert error_of(UnsolvableError, threshold, "nodefs.available").problem == CapacityUnknown("n", "nodefs.available")


def test_e61_the_kubelet_reclaims_more_than_the_threshold() -> None:
    configuration = {
        "evictionHard": {"memory.available": "500Mi", "nodefs.available": "1Gi", "imagefs.available": "100Gi"},
        "evictionMinimumReclaim": {
            "memory.available": "0Mi",
            "nodefs.available": "500Mi",
            "imagefs.available": "2Gi",
        },
    }
    targets = [threshold(signal, "reclaimTarget", **configuration) for signal in configuration["evictionHard"]]

    # The documentation prints 1.5 GiB for the second.
    assert targets == ["500Mi", "1524Mi", "102Gi"]


def test_e29_who_is_killed_first_when_memory_is_used_up() -> None:
    pods = [
        pod("guaranteed", "n", requests={"cpu": "1", "memory": "1Gi"}, limits={"cpu": "1", "memory": "1Gi"}),
        pod("best-effort", "n"),
        *(pod(f"burstable-{size}", "n", memory=size) for size in ("1Mi", "1Gi", "4Gi", "8Gi")),
    ]
    here = situation(node("n"), *pods)
    # The documentation has 2 as the least of Burstable pods; the kubelet keeps them above 1000 - 997.
    scores = {"guaranteed": -997, "best-effort": 1000}
    scores |= {f"burstable-{size}": score for size, score in (("1Mi", 999), ("1Gi", 875), ("4Gi", 500), ("8Gi", 3))}

    assert {name: int(number(here, "oomScore", pod=name)) for name in scores} == scores
    assert question("order", of="oom", on="n").solution(here)[0] == "default/best-effort"
    assert question("pods", which="oomKilledFirst", on="n").solution(here) == ["default/best-effort"]


def test_a_score_by_memory_that_a_node_does_not_report_is_unknown() -> None:
    small = pod("small", "n", requests={"memory": "1Gi"})
    here = situation(node("n", capacity={"memory": "0"}), small, pod("best-effort", "n", requests={}))
    score: Any = question("number", value="oomScore", pod="small")

    for ask in (
        score.solution,
        score.working,
        question("order", of="oom", on="n").solution,
        question("pods", which="oomKilledFirst", on="n").solution,
    ):
        assert error_of(UnsolvableError, ask, here).problem == CapacityUnknown("n", "oom_score_adj")
    assert number(here, "oomScore", pod="best-effort") == "1000"


HOST = "kubernetes.io/hostname"

FOO = {"foo": "bar"}


def four_nodes() -> list[Document]:
    """Two zones of two nodes; a matching pod on three of the nodes."""
    zones = {"node1": "zoneA", "node2": "zoneA", "node3": "zoneB", "node4": "zoneB"}
    return [
        *(node(name, zone=zone) for name, zone in zones.items()),
        *(pod(f"on-{name}", name, labels=FOO) for name in ("node1", "node2", "node3")),
    ]


def test_default_constraints_of_pods_of_a_service() -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": FOO},
    }
    new = pod("new", labels=FOO)
    here = situation(*four_nodes(), service, new, about="new")
    asked = question("number", value="matching", topologyKey=HOST, domain="node1")
    none = {"defaultConstraints": [], "defaultingType": "List"}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"pluginConfig": [{"name": "PodTopologySpread", "args": none}]}],
    }

    assert asked.solution(here) == "1"
    assert question("node").solution(here) == "node4"
    with pytest.raises(UnsolvableError):
        asked.solution(situation(*four_nodes(), service, new, about="new", configuration=configuration))
