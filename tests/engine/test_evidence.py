"""The numbers shown behind a cell are those that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.evidence import ByMaximum
from clusters.engine.plugins.image_locality import ImageSize
from clusters.engine.plugins.node_resources_fit import (
    LeastAllocated,
    MostAllocated,
    RequestedToCapacityRatio,
    ResourceComparison,
    ResourceScore,
    ScoredUtilisation,
    Strategy,
)
from tests.engine.builders import a_node, a_pod, explanation_of, scores_of, with_arguments
from tests.engine.oracle import some_cases
from tests.engine.worked_out import RAW, assert_score

if TYPE_CHECKING:
    from collections.abc import Iterator


pytestmark = pytest.mark.unmeasured

MIB = 1024**2
GIB = 1024**3
GPU = "example.com/gpu"

# -- by hand -----------------------------------------------------------------------------------------------------


def test_what_the_fit_of_each_resource_compared() -> None:
    node = a_node("n", allocatable={"cpu": "4", "pods": "2", GPU: "1"})
    placed = a_pod("p", node="n", requests={"cpu": "1500m", "memory": "1Gi"})
    pod = a_pod(requests={"cpu": "3", "memory": "1Gi", GPU: "2", "ephemeral-storage": "1"})

    found = explanation_of(pod, node, placed).evidence(0)["NodeResourcesFit"]

    assert found == (
        ResourceComparison("pods", requested=1, allocatable=2, used=1),
        ResourceComparison("cpu", requested=3000, allocatable=4000, used=1500),
        ResourceComparison("memory", requested=GIB, allocatable=16 * GIB, used=GIB),
        ResourceComparison("ephemeral-storage", requested=1, allocatable=0, used=0),
        ResourceComparison(GPU, requested=2, allocatable=1, used=0),
    )
    assert [(each.free, each.missing, each.holds) for each in found] == [
        (1, 0, True),
        (2500, 500, False),
        (15 * GIB, 0, True),
        (0, 1, False),
        (1, 1, False),
    ]


@pytest.mark.parametrize(
    ("strategy", "stated", "scores", "mean"),
    [
        # With what is assumed of containers without requests: 2 + 2 + 0.1 of 8 cpu, 8 + 0.195 of 16 Gi (200 MiB).
        ({"type": "LeastAllocated"}, LeastAllocated(), (48, 48), 48),
        ({"type": "MostAllocated"}, MostAllocated(), (51, 51), 51),
        (
            {
                "type": "RequestedToCapacityRatio",
                "requestedToCapacityRatio": {
                    "shape": [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]
                },
            },
            RequestedToCapacityRatio((ScoredUtilisation(0, 100), ScoredUtilisation(100, 0))),
            (49, 49),
            49,
        ),
    ],
)
def test_what_the_score_of_fullness_was_made_from(
    strategy: dict[str, Any], stated: Strategy, scores: tuple[int, int], mean: int
) -> None:
    weights = [{"name": "cpu", "weight": 2}, {"name": "memory", "weight": 1}, {"name": GPU, "weight": 5}]
    arguments = with_arguments("NodeResourcesFit", scoringStrategy={**strategy, "resources": weights})
    placed = (a_pod("p", node="n", requests={"cpu": "2", "memory": "4Gi"}), a_pod("q", node="n"))

    explanation = explanation_of(a_pod(requests={"cpu": "2", "memory": "4Gi"}), a_node("n"), *placed, **arguments)

    assert explanation.score_evidence(0, "NodeResourcesFit") == (
        ResourceScore("cpu", stated, 4100, 8000, scores[0], 2),
        ResourceScore("memory", stated, 8 * GIB + 200 * MIB, 16 * GIB, scores[1], 1),
    )
    assert scores_of(explanation, "NodeResourcesFit") == {"n": (mean, mean)}
    assert explanation.normalisation(0, "NodeResourcesFit") is None


def test_which_images_a_node_holds() -> None:
    holding = a_node("n1")
    holding["status"]["images"] = [{"names": ["app:latest"], "sizeBytes": 600 * MIB}]

    explanation = explanation_of(a_pod(containers=[{"image": "app"}, {"image": "web:2"}]), holding, a_node("n2"))

    thresholds = (23 * MIB, 2000 * MIB)
    web = ImageSize("web:2", 0, 0, 2, 0, *thresholds)
    assert explanation.score_evidence(0, "ImageLocality") == (
        ImageSize("app:latest", 600 * MIB, 1, 2, 300 * MIB, *thresholds),
        web,
    )
    assert explanation.score_evidence(1, "ImageLocality") == (ImageSize("app:latest", 0, 1, 2, 0, *thresholds), web)
    # (300 - 23) × 100 / (2000 - 23) = 14.01
    assert scores_of(explanation, "ImageLocality") == {"n1": (14, 14), "n2": (0, 0)}


def test_what_a_raw_score_was_measured_against() -> None:
    taints = [{"key": key, "effect": "PreferNoSchedule"} for key in "abc"]
    explanation = explanation_of(a_pod(), a_node("n1", taints=taints[:1]), a_node("n2", taints=taints))

    assert [explanation.normalisation(row, "TaintToleration") for row in range(2)] == [
        ByMaximum(raw=1, normalised=67, highest=3, reverse=True),
        ByMaximum(raw=3, normalised=0, highest=3, reverse=True),
    ]
    assert scores_of(explanation, "TaintToleration") == {"n1": (1, 67), "n2": (3, 0)}


# -- over the corpus ---------------------------------------------------------------------------------------------


def explained_corpus() -> Iterator[Explanation]:
    """The first pod of random cases."""
    for case in some_cases("general", every=3).values():
        config = case.get("config")
        configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
        pod = case["pods"][0]
        yield explain(Snapshot.from_objects(case["objects"]), pod, configuration.profile_for(pod))


def test_every_score_of_the_corpus_can_be_worked_out_from_its_evidence() -> None:
    worked_out = dict.fromkeys(RAW, 0)
    for explanation in explained_corpus():
        for row in explanation.cycle.feasible.tolist():
            for cell in explanation.cells_of(row):
                assert 0 <= cell.normalised <= 100
                assert_score(explanation, row, cell)
                worked_out[cell.plugin] += cell.raw != 0

    assert min(worked_out.values()) > 20, worked_out
