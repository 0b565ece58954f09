"""Worked examples of the documentation, by number: topology spread constraints.

Most of them ask about a cluster of four nodes in two zones, with one matching pod on each node but the last.
"""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.plugins.pod_topology_spread import DomainScore
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of, scores_of, with_arguments

MATCHING = {"foo": "bar"}
ZONES = {"node1": "zoneA", "node2": "zoneA", "node3": "zoneB", "node4": "zoneB"}


def in_zones(zones: dict[str, str]) -> list[Document]:
    """Nodes whose names and zones stand in the labels that the examples use."""
    return [
        a_node(name, labels={"node": name, "zone": zone} if zone else {"node": name}) for name, zone in zones.items()
    ]


def running(**pods: int) -> list[Document]:
    """So many matching pods on each node."""
    return [a_pod(f"{node}-{n}", node=node, labels=MATCHING) for node, count in pods.items() for n in range(count)]


def constraint(key: str = "zone", *, skew: int = 1, when: str = "DoNotSchedule", **more: Any) -> Document:
    selector = {"matchLabels": MATCHING}
    return {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": selector, **more}


def incoming(*constraints: Document, labels: dict[str, str] = MATCHING, **spec: Any) -> Document:
    return a_pod("mypod", labels=labels, topologySpreadConstraints=list(constraints), **spec)


FOUR = (*in_zones(ZONES), *running(node1=1, node2=1, node3=1))
ALL = ["node1", "node2", "node3", "node4"]


@pytest.mark.parametrize(
    ("constraints", "feasible"),
    [
        pytest.param([constraint()], ["node3", "node4"], id="e03"),
        pytest.param([constraint(skew=2)], ALL, id="e04"),
        pytest.param([constraint("node")], ["node4"], id="e05"),
        pytest.param([constraint(), constraint("node")], ["node4"], id="e07"),
    ],
)
def test_e03_e04_e05_e07_constraints_that_nodes_must_satisfy(constraints: list[Document], feasible: list[str]) -> None:
    assert explanation_of(incoming(*constraints), *FOUR).feasible == feasible


def test_e06_a_constraint_that_is_preferred_scores_alone() -> None:
    found = explanation_of(incoming(constraint(when="ScheduleAnyway")), *FOUR)
    spread = {node: normalised for node, (_, normalised) in scores_of(found, "PodTopologySpread").items()}

    assert found.feasible == ALL
    assert spread["node3"] == spread["node4"] == 100
    assert max(spread["node1"], spread["node2"]) < 100
    assert set(found.best) <= {"node3", "node4"}


def test_e08_two_constraints_without_a_node_in_common() -> None:
    cluster = [*in_zones({"node1": "zoneA", "node2": "zoneA", "node3": "zoneB"}), *running(node1=2, node2=1, node3=2)]

    assert explanation_of(incoming(constraint()), *cluster).feasible == ["node3"]
    assert explanation_of(incoming(constraint("node")), *cluster).feasible == ["node2"]
    both = explanation_of(incoming(constraint(), constraint("node")), *cluster)
    assert both.feasible == []
    # The scheduler says the same of all nodes, whichever of the two rejects them.
    assert [len(group) for group in both.groups] == [3]
    # What the documentation proposes: a higher maxSkew, or one of the two preferred.
    assert explanation_of(incoming(constraint(skew=2), constraint("node")), *cluster).feasible == ["node2"]
    preferred = constraint("node", when="ScheduleAnyway")
    assert explanation_of(incoming(constraint(), preferred), *cluster).feasible == ["node3"]


EXCLUDING = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "NotIn", "values": ["zoneC"]}]}]
        }
    }
}


@pytest.mark.parametrize(
    ("spread", "affinity", "feasible"),
    [
        pytest.param(constraint(), EXCLUDING, ["node3", "node4"], id="a zone without the affinity's nodes is left out"),
        pytest.param(constraint(), {}, ["node5"], id="without the affinity it has the fewest pods"),
        pytest.param(constraint(nodeAffinityPolicy="Ignore"), EXCLUDING, [], id="counted, and closed to the pod"),
    ],
)
def test_e09_node_affinity_narrows_the_zones(spread: Document, affinity: Document, feasible: list[str]) -> None:
    five = (*FOUR, *in_zones({"node5": "zoneC"}))

    assert explanation_of(incoming(spread, affinity=affinity), *five).feasible == feasible


def test_e10_a_node_without_the_label_does_not_count() -> None:
    cluster = [*in_zones({"node1": "", "node2": "zoneA", "node3": "zoneB"}), *running(node1=2, node2=1, node3=2)]

    assert explanation_of(incoming(constraint(), constraint("node")), *cluster).feasible == ["node2"]


def test_e11_a_node_with_a_misspelt_label_is_skipped() -> None:
    misspelt = a_node("node5", labels={"node": "node5", "zone-typo": "zoneC"})

    assert explanation_of(incoming(constraint()), *FOUR, misspelt).feasible == ["node3", "node4"]


def test_e11_a_pod_that_does_not_match_itself_adds_nothing_to_the_skew() -> None:
    assert explanation_of(incoming(constraint(), labels={}), *FOUR).feasible == ALL


def test_e11_the_minimum_is_that_of_all_domains() -> None:
    cluster = [*in_zones({"node1": "a", "node2": "b", "node3": "c"}), *running(node1=2, node2=2, node3=1)]

    assert explanation_of(incoming(constraint()), *cluster).feasible == ["node3"], "1 + 1 - 1 <= 1 and 2 + 1 - 1 > 1"


def test_e11b_the_minimum_is_0_while_there_are_too_few_domains() -> None:
    assert explanation_of(incoming(constraint(minDomains=2)), *FOUR).feasible == ["node3", "node4"]
    assert explanation_of(incoming(constraint(minDomains=3)), *FOUR).feasible == []


def test_e12_default_constraints_score_pods_of_a_service() -> None:
    service = {
        "kind": "Service",
        "metadata": {"name": "foo", "namespace": "default"},
        "spec": {"selector": MATCHING},
    }
    zones = {"node1": "z1", "node2": "z2"}
    nodes = [a_node(name, zone=zone) for name, zone in zones.items()]
    without = a_pod("mypod", labels=MATCHING)

    found = explanation_of(without, *nodes, service, *running(node1=2))
    compared = found.score_evidence(0, "PodTopologySpread")
    defaults = {(part.topology_key, part.max_skew) for part in compared if isinstance(part, DomainScore)}
    assert defaults == {(HOSTNAME, 3), (ZONE, 5)}
    assert found.feasible == ["node1", "node2"]
    assert found.best == ["node2"]
    spread = scores_of(found, "PodTopologySpread")
    assert spread["node2"][1] > spread["node1"][1]
    none = with_arguments("PodTopologySpread", defaultConstraints=[], defaultingType="List")
    assert not scores_of(explanation_of(without, *nodes, service, *running(node1=2), **none), "PodTopologySpread")
