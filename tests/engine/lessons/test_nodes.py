"""Questions about nodes and about what becomes of the pod in question."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import QuestionError, UnreadableAnswerError, UnsolvableError
from clusters.engine.lessons.problems import OnePluginOffered, PluginDoesNotFilter
from clusters.engine.problems import NotOneOf
from tests.engine.lessons.clusters import keys, mistakes, node, pod, question, situation

GPU = {"key": "gpu", "value": "true", "effect": "NoSchedule"}


def three_nodes() -> tuple[dict[str, object], ...]:
    return (
        node("a", taints=[GPU]),
        node("b"),
        node("c"),
        node("d", capacity={"cpu": "1"}),
        pod("web", cpu="2"),
        pod("old", "b", cpu="1"),
    )


def test_the_node_with_the_highest_total() -> None:
    here = situation(*three_nodes(), about="web")
    asked = question("node")

    assert asked.solution(here) == "c"
    assert asked.judge(here, "c").is_right
    assert keys(asked, here, "a") == ["rejected/TaintToleration"]
    assert keys(asked, here, "d") == ["rejected/NodeResourcesFit"]
    assert keys(asked, here, "b") == ["lower-score"]
    assert keys(asked, here, None) == ["nowhere"]
    (lower,) = mistakes(asked, here, "b")
    assert int(lower.given) < int(lower.expected)


def test_any_node_of_a_tie() -> None:
    here = situation(node("a"), node("b"), pod("web"), about="web")

    assert all(question("node").judge(here, name).is_right for name in "ab")
    assert question("nodes", which="best").solution(here) == ["a", "b"]


def test_nowhere() -> None:
    here = situation(node("a"), pod("web", cpu="5"), about="web")
    asked = question("node")

    assert asked.solution(here) is None
    assert asked.judge(here, None).is_right
    assert keys(asked, here, "a") == ["somewhere/NodeResourcesFit"]
    assert question("outcome").solution(here) == "unschedulable"


@pytest.mark.parametrize("answer", ["z", 3, ["a"]])
def test_an_answer_that_is_none(answer: object) -> None:
    with pytest.raises(UnreadableAnswerError):
        question("node").judge(situation(node("a"), pod("web"), about="web"), answer)


def test_sets_of_nodes() -> None:
    here = situation(*three_nodes(), about="web")

    assert question("nodes", which="feasible").solution(here) == ["b", "c"]
    assert question("nodes", which="rejected").solution(here) == ["a", "d"]
    assert question("nodes", which="best").solution(here) == ["c"]
    by_taint = question("nodes", which={"rejectedBy": "TaintToleration"})
    assert by_taint.solution(here) == ["a"]
    assert by_taint.judge(here, ["a"]).is_right
    assert keys(by_taint, here, ["d"]) == ["missed/TaintToleration", "extra/NodeResourcesFit"]
    assert keys(question("nodes", which="best"), here, ["b", "c"]) == ["lower-score"]
    assert keys(question("nodes", which="feasible"), here, ["b"]) == ["missed"]


def test_the_first_plugin_that_rejects() -> None:
    here = situation(node("a", taints=[GPU], capacity={"cpu": "1"}), node("b"), pod("web", cpu="2"), about="web")
    asked = question("rejections")

    assert asked.solution(here) == {"a": "TaintToleration", "b": None}
    assert asked.judge(here, {"b": None, "a": "TaintToleration"}).is_right
    assert keys(asked, here, {"a": "NodeResourcesFit", "b": None}) == ["later-plugin/TaintToleration"]
    assert keys(asked, here, {"a": "NodeName", "b": None}) == ["other-plugin/TaintToleration"]
    assert keys(asked, here, {"a": None, "b": "NodeName"}) == ["rejected/TaintToleration", "other-plugin"]
    assert keys(asked, here, {"b": None}) == ["missed/TaintToleration"]


def test_what_is_offered_are_the_plugins_that_reject_and_those_that_the_lesson_names() -> None:
    here = situation(node("a", taints=[GPU], capacity={"cpu": "1"}), node("b"), pod("web", cpu="2"), about="web")

    # The one that would reject after another one is among them.
    narrowed: Any = question("rejections", offers=["NodeAffinity", "NodeUnschedulable"])
    assert narrowed.offered(here) == ("NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodeResourcesFit")
    every: Any = question("rejections")
    assert every.offered(here) == tuple(here.attempt().profile.filter)
    # What is not offered is judged as ever.
    asked = question("rejections", offers=["NodeAffinity"])
    assert keys(asked, here, {"a": "NodeName", "b": None}) == ["other-plugin/TaintToleration"]


def test_what_is_offered_never_gives_the_answer_away() -> None:
    here = situation(node("a", taints=[GPU]), pod("web"), about="web")

    question("rejections", offers=["TaintToleration", "NodeName"]).check(here)
    for offers, problem in (
        (["TaintToleration"], OnePluginOffered("TaintToleration")),
        (["ImageLocality"], PluginDoesNotFilter("ImageLocality", tuple(here.attempt().profile.filter))),
    ):
        with pytest.raises(UnsolvableError) as error:
            question("rejections", offers=offers).check(here)
        assert error.value.problem == problem


def test_a_plugin_that_is_offered_has_to_be_known() -> None:
    with pytest.raises(QuestionError) as error:
        question("rejections", offers=["NodeName", "TaintsToleration"])
    assert error.value.path == "question.rejections.offers[1]"
    assert isinstance(error.value.problem, NotOneOf)
    assert error.value.problem.close == "TaintToleration"


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [
        ({}, "scheduled"),
        ({"cpu": "5"}, "unschedulable"),
        ({"schedulingGates": [{"name": "example.com/wait"}]}, "gated"),
        ({"priorityClassName": "none"}, "refused"),
    ],
)
def test_what_becomes_of_a_pod(spec: dict[str, Any], outcome: str) -> None:
    here = situation(node("a"), pod("web", **spec), about="web")
    asked = question("outcome")

    assert asked.solution(here) == outcome
    assert asked.judge(here, outcome).is_right
    assert keys(asked, here, "preempts") == ["other-outcome/preempts"]
    assert (question("node").solution(here) is None) is (outcome != "scheduled")


def test_without_a_pod_in_question_there_is_no_answer() -> None:
    with pytest.raises(UnsolvableError):
        question("node").solution(situation(node("a")))
