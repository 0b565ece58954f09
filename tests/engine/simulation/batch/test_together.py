"""Pods placed at once: what pod by pod leaves on the table, and what never breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.adapters.flow import solve
from clusters.engine import Snapshot
from clusters.engine.configuration import NoScheduler
from clusters.engine.simulation import BatchSimulation, Case, FlowProblem, FlowSolution, Outcome, Simulation, Wanted
from clusters.engine.simulation import batch as network
from tests.engine.builders import HOSTNAME, ZONE, a_node, a_pod
from tests.engine.simulation.batch.examples import CONFIGURATION, Document, a_case, check, nodes_of, run
from tests.engine.strategies import nodes, pods


def _repelling(name: str, labels: dict[str, str], others: dict[str, str], **more: Any) -> Document:
    term = {"labelSelector": {"matchLabels": others}, "topologyKey": HOSTNAME}
    rule = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    return a_pod(name, labels=labels, affinity=rule, **more)


FRAGMENTS = a_case(
    [a_node(name, allocatable={"cpu": "4"}) for name in ("a", "b")],
    [
        a_pod("small-1", requests={"cpu": "1"}),
        a_pod("small-2", requests={"cpu": "1"}),
        a_pod("big", requests={"cpu": "4"}),
    ],
)
STAR = a_case(
    [a_node(name) for name in ("a", "b")],
    [
        a_pod("leaf-1", labels={"app": "leaf"}, requests={"cpu": "2"}),
        a_pod("leaf-2", labels={"app": "leaf"}, requests={"cpu": "2"}),
        _repelling("hub", {"app": "hub"}, {"app": "leaf"}, requests={"cpu": "1"}),
    ],
)
CROWD = a_case(
    [a_node(name, allocatable={"cpu": "6"}) for name in ("a", "b", "c")],
    [a_pod(f"s{n}", requests={"cpu": "2"}) for n in range(3)]
    + [a_pod(f"b{n}", requests={"cpu": "6"}) for n in range(2)],
)


@pytest.mark.parametrize("case", [FRAGMENTS, STAR, CROWD], ids=["fragments", "star", "crowd"])
def test_places_all_where_pod_by_pod_leaves_some_over(case: Case) -> None:
    in_turn, together = list(Simulation(case)), run(case)

    assert len(nodes_of(in_turn)) < len(nodes_of(together)) == len(case.wanted)
    check(case, together)


def test_many_lots_on_many_nodes_keep_the_network_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pod is a lot of its own here, and each node good for one; which ones a lot keeps differs from lot to lot."""
    monkeypatch.setattr(network, "MOST_ARCS", 200)
    case = a_case(
        [a_node(f"n{n}", allocatable={"cpu": "1"}) for n in range(20)],
        [a_pod(f"p{n}", labels={"app": str(n)}, requests={"cpu": "1"}) for n in range(20)],
    )
    sizes = []

    def counting(problem: FlowProblem) -> FlowSolution:
        sizes.append(len(problem.tails))
        return solve(problem)

    steps = list(BatchSimulation(case, counting))

    assert len(set(nodes_of(steps).values())) == 20
    # Ten to each of the twenty lots, and one from each lot and each node to the sink.
    assert sizes[0] == 200 + 20 + 20


def test_of_alike_pods_and_nodes_no_node_gets_more_than_another() -> None:
    case = a_case([a_node(f"n{n}") for n in range(5)], [a_pod(f"p{n}", requests={"cpu": "1"}) for n in range(15)])

    taken = sorted(nodes_of(run(case)).values())

    assert {node: taken.count(node) for node in taken} == {f"n{n}": 3 for n in range(5)}


def test_a_higher_priority_goes_first_whoever_arrived_first() -> None:
    case = a_case(
        [a_node("a", allocatable={"cpu": "3"})],
        [
            a_pod("low", requests={"cpu": "1"}),
            a_pod("large", requests={"cpu": "3"}),
            a_pod("high", requests={"cpu": "2"}, priority=10),
        ],
    )

    assert nodes_of(run(case)) == {"high": "a", "low": "a"}


def test_says_what_the_flow_could_not_express() -> None:
    """All that the flow sees is room; that the zones must stay even comes up in the repair."""
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    web = [
        a_pod(f"web-{n}", labels={"app": "web"}, requests={"cpu": "1"}, topologySpreadConstraints=[spread])
        for n in range(6)
    ]
    filled = a_pod("filler", node="b-1", requests={"cpu": "5"})
    case = a_case([a_node("a-1", zone="a"), a_node("a-2", zone="a"), a_node("b-1", zone="b"), filled], web)

    simulation = BatchSimulation(case, solve)
    steps = list(simulation)

    placed = nodes_of(steps)
    assert sorted(node[0] for node in placed.values()) == ["a", "a", "a", "b", "b", "b"]
    assert set(simulation.relaxed) == {"PodTopologySpread"}
    check(case, steps)


def test_pods_come_and_go_and_those_who_wait_are_placed_when_that_helps() -> None:
    node = a_node("a", allocatable={"cpu": "2"})
    wanted = [
        Wanted(a_pod("first", requests={"cpu": "2"}), at=0, until=10),
        Wanted(a_pod("second", requests={"cpu": "2"}), at=5),
        Wanted(a_pod("held", schedulingGates=[{"name": "x"}]), at=5),
        Wanted(a_pod("short"), at=20, until=20),
    ]
    case = Case(Snapshot.from_objects([node]), CONFIGURATION, wanted)

    simulation = BatchSimulation(case, solve)
    steps = [(step.at, step.pod.partition("/")[2], step.outcome) for step in simulation]

    assert steps == [
        (0, "first", Outcome.PLACED),
        (5, "held", Outcome.GATED),
        (5, "second", Outcome.UNSCHEDULABLE),
        (10, "first", Outcome.COMPLETED),
        (10, "second", Outcome.PLACED),
        (20, "short", Outcome.PLACED),
        (20, "short", Outcome.COMPLETED),
    ]
    assert list(simulation.waiting) == ["default/held"]
    assert (simulation.pods_done, simulation.pods_total) == (4, 4)


def test_a_pod_of_another_scheduler_is_pending_with_the_reason() -> None:
    [step] = run(a_case([a_node("a")], [a_pod("p", schedulerName="poseidon")]))

    assert step.outcome is Outcome.UNSCHEDULABLE
    assert (step.message, step.problem) == ("", NoScheduler("'poseidon'", ("default-scheduler",)))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Small clusters with all kinds of constraints, and pods that arrive at two moments; some leave at the second."""
    around = [*draw(st.lists(nodes(), min_size=1, max_size=4)), *draw(st.lists(pods(placed=True), max_size=3))]
    wanted = []
    for number in range(draw(st.integers(1, 7))):
        pod = draw(pods(placed=False))
        at = draw(st.sampled_from((0, 0, 5)))
        named = {**pod, "metadata": {**pod["metadata"], "name": f"w{number}"}}
        wanted.append(Wanted(named, at, 5 if at == 0 and draw(st.booleans()) else None))
    return Case(Snapshot.from_objects(around), CONFIGURATION, wanted, seed=draw(st.integers(0, 3)))


@settings(max_examples=40, deadline=None)
@given(cases(), st.data())
def test_every_placement_holds_and_a_run_goes_on_where_it_stopped(case: Case, data: st.DataObject) -> None:
    """Neither more filters nor fewer: replayed step by step, no pod goes where one rejects it, and no run differs."""
    steps = run(case)

    check(case, steps)
    known = steps[: data.draw(st.integers(0, len(steps)))]
    assert run(case, recorded=known) == steps


@settings(max_examples=40, deadline=None)
@given(cases())
def test_never_fewer_pods_than_pod_by_pod(case: Case) -> None:
    """Of pods of one priority that arrive together; nobody is preempted then, in the queue's order either."""
    alike = [Wanted({**each.pod, "spec": {**each.pod["spec"], "priority": 0}, "status": {}}) for each in case.wanted]
    case = replace(case, wanted=alike)

    assert len(nodes_of(run(case))) >= len(nodes_of(Simulation(_peaceful(case))))


def _peaceful(case: Case) -> Case:
    """The case with a preemptionPolicy that preempts nobody."""
    return replace(
        case,
        wanted=[
            Wanted({**each.pod, "spec": {**each.pod["spec"], "preemptionPolicy": "Never"}}) for each in case.wanted
        ],
    )
