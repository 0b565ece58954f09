from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.status import unresolvable
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of, with_arguments

NAME = "NodeResourcesFit"
GPU = "example.com/gpu"


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
    assert raw_scores_of(explanation_of(POD, a_node("n", allocatable={GPU: "4"}), **scoring), NAME) == {"n": score}
