"""Nominations: whose count, and what the pod's own does to its attempt."""

from __future__ import annotations

import pytest

from tests.engine.builders import Document, a_node, a_pod, explanation_of

PROFILES = [{"schedulerName": "default-scheduler"}, {"schedulerName": "batch"}]


def pinned_to(node: str, **fields: str) -> Document:
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    required = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    return a_pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({}, True),
        ({"schedulerName": "batch"}, True),
        ({"schedulerName": "another"}, False),
        ({"schedulingGates": [{"name": "wait"}]}, False),
    ],
)
def test_only_pods_in_the_schedulers_own_queue_take_room(fields: Document, counts: bool) -> None:
    other = a_pod("other", nominated="n0", priority=10, requests={"cpu": "1"}, **fields)
    explanation = explanation_of(a_pod(requests={"cpu": "7500m"}), a_node("n0"), other, profiles=PROFILES)

    assert explanation.fits is not counts


def test_the_nominated_node_is_taken_though_another_scores_higher() -> None:
    full = a_pod("full", node="n0", requests={"cpu": "5"})
    explanation = explanation_of(a_pod(nominated="n0", requests={"cpu": "1"}), a_node("n0"), a_node("n1"), full)

    assert (explanation.choices, explanation.best, explanation.takes_nominated) == (["n0"], ["n1"], True)
    assert explanation.as_recorded()["chosen"] == "n0"
    assert explanation.total_of(1) is not None


def test_what_rejects_the_nominated_node_is_told_for_the_nodes_left_out() -> None:
    tainted = a_node("n0", taints=[{"key": "dedicated", "effect": "NoSchedule"}])
    nominated = explanation_of(pinned_to("n0", nominated="n0"), tainted, a_node("n1"), a_node("n2"))
    plain = explanation_of(pinned_to("n0"), tainted, a_node("n1"), a_node("n2"))

    assert plain.fit_error == (
        "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: }, "
        "2 node(s) didn't satisfy plugin(s) [NodeAffinity]."
    )
    assert nominated.fit_error == (
        "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: }, "
        "2 node(s) didn't satisfy plugin(s) [NodeAffinity TaintToleration]."
    )


def test_a_nominated_node_that_is_left_out_is_tried_and_has_a_verdict_of_its_own() -> None:
    explanation = explanation_of(pinned_to("n0", nominated="n1"), a_node("n0", unschedulable=True), a_node("n1"))

    assert explanation.fit_error == (
        "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable."
    )


def test_a_nomination_for_a_node_that_is_gone_changes_nothing() -> None:
    explanation = explanation_of(a_pod(nominated="gone"), a_node("n0"), a_node("n1"))

    assert explanation.choices == ["n0", "n1"]
