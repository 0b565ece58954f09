"""Which workloads fail, and which pods are not what their phase says."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from clusters.adapters.rows import Row, first_moment, table_of
from clusters.engine.columns import NOWHERE
from clusters.engine.cron import CronSchedule, CronStart, ScheduleError, StartKind, cron_start, zoned
from clusters.engine.kubelet import (
    LACKS,
    OOM_KILLED,
    REJECTIONS,
    ClaimsNotBound,
    HeldByFinalizers,
    StuckDeletion,
    is_rejection,
    trouble_of,
)
from clusters.engine.objects import Document, Pod as PodObject, metadata, name_of, namespace_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.quotas import counted_quotas, device_quota_rules, is_counted
from clusters.engine.workloads import (
    DECIDING,
    FailureKind,
    Failures,
    MissedStarts,
    WorkloadFailure,
    next_try,
    refusal_of,
    with_limit_ranges,
)
from clusters.models import Cluster, Event, KubeObject, Pod
from clusters.services.computing import Cache
from clusters.services.mirror.snapshots import last_moment, snapshot_of
from clusters.services.mirror.state import MirroredObjects, quotas_of
from clusters.services.workloads.owners import desired_of, makers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from clusters.engine import Snapshot


_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - the wall clock of whatever time zone
# One start that is due is no missed one yet: the controller needs some seconds for it.
_LEAST_MISSED = 2


class UnreadableScheduleError(Exception):
    """A CronJob's schedule or time zone is none that can be read."""

    def __init__(self, schedule: str) -> None:
        super().__init__(schedule)
        self.schedule = schedule


class DatedStart(Struct, frozen=True):
    """What a controller does, with its moments in the CronJob's time zone; ``zone`` is empty where it names none."""

    schedule: str
    zone: str
    found: CronStart
    due: datetime | None
    following: datetime | None
    earliest: datetime | None


def start_of(cron_job: Document, now: datetime) -> DatedStart | None:
    """Return what a CronJob's controller does now; None for one whose schedule is not mirrored.

    Raises UnreadableScheduleError.
    """
    spec, status = cron_job.get("spec") or {}, cron_job.get("status") or {}
    text, named = zoned(str(spec.get("schedule") or ""), str(spec.get("timeZone") or ""))
    last = first_moment(status, "lastScheduleTime") or first_moment(metadata(cron_job), "creationTimestamp")
    if not text or last is None:
        return None
    try:
        schedule, zone = CronSchedule.of(text), _zone(named)
    except (ScheduleError, ValueError, OSError, ZoneInfoNotFoundError):
        raise UnreadableScheduleError(f"{text} {named}".strip()) from None
    deadline = spec.get("startingDeadlineSeconds")
    found = cron_start(
        schedule,
        last=_wall_clock(last, zone),
        now=_wall_clock(now, zone),
        deadline=None if deadline is None else int(deadline),
        is_suspended=bool(spec.get("suspend")),
        forbids_another=spec.get("concurrencyPolicy") == "Forbid" and bool(status.get("active")),
    )
    moments = (_moment(at, zone) for at in (found.due, found.following, found.earliest))
    return DatedStart(text, named, found, *moments)


def missed_starts(cron_jobs: Iterable[Document], now: datetime) -> Iterator[WorkloadFailure]:
    """Yield the CronJobs that have missed starts, apart from those that are suspended or cannot be read."""
    for cron_job in cron_jobs:
        try:
            start = start_of(cron_job, now)
        except UnreadableScheduleError:
            continue
        if start is None or start.found.kind is StartKind.SUSPENDED or start.found.missed < _LEAST_MISSED:
            continue
        since = "" if start.earliest is None else start.earliest.astimezone(UTC).isoformat()
        missed = MissedStarts(start.found.missed, start.found.kind is StartKind.ALREADY_ACTIVE)
        workload = Workload(namespace_of(cron_job), "CronJob", name_of(cron_job))
        yield WorkloadFailure(workload, FailureKind.STARTS, "", "", None, since, missed=missed)


def _zone(name: str) -> tzinfo:
    """Return a time zone. Raises ZoneInfoNotFoundError, ValueError and OSError."""
    return ZoneInfo(name) if name else UTC


def _wall_clock(at: datetime, zone: tzinfo) -> int:
    return int((at.astimezone(zone).replace(tzinfo=None) - _EPOCH).total_seconds())


def _moment(seconds: int | None, zone: tzinfo) -> datetime | None:
    return None if seconds is None else (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=zone)


# Workloads whose controllers report that they fail: pods that cannot be created, rollouts and Jobs that gave up.
#
# Upstream (v1.34.1): the condition ReplicaFailure of ``pkg/controller/replicaset`` and
# ``pkg/controller/replication``, which ``pkg/controller/deployment`` copies beside its own Progressing; the condition
# Failed of ``pkg/controller/job``; and the event FailedCreate, which is all that StatefulSets, DaemonSets and
# CronJobs leave behind. The condition keeps the message of the first pod that was refused, until all are created;
# events have that of the last one.

# Where it is read which workloads fail: of a mirrored cluster, and of a dump without a database.

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


# Kinds that snapshots leave out, because the scheduler does not ask for them.
BESIDE_SNAPSHOTS = ("DaemonSet", "Job", "CronJob")
# What tells which workloads fail: they, their pods and events, and what the API server admits pods by.
FAILING_KINDS = (*CREATORS, "Deployment", "Pod", "Event", "LimitRange", "ResourceQuota", "PriorityClass")
_latest: Cache[int, Failures] = Cache("failing workloads", settings.BERTH_SNAPSHOTS_IN_MEMORY)
_missed: Cache[int, tuple[WorkloadFailure, ...]] = Cache("missed starts", settings.BERTH_SNAPSHOTS_IN_MEMORY)
_FINISHED = ("Succeeded", "Failed")
_EVENT = ("involved_kind", "involved_namespace", "involved_name", "reason", "message", "first_seen", "last_seen")


def failures_of(*, cluster: Cluster) -> Failures:
    """Return the workloads of a cluster that fail, by what their controllers report. Raises ChangingTooFastError."""
    snapshot = snapshot_of(cluster)
    missed = missed_by(cluster)
    # Whatever is written raises the revision; what is read here stands beside snapshots.
    version = snapshot, cluster.revision, missed
    return _latest.get(cluster.pk, lambda: _read(cluster, snapshot, missed), version=version)


def missed_by(cluster: Cluster) -> tuple[WorkloadFailure, ...]:
    """Return the CronJobs of a cluster that have missed starts, as of a minute: no schedule is finer."""
    now = last_moment(cluster) or timezone.now().replace(second=0, microsecond=0)

    def read() -> tuple[WorkloadFailure, ...]:
        found = KubeObject.objects.filter(cluster=cluster, kind="CronJob").order_by("namespace", "name")
        return tuple(missed_starts(found.values_list("object", flat=True), now))

    return _missed.get(cluster.pk, read, version=(cluster.created_at, cluster.revision, now))


def _read(cluster: Cluster, snapshot: Snapshot, missed: Iterable[WorkloadFailure]) -> Failures:
    rows = KubeObject.objects.filter(cluster=cluster, kind__in=BESIDE_SNAPSHOTS)
    beside: dict[tuple[str, str, str], Document] = {
        (kind, namespace, name): document
        for kind, namespace, name, document in rows.values_list("kind", "namespace", "name", "object")
    }
    return mirrored_failures(cluster, snapshot, beside, creation_reports(cluster), missed)


def mirrored_failures(
    cluster: Cluster,
    snapshot: Snapshot,
    beside: Mapping[tuple[str, str, str], Document],
    reports: Iterable[CreationReport],
    missed: Iterable[WorkloadFailure],
) -> Failures:
    """Return the same from a state that is at hand."""
    return failures_in(
        snapshot,
        beside,
        reports,
        lambda owners: _made_by(cluster, owners),
        lambda namespace: quotas_of(cluster=cluster, snapshot=snapshot, namespace=namespace),
        # A dump that has no object of a kind may not have been asked for it.
        {str(gap["kind"]) for gap in cluster.gaps} if cluster.is_live else _without_objects(snapshot),
        missed,
    )


def _without_objects(snapshot: Snapshot) -> set[str]:
    return {kind for kind in DECIDING if not snapshot.objects(kind)}


def creation_reports(cluster: Cluster) -> list[CreationReport]:
    """Return what controllers report of pods that they could not create, with one query."""
    found = Event.objects.filter(cluster=cluster, involved_kind__in=CREATORS, reason=FAILED_CREATE)
    return _last_of_each(found.values_list(*_EVENT))


def reports_in(events: Iterable[Row]) -> list[CreationReport]:
    """Return the same of the rows of a dump's events."""
    columns = table_of("Event").columns
    places = [columns.index(name) for name in _EVENT]
    return _last_of_each(tuple(row[place] for place in places) for row in events)


def last_of(events: Iterable[Row]) -> datetime | None:
    """Return when the last of a dump's events happened."""
    place = table_of("Event").columns.index("last_seen")
    return max((row[place] for row in events if row[place] is not None), default=None)


def _last_of_each(events: Iterable[tuple[Any, ...]]) -> list[CreationReport]:
    """Return the last report of each controller."""
    found: dict[Owner, CreationReport] = {}
    for kind, namespace, name, reason, message, first, seen in events:
        if kind not in CREATORS or reason != FAILED_CREATE:
            continue
        owner = Owner(namespace, kind, name)
        known = found.get(owner)
        if known is None or known.last_seen is None or (seen is not None and seen >= known.last_seen):
            found[owner] = CreationReport(owner, message, first, seen)
    return list(found.values())


def _made_by(cluster: Cluster, owners: Collection[Owner]) -> dict[Owner, ControlledPods]:
    living = Q(deleted_at__isnull=True) & ~Q(phase__in=_FINISHED)
    names = {owner.name for owner in owners}
    rows = (
        Pod.objects.filter(cluster=cluster, owner_name__in=names)
        .order_by()
        .values_list("namespace", "owner_kind", "owner_name")
        .annotate(living=Count("pk", filter=living), newest=Max("created_at"))
    )
    found = {Owner(*row[:3]): ControlledPods(*row[3:]) for row in rows}
    return {owner: found[owner] for owner in owners if owner in found}


def failures_of_objects(
    snapshot: Snapshot, objects: Iterable[Document], reports: Iterable[CreationReport], now: datetime | None
) -> Failures:
    """Return the workloads of a dump that fail, without a database; ``now``: the last time that it mentions."""
    kept = list(objects)
    missed = () if now is None else missed_starts((each for each in kept if each["kind"] == "CronJob"), now)
    beside = {
        (str(each["kind"]), namespace_of(each), name_of(each)): each
        for each in kept
        if each["kind"] in BESIDE_SNAPSHOTS
    }

    def made(owners: Collection[Owner]) -> dict[Owner, ControlledPods]:
        found: defaultdict[Owner, list[Document]] = defaultdict(list)
        for owner, pod in _controlled(kept):
            if owner in owners:
                found[owner].append(pod)
        return {owner: _counted(pods) for owner, pods in found.items()}

    def quotas(namespace: str) -> list[Document]:
        found = snapshot.objects("ResourceQuota", namespace)
        if all(map(is_counted, found)):
            return found
        pods, claims, devices = (
            [each for each in kept if each["kind"] == kind and namespace_of(each) == namespace]
            for kind in ("Pod", "PersistentVolumeClaim", "ResourceClaim")
        )
        counted = counted_quotas(found, pods, claims, devices, device_quota_rules(snapshot))
        return [*filter(is_counted, found), *counted]

    return failures_in(snapshot, beside, reports, made, quotas, _without_objects(snapshot), missed)


def _controlled(objects: Iterable[Document]) -> Iterator[tuple[Owner, Document]]:
    for each in objects:
        controller = Controller.of(each) if each["kind"] == "Pod" else None
        if controller is not None:
            yield Owner(namespace_of(each), controller.kind, controller.name), each


def _counted(pods: list[Document]) -> ControlledPods:
    living = [pod for pod in map(PodObject, pods) if not pod.finished and not pod.terminating]
    times = [first_moment(metadata(pod), "creationTimestamp") for pod in pods]
    return ControlledPods(len(living), max((time for time in times if time is not None), default=None))


# Which pods of a cluster are not what their phase says: rejected, unable to start or to end, ended for memory.

REJECTED: Final = Q(phase="Failed") & (Q(status_reason__startswith=LACKS) | Q(status_reason__in=sorted(REJECTIONS)))
KILLED: Final = Q(status_reason=OOM_KILLED)
# So many pods are read at once.
_CHUNK: Final = 500


class PodTroubles(NamedTuple):
    """How many pods kubelets rejected, cannot start, cannot end, and had a container that was ended for its memory.

    ``stuck`` are those on unreachable nodes, ``held`` those that finalizers keep.
    """

    rejected: int
    unstartable: int
    stuck: int
    held: int
    killed: int


def troubles_of(*, cluster: Cluster, snapshot: Snapshot) -> PodTroubles:
    """Count the pods of a cluster that are in trouble on their nodes."""
    pods = Pod.objects.filter(cluster=cluster, status_reason__gt="").order_by()
    counts = {row[:2]: row[2] for row in pods.values_list("phase", "status_reason").annotate(Count("pk"))}
    found = [type(trouble_of(each, snapshot)) for each in _on_their_way(cluster, snapshot)]
    return PodTroubles(
        rejected=sum(number for (phase, reason), number in counts.items() if is_rejection(phase, reason)),
        unstartable=found.count(ClaimsNotBound),
        stuck=found.count(StuckDeletion),
        held=found.count(HeldByFinalizers),
        killed=sum(number for (_, reason), number in counts.items() if reason == OOM_KILLED),
    )


def _on_their_way(cluster: Cluster, snapshot: Snapshot) -> Iterator[Document]:
    """Yield the pods that are starting or terminating on a node."""
    table = snapshot.pods
    slots = np.flatnonzero((table.starting | table.terminating) & (table.node != NOWHERE))
    keys = [table.keys[slot] for slot in slots.tolist() if slot < len(table.keys)]
    for first in range(0, len(keys), _CHUNK):
        yield from MirroredObjects(cluster.pk).pods_named(keys[first : first + _CHUNK])


def killed_pods_of(*, cluster: Cluster) -> Counter[Workload]:
    """Count the pods of each workload of which a container was ended for its memory."""
    pods = list(Pod.objects.filter(KILLED, cluster=cluster).only("namespace", "name", "owner_kind", "owner_name"))
    return Counter(makers_of(cluster, pods))
