from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from clusters.engine import Snapshot
from clusters.engine.batch_groups import BatchGroupState, api_group_of, batch_group_states
from clusters.engine.batch_systems import BATCH_SYSTEMS, BatchGroupKey, BatchRemedy, batch_groups_of_pod
from clusters.engine.group_states import GroupPhase
from clusters.engine.objects import Pod
from clusters.engine.pod_texts import read
from tests.clusters.dumps import node, pod
from tests.support.batch_systems import (
    COSCHEDULING,
    JOB_SET,
    KUEUE,
    NAMESPACE,
    VOLCANO,
    WORKER_SET,
    Object,
    batch_object,
    condition,
    grouped,
    owned,
)

KINDS = {system.api_group: system.kind for system in BATCH_SYSTEMS}


def held(api_group: str, name: str, **parts: Any) -> Object:
    """An object as the mirror keeps it."""
    return batch_object(f"{api_group}/v1", KINDS[api_group], name, **parts)


def states(*objects: Object) -> list[BatchGroupState]:
    return list(batch_group_states(Snapshot.from_objects([node("n1"), *objects])))


def only(*objects: Object) -> BatchGroupState:
    (state,) = states(*objects)
    return state


MARKS: list[tuple[Object, str, str]] = [
    ({"annotations": {"kueue.x-k8s.io/workload": "g"}}, KUEUE, "g"),
    ({"labels": {"kueue.x-k8s.io/pod-group-name": "g"}}, KUEUE, "g"),
    ({"labels": {"kueue.x-k8s.io/managed": "true"}}, KUEUE, "Pod/p"),
    ({"schedulingGates": [{"name": "kueue.x-k8s.io/topology"}]}, KUEUE, "Pod/p"),
    ({"labels": {"kueue.x-k8s.io/podset": "main"}, "owners": owned("Job", "j")}, KUEUE, "Job/j"),
    ({"annotations": {"scheduling.k8s.io/group-name": "g"}}, VOLCANO, "g"),
    ({"labels": {"scheduling.x-k8s.io/pod-group": "g"}}, COSCHEDULING, "g"),
    ({"labels": {"jobset.sigs.k8s.io/jobset-name": "g"}}, JOB_SET, "g"),
    ({"labels": {"leaderworkerset.sigs.k8s.io/name": "g"}}, WORKER_SET, "g"),
]


@pytest.mark.parametrize(("marks", "api_group", "name"), MARKS)
def test_a_pod_is_of_the_group_that_its_marks_name(marks: Object, api_group: str, name: str) -> None:
    assert batch_groups_of_pod(Pod(grouped("p", **marks))) == (BatchGroupKey(NAMESPACE, api_group, name),)


def test_a_pod_without_marks_or_with_gates_of_others_is_of_none() -> None:
    assert batch_groups_of_pod(Pod(pod("p"))) == ()
    assert batch_groups_of_pod(Pod(pod("p", schedulingGates=[{"name": "example.com/hold"}]))) == ()


def test_a_pod_of_several_systems_is_of_a_group_of_each_in_their_order() -> None:
    labels = {"jobset.sigs.k8s.io/jobset-name": "sweep", "kueue.x-k8s.io/podset": "w"}

    found = batch_groups_of_pod(Pod(grouped("p", labels=labels, owners=owned("Job", "sweep-w-0"))))

    # Kueue admits the JobSet, not its Jobs.
    assert [str(key) for key in found] == [f"ml/{KUEUE}/JobSet/sweep", f"ml/{JOB_SET}/sweep"]


@pytest.mark.parametrize(
    ("api_group", "spec", "least"),
    [
        (KUEUE, {"podSets": [{"name": "a", "count": 3}, {"name": "b", "count": 1}]}, 4),
        (VOLCANO, {"minMember": 5}, 5),
        (COSCHEDULING, {"minMember": 2}, 2),
        (JOB_SET, {"replicatedJobs": [{"replicas": 2, "template": {"spec": {"parallelism": 3}}}, {"name": "d"}]}, 7),
        (WORKER_SET, {"leaderWorkerTemplate": {"size": 4}}, 4),
        (WORKER_SET, {}, 1),
    ],
)
def test_how_many_pods_a_group_needs_is_what_its_object_says(api_group: str, spec: Object, least: int) -> None:
    state = only(held(api_group, "g", spec=spec))

    assert (state.least, state.missing, state.phase) == (least, least, GroupPhase.WAITING_FOR_PODS)
    assert api_group_of(state) == api_group


@pytest.mark.parametrize(
    ("api_group", "status"),
    [
        (KUEUE, {"conditions": [condition("Finished", "True", "Succeeded", "")]}),
        (VOLCANO, {"phase": "Completed"}),
        (COSCHEDULING, {"phase": "Failed"}),
        (JOB_SET, {"conditions": [condition("Completed", "True", "AllJobsCompleted", "")]}),
    ],
)
def test_a_group_that_its_system_is_done_with_needs_no_pods(api_group: str, status: Object) -> None:
    spec = {"minMember": 5, "podSets": [{"count": 5}], "replicatedJobs": [{"replicas": 5}]}

    state = only(held(api_group, "g", spec=spec, status=status))

    assert (state.least, state.phase) == (0, GroupPhase.EMPTY)


def test_members_are_counted_by_their_nodes() -> None:
    marks = {"labels": {"scheduling.x-k8s.io/pod-group": "g"}}
    group = held(COSCHEDULING, "g", spec={"minMember": 2})
    found = []
    for scheduled in range(4):
        pods = [grouped(f"p{number}", on="n1" if number < scheduled else "", **marks) for number in range(3)]
        found.append(only(group, *pods).phase)

    assert found == [GroupPhase.PENDING, GroupPhase.PENDING, GroupPhase.PARTLY_SCHEDULED, GroupPhase.SCHEDULED]


def test_a_group_of_which_each_pod_is_scheduled_by_itself_is_partly_scheduled_by_one() -> None:
    labels = {"jobset.sigs.k8s.io/jobset-name": "g"}
    jobs = {"replicatedJobs": [{"replicas": 3}]}

    state = only(
        held(JOB_SET, "g", spec=jobs), *(grouped(f"p{n}", labels=labels, on="" if n else "n1") for n in range(3))
    )

    assert state.phase is GroupPhase.PARTLY_SCHEDULED


def test_a_group_without_its_object_is_not_found() -> None:
    state = only(grouped("p", annotations={"scheduling.k8s.io/group-name": "lost"}))

    assert (state.phase, state.least, state.missing, len(state.members)) == (GroupPhase.NOT_FOUND, None, 0, 1)


def test_pods_that_tell_their_owner_alone_are_of_the_workload_that_belongs_to_it() -> None:
    workload = held(KUEUE, "job-j-1a2b3", metadata={"ownerReferences": owned("Job", "j")}, spec={"podSets": [{}]})
    member = grouped("p", labels={"kueue.x-k8s.io/podset": "main"}, owners=owned("Job", "j"))

    state = only(workload, member)

    assert (state.shown, list(state.members), state.controller) == ("job-j-1a2b3", ["ml/p"], ("Job", "j"))


def test_each_replica_of_a_leader_worker_set_is_a_group() -> None:
    labels = {"leaderworkerset.sigs.k8s.io/name": "serve"}
    pods = [
        grouped(f"p{index}", labels={**labels, "leaderworkerset.sigs.k8s.io/group-index": str(index)})
        for index in range(2)
    ]

    found = states(held(WORKER_SET, "serve", spec={"leaderWorkerTemplate": {"size": 2}}), *pods)

    assert [(state.shown, state.least, state.missing) for state in found] == [("serve/0", 2, 1), ("serve/1", 2, 1)]


def told_by(api_group: str, *conditions: Object) -> str:
    told = only(held(api_group, "g", status={"conditions": list(conditions)})).told
    return "" if told is None else f"{told['type']}={told['status']}"


def test_what_a_group_waits_for_is_told_first_and_else_what_came_last() -> None:
    reserved = condition("QuotaReserved", "True", "QuotaReserved", "Quota reserved in ClusterQueue team")
    admitted = condition("Admitted", "False", "UnsatisfiedAdmissionChecks", "The workload has not all checks ready")
    ready = condition("PodsReady", "False", "WaitForStart", "Not all pods are ready or succeeded")
    # As Kueue leaves it when a workload is admitted again.
    evicted = {**condition("Evicted", "False", "QuotaReserved", "Previously: preempted"), "lastTransitionTime": "2027"}
    failed = {**condition("Failed", "True", "FailedJobs", "a job failed"), "lastTransitionTime": "2027"}

    assert told_by(KUEUE, ready, evicted, reserved, admitted) == "Admitted=False"
    assert told_by(KUEUE, evicted, reserved) == "QuotaReserved=True"
    assert told_by(JOB_SET, failed, condition("Suspended", "True", "SuspendedJobs", "")) == "Failed=True"
    assert told_by(JOB_SET, condition("Suspended", "False", "ResumeJobs", "jobset is resumed")) == ""


@pytest.mark.parametrize(
    ("api_group", "spec", "told", "remedy"),
    [
        (KUEUE, {"active": False}, None, BatchRemedy.ACTIVATE),
        (KUEUE, {}, ("QuotaReserved", "False", "ExceedsMaxQuota", ""), BatchRemedy.RAISE_QUOTA),
        (KUEUE, {}, ("QuotaReserved", "False", "Suspended", ""), BatchRemedy.START_QUEUE),
        (KUEUE, {}, ("QuotaReserved", "False", "WaitingForQuota", "later"), None),
        (VOLCANO, {"minMember": 2}, ("Unschedulable", "True", "NotEnoughTasks", ""), BatchRemedy.CREATE_PODS),
        (VOLCANO, {"minMember": 2}, ("Unschedulable", "True", "NotEnoughResources", ""), None),
        (JOB_SET, {"suspend": True}, None, BatchRemedy.RESUME),
        (JOB_SET, {"suspend": False}, None, None),
    ],
)
def test_what_helps_is_said_where_the_object_leaves_no_doubt(
    api_group: str, spec: Object, told: tuple[str, str, str, str] | None, remedy: BatchRemedy | None
) -> None:
    status = {"conditions": [condition(*told)] if told else []}

    assert only(held(api_group, "g", spec=spec, status=status)).remedy is remedy


def test_what_a_queue_has_suspended_is_for_the_queue_to_resume() -> None:
    labels = {"kueue.x-k8s.io/queue-name": "team"}

    assert only(held(JOB_SET, "g", metadata={"labels": labels}, spec={"suspend": True})).remedy is None


def test_a_system_holds_pods_by_its_gates_scheduler_and_plugin_alone() -> None:
    kueue, volcano, coscheduling, job_set, _ = BATCH_SYSTEMS

    assert kueue.holds(gates=("kueue.x-k8s.io/admission",))
    assert volcano.holds(scheduler_name="volcano-2")
    assert coscheduling.holds(plugins=("Coscheduling",))
    assert coscheduling.holds(scheduler_name="batch")
    assert not coscheduling.holds(plugins=("NodeResourcesFit",))
    assert not kueue.holds(gates=("example.com/hold",), scheduler_name="batch")
    assert not job_set.holds(gates=("kueue.x-k8s.io/admission",), scheduler_name="batch", plugins=("Coscheduling",))


def test_members_follow_the_pods_of_a_snapshot() -> None:
    labels = {"jobset.sigs.k8s.io/jobset-name": "g"}
    member = grouped("p", labels=labels)
    snapshot = Snapshot.from_objects([node("n1"), held(JOB_SET, "g", spec={"replicatedJobs": [{}]}), member])
    before = batch_group_states(snapshot)
    other = snapshot.copy().assume(member, "n1")

    (placed,) = batch_group_states(other)

    assert batch_group_states(snapshot) == before
    assert placed == replace(before[0], members=placed.members)
    assert (before[0].scheduled, placed.scheduled) == (0, 1)
    assert only(held(JOB_SET, "g", spec={"replicatedJobs": [{}]})).members == {}
    (left,) = batch_group_states(other.delete({**member, "kind": "Pod"}))
    assert left.phase is GroupPhase.WAITING_FOR_PODS


def test_pods_that_are_read_by_their_text_are_members_alike() -> None:
    marks: list[Object] = [
        {"labels": {"jobset.sigs.k8s.io/jobset-name": "g"}},
        {"labels": {"kueue.x-k8s.io/managed": "true"}},
    ]
    pods = [grouped(f"p{n}-{kind}", on=on, **marks[kind]) for kind in (0, 1) for n, on in enumerate(("n1", "n1", ""))]
    texts = [read(json.dumps(each)) for each in pods]

    found = Snapshot.from_objects([node("n1")], pods=texts).batch_groups.content()

    assert found == Snapshot.from_objects([node("n1"), *pods]).batch_groups.content()
    assert len(found) == 4
