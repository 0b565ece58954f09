"""Pod groups that are placed whole or not at all, and running pods that make way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.adapters.flow import solve
from clusters.engine.simulation import MOVE_COST, BatchSimulation, Outcome, PodGroupDoesNotFit, Simulation
from tests.engine.builders import a_node, a_pod
from tests.engine.podgroups.groups import a_group, a_member
from tests.engine.simulation.batch.examples import (
    Document,
    a_budget,
    a_case,
    check,
    controlled,
    healthy_by_budget,
    nodes_of,
    run,
    running,
)

GROUP = "scheduling.x-k8s.io/pod-group"


def _member(name: str, group: str, **more: Any) -> Document:
    return a_pod(name, labels={GROUP: group}, requests={"cpu": "1"}, **more)


def test_two_gangs_that_would_block_each_other_take_turns() -> None:
    """Each takes half of the room when pods go one by one, and neither can work."""
    members = [_member(f"{group}{n}", group) for n in range(3) for group in ("a", "b")]
    case = a_case([a_node("n", allocatable={"cpu": "4"})], members)

    assert sorted(name[0] for name in nodes_of(Simulation(case))) == ["a", "a", "b", "b"]
    steps = run(case, gangs="pod-group")

    assert sorted(nodes_of(steps)) == ["a0", "a1", "a2"]
    told = [(step.message, step.problem) for step in steps if step.pod == "default/b0"]
    assert told == [("", PodGroupDoesNotFit("default/b", 3))]
    check(case, steps)


@pytest.mark.parametrize(("least", "placed"), [(2, 2), (3, 0)])
def test_a_group_is_whole_with_as_many_as_its_object_says(least: int, placed: int) -> None:
    group = {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": {"name": "a", "namespace": "default"},
        "spec": {"minMember": least},
    }
    node = a_node("n", allocatable={"cpu": "2"})
    case = a_case([node, group], [_member(f"a{n}", "a") for n in range(4)])

    assert len(nodes_of(run(case, gangs="pod-group"))) == placed


@pytest.mark.parametrize(("least", "placed"), [(2, 2), (3, 0), (None, 2)])
@pytest.mark.parametrize("minor", ["1.35", "1.37"])
def test_groups_of_kubernetes_itself_are_whole_too(minor: str, least: int | None, placed: int) -> None:
    node = a_node("n", allocatable={"cpu": "2"})
    members = [a_member(f"a{n}", minor=minor, requests={"cpu": "1"}) for n in range(4)]
    case = a_case([node, a_group(least=least, minor=minor)], members)

    assert len(nodes_of(run(case, gangs="pod-group"))) == placed


def test_running_members_count_for_their_group() -> None:
    here = running(_member("a0", "a", node="n"))
    group = {"kind": "PodGroup", "metadata": {"name": "a", "namespace": "default"}, "spec": {"minMember": 3}}
    case = a_case([a_node("n", allocatable={"cpu": "3"}), here, group], [_member("a1", "a"), _member("a2", "a")])

    assert sorted(nodes_of(run(case, gangs="pod-group"))) == ["a1", "a2"]


def test_an_unknown_way_of_grouping_is_refused() -> None:
    with pytest.raises(ValueError, match="gangs: 'queue' is not known; use 'pod-group'"):
        BatchSimulation(a_case([], []), solve, gangs="queue")


def _fragmented(*, budget: bool) -> list[Document]:
    """Two nodes half full with small pods, beside one on each that nothing may move."""
    around: list[Document] = [a_node(name, allocatable={"cpu": "4"}) for name in ("a", "b")]
    for name in ("a", "b"):
        pod = a_pod(f"web-{name}", node=name, labels={"app": "web"}, requests={"cpu": "2"})
        around.append(running(controlled(pod, "web")))
    return [*around, a_budget("web", {"app": "web"}, least=2, pods=2)] if budget else around


def test_a_running_pod_moves_to_let_a_large_one_in() -> None:
    case = a_case(_fragmented(budget=False), [a_pod("big", requests={"cpu": "4"})])

    assert nodes_of(run(case)) == {}
    steps = run(case, reschedules=True)

    moved = next(step for step in steps if step.outcome is Outcome.EVICTED)
    assert moved.by == "default/big"
    assert nodes_of(steps) == {"big": moved.node, "web-again-1": "b" if moved.node == "a" else "a"}
    check(case, steps)


def test_a_budget_that_allows_nothing_keeps_its_pods_where_they_are() -> None:
    case = a_case(_fragmented(budget=True), [a_pod("big", requests={"cpu": "4"})])

    assert [step.outcome for step in run(case, reschedules=True)] == [Outcome.UNSCHEDULABLE]


def test_a_pod_moves_for_a_better_place_only_if_that_pays() -> None:
    """Two nodes are equal but for a taint that a pod had better avoid: it is worth three times its plugin's weight."""
    taint = {"key": "x", "effect": "PreferNoSchedule"}
    pod = running(controlled(a_pod("web", node="a", requests={"cpu": "1"}), "web"))
    case = a_case([a_node("a", taints=[taint]), a_node("b"), pod], [a_pod("other", nodeName="", requests={"cpu": "1"})])

    steps = run(case, reschedules=True)

    [moved] = [step for step in steps if step.outcome is Outcome.EVICTED]
    assert (moved.pod, moved.node) == ("default/web", "a")
    [placed] = [step for step in steps if step.pod == "default/web-again-1"]
    assert (placed.node, moved.by, moved.message) == ("b", "", "")
    assert placed.total is not None
    assert moved.total is not None
    assert placed.total - moved.total > MOVE_COST
    without = a_case([a_node("a"), a_node("b"), pod], [a_pod("other", requests={"cpu": "1"})])
    assert Outcome.EVICTED not in {step.outcome for step in run(without, reschedules=True)}


def test_nodes_are_drained_and_lost_as_where_pods_go_one_by_one() -> None:
    """A budget keeps the pods of the one; the taint drives out those of the other."""
    web = [
        running(controlled(a_pod(f"web{n}", node="a", labels={"app": "web"}, requests={"cpu": "1"}), "web"))
        for n in range(2)
    ]
    silent = running(controlled(a_pod("db", node="b", requests={"cpu": "1"}), "db"))
    around = [*(a_node(name) for name in ("a", "b", "c", "d")), *web, silent]
    case = replace(
        a_case([*around, a_budget("web", {"app": "web"}, least=2, pods=2)], [a_pod("new", requests={"cpu": "1"})]),
        drained=("a",),
        unreachable=("b",),
    )

    together, in_turn = run(case), list(Simulation(case))

    assert [(step.at, step.outcome, step.pod) for step in together] == [
        (step.at, step.outcome, step.pod) for step in in_turn
    ]
    outcomes = [step.outcome for step in together]
    assert outcomes.count(Outcome.REFUSED) == 2
    assert outcomes.count(Outcome.EVICTED) == 1
    for number in range(len(together) + 1):
        assert run(case, recorded=together[:number]) == together


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_budget_is_ever_broken(data: st.DataObject) -> None:
    sizes = st.sampled_from(("500m", "1", "2"))
    around: list[Document] = [a_node(name, allocatable={"cpu": "4"}) for name in ("a", "b", "c")]
    counts = {"web": 0, "db": 0}
    for number in range(data.draw(st.integers(2, 7))):
        app = data.draw(st.sampled_from(("web", "db")))
        counts[app] += 1
        node = data.draw(st.sampled_from(("a", "b", "c")))
        pod = a_pod(f"{app}{number}", node=node, labels={"app": app}, requests={"cpu": data.draw(sizes)})
        around.append(running(controlled(pod, app)))
    least = {app: data.draw(st.integers(0, count)) for app, count in counts.items()}
    around += [a_budget(app, {"app": app}, least=least[app], pods=count) for app, count in counts.items()]
    incoming = [
        a_pod(f"in{n}", requests={"cpu": data.draw(st.sampled_from(("1", "3", "4")))})
        for n in range(data.draw(st.integers(1, 4)))
    ]
    case = a_case(around, incoming)

    steps = run(case, reschedules=True)

    assert sum(step.pod.startswith("default/in") for step in steps if step.outcome is Outcome.PLACED) >= sum(
        step.outcome is Outcome.PLACED for step in run(case)
    )
    check(case, steps)
    states = BatchSimulation(case, solve, steps)
    for _ in states:
        healthy = healthy_by_budget(states.snapshot)
        assert all(healthy[f"default/{app}"] >= number for app, number in least.items())
