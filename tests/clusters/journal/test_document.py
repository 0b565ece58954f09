"""The journal document: small whatever the cluster, and with the numbers of the explanation that it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import orjson
import pytest
from hypothesis import given, settings

from clusters.documents.explanation import ExplanationDocument, StatusDocument
from clusters.documents.writing import read_explanation
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.status import Code
from clusters.services.journal.timeline import MOST_BYTES, decision_document
from tests.engine.builders import a_node, a_pod, explanation_of
from tests.engine.strategies import corpus_cases

if TYPE_CHECKING:
    from tests.engine.oracle import Case

NODES = 5_000


def long_name(number: int) -> str:
    """A name as long as Kubernetes allows."""
    return f"{number:05d}-{'n' * 247}"


def test_the_document_of_5000_nodes_with_long_names_is_under_20_kb() -> None:
    nodes = [a_node(long_name(number), zone=f"zone-{number % 3}") for number in range(NODES)]
    explanation = explanation_of(a_pod(requests={"cpu": "1"}), *nodes)
    document = decision_document(explanation, long_name(17))

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert document.node_count == document.feasible_count == NODES
    assert document.choice is not None
    assert document.choice.count == len(explanation.best)
    assert list(document.choice.examples) == explanation.best[: len(document.choice.examples)] != []


def test_examples_go_before_groups() -> None:
    nodes = [
        a_node(
            long_name(number),
            taints=[{"key": f"team-{number % 15}", "value": "x", "effect": "NoSchedule"}],
            allocatable={"cpu": "1" if number % 2 else "8"},
        )
        for number in range(NODES)
    ]
    document = decision_document(explanation_of(a_pod(requests={"cpu": "2"}), *nodes), None)

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert "examples" in document.dropped
    assert "groups" not in document.dropped
    assert len(document.groups) == 20
    assert document.other_groups is not None
    assert document.other_groups.groups == 10
    assert sum(group.count for group in document.groups) + document.other_groups.nodes == NODES


@pytest.mark.parametrize("priority", [0, 100])
def test_the_document_of_5000_nodes_that_all_differ_is_under_20_kb(priority: int) -> None:
    """Each node has taints of its own, so there are 5,000 groups and the message is a quarter of a megabyte."""
    nodes = [
        a_node(long_name(number), taints=[{"key": f"k{number}", "value": "v" * 60, "effect": "NoSchedule"}])
        for number in range(NODES)
    ]
    victims = [
        a_pod(f"{number:03d}{'p' * 240}", namespace="s" * 63, node=long_name(NODES), requests={"cpu": "50m"})
        for number in range(100)
    ]
    full = a_node(long_name(NODES), allocatable={"cpu": "5"})
    pod = a_pod("new", requests={"cpu": "5"}, priority=priority)
    explanation = explanation_of(pod, *nodes, full, *victims)
    document = decision_document(explanation, long_name(3))

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert explanation.message is not None
    assert len(explanation.message) > 200_000
    assert "message" in document.dropped
    assert explanation.message.startswith((document.message or "?").removesuffix("…"))
    assert document.other_groups is not None
    assert sum(group.count for group in document.groups) + document.other_groups.nodes == NODES + 1
    verdict = document.nodes[long_name(3)].verdict
    assert verdict is not None
    assert verdict.plugin == "TaintToleration"
    preemption = document.preemption
    assert preemption is not None
    assert (preemption.selected.victim_count if preemption.selected else None) == (100 if priority else None)


def test_many_reasons_of_one_node_are_bounded() -> None:
    resources = {f"example.com/{'r' * 200}-{number}": "1" for number in range(60)}
    nodes = [a_node(f"n{number}") for number in range(3)]
    document = decision_document(explanation_of(a_pod(requests=resources), *nodes), "n1")

    assert len(msgspec.json.encode(document)) <= MOST_BYTES
    assert "reasons" in document.dropped
    assert len(document.groups[0].filters["NodeResourcesFit"].reasons) < 60


def test_an_ordinary_document_drops_nothing() -> None:
    nodes = [a_node(f"n{number}", allocatable={"cpu": str(number + 1)}) for number in range(8)]
    explanation = explanation_of(a_pod(requests={"cpu": "4"}), *nodes)
    document = decision_document(explanation, "n1")

    assert document.dropped == ()
    assert document.nodes["n1"].rank is None
    assert document.nodes["n1"].filters == {
        "NodeResourcesFit": StatusDocument(
            code=Code.UNRESOLVABLE,
            reasons=("Insufficient cpu",),
            reason_values=({"kind": "insufficient", "resource": "cpu"},),
        )
    }
    assert [row.node for row in document.ranking] == [
        explanation.snapshot.nodes.names[row] for row in explanation.ranking()[:5].tolist()
    ]


def test_a_node_that_the_state_does_not_hold_has_no_answers() -> None:
    assert decision_document(explanation_of(a_pod(), a_node("n1")), "gone").nodes == {}


def test_a_cluster_without_nodes_has_a_document() -> None:
    document = decision_document(explanation_of(a_pod()), None)

    assert document.message == "no nodes available to schedule pods"
    assert not document.groups
    assert not document.ranking
    assert document.choice is None


@settings(max_examples=80, deadline=None)
@given(case=corpus_cases())
def test_its_numbers_are_the_explanations(case: Case) -> None:
    config = case.get("config")
    configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
    explanation = explain(
        Snapshot.from_objects(case["objects"]), case["pods"][0], configuration.profile_for(case["pods"][0])
    )
    for chosen in (None, *explanation.snapshot.nodes.names[:3]):
        document = decision_document(explanation, chosen)
        assert read_explanation(orjson.loads(msgspec.json.encode(document))) == document
        _compare(document, explanation, chosen)


def _compare(document: ExplanationDocument, explanation: Explanation, chosen: str | None) -> None:
    everything = explanation.as_recorded()
    plain = orjson.loads(msgspec.json.encode(document))
    names = explanation.snapshot.nodes.names
    assert document.node_count == len(names)
    assert document.feasible_count == len(everything["feasible"])
    assert (document.choice is not None) == ("chosen" in everything)
    assert document.message == explanation.message
    if document.choice is not None and document.choice.by == "score":
        assert list(document.choice.examples) == everything["best"][:20]
    for group, found in zip(document.groups, explanation.groups, strict=False):
        assert group.count == len(found)
        assert list(group.examples) == [names[row] for row in found.rows[:3].tolist()]
        assert {plugin: status.reasons for plugin, status in group.filters.items()} == {
            plugin: status.texts for plugin, status in found.filters.items()
        }
    for row in plain["ranking"]:
        node = everything["nodes"][row["node"]]
        assert row["scores"] == node["scores"]
        assert row["total"] == node["total"] == sum(score[2] for score in row["scores"].values())
    for step, expected in zip(document.funnel, explanation.funnel, strict=True):
        assert (step.plugin, step.left, step.rejected_here) == (
            expected.plugin, expected.left, expected.rejected_here,
        )  # fmt: skip
    if chosen is None:
        assert document.nodes == {}
        return
    node, written = everything["nodes"][chosen], plain["nodes"][chosen]
    assert written["total"] == node.get("total")
    assert written["scores"] == node.get("scores", {})
    for status in filter(None, (written["verdict"], *written["filters"].values())):
        status.pop("reasonValues", None)
    assert written["verdict"] == node.get("verdict")
    assert written["filters"] == node.get("filters", {})
    totals = [each["total"] for each in everything["nodes"].values() if "total" in each]
    if node.get("total") is not None:
        assert written["rank"] == 1 + sum(total > node["total"] for total in totals)
