"""What the journal recorded from one moment to another, as far as it can be scheduled again."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine import UnknownScheduler
from clusters.engine.journal.replaying import NodesAtMoment, RecordedPod, RecordedStretch
from clusters.engine.objects import Pod as EnginePod
from clusters.engine.objects import key_of
from clusters.engine.simulation.binding import has_claims
from clusters.models import Decision, Departure, NodeChange, Pod
from clusters.problems.replays import BackwardStretch, ManyDecisions, ManyNodeChanges, NoDecisionsThen
from clusters.services.computing import deadlines
from clusters.services.journal.past import UnknownPastError, finished_at, known_since, nodes_at, state_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.engine import Snapshot
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.problems import Problem
    from clusters.models import Cluster

Document = dict[str, Any]
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


class StretchError(Exception):
    """A stretch of time cannot be replayed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(repr(problem))
        self.problem = problem


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
        raise StretchError(BackwardStretch())
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
                        _unbound(document),
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

    def _is_scheduled(self, pod: Document) -> bool:
        try:
            self._configuration.profile_for(pod)
        except UnknownScheduler:
            return False
        return True

    # -- pods --------------------------------------------------------------------------------------------

    def _pending_before(self, attempted: Iterable[str]) -> dict[str, Decision]:
        """Return the pods that were pending when the stretch begins, with their last decision before it."""
        refused = self._all.filter(kind__in=_REFUSED, heard_at__lte=self._start)
        pending = Pod.objects.filter(cluster=self._cluster, is_pending=True, is_gated=False)
        waiting = pending.filter(created_at__lte=self._start).values_list("uid", flat=True)
        found = {row.pod_uid: row for row in refused.filter(last_heard_at__gt=self._start)}
        uids = sorted({*attempted, *waiting} - found.keys())
        for start in range(0, len(uids), _AT_ONCE):
            deadlines.check()
            found |= {row.pod_uid: row for row in refused.filter(pod_uid__in=uids[start : start + _AT_ONCE])}
        return dict(sorted(found.items(), key=lambda each: (each[1].heard_at, each[1].pk)))

    def _departed(self) -> dict[str, Departure]:
        rows = Departure.objects.filter(cluster=self._cluster, kind=Departure.Kind.POD, **self._span)
        return {row.uid: row for row in rows.order_by("heard_at", "pk")}

    def _documents(self, uids: Sequence[str]) -> dict[str, Document]:
        """Return pods as they are now or were last, by their UIDs."""
        found: dict[str, Document] = {}
        gone = Departure.objects.filter(cluster=self._cluster, kind=Departure.Kind.POD)
        present = Pod.objects.filter(cluster=self._cluster)
        for start in range(0, len(uids), _AT_ONCE):
            deadlines.check()
            some = uids[start : start + _AT_ONCE]
            found |= {row.uid: row.document for row in gone.filter(uid__in=some)}
            found |= dict(present.filter(uid__in=some).values_list("uid", "object"))
        return found

    def _ended(self, pod: Document, row: Departure | None) -> datetime | None:
        """Return when a pod went or finished within the stretch, None where it did not."""
        finished = finished_at(pod)
        ends = [at for at in (finished, row.heard_at if row else None) if at is not None and at <= self._end]
        return min(ends, default=None)

    def _leaving(
        self, snapshot: Snapshot, departed: Mapping[str, Departure], others: set[str], pods: Sequence[RecordedPod]
    ) -> tuple[list[tuple[Document, int]], int]:
        """Return the pods on nodes from the beginning that went, but for others, and how many had come since."""
        first: dict[str, int] = {}
        for each in pods:
            first.setdefault(key_of(each.pod), each.at)
        leaving, came = [], 0
        for uid, row in departed.items():
            if uid in others:
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


def _unbound(pod: Document) -> Document:
    """Return a pod as it was before it was scheduled."""
    metadata = {name: value for name, value in pod["metadata"].items() if name != "deletionTimestamp"}
    spec = {name: value for name, value in pod["spec"].items() if name != "nodeName"}
    given = pod.get("status") or {}
    status = {name: given[name] for name in ("qosClass", "resourceClaimStatuses") if name in given}
    return {**pod, "metadata": metadata, "spec": spec, "status": {"phase": "Pending", **status}}
