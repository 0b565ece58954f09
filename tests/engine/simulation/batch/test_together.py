"""Pods placed at once: what pod by pod leaves on the table, and what never breaks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.adapters.flow import solve
from clusters.engine import Snapshot
from clusters.engine.configuration import NoScheduler
from clusters.engine.nodes import GRACE
from clusters.engine.simulation import (
    MOVE_COST,
    AwaitsOrdinal,
    BatchSimulation,
    Case,
    FlowProblem,
    FlowSolution,
    Origin,
    Outcome,
    PodGroupDoesNotFit,
    Simulation,
    Wanted,
    batch as network,
)
from tests.engine.builders import HOSTNAME, ZONE, a_node, a_pod, controlled, ready
from tests.engine.podgroups.groups import a_group, a_member
from tests.engine.simulation.batch.examples import (
    CONFIGURATION,
    Document,
    a_budget,
    a_case,
    check,
    healthy_by_budget,
    nodes_of,
    run,
)
from tests.engine.simulation.changing import a_workload, after
from tests.engine.strategies import nodes, pods
from tests.support.answers import known


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


def test_pods_come_and_go_and_those_who_wait_are_placed_when_that_helps() -> None:
    node = a_node("a", allocatable={"cpu": "2"})
    wanted = [
        Wanted(a_pod("first", requests={"cpu": "2"}), at=0, until=10),
        Wanted(a_pod("second", requests={"cpu": "2"}), at=5),
        Wanted(a_pod("held", schedulingGates=[{"name": "x"}]), at=5),
        Wanted(a_pod("short"), at=20, until=20),
    ]

    simulation = BatchSimulation(Case(Snapshot.from_objects([node]), CONFIGURATION, wanted), solve)

    assert [(step.at, step.pod.partition("/")[2], step.outcome) for step in simulation] == [
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


@settings(max_examples=20, deadline=None)
@given(cases(), st.data())
def test_every_placement_holds_and_a_run_goes_on_where_it_stopped(case: Case, data: st.DataObject) -> None:
    """Neither more filters nor fewer: replayed step by step, no pod goes where one rejects it, and no run differs."""
    steps = run(case)

    check(case, steps)
    assert run(case, recorded=steps[: data.draw(st.integers(0, len(steps)))]) == steps


@settings(max_examples=20, deadline=None)
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


def _node(cpus: int, name: str = "n1") -> dict[str, Any]:
    return a_node(name, allocatable={"cpu": str(cpus), "memory": "64Gi", "pods": "110"})


def _asking(cpus: int) -> dict[str, Any]:
    return {"containers": [{"name": "main", "resources": {"requests": {"cpu": str(cpus)}}}]}


def _set(name: str, replicas: int, *, cpus: int = 2, policy: str = "OrderedReady") -> dict[str, Any]:
    manifest = a_workload("StatefulSet", name, replicas=replicas, podManagementPolicy=policy, pod=_asking(cpus))
    return {"change": "add-workload", "manifest": manifest}


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


@settings(max_examples=20, deadline=None)
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
        assert len({step.pod for step in steps if step.pod.startswith(f"default/{name}-")}) == replicas
    assert run(case, recorded=steps[: data.draw(st.integers(0, len(steps)))]) == steps


def test_what_is_recorded_of_a_later_time_is_not_taken_for_now() -> None:
    """Pods that are pending as before say nothing, and their next step may follow upon those of others at once."""
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    pods = [a_pod(f"web-{number}", labels={"app": "web"}, topologySpreadConstraints=[spread]) for number in range(4)]
    nodes = [a_node("a", zone="a"), a_node("b", zone="b", allocatable={"pods": "0"})]
    wanted = [Wanted(pods[0], until=5), *map(Wanted, pods[1:])]
    case = Case(Snapshot.from_objects(nodes), CONFIGURATION, wanted, unreachable=["b"])
    steps = run(case)

    assert [step.pod for step in steps[-2:]] == ["default/web-2", "default/web-3"]
    assert {step.at for step in steps[-2:]} == {GRACE}
    for number in range(len(steps) + 1):
        assert list(BatchSimulation(case, solve, steps[:number])) == steps


GROUP = "scheduling.x-k8s.io/pod-group"


def _member(name: str, group: str, **more: Any) -> Document:
    return a_pod(name, labels={GROUP: group}, requests={"cpu": "1"}, **more)


@pytest.mark.parametrize(("least", "placed"), [(2, 2), (3, 0)])
def test_a_group_is_whole_with_as_many_as_its_object_says(least: int, placed: int) -> None:
    group = {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup.scheduling.x-k8s.io",
        "metadata": {"name": "a", "namespace": "default"},
        "spec": {"minMember": least},
    }
    case = a_case([a_node("n", allocatable={"cpu": "2"}), group], [_member(f"a{n}", "a") for n in range(4)])

    assert len(nodes_of(run(case, gangs="pod-group"))) == placed


@pytest.mark.parametrize(("least", "placed"), [(2, 2), (3, 0), (None, 2)])
@pytest.mark.parametrize("minor", ["1.35", "1.37"])
def test_groups_of_kubernetes_itself_are_whole_too(minor: str, least: int | None, placed: int) -> None:
    members = [a_member(f"a{n}", minor=minor, requests={"cpu": "1"}) for n in range(4)]
    case = a_case([a_node("n", allocatable={"cpu": "2"}), a_group(least=least, minor=minor)], members)

    assert len(nodes_of(run(case, gangs="pod-group"))) == placed


def test_running_members_count_for_their_group() -> None:
    here = ready(_member("a0", "a", node="n"))
    kind = "PodGroup.scheduling.x-k8s.io"
    group = {"kind": kind, "metadata": {"name": "a", "namespace": "default"}, "spec": {"minMember": 3}}
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
        around.append(ready(controlled(pod)))
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
    pod = ready(controlled(a_pod("web", node="a", requests={"cpu": "1"})))
    case = a_case([a_node("a", taints=[taint]), a_node("b"), pod], [a_pod("other", nodeName="", requests={"cpu": "1"})])

    steps = run(case, reschedules=True)

    [moved] = [step for step in steps if step.outcome is Outcome.EVICTED]
    assert (moved.pod, moved.node) == ("default/web", "a")
    [placed] = [step for step in steps if step.pod == "default/web-again-1"]
    assert (placed.node, moved.by, moved.message) == ("b", "", "")
    assert known(placed.total) - known(moved.total) > MOVE_COST
    without = a_case([a_node("a"), a_node("b"), pod], [a_pod("other", requests={"cpu": "1"})])
    assert Outcome.EVICTED not in {step.outcome for step in run(without, reschedules=True)}


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
        around.append(ready(controlled(pod, name=app)))
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
