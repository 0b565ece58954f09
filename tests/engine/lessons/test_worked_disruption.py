"""Worked examples of the documentation as situations: preemption, budgets, drains, nodes that fail, memory pressure."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import AnswerIsUncertain, UnsolvableError
from clusters.engine.lessons.problems import CapacityUnknown, DrainOrderUnknown, NotInSituation
from tests.engine.lessons.clusters import (
    ZONE,
    Document,
    budget,
    keys,
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


FOO = "example.com/foo"


def containers(*amounts: tuple[dict[str, str], dict[str, str]], name: str = "new", **spec: Any) -> Document:
    """A pod with a container for each pair of requests and limits."""
    plain = pod(name, **spec)
    plain["spec"]["containers"] = [
        {"name": f"c{place}", "image": "registry.example/app:1", "resources": {"requests": requests, "limits": limits}}
        for place, (requests, limits) in enumerate(amounts)
    ]
    return plain


def test_overhead_is_requested_beside_the_containers() -> None:
    kata = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "kata-fc"},
        "handler": "kata-fc",
        "overhead": {"podFixed": {"cpu": "250m", "memory": "120Mi"}},
    }
    amounts: list[tuple[dict[str, str], dict[str, str]]] = [
        ({}, {"cpu": "500m", "memory": "100Mi"}),
        ({}, {"cpu": "1500m", "memory": "100Mi"}),
    ]
    here = situation(kata, node("a"), containers(*amounts, runtimeClassName="kata-fc"), about="new")

    assert number(here, "request", resource="cpu") == "2250m"
    assert number(here, "request", resource="memory") == "320Mi"
    running = containers(*amounts, name="old", runtimeClassName="kata-fc")
    running["spec"]["nodeName"] = "a"
    used = situation(kata, node("a"), running)
    assert number(used, "requested", node="a", resource="cpu") == "2250m"
    # 56 percent of four CPUs.
    assert (
        question("number", value="requested", node="a", resource="cpu", tolerance="0.02").judge(used, "2.24").is_right
    )
    refused = containers(*amounts, runtimeClassName="kata-fc", overhead={"cpu": "1"})
    assert question("outcome").solution(situation(kata, node("a"), refused, about="new")) == "refused"


def test_a_pod_that_requests_more_than_any_node_has() -> None:
    here = situation(*(node(name, capacity={"cpu": "1"}) for name in "ab"), pod("new", cpu="1.1"), about="new")

    assert question("outcome").solution(here) == "unschedulable"
    assert question("rejections").solution(here) == dict.fromkeys("ab", "NodeResourcesFit")
    assert question("node").solution(here) is None


def busy_node() -> list[Document]:
    """A node of two CPUs that keeps some for itself, with the usual pods of a cluster."""
    worker = node("worker")
    worker["status"] = {
        "capacity": {"cpu": "2", "memory": "7679792Ki", "pods": "110"},
        "allocatable": {"cpu": "1800m", "memory": "7474992Ki", "pods": "110"},
    }
    requests = [("100m", "200Mi"), ("260m", "100Mi"), ("100m", ""), ("200m", "600Mi"), ("20m", "20Mi")]
    return [
        worker,
        *(
            pod(f"system-{place}", "worker", requests={"cpu": cpu, **({"memory": memory} if memory else {})})
            for place, (cpu, memory) in enumerate(requests)
        ),
    ]


def test_what_is_left_of_a_node_is_left_of_what_pods_may_request() -> None:
    here = situation(*busy_node())

    assert number(here, "requested", node="worker", resource="cpu") == "680m"
    assert number(here, "requested", node="worker", resource="memory") == "920Mi"
    assert number(here, "free", node="worker", resource="cpu") == "1120m"
    assert number(here, "free", node="worker", resource="memory") == "6532912Ki"
    # 6.23 Gi, as it is rounded there.
    in_gi = question("number", value="free", node="worker", resource="memory", tolerance="10Mi")
    assert in_gi.judge(here, "6.23Gi").is_right


@pytest.mark.parametrize(
    ("requests", "outcome"),
    [
        ({"cpu": "1120m"}, "scheduled"),
        ({"cpu": "1121m"}, "unschedulable"),
        ({"memory": "6532912Ki"}, "scheduled"),
        ({"memory": "6532913Ki"}, "unschedulable"),
    ],
)
def test_a_request_of_exactly_what_is_left_fits(requests: dict[str, str], outcome: str) -> None:
    here = situation(*busy_node(), pod("new", requests=requests), about="new")

    assert question("outcome").solution(here) == outcome


def test_the_request_of_a_pod_is_that_of_its_containers_together() -> None:
    one = ({"cpu": "250m", "memory": "64Mi"}, {"cpu": "500m", "memory": "128Mi"})
    stored = ({"ephemeral-storage": "2Gi"}, {"ephemeral-storage": "4Gi"})
    here = situation(node("a"), containers(one, one, name="web"), containers(stored, stored), about="new")

    assert [number(here, "request", pod="web", resource=each) for each in ("cpu", "memory")] == ["500m", "128Mi"]
    assert [number(here, "limit", pod="web", resource=each) for each in ("cpu", "memory")] == ["1", "256Mi"]
    assert [number(here, each, resource="ephemeral-storage") for each in ("request", "limit")] == ["4Gi", "8Gi"]


def test_the_largest_init_container_counts_where_it_requests_more() -> None:
    new = pod("new", cpu="300m", memory="64Mi")
    first = {"name": "init", "image": "registry.example/init:1", "resources": {"requests": {"cpu": "1"}}}
    new["spec"]["initContainers"] = [first]
    here = situation(node("a"), new, about="new")

    assert [number(here, "request", resource=each) for each in ("cpu", "memory")] == ["1", "64Mi"]


@pytest.mark.parametrize("written", ["129e6", "129M", "123Mi", "128974848"])
def test_one_amount_can_be_written_in_many_ways(written: str) -> None:
    here = situation(node("a"), pod("new", memory="128974848"), about="new")

    # They are roughly the same: 123Mi to the byte, and the others to within 26 kB.
    assert question("number", value="request", resource="memory", tolerance="26k").judge(here, written).is_right


def extended(amount: str, **more: str) -> Document:
    return pod("new", requests={FOO: amount, **more}, limits={FOO: amount})


def test_an_extended_resource_has_to_be_there() -> None:
    with_foo, without = node("k8s-node-1", capacity={FOO: "5"}), node("other")
    feasible = question("nodes", which="feasible")

    assert feasible.solution(situation(with_foo, without, extended("1", cpu="2"), about="new")) == ["k8s-node-1"]
    assert feasible.solution(situation(without, extended("1", cpu="2"), about="new")) == []
    assert number(situation(with_foo, extended("2"), about="new"), "replicasThatFit") == "2"
    assert feasible.solution(situation(node("two", capacity={FOO: "2"}), extended("2"), about="new")) == ["two"]


@pytest.mark.parametrize(
    ("amount", "outcome"),
    [
        ("3", "scheduled"),
        ("3000m", "scheduled"),
        ("3Ki", "unschedulable"),
        ("0.5", "refused"),
        ("1500m", "refused"),
    ],
)
def test_extended_resources_are_whole_numbers(amount: str, outcome: str) -> None:
    here = situation(node("a", capacity={FOO: "5"}), extended(amount), about="new")

    assert question("outcome").solution(here) == outcome


def test_only_pods_with_a_managed_resource_are_sent_to_an_extender() -> None:
    policy = {
        "apiVersion": "v1",
        "kind": "Policy",
        "extenders": [
            {
                "urlPrefix": "http://extender.example",
                "filterVerb": "filter",
                "managedResources": [{"name": FOO, "ignoredByScheduler": True}],
            }
        ],
    }
    plain, asking = pod("new", cpu="1"), extended("1")

    assert question("outcome").solution(situation(node("a"), plain, about="new", configuration=policy)) == "scheduled"
    with pytest.raises(UnsolvableError) as raised:
        question("outcome").solution(situation(node("a"), asking, about="new", configuration=policy))
    assert raised.value.problem == AnswerIsUncertain("default/new", ("extender",))


# -- quotas and limits -------------------------------------------------------------------------------------------------


def quota(name: str, hard: dict[str, str], priority: str = "") -> Document:
    scope = {"scopeName": "PriorityClass", "operator": "In", "values": [priority]}
    spec: Document = {"hard": hard, **({"scopeSelector": {"matchExpressions": [scope]}} if priority else {})}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": name, "namespace": "default"},
        "spec": spec,
    }


def test_quotas_by_priority_class() -> None:
    amounts = {"high": ("1k", "200Gi"), "medium": ("10", "20Gi"), "low": ("5", "10Gi")}
    quotas = [
        quota(f"pods-{name}", {"cpu": cpu, "memory": memory, "pods": "10"}, name)
        for name, (cpu, memory) in amounts.items()
    ]
    classes = [priority_class(name, value) for value, name in enumerate(amounts)]
    high = pod("high-priority", "a", cpu="500m", memory="10Gi", priorityClassName="high")
    here = situation(*quotas, *classes, node("a", capacity={"memory": "16Gi"}), high)

    def used(name: str) -> list[Any]:
        return [number(here, "quotaUsed", quota=name, resource=each) for each in ("cpu", "memory", "pods")]

    assert used("pods-high") == ["500m", "10Gi", "1"]
    assert used("pods-medium") == used("pods-low") == ["0", "0", "0"]
    assert number(here, "quotaLeft", quota="pods-high", resource="cpu") == "999500m"


def test_a_quota_of_an_extended_resource() -> None:
    gpu = "nvidia.com/gpu"
    bound = quota("gpus", {f"requests.{gpu}": "4"})

    def outcome(amount: str) -> Any:
        used = pod("old", "a", requests={gpu: "3"}, limits={gpu: "3"})
        new = pod("new", requests={gpu: amount}, limits={gpu: amount})
        return question("outcome").solution(situation(bound, node("a", capacity={gpu: "8"}), used, new, about="new"))

    assert [outcome("1"), outcome("2")] == ["scheduled", "refused"]


def test_a_quota_of_cpu_makes_pods_say_what_they_request() -> None:
    here = situation(quota("cpu", {"requests.cpu": "1"}), node("a"), pod("new"), about="new")

    assert question("outcome").solution(here) == "refused"
    assert keys(question("outcome"), here, "scheduled") == ["other-outcome/scheduled"]


def test_quotas_of_numbers_of_objects() -> None:
    counts = {"deployments.apps": "2", "replicasets.apps": "4", "pods": "3", "secrets": "4"}
    bound = quota("objects", {f"count/{name}": most for name, most in counts.items()} | {"services": "10"})
    kinds = [("Deployment", "nginx"), ("ReplicaSet", "nginx-1"), ("Secret", "token"), ("Service", "nginx")]
    objects = [{"kind": kind, "metadata": {"name": name, "namespace": "default"}} for kind, name in kinds]
    here = situation(bound, node("a"), *objects, *(pod(f"nginx-{each}", "a") for each in range(2)))

    used = {name: number(here, "quotaUsed", quota="objects", resource=f"count/{name}") for name in counts}
    assert used == {"deployments.apps": "1", "replicasets.apps": "1", "pods": "2", "secrets": "1"}
    assert number(here, "quotaLeft", quota="objects", resource="services") == "9"


def limit_range() -> Document:
    limits = {
        "type": "Container",
        "defaultRequest": {"cpu": "150m", "memory": "300Mi"},
        "default": {"cpu": "150m", "memory": "300Mi"},
        "min": {"cpu": "100m", "memory": "200Mi"},
        "max": {"cpu": "500m", "memory": "600Mi"},
    }
    return {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "limits", "namespace": "default"},
        "spec": {"limits": [limits]},
    }


def test_a_limit_range_fills_in_and_refuses() -> None:
    cluster = [limit_range(), *(node(name, capacity={"cpu": "8", "memory": "4Gi"}) for name in "ab")]
    silent = situation(*cluster, pod("new"), about="new")

    assert number(silent, "request", resource="cpu") == "150m"
    assert number(silent, "request", resource="memory") == "300Mi"
    for requests, outcome in (({"cpu": "99m"}, "refused"), ({"cpu": "100m"}, "scheduled"), ({"cpu": "1"}, "refused")):
        new = pod("new", requests=requests, limits={"cpu": "500m"} if outcome != "refused" else requests)
        assert question("outcome").solution(situation(*cluster, new, about="new")) == outcome


def test_quotas_are_counted_by_namespace_and_not_by_what_the_nodes_have() -> None:
    bound = [quota("team", {"requests.cpu": "10"}), node("a")]
    used = [pod(f"old-{each}", "a", cpu="1") for each in range(4)]
    new = pod("new", cpu="1")

    # The quota has room for six pods more, and the node for none.
    here = situation(*bound, *used, new, about="new")
    assert number(here, "quotaLeft", quota="team", resource="requests.cpu") == "6"
    assert question("outcome").solution(here) == "unschedulable"
    elsewhere = situation(*bound, *(pod(f"other-{each}", "a", cpu="1", namespace="b") for each in range(3)))
    assert number(elsewhere, "quotaUsed", quota="team", resource="requests.cpu") == "0"
