"""Words and figures of a decision, without a page around them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.plugins.node_unschedulable import Cordoned
from clusters.engine.plugins.taint_toleration import Untolerated
from clusters.engine.scheduling import LeftOut
from clusters.engine.status import QuotedReason, Reason
from clusters.wording.decisions.verdict import signed
from clusters.wording.plugins.reasons import nodes_by_reason, reason_phrase, reason_phrases
from dashboard.pictures.columns import differences_body
from dashboard.pictures.specs import DifferenceRow, DifferencesSpec, Key
from dashboard.presenters.decisions.nodes import score_table, scores_figure
from tests.support.answers import known
from tests.support.decision_cluster import node, pod


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Insufficient("cpu"), "insufficient CPU"),
        (Insufficient("example.com/gpu"), "insufficient example.com/gpu"),
        (Untolerated("dedicated", "gpu"), "untolerated taint dedicated=gpu"),
        (Untolerated("maintenance"), "untolerated taint maintenance"),
        (Cordoned(), "unschedulable (cordoned)"),
        (LeftOut(("NodeAffinity",)), "left out by NodeAffinity in PreFilter"),
        (QuotedReason("of a plugin unheard of"), "of a plugin unheard of"),
    ],
)
def test_reasons_with_parts_are_spoken(reason: Reason, said: str) -> None:
    assert reason_phrase(reason) == said


def test_resources_are_insufficient_together() -> None:
    reasons = [Insufficient("pods"), Insufficient("cpu"), Insufficient("memory")]

    assert reason_phrases(reasons) == "node pod limit reached, insufficient CPU and memory"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            [
                (Untolerated("a", "b"), 2),
                (Untolerated("c"), 1),
                (QuotedReason("unheard of"), 4),
            ],
            "unheard of on 4 nodes; untolerated taints on 3 nodes",
        ),
        ([(Untolerated("a", "b"), 2)], "untolerated taint a=b on 2 nodes"),
    ],
)
def test_taints_that_differ_are_counted_together(found: list[tuple[Reason, int]], said: str) -> None:
    assert nodes_by_reason(found) == said


def test_scores_are_differences_from_the_node_that_is_taken() -> None:
    nodes = [node(f"n-{number}", "north", cpu=str(4 + number)) for number in range(12)]
    pending = pod("plain")
    explanation = explain(Snapshot.from_objects(nodes), pending, SchedulerConfiguration.default().profile_for(pending))
    index = explanation.snapshot.nodes.index
    table = score_table(explanation, explanation.ranking()[:10].tolist(), own="n-0")
    figure = known(scores_figure(table))
    spec = figure.spec
    assert isinstance(spec, DifferencesSpec)

    # What every node gets is no bar, but a line of words; nothing is lost.
    differing = {score.plugin for score in explanation.scores if score.weighted.min() != score.weighted.max()}
    assert {key.label for key in spec.keys} <= differing == {column.plugin for column in table.columns}
    assert {each.plugin for each in table.equal} == {score.plugin for score in explanation.scores} - differing
    equal = sum(each.points for each in table.equal)
    best = explanation.best[0]
    assert table.reference == best
    best_total = known(explanation.total_of(index[best]))
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
