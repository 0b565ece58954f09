"""Jobs of a simulation as they lose pods: whether another one is made, and when a Job fails.

Each Job's count is kept in its object in the snapshot, so that it begins with what its status says.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import name_of, namespace_of
from clusters.engine.simulation.problems import JobFailed, JobHadEnded, JobIndexFailed
from clusters.engine.workloads.disrupted_jobs import JobFailureReason, disrupted_job, of_next_index
from clusters.engine.workloads.job_indexes import index_of
from clusters.engine.workloads.job_progress import backoff_limit, has_ended
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.workloads.disrupted_jobs import DisruptedJob

JobKey = tuple[str, str]


def job_of(pod: Document) -> JobKey | None:
    """The namespace and the name of the Job that controls a pod; None where none does."""
    controller = Controller.of(pod)
    return None if controller is None or controller.kind != "Job" else (namespace_of(pod), controller.name)


@dataclass(frozen=True, slots=True)
class PodLoss:
    """A pod that has to go, and what its Job says to that: why it makes none in its place, if it does not.

    ``likeness``: the pod after which another one of its index or its Job is made, None without such. ``failed``: the
    Job that fails with it, and whose other pods are deleted.
    """

    pod: Document | None
    likeness: Document | None
    problem: Problem | None = None
    failed: JobKey | None = None

    def followed_by(self, step: Step) -> PodLoss:
        """The loss as a step tells of it: an earlier release, which counted no failures, replaced every pod."""
        return PodLoss(self.pod, self.pod) if self.problem is not None and step.problem is None else self


class JobPods:
    """The Jobs of a snapshot as their pods have to go; ``pods_of`` finds the pods that a Job has."""

    def __init__(self, snapshot: Snapshot, pods_of: Callable[[JobKey], Iterable[Document]]) -> None:
        self._snapshot, self._pods_of = snapshot, pods_of

    def lose(self, pod: Document | None) -> PodLoss:
        """Let a pod go that was evicted or preempted; of a Job that is not known every pod is replaced."""
        key = None if pod is None else job_of(pod)
        job = None if key is None else self._snapshot.object("Job", key[1], key[0])
        if pod is None or key is None or job is None:
            return PodLoss(pod, pod)
        found = disrupted_job(job, pod)
        if found.job is not job:
            self._snapshot.upsert(found.job)
        return PodLoss(pod, found.likeness, _problem(found), key if found.fails is not None else None)

    def likeness(self, loss: PodLoss) -> Document | None:
        """The pod after which another one is made, once all have gone that go together; None where none is."""
        key = None if loss.pod is None else job_of(loss.pod)
        job = None if key is None else self._snapshot.object("Job", key[1], key[0])
        if loss.pod is None or key is None or job is None or not isinstance(loss.problem, JobIndexFailed):
            return loss.likeness
        if has_ended(job):
            return None
        completions = int((job.get("spec") or {}).get("completions") or 0)
        active = {index for each in self._pods_of(key) if (index := index_of(each, completions)) is not None}
        return of_next_index(job, loss.pod, active)


def _problem(found: DisruptedJob) -> Problem | None:
    """Why no pod is made in the place of one that a Job lost, or none of its index; None where one is."""
    spec, name = found.job.get("spec") or {}, f"{namespace_of(found.job)}/{name_of(found.job)}"
    if found.had_ended:
        return JobHadEnded(name)
    if found.fails is not None:
        limits = {
            JobFailureReason.BACKOFF_LIMIT: backoff_limit(spec),
            JobFailureReason.MOST_INDEXES: spec.get("maxFailedIndexes"),
        }
        return JobFailed(name, found.fails.value, int(limits.get(found.fails) or 0))
    if found.failed_index is not None:
        return JobIndexFailed(name, found.failed_index, int(spec.get("backoffLimitPerIndex") or 0))
    return None


class PodsOfJobs:
    """Finds the pods of Jobs among many: those that were ``placed`` from the beginning, and those that came since."""

    def __init__(
        self,
        placed: Mapping[str, Document],
        documents: Mapping[str, Document],
        is_placed: Callable[[str], bool],
    ) -> None:
        self._placed, self._documents, self._is_placed = placed, documents, is_placed
        self._by_job: dict[JobKey, list[str]] | None = None

    def keys(self, job: JobKey) -> Iterator[str]:
        """The pods that a Job has now, by ``namespace/name``."""
        if self._by_job is None:
            found: defaultdict[JobKey, list[str]] = defaultdict(list)
            for key, pod in self._placed.items():
                owner = job_of(pod)
                if owner is not None:
                    found[owner].append(key)
            self._by_job = found
        for key in self._by_job.get(job, ()):
            if key not in self._documents and self._is_placed(key):
                yield key
        for key, pod in self._documents.items():
            if job_of(pod) == job:
                yield key
