"""GangScheduling holds pods back until their group is there with as many pods as it needs, in each minor's words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import Snapshot
from clusters.engine.group_states import GroupWaits
from clusters.engine.objects import Pod
from clusters.engine.plugins.gang_scheduling import GangScheduling
from clusters.engine.status import SUCCESS, Status, unresolvable
from clusters.engine.versions import Gate
from tests.engine.builders import Document, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member

MINORS = ("1.35", "1.36", "1.37", "1.38")

QUEUE = frozenset({"default-scheduler"})


@pytest.mark.parametrize(
    ("minor", "said"),
    [
        ("1.35", 'waiting for pods\'s workload "train" to appear in scheduling queue'),
        ("1.36", 'waiting for pods\'s pod group "train" to appear in scheduling queue'),
        ("1.37", 'waiting for pods\'s pod group "train" to appear in scheduling queue'),
        ("1.38", 'pod group "train" or one of its composite pod group ancestors has not been created yet'),
    ],
)
def test_a_pod_waits_for_its_group(minor: str, said: str) -> None:
    member = a_member("a", minor=minor)

    assert GangScheduling.pre_enqueue(Pod(member), a_cluster(minor, member), QUEUE) == unresolvable(GroupWaits(said))


def test_a_pod_of_1_35_waits_for_good_where_the_workload_lacks_its_group() -> None:
    workload = a_group(minor="1.35")
    workload["spec"]["podGroups"][0]["name"] = "drivers"

    assert GangScheduling.pre_enqueue(
        Pod(a_member("a", minor="1.35")), a_cluster("1.35", workload), QUEUE
    ) == unresolvable(GroupWaits('pod group "workers" doesn\'t exist for a workload "train"'))


@pytest.mark.parametrize("minor", MINORS)
def test_a_pod_without_a_group_is_let_in(minor: str) -> None:
    assert GangScheduling.pre_enqueue(Pod(a_pod()), a_cluster(minor), QUEUE) == SUCCESS


COMPOSITE = {Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True}


def a_composite(name: str, least: int | None = None, **spec: Any) -> Document:
    policy = {"basic": {}} if least is None else {"gang": {"minGroupCount": least}}
    return {
        "apiVersion": "scheduling.k8s.io/v1alpha3",
        "kind": "CompositePodGroup",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"schedulingPolicy": policy, **spec},
    }


def nested(name: str, least: int, parent: str = "whole") -> Document:
    return a_group(name, least=least, parentCompositePodGroupName=parent)


def answer(
    pod: Document, *objects: Document, gates: dict[Gate, bool] = COMPOSITE, minor: str = "1.37"
) -> Status | None:
    release = GROUPING[minor].with_gates(gates)
    return GangScheduling.pre_enqueue(Pod(pod), Snapshot.from_objects([*objects, pod], release), QUEUE)


def test_trees_have_several_levels() -> None:
    root = a_composite("root", 2)
    inner = a_composite("inner", 1, parentCompositePodGroupName="root")
    pod = a_member("a", "first")
    groups = [nested("first", 1, "inner"), nested("second", 1, "root")]

    assert answer(pod, root, inner, *groups) == unresolvable(
        GroupWaits('waiting for composite pod group "root" tree to meet quorum')
    )
    assert answer(pod, root, inner, *groups, a_member("b", "second")) == SUCCESS


def test_groups_that_are_not_there_are_named_as_the_scheduler_names_them() -> None:
    pod = a_member("a", "first")

    assert answer(pod) == unresolvable(
        GroupWaits("failed to build hierarchy snapshot: pod group object not found in state for podgroup/default/first")
    )
    assert answer(pod, nested("first", 1), a_composite("other")) == unresolvable(
        GroupWaits(
            "failed to build hierarchy snapshot: composite pod group object not found in state for "
            "compositepodgroup/default/whole"
        )
    )


def test_what_belongs_to_itself_or_is_not_held_is_not_computed() -> None:
    pod = a_member("a", "first")

    assert answer(pod, nested("first", 1)) is None

    assert answer(pod, nested("first", 1), a_composite("whole", 1, parentCompositePodGroupName="whole")) is None


@given(least=st.integers(1, 6), pods=st.integers(1, 8), minor=st.sampled_from(MINORS))
def test_pods_enter_the_queue_together(least: int, pods: int, minor: str) -> None:
    members = [a_member(str(number), minor=minor) for number in range(pods)]
    snapshot = a_cluster(minor, a_group(least=least, minor=minor), *members)

    answers = {GangScheduling.pre_enqueue(Pod(each), snapshot, QUEUE) for each in members}

    few = "waiting for minCount pods from a gang to appear in scheduling queue"
    if minor == "1.38":
        few = "waiting for podgroup/default/train to meet its quorum"
    assert answers == {SUCCESS if pods >= least else unresolvable(GroupWaits(few))}


@pytest.mark.parametrize(
    ("least", "said"),
    [(2, "waiting for {} to meet its quorum"), (None, "waiting for {} tree to have at least one ready child group")],
)
def test_1_38_says_what_the_root_of_a_tree_waits_for(least: int | None, said: str) -> None:
    pod, groups = a_member("a", "first"), [nested("first", 2), nested("second", 1)]
    root = a_composite("whole", least)

    assert answer(pod, *groups, root, minor="1.38") == unresolvable(
        GroupWaits(said.format("compositepodgroup/default/whole"))
    )
    others = [a_member("b", "first"), a_member("c", "second")]
    assert answer(pod, *groups, root, *others, minor="1.38") == SUCCESS


def test_1_38_says_one_thing_of_groups_and_ancestors_that_are_not_there() -> None:
    said = 'pod group "first" or one of its composite pod group ancestors has not been created yet'
    pod = a_member("a", "first")

    assert answer(pod, minor="1.38") == unresolvable(GroupWaits(said))
    assert answer(pod, nested("first", 1), a_composite("other"), minor="1.38") == unresolvable(GroupWaits(said))
