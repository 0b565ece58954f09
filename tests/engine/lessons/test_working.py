"""The arithmetic of numbers: it has the cluster's own numbers, and comes to exactly what the engine answers."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine.lessons import (
    QUESTIONS,
    Operand,
    PluginScoreValue,
    QuestionError,
    Sign,
    Situation,
    SituationParts,
    UnreadableAnswerError,
    UnsolvableError,
    build_situation,
    read_question,
)
from clusters.engine.lessons.lesson import GOALS
from clusters.engine.lessons.problems import (
    CapacityUnknown,
    NodeDoesNotFit,
    PodHasNoNode,
)
from clusters.engine.lessons.values import VALUES, outcome
from clusters.engine.problems import InvalidValue, NoSuchName, NotOneOf, no_such_name
from clusters.services.lessons.library import built_in_lessons
from tests.engine.lessons.clusters import (
    ZONE,
    Document,
    budget,
    keys,
    node,
    owned,
    pod,
    priority_class,
    question,
    replica_set,
    situation,
)
from tests.support.answers import error_of

WEB = {"app": "web"}
ASKED = [
    (name, step.name)
    for name, lesson in built_in_lessons().items()
    for step in lesson.steps
    if step.question.kind == "number"
]


def told(here: Situation, value: str, **arguments: Any) -> list[tuple[str, str, Any]]:
    """The arithmetic of a number that comes to it."""
    asked: Any = question("number", value=value, **arguments)
    steps = asked.working(here)
    assert steps
    assert_rounded(steps)
    return [(str(step.sign), str(step.kind), step.number) for step in steps]


def assert_rounded(steps: tuple[Operand, ...]) -> None:
    """What is said to be rounded differs by less than 1, or than a float of 32 bits does."""
    for number, step in enumerate(steps):
        if step.sign is Sign.ROUNDED:
            exact = outcome(steps[:number])
            assert abs(exact - step.number) < 1 + exact / 2**22


@pytest.mark.parametrize(("lesson", "step"), ASKED)
def test_every_number_of_the_lessons_has_its_arithmetic(lesson: str, step: str) -> None:
    found = next(each for each in built_in_lessons()[lesson].steps if each.name == step)
    asked: Any = found.question
    steps = asked.working(build_situation(found.situation))

    assert bool(steps) != isinstance(asked.value, PluginScoreValue)
    assert_rounded(steps)


def test_every_value_says_how_it_comes_about() -> None:
    bound = budget("web", WEB, maxUnavailable="30%")
    spread = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": "default"},
        "spec": {"hard": {"requests.cpu": "8", "pods": "9"}},
    }
    taint = {"key": "gone", "effect": "NoExecute"}
    new = pod(
        "new",
        cpu="500m",
        memory="256Mi",
        labels=WEB,
        limits={"cpu": "1", "memory": "1Gi"},
        topologySpreadConstraints=[{**spread, "labelSelector": {"matchLabels": WEB}}],
    )
    webs = [owned(pod(f"web-{name}", name, labels=WEB, cpu="1", memory="1Gi"), "web") for name in "ab"]
    gone = pod("gone", "d", cpu="1", memory="1Gi")
    nodes = [node("a", zone="z1"), node("b", zone="z1"), node("c", zone="z2"), node("d", zone="z2", taints=[taint])]
    here = situation(*nodes, *webs, gone, replica_set("web", 2), bound, quota, new, about="new")
    arguments: dict[str, Any] = {
        "node": "c",
        "resource": "cpu",
        "quota": "team",
        "budget": "web",
        "nodes": 1010,
        "topologyKey": ZONE,
        "domain": "z1",
        "zone": "z1",
        "pod": "gone",
        "signal": "memory.available",
        "plugin": "NodeResourcesFit",
    }

    for name, kind in VALUES.items():
        if name in ("score", "rawScore", "weightedScore", "binPacking"):
            continue
        given = {key: arguments[key] for key in kind.arguments}
        given |= {"resource": "requests.cpu"} if "quota" in given else {}
        given |= {"node": "a"} if name in ("requested", "free") else {}
        assert told(here, name, **given)

    assert told(here, "free", node="a", resource="cpu") == [("+", "allocatable", 4), ("−", "requested", 1)]
    assert told(here, "requested", node="a", resource="pods") == [("+", "pods-on", 1)]
    assert told(here, "quotaUsed", quota="team", resource="requests.cpu") == [("+", "pod", 1)] * 3
    assert told(here, "skew", topologyKey=ZONE, domain="z1") == [
        ("+", "matching", 2),
        ("+", "itself", 1),
        ("−", "minimum", 0),
    ]
    assert told(here, "matching", topologyKey=ZONE, domain="z1") == [("+", "node", 1)] * 2
    assert told(here, "healthyPodsRequired", budget="web") == [("+", "expected", 2), ("−", "max-unavailable-share", 1)]
    assert told(here, "nodesToFind", nodes=1010) == [
        ("+", "nodes", 1010),
        ("×", "percentage", 42),
        ("≈", "rounded", 424),
    ]
    assert told(here, "percentageOfNodes", nodes=9000)[-1] == ("≥", "least", 5)
    assert told(here, "feasible") == [
        ("+", "nodes", 4),
        ("−", "rejected-by", 2),
        ("−", "rejected-by", 1),
    ]
    total = told(here, "total", node="c")
    assert {step[1] for step in total} == {"plugin"}
    assert len(total) == len(here.explanation.scores)


def container(name: str, cpu: str, **more: Any) -> dict[str, Any]:
    """A container that requests CPU."""
    return {"name": name, "image": "registry.example/app:1", "resources": {"requests": {"cpu": cpu}}, **more}


def test_init_containers_sidecars_and_overhead() -> None:
    new = pod("new")
    runtime = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "vm"},
        "handler": "vm",
        "overhead": {"podFixed": {"cpu": "250m"}},
    }
    new["spec"] = {
        "runtimeClassName": "vm",
        "containers": [container("a", "100m"), container("b", "200m")],
        "initContainers": [
            container("first", "50m"),
            container("proxy", "300m", restartPolicy="Always"),
            container("second", "1"),
        ],
    }

    assert told(situation(node("n"), runtime, new, about="new"), "request", resource="cpu") == [
        ("+", "container", Fraction("0.1")),
        ("+", "container", Fraction("0.2")),
        ("+", "container", Fraction("0.3")),
        ("≥", "init-container", Fraction("0.05")),
        ("≥", "init-beside-sidecars", Fraction("1.3")),
        ("+", "overhead", Fraction("0.25")),
    ]


def test_requests_of_a_pod_as_a_whole() -> None:
    new = pod("new", cpu="100m", resources={"requests": {"cpu": "2"}})

    assert told(situation(node("n"), new, about="new"), "request", resource="cpu") == [("+", "pod-level", 2)]


def test_many_pods_are_one_number() -> None:
    pods = [pod(f"p{number:02}", "n", cpu="100m") for number in range(12)]
    steps = told(situation(node("n"), *pods), "requested", node="n", resource="cpu")

    assert steps == [("+", "pod", Fraction("0.1"))] * 8 + [("+", "others", Fraction("0.4"))]


@pytest.mark.parametrize(
    ("memory", "limit", "steps"),
    [
        ("1Gi", "", [("+", "start", 1000), ("−", "memory-share", 125)]),
        ("1Mi", "", [("+", "start", 1000), ("−", "memory-share", 0), ("≤", "most", 999)]),
        ("8190Mi", "", [("+", "start", 1000), ("−", "memory-share", 999), ("≥", "least", 3)]),
        ("1Gi", "1Gi", [("+", "guaranteed", -997)]),
        ("", "", [("+", "best-effort", 1000)]),
    ],
)
def test_the_score_by_which_the_kernel_kills(memory: str, limit: str, steps: list[tuple[str, str, Any]]) -> None:
    requests = {**({"cpu": "1"} if limit else {}), **({"memory": memory} if memory else {})}
    limits = {"cpu": "1", "memory": limit} if limit else None

    assert told(situation(node("n"), pod("p", "n", limits=limits, requests=requests)), "oomScore", pod="p") == steps


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


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_keys_of_a_question_begin_with_its_kinds_of_mistakes(kind: str) -> None:
    asked = question(kind, **EXAMPLES[kind])
    assert asked.kind == kind
    assert {key.partition("/")[0] for key in asked.keys} == set(map(str, asked.mistakes))


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
COMMON = settings(max_examples=60, deadline=None)
NUMBERS_ASKED = (
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

    for asked in NUMBERS_ASKED:
        with contextlib.suppress(UnreadableAnswerError):
            judged = asked.judge(here, answer)
            assert judged.is_right == (not judged.mistakes)
            assert {mistake.kind for mistake in judged.mistakes} <= asked.mistakes
            assert all(mistake.keys[0] in asked.keys for mistake in judged.mistakes)


def quota(**hard: str) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": "default"},
        "spec": {"hard": hard},
    }


@pytest.fixture(scope="module")
def here() -> Situation:
    spread = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    new = pod(
        "new",
        cpu="500m",
        memory="256Mi",
        labels=WEB,
        limits={"cpu": "1", "memory": "1Gi"},
        topologySpreadConstraints=[{**spread, "labelSelector": {"matchLabels": WEB}}],
    )
    webs = [owned(pod(f"web-{name}", name, labels=WEB, cpu="1", memory="1Gi"), "web") for name in "ab"]
    bound = budget("web", WEB, minAvailable="50%")
    nodes = [node(name, zone=zone) for name, zone in {"a": "z1", "b": "z1", "c": "z2"}.items()]
    hard = {"requests.cpu": "4", "pods": "5"}
    return situation(*nodes, *webs, replica_set("web", 2), bound, quota(**hard), new, about="new")


@pytest.mark.parametrize(
    ("value", "arguments", "answer"),
    [
        ("request", {"resource": "cpu"}, "500m"),
        ("request", {"resource": "memory", "pod": "web-a"}, "1Gi"),
        ("request", {"resource": "example.com/none"}, "0"),
        ("limit", {"resource": "memory"}, "1Gi"),
        ("limit", {"resource": "memory", "pod": "web-a"}, "0"),
        ("allocatable", {"node": "a", "resource": "cpu"}, "4"),
        ("requested", {"node": "a", "resource": "memory"}, "1Gi"),
        ("free", {"node": "a", "resource": "memory"}, "7Gi"),
        ("free", {"node": "a", "resource": "pods"}, "109"),
        ("quotaUsed", {"quota": "team", "resource": "requests.cpu"}, "2"),
        ("quotaLeft", {"quota": "team", "resource": "requests.cpu"}, "2"),
        ("quotaLeft", {"quota": "team", "resource": "pods"}, "3"),
        ("feasible", {}, "1"),
        ("matching", {"topologyKey": ZONE, "domain": "z1"}, "2"),
        ("skew", {"topologyKey": ZONE, "domain": "z1"}, "3"),
        ("skew", {"topologyKey": ZONE, "domain": "z2"}, "1"),
        ("allowedDisruptions", {"budget": "web"}, "1"),
        ("healthyPodsRequired", {"budget": "web"}, "1"),
        ("priority", {}, "0"),
        ("nodesToFind", {"nodes": 1000}, "420"),
        ("percentageOfNodes", {"nodes": 1000}, "42"),
        ("evictionRate", {"zone": "z1"}, "0.1"),
        # Free: 500 of 4 000 milli-CPU and 256 MiB of 8 GiB would be requested.
        ("score", {"node": "c", "plugin": "NodeResourcesFit"}, "91"),
        # Three copies come into z2 beside the two pods of z1 and one more there; the quota's five pods are the end.
        ("replicasThatFit", {}, "3"),
    ],
)
def test_a_number(here: Situation, value: str, arguments: dict[str, Any], answer: str) -> None:
    asked = question("number", value=value, **arguments)

    assert asked.solution(here) == answer
    assert asked.judge(here, answer).is_right
    assert keys(asked, here, "-1") == ["too-small"]
    assert keys(asked, here, "1000000000000") == ["too-large"]


@pytest.mark.parametrize(
    ("value", "arguments", "answer", "suffix"),
    [
        ("request", {"resource": "cpu"}, "500Mi", "'Mi'"),
        ("request", {"resource": "memory"}, "1GB", "'GB'"),
        ("request", {"resource": "memory"}, "1m", "'m'"),
        ("feasible", {}, "1m", "'m'"),
        ("feasible", {}, "3 CPU", "'CPU'"),
    ],
)
def test_a_suffix_of_another_unit_is_named_and_not_judged(
    here: Situation, value: str, arguments: dict[str, Any], answer: str, suffix: str
) -> None:
    raised = error_of(UnreadableAnswerError, question("number", value=value, **arguments).judge, here, answer)
    assert isinstance(raised.problem, InvalidValue)
    assert raised.problem.found == suffix


def test_scores_lead_to_the_total(here: Situation) -> None:
    def number(value: str, **arguments: str) -> int:
        return int(question("number", value=value, node="c", **arguments).solution(here))

    scoring = [score.plugin for score in here.explanation.scores]
    assert number("total") == sum(number("weightedScore", plugin=plugin) for plugin in scoring)
    assert "PodTopologySpread" not in scoring
    assert number("weightedScore", plugin="TaintToleration") == 3 * number("score", plugin="TaintToleration")
    assert number("rawScore", plugin="TaintToleration") == 0


@pytest.mark.parametrize("answer", ["256Mi", "0.25Gi", "268435456", 268435456])
def test_quantities_may_be_written_in_any_unit(here: Situation, answer: object) -> None:
    assert question("number", value="request", resource="memory").judge(here, answer).is_right


def test_a_tolerance(here: Situation) -> None:
    asked = question("number", value="request", resource="cpu", tolerance="50m")

    assert asked.judge(here, "0.55").is_right
    assert asked.judge(here, "450m").is_right
    assert keys(asked, here, "551m") == ["too-large"]


@pytest.mark.parametrize(
    "answer", ["", "many", None, True, ["1"], "1 000", float("nan"), float("inf"), "9" * 400, "0x10", "١"]
)
def test_no_number(here: Situation, answer: object) -> None:
    with pytest.raises(UnreadableAnswerError):
        question("number", value="feasible").judge(here, answer)


@pytest.mark.parametrize(
    ("value", "arguments", "problem"),
    [
        ("total", {"node": "a"}, NodeDoesNotFit("a", "PodTopologySpread")),
        ("allowedDisruptions", {"budget": "none"}, no_such_name("default/none", ("default/web",))),
        ("quotaUsed", {"quota": "team", "resource": "cpu"}, no_such_name("cpu", ("requests.cpu", "pods"))),
        ("skew", {"topologyKey": ZONE, "domain": "z3"}, no_such_name("z3", ("z1", "z2"))),
        ("skew", {"topologyKey": "rack", "domain": "r"}, no_such_name("rack", (ZONE,))),
        ("evictionRate", {}, no_such_name("", ("z1", "z2"))),
        ("stays", {"pod": "new"}, PodHasNoNode("default/new")),
    ],
)
def test_a_number_that_is_not_there(here: Situation, value: str, arguments: dict[str, Any], problem: object) -> None:
    assert error_of(UnsolvableError, question("number", value=value, **arguments).solution, here).problem == problem


def test_a_plugin_without_a_score(here: Situation) -> None:
    raised = error_of(
        UnsolvableError, question("number", value="score", node="c", plugin="NodeAffinity").solution, here
    )
    assert isinstance(raised.problem, NotOneOf)


def with_kubelet(**fields: Any) -> Situation:
    """A node of 10 GiB of memory and 40 GiB of storage, and one that reports no storage."""
    large = node("large", capacity={"memory": "10Gi", "ephemeral-storage": "40Gi"})
    document = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **fields}
    return build_situation(SituationParts((large, node("plain")), kubelet=document if fields else None))


@pytest.mark.parametrize(
    ("fields", "resource", "answer"),
    [
        # Without a configuration a kubelet evicts below 100 MiB of memory and a tenth of its storage.
        ({}, "memory", "10140Mi"),
        (
            {
                "systemReserved": {"memory": "1Gi", "cpu": "250m"},
                "kubeReserved": {"memory": "512Mi"},
                "evictionHard": {"memory.available": "500Mi"},
                "evictionSoft": {"memory.available": "2Gi"},
                "evictionSoftGracePeriod": {"memory.available": "1m"},
            },
            "memory",
            "8204Mi",
        ),
        ({"systemReserved": {"cpu": "250m"}}, "cpu", "3750m"),
        # A threshold for memory alone is in the place of all defaults.
        ({"evictionHard": {"memory.available": "1Gi"}}, "ephemeral-storage", "40Gi"),
        ({"evictionHard": {"nodefs.available": "25%"}}, "ephemeral-storage", "30Gi"),
    ],
)
def test_what_a_kubelet_leaves_to_pods(fields: dict[str, Any], resource: str, answer: str) -> None:
    asked = question("number", value="kubeletAllocatable", node="large", resource=resource)

    assert asked.solution(with_kubelet(**fields)) == answer


@pytest.mark.parametrize("resource", ["pods", "ephemeral-storage"])
def test_what_a_node_does_not_report(resource: str) -> None:
    raised = error_of(
        UnsolvableError,
        question("number", value="kubeletAllocatable", node="plain", resource=resource).solution,
        with_kubelet(),
    )

    assert raised.problem == no_such_name(resource, ("cpu", "memory"))


GI = 1024**3

CLASSES = [priority_class(name, value) for name, value in (("high", 1_000_000), ("mid", 10), ("low", -1))]

SMALL = {"cpu": "1"}


def number(here: Any, value: str, **arguments: Any) -> Any:
    return question("number", value=value, **arguments).solution(here)


def about(*objects: Document) -> Any:
    return situation(*CLASSES, *objects, about="new")


def running(name: str, on: str, priority: str = "low", cpu: str = "900m", **more: Any) -> Document:
    return pod(name, on, cpu=cpu, labels={"app": name}, priorityClassName=priority, **more)


def new(**more: Any) -> Document:
    return pod("new", cpu="500m", **{"priorityClassName": "high", **more})


def test_a_nominated_node_is_not_reserved_for_the_pod_that_preempted() -> None:
    nominated = {**pod("waits", cpu="1", priorityClassName="mid"), "status": {"nominatedNodeName": "n"}}
    nodes = [node("n", capacity=SMALL)]

    # Of higher priority, the other pod takes the node; of lower priority it leaves it free.
    assert question("node").solution(about(*nodes, nominated, new())) == "n"
    assert question("node").solution(about(*nodes, nominated, new(priorityClassName="low"))) is None
    # The pod that preempted goes elsewhere where its node is not free yet.
    mine = {**new(), "status": {"nominatedNodeName": "n"}}
    leaving = running("leaving", "n")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert question("node").solution(about(*nodes, node("free", capacity=SMALL), leaving, mine)) == "free"
    # And takes its own node, tried first, as soon as that is free, whatever else would score higher.
    large = node("large", capacity={"cpu": "64", "memory": "64Gi"})
    assert question("node").solution(about(*nodes, large, mine)) == "n"
    assert question("node").solution(about(*nodes, large, new())) == "large"


def kubelet(**more: Any) -> Document:
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **more}


def threshold(signal: str, value: str = "evictionThreshold", **configuration: Any) -> Any:
    large = node("n", capacity={"memory": "10Gi"})
    return number(situation(large, kubelet=kubelet(**configuration)), value, node="n", signal=signal)


def test_a_threshold_is_an_amount_or_a_share_of_what_the_node_has() -> None:
    assert threshold("memory.available", evictionHard={"memory.available": "1Gi"}) == "1Gi"
    # The kubelet holds percentages as floats of 32 bits, which makes it 16 bytes more.
    assert threshold("memory.available", evictionHard={"memory.available": "10%"}) == str(GI + 16)
    assert threshold("memory.available") == "100Mi"
    assert threshold("memory.available", evictionHard={"memory.available": "500Mi"}) == "500Mi"
    # Whoever sets one threshold sets the others to nothing; a share of a disk needs its size.
    raised = error_of(UnsolvableError, threshold, "nodefs.available", evictionHard={"memory.available": "1Gi"})
    assert isinstance(raised.problem, NoSuchName)
    assert error_of(UnsolvableError, threshold, "nodefs.available").problem == CapacityUnknown("n", "nodefs.available")


def test_e29_who_is_killed_first_when_memory_is_used_up() -> None:
    pods = [
        pod("guaranteed", "n", requests={"cpu": "1", "memory": "1Gi"}, limits={"cpu": "1", "memory": "1Gi"}),
        pod("best-effort", "n"),
        *(pod(f"burstable-{size}", "n", memory=size) for size in ("1Mi", "1Gi", "4Gi", "8Gi")),
    ]
    here = situation(node("n"), *pods)
    # The documentation has 2 as the least of Burstable pods; the kubelet keeps them above 1000 - 997.
    scores = {"guaranteed": -997, "best-effort": 1000}
    scores |= {f"burstable-{size}": score for size, score in (("1Mi", 999), ("1Gi", 875), ("4Gi", 500), ("8Gi", 3))}

    assert {name: int(number(here, "oomScore", pod=name)) for name in scores} == scores
    assert question("order", of="oom", on="n").solution(here)[0] == "default/best-effort"
    assert question("pods", which="oomKilledFirst", on="n").solution(here) == ["default/best-effort"]


def test_a_score_by_memory_that_a_node_does_not_report_is_unknown() -> None:
    small = pod("small", "n", requests={"memory": "1Gi"})
    here = situation(node("n", capacity={"memory": "0"}), small, pod("best-effort", "n", requests={}))
    score: Any = question("number", value="oomScore", pod="small")

    for ask in (
        score.solution,
        score.working,
        question("order", of="oom", on="n").solution,
        question("pods", which="oomKilledFirst", on="n").solution,
    ):
        assert error_of(UnsolvableError, ask, here).problem == CapacityUnknown("n", "oom_score_adj")
    assert number(here, "oomScore", pod="best-effort") == "1000"
