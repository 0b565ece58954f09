"""GangScheduling holds pods back until their group is there with as many pods as it needs, in each minor's words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion, UncomputedField
from clusters.engine.group_states import GroupWaits
from clusters.engine.objects import Pod
from clusters.engine.plugins.gang_scheduling import TOO_FEW, GangScheduling
from clusters.engine.scheduling import Part, stages
from clusters.engine.status import SUCCESS, Status, unresolvable
from clusters.engine.versions import RELEASES, Gate
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member

MINORS = ("1.35", "1.36", "1.37")


@pytest.mark.parametrize(
    ("minor", "said"),
    [
        ("1.35", 'waiting for pods\'s workload "train" to appear in scheduling queue'),
        ("1.36", 'waiting for pods\'s pod group "train" to appear in scheduling queue'),
        ("1.37", 'waiting for pods\'s pod group "train" to appear in scheduling queue'),
    ],
)
def test_a_pod_waits_for_its_group(minor: str, said: str) -> None:
    member = a_member("a", minor=minor)

    assert GangScheduling.pre_enqueue(Pod(member), a_cluster(minor, member)) == unresolvable(GroupWaits(said))


def test_a_pod_of_1_35_waits_for_good_where_the_workload_lacks_its_group() -> None:
    workload = a_group(minor="1.35")
    workload["spec"]["podGroups"][0]["name"] = "drivers"

    assert GangScheduling.pre_enqueue(Pod(a_member("a", minor="1.35")), a_cluster("1.35", workload)) == unresolvable(
        GroupWaits('pod group "workers" doesn\'t exist for a workload "train"')
    )


@pytest.mark.parametrize("minor", MINORS)
def test_a_gang_waits_until_as_many_pods_exist_as_it_needs(minor: str) -> None:
    first, second = a_member("a", minor=minor), a_member("b", minor=minor, node="n1")
    snapshot = a_cluster(minor, a_node("n1"), a_group(least=3, minor=minor), first, second)

    assert GangScheduling.pre_enqueue(Pod(first), snapshot) == unresolvable(TOO_FEW)
    snapshot.upsert(a_member("c", minor=minor))
    assert GangScheduling.pre_enqueue(Pod(first), snapshot) == SUCCESS


@pytest.mark.parametrize("minor", MINORS)
def test_the_basic_policy_waits_for_nobody(minor: str) -> None:
    member = a_member("a", minor=minor)

    assert GangScheduling.pre_enqueue(Pod(member), a_cluster(minor, a_group(least=None, minor=minor))) == SUCCESS


@pytest.mark.parametrize("minor", MINORS)
def test_a_pod_without_a_group_is_let_in(minor: str) -> None:
    assert GangScheduling.pre_enqueue(Pod(a_pod()), a_cluster(minor)) == SUCCESS


def test_pods_of_another_replica_are_another_gang() -> None:
    def replica(name: str, key: str) -> Document:
        member = a_member(name, minor="1.35")
        member["spec"]["workloadRef"]["podGroupReplicaKey"] = key
        return member

    first = replica("a", "0")
    snapshot = a_cluster("1.35", a_group(least=2, minor="1.35"), first, replica("b", "1"))

    assert GangScheduling.pre_enqueue(Pod(first), snapshot) == unresolvable(TOO_FEW)


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


def answer(pod: Document, *objects: Document, gates: dict[Gate, bool] = COMPOSITE) -> Status | None:
    release = GROUPING["1.37"].with_gates(gates)
    return GangScheduling.pre_enqueue(Pod(pod), Snapshot.from_objects([*objects, pod], release))


def test_a_group_without_a_parent_is_asked_for_by_itself_where_groups_may_have_some() -> None:
    assert answer(a_member("a", "alone"), a_group("alone", least=3)) == unresolvable(TOO_FEW)
    assert answer(a_member("a", "alone"), a_group("alone", least=1)) == SUCCESS


def test_a_tree_of_groups_waits_until_enough_of_its_parts_have_their_pods() -> None:
    whole, parts = a_composite("whole", 2), [nested("first", 1), nested("second", 2)]
    waiting = unresolvable(GroupWaits('waiting for composite pod group "whole" tree to meet quorum'))
    pod, others = a_member("a", "first"), [a_member(name, "second") for name in ("b", "c")]

    assert answer(pod, whole, *parts) == waiting
    assert answer(pod, whole, *parts, others[0]) == waiting
    assert answer(pod, whole, *parts, *others) == SUCCESS
    assert answer(pod, a_composite("whole"), *parts) == SUCCESS


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


@pytest.mark.parametrize(("gates", "is_computed"), [({}, False), ({Gate.COMPOSITE_POD_GROUP: False}, True)])
def test_a_parent_counts_for_nothing_only_where_its_gate_is_known_to_be_off(
    gates: dict[Gate, bool], is_computed: bool
) -> None:
    found = answer(a_member("a", "first"), nested("first", 3), gates=gates)

    assert found == (unresolvable(TOO_FEW) if is_computed else None)


@given(least=st.integers(1, 6), pods=st.integers(1, 8), minor=st.sampled_from(MINORS))
def test_pods_enter_the_queue_together(least: int, pods: int, minor: str) -> None:
    members = [a_member(str(number), minor=minor) for number in range(pods)]
    snapshot = a_cluster(minor, a_group(least=least, minor=minor), *members)

    answers = {GangScheduling.pre_enqueue(Pod(each), snapshot) for each in members}

    assert answers == {SUCCESS if pods >= least else unresolvable(TOO_FEW)}


@pytest.mark.parametrize("minor", MINORS)
def test_an_attempt_does_not_begin_for_a_pod_that_is_held_back(minor: str) -> None:
    member = a_member("a", minor=minor)
    snapshot = a_cluster(minor, a_node("n1"), a_group(least=2, minor=minor), member)

    found = explain(snapshot, member, SchedulerConfiguration.default(snapshot.release).profiles[0])

    assert found.gates == unresolvable(TOO_FEW)
    assert found.held_back is not None
    assert found.held_back.plugin == "GangScheduling"
    first, *rest = stages(found)
    assert [part.part for part in first.parts if part.plugin == "GangScheduling"] == [Part.REJECTED]
    assert not any(stage.reached for stage in rest)


@pytest.mark.parametrize("minor", MINORS)
def test_a_pod_that_names_a_group_is_uncertain_where_its_scheduler_is_not_known_to_read_groups(minor: str) -> None:
    release = RELEASES[minor]
    member = a_member("a", minor=minor)
    snapshot = Snapshot.from_objects([a_node("n1"), member], release)

    found = explain(snapshot, member, SchedulerConfiguration.default(release).profiles[0])

    field = "spec.workloadRef" if minor == "1.35" else "spec.schedulingGroup"
    assert found.gates.ok
    assert found.conclusion is Conclusion.UNCERTAIN
    assert found.uncertainties == (UncomputedField("GangScheduling", field),)


def test_gates_bring_the_plugin_as_each_minor_does() -> None:
    def enabled(minor: str, **gates: bool) -> bool:
        release = RELEASES[minor].with_gates({Gate[name]: is_on for name, is_on in gates.items()})
        return "GangScheduling" in SchedulerConfiguration.default(release).profiles[0].pre_enqueue

    assert not any(enabled(minor) for minor in RELEASES)
    assert enabled("1.35", GENERIC_WORKLOAD=True, GANG_SCHEDULING=True)
    assert not enabled("1.36", GENERIC_WORKLOAD=True)
    assert not enabled("1.36", GANG_SCHEDULING=True)
    assert enabled("1.37", GENERIC_WORKLOAD=True)
