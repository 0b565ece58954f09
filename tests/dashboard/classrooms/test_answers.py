"""Answers of a class as bars, in words, on the map, and the mistake that most make: for every kind of question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.services.lessons.storing import store_lesson
from dashboard.classrooms.judgements import judge_all, right_answer
from dashboard.classrooms.presenters.answers import said
from dashboard.classrooms.presenters.distribution import MOST_BARS, distribution
from dashboard.classrooms.presenters.heat import heat_map, named_nodes, right_nodes
from dashboard.classrooms.presenters.mistakes import commonest_mistake
from dashboard.lessons.languages import texts_of
from dashboard.lessons.situations import played_step
from dashboard.pictures.verdict_map.drawing import DrawnMap
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.test_kinds import RIGHT, TOLERATION, WRONG, changed_pod

if TYPE_CHECKING:
    from dashboard.classrooms.presenters.distribution import Distribution

pytestmark = pytest.mark.django_db

# Of each kind: bars before the reveal, of two right answers and one wrong one, and those that are right.
BARS: dict[str, tuple[list[tuple[str, str]], set[str]]] = {
    "node": ([("elm", "2 of 3"), ("No node", "1 of 3")], {"elm"}),
    "nodes": ([("ash", "2 of 3"), ("oak", "2 of 3"), ("elm", "1 of 3")], {"ash", "oak"}),
    "outcome": (
        [
            ("It is scheduled to a node", "0 of 3"),
            ("Other pods are removed for it (preemption)", "2 of 3"),
            ("It stays pending: it is unschedulable", "0 of 3"),
            ("The scheduler does not try it: it is gated", "1 of 3"),
            ("The API server does not create it", "0 of 3"),
        ],
        {"Other pods are removed for it (preemption)"},
    ),
    "eviction": (
        [
            ("Allowed (200)", "0 of 3"),
            ("Refused by a budget (429)", "2 of 3"),
            ("Misconfigured: never allowed (500)", "1 of 3"),
        ],
        {"Refused by a budget (429)"},
    ),
    "pods": ([("shop/cart", "2 of 3"), ("No pod", "1 of 3")], {"shop/cart"}),
    "order": ([("1. ash, 2. elm, 3. oak", "2 of 3"), ("1. oak, 2. ash, 3. elm", "1 of 3")], {"1. ash, 2. elm, 3. oak"}),
    "queue": (
        [("1. shop/huge, 2. shop/web", "2 of 3"), ("1. shop/web, 2. shop/huge", "1 of 3")],
        {"1. shop/huge, 2. shop/web"},
    ),
    "number": ([("3 CPU", "2 of 3"), ("4 CPU", "1 of 3")], {"3 CPU"}),
}


@pytest.fixture(autouse=True)
def lesson() -> None:
    store_lesson(data=archive(), file_name=f"{NAME}.zip", uploaded_by="trainer")


def shown(name: str, answers: list[Any], *, is_revealed: bool = False) -> Distribution:
    played = played_step(NAME, name)
    judged = judge_all(played, answers)
    return distribution(played.step.question, played.situation, judged, right_answer(played), is_revealed=is_revealed)


def bars(found: Distribution) -> list[tuple[str, str]]:
    return [(bar.label, bar.said) for group in found.groups for bar in group.bars]


def told(found: Distribution) -> set[str]:
    return {bar.label for group in found.groups for bar in group.bars if bar.is_right}


@pytest.mark.parametrize("name", BARS)
def test_answers_are_bars_with_words(name: str) -> None:
    answers, (expected, right) = [RIGHT[name], WRONG[name], RIGHT[name]], BARS[name]

    before, after = shown(name, answers), shown(name, answers, is_revealed=True)

    assert bars(before) == expected
    assert told(before) == set()
    assert told(after) == right


def test_plugins_are_counted_node_by_node() -> None:
    found = shown("rejections", [RIGHT["rejections"], WRONG["rejections"], RIGHT["rejections"]], is_revealed=True)

    assert [(group.title, [(bar.label, bar.said, bar.is_right) for bar in group.bars]) for group in found.groups] == [
        ("ash", [("NodeResourcesFit", "2 of 3", True), ("Fits", "1 of 3", False)]),
        ("elm", [("Fits", "3 of 3", True)]),
        ("oak", [("TaintToleration", "2 of 3", True), ("Fits", "1 of 3", False)]),
    ]


def test_manifests_are_counted_by_the_goals_that_they_meet() -> None:
    found = shown("manifest", [changed_pod(), changed_pod(tolerations=[TOLERATION]), changed_pod()])

    assert bars(found) == [("The pod passes every filter on oak.", "1 of 3")]


def test_equal_numbers_are_one_bar_however_they_are_written() -> None:
    assert bars(shown("number", ["1500m", "1.5", " 1500m "])) == [("1500m CPU", "3 of 3")]


def test_what_nobody_named_is_shown_once_it_may_be_known() -> None:
    answers = [WRONG["nodes"]]

    assert bars(shown("nodes", answers)) == [("elm", "1 of 1")]
    assert bars(shown("nodes", answers, is_revealed=True)) == [("elm", "1 of 1"), ("ash", "0 of 1"), ("oak", "0 of 1")]


def test_rare_answers_are_counted_together_but_for_the_right_one() -> None:
    answers = [str(number) for number in range(10, 10 + MOST_BARS + 5) for _ in range(2)] + ["3"]

    before, after = shown("number", answers).groups[0], shown("number", answers, is_revealed=True).groups[0]

    assert len(before.bars) == MOST_BARS
    assert before.more == "11 other answers"
    assert [bar.label for bar in after.bars[MOST_BARS:]] == ["3 CPU"]
    assert after.more == "10 other answers"


def test_answers_to_a_former_lesson_are_counted_apart() -> None:
    found = shown("node", ["elm", "gone", ["elm"], {"a": "b"}])

    assert bars(found) == [("elm", "1 of 1")]
    assert found.note == "3 answers are not counted: the lesson is another one since they were given."


def test_no_answers_are_no_bars() -> None:
    found = shown("nodes", [])

    assert (found.answers, found.groups, found.sentence) == (0, (), "")


@pytest.mark.parametrize("name", [*RIGHT, "manifest"])
def test_an_answer_is_said_without_marks_of_code(name: str) -> None:
    played = played_step(NAME, name)
    answers = [changed_pod(), "a: ["] if name == "manifest" else [RIGHT[name], WRONG[name]]

    for answer in judge_all(played, answers).answers:
        words = said(played.step.question, answer)
        assert words
        assert "`" not in words


def test_the_commonest_wrong_answer_comes_with_its_mistake() -> None:
    played = played_step(NAME, "node")
    texts = texts_of(played.lesson).steps["node"]

    found = commonest_mistake(played.step.question, judge_all(played, ["elm", None, "ash", None, "elm", "elm"]), texts)

    assert found
    assert found.answer == "No node"
    assert found.said == "Most frequent wrong answer: 2 of 6"
    assert "There is a node for this pod." in found.mistakes[0].text
    assert commonest_mistake(played.step.question, judge_all(played, ["elm"]), texts) is None


def test_wrong_manifests_are_alike_by_their_mistakes() -> None:
    played = played_step(NAME, "manifest")
    texts = texts_of(played.lesson).steps["manifest"]
    wrong = [
        changed_pod(),
        changed_pod(terminationGracePeriodSeconds=5),
        changed_pod(containers=[{"name": "other", "image": "registry.example/a:1"}]),
    ]

    found = commonest_mistake(played.step.question, judge_all(played, wrong), texts)

    assert found
    assert found.said == "Most frequent wrong answer: 2 of 3"
    assert found.answer == "0 of 1 goal met"


def test_nodes_that_are_named_more_often_stand_out_more() -> None:
    played = played_step(NAME, "nodes")
    judged = judge_all(played, [["ash"], ["ash", "elm"], ["ash"], []])

    found = heat_map(played.situation, judged, ())

    assert dict(named_nodes(judged)) == {"ash": 3, "elm": 1}
    assert dict(zip(found.names, found.figures, strict=True)) == {"ash": "3", "elm": "1", "oak": ""}
    shades = dict(zip(found.names, found.shade_of, strict=True))
    assert shades["ash"] > shades["elm"] > shades["oak"] == 0
    assert "ash: named in 3 of 4 answers" in found.lines
    assert "map-ring" not in DrawnMap(id="heat", found=found).wide


def test_right_nodes_have_a_ring_once_they_may_be_known() -> None:
    played = played_step(NAME, "nodes")
    right = right_nodes(played.step.question, played.situation, right_answer(played))

    found = heat_map(played.situation, judge_all(played, [["ash"]]), right)

    assert {found.names[mark.node] for mark in found.marks} == {"ash", "oak"}
    assert "map-ring-right" in DrawnMap(id="heat", found=found).wide
