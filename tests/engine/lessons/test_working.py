"""The arithmetic of numbers: it has the cluster's own numbers, and comes to exactly what the engine answers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from clusters.engine.lessons import Operand, OperandKind, PluginScoreValue, Sign, Situation, build_situation
from clusters.engine.lessons.values import VALUES, outcome
from clusters.services.lessons.library import built_in_lessons
from tests.engine.lessons.clusters import (
    ZONE,
    budget,
    node,
    owned,
    pod,
    priority_class,
    question,
    replica_set,
    situation,
)

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
    here = situation(node("n"), runtime, new, about="new")

    assert told(here, "request", resource="cpu") == [
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
    here = situation(node("n"), pod("p", "n", limits=limits, requests=requests))

    assert told(here, "oomScore", pod="p") == steps


def test_the_shortest_toleration_counts() -> None:
    taints = [{"key": key, "effect": "NoExecute"} for key in ("a", "b", "c")]
    plain = {"operator": "Exists", "effect": "NoExecute"}
    tolerations = [{**plain, "key": "a", "tolerationSeconds": 90}, {**plain, "key": "b"}]
    tolerating = pod("p", "n", tolerations=[*tolerations, {**plain, "key": "c", "tolerationSeconds": 60}])
    here = situation(node("n", taints=taints), tolerating, pod("q", "n", tolerations=tolerations))

    assert told(here, "stays", pod="p") == [("+", "tolerated", 90), ("≤", "tolerated", 60)]
    assert told(here, "stays", pod="q") == [("+", "tolerated", 90), ("≤", "not-tolerated", 0)]


def test_a_priority_names_its_class() -> None:
    here = situation(node("n"), priority_class("high", 7), pod("p", "n", priorityClassName="high"), pod("q", "n"))

    asked: Any = question("number", value="priority", pod="p")
    assert [(step.kind, step.number, step.of) for step in asked.working(here)] == [
        (OperandKind.PRIORITY_CLASS, 7, ("high",))
    ]
    assert told(here, "priority", pod="q") == [("+", "no-priority-class", 0)]
