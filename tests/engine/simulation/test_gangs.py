"""How many more gangs fit whole, held against the simulation of as many and one more."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Case, GangHeadroom, Outcome, Portion, Simulation, Wanted, gang_headroom, headroom
from clusters.engine.versions import RELEASES, Gate, Release
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_member
from tests.engine.quotas.quotas import a_quota

RACK = "example.com/rack"
TOPOLOGY: dict[str, Any] = {"schedulingConstraints": {"topology": [{"key": RACK}]}}
AWARE = GROUPING["1.37"].with_gates({Gate.GENERIC_WORKLOAD: True, Gate.TOPOLOGY_AWARE_WORKLOADS: True})


def in_rack(name: str, rack: str, cpu: int) -> Document:
    return a_node(name, labels={RACK: rack} if rack else {}, allocatable={"cpu": str(cpu)})


def asked(nodes: list[Document], pod: Document, size: int, release: Release = AWARE, **options: Any) -> GangHeadroom:
    group = a_group(least=2, **TOPOLOGY)
    snapshot = Snapshot.from_objects([*nodes, group], release)
    return gang_headroom(snapshot, SchedulerConfiguration.default(release), pod, size, **options)


def simulated(nodes: list[Document], pod: Document, size: int, gangs: int) -> int:
    """How many of so many gangs are placed whole, each as a PodGroup of its own with the same topology."""
    wanted, groups = [], []
    for gang in range(gangs):
        groups.append(a_group(f"g{gang}", size, **TOPOLOGY))
        for number in range(size):
            spec = {**pod["spec"], "schedulingGroup": {"podGroupName": f"g{gang}"}}
            member = {**pod, "metadata": {**pod["metadata"], "name": f"g{gang}-{number}"}, "spec": spec}
            wanted.append(Wanted(member, gang))
    snapshot = Snapshot.from_objects([*nodes, *groups], AWARE)
    steps = Simulation(Case(snapshot, SchedulerConfiguration.default(AWARE), wanted))
    placed = Counter(step.pod.partition("-")[0] for step in steps if step.outcome is Outcome.PLACED)
    return sum(number == size for number in placed.values())


@pytest.mark.parametrize("minor", ["1.34", "1.37"])
def test_gangs_without_a_topology_are_as_many_as_their_pods_make_up(minor: str) -> None:
    nodes = [a_node(f"n{number}", allocatable={"cpu": "5"}) for number in range(2)]
    pod, release = a_pod("p", requests={"cpu": "1"}), RELEASES[minor]

    found = asked(nodes, pod, 4, release)

    assert (found.count, found.found, found.topology_key, found.domains) == (2, 2, "", {})
    assert found.pods == headroom(
        Snapshot.from_objects(nodes, release), SchedulerConfiguration.default(release), [Portion(pod)]
    )
    assert found.stop is found.pods.stop
    assert found.stop is not None
    assert "Insufficient cpu" in found.stop.message


def test_a_gang_goes_where_all_its_pods_fit_into_one_domain() -> None:
    nodes = [in_rack("a1", "a", 3), in_rack("a2", "a", 3), in_rack("b1", "b", 3), in_rack("loose", "", 9)]

    found = asked(nodes, a_member("p", requests={"cpu": "1"}), 4)

    # Of 18 pods that fit one by one four at a time would be four gangs.
    assert (found.pods.count, found.count, found.domains) == (18, 1, {"a": 1})
    assert (found.topology_key, found.found, found.is_open) == (RACK, 3, False)
    assert found.stop is not None
    assert "0/2 placements are available" in found.stop.message
    assert "Insufficient cpu" in found.refusal


def test_a_topology_that_the_scheduler_does_not_read_binds_nobody() -> None:
    nodes = [in_rack("a1", "a", 3), in_rack("b1", "b", 3)]

    found = asked(nodes, a_member("p", requests={"cpu": "1"}), 4, GROUPING["1.37"].with_gates({}))

    assert (found.count, found.topology_key) == (1, "")


def test_the_snapshot_stays_and_the_same_question_has_the_same_answer() -> None:
    nodes = [in_rack("a1", "a", 4), in_rack("b1", "b", 4)]
    snapshot = Snapshot.from_objects([*nodes, a_group(least=2, **TOPOLOGY)], AWARE)
    configuration, before = SchedulerConfiguration.default(AWARE), snapshot.content()
    pod = a_member("p", requests={"cpu": "1"})

    first = gang_headroom(snapshot, configuration, pod, 2)

    assert gang_headroom(snapshot, configuration, pod, 2) == first
    assert first.count == 4
    assert snapshot.content() == before


def test_counting_ends_at_the_most_pods() -> None:
    nodes = [in_rack("a1", "a", 9)]
    # Nodes that pods fill by themselves are counted at once, whatever the limit.
    assert asked(nodes, a_member("p", requests={"cpu": "1"}), 2, most=4).count == 4

    pod = a_member("p", requests={"cpu": "1"})
    pod["spec"]["containers"][0]["ports"] = [{"hostPort": 80, "containerPort": 80}]
    found = asked([*nodes, in_rack("a2", "a", 9), in_rack("a3", "a", 9), in_rack("a4", "a", 9)], pod, 2, most=2)
    assert (found.count, found.stop) == (1, None)


def test_a_quota_bounds_gangs_as_it_bounds_pods() -> None:
    nodes = [in_rack("a1", "a", 9), a_quota(hard={"pods": "5"}, used={"pods": "0"}, namespace="default")]

    found = asked(nodes, a_member("p", requests={"cpu": "1"}), 2, admits=True)

    assert (found.count, found.found) == (2, 1)
    assert found.stop is not None
    assert found.stop.is_forbidden


@given(
    rooms=st.lists(st.tuples(st.sampled_from(["a", "b", "c", ""]), st.integers(0, 5)), min_size=1, max_size=6),
    size=st.integers(1, 4),
    has_port=st.booleans(),
)
def test_as_many_gangs_are_placed_by_a_simulation(rooms: list[tuple[str, int]], size: int, has_port: bool) -> None:
    nodes = [in_rack(f"n{number}", rack, cpu) for number, (rack, cpu) in enumerate(rooms)]
    pod = a_member("p", requests={"cpu": "1"})
    if has_port:
        pod["spec"]["containers"][0]["ports"] = [{"hostPort": 80, "containerPort": 80}]

    found = asked(nodes, pod, size)

    assert found.count == simulated(nodes, pod, size, found.count + 1)
    assert sum(found.domains.values()) == found.count
    assert found.found < size
