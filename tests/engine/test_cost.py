"""What explaining a pod may cost at most is counted before anything is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusters.engine import Explanation, Snapshot
from clusters.engine.nodes import Amounts, NodeState, node_health, stranded
from clusters.engine.scheduling import LIMITS, CostLimitError, Excess, Failure, Measure, attempt, measure_of
from tests.engine.builders import a_node, a_pod, explanation_of
from tests.support.answers import error_of

MOST = LIMITS[Measure.REQUIREMENTS]


def tolerating(count: int) -> dict[str, Any]:
    return a_pod(tolerations=[{"key": f"k{number}", "operator": "Exists"} for number in range(count)])


def refusal_of(*objects: dict[str, Any], pod: dict[str, Any]) -> CostLimitError:
    return error_of(CostLimitError, explanation_of, pod, *objects)


def test_what_it_is_compared_with_counts_too() -> None:
    nodes = [a_node(f"n{number}") for number in range(LIMITS[Measure.COMPARISONS] // MOST)]

    assert explanation_of(tolerating(MOST), *nodes).fits
    assert refusal_of(*nodes, a_node("one-more"), pod=tolerating(MOST)).excess.measure is Measure.COMPARISONS


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


def test_a_refusal_is_told_from_a_defect() -> None:
    def refused() -> Explanation:
        return explanation_of(tolerating(MOST + 1), a_node("n"))

    failure = attempt(refused)
    assert isinstance(failure, Failure)
    assert measure_of(failure.reference) is Measure.REQUIREMENTS
    assert (failure.excess, failure.details) == (Excess(Measure.REQUIREMENTS, MOST + 1), "")
    assert measure_of(Failure.of(ValueError("x")).reference) is None


ZONE = "topology.kubernetes.io/zone"
READY = {"type": "Ready", "status": "True"}


def node(
    name: str, *, zone: str = "", cpu: str = "10", conditions: tuple[dict[str, str], ...] = (READY,), **spec: Any
) -> dict[str, Any]:
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {ZONE: zone} if zone else {}},
        "spec": spec,
        "status": {"allocatable": {"cpu": cpu, "memory": "100Gi", "pods": "10"}, "conditions": list(conditions)},
    }


def pod(name: str, on: str, cpu: str = "0", memory: str = "0") -> dict[str, Any]:
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "nodeName": on,
            "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu, "memory": memory}}}],
        },
    }


def test_the_gravest_state_counts() -> None:
    gpu = {"key": "gpu", "effect": "NoSchedule"}
    objects = [
        node(
            "a",
            conditions=({"type": "Ready", "status": "False"}, {"type": "DiskPressure", "status": "True"}),
            unschedulable=True,
        ),
        node("b", conditions=()),
        node("c", conditions=(READY, {"type": "PIDPressure", "status": "True"}), unschedulable=True),
        node("d", unschedulable=True, taints=[gpu]),
        node("e", taints=[gpu]),
        node(
            "f",
            taints=[
                {"key": "gpu", "effect": "PreferNoSchedule"},
                {"key": "node.kubernetes.io/memory-pressure", "effect": "NoSchedule"},
            ],
        ),
        node("g", taints=[{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]),
    ]
    health = node_health(Snapshot.from_objects(objects))

    assert [NodeState(state) for state in health.states] == [
        NodeState.NOT_READY,
        NodeState.UNKNOWN,
        NodeState.PRESSURE,
        NodeState.CORDONED,
        NodeState.RESERVED,
        NodeState.OPEN,
        NodeState.NOT_READY,
    ]
    assert health.cordoned.tolist() == [True, False, True, True, False, False, False]
    assert health.usable.tolist() == [False, True, False, False, True, True, False]


amounts = st.lists(st.tuples(st.integers(0, 2**40), st.integers(0, 2**40)), min_size=1, max_size=20)


@given(cpu=amounts, data=st.data())
def test_what_is_stranded_is_left_and_more_than_half(cpu: list[tuple[int, int]], data: st.DataObject) -> None:
    columns = {"cpu": cpu}
    for name in ("memory", "pods"):
        columns[name] = data.draw(
            st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=len(cpu), max_size=len(cpu))
        )
    usable = np.array(data.draw(st.lists(st.booleans(), min_size=len(cpu), max_size=len(cpu))), np.bool_)

    for each in stranded({name: Amounts(*np.array(pairs, np.int64).T) for name, pairs in columns.items()}, usable):
        pairs = [columns[each.resource][row] for row in each.rows]
        assert all(usable[row] for row in each.rows)
        assert all(2 * requested < allocatable for requested, allocatable in pairs)
        assert each.left == sum(allocatable - requested for requested, allocatable in pairs)
        assert all(
            any(10 * columns[name][row][0] > 9 * columns[name][row][1] for name, _ in each.for_lack)
            for row in each.rows
        )
