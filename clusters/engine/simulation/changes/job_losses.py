"""Jobs that lose pods with the nodes that a change takes away or taints."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from clusters.engine.objects import key_of
from clusters.engine.simulation.job_pods import JobPods, job_of
from clusters.engine.simulation.problems import JobFailed, JobIndexFailed
from clusters.engine.simulation.remarks import JobFails, JobIndexesFail
from clusters.engine.workloads.job_indexes import Indexes
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.world import ClusterDocuments
    from clusters.engine.simulation.job_pods import JobKey, PodLoss


class JobLosses:
    """The pods that Jobs lose at one moment: all are lost before others are made in their place."""

    def __init__(self, world: ClusterDocuments) -> None:
        self._world = world
        self._made: defaultdict[JobKey, list[Document]] = defaultdict(list)
        self._jobs = JobPods(world.shelf, self._pods_of)
        self._losses: list[PodLoss] = []
        self._failed: set[JobKey] = set()

    def lose(self, pod: Document) -> PodLoss:
        """Let a pod go, whoever controls it."""
        loss = self._jobs.lose(pod)
        self._losses.append(loss)
        if loss.failed is not None:
            self._failed.add(loss.failed)
        return loss

    def likeness(self, loss: PodLoss) -> Document | None:
        """The pod after which another one is made, once all are lost; None where none is."""
        owner = None if loss.pod is None else job_of(loss.pod)
        return None if owner in self._failed else self._jobs.likeness(loss)

    def makes(self, pod: Document) -> None:
        """Note a pod that is made, and not yet in the world."""
        owner = job_of(pod)
        if owner is not None:
            self._made[owner].append(pod)

    def end(self) -> None:
        """Delete the pods that Jobs still have which failed, and remark which did, and which indexes of others."""
        indexes: defaultdict[str, list[int]] = defaultdict(list)
        for loss in self._losses:
            if loss.failed is not None and isinstance(loss.problem, JobFailed):
                pods = self._world.pods_of(Workload(loss.failed[0], "Job", loss.failed[1]))
                for pod in pods:
                    self._world.drop(key_of(pod))
                why = loss.problem
                self._world.remarks.append(JobFails(why.job, why.reason, why.limit, len(pods)))
            elif isinstance(loss.problem, JobIndexFailed):
                indexes[loss.problem.job].append(loss.problem.index)
        self._world.remarks += [JobIndexesFail(job, str(Indexes.of(found))) for job, found in sorted(indexes.items())]

    def _pods_of(self, job: JobKey) -> list[Document]:
        namespace, name = job
        return [*self._world.pods_of(Workload(namespace, "Job", name)), *self._made[job]]
