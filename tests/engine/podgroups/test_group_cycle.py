"""A group in the queue: its pods one after another, all or none, and what the scheduler of each minor says of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion, UncomputedObject
from clusters.engine.group_states import GroupPhase, PodGroupState, pod_group_states
from clusters.engine.objects import Pod
from clusters.engine.podgroups import (
    DisruptionMode,
    GroupPolicy,
    GroupTerms,
    PodGroup,
    PodGroupKey,
    SchedulingWorkload,
    WorkloadReference,
    group_key_of,
)
from clusters.engine.scheduling import GroupAttempt, GroupVerdict, Part, is_preemption_uncertain, stages
from clusters.engine.scheduling.groups.attempt import MOST_CYCLES, MOST_MEMBERS
from clusters.engine.versions import RELEASES, Gate
from clusters.wording.conclusions import uncertain_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member, a_small_node, members
from tests.support.answers import known

MINORS = ("1.35", "1.36", "1.37")
LACKING = "0/1 nodes are available: 1 Insufficient cpu."


def explained(snapshot: Snapshot, pod: Document) -> Explanation:
    return explain(snapshot, pod, SchedulerConfiguration.default(snapshot.release).profiles[0])


def attempt(snapshot: Snapshot, pod: Document) -> GroupAttempt:
    return known(explained(snapshot, pod).group)


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
                "minCount (3) cannot be satisfied: 2 scheduled, 0 remaining, "
                "pod group preemption: No preemption victims found for incoming preemptor"
            ),
            (
                "pod group is unschedulable, minCount (3) cannot be satisfied: "
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


def test_a_pod_that_is_not_reached_is_told_of_its_group_without_preemption() -> None:
    large = a_member("a", requests={"cpu": "9"})
    small = a_member("b", requests={"cpu": "1"})

    found = explained(a_cluster("1.37", a_small_node("n1", 4), a_group(least=2), large, small), small)

    assert found.finds_node
    assert found.message == "minCount (2) cannot be satisfied: 0 scheduled, 1 remaining"


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


@pytest.mark.parametrize(
    ("minor", "spec", "said"),
    [
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

    found = explained(a_cluster(minor, a_node("n1"), a_group(least=2, minor=minor), first, other), first)

    assert known(found.group).verdict is GroupVerdict.ERROR
    assert found.message == said
    assert not found.fits


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_pods_of_two_profiles_are_unlike_and_those_of_another_scheduler_are_not_known(minor: str) -> None:
    first, other = a_member("a", minor=minor), a_member("b", minor=minor, schedulerName="other")
    snapshot = a_cluster(minor, a_node("n1"), a_group(least=1, minor=minor), first, other)
    own = SchedulerConfiguration.default(snapshot.release).profiles[0]

    both = known(explain(snapshot, first, replace(own, queue=own.queue | {"other"})).group)
    alone = known(explain(snapshot, first, own).group)

    assert both.verdict is GroupVerdict.ERROR
    assert both.message.endswith('.spec.schedulerName set, got: "other" and "default-scheduler"')
    assert alone.verdict is GroupVerdict.SCHEDULED
    assert [each.pod for each in alone.members] == ["default/a"]


def test_1_37_holds_the_whole_group_back_with_one_pod() -> None:
    free = a_member("b")
    objects = (a_node("n1"), a_member("a", schedulingGates=[{"name": "wait"}]), free)

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


NESTING = {Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True}


def a_composite(name: str, least: int | None, **spec: Any) -> Document:
    policy = {"basic": {}} if least is None else {"gang": {"minGroupCount": least}}
    return {
        "apiVersion": "scheduling.k8s.io/v1alpha3",
        "kind": "CompositePodGroup",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"schedulingPolicy": policy, **spec},
    }


def test_what_may_be_part_of_a_composite_group_is_uncertain() -> None:
    pod = a_member("a")
    objects = [a_node("n1"), a_composite("whole", None), a_group(least=1, parentCompositePodGroupName="whole"), pod]

    found = explained(Snapshot.from_objects(objects, GROUPING["1.37"]), pod)

    # The API server keeps the parent only where the gate is on there: the scheduler's may be too.
    assert found.conclusion is Conclusion.UNCERTAIN
    assert found.uncertainties == (UncomputedObject("GangScheduling", "CompositePodGroup", "default", "whole"),)
    assert uncertain_sentence(found.uncertainties) == (
        "Uncertain: CompositePodGroup default/whole is not computed (GangScheduling)."
    )
    off = GROUPING["1.37"].with_gates({Gate.COMPOSITE_POD_GROUP: False})
    assert explained(Snapshot.from_objects(objects, off), pod).conclusion is Conclusion.FITS


def nested(
    room: int, least: int | None, *objects: Document, sizes: tuple[int, ...] = (2, 2)
) -> dict[str, GroupAttempt]:
    """A pod of each part of a composite on a node with room for so many pods, by the part's name."""
    groups = [a_group(f"g{number}", size, parentCompositePodGroupName="whole") for number, size in enumerate((2, 2))]
    pods = {
        f"g{number}": [a_member(f"p{number}{each}", f"g{number}", requests={"cpu": "1"}) for each in range(size)]
        for number, size in enumerate((2, 2))
    }
    everybody = [pod for some in pods.values() for pod in some]
    things = (a_small_node("n1", room), a_composite("whole", least), *groups, *everybody, *objects)
    snapshot = Snapshot.from_objects(things, GROUPING["1.37"].with_gates(NESTING))
    return {name: attempt(snapshot, some[0]) for name, some in pods.items()}


def test_the_parts_of_a_composite_are_tried_one_after_another() -> None:
    all_of_them = nested(4, 2)
    one_is_enough = nested(2, 1)

    assert {each.verdict for each in all_of_them.values()} == {GroupVerdict.SCHEDULED}
    assert {name: each.verdict for name, each in one_is_enough.items()} == {
        "g0": GroupVerdict.SCHEDULED,
        "g1": GroupVerdict.UNSCHEDULABLE,
    }
    assert one_is_enough["g1"].composite == "whole"


def test_a_composite_that_lacks_a_part_schedules_none() -> None:
    found = nested(3, 2)
    whole = (
        "pod group is unschedulable, 0/1 placements are available, first placement status: "
        "minCount (2) cannot be satisfied: 1 scheduled, 0 remaining"
    )
    none = "pod group preemption: No preemption victims found for incoming preemptor"

    assert {each.verdict for each in found.values()} == {GroupVerdict.UNSCHEDULABLE}
    # The first part has the very status of the whole, to which both of them are told what preemption says.
    assert found["g0"].message == f"{whole}, {none}, {none}"
    assert found["g0"].pod_message == whole
    assert [each.is_reached for each in found["g0"].members] == [False, False]
    assert found["g1"].message == (
        "pod group is unschedulable, 0/1 placements are available, first placement status: "
        f"minCount (2) cannot be satisfied: 1 scheduled, 0 remaining, {none}"
    )


def test_a_composite_preempts_for_all_of_its_parts() -> None:
    found = nested(4, 2, low("low", cpu=2, priority=-1), low("lower", cpu=2, priority=-2))

    assert {each.verdict for each in found.values()} == {GroupVerdict.PREEMPTS}
    for each in found.values():
        assert set(each.victims) == {"default/low", "default/lower"}
        assert set(each.nominations) == {f"default/p{part}{number}" for part in (0, 1) for number in (0, 1)}


def test_a_part_goes_where_its_composite_goes() -> None:
    nodes = [a_racked_node("n1", "a", 3), a_racked_node("n2", "b", 4)]
    groups = [a_group(name, 2, parentCompositePodGroupName="whole") for name in ("g0", "g1")]
    pods = [a_member(f"{group}{each}", group, requests={"cpu": "1"}) for group in ("g0", "g1") for each in range(2)]
    whole = a_composite("whole", 2, schedulingConstraints=RACK)
    snapshot = Snapshot.from_objects([*nodes, whole, *groups, *pods], GROUPING["1.37"].with_gates(NESTING))

    for pod in (pods[0], pods[2]):
        assert {each.node for each in attempt(snapshot, pod).members} == {"n2"}


def test_a_very_large_group_is_not_evaluated() -> None:
    pods = members(*map(str, range(MOST_MEMBERS + 1)))
    snapshot = a_cluster("1.37", a_node("n1"), a_group(least=1), *pods)

    assert explained(snapshot, pods[0]).conclusion is Conclusion.UNCERTAIN


@pytest.mark.parametrize("bound", ["MOST_PODS_TRIED", "MOST_NODES_TRIED"])
@pytest.mark.parametrize(("most", "verdict"), [(4, GroupVerdict.SCHEDULED), (3, GroupVerdict.UNCERTAIN)])
def test_very_many_tries_in_domains_are_not_evaluated(
    bound: str, most: int, verdict: GroupVerdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"clusters.engine.scheduling.groups.attempt.{bound}", most)
    pods = members("x", "y")
    racks = [a_racked_node("n1", "a", 2), a_racked_node("n2", "b", 2)]

    snapshot = placing_cluster("1.37", *racks, a_group(least=2, schedulingConstraints=RACK), *pods)

    assert attempt(snapshot, pods[0]).verdict is verdict


def test_1_36_waits_for_the_victims_of_single_pods() -> None:
    nodes = [a_small_node("n1", 2), a_small_node("n2", 1)]
    victim = a_pod("low", node="n1", priority=-1, requests={"cpu": "2"})
    pods = members("x", "y", "z", minor="1.36")

    found = attempt(a_cluster("1.36", *nodes, victim, a_group(minor="1.36"), *pods), pods[0])
    assert found.verdict is GroupVerdict.PREEMPTS
    # The second pod takes part of what the victim leaves, though that is still there; the third would take the rest.
    assert found.nominations == {"default/x": "n2", "default/y": "n1", "default/z": "n1"}
    assert found.victims == ("default/low",)
    assert found.message == "pod group is unschedulable, pod group is waiting for preemption to complete"
    assert found.pod_message == found.message


@pytest.mark.parametrize(("least", "verdict"), [(3, GroupVerdict.PREEMPTS), (4, GroupVerdict.UNCERTAIN)])
def test_1_36_removes_victims_of_gangs_that_do_not_get_enough(least: int, verdict: GroupVerdict) -> None:
    victim = a_pod("low", node="n1", priority=-1, requests={"cpu": "3"})
    pods = members("w", "x", "y", "z", minor="1.36")
    snapshot = a_cluster("1.36", a_small_node("n1", 3), victim, a_group(least=least, minor="1.36"), *pods)

    assert attempt(snapshot, pods[0]).verdict is verdict


def test_1_36_with_topologies_leaves_open_what_single_pods_preempt() -> None:
    victim = a_pod("low", node="n1", priority=-1, requests={"cpu": "2"})
    pods = members("x", "y", minor="1.36")
    snapshot = placing_cluster("1.36", a_small_node("n1", 2), victim, a_group(minor="1.36"), *pods)

    assert attempt(snapshot, pods[0]).verdict is GroupVerdict.UNCERTAIN


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_pods_that_run_in_two_domains_end_the_attempt_in_an_error(minor: str) -> None:
    nodes = [a_racked_node("n1", "a", 2), a_racked_node("n2", "b", 2)]
    running = [a_member(f"r-{name}", minor=minor, node=name, requests={"cpu": "1"}) for name in ("n1", "n2")]
    pods = members("x", minor=minor)
    group = a_group(least=1, minor=minor, schedulingConstraints=RACK)

    found = attempt(placing_cluster(minor, *nodes, *running, group, *pods), pods[0])

    assert found.pod_message == (
        "cannot determine domain for already scheduled pods: more than 1 domain found for pod group: a, b"
    )


@pytest.mark.parametrize(
    ("group", "pods", "said"),
    [
        ({"preemptionPolicy": "Never"}, {}, "got PreemptLowerPriority and Never"),
        ({}, {"preemptionPolicy": "Never"}, "got Never and PreemptLowerPriority"),
        ({"preemptionPolicy": "Never"}, {"preemptionPolicy": "Never"}, ""),
    ],
)
def test_with_its_gate_the_groups_own_preemption_policy_counts(
    group: dict[str, Any], pods: dict[str, Any], said: str
) -> None:
    release = GROUPING["1.37"].with_gates({Gate.POD_GROUP_PREEMPTION_POLICY: True})
    victim = a_pod("low", node="n1", priority=-1, requests={"cpu": "2"})
    both = members("x", "y", **pods)
    snapshot = Snapshot.from_objects([a_small_node("n1", 2), victim, a_group(**group), *both], release)

    found = attempt(snapshot, both[0])

    policy = (
        "all pods in a single pod group should have the same preemption policy as the pod group's preemption policy"
    )
    if said:
        assert found.message == f"{policy}, {said}"
    else:
        assert found.message.endswith("not eligible due to preemptionPolicy=Never.")


def test_permit_shows_what_the_group_comes_to() -> None:
    pods = members("a", "b")

    def permit(cpu: int) -> Part:
        snapshot = a_cluster("1.37", a_small_node("n1", cpu), a_group(least=2), *pods)
        stage = next(stage for stage in stages(explained(snapshot, pods[0])) if stage.point == "permit")
        return next(part.part for part in stage.parts if part.plugin == "GangScheduling")

    assert permit(2) is Part.RAN
    assert permit(1) is Part.REJECTED


@pytest.mark.parametrize("minor", ["1.37", "1.38"])
@pytest.mark.parametrize(("cpu", "is_bound"), [(2, True), (1, False)])
def test_a_pod_whose_group_is_not_scheduled_is_not_bound(minor: str, cpu: int, *, is_bound: bool) -> None:
    pods = members("a", "b", minor=minor)
    snapshot = a_cluster(minor, a_small_node("n1", cpu), a_group(least=2, minor=minor), *pods)

    reached = {stage.point: stage.reached for stage in stages(explained(snapshot, pods[0]))}

    assert reached["reserve"]
    assert {reached[point] for point in ("preBind", "bind", "postBind")} == {is_bound}


@settings(max_examples=40)
@given(
    minor=st.sampled_from(MINORS),
    least=st.integers(1, 5),
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=6),
    room=st.lists(st.integers(1, 6), min_size=1, max_size=4),
)
def test_either_enough_pods_get_a_node_or_none(minor: str, least: int, sizes: list[int], room: list[int]) -> None:
    nodes = [a_small_node(f"n{number}", cpu) for number, cpu in enumerate(room)]
    pods = [a_member(f"p{number}", minor=minor, requests={"cpu": str(size)}) for number, size in enumerate((2, 2))]
    snapshot = a_cluster(minor, *nodes, a_group(least=least, minor=minor), *pods)

    found = [explained(snapshot, pod) for pod in pods]

    fitting = sum(each.fits for each in found if each.gates.ok)
    assert fitting == 0 or fitting >= least
    assert len({each.group.verdict for each in found if each.group is not None}) <= 1


RACK = {"topology": [{"key": "rack"}]}
PLACING_MINORS = ("1.36", "1.37")


def a_racked_node(name: str, rack: str | None, cpu: int) -> Document:
    return a_node(name, labels={} if rack is None else {"rack": rack}, allocatable={"cpu": str(cpu)})


def placing_cluster(minor: str, *objects: Document) -> Snapshot:
    return Snapshot.from_objects(objects, GROUPING[minor].with_gates({Gate.TOPOLOGY_AWARE_WORKLOADS: True}))


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
                "minCount (2) cannot be satisfied: 1 scheduled, 0 remaining, "
                "pod group preemption: No preemption victims found for incoming preemptor"
            ),
            (
                "pod group is unschedulable, pod group is unschedulable, 0/2 placements are available, first placement "
                "status: minCount (2) cannot be satisfied: 1 scheduled, 0 remaining, "
                "pod group preemption: No preemption victims found for incoming preemptor"
            ),
        ),
    ],
)
def test_a_group_that_no_domain_takes_is_not_scheduled(minor: str, message: str, of_found: str) -> None:
    nodes = [a_racked_node("n1", "a", 1), a_racked_node("n2", "b", 1)]
    pods = members("x", "y", minor=minor)
    snapshot = placing_cluster(minor, *nodes, a_group(least=2, minor=minor, schedulingConstraints=RACK), *pods)

    found = explained(snapshot, pods[0])

    assert found.group is not None
    assert (found.group.verdict, found.group.message) == (GroupVerdict.UNSCHEDULABLE, message)
    assert found.message == of_found
    assert explained(snapshot, pods[1]).refusal == "0/1 nodes are available: 1 Insufficient cpu."


@pytest.mark.parametrize("minor", PLACING_MINORS)
def test_pods_that_run_decide_on_the_domain(minor: str) -> None:
    nodes = [a_racked_node("n1", "a", 2), a_racked_node("n2", "b", 9)]
    running = a_member("r", minor=minor, node="n1", requests={"cpu": "1"})
    pods = members("x", minor=minor)
    snapshot = placing_cluster(minor, *nodes, running, a_group(least=1, minor=minor, schedulingConstraints=RACK), *pods)

    assert explained(snapshot, pods[0]).choices == ["n1"]


@pytest.mark.parametrize("minor", PLACING_MINORS)
def test_pods_that_run_outside_of_any_domain_end_the_attempt_in_an_error(minor: str) -> None:
    nodes = [a_racked_node("n1", None, 2), a_racked_node("n2", "b", 9)]
    running = a_member("r", minor=minor, node="n1", requests={"cpu": "1"})
    pods = members("x", minor=minor)
    snapshot = placing_cluster(minor, *nodes, running, a_group(least=1, minor=minor, schedulingConstraints=RACK), *pods)

    found = attempt(snapshot, pods[0])

    assert found.verdict is GroupVerdict.ERROR
    assert found.pod_message == (
        "cannot determine domain for already scheduled pods: no topology domain found for pod default/r"
    )


@pytest.mark.parametrize("minor", PLACING_MINORS)
def test_without_a_node_in_any_domain_there_is_no_placement(minor: str) -> None:
    pods = members("x", minor=minor)
    group = a_group(least=1, minor=minor, schedulingConstraints=RACK)

    found = attempt(placing_cluster(minor, a_racked_node("n1", None, 2), group, *pods), pods[0])

    assert found.verdict is GroupVerdict.UNSCHEDULABLE
    assert found.message.startswith("no feasible placements found")
    assert found.pod_message == "no feasible placements found"


@given(
    minor=st.sampled_from(PLACING_MINORS),
    racks=st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 3)), min_size=1, max_size=4),
    least=st.integers(1, 4),
    count=st.integers(1, 4),
)
def test_a_group_is_never_in_two_domains(minor: str, racks: list[tuple[str, int]], least: int, count: int) -> None:
    nodes = [a_racked_node(f"n{number}", rack, cpu) for number, (rack, cpu) in enumerate(racks)]
    pods = members(*(f"p{number}" for number in range(count)), minor=minor)
    snapshot = placing_cluster(minor, *nodes, a_group(least=least, minor=minor, schedulingConstraints=RACK), *pods)
    room = {rack: sum(cpu for each, cpu in racks if each == rack) for rack in "ab"}

    found = explained(snapshot, pods[0])

    if not found.gates.ok:
        assert count < least
        return
    assert found.group is not None
    is_possible = max(room.values()) >= least
    assert (found.group.verdict is GroupVerdict.SCHEDULED) is is_possible
    if is_possible:
        assert {racks[int(each.node[1:])][0] for each in found.group.members if each.node} == {found.group.domain}
        assert found.group.found == min(count, max(room.values()))


SHORT = "minCount (2) cannot be satisfied: 1 scheduled, 0 remaining"
FREED = "deallocation and deletion of ResourceClaims completed"


def low(name: str, *, cpu: int = 1, priority: int = -1, node: str = "n1", **fields: Any) -> Document:
    return a_pod(name, node=node, requests={"cpu": str(cpu)}, priority=priority, **fields)


def victims(*objects: Document) -> tuple[str, ...]:
    pods = members("a", "b")
    group = known(explained(a_cluster("1.37", *objects, a_group(least=2), *pods), pods[0]).group)
    assert group.verdict is GroupVerdict.PREEMPTS
    return group.victims


def test_a_pod_that_a_budget_protects_stays_if_another_can_go() -> None:
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
        "status": {"disruptionsAllowed": 0},
    }
    protected = low("protected", priority=-2, labels={"app": "web"})

    assert victims(a_small_node("n1", 3), budget, protected, low("other")) == ("default/other",)


def test_preemption_that_does_not_help_quotes_the_second_attempt() -> None:
    pods = members("a", "b")

    found = explained(a_cluster("1.37", a_small_node("n1", 1), low("low", cpu=1), a_group(least=2), *pods), pods[0])

    assert found.group is not None
    assert found.group.verdict is GroupVerdict.UNSCHEDULABLE
    assert found.group.message == (
        f"minCount (2) cannot be satisfied: 0 scheduled, 1 remaining, {FREED}, pod group preemption: {SHORT}"
    )


def test_a_group_that_never_preempts_says_so() -> None:
    pods = [{**each, "spec": {**each["spec"], "preemptionPolicy": "Never"}} for each in members("a", "b")]

    group = known(
        explained(a_cluster("1.37", a_small_node("n1", 2), low("low"), a_group(least=2), *pods), pods[0]).group
    )

    assert group.message == f"{SHORT}, {FREED}, pod group preemption: not eligible due to preemptionPolicy=Never."


def test_a_group_that_keeps_away_from_others_is_uncertain_among_very_many() -> None:
    there = [low(f"x{number}", node=f"n{number}", labels={"app": "x"}) for number in range(2, MOST_CYCLES + 2)]
    nodes = [a_small_node(f"n{number}", 1) for number in range(2, MOST_CYCLES + 2)]
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "kubernetes.io/hostname"}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    large = [a_member(name, requests={"cpu": "2"}, affinity=affinity) for name in ("a", "b")]
    snapshot = a_cluster("1.37", a_small_node("n1", 4), low("first"), *nodes, *there, a_group(least=2), *large)

    assert known(explained(snapshot, large[0]).group).verdict is GroupVerdict.UNCERTAIN


def test_a_group_waits_for_pods_that_go_for_it_already() -> None:
    pods = [{**each, "status": {"nominatedNodeName": "n1"}} for each in members("a", "b")]
    going = low("low")
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    going["status"]["conditions"] = [{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}]

    group = known(explained(a_cluster("1.37", a_small_node("n1", 2), going, a_group(least=2), *pods), pods[0]).group)

    assert group.verdict is GroupVerdict.PREEMPTS
    assert group.message == (
        "minCount (2) cannot be satisfied: 0 scheduled, 1 remaining, "
        "pod group preemption: ongoing preemption on nominated nodes"
    )
    assert (group.victims, group.nominations) == ((), {"default/a": "n1", "default/b": "n1"})


@given(
    sizes=st.lists(st.integers(1, 3), min_size=1, max_size=5),
    priorities=st.lists(st.integers(-3, 1), min_size=5, max_size=5),
    room=st.integers(2, 6),
)
def test_once_the_victims_are_gone_the_group_is_scheduled_and_none_of_them_could_stay(
    sizes: list[int], priorities: list[int], room: int
) -> None:
    there = [
        low(f"x{number}", cpu=size, priority=priority)
        for number, (size, priority) in enumerate(zip(sizes, priorities, strict=False))
    ]
    used = sum(sizes)
    pods = members("a", "b")
    snapshot = a_cluster("1.37", a_small_node("n1", used + room - 2), a_group(least=2), *there, *pods)

    group = known(explained(snapshot, pods[0]).group)

    if group.verdict is not GroupVerdict.PREEMPTS:
        return
    by_name = {f"default/{each['metadata']['name']}": each for each in there}
    left = snapshot.copy()
    for name in group.victims:
        assert by_name[name]["spec"]["priority"] < 0
        left.delete(by_name[name])
    assert explained(left, pods[0]).fits
    for name in group.victims:
        assert not explained(left.copy().upsert(by_name[name]), pods[0]).fits


@pytest.mark.parametrize(("mode", "is_uncertain"), [("all", True), ("single", False)])
def test_a_single_pod_that_removes_part_of_a_group_is_uncertain(mode: str, is_uncertain: bool) -> None:
    group = a_group("other", least=1, priority=-3, disruptionMode={mode: {}})
    running = a_member("x", "other", node="n1", requests={"cpu": "1"}, priority=-3)

    found = explained(a_cluster("1.37", a_small_node("n1", 1), group, running), a_pod("alone", requests={"cpu": "1"}))

    assert known(found.preemption).selected is not None
    assert is_preemption_uncertain(found) is is_uncertain


def test_a_group_that_is_disrupted_as_a_whole_goes_as_one() -> None:
    other = a_group("other", least=1, priority=-3, disruptionMode={"all": {}})
    running = [a_member(name, "other", node="n1", requests={"cpu": "1"}, priority=-3) for name in ("x", "y")]

    assert victims(a_small_node("n1", 3), other, *running) == ("default/x", "default/y")


GANG = {"schedulingPolicy": {"gang": {"minCount": 3}}}


def test_a_pod_group_is_read_with_all_that_it_asks() -> None:
    group = PodGroup.from_dict(
        a_group(
            least=3,
            schedulingConstraints={"topology": [{"key": "rack"}]},
            disruptionMode={"all": {}},
            priorityClassName="high",
            priority=7,
            preemptionPolicy="Never",
            resourceClaims=[{"name": "network", "resourceClaimName": "shared"}],
            workloadRef={"workloadName": "job", "templateName": "workers"},
            parentCompositePodGroupName="whole",
        )
    )

    terms = GroupTerms(
        GroupPolicy(3), ("rack",), True, DisruptionMode.ALL, "high", 7, preempts=False, claims=("network",)
    )
    assert group == PodGroup("default", "train", terms, WorkloadReference("job", "workers"), "whole")


def test_what_a_group_does_not_say_is_as_the_api_has_it() -> None:
    terms = PodGroup.from_dict(a_group(least=None)).terms

    assert not terms.policy.is_gang
    assert (terms.policy.quorum, terms.disruption, terms.priority, terms.preempts) == (1, None, None, None)


def test_templates_within_templates_are_read_by_name() -> None:
    inner = {
        "name": "inner",
        "schedulingPolicy": {"gang": {"minGroupCount": 2}},
        "podGroupTemplates": [{"name": "leaf", **GANG}],
    }
    outer = {"name": "outer", "schedulingPolicy": {"basic": {}}, "compositePodGroupTemplates": [inner]}
    spec = {"compositePodGroupTemplates": [outer]}

    workload = SchedulingWorkload.from_dict({"kind": "Workload", "metadata": {"name": "w"}, "spec": spec})

    assert {name: terms.policy.least for name, terms in workload.templates.items()} == {"leaf": 3}
    assert {name: terms.policy.least for name, terms in workload.composites.items()} == {"outer": None, "inner": 2}


@pytest.mark.parametrize(
    ("minor", "spec", "key"),
    [
        ("1.34", {"schedulingGroup": {"podGroupName": "g"}}, None),
        ("1.35", {"schedulingGroup": {"podGroupName": "g"}}, None),
        ("1.35", {"workloadRef": {"name": "w", "podGroup": "g"}}, PodGroupKey("default", "g", "w")),
        (
            "1.35",
            {"workloadRef": {"name": "w", "podGroup": "g", "podGroupReplicaKey": "r"}},
            PodGroupKey("default", "g", "w", "r"),
        ),
        ("1.36", {"workloadRef": {"name": "w", "podGroup": "g"}}, None),
        ("1.36", {"schedulingGroup": {"podGroupName": "g"}}, PodGroupKey("default", "g")),
        ("1.37", {"schedulingGroup": {"podGroupName": "g"}}, PodGroupKey("default", "g")),
        ("1.37", {}, None),
    ],
)
def test_each_minor_reads_the_field_that_it_has(minor: str, spec: dict[str, Any], key: PodGroupKey | None) -> None:
    assert group_key_of(Pod(a_pod(**spec)), RELEASES[minor]) == key


STEPS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "n1", "n2"]), st.sampled_from(["train", "other", ""])),
    max_size=12,
)


@given(steps=STEPS, forgotten=st.sets(st.sampled_from("abcd")))
def test_changes_leave_the_members_as_if_read_afresh(steps: list[tuple[str, str, str]], forgotten: set[str]) -> None:
    snapshot = a_cluster("1.37", a_node("n1"), a_node("n2"))
    pods = {}
    for name, node, group in steps:
        pods[name] = a_member(name, group, node=node or None) if group else a_pod(name, node=node or None)
        snapshot.upsert(pods[name])
    for name in forgotten & pods.keys():
        snapshot.delete(pods.pop(name))

    assert snapshot.content() == a_cluster("1.37", a_node("n1"), a_node("n2"), *pods.values()).content()


MINORS_OF_OBJECTS = tuple(GROUPING)


def states(minor: str, *objects: Document) -> dict[str, PodGroupState]:
    return {str(state.key): state for state in pod_group_states(a_cluster(minor, a_node("n1"), *objects))}


def members_of_objects(bound: int, pending: int, minor: str = "1.37") -> list[Document]:
    return [a_member(f"m{place}", minor=minor, node="n1" if place < bound else "") for place in range(bound + pending)]


@pytest.mark.parametrize(
    ("least", "bound", "pending", "phase"),
    [
        (3, 0, 2, GroupPhase.WAITING_FOR_PODS),
        (3, 2, 0, GroupPhase.WAITING_FOR_PODS),
        (3, 0, 0, GroupPhase.WAITING_FOR_PODS),
        (3, 0, 3, GroupPhase.PENDING),
        (3, 2, 1, GroupPhase.PENDING),
        (3, 3, 1, GroupPhase.PARTLY_SCHEDULED),
        (3, 3, 0, GroupPhase.SCHEDULED),
        (None, 0, 2, GroupPhase.PENDING),
        (None, 1, 1, GroupPhase.PARTLY_SCHEDULED),
        (None, 2, 0, GroupPhase.SCHEDULED),
        (None, 0, 0, GroupPhase.EMPTY),
    ],
)
@pytest.mark.parametrize("minor", MINORS_OF_OBJECTS)
def test_phase_follows_from_pods_and_least_number(
    minor: str, least: int | None, bound: int, pending: int, phase: GroupPhase
) -> None:
    (state,) = states(minor, a_group(least=least, minor=minor), *members_of_objects(bound, pending, minor)).values()

    assert state.phase is phase
    assert (state.scheduled, state.pending, state.missing) == (bound, pending, max(0, (least or 0) - bound - pending))


@pytest.mark.parametrize("minor", MINORS_OF_OBJECTS)
def test_pods_that_name_nothing_that_is_held_make_a_group_that_is_not_found(minor: str) -> None:
    (state,) = states(minor, *members_of_objects(0, 2, minor)).values()

    assert (state.phase, state.quorum, len(state.members)) == (GroupPhase.NOT_FOUND, 0, 2)


def test_those_that_need_somebody_come_first() -> None:
    objects = [a_group("waiting"), a_group("idle", None), a_group("done", 1), a_member("d", "done", node="n1")]

    assert list(states("1.37", *objects, a_member("x", "lost"))) == [
        "default/lost",
        "default/waiting",
        "default/done",
        "default/idle",
    ]


def owned(document: Document, kind: str, name: str) -> Document:
    owner = {"apiVersion": "batch/v1", "kind": kind, "name": name, "uid": f"{kind}-{name}", "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


def test_what_it_belongs_to_is_said_by_the_workload_the_group_or_its_pods() -> None:
    workload = {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": {"name": "big", "namespace": "default"},
        "spec": {"controllerRef": {"apiGroup": "batch", "kind": "Job", "name": "fit"}, "podGroupTemplates": []},
    }
    found = states(
        "1.37",
        workload,
        owned(a_group("made", workloadRef={"workloadName": "big", "templateName": "workers"}), "Workload", "big"),
        owned(a_group("direct"), "LeaderWorkerSet", "lws"),
        a_group("common"),
        *(owned(a_member(name, "common"), "Job", "one") for name in "ab"),
        a_group("mixed"),
        *(owned(a_member(f"m{name}", "mixed"), "Job", name) for name in "ab"),
    )

    assert {key.partition("/")[2]: state.controller for key, state in found.items()} == {
        "made": ("Job", "fit"),
        "direct": ("LeaderWorkerSet", "lws"),
        "common": ("Job", "one"),
        "mixed": None,
    }
    assert (found["default/made"].workload, found["default/made"].template) == ("big", "workers")


@given(least=st.none() | st.integers(1, 6), bound=st.integers(0, 6), pending=st.integers(0, 6))
def test_slots_of_a_group_reach_its_least_number(least: int | None, bound: int, pending: int) -> None:
    (state,) = states("1.37", a_group(least=least), *members_of_objects(bound, pending)).values()

    assert state.scheduled + state.pending + state.missing == max(bound + pending, least or 0)
    assert (state.phase is GroupPhase.SCHEDULED) == (bound >= max(1, least or 0) and not pending)


def test_a_group_of_another_minor_is_listed_and_not_read() -> None:
    found = states("1.35", a_group(minor="1.37"), a_member("a", "train", minor="1.37"))

    assert [(key, state.phase, len(state.members)) for key, state in found.items()] == [
        ("default/train", GroupPhase.GATE_OFF, 1)
    ]
