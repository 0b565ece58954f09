"""How groups of pods end in a simulation, and what is named that keeps them from nodes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.adapters.flow import solve
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import (
    BatchSimulation,
    Case,
    GroupEnd,
    GroupResult,
    Simulation,
    Wanted,
    group_results,
    groups_named,
    outcome,
)
from clusters.engine.versions import Gate, Release
from clusters.wording.runs.groups import group_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_member

MINORS = ("1.35", "1.36", "1.37")
ZONE = "topology.kubernetes.io/zone"


def a_small_node(name: str, cpu: int, zone: str = "") -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)}, labels={ZONE: zone} if zone else {})


def members(*names: str, minor: str = "1.37", cpu: int = 1, **fields: Any) -> list[Document]:
    return [a_member(name, minor=minor, requests={"cpu": str(cpu)}, **fields) for name in names]


def ends(
    there: list[Document], pods: list[Document], release: Release = GROUPING["1.37"], *, batch: str | None = None
) -> list[GroupResult]:
    """The groups after a simulation, pod by pod unless ``batch`` says which gangs a flow keeps whole."""
    configuration = SchedulerConfiguration.default(release)
    case = Case(Snapshot.from_objects(there, release), configuration, list(map(Wanted, pods)))
    simulation = Simulation(case) if batch is None else BatchSimulation(case, solve, gangs=batch)
    assert list(simulation)
    keys = groups_named(pods, simulation.snapshot)
    return group_results(simulation.snapshot, keys, configuration if batch is None else None)


@pytest.mark.parametrize("minor", MINORS)
def test_a_gang_with_room_is_placed_and_one_without_names_who_finds_no_node(minor: str) -> None:
    pods = members("a", "b", "c", minor=minor)
    group = a_group(least=3, minor=minor)

    (placed,) = ends([a_small_node("n1", 3), group], pods, GROUPING[minor])
    (short,) = ends([a_small_node("n1", 2), group], pods, GROUPING[minor])

    assert (placed.end, placed.placed, placed.pods, placed.least) == (GroupEnd.PLACED, 3, 3, 3)
    assert (short.end, short.placed, short.found, short.pods) == (GroupEnd.TOO_FEW_NODES, 0, 2, 3)
    assert short.refused == "default/c"
    assert short.message.startswith("0/1 nodes are available: 1 Insufficient cpu.")


@pytest.mark.parametrize("minor", MINORS)
def test_pods_beyond_those_that_a_gang_needs_are_pending_by_themselves(minor: str) -> None:
    (found,) = ends(
        [a_small_node("n1", 2), a_group(least=2, minor=minor)], members("a", "b", "c", minor=minor), GROUPING[minor]
    )

    assert (found.end, found.placed, found.pods) == (GroupEnd.PARTLY_PLACED, 2, 3)


def test_groups_that_lack_pods_or_an_object_are_told_apart() -> None:
    pods = [*members("a"), a_member("b", "lost")]

    lost, train = ends([a_small_node("n1", 9), a_group(least=2)], pods)

    assert (lost.group, lost.end, lost.least) == ("default/lost", GroupEnd.NOT_FOUND, None)
    assert (train.group, train.end, train.pods, train.least) == ("default/train", GroupEnd.TOO_FEW_PODS, 1, 2)


def test_a_group_that_fits_by_preemption_counts_who_goes() -> None:
    low = [a_pod(f"low-{number}", node="n1", requests={"cpu": "1"}, priority=-1) for number in range(2)]
    pods = members("a", "b", priority=5)

    (found,) = ends([a_small_node("n1", 2), a_group(least=2, priority=5), *low], pods)

    assert (found.end, found.victims, found.placed) == (GroupEnd.PREEMPTION, 2, 0)


def test_a_topology_is_named_with_the_domain_or_as_what_is_in_the_way() -> None:
    release = GROUPING["1.37"].with_gates({Gate.GENERIC_WORKLOAD: True, Gate.TOPOLOGY_AWARE_WORKLOADS: True})
    group = a_group(least=2, schedulingConstraints={"topology": [{"key": ZONE}]})
    wide, narrow = ([a_small_node("n1", 1, "a"), a_small_node("n2", cpu, "b"), group] for cpu in (2, 1))
    pods = members("a", "b")

    (placed,), (split,), (flow,) = ends(wide, pods, release), ends(narrow, pods, release), ends(narrow, pods, batch="")

    assert (placed.end, placed.topology, placed.domain) == (GroupEnd.PLACED, ZONE, "b")
    assert (split.end, split.topology, split.domain) == (GroupEnd.NO_DOMAIN, ZONE, "")
    assert (flow.end, flow.topology) == (GroupEnd.PLACED, ""), "the gate is off"
    (flow,) = ends(narrow, pods, release, batch="pod-group")
    assert (flow.end, flow.placed) == (GroupEnd.SEVERAL_DOMAINS, 2)


def test_groups_that_are_not_tried_again_are_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "MOST_TRIED", 0)
    pods = members("a", "b")

    (found,) = ends([a_small_node("n1", 1), a_group(least=2)], pods)

    assert found.end is GroupEnd.UNCERTAIN
    assert group_sentence(found) == "What another attempt for the group comes to is not computed."


def test_a_flow_is_counted_and_not_tried_again() -> None:
    there = [a_small_node("n1", 2), a_group(least=3)]
    pods = members("a", "b", "c")

    (whole,), (singly,) = ends(there, pods, batch="pod-group"), ends(there, pods, batch="")

    assert (whole.end, whole.placed, whole.refused) == (GroupEnd.TOO_FEW_NODES, 0, "")
    assert (singly.end, singly.placed, singly.refused) == (GroupEnd.TOO_FEW_NODES, 2, "")


def test_no_group_is_told_of_where_none_is_read() -> None:
    release = GROUPING["1.37"].with_gates({Gate.GENERIC_WORKLOAD: False})

    assert not ends([a_small_node("n1", 2), a_group(least=2)], members("a", "b"), release)


@given(
    minor=st.sampled_from(MINORS),
    least=st.one_of(st.none(), st.integers(1, 4)),
    cpus=st.lists(st.integers(1, 3), min_size=1, max_size=5),
    room=st.lists(st.integers(1, 4), min_size=1, max_size=3),
)
def test_numbers_agree_with_the_end(minor: str, least: int | None, cpus: list[int], room: list[int]) -> None:
    nodes = [a_small_node(f"n{number}", cpu) for number, cpu in enumerate(room)]
    pods = [a_member(f"p{number}", minor=minor, requests={"cpu": str(cpu)}) for number, cpu in enumerate(cpus)]

    (found,) = ends([*nodes, a_group(least=least, minor=minor)], pods, GROUPING[minor])

    assert found.placed <= found.found <= found.pods == len(pods)
    assert (found.end is GroupEnd.PLACED) == (found.placed == found.pods >= (least or 0))
    assert (found.end is GroupEnd.TOO_FEW_PODS) == (found.pods < (least or 0))
    if found.end is GroupEnd.TOO_FEW_NODES:
        assert found.placed == 0
        assert found.found < (least or 1)
        assert found.refused
    if found.end is GroupEnd.PARTLY_PLACED:
        assert found.placed >= (least or 1)
