"""How far a group of pods is follows from its object, its pods and the release alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.group_states import GroupPhase, PodGroupState, pod_group_states
from clusters.engine.podgroups import schedules_groups
from clusters.engine.versions import RELEASES, Gate
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member

MINORS = tuple(GROUPING)


def states(minor: str, *objects: Document) -> dict[str, PodGroupState]:
    return {str(state.key): state for state in pod_group_states(a_cluster(minor, a_node("n1"), *objects))}


def members(bound: int, pending: int, minor: str = "1.37") -> list[Document]:
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
@pytest.mark.parametrize("minor", MINORS)
def test_phase_follows_from_pods_and_least_number(
    minor: str, least: int | None, bound: int, pending: int, phase: GroupPhase
) -> None:
    (state,) = states(minor, a_group(least=least, minor=minor), *members(bound, pending, minor)).values()

    assert state.phase is phase
    assert (state.scheduled, state.pending, state.missing) == (bound, pending, max(0, (least or 0) - bound - pending))


@pytest.mark.parametrize("minor", MINORS)
def test_pods_that_name_nothing_that_is_held_make_a_group_that_is_not_found(minor: str) -> None:
    (state,) = states(minor, *members(0, 2, minor)).values()

    assert (state.phase, state.quorum, len(state.members)) == (GroupPhase.NOT_FOUND, 0, 2)


@pytest.mark.parametrize("minor", RELEASES)
def test_without_the_gate_no_group_is_read(minor: str) -> None:
    off = RELEASES[minor].with_gates({Gate.GENERIC_WORKLOAD: False})
    objects = [a_node("n1"), a_group(minor="1.37"), *members(0, 3)]

    found = pod_group_states(Snapshot.from_objects(objects, off))

    assert not schedules_groups(off)
    assert {state.phase for state in found} <= {GroupPhase.GATE_OFF}


def test_a_group_of_another_minor_is_listed_and_not_read() -> None:
    found = states("1.35", a_group(minor="1.37"), a_member("a", "train", minor="1.37"))

    assert [(key, state.phase, len(state.members)) for key, state in found.items()] == [
        ("default/train", GroupPhase.GATE_OFF, 1)
    ]


def test_gangs_of_1_36_need_a_gate_of_their_own() -> None:
    workloads_alone = RELEASES["1.36"].with_gates({Gate.GENERIC_WORKLOAD: True})

    assert not schedules_groups(workloads_alone)
    assert schedules_groups(workloads_alone.with_gates({Gate.GANG_SCHEDULING: True}))


def test_each_replica_key_of_a_workload_is_a_group() -> None:
    def replica(name: str, key: str) -> Document:
        return a_pod(name, workloadRef={"name": "train", "podGroup": "workers", "podGroupReplicaKey": key})

    found = states("1.35", a_group(minor="1.35"), a_group("idle", minor="1.35"), replica("a", "0"), replica("b", "1"))

    assert set(found) == {"default/train/workers/0", "default/train/workers/1", "default/idle/workers"}
    assert found["default/train/workers/0"].workload == "train"


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
    made = a_group("made", workloadRef={"workloadName": "big", "templateName": "workers"})
    found = states(
        "1.37",
        workload,
        owned(made, "Workload", "big"),
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
    (state,) = states("1.37", a_group(least=least), *members(bound, pending)).values()

    slots = state.scheduled + state.pending + state.missing
    assert slots == max(bound + pending, least or 0)
    assert (state.phase is GroupPhase.SCHEDULED) == (bound >= max(1, least or 0) and not pending)
