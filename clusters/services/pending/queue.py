"""Which pending pods kube-scheduler tries next, and which would preempt others."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from django.conf import settings
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine import Profile, SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.analysis import (
    Kind,
    PendingFinding,
    PreemptionOutcome,
    Preemptor,
    lowest_priority,
    preemptor_of,
    settled_outcome,
)
from clusters.engine.objects import Document, Pod as EnginePod, key_of
from clusters.engine.queueing import QueuePlace, Standing, Waiting, line_up
from clusters.engine.scheduling import Failure
from clusters.models import PENDING, Cluster, Pod
from clusters.services.computing import Cache
from clusters.services.decisions.explain import AlikePods, attempted
from clusters.services.evaluation import Answers, Evaluation, Question
from clusters.services.mirror.snapshots import configuration_of, snapshot_of
from clusters.services.pending.pods import Attempts, ClusterPending, WaitingPod, attempts_of_all, pending_of
from clusters.services.workloads import ClusterWorkloads, workloads_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clusters.engine.configuration import Backoff
    from clusters.engine.owners import Workload


_SECOND = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What the API server itself writes into the condition of a pod with gates; it stays there when they are gone.
_GATED_MESSAGE = "Scheduling is blocked due to non-empty scheduling gates"


class QueuedPod(Struct, frozen=True):
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


class ClusterQueue(Struct, eq=False):
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
    rows = Pod.objects.filter(PENDING, cluster=cluster).values_list(
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


# So many names of victims are kept. Pods of high priority are looked at first; what is not looked at is said to be so.
MOST_VICTIMS = 500_000
# So many pods of one making are named.
NAMED = 3


class PendingPreemptor(Struct, frozen=True):
    """Pending pods of one making and workload: ``number`` of them, of which ``names`` are some.

    Each is judged by itself, so that ``found`` holds for whichever of them the scheduler tries first. ``reference``: in
    the log, where the answer could not be computed.
    """

    workload: Workload
    names: tuple[tuple[str, str], ...]
    number: int
    priority_class: str
    found: Preemptor
    reference: str = ""


class WorkloadRisk(NamedTuple):
    """What preemption may cost a workload.

    ``selected``: its pods (``namespace/name``) that are victims on nodes that the scheduler would select; ``possible``:
    how many are on any candidate node; ``preemptors`` would remove the former, those of the highest priority first.
    """

    workload: Workload
    selected: tuple[str, ...]
    possible: int
    preemptors: tuple[PendingPreemptor, ...]


class PreemptionCounts(NamedTuple):
    """For how many pending pods preemption would remove how many pods of how many workloads."""

    preemptors: int
    victims: int
    workloads: int


class ClusterPreemptors(NamedTuple):
    """The pending pods by priority, the highest first; ``total`` counts them. ``risks``: the most victims first.

    ``earlier``: the last evaluation of all (PreemptionCounts), while a worker is at a later one.
    """

    snapshot: Snapshot
    preemptors: tuple[PendingPreemptor, ...]
    total: int
    risks: tuple[WorkloadRisk, ...]
    earlier: Evaluation | None = None

    @property
    def counts(self) -> PreemptionCounts:
        """The sum of it."""
        return PreemptionCounts(
            sum(each.number for each in self.preemptors if each.found.candidates),
            sum(len(risk.selected) for risk in self.risks),
            sum(bool(risk.selected) for risk in self.risks),
        )

    @property
    def evaluating(self) -> int:
        """How many pods a worker still evaluates: until it is done, more pods may be preempted than is told here."""
        return sum(each.number for each in self.preemptors if each.found.outcome is PreemptionOutcome.EVALUATING)


QUESTION: Final[Question[tuple[Preemptor, str]]] = Question("preemptors")
_preemptors_latest: Cache[int, ClusterPreemptors] = Cache(
    "preemptors", settings.BERTH_SNAPSHOTS_IN_MEMORY, keeps=lambda found: not found.evaluating
)


def preemptors_of(*, cluster: Cluster) -> ClusterPreemptors:
    """Return what preemption would do for the pending pods in the cluster's present state.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    workloads = workloads_of(cluster=cluster)
    return _preemptors_latest.get(
        cluster.pk,
        lambda: _computed(cluster, workloads, configuration),
        version=(workloads.snapshot, repr(configuration)),
    )


def _computed(
    cluster: Cluster, workloads: ClusterWorkloads, configuration: SchedulerConfiguration
) -> ClusterPreemptors:
    waiting = [(workload, pod.document) for workload, pods in workloads.pending.items() for pod in pods]
    with QUESTION.answered(cluster, snapshot=workloads.snapshot) as answers:
        found = preemptors_for(workloads.snapshot, configuration, waiting, answers)
    slots = workloads.snapshot.pods.slot_of

    def workload_of(pod: str) -> Workload:
        return workloads.workload_at(slots[pod])

    risks = tuple(risks_of(found, workload_of))
    return ClusterPreemptors(workloads.snapshot, tuple(found), len(waiting), risks, answers.earlier)


def preemptors_for(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    pods: Iterable[tuple[Workload, Document]],
    answers: Answers[tuple[Preemptor, str]],
) -> list[PendingPreemptor]:
    """Look at each making of pods of a workload, those of the highest priority first.

    Beyond MOST_VICTIMS names pods unlike all before are not evaluated.
    """
    alike, lowest = AlikePods(snapshot), lowest_priority(snapshot)
    known: dict[bytes, tuple[Preemptor, str]] = {}
    groups: dict[tuple[Workload, bytes], PendingPreemptor] = {}
    victims = 0
    for workload, document in sorted(pods, key=_order):
        pod = EnginePod(document)
        try:
            profile = configuration.profile_for(document)
        except UnknownScheduler:
            key = f"{pod.priority} {pod.scheduler_name}".encode()
            known.setdefault(key, (Preemptor(PreemptionOutcome.OTHER_SCHEDULER, pod.priority), ""))
        else:
            key = alike.key(document, profile)
            if key not in known:
                settled = settled_outcome(pod, lowest)
                if settled is not None:
                    known[key] = (Preemptor(settled, pod.priority), "")
                elif victims >= MOST_VICTIMS:
                    known[key] = (Preemptor(PreemptionOutcome.NOT_EVALUATED, pod.priority), "")
                else:
                    found = answers.of(key, partial(_explained, snapshot, document, profile))
                    known[key] = found or (Preemptor(PreemptionOutcome.EVALUATING, pod.priority), "")
                    victims += known[key][0].victims
        preemptor, reference = known[key]
        group = groups.get((workload, key))
        if group is None:
            priority_class = str(pod.spec.get("priorityClassName") or "")
            group = PendingPreemptor(workload, (), 0, priority_class, preemptor, reference)
        names = (*group.names, (pod.namespace, pod.name)) if len(group.names) < NAMED else group.names
        groups[workload, key] = replace(group, names=names, number=group.number + 1)
    return list(groups.values())


def _order(waiting: tuple[Workload, Document]) -> tuple[int, str]:
    pod = EnginePod(waiting[1])
    return -pod.priority, pod.key


def _explained(snapshot: Snapshot, pod: Document, profile: Profile) -> tuple[Preemptor, str]:
    found = attempted(key_of(pod), lambda: preemptor_of(explain(snapshot, pod, profile)))
    if isinstance(found, Failure):
        return Preemptor(PreemptionOutcome.NOT_COMPUTED, EnginePod(pod).priority), found.reference
    return found, ""


def risks_of(preemptors: Iterable[PendingPreemptor], workload_of: Callable[[str], Workload]) -> list[WorkloadRisk]:
    """Return what preemption may cost each workload, those that would lose the most pods first."""
    selected: defaultdict[Workload, dict[str, None]] = defaultdict(dict)
    possible: defaultdict[Workload, set[str]] = defaultdict(set)
    by: defaultdict[Workload, list[PendingPreemptor]] = defaultdict(list)
    for each in preemptors:
        for node, candidate in each.found.candidates.items():
            for victim in candidate.victims:
                workload = workload_of(victim)
                possible[workload].add(victim)
                if node == each.found.selected:
                    selected[workload][victim] = None
                    if not by[workload] or by[workload][-1] is not each:
                        by[workload].append(each)
    risks = [
        WorkloadRisk(workload, tuple(selected.get(workload, ())), len(pods), tuple(by[workload]))
        for workload, pods in possible.items()
    ]
    return sorted(risks, key=lambda risk: (-len(risk.selected), -risk.possible, risk.workload))
