"""What is read of Workloads, PodGroups and CompositePodGroups, and which group a pod names."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

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
from clusters.engine.versions import RELEASES
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member

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

    terms = GroupTerms(GroupPolicy(3), ("rack",), DisruptionMode.ALL, "high", 7, preempts=False, claims=("network",))
    assert group == PodGroup("default", "train", terms, WorkloadReference("job", "workers"), "whole")


def test_what_a_group_does_not_say_is_as_the_api_has_it() -> None:
    terms = PodGroup.from_dict(a_group(least=None)).terms

    assert not terms.policy.is_gang
    assert (terms.policy.quorum, terms.disruption, terms.priority, terms.preempts) == (1, None, None, True)


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
    (state,) = states("1.37", a_group(least=least), *members(bound, pending)).values()

    assert state.scheduled + state.pending + state.missing == max(bound + pending, least or 0)
    assert (state.phase is GroupPhase.SCHEDULED) == (bound >= max(1, least or 0) and not pending)


def test_a_group_of_another_minor_is_listed_and_not_read() -> None:
    found = states("1.35", a_group(minor="1.37"), a_member("a", "train", minor="1.37"))

    assert [(key, state.phase, len(state.members)) for key, state in found.items()] == [
        ("default/train", GroupPhase.GATE_OFF, 1)
    ]
