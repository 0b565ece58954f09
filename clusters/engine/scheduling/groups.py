"""An attempt to schedule a group of pods: its members one after another, placements, preemption, and messages."""

from __future__ import annotations

import enum
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import NodeResourcesFitArgs, UnknownScheduler
from clusters.engine.devices.claims import uses_devices
from clusters.engine.group_states import held_groups, known_members, may_be_nested
from clusters.engine.objects import NOT_STARTED, Pod
from clusters.engine.plugin import MAX_NODE_SCORE, Reads

# DynamicResources by name: it alone allocates devices, and frees them for a whole group.
from clusters.engine.plugins.dynamic_resources import DynamicResources, freed_of_group

# NodeResourcesFit by name: it alone scores placements by what their nodes have.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit, placement_score
from clusters.engine.podgroups import DisruptionMode, GroupTerms, PodGroupKey, group_key_of
from clusters.engine.registry import PLUGINS, pre_enqueue
from clusters.engine.scheduling.answers import fit_error_of, rejecting
from clusters.engine.scheduling.cycle import Cycle, reserve_devices, run_cycle
from clusters.engine.scheduling.preemption import Protection, answer_of, first_rejected, has_run, preempt
from clusters.engine.scheduling.search import first_row, unstable_sort
from clusters.engine.status import Code
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.configuration import Profile, SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index
    from clusters.engine.versions import Release


# What an attempt to schedule a group of pods comes to.


class GroupVerdict(enum.StrEnum):
    """What an attempt to schedule a group ends with."""

    SCHEDULED = "scheduled"
    """It has as many pods as it needs: those with a node are bound."""
    UNSCHEDULABLE = "unschedulable"
    PREEMPTS = "preempts"
    """It is scheduled once the victims are gone (from 1.37)."""
    WAITS_ON_PERMIT = "waits-on-permit"
    """Its pods keep their nodes for some minutes, until there are enough of them or they are rejected (1.35)."""
    GATED = "gated"
    """A pod of it is kept out of the queue, and with it the whole group (from 1.37)."""
    ERROR = "error"
    UNCERTAIN = "uncertain"


class MemberAttempt(Struct, frozen=True):
    """One pod of a group, as ``namespace/name``: the node that it would take, or why it takes none.

    ``is_reached``: the attempt had not ended before its turn; ``is_error``: it ended it with an error. Of ``looked_at``
    nodes so many were ``feasible``, of which ``ties`` had the highest ``total`` (None where nothing was scored).
    ``plugins`` rejected nodes.
    """

    pod: str
    node: str = ""
    refusal: str = ""
    is_reached: bool = True
    is_error: bool = False
    total: int | None = None
    ties: int = 0
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()


class PlacementAttempt(Struct, frozen=True):
    """A topology domain that a group was tried in: how many ``nodes`` it has, and what came of it.

    ``found`` pods of the group have a node there or find one. ``is_feasible``: they are enough; ``message``: what is
    said where they are not. ``score``: by which the best of several is taken, None where nothing was compared.
    """

    domain: str
    nodes: int
    found: int
    is_feasible: bool
    message: str = ""
    score: int | None = None


class GroupAttempt(Struct, frozen=True, eq=False):
    """What an attempt to schedule the group of a pod comes to.

    ``least``: how many pods have to be scheduled together; None for a group with the basic policy. ``existing``: how
    many there are, of which ``scheduled`` have had a node before. ``members``: those that wait, in the order in which
    they are tried. ``message``: what the scheduler says of the group, ``found_message`` of each pod that has found a
    node and does not get it, ``unreached_message`` of those that the attempt does not come to. ``is_open``: something
    that is not computed could change what becomes of the group. ``snapshot``: the cluster as that pod finds it, and
    ``rows`` the nodes that it is tried on, None for all. ``held_back``: the first other pod of the group that is kept
    out of the queue. ``victims`` have to go for the group, whose pods are nominated for the nodes that they would take
    then, ``nominations``. ``domain``: the topology domain that all its pods go to, where it asks for one;
    ``placements``: those that were tried; ``is_random``: of equally good ones it is chance which is taken.
    ``composite``: the CompositePodGroup with which the group is tried, which is
    not computed; empty for any other.
    """

    key: PodGroupKey
    pod: str
    least: int | None
    existing: int
    scheduled: int
    verdict: GroupVerdict
    snapshot: Snapshot
    rows: Index | None = None
    members: tuple[MemberAttempt, ...] = ()
    message: str = ""
    found_message: str = ""
    unreached_message: str = ""
    is_open: bool = False
    held_back: str = ""
    victims: tuple[str, ...] = ()
    nominations: Mapping[str, str] = {}
    domain: str = ""
    placements: tuple[PlacementAttempt, ...] = ()
    is_random: bool = False
    composite: str = ""

    @property
    def is_blocking(self) -> bool:
        """Whether no pod of the group gets a node, whatever it finds."""
        return self.verdict not in (GroupVerdict.SCHEDULED, GroupVerdict.UNCERTAIN)

    @property
    def found(self) -> int:
        """How many pods of the group have a node, or find one."""
        return self.scheduled + sum(bool(each.node) for each in self.members)

    @property
    def own(self) -> MemberAttempt | None:
        """The turn of the pod that the attempt is about; None where nobody was tried."""
        return next((each for each in self.members if each.pod == self.pod), None)

    @property
    def speaks_for_pod(self) -> bool:
        """Whether the pod is told of its group, whatever nodes say of it: the attempt ended before its turn."""
        own = self.own
        return self.verdict is GroupVerdict.ERROR or (self.is_blocking and own is not None and not own.is_reached)

    @property
    def pod_message(self) -> str:
        """What the scheduler says of the pod that the attempt is about, unless no node takes it."""
        return self.found_message if self.own is None else self.message_of(self.own)

    def message_of(self, member: MemberAttempt) -> str:
        """What the scheduler says of a pod of the group that does not get a node."""
        if self.verdict is GroupVerdict.ERROR and not member.is_error:
            return self.message
        if not member.is_reached:
            return self.unreached_message
        return member.refusal or self.found_message

    @property
    def refused(self) -> tuple[MemberAttempt, ...]:
        """The pods that were tried and find no node."""
        return tuple(each for each in self.members if each.is_reached and not each.node)

    def as_recorded(self) -> Mapping[str, Any]:
        """In the shape in which what kube-scheduler did with a group is recorded; what is chance counts as uncertain.

        Keys as ``expectGroup`` in ``tests/data/oracle/README.md``.
        """
        if self.verdict is GroupVerdict.UNCERTAIN or self.is_random:
            return {**_NOTHING_TRIED, "entity": str(GroupVerdict.UNCERTAIN)}
        if self.verdict is GroupVerdict.GATED:
            return _NOTHING_TRIED
        is_scheduled = self.verdict is GroupVerdict.SCHEDULED
        pods: dict[str, dict[str, str]] = {}
        for each in self.members:
            is_bound = is_scheduled and bool(each.node)
            pods[each.pod] = {"node": each.node} if is_bound else {"message": self.message_of(each)}
            if each.pod in self.nominations:
                pods[each.pod]["nominated"] = self.nominations[each.pod]
        condition = {"status": str(is_scheduled), "reason": _REASONS.get(self.verdict, "Unschedulable")}
        if not is_scheduled:
            condition["message"] = self.message
        return {"entity": "group", "pods": pods, "victims": sorted(self.victims), "condition": condition}


_NOTHING_TRIED: Final[Mapping[str, Any]] = {"entity": "none", "pods": {}, "victims": []}
_REASONS: Final = {GroupVerdict.SCHEDULED: "Scheduled", GroupVerdict.ERROR: "SchedulerError"}


# What kube-scheduler says of the pods of a group that is not scheduled.
#
# Upstream: ``schedule_one_podgroup.go`` and ``plugins/gangscheduling`` of v1.35.4, v1.36.3 and v1.37.2, and
# ``framework/preemption/podgrouppreemption.go`` of v1.37.2.

UNSCHEDULABLE: Final = "pod group is unschedulable"
WAITS_ON_PERMIT: Final = "waiting for minCount pods from a gang to be waiting on permit"
WAITS_TO_BE_SCHEDULED: Final = "waiting for minCount pods from a gang to be scheduled"
NEVER_PREEMPTS: Final = "not eligible due to preemptionPolicy=Never."
NO_VICTIMS: Final = "No preemption victims found for incoming preemptor"
ONGOING: Final = "ongoing preemption on nominated nodes"
NO_PLACEMENTS: Final = "no feasible placements found"
NOTHING_PREPARED: Final = "not found"
CLAIMS_FREED: Final = "deallocation and deletion of ResourceClaims completed"


class GroupStatus(Struct, frozen=True):
    """How far a group is: ``code`` and ``reasons`` as the scheduler has them.

    ``is_waiting``: the pods that are left can still be enough. ``is_of_group``: that the group is unschedulable stands
    before its reasons, and alone where no reason is asked for.
    """

    code: Code = Code.SUCCESS
    reasons: tuple[str, ...] = ()
    is_waiting: bool = False
    is_of_group: bool = False

    @property
    def message(self) -> str:
        """All that is said."""
        return ", ".join((UNSCHEDULABLE, *self.reasons) if self.is_of_group else self.reasons)

    @property
    def error(self) -> str:
        """What is said of it in another message."""
        return UNSCHEDULABLE if self.is_of_group else self.message


def _unschedulable(*reasons: str, is_of_group: bool = True) -> GroupStatus:
    return GroupStatus(Code.UNSCHEDULABLE, reasons, is_of_group=is_of_group)


def _failed(message: str) -> GroupStatus:
    return GroupStatus(Code.ERROR, (message,))


# The group, and one run over its pods on some nodes.


class _Assigned(Struct, frozen=True):
    """A pod that finds a node; ``skipped`` filters had nothing to check of it when it did."""

    pod: Pod
    row: int
    skipped: frozenset[str]
    filters: tuple[str, ...]


if TYPE_CHECKING:
    Choose = Callable[[int, Cycle], int]


class _Group(Struct, frozen=True):
    """A group in the queue of a profile's scheduler.

    ``pod``: the one that the attempt is about. ``bound`` have a node; ``queued`` have none, of which ``tried`` are not
    being deleted, in the order of their turns. ``asks``: a plugin of the profile asks for the least number of pods.
    """

    key: PodGroupKey
    terms: GroupTerms
    pod: Pod
    profile: Profile
    asks: bool
    bound: tuple[Pod, ...]
    queued: tuple[Pod, ...]
    tried: tuple[Pod, ...]
    choose: Choose | None

    def feasibility(self, scheduled: int, remaining: int) -> GroupStatus:
        """Whether enough pods are scheduled, or can still be: PlacementFeasible of GangScheduling (from 1.37)."""
        least = self.terms.policy.quorum
        if not self.asks or scheduled >= least:
            return GroupStatus()
        counted = f"{scheduled} scheduled, {remaining} remaining"
        if scheduled + remaining < least:
            return _unschedulable(f"minCount ({least}) cannot be satisfied: {counted}", is_of_group=False)
        return GroupStatus(Code.UNSCHEDULABLE, (f"minCount ({least}) is not yet satisfied: {counted}",), True)


class _Run:
    """The pods of a group one after another, each where those before it have their nodes, on all nodes or ``rows``.

    ``own``: the cluster as the pod finds it that the attempt is about. ``is_prepared``: DynamicResources came to look
    at a pod; ``has_unfreed``: it found one of which it would free no claim; ``unavailable``: the claims that are not
    available on nodes. ``status``: what came of it. ``score``: of its placement, where several take the group;
    ``placements``: all that were tried; ``is_random``: another could have been taken as well.
    """

    def __init__(self, group: _Group, snapshot: Snapshot, domain: str = "", rows: Index | None = None) -> None:
        self.group, self.domain, self.rows = group, domain, rows
        self.status = GroupStatus()
        self.members: list[MemberAttempt] = []
        self.assigned: list[_Assigned] = []
        self.own: Snapshot | None = None
        self.is_prepared = self.has_unfreed = False
        self.unavailable: list[Document] = []
        self.score: int | None = None
        self.placements: tuple[PlacementAttempt, ...] = ()
        self.is_random = False
        self._snapshot = snapshot.copy()

    @property
    def found(self) -> int:
        """How many pods of the group have a node, or have found one."""
        return len(self.group.bound) + len(self.assigned)

    def as_placement(self) -> PlacementAttempt:
        """What came of it in a topology domain."""
        nodes = 0 if self.rows is None else len(self.rows)
        is_feasible = self.status.code is Code.SUCCESS
        return PlacementAttempt(self.domain, nodes, self.found, is_feasible, self.status.message, self.score)

    def together(self) -> _Run:
        """1.37: pods are tried while as many as the group needs can still be reached."""
        remaining = len(self.group.tried)
        self.status = self.group.feasibility(self.found, remaining)
        if self._is_hopeless:
            self.status = replace(self.status, is_of_group=True)
        for pod in self.group.tried:
            if self._is_hopeless:
                self.members.append(MemberAttempt(pod.key, is_reached=False))
                continue
            error = self._try(pod).error
            remaining -= 1
            if error is None:
                self.status = self.group.feasibility(self.found, remaining)
        if self.status.is_waiting:
            self.status = _unschedulable(*self.status.reasons)
        return self

    @property
    def _is_hopeless(self) -> bool:
        """Whether the attempt is over: enough pods cannot be reached any more, or one ended it with an error."""
        return self.status.code is not Code.SUCCESS and not self.status.is_waiting

    def until_permitted(self, *, settles: bool) -> _Run:
        """1.36: all pods are tried, each with preemption; the group is scheduled once Permit lets one of them go.

        Of ``settles`` preemption counts as not helping; otherwise it leaves the status waiting.
        """
        least = self.group.terms.policy.least if self.group.asks else None
        is_permitted = False
        for pod in self.group.tried:
            cycle = self._try(pod)
            if cycle.error is not None:
                return self
            if not len(cycle.choices) and not settles and self._preempts(cycle):
                self.status = GroupStatus(Code.UNSCHEDULABLE, is_waiting=True)
                return self
            is_permitted = is_permitted or (bool(len(cycle.choices)) and self.found >= (least or 0))
        if not is_permitted:
            self.status = _unschedulable()
        return self

    def alone(self) -> _Run:
        """1.35: each pod by itself; those that find a node wait for the others."""
        for pod in self.group.tried:
            self._try(pod)
        return self

    def _preempts(self, cycle: Cycle) -> bool:
        """Whether preemption makes room for one pod: what the others find then is not computed."""
        asks = any(PLUGINS[name].preempts for name in self.group.profile.post_filter)
        return asks and has_lower(self._snapshot, cycle.context.pod.priority) and preempt(cycle).selected is not None

    def _try(self, pod: Pod) -> Cycle:
        """Try one pod, and give it its node."""
        state, profile = self._snapshot, self.group.profile
        if pod.key == self.group.pod.key:
            self.own = state.copy()
        cycle = run_cycle(state, pod, profile, within=self.rows)
        self.members.append(self._member(pod, cycle))
        if cycle.error is not None:
            error = f"failed to schedule other pod from a pod group: {cycle.error.message}"
            self.status = _failed(error)
        if has_run(cycle, DynamicResources.name):
            self.is_prepared = True
            self._note_claims(state, cycle)
        if len(cycle.choices):
            row = state.nodes.index[self.members[-1].node]
            reserved = reserve_devices(state, pod, profile, row)
            state.assume(reserved.counted(pod.document), self.members[-1].node)
            self.assigned.append(_Assigned(pod, row, cycle.skipped, tuple(cycle.filters)))
        return cycle

    def _note_claims(self, state: Snapshot, cycle: Cycle) -> None:
        """Note the claims of a pod that are not available on nodes, and whether PostFilter would free one of them."""
        name = DynamicResources.name
        if not uses_devices(state, cycle.context.pod):
            self.has_unfreed = True
            return
        plugin = DynamicResources(cycle.context)
        self.unavailable += (each.document for each in plugin.unavailable(first_rejected(cycle, name)))
        self.has_unfreed = self.has_unfreed or not plugin.frees(answer_of(cycle, name))

    def _member(self, pod: Pod, cycle: Cycle) -> MemberAttempt:
        looked_at, error = int(cycle.considered.sum()), cycle.error
        if not len(cycle.choices):
            refusal = error.message if error is not None else fit_error_of(cycle) or ""
            return MemberAttempt(
                pod.key, refusal=refusal, is_error=error is not None, looked_at=looked_at, plugins=rejecting(cycle)
            )
        choose = self.group.choose
        row = first_row(cycle) if choose is None else choose(len(self.members), cycle)
        return MemberAttempt(
            pod.key,
            cycle.snapshot.nodes.names[row],
            total=None if cycle.takes_nominated else int(cycle.totals.max()),
            ties=len(cycle.choices),
            feasible=len(cycle.feasible),
            looked_at=looked_at,
        )


def has_lower(snapshot: Snapshot, priority: int) -> bool:
    """Whether pods of a lower priority are on nodes."""
    return bool(((snapshot.pods.node >= 0) & (snapshot.pods.priority < priority)).any())


# Placements of a group of pods: the nodes of one topology domain. Only these are filtered; what plugins find out
# beforehand is about the whole cluster.
#
# Upstream: ``plugins/topologyaware``, ``plugins/podgrouppodscount``, ``NodeResourcesFit``'s ``ScorePlacement`` and
# ``podGroupSchedulingPlacementAlgorithm`` of v1.36.3 and v1.37.2. Domains are tried in no order there: which of those
# that do not take the group is told of is chance, here it is that of the first node; any of equally good ones is taken.

# Nodes times domains: each pod is tried on the nodes of each domain.
MOST_NODES_TRIED: Final = 20_000


class UnknownDomainError(Exception):
    """Pods of the group run where no domain, or not one alone, can be told; the message is the scheduler's."""


class UncertainDomainError(Exception):
    """It depends on the order in which pods are looked at whether their domain can be told."""


def domains_of(snapshot: Snapshot, key: str, among: str | None = None) -> Mapping[str, Index]:
    """The rows of the nodes that have a label, by its value and in the order of their first nodes.

    ``among``: of this value alone.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for row, node in enumerate(snapshot.nodes.nodes):
        value = node.labels.get(key)
        if value is not None and among in (None, value):
            found[value].append(row)
    return {value: np.array(rows, np.intp) for value, rows in found.items()}


def domain_of(snapshot: Snapshot, key: str, nodes: Iterable[str]) -> str | None:
    """The domain that all these nodes are in; empty without any, None where they have none or several."""
    found = {snapshot.nodes.nodes[snapshot.nodes.index[name]].labels.get(key) for name in nodes}
    if not found:
        return ""
    (domain, *others) = found
    return None if others else domain


def _required_domain(group: _Group, snapshot: Snapshot, key: str) -> str | None:
    """The domain of the pods that run; None where none does. Raises UnknownDomainError and UncertainDomainError."""
    found: dict[str, None] = {}
    for pod in group.bound:
        labels = snapshot.nodes.nodes[snapshot.nodes.index[pod.node_name]].labels
        if key not in labels:
            raise UnknownDomainError(f"no topology domain found for pod {pod.key}")
        found[labels[key]] = None
    if len(found) == 2 and "" in found:
        raise UncertainDomainError
    if len(found) > 1:
        first, second, *_ = sorted(found)
        raise UnknownDomainError(f"more than 1 domain found for pod group: {first}, {second}")
    return next(iter(found), None)


def _score(group: _Group, snapshot: Snapshot, runs: Sequence[_Run]) -> bool:
    """Score the placements that take the group; False where no pod was placed in any of them, which is an error."""
    most = max(run.found for run in runs)
    if not most:
        return False
    arguments = group.profile.args[NodeResourcesFit.name]
    assert isinstance(arguments, NodeResourcesFitArgs)  # noqa: S101 - the arguments of this plugin
    weight = group.profile.weights.get(NodeResourcesFit.name, 0)
    for run in runs:
        assert run.rows is not None  # noqa: S101 - there is one placement of all nodes, or one of each domain
        pods = [each.pod for each in run.assigned]
        packed = placement_score(snapshot, run.rows, pods, arguments.scoring_strategy.resources)
        run.score = run.found * MAX_NODE_SCORE // most + weight * packed
    return True


# Preemption for a whole group: all pods of lower priority go, the group is tried, and as many as can come back.
#
# Upstream: ``framework/preemption/podgrouppreemption.go``, ``types.go`` and ``util.go`` of v1.37.2. The pods of a group
# that is disrupted as a whole are one victim, and a pod of a group has the priority of its group. Whoever comes back
# is held against what the plugins found out while all victims were gone: a filter that had nothing to check then is
# not asked again, so that a victim which keeps others away may stay beside them.

# Each victim that may come back is a trial with every pod of the group, and each of these costs a cycle.
MOST_CYCLES: Final = 1000


class GroupPreemption(Struct, frozen=True):
    """What preemption does for a group: ``status`` adds to the scheduler's message.

    ``victims`` have to go, the most important first, as ``namespace/name``; ``nominations``: the nodes that pods of the
    group take then.
    """

    status: GroupStatus
    victims: tuple[str, ...] = ()
    nominations: Mapping[str, str] = {}


class _Victim(Struct, frozen=True):
    """Pods that go together, by their slots; ``is_of_group``: they name a group, whether or not they go as one."""

    slots: tuple[int, ...]
    priority: int
    is_of_group: bool
    start: int

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        """Sorts by importance, the most important first."""
        return (-self.priority, not self.is_of_group, -len(self.slots), self.start)


class _Grouped(NamedTuple):
    """The groups of pods by their keys, and their terms where they are held."""

    keys: Mapping[str, PodGroupKey]
    terms: Mapping[PodGroupKey, GroupTerms]

    def priority(self, snapshot: Snapshot, slot: int) -> int:
        """The priority of a pod in preemption for a group: its group's, where that is held."""
        key = self.keys.get(snapshot.pods.keys[slot])
        terms = None if key is None else self.terms.get(key)
        return int(snapshot.pods.priority[slot]) if terms is None else terms.priority or 0


def _grouped(snapshot: Snapshot) -> _Grouped:
    held = held_groups(snapshot)
    known = [key for key in snapshot.groups.known() if not key.workload]
    keys = {name: key for key in known for name in snapshot.groups.of(key)}
    return _Grouped(keys, {key: terms for key in known if (terms := held.terms_of(key)) is not None})


def _victims_below(snapshot: Snapshot, priority: int) -> list[_Victim]:
    """The pods, alone or together, that a group of a priority may have removed, in the order of their nodes."""
    pods, grouped = snapshot.pods, _grouped(snapshot)
    found: dict[tuple[int, ...], _Victim] = {}
    placed = np.flatnonzero(pods.node >= 0)
    places = snapshot.nodes.search_places.take(pods.node[placed])
    for slot in placed[np.lexsort((pods.arrival[placed], places))].tolist():
        own = grouped.priority(snapshot, slot)
        if own >= priority:
            continue
        slots: tuple[int, ...] = (slot,)
        key = grouped.keys.get(pods.keys[slot])
        terms = None if key is None else grouped.terms.get(key)
        if key is not None and terms is not None and terms.disruption is DisruptionMode.ALL:
            members = (pods.slot_of.get(name) for name in snapshot.groups.of(key))
            slots = tuple(sorted(each for each in members if each is not None and pods.node[each] >= 0))
        if slots not in found:
            starts = (int(pods.start[each]) for each in slots)
            start = min(NOT_STARTED + len(found) if each == NOT_STARTED else each for each in starts)
            found[slots] = _Victim(slots, own, key is not None, start)
    return list(found.values())


def _without(snapshot: Snapshot, victims: Iterable[_Victim]) -> Snapshot:
    left = snapshot.copy()
    for victim in victims:
        for slot in victim.slots:
            namespace, _, name = snapshot.pods.keys[slot].partition("/")
            left.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
    return left


def _holds(snapshot: Snapshot, profile: Profile, assigned: Sequence[_Assigned]) -> bool:
    """Whether every pod of the group still fits on its node, one after another."""
    for each in assigned:
        cycle = run_cycle(snapshot, each.pod, profile, among=np.array([each.row]))
        worlds = (None, cycle.nominated_world) if cycle.nominated_world is not None else (None,)
        for name in cycle.filters.keys() - each.skipped:
            if any(not cycle.plugins[name].filter(world).at(each.row).ok for world in worlds):
                return False
        snapshot.assume(each.pod.document, snapshot.nodes.names[each.row])
    return True


# What becomes of a group of pods once they are in the queue: its members one after another, and all or none of them.
#
# Upstream: ``pkg/scheduler/schedule_one_podgroup.go`` of v1.36.3 and v1.37.2; in v1.35.4 each pod has a cycle of its
# own and waits at Permit (``plugins/gangscheduling``) until there are enough. Where the scheduler takes any of
# equally good nodes, it is the first in the snapshot's order. Pods of one priority go in the order of their creation,
# where the scheduler goes by when it first met them.

# A group with more pods that wait for a node is not evaluated: each costs a cycle.
MOST_MEMBERS: Final = 500


def attempt_group(
    snapshot: Snapshot, pod: Pod, profile: Profile, *, choose: Choose | None = None, settles: bool = False
) -> GroupAttempt | None:
    """Try the group of a pod, which is not bound; None for a pod that is scheduled by itself, or held back before.

    ``choose`` takes the row of one of equally good nodes, given the number of the pod in the attempt and its cycle.
    ``settles``: what is not computed counts as not helping, so that the group is scheduled or not.
    """
    key, release = group_key_of(pod, snapshot.release), snapshot.release
    if key is None or not release.enables(Gate.GENERIC_WORKLOAD) or pre_enqueue(pod, profile, snapshot) is not None:
        return None
    asks = any(PLUGINS[name].asks_for_group for name in profile.permit if name in PLUGINS)
    terms = held_groups(snapshot).terms_of(key)
    if terms is None or (release.rules.names_groups_in_workloads and not asks):
        return None
    members = snapshot.groups.of(key)
    bound = tuple(Pod(each.document) for name, each in members.items() if each.node and name != pod.key)
    # Pods of another scheduler that have no node are not known to this one.
    others = [Pod(each.document) for name, each in members.items() if not each.node and name != pod.key]
    known = known_members(snapshot, key, profile.queue)
    others = [each for each in others if each.key in known]
    if others and pod.key not in members:
        # One that does not exist yet counts for its group, too.
        snapshot = snapshot.copy().upsert({**pod.document, "kind": "Pod"})
    queued = sorted((pod, *others), key=lambda each: (-each.priority, each.created, each.name))
    tried = tuple(each for each in queued if not each.terminating or each is pod)
    group = _Group(key, terms, pod, profile, asks, bound, tuple(queued), tried, choose)
    return _Attempt(group, snapshot, settles=settles).result()


class _Attempt:
    """``settles`` as of `attempt_group`; what is not computed is noted then, and the attempt goes on."""

    def __init__(self, group: _Group, snapshot: Snapshot, *, settles: bool) -> None:
        self._snapshot, self._settles = snapshot, settles
        self._is_open = self._is_random = False
        self._release = snapshot.release
        self._group, self._gated = self._without_gated(group)

    def _without_gated(self, group: _Group) -> tuple[_Group, list[Pod]]:
        """A group without the pods that are kept out of the queue, and these."""
        others = (each for each in group.queued if each is not group.pod)
        gated = [each for each in others if pre_enqueue(each, group.profile, self._snapshot) is not None]
        keys = {each.key for each in gated}
        return replace(group, tried=tuple(each for each in group.tried if each.key not in keys)), gated

    def result(self) -> GroupAttempt:
        if self._composite and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN, composite=self._composite)
        if len(self._group.tried) > MOST_MEMBERS and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        if self._release.rules.names_groups_in_workloads:
            run = _Run(self._group, self._snapshot).alone()
            if run.found >= (self._least or 0):
                return self._ended(GroupVerdict.SCHEDULED, run)
            return self._ended(GroupVerdict.WAITS_ON_PERMIT, run, WAITS_ON_PERMIT, WAITS_ON_PERMIT)
        if self._is_together and self._gated:
            return self._ended(GroupVerdict.GATED)
        wrong = self._unlike()
        if wrong:
            return self._ended(GroupVerdict.ERROR, None, wrong, wrong)
        try:
            run = self._scheduled(self._snapshot)
        except UncertainDomainError:
            return self._ended(GroupVerdict.UNCERTAIN)
        if run.status.code is Code.ERROR:
            return self._ended(GroupVerdict.ERROR, run, run.status.message, run.status.message, run.status.message)
        if run.status.code is Code.SUCCESS:
            return self._ended(GroupVerdict.SCHEDULED, run)
        return self._together(run) if self._is_together else self._permitted(run)

    @property
    def _is_together(self) -> bool:
        """Whether the order of the scheduler's steps is that of 1.37."""
        return self._release.rules.evaluates_groups_first

    @property
    def _least(self) -> int | None:
        return self._group.terms.policy.least if self._group.asks else None

    @property
    def _composite(self) -> str:
        """The CompositePodGroup with which the group is tried; empty for a group that is tried by itself."""
        key = self._group.key
        group = held_groups(self._snapshot).groups.get((key.namespace, key.name))
        return "" if group is None or not may_be_nested(self._snapshot, group) else group.parent

    # -- placements ------------------------------------------------------------------------------------------

    def _scheduled(self, snapshot: Snapshot) -> _Run:
        """The run that counts: on all nodes, or in the best topology domain. Raises UncertainDomainError."""
        run = self._placed(snapshot)
        if run.status.code is Code.SUCCESS and not run.assigned and self._is_together:
            run.status = _unschedulable()
        return run

    def _placed(self, snapshot: Snapshot) -> _Run:
        if not self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS):
            return self._run(_Run(self._group, snapshot))
        keys = self._group.terms.topology_keys
        if not keys:
            return self._best(snapshot, [self._run(_Run(self._group, snapshot))])
        try:
            required = _required_domain(self._group, snapshot, keys[0])
        except UnknownDomainError as unknown:
            return self._unplaced(snapshot, _failed(f"cannot determine domain for already scheduled pods: {unknown}"))
        domains = domains_of(snapshot, keys[0], required)
        if not domains:
            return self._unplaced(snapshot, _unschedulable(NO_PLACEMENTS, is_of_group=False))
        if len(domains) * len(snapshot.nodes) > MOST_NODES_TRIED:
            raise UncertainDomainError
        runs = [self._run(_Run(self._group, snapshot, name, rows)) for name, rows in domains.items()]
        best = self._best(snapshot, runs)
        best.placements = tuple(run.as_placement() for run in runs)
        return best

    def _best(self, snapshot: Snapshot, runs: Sequence[_Run]) -> _Run:
        """The run in the best placement of those that take the group; without one the first of all."""
        for run in runs:
            if run.status.code is Code.ERROR or run.status.is_waiting:
                return run
        taking = [run for run in runs if run.status.code is Code.SUCCESS]
        if len(taking) > 1 and not _score(self._group, snapshot, taking):
            return self._unplaced(snapshot, _failed(_SCORING_FAILED))
        if taking:
            best = max(taking, key=lambda run: run.score or 0)
            best.is_random = sum(run.score == best.score for run in taking) > 1
            return best
        first = runs[0]
        status = f"0/{len(runs)} placements are available, first placement status: {first.status.error}"
        first.status = _unschedulable(status, is_of_group=self._is_together)
        return first

    def _unplaced(self, snapshot: Snapshot, status: GroupStatus) -> _Run:
        """A run in which nobody comes to be tried."""
        run = _Run(self._group, snapshot)
        run.members = [MemberAttempt(each.key, is_reached=False) for each in self._group.tried]
        run.status = status
        return run

    def _run(self, run: _Run) -> _Run:
        return run.together() if self._is_together else run.until_permitted(settles=self._settles)

    # -- the minors ------------------------------------------------------------------------------------------

    def _permitted(self, run: _Run) -> GroupAttempt:
        """1.36: a group that Permit lets no pod of go."""
        if run.status.is_waiting or (self._release.enables(Gate.WORKLOAD_AWARE_PREEMPTION) and not self._settled()):
            return self._ended(GroupVerdict.UNCERTAIN, run)
        message, waits = run.status.message, f"{UNSCHEDULABLE}, {WAITS_TO_BE_SCHEDULED}"
        return self._ended(GroupVerdict.UNSCHEDULABLE, run, message, waits, message)

    def _together(self, run: _Run) -> GroupAttempt:
        """1.37: a group that is not scheduled, with what the PodGroupPostFilter of plugins does for it."""
        before = run.status
        found = self._post_filter(run)
        if found is None:
            if not self._settled():
                return self._ended(GroupVerdict.UNCERTAIN, run)
            return self._refused(run, before, GroupPreemption(before))
        if found.status.code is Code.ERROR:
            message = found.status.message
            return self._ended(GroupVerdict.ERROR, run, message, message, message)
        return self._refused(run, before, replace(found, status=_added(before, found.status.message)))

    def _refused(self, run: _Run, before: GroupStatus, found: GroupPreemption) -> GroupAttempt:
        message = found.status.message
        if not found.nominations:
            told = f"{UNSCHEDULABLE}, {message}"
            return self._ended(GroupVerdict.UNSCHEDULABLE, run, message, told, before.message)
        ended = self._ended(GroupVerdict.PREEMPTS, run, message, message, before.message)
        return replace(ended, victims=found.victims, nominations=found.nominations)

    # -- PodGroupPostFilter ----------------------------------------------------------------------------------

    def _post_filter(self, run: _Run) -> GroupPreemption | None:
        """What plugins do for the group, and say; None where that is not computed."""
        said: list[str] = []
        for name in self._group.profile.post_filter:
            if name == DynamicResources.name:
                status = self._free_claims(run)
                found: GroupPreemption | None = GroupPreemption(status)
            elif PLUGINS[name].preempts:
                found = self._preemption()
            else:
                continue
            if found is None or found.nominations or found.status.code is Code.UNRESOLVABLE:
                return found
            if found.status.code is Code.ERROR:
                return GroupPreemption(_failed(f'error in "{name}" PodGroupPostFilter plugins: {found.status.message}'))
            said += found.status.reasons
        return GroupPreemption(GroupStatus(Code.UNSCHEDULABLE, tuple(said)))

    def _free_claims(self, run: _Run) -> GroupStatus:
        """What DynamicResources does: it frees claims that no node of a pod has the devices of."""
        terms = self._group.terms
        if self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS) and terms.is_constrained:
            return _unschedulable(is_of_group=False)
        if not run.is_prepared:
            return _failed(NOTHING_PREPARED)
        if run.has_unfreed and self._release.enables(Gate.DRA_WORKLOAD_CLAIMS) and not self._group.bound:
            freed = freed_of_group(self._snapshot, self._group.key, self._group.pod, run.unavailable)
            if freed is not None:
                return GroupStatus(freed.code, freed.texts)
        return _unschedulable(CLAIMS_FREED, is_of_group=False)

    def _preemption(self) -> GroupPreemption | None:
        """What preemption does for the group; None where that is not computed or costs too much."""
        found = self._preempt()
        if found is None:
            return None
        said = f"pod group preemption: {found.status.message}"
        return replace(found, status=replace(found.status, reasons=(said,), is_of_group=False))

    def _preempt(self) -> GroupPreemption | None:
        group, snapshot = self._group, self._snapshot
        has_policy = self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY)
        if not (group.terms.preempts if has_policy else all(each.preempts for each in group.tried)):
            return GroupPreemption(_unschedulable(NEVER_PREEMPTS, is_of_group=False))
        if self._is_preempting():
            nominations = {each.key: each.nominated_node_name for each in group.tried}
            return GroupPreemption(GroupStatus(reasons=(ONGOING,)), nominations=nominations)
        if self._release.enables(Gate.COMPOSITE_POD_GROUP) and held_groups(snapshot).composites:
            # What lies in composite groups goes with these, which is not computed.
            return None
        everybody = _victims_below(snapshot, self._priority)
        if not everybody:
            return GroupPreemption(GroupStatus(Code.UNRESOLVABLE, (NO_VICTIMS,)))
        if self._settles:
            return None
        try:
            run = self._scheduled(_without(snapshot, everybody))
        except UncertainDomainError:
            return None
        self._is_random = run.is_random
        if run.status.code is not Code.SUCCESS:
            return GroupPreemption(run.status)
        return self._reprieved(everybody, run)

    def _is_preempting(self) -> bool:
        """Whether pods are going already on nodes that pods of the group are nominated for."""
        snapshot, grouped = self._snapshot, _grouped(self._snapshot)
        rows = {snapshot.nodes.index.get(each.nominated_node_name) for each in self._group.tried}
        slots = (slot for row in rows if row is not None for slot in snapshot.pods.on_node(row))
        return any(
            snapshot.pods.preempted[slot] and grouped.priority(snapshot, slot) < self._priority for slot in slots
        )

    def _reprieved(self, everybody: list[_Victim], run: _Run) -> GroupPreemption | None:
        """Let victims come back while every pod of the group keeps the node that it found without them."""
        snapshot, profile, assigned = self._snapshot, self._group.profile, run.assigned
        order = unstable_sort(everybody, lambda left, right: left.rank < right.rank)
        breaking = Protection(snapshot).violating(slot for victim in order for slot in victim.slots)
        queue = sorted(order, key=lambda each: breaking.isdisjoint(each.slots))
        if not any(PLUGINS[name].reads & Reads.PODS for each in assigned for name in each.filters):
            # Whoever is on no node that the group takes comes back, whatever the order.
            rows = {each.row for each in assigned}
            queue = [each for each in queue if not rows.isdisjoint(snapshot.pods.node[list(each.slots)].tolist())]
        if len(queue) * len(assigned) > MOST_CYCLES:
            return None
        gone = list(queue)
        for victim in queue:
            rest = [each for each in gone if each is not victim]
            if _holds(_without(snapshot, rest), profile, assigned):
                gone = rest
        gone = unstable_sort(gone, lambda left, right: left.rank < right.rank)
        victims = tuple(snapshot.pods.keys[slot] for victim in gone for slot in victim.slots)
        said = f"found a placement for podgroup, preempting {len(victims)} victims"
        nominations = {each.pod.key: snapshot.nodes.names[each.row] for each in assigned}
        return GroupPreemption(GroupStatus(reasons=(said,)), victims, nominations)

    # -- steps -----------------------------------------------------------------------------------------------

    def _settled(self) -> bool:
        """Whether the attempt goes on although something is not computed, which it then notes."""
        self._is_open = self._is_open or self._settles
        return self._settles

    @property
    def _priority(self) -> int:
        """The priority of the group; of one that no API server has seen yet that of its PriorityClass."""
        terms = self._group.terms
        if terms.priority is not None:
            return terms.priority
        return int((self._snapshot.object("PriorityClass", terms.priority_class) or {}).get("value") or 0)

    def _unlike(self) -> str:
        """What is wrong with pods that have to be alike in a group; empty where nothing is."""
        queued = self._group.queued
        for each in (*queued, *(self._group.bound if self._is_together else ())):
            if each.scheduler_name != queued[0].scheduler_name:
                said = "all pods in a single pod group should have the same .spec.schedulerName set, got:"
                return f'{said} "{each.scheduler_name}" and "{queued[0].scheduler_name}"'
            if self._is_together:
                wrong = self._unlike_group(each, queued[0])
                if wrong:
                    return wrong
        return ""

    def _unlike_group(self, pod: Pod, first: Pod) -> str:
        own = _policy(preempts=pod.preempts)
        if pod.priority != self._priority:
            said = "all pods in a single pod group should have the same priority as the pod group's priority, got"
            return f"{said} {pod.priority} and {self._priority}"
        terms = self._group.terms
        if self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY):
            if pod.preempts != terms.preempts:
                said = (
                    "all pods in a single pod group should have the same preemption policy "
                    "as the pod group's preemption policy"
                )
                return f"{said}, got {own} and {_policy(preempts=terms.preempts)}"
        elif pod.preempts != first.preempts:
            other = _policy(preempts=first.preempts)
            return f"all pods in a single pod group should have the same preemption policy, got {own} and {other}"
        return ""

    def _ended(
        self,
        verdict: GroupVerdict,
        run: _Run | None = None,
        message: str = "",
        of_found: str = "",
        of_others: str = "",
        *,
        composite: str = "",
    ) -> GroupAttempt:
        group = self._group
        members = [] if run is None else run.members
        if run is None and verdict is GroupVerdict.ERROR:
            members = [MemberAttempt(each.key, is_reached=False) for each in group.queued]
        own = None if run is None else run.own
        return GroupAttempt(
            key=group.key,
            pod=group.pod.key,
            least=self._least,
            existing=len(group.bound) + len(group.queued),
            scheduled=len(group.bound),
            verdict=verdict,
            snapshot=self._snapshot if own is None else own,
            rows=None if run is None or own is None else run.rows,
            members=tuple(members),
            message=message,
            found_message=of_found,
            unreached_message=of_others,
            is_open=self._is_open or verdict is GroupVerdict.UNCERTAIN,
            held_back=self._gated[0].key if self._gated else "",
            domain="" if run is None or verdict is not GroupVerdict.SCHEDULED else run.domain,
            placements=() if run is None else run.placements,
            is_random=self._is_random or (run is not None and run.is_random),
            composite=composite,
        )


_SCORING_FAILED: Final = (
    'running NormalizePlacementScore on PlacementScore plugins: plugin "PodGroupPodsCount" failed with: '
    "no pods from pod group are assigned to any of the candidate placements"
)


def _added(status: GroupStatus, reason: str) -> GroupStatus:
    return replace(status, reasons=(*status.reasons, reason))


def _policy(*, preempts: bool) -> str:
    return "PreemptLowerPriority" if preempts else "Never"


def names_groups(pods: Iterable[Document], release: Release) -> bool:
    """Whether pods belong to groups that a release schedules as such."""
    is_on = release.enables(Gate.GENERIC_WORKLOAD)
    return is_on and any(group_key_of(Pod(each), release) is not None for each in pods)


def recorded_group(
    snapshot: Snapshot, pods: Iterable[Document], configuration: SchedulerConfiguration
) -> Mapping[str, Any]:
    """What comes of the first group of waiting pods, all of them in the snapshot, as ``GroupAttempt.as_recorded``.

    Of equally good nodes the first by name is taken, as in what was recorded. ``entity`` is ``none`` where no group is
    tried.
    """
    for document in pods:
        try:
            profile = configuration.profile_for(document)
        except UnknownScheduler:
            continue
        pod = Pod(document)
        found = None if pod.terminating else attempt_group(snapshot, pod, profile, choose=_first_by_name)
        if found is not None:
            return found.as_recorded()
    return _NOTHING_TRIED


def _first_by_name(_: int, cycle: Cycle) -> int:
    return int(cycle.choices[0])
