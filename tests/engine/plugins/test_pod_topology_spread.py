""""""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from clusters.engine.edits import RemoveSpread, digest
from clusters.engine.objects import Pod
from clusters.engine.plugins.pod_topology_spread import DomainComparison, DomainScore, NoTopologyLabel, SkewExceeded
from clusters.engine.status import unresolvable, unschedulable
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of, scores_of, with_arguments
from tests.engine.plugins.topology_spread import (
    GOLD,
    NAME,
    WEB,
    ZONES,
    constraint,
    rejections,
    scored,
    soft,
    spread,
    webs,
)
from tests.support.constraints import about

SKEWED, UNLABELLED = unschedulable(SkewExceeded()), unresolvable(NoTopologyLabel())


@pytest.mark.parametrize(
    ("pod", "placed", "rejected"),
    [
        # Zone a holds 2, b 1, the minimum is 1: in a 2 + 1 - 1 = 2, in b 1.
        pytest.param(spread(constraint()), webs(a1=1, a2=1, b1=1), {"a1", "a2"}, id="skew 2 of 1"),
        pytest.param(spread(constraint(skew=2)), webs(a1=1, a2=1, b1=1), set(), id="skew 2 of 2"),
        pytest.param(spread(constraint(), labels={"app": "other"}), webs(a1=2, b1=1), set(), id="is not counted"),
        pytest.param(spread(constraint()), webs(a1=1, b1=1), set(), id="even"),
        pytest.param(spread(constraint(HOSTNAME)), webs(a1=1), {"a1"}, id="by node"),
        pytest.param(
            spread(constraint(), constraint(HOSTNAME)), webs(a1=1, b1=1), {"a1", "b1"}, id="two constraints at once"
        ),
        pytest.param(
            spread(constraint()),
            [a_pod("p", node="a1", labels=WEB, namespace="other")],
            set(),
            id="pods of another namespace",
        ),
        pytest.param(spread(constraint(labelSelector={})), webs(a1=3), set(), id="an empty selector counts nobody"),
        pytest.param(spread(constraint(labelSelector=None)), webs(a1=3), set(), id="no selector counts nobody"),
        pytest.param(
            spread(constraint(matchLabelKeys=["rev", "absent"]), labels={**WEB, "rev": "2"}),
            [*webs(a1=3), a_pod("p", node="b1", labels={**WEB, "rev": "2"})],
            {"b1"},
            id="matchLabelKeys narrow whom it counts",
        ),
    ],
)
def test_nodes_whose_domain_is_ahead_are_rejected(pod: Document, placed: list[Document], rejected: set[str]) -> None:
    assert rejections(pod, *ZONES, *placed) == dict.fromkeys(rejected, SKEWED)


def test_pods_that_are_being_deleted_do_not_count() -> None:
    (leaving,) = webs(a1=1)
    assert set(rejections(spread(constraint()), *ZONES, leaving)) == {"a1", "a2"}
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert rejections(spread(constraint()), *ZONES, leaving) == {}


@pytest.mark.parametrize(
    ("least", "rejected"),
    # Of 2 zones with 1 pod each: 1 + 1 - 1 = 1, or 1 + 1 - 0 = 2 where more zones are wanted than there are.
    [(None, set()), (1, set()), (2, set()), (3, {"a1", "a2", "b1"})],
)
def test_too_few_domains_count_as_an_empty_one(least: int | None, rejected: set[str]) -> None:
    more: Any = {} if least is None else {"minDomains": least}

    assert rejections(spread(constraint(**more)), *ZONES, *webs(a1=1, b1=1)) == dict.fromkeys(rejected, SKEWED)


@pytest.mark.parametrize(
    ("more", "labels", "rejected"),
    [
        # Zone a holds a pod of revision 1, b one of revision 2.
        ({}, {"rev": "1"}, set()),
        ({"matchLabelKeys": ["rev"]}, {"rev": "1"}, {"a1", "a2"}),
        ({"matchLabelKeys": ["rev"]}, {"rev": "2"}, {"b1"}),
        ({"matchLabelKeys": ["rev"]}, {"rev": "3"}, set()),
        # A key that the pod does not have is left out.
        ({"matchLabelKeys": ["rev"]}, {}, set()),
        ({"matchLabelKeys": ["other", "rev"]}, {"rev": "1"}, {"a1", "a2"}),
    ],
)
def test_keys_narrow_the_count_to_pods_of_the_same_value(more: Any, labels: Any, rejected: set[str]) -> None:
    placed = [
        a_pod("old", node="a1", labels={**WEB, "rev": "1"}),
        a_pod("new", node="b1", labels={**WEB, "rev": "2"}),
    ]

    found = rejections(spread(constraint(**more), labels={**WEB, **labels}), *ZONES, *placed)
    assert found == dict.fromkeys(rejected, SKEWED)


def test_pods_of_other_namespaces_do_not_count() -> None:
    elsewhere = a_pod("web", node="a1", labels=WEB, namespace="other")

    assert rejections(spread(constraint()), *ZONES, elsewhere) == {}
    assert scored(spread(soft()), *ZONES, elsewhere)["a1"] == (0, 100)


@pytest.mark.parametrize(
    ("selector", "rejected"),
    [
        # One that matches everything counts no pod, and the pod itself: 0 + 1 - 0.
        ({}, set()),
        (None, set()),
        ({"matchLabels": WEB}, {"a1", "a2"}),
    ],
)
def test_selectors_that_match_everything_count_nothing(selector: Any, rejected: set[str]) -> None:
    pod = spread(constraint(labelSelector=selector))

    assert rejections(pod, *ZONES, *webs(a1=3)) == dict.fromkeys(rejected, SKEWED)
    assert scored(spread(soft(labelSelector=selector)), *ZONES, *webs(a1=3))["a1"][0] == (4 if rejected else 0)


def test_a_constraint_that_says_nothing_of_its_numbers_allows_a_skew_of_1_and_rejects() -> None:
    bare = {"topologyKey": ZONE, "labelSelector": {"matchLabels": WEB}}

    assert set(rejections(spread(bare), *ZONES, *webs(a1=1))) == {"a1", "a2"}


@pytest.mark.parametrize(
    ("least", "fits"),
    # The nominated pod makes zone b's 1, so that a's 1 + 1 are ahead of none; with more zones wanted they are of 0.
    [(None, {"a1", "a2"}), (2, {"a1", "a2"}), (3, set())],
)
def test_pods_nominated_for_a_node_count_there_alone(least: int | None, fits: set[str]) -> None:
    more: Any = {} if least is None else {"minDomains": least}
    nominated = a_pod("nominated", nominated="b1", priority=9, labels=WEB)
    explanation = explanation_of(spread(constraint(**more)), *ZONES, *webs(a1=1, b1=1), nominated)

    # On b1 its zone holds 2 with the nominated one, and 3 with the pod; on the others nobody knows of it.
    assert set(explanation.feasible) == fits


@pytest.mark.parametrize(
    ("labels", "namespace"), [({"app": "other"}, "default"), (WEB, "other")], ids=["not selected", "elsewhere"]
)
def test_nominated_pods_that_the_constraint_does_not_select_change_nothing(labels: Any, namespace: str) -> None:
    nominated = a_pod("nominated", nominated="b1", priority=9, labels=labels, namespace=namespace)

    assert set(explanation_of(spread(constraint()), *ZONES, *webs(a1=1, b1=1), nominated).feasible) == {
        "a1",
        "a2",
        "b1",
    }


def test_nodes_without_the_label_are_hopeless_and_do_not_count() -> None:
    unlabelled = a_node("c1")
    placed = webs(a1=1, b1=1)

    assert rejections(spread(constraint()), *ZONES, unlabelled, *placed) == {"c1": UNLABELLED}
    # Whoever lacks one of two keys counts for neither: zone c is no empty domain.
    half = a_node("c1", zone="c")
    del half["metadata"]["labels"][HOSTNAME]
    both = spread(constraint(), constraint(HOSTNAME, skew=9))
    assert rejections(both, *ZONES, half, *placed) == {"c1": UNLABELLED}
    assert set(rejections(spread(constraint()), *ZONES, half, *placed)) == {"a1", "a2", "b1"}


def test_an_empty_value_is_a_domain_like_any_other() -> None:
    assert rejections(spread(constraint()), *ZONES, a_node("e1", zone=""), *webs(a1=1, b1=1)) == dict.fromkeys(
        ("a1", "a2", "b1"), SKEWED
    )


@pytest.mark.parametrize(
    ("policy", "rejected"),
    # Zone c is empty but not for this pod; where it counts, zones with 1 pod are ahead by 2 - 0.
    [({}, set()), ({"nodeAffinityPolicy": "Honor"}, set()), ({"nodeAffinityPolicy": "Ignore"}, {"a1", "a2", "b1"})],
)
def test_nodes_that_the_pods_affinity_excludes(policy: Any, rejected: set[str]) -> None:
    pod = spread(constraint(**policy), nodeSelector={"for": "web"})
    nodes = [a_node(name, zone=name[0], labels={"for": "web"}) for name in ("a1", "a2", "b1")]

    assert rejections(pod, *nodes, a_node("c1", zone="c"), *webs(a1=1, b1=1)) == dict.fromkeys(rejected, SKEWED)


@pytest.mark.parametrize(
    ("policy", "rejected"),
    [
        ({}, {"a1", "a2", "b1"}),
        ({"nodeTaintsPolicy": "Ignore"}, {"a1", "a2", "b1"}),
        ({"nodeTaintsPolicy": "Honor"}, set()),
    ],
)
def test_nodes_whose_taints_the_pod_does_not_tolerate(policy: Any, rejected: set[str]) -> None:
    tainted = a_node("c1", zone="c", taints=[GOLD])

    assert rejections(spread(constraint(**policy)), *ZONES, tainted, *webs(a1=1, b1=1)) == dict.fromkeys(
        rejected, SKEWED
    )


def test_pods_on_nodes_that_do_not_count_are_not_counted() -> None:
    """Two pods of zone a stand on a node that its policies leave out."""
    tainted = a_node("a9", zone="a", taints=[GOLD])

    assert set(rejections(spread(constraint()), *ZONES, tainted, *webs(a9=2))) == {"a1", "a2", "a9"}
    assert rejections(spread(constraint(nodeTaintsPolicy="Honor")), *ZONES, tainted, *webs(a9=2)) == {}


def test_constraints_can_be_lifted_and_show_their_arithmetic() -> None:
    pod = spread(constraint(minDomains=2), constraint(HOSTNAME, skew=2))
    plugin = explanation_of(pod, *ZONES, *webs(a1=2, a2=1)).cycle.plugins[NAME]

    assert list(map(about, plugin.constraints())) == [f"{ZONE} maxSkew 1", f"{HOSTNAME} maxSkew 2"]
    zone, host = plugin.evidence(0)
    assert zone == DomainComparison(
        topology_key=ZONE,
        max_skew=1,
        min_domains=2,
        value="a",
        count=3,
        nominated=(),
        matches_itself=True,
        minimum=0,
        skew=4,
        eligible=True,
        eligible_domains=2,
    )
    assert (zone.holds, host.holds) == (False, False)
    assert [plugin.filter(None, frozenset({0})).at(row).ok for row in range(3)] == [False, True, True]
    assert [plugin.filter(None, frozenset({0, 1})).at(row).ok for row in range(3)] == [True, True, True]


def test_a_node_without_the_label_has_no_domain_and_no_skew() -> None:
    explanation = explanation_of(spread(constraint()), a_node("bare"), *ZONES)

    (found,) = explanation.evidence(explanation.snapshot.nodes.index["bare"])[NAME]
    assert isinstance(found, DomainComparison)
    assert (found.value, found.count, found.skew, found.eligible, found.holds) == (None, 0, None, False, False)


def test_a_profile_can_demand_spreading_of_pods_without_constraints() -> None:
    """They are then spread by the labels of their service."""
    hard = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    profile = with_arguments(NAME, defaultConstraints=[hard], defaultingType="List")
    service = {"kind": "Service", "metadata": {"name": "web"}, "spec": {"selector": WEB}}
    pod = a_pod(labels=WEB)

    assert set(rejections(pod, *ZONES, *webs(a1=1), service, **profile)) == {"a1", "a2"}
    assert rejections(pod, *ZONES, *webs(a1=1), **profile) == {}
    assert rejections(spread(soft()), *ZONES, *webs(a1=1), service, **profile) == {}


def test_a_constraint_that_leaves_out_what_to_do_is_one_that_its_removal_lifts() -> None:
    bare = {"maxSkew": 1, "topologyKey": ZONE, "labelSelector": {"matchLabels": WEB}}
    plugin = explanation_of(spread(soft(HOSTNAME), bare), *ZONES).cycle.plugins[NAME]

    assert [each.edit for each in plugin.constraints()] == [RemoveSpread(digest(bare))]


def test_evidence_counts_the_pods_that_are_nominated_for_the_node_and_selected() -> None:
    nominated = [
        a_pod("first", nominated="b1", priority=9, labels=WEB),
        a_pod("second", nominated="b1", priority=9, labels=WEB),
        a_pod("other", nominated="b1", priority=9, labels={"app": "other"}),
        a_pod("elsewhere", nominated="b1", priority=9, labels=WEB, namespace="other"),
    ]
    tainted = a_node("b2", zone="b", taints=[GOLD])
    unseen = a_pod("unseen", nominated="b2", priority=9, labels=WEB)
    pod = spread(constraint(nodeTaintsPolicy="Honor"))
    explanation = explanation_of(pod, *ZONES, tainted, *webs(a1=2, b1=1), *nominated, unseen)

    def compared(node: str) -> tuple[Any, ...]:
        (found,) = explanation.evidence(explanation.snapshot.nodes.index[node])[NAME]
        assert isinstance(found, DomainComparison)
        return found.count, found.nominated, found.minimum, found.skew

    # On b1 its zone holds 3, so that a's 2 are the fewest; on the others nobody knows of the nominated pods.
    assert compared("b1") == (3, ("default/first", "default/second"), 2, 2)
    assert compared("a1") == (2, (), 1, 2)
    # Pods on a node that the constraint's policy leaves out count nowhere.
    assert compared("b2") == (1, (), 1, 1)


@pytest.mark.parametrize(
    ("labels", "namespace", "helps"),
    [(WEB, "default", True), (WEB, "other", False), ({"app": "other"}, "default", False)],
)
def test_a_pod_that_some_constraint_counts_may_help_once_it_runs(
    labels: dict[str, str], namespace: str, helps: bool
) -> None:
    plugin = explanation_of(
        spread(constraint(), constraint(labelSelector={"matchLabels": {"app": "none"}})), *ZONES
    ).cycle.plugins[NAME]

    assert plugin.is_helped_by(Pod(a_pod("placed", node="b1", labels=labels, namespace=namespace))) is helps


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
