"""The map by what answers are about: nodes, what rejects the pod there, and pods that run there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.wording.lessons.teaching import HEAT_TITLES
from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers, judge_all, right_answer
from dashboard.classrooms.presenters.answers import named_nodes, node_heat
from dashboard.lessons.experiments import played_step
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.test_kinds import RIGHT, WRONG
from tests.engine.lessons.clusters import node, pod, question, situation

if TYPE_CHECKING:
    from dashboard.classrooms.presenters.answers import NodeHeat

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def lesson() -> None:
    keep_lesson(NAME, archive)


def shown(name: str, answers: list[Any], *, is_revealed: bool = False) -> NodeHeat | None:
    played = played_step(NAME, name)
    judged = judge_all(played, answers)
    return node_heat(played.step.question, played.situation, judged, right_answer(played), is_revealed=is_revealed)


def figures(found: NodeHeat | None) -> dict[str, str]:
    assert found
    return dict(zip(found.drawn.found.names, found.drawn.found.figures, strict=True))


def ringed(found: NodeHeat | None) -> set[str]:
    assert found
    drawn = found.drawn
    rings = {drawn.found.names[mark.node] for mark in drawn.found.marks}
    assert ("map-ring-right" in drawn.wide) == bool(rings)
    return rings


def test_nodes_that_are_named_more_often_stand_out_more() -> None:
    found = shown("nodes", [["ash"], ["ash", "elm"], ["ash"], []])

    assert found
    assert (found.title, figures(found)) == ("Named nodes", {"ash": "3", "elm": "1", "oak": ""})
    shades = dict(zip(found.drawn.found.names, found.drawn.found.shade_of, strict=True))
    assert shades["ash"] > shades["elm"] > shades["oak"] == 0
    assert "ash: 3 of 4 answers" in found.drawn.found.lines
    assert [key.label for key in found.drawn.found.keys] == [
        "In no answer",
        "The more answers, the stronger",
    ]


def test_an_answer_counts_once_for_a_node_however_often_it_names_it() -> None:
    played = played_step(NAME, "nodes")

    assert dict(named_nodes(played.step.question, played.situation, judge_all(played, [["ash", "ash"]]))) == {"ash": 1}
    assert figures(shown("node", ["elm", None, "elm"])) == {"ash": "", "elm": "2", "oak": ""}


def test_nodes_stand_out_where_more_answers_have_a_plugin_reject_the_pod() -> None:
    answers = [RIGHT["rejections"], WRONG["rejections"], {"ash": "NodeName", "elm": None, "oak": None}]

    found = shown("rejections", answers)

    assert found
    assert figures(found) == {"ash": "2", "elm": "", "oak": "1"}
    assert "ash: 2 of 3 answers" in found.drawn.found.lines
    assert found.title == str(HEAT_TITLES["rejections"])
    assert ringed(found) == set()
    assert ringed(shown("rejections", answers, is_revealed=True)) == {"ash", "oak"}


def test_nodes_stand_out_whose_pods_are_named() -> None:
    answers = [["shop/cart"], ["shop/cart", "shop/search"], ["shop/web"], []]

    found = shown("pods", answers)

    assert found
    assert figures(found) == {"ash": "2", "elm": "1", "oak": ""}
    assert "ash: 2 of 4 answers" in found.drawn.found.lines
    assert ringed(found) == set()
    assert ringed(shown("pods", answers, is_revealed=True)) == {"ash"}


def test_a_map_of_pods_is_drawn_where_more_than_one_node_has_some() -> None:
    def drawn(*pods: Any, **arguments: Any) -> bool:
        here = situation(node("ash"), node("elm"), *pods)
        judged = JudgedAnswers((JudgedAnswer(["default/one"], ()),), 0)
        asked = question("pods", which="evictable", **arguments)
        return node_heat(asked, here, judged, ["default/one"], is_revealed=False) is not None

    assert drawn(pod("one", "ash"), pod("two", "elm"))
    assert not drawn(pod("one", "ash"), pod("two", "ash"))
    assert not drawn(pod("one", "ash"), pod("two", "elm"), on="ash")


@pytest.mark.parametrize("name", ["outcome", "eviction", "order", "queue", "number"])
def test_what_is_not_about_nodes_has_no_such_map(name: str) -> None:
    assert shown(name, [RIGHT[name]], is_revealed=True) is None
