"""The keys under which the texts of a lesson may have hints."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import QUESTIONS, Mistake, MistakeKind
from clusters.engine.registry import PLUGINS
from tests.engine.lessons.clusters import question

EXAMPLES: dict[str, dict[str, Any]] = {
    "node": {},
    "nodes": {"which": "feasible"},
    "rejections": {},
    "outcome": {},
    "eviction": {"pod": "web"},
    "pods": {"which": "evictable"},
    "order": {"of": "search"},
    "number": {"value": "feasible"},
    "manifest": {"object": "Pod/web", "goals": ["fits", {"fitsOn": "a"}]},
}


def test_every_kind_of_question_has_an_example() -> None:
    assert EXAMPLES.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_keys_of_a_question_begin_with_its_kinds_of_mistakes(kind: str) -> None:
    asked = question(kind, **EXAMPLES[kind])
    assert asked.kind == kind
    assert {key.partition("/")[0] for key in asked.keys} == set(map(str, asked.mistakes))


def test_every_kind_of_mistake_can_be_made() -> None:
    made = {kind for each in QUESTIONS.values() for kind in each.mistakes}

    assert made == set(MistakeKind)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("node", "rejected/NodePorts"),
        ("rejections", "later-plugin/NodeName"),
        ("outcome", "other-outcome/gated"),
        ("eviction", "other-outcome/error"),
        ("manifest", "goal/fitsOn"),
    ],
)
def test_a_key_names_what_the_mistake_is_about(kind: str, key: str) -> None:
    assert key in question(kind, **EXAMPLES[kind]).keys


def test_other_goals_have_no_key() -> None:
    assert "goal/chosen" not in question("manifest", **EXAMPLES["manifest"]).keys


def test_the_most_special_key_comes_first() -> None:
    plugin = next(iter(PLUGINS))

    assert Mistake(MistakeKind.MISSED, "a", plugin).keys == (f"missed/{plugin}", "missed")
    assert Mistake(MistakeKind.GOAL, "a", given="fitsOn").keys == ("goal/fitsOn", "goal")
    assert Mistake(MistakeKind.POSITION, "a", given="a", expected="b").keys == ("position",)
