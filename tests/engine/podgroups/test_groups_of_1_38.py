"""How 1.38 tries groups of pods, where that is not as 1.37 does."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import GroupAttempt, GroupVerdict
from clusters.engine.versions import Gate
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_group, a_small_node, members
from tests.engine.podgroups.test_group_cycle import a_composite, attempt
from tests.support.answers import known

RELEASE = GROUPING["1.38"].with_gates({Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True})
RACK = {"topology": [{"key": "rack"}]}
PARENT = 'parent pod group "train" is unschedulable'
NONE = "pod group preemption: No preemption victims found for incoming preemptor"


def tried(pod: Document, *objects: Document) -> GroupAttempt:
    return attempt(Snapshot.from_objects(objects, RELEASE), pod)


def a_racked_node(name: str, rack: str, cpu: int) -> Document:
    return a_node(name, labels={"rack": rack}, allocatable={"cpu": str(cpu)})


def test_what_a_gang_lacks_is_counted_and_its_pods_are_told_of_their_parent() -> None:
    pods = members("x", "y", "z", minor="1.38")
    found = tried(pods[0], a_small_node("n1", 1), a_group(least=3, minor="1.38"), *pods)

    assert found.verdict is GroupVerdict.UNSCHEDULABLE
    assert found.message == (
        "0/1 placements are available, first placement status: scheduling policy's minimum threshold (3) cannot be "
        "satisfied: 1 scheduled, 1 unschedulable, 1 not-evaluated, deallocation and deletion of ResourceClaims "
        f"completed, {NONE}"
    )
    assert [found.message_of(each) for each in found.members] == [
        PARENT,
        "0/1 nodes are available: 1 Insufficient cpu.",
        PARENT,
    ]


def test_groups_and_pods_that_are_unlike_have_a_reason_of_their_own() -> None:
    pods = [*members("x", minor="1.38", priority=5), *members("y", minor="1.38")]
    found = tried(pods[0], a_small_node("n1", 4), a_group(minor="1.38"), *pods)

    assert (found.verdict, found.reason) == (GroupVerdict.ERROR, "PodGroupError")
    assert found.message == (
        "all pods in a pod group hierarchy should have the same priority as the root pod group's priority, "
        'got 5 ("x") and 0 ("podgroup/default/train")'
    )


def test_a_label_without_a_value_is_no_domain() -> None:
    pods = members("x", "y", minor="1.38")
    group = a_group(minor="1.38", schedulingConstraints=RACK)

    found = tried(pods[0], a_racked_node("n1", "", 4), a_racked_node("n2", "b", 2), group, *pods)
    assert {each.node for each in found.members} == {"n2"}

    nowhere = tried(pods[0], a_racked_node("n1", "", 4), group, *pods)
    # What the plugin says is told to the pods as it is.
    assert nowhere.message == f"no feasible placements found, {NONE}"
    assert nowhere.pod_message == "no feasible placements found"


def test_the_domain_of_nominations_comes_before_one_that_takes_more() -> None:
    nodes = [a_racked_node("n1", "a", 1), a_racked_node("n2", "b", 2)]
    pods = members("x", "y", minor="1.38")
    nominated = {**pods[0], "status": {"nominatedNodeName": "n1"}}
    group = a_group(least=1, minor="1.38", schedulingConstraints=RACK)

    assert {each.node for each in tried(pods[0], *nodes, group, *pods).members} == {"n2"}
    found = tried(nominated, *nodes, group, nominated, pods[1])
    assert (found.domain, [each.node for each in found.members]) == ("a", ["n1", ""])


def test_a_nominated_domain_that_takes_nobody_else_is_told_of() -> None:
    running = members("r", minor="1.38", node="n1")
    pod = {**members("x", minor="1.38")[0], "status": {"nominatedNodeName": "n1"}}
    group = a_group(least=1, minor="1.38", schedulingConstraints=RACK)

    found = tried(pod, a_racked_node("n1", "a", 1), group, *running, pod)

    assert found.message.startswith(
        "0/1 placements are available, first placement status: nominated placement is feasible but no pending pod was "
        "scheduled"
    )
    assert [each.message for each in found.placements] == [""]


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([], "empty topology domain found for pod default/r"),
        (["b"], 'more than 1 domain found for pod group: "a", "b"'),
    ],
)
def test_pods_that_run_outside_of_one_domain_are_told_of_by_name(others: list[str], said: str) -> None:
    racks = [a_racked_node("n1", "a" if others else "", 4), *(a_racked_node(f"n-{name}", name, 4) for name in others)]
    running = [members("r", minor="1.38", node="n1"), *(members(f"r-{n}", minor="1.38", node=f"n-{n}") for n in others)]
    pods = members("x", minor="1.38")
    group = a_group(least=1, minor="1.38", schedulingConstraints=RACK)

    found = tried(pods[0], *racks, group, *(each for some in running for each in some), *pods)

    assert found.message == f"cannot determine domain for already scheduled pods: {said}"
    assert found.pod_message == 'parent pod group "train" encountered an error'


def victim(name: str, node: str, **spec: Any) -> Document:
    return a_pod(name, node=node, requests={"cpu": "2"}, **spec)


@pytest.mark.parametrize("cheapest", ["n1", "n2", "n3"])
def test_preemption_takes_the_node_whose_victims_cost_least(cheapest: str) -> None:
    names = ("n1", "n2", "n3")
    nodes = [a_small_node(name, 2) for name in names]
    victims = [victim(f"v-{name}", name, priority=-5 if name == cheapest else -1) for name in names]
    pods = members("x", "y", minor="1.38", priority=10)

    found = tried(pods[0], *nodes, *victims, a_group(minor="1.38", priority=10), *pods)

    assert found.verdict is GroupVerdict.PREEMPTS
    assert (found.victims, set(found.nominations.values())) == ((f"default/v-{cheapest}",), {cheapest})
    assert found.found_message == PARENT


def test_a_part_that_would_do_is_told_of_its_ancestor() -> None:
    groups = [a_group(name, 2, minor="1.38", parentCompositePodGroupName="whole") for name in ("g0", "g1")]
    pods = [
        {**each, "spec": {**each["spec"], "schedulingGroup": {"podGroupName": group}}}
        for group in ("g0", "g1")
        for each in members(f"{group}-a", f"{group}-b", minor="1.38")
    ]
    objects = (a_small_node("n1", 3), a_composite("whole", 2), *groups, *pods)
    first, last = tried(pods[0], *objects), tried(pods[2], *objects)

    assert first.message == f'ancestor composite pod group "whole" is unschedulable, {NONE}'
    assert first.pod_message == 'parent pod group "g0" is unschedulable'
    assert last.message == (
        "0/1 placements are available, first placement status: scheduling policy's minimum threshold (2) cannot be "
        f"satisfied: 1 scheduled, 1 unschedulable, 0 not-evaluated, {NONE}"
    )


ALIKE = "all pod groups in a hierarchy should have the same"
PODS_ALIKE = "all pods in a pod group hierarchy should have the same"
WHOLE, PART = '"compositepodgroup/default/whole"', '"podgroup/default/g0"'


@pytest.mark.parametrize(
    ("whole", "part", "said"),
    [
        (
            {"workloadRef": {"workloadName": "job", "templateName": "all"}},
            {},
            f'pod group workload does not match root workload, got: "" ({PART}) and "job" ({WHOLE})',
        ),
        (
            {},
            {"priority": 7},
            f"{ALIKE} priority as the root pod group's priority, got 7 ({PART}) and 0 ({WHOLE})",
        ),
        (
            {"preemptionPolicy": "PreemptLowerPriority"},
            {"preemptionPolicy": "Never"},
            f"{ALIKE} preemption policy, got Never ({PART}) and PreemptLowerPriority",
        ),
        (
            {"schedulingPolicy": {"gang": {"minGroupCount": 1}}},
            {"schedulingPolicy": {"basic": {}}},
            f"gang parent {WHOLE} cannot have basic child {PART}",
        ),
        (
            {"disruptionMode": {"all": {}}},
            {"disruptionMode": {"single": {}}},
            f"parent {WHOLE} with All disruption mode cannot have child {PART} with Single disruption mode",
        ),
        (
            {"preemptionPolicy": "Never"},
            {},
            f'{PODS_ALIKE} preemption policy, got PreemptLowerPriority ("x") and Never',
        ),
    ],
)
def test_trees_are_compared_down_to_their_pods(whole: Document, part: Document, said: str) -> None:
    group = a_group("g0", 1, minor="1.38", parentCompositePodGroupName="whole")
    group["spec"].update(part)
    pod = members("x", minor="1.38")[0]
    pod["spec"]["schedulingGroup"] = {"podGroupName": "g0"}

    found = tried(pod, a_small_node("n1", 4), a_composite("whole", None, **whole), group, pod)

    assert (found.verdict, found.message) == (GroupVerdict.ERROR, said)
    assert found.pod_message == said


def test_pods_of_two_profiles_end_the_attempt_in_an_error() -> None:
    pods = [*members("x", minor="1.38"), *members("y", minor="1.38", schedulerName="other")]
    snapshot = Snapshot.from_objects([a_small_node("n1", 4), a_group(minor="1.38"), *pods], RELEASE)

    own = SchedulerConfiguration.default(RELEASE).profiles[0]

    found = known(explain(snapshot, pods[0], replace(own, queue=own.queue | {"other"})).group)

    assert found.message == (f'{PODS_ALIKE} .spec.schedulerName set, got: "other" ("y") and "default-scheduler" ("x")')


def test_trees_have_a_depth() -> None:
    names = ["whole", "second", "third", "fourth"]
    deep = [a_composite(name, 1, parentCompositePodGroupName=parent) for parent, name in pairwise(names)]
    group = a_group("g0", 1, minor="1.38", parentCompositePodGroupName="whole")
    pod = members("x", minor="1.38")[0]
    pod["spec"]["schedulingGroup"] = {"podGroupName": "g0"}

    found = tried(pod, a_small_node("n1", 4), a_composite("whole", 1), *deep, group, pod)

    assert found.message == 'hierarchy depth exceeds maximum allowed depth 4 at "compositepodgroup/default/fourth"'


def test_an_error_of_a_part_is_told_to_the_whole_by_name() -> None:
    groups = [
        a_group(name, 1, minor="1.38", parentCompositePodGroupName="whole", schedulingConstraints=RACK)
        for name in ("g0", "g1")
    ]
    running = members("r", minor="1.38", node="n1")
    pods = members("x", "y", minor="1.38")
    for pod, group in zip([*running, *pods], ("g0", "g0", "g1"), strict=True):
        pod["spec"]["schedulingGroup"] = {"podGroupName": group}
    objects = (a_node("n1"), a_racked_node("n2", "b", 4), a_composite("whole", 1), *groups, *running, *pods)

    first, other = tried(pods[0], *objects), tried(pods[1], *objects)

    said = "cannot determine domain for already scheduled pods: no topology domain found for pod default/r"
    assert (first.verdict, first.message) == (GroupVerdict.ERROR, said)
    assert first.pod_message == 'parent pod group "g0" encountered an error'
    assert other.message == 'ancestor composite pod group "whole" encountered an error'
    assert other.pod_message == 'parent pod group "g1" encountered an error'
