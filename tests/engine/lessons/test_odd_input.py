"""Whatever somebody writes into a lesson or gives as an answer is read, or refused with what is wrong."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine.lessons import QUESTIONS, QuestionError, UnreadableAnswerError, UnsolvableError, read_question
from clusters.engine.lessons.lesson import GOALS
from clusters.engine.lessons.values import VALUES
from tests.engine.lessons.clusters import node, pod, priority_class, question, situation

WORDS = ("a", "b", "default/web", "web", "feasible", "best", "victims", "cpu", "fits", "NodeName", "Pod/web", "", "1")
FIELDS = (
    "offers",
    "which",
    "of",
    "on",
    "value",
    "node",
    "plugin",
    "pod",
    "resource",
    "nominated",
    "drain",
    "object",
    "goals",
)
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(WORDS),
    st.sampled_from((*VALUES, *GOALS)),
)
documents = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from((*FIELDS, *WORDS)), inner, max_size=4)
    ),
    max_leaves=8,
)
COMMON = settings(max_examples=150, deadline=None)
ASKED = (
    question("node"),
    question("nodes", which="best"),
    question("rejections"),
    question("outcome"),
    question("eviction", pod="old"),
    question("pods", which="victims"),
    question("order", of="search"),
    question("number", value="request", resource="cpu"),
)


@COMMON
@given(entry=st.one_of(documents, st.dictionaries(st.sampled_from(tuple(QUESTIONS)), documents, max_size=2)))
def test_a_question_is_read_or_its_field_is_named(entry: Any) -> None:
    path = "question"
    try:
        assert read_question(entry).kind in QUESTIONS
    except QuestionError as error:
        path = error.path
    assert path.startswith("question")


@COMMON
@given(kind=st.sampled_from(tuple(QUESTIONS)), arguments=documents)
def test_a_question_that_is_read_has_an_answer_or_says_why_not(kind: str, arguments: Any) -> None:
    here = situation(
        priority_class("high", 9), node("a"), node("b"), pod("old", "a", cpu="4"), pod("web", cpu="4"), about="web"
    )
    with contextlib.suppress(QuestionError, UnsolvableError):
        asked = read_question({kind: arguments})
        assert asked.judge(here, asked.solution(here)).is_right


@COMMON
@given(answer=documents)
def test_an_answer_is_judged_or_refused(answer: Any) -> None:
    here = situation(node("a"), node("b"), pod("old", "a", cpu="4"), pod("web", cpu="4"), about="web")

    for asked in ASKED:
        with contextlib.suppress(UnreadableAnswerError):
            judged = asked.judge(here, answer)
            assert judged.is_right == (not judged.mistakes)
            assert {mistake.kind for mistake in judged.mistakes} <= asked.mistakes
            assert all(mistake.keys[0] in asked.keys for mistake in judged.mistakes)


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), "9" * 400, "0x10", "١"])
def test_numbers_that_are_none(answer: object) -> None:
    here = situation(node("a"), pod("web", cpu="4"), about="web")

    with pytest.raises(UnreadableAnswerError):
        question("number", value="request", resource="cpu").judge(here, answer)
