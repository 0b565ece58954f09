"""Questions whose answer is a number."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import NumberUnit, Situation, UnreadableAnswerError, UnsolvableError
from clusters.engine.lessons.problems import (
    NodeDoesNotFit,
    NotInSituation,
    PluginDoesNotScore,
    PodHasNoNode,
    WrongSuffix,
)
from clusters.engine.lessons.values import VALUES
from tests.engine.lessons.clusters import (
    ZONE,
    Document,
    budget,
    keys,
    node,
    owned,
    pod,
    question,
    replica_set,
    situation,
)

WEB = {"app": "web"}


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
    zones = {"a": "z1", "b": "z1", "c": "z2"}
    nodes = [node(name, zone=zone) for name, zone in zones.items()]
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
    ("value", "arguments", "answers"),
    [
        ("request", {"resource": "cpu"}, ("500m", "0.5", "0.5 CPU", "0.5cores", " 500m ")),
        ("request", {"resource": "memory", "pod": "web-a"}, ("1Gi", "1 GiB", "1gib", "1024 MiB", "1073741824 bytes")),
        ("feasible", {}, ("1", "1e0")),
    ],
)
def test_a_number_with_the_unit_of_the_page_is_taken(
    here: Situation, value: str, arguments: dict[str, Any], answers: tuple[str, ...]
) -> None:
    asked = question("number", value=value, **arguments)
    assert all(asked.judge(here, each).is_right for each in answers)


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
    with pytest.raises(UnreadableAnswerError) as raised:
        question("number", value=value, **arguments).judge(here, answer)
    assert isinstance(raised.value.problem, WrongSuffix)
    assert raised.value.problem.found == suffix


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


@pytest.mark.parametrize("answer", ["", "many", None, True, ["1"], "1 000"])
def test_no_number(here: Situation, answer: object) -> None:
    with pytest.raises(UnreadableAnswerError):
        question("number", value="feasible").judge(here, answer)


@pytest.mark.parametrize(
    ("value", "arguments", "problem"),
    [
        ("total", {"node": "a"}, NodeDoesNotFit("a", "PodTopologySpread")),
        ("allowedDisruptions", {"budget": "none"}, NotInSituation("default/none", ("default/web",))),
        ("quotaUsed", {"quota": "team", "resource": "cpu"}, NotInSituation("cpu", ("requests.cpu", "pods"))),
        ("skew", {"topologyKey": ZONE, "domain": "z3"}, NotInSituation("z3", ("z1", "z2"))),
        ("skew", {"topologyKey": "rack", "domain": "r"}, NotInSituation("rack", (ZONE,))),
        ("evictionRate", {}, NotInSituation("", ("z1", "z2"))),
        ("stays", {"pod": "new"}, PodHasNoNode("default/new")),
    ],
)
def test_a_number_that_is_not_there(here: Situation, value: str, arguments: dict[str, Any], problem: object) -> None:
    with pytest.raises(UnsolvableError) as raised:
        question("number", value=value, **arguments).solution(here)
    assert raised.value.problem == problem


def test_a_plugin_without_a_score(here: Situation) -> None:
    with pytest.raises(UnsolvableError) as raised:
        question("number", value="score", node="c", plugin="NodeAffinity").solution(here)
    assert isinstance(raised.value.problem, PluginDoesNotScore)


def test_units_are_those_of_resources() -> None:
    read = {name: VALUES[name] for name in ("request", "quotaUsed")}
    assert set(read) <= set(VALUES)
    assert NumberUnit.of_resource("limits.cpu") is NumberUnit.CPU
    assert NumberUnit.of_resource("requests.storage") is NumberUnit.BYTES
    assert NumberUnit.of_resource("hugepages-2Mi") is NumberUnit.BYTES
    assert NumberUnit.of_resource("nvidia.com/gpu") is NumberUnit.COUNT
