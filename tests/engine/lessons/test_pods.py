"""Questions about pods: who can be evicted, who goes, in which order."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import QuestionError, UnsolvableError
from clusters.engine.lessons.problems import DrainOrderUnknown, QueueOrderUnknown, UsageUnknown
from clusters.engine.lessons.questions import OrderQuestion
from tests.engine.lessons.clusters import (
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

GI = 1024**3
WEB = {"app": "web"}


def one_of_two_may_go() -> list[Document]:
    pods = [owned(pod(f"web-{name}", name, labels=WEB), "web") for name in "ab"]
    return [node("a"), node("b"), replica_set("web", 2), *pods, pod("free", "a"), budget("web", WEB, minAvailable=1)]


def test_what_the_eviction_api_answers() -> None:
    objects = one_of_two_may_go()
    asked = question("eviction", pod="web-a")

    assert asked.solution(situation(*objects)) == "allowed"
    strict = budget("web", WEB, minAvailable=2)
    assert asked.solution(situation(*objects[:-1], strict)) == "refused"
    two = situation(*objects, budget("other", WEB, minAvailable=0))
    assert asked.solution(two) == "error"
    assert keys(asked, two, "allowed") == ["other-outcome/allowed"]
    assert question("eviction", pod="default/free").solution(two) == "allowed"


def test_pods_that_can_be_evicted_each_by_itself() -> None:
    here = situation(*one_of_two_may_go())

    assert question("pods", which="evictable").solution(here) == ["default/free", "default/web-a", "default/web-b"]
    assert question("pods", which="evictable", on="a").solution(here) == ["default/free", "default/web-a"]


def test_pods_that_a_drain_cannot_evict() -> None:
    here = situation(*one_of_two_may_go())
    asked = question("pods", which="blocked", drain=["a", "b"], force=True)

    assert asked.solution(here) == ["default/web-b"]
    assert keys(asked, here, ["default/web-a"]) == ["missed", "extra"]
    # Nothing controls one of the pods, so that nothing is evicted from its node.
    unforced = question("pods", which="blocked", drain=["a", "b"])
    assert unforced.solution(here) == ["default/free", "default/web-a"]


def test_a_drain_whose_victims_cannot_be_known() -> None:
    pods = [owned(pod(f"web-{number}", "a", labels=WEB), "web") for number in range(2)]
    here = situation(node("a"), replica_set("web", 2), *pods, budget("web", WEB, minAvailable=1))

    with pytest.raises(UnsolvableError) as raised:
        question("pods", which="blocked", drain=["a"]).solution(here)
    assert raised.value.problem == DrainOrderUnknown("a")


def test_pods_that_taints_evict() -> None:
    taint = {"key": "maintenance", "effect": "NoExecute"}
    stays = pod("stays", "a", tolerations=[{"operator": "Exists"}])
    later = pod(
        "later",
        "a",
        tolerations=[{"key": "maintenance", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60}],
    )
    here = situation(node("a", taints=[taint]), node("b"), stays, later, pod("goes", "a"), pod("other", "b"))

    assert question("pods", which="leaving").solution(here) == ["default/goes", "default/later"]
    assert question("pods", which="leaving", on="b").solution(here) == []
    assert question("number", value="stays", pod="later").solution(here) == "60"
    assert question("number", value="stays", pod="goes").solution(here) == "0"
    with pytest.raises(UnsolvableError):
        question("number", value="stays", pod="stays").solution(here)


def preempting() -> list[Document]:
    high, mid = priority_class("high", 1000), priority_class("mid", 10)
    small = {"cpu": "2"}
    return [
        high,
        mid,
        node("a", capacity=small),
        node("b", capacity=small),
        pod("low-1", "a", cpu="1"),
        pod("mid-1", "a", cpu="1", priorityClassName="mid"),
        pod("mid-2", "b", cpu="2", priorityClassName="mid"),
        pod("new", cpu="2", priorityClassName="high"),
    ]


def test_preemption() -> None:
    here = situation(*preempting(), about="new")

    assert question("outcome").solution(here) == "preempts"
    assert question("node").solution(here) is None
    # Its victims' highest priority is as high on both nodes, and their sum is lower on b.
    assert question("node", nominated=True).solution(here) == "b"
    assert keys(question("node", nominated=True), here, "a") == ["rejected/NodeResourcesFit"]
    asked = question("pods", which="victims")
    assert asked.solution(here) == ["default/mid-2"]
    assert keys(asked, here, ["default/low-1"]) == ["missed", "extra"]


def test_the_most_important_victim_comes_first() -> None:
    objects = [each for each in preempting() if each["metadata"]["name"] not in ("b", "mid-2")]
    here = situation(*objects, about="new")
    asked = question("order", of="victims")

    assert asked.solution(here) == ["default/mid-1", "default/low-1"]
    assert keys(asked, here, ["default/low-1", "default/mid-1"]) == ["position"]


def test_victims_of_candidates_that_are_preferred_alike() -> None:
    nodes = [node(name, capacity={"cpu": "2"}) for name in "ab"]
    low = [pod(f"low-{name}", name, cpu="2") for name in "ab"]
    new = pod("new", cpu="2", priorityClassName="high")
    here = situation(priority_class("high", 1000), *nodes, *low, new, about="new")

    assert all(question("node", nominated=True).judge(here, name).is_right for name in "ab")
    assert all(question("pods", which="victims").judge(here, [f"default/low-{name}"]).is_right for name in "ab")
    assert not question("pods", which="victims").judge(here, ["default/low-a", "default/low-b"]).is_right
    assert all(question("order", of="victims").judge(here, [f"default/low-{name}"]).is_right for name in "ab")
    assert OrderQuestion("victims").places(here) == {"default/low-a": {0}, "default/low-b": {0}}


def using() -> list[Document]:
    """A pod over its request of higher priority, two of lower one, and one within its request that has the lowest."""
    return [
        priority_class("high", 100),
        priority_class("low", -10),
        node("a"),
        pod("over-high", "a", memory="1Gi", priorityClassName="high"),
        pod("over", "a", memory="1Gi"),
        pod("nothing", "a"),
        pod("within", "a", memory="3Gi", priorityClassName="low"),
    ]


def test_the_order_under_memory_pressure() -> None:
    usage = {
        "default/over-high": 2 * GI,
        "default/over": 2 * GI,
        "default/nothing": GI + GI // 2,
        "default/within": 2 * GI,
    }
    here = situation(*using(), usage=usage)
    asked = question("order", of="pressure", on="a")

    right = ["default/nothing", "default/over", "default/over-high", "default/within"]
    assert asked.solution(here) == right
    assert asked.judge(here, right).is_right
    (wrong,) = mistakes(asked, here, [*right[:2], right[3], right[2]])
    assert (wrong.keys, wrong.subject, wrong.expected) == (("position",), "default/within", "default/over-high")
    assert keys(asked, here, right[1:]) == ["missed"]


def test_equals_may_stand_either_way() -> None:
    usage = {"default/x": GI, "default/y": GI}
    here = situation(node("a"), pod("x", "a"), pod("y", "a"), usage=usage)
    asked = question("order", of="pressure", on="a")

    assert asked.judge(here, ["default/y", "default/x"]).is_right
    assert asked.judge(here, ["default/x", "default/y"]).is_right


def test_an_order_without_usage_is_not_certain() -> None:
    with pytest.raises(UnsolvableError) as raised:
        question("order", of="pressure", on="a").solution(situation(*using()))
    assert isinstance(raised.value.problem, UsageUnknown)


def test_the_search_goes_through_the_zones_in_turn() -> None:
    zones = [("n1", "z1"), ("n2", "z1"), ("n3", "z1"), ("n4", "z2")]
    here = situation(*(node(name, zone=zone) for name, zone in zones))

    assert question("order", of="search").solution(here) == ["n1", "n4", "n2", "n3"]


def created(document: Document, minute: int) -> Document:
    return {**document, "metadata": {**document["metadata"], "creationTimestamp": f"2026-01-01T00:{minute:02}:00Z"}}


def test_the_queue() -> None:
    gate = [{"name": "example.com/wait"}]
    pods = [
        created(pod("first"), 1),
        created(pod("second"), 2),
        created(pod("urgent", priorityClassName="high"), 3),
        created(pod("held", schedulingGates=gate), 0),
        created(pod("foreign", schedulerName="another"), 0),
    ]
    asked = question("order", of="queue")

    here = situation(node("a"), priority_class("high", 5), *pods, about="second")
    assert asked.solution(here) == ["default/urgent", "default/first", "default/second"]
    with pytest.raises(UnsolvableError) as raised:
        asked.solution(situation(node("a"), *pods[:2], pod("third")))
    assert isinstance(raised.value.problem, QueueOrderUnknown)


def test_the_ranking_has_ties() -> None:
    here = situation(node("a"), node("b"), node("c", capacity={"cpu": "2"}), pod("web", cpu="1"), about="web")
    asked = question("order", of="ranking")

    assert asked.solution(here) == ["a", "b", "c"]
    assert asked.judge(here, ["b", "a", "c"]).is_right
    assert OrderQuestion("ranking").places(here) == {"a": {0, 1}, "b": {0, 1}, "c": {2}}
    assert keys(asked, here, ["c", "a", "b"]) == ["position"]


@pytest.mark.parametrize(
    ("kind", "arguments", "path"),
    [
        ("pods", {"which": "all"}, "question.pods.which"),
        ("pods", {"which": "victims", "on": "a"}, "question.pods"),
        ("pods", {"which": "blocked"}, "question.pods.drain"),
        ("pods", {"which": "blocked", "drain": ["a"], "force": "yes"}, "question.pods.force"),
        ("pods", {"which": "oomKilledFirst"}, "question.pods.on"),
        ("order", {"of": "pressure"}, "question.order.on"),
        ("order", {"of": "queue", "on": "a"}, "question.order"),
        ("nodes", {"which": {"rejectedBy": "NodeFit"}}, "question.nodes.which.rejectedBy"),
        ("nodes", {"which": {"by": "NodeName"}}, "question.nodes.which"),
        ("nodes", {}, "question.nodes.which"),
        ("node", {"nominated": 1}, "question.node.nominated"),
        ("node", {"of": "x"}, "question.node"),
        ("eviction", {}, "question.eviction.pod"),
        ("number", {"value": "score", "node": "a"}, "question.number.plugin"),
        ("number", {"value": "score", "node": "a", "plugin": "Fit"}, "question.number.plugin"),
        ("number", {"value": "feasible", "node": "a"}, "question.number"),
        ("number", {"value": "most"}, "question.number.value"),
        ("number", {"value": "feasible", "tolerance": "much"}, "question.number.tolerance"),
        ("number", {"value": "nodesToFind", "nodes": 0}, "question.number.nodes"),
        ("riddle", {}, "question"),
    ],
)
def test_a_question_that_cannot_be_read_names_its_field(kind: str, arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(QuestionError) as raised:
        question(kind, **arguments)
    assert raised.value.path == path
