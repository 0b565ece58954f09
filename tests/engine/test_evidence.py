"""The numbers shown behind a cell are those that made it."""

from __future__ import annotations

from math import floor, sqrt
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.evidence import ByMaximum, ScorePart
from clusters.engine.plugin import MAX_NODE_SCORE
from clusters.engine.plugins.image_locality import ImageSize
from clusters.engine.plugins.inter_pod_affinity.evidence import ByRange, TermScore
from clusters.engine.plugins.node_affinity import PreferredTerm
from clusters.engine.plugins.node_resources_balanced_allocation import ResourceFraction
from clusters.engine.plugins.node_resources_fit.evidence import (
    LeastAllocated,
    MostAllocated,
    RequestedToCapacityRatio,
    ResourceComparison,
    ResourceScore,
    ScoredUtilisation,
)
from clusters.engine.plugins.pod_topology_spread import ByDistance, DomainScore
from clusters.engine.plugins.taint_toleration import UntoleratedTaints
from tests.engine.builders import a_node, a_pod, explanation_of, scores_of, with_arguments
from tests.engine.oracle import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clusters.engine.evidence import Normalisation
    from clusters.engine.plugins.node_resources_fit.evidence import Strategy

MIB = 1024**2
GIB = 1024**3
GPU = "example.com/gpu"

Part = TypeVar("Part", bound=ScorePart)


def of(kind: type[Part], found: Sequence[ScorePart]) -> list[Part]:
    """The parts, all of which must be of one type."""
    parts = [part for part in found if isinstance(part, kind)]
    assert len(parts) == len(found)
    return parts


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
    pod = a_pod(requests={"cpu": "2", "memory": "4Gi"})

    explanation = explanation_of(pod, a_node("n"), *placed, **arguments)

    assert explanation.score_evidence(0, "NodeResourcesFit") == (
        ResourceScore("cpu", stated, 4100, 8000, scores[0], 2),
        ResourceScore("memory", stated, 8 * GIB + 200 * MIB, 16 * GIB, scores[1], 1),
    )
    assert scores_of(explanation, "NodeResourcesFit") == {"n": (mean, mean)}
    assert explanation.normalisation(0, "NodeResourcesFit") is None


def test_which_images_a_node_holds() -> None:
    holding = a_node("n1")
    holding["status"]["images"] = [{"names": ["app:latest"], "sizeBytes": 600 * MIB}]
    pod = a_pod(containers=[{"image": "app"}, {"image": "web:2"}])

    explanation = explanation_of(pod, holding, a_node("n2"))

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


def _fit(found: Sequence[ScorePart], _: Explanation) -> int:
    parts = of(ResourceScore, found)
    for each in parts:
        match each.strategy:
            case LeastAllocated():
                free = max(0, each.allocatable - each.requested)
                assert each.score == free * 100 // each.allocatable
            case MostAllocated():
                assert each.score == min(each.requested, each.allocatable) * 100 // each.allocatable
            case RequestedToCapacityRatio():
                assert 0 <= each.score <= MAX_NODE_SCORE
    if any(isinstance(each.strategy, RequestedToCapacityRatio) for each in parts):
        parts = [each for each in parts if each.score > 0]
        weights = sum(each.weight for each in parts)
        return floor(sum(each.score * each.weight for each in parts) / weights + 0.5) if parts else 0
    return sum(each.score * each.weight for each in parts) // sum(each.weight for each in parts)


def _balanced(found: Sequence[ScorePart], _: Explanation) -> int:
    parts = of(ResourceFraction, found)
    assert all(each.fraction == min(1, each.requested / each.allocatable) for each in parts)
    fractions = [each.fraction for each in parts]
    if len(fractions) == 2:
        return int((1 - abs((fractions[0] - fractions[1]) / 2)) * 100)
    mean = sum(fractions) / len(fractions)
    return int((1 - sqrt(sum((each - mean) * (each - mean) for each in fractions) / len(fractions))) * 100)


def _spread(found: Sequence[ScorePart], explanation: Explanation) -> int:
    parts = of(DomainScore, found)
    arguments = explanation.cycle.context.arguments_of("PodTopologySpread", PodTopologySpreadArgs)
    needs_all = explanation.pod.spec.get("topologySpreadConstraints") or arguments.defaulting_type != "System"
    is_ignored = bool(needs_all) and any(each.value is None for each in parts)
    assert {each.ignored for each in parts} == {is_ignored}
    total = 0.0
    for each in parts:
        if each.value is not None and not is_ignored:
            total += each.count * each.weight + (each.max_skew - 1)
    return floor(total + 0.5)


def _inter_pod(found: Sequence[ScorePart], _: Explanation) -> int:
    return sum(each.count * each.weight for each in of(TermScore, found))


def _taints(found: Sequence[ScorePart], _: Explanation) -> int:
    (only,) = of(UntoleratedTaints, found)
    return len(only.taints)


def _node_affinity(found: Sequence[ScorePart], _: Explanation) -> int:
    return sum(each.weight for each in of(PreferredTerm, found) if each.term.matches)


def _images(found: Sequence[ScorePart], _: Explanation) -> int:
    parts = of(ImageSize, found)
    for each in parts:
        assert each.counted_bytes == int(each.size_bytes * (each.nodes_with_image / each.nodes))
    ((least, most),) = {(each.minimum_bytes, each.maximum_bytes) for each in parts}
    within = min(max(sum(each.counted_bytes for each in parts), least), most)
    return 100 * (within - least) // (most - least)


RAW: dict[str, Callable[[Sequence[ScorePart], Explanation], int]] = {
    "ImageLocality": _images,
    "InterPodAffinity": _inter_pod,
    "NodeAffinity": _node_affinity,
    "NodeResourcesBalancedAllocation": _balanced,
    "NodeResourcesFit": _fit,
    "PodTopologySpread": _spread,
    "TaintToleration": _taints,
}


def _normalised(how: Normalisation | None, raw: int) -> int:
    match how:
        case None:
            return raw
        case ByRange():
            span = how.highest - how.lowest
            return int(100.0 * ((how.raw - how.lowest) / span)) if span else 0
        case ByDistance():
            if how.ignored:
                return 0
            return 100 * (how.highest + how.lowest - how.raw) // how.highest if how.highest else MAX_NODE_SCORE
        case ByMaximum():
            scaled = MAX_NODE_SCORE * how.raw // how.highest if how.highest > 0 else 0
            return MAX_NODE_SCORE - scaled if how.reverse else scaled
    raise AssertionError(how)


def explained_corpus() -> Iterator[Explanation]:
    """The first pod of every random case."""
    for case in cases("general").values():
        config = case.get("config")
        configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
        pod = case["pods"][0]
        yield explain(Snapshot.from_objects(case["objects"]), pod, configuration.profile_for(pod))


def test_every_score_of_the_corpus_can_be_worked_out_from_its_evidence() -> None:
    worked_out = dict.fromkeys(RAW, 0)
    for explanation in explained_corpus():
        for row in explanation.cycle.feasible.tolist():
            for cell in explanation.cells_of(row):
                if cell.plugin not in RAW:
                    continue
                found = explanation.score_evidence(row, cell.plugin)
                assert RAW[cell.plugin](found, explanation) == cell.raw, (explanation.pod.key, cell, found)
                how = explanation.normalisation(row, cell.plugin)
                assert how is None or (how.raw, how.normalised) == (cell.raw, cell.normalised)
                assert _normalised(how, cell.raw) == cell.normalised, (explanation.pod.key, cell, how)
                worked_out[cell.plugin] += cell.raw != 0

    assert min(worked_out.values()) > 20, worked_out
