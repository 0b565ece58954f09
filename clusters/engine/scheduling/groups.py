"""An attempt to schedule a group of pods: its members one after another, placements, preemption, and messages."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import NodeResourcesFitArgs, UnknownScheduler
from clusters.engine.devices.claims import uses_devices
from clusters.engine.group_states import held_groups, known_members, may_be_nested
from clusters.engine.objects import NOT_STARTED, Pod, metadata, sortable_time
from clusters.engine.plugin import MAX_NODE_SCORE, Reads

# DynamicResources by name: it alone allocates devices, and frees them for a whole group.
from clusters.engine.plugins.dynamic_resources import DynamicResources, freed_of_group

# NodeResourcesFit by name: it alone scores placements by what their nodes have.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit, placement_score
from clusters.engine.podgroups import (
    COMPOSITE,
    POD_GROUP,
    CompositePodGroup,
    DisruptionMode,
    GroupTerms,
    PodGroup,
    PodGroupKey,
    group_key_of,
)
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
    ``placements``: those that were tried; ``is_random``: of equally good ones it is chance which is taken,
    ``tells_of_any``: and where none takes the group, which is told of.
    ``composite``: the CompositePodGroup with which the group is tried, where that is uncertain the one it names; empty
    for a group that is tried by itself.
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
    tells_of_any: bool = False
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


# The group, alone or in a tree of groups, and one run over its pods on some nodes.


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

    ``bound`` pods have a node; ``queued`` have none, of which ``tried`` are not being deleted, in the order of their
    turns.
    """

    key: PodGroupKey
    terms: GroupTerms
    bound: tuple[Pod, ...]
    queued: tuple[Pod, ...]
    tried: tuple[Pod, ...]

    @property
    def leaves(self) -> tuple[_Group, ...]:
        """The group itself, as that of a tree."""
        return (self,)


class _Composite(Struct, frozen=True):
    """A CompositePodGroup; its ``parts`` in the order of their turns."""

    name: str
    terms: GroupTerms
    parts: tuple[_Group | _Composite, ...]

    @property
    def leaves(self) -> tuple[_Group, ...]:
        """The groups of pods under it."""
        return tuple(leaf for part in self.parts for leaf in part.leaves)

    @property
    def bound(self) -> tuple[Pod, ...]:
        """The pods of these that have a node."""
        return tuple(pod for leaf in self.leaves for pod in leaf.bound)


class _Asked(Struct, frozen=True):
    """What is asked: the ``pod`` that the attempt is about, and how its scheduler places pods.

    ``is_counted``: a plugin of the profile asks for the least number of pods.
    """

    pod: Pod
    profile: Profile
    is_counted: bool
    choose: Choose | None

    def feasibility(self, terms: GroupTerms, scheduled: int, remaining: int) -> GroupStatus:
        """Whether enough members are scheduled, or can still be: PlacementFeasible of GangScheduling (from 1.37)."""
        least = terms.policy.quorum
        if not self.is_counted or scheduled >= least:
            return GroupStatus()
        counted = f"{scheduled} scheduled, {remaining} remaining"
        if scheduled + remaining < least:
            return _unschedulable(f"minCount ({least}) cannot be satisfied: {counted}", is_of_group=False)
        return GroupStatus(Code.UNSCHEDULABLE, (f"minCount ({least}) is not yet satisfied: {counted}",), True)


class _Tried:
    """A group or composite as it was tried on all nodes, or on ``rows``, those of a ``domain``.

    ``status``: what came of it; ``state``: the cluster then. ``score``: of its placement, where several take it;
    ``placements``: all that were tried; ``is_random``: another could have been taken as well, ``tells_of_any``: or told
    of.
    """

    def __init__(self, snapshot: Snapshot, domain: str, rows: Index | None) -> None:
        self.domain, self.rows = domain, rows
        self.status = GroupStatus()
        self.state = snapshot.copy()
        self.score: int | None = None
        self.placements: tuple[PlacementAttempt, ...] = ()
        self.is_random = self.tells_of_any = False

    @property
    def is_hopeless(self) -> bool:
        """Whether the attempt is over: enough members cannot be reached any more, or one ended it with an error."""
        return self.status.code is not Code.SUCCESS and not self.status.is_waiting

    @property
    def assigned(self) -> list[_Assigned]:
        """The pods that find a node, of what takes enough of them."""
        raise NotImplementedError

    @property
    def found(self) -> int:
        """How many pods have a node, or have found one."""
        raise NotImplementedError

    @property
    def told(self) -> tuple[Any, ...]:
        """All that is said of it and of what is in it."""
        raise NotImplementedError

    def as_placement(self) -> PlacementAttempt:
        """What came of it in a topology domain."""
        nodes = 0 if self.rows is None else len(self.rows)
        is_feasible = self.status.code is Code.SUCCESS
        return PlacementAttempt(self.domain, nodes, self.found, is_feasible, self.status.message, self.score)


class _Branch(_Tried):
    """The parts of a CompositePodGroup one after another, each where those before it have their nodes."""

    def __init__(self, composite: _Composite, snapshot: Snapshot, domain: str, rows: Index | None) -> None:
        super().__init__(snapshot, domain, rows)
        self.group = composite
        self.parts: list[_Run | _Branch] = []

    @property
    def taking(self) -> list[_Run | _Branch]:
        """The parts that are scheduled."""
        return [part for part in self.parts if part.status.code is Code.SUCCESS]

    @property
    def has_refused(self) -> bool:
        """Whether pods of a part found a node although it is not scheduled."""
        refused = [part for part in self.parts if part.status.code is not Code.SUCCESS and part.assigned]
        return bool(refused) or any(isinstance(part, _Branch) and part.has_refused for part in self.parts)

    @property
    def assigned(self) -> list[_Assigned]:
        return [each for part in self.taking for each in part.assigned]

    @property
    def found(self) -> int:
        return len(self.group.bound) + len(self.assigned)

    @property
    def told(self) -> tuple[Any, ...]:
        return self.status, *(part.told for part in self.parts)


class _Run(_Tried):
    """The pods of a group one after another, each where those before it have their nodes.

    ``own``: the cluster as the pod finds it that the attempt is about. ``is_prepared``: DynamicResources came to look
    at a pod; ``has_unfreed``: it found one of which it would free no claim; ``unavailable``: the claims that are not
    available on nodes.
    """

    def __init__(
        self, asked: _Asked, group: _Group, snapshot: Snapshot, domain: str = "", rows: Index | None = None
    ) -> None:
        super().__init__(snapshot, domain, rows)
        self.group, self._asked = group, asked
        self.members: list[MemberAttempt] = []
        self._assigned: list[_Assigned] = []
        self.own: Snapshot | None = None
        self.is_prepared = self.has_unfreed = False
        self.unavailable: list[Document] = []

    @property
    def assigned(self) -> list[_Assigned]:
        return self._assigned

    @property
    def found(self) -> int:
        return len(self.group.bound) + len(self._assigned)

    @property
    def told(self) -> tuple[Any, ...]:
        return self.status, *((each.refusal, each.is_reached) for each in self.members)

    def together(self) -> _Run:
        """1.37: pods are tried while as many as the group needs can still be reached."""
        remaining = len(self.group.tried)
        self.status = self._asked.feasibility(self.group.terms, self.found, remaining)
        if self.is_hopeless:
            self.status = replace(self.status, is_of_group=True)
        for pod in self.group.tried:
            if self.is_hopeless:
                self.members.append(MemberAttempt(pod.key, is_reached=False))
                continue
            error = self._try(pod).error
            remaining -= 1
            if error is None:
                self.status = self._asked.feasibility(self.group.terms, self.found, remaining)
        if self.status.is_waiting:
            self.status = _unschedulable(*self.status.reasons)
        return self

    def until_permitted(self, *, settles: bool) -> _Run:
        """1.36: all pods are tried, each with preemption; the group is scheduled once Permit lets one of them go.

        Of ``settles`` preemption counts as not helping; otherwise it leaves the status waiting.
        """
        least = self.group.terms.policy.least if self._asked.is_counted else None
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

    def passed_over(self) -> _Run:
        """Nobody is tried."""
        self.members = [MemberAttempt(each.key, is_reached=False) for each in self.group.tried]
        return self

    def alone(self) -> _Run:
        """1.35: each pod by itself; those that find a node wait for the others."""
        for pod in self.group.tried:
            self._try(pod)
        return self

    def _preempts(self, cycle: Cycle) -> bool:
        """Whether preemption makes room for one pod: what the others find then is not computed."""
        asks = any(PLUGINS[name].preempts for name in self._asked.profile.post_filter)
        return asks and has_lower(self.state, cycle.context.pod.priority) and preempt(cycle).selected is not None

    def _try(self, pod: Pod) -> Cycle:
        """Try one pod, and give it its node."""
        state, profile = self.state, self._asked.profile
        if pod.key == self._asked.pod.key:
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
            self._assigned.append(_Assigned(pod, row, cycle.skipped, tuple(cycle.filters)))
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
        choose = self._asked.choose
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


def domains_of(
    snapshot: Snapshot, key: str, rows: Index | None = None, among: str | None = None
) -> Mapping[str, Index]:
    """Those of all nodes or of ``rows`` that have a label, by its value and in the order of their first nodes.

    ``among``: of this value alone.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for row in range(len(snapshot.nodes)) if rows is None else rows.tolist():
        value = snapshot.nodes.nodes[row].labels.get(key)
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


def _required_domain(group: _Group | _Composite, snapshot: Snapshot, key: str) -> str | None:
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


def _score(profile: Profile, snapshot: Snapshot, runs: Sequence[_Run | _Branch]) -> bool:
    """Score the placements that take the group; False where no pod was placed in any of them, which is an error."""
    most = max(run.found for run in runs)
    if not most:
        return False
    arguments = profile.args[NodeResourcesFit.name]
    assert isinstance(arguments, NodeResourcesFitArgs)  # noqa: S101 - the arguments of this plugin
    weight = profile.weights.get(NodeResourcesFit.name, 0)
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
    """Pods that go together, by their slots.

    ``standing``: 0 for a pod of no group, 1 for what belongs to one, 2 for all pods of a CompositePodGroup.
    """

    slots: tuple[int, ...]
    priority: int
    standing: int
    start: int

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Sorts by importance, the most important first."""
        return (-self.priority, -self.standing, -len(self.slots), self.start)


class _Grouped(NamedTuple):
    """The groups of pods by the pods' keys, and each held group with the composites that it is part of, upwards."""

    snapshot: Snapshot
    keys: Mapping[str, PodGroupKey]
    lineages: Mapping[PodGroupKey, tuple[PodGroup | CompositePodGroup, ...]]

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Grouped:
        held, known = held_groups(snapshot), [key for key in snapshot.groups.known() if not key.workload]
        keys = {name: key for key in known for name in snapshot.groups.of(key)}
        is_nested = snapshot.release.enables(Gate.COMPOSITE_POD_GROUP)
        return cls(snapshot, keys, {key: held.lineage(key, is_nested=is_nested) for key in known})

    def priority(self, slot: int) -> int:
        """The priority of a pod in preemption for a group: that of its group, or of the topmost above this."""
        key = self.keys.get(self.snapshot.pods.keys[slot])
        lineage = () if key is None else self.lineages[key]
        return (lineage[-1].terms.priority or 0) if lineage else int(self.snapshot.pods.priority[slot])

    def together(self, slot: int) -> tuple[tuple[int, ...], int]:
        """The slots of the pods that go with one, it among them, and their standing."""
        key = self.keys.get(self.snapshot.pods.keys[slot])
        lineage = () if key is None else self.lineages[key]
        whole = [each for each in lineage if each.terms.disruption is DisruptionMode.ALL]
        if key is None or not whole:
            return (slot,), int(key is not None)
        slot_of, nodes = self.snapshot.pods.slot_of, self.snapshot.pods.node
        is_composite = isinstance(whole[-1], CompositePodGroup)
        groups = [each for each, above in self.lineages.items() if whole[-1] in above] if is_composite else [key]
        members = (slot_of.get(name) for each in groups for name in self.snapshot.groups.of(each))
        slots = tuple(sorted(each for each in members if each is not None and nodes[each] >= 0))
        return slots, 2 if is_composite else 1


def _victims_below(snapshot: Snapshot, priority: int) -> list[_Victim]:
    """The pods, alone or together, that a group of a priority may have removed, in the order of their nodes."""
    pods, grouped = snapshot.pods, _Grouped.of(snapshot)
    found: dict[tuple[int, ...], _Victim] = {}
    placed = np.flatnonzero(pods.node >= 0)
    places = snapshot.nodes.search_places.take(pods.node[placed])
    for slot in placed[np.lexsort((pods.arrival[placed], places))].tolist():
        own = grouped.priority(slot)
        if own >= priority:
            continue
        slots, standing = grouped.together(slot)
        if slots not in found:
            starts = (int(pods.start[each]) for each in slots)
            start = min(NOT_STARTED + len(found) if each == NOT_STARTED else each for each in starts)
            found[slots] = _Victim(slots, own, standing, start)
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
    if held_groups(snapshot).terms_of(key) is None or (release.rules.names_groups_in_workloads and not asks):
        return None
    if pod.key not in snapshot.groups.of(key):
        # One that does not exist yet counts for its group, too.
        snapshot = snapshot.copy().upsert({**pod.document, "kind": "Pod"})
    return _Attempt(_Asked(pod, profile, asks, choose), key, snapshot, settles=settles).result()


class _Attempt:
    """``settles`` as of `attempt_group`; what is not computed is noted then, and the attempt goes on."""

    def __init__(self, asked: _Asked, key: PodGroupKey, snapshot: Snapshot, *, settles: bool) -> None:
        self._asked, self._snapshot, self._settles = asked, snapshot, settles
        self._is_open = self._is_random = self._tells_of_any = False
        self._release, self._held = snapshot.release, held_groups(snapshot)
        self._lineage = self._held.lineage(key, is_nested=self._release.enables(Gate.COMPOSITE_POD_GROUP))
        self._gated: list[Pod] = []
        composite = self._lineage[-1] if len(self._lineage) > 1 else None
        self._root = self._group_of(key) if composite is None else self._composite_of(composite)
        (self._group,) = (each for each in self._root.leaves if each.key == key)

    def _group_of(self, key: PodGroupKey) -> _Group:
        """A group with the pods that its scheduler knows; those are noted that are kept out of the queue."""
        asked, terms = self._asked, self._held.terms_of(key)
        assert terms is not None  # noqa: S101 - only groups that are held are tried
        members = self._snapshot.groups.of(key)
        known = known_members(self._snapshot, key, asked.profile.queue)
        pods = [Pod(each.document) for name, each in members.items() if not each.node and name in known]
        pods = [asked.pod if each.key == asked.pod.key else each for each in pods]
        queued = tuple(sorted(pods, key=lambda each: (-each.priority, each.created, each.name)))
        others = (each for each in queued if each is not asked.pod)
        gated = [each for each in others if pre_enqueue(each, asked.profile, self._snapshot) is not None]
        self._gated += gated
        left = (each for each in queued if all(each is not other for other in gated))
        tried = tuple(each for each in left if not each.terminating or each is asked.pod)
        return _Group(key, terms, tuple(Pod(each.document) for each in members.values() if each.node), queued, tried)

    def _composite_of(self, composite: CompositePodGroup | PodGroup) -> _Composite:
        """A CompositePodGroup with its parts, those first that were created first."""
        space = composite.namespace
        parts: list[tuple[int, str, _Group | _Composite]] = []
        for kind, held in ((POD_GROUP, self._held.groups), (COMPOSITE, self._held.composites)):
            for (namespace, name), each in held.items():
                if namespace == space and each.parent == composite.name:
                    document = self._snapshot.object(kind, name, namespace) or {}
                    created = sortable_time(metadata(document).get("creationTimestamp"))
                    is_leaf = isinstance(each, PodGroup)
                    part = self._group_of(PodGroupKey(namespace, name)) if is_leaf else self._composite_of(each)
                    parts.append((created, name, part))
        ordered = tuple(part for *_, part in sorted(parts, key=itemgetter(0, 1)))
        return _Composite(composite.name, composite.terms, ordered)

    def result(self) -> GroupAttempt:
        if self._undecided and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN, composite=self._undecided)
        if sum(len(leaf.tried) for leaf in self._root.leaves) > MOST_MEMBERS and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        if self._release.rules.names_groups_in_workloads:
            alone = _Run(self._asked, self._group, self._snapshot).alone()
            if alone.found >= (self._least or 0):
                return self._ended(GroupVerdict.SCHEDULED, alone)
            return self._ended(GroupVerdict.WAITS_ON_PERMIT, alone, WAITS_ON_PERMIT, WAITS_ON_PERMIT)
        if self._is_together and self._gated:
            return self._ended(GroupVerdict.GATED)
        wrong = self._unlike()
        if wrong:
            return self._ended(GroupVerdict.ERROR, None, wrong, wrong)
        try:
            tried = self._scheduled(self._snapshot)
        except UncertainDomainError:
            return self._ended(GroupVerdict.UNCERTAIN)
        self._is_random, self._tells_of_any = tried.is_random, tried.tells_of_any
        if not self._is_together and tried.status.code is Code.UNSCHEDULABLE:
            return self._permitted(self._own_run(tried))
        return self._together(tried)

    @property
    def _is_together(self) -> bool:
        """Whether the order of the scheduler's steps is that of 1.37."""
        return self._release.rules.evaluates_groups_first

    @property
    def _least(self) -> int | None:
        return self._group.terms.policy.least if self._asked.is_counted else None

    @property
    def _undecided(self) -> str:
        """The CompositePodGroup with which the group is tried if a gate is on that nobody set; empty for others."""
        key = self._group.key
        group = self._held.groups.get((key.namespace, key.name))
        if group is None or len(self._lineage) > 1 or not may_be_nested(self._snapshot, group):
            return ""
        return group.parent

    # -- placements ------------------------------------------------------------------------------------------

    def _scheduled(self, snapshot: Snapshot) -> _Run | _Branch:
        """What comes of the whole tree, in the best topology domains. Raises UncertainDomainError."""
        tried = self._placed(self._root, snapshot, None)
        if tried.status.code is Code.SUCCESS and not tried.assigned and self._is_together:
            tried.status = _unschedulable()
        return tried

    def _placed(self, group: _Group | _Composite, snapshot: Snapshot, rows: Index | None) -> _Run | _Branch:
        """A group or composite in the best domain that it may be in, of all nodes or ``rows``."""
        if not self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS):
            return self._run(group, snapshot, "", rows)
        keys = group.terms.topology_keys
        if not keys:
            return self._best(group, snapshot, [self._run(group, snapshot, "", rows)])
        try:
            required = _required_domain(group, snapshot, keys[0])
        except UnknownDomainError as unknown:
            failed = _failed(f"cannot determine domain for already scheduled pods: {unknown}")
            return self._unplaced(group, snapshot, failed)
        domains = domains_of(snapshot, keys[0], rows, required)
        if not domains:
            return self._unplaced(group, snapshot, _unschedulable(NO_PLACEMENTS, is_of_group=False))
        if len(domains) * len(snapshot.nodes) > MOST_NODES_TRIED:
            raise UncertainDomainError
        runs = [self._run(group, snapshot, name, rows) for name, rows in domains.items()]
        best = self._best(group, snapshot, runs)
        best.placements = tuple(run.as_placement() for run in runs)
        return best

    def _best(self, group: _Group | _Composite, snapshot: Snapshot, runs: Sequence[_Run | _Branch]) -> _Run | _Branch:
        """The run in the best placement of those that take the group; without one the first of all."""
        for run in runs:
            if run.status.code is Code.ERROR or run.status.is_waiting:
                return run
        taking = [run for run in runs if run.status.code is Code.SUCCESS]
        if len(taking) > 1 and not _score(self._asked.profile, snapshot, taking):
            return self._unplaced(group, snapshot, _failed(_SCORING_FAILED))
        if taking:
            best = max(taking, key=lambda run: run.score or 0)
            best.is_random = best.is_random or sum(run.score == best.score for run in taking) > 1
            return best
        first = runs[0]
        first.tells_of_any = first.tells_of_any or any(run.told != first.told for run in runs)
        status = f"0/{len(runs)} placements are available, first placement status: {first.status.error}"
        first.status = _unschedulable(status, is_of_group=self._is_together)
        return first

    def _unplaced(self, group: _Group | _Composite, snapshot: Snapshot, status: GroupStatus) -> _Run | _Branch:
        """What nobody comes to be tried of."""
        tried = (
            _Branch(group, snapshot, "", None)
            if isinstance(group, _Composite)
            else _Run(self._asked, group, snapshot).passed_over()
        )
        tried.status = status
        return tried

    def _run(self, group: _Group | _Composite, snapshot: Snapshot, domain: str, rows: Index | None) -> _Run | _Branch:
        if isinstance(group, _Composite):
            return self._parts(_Branch(group, snapshot, domain, rows))
        run = _Run(self._asked, group, snapshot, domain, rows)
        return run.together() if self._is_together else run.until_permitted(settles=self._settles)

    def _parts(self, branch: _Branch) -> _Branch:
        """Try the parts of a composite while as many as it needs can still be scheduled."""
        terms, remaining = branch.group.terms, len(branch.group.parts)
        branch.status = self._asked.feasibility(terms, 0, remaining)
        for each in branch.group.parts:
            if branch.is_hopeless:
                return branch
            part = self._placed(each, branch.state, branch.rows)
            branch.parts.append(part)
            branch.is_random = branch.is_random or part.is_random
            branch.tells_of_any = branch.tells_of_any or part.tells_of_any
            if part.status.code is Code.ERROR:
                said = f"composite pod group evaluation failed due to child error: {part.status.error}"
                branch.status = _failed(said)
                return branch
            if part.status.code is Code.SUCCESS:
                branch.state = part.state
            remaining -= 1
            branch.status = self._asked.feasibility(terms, len(branch.taking), remaining)
        if branch.status.is_waiting:
            branch.status = _unschedulable(*branch.status.reasons)
        return branch

    # -- the minors ------------------------------------------------------------------------------------------

    def _permitted(self, run: _Run) -> GroupAttempt:
        """1.36: a group that Permit lets no pod of go."""
        if run.status.is_waiting or (self._release.enables(Gate.WORKLOAD_AWARE_PREEMPTION) and not self._settled()):
            return self._ended(GroupVerdict.UNCERTAIN, run)
        message, waits = run.status.message, f"{UNSCHEDULABLE}, {WAITS_TO_BE_SCHEDULED}"
        return self._ended(GroupVerdict.UNSCHEDULABLE, run, message, waits, message)

    def _together(self, tried: _Run | _Branch) -> GroupAttempt:
        """1.37: what became of the tree, with what the PodGroupPostFilter of plugins does for one that is refused."""
        found = self._post_filter(tried) if tried.status.code is Code.UNSCHEDULABLE else GroupPreemption(GroupStatus())
        if found is None and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN, self._own_run(tried))
        said = None if found is None or tried.status.code is not Code.UNSCHEDULABLE else found.status
        if said is not None and said.code is Code.ERROR:
            return self._ended(GroupVerdict.ERROR, self._own_run(tried), *[said.message] * 3)
        run = self._own_run(tried)
        if run.status.code is Code.SUCCESS:
            return self._ended(GroupVerdict.SCHEDULED, run)
        if run.status.code is Code.ERROR:
            return self._ended(GroupVerdict.ERROR, run, *[run.status.message] * 3)
        # What several groups have in common is said so many times in each of them.
        reasons = () if said is None else (said.message,) * self._sharing(tried, run)
        message = replace(run.status, reasons=(*run.status.reasons, *reasons)).message
        if found is None or not found.nominations:
            told = f"{UNSCHEDULABLE}, {message}"
            return self._ended(GroupVerdict.UNSCHEDULABLE, run, message, told, run.status.message)
        ended = self._ended(GroupVerdict.PREEMPTS, run, message, message, run.status.message)
        return replace(ended, victims=found.victims, nominations=found.nominations)

    def _own_run(self, tried: _Run | _Branch) -> _Run:
        """What is said of the pod's group: of one that would do, or was not reached, what is said of the whole."""
        if isinstance(tried, _Run):
            return tried
        part = next((each for each in tried.parts if self._group in each.group.leaves), None)
        is_inherited = part is None or (tried.status.code is not Code.SUCCESS and part.status.code is Code.SUCCESS)
        if part is not None and not is_inherited:
            return self._own_run(part)
        run = _Run(self._asked, self._group, self._snapshot).passed_over()
        run.status = tried.status
        return run

    def _sharing(self, tried: _Run | _Branch, run: _Run) -> int:
        """How many results of the tree have the very status of a group: those that were given it, and whose it is."""
        if isinstance(tried, _Run):
            return 1
        held: Counter[int] = Counter()

        def give(group: _Group | _Composite, result: _Run | _Branch | None, parent: GroupStatus) -> None:
            is_own = result is not None and (parent.code is Code.SUCCESS or result.status.code is not Code.SUCCESS)
            status = result.status if result is not None and is_own else parent
            held[id(status)] += 1
            parts = {id(each.group): each for each in result.parts} if isinstance(result, _Branch) and is_own else {}
            for each in group.parts if isinstance(group, _Composite) else ():
                give(each, parts.get(id(each)), status)

        give(tried.group, tried, GroupStatus())
        return held[id(run.status)]

    # -- PodGroupPostFilter ----------------------------------------------------------------------------------

    def _post_filter(self, tried: _Run | _Branch) -> GroupPreemption | None:
        """What plugins do for the group, and say; None where that is not computed."""
        said: list[str] = []
        for name in self._asked.profile.post_filter:
            if name == DynamicResources.name:
                found: GroupPreemption | None = GroupPreemption(self._free_claims(tried))
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

    def _free_claims(self, run: _Run | _Branch) -> GroupStatus:
        """What DynamicResources does: it frees claims that no node of a pod has the devices of."""
        is_placed = self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS) and self._group.terms.is_constrained
        if is_placed or isinstance(run, _Branch):
            return _unschedulable(is_of_group=False)
        if not run.is_prepared:
            return _failed(NOTHING_PREPARED)
        if run.has_unfreed and self._release.enables(Gate.DRA_WORKLOAD_CLAIMS) and not self._group.bound:
            freed = freed_of_group(self._snapshot, self._group.key, self._asked.pod, run.unavailable)
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
        snapshot, pods = self._snapshot, [pod for leaf in self._root.leaves for pod in leaf.tried]
        has_policy = self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY)
        if not (self._root.terms.preempts if has_policy else all(each.preempts for each in pods)):
            return GroupPreemption(_unschedulable(NEVER_PREEMPTS, is_of_group=False))
        if self._is_preempting(pods):
            nominations = {each.key: each.nominated_node_name for each in pods}
            return GroupPreemption(GroupStatus(reasons=(ONGOING,)), nominations=nominations)
        everybody = _victims_below(snapshot, self._priority)
        if not everybody:
            return GroupPreemption(GroupStatus(Code.UNRESOLVABLE, (NO_VICTIMS,)))
        if self._settles:
            return None
        try:
            run = self._scheduled(_without(snapshot, everybody))
        except UncertainDomainError:
            return None
        self._is_random = self._is_random or run.is_random
        if run.status.code is not Code.SUCCESS:
            return GroupPreemption(run.status)
        return self._reprieved(everybody, run)

    def _is_preempting(self, pods: Iterable[Pod]) -> bool:
        """Whether pods are going already on nodes that pods of the group are nominated for."""
        snapshot, grouped = self._snapshot, _Grouped.of(self._snapshot)
        rows = {snapshot.nodes.index.get(each.nominated_node_name) for each in pods}
        slots = (slot for row in rows if row is not None for slot in snapshot.pods.on_node(row))
        return any(snapshot.pods.preempted[slot] and grouped.priority(slot) < self._priority for slot in slots)

    def _reprieved(self, everybody: list[_Victim], run: _Run | _Branch) -> GroupPreemption | None:
        """Let victims come back while every pod of the group keeps the node that it found without them."""
        if isinstance(run, _Branch) and run.has_refused:
            # Pods that found a node count there although their group is refused, in no order.
            return None
        snapshot, profile, assigned = self._snapshot, self._asked.profile, run.assigned
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
        terms = self._root.terms
        if terms.priority is not None:
            return terms.priority
        return int((self._snapshot.object("PriorityClass", terms.priority_class) or {}).get("value") or 0)

    def _unlike(self) -> str:
        """What is wrong with pods that have to be alike in a group; empty where nothing is."""
        queued = tuple(pod for leaf in self._root.leaves for pod in leaf.queued)
        for each in (*queued, *(self._root.bound if self._is_together else ())):
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
        terms = self._root.terms
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
            pod=self._asked.pod.key,
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
            is_random=self._is_random,
            tells_of_any=self._tells_of_any,
            composite=composite or (self._root.name if isinstance(self._root, _Composite) else ""),
        )


_SCORING_FAILED: Final = (
    'running NormalizePlacementScore on PlacementScore plugins: plugin "PodGroupPodsCount" failed with: '
    "no pods from pod group are assigned to any of the candidate placements"
)


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
