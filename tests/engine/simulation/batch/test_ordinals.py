"""Ordinals of StatefulSets where a flow places pods: one after the other, as their controller creates them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.adapters.flow import solve
from clusters.engine.simulation import AwaitsOrdinal, BatchSimulation, Origin, Outcome, Simulation, Wanted
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.batch.examples import check, nodes_of, run
from tests.engine.simulation.changing import a_workload, after


def _node(cpus: int, name: str = "n1") -> dict[str, Any]:
    return a_node(name, allocatable={"cpu": str(cpus), "memory": "64Gi", "pods": "110"})


def _asking(cpus: int) -> dict[str, Any]:
    return {"containers": [{"name": "main", "resources": {"requests": {"cpu": str(cpus)}}}]}


def _set(name: str, replicas: int, *, cpus: int = 2, policy: str = "OrderedReady") -> dict[str, Any]:
    manifest = a_workload("StatefulSet", name, replicas=replicas, podManagementPolicy=policy, pod=_asking(cpus))
    return {"change": "add-workload", "manifest": manifest}


def _deployment(name: str, replicas: int, *, cpus: int) -> dict[str, Any]:
    return {"change": "add-workload", "manifest": a_workload("Deployment", name, replicas=replicas, pod=_asking(cpus))}


def test_ordinals_behind_one_that_is_pending_are_told_of_as_pod_by_pod() -> None:
    case = after([_node(5)], _set("web", 5)).case

    in_turn, together = list(Simulation(case)), run(case)

    assert [(step.pod, step.outcome, step.problem) for step in together] == [
        (step.pod, step.outcome, step.problem) for step in in_turn
    ]
    held = [step.problem for step in together if step.outcome is Outcome.FORBIDDEN]
    assert held == [AwaitsOrdinal("default/web", "web-2")] * 2


def test_ordinals_of_a_parallel_set_are_placed_together() -> None:
    outcomes = [step.outcome for step in run(after([_node(5)], _set("web", 5, policy="Parallel")).case)]

    assert outcomes == [Outcome.PLACED] * 2 + [Outcome.UNSCHEDULABLE] * 3


def test_a_flow_places_the_first_ordinals_together_with_all_others() -> None:
    changes = [_set("web", 2, cpus=3), _set("db", 2, cpus=3), _deployment("small", 2, cpus=1)]
    case = after([_node(4, "a"), _node(4, "b")], *changes).case

    steps = run(case)

    assert {name for name in nodes_of(steps) if not name.startswith("small")} == {"web-0", "db-0"}
    assert len(nodes_of(steps)) == 4
    first = [step.pod.partition("/")[2] for step in steps[:4]]
    assert not {"web-1", "db-1"} & set(first)
    check(case, steps)
    for number in range(len(steps) + 1):
        assert run(case, recorded=steps[:number]) == steps


def test_the_next_ordinal_is_created_when_the_one_before_is_placed_later() -> None:
    case = after([_node(7)], _set("web", 4)).case
    passing = a_pod("passing", requests={"cpu": "6"}, priority=9)
    case = replace(case, wanted=[*case.wanted, Wanted(passing, until=5, origin=Origin.PENDING_BEFORE)])

    steps = run(case)

    waits = [AwaitsOrdinal("default/web", f"web-{number}") for number in range(4)]
    assert [(step.pod.partition("/")[2], step.outcome.value, step.problem) for step in steps] == [
        ("passing", "placed", None),
        ("web-0", "unschedulable", None),
        *((f"web-{number}", "forbidden", waits[0]) for number in (1, 2, 3)),
        ("passing", "completed", None),
        ("web-0", "placed", None),
        ("web-1", "placed", None),
        ("web-2", "placed", None),
        ("web-3", "unschedulable", None),
    ]
    for number in range(len(steps) + 1):
        assert run(case, recorded=steps[:number]) == steps


def test_a_quota_refuses_the_ordinal_whose_turn_it_is() -> None:
    quota = {
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": "default"},
        "spec": {"hard": {"pods": "1"}},
        "status": {"hard": {"pods": "1"}, "used": {"pods": "0"}},
    }
    steps = run(after([_node(9), quota], _set("web", 3)).case)

    assert [(step.pod.partition("/")[2], step.outcome) for step in steps] == [
        ("web-0", Outcome.PLACED),
        ("web-1", Outcome.FORBIDDEN),
        ("web-2", Outcome.FORBIDDEN),
    ]
    assert [isinstance(step.problem, AwaitsOrdinal) for step in steps] == [False, False, True]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.lists(st.integers(1, 6), min_size=1, max_size=3), st.integers(1, 3), st.data())
def test_no_two_ordinals_of_a_set_are_pending(replicas: int, cpus: list[int], asked: int, data: st.DataObject) -> None:
    others = data.draw(st.lists(st.integers(1, 4), max_size=2))
    changes = [_set(name, replicas, cpus=asked) for name in ("web", "db")]
    case = after([_node(count, f"n{number}") for number, count in enumerate(cpus)], *changes).case
    passing = [
        Wanted(a_pod(f"p{number}", requests={"cpu": str(cpu)}, priority=9), until=number, origin=Origin.PENDING_BEFORE)
        for number, cpu in enumerate(others)
    ]
    case = replace(case, wanted=[*case.wanted, *passing])
    simulation = BatchSimulation(case, solve)
    steps = []

    for step in simulation:
        steps.append(step)
        for name in ("web", "db"):
            assert sum(key.startswith(f"default/{name}-") for key in simulation.waiting) <= 1

    check(case, steps)
    for name in ("web", "db"):
        own = sorted(pod for pod in nodes_of(steps) if pod.startswith(f"{name}-"))
        assert own == [f"{name}-{number}" for number in range(len(own))]
        told = {step.pod for step in steps if step.pod.startswith(f"default/{name}-")}
        assert len(told) == replicas
    known = steps[: data.draw(st.integers(0, len(steps)))]
    assert run(case, recorded=known) == steps
