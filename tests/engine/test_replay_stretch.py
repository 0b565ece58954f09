"""A stretch of the journal scheduled again: alike under the same configuration, and what differs under another one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.journal import NodesAtMoment, RecordedPod, RecordedStretch, replay_stretch
from clusters.engine.objects import key_of
from clusters.engine.simulation import Case, Outcome, PodEnding, Simulation
from tests.engine.simulation.cases import cases, scheduling_by
from tests.support.decision_cluster import node, pod

PACKING = scheduling_by({"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]})
DEFAULT = SchedulerConfiguration.default()


def recorded(case: Case) -> RecordedStretch:
    """What a journal would have recorded of a simulation without preemption: each pod when it was tried first."""
    wanted = sorted(case.wanted, key=lambda each: each.at)
    placed = {step.pod: step.node for step in Simulation(case) if step.outcome is Outcome.PLACED}
    pods = [RecordedPod(each.pod, each.at, placed.get(key_of(each.pod), ""), each.until) for each in wanted]
    return RecordedStretch(case.snapshot, 10, pods)


@given(cases())
def test_the_same_configuration_decides_alike(case: Case) -> None:
    patient = [
        replace(each, pod={**each.pod, "spec": {**each.pod["spec"], "preemptionPolicy": "Never"}})
        for each in case.wanted
    ]
    case = replace(case, wanted=patient, samples=False, placed={}, seed=3)
    stretch = recorded(case)

    replayed = replay_stretch(stretch, case.configuration)

    assert [each.node for each in replayed.pods] == [each.node for each in stretch.pods]
    assert [each.ending for each in replayed.pods] == [each.ending for each in stretch.pods]
    assert replayed.preempted == ()
    assert replayed.lost == 0


def stretch(*pods: RecordedPod, **fields: Any) -> RecordedStretch:
    there = [node("a", "north"), node("b", "south"), pod("there", nodeName="a", cpu="1")]
    return RecordedStretch(Snapshot.from_objects(there), 100, pods, **fields)


def ends(found: RecordedStretch, configuration: SchedulerConfiguration = DEFAULT) -> list[str]:
    """Where the replay ended for each pod."""
    return [each.node or each.ending.value for each in replay_stretch(found, configuration).pods]


def test_another_configuration_takes_other_nodes() -> None:
    one = stretch(RecordedPod(pod("web"), 10, "b"))

    assert ends(one) == ["b"]
    assert ends(one, PACKING) == ["a"]


def test_pods_leave_when_they_were_recorded_to_leave() -> None:
    large = RecordedPod(pod("large", cpu="3500m"), 10, "b", until=30)
    next_one = RecordedPod(pod("next", cpu="3500m"), 20)

    assert ends(stretch(large, next_one)) == ["b", "b"]
    assert ends(stretch(replace(large, until=None), next_one)) == ["b", "pending"]
    leaving = [(pod("there", nodeName="a", cpu="1"), 40)]
    assert ends(stretch(replace(large, until=None), next_one, leaving=leaving)) == ["b", "a"]


def test_nodes_come_and_go_when_they_were_recorded_to() -> None:
    pods = RecordedPod(pod("web", cpu="3500m"), 10, "b"), RecordedPod(pod("more", cpu="3500m"), 20, "c")
    added = NodesAtMoment(50, (node("c", "north"),), ())
    removed = NodesAtMoment(60, (), ("b",))

    assert ends(stretch(*pods)) == ["b", "pending"]
    found = replay_stretch(stretch(*pods, nodes=[added, removed]), DEFAULT)
    assert [each.node for each in found.pods] == ["b", "c"]
    assert found.lost == 0
    assert set(found.node_of) == {"a", "b", "c"}
    elsewhere = RecordedPod(pod("web", cpu="3500m"), 10, "z")
    assert replay_stretch(stretch(elsewhere, nodes=[removed]), DEFAULT).lost == 1


def test_room_that_was_made_by_preemption_is_made_again_or_not() -> None:
    urgent = RecordedPod(pod("urgent", cpu="3500m", priority=100), 10, "a")
    other = RecordedPod(pod("other", cpu="3500m", priority=50), 5, "b")
    never = RecordedPod(pod("urgent", cpu="3500m", priority=100, preemptionPolicy="Never"), 10, "a")

    found = replay_stretch(stretch(other, urgent), DEFAULT)

    assert [each.node for each in found.pods] == ["b", "a"]
    assert found.preempted == ("shop/there",)
    without = replay_stretch(stretch(other, never), DEFAULT)
    assert [each.ending for each in without.pods] == [PodEnding.ON_NODE, PodEnding.PENDING]
    assert without.preempted == ()
    assert without.pods[1].message.startswith("0/2 nodes are available: 2 Insufficient cpu.")


def test_a_victim_of_the_replay_is_not_replaced_by_its_controller() -> None:
    victim = pod("victim", cpu="3500m")
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "victim", "uid": "u", "controller": True}
    victim["metadata"]["ownerReferences"] = [owner]
    first = RecordedPod(victim, 5, "b")
    second = RecordedPod(pod("urgent", cpu="3500m", priority=100, nodeSelector={"kubernetes.io/hostname": "b"}), 10)

    found = replay_stretch(stretch(first, second), DEFAULT)

    assert [each.ending for each in found.pods] == [PodEnding.ABSENT, PodEnding.ON_NODE]
