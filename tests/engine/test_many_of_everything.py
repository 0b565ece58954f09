"""However much a pod or a cluster names: answers are those of a rule written plainly for one node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine.plugins.inter_pod_affinity import PodAntiAffinity
from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.plugins.pod_topology_spread import NoTopologyLabel
from clusters.engine.plugins.taint_toleration import Untolerated
from clusters.engine.status import Status, unresolvable, unschedulable
from tests.engine.builders import a_node, a_pod, explanation_of

if TYPE_CHECKING:
    from clusters.engine import Explanation

MANY = 200


def resource(number: int) -> str:
    return f"example.com/r{number:03}"


def insufficient(asked: dict[str, int], there: dict[str, int], used: dict[str, int]) -> Status | None:
    """What NodeResourcesFit says of one node with room for pods."""
    short = [name for name in sorted(asked) if asked[name] > there.get(name, 0) - used.get(name, 0)]
    if not short:
        return None
    hopeless = any(asked[name] > there.get(name, 0) for name in short)
    return (unresolvable if hopeless else unschedulable)(*map(Insufficient, short))


def rejections(explanation: Explanation, plugin: str) -> list[Status | None]:
    return [explanation.rejections_of(row).get(plugin) for row in range(explanation.node_count)]


amounts = st.dictionaries(st.integers(0, MANY - 1).map(resource), st.integers(1, 3), max_size=MANY)


@settings(max_examples=25, deadline=None)
@given(asked=amounts, nodes=st.lists(st.tuples(amounts, amounts), min_size=1, max_size=6))
def test_any_number_of_resources(asked: dict[str, int], nodes: list[tuple[dict[str, int], dict[str, int]]]) -> None:
    def written(each: dict[str, int]) -> dict[str, str]:
        return {name: str(amount) for name, amount in each.items()}

    objects: list[Any] = []
    for number, (there, used) in enumerate(nodes):
        objects.append(a_node(f"n{number}", allocatable=written(there)))
        objects.append(a_pod(f"p{number}", node=f"n{number}", requests=written(used)))
    explanation = explanation_of(a_pod(requests=written(asked)), *objects)

    assert rejections(explanation, "NodeResourcesFit") == [insufficient(asked, *node) for node in nodes]


@pytest.mark.parametrize("count", [15, 62, 63, 64, 65, 1000])
def test_all_that_a_pod_with_many_resources_lacks_is_named_and_counted(count: int) -> None:
    asked = {resource(number): "1" for number in range(count)}
    explanation = explanation_of(a_pod(requests=asked), a_node("full", allocatable=asked), a_node("none"))

    assert explanation.feasible == ["full"]
    assert explanation.rejections_of(1)["NodeResourcesFit"] == unresolvable(*map(Insufficient, asked))
    assert len(explanation.relaxations.reductions) == 0
    assert explanation.cycle.pattern_count == 2


def test_many_taints_filters_and_terms_at_once() -> None:
    """Each node is turned down in a way of its own: 100 taints, 100 host ports, 100 terms, 100 constraints."""
    keys = [f"k{number:03}" for number in range(100)]
    nodes = [
        a_node(f"n{number:03}", labels={key: "x"}, taints=[{"key": key, "effect": "NoSchedule"}])
        for number, key in enumerate(keys)
    ]
    placed = [a_pod(f"p{number:03}", node=f"n{number:03}", labels={"app": key}) for number, key in enumerate(keys)]
    terms = [{"labelSelector": {"matchLabels": {"app": key}}, "topologyKey": key} for key in keys]
    spread = [
        {
            "maxSkew": 1,
            "topologyKey": key,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": key}},
        }
        for key in keys
    ]
    pod = a_pod(
        affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}},
        topologySpreadConstraints=spread,
    )
    explanation = explanation_of(pod, *nodes, *placed)

    assert not explanation.feasible
    taints = [unresolvable(Untolerated(key)) for key in keys]
    assert rejections(explanation, "TaintToleration") == taints
    away = unschedulable(PodAntiAffinity())
    assert rejections(explanation, "InterPodAffinity") == [away] * 100
    missing = unresolvable(NoTopologyLabel())
    assert rejections(explanation, "PodTopologySpread") == [missing] * 100
    assert explanation.cycle.pattern_count == 100
