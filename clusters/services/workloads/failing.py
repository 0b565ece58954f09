"""Where it is read which workloads fail: of a mirrored cluster, and of a dump without a database."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils import timezone

from clusters.adapters.rows import first_moment, table_of
from clusters.engine.objects import Pod as PodObject
from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.quotas.counting import counted_quotas, is_counted
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.workloads.next_try import DECIDING
from clusters.engine.workloads.pod_template import Controller
from clusters.models import Event, KubeObject, Pod
from clusters.services.computing.caches import Cache
from clusters.services.mirror.moments import last_moment
from clusters.services.mirror.quotas import quotas_of
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.workloads.cron_jobs import missed_starts
from clusters.services.workloads.failures import (
    CREATORS,
    FAILED_CREATE,
    ControlledPods,
    CreationReport,
    Owner,
    failures_in,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Any

    from clusters.adapters.rows import Row
    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.workloads.failures import Failures, WorkloadFailure
    from clusters.models import Cluster

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
