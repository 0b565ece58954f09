"""Words and figures of a decision, without a page around them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.wording.decisions.scores import signed
from clusters.wording.reasons import nodes_by_reason, nodes_with_reason, reason_phrases
from dashboard.pictures.differences import differences_body
from dashboard.pictures.specs import DifferenceRow, DifferencesSpec, Key
from dashboard.presenters.decisions.scores import score_table, scores_figure
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


def test_scores_are_differences_from_the_node_that_is_taken() -> None:
    nodes = [node(f"n-{number}", "north", cpu=str(4 + number)) for number in range(12)]
    pending = pod("plain")
    explanation = explain(Snapshot.from_objects(nodes), pending, SchedulerConfiguration.default().profile_for(pending))
    index = explanation.snapshot.nodes.index
    table = score_table(explanation, explanation.ranking()[:10].tolist(), own="n-0")
    figure = scores_figure(table)
    assert figure is not None
    spec = figure.spec
    assert isinstance(spec, DifferencesSpec)

    # What every node gets is no bar, but a line of words; nothing is lost.
    differing = {score.plugin for score in explanation.scores if score.weighted.min() != score.weighted.max()}
    assert {key.label for key in spec.keys} <= differing == {column.plugin for column in table.columns}
    assert {each.plugin for each in table.equal} == {score.plugin for score in explanation.scores} - differing
    equal = sum(each.points for each in table.equal)
    best = explanation.best[0]
    assert table.reference == best
    best_total = explanation.total_of(index[best])
    assert best_total is not None
    for row, drawn in zip((*table.rows, table.own), spec.rows, strict=True):
        assert row is not None
        assert row.node == drawn.label
        assert row.total == explanation.total_of(index[row.node]) == equal + sum(cell.weighted for cell in row.cells)
        assert sum(drawn.values) == sum(row.differences) == row.total - best_total
        assert drawn.text == (f"{best_total} points" if row.node == best else signed(row.total - best_total))
    assert spec.rows[-1].label == "n-0"


def test_nodes_that_no_plugin_tells_apart_have_no_bars() -> None:
    pending = pod("plain")
    snapshot = Snapshot.from_objects([node(f"n-{number}", "north") for number in range(3)])
    explanation = explain(snapshot, pending, SchedulerConfiguration.default().profile_for(pending))
    table = score_table(explanation, explanation.ranking().tolist())

    assert scores_figure(table) is None
    assert table.columns == ()
    assert {each.plugin for each in table.equal} == {score.plugin for score in explanation.scores}


@given(values=st.lists(st.lists(st.integers(-300, 300), min_size=3, max_size=3), min_size=1, max_size=6))
def test_bars_are_as_long_as_the_points_and_on_their_side(values: list[list[int]]) -> None:
    spec = DifferencesSpec(
        keys=tuple(Key(name, "zone-1") for name in "abc"),
        rows=tuple(DifferenceRow("n", tuple(each), tuple(map(str, each)), "") for each in values),
    )
    drawn, _ = differences_body(spec, 680, "p")
    axis = re.search(r'<line x1="([\d.]+)"', drawn)
    assert axis
    zero = float(axis[1])
    bars = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*><title>\w: (-?\d+)<', drawn)

    assert [int(value) for *_, value in bars] == [value for each in values for value in each if value]
    lengths = {abs(int(value)): float(width) for _, width, value in bars}
    longest = max(lengths, default=0)
    for left, width, value in bars:
        assert float(width) == pytest.approx(lengths[longest] * abs(int(value)) / longest, abs=0.2)
        assert (float(left) >= zero - 0.2) if int(value) > 0 else (float(left) + float(width) <= zero + 0.2)
        assert float(left) >= 0
        assert float(left) + float(width) <= 680.2
