"""Usage of clusters, read once an hour and kept: a row for each cluster and hour, by workload."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from msgspec import Struct

from clusters.adapters.kube import (
    Connection,
    ForbiddenError,
    HttpReader,
    NotServedError,
    SourceError,
    UnreachableError,
    read_prometheus,
)
from clusters.adapters.prune.shapes import WrongField
from clusters.adapters.usage import METRICS_GROUP, NODE_METRICS, POD_METRICS, HourFound, UsageFound, add_metrics
from clusters.documents.stored_problems import text_of_problem
from clusters.engine import Snapshot
from clusters.engine.usage import WHOLE_POD, HourlyUsage, PodUsage, UsageKey, UsedAmounts, running_containers
from clusters.models import Cluster, KubeObject, Node, NodeDiskUse, Pod, UsageHour, UsageReading
from clusters.problems.live import MayNotList, MetricsForbidden, MetricsNotServed, NoMetricsYet, StrangeAnswer
from clusters.problems.skips import NodeNotMirrored, PodNotMirrored
from clusters.services.workloads.owners import Owners

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta

    from clusters.engine.kubelet import NodeDisks
    from clusters.engine.owners import Workload
    from clusters.engine.problems import Problem

# Whose pods those are that a sample names.

# Keeps usage: a row for each cluster and hour, by workload; of single pods, and of disks, only the newest.

_AT_ONCE = 2000


class PodMember(Struct, frozen=True):
    """A pod of the mirror: its workload, its UID, and the names of the containers that run in it."""

    workload: Workload
    uid: str
    containers: tuple[str, ...]

    def used(self, pod: PodUsage) -> Iterator[tuple[UsageKey, UsedAmounts]]:
        """What a sample tells of the pod, by container; the sum of a pod's only container is the container's."""
        for name, used in pod.containers.items():
            is_only = name == WHOLE_POD and len(self.containers) == 1
            yield UsageKey.of(self.workload, self.containers[0] if is_only else name), used


def pod_members(cluster: Cluster) -> dict[str, PodMember]:
    """Return the pods of the mirror by ``namespace/name``. The transaction that changes the mirror may ask as well."""
    between = KubeObject.objects.filter(cluster=cluster, kind__in=("ReplicaSet", "Job"))
    rows = list(between.values_list("kind", "namespace", "name", "object"))
    replica_sets = Snapshot.from_objects(document for kind, _, _, document in rows if kind == "ReplicaSet")
    jobs = {(namespace, name): document for kind, namespace, name, document in rows if kind == "Job"}
    owners = Owners(replica_sets, jobs)
    pods = Pod.objects.filter(cluster=cluster).values_list("namespace", "name", "uid", "object")
    return {
        f"{namespace}/{name}": PodMember(
            owners.of_pod(namespace, name, document),
            uid,
            tuple(str(container.get("name") or "") for container in running_containers(document)),
        )
        for namespace, name, uid, document in pods.iterator(_AT_ONCE)
    }


class KeptUsage(Struct, frozen=True):
    """What was kept: ``samples`` of pods in ``hours``, and the use of disks of so many nodes.

    ``unknown``, ``unknown_nodes``: what the mirror does not hold. Hours further back than usage is kept count for
    nothing.
    """

    samples: int
    hours: int
    unknown: int
    disks: int
    unknown_nodes: int

    @property
    def skipped(self) -> dict[Problem, int]:
        """What was left out, and why."""
        counts: dict[Problem, int] = {PodNotMirrored(): self.unknown, NodeNotMirrored(): self.unknown_nodes}
        return {why: count for why, count in counts.items() if count}


@transaction.atomic
def keep_usage(*, cluster: Cluster, found: UsageFound, source: UsageHour.Source) -> KeptUsage:
    """Keep what a source tells, and drop what is older than wanted.

    An hour that is there already gets what is new: in the newest hour of each pod and node what the later
    source says, in earlier ones all pods, or all nodes, of a source that tells of any.
    """
    # Two who write the same hour come one after the other.
    Cluster.objects.select_for_update().get(pk=cluster.pk)
    members, nodes = pod_members(cluster), set(Node.objects.filter(cluster=cluster).values_list("name", flat=True))
    hours = _wanted(cluster, found)
    rows = {row.at: row for row in UsageHour.objects.select_for_update().filter(cluster=cluster, at__in=hours)}
    samples = unknown = 0
    for at, hour in sorted(hours.items()):
        row = rows.get(at) or UsageHour(cluster=cluster, at=at, sampled_at=hour.at, source=source)
        known = {key: used for key, (_, used) in hour.pods.items() if key in members}
        samples, unknown = samples + len(known), unknown + len(hour.pods) - len(known)
        _fill(row, hour, known, members, nodes)
        row.source, row.sampled_at, row.version = source, max(row.sampled_at, hour.at), row.version + 1
        row.save()
    with_pods = UsageHour.objects.filter(cluster=cluster, packed_pods__isnull=False)
    newest = with_pods.order_by("-at").values_list("at", flat=True).first()
    if newest is not None:
        with_pods.filter(at__lt=newest).update(packed_pods=None)
    prune_usage(keep=settings.BERTH_USAGE_KEPT, cluster=cluster)
    disks = _keep_disks(cluster, {name: disks for name, disks in found.disks.items() if name in nodes}, nodes)
    return KeptUsage(samples, len(hours), unknown, disks, len(found.disks.keys() - nodes))


def _keep_disks(cluster: Cluster, found: Mapping[str, tuple[datetime, NodeDisks]], nodes: set[str]) -> int:
    """Keep of each node what its kubelet said last; return of how many it was said now."""
    rows = {row.node: row for row in NodeDiskUse.objects.filter(cluster=cluster)}
    for name, (at, disks) in found.items():
        row = rows.get(name) or NodeDiskUse(cluster=cluster, node=name, sampled_at=at)
        if row.sampled_at <= at:
            row.sampled_at, row.content = at, disks.as_dict()
            row.save()
    NodeDiskUse.objects.filter(cluster=cluster, node__in=rows.keys() - nodes).delete()
    return len(found)


def _wanted(cluster: Cluster, found: UsageFound) -> dict[datetime, HourFound]:
    """The hours that are kept: a source may tell of more than anybody wants to have written first."""
    last = UsageHour.objects.filter(cluster=cluster).aggregate(last=Max("at"))["last"]
    newest = max([*found.hours, *filter(None, (last,))], default=None)
    if newest is None:
        return {}
    return {at: hour for at, hour in found.hours.items() if at > newest - settings.BERTH_USAGE_KEPT}


def _fill(
    row: UsageHour,
    hour: HourFound,
    known: Mapping[str, PodUsage],
    members: Mapping[str, PodMember],
    nodes: set[str],
) -> None:
    """Put an hour's samples into its row."""
    before: dict[str, Any] = row.content if row.version else {}
    pods = {**{key: used for key, used in _kept_pods(row) if key in members}, **known}
    used_by_nodes = {name: list(used) for name, (_, used) in hour.nodes.items() if name in nodes}
    told_before = before.get("nodes", {})
    content = dict(before)
    content["nodes"] = {**told_before, **used_by_nodes}
    if known or not before:
        seen = [entry for key, used in pods.items() for entry in members[key].used(used)]
        content.update(_pods(seen, pods.values()))
    if known:
        row.pods = [
            [used.namespace, used.name, members[key].uid, {name: list(each) for name, each in used.containers.items()}]
            for key, used in pods.items()
        ]
    row.content = content


def _kept_pods(row: UsageHour) -> Iterable[tuple[str, PodUsage]]:
    for namespace, name, _, containers in row.pods:
        pod = PodUsage(namespace, name, {each: UsedAmounts(*used) for each, used in containers.items()})
        yield pod.key, pod


def _pods(seen: Iterable[tuple[UsageKey, UsedAmounts]], pods: Iterable[PodUsage]) -> dict[str, Any]:
    totals = [pod.total for pod in pods]
    total = [len(totals), sum(each.cpu_milli for each in totals), sum(each.memory_bytes for each in totals)]
    return {"workloads": HourlyUsage.of(seen).as_dict(), "total": total}


def prune_usage(*, keep: timedelta, cluster: Cluster | None = None) -> int:
    """Remove hours that lie further back from a cluster's newest one than they are kept; return how many.

    So the usage of a dump stays as long as its cluster does, however old it is.
    """
    rows = UsageHour.objects.order_by() if cluster is None else UsageHour.objects.order_by().filter(cluster=cluster)
    removed = 0
    for cluster_id, newest in rows.values("cluster").annotate(newest=Max("at")).values_list("cluster", "newest"):
        removed += UsageHour.objects.filter(cluster=cluster_id, at__lte=newest - keep).delete()[0]
    return removed


# Reads the usage of clusters by itself, once an hour, and writes nothing there.
#
# From Prometheus where the administrator names one, otherwise from metrics.k8s.io of clusters that are followed.

_log = logging.getLogger(__name__)

_PLURALS = {POD_METRICS: "pods", NODE_METRICS: "nodes"}


def sample_all_usage() -> int:
    """Read the usage of every cluster that has a source, and return of how many; one that fails stops no other."""
    count = 0
    for cluster in Cluster.objects.order_by("pk"):
        if cluster.is_unread or not (cluster.is_live or cluster.name in settings.BERTH_PROMETHEUS):
            continue
        try:
            count += sample_usage(cluster=cluster) is None
        except Exception:  # noqa: BLE001 - whatever one cluster's source says, the others are read
            _log.exception("No usage of %s", cluster)
    return count


def sample_usage(*, cluster: Cluster) -> Problem | None:
    """Read a cluster's usage now, keep it, and write down how that went; return why there is none."""
    address = settings.BERTH_PROMETHEUS.get(cluster.name)
    source = UsageHour.Source.METRICS if address is None else UsageHour.Source.PROMETHEUS
    problem: Problem | None = None
    try:
        if address is None:
            found = asyncio.run(_metrics(Connection(cluster.kubeconfig, cluster.context)))
        else:
            found = read_prometheus(address)
        if found.pods:
            keep_usage(cluster=cluster, found=found, source=source)
        else:
            problem = NoMetricsYet(METRICS_GROUP if address is None else address)
    except SourceError as error:
        problem = error.problem
        _log.warning("No usage of %s: %r", cluster, problem)
    UsageReading.objects.update_or_create(
        cluster=cluster, defaults={"tried_at": timezone.now(), "source": source, "problem": text_of_problem(problem)}
    )
    return problem


async def _metrics(connection: Connection) -> UsageFound:
    """Read PodMetrics and NodeMetrics. Raises SourceError."""
    reader = HttpReader(connection)
    found = UsageFound()
    try:
        for kind, plural in _PLURALS.items():
            _add_all(await reader.metrics(plural, kind), kind, found)
    except NotServedError:
        raise NotServedError(MetricsNotServed()) from None
    except ForbiddenError as error:
        said = error.problem
        raise ForbiddenError(MetricsForbidden(said.said if isinstance(said, MayNotList) else "")) from None
    finally:
        await reader.close()
    return found


def _add_all(documents: Sequence[dict[str, Any]], kind: str, found: UsageFound) -> None:
    """Take what can be read of the objects of a kind: one kubelet with a wrong clock does not hide the others' usage.

    Raises UnreachableError where there are some, and none can be read.
    """
    wrong = []
    for document in documents:
        try:
            add_metrics(document, kind, found)
        except WrongField as error:
            wrong.append(error)
    if wrong and len(wrong) == len(documents):
        raise UnreachableError(StrangeAnswer(METRICS_GROUP))
    if wrong:
        _log.warning("%s of %s %s are left out, first for %r", len(wrong), len(documents), kind, wrong[0])
