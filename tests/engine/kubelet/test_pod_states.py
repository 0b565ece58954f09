"""What became of pods on their nodes, beside what their phase says."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.analysis import AwaitTerminating, ReleaseFinalizers, remedies_of
from clusters.engine.kubelet import (
    ClaimsNotBound,
    ContainerEnd,
    HeldByFinalizers,
    KubeletRejection,
    KubeletTermination,
    StuckDeletion,
    container_ends,
    reason_of,
    rejection_of,
    trouble_of,
)
from tests.engine.builders import Document, a_node, a_pod, explanation_of

CLASS = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "local"},
    "volumeBindingMode": "WaitForFirstConsumer",
}


def node(name: str = "n1", *, ready: str = "True", taints: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name},
        "spec": {"taints": [{"key": key, "effect": "NoExecute"} for key in taints]},
        "status": {"conditions": [{"type": "Ready", "status": ready}]},
    }


def pod(
    status: dict[str, Any], *, on: str = "n1", metadata: dict[str, Any] | None = None, **spec: Any
) -> dict[str, Any]:
    placed = {"nodeName": on} if on else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web-0", "namespace": "shop", **(metadata or {})},
        "spec": {**placed, **spec},
        "status": status,
    }


def claim(name: str = "data", **fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "shop", "annotations": fields.pop("annotations", {})},
        "spec": {"storageClassName": "local", **fields},
    }


@pytest.mark.parametrize(
    ("reason", "message", "told"),
    [
        (
            "OutOfcpu",
            "Pod was rejected: Node didn't have enough resource: cpu",
            "Node didn't have enough resource: cpu",
        ),
        ("OutOfnvidia.com/gpu", "Pod Node didn't have enough", "Pod Node didn't have enough"),
        ("TopologyAffinityError", "", ""),
        (
            "Evicted",
            "Pod was rejected: The node had condition: [DiskPressure].",
            "The node had condition: [DiskPressure].",
        ),
        ("SomethingNew", "Pod was rejected: as it is new", "as it is new"),
    ],
)
def test_pod_that_the_kubelet_did_not_admit(reason: str, message: str, told: str) -> None:
    status = {"phase": "Failed", "reason": reason, "message": message}

    assert rejection_of(pod(status)) == KubeletRejection("n1", reason, told)
    assert trouble_of(pod(status), Snapshot.from_objects([node()])) == rejection_of(pod(status))


@pytest.mark.parametrize(
    "status",
    [
        {"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."},
        {"phase": "Failed", "reason": "DeadlineExceeded"},
        {"phase": "Failed"},
        {"phase": "Running", "reason": "OutOfcpu"},
        {
            "phase": "Failed",
            "reason": "UnexpectedAdmissionError",
            "containerStatuses": [{"name": "a", "state": {"terminated": {"exitCode": 1, "reason": "Error"}}}],
        },
    ],
)
def test_pod_that_ran_or_failed_otherwise_was_not_rejected(status: dict[str, Any]) -> None:
    assert rejection_of(pod(status)) is None


@pytest.mark.parametrize("reason", ["Evicted", "Preempting", "Terminated", "DeadlineExceeded"])
def test_pod_that_the_kubelet_ended(reason: str) -> None:
    status = {"phase": "Failed", "reason": reason, "message": "The node was low on resource: memory. "}
    nodes = Snapshot.from_objects([node()])

    assert trouble_of(pod(status), nodes) == KubeletTermination("n1", reason, "The node was low on resource: memory. ")
    assert trouble_of(pod({**status, "phase": "Running"}), nodes) is None
    assert trouble_of(pod(status, on=""), nodes) is None


VOLUMES = [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]


def starting(*objects: dict[str, Any], **fields: Any) -> Any:
    found = pod({"phase": "Pending"}, volumes=VOLUMES, **fields)
    return trouble_of(found, Snapshot.from_objects([node(), CLASS, *objects]))


def test_pod_that_names_its_node_waits_for_a_claim_that_nobody_binds() -> None:
    assert starting(claim()) == ClaimsNotBound("n1", ("data",), ())


@pytest.mark.parametrize(
    "found",
    [
        claim(volumeName="pv", annotations={"pv.kubernetes.io/bind-completed": "yes"}),
        claim(annotations={"volume.kubernetes.io/selected-node": "n1"}),
        claim(storageClassName="other"),
        claim("another"),
    ],
)
def test_claim_that_is_bound_or_on_its_way_is_no_trouble(found: dict[str, Any]) -> None:
    assert starting(found) is None


def test_devices_that_nobody_allocates() -> None:
    devices = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu", "namespace": "shop"},
        "spec": {"devices": {"requests": []}},
    }
    found = pod({"phase": "Pending"}, resourceClaims=[{"name": "g", "resourceClaimName": "gpu"}])

    assert trouble_of(found, Snapshot.from_objects([node(), devices])) == ClaimsNotBound("n1", (), ("gpu",))
    assert trouble_of(found, Snapshot.from_objects([node(), {**devices, "status": {"allocation": {}}}])) is None


def deleted(*, owner: str = "", phase: str = "Running") -> dict[str, Any]:
    owners = [{"kind": owner, "name": "web", "controller": True}] if owner else []
    return pod({"phase": phase}, metadata={"deletionTimestamp": "2026-11-20T04:05:35Z", "ownerReferences": owners})


ENDED = {"name": "c", "state": {"terminated": {"exitCode": 0}}}
RUNS = {"name": "c", "state": {"running": {}}}


@pytest.mark.parametrize(
    ("status", "on", "held_on"),
    [
        ({"phase": "Running", "containerStatuses": [ENDED]}, "n1", "n1"),
        ({"phase": "Succeeded"}, "n1", ""),
        ({"phase": "Failed", "reason": "Evicted"}, "n1", ""),
        ({"phase": "Pending"}, "", ""),
        ({"phase": "Running", "containerStatuses": [ENDED, RUNS]}, "n1", None),
        ({"phase": "Running"}, "n1", None),
    ],
)
def test_pod_that_finalizers_alone_hold(status: dict[str, Any], on: str, held_on: str | None) -> None:
    since, names, snapshot = "2026-11-20T04:05:35Z", ["example.com/a", "orphan"], Snapshot.from_objects([node()])
    metadata = {"deletionTimestamp": since, "finalizers": names}

    expected = None if held_on is None else HeldByFinalizers(held_on, since, tuple(names))
    assert trouble_of(pod(status, on=on, metadata=metadata), snapshot) == expected
    assert not isinstance(trouble_of(pod(status, on=on, metadata={"finalizers": names}), snapshot), HeldByFinalizers)


@pytest.mark.parametrize(
    "lost", [node(ready="Unknown"), node(ready="False", taints=("node.kubernetes.io/unreachable",))]
)
def test_pod_that_is_deleted_on_a_node_that_does_not_answer(lost: dict[str, Any]) -> None:
    snapshot = Snapshot.from_objects([lost])

    assert trouble_of(deleted(), snapshot) == StuckDeletion("n1", "2026-11-20T04:05:35Z", "")
    assert trouble_of(deleted(owner="StatefulSet"), snapshot) == StuckDeletion("n1", "2026-11-20T04:05:35Z", "web")
    assert trouble_of(deleted(owner="ReplicaSet"), snapshot) == StuckDeletion("n1", "2026-11-20T04:05:35Z", "")


@pytest.mark.parametrize(
    ("found", "on"),
    [
        (deleted(), node()),
        (deleted(), node(ready="Unknown", taints=("node.kubernetes.io/out-of-service",))),
        (deleted(), node("other", ready="Unknown")),
        (deleted(phase="Succeeded"), node(ready="Unknown")),
        (pod({"phase": "Running"}), node(ready="Unknown")),
    ],
)
def test_deletion_that_goes_on_is_no_trouble(found: dict[str, Any], on: dict[str, Any]) -> None:
    assert trouble_of(found, Snapshot.from_objects([on])) is None


def container(restarts: int = 0, name: str = "app", **states: Any) -> dict[str, Any]:
    return {"name": name, "restartCount": restarts, **states}


KILLED = {"terminated": {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-11-20T08:00:00Z"}}


def test_e45_container_that_was_ended_for_its_memory() -> None:
    found = pod({"phase": "Running", "containerStatuses": [container(5, state={"running": {}}, lastState=KILLED)]})

    assert list(container_ends(found)) == [ContainerEnd("app", "OOMKilled", 137, "2026-11-20T08:00:00Z", 5)]
    assert reason_of(found) == "OOMKilled"


def test_containers_that_completed_or_run_have_no_end_to_tell() -> None:
    done = container(name="init", state={"terminated": {"reason": "Completed", "exitCode": 0}})
    runs = container(state={"running": {}})

    assert not list(container_ends(pod({"initContainerStatuses": [done], "containerStatuses": [runs]})))


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ({"reason": "Evicted", "containerStatuses": [container(state=KILLED)]}, "Evicted"),
        (
            {"containerStatuses": [container(state={"waiting": {"reason": "CrashLoopBackOff"}}, lastState=KILLED)]},
            "OOMKilled",
        ),
        ({"containerStatuses": [container(state={"waiting": {"reason": "ImagePullBackOff"}})]}, "ImagePullBackOff"),
        ({"containerStatuses": [container(state={"waiting": {"reason": "ContainerCreating"}})]}, ""),
        ({"containerStatuses": [container(state={"terminated": {"reason": "Error", "exitCode": 2}})]}, "Error"),
        ({"containerStatuses": [container(state={"terminated": {"reason": "Completed", "exitCode": 0}})]}, ""),
        ({"containerStatuses": [container(state={"running": {}})]}, ""),
        ({}, ""),
    ],
)
def test_reason_that_most_says_how_a_pod_is(status: dict[str, Any], reason: str) -> None:
    assert reason_of(pod(status)) == reason


def leaving(pod: Document) -> Document:
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-11-20T06:00:00Z"}}


def held(pod: Document) -> Document:
    status = {"phase": "Running", "containerStatuses": [{"name": "c", "state": {"terminated": {"exitCode": 0}}}]}
    gone = leaving(pod)
    return {**gone, "metadata": {**gone["metadata"], "finalizers": ["example.com/a"]}, "status": status}


def test_a_pod_that_finalizers_hold_is_not_waited_for() -> None:
    one, two = a_node("n", allocatable={"cpu": "4", "pods": "1"}), a_node("m", allocatable={"cpu": "4", "pods": "1"})
    kept, going = held(a_pod("kept", node="n")), leaving(a_pod("going", node="m"))

    assert remedies_of(explanation_of(a_pod(), one, kept)) == [ReleaseFinalizers("n", ("default/kept",))]
    assert remedies_of(explanation_of(a_pod(), one, two, kept, going)) == [AwaitTerminating("m", ("default/going",))]
