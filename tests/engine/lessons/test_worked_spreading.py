"""Worked examples of the documentation as situations: topology spread constraints."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import UnsolvableError
from tests.engine.lessons.clusters import ZONE, Document, node, pod, question, situation

HOST = "kubernetes.io/hostname"
FOO = {"foo": "bar"}


def constraint(key: str = ZONE, **more: Any) -> Document:
    given = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", **more}
    return {**given, "labelSelector": {"matchLabels": FOO}}


def four_nodes() -> list[Document]:
    """Two zones of two nodes; a matching pod on three of the nodes."""
    zones = {"node1": "zoneA", "node2": "zoneA", "node3": "zoneB", "node4": "zoneB"}
    return [
        *(node(name, zone=zone) for name, zone in zones.items()),
        *(pod(f"on-{name}", name, labels=FOO) for name in ("node1", "node2", "node3")),
    ]


def three_nodes() -> list[Document]:
    """A zone of two nodes with two pods and one, and a zone of one node with two."""
    nodes = {"node1": ("zoneA", 2), "node2": ("zoneA", 1), "node3": ("zoneB", 2)}
    return [
        *(node(name, zone=zone) for name, (zone, _) in nodes.items()),
        *(pod(f"{name}-{each}", name, labels=FOO) for name, (_, count) in nodes.items() for each in range(count)),
    ]


def feasible(objects: list[Document], *constraints: Document, **more: Any) -> Any:
    labels = more.pop("labels", FOO)
    new = pod("new", labels=labels, topologySpreadConstraints=list(constraints), **more)
    return question("nodes", which="feasible").solution(situation(*objects, new, about="new"))


@pytest.mark.parametrize(
    ("constraints", "nodes"),
    [
        ([constraint()], ["node3", "node4"]),
        ([constraint(maxSkew=2)], ["node1", "node2", "node3", "node4"]),
        ([constraint(HOST)], ["node4"]),
        ([constraint(whenUnsatisfiable="ScheduleAnyway")], ["node1", "node2", "node3", "node4"]),
        ([constraint(), constraint(HOST)], ["node4"]),
        # Two zones are fewer than three domains, so that the global minimum counts as 0.
        ([constraint(minDomains=3)], []),
    ],
)
def test_four_nodes_in_two_zones(constraints: list[Document], nodes: list[str]) -> None:
    assert feasible(four_nodes(), *constraints) == nodes


def test_the_skew_of_a_domain() -> None:
    new = pod("new", labels=FOO, topologySpreadConstraints=[constraint()])
    here = situation(*four_nodes(), new, about="new")

    def number(value: str, domain: str) -> Any:
        return question("number", value=value, topologyKey=ZONE, domain=domain).solution(here)

    assert [number("matching", zone) for zone in ("zoneA", "zoneB")] == ["2", "1"]
    assert [number("skew", zone) for zone in ("zoneA", "zoneB")] == ["2", "1"]


def test_a_preference_for_the_emptier_zone() -> None:
    new = pod("new", labels=FOO, topologySpreadConstraints=[constraint(whenUnsatisfiable="ScheduleAnyway")])
    here = situation(*four_nodes(), new, about="new")

    assert question("node").solution(here) == "node4"
    scores = {
        name: int(question("number", value="score", node=name, plugin="PodTopologySpread").solution(here))
        for name in here.node_names
    }
    assert scores["node3"] == scores["node4"] > scores["node1"] == scores["node2"]


def test_two_constraints_that_cannot_hold_together() -> None:
    both = [constraint(), constraint(HOST)]

    assert feasible(three_nodes(), both[0]) == ["node3"]
    assert feasible(three_nodes(), both[1]) == ["node2"]
    assert feasible(three_nodes(), *both) == []
    # What the documentation advises: a larger skew, a preference instead, or a pod less.
    assert feasible(three_nodes(), constraint(maxSkew=2), both[1]) == ["node2"]
    assert feasible(three_nodes(), constraint(whenUnsatisfiable="ScheduleAnyway"), both[1]) == ["node2"]
    less = [each for each in three_nodes() if each["metadata"]["name"] != "node1-0"]
    assert feasible(less, *both) == ["node1", "node2"]


def not_in_zone_c() -> Document:
    expression = {"key": ZONE, "operator": "NotIn", "values": ["zoneC"]}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def test_node_affinity_narrows_the_domains() -> None:
    objects = [*four_nodes(), node("node5", zone="zoneC")]

    assert feasible(objects, constraint(), affinity=not_in_zone_c()) == ["node3", "node4"]
    assert feasible(objects, constraint()) == ["node5"]
    assert feasible(objects, constraint(nodeAffinityPolicy="Ignore"), affinity=not_in_zone_c()) == []


def test_nodes_without_the_key_count_for_nothing() -> None:
    first, *rest = three_nodes()
    unlabelled = {**first, "metadata": {"name": "node1"}}
    mistyped = node("node5", labels={"zone-typo": "zoneC"})

    assert feasible([unlabelled, *rest], constraint(), constraint(HOST)) == ["node2"]
    assert feasible([*four_nodes(), mistyped], constraint()) == ["node3", "node4"]


def test_a_pod_that_its_own_selector_does_not_match_leaves_the_skew_as_it_is() -> None:
    # Two pods less one: the fuller zone is allowed too.
    assert feasible(four_nodes(), constraint(), labels={}) == ["node1", "node2", "node3", "node4"]


def test_the_global_minimum() -> None:
    counts = {"z1": 2, "z2": 2, "z3": 1}
    nodes = [node(zone, zone=zone) for zone in counts]
    pods = [pod(f"{zone}-{each}", zone, labels=FOO) for zone, count in counts.items() for each in range(count)]
    new = pod("new", labels=FOO, topologySpreadConstraints=[constraint()])
    here = situation(*nodes, *pods, new, about="new")

    skews = [question("number", value="skew", topologyKey=ZONE, domain=zone).solution(here) for zone in counts]
    assert skews == ["2", "2", "1"]


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
