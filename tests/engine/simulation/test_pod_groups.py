"""A simulation places the pods of a gang together or not at all, as the scheduler of each minor does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.adapters.flow import solve
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.conclusion import UncomputedField
from clusters.engine.objects import Pod
from clusters.engine.scheduling import GroupVerdict, attempt_group
from clusters.engine.simulation import (
    BatchSimulation,
    Case,
    GroupEnd,
    GroupResult,
    MoreNodes,
    NodeLikeness,
    NodesForGroup,
    Outcome,
    Simulation,
    Step,
    Wanted,
    group_results,
    groups_named,
    node_counts as module,
    nodes_for_group,
    outcome,
)
from clusters.engine.versions import Gate, Release
from clusters.wording.runs.groups import group_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_member, a_small_node, members
from tests.support.answers import known

MINORS = ("1.35", "1.36", "1.37")


def a_case(
    release: Release, there: list[Document], wanted: list[Wanted], *, seed: int = 0, samples: bool = False
) -> Case:
    placed = {
        f"default/{each['metadata']['name']}": each
        for each in there
        if each["kind"] == "Pod" and each["spec"].get("nodeName")
    }
    snapshot = Snapshot.from_objects(there, release)
    return Case(snapshot, SchedulerConfiguration.default(release), wanted, seed=seed, samples=samples, placed=placed)


def run(case: Case) -> list[Step]:
    return list(Simulation(case))


def last_of(steps: list[Step]) -> dict[str, Step]:
    return {step.pod.removeprefix("default/"): step for step in steps}


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
def test_a_gang_is_tried_again_when_room_is_made(minor: str) -> None:
    gang, other = members("a", "b", minor=minor), a_pod("other", requests={"cpu": "1"})
    there = [a_small_node("n1", 2), a_group(least=2, minor=minor)]

    steps = run(a_case(GROUPING[minor], there, [Wanted(other, 0, until=5), *(Wanted(pod, 1) for pod in gang)]))

    found = last_of(steps)
    assert (found["a"].outcome, found["b"].outcome) == (Outcome.PLACED, Outcome.PLACED)
    assert {step.at for step in (found["a"], found["b"])} == {5}


def test_a_group_that_is_not_computed_is_uncertain_where_it_is_placed() -> None:
    low = a_pod("low", node="n1", requests={"cpu": "1"}, priority=-1)
    there = [a_small_node("n1", 2), a_group(least=1, parentCompositePodGroupName="whole"), low]
    gates = {Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True}

    (step,) = run(a_case(GROUPING["1.37"].with_gates(gates), there, list(map(Wanted, members("a", minor="1.37")))))

    assert step.outcome is Outcome.PLACED
    assert step.uncertain == (UncomputedField("GangScheduling", "spec.schedulingGroup"),)


@pytest.mark.parametrize("minor", MINORS)
def test_a_step_is_explained_with_its_group(minor: str) -> None:
    there = [a_small_node("n1", 1), a_group(least=2, minor=minor)]
    case = a_case(GROUPING[minor], there, list(map(Wanted, members("a", "b", minor=minor))))

    explanation = Simulation(case).explanation_at(0)

    assert known(explanation.group).verdict in (GroupVerdict.UNSCHEDULABLE, GroupVerdict.WAITS_ON_PERMIT)
    simulation = Simulation(case)
    assert len(list(simulation)) == 2
    ((keys, waiting),) = simulation.explain_waiting()
    assert (keys, waiting.group is not None) == (["default/a", "default/b"], True)


@settings(max_examples=30)
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


ZONE = "topology.kubernetes.io/zone"


def a_zoned_node(name: str, cpu: int, zone: str = "") -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)}, labels={ZONE: zone} if zone else {})


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
def test_pods_beyond_those_that_a_gang_needs_are_pending_by_themselves(minor: str) -> None:
    (found,) = ends(
        [a_zoned_node("n1", 2), a_group(least=2, minor=minor)],
        members("a", "b", "c", minor=minor),
        GROUPING[minor],
    )

    assert (found.end, found.placed, found.pods) == (GroupEnd.PARTLY_PLACED, 2, 3)


def test_groups_that_lack_pods_or_an_object_are_told_apart() -> None:
    lost, train = ends([a_zoned_node("n1", 9), a_group(least=2)], [*members("a"), a_member("b", "lost")])

    assert (lost.group, lost.end, lost.least) == ("default/lost", GroupEnd.NOT_FOUND, None)
    assert (train.group, train.end, train.pods, train.least) == ("default/train", GroupEnd.TOO_FEW_PODS, 1, 2)


def test_a_group_that_fits_by_preemption_counts_who_goes() -> None:
    low = [a_pod(f"low-{number}", node="n1", requests={"cpu": "1"}, priority=-1) for number in range(2)]

    (found,) = ends([a_zoned_node("n1", 2), a_group(least=2, priority=5), *low], members("a", "b", priority=5))

    assert (found.end, found.victims, found.placed) == (GroupEnd.PREEMPTION, 2, 0)


def test_a_topology_is_named_with_the_domain_or_as_what_is_in_the_way() -> None:
    release = GROUPING["1.37"].with_gates({Gate.GENERIC_WORKLOAD: True, Gate.TOPOLOGY_AWARE_WORKLOADS: True})
    group = a_group(least=2, schedulingConstraints={"topology": [{"key": ZONE}]})
    wide, narrow = ([a_zoned_node("n1", 1, "a"), a_zoned_node("n2", cpu, "b"), group] for cpu in (2, 1))
    pods = members("a", "b")

    (placed,), (split,), (flow,) = ends(wide, pods, release), ends(narrow, pods, release), ends(narrow, pods, batch="")

    assert (placed.end, placed.topology, placed.domain) == (GroupEnd.PLACED, ZONE, "b")
    assert (split.end, split.topology, split.domain) == (GroupEnd.NO_DOMAIN, ZONE, "")
    assert (flow.end, flow.topology) == (GroupEnd.PLACED, ""), "the gate is off"
    (flow,) = ends(narrow, pods, release, batch="pod-group")
    assert (flow.end, flow.placed) == (GroupEnd.SEVERAL_DOMAINS, 2)


def test_groups_that_are_not_tried_again_are_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "MOST_TRIED", 0)

    (found,) = ends([a_zoned_node("n1", 1), a_group(least=2)], members("a", "b"))

    assert found.end is GroupEnd.UNCERTAIN
    assert group_sentence(found) == "Another attempt is not computed."


def test_no_group_is_told_of_where_none_is_read() -> None:
    release = GROUPING["1.37"].with_gates({Gate.GENERIC_WORKLOAD: False})

    assert not ends([a_zoned_node("n1", 2), a_group(least=2)], members("a", "b"), release)


@settings(max_examples=30)
@given(
    minor=st.sampled_from(MINORS),
    least=st.one_of(st.none(), st.integers(1, 4)),
    cpus=st.lists(st.integers(1, 3), min_size=1, max_size=5),
    room=st.lists(st.integers(1, 4), min_size=1, max_size=3),
)
def test_numbers_agree_with_the_end(minor: str, least: int | None, cpus: list[int], room: list[int]) -> None:
    nodes = [a_zoned_node(f"n{number}", cpu) for number, cpu in enumerate(room)]
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


def a_labelled_node(name: str, cpu: int, **labels: str) -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)}, labels=labels)


def pods(number: int, *, cpu: int = 1, minor: str = "1.37", **fields: Any) -> list[Document]:
    return [a_member(f"p{each}", minor=minor, requests={"cpu": str(cpu)}, **fields) for each in range(number)]


def needed(
    nodes: list[Document],
    others: list[Document],
    release: Release = GROUPING["1.37"],
    *,
    daemon: Document | None = None,
) -> NodesForGroup | None:
    """What the pending pods among ``others`` need, of nodes like those that there are."""
    snapshot = Snapshot.from_objects([*nodes, *others], release)
    profile = SchedulerConfiguration.default(release).profiles[0]
    pod = next(Pod(each) for each in others if each["kind"] == "Pod" and not each["spec"].get("nodeName"))
    attempt = known(attempt_group(snapshot, pod, profile))
    assert attempt.verdict in (GroupVerdict.UNSCHEDULABLE, GroupVerdict.WAITS_ON_PERMIT)
    likenesses = [NodeLikeness(node, () if daemon is None else (daemon,)) for node in nodes]
    return nodes_for_group(MoreNodes(snapshot, likenesses), pod, profile, attempt)


@pytest.mark.parametrize("minor", MINORS)
def test_the_fewest_nodes_of_one_shape_are_named_the_smaller_first(minor: str) -> None:
    small, large = a_labelled_node("small", 1, pool="s"), a_labelled_node("large", 2, pool="l")
    others = [a_group(least=4, minor=minor), *pods(4, minor=minor)]

    # Three of four pods have room; one node of either shape takes the last.
    assert needed([small, large], others, GROUPING[minor]) == NodesForGroup("small", "s", 1, 4, 1)
    # Two are left: one large node is fewer than two small ones.
    more = [a_group(least=5, minor=minor), *pods(5, minor=minor)]
    assert needed([small, large], more, GROUPING[minor]) == NodesForGroup("large", "l", 1, 5, 2)
    assert needed([small], others, GROUPING[minor]) == NodesForGroup("small", "s", 3, 4, 3)


def test_pods_of_daemon_sets_take_room_on_new_nodes() -> None:
    daemon = pods(1)[0] | {"metadata": {"name": "daemon", "namespace": "default"}}
    daemon["spec"] = {**daemon["spec"], "schedulingGroup": None}

    assert needed([a_labelled_node("n1", 1)], [a_group(least=2), *pods(2)], daemon=daemon) is None


def test_too_much_is_not_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [a_group(least=3), *pods(3)]
    assert needed([a_labelled_node("n1", 1)], others) == NodesForGroup("n1", "", 2, 3, 2)

    monkeypatch.setattr(module, "MOST_EVALUATED", 10)
    assert needed([a_labelled_node("n1", 1)], others) is None
    monkeypatch.undo()
    monkeypatch.setattr(module, "MOST_GROUP_NODES", 1)
    assert needed([a_labelled_node("n1", 1)], others) is None


@settings(max_examples=30)
@given(minor=st.sampled_from(MINORS), least=st.integers(2, 7), room=st.integers(1, 3))
def test_one_node_less_is_not_enough(minor: str, least: int, room: int) -> None:
    node = a_labelled_node("n0", room)
    missing = least - room
    others = [a_group(least=least, minor=minor), *pods(least, minor=minor)]
    if missing <= 0:
        return

    assert needed([node], others, GROUPING[minor]) == NodesForGroup("n0", "", -(-missing // room), least, missing)
