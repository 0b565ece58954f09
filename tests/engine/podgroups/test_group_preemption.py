"""From 1.37 preemption makes room for a whole group: which pods go, and what the scheduler says of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import GroupVerdict, is_preemption_uncertain
from clusters.engine.scheduling.groups import MOST_CYCLES
from clusters.wording.decisions.verdict import verdict_sentence
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import a_cluster, a_group, a_member

SHORT = "pod group is unschedulable, minCount (2) cannot be satisfied: 1 scheduled, 0 remaining"


def a_small_node(name: str, cpu: int) -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)})


def low(name: str, *, cpu: int = 1, priority: int = -1, node: str = "n1", **fields: Any) -> Document:
    return a_pod(name, node=node, requests={"cpu": str(cpu)}, priority=priority, **fields)


def gang(*names: str) -> list[Document]:
    return [a_member(name, requests={"cpu": "1"}) for name in names]


def explained(snapshot: Snapshot, pod: Document) -> Explanation:
    return explain(snapshot, pod, SchedulerConfiguration.default(snapshot.release).profiles[0])


def victims(*objects: Document) -> tuple[str, ...]:
    pods = gang("a", "b")
    group = explained(a_cluster("1.37", *objects, a_group(least=2), *pods), pods[0]).group
    assert group is not None
    assert group.verdict is GroupVerdict.PREEMPTS
    return group.victims


def test_the_least_important_pod_goes_for_the_group() -> None:
    pods = gang("a", "b")
    there = (a_small_node("n1", 3), low("high", priority=-1), low("low", priority=-2))
    found = explained(a_cluster("1.37", *there, a_group(least=2), *pods), pods[0])

    assert found.group is not None
    assert found.group.victims == ("default/low",)
    assert found.group.message == f"{SHORT}, pod group preemption: found a placement for podgroup, preempting 1 victims"
    assert found.message == found.group.message
    assert not found.fits
    assert verdict_sentence(found) == (
        "Fits by preemption with its group default/train: removing 1 pod of lower priority makes room for it: "
        "default/low."
    )


def test_a_pod_that_a_budget_protects_stays_if_another_can_go() -> None:
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
        "status": {"disruptionsAllowed": 0},
    }
    protected = low("protected", priority=-2, labels={"app": "web"})

    assert victims(a_small_node("n1", 3), budget, protected, low("other")) == ("default/other",)


def test_a_group_that_is_disrupted_as_a_whole_goes_as_one() -> None:
    other = a_group("other", least=1, priority=-3, disruptionMode={"all": {}})
    running = [a_member(name, "other", node="n1", requests={"cpu": "1"}, priority=-3) for name in ("x", "y")]

    assert victims(a_small_node("n1", 3), other, *running) == ("default/x", "default/y")


def test_a_pod_of_a_group_has_the_priority_of_its_group() -> None:
    other = a_group("other", least=1, priority=4)
    running = a_member("x", "other", node="n1", requests={"cpu": "1"}, priority=-3)
    pods = gang("a", "b")
    snapshot = a_cluster("1.37", a_small_node("n1", 2), other, running, a_group(least=2), *pods)

    found = explained(snapshot, pods[0])

    assert found.group is not None
    assert found.group.verdict is GroupVerdict.UNSCHEDULABLE
    assert found.group.message == f"{SHORT}, pod group preemption: No preemption victims found for incoming preemptor"


def test_preemption_that_does_not_help_quotes_the_second_attempt() -> None:
    pods = gang("a", "b")
    snapshot = a_cluster("1.37", a_small_node("n1", 1), low("low", cpu=1), a_group(least=2), *pods)

    found = explained(snapshot, pods[0])

    assert found.group is not None
    assert found.group.verdict is GroupVerdict.UNSCHEDULABLE
    assert found.group.message == (
        "pod group is unschedulable, minCount (2) cannot be satisfied: 0 scheduled, 1 remaining, "
        f"pod group preemption: {SHORT}"
    )


def test_a_group_that_never_preempts_says_so() -> None:
    pods = [{**each, "spec": {**each["spec"], "preemptionPolicy": "Never"}} for each in gang("a", "b")]
    snapshot = a_cluster("1.37", a_small_node("n1", 2), low("low"), a_group(least=2), *pods)

    group = explained(snapshot, pods[0]).group

    assert group is not None
    assert group.message == f"{SHORT}, pod group preemption: not eligible due to preemptionPolicy=Never."


def test_pods_of_nodes_that_the_group_does_not_take_stay_however_many_there_are() -> None:
    there = [low(f"x{number}", node=f"n{number}") for number in range(2, MOST_CYCLES + 2)]
    nodes = [a_small_node(f"n{number}", 1) for number in range(2, MOST_CYCLES + 2)]
    large = [a_member(name, requests={"cpu": "2"}) for name in ("a", "b")]
    node = a_small_node("n1", 4)
    snapshot = a_cluster("1.37", node, low("first", cpu=1), *nodes, *there, a_group(least=2), *large)

    group = explained(snapshot, large[0]).group

    assert group is not None
    assert (group.verdict, group.victims) == (GroupVerdict.PREEMPTS, ("default/first",))


def test_a_group_that_keeps_away_from_others_is_uncertain_among_very_many() -> None:
    there = [low(f"x{number}", node=f"n{number}", labels={"app": "x"}) for number in range(2, MOST_CYCLES + 2)]
    nodes = [a_small_node(f"n{number}", 1) for number in range(2, MOST_CYCLES + 2)]
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "kubernetes.io/hostname"}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    large = [a_member(name, requests={"cpu": "2"}, affinity=affinity) for name in ("a", "b")]
    snapshot = a_cluster("1.37", a_small_node("n1", 4), low("first"), *nodes, *there, a_group(least=2), *large)

    group = explained(snapshot, large[0]).group

    assert group is not None
    assert group.verdict is GroupVerdict.UNCERTAIN


def test_a_group_whose_pods_are_nominated_is_uncertain() -> None:
    pods = [{**each, "status": {"nominatedNodeName": "n1"}} for each in gang("a", "b")]
    snapshot = a_cluster("1.37", a_small_node("n1", 2), low("low"), a_group(least=2), *pods)

    group = explained(snapshot, pods[0]).group

    assert group is not None
    assert group.verdict is GroupVerdict.UNCERTAIN


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
    pods = gang("a", "b")
    snapshot = a_cluster("1.37", a_small_node("n1", used + room - 2), a_group(least=2), *there, *pods)

    group = explained(snapshot, pods[0]).group

    assert group is not None
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
    pod = a_pod("alone", requests={"cpu": "1"})

    found = explained(a_cluster("1.37", a_small_node("n1", 1), group, running), pod)

    assert found.preemption is not None
    assert found.preemption.selected is not None
    assert is_preemption_uncertain(found) is is_uncertain


@pytest.mark.parametrize("minor", ["1.35", "1.36"])
def test_before_1_37_a_group_does_not_preempt_as_a_whole(minor: str) -> None:
    pods = [a_member(name, minor=minor, requests={"cpu": "1"}) for name in ("a", "b")]
    snapshot = a_cluster(minor, a_small_node("n1", 3), low("x"), low("y"), a_group(least=2, minor=minor), *pods)

    group = explained(snapshot, pods[0]).group

    assert group is not None
    assert not group.victims
