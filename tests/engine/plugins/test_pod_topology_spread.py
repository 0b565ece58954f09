""""""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.objects import Pod
from clusters.engine.plugins.pod_topology_spread import DomainComparison, NoTopologyLabel, SkewExceeded
from clusters.engine.status import unresolvable, unschedulable
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.plugins.topology_spread import (
    GOLD,
    NAME,
    WEB,
    ZONES,
    constraint,
    rejections,
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


@pytest.mark.parametrize(
    ("least", "fits"),
    # The nominated pod makes zone b's 1, so that a's 1 + 1 are ahead of none; with more zones wanted they are of 0.
    [(None, {"a1", "a2"}), (2, {"a1", "a2"}), (3, set())],
)
def test_pods_nominated_for_a_node_count_there_alone(least: int | None, fits: set[str]) -> None:
    more: Any = {} if least is None else {"minDomains": least}
    nominated = a_pod("nominated", nominated="b1", priority=9, labels=WEB)

    # On b1 its zone holds 2 with the nominated one, and 3 with the pod; on the others nobody knows of it.
    assert set(explanation_of(spread(constraint(**more)), *ZONES, *webs(a1=1, b1=1), nominated).feasible) == fits


def test_a_node_without_the_label_has_no_domain_and_no_skew() -> None:
    explanation = explanation_of(spread(constraint()), a_node("bare"), *ZONES)

    (found,) = explanation.evidence(explanation.snapshot.nodes.index["bare"])[NAME]
    assert isinstance(found, DomainComparison)
    assert (found.value, found.count, found.skew, found.eligible, found.holds) == (None, 0, None, False, False)


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
