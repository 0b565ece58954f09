"""What stands in a cell of what others recorded, in words."""

from __future__ import annotations

import pytest

from clusters.services.observed import (
    About,
    Nodes,
    NodesOf,
    Pair,
    PairState,
    RecordedFact,
    Said,
    Score,
    TotalWithoutExtenders,
    Unsaid,
)
from clusters.wording.decisions import observed as words
from dashboard.presenters.decisions.observed import about_text, side_text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("node(s) had taints", "node(s) had taints"),
        ("", ""),
        (300, "300"),
        (Score(300, 76), "300 (raw 76)"),
        (Score(0, 0), "0 (raw 0)"),
        (Score(300, None), "300"),
        (Score(None, 76), "raw 76"),
        (TotalWithoutExtenders(512), "512 without extenders"),
        (Nodes.of("ba"), "a, b"),
        (Nodes.of("edcba"), "a, b, c, d, e"),
        (Nodes.of("fedcba"), "6 nodes"),
        (Nodes.of(()), "0 nodes"),
        (Nodes.of("a", chosen_fits=True), "fits; highest total of all: a"),
        (Unsaid.SKIPPED, "skipped"),
        (Unsaid.FITS, "The pod fits."),
    ],
)
def test_each_side_of_a_pair_has_a_text(said: Said, text: str) -> None:
    assert side_text(said) == text


@pytest.mark.parametrize(
    ("about", "text"),
    [("NodeName", "NodeName"), (RecordedFact.TOTAL, "Total"), (NodesOf("NodeAffinity"), "NodeAffinity: nodes")],
)
def test_what_a_cell_is_about_has_a_name(about: About, text: str) -> None:
    assert about_text(about) == text


def test_nothing_is_without_words() -> None:
    assert words.UNSAID.keys() == {each.value for each in Unsaid}
    assert words.FACTS.keys() == {each.value for each in RecordedFact}
    assert words.BETWEEN.keys() == set(PairState)


def test_a_plugin_of_the_name_of_a_fact_is_not_that_fact() -> None:
    assert {"total": 1, RecordedFact.TOTAL: 2}["total"] == 1
    assert Pair.of("skipped", Unsaid.SKIPPED).state is PairState.DIFFERS
