"""A small cluster with groups of every other batch system, as these write them."""

from __future__ import annotations

from typing import Any

from tests.clusters.dumps import node, pod

Object = dict[str, Any]

NAMESPACE = "ml"
KUEUE, VOLCANO, COSCHEDULING = "kueue.x-k8s.io", "scheduling.volcano.sh", "scheduling.x-k8s.io"
JOB_SET, WORKER_SET = "jobset.x-k8s.io", "leaderworkerset.x-k8s.io"
NO_QUOTA = "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a100"
NOT_ENOUGH = "3/8 tasks in gang unschedulable: pod group is not ready, 8 Pending, 8 minAvailable"


def batch_object(api: str, kind: str, name: str, **parts: Any) -> Object:
    """An object of a system; ``api``: group and version."""
    metadata = {"name": name, "namespace": NAMESPACE, "uid": f"{api}-{name}", **parts.pop("metadata", {})}
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **parts}


def condition(kind: str, status: str, reason: str, message: str) -> Object:
    """A condition that a system reports."""
    at = "2026-03-01T12:00:00Z"
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": at}


def owned(kind: str, name: str, api: str = "batch/v1") -> list[Object]:
    """The owner references of what a controller made."""
    return [{"apiVersion": api, "kind": kind, "name": name, "uid": f"{kind}-{name}", "controller": True}]


def grouped(
    name: str, *, labels: Object | None = None, annotations: Object | None = None, owners: Any = (), **spec: Any
) -> Object:
    """A pod with the marks of a system."""
    found = pod(name, NAMESPACE, on=spec.pop("on", ""), **spec)
    found["metadata"].update(labels=labels or {}, annotations=annotations or {}, ownerReferences=list(owners))
    return found


def kueue() -> list[Object]:
    """A group of pods that waits for quota, and a Job that is admitted and lacks room."""
    waiting = condition("QuotaReserved", "False", "WaitingForQuota", NO_QUOTA)
    marks: Object = {"kueue.x-k8s.io/pod-group-name": "sample", "kueue.x-k8s.io/queue-name": "team"}
    gates = [{"name": "kueue.x-k8s.io/admission"}]
    return [
        batch_object(
            f"{KUEUE}/v1beta2",
            "Workload",
            "sample",
            spec={"active": True, "queueName": "team", "podSets": [{"name": "main", "count": 3}]},
            status={"conditions": [waiting]},
        ),
        *(grouped(f"sample-{number}", labels=marks, schedulingGates=gates) for number in range(2)),
        batch_object(
            f"{KUEUE}/v1beta1",
            "Workload",
            "job-eval-1a2b3",
            metadata={"ownerReferences": owned("Job", "eval")},
            spec={"queueName": "team", "podSets": [{"name": "main", "count": 2}]},
            status={"conditions": [condition("Admitted", "True", "Admitted", "The workload is admitted")]},
        ),
        grouped("eval-0", labels={"kueue.x-k8s.io/podset": "main"}, owners=owned("Job", "eval"), on="n1"),
        grouped("eval-1", labels={"kueue.x-k8s.io/podset": "main"}, owners=owned("Job", "eval")),
    ]


def volcano() -> list[Object]:
    """A gang of eight of which three pods exist."""
    lacking = condition("Unschedulable", "True", "NotEnoughResources", NOT_ENOUGH)
    marks = {"scheduling.k8s.io/group-name": "train"}
    return [
        batch_object(
            f"{VOLCANO}/v1beta1",
            "PodGroup",
            "train",
            metadata={"ownerReferences": owned("Job", "train", "batch.volcano.sh/v1alpha1")},
            spec={"minMember": 3, "queue": "default"},
            status={"phase": "Inqueue", "conditions": [lacking]},
        ),
        *(grouped(f"train-{number}", annotations=marks, schedulerName="volcano") for number in range(3)),
    ]


def coscheduling() -> list[Object]:
    """A gang that lacks a pod."""
    marks = {"scheduling.x-k8s.io/pod-group": "mpi"}
    return [
        batch_object(f"{COSCHEDULING}/v1alpha1", "PodGroup", "mpi", spec={"minMember": 4}, status={"phase": "Pending"}),
        *(grouped(f"mpi-{number}", labels=marks, schedulerName="batch") for number in range(3)),
    ]


def controllers() -> list[Object]:
    """A JobSet that is suspended, one of four pods, and a LeaderWorkerSet with two groups of two."""
    suspended = condition("Suspended", "True", "SuspendedJobs", "jobset is suspended")
    jobs = [{"name": "w", "replicas": 2, "template": {"spec": {"parallelism": 2, "template": {"spec": {}}}}}]
    return [
        batch_object(
            f"{JOB_SET}/v1alpha2",
            "JobSet",
            "paused",
            spec={"suspend": True, "replicatedJobs": jobs},
            status={"conditions": [suspended]},
        ),
        batch_object(f"{JOB_SET}/v1alpha2", "JobSet", "sweep", spec={"replicatedJobs": jobs}),
        *(
            grouped(
                f"sweep-w-{number}",
                labels={"jobset.sigs.k8s.io/jobset-name": "sweep"},
                owners=owned("Job", f"sweep-w-{number // 2}"),
                on="n1" if number < 3 else "",
            )
            for number in range(4)
        ),
        batch_object(
            f"{WORKER_SET}/v1",
            "LeaderWorkerSet",
            "serve",
            spec={"replicas": 2, "leaderWorkerTemplate": {"size": 2, "workerTemplate": {"spec": {}}}},
            status={"conditions": [condition("Available", "False", "GroupsProgressing", "Groups are progressing")]},
        ),
        *(
            grouped(
                f"serve-{group}" if not worker else f"serve-{group}-{worker}",
                labels={
                    "leaderworkerset.sigs.k8s.io/name": "serve",
                    "leaderworkerset.sigs.k8s.io/group-index": str(group),
                },
                on="n1" if not group else "",
            )
            for group in range(2)
            for worker in range(2)
        ),
    ]


def batch_objects() -> list[Object]:
    """All of them, with a node."""
    return [node("n1"), *kueue(), *volcano(), *coscheduling(), *controllers()]
