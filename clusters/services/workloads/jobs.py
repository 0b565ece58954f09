"""The Jobs of a workload that have not ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import name_of
from clusters.engine.workloads.job_progress import JobProgress, has_ended, job_progress
from clusters.engine.workloads.pod_template import Controller
from clusters.models import Pod

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.workloads.pod_template import Workload
    from clusters.models import Cluster
    from clusters.services.workloads.state import ClusterWorkloads

# So many pods of a Job are looked at, the newest.
MOST_PODS = 1_000


def jobs_of(*, cluster: Cluster, found: ClusterWorkloads, workload: Workload, most: int) -> list[JobProgress]:
    """Return how far the Jobs of a CronJob are, or a Job itself, by name and at most so many; one query for each."""
    if workload.kind not in ("Job", "CronJob"):
        return []
    jobs = sorted(
        (
            job
            for (kind, namespace, _), job in found.owners.items()
            if kind == "Job" and namespace == workload.namespace and _is_of(job, workload) and not has_ended(job)
        ),
        key=name_of,
    )
    return [_progress(cluster, workload.namespace, job) for job in jobs[:most]]


def _progress(cluster: Cluster, namespace: str, job: Document) -> JobProgress:
    rows = Pod.objects.filter(cluster=cluster, namespace=namespace, owner_kind="Job", owner_name=name_of(job))
    pods = list(rows.order_by("-created_at", "name").values_list("object", flat=True)[: MOST_PODS + 1])
    return job_progress(job, pods[:MOST_PODS], knows_all=len(pods) <= MOST_PODS)


def _is_of(job: Document, workload: Workload) -> bool:
    controller = Controller.of(job)
    if controller is None:
        return workload.kind == "Job" and name_of(job) == workload.name
    return (controller.kind, controller.name) == (workload.kind, workload.name)
