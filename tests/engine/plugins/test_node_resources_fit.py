from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clusters.engine.edits import LowerRequest
from clusters.engine.plugins.node_resources_fit import Insufficient, NodeResourcesFit
from clusters.engine.scoring import positive_mean, round_half_away, shape_scores
from clusters.engine.status import unresolvable, unschedulable
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of, with_arguments
from tests.support.constraints import about

NAME = "NodeResourcesFit"
GPU = "example.com/gpu"
HUGE = "hugepages-2Mi"


def strategy(kind: str, *shape: tuple[int, int], **weights: int) -> Document:
    """A scoring strategy over resources with weights, cpu and memory alike unless given."""
    ratio = {"shape": [{"utilization": use, "score": score} for use, score in shape]}
    chosen = [{"name": name, "weight": weight} for name, weight in (weights or {"cpu": 1, "memory": 1}).items()]
    scoring = {"type": kind, "resources": chosen, **({"requestedToCapacityRatio": ratio} if shape else {})}
    return with_arguments(NAME, scoringStrategy=scoring)


def rejection(pod: Document, node: Document, *placed: Document, **configuration: Any) -> Any:
    return explanation_of(pod, node, *placed, **configuration).rejections_of(0).get(NAME)


# -- filtering ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ({"cpu": "5"}, True),
        ({"cpu": "5001m"}, False),
        ({"memory": "12Gi"}, True),
        ({"memory": "12884901889"}, False),
        ({"cpu": "5", "memory": "12Gi"}, True),
        ({GPU: "1"}, True),
        ({GPU: "2"}, False),
        ({HUGE: "2Mi"}, True),
        ({HUGE: "4Mi"}, False),
        # Names that the scheduler does not know restrict nothing.
        ({"unheard-of": "5"}, True),
    ],
)
def test_what_is_left_must_suffice(asked: dict[str, str], fits: bool) -> None:
    node = a_node("n", allocatable={GPU: "2", HUGE: "4Mi"})
    placed = a_pod("p", node="n", requests={"cpu": "3", "memory": "4Gi", GPU: "1", HUGE: "2Mi"})

    (resource,) = {*asked} if len(asked) == 1 else {"cpu"}
    expected = None if fits else unschedulable(Insufficient(resource))
    assert rejection(a_pod(requests=asked), node, placed) == expected


def test_all_that_is_missing_is_named_in_order_and_too_small_a_node_is_hopeless() -> None:
    node = a_node("n", allocatable={"pods": "1", "ephemeral-storage": "1Gi", GPU: "2"})
    placed = a_pod("p", node="n", requests={"cpu": "8", "memory": "16Gi", "ephemeral-storage": "1Gi", GPU: "2"})
    everything = {GPU: "1", "example.com/absent": "1", "ephemeral-storage": "1", "memory": "1", "cpu": "1m"}
    names = ("pods", "cpu", "memory", "ephemeral-storage", "example.com/absent", GPU)
    reasons = tuple(map(Insufficient, names))

    assert rejection(a_pod(requests=everything), node, placed) == unresolvable(*reasons)
    del everything["example.com/absent"]
    there = tuple(reason for reason in reasons if "absent" not in reason.resource)
    assert rejection(a_pod(requests=everything), node, placed) == unschedulable(*there)


def test_who_asks_for_nothing_fits_on_an_overcommitted_node() -> None:
    node = a_node("n", allocatable={"cpu": "1"})
    placed = a_pod("p", node="n", requests={"cpu": "2"})

    assert rejection(a_pod(), node, placed) is None
    assert rejection(a_pod(requests={"cpu": "0", "memory": "1"}), node, placed) is None
    assert rejection(a_pod(requests={"cpu": "1m"}), node, placed) == unschedulable(Insufficient("cpu"))


@pytest.mark.parametrize(
    ("asked", "allocatable"),
    [
        ({"cpu": "8"}, {}),
        ({"memory": "16Gi"}, {}),
        ({"ephemeral-storage": "1Gi"}, {"ephemeral-storage": "1Gi"}),
        ({GPU: "2"}, {GPU: "2"}),
        ({HUGE: "4Mi"}, {HUGE: "4Mi"}),
    ],
)
def test_a_node_is_hopeless_from_one_more_than_all_that_it_has(asked: dict[str, str], allocatable: Any) -> None:
    node = a_node("n", allocatable=allocatable)
    ((resource, amount),) = asked.items()
    more = a_pod(requests={resource: amount}, overhead={resource: "1m" if resource == "cpu" else "1"})

    assert rejection(a_pod(requests=asked), node) is None
    beside = a_pod("p", node="n", requests={resource: "1"})
    assert rejection(a_pod(requests=asked), node, beside) == unschedulable(Insufficient(resource))
    assert rejection(more, node) == unresolvable(Insufficient(resource))


@pytest.mark.parametrize(("places", "fits"), [("3", True), ("2", False), ("1", False)])
def test_each_pod_takes_a_place_and_so_does_one_that_is_being_deleted(places: str, fits: bool) -> None:
    leaving = a_pod("leaving", node="n")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    expected = None if fits else unschedulable(Insufficient("pods"))

    assert rejection(a_pod(), a_node("n", allocatable={"pods": places}), a_pod("p", node="n"), leaving) == expected


@pytest.mark.parametrize("asked", [{"cpu": "0"}, {"memory": "0"}, {"ephemeral-storage": "0"}, {GPU: "0"}, {HUGE: "0"}])
def test_a_request_of_zero_is_not_compared(asked: dict[str, str]) -> None:
    """Another pod has all of the node, and more of what the node does not have."""
    node = a_node("n", allocatable={"ephemeral-storage": "1Gi"})
    full = a_pod(
        "p", node="n", requests={"cpu": "9", "memory": "17Gi", "ephemeral-storage": "2Gi", GPU: "1", HUGE: "2Mi"}
    )

    assert rejection(a_pod(requests=asked), node, full) is None


def test_a_node_that_says_nothing_of_pods_takes_none() -> None:
    """No room for pods is never hopeless: other pods may leave."""
    node = a_node("n")
    del node["status"]["allocatable"]["pods"]

    assert rejection(a_pod(), node) == unschedulable(Insufficient("pods"))


@pytest.mark.parametrize(
    ("wants", "fits"), [({"cpu": "1"}, True), ({GPU: "1"}, True), ({GPU: "2"}, False), ({"cpu": "8"}, False)]
)
def test_nominated_pods_take_what_they_ask_for_and_nothing_else(wants: dict[str, str], fits: bool) -> None:
    node = a_node("n", allocatable={GPU: "2"})
    nominated = a_pod("nominated", nominated="n", priority=1, requests=wants)

    assert explanation_of(a_pod(requests={"cpu": "7", GPU: "1"}), node, nominated).fits == fits


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        ({}, ("example.com/a", "example.com/b", "other.com/a")),
        ({"ignoredResources": ["example.com/a"]}, ("example.com/b", "other.com/a")),
        ({"ignoredResourceGroups": ["example.com"]}, ("other.com/a",)),
        ({"ignoredResources": ["other.com/a"], "ignoredResourceGroups": ["example.com"]}, ()),
        # A group is all that stands before the slash, and a resource the whole name.
        ({"ignoredResourceGroups": ["example", "com", "other.co"]}, ("example.com/a", "example.com/b", "other.com/a")),
        ({"ignoredResources": ["example.com", "a"]}, ("example.com/a", "example.com/b", "other.com/a")),
    ],
)
def test_ignored_resources_and_groups(arguments: dict[str, Any], missing: tuple[str, ...]) -> None:
    pod = a_pod(requests={"example.com/a": "1", "example.com/b": "1", "other.com/a": "1"})
    expected = unresolvable(*map(Insufficient, missing)) if missing else None

    assert rejection(pod, a_node("n"), **with_arguments(NAME, **arguments)) == expected


def test_only_extended_resources_are_ignored() -> None:
    pod = a_pod(requests={"cpu": "9", HUGE: "2Mi"})
    arguments = with_arguments(NAME, ignoredResources=["cpu", HUGE])

    assert rejection(pod, a_node("n"), **arguments) == unresolvable(Insufficient("cpu"), Insufficient(HUGE))


def test_what_is_short_of_each_resource() -> None:
    plugin = explanation_of(
        a_pod(requests={"cpu": "3", GPU: "1"}),
        a_node("full"),
        a_node("half"),
        a_pod("p", node="full", requests={"cpu": "6"}),
    ).cycle.plugins[NAME]
    assert isinstance(plugin, NodeResourcesFit)

    found = {resource: amounts.tolist() for resource, amounts in plugin.shortfalls().items()}
    assert found == {"pods": [0, 0], "cpu": [1000, 0], GPU: [1, 1]}


def test_each_resource_can_be_lifted() -> None:
    plugin = explanation_of(a_pod(requests={"cpu": "9", GPU: "1"}), a_node("n")).cycle.plugins[NAME]

    assert list(map(about, plugin.constraints())) == ["pods", "cpu", GPU]
    assert [each.edit for each in plugin.constraints()] == [None, LowerRequest("cpu", 0), LowerRequest(GPU, 0)]
    assert plugin.filter(None, frozenset({1})).at(0) == unresolvable(Insufficient(GPU))
    assert plugin.filter(None, frozenset({1, 2})).failed is None


# -- scoring -----------------------------------------------------------------------------------------------------

# With the pod 2 of 8 cpu are asked for, 1/4, and 8 of 16 Gi, 1/2.
POD = a_pod(requests={"cpu": "2", "memory": "8Gi"})


@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        pytest.param(strategy("LeastAllocated"), 62, id="least: (75 + 50) / 2"),
        pytest.param(strategy("LeastAllocated", cpu=3, memory=1), 68, id="least: (3 × 75 + 50) / 4"),
        pytest.param(strategy("MostAllocated"), 37, id="most: (25 + 50) / 2"),
        pytest.param(strategy("MostAllocated", cpu=1, memory=2), 41, id="most: (25 + 2 × 50) / 3"),
        # A resource that the node lacks, or that is no standard one and not asked for, does not count.
        pytest.param(strategy("MostAllocated", memory=1, **{"ephemeral-storage": 9}), 50, id="one is not there"),
        pytest.param(strategy("MostAllocated", memory=1, **{GPU: 9}), 50, id="one is not asked for"),
        # Shapes give 0 to 10, times 10; the mean of those above 0 is rounded.
        pytest.param(strategy("RequestedToCapacityRatio", (0, 0), (100, 10)), 38, id="ratio: (25 + 50) / 2 rounded"),
        pytest.param(strategy("RequestedToCapacityRatio", (0, 10), (100, 0)), 63, id="ratio, falling"),
        pytest.param(strategy("RequestedToCapacityRatio", (25, 0), (50, 10)), 100, id="ratio: 0 does not count"),
        pytest.param(strategy("RequestedToCapacityRatio", (50, 0), (100, 10)), 0, id="ratio: nothing above 0"),
        pytest.param(strategy("RequestedToCapacityRatio", (0, 5), (40, 1), (60, 9)), 38, id="ratio, broken line"),
    ],
)
def test_strategies(scoring: Document, score: int) -> None:
    explanation = explanation_of(POD, a_node("n", allocatable={GPU: "4"}), **scoring)

    assert raw_scores_of(explanation, NAME) == {"n": score}


@pytest.mark.parametrize(
    ("used", "scores"),
    # With the pod 1 + used of 4 are asked for.
    [("1", {"LeastAllocated": 50, "MostAllocated": 50}), ("3", {"LeastAllocated": 0, "MostAllocated": 100})],
)
def test_extended_resources_that_the_pod_asks_for_are_scored(used: str, scores: dict[str, int]) -> None:
    placed = a_pod("p", node="n", requests={GPU: used})
    node, pod = a_node("n", allocatable={GPU: "4"}), a_pod(requests={GPU: "1"})

    assert scores == {
        kind: raw_scores_of(explanation_of(pod, node, placed, **strategy(kind, **{GPU: 1})), NAME)["n"]
        for kind in scores
    }


@pytest.mark.parametrize(
    ("use", "score"),
    # Points (10, 20), (30, 50), (60, 40): slopes 3/2 and -1/3, truncated towards the left point.
    [(0, 20), (10, 20), (11, 21), (13, 24), (30, 50), (31, 50), (32, 50), (33, 49), (59, 41), (60, 40), (100, 40)],
)
def test_shapes_are_interpolated(use: int, score: int) -> None:
    asked, allocatable = np.array([[use]]), np.array([[100]])

    assert shape_scores(asked, allocatable, [(10, 20), (30, 50), (60, 40)]).tolist() == [[score]]


def test_overcommitted_nodes() -> None:
    """Beside a pod that requests no more than there is, scoring adds what it assumes of pods without requests."""
    placed = a_pod("p", node="n", requests={"cpu": "8", "memory": "15Gi"})
    scores = {
        kind: raw_scores_of(explanation_of(a_pod(), a_node("n"), placed, **strategy(kind)), NAME)["n"]
        for kind in ("LeastAllocated", "MostAllocated")
    }

    # cpu 8.1 of 8: free 0, used 100. Memory 15.195 of 16 Gi: free 5.03, used 94.97.
    assert scores == {"LeastAllocated": 2, "MostAllocated": 97}


@pytest.mark.parametrize(("number", "rounded"), [(0.5, 1), (1.4999, 1), (1.5, 2), (2.5, 3), (-0.5, -1), (-1.4, -1)])
def test_halves_are_rounded_away_from_zero(number: float, rounded: int) -> None:
    assert round_half_away(np.array([number])).tolist() == [rounded]


def test_mean_of_what_scores_above_zero() -> None:
    scores, allocatable = np.array([[30], [0], [40], [50]]), np.array([[1], [1], [1], [0]])

    # The second scores 0 and the fourth is not there: (30 × 1 + 40 × 2) / 3 = 36.67.
    assert positive_mean(scores, allocatable, [1, 9, 2, 9]).tolist() == [37]
    assert positive_mean(np.zeros_like(scores), allocatable, [1, 9, 2, 9]).tolist() == [0]


def test_pod_level_requests_are_filtered_by_but_not_scored_by() -> None:
    pod = a_pod(requests={"cpu": "1", "memory": "1Gi"}, resources={"requests": {"cpu": "4"}})
    plain = a_pod(requests={"cpu": "1", "memory": "1Gi"})
    placed = a_pod("p", node="n", requests={"cpu": "5"})

    assert rejection(pod, a_node("n"), placed) == unschedulable(Insufficient("cpu"))
    assert raw_scores_of(explanation_of(pod, a_node("n")), NAME) == raw_scores_of(
        explanation_of(plain, a_node("n")), NAME
    )
