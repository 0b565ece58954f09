"""GangScheduling holds pods back until their group is there with as many pods as it needs, in each minor's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, explain
from clusters.engine.conclusion import Conclusion, UncomputedField
from clusters.engine.objects import Pod
from clusters.engine.plugins.gang_scheduling import TOO_FEW, GangScheduling
from clusters.engine.snapshot import Snapshot
from clusters.engine.stages import Part, stages
from clusters.engine.status import SUCCESS, unresolvable
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

    assert GangScheduling.pre_enqueue(Pod(member), a_cluster(minor, member)) == unresolvable(said)


def test_a_pod_of_1_35_waits_for_good_where_the_workload_lacks_its_group() -> None:
    workload = a_group(minor="1.35")
    workload["spec"]["podGroups"][0]["name"] = "drivers"

    assert GangScheduling.pre_enqueue(Pod(a_member("a", minor="1.35")), a_cluster("1.35", workload)) == unresolvable(
        'pod group "workers" doesn\'t exist for a workload "train"'
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


def test_what_is_part_of_a_composite_group_is_not_computed() -> None:
    release = GROUPING["1.37"].with_gates({Gate.TOPOLOGY_AWARE_WORKLOADS: True, Gate.COMPOSITE_POD_GROUP: True})
    group = a_group(least=3, parentCompositePodGroupName="whole")
    snapshot = Snapshot.from_objects([group, a_group("alone", least=3)], release)

    assert GangScheduling.pre_enqueue(Pod(a_member("a")), snapshot) is None
    assert GangScheduling.pre_enqueue(Pod(a_member("a", "alone")), snapshot) == unresolvable(TOO_FEW)


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
