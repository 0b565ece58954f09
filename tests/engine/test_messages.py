"""The scheduler's sentences, word for word."""

from __future__ import annotations

import pytest

from clusters.engine.messages import no_node_available
from tests.engine.builders import Document, a_node, a_pod, explanation_of

RULE = "requiredDuringSchedulingIgnoredDuringExecution"
GOLD: Document = {"key": "gold", "effect": "NoSchedule"}


def by_name(*terms: tuple[str, ...]) -> Document:
    """Required affinity to nodes by name: of each term all names at once, of the terms any."""
    fields = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]} for name in term]}
        for term in terms
    ]
    return {"nodeAffinity": {RULE: {"nodeSelectorTerms": fields}}}


@pytest.mark.parametrize(
    ("nodes", "reasons", "pre_filter", "text"),
    [
        (3, {}, "", "0/3 nodes are available:"),
        (3, {"Too many pods": 3}, "", "0/3 nodes are available: 3 Too many pods."),
        # Sorted as text, counts included; what was never given is left out.
        (
            12,
            {"Insufficient memory": 2, "Too many pods": 10, "Insufficient cpu": 2, "never given": 0},
            "",
            "0/12 nodes are available: 10 Too many pods, 2 Insufficient cpu, 2 Insufficient memory.",
        ),
        (3, {"Too many pods": 3}, "no claim", "0/3 nodes are available: no claim."),
    ],
)
def test_reasons_are_counted_and_sorted(nodes: int, reasons: dict[str, int], pre_filter: str, text: str) -> None:
    assert no_node_available(nodes, reasons, pre_filter) == text


def test_every_reason_of_a_nodes_first_rejection_counts() -> None:
    """The taint comes before the resources in plugin order, so what the tainted node lacks is not mentioned."""
    cluster = (
        a_node("both", allocatable={"cpu": "1", "memory": "1"}),
        a_node("cpu", allocatable={"cpu": "1"}),
        a_node("tainted", allocatable={"cpu": "1"}, taints=[GOLD]),
    )

    assert explanation_of(a_pod(requests={"cpu": "2", "memory": "2"}), *cluster).fit_error == (
        "0/3 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint {gold: }, 2 Insufficient cpu."
    )


@pytest.mark.parametrize(
    ("affinity", "text"),
    [
        pytest.param(by_name(("a", "b")), "0/3 nodes are available: pod affinity terms conflict.", id="no name at all"),
        # Nodes that were not looked at name the plugin that left them out.
        pytest.param(
            by_name(("a",)),
            "0/3 nodes are available: 1 node(s) had untolerated taint {gold: }, "
            "2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
            id="one name",
        ),
        pytest.param(
            by_name(("gone",)),
            "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity].",
            id="a name that no node has",
        ),
    ],
)
def test_nodes_that_are_asked_for_by_name(affinity: Document, text: str) -> None:
    nodes = (a_node("a", taints=[GOLD]), a_node("b"), a_node("c"))

    explanation = explanation_of(a_pod(affinity=affinity), *nodes)

    assert explanation.fit_error == text
    assert (
        explanation.message
        == f"{text} preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
    )


def test_a_cluster_without_nodes_has_a_sentence_of_its_own() -> None:
    explanation = explanation_of(a_pod())

    assert explanation.message == "no nodes available to schedule pods"
    assert explanation.preemption is None
    assert explanation.groups == []


def test_a_pod_that_fits_has_no_message() -> None:
    explanation = explanation_of(a_pod(), a_node("n"))

    assert (explanation.fit_error, explanation.message) == (None, None)
