"""Two runs side by side: what ended elsewhere, and what tipped it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.adapters.flow import solve
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.configuration import NoScheduler
from clusters.engine.objects import key_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.resources import PODS
from clusters.engine.simulation import (
    Affected,
    AffectedWorkload,
    Amount,
    BatchSimulation,
    Case,
    Finished,
    Outcome,
    PlacementChange,
    Quorum,
    RunningPods,
    Simulation,
    Step,
    Wanted,
    Why,
    affected,
    budget_measures,
    compare_runs,
    fragmentation_of,
    measures,
    measures_of,
    newly_pending,
    reference_shapes,
    running_pods,
    series_of,
    spread_measures,
    state_after,
)
from clusters.engine.simulation.comparison import Prices, Side
from clusters.engine.simulation.outcome import HealthyPods
from tests.engine.builders import ZONE, Document, a_node, a_pod, controlled, with_arguments
from tests.engine.simulation.changing import after, owned
from tests.engine.strategies import nodes, pods
from tests.support.answers import known

if TYPE_CHECKING:
    import pytest

    from clusters.engine.simulation.measures import Point

DEFAULT = SchedulerConfiguration.default()


def configured(**fields: Any) -> SchedulerConfiguration:
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **fields}
    return SchedulerConfiguration.from_dict(versioned)


PACKING = configured(**with_arguments("NodeResourcesFit", scoringStrategy={"type": "MostAllocated"}))


def finished(case: Case) -> Finished:
    simulation = Simulation(case)
    return Finished(case, list(simulation), simulation)


def case_of(*objects: Document, wanted: list[Document], **fields: Any) -> Case:
    return Case(Snapshot.from_objects(objects), fields.pop("configuration", DEFAULT), [*map(Wanted, wanted)], **fields)


@given(
    cluster=st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node["metadata"]["name"]),
    others=st.lists(pods(placed=True), max_size=4, unique_by=lambda pod: pod["metadata"]["name"]),
    shapes=st.lists(pods(placed=False), max_size=4),
    seed=st.integers(0, 3),
)
@settings(max_examples=25)
def test_a_run_does_not_differ_from_itself(
    cluster: list[Document], others: list[Document], shapes: list[Document], seed: int
) -> None:
    wanted = [
        {**shape, "metadata": {**shape["metadata"], "name": f"wanted-{number}"}} for number, shape in enumerate(shapes)
    ]
    case = case_of(*cluster, *others, wanted=wanted, seed=seed)
    found = compare_runs(finished(case), finished(replace(case, snapshot=Snapshot.from_objects([*cluster, *others]))))

    assert (found.changes, found.differences, found.parting, found.same_configuration) == ((), (), None, True)
    assert (found.only_left_pending, found.only_right_pending) == ((), ())
    assert found.left == found.right


def test_another_strategy_packs_and_the_plugin_is_named() -> None:
    cluster = [a_node("empty"), a_node("used"), a_pod("there", node="used", requests={"cpu": "2", "memory": "4Gi"})]
    wanted = [a_pod("web", requests={"cpu": "1", "memory": "2Gi"})]
    spread, packed = (
        finished(case_of(*cluster, wanted=wanted, configuration=configuration)) for configuration in (DEFAULT, PACKING)
    )
    found = compare_runs(spread, packed, prices=Prices("kubernetes.io/hostname", {"used": 2.5}))

    (difference,) = found.differences
    assert difference.change == PlacementChange("default/web", "empty", "used")
    assert (difference.why, difference.plugin, difference.state_differed) == (Why.SCORED, "NodeResourcesFit", False)
    assert (difference.points[0].left > 0, difference.points[0].right < 0) == (True, True)
    assert (found.same, found.same_configuration) == (1, False)
    assert (found.left.cost.nodes, found.right.cost.nodes) == (2, 1)
    assert (found.left.cost.price, found.left.cost.unpriced) == (2.5, 1)
    assert found.right.cost.allocatable["cpu"] == 8000


def test_seeds_that_break_ties_otherwise() -> None:
    cluster = [a_node(f"n{number}") for number in range(6)]
    wanted = [a_pod(f"web-{number}", requests={"cpu": "1"}) for number in range(3)]
    left, right = (finished(case_of(*cluster, wanted=wanted, seed=seed)) for seed in (1, 2))
    found = compare_runs(left, right)
    first = found.differences[0]

    assert first.why is Why.TIE
    assert (known(found.parting).number, first.left_step, first.state_differed) == (
        first.left_step,
        first.left_step,
        False,
    )
    assert all(each.state_differed for each in found.differences[1:])


def test_pending_gone_and_not_wanted() -> None:
    cluster = [a_node("a", allocatable={"cpu": "2"}), a_pod("low", node="a", requests={"cpu": "2"}, priority=1)]
    high = a_pod("high", requests={"cpu": "2"}, priority=100)
    left = finished(case_of(*cluster, wanted=[{**high, "spec": {**high["spec"], "preemptionPolicy": "Never"}}]))
    right = finished(case_of(*cluster, wanted=[high, a_pod("more", requests={"cpu": "1"})]))
    found = compare_runs(left, right)
    by_pod = {each.change.pod.removeprefix("default/"): each for each in found.differences}

    assert (found.only_left_pending, found.only_right_pending) == (("default/high",), ("default/more",))
    assert (by_pod["low"].why, by_pod["low"].side) == (Why.GONE, Side.RIGHT)
    assert by_pod["low"].reasons == ("preempted", "default/high")
    assert (by_pod["high"].why, by_pod["high"].side, by_pod["high"].plugin) == (
        Why.FILTERED,
        Side.LEFT,
        "NodeResourcesFit",
    )
    assert found.right.disruptions.preempted == 1
    # On no node in either run: nothing to tell but that it is pending in only one run.
    assert "more" not in by_pod


def test_only_reasons_that_are_computed_are_bounded() -> None:
    wanted = [a_pod(f"web-{number}", requests={"cpu": "1"}) for number in range(5)]
    closed = a_node("a", unschedulable=True)
    left = finished(case_of(a_node("a"), wanted=wanted))
    right = finished(case_of(closed, a_node("b"), wanted=[*wanted, *(a_pod(f"more-{number}") for number in range(5))]))
    found = compare_runs(left, finished(case_of(closed, wanted=wanted)), most_reasons=2)

    assert Counter(each.why for each in found.differences) == {Why.FILTERED: 2, Why.NOT_COMPUTED: 3}
    assert [each.change for each in found.differences] == list(found.changes)
    told = compare_runs(right, finished(case_of(closed, wanted=wanted)), most_reasons=0).differences
    assert Counter(each.why for each in told) == {Why.NO_SUCH_NODE: 5, Why.NOT_WANTED: 5}


def test_a_pod_and_who_came_in_its_place_are_one() -> None:
    base = [
        a_node("a", zone="x"),
        a_node("b", zone="y", allocatable={"cpu": "5"}),
        *(owned(f"web-{number}", "web", "a", requests={"cpu": "3"}) for number in range(2)),
        owned("log", "log", "a", kind="DaemonSet"),
        a_pod("waits", requests={"cpu": "1"}),
    ]
    before = finished(after(base).case)
    lost = finished(after(base, {"change": "lose-zone", "zone": "x", "how": "gone"}).case)
    drained = finished(after(base, {"change": "drain-nodes", "nodes": ["a"]}).case)
    found = compare_runs(before, lost)
    by_pod = {each.change.pod.removeprefix("default/"): each for each in found.differences}

    assert set(by_pod) - {"waits"} == {"web-0", "web-1", "log"}
    assert by_pod["web-0"].change == PlacementChange("default/web-0", "a", "b", "", "default/web-again-1")
    assert (by_pod["web-0"].why, by_pod["web-0"].side) == (Why.REPLACED, Side.RIGHT)
    assert by_pod["web-1"].change.right == ""
    assert "Insufficient cpu" in by_pod["web-1"].reasons[1]
    assert (by_pod["log"].why, by_pod["log"].reasons) == (Why.NODE_GONE, ("a",))
    assert (found.only_left_pending, found.only_right_pending) == ((), ("default/web-1",))
    # Lost or drained, the same pods of one workload are compared with each other.
    assert {each.change.pod for each in compare_runs(lost, drained).differences} <= {"default/log", "default/waits"}


def test_a_pod_that_nothing_schedules_in_one_of_the_runs() -> None:
    pod = a_pod("web", schedulerName="second")
    named = configured(profiles=[{"schedulerName": "second"}])
    left = finished(case_of(a_node("a"), wanted=[pod], configuration=named))
    (difference,) = compare_runs(left, finished(case_of(a_node("a"), wanted=[pod]))).differences

    assert (difference.why, difference.side) == (Why.UNKNOWN, Side.RIGHT)
    assert difference.problem == NoScheduler("'second'", ("default-scheduler",))


def test_a_batch_is_gone_through_as_a_batch() -> None:
    small, large = a_pod("small", requests={"cpu": "1"}), a_pod("large", requests={"cpu": "3"})
    case = case_of(
        a_node("a", allocatable={"cpu": "3"}), a_node("b", allocatable={"cpu": "1"}), wanted=[small, large], seed=1
    )
    one_by_one = finished(replace(case, configuration=DEFAULT))

    def together(steps: list[Step]) -> BatchSimulation:
        return BatchSimulation(case, solve, steps)

    simulation = together([])
    steps = list(simulation)
    found = compare_runs(one_by_one, Finished(case, steps, simulation, again=lambda: together(steps)))

    assert {each.change.pod: each.change.right for each in found.differences} == {
        "default/large": "a",
        "default/small": "b",
    }
    assert found.only_left_pending == ("default/large",)


KAFKA = Workload("default", "StatefulSet", "kafka")


def stateful_set(name: str, replicas: int) -> Document:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}"}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": {"replicas": replicas}}


def budget(name: str, least: int) -> Document:
    spec = {"minAvailable": least, "selector": {"matchLabels": {"app": name}}}
    return {"kind": "PodDisruptionBudget", "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def kafka(*nodes: str, cpu: str = "2") -> list[Document]:
    return [
        owned(f"kafka-{n}", "kafka", node, kind="StatefulSet", requests={"cpu": cpu}, labels={"app": "kafka"},
              status={"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]})
        for n, node in enumerate(nodes)
    ]  # fmt: skip


def cluster(cpu: str) -> list[Document]:
    return [a_node("a", zone="x", allocatable={"cpu": "8"}), a_node("b", zone="y", allocatable={"cpu": cpu})]


def found_of(base: list[Document], change: Document) -> tuple[Affected, tuple[str, ...]]:
    case = after(base, change).case
    simulation = Simulation(case)
    for _ in simulation:
        pass
    pending = newly_pending(simulation.waiting, {key_of(each.pod): each.origin for each in case.wanted})
    workloads = {}
    for key in pending:
        workloads[key] = Workload.of("default", Controller.of(simulation.document_of(key)), "")
    waiting = [simulation.document_of(key) for key in simulation.waiting]
    before = running_pods(Snapshot.from_objects(base))
    return affected(before, running_pods(simulation.snapshot, waiting), workloads), pending


def lost(how: str = "gone") -> Document:
    return {"change": "lose-zone", "zone": "x", "how": how}


def test_a_stateful_set_without_a_majority_afterwards_loses_its_quorum_and_breaks_its_budget() -> None:
    base = [*cluster("6"), stateful_set("kafka", 5), budget("kafka", 4), *kafka("a", "a", "a", "b", "b")]

    # One of three fits beside the two that stay: 3 of 5 are a majority.
    enough, _ = found_of(base, lost())
    none, pending = found_of([a_node("b", zone="y", allocatable={"cpu": "4"}), *base[:1], *base[2:]], lost())

    assert enough.workloads == (AffectedWorkload(KAFKA, 5, 5, 3, 3, 2, Quorum.INTERRUPTED),)
    assert none.workloads == (AffectedWorkload(KAFKA, 5, 5, 3, 2, 3, Quorum.LOST),)
    assert len(pending) == none.workloads[0].pending == none.workloads[0].missing
    assert [(each.key, each.desired, each.before, each.after) for each in none.budgets] == [("default/kafka", 4, 5, 2)]


def test_pods_on_nodes_that_stop_reporting_do_not_run() -> None:
    """One that tolerates the taint for good stays there: it is not evicted, and not running either."""
    tolerant: dict[str, Any] = {"tolerations": [{"operator": "Exists"}]}
    base = [
        *cluster("8"),
        owned("web-1", "web", "a", requests={"cpu": "1"}, **tolerant),
        owned("web-2", "web", "b", requests={"cpu": "1"}),
        owned("agent-a", "agent", "a", kind="DaemonSet", requests={"cpu": "1"}, **tolerant),
        owned("agent-b", "agent", "b", kind="DaemonSet", requests={"cpu": "1"}, **tolerant),
    ]

    (web,) = found_of(base, lost("unreachable"))[0].workloads

    assert (web.workload.name, web.before, web.after, web.missing, web.pending) == ("web", 2, 1, 1, 0)


PODS_ON_NODES = st.dictionaries(
    st.sampled_from([f"default/p{n}" for n in range(12)]), st.sampled_from(["n1", "n2", "n3"]), max_size=12
)


def moment(nodes: dict[str, str], ready: set[str]) -> RunningPods:
    sets = [Workload("default", "StatefulSet", f"w{n}") for n in range(3)]
    names = sorted({*nodes.values(), *ready})
    rows = np.array([names.index(node) if node in ready else -1 for node in nodes.values()], np.int64)
    templates = np.array([int(key[9:]) % 3 for key in nodes], np.int32)
    healthy = {"default/b": HealthyPods(int((rows >= 0).sum()), 5)}
    return RunningPods(list(nodes), rows, templates, sets, names, dict.fromkeys(sets, 4), frozenset(ready), healthy)


@given(PODS_ON_NODES, PODS_ON_NODES, st.sets(st.sampled_from(["n1", "n2", "n3"])))
def test_numbers_add_up(earlier: dict[str, str], later: dict[str, str], ready: set[str]) -> None:
    before, end = moment(earlier, {"n1", "n2", "n3"}), moment(later, ready)
    out = [key for key, node in later.items() if node not in ready]
    waits = {key: Workload("default", "StatefulSet", f"w{int(key[9:]) % 3}") for key in out}

    found = affected(before, end, waits)

    assert sum(each.pending for each in found.workloads) == len(waits)
    ran, runs = before.counts(), end.counts()
    assert {each.workload for each in found.workloads} >= {each for each in ran if runs[each] < ran[each]}
    for each in found.workloads:
        assert (each.before, each.after) == (ran[each.workload], runs[each.workload])
        assert each.quorum is not Quorum.LOST or each.after < 3 <= each.before
    missing = [each.missing for each in found.workloads if each.quorum is Quorum.KEPT and not each.is_stopped]
    assert missing == sorted(missing, reverse=True)
    assert bool(found.budgets) == (len(earlier) >= 5 > int((end.rows >= 0).sum()))


def test_constraints_by_how_they_stand() -> None:
    def spread(app: str, action: str, *placed: str) -> list[Document]:
        constraint = {
            "maxSkew": 1,
            "topologyKey": ZONE,
            "whenUnsatisfiable": action,
            "labelSelector": {"matchLabels": {"app": app}},
        }
        return [
            a_pod(f"{app}-{number}", node=node, labels={"app": app}, topologySpreadConstraints=[constraint])
            for number, node in enumerate(placed)
        ]

    snapshot = Snapshot.from_objects(
        [
            a_node("a", zone="x"),
            a_node("b", zone="y"),
            *spread("even", "DoNotSchedule", "a", "b"),
            *spread("tight", "DoNotSchedule", "a"),
            *spread("over", "DoNotSchedule", "a", "a", "a"),
            *spread("soft", "ScheduleAnyway", "a", "a"),
        ]
    )
    found = spread_measures(snapshot, SchedulerConfiguration.default().profiles)

    assert (found.hard, found.hard_violated, found.hard_tight, found.widest) == (3, 1, 1, 3)
    assert (found.soft, found.soft_violated) == (1, 1)


def test_budgets_are_computed_from_the_pods() -> None:
    def budget(name: str, **spec: Any) -> Document:
        return {
            "kind": "PodDisruptionBudget",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": {"matchLabels": {"app": name}}, **spec},
            "status": {"disruptionsAllowed": 9, "observedGeneration": 1},
        }

    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    running = [
        {**a_pod(f"{app}-{number}", node="a", labels={"app": app}), "status": ready}
        for app in ("web", "db")
        for number in range(3)
    ]
    found = budget_measures(
        Snapshot.from_objects([a_node("a"), *running, budget("web", minAvailable=1), budget("db", minAvailable=3)])
    )

    assert (found.budgets, found.granted, found.blocked) == (2, 2, ("default/db",))


NODES = [a_node("a", zone="x", allocatable={"cpu": "4"}), a_node("b", zone="y", allocatable={"cpu": "3"})]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Pods that come, wait, push others out and leave."""
    placed = [
        controlled(a_pod(f"old-{number}", node=draw(st.sampled_from("ab")), requests={"cpu": "1"}), kind)
        for number, kind in enumerate(draw(st.lists(st.sampled_from(("ReplicaSet", "DaemonSet")), max_size=3)))
    ]
    wanted = [
        Wanted(
            controlled(
                a_pod(f"new-{number}", requests={"cpu": draw(st.sampled_from(("500m", "2")))}, priority=priority),
                "ReplicaSet",
                "new",
            ),
            at=at,
            until=draw(st.none() | st.integers(at, 40)),
        )
        for number, (priority, at) in enumerate(
            draw(st.lists(st.tuples(st.sampled_from((0, 10)), st.integers(0, 20)), max_size=8))
        )
    ]
    snapshot = Snapshot.from_objects([*NODES, *placed])
    by_key = {f"default/{pod['metadata']['name']}": pod for pod in placed}
    return Case(snapshot, SchedulerConfiguration.default(), wanted, placed=by_key)


@given(case=cases(), most=st.sampled_from((4, 200)), by_time=st.booleans())
@settings(max_examples=25, deadline=None)
def test_points_are_exact(case: Case, most: int, by_time: bool) -> None:
    simulation, steps = Simulation(case), []
    documents: dict[str, Any] = {}
    for step in simulation:
        steps.append(step)
        if step.outcome is Outcome.PLACED:
            documents[step.pod] = simulation.document_of(step.pod)
    found = series_of(case, steps, documents.__getitem__, most=most, by_time=by_time)

    assert len(found.points) <= most
    assert found.points[0].step == -1
    assert found.points[-1].step == len(steps) - 1
    for point in found.points:
        state = state_after(case, steps[: point.step + 1])
        measures = measures_of(state.snapshot)
        assert point.requested == {name: amount.requested for name, amount in measures.amounts.items()}
        assert point.zones == {
            part.name: {name: amount.requested for name, amount in part.amounts.items()} for part in measures.zones
        }
        assert (point.placed, point.nodes) == (measures.pods, measures.nodes - measures.empty)
        assert point.pending == len(state.waiting)
    if by_time:
        assert all(
            following.at > steps[point.step].at
            for point in found.points[1:]
            for following in steps[point.step + 1 : point.step + 2]
        )


def test_a_series_is_thinned_out_evenly() -> None:
    wanted = [Wanted(a_pod(f"p{number}"), at=number) for number in range(150)]
    case = Case(Snapshot.from_objects(NODES), SchedulerConfiguration.default(), wanted)
    simulation = Simulation(case)
    found = series_of(case, list(simulation), simulation.document_of, most=31)

    assert [point.step for point in found.points] == [-1, *range(4, 150, 5)]
    assert found.allocatable["cpu"] == 7000
    assert found.zones["y"]["cpu"] == 3000
    last: Point = found.points[-1]
    assert (last.placed, last.pending, last.share(found.allocatable, "pods")) == (150, 0, 150 / 220)


def test_pods_that_are_counted_up_to_a_bound_are_at_least_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "_MOST_PODS", 1)
    nodes = [a_node(name, allocatable={"cpu": "4", "memory": "8Gi"}) for name in ("a", "b")]
    full = [a_node("full", allocatable={"cpu": "1", "memory": "8Gi"})]
    snapshot = Snapshot.from_objects(
        [*nodes, *full, a_pod("soon", nominated="full", requests={"cpu": "1"}, priority=9)]
    )

    # Beside nominated pods the shape is placed pod by pod.
    (found,) = fragmentation_of(snapshot, DEFAULT, [{"cpu": 2000}])

    assert (found.pods, found.nodes, found.is_whole) == (1, 1, False)
    # The node to which counting did not come is of use.
    assert found.unusable == {"cpu": 1000}


GIB = 2**30


def test_amounts_by_zone_and_pool() -> None:
    pool = "cloud.google.com/gke-nodepool"
    gpus = {"example.com/gpu": "2", "cpu": "4", "memory": "8Gi", "pods": "10"}
    found = measures_of(
        Snapshot.from_objects(
            [
                a_node("a", zone="x", labels={pool: "gpu"}, allocatable=gpus),
                a_node("b", zone="y"),
                a_node("c", zone="y", unschedulable=True),
                a_pod("one", node="a", requests={"cpu": "3", "memory": "1Gi", "example.com/gpu": "1"}),
                controlled(a_pod("log", node="b", requests={"cpu": "1"}), "DaemonSet"),
            ]
        ),
        [a_pod("waits", requests={"cpu": "1", "memory": "6Gi"}), a_pod("too", requests={"cpu": "1"})],
    )

    assert (found.nodes, found.usable, found.empty, found.pods, found.pending) == (3, 2, 2, 2, 2)
    assert found.wanted == {"cpu": 2000, "memory": 6 * GIB}
    assert (found.amounts["cpu"], found.open["cpu"]) == (Amount(4000, 20000), 12000)
    assert (found.amounts["example.com/gpu"], found.amounts[PODS]) == (Amount(1, 2), Amount(2, 230))
    assert "ephemeral-storage" not in found.amounts
    assert [(part.name, part.nodes, part.usable, part.empty, part.amounts["cpu"]) for part in found.zones] == [
        ("x", 1, 1, 0, Amount(3000, 4000)),
        ("y", 2, 1, 2, Amount(1000, 16000)),
    ]
    assert [(part.name, part.nodes) for part in found.pools] == [("gpu", 1), ("", 2)]
    # Cordoned nodes are neither full nor empty.
    assert [(each.node, each.share) for each in found.fullest] == [("a", 0.75), ("b", 0.125)]
    assert [each.node for each in found.emptiest] == ["b", "a"]


def test_the_reference_is_what_waits_most_often_or_what_runs() -> None:
    objects = [
        a_node("a"),
        *(a_pod(f"p{number}", node="a", requests={"cpu": f"{number + 1}00m"}) for number in range(4)),
        owned("log", "log", "a", kind="DaemonSet", requests={"cpu": "7"}),
    ]
    snapshot = Snapshot.from_objects(objects)
    waiting = [a_pod(f"w{number}", requests={"cpu": "1" if number else "2"}) for number in range(3)]

    assert reference_shapes(snapshot) == ({"cpu": 200},)
    assert reference_shapes(snapshot, waiting) == ({"cpu": 1000}, {"cpu": 2000})
