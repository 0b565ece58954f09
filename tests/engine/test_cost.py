"""What explaining a pod may cost at most is counted before anything is computed."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.objects import Pod
from clusters.engine.scheduling import LIMITS, CostLimitError, Excess, Failure, Measure, attempt, measure_of
from clusters.engine.scheduling.cost import requirements_of
from tests.engine.builders import HOSTNAME, a_node, a_pod, explanation_of
from tests.engine.oracle import CORPORA, cases

MOST = LIMITS[Measure.REQUIREMENTS]


def tolerating(count: int) -> dict[str, Any]:
    return a_pod(tolerations=[{"key": f"k{number}", "operator": "Exists"} for number in range(count)])


def a_term(values: list[str], **fields: Any) -> dict[str, Any]:
    expression = {"key": "app", "operator": "In", "values": values}
    return {"labelSelector": {"matchExpressions": [expression]}, "topologyKey": HOSTNAME, **fields}


REQUIRED, PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ({}, 0),
        ({"nodeSelector": {"a": "x", "b": "y"}, "tolerations": [{}], "volumes": ({"emptyDir": {}},)}, 4),
        ({"topologySpreadConstraints": [{"labelSelector": {"matchLabels": {"a": "x", "b": "y"}}}, {}]}, 4),
        ({"affinity": {"podAffinity": {REQUIRED: [a_term(["x", "y"])]}}}, 4),
        ({"affinity": {"podAntiAffinity": {PREFERRED: [{"weight": 1, "podAffinityTerm": a_term(["x"])}]}}}, 3),
        ({"affinity": {"podAffinity": {REQUIRED: [a_term([], namespaces=["a", "b"], namespaceSelector={})]}}}, 4),
        (
            {
                "affinity": {
                    "nodeAffinity": {
                        REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "values": ["x"]}]}, {}]},
                        PREFERRED: [{"weight": 1, "preference": {"matchFields": [{"key": "a"}]}}],
                    }
                }
            },
            6,
        ),
    ],
)
def test_every_term_key_and_value_counts(spec: dict[str, Any], count: int) -> None:
    assert requirements_of(Pod(a_pod(**spec))) == count


def refusal_of(*objects: dict[str, Any], pod: dict[str, Any]) -> CostLimitError:
    with pytest.raises(CostLimitError) as caught:
        explanation_of(pod, *objects)
    return caught.value


def test_a_pod_may_name_so_much_and_no_more() -> None:
    assert explanation_of(tolerating(MOST), a_node("n")).fits
    refused = refusal_of(a_node("n"), pod=tolerating(MOST + 1))

    assert (refused.excess.measure, refused.excess.counted, refused.excess.limit) == (
        Measure.REQUIREMENTS,
        MOST + 1,
        MOST,
    )
    assert str(refused) == "requirements: 50001 > 50000"


def test_what_it_is_compared_with_counts_too() -> None:
    nodes = [a_node(f"n{number}") for number in range(LIMITS[Measure.COMPARISONS] // MOST)]

    assert explanation_of(tolerating(MOST), *nodes).fits
    refused = refusal_of(*nodes, a_node("one-more"), pod=tolerating(MOST))
    assert refused.excess.measure is Measure.COMPARISONS


def test_terms_of_placed_pods_count_once_for_all_that_say_the_same() -> None:
    def placed(name: str, app: str) -> dict[str, Any]:
        return a_pod(name, node="n", affinity={"podAntiAffinity": {REQUIRED: [a_term([app]), a_term(["z"])]}})

    snapshot = Snapshot.from_objects([a_node("n"), placed("p0", "x"), placed("p1", "x"), placed("p2", "y")])
    assert snapshot.pods.affinity_terms == 4
    snapshot.delete(placed("p2", "y"))
    assert snapshot.pods.affinity_terms == 2
    profile = SchedulerConfiguration.default().profiles[0]

    snapshot.pods.affinity_terms = LIMITS[Measure.PLACED_TERMS]
    assert explain(snapshot, a_pod(), profile).fits
    snapshot.pods.affinity_terms += 1
    with pytest.raises(CostLimitError) as caught:
        explain(snapshot, a_pod(), profile)
    assert caught.value.excess.measure is Measure.PLACED_TERMS


def test_preemption_tries_so_much_and_no_more() -> None:
    """On a single node: as many rounds as pods, in each of which every pod and every requirement counts again."""
    pods = [a_pod(f"p{number}", node="n", requests={"cpu": "1m"}) for number in range(1000)]
    node = a_node("n", allocatable={"cpu": "1", "pods": "2000"})
    urgent = {**tolerating(MOST), "metadata": {"name": "urgent", "namespace": "default"}}
    urgent["spec"].update(priority=1, containers=a_pod(requests={"cpu": "1"})["spec"]["containers"])
    explanation = explanation_of(urgent, node, *pods)

    assert not explanation.fits
    with pytest.raises(CostLimitError) as caught:
        _ = explanation.message
    assert caught.value.excess.measure is Measure.DRY_RUNS


def test_nothing_that_is_known_comes_near_a_limit() -> None:
    named = [requirements_of(Pod(pod)) for corpus in CORPORA for case in cases(corpus).values() for pod in case["pods"]]

    assert 0 < max(named) < MOST // 1000


def test_a_refusal_is_told_from_a_defect() -> None:
    def refused() -> Explanation:
        return explanation_of(tolerating(MOST + 1), a_node("n"))

    failure = attempt(refused)
    assert isinstance(failure, Failure)
    assert measure_of(failure.reference) is Measure.REQUIREMENTS
    assert (failure.excess, failure.details) == (Excess(Measure.REQUIREMENTS, MOST + 1), "")
    assert measure_of(Failure.of(ValueError("x")).reference) is None
