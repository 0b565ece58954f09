"""Words and figures of a decision, without a page around them."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain, plugins
from clusters.wording.reasons import nodes_with_reason, reason_phrases
from dashboard.pictures.scores import scores
from dashboard.pictures.specs import BarsSpec
from dashboard.presenters.decisions.scores import score_table
from tests.support.decision_cluster import node, pod


def reasons_of_the_engine() -> list[str]:
    """Return every constant reason that a plugin can give for a single node."""
    found = set()
    for module in pkgutil.iter_modules(plugins.__path__):
        for value in vars(importlib.import_module(f"{plugins.__name__}.{module.name}")).values():
            if isinstance(value, str) and (value.startswith("node(s) ") or value == "Too many pods"):
                found.add(value)
    return sorted(found)


@pytest.mark.parametrize("reason", reasons_of_the_engine())
def test_every_reason_of_a_plugin_has_words(reason: str) -> None:
    assert reason_phrases([reason]) != reason
    assert nodes_with_reason(1, reason).startswith("1 node ")
    assert nodes_with_reason(12, reason).startswith("12 nodes ")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("Insufficient cpu", "3 nodes have insufficient CPU"),
        ("Insufficient example.com/gpu", "3 nodes have insufficient example.com/gpu"),
        ("node(s) had untolerated taint {dedicated: gpu}", "3 nodes have the untolerated taint dedicated=gpu"),
        ("node(s) had untolerated taint {maintenance: }", "3 nodes have the untolerated taint maintenance"),
        ("node(s) didn't satisfy plugin(s) [NodeAffinity]", "3 nodes are left out by NodeAffinity in PreFilter"),
        ("of a plugin unheard of", "3 nodes: of a plugin unheard of"),
    ],
)
def test_reasons_with_parts_are_spoken(reason: str, said: str) -> None:
    assert nodes_with_reason(3, reason) == said


def test_resources_are_insufficient_together() -> None:
    reasons = ["Insufficient cpu", "node(s) were unschedulable", "Insufficient memory"]

    assert reason_phrases(reasons) == "unschedulable (cordoned), insufficient CPU and memory"


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
