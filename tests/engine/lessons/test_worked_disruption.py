"""Worked examples of the documentation as situations: preemption, budgets, drains, nodes that fail, memory pressure."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import UnsolvableError
from clusters.engine.lessons.problems import CapacityUnknown, DrainOrderUnknown, NotInSituation
from tests.engine.lessons.clusters import (
    ZONE,
    Document,
    budget,
    node,
    owned,
    pod,
    priority_class,
    question,
    replica_set,
    situation,
)

GI = 1024**3
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
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


def near(kind: str, app: str, key: str) -> Document:
    return {kind: {REQUIRED: [{"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}]}}


def test_no_pod_of_another_node_is_preempted() -> None:
    nodes = [node("n", zone="z", capacity=SMALL), node("m", zone="z", capacity={"cpu": "200m"})]
    apart = new(affinity=near("podAntiAffinity", "q", ZONE))
    low, other = running("low", "n"), running("q", "m", cpu="100m")

    here = about(*nodes, low, other, apart)
    assert question("outcome").solution(here) == "unschedulable"
    assert question("pods", which="victims").solution(here) == []
    assert question("outcome").solution(about(*nodes, low, apart)) == "preempts"


def test_a_pod_that_must_run_beside_its_victim_preempts_nobody() -> None:
    beside = new(affinity=near("podAffinity", "low", "kubernetes.io/hostname"))
    objects = [node("n", capacity=SMALL), running("low", "n")]

    assert question("outcome").solution(about(*objects, beside)) == "unschedulable"
    assert question("pods", which="victims").solution(about(*objects, new())) == ["default/low"]


@pytest.mark.parametrize(
    ("budgets", "chosen"),
    [((), "x"), (("lowest",), "y"), (("lowest", "higher"), "x")],
    ids=["victims of lowest priority", "a budget moves the choice", "every choice violates a budget"],
)
def test_budgets_are_kept_where_that_is_possible(budgets: tuple[str, ...], chosen: str) -> None:
    nodes = [node(name, capacity=SMALL) for name in "xy"]
    pods = [running("lowest", "x"), running("higher", "y", "mid")]
    bounds = [budget(app, {"app": app}, minAvailable=1) for app in budgets]

    assert question("node", nominated=True).solution(about(*nodes, *pods, *bounds, new())) == chosen


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [
        ({"priorityClassName": "mid"}, "unschedulable"),
        ({"priorityClassName": "low"}, "unschedulable"),
        ({"priorityClassName": "high"}, "preempts"),
        ({"priorityClassName": "never"}, "unschedulable"),
        ({"priorityClassName": "missing"}, "refused"),
    ],
)
def test_who_preempts(spec: Document, outcome: str) -> None:
    never = priority_class("never", 1_000_000, preemptionPolicy="Never")
    here = about(never, node("n", capacity=SMALL), running("old", "n", "mid"), new(**spec))

    assert question("outcome").solution(here) == outcome


def test_the_priority_of_a_pod_is_that_of_its_class() -> None:
    assert number(about(node("n"), new()), "priority") == "1000000"
    assert number(about(node("n"), pod("new")), "priority") == "0"


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


WEB, OTHER = {"app": "web"}, {"app": "other"}
BLOCKED = ("node-1", "node-2", "node-3")


def drained(*drain: str, without: tuple[str, ...] = (), more: tuple[Document, ...] = ()) -> Any:
    pods = {
        "pod-a": owned(pod("pod-a", "node-1", labels=WEB), "web"),
        "pod-x": owned(pod("pod-x", "node-1", labels=OTHER), "other"),
        "pod-b": owned(pod("pod-b", "node-2", labels=WEB), "web"),
        "pod-c": owned(pod("pod-c", "node-3", labels=WEB), "web"),
    }
    here = situation(
        *(node(name) for name in BLOCKED),
        replica_set("web", 3),
        replica_set("other", 1),
        budget("web", WEB, minAvailable=2),
        *(each for name, each in pods.items() if name not in without),
        *more,
    )
    return question("pods", which="blocked", drain=list(drain)).solution(here)


def test_a_drain_waits_for_replacements_that_are_ready() -> None:
    starting = owned(pod("pod-d", "node-2", labels=WEB), "web")
    not_ready = {**starting, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}}
    gone = ("pod-a", "pod-x")

    assert drained("node-1") == []
    # One of three may be missing: the second node's pod stays.
    assert drained("node-1", "node-2") == ["default/pod-b"]
    # While the replacement starts two are available, as many as have to be.
    assert drained("node-3", without=gone, more=(not_ready,)) == ["default/pod-c"]
    # Once it is ready one pod more may go.
    assert drained("node-3", without=gone, more=(starting,)) == []
    # Of the two on one node the documentation has the older one go; kubectl asks for both at once.
    with pytest.raises(UnsolvableError) as raised:
        drained("node-2", without=gone, more=(starting,))
    assert raised.value.problem == DrainOrderUnknown("node-2")


def test_four_of_five_leave_one_disruption() -> None:
    pods = [owned(pod(f"web-{each}", "n", labels=WEB), "web") for each in range(5)]
    here = situation(node("n"), replica_set("web", 5), *pods, budget("web", WEB, minAvailable=4))

    assert number(here, "allowedDisruptions", budget="web") == "1"
    assert number(here, "healthyPodsRequired", budget="web") == "4"


@pytest.mark.parametrize(
    ("bounds", "answer"),
    [
        ([], "allowed"),
        ([budget("web", WEB, minAvailable=0)], "allowed"),
        ([budget("web", WEB, minAvailable=1)], "refused"),
        ([budget("web", WEB, minAvailable=0), budget("more", WEB, minAvailable=0)], "error"),
    ],
)
def test_what_the_eviction_of_a_pod_is_answered(bounds: list[Document], answer: str) -> None:
    here = situation(node("n"), pod("quux", "n", labels=WEB), *bounds)

    assert question("eviction", pod="quux").solution(here) == answer


def test_a_node_that_stops_reporting() -> None:
    silent = node("silent", conditions=[{"type": "Ready", "status": "Unknown"}])
    here = situation(silent, node("well"), pod("web", "silent"))

    assert number(here, "stays", pod="web") == "300"
    # The documentation has it Unknown after 40 seconds; since Kubernetes 1.32 it is 50.
    assert number(here, "nodeMonitorGracePeriod") == "50"


def zone_of(name: str, size: int, failed: int) -> list[Document]:
    ready, unknown = ([{"type": "Ready", "status": status}] for status in ("True", "Unknown"))
    return [
        node(f"{name}-{each:02}", zone=name, conditions=unknown if each < failed else ready) for each in range(size)
    ]


@pytest.mark.parametrize(
    ("zones", "rate"),
    [
        ({"z1": (20, 10)}, "0.1"),
        ({"z1": (20, 11)}, "0"),
        ({"z1": (60, 33)}, "0.01"),
        ({"z1": (10, 10), "z2": (10, 0)}, "0.1"),
        ({"z1": (10, 10), "z2": (10, 10)}, "0"),
        # Fewer than three nodes that are not ready never count as a disruption of a zone.
        ({"z1": (3, 2)}, "0.1"),
        # The documentation asks for the size of the cluster; the controller asks for that of the zone.
        ({"z1": (20, 11), "z2": (40, 0)}, "0"),
    ],
)
def test_how_fast_nodes_of_a_zone_are_tainted(zones: dict[str, tuple[int, int]], rate: str) -> None:
    here = situation(*(each for name, counts in zones.items() for each in zone_of(name, *counts)))

    assert number(here, "evictionRate", zone="z1") == rate


def test_pods_above_their_requests_go_first_and_then_by_priority() -> None:
    pods = [
        pod("within-low", "n", memory="2Gi", priorityClassName="low"),
        pod("over-high", "n", memory="1Gi", priorityClassName="high"),
        pod("over-low", "n", memory="1Gi", priorityClassName="low"),
        pod("over-low-more", "n", memory="1Gi", priorityClassName="low"),
        pod("within-high", "n", memory="2Gi", priorityClassName="high"),
    ]
    used = {"within-low": 1, "over-high": 4, "over-low": 2, "over-low-more": 3, "within-high": 1}
    usage = {f"default/{name}": amount * GI for name, amount in used.items()}
    here = situation(*CLASSES, node("n"), *pods, usage=usage)

    order = question("order", of="pressure", on="n").solution(here)
    names = ["over-low-more", "over-low", "over-high", "within-low", "within-high"]
    assert order == [f"default/{name}" for name in names]


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
    with pytest.raises(UnsolvableError) as raised:
        threshold("nodefs.available", evictionHard={"memory.available": "1Gi"})
    assert isinstance(raised.value.problem, NotInSituation)
    with pytest.raises(UnsolvableError) as raised:
        threshold("nodefs.available")
    assert raised.value.problem == CapacityUnknown("n", "nodefs.available")


def test_the_kubelet_reclaims_more_than_the_threshold() -> None:
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


def test_who_is_killed_first_when_memory_is_used_up() -> None:
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
        with pytest.raises(UnsolvableError) as raised:
            ask(here)
        assert raised.value.problem == CapacityUnknown("n", "oom_score_adj")
    assert number(here, "oomScore", pod="best-effort") == "1000"
