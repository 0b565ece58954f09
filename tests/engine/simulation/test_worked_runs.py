"""Examples that the documentation of Kubernetes works through, as whole runs: changes, then a simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.nodes import GRACE, SECOND
from clusters.engine.simulation import Case, Outcome, Simulation, Step, prepared, read_changes
from tests.engine.builders import Document, a_node
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


def test_nodes_are_visited_with_their_zones_in_turn() -> None:
    zones = {"n1": "1", "n2": "1", "n3": "1", "n4": "1", "n5": "2", "n6": "2"}
    # Where nothing scores, the first node that fits is taken, and the next search begins after it.
    plain = configured(profiles=[{"plugins": {"score": {"disabled": [{"name": "*"}]}}}])
    nodes = [a_node(name, zone=zone) for name, zone in zones.items()]
    change = {"change": "add-workload", "manifest": a_workload("ReplicaSet"), "replicas": 7}
    steps = steps_of(nodes, change, configuration=plain, samples=True)

    assert placed(steps) == ["n1", "n5", "n2", "n6", "n3", "n4", "n1"]


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


def what(steps: list[Step]) -> list[tuple[str, str, str]]:
    return [(step.outcome.value, step.pod.removeprefix("default/"), step.node) for step in steps]


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
