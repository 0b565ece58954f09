"""Scores worked out again from their evidence, by rules written plainly for one node."""

from __future__ import annotations

from math import floor, sqrt
from typing import TYPE_CHECKING, TypeVar

from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.evidence import ByMaximum, Normalisation, ScorePart
from clusters.engine.plugin import MAX_NODE_SCORE
from clusters.engine.plugins.image_locality import ImageSize
from clusters.engine.plugins.inter_pod_affinity import ByRange, TermScore
from clusters.engine.plugins.node_affinity import PreferredTerm
from clusters.engine.plugins.node_resources_balanced_allocation import ResourceFraction
from clusters.engine.plugins.node_resources_fit import (
    LeastAllocated,
    MostAllocated,
    RequestedToCapacityRatio,
    ResourceScore,
)
from clusters.engine.plugins.pod_topology_spread import ByDistance, DomainScore
from clusters.engine.plugins.taint_toleration import UntoleratedTaints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.scheduling import ScoreCell

Part = TypeVar("Part", bound=ScorePart)


def of(kind: type[Part], found: Sequence[ScorePart]) -> list[Part]:
    """The parts, all of which must be of one type."""
    parts = [part for part in found if isinstance(part, kind)]
    assert len(parts) == len(found)
    return parts


def _fit(found: Sequence[ScorePart], _: Explanation) -> int:
    parts = of(ResourceScore, found)
    for each in parts:
        match each.strategy:
            case LeastAllocated():
                assert each.score == max(0, each.allocatable - each.requested) * 100 // each.allocatable
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
    return 100 * (min(max(sum(each.counted_bytes for each in parts), least), most) - least) // (most - least)


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


def assert_score(explanation: Explanation, row: int, cell: ScoreCell) -> None:
    """Work out the raw and the normalised score of a plugin on a node from its evidence."""
    found = explanation.score_evidence(row, cell.plugin)
    assert RAW[cell.plugin](found, explanation) == cell.raw, (explanation.pod.key, cell, found)
    how = explanation.normalisation(row, cell.plugin)
    assert how is None or (how.raw, how.normalised) == (cell.raw, cell.normalised)
    assert _normalised(how, cell.raw) == cell.normalised, (explanation.pod.key, cell, how)
