"""The numbers shown behind a cell are those that made it."""

from __future__ import annotations

from math import floor, sqrt
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.configuration import NodeResourcesFitArgs, PodTopologySpreadArgs
from clusters.engine.evidence import Unit, resource_unit
from clusters.engine.plugin import MAX_NODE_SCORE
from tests.engine.builders import a_node, a_pod, explanation_of, scores_of, with_arguments
from tests.engine.oracle import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clusters.engine.evidence import Evidence

MIB = 1024**2
GIB = 1024**3
GPU = "example.com/gpu"

Facts = dict[str, Any]


def facts_of(evidence: Evidence) -> Facts:
    """Facts by name; of several with one name the last."""
    return {fact.name: fact.value for fact in evidence.facts}


def rows(found: Sequence[Evidence]) -> list[tuple[Any, ...]]:
    return [(each.about, *(fact.value for fact in each.facts), each.holds) for each in found]


# -- by hand -----------------------------------------------------------------------------------------------------


def test_what_the_fit_of_each_resource_compared() -> None:
    node = a_node("n", allocatable={"cpu": "4", "pods": "2", GPU: "1"})
    placed = a_pod("p", node="n", requests={"cpu": "1500m", "memory": "1Gi"})
    pod = a_pod(requests={"cpu": "3", "memory": "1Gi", GPU: "2", "ephemeral-storage": "1"})

    found = explanation_of(pod, node, placed).evidence(0)["NodeResourcesFit"]

    assert rows(found) == [
        # asked, allocatable, used, short by or left over
        ("pods", 1, 2, 1, 0, True),
        ("cpu", 3000, 4000, 1500, 500, False),
        ("memory", GIB, 16 * GIB, GIB, 14 * GIB, True),
        ("ephemeral-storage", 1, 0, 0, 1, False),
        (GPU, 2, 1, 0, 1, False),
    ]
    assert [each.facts[-1].name == "left over" for each in found] == [each.holds for each in found]
    assert [each.facts[0].unit for each in found] == [Unit.COUNT, Unit.MILLI_CPU, Unit.BYTES, Unit.BYTES, Unit.COUNT]


@pytest.mark.parametrize(
    ("strategy", "scores", "mean"),
    [
        # With what is assumed of containers without requests: 2 + 2 + 0.1 of 8 cpu, 8 + 0.195 of 16 Gi (200 MiB).
        ({"type": "LeastAllocated"}, (48, 48), 48),
        ({"type": "MostAllocated"}, (51, 51), 51),
        (
            {
                "type": "RequestedToCapacityRatio",
                "requestedToCapacityRatio": {
                    "shape": [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]
                },
            },
            (49, 49),
            49,
        ),
    ],
)
def test_what_the_score_of_fullness_was_made_from(strategy: Facts, scores: tuple[int, int], mean: int) -> None:
    weights = [{"name": "cpu", "weight": 2}, {"name": "memory", "weight": 1}, {"name": GPU, "weight": 5}]
    arguments = with_arguments("NodeResourcesFit", scoringStrategy={**strategy, "resources": weights})
    placed = (a_pod("p", node="n", requests={"cpu": "2", "memory": "4Gi"}), a_pod("q", node="n"))
    pod = a_pod(requests={"cpu": "2", "memory": "4Gi"})

    explanation = explanation_of(pod, a_node("n"), *placed, **arguments)

    assert rows(explanation.score_evidence(0, "NodeResourcesFit")) == [
        ("cpu", 4100, 8000, scores[0], 2, None),
        ("memory", 8 * GIB + 200 * MIB, 16 * GIB, scores[1], 1, None),
    ]
    assert scores_of(explanation, "NodeResourcesFit") == {"n": (mean, mean)}
    assert explanation.normalisation(0, "NodeResourcesFit") is None


def test_which_images_a_node_holds() -> None:
    holding = a_node("n1")
    holding["status"]["images"] = [{"names": ["app:latest"], "sizeBytes": 600 * MIB}]
    pod = a_pod(containers=[{"image": "app"}, {"image": "web:2"}])

    explanation = explanation_of(pod, holding, a_node("n2"))

    bounds = ("sum", 23 * MIB, 2000 * MIB, None)
    assert rows(explanation.score_evidence(0, "ImageLocality")) == [
        ("app:latest", 600 * MIB, 1, 2, 300 * MIB, None),
        ("web:2", 0, 0, 2, 0, None),
        bounds,
    ]
    assert rows(explanation.score_evidence(1, "ImageLocality"))[0] == ("app:latest", 0, 1, 2, 0, None)
    # (300 - 23) × 100 / (2000 - 23) = 14.01
    assert scores_of(explanation, "ImageLocality") == {"n1": (14, 14), "n2": (0, 0)}


def test_which_node_was_asked_for_by_name() -> None:
    explanation = explanation_of(a_pod(nodeName="n2"), a_node("n1"), a_node("n2"))

    assert [rows(explanation.evidence(row)["NodeName"]) for row in range(2)] == [
        [("spec.nodeName", "n2", "n1", False)],
        [("spec.nodeName", "n2", "n2", True)],
    ]
    assert explanation_of(a_pod(), a_node("n1")).evidence(0)["NodeName"] == ()


def test_what_a_raw_score_was_measured_against() -> None:
    taints = [{"key": key, "effect": "PreferNoSchedule"} for key in "abc"]
    explanation = explanation_of(a_pod(), a_node("n1", taints=taints[:1]), a_node("n2", taints=taints))

    one, three = (explanation.normalisation(row, "TaintToleration") for row in range(2))
    assert one is not None
    assert three is not None
    assert (facts_of(one), facts_of(three)) == ({"raw": 1, "highest": 3}, {"raw": 3, "highest": 3})
    assert scores_of(explanation, "TaintToleration") == {"n1": (1, 67), "n2": (3, 0)}


@pytest.mark.parametrize(
    ("resource", "unit"),
    [
        ("cpu", Unit.MILLI_CPU),
        ("memory", Unit.BYTES),
        ("ephemeral-storage", Unit.BYTES),
        ("hugepages-2Mi", Unit.BYTES),
        (GPU, Unit.COUNT),
        ("pods", Unit.COUNT),
    ],
)
def test_units_of_resources(resource: str, unit: Unit) -> None:
    assert resource_unit(resource) == unit


# -- over the corpus ---------------------------------------------------------------------------------------------


def _fit(found: Sequence[Evidence], explanation: Explanation) -> int:
    arguments = explanation.cycle.context.arguments_of("NodeResourcesFit", NodeResourcesFitArgs)
    kind = arguments.scoring_strategy.type
    parts: list[tuple[int, int]] = []
    for each in map(facts_of, found):
        asked, there, score = each["requested with this pod"], each["allocatable"], each["resource score"]
        if kind == "LeastAllocated":
            assert score == (0 if asked > there else (there - asked) * 100 // there)
        elif kind == "MostAllocated":
            assert score == min(asked, there) * 100 // there
        parts.append((score, each["weight"]))
    if kind == "RequestedToCapacityRatio":
        parts = [(score, weight) for score, weight in parts if score > 0]
        weights = sum(weight for _, weight in parts)
        return floor(sum(score * weight for score, weight in parts) / weights + 0.5) if parts else 0
    return sum(score * weight for score, weight in parts) // sum(weight for _, weight in parts)


def _balanced(found: Sequence[Evidence], _: Explanation) -> int:
    fractions = []
    for each in map(facts_of, found):
        assert each["fraction"] == min(1, each["requested with this pod"] / each["allocatable"])
        fractions.append(each["fraction"])
    if len(fractions) == 2:
        return int((1 - abs((fractions[0] - fractions[1]) / 2)) * 100)
    mean = sum(fractions) / len(fractions)
    return int((1 - sqrt(sum((each - mean) * (each - mean) for each in fractions) / len(fractions))) * 100)


def _spread(found: Sequence[Evidence], explanation: Explanation) -> int:
    facts = [facts_of(each) for each in found]
    lacking = [each for each in facts if each["domain"] == "no such label"]
    arguments = explanation.cycle.context.arguments_of("PodTopologySpread", PodTopologySpreadArgs)
    own = explanation.pod.spec.get("topologySpreadConstraints")
    if lacking and (own or arguments.defaulting_type != "System"):
        return 0
    total = 0.0
    for each in facts:
        if each not in lacking:
            total += each["matching pods"] * each["weight"] + (each["maxSkew"] - 1)
    return floor(total + 0.5)


def _inter_pod(found: Sequence[Evidence], _: Explanation) -> int:
    return sum(each["matching pods"] * each["weight"] for each in map(facts_of, found))


def _taints(found: Sequence[Evidence], _: Explanation) -> int:
    (only,) = found
    assert [fact.name for fact in only.facts].count("untolerated") == facts_of(only)["count"]
    return int(facts_of(only)["count"])


def _node_affinity(found: Sequence[Evidence], _: Explanation) -> int:
    return sum(each["weight"] for each in map(facts_of, found) if each["matches"] == "True")


def _images(found: Sequence[Evidence], _: Explanation) -> int:
    *images, bounds = map(facts_of, found)
    for each in images:
        assert each["counts as"] == int(each["size here"] * (each["nodes with it"] / each["nodes"]))
    within = min(max(sum(each["counts as"] for each in images), bounds["least"]), bounds["most"])
    return int(100 * (within - bounds["least"]) // (bounds["most"] - bounds["least"]))


RAW: dict[str, Callable[[Sequence[Evidence], Explanation], int]] = {
    "ImageLocality": _images,
    "InterPodAffinity": _inter_pod,
    "NodeAffinity": _node_affinity,
    "NodeResourcesBalancedAllocation": _balanced,
    "NodeResourcesFit": _fit,
    "PodTopologySpread": _spread,
    "TaintToleration": _taints,
}


def _normalised(plugin: str, evidence: Evidence | None, raw: int) -> int:
    if evidence is None:
        return raw
    facts = facts_of(evidence)
    if not facts:
        return 0
    assert facts["raw"] == raw
    highest, lowest = facts["highest"], facts.get("lowest", 0)
    if plugin == "InterPodAffinity":
        return 0 if highest == lowest else int(100.0 * ((raw - lowest) / (highest - lowest)))
    if plugin == "PodTopologySpread":
        return 100 * (highest + lowest - raw) // highest if highest else MAX_NODE_SCORE
    scaled = MAX_NODE_SCORE * raw // highest if highest > 0 else 0
    return MAX_NODE_SCORE - scaled if plugin == "TaintToleration" else scaled


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
                assert _normalised(cell.plugin, how, cell.raw) == cell.normalised, (explanation.pod.key, cell, how)
                worked_out[cell.plugin] += cell.raw != 0

    assert min(worked_out.values()) > 20, worked_out
