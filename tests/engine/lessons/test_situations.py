"""Situations are filled in as the components of a cluster would report them, and refused where they cannot be."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from clusters.engine.lessons import (
    AnswerIsUncertain,
    ObjectName,
    PodHasNode,
    Question,
    QuestionError,
    Situation,
    SituationError,
    SituationParts,
    UnreadableAnswerError,
    UnsolvableError,
    build_situation,
)
from clusters.engine.lessons.problems import (
    BudgetNotComputed,
    DrainOrderUnknown,
    GoalsMet,
    NoKnownEdit,
    OnePluginOffered,
    PodIsHeldBack,
    PodIsRefused,
    QueueOrderUnknown,
    SolutionIsWrong,
    UsageUnknown,
)
from clusters.engine.lessons.questions import NodesQuestion, OrderQuestion
from clusters.engine.problems import InvalidValue, MustBe, NoSuchObject, NotAnObject, NotOneOf, no_such_name
from clusters.engine.versions import NEWEST, RELEASES
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
from tests.engine.strategies import nodes, pods
from tests.support.answers import error_of


def kind_of(here: Any, kind: str) -> list[Document]:
    return [each for each in here.objects if each["kind"] == kind]


def taints_of(here: Any, name: str) -> set[str]:
    return set(map(str, here.snapshot.nodes.nodes[here.snapshot.nodes.index[name]].taints))


def condition(kind: str, status: str) -> dict[str, str]:
    return {"type": kind, "status": status}


@pytest.mark.parametrize(
    ("spec", "taints"),
    [
        ({"conditions": [condition("MemoryPressure", "True")]}, {"node.kubernetes.io/memory-pressure:NoSchedule"}),
        ({"conditions": [condition("DiskPressure", "True")]}, {"node.kubernetes.io/disk-pressure:NoSchedule"}),
        ({"conditions": [condition("PIDPressure", "True")]}, {"node.kubernetes.io/pid-pressure:NoSchedule"}),
        ({"conditions": [condition("PIDPressure", "False")]}, set()),
        (
            {"conditions": [condition("NetworkUnavailable", "True")]},
            {"node.kubernetes.io/network-unavailable:NoSchedule"},
        ),
        ({"unschedulable": True}, {"node.kubernetes.io/unschedulable:NoSchedule"}),
        (
            {"conditions": [condition("Ready", "False")]},
            {"node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute"},
        ),
        (
            {"conditions": [condition("Ready", "Unknown")]},
            {"node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute"},
        ),
    ],
)
def test_nodes_are_tainted_by_their_conditions(spec: dict[str, Any], taints: set[str]) -> None:
    assert taints_of(situation(node("a", **spec), node("b")), "a") == taints


def test_budgets_get_their_status() -> None:
    labels = {"app": "web"}
    pods = [pod(f"web-{number}", "a", labels=labels) for number in range(3)]
    unready = {**pods[0], "status": {"phase": "Running", "conditions": [condition("Ready", "False")]}}
    written = {**budget("written", {"app": "none"}, minAvailable=1), "status": {"disruptionsAllowed": 9}}
    found = kind_of(
        situation(node("a"), unready, *pods[1:], budget("web", labels, minAvailable=1), written), "PodDisruptionBudget"
    )

    assert found[0]["status"] == {
        "observedGeneration": 0,
        "disruptionsAllowed": 1,
        "currentHealthy": 2,
        "desiredHealthy": 1,
        "expectedPods": 3,
    }
    assert found[1]["status"] == {"disruptionsAllowed": 9}


def failing(*objects: Document, **parts: Any) -> SituationError:
    return error_of(SituationError, build_situation, SituationParts(objects, **parts))


def test_situations_that_cannot_be() -> None:
    old, new = pod("old", "a"), pod("new")
    assert failing(node("a"), pod="default/new").problem == NoSuchObject("Pod", "default/new")
    placed = failing(node("a"), old, pod="default/old")
    assert (placed.problem, placed.field) == (PodHasNode("default/old", "a"), "spec.nodeName")
    lost = failing(node("b"), old)
    assert lost.problem == NoSuchObject("Node", "a", ("b",), 1)
    assert lost.subject == ObjectName("Pod", "default", "old")
    refused = failing(node("a"), pod("old", "a", priorityClassName="none"), new, pod="default/new")
    assert isinstance(refused.problem, PodIsRefused)
    assert refused.field == "spec.priorityClassName"
    assert failing(node("a"), kubernetes="1.2").problem == NotOneOf("'1.2'", tuple(RELEASES), "")


@pytest.mark.parametrize(
    "objects", [(node("a", capacity={"cpu": "many"}),), (node("a"), pod("old", "a", cpu="1e")), (pod("new", cpu="x"),)]
)
def test_amounts_that_are_none(objects: tuple[Document, ...]) -> None:
    failing(*objects)


def test_a_configuration_that_no_scheduler_starts_with() -> None:
    error = failing(node("a"), configuration={"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "X"})

    assert error.field == "kind"


def test_a_configuration_that_no_kubelet_starts_with() -> None:
    error = failing(
        node("a"),
        kubelet={
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "evictionHard": {"memory": "1Gi"},
        },
    )

    assert (error.subject, error.field) == (ObjectName("KubeletConfiguration", "", ""), "evictionHard.memory")


def test_a_request_is_known_whoever_schedules_the_pod() -> None:
    here = situation(node("a"), pod("new", cpu="1", schedulerName="another"), about="new")

    assert question("number", value="request", resource="cpu").solution(here) == "1"
    with pytest.raises(UnsolvableError):
        question("outcome").solution(here)


def test_a_budget_whose_controller_is_not_there() -> None:
    labels = {"app": "web"}
    web = owned(pod("web", "a", labels=labels), "web")
    error = failing(node("a"), web, budget("web", labels, minAvailable="50%"))

    assert error.problem == BudgetNotComputed("default/web", "ReplicaSet web")


def test_the_newest_scheduler_decides_unless_another_is_named() -> None:
    assert situation(node("a")).release is NEWEST
    assert situation(node("a"), kubernetes="1.34").release.first_version == "1.34.0"
    assert situation(node("a"), kubernetes="1.34.9").release.first_version == "1.34.2"


def test_what_nobody_computes_leaves_no_answer() -> None:
    foreign = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"filter": {"enabled": [{"name": "Lottery"}]}}}],
    }
    here = situation(node("a"), pod("new"), about="new", configuration=foreign)

    for kind, arguments in {"node": {}, "rejections": {}, "outcome": {}, "nodes": {"which": "best"}}.items():
        assert error_of(UnsolvableError, question(kind, **arguments).solution, here).problem == AnswerIsUncertain(
            "default/new", ("foreign-plugin",)
        )


def test_a_pod_that_is_not_tried_is_on_no_node() -> None:
    gated = situation(node("a"), pod("new", schedulingGates=[{"name": "a/b"}]), about="new")
    refused = situation(node("a"), pod("new", priorityClassName="none"), about="new")

    for here, kind in ((gated, PodIsHeldBack), (refused, PodIsRefused)):
        assert isinstance(error_of(UnsolvableError, question("nodes", which="feasible").solution, here).problem, kind)


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
        (["ImageLocality"], NotOneOf("ImageLocality", tuple(here.attempt().profile.filter))),
    ):
        assert error_of(UnsolvableError, question("rejections", offers=offers).check, here).problem == problem


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


GI = 1024**3
WEB = {"app": "web"}


def one_of_two_may_go() -> list[Document]:
    pods = [owned(pod(f"web-{name}", name, labels=WEB), "web") for name in "ab"]
    return [node("a"), node("b"), replica_set("web", 2), *pods, pod("free", "a"), budget("web", WEB, minAvailable=1)]


def test_what_the_eviction_api_answers() -> None:
    objects = one_of_two_may_go()
    asked = question("eviction", pod="web-a")

    assert asked.solution(situation(*objects)) == "allowed"
    assert asked.solution(situation(*objects[:-1], budget("web", WEB, minAvailable=2))) == "refused"
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

    assert error_of(
        UnsolvableError, question("pods", which="blocked", drain=["a"]).solution, here
    ).problem == DrainOrderUnknown("a")


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


def test_the_most_important_victim_comes_first() -> None:
    here = situation(*[each for each in preempting() if each["metadata"]["name"] not in ("b", "mid-2")], about="new")
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


def test_equals_may_stand_either_way() -> None:
    here = situation(node("a"), pod("x", "a"), pod("y", "a"), usage={"default/x": GI, "default/y": GI})
    asked = question("order", of="pressure", on="a")

    assert asked.judge(here, ["default/y", "default/x"]).is_right
    assert asked.judge(here, ["default/x", "default/y"]).is_right


def test_an_order_without_usage_is_not_certain() -> None:
    raised = error_of(UnsolvableError, question("order", of="pressure", on="a").solution, situation(*using()))
    assert isinstance(raised.problem, UsageUnknown)


def test_the_search_goes_through_the_zones_in_turn() -> None:
    zones = [("n1", "z1"), ("n2", "z1"), ("n3", "z1"), ("n4", "z2")]
    here = situation(*(node(name, zone=zone) for name, zone in zones))

    assert question("order", of="search").solution(here) == ["n1", "n4", "n2", "n3"]


def created(document: Document, minute: int) -> Document:
    return {**document, "metadata": {**document["metadata"], "creationTimestamp": f"2026-01-01T00:{minute:02}:00Z"}}


def test_the_queue() -> None:
    pods = [
        created(pod("first"), 1),
        created(pod("second"), 2),
        created(pod("urgent", priorityClassName="high"), 3),
        created(pod("held", schedulingGates=[{"name": "example.com/wait"}]), 0),
        created(pod("foreign", schedulerName="another"), 0),
    ]
    asked = question("order", of="queue")

    here = situation(node("a"), priority_class("high", 5), *pods, about="second")
    assert asked.solution(here) == ["default/urgent", "default/first", "default/second"]
    assert isinstance(
        error_of(UnsolvableError, asked.solution, situation(node("a"), *pods[:2], pod("third"))).problem,
        QueueOrderUnknown,
    )


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
        ("rejections", {"offers": ["NodeName", "TaintsToleration"]}, "question.rejections.offers[1]"),
        ("riddle", {}, "question"),
    ],
)
def test_a_question_that_cannot_be_read_names_its_field(kind: str, arguments: dict[str, Any], path: str) -> None:
    assert error_of(QuestionError, question, kind, **arguments).path == path


SPREAD = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}


def asked(*goals: object, name: str = "Pod/new", keep: tuple[str, ...] = ()) -> Question:
    return question("manifest", object=name, goals=list(goals), keep=list(keep))


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
    assert isinstance(mistake.problem, NoSuchObject)
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
    raised = error_of(
        UnsolvableError, goal_question.check, situation(*on_labelled_nodes(), pod("new", **right), about="new")
    )
    assert raised.problem == GoalsMet()


def test_copies_that_spread() -> None:
    plain = pod("new", labels=WEB, cpu="1")
    spread = pod(
        "new", labels=WEB, cpu="1", topologySpreadConstraints=[{**SPREAD, "labelSelector": {"matchLabels": WEB}}]
    )
    here = situation(*[node("a", zone="z1"), node("b", zone="z2", capacity={"cpu": "2"})], plain, about="new")
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
    assert error_of(UnsolvableError, to_evict.solution, here).problem == NoKnownEdit()


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


def test_what_a_node_asks_of_the_pod_is_changed_together() -> None:
    here = situation(
        node("a", taints=[{"key": "gpu", "value": "yes", "effect": "NoSchedule"}], labels={"disk": "hdd"}),
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
        (pod("other"), MustBe("Pod/default/other", "Pod/default/new")),
        (None, NotAnObject("None")),
        ("kind: Pod", NotAnObject("'kind: Pod'")),
    ],
)
def test_another_object_is_no_answer(answer: object, problem: object) -> None:
    here = situation(node("a"), pod("new", cpu="5"), about="new")

    assert error_of(UnreadableAnswerError, asked("fits").judge, here, answer).problem == problem


def test_an_object_that_is_not_there() -> None:
    raised = error_of(
        UnsolvableError, asked("fits", name="Pod/other").check, situation(node("a"), pod("new"), about="new")
    )
    assert raised.problem == no_such_name("Pod/default/other", ("Node/a", "Pod/default/new"))


@pytest.mark.parametrize(
    ("changed", "path", "problem"),
    [
        ({"object": "Pod"}, "question.manifest.object", InvalidValue),
        ({"object": "Pod/a/b/c"}, "question.manifest.object", InvalidValue),
        ({"goals": []}, "question.manifest.goals", None),
        ({"goals": ["fit"]}, "question.manifest.goals[0]", None),
        ({"goals": ["fits", {"fitsOn": 3}]}, "question.manifest.goals[1].fitsOn", None),
        ({"goals": ["fits", "chosen"]}, "question.manifest.goals[1]", None),
        ({"goals": [{"fits": False}]}, "question.manifest.goals[0].fits", None),
        ({"goals": [{"fits": True, "gated": False}]}, "question.manifest.goals[0]", None),
        ({"goals": [{"skewAtMost": {"value": 1}}]}, "question.manifest.goals[0].skewAtMost.topologyKey", None),
        ({"keep": ["spec..x"]}, "question.manifest.keep[0]", InvalidValue),
        ({"solution": ["spec"]}, "question.manifest.solution", None),
        ({"keep": ["spec.x[a]"]}, "question.manifest.keep[0]", InvalidValue),
    ],
)
def test_a_question_that_cannot_be_read(changed: dict[str, Any], path: str, problem: type | None) -> None:
    raised = error_of(QuestionError, question, "manifest", **{"object": "Pod/new", "goals": ["fits"], **changed})
    assert raised.path == path
    assert problem is None or isinstance(raised.problem, problem)


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

    raised = error_of(
        UnsolvableError, question("manifest", object="Pod/new", goals=["fits"], keep=kept, solution=patch).check, here
    )
    assert isinstance(raised.problem, SolutionIsWrong)


COMMON = settings(max_examples=12, deadline=None)
ASKED = (
    question("node"),
    question("node", nominated=True),
    question("nodes", which="feasible"),
    question("nodes", which="rejected"),
    question("nodes", which="best"),
    question("nodes", which={"rejectedBy": "NodeResourcesFit"}),
    question("rejections"),
    question("outcome"),
    question("pods", which="evictable"),
    question("pods", which="victims"),
    question("pods", which="leaving"),
    question("order", of="ranking"),
    question("order", of="search"),
    question("order", of="queue"),
    question("order", of="victims"),
    question("number", value="feasible"),
)


def acceptable(document: dict[str, Any]) -> dict[str, Any]:
    """The object as an API server takes it: a pod's priority is that of its class, and no constraint stands twice."""
    if document["kind"] != "Pod":
        return document
    spec = {**document["spec"], "priorityClassName": f"priority-{document['spec']['priority']}"}
    spread = spec.get("topologySpreadConstraints", ())[:1]
    return {**document, "spec": {**spec, "topologySpreadConstraints": list(spread)}}


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A small random cluster with an incoming pod, as long as the API server takes its pods."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    drawn = (
        *draw(st.lists(nodes(), min_size=1, max_size=5)),
        *draw(st.lists(pods(placed=True), max_size=8)),
        draw(pods(placed=False)),
    )
    for each in drawn:
        found[each["kind"], each["metadata"]["name"]] = acceptable(each)
    names = {name for kind, name in found if kind == "Node"}
    classes = [priority_class(f"priority-{value}", value) for value in (0, 10, 100)]
    kept = [each for each in found.values() if each["spec"].get("nodeName") in (*names, None)]
    try:
        return build_situation(SituationParts((*classes, *kept), "shop/incoming"))
    except SituationError:
        assume(condition=False)
        raise


def solved(asked: Question, here: Situation) -> Any:
    """The engine's answer, of a situation that has one."""
    try:
        return asked.solution(here)
    except UnsolvableError:
        assume(condition=False)
        raise


@settings(max_examples=25, deadline=None)
@given(here=situations())
def test_the_solution_is_right_and_judging_changes_nothing(here: Situation) -> None:
    before = here.snapshot.content()

    for asked in ASKED:
        try:
            right = asked.solution(here)
        except UnsolvableError:
            continue
        asked.check(here)
        assert asked.judge(here, right).is_right
        assert asked.solution(here) == right
    assert here.snapshot.content() == before


@COMMON
@given(here=situations())
def test_exactly_the_nodes_that_may_be_taken_are_right(here: Situation) -> None:
    asked = question("node")
    right = solved(asked, here)
    choices = here.explanation.choices if right is not None else []

    for name in here.node_names:
        judged = asked.judge(here, name)
        assert judged.is_right == (name in choices)
        assert judged.is_right or len(judged.mistakes) == 1
    assert asked.judge(here, None).is_right == (right is None)


@COMMON
@given(here=situations())
def test_any_other_set_of_nodes_is_wrong(here: Situation) -> None:
    for asked in ASKED:
        if not isinstance(asked, NodesQuestion):
            continue
        right = set(solved(asked, here))
        for size in range(len(here.node_names) + 1):
            for given_nodes in combinations(here.node_names, size):
                judged = asked.judge(here, list(given_nodes))
                assert judged.is_right == (set(given_nodes) == right)
                assert {mistake.subject for mistake in judged.mistakes} == right ^ set(given_nodes)


@COMMON
@given(here=situations(), data=st.data())
def test_a_wrong_plugin_is_found_where_it_is_named(here: Situation, data: st.DataObject) -> None:
    asked = question("rejections")
    right = solved(asked, here)
    node = data.draw(st.sampled_from(here.node_names))
    other = data.draw(st.sampled_from([None, "NodeName", "TaintToleration", "NodeResourcesFit", "NodePorts"]))

    judged = asked.judge(here, {**right, node: other})
    assert judged.is_right == (other == right[node])
    assert judged.is_right or [mistake.subject for mistake in judged.mistakes] == [node]


@COMMON
@given(here=situations(), data=st.data())
def test_an_order_is_right_where_nothing_stands_before_what_precedes_it(here: Situation, data: st.DataObject) -> None:
    asked = OrderQuestion("ranking")
    given_nodes = data.draw(st.permutations(solved(asked, here)))
    totals = [here.explanation.total_of(here.snapshot.nodes.index[node]) or 0 for node in given_nodes]

    places = asked.places(here)
    is_right = all(place in places[node] for place, node in enumerate(given_nodes))
    assert asked.judge(here, given_nodes).is_right == is_right == (totals == sorted(totals, reverse=True))


@COMMON
@given(here=situations(), by=st.integers(-3, 3))
def test_any_other_number_is_wrong(here: Situation, by: int) -> None:
    feasible = solved(question("nodes", which="feasible"), here)
    asked = question("number", value="total", node=feasible[0]) if feasible else question("number", value="feasible")

    judged = asked.judge(here, int(solved(asked, here)) + by)
    assert judged.is_right == (by == 0)
    assert [mistake.kind for mistake in judged.mistakes] == ["too-small"] * (by < 0) + ["too-large"] * (by > 0)


@COMMON
@given(here=situations(), request=st.sampled_from(["100m", "1", "9"]))
def test_a_changed_manifest_is_judged_in_a_situation_of_its_own(here: Situation, request: str) -> None:
    before = here.snapshot.content()
    changed = {**here.parts.objects[-1]}
    assume(changed["metadata"]["name"] == "incoming")
    container = {"name": "c", "image": "app:1", "resources": {"requests": {"cpu": request}}}
    changed["spec"] = {**changed["spec"], "containers": [container]}

    judged = question("manifest", object="Pod/shop/incoming", goals=["fits"]).judge(here, changed)
    rebuilt = here.with_object(changed)
    try:
        fits = question("outcome").solution(rebuilt) == "scheduled"
    except UnsolvableError:
        fits = False
    assert judged.is_right == fits
    assert here.snapshot.content() == before
