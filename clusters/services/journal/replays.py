"""A stretch of the journal, and the same scheduled again under a configuration."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine import Snapshot, UnknownScheduler
from clusters.engine.journal import NodesAtMoment, RecordedPod, RecordedStretch, replay_stretch
from clusters.engine.objects import Document, Pod as EnginePod, key_of, labels_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.problems import ProblemError
from clusters.engine.simulation import MovedPod, MovedPods, PodEnding, has_claims, named_workload
from clusters.models import PENDING, Cluster, Decision, Departure, NodeChange, Pod
from clusters.problems.orders import ManyDecisions, ManyNodeChanges, NoDecisionsThen, PeriodEndsFirst
from clusters.services.computing import Cache, check
from clusters.services.mirror.past import UnknownPastError, finished_at, known_since, nodes_at, state_at, unbound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from clusters.engine.configuration import SchedulerConfiguration

# What the journal recorded from one moment to another, as far as it can be scheduled again.

# A stretch of the journal scheduled again under a configuration, beside what was recorded.

RawObject = dict[str, Any]
Kind = Decision.Kind

# So many decisions are replayed at once, and so many moments at which nodes changed.
MOST_DECISIONS: Final = 1_000
MOST_NODE_MOMENTS: Final = 50
_ATTEMPTS = (Kind.BOUND, Kind.UNSCHEDULABLE, Kind.NOMINATED)
_REFUSED = (Kind.UNSCHEDULABLE, Kind.NOMINATED)
_REMOVED = NodeChange.Kind.REMOVED
_AT_ONCE = 400
_MICROSECOND = timedelta(microseconds=1)
_NANOSECONDS = 1_000


class StretchError(ProblemError):
    """A stretch of time cannot be replayed."""


class LeftOut(NamedTuple):
    """How many pods are not replayed: not kept by the journal, of other schedulers, without a decision of their own.

    ``late`` counts pods of which it is not known when they went.
    """

    unknown: int
    other_schedulers: int
    without_decision: int
    late: int


class JournalStretch(NamedTuple):
    """A stretch of the journal; ``decisions`` are those that decided about each pod, in the order of the pods.

    ``preempted``: the pods on nodes from the beginning that were preempted, as ``namespace/name``. ``claims`` counts
    pods with claims.
    """

    recorded: RecordedStretch
    decisions: list[Decision]
    preempted: frozenset[str]
    left_out: LeftOut
    claims: int


def stretch_of(
    cluster: Cluster, start: datetime, end: datetime, configuration: SchedulerConfiguration
) -> JournalStretch:
    """Return what was recorded after one moment, up to another. Raises StretchError and UnknownPastError."""
    since = known_since(cluster)
    if since is None or start < since:
        raise UnknownPastError(since)
    if end <= start:
        raise StretchError(PeriodEndsFirst())
    moments = _node_moments(cluster, start, end)
    return _Gatherer(cluster, start, end, configuration).gathered(moments)


def _node_moments(cluster: Cluster, start: datetime, end: datetime) -> list[tuple[datetime, list[NodeChange]]]:
    """Return the changes of nodes by moment. Raises StretchError where they are too many."""
    changes = NodeChange.objects.filter(cluster=cluster, heard_at__gt=start, heard_at__lte=end)
    number = changes.order_by().values("heard_at").distinct().count()
    if number > MOST_NODE_MOMENTS:
        raise StretchError(ManyNodeChanges(number, MOST_NODE_MOMENTS))
    ordered = changes.order_by("heard_at", "pk")
    return [(at, list(some)) for at, some in groupby(ordered, key=lambda each: each.heard_at)]


class _Gatherer:
    """Collects the pods and nodes of a stretch."""

    def __init__(self, cluster: Cluster, start: datetime, end: datetime, configuration: SchedulerConfiguration) -> None:
        self._cluster, self._start, self._end, self._configuration = cluster, start, end, configuration
        decisions = Decision.objects.filter(cluster=cluster).defer("packed_explanation")
        self._all: QuerySet[Decision] = decisions.order_by("heard_at", "pk")
        self._span = {"heard_at__gt": start, "heard_at__lte": end}

    def gathered(self, moments: Sequence[tuple[datetime, list[NodeChange]]]) -> JournalStretch:
        within = self._all.filter(kind__in=_ATTEMPTS, **self._span)
        number = within.count()
        if number > MOST_DECISIONS:
            raise StretchError(ManyDecisions(number, MOST_DECISIONS))
        if not number:
            raise StretchError(NoDecisionsThen())
        state = state_at(cluster=self._cluster, at=self._start)
        attempts: dict[str, list[Decision]] = defaultdict(list)
        for row in within:
            attempts[row.pod_uid].append(row)
        before = self._pending_before(attempts.keys())
        ordered = [*before, *(uid for uid in attempts if uid not in before)]
        departed = self._departed()
        documents, known = self._documents(ordered), set(ordered)
        victims = list(self._all.filter(kind=Kind.PREEMPTED, **self._span))
        preempted = {row.pod_uid for row in victims}
        pods, decisions, unknown, others = [], [], 0, 0
        for uid in ordered:
            document = documents.get(uid)
            rows = attempts.get(uid) or [before[uid]]
            if document is None:
                unknown += 1
            elif not self._is_scheduled(document):
                others += 1
            else:
                bound = next((row for row in rows if row.kind == Kind.BOUND), None)
                at = self._start if uid in before else rows[0].heard_at
                gone = None if uid in preempted else self._ended(document, departed.get(uid))
                pods.append(
                    RecordedPod(
                        unbound(document),
                        self._since(at),
                        bound.node_name if bound else "",
                        None if gone is None else max(self._since(gone), self._since(at)),
                        uid in preempted,
                    )
                )
                decisions.append(bound or rows[-1])
        leaving, came = self._leaving(state.snapshot, departed, preempted | known, pods)
        came += self._came_without_decision(known)
        return JournalStretch(
            RecordedStretch(
                state.snapshot, self._since(self._end), pods, leaving, [self._nodes(*moment) for moment in moments]
            ),
            decisions,
            frozenset(f"{row.namespace}/{row.name}" for row in victims if row.pod_uid not in known),
            LeftOut(unknown, others, came, state.late + sum(row.is_late for row in departed.values())),
            sum(has_claims(state.snapshot, EnginePod(each.pod)) for each in pods),
        )

    def _since(self, at: datetime) -> int:
        return (at - self._start) // _MICROSECOND * _NANOSECONDS

    def _is_scheduled(self, pod: RawObject) -> bool:
        try:
            self._configuration.profile_for(pod)
        except UnknownScheduler:
            return False
        return True

    # -- pods --------------------------------------------------------------------------------------------

    def _pending_before(self, attempted: Iterable[str]) -> dict[str, Decision]:
        """Return the pods that were pending when the stretch begins, with their last decision before it."""
        refused = self._all.filter(kind__in=_REFUSED, heard_at__lte=self._start)
        pending = Pod.objects.filter(PENDING, cluster=self._cluster, is_gated=False)
        waiting = pending.filter(created_at__lte=self._start).values_list("uid", flat=True)
        found = {row.pod_uid: row for row in refused.filter(last_heard_at__gt=self._start)}
        uids = sorted({*attempted, *waiting} - found.keys())
        for start in range(0, len(uids), _AT_ONCE):
            check()
            found |= {row.pod_uid: row for row in refused.filter(pod_uid__in=uids[start : start + _AT_ONCE])}
        return dict(sorted(found.items(), key=lambda each: (each[1].heard_at, each[1].pk)))

    def _departed(self) -> dict[str, Departure]:
        rows = Departure.objects.filter(cluster=self._cluster, kind=Departure.Kind.POD, **self._span)
        return {row.uid: row for row in rows.order_by("heard_at", "pk")}

    def _documents(self, uids: Sequence[str]) -> dict[str, RawObject]:
        """Return pods as they are now or were last, by their UIDs."""
        found: dict[str, RawObject] = {}
        gone = Departure.objects.filter(cluster=self._cluster, kind=Departure.Kind.POD)
        present = Pod.objects.filter(cluster=self._cluster)
        for start in range(0, len(uids), _AT_ONCE):
            check()
            some = uids[start : start + _AT_ONCE]
            found |= {row.uid: row.document for row in gone.filter(uid__in=some)}
            found |= dict(present.filter(uid__in=some).values_list("uid", "object"))
        return found

    def _ended(self, pod: RawObject, row: Departure | None) -> datetime | None:
        """Return when a pod went or finished within the stretch, None where it did not."""
        finished = finished_at(pod)
        ends = [at for at in (finished, row.heard_at if row else None) if at is not None and at <= self._end]
        return min(ends, default=None)

    def _leaving(
        self, snapshot: Snapshot, departed: Mapping[str, Departure], others: set[str], pods: Sequence[RecordedPod]
    ) -> tuple[list[tuple[RawObject, int]], int]:
        """Return the pods on nodes from the beginning that went, but for others, and how many had come since."""
        first: dict[str, int] = {}
        for each in pods:
            first.setdefault(key_of(each.pod), each.at)
        leaving, came = [], 0
        for uid, row in departed.items():
            # One without a node was decided about, or nothing is known of it.
            if uid in others or not row.node_name:
                continue
            document = row.document
            if snapshot.placed_on(key_of(document)) is None:
                came += 1
                continue
            gone = self._since(max(self._start, self._ended(document, row) or row.heard_at))
            # Another pod of its name came after it, whenever it was heard that this one went.
            leaving.append((document, min(gone, first.get(key_of(document), gone))))
        return leaving, came

    def _came_without_decision(self, attempted: set[str]) -> int:
        """Count the pods that are on nodes now, came within the stretch, and of which there is no decision."""
        came = Pod.objects.filter(cluster=self._cluster, created_at__gt=self._start, created_at__lte=self._end)
        return len(set(came.exclude(node_name="").values_list("uid", flat=True)) - attempted)

    # -- nodes -------------------------------------------------------------------------------------------

    def _nodes(self, at: datetime, changes: Sequence[NodeChange]) -> NodesAtMoment:
        removed = {each.node_name for each in changes if each.kind == _REMOVED}
        found = nodes_at(self._cluster, {each.node_name for each in changes} - removed, at)
        return NodesAtMoment(self._since(at), tuple(found.values()), tuple(sorted(removed)))


_KEPT: Final = 4


class ReplayedDecision(NamedTuple):
    """A recorded decision about a pod beside what the replay came to; ``message`` is why the pod is pending there."""

    decision: Decision
    pod: MovedPod
    message: str
    is_uncertain: bool

    @property
    def is_alike(self) -> bool:
        """Whether both came to the same."""
        return (self.pod.left, self.pod.left_end) == (self.pod.right, self.pod.right_end)


class WorkloadReplay(NamedTuple):
    """How the pods of a workload, or of all, came out; ``others`` were preempted in one of both."""

    pods: int
    same: int
    elsewhere: int
    pending_there: int
    pending_here: int
    others: int


class StretchReplay(NamedTuple):
    """A stretch of the journal scheduled again.

    ``moved``: the pods that ended elsewhere, also those that were there from the beginning and were preempted in one
    of both. ``not_computed`` counts attempts that failed, ``lost`` pods that were on a node that was removed.
    """

    rows: tuple[ReplayedDecision, ...]
    total: WorkloadReplay
    by_workload: tuple[tuple[Workload, WorkloadReplay], ...]
    moved: MovedPods
    preempted_here: int
    preempted_there: int
    left_out: LeftOut
    claims: int
    not_computed: int
    lost: int

    @property
    def uncertain(self) -> int:
        """How many pods are on their nodes only if what is not computed lets them."""
        return sum(row.is_uncertain for row in self.rows)


_replays: Final[Cache[tuple[object, ...], StretchReplay]] = Cache("replays of the journal", _KEPT)


def replay_of(
    *, cluster: Cluster, start: datetime, end: datetime, configuration: SchedulerConfiguration, name: str
) -> StretchReplay:
    """Return a stretch scheduled again under a configuration, which has a name; it is shared: leave it as it is.

    Raises StretchError, UnknownPastError, ChangingTooFastError and OverTimeError.
    """
    key = cluster.pk, cluster.created_at, start, end, name
    version = cluster.revision, configuration
    return _replays.get(key, lambda: _replayed(cluster, start, end, configuration), version=version)


def _replayed(cluster: Cluster, start: datetime, end: datetime, configuration: SchedulerConfiguration) -> StretchReplay:
    stretch = stretch_of(cluster, start, end, configuration)
    found = replay_stretch(stretch.recorded, configuration, check)
    rows = []
    for recorded, decision, replayed in zip(stretch.recorded.pods, stretch.decisions, found.pods, strict=True):
        if replayed.is_computed:
            pod = MovedPod(
                key_of(recorded.pod),
                _workload(recorded.pod),
                recorded.node if recorded.ending is PodEnding.ON_NODE else "",
                replayed.node,
                recorded.ending,
                replayed.ending,
            )
            rows.append(ReplayedDecision(decision, pod, replayed.message, replayed.is_uncertain))
    nodes = found.node_of
    moved = [row.pod for row in rows if not row.is_alike]
    moved += _preempted_in_one(stretch.recorded.snapshot, stretch.preempted, frozenset(found.preempted))
    drawn = tuple(pod for pod in moved if all(name in nodes for name in (pod.left, pod.right) if name))
    by_workload: dict[Workload, list[ReplayedDecision]] = {}
    for row in rows:
        by_workload.setdefault(row.pod.workload, []).append(row)
    counted = [(workload, _counted(some)) for workload, some in by_workload.items()]
    endings = Counter(("left", row.pod.left_end) for row in rows) + Counter(
        ("right", row.pod.right_end) for row in rows
    )
    return StretchReplay(
        rows=tuple(rows),
        total=_counted(rows),
        by_workload=tuple(sorted(counted, key=lambda each: (each[1].same - each[1].pods, each[0]))),
        moved=MovedPods(drawn, tuple(nodes[name] for name in sorted(nodes)), frozenset(), frozenset()),
        preempted_here=len(stretch.preempted) + endings["left", PodEnding.ABSENT],
        preempted_there=len(found.preempted) + endings["right", PodEnding.ABSENT],
        left_out=stretch.left_out,
        claims=stretch.claims,
        not_computed=len(found.pods) - len(rows),
        lost=found.lost,
    )


def _preempted_in_one(snapshot: Snapshot, here: frozenset[str], there: frozenset[str]) -> list[MovedPod]:
    """Return the pods on nodes from the beginning that were preempted here or there, and not in both."""
    found = []
    for key in sorted(here ^ there):
        node, slot = snapshot.placed_on(key), snapshot.pods.slot_of.get(key)
        if node is None or slot is None:
            continue
        workload = named_workload(key, snapshot.pods.templates[int(snapshot.pods.template[slot])].workload)
        ends = (PodEnding.ABSENT, PodEnding.ON_NODE) if key in here else (PodEnding.ON_NODE, PodEnding.ABSENT)
        nodes = [node if end is PodEnding.ON_NODE else "" for end in ends]
        found.append(MovedPod(key, workload, nodes[0], nodes[1], *ends))
    return found


def _workload(pod: Document) -> Workload:
    made = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
    return named_workload(key_of(pod), made)


def _counted(rows: Sequence[ReplayedDecision]) -> WorkloadReplay:
    on_node, pending = PodEnding.ON_NODE, PodEnding.PENDING
    ends = Counter((row.pod.left_end, row.pod.right_end) for row in rows)
    same = sum(row.is_alike for row in rows)
    elsewhere = sum(row.pod.left != row.pod.right for row in rows if row.pod.left and row.pod.right)
    there, here = ends[on_node, pending], ends[pending, on_node]
    return WorkloadReplay(len(rows), same, elsewhere, there, here, len(rows) - same - elsewhere - there - here)
