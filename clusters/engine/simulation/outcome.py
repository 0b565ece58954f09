"""What a simulation leaves: workloads with fewer pods, lost quorums, drains that are kept up, groups of pods."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
import numpy as np
from msgspec import Struct

from clusters.engine.columns import NOWHERE
from clusters.engine.configuration import SchedulerConfiguration, UnknownScheduler
from clusters.engine.disruption import budget_states
from clusters.engine.disruption.drains import Block, Plan
from clusters.engine.group_states import held_groups
from clusters.engine.nodes import node_health
from clusters.engine.objects import Document, Pod
from clusters.engine.owners import Workload
from clusters.engine.podgroups import GroupMember, GroupTerms, PodGroupKey, group_key_of, schedules_groups
from clusters.engine.scheduling.cost import Failure, attempt
from clusters.engine.scheduling.groups import GroupAttempt, GroupVerdict, attempt_group, domain_of
from clusters.engine.simulation.case import Origin, Outcome, Step
from clusters.engine.simulation.course import Course, Departures, Draining, EventPhase, Timeline, cordoned, words
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.columns import Slots
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints, Mask

# Which workloads a simulation leaves with fewer pods, which StatefulSets lose their quorum, which budgets break.

# Whatever has fewer members than this keeps no quorum by majority.
LEAST_MEMBERS = 3
_WITH_REPLICAS = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
# Their pods belong to nodes: of a node that is lost, none is missing.
_PER_NODE = frozenset({"DaemonSet", "Node"})


class Quorum(StrEnum):
    """What becomes of the majority of a StatefulSet's replicas.

    ``INTERRUPTED``: nodes that are lost at once take it, and the pods that are recreated bring it back.
    """

    LOST = "lost"
    INTERRUPTED = "interrupted"
    KEPT = "kept"


_GRAVEST_FIRST = {quorum: place for place, quorum in enumerate(Quorum)}


class WorkloadEffect(StrEnum):
    """What became of a workload, the gravest first."""

    LOSES_QUORUM = "quorum-lost"
    STOPPED = "stopped"
    QUORUM_INTERRUPTED = "quorum-interrupted"
    RUNS_FEWER = "fewer"
    MORE_PENDING = "pending"
    RECREATED = "recreated"


class HealthyPods(Struct, frozen=True):
    """How many pods of a budget are healthy, and how many it requires."""

    healthy: int
    desired: int


class RunningPods(Struct, frozen=True):
    """The pods that run at one moment: those on nodes that report to be ready, but for those that terminate.

    ``keys``: every place of a pod in the snapshot. Shape (P,): ``rows``, the row in ``nodes`` where it runs, -1 for one
    that does not, and ``templates``, the number in ``workloads`` of what it belongs to, without a kind for a pod that
    nothing controls. ``replicas``: how many each workload is to have, where its object says so. ``ready_nodes``: by
    name. ``budgets`` by ``namespace/name``, where all that they count is known.
    """

    keys: Sequence[str]
    rows: Ints
    templates: Slots
    workloads: Sequence[Workload]
    nodes: Sequence[str]
    replicas: Mapping[Workload, int]
    ready_nodes: frozenset[str]
    budgets: Mapping[str, HealthyPods]

    def node_of(self, place: int) -> str:
        """The node where the pod at a place runs, empty where none does."""
        return self.nodes[self.rows[place]] if self.rows[place] >= 0 else ""

    def workload_of(self, place: int) -> Workload:
        """What the pod at a place belongs to."""
        return named_workload(self.keys[place], self.workloads[int(self.templates[place])])

    def counts(self) -> Counter[Workload]:
        """How many pods of each workload run, but for pods that nothing controls: each of those is one of its own."""
        return _counted_by_workload(self.rows, self.templates, self.workloads)


class AffectedWorkload(Struct, frozen=True):
    """A workload some of whose pods had to leave their nodes, or are newly pending.

    ``before`` and ``after``: running pods, of a DaemonSet those on nodes that are not lost; ``left``: so many had to
    leave; ``pending``: newly pending pods; ``expected``: how many of ``before`` are still wanted, as a simulation may
    scale down, too.
    """

    workload: Workload
    before: int
    expected: int
    left: int
    after: int
    pending: int
    quorum: Quorum

    @property
    def missing(self) -> int:
        """How many of the pods that ran and are still wanted do not run."""
        return max(0, self.expected - self.after)

    @property
    def is_stopped(self) -> bool:
        """Whether it ran, and no pod of it does any more."""
        return bool(self.expected) and not self.after


class BrokenBudget(Struct, frozen=True):
    """A budget with fewer healthy pods than it requires, which had as many before."""

    key: str
    desired: int
    before: int
    after: int


class Affected(Struct, frozen=True):
    """The workloads, the gravest first, and the budgets that are the worse for a simulation."""

    workloads: tuple[AffectedWorkload, ...]
    budgets: tuple[BrokenBudget, ...]


def newly_pending(pending: Iterable[str], origins: Mapping[str, Origin]) -> tuple[str, ...]:
    """Pods without a node at the end that were not pending at the beginning, by name.

    ``origins``: why pods are wanted; a pod that is not among them was created during the simulation.
    """
    return tuple(sorted(key for key in pending if origins.get(key) is not Origin.PENDING_BEFORE))


def running_pods(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> RunningPods:
    """Read the pods that run in a snapshot; ``waiting`` are the pending pods beside it, which budgets count."""
    pods, nodes = snapshot.pods, snapshot.nodes
    not_ready = node_health(snapshot).not_ready
    ready = frozenset(name for name, is_out in zip(nodes.names, not_ready.tolist(), strict=True) if not is_out)
    return RunningPods(
        keys=tuple(pods.keys),
        rows=_rows_of_running(snapshot, not_ready),
        templates=pods.template[: len(pods.keys)].copy(),
        workloads=[template.workload for template in pods.templates],
        nodes=tuple(nodes.names),
        replicas=wanted_replicas(snapshot),
        ready_nodes=ready,
        budgets=_healthy(snapshot, waiting, ready),
    )


def _rows_of_running(snapshot: Snapshot, not_ready: Mask) -> Ints:
    """Shape (P,): the row where each pod runs, -1 for one that does not."""
    pods, end = snapshot.pods, len(snapshot.pods.keys)
    is_out = pods.terminating[:end] | np.append(not_ready, False)[pods.node[:end]]
    return np.where(is_out, NOWHERE, pods.node[:end])


def _counted_by_workload(rows: Ints, templates: Slots, workloads: Sequence[Workload]) -> Counter[Workload]:
    found = Counter[Workload]()
    of_template = np.bincount(templates[rows >= 0], minlength=len(workloads))
    for workload, number in zip(workloads, of_template.tolist(), strict=True):
        if number and workload.kind:
            found[workload] += number
    return found


def named_workload(key: str, workload: Workload) -> Workload:
    """The workload of a pod; one that nothing controls is a workload of its own, of the kind Pod."""
    return workload if workload.kind else Workload(workload.namespace, "Pod", key.partition("/")[2])


def wanted_replicas(snapshot: Snapshot) -> dict[Workload, int]:
    """How many pods each workload is to have, where its object says so."""
    found = {}
    for kind in _WITH_REPLICAS:
        for document in snapshot.objects(kind):
            about = document.get("metadata") or {}
            replicas = (document.get("spec") or {}).get("replicas")
            workload = Workload(about.get("namespace") or "default", kind, about.get("name") or "")
            found[workload] = 1 if replicas is None else int(replicas)
    return found


def _healthy(snapshot: Snapshot, waiting: Iterable[Document], ready: frozenset[str]) -> dict[str, HealthyPods]:
    found = {}
    for state in budget_states(snapshot, waiting):
        healthy, desired = state.computed.healthy, state.computed.desired
        if desired is None:
            continue
        # The node lifecycle controller marks the pods of nodes that do not report as not ready.
        shares = zip(state.nodes.names, state.nodes.healthy.tolist(), strict=True)
        found[state.budget.key] = HealthyPods(healthy - sum(n for name, n in shares if name not in ready), desired)
    return found


def affected(before: RunningPods, after: RunningPods, pending: Mapping[str, Workload]) -> Affected:
    """What a simulation did to workloads and budgets; ``pending``: the workloads of the newly pending pods."""
    waits = Counter(named_workload(key, workload) for key, workload in pending.items())
    left, lost = Counter[Workload](), Counter[Workload]()
    for place in _departures(before, after):
        workload = before.workload_of(place)
        left[workload] += 1
        lost[workload] += before.node_of(place) not in after.ready_nodes
    ran, runs = before.counts(), after.counts()
    places = {key: place for place, key in enumerate(after.keys) if key} if any(map(_is_alone, left | waits)) else {}
    for workload in filter(_is_alone, left | waits):
        there = places.get(f"{workload.namespace}/{workload.name}")
        runs[workload] = int(there is not None and after.rows[there] >= 0)
        ran[workload] = int(workload in left)
    found = []
    for workload in left | waits:
        if workload.kind in _PER_NODE:
            ran[workload] -= lost[workload]
            left[workload] -= lost[workload]
        # Those that are not wanted any more do not count.
        unknown = 0 if workload in before.replicas else ran[workload]
        expected = min(ran[workload], after.replicas.get(workload, unknown))
        had_to_leave = max(0, left[workload] - (ran[workload] - expected))
        if not (had_to_leave or waits[workload] or runs[workload] < expected):
            continue
        quorum = _quorum(workload, after.replicas, ran[workload], runs[workload], lost[workload])
        found.append(
            AffectedWorkload(workload, ran[workload], expected, had_to_leave, runs[workload], waits[workload], quorum)
        )
    return Affected(tuple(sorted(found, key=_gravity)), _broken(before.budgets, after.budgets))


def _departures(before: RunningPods, after: RunningPods) -> Iterator[int]:
    """Places of the pods that ran and do not run where they did; those that stayed are not looked at one by one."""
    rows = {name: row for row, name in enumerate(before.nodes)}
    moved = np.array([*(rows.get(name, NOWHERE) for name in after.nodes), NOWHERE], np.int64)
    shared = min(len(before.keys), len(after.keys))
    is_same = np.zeros(len(before.keys), np.bool_)
    is_same[:shared] = [one == other for one, other in zip(before.keys, after.keys, strict=False)]
    is_same[:shared] &= before.rows[:shared] == moved[after.rows[:shared]]
    gone = np.flatnonzero(~is_same & (before.rows >= 0)).tolist()
    wanted = {before.keys[place] for place in gone}
    elsewhere = {key: place for place, key in enumerate(after.keys) if key in wanted} if gone else {}
    for place in gone:
        other = elsewhere.get(before.keys[place])
        if other is None or after.node_of(other) != before.node_of(place):
            yield place


def _is_alone(workload: Workload) -> bool:
    return workload.kind == "Pod"


def _quorum(workload: Workload, replicas: Mapping[Workload, int], ran: int, runs: int, lost: int) -> Quorum:
    members = replicas.get(workload, 0)
    majority = members // 2 + 1
    if workload.kind != "StatefulSet" or members < LEAST_MEMBERS or ran < majority:
        return Quorum.KEPT
    if runs < majority:
        return Quorum.LOST
    return Quorum.INTERRUPTED if ran - lost < majority else Quorum.KEPT


def _gravity(each: AffectedWorkload) -> tuple[int, bool, int, int, int, Workload]:
    return _GRAVEST_FIRST[each.quorum], not each.is_stopped, -each.missing, -each.pending, -each.left, each.workload


def _broken(before: Mapping[str, HealthyPods], after: Mapping[str, HealthyPods]) -> tuple[BrokenBudget, ...]:
    return tuple(
        BrokenBudget(key, now.desired, before[key].healthy, now.healthy)
        for key, now in sorted(after.items())
        if key in before and now.healthy < now.desired and before[key].healthy >= before[key].desired
    )


# The drains of a simulation, one node after another and each as far as budgets allow.


class _Happened(Protocol):
    def __call__(self, outcome: Outcome, pod: str, *, node: str, message: str, by: str) -> Step: ...


@dataclass(slots=True, eq=False)
class Drains:
    """Drains the ``nodes``. ``evict``: evicts a pod for what is drained; ``try_all``: tries the pods in line.

    ``happened`` makes the next step. Where pods terminate for a while, what budgets refuse is asked for again once
    those of the node are gone, and the next node follows then.
    """

    nodes: Sequence[str]
    course: Course
    departures: Departures
    timeline: Timeline
    evict: Callable[[str, str], Iterator[Step]]
    try_all: Callable[[], Iterator[Step]]
    happened: _Happened
    _draining: Draining | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        # As kubectl does it: all are cordoned before the first is drained.
        nodes = self.course.snapshot.nodes
        for name in self.nodes:
            self.course.change_node(cordoned(nodes.nodes[nodes.index[name]]))

    def drain(self, number: int, now: int) -> Iterator[Step]:
        """Drain a node, by its number; what follows is added to the timeline."""
        name = self.nodes[number]
        if self._draining is None:
            self._draining = Draining(self.course)
        yield from self.try_all()
        asked = self._draining.asked_on(name)
        left: dict[str, str] = {}
        if self._draining.is_held(asked):
            for each in asked:
                if each.refusal:
                    yield self.happened(Outcome.HELD, each.pod.key, node=name, message=each.refusal, by=name)
        else:
            left = yield from self._evicted(self._draining, name, [each.pod for each in asked])
        empty_at = self.departures.last_on(name, now)
        if left and empty_at > now:
            self.timeline.add(empty_at, EventPhase.DRAINS, number)
            return
        for key, message in left.items():
            yield self.happened(Outcome.REFUSED, key, node=name, message=message, by=name)
        if number + 1 < len(self.nodes):
            self.timeline.add(empty_at, EventPhase.DRAINS, number + 1)

    def _evicted(self, draining: Draining, name: str, pods: list[Pod]) -> Generator[Step, None, dict[str, str]]:
        """Ask for every pod, and again for those that were refused as long as others went; returns who is refused."""
        refused: dict[str, str] = {}
        while pods:
            left = []
            for pod in pods:
                if self.course.snapshot.placed_on(pod.key) != name or self.course.is_terminating(pod.key):
                    continue
                answer = draining.answer(pod)
                if answer.is_granted:
                    yield from self.evict(pod.key, name)
                    yield from self.try_all()
                else:
                    left.append(pod)
                    refused[pod.key] = words(answer)
            if len(left) == len(pods):
                break
            pods = left
        return {pod.key: refused[pod.key] for pod in pods}


# What a plan of a drain does to workloads: running pods before and after, quorums, and what keeps nodes from it.


class DrainedWorkload(Struct, frozen=True):
    """A workload with pods that a plan evicts, or that keep a node from being drained.

    ``before`` and ``after``: running pods. ``evicted``: pods that leave their nodes. ``at_once``: the most of them that
    are evicted at the same time, before any replacement is there. ``unschedulable``: pods whose replacement would have
    no node, ``refused``: pods whose eviction budgets refuse to the end; their nodes stay.
    """

    workload: Workload
    before: int
    evicted: int
    after: int
    at_once: int
    unschedulable: int
    refused: int
    quorum: Quorum

    @property
    def missing(self) -> int:
        """How many of the pods that ran do not run afterwards."""
        return max(0, self.before - self.after)

    @property
    def is_stopped(self) -> bool:
        """Whether it ran, and no pod of it does any more."""
        return bool(self.before) and not self.after


def drained_workloads(snapshot: Snapshot, plan: Plan) -> tuple[DrainedWorkload, ...]:
    """What the plan does to each workload that it touches, the gravest first; the snapshot is that before the drain.

    A replacement that is evicted again is a pod of the same workload that has left already.
    """
    not_ready = node_health(snapshot).not_ready
    rows, templates = _rows_of_running(snapshot, not_ready), snapshot.pods.templates
    running = _counted_by_workload(rows, snapshot.pods.template[: len(rows)], [each.workload for each in templates])
    evicted, lost, at_once = Counter[Workload](), Counter[Workload](), Counter[Workload]()
    for evictions in plan.courses:
        together = Counter[tuple[Workload, int]]()
        for eviction in evictions:
            workload = _workload_of(snapshot, eviction.pod)
            if workload is None or eviction.moved:
                continue
            evicted[workload] += 1
            together[workload, eviction.round] += 1
            is_lost = eviction.landing is None or eviction.is_homeless
            lost[workload] += is_lost and _runs(snapshot, not_ready, eviction.pod)
        for (workload, _), pods in together.items():
            at_once[workload] = max(at_once[workload], pods)
    unschedulable, refused = Counter[Workload](), Counter[Workload]()
    for node in plan.blocked:
        kinds = {blocker.pod: blocker.kind for blocker in node.blockers if blocker.kind is not Block.FLAG}
        kinds |= {eviction.pod: Block.NO_ROOM for eviction in node.evicted if eviction.is_homeless}
        for pod, kind in kinds.items():
            workload = _workload_of(snapshot, pod)
            if workload is not None:
                (unschedulable if kind is Block.NO_ROOM else refused)[workload] += 1
    replicas = wanted_replicas(snapshot)
    found = []
    for workload in evicted.keys() | unschedulable.keys() | refused.keys():
        key = f"{workload.namespace}/{workload.name}"
        before = int(_runs(snapshot, not_ready, key)) if _is_alone(workload) else running[workload]
        after = before - lost[workload]
        quorum = _quorum(workload, replicas, before, after, at_once[workload])
        found.append(
            DrainedWorkload(
                workload, before, evicted[workload], after, at_once[workload], unschedulable[workload],
                refused[workload], quorum,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=_drained_workloads_gravity))


def _workload_of(snapshot: Snapshot, key: str) -> Workload | None:
    """The workload of a pod of the snapshot; None for one that the plan itself made, or that has finished."""
    slot = snapshot.pods.slot_of.get(key)
    if slot is None:
        return None
    return named_workload(key, snapshot.pods.templates[int(snapshot.pods.template[slot])].workload)


def _runs(snapshot: Snapshot, not_ready: Mask, key: str) -> bool:
    slot = snapshot.pods.slot_of[key]
    row = int(snapshot.pods.node[slot])
    return row >= 0 and not (snapshot.pods.terminating[slot] or not_ready[row])


def _drained_workloads_gravity(each: DrainedWorkload) -> tuple[int, bool, int, int, int, int, Workload]:
    return (
        _GRAVEST_FIRST[each.quorum],
        not each.is_stopped,
        -each.missing,
        -each.unschedulable,
        -each.refused,
        -each.evicted,
        each.workload,
    )


# How groups of pods end in a simulation: how many of their pods have a node, and what keeps the others from one.

# Each that is tried costs a cycle for each of its pending pods.
MOST_TRIED: Final = 100


class GroupEnd(StrEnum):
    """How a group ends."""

    PLACED = "placed"
    """Every pod of it has a node."""
    PARTLY_PLACED = "partly-placed"
    """As many pods as it needs have a node, and others are pending."""
    TOO_FEW_PODS = "too-few-pods"
    NOT_FOUND = "not-found"
    TOO_FEW_NODES = "too-few-nodes"
    """Too few of its pods find a node."""
    NO_DOMAIN = "no-domain"
    """No topology domain takes as many pods as it needs."""
    SEVERAL_DOMAINS = "several-domains"
    """Its pods have nodes in several domains of the topology that it names, which kube-scheduler does not do."""
    PREEMPTION = "preemption"
    """It is placed once pods of lower priority are removed, which a simulation does not do for a group."""
    GATED = "gated"
    ERROR = "error"
    UNCERTAIN = "uncertain"


class GroupResult(msgspec.Struct, frozen=True, rename="camel"):
    """One group of pods at the end of a simulation.

    ``least``: how many pods have to be scheduled together; None with the basic policy. Of ``pods`` that exist so many
    are ``placed``, and so many are ``found`` to have a node or find one at another attempt. ``refused``: the first
    pod, as ``namespace/name``, that finds none, or is kept out of the queue; ``message`` is kube-scheduler's about it
    or about the group. ``victims``: how many pods are removed for it. ``topology``: the label of nodes whose value all
    its pods share, and ``domain`` that value, where pods of it have a node.
    """

    group: str
    least: int | None
    pods: int
    placed: int
    end: GroupEnd
    found: int = 0
    refused: str = ""
    message: str = ""
    victims: int = 0
    topology: str = ""
    domain: str = ""


def groups_named(documents: Iterable[Document], snapshot: Snapshot) -> tuple[PodGroupKey, ...]:
    """Return the groups that pods name, as kube-scheduler of the release reads them; none where it reads none."""
    if not schedules_groups(snapshot.release):
        return ()
    keys = {group_key_of(Pod(each), snapshot.release) for each in documents}
    return tuple(sorted(key for key in keys if key is not None))


def group_results(
    snapshot: Snapshot, keys: Sequence[PodGroupKey], configuration: SchedulerConfiguration | None
) -> list[GroupResult]:
    """Return how groups are; those without pods are left out.

    Pending ones are tried once more by the configuration, which says what keeps them from nodes; beyond ``MOST_TRIED``
    that is uncertain. Without it they are only counted, as befits a scheduler that is not kube-scheduler.
    """
    held, results = held_groups(snapshot), []
    tried = 0
    for key in keys:
        members = snapshot.groups.of(key)
        if not members:
            continue
        result = _counted(snapshot, key, held.terms_of(key), members)
        if configuration is not None and result.end in (GroupEnd.TOO_FEW_NODES, GroupEnd.PARTLY_PLACED):
            tried += 1
            if tried <= MOST_TRIED:
                result = _tried(result, snapshot, members, configuration)
            elif result.end is GroupEnd.TOO_FEW_NODES:
                result = msgspec.structs.replace(result, end=GroupEnd.UNCERTAIN)
        results.append(result)
    return results


def _counted(
    snapshot: Snapshot, key: PodGroupKey, terms: GroupTerms | None, members: Mapping[str, GroupMember]
) -> GroupResult:
    nodes = [member.node for member in members.values() if member.node]
    pods, placed = len(members), len(nodes)
    if terms is None:
        return GroupResult(str(key), None, pods, placed, GroupEnd.NOT_FOUND)
    least = terms.policy.least
    topology = (
        terms.topology_keys[0]
        if terms.topology_keys and snapshot.release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS)
        else ""
    )
    domain = domain_of(snapshot, topology, nodes) if topology else ""
    if pods < (least or 0):
        end = GroupEnd.TOO_FEW_PODS
    elif domain is None:
        end = GroupEnd.SEVERAL_DOMAINS
    elif placed == pods:
        end = GroupEnd.PLACED
    else:
        end = GroupEnd.PARTLY_PLACED if placed >= terms.policy.quorum else GroupEnd.TOO_FEW_NODES
    return GroupResult(str(key), least, pods, placed, end, found=placed, topology=topology, domain=domain or "")


def _tried(
    result: GroupResult, snapshot: Snapshot, members: Mapping[str, GroupMember], configuration: SchedulerConfiguration
) -> GroupResult:
    """What comes of another attempt for a group that is pending, in whole or in part."""
    pod = next((Pod(member.document) for member in members.values() if not member.node), None)
    found = None if pod is None else _attempted(snapshot, pod, configuration)
    if found is None:
        return result
    first = next(iter(found.refused), None)
    end = result.end if result.end is GroupEnd.PARTLY_PLACED else _end_of(found, result)
    return GroupResult(
        result.group,
        result.least,
        result.pods,
        result.placed,
        end,
        found=max(result.placed, found.found),
        refused=found.held_back or ("" if first is None else first.pod),
        message=found.message if first is None else first.refusal,
        victims=len(found.victims),
        topology=result.topology,
        domain=result.domain,
    )


def _attempted(snapshot: Snapshot, pod: Pod, configuration: SchedulerConfiguration) -> GroupAttempt | None:
    try:
        profile = configuration.profile_for(pod.document)
    except UnknownScheduler:
        return None
    found = attempt(lambda: attempt_group(snapshot, pod, profile))
    return None if isinstance(found, Failure) else found


def _end_of(found: GroupAttempt, result: GroupResult) -> GroupEnd:
    match found.verdict:
        case GroupVerdict.PREEMPTS:
            return GroupEnd.PREEMPTION
        case GroupVerdict.GATED:
            return GroupEnd.GATED
        case GroupVerdict.ERROR:
            return GroupEnd.ERROR
        case GroupVerdict.UNCERTAIN | GroupVerdict.SCHEDULED:
            # A simulation goes on where something is not computed; an attempt that places the group was not made.
            return GroupEnd.UNCERTAIN
        case _:
            return GroupEnd.NO_DOMAIN if result.topology else GroupEnd.TOO_FEW_NODES
