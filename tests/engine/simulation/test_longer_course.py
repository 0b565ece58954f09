"""What longer courses are made of: pods that leave in time, names of replacements, and who observes the attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.simulation import Outcome, Simulation, Step, Wanted
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.test_run import a_case, brief, owned, ready

if TYPE_CHECKING:
    from clusters.engine import Explanation


def test_a_pod_on_a_node_leaves_in_time_and_so_does_the_one_in_its_place() -> None:
    nodes = [a_node("n", allocatable={"cpu": "1"})]
    there = ready(owned(a_pod("there", node="n", requests={"cpu": "1"}, priority=0)))
    urgent = Wanted(a_pod("urgent", requests={"cpu": "1"}, priority=9), at=1, until=3)

    steps = brief(Simulation(a_case([*nodes, there], [urgent], leaving={"default/there": 5})))

    assert steps == [
        ("unschedulable", "urgent", "n"),
        ("preempted", "there", "n"),
        ("placed", "urgent", "n"),
        ("unschedulable", "web-again-1", ""),
        ("completed", "urgent", "n"),
        ("placed", "web-again-1", "n"),
        ("completed", "web-again-1", "n"),
    ]


def test_a_pod_on_a_node_that_leaves_makes_room() -> None:
    there = a_pod("there", node="n", requests={"cpu": "1"})
    case = a_case(
        [a_node("n", allocatable={"cpu": "1"}), there],
        [a_pod("next", requests={"cpu": "1"})],
        leaving={"default/there": 4},
    )

    steps = list(Simulation(case))

    assert [(step.outcome, step.at) for step in steps] == [
        (Outcome.UNSCHEDULABLE, 0),
        (Outcome.COMPLETED, 4),
        (Outcome.PLACED, 4),
    ]


def test_a_pod_that_terminates_as_its_time_comes_is_gone_once_its_grace_period_is_over() -> None:
    there = ready(owned(a_pod("there", node="n", requests={"cpu": "1"}, priority=0)))
    there["spec"]["terminationGracePeriodSeconds"] = 10
    urgent = Wanted(a_pod("urgent", requests={"cpu": "1"}, priority=9))
    nodes = [a_node("n", allocatable={"cpu": "1"})]
    case = a_case([*nodes, there], [urgent], leaving={"default/there": 5}, is_graceful=True)

    steps = list(Simulation(case))

    # What was made in its place leaves instead of it.
    assert [(step.outcome, step.pod.partition("/")[2], step.at // 10**9) for step in steps] == [
        (Outcome.UNSCHEDULABLE, "urgent", 0),
        (Outcome.PREEMPTED, "there", 0),
        (Outcome.UNSCHEDULABLE, "web-again-1", 0),
        (Outcome.COMPLETED, "web-again-1", 0),
        (Outcome.TERMINATED, "there", 10),
        (Outcome.PLACED, "urgent", 10),
    ]


def test_a_pod_that_nobody_replaces_and_that_terminates_does_not_leave_twice() -> None:
    there = a_pod("there", node="n", requests={"cpu": "1"}, priority=0)
    there["spec"]["terminationGracePeriodSeconds"] = 10
    urgent = Wanted(a_pod("urgent", requests={"cpu": "1"}, priority=9))
    nodes = [a_node("n", allocatable={"cpu": "1"})]
    case = a_case([*nodes, there], [urgent], leaving={"default/there": 5}, is_graceful=True)

    outcomes = [step.outcome for step in Simulation(case)]

    assert outcomes == [Outcome.UNSCHEDULABLE, Outcome.PREEMPTED, Outcome.TERMINATED, Outcome.PLACED]


def test_replacements_are_called_as_the_case_says() -> None:
    there = ready(owned(a_pod("there", node="n")))
    case = a_case(
        [a_node("n"), a_node("m"), there],
        [],
        drained=["n"],
        copy_name=lambda namespace, controller, number: f"{namespace}-{controller}-{number}",
    )

    assert brief(Simulation(case)) == [("evicted", "there", "n"), ("placed", "default-web-1", "m")]


def test_whoever_observes_is_given_each_attempt_on_the_state_before_it() -> None:
    pods = [a_pod(name, requests={"cpu": "1"}) for name in ("first", "second")]
    seen = []

    def observe(step: Step, explanation: Explanation) -> None:
        seen.append((step.pod, step.outcome, explanation.fits, explanation.message))

    steps = list(Simulation(a_case([a_node("n", allocatable={"cpu": "1"})], pods), observe=observe))

    assert [(step.pod, step.outcome) for step in steps] == [each[:2] for each in seen]
    assert [each[2] for each in seen] == [True, False]
    assert seen[1][3] == steps[1].message
