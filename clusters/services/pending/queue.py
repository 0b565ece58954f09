"""The pods of a cluster that wait, in the order in which its scheduler would try them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.engine.analysis import Kind, PendingFinding
from clusters.engine.queueing import QueuePlace, Standing, Waiting, line_up
from clusters.models import Cluster, Pod
from clusters.services.computing import Cache
from clusters.services.mirror.snapshots import configuration_of, snapshot_of
from clusters.services.pending.pods import Attempts, ClusterPending, WaitingPod, attempts_of_all, pending_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.configuration import Backoff
    from clusters.services.evaluation import Evaluation

_SECOND = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What the API server itself writes into the condition of a pod with gates; it stays there when they are gone.
_GATED_MESSAGE = "Scheduling is blocked due to non-empty scheduling gates"


@dataclass(frozen=True, slots=True)
class QueuedPod:
    """A pending pod; ``priority_class`` may be empty, ``nominated_node`` is what the API server knows."""

    pod: WaitingPod
    priority: int
    priority_class: str
    scheduler_name: str
    nominated_node: str
    attempts: Attempts | None
    waiting: Waiting


class QueuedPodState(NamedTuple):
    """A pod and where it stands at the moment that was asked for."""

    queued: QueuedPod
    standing: Standing


@dataclass(eq=False, slots=True)
class ClusterQueue:
    """All pending pods; ``as_of`` and ``backoff`` as of ClusterPending.

    ``is_order_known``: not where a plugin that Kubernetes does not bring sorts the queue. ``is_whole``: not while a
    worker still evaluates some of the pods; ``earlier`` as of ClusterPending.
    """

    pods: tuple[QueuedPod, ...]
    as_of: datetime | None
    backoff: Backoff
    is_order_known: bool
    is_whole: bool = True
    earlier: Evaluation | None = None
    _lined_up: tuple[int, list[QueuedPodState]] = field(default_factory=lambda: (-1, []))

    def line_up(self, now: datetime) -> list[QueuedPodState]:
        """Return where all stand at a time, in the order in which they would be tried.

        The list is shared with others who ask in the same second, in which nothing changes: rests end by whole ones.
        """
        second = _nanoseconds(now) // _SECOND
        if self._lined_up[0] != second:
            standings = line_up((queued.waiting for queued in self.pods), self.backoff, second * _SECOND)
            self._lined_up = second, [QueuedPodState(self.pods[standing.row], standing) for standing in standings]
        return self._lined_up[1]


_latest: Cache[int, ClusterQueue] = Cache(
    "queues", settings.BERTH_SNAPSHOTS_IN_MEMORY, keeps=lambda queue: queue.is_whole
)


def queue_of(*, cluster: Cluster) -> ClusterQueue:
    """Return the cluster's pending pods, with what is known of their attempts.

    The result is shared with others who ask for it: leave it as it is. Raises as pending_of does.
    """
    configuration = configuration_of(cluster)
    pending = pending_of(cluster=cluster)
    sorts = configuration.profiles[0].queue_sort
    # Attempts come with events, which change no snapshot, but the revision.
    settled = repr(configuration), cluster.revision
    return _latest.get(
        cluster.pk,
        lambda: ClusterQueue(
            tuple(_queued(cluster, pending)),
            pending.as_of,
            pending.backoff,
            bool(sorts),
            not pending.evaluating,
            pending.earlier,
        ),
        version=(snapshot_of(cluster), settled),
    )


def _queued(cluster: Cluster, pending: ClusterPending) -> Iterator[QueuedPod]:
    pods = [pod for group in pending.groups.values() for pod in group.pods]
    rows = Pod.objects.filter(cluster=cluster, is_pending=True).values_list(
        "uid", "priority", "priority_class", "scheduler_name", "nominated_node_name"
    )
    known = {row[0]: row for row in rows}
    attempts = attempts_of_all(cluster=cluster, pods=pods)
    for pod in sorted(pods, key=lambda pod: (pod.namespace, pod.name)):
        # One that went between the two queries is gone from the next revision.
        if facts := known.get(pod.uid):
            _, priority, priority_class, scheduler_name, nominated = facts
            tried = attempts.get(pod.uid)
            waiting = _waiting(pod, priority or 0, tried)
            yield QueuedPod(pod, priority or 0, priority_class, scheduler_name, nominated, tried, waiting)


def _waiting(pod: WaitingPod, priority: int, attempts: Attempts | None) -> Waiting:
    last_at = attempts.last_at if attempts else None
    return Waiting(
        priority=priority,
        created_at=_nanoseconds(pod.created_at) if pod.created_at else None,
        failures=attempts.count if attempts else 0,
        failed_at=_nanoseconds(last_at) if last_at else None,
        was_tried=attempts is not None or pod.reported not in ("", _GATED_MESSAGE),
        is_awake=_is_awake(pod.finding),
        outside=_outside(pod.finding),
    )


def _is_awake(finding: PendingFinding) -> bool:
    """Whether nothing rejects the pod now, as what let it in has woken it; or else whether no plugin is to blame.

    After an error, and where there are no nodes, the scheduler tries again after every rest.
    """
    cause = finding.cause
    return cause.kind in (Kind.FITS, Kind.ERROR) or cause.has_no_nodes


def _outside(finding: PendingFinding) -> QueuePlace | None:
    match finding.cause.kind:
        case Kind.GATED:
            return QueuePlace.GATED
        case Kind.OTHER_SCHEDULER:
            return QueuePlace.OTHER_SCHEDULER
        case Kind.EVALUATING:
            return QueuePlace.EVALUATING
        case Kind.VOLUME:
            return QueuePlace.BINDING
        case _:
            return None


def _nanoseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000
