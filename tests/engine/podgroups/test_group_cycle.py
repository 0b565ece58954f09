"""A group in the queue: its pods one after another, all or none, and what the scheduler of each minor says of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion, UncomputedField, UncomputedObject
from clusters.engine.scheduling import GroupAttempt, GroupVerdict, Part, stages
from clusters.engine.scheduling.groups import MOST_MEMBERS
from clusters.engine.versions import Gate
from clusters.wording.conclusions import uncertain_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member

MINORS = ("1.35", "1.36", "1.37")
LACKING = "0/1 nodes are available: 1 Insufficient cpu."


def a_small_node(name: str, cpu: int) -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)})


def members(*names: str, minor: str = "1.37", cpu: int = 1, **fields: Any) -> list[Document]:
    return [a_member(name, minor=minor, requests={"cpu": str(cpu)}, **fields) for name in names]


def explained(snapshot: Snapshot, pod: Document) -> Explanation:
    return explain(snapshot, pod, SchedulerConfiguration.default(snapshot.release).profiles[0])


def attempt(snapshot: Snapshot, pod: Document) -> GroupAttempt:
    group = explained(snapshot, pod).group
    assert group is not None
    return group


@pytest.mark.parametrize("minor", MINORS)
def test_a_gang_that_has_room_is_scheduled(minor: str) -> None:
    pods = members("a", "b", minor=minor)
    snapshot = a_cluster(minor, a_small_node("n1", 2), a_group(least=2, minor=minor), *pods)

    for pod in pods:
        found = explained(snapshot, pod)
        assert found.conclusion is Conclusion.FITS
        assert found.choices == ["n1"]
        assert found.group is not None
        assert found.group.verdict is GroupVerdict.SCHEDULED
    assert [(each.pod, each.node) for each in attempt(snapshot, pods[0]).members] == [
        ("default/a", "n1"),
        ("default/b", "n1"),
    ]


@pytest.mark.parametrize(
    ("minor", "verdict", "of_group", "of_pod"),
    [
        (
            "1.35",
            GroupVerdict.WAITS_ON_PERMIT,
            "waiting for minCount pods from a gang to be waiting on permit",
            "waiting for minCount pods from a gang to be waiting on permit",
        ),
        (
            "1.36",
            GroupVerdict.UNSCHEDULABLE,
            "pod group is unschedulable",
            "pod group is unschedulable, waiting for minCount pods from a gang to be scheduled",
        ),
        (
            "1.37",
            GroupVerdict.UNSCHEDULABLE,
            (
                "pod group is unschedulable, minCount (3) cannot be satisfied: 2 scheduled, 0 remaining, "
                "pod group preemption: No preemption victims found for incoming preemptor"
            ),
            (
                "pod group is unschedulable, pod group is unschedulable, minCount (3) cannot be satisfied: "
                "2 scheduled, 0 remaining, pod group preemption: No preemption victims found for incoming preemptor"
            ),
        ),
    ],
)
def test_a_gang_that_lacks_room_for_one_is_not_scheduled_at_all(
    minor: str, verdict: GroupVerdict, of_group: str, of_pod: str
) -> None:
    pods = members("a", "b", "c", minor=minor)
    snapshot = a_cluster(minor, a_small_node("n1", 2), a_group(least=3, minor=minor), *pods)

    first, last = explained(snapshot, pods[0]), explained(snapshot, pods[2])

    assert first.finds_node
    assert not first.fits
    assert first.conclusion is Conclusion.UNSCHEDULABLE
    assert first.group is not None
    assert (first.group.verdict, first.group.message) == (verdict, of_group)
    assert first.message == of_pod
    assert [each.pod for each in first.group.refused] == ["default/c"]
    assert last.refusal == LACKING
    assert (last.message == LACKING) is (minor == "1.37"), "1.37 runs PostFilter for the group, not for each pod"


def test_pods_are_tried_no_longer_than_enough_can_be_reached() -> None:
    pods = members("a", "b", "c", cpu=2)
    snapshot = a_cluster("1.37", a_small_node("n1", 1), a_group(least=3), *pods)

    last = explained(snapshot, pods[2])

    assert last.group is not None
    assert [each.is_reached for each in last.group.members] == [True, False, False]
    assert last.group.message.startswith(
        "pod group is unschedulable, minCount (3) cannot be satisfied: 0 scheduled, 2 remaining"
    )


def test_a_pod_that_is_not_reached_is_told_of_its_group_without_preemption() -> None:
    large = a_member("a", requests={"cpu": "9"})
    small = a_member("b", requests={"cpu": "1"})
    snapshot = a_cluster("1.37", a_small_node("n1", 4), a_group(least=2), large, small)

    found = explained(snapshot, small)

    assert found.finds_node
    assert found.message == "pod group is unschedulable, minCount (2) cannot be satisfied: 0 scheduled, 1 remaining"


@pytest.mark.parametrize("minor", MINORS)
def test_pods_that_run_count_for_their_gang(minor: str) -> None:
    running, pending = members("a", minor=minor, node="n1"), members("b", "c", minor=minor)
    snapshot = a_cluster(minor, a_small_node("n1", 2), a_group(least=2, minor=minor), *running, *pending)

    assert explained(snapshot, pending[0]).fits
    assert not explained(snapshot, pending[1]).fits
    assert attempt(snapshot, pending[0]).scheduled == 1


@pytest.mark.parametrize("minor", MINORS)
def test_the_basic_policy_schedules_whom_it_can(minor: str) -> None:
    pods = members("a", "b", minor=minor)
    snapshot = a_cluster(minor, a_small_node("n1", 1), a_group(least=None, minor=minor), *pods)

    assert explained(snapshot, pods[0]).fits
    assert explained(snapshot, pods[1]).refusal == LACKING


def test_without_the_plugin_1_36_schedules_a_gang_as_any_group() -> None:
    pods = members("a", "b", minor="1.36")
    release = GROUPING["1.36"].with_gates({Gate.GANG_SCHEDULING: False})
    snapshot = Snapshot.from_objects([a_small_node("n1", 1), a_group(least=2, minor="1.36"), *pods], release)

    assert explained(snapshot, pods[0]).fits


@pytest.mark.parametrize("minor", MINORS)
def test_pods_of_higher_priority_and_earlier_ones_go_first(minor: str) -> None:
    pods = members("a", "b", minor=minor)
    for pod, moment in zip(pods, ("2026-01-01T00:00:02Z", "2026-01-01T00:00:01Z"), strict=True):
        pod["metadata"]["creationTimestamp"] = moment
    snapshot = a_cluster(minor, a_small_node("n1", 2), a_group(least=2, minor=minor), *pods)

    assert [each.pod for each in attempt(snapshot, pods[0]).members] == ["default/b", "default/a"]


def test_a_pod_finds_the_cluster_as_those_before_it_leave_it() -> None:
    pods = members("a", "b")
    nodes = [a_small_node("n1", 1), a_small_node("n2", 1)]
    snapshot = a_cluster("1.37", *nodes, a_group(least=2), *pods)

    assert explained(snapshot, pods[0]).feasible == ["n1", "n2"]
    assert explained(snapshot, pods[1]).feasible == ["n2"]
    assert snapshot.placed_on("default/a") is None


@pytest.mark.parametrize(
    ("minor", "spec", "said"),
    [
        (
            "1.36",
            {"schedulerName": "other"},
            (
                "all pods in a single pod group should have the same .spec.schedulerName set, "
                'got: "other" and "default-scheduler"'
            ),
        ),
        (
            "1.37",
            {"priority": 5},
            "all pods in a single pod group should have the same priority as the pod group's priority, got 5 and 0",
        ),
        (
            "1.37",
            {"preemptionPolicy": "Never"},
            "all pods in a single pod group should have the same preemption policy, got Never and PreemptLowerPriority",
        ),
    ],
)
def test_pods_that_are_unlike_end_the_attempt_in_an_error(minor: str, spec: dict[str, Any], said: str) -> None:
    first, other = a_member("a", minor=minor), a_member("b", minor=minor, **spec)
    snapshot = a_cluster(minor, a_node("n1"), a_group(least=2, minor=minor), first, other)

    found = explained(snapshot, first)

    assert found.group is not None
    assert found.group.verdict is GroupVerdict.ERROR
    assert found.message == said
    assert not found.fits


@pytest.mark.parametrize("spec", [{"priority": 7}, {"priorityClassName": "high"}])
def test_a_group_has_its_own_priority_or_that_of_its_class(spec: dict[str, Any]) -> None:
    pod, high = a_member("a", priority=7), {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 7}

    found = explained(a_cluster("1.37", a_node("n1"), high, a_group(least=1, **spec), pod), pod)

    assert found.conclusion is Conclusion.FITS


def test_1_37_holds_the_whole_group_back_with_one_pod() -> None:
    held = a_member("a", schedulingGates=[{"name": "wait"}])
    free = a_member("b")
    objects = (a_node("n1"), held, free)

    late = explained(a_cluster("1.37", *objects, a_group(least=1)), free)
    early = explained(
        Snapshot.from_objects(
            [
                a_node("n1"),
                a_group(least=1, minor="1.36"),
                a_member("a", minor="1.36", schedulingGates=[{"name": "wait"}]),
                a_member("b", minor="1.36"),
            ],
            GROUPING["1.36"],
        ),
        free,
    )

    assert late.group is not None
    assert (late.group.verdict, late.group.held_back, late.fits) == (GroupVerdict.GATED, "default/a", False)
    assert early.fits


@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
def test_a_pod_that_does_not_exist_yet_completes_its_gang(minor: str) -> None:
    first, second, third = members("a", "b", "c", minor=minor)
    snapshot = a_cluster(minor, a_small_node("n1", 3), a_group(least=3, minor=minor), first, second)

    found = explained(snapshot, third)

    assert found.group is not None
    assert (found.fits, found.group.verdict, found.group.found) == (True, GroupVerdict.SCHEDULED, 3)
    assert explained(snapshot, first).gates.ok is False, "without it the others wait"


def test_a_group_of_1_36_that_could_preempt_is_uncertain() -> None:
    low = a_pod("low", node="n1", requests={"cpu": "2"}, priority=-5)
    pods = members("a", "b", minor="1.36")
    snapshot = a_cluster("1.36", a_small_node("n1", 2), a_group(least=2, minor="1.36"), low, *pods)

    found = explained(snapshot, pods[0])

    assert found.group is not None
    assert found.group.verdict is GroupVerdict.UNCERTAIN
    assert UncomputedField("GangScheduling", "spec.schedulingGroup") in found.uncertainties


def test_what_is_part_of_a_composite_group_is_uncertain() -> None:
    gates = {Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True}
    pod = a_member("a")
    whole = {
        "apiVersion": "scheduling.k8s.io/v1alpha3",
        "kind": "CompositePodGroup",
        "metadata": {"name": "whole", "namespace": "default"},
        "spec": {"schedulingPolicy": {"basic": {}}},
    }
    objects = [a_node("n1"), whole, a_group(least=1, parentCompositePodGroupName="whole"), pod]

    off = GROUPING["1.37"].with_gates({Gate.COMPOSITE_POD_GROUP: False})

    # The API server keeps the parent only where the gate is on there: the scheduler's may be too.
    for release in (GROUPING["1.37"].with_gates(gates), GROUPING["1.37"]):
        found = explained(Snapshot.from_objects(objects, release), pod)
        assert found.conclusion is Conclusion.UNCERTAIN
        assert found.uncertainties == (UncomputedObject("GangScheduling", "CompositePodGroup", "default", "whole"),)
        assert uncertain_sentence(found.uncertainties) == (
            "Uncertain: the CompositePodGroup default/whole is not computed (GangScheduling)."
        )
    assert explained(Snapshot.from_objects(objects, off), pod).conclusion is Conclusion.FITS


def test_a_very_large_group_is_not_evaluated() -> None:
    pods = members(*map(str, range(MOST_MEMBERS + 1)))
    snapshot = a_cluster("1.37", a_node("n1"), a_group(least=1), *pods)

    assert explained(snapshot, pods[0]).conclusion is Conclusion.UNCERTAIN


def test_permit_shows_what_the_group_comes_to() -> None:
    pods = members("a", "b")

    def permit(cpu: int) -> Part:
        snapshot = a_cluster("1.37", a_small_node("n1", cpu), a_group(least=2), *pods)
        stage = next(stage for stage in stages(explained(snapshot, pods[0])) if stage.point == "permit")
        return next(part.part for part in stage.parts if part.plugin == "GangScheduling")

    assert permit(2) is Part.RAN
    assert permit(1) is Part.REJECTED


@given(
    minor=st.sampled_from(MINORS),
    least=st.integers(1, 5),
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=6),
    room=st.lists(st.integers(1, 6), min_size=1, max_size=4),
)
def test_either_enough_pods_get_a_node_or_none(minor: str, least: int, sizes: list[int], room: list[int]) -> None:
    nodes = [a_small_node(f"n{number}", cpu) for number, cpu in enumerate(room)]
    pods = [a_member(f"p{number}", minor=minor, requests={"cpu": str(size)}) for number, size in enumerate(sizes)]
    snapshot = a_cluster(minor, *nodes, a_group(least=least, minor=minor), *pods)

    found = [explained(snapshot, pod) for pod in pods]

    fitting = sum(each.fits for each in found if each.gates.ok)
    assert fitting == 0 or fitting >= least
    verdicts = {each.group.verdict for each in found if each.group is not None}
    assert len(verdicts) <= 1
