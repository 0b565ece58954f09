"""Answers of a class as bars, in words, and the mistake that most make: for every kind of question."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.lessons.lesson import Goal
from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers, judge_all, right_answer
from dashboard.classrooms.presenters.answers import (
    MOST_BARS,
    bar_group,
    change_groups,
    commonest_mistake,
    distribution,
)
from dashboard.lessons.experiments import judged, played_step
from dashboard.lessons.languages import texts_of
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.test_kinds import RIGHT, TOLERATION, WRONG, changed_pod

if TYPE_CHECKING:
    from dashboard.classrooms.presenters.answers import Distribution

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

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
    "rejections": ([("Fits", "5 of 9"), ("NodeResourcesFit", "2 of 9"), ("TaintToleration", "2 of 9")], set()),
}


@pytest.fixture(autouse=True)
def lesson() -> None:
    keep_lesson(NAME, archive)


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


def test_manifests_are_counted_by_what_they_come_to() -> None:
    answers = [
        changed_pod(),
        changed_pod(tolerations=[TOLERATION]),
        changed_pod(),
        changed_pod(priorityClassName="no-such-class"),
        changed_pod(tolerations=[TOLERATION], containers=[{"name": "other", "image": "registry.example/a:1"}]),
    ]
    verdicts = [
        ("Not met: The pod passes every filter on oak.", "2 of 5"),
        ("A field is changed that has to stay as it is", "1 of 5"),
        ("Every goal is met", "1 of 5"),
        ("The API server refuses it", "1 of 5"),
    ]

    before, after = shown("manifest", answers), shown("manifest", answers, is_revealed=True)

    assert bars(before) == bars(after) == verdicts
    assert [group.title for group in before.groups] == ["Changed manifests"]
    assert told(before) == set()
    assert told(after) == {"Every goal is met"}


def test_where_there_are_several_goals_each_is_counted() -> None:
    played = played_step(NAME, "manifest")
    asked: Any = played.step.question
    question = replace(asked, goals=(*asked.goals, Goal("notOn", "elm")))
    changed = changed_pod(tolerations=[TOLERATION])
    answers = JudgedAnswers((JudgedAnswer(changed, judged(question, played.situation, changed).mistakes),), 0)

    verdicts, goals = change_groups(question, answers, is_revealed=False)

    assert [(bar.label, bar.number) for bar in verdicts.bars] == [
        ("Not met: The pod does not pass every filter on elm.", 1),
        ("Every goal is met", 0),
    ]
    assert [(bar.label, bar.number) for bar in goals.bars] == [
        ("The pod passes every filter on oak.", 1),
        ("The pod does not pass every filter on elm.", 0),
    ]


def test_equal_numbers_are_one_bar_however_they_are_written() -> None:
    assert bars(shown("number", ["1500m", "1.5", " 1500m "])) == [("1500m CPU", "3 of 3")]


def test_rare_answers_are_counted_together_but_for_the_right_one() -> None:
    # Fifteen orders, of which the right one is the rarest.
    orders = [list(order) for length in (1, 2, 3) for order in permutations(("ash", "elm", "oak"), length)]
    answers = [*orders, *(order for order in orders if order != RIGHT["order"])]

    before, after = shown("order", answers).groups[0], shown("order", answers, is_revealed=True).groups[0]

    assert len(before.bars) == MOST_BARS
    assert before.more == "5 other answers"
    assert [(bar.label, bar.said) for bar in after.bars[MOST_BARS:]] == [("1. ash, 2. elm, 3. oak", "1 of 29")]
    assert after.more == "4 other answers"


def test_of_very_much_that_is_right_some_is_listed() -> None:
    numbers = {f"shop/{number:02d}": 0 for number in range(40)} | {"shop/wrong": 5, "shop/00": 2}
    right = set(numbers) - {"shop/wrong"}

    found = bar_group(numbers, 5, right)

    assert [bar.label for bar in found.bars[:2]] == ["shop/wrong", "shop/00"]
    assert len(found.bars) == 2 * MOST_BARS
    assert (found.more, found.more_right) == ("", "17 more are right and not listed.")
    assert bar_group(numbers, 5).more_right == ""


def test_numbers_stand_by_size_and_neighbours_share_a_bar_where_there_are_very_many() -> None:
    answers = ["20", "2", "500m", "2", *(str(number) for number in range(30, 50))]

    few, many = shown("number", answers[:4]), shown("number", answers)

    assert bars(few) == [("500m CPU", "1 of 4"), ("2 CPU", "2 of 4"), ("20 CPU", "1 of 4")]
    assert few.spread == "From 500m CPU to 20 CPU; half of the answers are at most 2 CPU."
    assert len(many.groups[0].bars) <= MOST_BARS
    assert bars(many)[:2] == [("500m CPU to 2 CPU", "3 of 24"), ("20 CPU to 30 CPU", "2 of 24")]
    assert sum(bar.number for bar in many.groups[0].bars) == len(answers)
    assert shown("number", ["2", "2000m"]).spread == ""


def test_the_right_number_has_its_bar_once_it_may_be_known() -> None:
    answers = ["2", "4", *(str(number) for number in range(30, 50))]

    before, after = shown("number", answers), shown("number", answers, is_revealed=True)

    assert "3 CPU" not in [label for label, _ in bars(before)]
    assert told(before) == set()
    assert ("3 CPU", "0 of 22") in bars(after)
    assert told(after) == {"3 CPU"}
    # What the class said stays where it was.
    assert after.spread == before.spread == "From 2 CPU to 49 CPU; half of the answers are at most 38 CPU."


def test_answers_to_a_former_lesson_are_counted_apart() -> None:
    found = shown("node", ["elm", "gone", ["elm"], {"a": "b"}])

    assert bars(found) == [("elm", "1 of 1")]
    assert found.note == "3 answers to an earlier lesson are not counted."


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
    assert found.answer == "0 of 1 goals met"
