"""Examples that the documentation of Kubernetes works through, as whole runs: changes, then a simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.nodes import GRACE, SECOND
from clusters.engine.simulation import Case, Outcome, Simulation, Step, prepared, read_changes
from tests.engine.builders import HOSTNAME, Document, a_node
from tests.engine.simulation.changing import DEFAULT, a_workload, owned

READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def steps_of(
    base: list[Document], *changes: Document, configuration: SchedulerConfiguration = DEFAULT, **more: Any
) -> list[Step]:
    return list(Simulation(prepared(base, read_changes(list(changes)), configuration, **more).case))


def placed(steps: list[Step]) -> list[str]:
    return [step.node for step in steps if step.outcome is Outcome.PLACED]


def configured(**fields: Any) -> SchedulerConfiguration:
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return SchedulerConfiguration.from_dict({**versioned, **fields})


# -- where pods go -----------------------------------------------------------------------------------------------------


def near(app: str) -> Document:
    term = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": HOSTNAME}
    return {"requiredDuringSchedulingIgnoredDuringExecution": [term]}


def test_one_cache_and_one_server_on_every_node() -> None:
    cache = a_workload("Deployment", "store", pod={"affinity": {"podAntiAffinity": near("store")}})
    web = {"podAntiAffinity": near("web-store"), "podAffinity": near("store")}
    server = a_workload("Deployment", "web-store", pod={"affinity": web})
    add = {"change": "add-workload", "replicas": 4}
    nodes = [a_node(f"node-{number}") for number in (1, 2, 3)]
    steps = steps_of(nodes, {**add, "manifest": cache}, {**add, "manifest": server})

    for app in ("store", "web-store"):
        mine = [step for step in steps if step.pod.startswith(f"default/{app}-")]
        assert sorted(placed(mine)) == ["node-1", "node-2", "node-3"]
        # Of each a fourth one has no node left.
        (left,) = [step for step in mine if step.outcome is Outcome.UNSCHEDULABLE]
        assert left.plugins == ("InterPodAffinity",)


def test_nodes_are_visited_with_their_zones_in_turn() -> None:
    zones = {"n1": "1", "n2": "1", "n3": "1", "n4": "1", "n5": "2", "n6": "2"}
    # Where nothing scores, the first node that fits is taken, and the next search begins after it.
    plain = configured(profiles=[{"plugins": {"score": {"disabled": [{"name": "*"}]}}}])
    nodes = [a_node(name, zone=zone) for name, zone in zones.items()]
    change = {"change": "add-workload", "manifest": a_workload("ReplicaSet"), "replicas": 7}
    steps = steps_of(nodes, change, configuration=plain, samples=True)

    assert placed(steps) == ["n1", "n5", "n2", "n6", "n3", "n4", "n1"]


@pytest.mark.parametrize(
    ("nodes", "percentage", "found"),
    [
        (100, None, 100),
        (500, None, 230),
        (1000, None, 420),
        (5000, None, 500),
        (6000, None, 300),
        (500, 0, 230),
        (500, 50, 250),
        (500, 100, 500),
        # However small the share, a hundred nodes are looked for.
        (1000, 5, 100),
    ],
)
def test_how_many_nodes_are_looked_for(nodes: int, percentage: int | None, found: int) -> None:
    configuration = configured(**({} if percentage is None else {"percentageOfNodesToScore": percentage}))
    changes = [
        {"change": "add-nodes", "count": nodes, "cpu": "1", "memory": "1Gi"},
        {"change": "add-workload", "manifest": a_workload("ReplicaSet"), "replicas": 1},
    ]
    (step,) = steps_of([], *changes, configuration=configuration, samples=True)
    (whole,) = steps_of([], *changes, configuration=configuration)

    assert (step.feasible, step.looked_at) == (found, found)
    assert (whole.feasible, whole.looked_at) == (nodes, nodes)


def test_fewer_than_a_hundred_nodes_that_fit_are_all_found() -> None:
    changes: list[Document] = [
        {"change": "add-nodes", "count": 300, "cpu": "1", "memory": "1Gi", "prefix": "other-"},
        {"change": "add-nodes", "count": 60, "cpu": "1", "memory": "1Gi", "labels": {"pool": "x"}},
        {
            "change": "add-workload",
            "manifest": a_workload("ReplicaSet", pod={"nodeSelector": {"pool": "x"}}),
            "replicas": 2,
        },
    ]
    steps = steps_of([], *changes, configuration=configured(percentageOfNodesToScore=10), samples=True)

    assert [(step.feasible, step.looked_at) for step in steps] == [(60, 360)] * 2


# -- drains ------------------------------------------------------------------------------------------------------------


def running(name: str, owner: str, node: str, cpu: str) -> Document:
    return owned(name, owner, node, labels={"app": owner}, status=READY, requests={"cpu": cpu})


def controller(name: str, replicas: int) -> Document:
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}},
    }


def budget(least: int) -> Document:
    manifest = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"minAvailable": least, "selector": {"matchLabels": {"app": "web"}}},
    }
    return {"change": "put-budget", "manifest": manifest}


THREE_NODES = [
    a_node("node-1", allocatable={"cpu": "2"}),
    a_node("node-2", allocatable={"cpu": "2"}),
    a_node("node-3", allocatable={"cpu": "1500m"}),
    controller("web", 3),
    controller("x", 1),
    running("pod-a", "web", "node-1", "1"),
    running("pod-x", "x", "node-1", "500m"),
    running("pod-b", "web", "node-2", "1"),
    running("pod-c", "web", "node-3", "1"),
]


def what(steps: list[Step]) -> list[tuple[str, str, str]]:
    return [(step.outcome.value, step.pod.removeprefix("default/"), step.node) for step in steps]


def test_a_second_drain_stops_where_the_budget_would_be_broken() -> None:
    steps = steps_of(THREE_NODES, budget(2), {"change": "drain-nodes", "nodes": ["node-1", "node-2"]})

    assert what(steps) == [
        ("evicted", "pod-a", "node-1"),
        ("placed", "web-again-1", "node-2"),
        ("evicted", "pod-x", "node-1"),
        ("placed", "x-again-1", "node-3"),
        ("evicted", "pod-b", "node-2"),
        # There is no room for what takes its place, and two are left, as many as have to be.
        ("unschedulable", "web-again-2", ""),
        ("refused", "web-again-1", "node-2"),
    ]


def test_another_node_lets_the_drain_go_on() -> None:
    more = {"change": "add-nodes", "count": 1, "cpu": "2", "memory": "8Gi", "taints": []}
    steps = steps_of(THREE_NODES, budget(2), more, {"change": "drain-nodes", "nodes": ["node-1", "node-2"]})

    assert {step.outcome for step in steps} == {Outcome.EVICTED, Outcome.PLACED}


def test_four_of_five_leave_one_disruption() -> None:
    nodes = [a_node(f"n{number}", allocatable={"cpu": "1", "pods": "1"}) for number in range(5)]
    pods = [running(f"pod-{number}", "web", f"n{number}", "1") for number in range(5)]
    drain = {"change": "drain-nodes", "nodes": ["n0", "n1"]}
    steps = steps_of([*nodes, controller("web", 5), *pods], budget(4), drain)

    assert what(steps) == [
        ("evicted", "pod-0", "n0"),
        ("unschedulable", "web-again-1", ""),
        ("refused", "pod-1", "n1"),
    ]


# -- nodes that stop answering -----------------------------------------------------------------------------------------


def silenced(down: dict[str, int], up: dict[str, int]) -> Case:
    """One pod on every node that stops answering; nodes are named after their zone."""
    names = {f"{zone}{number:02}": zone for zone, count in down.items() for number in range(count)}
    nodes = [a_node(name, zone=zone) for name, zone in names.items()]
    nodes += [a_node(f"{zone}-up-{number}", zone=zone) for zone, count in up.items() for number in range(count)]
    pods = [running(f"on-{name}", "web", name, "1") for name in names]
    case = prepared([*nodes, controller("web", len(pods)), *pods], [], DEFAULT).case
    return replace(case, unreachable=sorted(names))


@pytest.mark.parametrize(
    ("down", "up", "pause", "count"),
    [
        ({"a": 4}, {"a": 16}, 10, 4),
        ({"a": 11}, {"a": 9}, 0, 0),
        ({"a": 33}, {"a": 27}, 100, 33),
        ({"a": 5}, {"b": 5}, 10, 5),
        ({"a": 5, "b": 5}, {}, 0, 0),
    ],
)
def test_how_fast_pods_are_driven_out(down: dict[str, int], up: dict[str, int], pause: int, count: int) -> None:
    gone = [step for step in Simulation(silenced(down, up)) if step.outcome is Outcome.EVICTED]

    assert [(step.at - GRACE) // SECOND for step in gone] == [turn * pause for turn in range(count)]
    assert [step.pod for step in gone] == [f"default/on-a{number:02}" for number in range(count)]


def test_a_zone_that_stops_answering_loses_its_pods_one_node_after_another() -> None:
    nodes = [a_node("a0", zone="a"), a_node("a1", zone="a"), a_node("b0", zone="b")]
    key = "node.kubernetes.io/unreachable"
    patience = [{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]
    pods = [
        owned("quick", "web", "a1", status=READY),
        owned("patient", "web", "a0", status=READY, tolerations=patience),
        owned("proxy", "proxy", "a0", kind="DaemonSet", tolerations=[{"operator": "Exists"}]),
    ]
    steps = steps_of([*nodes, *pods], {"change": "lose-zone", "zone": "a", "how": "unreachable"})

    assert [((step.at - GRACE) // SECOND, *each) for step, each in zip(steps, what(steps), strict=True)] == [
        (10, "evicted", "quick", "a1"),
        (10, "placed", "web-again-1", "b0"),
        (300, "evicted", "patient", "a0"),
        (300, "placed", "web-again-2", "b0"),
    ]
