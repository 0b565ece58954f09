"""The pods of a cluster that wait, by what keeps them waiting: computed on its state, kept for each revision."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings

from clusters.engine import UnknownScheduler, explain
from clusters.engine.analysis.causes import (
    Cause,
    Kind,
    PendingFinding,
    SuggestedChange,
    failed,
    finding_of,
    with_more_nodes,
    with_usage,
)
from clusters.engine.analysis.group_causes import is_of_group
from clusters.engine.analysis.realism import UNREALISTIC
from clusters.engine.failure import Failure
from clusters.engine.objects import key_of, labels_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.models import Pod
from clusters.services.computing.caches import Cache
from clusters.services.decisions.alike import AlikePods
from clusters.services.decisions.failures import attempted
from clusters.services.evaluation.questions import Answers, Question
from clusters.services.mirror.configurations import configuration_of
from clusters.services.mirror.moments import last_moment
from clusters.services.mirror.pod_groups import pod_groups_of
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.pending.more_nodes import more_nodes_of
from clusters.services.pending.needs import Needs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from datetime import datetime

    from clusters.engine import Profile, SchedulerConfiguration, Snapshot
    from clusters.engine.podgroups.states import PodGroupState
    from clusters.engine.queueing.backoff import Backoff
    from clusters.engine.simulation.one_more import MoreNodes, OneMoreNode
    from clusters.models import Cluster
    from clusters.services.evaluation.store import Evaluation

# Of each cause so many nodes are tried of which one more might help.
_MOST_ADDED = 2


@dataclass(frozen=True, slots=True)
class WaitingPod:
    """A pod without a node; ``reported`` is the message of its PodScheduled condition in full.

    ``pod_group``: the group that it names, None without one.
    """

    uid: str
    namespace: str
    name: str
    workload: Workload
    created_at: datetime | None
    reported: str
    finding: PendingFinding
    pod_group: PodGroupState | None = field(default=None, compare=False)

    @property
    def key(self) -> str:
        """Its ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True)
class Way:
    """A change, how many pods of a group it would be enough for, each by itself, and whether it is alike for them.

    Of one more node: how many it takes one after another, and those as ``namespace/name`` (``placed``).
    """

    change: SuggestedChange
    frees: int
    is_alike: bool
    placed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CauseGroup:
    """Pending pods with the same cause, the oldest first; ``way`` makes most of them schedulable.

    ``pod_group``: the one in which the cause lies, None where it lies in none. ``is_whole``: whether it can have no
    more pods, as no worker is still evaluating any.
    """

    identity: str
    cause: Cause
    pods: tuple[WaitingPod, ...]
    way: Way | None
    pod_group: PodGroupState | None = field(default=None, compare=False)
    is_whole: bool = True

    @property
    def is_unschedulable(self) -> bool:
        """Whether something has to change before its pods can be scheduled."""
        return self.cause.kind is Kind.UNSCHEDULABLE

    @property
    def since(self) -> datetime | None:
        """When the oldest was created; None where the source does not say."""
        return self.pods[0].created_at

    @property
    def findings(self) -> list[tuple[PendingFinding, int]]:
        """What was found, and of how many pods, most first."""
        found = {id(pod.finding): pod.finding for pod in self.pods}
        counts = Counter(id(pod.finding) for pod in self.pods)
        return [(found[key], number) for key, number in counts.most_common()]


class PendingCounts(NamedTuple):
    """How many pods are pending, and of how many something has to change before they can be scheduled."""

    total: int
    unschedulable: int


class ClusterPending(NamedTuple):
    """All pending pods, by the short name of their cause, which stays the same from revision to revision.

    The group with the oldest pod comes first. ``as_of`` as of last_moment. ``way``: what makes most of all pods
    schedulable for which something has to change. ``earlier``: the last evaluation of all (PendingCounts), while
    a worker is at a later one.
    """

    groups: Mapping[str, CauseGroup]
    total: int
    as_of: datetime | None
    backoff: Backoff
    way: Way | None = None
    earlier: Evaluation | None = None

    @property
    def counts(self) -> PendingCounts:
        """The sum of it, by which it is told of later."""
        unschedulable = sum(len(group.pods) for group in self.groups.values() if group.is_unschedulable)
        return PendingCounts(self.total, unschedulable)

    @property
    def evaluating(self) -> int:
        """How many pods a worker still evaluates: until it is done, any cause may keep more pods than is told here."""
        return sum(len(group.pods) for group in self.groups.values() if group.cause.kind is Kind.EVALUATING)


QUESTION: Final[Question[PendingFinding]] = Question("pending")
_latest: Cache[int, ClusterPending] = Cache(
    "pending pods", settings.BERTH_SNAPSHOTS_IN_MEMORY, keeps=lambda pending: not pending.evaluating
)


def pending_of(*, cluster: Cluster) -> ClusterPending:
    """Return what keeps the cluster's pods waiting in its present state, by its own scheduler configuration.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    as_of = last_moment(cluster)
    return _latest.get(
        cluster.pk,
        lambda: _computed(cluster, snapshot, configuration, as_of),
        # Events change no snapshot, but may be what a dump mentions last.
        version=(snapshot, repr(configuration), as_of),
    )


def _computed(
    cluster: Cluster, snapshot: Snapshot, configuration: SchedulerConfiguration, as_of: datetime | None
) -> ClusterPending:
    rows = sorted(
        Pod.objects.filter(cluster=cluster, is_pending=True).values_list(
            "uid", "namespace", "name", "created_at", "unschedulable_message", "object"
        ),
        key=lambda row: (row[3] is None, row[3].timestamp() if row[3] else 0.0, row[1], row[2]),
    )
    more = more_nodes_of(cluster=cluster, snapshot=snapshot)
    with QUESTION.answered(cluster, snapshot=snapshot) as answers:
        findings = findings_of(snapshot, configuration, (row[5] for row in rows), more, Needs(cluster), answers)
    # Of a pod that names several groups the one that the scheduler reads comes last.
    states = sorted(pod_groups_of(cluster=cluster).states.values(), key=lambda state: state.is_read)
    named = {pod: state for state in states for pod in state.members}
    pods = [
        WaitingPod(
            uid,
            namespace,
            name,
            _workload(namespace, document),
            created_at,
            reported,
            finding,
            named.get(f"{namespace}/{name}"),
        )
        for (uid, namespace, name, created_at, reported, document), finding in zip(rows, findings, strict=True)
    ]
    documents = {f"{row[1]}/{row[2]}": row[5] for row in rows}

    def placed(node: OneMoreNode, pods: Sequence[WaitingPod]) -> frozenset[str]:
        return more.freed(node, [documents[pod.key] for pod in pods], configuration)

    groups = grouped_by_cause(pods, placed)
    return ClusterPending(
        groups={group.identity: group for group in groups},
        total=len(pods),
        as_of=as_of,
        backoff=configuration.backoff,
        way=best_way(
            [pod for group in groups if group.is_unschedulable for pod in group.pods], placed=placed, frees_most=True
        ),
        earlier=answers.earlier,
    )


def findings_of(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    pods: Iterable[Mapping[str, Any]],
    more: MoreNodes | None = None,
    needs: Needs | None = None,
    answers: Answers[PendingFinding] | None = None,
) -> list[PendingFinding]:
    """Return what keeps each pod waiting, with one explanation for all that are alike.

    Pods of different workloads may be alike: what one of them needs by its usage is taken for all.

    Without ``answers`` each is evaluated. One whose explanation fails is a finding of its own.
    """
    alike = AlikePods(snapshot)
    answers = Answers() if answers is None else answers
    findings: list[PendingFinding] = []
    others: dict[str, PendingFinding] = {}
    for pod in pods:
        try:
            profile = configuration.profile_for(pod)
        except UnknownScheduler as error:
            cause = Cause(Kind.OTHER_SCHEDULER, scheduler_name=error.scheduler_name)
            findings.append(others.setdefault(error.scheduler_name, PendingFinding(cause)))
        else:
            found = answers.of(alike.key(pod, profile), partial(_finding, snapshot, pod, profile, more, needs))
            findings.append(_EVALUATING if found is None else found)
    return findings


_EVALUATING: Final = PendingFinding(Cause(Kind.EVALUATING))


def _finding(
    snapshot: Snapshot, pod: Mapping[str, Any], profile: Profile, more: MoreNodes | None, needs: Needs | None
) -> PendingFinding:
    found = attempted(key_of(pod), lambda: _found(snapshot, pod, profile, more, needs))
    return failed(found) if isinstance(found, Failure) else found


def _found(
    snapshot: Snapshot, pod: Mapping[str, Any], profile: Profile, more: MoreNodes | None, needs: Needs | None
) -> PendingFinding:
    explanation = explain(snapshot, pod, profile)
    found = finding_of(explanation)
    if found.cause.kind is not Kind.UNSCHEDULABLE:
        return found
    if more is not None:
        found = with_more_nodes(found, more.taking(explanation))
    return found if needs is None else with_usage(found, needs.of(pod))


def grouped_by_cause(
    pods: Sequence[WaitingPod],
    placed: Callable[[OneMoreNode, Sequence[WaitingPod]], frozenset[str]] | None = None,
) -> list[CauseGroup]:
    """Put pods together that wait for the same; groups and pods keep the order in which the pods come.

    Where the cause lies in the group of a pod, the pods of each group are apart.
    """
    members: dict[tuple[Cause, str], list[WaitingPod]] = {}
    for pod in pods:
        group = _group_of_cause(pod)
        members.setdefault((pod.finding.cause, str(group.key) if group else ""), []).append(pod)
    is_whole = not any(cause.kind is Kind.EVALUATING for cause, _ in members)
    return [
        CauseGroup(
            _identity(cause, group),
            cause,
            tuple(alike),
            best_way(alike, cause, placed),
            _group_of_cause(alike[0]),
            is_whole or cause.kind in (Kind.EVALUATING, Kind.OTHER_SCHEDULER),
        )
        for (cause, group), alike in members.items()
    ]


def _group_of_cause(pod: WaitingPod) -> PodGroupState | None:
    return pod.pod_group if is_of_group(pod.finding.cause) else None


def _identity(cause: Cause, group: str) -> str:
    return blake2b(repr((cause, group) if group else cause).encode(), digest_size=6).hexdigest()


def best_way(
    pods: Sequence[WaitingPod],
    cause: Cause | None = None,
    placed: Callable[[OneMoreNode, Sequence[WaitingPod]], frozenset[str]] | None = None,
    *,
    frees_most: bool = False,
) -> Way | None:
    """Return the most realistic change of those that are enough for at least half as many pods as any is.

    Among equals it is one to what their cause names, then what frees the most pods, then the easiest, then what gains
    the most nodes. ``placed`` tells which of the pods one more node takes; without it no node is added.
    ``frees_most``: what frees the most pods comes before what is more realistic.
    """
    ways: dict[Hashable, Way] = {}
    for pod in pods:
        for change in pod.finding.changes:
            way = ways.get(change.key)
            if way is None:
                ways[change.key] = Way(change, 1, is_alike=True)
            else:
                is_alike = way.is_alike and (change is way.change or change == way.change)
                widest = change if change.gained > way.change.gained else way.change
                ways[change.key] = replace(way, change=widest, frees=way.frees + 1, is_alike=is_alike)
    found = [way for way in ways.values() if way.change.more is None]
    if placed is not None:
        found += _simulated([way for way in ways.values() if way.change.more is not None], pods, placed)
    realistic = [way for way in found if way.change.realism < UNREALISTIC] or found
    most = max((way.frees for way in realistic), default=0)

    def rank(way: Way) -> tuple[int, ...]:
        is_to_cause = cause is not None and way.change.removes(cause)
        rank = -way.change.realism, is_to_cause, way.frees, -way.change.effort, way.change.gained
        return (way.frees, *rank) if frees_most else rank

    return max((way for way in realistic if 2 * way.frees >= most), key=rank, default=None)


def _simulated(
    ways: Sequence[Way],
    pods: Sequence[WaitingPod],
    placed: Callable[[OneMoreNode, Sequence[WaitingPod]], frozenset[str]],
) -> list[Way]:
    """Place the pods on the few new nodes that would take the most of them one by one, the smallest first."""
    found = []
    for way in sorted(ways, key=lambda way: -way.frees)[:_MOST_ADDED]:
        node = way.change.more
        freed = placed(node, pods) if node is not None else frozenset()
        if freed:
            found.append(replace(way, frees=len(freed), placed=freed))
    # Of two that free as many the smaller one came first.
    return sorted(found, key=lambda way: -way.frees)[:1]


def _workload(namespace: str, pod: Mapping[str, Any]) -> Workload:
    return Workload.of(namespace, Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
