"""Worked examples of the documentation, by number: bin packing, and affinity to nodes and to pods."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.builders import (
    HOSTNAME,
    ZONE,
    Document,
    a_node,
    a_pod,
    explanation_of,
    raw_scores_of,
    scores_of,
    with_arguments,
)

FOO = "intel.com/foo"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def expression(key: str, *values: str, operator: str = "In") -> Document:
    """A requirement of labels; one without values asks for the key alone."""
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


# -- bin packing ---------------------------------------------------------------------------------------------


def bin_packing() -> Document:
    """The profile of both examples: an empty node scores nothing, a full one everything."""
    shape = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
    weights = [{"name": name, "weight": weight} for name, weight in ((FOO, 5), ("memory", 1), ("cpu", 3))]
    scoring = {"type": "RequestedToCapacityRatio", "resources": weights, "requestedToCapacityRatio": {"shape": shape}}
    return with_arguments("NodeResourcesFit", scoringStrategy=scoring)


@pytest.mark.parametrize(
    ("foo", "used", "score"),
    # Of a node's resources 75 %, 50 % and 37 % (37.5, cut off) are requested with the pod, each worth as many points:
    # (75 x 5 + 50 x 1 + 37 x 3) / 9 = 59.6, rounded. The documentation's arithmetic has scores to 10, and 5 for this.
    [
        pytest.param(4, {FOO: "1", "memory": "256Mi", "cpu": "1"}, 60, id="e01"),
        # (50 x 5 + 75 x 1 + 100 x 3) / 9 = 69.4. The documentation has 7 of 10.
        pytest.param(8, {FOO: "2", "memory": "512Mi", "cpu": "6"}, 69, id="e02"),
    ],
)
def test_e01_e02_requested_to_capacity_ratio(foo: int, used: dict[str, str], score: int) -> None:
    node = a_node("node", allocatable={FOO: str(foo), "memory": "1Gi", "cpu": "8"})
    pod = a_pod(requests={FOO: "2", "memory": "256Mi", "cpu": "2"})

    found = explanation_of(pod, node, a_pod("running", node="node", requests=used), **bin_packing())
    assert raw_scores_of(found, "NodeResourcesFit") == {"node": score}


def test_e02_the_fuller_node_wins() -> None:
    nodes = [
        a_node("node-1", allocatable={FOO: "4", "memory": "1Gi", "cpu": "8"}),
        a_node("node-2", allocatable={FOO: "8", "memory": "1Gi", "cpu": "8"}),
    ]
    running = [
        a_pod("on-1", node="node-1", requests={FOO: "1", "memory": "256Mi", "cpu": "1"}),
        a_pod("on-2", node="node-2", requests={FOO: "2", "memory": "512Mi", "cpu": "6"}),
    ]
    pod = a_pod(requests={FOO: "2", "memory": "256Mi", "cpu": "2"})

    found = explanation_of(pod, *nodes, *running, **bin_packing())
    assert raw_scores_of(found, "NodeResourcesFit") == {"node-1": 60, "node-2": 69}


# -- node affinity -------------------------------------------------------------------------------------------


def node_affinity(*required: Document, preferred: tuple[tuple[int, Document], ...] = ()) -> Document:
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(required)}]}
    weighted = [{"weight": weight, "preference": {"matchExpressions": [each]}} for weight, each in preferred]
    return {"nodeAffinity": {**({REQUIRED: terms} if required else {}), PREFERRED: weighted}}


def test_e16_a_required_zone_and_a_preferred_label() -> None:
    zones = expression(ZONE, "antarctica-east1", "antarctica-west1")
    label = "another-node-label-key"
    preferred = ((1, expression(label, "another-node-label-value")),)
    pod = a_pod("with-node-affinity", affinity=node_affinity(zones, preferred=preferred))
    nodes = [
        a_node("east", zone="antarctica-east1"),
        a_node("west", zone="antarctica-west1", labels={label: "another-node-label-value"}),
        a_node("north", zone="antarctica-north1", labels={label: "another-node-label-value"}),
    ]

    found = explanation_of(pod, *nodes)
    assert found.feasible == ["east", "west"]
    assert scores_of(found, "NodeAffinity") == {"east": (0, 0), "west": (1, 100)}
    assert found.best == ["west"]


def test_e17_preferred_weights_are_added_to_the_other_scores() -> None:
    system = "kubernetes.io/os"
    preferred = ((1, expression("label-1", "key-1")), (50, expression("label-2", "key-2")))
    pod = a_pod(affinity=node_affinity(expression(system, "linux"), preferred=preferred))
    nodes = [
        a_node("a", labels={system: "linux", "label-1": "key-1"}),
        a_node("b", labels={system: "linux", "label-2": "key-2"}),
        a_node("c", labels={system: "windows", "label-1": "key-1", "label-2": "key-2"}),
    ]

    found = explanation_of(pod, *nodes)
    assert raw_scores_of(found, "NodeAffinity") == {"a": 1, "b": 50}
    assert found.best == ["b"]


def test_e18_a_profile_adds_its_affinity_to_that_of_the_pod() -> None:
    added = {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression("scheduler-profile", "foo")]}]}}
    named = {"schedulerName": "foo-scheduler", **with_arguments("NodeAffinity", addedAffinity=added)["profiles"][0]}
    configuration: dict[str, Any] = {"profiles": [{"schedulerName": "default-scheduler"}, named]}
    nodes = [
        a_node("foo", zone="z1", labels={"scheduler-profile": "foo"}),
        a_node("foo-elsewhere", zone="z2", labels={"scheduler-profile": "foo"}),
        a_node("bar", zone="z1", labels={"scheduler-profile": "bar"}),
    ]
    own: dict[str, Any] = {"affinity": node_affinity(expression(ZONE, "z1"))}

    def feasible(**spec: Any) -> list[str]:
        return explanation_of(a_pod(**spec), *nodes, **configuration).feasible

    assert feasible(schedulerName="foo-scheduler", **own) == ["foo"]
    assert feasible(schedulerName="foo-scheduler") == ["foo", "foo-elsewhere"]
    assert feasible(schedulerName="default-scheduler", **own) == ["bar", "foo"]


# -- inter-pod affinity --------------------------------------------------------------------------------------


def affinity_term(label: str, value: str, key: str = ZONE) -> Document:
    return {"labelSelector": {"matchExpressions": [expression(label, value)]}, "topologyKey": key}


WITH_POD_AFFINITY = a_pod(
    "with-pod-affinity",
    affinity={
        "podAffinity": {REQUIRED: [affinity_term("security", "S1")]},
        "podAntiAffinity": {PREFERRED: [{"weight": 100, "podAffinityTerm": affinity_term("security", "S2")}]},
    },
)
ZONES = [a_node("node-v", zone="V"), a_node("node-r", zone="R")]


def secured(level: str, node: str) -> Document:
    return a_pod(f"{level.lower()}-on-{node}", node=node, labels={"security": level})


@pytest.mark.parametrize(
    ("running", "feasible", "best"),
    [
        pytest.param([secured("S1", "node-v")], ["node-v"], ["node-v"], id="S1 in zone V alone"),
        pytest.param(
            [secured("S1", "node-v"), secured("S1", "node-r"), secured("S2", "node-r")],
            ["node-r", "node-v"],
            ["node-v"],
            id="zone R has S2 as well",
        ),
        pytest.param([secured("S2", "node-r")], [], [], id="S1 nowhere"),
    ],
)
def test_e19_pods_with_s1_attract_and_those_with_s2_repel(
    running: list[Document], feasible: list[str], best: list[str]
) -> None:
    found = explanation_of(WITH_POD_AFFINITY, *ZONES, *running)

    assert (found.feasible, found.best) == (feasible, best)


def test_e20_the_first_pod_of_a_group_with_affinity_to_itself() -> None:
    affinity = {"podAffinity": {REQUIRED: [affinity_term("app", "series")]}}

    def feasible(*running: Document, **labels: str) -> list[str]:
        return explanation_of(a_pod(labels=labels, affinity=affinity), *ZONES, *running).feasible

    assert feasible(app="series") == ["node-r", "node-v"], "nobody matches, and the pod matches its own term"
    assert feasible(app="other") == [], "nobody matches, not even the pod itself"
    assert feasible(a_pod("first", node="node-v", labels={"app": "series"}), app="series") == ["node-v"]


def test_e21_a_cache_and_a_web_server_on_every_node() -> None:
    nodes = [a_node(f"node-{number}") for number in (1, 2, 3)]
    apart = {"podAntiAffinity": {REQUIRED: [affinity_term("app", "store", HOSTNAME)]}}
    beside = {
        "podAntiAffinity": {REQUIRED: [affinity_term("app", "web-store", HOSTNAME)]},
        "podAffinity": {REQUIRED: [affinity_term("app", "store", HOSTNAME)]},
    }
    placed: list[Document] = []

    def place(name: str, app: str, affinity: Document) -> str | None:
        """Bind one more replica to the first of its best nodes."""
        best = explanation_of(a_pod(name, labels={"app": app}, affinity=affinity), *nodes, *placed).best
        if not best:
            return None
        placed.append(a_pod(name, node=best[0], labels={"app": app}, affinity=affinity))
        return best[0]

    everywhere = {"node-1", "node-2", "node-3"}
    assert {place(f"cache-{number}", "store", apart) for number in range(3)} == everywhere
    assert {place(f"web-{number}", "web-store", beside) for number in range(3)} == everywhere
    assert place("cache-3", "store", apart) is None
    assert place("web-3", "web-store", beside) is None
