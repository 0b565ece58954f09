"""Answers that say more than one thing as tables: which plugin for which node, which thing at which place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers, judge_all, right_answer
from dashboard.classrooms.presenters import answers as matrices
from dashboard.classrooms.presenters.answers import MOST_PLACES, distribution, place_matrix
from dashboard.lessons.experiments import played_step
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.test_kinds import RIGHT, WRONG
from tests.engine.lessons.clusters import node, question, situation

if TYPE_CHECKING:
    from dashboard.classrooms.presenters.answers import AnswerMatrix

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def lesson() -> None:
    keep_lesson(NAME, archive)


def shown(name: str, answers: list[Any], *, is_revealed: bool = False) -> AnswerMatrix:
    played = played_step(NAME, name)
    judged = judge_all(played, answers)
    found = distribution(played.step.question, played.situation, judged, right_answer(played), is_revealed=is_revealed)
    assert found.matrix
    return found.matrix


def cells(found: AnswerMatrix) -> list[tuple[str, list[int]]]:
    return [(row.label, [cell.number for cell in row.cells]) for row in found.rows]


def right_cells(found: AnswerMatrix) -> set[tuple[str, str]]:
    return {
        (row.label, column)
        for row in found.rows
        for column, cell in zip(found.columns, row.cells, strict=True)
        if cell.is_right
    }


def test_plugins_are_counted_node_by_node() -> None:
    answers = [RIGHT["rejections"], WRONG["rejections"], RIGHT["rejections"]]

    before, after = shown("rejections", answers), shown("rejections", answers, is_revealed=True)

    assert before.columns == ("Fits", "TaintToleration", "NodeResourcesFit")
    assert cells(before) == [("ash", [1, 0, 2]), ("elm", [3, 0, 0]), ("oak", [1, 2, 0])]
    assert [cell.shade for cell in before.rows[0].cells] == [2, 0, 4]
    assert right_cells(before) == set()
    assert not before.has_right
    assert right_cells(after) == {("ash", "NodeResourcesFit"), ("elm", "Fits"), ("oak", "TaintToleration")}
    assert after.has_right


def test_of_many_nodes_those_are_listed_about_which_answers_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "MOST_ROWS", 2)

    found = shown("rejections", [RIGHT["rejections"], WRONG["rejections"]])

    assert [row.label for row in found.rows] == ["ash", "oak"]
    assert found.more == "1 more row is not listed."


def test_orders_are_counted_place_by_place_in_the_order_of_the_class() -> None:
    answers = [["oak", "ash", "elm"], ["oak", "elm", "ash"], ["ash", "oak"]]

    before, after = shown("order", answers), shown("order", answers, is_revealed=True)

    assert (before.subject, before.columns) == ("Node", ("1", "2", "3"))
    assert cells(before) == [("oak", [2, 1, 0]), ("ash", [1, 1, 1]), ("elm", [0, 1, 1])]
    assert right_cells(before) == set()
    assert cells(after) == [("ash", [1, 1, 1]), ("elm", [0, 1, 1]), ("oak", [2, 1, 0])]
    assert right_cells(after) == {("ash", "1"), ("elm", "2"), ("oak", "3")}


def test_places_far_back_are_one_column() -> None:
    names = [f"node-{number:02d}" for number in range(MOST_PLACES + 4)]
    here, asked = situation(*map(node, names)), question("order", of="search")
    judged = JudgedAnswers((JudgedAnswer(list(reversed(names)), ()),), 0)

    found = place_matrix(asked, here, judged, names, is_revealed=True)

    assert found.columns[-1] == "13 and later"
    assert len(found.columns) == MOST_PLACES + 1
    # The last four places are one column: there the answer has the first four nodes, and right are the last four.
    assert [row.label for row in found.rows if row.cells[-1].number] == names[:4]
    assert [row.label for row in found.rows if row.cells[-1].is_right] == names[-4:]


def test_answers_that_name_no_plugin_are_counted_and_no_table_is_drawn_before_the_reveal() -> None:
    played = played_step(NAME, "rejections")
    solution, judged = right_answer(played), judge_all(played, [{}, {}])

    before = distribution(played.step.question, played.situation, judged, solution, is_revealed=False)

    assert (before.answers, before.groups, before.matrix) == (2, (), None)
    assert cells(shown("rejections", [{}, {}], is_revealed=True)) == [
        ("ash", [0, 0, 0]),
        ("elm", [0, 0, 0]),
        ("oak", [0, 0, 0]),
    ]
