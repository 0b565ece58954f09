"""Worked examples of the documentation as situations: scores, and the search for nodes."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.configuration.problems import NotAPercentageOfNodes
from clusters.engine.lessons import SituationError
from tests.engine.lessons.clusters import Document, keys, node, pod, question, situation

PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
FOO = "intel.com/foo"


def configured(*profiles: Document, **more: Any) -> Document:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        **({"profiles": list(profiles)} if profiles else {}),
        **more,
    }


def with_arguments(plugin: str, **arguments: Any) -> Document:
    return configured({"pluginConfig": [{"name": plugin, "args": arguments}]})


def test_bin_packing_by_requested_to_capacity_ratio() -> None:
    weights = [{"name": FOO, "weight": 5}, {"name": "memory", "weight": 1}, {"name": "cpu", "weight": 3}]
    shape = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
    strategy = {
        "type": "RequestedToCapacityRatio",
        "resources": weights,
        "requestedToCapacityRatio": {"shape": shape},
    }

    def amounts(cpu: str, memory: str, foo: str) -> dict[str, str]:
        return {"cpu": cpu, "memory": memory, FOO: foo}

    here = situation(
        node("node-1", capacity=amounts("8", "1Gi", "4")),
        node("node-2", capacity=amounts("8", "1Gi", "8")),
        pod("used-1", "node-1", requests=amounts("1", "256Mi", "1"), limits={FOO: "1"}),
        pod("used-2", "node-2", requests=amounts("6", "512Mi", "2"), limits={FOO: "2"}),
        pod("new", requests=amounts("2", "256Mi", "2"), limits={FOO: "2"}),
        about="new",
        configuration=with_arguments("NodeResourcesFit", scoringStrategy=strategy),
    )

    def number(value: str, name: str, **more: str) -> Any:
        return question("number", value=value, node=name, **more).solution(here)

    assert [number("binPacking", name) for name in here.node_names] == ["5", "7"]
    # kube-scheduler brings the shape to 0 to 100 before it takes the mean: 536 and 625 ninths.
    assert [number("score", name, plugin="NodeResourcesFit") for name in here.node_names] == ["60", "69"]


def by_label(label: str, weight: int) -> Document:
    expression = {"key": label, "operator": "In", "values": [label.replace("label", "key")]}
    return {"weight": weight, "preference": {"matchExpressions": [expression]}}


def test_preferences_add_their_weights_and_are_normalised() -> None:
    linux = {"kubernetes.io/os": "linux"}
    expression = {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}
    affinity = {
        REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]},
        PREFERRED: [by_label("label-1", 1), by_label("label-2", 50)],
    }
    here = situation(
        node("a", labels={**linux, "label-1": "key-1"}),
        node("b", labels={**linux, "label-2": "key-2"}),
        node("c", labels={"kubernetes.io/os": "windows", "label-2": "key-2"}),
        pod("new", affinity={"nodeAffinity": affinity}),
        about="new",
    )

    def number(value: str, name: str) -> Any:
        return question("number", value=value, node=name, plugin="NodeAffinity").solution(here)

    assert question("node").solution(here) == "b"
    assert keys(question("node"), here, "c") == ["rejected/NodeAffinity"]
    assert [number("rawScore", name) for name in "ab"] == ["1", "50"]
    # The highest is brought to 100, and the others by the same factor.
    assert [number("score", name) for name in "ab"] == ["2", "100"]


def test_nodes_are_visited_zone_by_zone_in_turn() -> None:
    zones = {1: "zone-1", 2: "zone-1", 3: "zone-1", 4: "zone-1", 5: "zone-2", 6: "zone-2"}
    here = situation(*(node(f"node-{number}", zone=zone) for number, zone in zones.items()))

    order = question("order", of="search").solution(here)
    assert order == [f"node-{number}" for number in (1, 5, 2, 6, 3, 4)]


@pytest.mark.parametrize(
    ("percentage", "nodes", "answer"),
    [
        (None, 100, "50"),
        (None, 5000, "10"),
        (None, 20_000, "5"),
        (0, 5000, "10"),
        (50, 5000, "50"),
        (None, 500, "46"),
        (None, 1000, "42"),
        (None, 6000, "5"),
        (3, 6000, "3"),
    ],
)
def test_which_percentage_of_nodes_is_looked_for(percentage: int | None, nodes: int, answer: str) -> None:
    more = {} if percentage is None else {"percentageOfNodesToScore": percentage}
    here = situation(node("a"), configuration=configured(**more))

    assert question("number", value="percentageOfNodes", nodes=nodes).solution(here) == answer


def test_more_than_100_percent() -> None:
    # The documentation has it read as 100; today's kube-scheduler does not start with it.
    with pytest.raises(SituationError) as raised:
        situation(node("a"), configuration=configured(percentageOfNodesToScore=150))
    assert raised.value.problem == NotAPercentageOfNodes(150)


@pytest.mark.parametrize(("nodes", "answer"), [(99, "99"), (100, "100"), (900, "100"), (5000, "500")])
def test_below_100_nodes_all_are_looked_at(nodes: int, answer: str) -> None:
    here = situation(node("a"), configuration=configured(percentageOfNodesToScore=10))

    assert question("number", value="nodesToFind", nodes=nodes).solution(here) == answer
