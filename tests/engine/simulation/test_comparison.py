"""Two runs side by side: what ended elsewhere, and what tipped it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.adapters.flow import solve
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.configuration import NoScheduler
from clusters.engine.simulation import (
    BatchSimulation,
    Case,
    Finished,
    PlacementChange,
    Simulation,
    Step,
    Wanted,
    Why,
    compare_runs,
)
from clusters.engine.simulation.comparison import Prices, Side
from tests.engine.builders import Document, a_node, a_pod, with_arguments
from tests.engine.simulation.changing import after, owned
from tests.engine.strategies import nodes, pods

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
    again = replace(case, snapshot=Snapshot.from_objects([*cluster, *others]))
    found = compare_runs(finished(case), finished(again))

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


def test_a_node_that_is_closed_in_one_of_the_runs() -> None:
    wanted = [a_pod("web", requests={"cpu": "1"})]
    taint = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
    before = finished(case_of(a_node("a"), wanted=wanted))
    closed = finished(case_of(a_node("a", taints=[taint]), a_node("b"), wanted=wanted))
    found = compare_runs(before, closed)

    (difference,) = found.differences
    assert (difference.why, difference.side, difference.plugin) == (Why.FILTERED, Side.RIGHT, "TaintToleration")
    assert difference.reasons == ("node(s) had untolerated taint {dedicated: x}",)
    assert found.parting is not None
    assert not found.parting.same_beginning
    (lost,) = compare_runs(closed, finished(case_of(wanted=wanted))).differences
    assert (lost.why, lost.side) == (Why.NO_SUCH_NODE, Side.RIGHT)


def test_seeds_that_break_ties_otherwise() -> None:
    cluster = [a_node(f"n{number}") for number in range(6)]
    wanted = [a_pod(f"web-{number}", requests={"cpu": "1"}) for number in range(3)]
    left, right = (finished(case_of(*cluster, wanted=wanted, seed=seed)) for seed in (1, 2))
    found = compare_runs(left, right)
    first = found.differences[0]

    assert first.why is Why.TIE
    assert found.parting is not None
    assert (found.parting.number, first.left_step, first.state_differed) == (first.left_step, first.left_step, False)
    assert all(each.state_differed for each in found.differences[1:])


def test_pending_gone_and_not_wanted() -> None:
    cluster = [a_node("a", allocatable={"cpu": "2"}), a_pod("low", node="a", requests={"cpu": "2"}, priority=1)]
    high = a_pod("high", requests={"cpu": "2"}, priority=100)
    polite = {**high, "spec": {**high["spec"], "preemptionPolicy": "Never"}}
    left = finished(case_of(*cluster, wanted=[polite]))
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


def test_a_pod_that_only_one_run_wants() -> None:
    left = finished(case_of(a_node("a"), wanted=[]))
    right = finished(case_of(a_node("a"), wanted=[a_pod("web")]))
    (difference,) = compare_runs(left, right).differences

    assert (difference.why, difference.side, difference.left_step) == (Why.NOT_WANTED, Side.LEFT, None)


def test_a_pod_that_nothing_schedules_in_one_of_the_runs() -> None:
    pod = a_pod("web", schedulerName="second")
    named = configured(profiles=[{"schedulerName": "second"}])
    left = finished(case_of(a_node("a"), wanted=[pod], configuration=named))
    right = finished(case_of(a_node("a"), wanted=[pod]))
    (difference,) = compare_runs(left, right).differences

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
    batch = Finished(case, steps, simulation, again=lambda: together(steps))
    found = compare_runs(one_by_one, batch)

    assert {each.change.pod: each.change.right for each in found.differences} == {
        "default/large": "a",
        "default/small": "b",
    }
    assert found.only_left_pending == ("default/large",)
