"""Questions whose answer is a changed object."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.admission.problems import NoPriorityClass
from clusters.engine.lessons import Question, QuestionError, UnreadableAnswerError, UnsolvableError
from clusters.engine.lessons.problems import (
    GoalsMet,
    NoKnownEdit,
    NotAFieldPath,
    NotAnObjectPath,
    NotInSituation,
    NotThatObject,
    SolutionIsWrong,
)
from tests.engine.lessons.clusters import (
    ZONE,
    Document,
    budget,
    keys,
    mistakes,
    node,
    owned,
    pod,
    priority_class,
    question,
    replica_set,
    situation,
)

WEB = {"app": "web"}
SPREAD = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}


def asked(*goals: object, name: str = "Pod/new", keep: tuple[str, ...] = ()) -> Question:
    return question("manifest", object=name, goals=list(goals), keep=list(keep))


def test_a_request_that_is_too_large() -> None:
    here = situation(node("a"), pod("new", cpu="5"), about="new")
    to_fit = asked("fits")

    assert to_fit.judge(here, pod("new", cpu="4")).is_right
    assert keys(to_fit, here, pod("new", cpu="4500m")) == ["goal/fits"]
    assert to_fit.judge(here, to_fit.solution(here)).is_right


def test_what_has_to_stay() -> None:
    here = situation(node("a"), pod("new", cpu="5", nodeSelector={"disk": "ssd"}), about="new")
    to_fit = asked("fits", keep=("spec.nodeSelector", "spec.containers[0].image", 'metadata.labels["a.b/c"]'))

    (mistake,) = mistakes(to_fit, here, pod("new", cpu="4"))
    assert (mistake.keys, mistake.subject) == (("kept-field",), "spec.nodeSelector")


def test_an_object_that_the_api_server_refuses() -> None:
    here = situation(node("a"), pod("new", cpu="5"), about="new")

    (mistake,) = mistakes(asked("fits"), here, pod("new", cpu="4", priorityClassName="none"))
    assert mistake.keys == ("refused",)
    assert mistake.subject == "spec.priorityClassName"
    assert isinstance(mistake.problem, NoPriorityClass)
    (unreadable,) = mistakes(asked("fits"), here, pod("new", cpu="much"))
    assert unreadable.keys == ("refused",)


def on_labelled_nodes() -> list[Document]:
    return [node("a", labels={"disk": "ssd"}), node("b", labels={"disk": "hdd"}), node("c", capacity={"cpu": "8"})]


@pytest.mark.parametrize(
    ("goal", "right", "wrong"),
    [
        ({"fitsOn": "b"}, {}, {"nodeSelector": {"disk": "ssd"}}),
        ({"notOn": "a"}, {"nodeSelector": {"disk": "hdd"}}, {}),
        ({"chosen": "a"}, {"nodeSelector": {"disk": "ssd"}}, {}),
        ("unschedulable", {"nodeSelector": {"disk": "none"}}, {}),
        ({"gated": True}, {"schedulingGates": [{"name": "example.com/x"}]}, {}),
        ({"gated": False}, {}, {"schedulingGates": [{"name": "example.com/x"}]}),
        ({"fitsTimes": 3}, {"cpu": "2", "nodeSelector": {}}, {"cpu": "3", "nodeSelector": {"disk": "ssd"}}),
        ({"fits": True}, {}, {"nodeSelector": {"disk": "none"}}),
    ],
)
def test_where_the_changed_pod_goes(goal: object, right: dict[str, Any], wrong: dict[str, Any]) -> None:
    here = situation(*on_labelled_nodes(), pod("new", **wrong), about="new")
    goal_question = asked(goal)
    key = goal if isinstance(goal, str) else next(iter(goal))  # type: ignore[call-overload]

    assert goal_question.judge(here, pod("new", **right)).is_right
    assert keys(goal_question, here, pod("new", **wrong)) == [f"goal/{key}"]
    goal_question.check(here)
    with pytest.raises(UnsolvableError) as raised:
        goal_question.check(situation(*on_labelled_nodes(), pod("new", **right), about="new"))
    assert raised.value.problem == GoalsMet()


def test_preemption_can_be_a_goal() -> None:
    objects = [priority_class("high", 9), node("a"), pod("old", "a", cpu="4")]
    low, high = pod("new", cpu="1"), pod("new", cpu="1", priorityClassName="high")

    assert asked("preempts").judge(situation(*objects, low, about="new"), high).is_right
    assert keys(asked("preempts"), situation(*objects, high, about="new"), low) == ["goal/preempts"]
    here = situation(*objects, high, about="new")
    never = pod("new", cpu="1", priorityClassName="high", preemptionPolicy="Never")
    assert asked("doesNotPreempt").judge(here, low).is_right
    # The policy is that of the class.
    assert keys(asked("doesNotPreempt"), here, never) == ["refused"]


def test_copies_that_spread() -> None:
    nodes = [node("a", zone="z1"), node("b", zone="z2", capacity={"cpu": "2"})]
    plain = pod("new", labels=WEB, cpu="1")
    spread = pod(
        "new", labels=WEB, cpu="1", topologySpreadConstraints=[{**SPREAD, "labelSelector": {"matchLabels": WEB}}]
    )
    here = situation(*nodes, plain, about="new")
    goal = asked({"skewAtMost": {"topologyKey": ZONE, "value": 1, "copies": 4}})

    assert goal.judge(here, spread).is_right
    assert keys(goal, here, plain) == ["goal/skewAtMost"]
    # A fifth copy fits on the first node alone, and a sixth nowhere.
    assert asked({"fitsTimes": 5}).judge(here, spread).is_right
    assert keys(asked({"fitsTimes": 6}), here, spread) == ["goal/fitsTimes"]


def test_a_budget_that_blocks() -> None:
    pods = [owned(pod(f"web-{name}", name, labels=WEB), "web") for name in "ab"]
    strict, loose = budget("web", WEB, minAvailable=2), budget("web", WEB, maxUnavailable=1)
    here = situation(node("a"), node("b"), replica_set("web", 2), *pods, strict)
    to_evict = asked({"evictable": "web-a"}, name="PodDisruptionBudget/web")

    to_evict.check(here)
    assert to_evict.judge(here, loose).is_right
    assert keys(to_evict, here, budget("web", WEB, minAvailable="51%")) == ["goal/evictable"]
    with pytest.raises(UnsolvableError) as raised:
        to_evict.solution(here)
    assert raised.value.problem == NoKnownEdit()


def test_a_quota_that_refuses() -> None:
    def quota(pods: str) -> Document:
        metadata = {"name": "team", "namespace": "default"}
        return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": {"pods": pods}}}

    here = situation(node("a"), pod("old", "a"), quota("1"), pod("new"), about="new")
    to_admit = asked("admitted", "fits", name="ResourceQuota/team")

    assert question("outcome").solution(here) == "refused"
    to_admit.check(here)
    assert to_admit.judge(here, quota("2")).is_right
    assert keys(to_admit, here, quota("0")) == ["goal/admitted", "goal/fits"]


def test_gates_are_removed() -> None:
    here = situation(node("a"), pod("new", schedulingGates=[{"name": "example.com/x"}]), about="new")

    assert asked("fits").solution(here)["spec"].get("schedulingGates") is None


def test_what_a_node_asks_of_the_pod_is_changed_together() -> None:
    taint = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
    here = situation(
        node("a", taints=[taint], labels={"disk": "hdd"}),
        node("b"),
        pod("new", cpu="5", nodeSelector={"disk": "ssd"}),
        about="new",
    )
    to_fit = asked({"fitsOn": "a"})

    found = to_fit.solution(here)
    assert to_fit.judge(here, found).is_right
    assert found["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "4"}
    assert [each["key"] for each in found["spec"]["tolerations"]] == ["gpu"]
    # With the selector to be kept there is none.
    with pytest.raises(UnsolvableError):
        asked({"fitsOn": "a"}, keep=("spec.nodeSelector",)).solution(here)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (pod("other"), NotThatObject("Pod/default/other", "Pod/default/new")),
        (None, None),
        ("kind: Pod", None),
    ],
)
def test_another_object_is_no_answer(answer: object, problem: object) -> None:
    here = situation(node("a"), pod("new", cpu="5"), about="new")

    with pytest.raises(UnreadableAnswerError) as raised:
        asked("fits").judge(here, answer)
    assert problem is None or raised.value.problem == problem


def test_an_object_that_is_not_there() -> None:
    with pytest.raises(UnsolvableError) as raised:
        asked("fits", name="Pod/other").check(situation(node("a"), pod("new"), about="new"))
    assert raised.value.problem == NotInSituation("Pod/default/other", ("Node/a", "Pod/default/new"))


@pytest.mark.parametrize(
    ("changed", "path", "problem"),
    [
        ({"object": "Pod"}, "question.manifest.object", NotAnObjectPath),
        ({"object": "Pod/a/b/c"}, "question.manifest.object", NotAnObjectPath),
        ({"goals": []}, "question.manifest.goals", None),
        ({"goals": ["fit"]}, "question.manifest.goals[0]", None),
        ({"goals": ["fits", {"fitsOn": 3}]}, "question.manifest.goals[1].fitsOn", None),
        ({"goals": ["fits", "chosen"]}, "question.manifest.goals[1]", None),
        ({"goals": [{"fits": False}]}, "question.manifest.goals[0].fits", None),
        ({"goals": [{"fits": True, "gated": False}]}, "question.manifest.goals[0]", None),
        ({"goals": [{"skewAtMost": {"value": 1}}]}, "question.manifest.goals[0].skewAtMost.topologyKey", None),
        ({"keep": ["spec..x"]}, "question.manifest.keep[0]", NotAFieldPath),
        ({"solution": ["spec"]}, "question.manifest.solution", None),
        ({"keep": ["spec.x[a]"]}, "question.manifest.keep[0]", NotAFieldPath),
    ],
)
def test_a_question_that_cannot_be_read(changed: dict[str, Any], path: str, problem: type | None) -> None:
    with pytest.raises(QuestionError) as raised:
        question("manifest", **{"object": "Pod/new", "goals": ["fits"], **changed})
    assert raised.value.path == path
    assert problem is None or isinstance(raised.value.problem, problem)


def test_the_lessons_own_solution_is_merged_into_the_object_and_shown() -> None:
    here = situation(node("a"), pod("new", cpu="5", nodeSelector={"disk": "ssd"}), about="new")
    patch = {"spec": {"nodeSelector": None, "containers": [{"name": "main", "image": "i"}]}}
    asked = question("manifest", object="Pod/new", goals=["fits"], solution=patch)

    asked.check(here)
    solved = asked.solution(here)

    assert asked.judge(here, solved).is_right
    assert "nodeSelector" not in solved["spec"]
    # Lists are replaced, as a merge patch does.
    assert solved["spec"]["containers"] == [{"name": "main", "image": "i"}]


@pytest.mark.parametrize("kept", [[], ["spec.nodeSelector"]])
def test_a_solution_that_is_judged_wrong_is_a_fault_of_the_lesson(kept: list[str]) -> None:
    here = situation(node("a"), pod("new", cpu="5", nodeSelector={"disk": "ssd"}), about="new")
    cpu = "1" if kept else "5"
    containers = [{"name": "main", "image": "i", "resources": {"requests": {"cpu": cpu}}}]
    patch = {"spec": {"nodeSelector": None, "containers": containers}}

    with pytest.raises(UnsolvableError) as raised:
        question("manifest", object="Pod/new", goals=["fits"], keep=kept, solution=patch).check(here)
    assert isinstance(raised.value.problem, SolutionIsWrong)
