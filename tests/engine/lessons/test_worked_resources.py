"""Worked examples of the documentation as situations: requests, overhead, extended resources, quotas and limits."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import AnswerIsUncertain, UnsolvableError
from tests.engine.lessons.clusters import Document, keys, node, pod, priority_class, question, situation

FOO = "example.com/foo"
GI = 1024**3


def number(here: Any, value: str, **arguments: Any) -> Any:
    return question("number", value=value, **arguments).solution(here)


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
