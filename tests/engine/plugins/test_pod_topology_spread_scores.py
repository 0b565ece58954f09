from __future__ import annotations

from math import log

import pytest

from clusters.engine.plugins.pod_topology_spread import DomainScore
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of, scores_of, with_arguments
from tests.engine.plugins.topology_spread import (
    GOLD,
    NAME,
    WEB,
    ZONES,
    constraint,
    scored,
    soft,
    spread,
    webs,
)


def test_fewer_pods_in_the_domain_score_higher() -> None:
    """Zones hold 3 and 1, and weigh ln(2 + 2): 4.16 and 1.39; 100 × (4 + 1 - 4) / 4 = 25."""
    assert scored(spread(soft()), *ZONES, *webs(a1=2, a2=1, b1=1)) == {"a1": (4, 25), "a2": (4, 25), "b1": (1, 100)}


@pytest.mark.parametrize(("skew", "raw"), [(1, {"a1": 3, "a2": 1, "b1": 0}), (3, {"a1": 5, "a2": 3, "b1": 2})])
def test_constraints_add_up_and_max_skew_adds_its_excess_to_every_domain(skew: int, raw: dict[str, int]) -> None:
    """One pod weighs ln(2 + 2) = 1.39 by zone and ln(3 + 2) = 1.61 by host name; together 2.996."""
    found = scored(spread(soft(skew=skew), soft(HOSTNAME)), *ZONES, *webs(a1=1))

    assert {node: score for node, (score, _) in found.items()} == raw


def test_nodes_without_a_label_score_nothing() -> None:
    found = scored(spread(soft()), *ZONES, a_node("c1"), *webs(a1=1))

    assert found == {"a1": (1, 0), "a2": (1, 0), "b1": (0, 100), "c1": (0, 0)}


def test_the_lowest_is_that_of_nodes_with_the_label() -> None:
    """Zones hold 3 and 2, of weight ln(2 + 2): 4 and 3; 100 × (4 + 3 - 4) / 4 = 75. The third counts for no minimum."""
    found = scored(spread(soft()), *ZONES, a_node("c1"), *webs(a1=3, b1=2))

    assert found == {"a1": (4, 75), "a2": (4, 75), "b1": (3, 100), "c1": (0, 0)}


def test_host_names_weigh_by_the_nodes_that_are_scored() -> None:
    """Of 4 feasible nodes one lacks the zone: 9 pods weigh ln(3 + 2) each, and a zone's ln(2 + 2)."""
    found = scored(spread(soft(), soft(HOSTNAME)), *ZONES, a_node("c1"), *webs(a1=9, c1=9))

    # 9 × 1.386 + 9 × 1.609 = 26.96, and 9 × 1.386 = 12.48 beside it; with 4 nodes the first would be 28.6.
    assert {node: raw for node, (raw, _) in found.items()} == {"a1": 27, "a2": 12, "b1": 0, "c1": 0}


def test_pods_on_nodes_without_every_label_are_not_scored() -> None:
    """A node of zone a lacks the other key: its 5 pods count for nobody, and it is no host name of them."""
    keyless = a_node("a9", zone="a", labels={"rack": "r"})
    racks = [a_node(name, zone=name[0], labels={"rack": "r"}) for name in ("a1", "b1")]
    del keyless["metadata"]["labels"]["rack"]

    found = scored(spread(soft(), soft("rack")), *racks, keyless, *webs(a9=5, a1=1))
    # Zone a has 1 × ln(2 + 2), the rack 1 × ln(1 + 2): 2.48 and 1.10.
    assert {node: raw for node, (raw, _) in found.items()} == {"a1": 2, "b1": 1, "a9": 0}


def test_pods_that_are_being_deleted_are_not_scored() -> None:
    leaving = webs(a1=2)
    for each in leaving:
        each["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"

    assert scored(spread(soft(), soft(HOSTNAME)), *ZONES, *leaving) == dict.fromkeys(("a1", "a2", "b1"), (0, 100))


@pytest.mark.parametrize(("policy", "raw"), [("Honor", 0), ("Ignore", 3)])
def test_scores_count_nodes_that_the_pods_affinity_excludes_only_where_the_policy_says_so(
    policy: str, raw: int
) -> None:
    nodes = [a_node(name, zone=name[0], labels={"for": "web"}) for name in ("a1", "b1")]
    pod = spread(soft(nodeAffinityPolicy=policy), nodeSelector={"for": "web"})

    assert scored(pod, *nodes, a_node("a9", zone="a"), *webs(a9=2))["a1"][0] == raw


def test_even_domains_are_all_best() -> None:
    assert scored(spread(soft()), *ZONES) == dict.fromkeys(("a1", "a2", "b1"), (0, 100))
    assert scored(spread(soft()), *ZONES, *webs(a1=2, b1=2)) == dict.fromkeys(("a1", "a2", "b1"), (3, 100))


def test_only_domains_of_feasible_nodes_are_weighed() -> None:
    """With zone b cordoned one domain is left, of weight ln(1 + 2) = 1.10."""
    cordoned = a_node("b1", zone="b", unschedulable=True)

    assert scored(spread(soft()), *ZONES[:2], cordoned, *webs(a1=2)) == {"a1": (2, 100), "a2": (2, 100)}


def test_pods_on_nodes_that_policies_leave_out_are_not_scored() -> None:
    tainted = a_node("a9", zone="a", taints=[GOLD])

    assert scored(spread(soft()), *ZONES, tainted, *webs(a9=2))["a1"] == (3, 0)
    assert scored(spread(soft(nodeTaintsPolicy="Honor")), *ZONES, tainted, *webs(a9=2))["a1"] == (0, 100)


def test_score_evidence_adds_up() -> None:
    explanation = explanation_of(spread(soft(skew=2), soft(HOSTNAME)), *ZONES, *webs(a1=1, a2=1))

    zone, host = explanation.score_evidence(0, NAME)
    assert zone == DomainScore(ZONE, "a", 2, log(4), 2, ignored=False)
    assert host == DomainScore(HOSTNAME, "a1", 1, log(5), 1, ignored=False)
    # 2 × 1.39 + 1 + 1.61 = 5.38
    assert scores_of(explanation, NAME)["a1"][0] == 5


def test_pods_without_constraints_or_with_hard_ones_only_are_left_out() -> None:
    for pod in (a_pod(labels=WEB), spread(constraint(skew=9))):
        assert NAME in explanation_of(pod, *ZONES).cycle.unscored


@pytest.mark.parametrize(
    ("own", "arguments", "raw"),
    [
        # Kubernetes' own defaults take the node without a zone too: its 4 pods by host name weigh ln(4 + 2) each, and
        # max skew 3 adds 2. With the constraints of a profile, or of the pod, it is left out.
        pytest.param((), {"defaultingType": "System"}, 9, id="defaults of Kubernetes"),
        pytest.param((), {"defaultingType": "List"}, 0, id="defaults of the profile"),
        pytest.param((soft(), soft(HOSTNAME)), {"defaultingType": "System"}, 0, id="of the pod"),
    ],
)
def test_only_under_the_defaults_of_kubernetes_a_node_may_lack_a_key(
    own: tuple[Document, ...], arguments: Document, raw: int
) -> None:
    service = {"kind": "Service", "metadata": {"name": "web"}, "spec": {"selector": WEB}}
    listed = [{"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "ScheduleAnyway"} for key in (ZONE, HOSTNAME)]
    if arguments["defaultingType"] == "List":
        arguments = {**arguments, "defaultConstraints": listed}

    found = scored(spread(*own), *ZONES, a_node("c1"), *webs(c1=4), service, **with_arguments(NAME, **arguments))

    assert found["c1"][0] == raw
