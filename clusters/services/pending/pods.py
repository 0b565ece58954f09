"""The pods of a cluster that wait, by what keeps them waiting: computed on its state, kept for each revision."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Max, QuerySet, Sum
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine import Explanation, Profile, SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.analysis import (
    UNREALISTIC,
    Cause,
    Kind,
    PendingFinding,
    SuggestedChange,
    Tried,
    failed,
    finding_of,
    is_of_group,
    pods_to_move,
    with_more_nodes,
    with_usage,
)
from clusters.engine.batch_systems import BATCH_SYSTEMS
from clusters.engine.conclusion import ForeignPlugin
from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.engine.objects import Pod as PodObject, key_of, labels_of, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling import Failure, GroupAttempt, GroupVerdict, attempt_group
from clusters.engine.simulation import (
    MoreNodes,
    NodeLikeness,
    NodesForGroup,
    OneMoreNode,
    all_are_tried,
    node_shapes,
    nodes_for_group,
)
from clusters.engine.usage import needed_by_usage
from clusters.models import PENDING, Cluster, Decision, Event, Node, Pod
from clusters.services.computing import Cache
from clusters.services.decisions.explain import AlikePods, attempted
from clusters.services.evaluation import Answers, Evaluation, Question
from clusters.services.mirror.past import pending_pods
from clusters.services.mirror.snapshots import configuration_of, last_moment, snapshot_of
from clusters.services.mirror.state import ClusterPodGroups, pod_groups_of
from clusters.services.usage.history import ClusterUsage, usage_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from datetime import datetime

    from clusters.engine.batch_groups import AnyGroupState
    from clusters.engine.configuration import Backoff
    from clusters.models.cluster import Moment

# Nodes that could be added to a mirrored cluster, one of each shape, kept for a revision; and pods that could go.

_more_nodes_latest: Cache[Moment, MoreNodes] = Cache("nodes to add", settings.BERTH_SNAPSHOTS_IN_MEMORY)
# What nodes alone decide outlives a change of pods: nodes that did not change are the same objects.
_shapes_latest: Cache[Moment, list[str]] = Cache("shapes of nodes", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def more_nodes_of(*, cluster: Cluster, snapshot: Snapshot) -> MoreNodes:
    """Return what tells which pods one more node would take, in the state of a snapshot of the cluster.

    The result is shared with others who ask for it: leave it as it is.
    """
    return _more_nodes_latest.get(
        cluster.moment, lambda: MoreNodes(snapshot, _likenesses(cluster, snapshot)), version=snapshot
    )


def tried_ways(*, cluster: Cluster, explanation: Explanation) -> tuple[Tried, ...]:
    """Return the nodes of which one more would take a pending pod, and the pods that could make room for it."""

    def documents(keys: Sequence[str]) -> list[dict[str, Any]]:
        names = [key.split("/", 1) for key in keys]
        named = Pod.objects.filter(cluster=cluster, name__in={name for _, name in names})
        found = named.filter(namespace__in={namespace for namespace, _ in names})
        return list(found.values_list("object", flat=True))

    more = more_nodes_of(cluster=cluster, snapshot=explanation.snapshot).taking(explanation)
    moved = pods_to_move(explanation, configuration_of(cluster), documents)
    return more if moved is None else (*more, moved)


def _likenesses(cluster: Cluster, snapshot: Snapshot) -> list[NodeLikeness]:
    names = _shapes_latest.get(cluster.moment, lambda: node_shapes(snapshot), version=snapshot.nodes.nodes)
    # A node that has just gone is not among them.
    nodes = Node.objects.filter(cluster=cluster, name__in=names).values_list("name", "object")
    daemons: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pods = Pod.objects.filter(cluster=cluster, node_name__in=names, owner_kind="DaemonSet", deleted_at=None)
    # A database that is to order them goes through all pods by name instead of those of these nodes.
    for name, pod in pods.order_by().values_list("node_name", "object"):
        daemons[name].append(pod)
    for on_node in daemons.values():
        on_node.sort(key=lambda pod: (namespace_of(pod), name_of(pod)))
    return [NodeLikeness(document, tuple(daemons[name])) for name, document in nodes if name in snapshot.nodes.index]


# How much pods need by what their workloads use, to tell requests that can be lowered from those that cannot.


class Needs:
    """Answers for the pods of one cluster; its usage is read when the first pod is asked about."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @cached_property
    def _usage(self) -> ClusterUsage | None:
        return usage_of(cluster=self._cluster)

    def of(self, pod: Mapping[str, Any]) -> dict[str, int]:
        """Return how much CPU and memory a pod would request by its workload's usage; empty where that is not known."""
        workload = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
        statistics = None if self._usage is None else self._usage.workloads.get(workload)
        return {} if statistics is None else needed_by_usage(workload, pod, statistics)


# Of each cause so many nodes are tried of which one more might help.
_MOST_ADDED = 2


@dataclass(frozen=True, slots=True)
class WaitingPod:
    """A pod without a node; ``reported`` is the message of its PodScheduled condition in full.

    ``pod_group``: the group that it is of, None without one; of several the one in which the cause lies.
    """

    uid: str
    namespace: str
    name: str
    workload: Workload
    created_at: datetime | None
    reported: str
    finding: PendingFinding
    pod_group: AnyGroupState | None = field(default=None, compare=False)
    priority: int = 0

    @property
    def key(self) -> str:
        """Its ``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def group_of_cause(self) -> AnyGroupState | None:
        """The group of pods in which the cause lies; None where it lies in none."""
        group = self.pod_group
        return group if group is not None and _lies_in(self.finding.cause, group) else None


def _lies_in(cause: Cause, group: AnyGroupState) -> bool:
    if isinstance(group, PodGroupState):
        return is_of_group(cause)
    plugins = tuple(each.plugin for each in cause.uncertainties if isinstance(each, ForeignPlugin))
    return group.system.holds(gates=cause.gates, scheduler_name=cause.scheduler_name, plugins=plugins)


class Way(Struct, frozen=True):
    """A change, how many pods of a group it would be enough for, each by itself, and whether it is alike for them.

    Of one more node: how many it takes one after another, and those as ``namespace/name`` (``placed``); at least as
    many, unless ``is_whole``.
    """

    change: SuggestedChange
    frees: int
    is_alike: bool
    placed: frozenset[str] = frozenset()
    is_whole: bool = True

    def is_enough_for(self, pod: WaitingPod) -> bool:
        """Whether a pod is among those that it frees."""
        if self.change.more is not None:
            return pod.key in self.placed
        return any(change.key == self.change.key for change in pod.finding.changes)


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
    pod_group: AnyGroupState | None = field(default=None, compare=False)
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
    def example(self) -> WaitingPod:
        """The oldest pod that ``way`` is enough for, or the oldest of all where it is for none."""
        way = self.way
        freed = (pod for pod in self.pods if way is not None and way.is_enough_for(pod))
        return next(freed, self.pods[0])

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
_latest: Cache[Moment, ClusterPending] = Cache(
    "pending pods", settings.BERTH_SNAPSHOTS_IN_MEMORY, keeps=lambda pending: not pending.evaluating
)


def pending_of(*, cluster: Cluster) -> ClusterPending:
    """Return what keeps the cluster's pods waiting, by its own scheduler configuration.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    as_of = last_moment(cluster)
    return _latest.get(
        cluster.moment,
        lambda: _computed(cluster, snapshot, configuration, as_of),
        # Events change no snapshot, but may be what a dump mentions last.
        version=(snapshot, repr(configuration), as_of),
    )


def _computed(
    cluster: Cluster, snapshot: Snapshot, configuration: SchedulerConfiguration, as_of: datetime | None
) -> ClusterPending:
    rows = sorted(pending_pods(cluster), key=_age)
    more = more_nodes_of(cluster=cluster, snapshot=snapshot)
    with QUESTION.answered(cluster, snapshot=snapshot) as answers:
        findings = findings_of(snapshot, configuration, (row.object for row in rows), more, Needs(cluster), answers)
    groups_of: dict[str, list[AnyGroupState]] = defaultdict(list)
    # Of a pod that names several groups the one that the scheduler reads comes first.
    for state in sorted(pod_groups_of(cluster=cluster).states.values(), key=_is_foreign):
        for member in state.members:
            groups_of[member].append(state)
    pods = [
        WaitingPod(
            row.uid,
            row.namespace,
            row.name,
            Workload.of(row.namespace, Controller.of(row.object), labels_of(row.object).get(TEMPLATE_HASH, "")),
            row.created_at,
            row.unschedulable_message,
            finding,
            _group_of(finding.cause, groups_of.get(f"{row.namespace}/{row.name}", ())),
            row.priority or 0,
        )
        for row, finding in zip(rows, findings, strict=True)
    ]
    documents = {f"{row.namespace}/{row.name}": row.object for row in rows}

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


def _is_foreign(state: AnyGroupState) -> tuple[bool, str]:
    """What puts the groups first that kube-scheduler reads, and others in the order of their systems."""
    if isinstance(state, PodGroupState):
        return not state.is_read, ""
    return True, f"{BATCH_SYSTEMS.index(state.system)}"


def _group_of(cause: Cause, groups: Sequence[AnyGroupState]) -> AnyGroupState | None:
    return next((group for group in groups if _lies_in(cause, group)), groups[0] if groups else None)


def _age(pod: Pod) -> tuple[bool, float, str, str]:
    created = pod.created_at
    return created is None, created.timestamp() if created else 0.0, pod.namespace, pod.name


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
        group = pod.group_of_cause
        members.setdefault((pod.finding.cause, str(group.key) if group else ""), []).append(pod)
    is_whole = not any(cause.kind is Kind.EVALUATING for cause, _ in members)
    return [
        CauseGroup(
            blake2b(repr((cause, group) if group else cause).encode(), digest_size=6).hexdigest(),
            cause,
            tuple(alike),
            best_way(alike, cause, placed),
            alike[0].group_of_cause,
            is_whole or cause.kind in (Kind.EVALUATING, Kind.OTHER_SCHEDULER),
        )
        for (cause, group), alike in members.items()
    ]


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
            found.append(replace(way, frees=len(freed), placed=freed, is_whole=all_are_tried(len(pods))))
    # Of two that free as many the smaller one came first.
    return sorted(found, key=lambda way: -way.frees)[:1]


# How often the scheduler has tried to place pending pods, as far as it was recorded.

_FAILED = "FailedScheduling"
# SQLite may be built to take no more than 999 values in one statement, and there are two of a pod.
_PODS_AT_ONCE = 400


class Attempts(Struct, frozen=True):
    """At least so many attempts that failed, when the last of those was, and what it ended with.

    There may be more: events are forgotten, and one that repeats is brought up to date half an hour late.
    """

    count: int
    last_at: datetime | None
    message: str


def attempts_of(*, cluster: Cluster, pods: Sequence[WaitingPod]) -> dict[str, Attempts]:
    """Return the attempts by the pod's UID; pods of which none was recorded are left out."""
    found: dict[str, Attempts] = {}
    for start in range(0, len(pods), _PODS_AT_ONCE):
        some = pods[start : start + _PODS_AT_ONCE]
        keys = {(pod.namespace, pod.name) for pod in some}
        namespaces, names = {namespace for namespace, _ in keys}, {name for _, name in keys}
        events = _failures(cluster).filter(involved_namespace__in=namespaces, involved_name__in=names)
        decisions = _unschedulable(cluster).filter(namespace__in=namespaces, name__in=names)
        found.update(_joined(some, events, decisions))
    return found


def attempts_of_all(*, cluster: Cluster, pods: Sequence[WaitingPod]) -> dict[str, Attempts]:
    """Return the same for all pods of the cluster that wait, by two queries however many these are."""
    if cluster.past is not None:
        return attempts_of(cluster=cluster, pods=pods)
    waiting = Pod.objects.filter(PENDING, cluster=cluster)
    events = _failures(cluster).filter(involved_name__in=waiting.values("name"))
    return _joined(pods, events, _unschedulable(cluster).filter(pod_uid__in=waiting.values("uid")))


def _failures(cluster: Cluster) -> QuerySet[Event]:
    events = Event.objects.filter(cluster=cluster, involved_kind="Pod", reason=_FAILED)
    return events if cluster.past is None else events.filter(last_seen__lte=cluster.past.at)


def _unschedulable(cluster: Cluster) -> QuerySet[Decision]:
    decisions = Decision.objects.filter(cluster=cluster, kind=Decision.Kind.UNSCHEDULABLE)
    # When the attempts between the first and the last of a decision were is not kept.
    return decisions if cluster.past is None else decisions.filter(last_heard_at__lte=cluster.past.at)


def _joined(pods: Iterable[WaitingPod], events: QuerySet[Event], decisions: QuerySet[Decision]) -> dict[str, Attempts]:
    """Return what events and journal tell of these pods, whichever tells of more."""
    by_name = {(pod.namespace, pod.name): pod.uid for pod in pods}
    uids = frozenset(by_name.values())
    found = _from_events(events, by_name)
    totals = decisions.order_by().values_list("pod_uid").annotate(count=Sum("attempts"), last_at=Max("last_heard_at"))
    for uid, count, last_at in totals:
        if uid in uids:
            known = found.get(uid, Attempts(0, None, ""))
            times = [time for time in (known.last_at, last_at) if time is not None]
            found[uid] = Attempts(max(known.count, count), max(times, default=None), known.message)
    return found


def _from_events(events: QuerySet[Event], by_name: Mapping[tuple[str, str], str]) -> dict[str, Attempts]:
    found: dict[str, Attempts] = {}
    for namespace, name, uid, count, last_seen, message in events.order_by("last_seen", "pk").values_list(
        "involved_namespace", "involved_name", "involved_uid", "count", "last_seen", "message"
    ):
        wanted = by_name.get((namespace, name))
        # An earlier pod of the same name is another pod.
        if wanted is not None and uid in ("", wanted):
            known = found.get(wanted, Attempts(0, None, ""))
            found[wanted] = Attempts(known.count + count, last_seen or known.last_at, message)
    return found


# What becomes of a group of pods at the next attempt, and what keeps its pods pending.

# Of so many different refusals it is looked for what would help.
MOST_REFUSALS: Final = 5
# After these more nodes may help.
_LACKING: Final = frozenset({GroupVerdict.UNSCHEDULABLE, GroupVerdict.WAITS_ON_PERMIT})
# Their pods do not enter the queue, whatever else holds of them.
_NOT_TRIED: Final = frozenset({GroupPhase.GATE_OFF, GroupPhase.NOT_FOUND, GroupPhase.WAITING_FOR_PODS})


class PodGroupOutlook(NamedTuple):
    """What the next attempt to schedule a group comes to, and what keeps its pods pending, most pods first.

    ``attempt``: None where no pod of the group would be tried, or what comes of it could not be computed. ``nodes``:
    the fewest more nodes that let a group in which the attempt refuses; None where that is not found.
    """

    attempt: GroupAttempt | None
    causes: tuple[CauseGroup, ...]
    nodes: NodesForGroup | None = None


def outlook_of(*, cluster: Cluster, found: ClusterPodGroups, state: AnyGroupState) -> PodGroupOutlook:
    """Return what becomes of a group's pending pods; of a group of another system no attempt is computed.

    Of pods that find no node in the attempt the cause is what keeps them from one at their turn; of the others it is
    that of the list of pending pods. Raises ConfigurationError and ChangingTooFastError.
    """
    if not state.pending:
        return PodGroupOutlook(None, ())
    configuration, more = configuration_of(cluster), more_nodes_of(cluster=cluster, snapshot=found.snapshot)
    is_tried = isinstance(state, PodGroupState) and state.phase not in _NOT_TRIED
    tried = None if not is_tried else _attempt(found.snapshot, state, configuration)
    attempt = tried.attempt if tried else None
    listed = pending_of(cluster=cluster).groups.values()
    pods = [pod for group in listed for pod in group.pods if pod.key in state.members]
    if attempt is not None:
        firsts = {each.refusal: each.pod for each in reversed(attempt.refused)}
        some = list(firsts.items())[-MOST_REFUSALS:]
        documents = [state.members[pod].document for _, pod in some]
        findings = findings_of(found.snapshot, configuration, documents, more, Needs(cluster))
        by_refusal = dict(zip((refusal for refusal, _ in some), findings, strict=True))
        own = {each.pod: by_refusal[each.refusal] for each in attempt.refused if each.refusal in by_refusal}
        pods = [dataclasses.replace(pod, finding=own.get(pod.key, pod.finding)) for pod in pods]

    def placed(node: OneMoreNode, pods: Sequence[WaitingPod]) -> frozenset[str]:
        return more.freed(node, [state.members[pod.key].document for pod in pods], configuration)

    causes = sorted(grouped_by_cause(pods, placed), key=lambda group: -len(group.pods))
    nodes = _nodes(tried, more) if tried and not configuration.extenders else None
    return PodGroupOutlook(attempt, tuple(causes), nodes)


class _Tried(NamedTuple):
    """An attempt for a group, and the pod that it is about with its profile."""

    attempt: GroupAttempt
    pod: PodObject
    profile: Profile


def _nodes(tried: _Tried, more: MoreNodes) -> NodesForGroup | None:
    """Return the fewest nodes that let a group in; an extender would have to be asked about them."""
    if tried.attempt.verdict not in _LACKING or tried.attempt.is_open:
        return None
    answer = attempted(tried.pod.key, partial(nodes_for_group, more, tried.pod, tried.profile, tried.attempt))
    return None if isinstance(answer, Failure) else answer


def _attempt(snapshot: Snapshot, state: AnyGroupState, configuration: SchedulerConfiguration) -> _Tried | None:
    """Try the group of the first pod that would be tried."""
    for key, member in state.members.items():
        if member.node:
            continue
        try:
            profile = configuration.profile_for(member.document)
        except UnknownScheduler:
            continue
        pod = PodObject(member.document)
        if pod.terminating:
            # It leaves the queue.
            continue
        answer = attempted(key, partial(attempt_group, snapshot, pod, profile))
        if answer is not None:
            return None if isinstance(answer, Failure) else _Tried(answer, pod, profile)
    return None
