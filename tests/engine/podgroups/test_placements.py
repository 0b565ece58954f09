"""A group that asks for one topology domain goes to the domain that takes most of its pods, or nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import GroupAttempt, GroupVerdict
from clusters.engine.scheduling.groups import best_of
from clusters.engine.versions import Gate
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_member

RACK = {"topology": [{"key": "rack"}]}
MINORS = ("1.36", "1.37")


def a_racked_node(name: str, rack: str | None, cpu: int) -> Document:
    return a_node(name, labels={} if rack is None else {"rack": rack}, allocatable={"cpu": str(cpu)})


def a_cluster(minor: str, *objects: Document) -> Snapshot:
    return Snapshot.from_objects(objects, GROUPING[minor].with_gates({Gate.TOPOLOGY_AWARE_WORKLOADS: True}))


def members(*names: str, minor: str) -> list[Document]:
    return [a_member(name, minor=minor, requests={"cpu": "1"}) for name in names]


def explained(snapshot: Snapshot, pod: Document) -> Explanation:
    return explain(snapshot, pod, SchedulerConfiguration.default(snapshot.release).profiles[0])


def attempt(snapshot: Snapshot, pod: Document) -> GroupAttempt:
    group = explained(snapshot, pod).group
    assert group is not None
    return group


@pytest.mark.parametrize("minor", MINORS)
def test_the_domain_that_takes_most_pods_is_taken(minor: str) -> None:
    nodes = [a_racked_node("n1", "a", 2), a_racked_node("n2", "b", 3), a_racked_node("n3", None, 9)]
    pods = members("x", "y", "z", minor=minor)
    snapshot = a_cluster(minor, *nodes, a_group(least=2, minor=minor, schedulingConstraints=RACK), *pods)

    group = attempt(snapshot, pods[0])

    assert (group.verdict, group.domain) == (GroupVerdict.SCHEDULED, "b")
    assert {each.node for each in group.members} == {"n2"}
    assert explained(snapshot, pods[2]).choices == ["n2"]


@pytest.mark.parametrize(
    ("minor", "message", "of_found"),
    [
        (
            "1.36",
            "0/2 placements are available, first placement status: pod group is unschedulable",
            "pod group is unschedulable, waiting for minCount pods from a gang to be scheduled",
        ),
        (
            "1.37",
            (
                "pod group is unschedulable, 0/2 placements are available, first placement status: "
                "pod group is unschedulable, pod group preemption: No preemption victims found for incoming preemptor"
            ),
            (
                "pod group is unschedulable, pod group is unschedulable, 0/2 placements are available, first placement "
                "status: pod group is unschedulable, pod group preemption: No preemption victims found for incoming "
                "preemptor"
            ),
        ),
    ],
)
def test_a_group_that_no_domain_takes_is_not_scheduled(minor: str, message: str, of_found: str) -> None:
    nodes = [a_racked_node("n1", "a", 1), a_racked_node("n2", "b", 1)]
    pods = members("x", "y", minor=minor)
    snapshot = a_cluster(minor, *nodes, a_group(least=2, minor=minor, schedulingConstraints=RACK), *pods)

    found = explained(snapshot, pods[0])

    assert found.group is not None
    assert (found.group.verdict, found.group.message) == (GroupVerdict.UNSCHEDULABLE, message)
    assert found.message == of_found
    assert explained(snapshot, pods[1]).refusal == "0/1 nodes are available: 1 Insufficient cpu."


@pytest.mark.parametrize("minor", MINORS)
def test_pods_that_run_decide_on_the_domain(minor: str) -> None:
    nodes = [a_racked_node("n1", "a", 2), a_racked_node("n2", "b", 9)]
    running = a_member("r", minor=minor, node="n1", requests={"cpu": "1"})
    pods = members("x", minor=minor)
    snapshot = a_cluster(minor, *nodes, running, a_group(least=1, minor=minor, schedulingConstraints=RACK), *pods)

    assert explained(snapshot, pods[0]).choices == ["n1"]


@pytest.mark.parametrize("minor", MINORS)
def test_pods_that_run_outside_of_any_domain_leave_it_open(minor: str) -> None:
    nodes = [a_racked_node("n1", None, 2), a_racked_node("n2", "b", 9)]
    running = a_member("r", minor=minor, node="n1", requests={"cpu": "1"})
    pods = members("x", minor=minor)
    snapshot = a_cluster(minor, *nodes, running, a_group(least=1, minor=minor, schedulingConstraints=RACK), *pods)

    assert attempt(snapshot, pods[0]).verdict is GroupVerdict.UNCERTAIN


@pytest.mark.parametrize("minor", MINORS)
def test_without_a_node_in_any_domain_there_is_no_placement(minor: str) -> None:
    pods = members("x", minor=minor)
    group = a_group(least=1, minor=minor, schedulingConstraints=RACK)

    found = attempt(a_cluster(minor, a_racked_node("n1", None, 2), group, *pods), pods[0])

    assert found.verdict is GroupVerdict.UNSCHEDULABLE
    assert found.message.startswith("no feasible placements found")
    assert found.pod_message == "no feasible placements found"


@pytest.mark.parametrize("minor", MINORS)
def test_a_group_without_a_domain_is_tried_in_the_whole_cluster(minor: str) -> None:
    nodes = [a_racked_node("n1", "a", 1), a_racked_node("n2", "b", 1)]
    pods = members("x", "y", minor=minor)

    assert attempt(a_cluster(minor, *nodes, a_group(least=2, minor=minor), *pods), pods[0]).verdict is (
        GroupVerdict.SCHEDULED
    )
    short = attempt(a_cluster(minor, nodes[0], a_group(least=2, minor=minor), *pods), pods[0])
    assert "0/1 placements are available" in short.message


def test_preemption_makes_room_in_a_domain() -> None:
    nodes = [a_racked_node("n1", "a", 1), a_racked_node("n2", "b", 2)]
    low = a_pod("low", node="n2", requests={"cpu": "1"}, priority=-1)
    pods = members("x", "y", minor="1.37")
    snapshot = a_cluster("1.37", *nodes, low, a_group(least=2, schedulingConstraints=RACK), *pods)

    group = attempt(snapshot, pods[0])

    assert (group.verdict, group.victims) == (GroupVerdict.PREEMPTS, ("default/low",))


def test_the_first_of_equally_good_placements_is_taken() -> None:
    assert best_of([2, 3, 3]) == 1
    assert best_of([200, 201]) == 1
    assert best_of([999, 1000, 1000]) == 1


@given(
    minor=st.sampled_from(MINORS),
    racks=st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 3)), min_size=1, max_size=4),
    least=st.integers(1, 4),
    count=st.integers(1, 4),
)
def test_a_group_is_never_in_two_domains(minor: str, racks: list[tuple[str, int]], least: int, count: int) -> None:
    nodes = [a_racked_node(f"n{number}", rack, cpu) for number, (rack, cpu) in enumerate(racks)]
    pods = members(*(f"p{number}" for number in range(count)), minor=minor)
    snapshot = a_cluster(minor, *nodes, a_group(least=least, minor=minor, schedulingConstraints=RACK), *pods)
    room = {rack: sum(cpu for each, cpu in racks if each == rack) for rack in "ab"}

    found = explained(snapshot, pods[0])

    if not found.gates.ok:
        assert count < least
        return
    assert found.group is not None
    is_possible = max(room.values()) >= least
    assert (found.group.verdict is GroupVerdict.SCHEDULED) is is_possible
    if is_possible:
        domains = {racks[int(each.node[1:])][0] for each in found.group.members if each.node}
        assert domains == {found.group.domain}
        assert found.group.found == min(count, max(room.values()))
