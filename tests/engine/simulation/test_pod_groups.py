"""A simulation places the pods of a gang together or not at all, as the scheduler of each minor does."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.conclusion import UncomputedField
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.simulation import Case, Outcome, Simulation, Step, Wanted
from clusters.engine.versions import Gate, Release
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_member

MINORS = ("1.35", "1.36", "1.37")


def a_small_node(name: str, cpu: int) -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)})


def a_case(
    release: Release, there: list[Document], wanted: list[Wanted], *, seed: int = 0, samples: bool = False
) -> Case:
    placed = {
        f"default/{each['metadata']['name']}": each
        for each in there
        if each["kind"] == "Pod" and each["spec"].get("nodeName")
    }
    snapshot = Snapshot.from_objects(there, release)
    configuration = SchedulerConfiguration.default(release)
    return Case(snapshot, configuration, wanted, seed=seed, samples=samples, placed=placed)


def run(case: Case) -> list[Step]:
    return list(Simulation(case))


def last_of(steps: list[Step]) -> dict[str, Step]:
    return {step.pod.removeprefix("default/"): step for step in steps}


def members(*names: str, minor: str, cpu: int = 1) -> list[Document]:
    return [a_member(name, minor=minor, requests={"cpu": str(cpu)}) for name in names]


@pytest.mark.parametrize("minor", MINORS)
def test_a_gang_is_placed_once_all_that_it_needs_have_come(minor: str) -> None:
    pods = members("a", "b", "c", minor=minor)
    there = [a_small_node("n1", 3), a_group(least=3, minor=minor)]

    steps = run(a_case(GROUPING[minor], there, [Wanted(pod, at) for at, pod in enumerate(pods)]))

    assert [(step.outcome, step.pod) for step in steps] == [
        (Outcome.GATED, "default/a"),
        (Outcome.GATED, "default/b"),
        (Outcome.PLACED, "default/a"),
        (Outcome.PLACED, "default/b"),
        (Outcome.PLACED, "default/c"),
    ]
    assert steps[0].message == "waiting for minCount pods from a gang to appear in scheduling queue"
    assert [step.number for step in steps] == list(range(5))
    assert not any(step.uncertain for step in steps)


@pytest.mark.parametrize("minor", MINORS)
def test_a_gang_without_room_leaves_it_to_others(minor: str) -> None:
    gang, other = members("a", "b", "c", minor=minor), a_pod("other", requests={"cpu": "2"})
    there = [a_small_node("n1", 2), a_group(least=3, minor=minor)]

    found = last_of(run(a_case(GROUPING[minor], there, [*map(Wanted, gang), Wanted(other)])))

    assert found["other"].outcome is Outcome.PLACED
    assert {found[name].outcome for name in "abc"} == {Outcome.UNSCHEDULABLE}
    if minor == "1.36":
        assert found["a"].message == "pod group is unschedulable, waiting for minCount pods from a gang to be scheduled"
    assert found["c"].message.startswith("0/1 nodes are available: 1 Insufficient cpu.")


@pytest.mark.parametrize("minor", MINORS)
def test_a_gang_is_tried_again_when_room_is_made(minor: str) -> None:
    gang, other = members("a", "b", minor=minor), a_pod("other", requests={"cpu": "1"})
    there = [a_small_node("n1", 2), a_group(least=2, minor=minor)]

    steps = run(a_case(GROUPING[minor], there, [Wanted(other, 0, until=5), *(Wanted(pod, 1) for pod in gang)]))

    found = last_of(steps)
    assert (found["a"].outcome, found["b"].outcome) == (Outcome.PLACED, Outcome.PLACED)
    assert {step.at for step in (found["a"], found["b"])} == {5}


@pytest.mark.parametrize("minor", MINORS)
def test_pods_beyond_the_least_number_are_placed_as_far_as_there_is_room(minor: str) -> None:
    there = [a_small_node("n1", 2), a_group(least=1, minor=minor)]

    found = last_of(run(a_case(GROUPING[minor], there, list(map(Wanted, members("a", "b", "c", minor=minor))))))

    assert Counter(step.outcome for step in found.values()) == {Outcome.PLACED: 2, Outcome.UNSCHEDULABLE: 1}


def test_a_group_that_is_not_computed_is_uncertain_where_it_is_placed() -> None:
    low = a_pod("low", node="n1", requests={"cpu": "1"}, priority=-1)
    there = [a_small_node("n1", 2), a_group(least=1, parentCompositePodGroupName="whole"), low]
    gates = {Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True}

    steps = run(a_case(GROUPING["1.37"].with_gates(gates), there, list(map(Wanted, members("a", minor="1.37")))))
    (step,) = steps

    assert step.outcome is Outcome.PLACED
    assert step.uncertain == (UncomputedField("GangScheduling", "spec.schedulingGroup"),)


def test_where_groups_are_not_read_each_pod_is_uncertain() -> None:
    release = GROUPING["1.37"].with_gates(dict.fromkeys(GROUPING["1.37"].known_gates, False))
    there = [a_small_node("n1", 1), a_group(least=2)]

    found = last_of(run(a_case(release, there, list(map(Wanted, members("a", "b", minor="1.37"))))))

    assert found["a"].outcome is Outcome.PLACED
    assert found["a"].uncertain == (UncomputedField("GangScheduling", "spec.schedulingGroup"),)


@pytest.mark.parametrize("minor", MINORS)
def test_a_step_is_explained_with_its_group(minor: str) -> None:
    there = [a_small_node("n1", 1), a_group(least=2, minor=minor)]
    case = a_case(GROUPING[minor], there, list(map(Wanted, members("a", "b", minor=minor))))

    explanation = Simulation(case).explanation_at(0)

    assert explanation.group is not None
    assert explanation.group.verdict in (GroupVerdict.UNSCHEDULABLE, GroupVerdict.WAITS_ON_PERMIT)
    simulation = Simulation(case)
    assert len(list(simulation)) == 2
    ((keys, waiting),) = simulation.explain_waiting()
    assert (keys, waiting.group is not None) == (["default/a", "default/b"], True)


@given(
    minor=st.sampled_from(MINORS),
    least=st.integers(1, 4),
    pods=st.lists(st.tuples(st.integers(1, 3), st.integers(0, 2), st.booleans()), min_size=1, max_size=8),
    room=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    seed=st.integers(0, 3),
    samples=st.booleans(),
)
def test_never_fewer_than_its_least_number_of_a_gang_is_placed(
    minor: str, least: int, pods: list[tuple[int, int, bool]], room: list[int], seed: int, samples: bool
) -> None:
    nodes = [a_small_node(f"n{number}", cpu) for number, cpu in enumerate(room)]
    wanted = []
    for number, (cpu, at, is_member) in enumerate(pods):
        name, requests = f"p{number}", {"cpu": str(cpu)}
        pod = a_member(name, minor=minor, requests=requests) if is_member else a_pod(name, requests=requests)
        wanted.append(Wanted(pod, at, None if is_member else at + 2))
    gang = {f"default/{each.pod['metadata']['name']}" for each in wanted if each.until is None}
    case = a_case(GROUPING[minor], [*nodes, a_group(least=least, minor=minor)], wanted, seed=seed, samples=samples)

    steps = run(case)

    by_moment: Counter[int] = Counter()
    for step in steps:
        if step.pod in gang and step.outcome is Outcome.PLACED:
            by_moment[step.at] += 1
    placed = 0
    for moment in sorted(by_moment):
        placed += by_moment[moment]
        assert placed >= least
    assert list(Simulation(case, steps)) == steps, "a run that is taken up is the same"
