"""Words and figures of a decision, without a page around them."""

from __future__ import annotations

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.wording.reasons import nodes_by_reason, nodes_with_reason, reason_phrases
from dashboard.pictures.scores import scores
from dashboard.pictures.specs import BarsSpec
from dashboard.presenters.decisions.scores import score_table
from tests.support.decision_cluster import node, pod


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("Insufficient cpu", "3 nodes have insufficient CPU"),
        ("Insufficient example.com/gpu", "3 nodes have insufficient example.com/gpu"),
        ("node(s) had untolerated taint {dedicated: gpu}", "3 nodes have the untolerated taint dedicated=gpu"),
        ("node(s) had untolerated taint {maintenance: }", "3 nodes have the untolerated taint maintenance"),
        ("node(s) were unschedulable", "3 nodes are unschedulable (cordoned)"),
        ("node(s) didn't satisfy plugin(s) [NodeAffinity]", "3 nodes are left out by NodeAffinity in PreFilter"),
        ("of a plugin unheard of", "3 nodes: of a plugin unheard of"),
    ],
)
def test_reasons_with_parts_are_spoken(reason: str, said: str) -> None:
    assert nodes_with_reason(3, reason) == said


def test_resources_are_insufficient_together() -> None:
    reasons = ["Insufficient cpu", "Too many pods", "Insufficient memory"]

    assert reason_phrases(reasons) == "node pod limit reached, insufficient CPU and memory"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            [
                ("node(s) had untolerated taint {a: b}", 2),
                ("node(s) had untolerated taint {c: }", 1),
                ("unheard of", 4),
            ],
            "4 nodes: unheard of; 3 nodes have untolerated taints",
        ),
        ([("node(s) had untolerated taint {a: b}", 2)], "2 nodes have the untolerated taint a=b"),
    ],
)
def test_taints_that_differ_are_counted_together(found: list[tuple[str, int]], said: str) -> None:
    assert nodes_by_reason(found) == said


def test_score_bars_are_the_totals_of_the_best_nodes_and_the_pods_own() -> None:
    nodes = [node(f"n-{number}", "north", cpu=str(4 + number)) for number in range(12)]
    pending = pod("plain")
    explanation = explain(Snapshot.from_objects(nodes), pending, SchedulerConfiguration.default().profile_for(pending))
    table = score_table(explanation, explanation.ranking()[:10].tolist(), own="n-0")

    spec = scores(table).spec

    assert isinstance(spec, BarsSpec)
    totals = {row.label: sum(row.values) for row in spec.rows}
    assert totals == {name: explanation.total_of(explanation.snapshot.nodes.index[name]) for name in totals}
    assert [row.text for row in spec.rows] == [str(total) for total in totals.values()]
    assert len(totals) == 11
    assert spec.rows[-1].label == "n-0"
    assert table.own is not None
    assert table.own.is_own
