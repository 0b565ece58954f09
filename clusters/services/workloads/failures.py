"""Workloads whose controllers report that they fail: pods that cannot be created, rollouts and Jobs that gave up.

Upstream (v1.34.1): the condition ReplicaFailure of ``pkg/controller/replicaset`` and ``pkg/controller/replication``,
which ``pkg/controller/deployment`` copies beside its own Progressing; the condition Failed of ``pkg/controller/job``;
and the event FailedCreate, which is all that StatefulSets, DaemonSets and CronJobs leave behind. The condition keeps
the message of the first pod that was refused, until all are created; events have that of the last one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from clusters.adapters.rows import first_moment
from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.workloads.failures import FailureKind, Failures, WorkloadFailure
from clusters.engine.workloads.next_try import next_try
from clusters.engine.workloads.pod_template import Controller, Workload
from clusters.engine.workloads.refusals import refusal_of, with_limit_ranges
from clusters.services.workloads.desired import desired_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document

FAILED_CREATE = "FailedCreate"
# Kinds whose controllers create pods, or Jobs.
CREATORS = ("ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job", "CronJob")
_WITH_REPLICA_FAILURE = ("Deployment", "ReplicaSet", "ReplicationController")
# What a Deployment's condition Progressing gives as its reason when not even the ReplicaSet can be created.
_NO_REPLICA_SET = "ReplicaSetCreateError"


class Owner(NamedTuple):
    """What controls pods, as their owner references name it."""

    namespace: str
    kind: str
    name: str


class ControlledPods(NamedTuple):
    """The pods that a controller has: how many that neither finished nor are being deleted, and when the last came."""

    pods: int
    newest: datetime | None


class CreationReport(NamedTuple):
    """An event FailedCreate: which controller failed, what it said, and when it did so first and last."""

    owner: Owner
    message: str
    first_seen: datetime | None
    last_seen: datetime | None


def failures_in(
    snapshot: Snapshot,
    beside: Mapping[tuple[str, str, str], Document],
    reports: Iterable[CreationReport],
    made: Callable[[Collection[Owner]], Mapping[Owner, ControlledPods]],
    quotas: Callable[[str], Iterable[Document]],
    unread: Collection[str],
    missed: Iterable[WorkloadFailure],
) -> Failures:
    """Return what fails by workload, pods that cannot be created first; of each kind one failure a workload.

    ``beside``: DaemonSets and Jobs, which snapshots leave out, by kind, namespace and name. ``made`` is asked once, for
    the controllers that matter; ``quotas`` for the namespaces of workloads whose pods are refused. ``unread``: the
    kinds of which the source holds nothing. ``missed``: CronJobs that have missed starts.
    """
    return _Finding(snapshot, beside, list(reports), made, quotas, unread).found(missed)


class _Finding:
    def __init__(
        self,
        snapshot: Snapshot,
        beside: Mapping[tuple[str, str, str], Document],
        reports: list[CreationReport],
        made: Callable[[Collection[Owner]], Mapping[Owner, ControlledPods]],
        quotas: Callable[[str], Iterable[Document]],
        unread: Collection[str],
    ) -> None:
        self._snapshot, self._beside, self._reports, self._made = snapshot, beside, reports, made
        self._quotas, self._unread = cache(quotas), unread
        self._by_owner = {report.owner: report for report in reports}

    def found(self, missed: Iterable[WorkloadFailure]) -> Failures:
        told = [*self._conditions(), *self._failed_jobs(), *missed]
        creating = {failure.workload for failure in told if failure.kind is FailureKind.CREATE}
        reported = [report for report in self._reports if self._workload(report.owner) not in creating]
        owned = self._owned(creating)
        asked = {owner for owners in owned.values() for owner in owners} | {each.owner for each in reported}
        pods = self._made(asked) if asked else {}
        by_workload: defaultdict[Workload, dict[FailureKind, WorkloadFailure]] = defaultdict(dict)
        for failure in told:
            stated = failure
            if failure.kind is FailureKind.CREATE:
                wanted = desired_of(failure.workload, self._beside, self._snapshot)
                have = sum(pods[owner].pods for owner in owned[failure.workload] if owner in pods)
                missing = None if wanted is None else max(0, wanted - have)
                latest = self._latest(owned[failure.workload], failure.since)
                message = failure.message if latest is None else latest.message
                stated = self._read(replace(failure, message=message, missing=missing))
            # What the workload says itself comes first, and what its ReplicaSets say fills the gaps.
            by_workload[failure.workload].setdefault(failure.kind, stated)
        for report in reported:
            if report.owner.kind == "CronJob":
                still, is_over = None, self._has_job_since(report)
            else:
                still = self._still_missing(report, pods.get(report.owner, ControlledPods(0, None)))
                is_over = not still
            if not is_over:
                workload = self._workload(report.owner)
                failure = WorkloadFailure(
                    workload, FailureKind.CREATE, FAILED_CREATE, report.message, still, _written(report.first_seen)
                )
                by_workload[workload].setdefault(FailureKind.CREATE, self._read(failure))
        order = list(FailureKind)
        sorted_failures = {
            workload: tuple(sorted(failures.values(), key=lambda each: order.index(each.kind)))
            for workload, failures in by_workload.items()
        }
        ranked = sorted(sorted_failures.items(), key=lambda entry: (order.index(entry[1][0].kind), entry[0]))
        return dict(ranked)

    def _read(self, failure: WorkloadFailure) -> WorkloadFailure:
        """Read what the API server answered, and tell what it would answer now."""
        kind, namespace, name = failure.workload.kind, failure.workload.namespace, failure.workload.name
        refusal = refusal_of(failure.message, namespace)
        refusal = with_limit_ranges(refusal, self._snapshot.objects("LimitRange", namespace))
        document = self._beside.get((kind, namespace, name)) or self._snapshot.object(kind, name, namespace)
        answer = None
        if document is not None and failure.missing != 0:
            answer = next_try(
                document,
                failure.missing or 1,
                self._snapshot,
                self._quotas(namespace),
                before=refusal.problems,
                unread=self._unread,
            )
        return replace(failure, refusal=refusal, next_try=answer)

    def _latest(self, owners: Iterable[Owner], since: str) -> CreationReport | None:
        """Return the last report of the controllers of a workload that came after its condition."""
        reports = (self._by_owner[owner] for owner in owners if owner in self._by_owner)
        later = [report for report in reports if _written(report.last_seen) > since]
        return max(later, key=lambda report: _written(report.last_seen), default=None)

    def _has_job_since(self, report: CreationReport) -> bool:
        """Whether a CronJob is gone, or has created a Job after it last failed to."""
        kind, namespace, name = report.owner.kind, report.owner.namespace, report.owner.name
        if (kind, namespace, name) not in self._beside:
            return True
        newest = first_moment({"at": self._newest_jobs.get(Workload(namespace, kind, name)) or None}, "at")
        return newest is not None and report.last_seen is not None and newest > report.last_seen

    @cached_property
    def _newest_jobs(self) -> dict[Workload, str]:
        """When the last Job of each workload was created."""
        newest: dict[Workload, str] = {}
        for (kind, namespace, name), job in self._beside.items():
            if kind == "Job":
                workload = self._workload(Owner(namespace, kind, name))
                newest[workload] = max(newest.get(workload, ""), _created(job))
        return newest

    def _conditions(self) -> Iterator[WorkloadFailure]:
        for kind in _WITH_REPLICA_FAILURE:
            for document in self._snapshot.objects(kind):
                conditions = (document.get("status") or {}).get("conditions")
                if conditions:
                    owner = Owner(namespace_of(document), kind, name_of(document))
                    yield from _of_conditions(conditions, self._workload(owner))

    def _failed_jobs(self) -> Iterator[WorkloadFailure]:
        """Yield Jobs that gave up; of a CronJob's only the latest one counts."""
        jobs = [(Owner(namespace, kind, name), job) for (kind, namespace, name), job in self._beside.items()]
        jobs = [(owner, job) for owner, job in jobs if owner.kind == "Job"]
        for owner, job in jobs:
            workload = self._workload(owner)
            for condition in (job.get("status") or {}).get("conditions") or ():
                is_failed = condition.get("type") == "Failed" and condition.get("status") == "True"
                if is_failed and _created(job) == self._newest_jobs[workload]:
                    reason, message = str(condition.get("reason") or "Failed"), str(condition.get("message") or "")
                    yield WorkloadFailure(workload, FailureKind.JOB, reason, message, None, _since(condition))

    def _still_missing(self, report: CreationReport, made: ControlledPods) -> int:
        """Return how many pods a controller still lacks; none where one came after it last failed."""
        wanted = desired_of(Workload(*report.owner), self._beside, self._snapshot)
        is_over = made.newest is not None and report.last_seen is not None and made.newest > report.last_seen
        return 0 if wanted is None or is_over else max(0, wanted - made.pods)

    def _owned(self, workloads: Collection[Workload]) -> dict[Workload, list[Owner]]:
        """Return what controls the pods of each workload: itself, or a Deployment's ReplicaSets."""
        owned = {workload: [Owner(workload.namespace, workload.kind, workload.name)] for workload in workloads}
        for document in self._snapshot.objects("ReplicaSet") if owned else ():
            owner = Owner(namespace_of(document), "ReplicaSet", name_of(document))
            workload = self._workload(owner)
            if workload in owned and workload.kind == "Deployment":
                owned[workload].append(owner)
        return owned

    def _workload(self, owner: Owner) -> Workload:
        """Return what made a controller, or the controller itself."""
        document = self._beside.get((owner.kind, owner.namespace, owner.name))
        if document is None and owner.kind == "ReplicaSet":
            document = self._snapshot.object(owner.kind, owner.name, owner.namespace)
        above = None if document is None else Controller.of(document)
        return Workload(owner.namespace, *((owner.kind, owner.name) if above is None else (above.kind, above.name)))


def _of_conditions(conditions: Iterable[Document], workload: Workload) -> Iterator[WorkloadFailure]:
    for condition in conditions:
        kind = _kind_of(condition)
        if kind is not None:
            reason, message = str(condition.get("reason") or condition["type"]), str(condition.get("message") or "")
            yield WorkloadFailure(workload, kind, reason, message, None, _since(condition))


def _kind_of(condition: Document) -> FailureKind | None:
    told = condition.get("type"), condition.get("status")
    if told == ("ReplicaFailure", "True"):
        return FailureKind.DELETE if condition.get("reason") == "FailedDelete" else FailureKind.CREATE
    if told == ("Progressing", "False"):
        return FailureKind.CREATE if condition.get("reason") == _NO_REPLICA_SET else FailureKind.PROGRESS
    return None


def _since(condition: Document) -> str:
    return _written(first_moment(condition, "lastTransitionTime"))


def _written(at: datetime | None) -> str:
    return "" if at is None else at.astimezone(UTC).isoformat()


def _created(document: Document) -> str:
    return str(metadata(document).get("creationTimestamp") or "")
