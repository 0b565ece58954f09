"""An attempt to schedule a group of pods: its members one after another, placements, preemption, and messages."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from copy import copy
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import NodeResourcesFitArgs, UnknownScheduler
from clusters.engine.devices.claims import uses_devices
from clusters.engine.group_states import DEEPEST, held_groups, known_members, may_be_nested
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
from clusters.engine.registry import PLUGINS, group_plugins, pre_enqueue
from clusters.engine.scheduling.answers import fit_error_of, rejecting
from clusters.engine.scheduling.cycle import Cycle, reserve_devices, run_cycle
from clusters.engine.scheduling.preemption import Protection, answer_of, first_rejected, has_run, preempt
from clusters.engine.scheduling.search import first_row, unstable_sort
from clusters.engine.status import Code
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    ``least``: how many pods have to be scheduled together; None for a group with the basic policy. ``existing``: how
    many there are, of which ``scheduled`` have had a node before. ``members``: those that wait, in the order in which
    they are tried. ``message``: what the scheduler says of the group, ``found_message`` of each pod that has found a
    node and does not get it, ``unreached_message`` of those that the attempt does not come to. ``is_open``: something
    that is not computed could change what becomes of the group. ``snapshot``: the cluster as that pod finds it, and
    ``rows`` the nodes that it is tried on, None for all. ``is_invalid``: the error is that pods or groups are unlike.
    ``held_back``: the first other pod of the group that is kept out of the queue. ``victims`` have to go for the
    group, whose pods are nominated for the nodes that they would take then, ``nominations``. ``domain``: the topology
    domain that all its pods go to, where it asks for one; ``placements``: those that were tried; ``is_random``: of
    equally good ones it is chance which is taken, ``tells_of_any``: and where none takes the group, which is told of.
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
    is_invalid: bool = False
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
    def reason(self) -> str:
        """Of the condition that the scheduler gives the group."""
        match self.verdict:
            case GroupVerdict.SCHEDULED:
                return "Scheduled"
            case GroupVerdict.ERROR:
                is_told_apart = self.is_invalid and self.snapshot.release.rules.says_what_groups_lack
                return "PodGroupError" if is_told_apart else "SchedulerError"
            case _:
                return "Unschedulable"

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
            return self.found_message
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
        condition = {"status": str(is_scheduled), "reason": self.reason}
        if not is_scheduled:
            condition["message"] = self.message
        return {"entity": "group", "pods": pods, "victims": sorted(self.victims), "condition": condition}


_NOTHING_TRIED: Final[Mapping[str, Any]] = {"entity": "none", "pods": {}, "victims": []}


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
NOMINATED_TAKES_NONE: Final = "nominated placement is feasible but no pending pod was scheduled"
NONE_SCHEDULED: Final = "no pods were schedulable"
NOTHING_PREPARED: Final = "not found"
CLAIMS_FREED: Final = "deallocation and deletion of ResourceClaims completed"


class GroupStatus(Struct, frozen=True):
    """How far a group is: ``code`` and ``reasons`` as the scheduler has them.

    ``is_waiting``: the pods that are left can still be enough. ``is_of_group``: that the group is unschedulable stands
    before its reasons, and alone where no reason is asked for. ``is_of_plugin``: it is what a plugin said, which the
    pods are told as it is.
    """

    code: Code = Code.SUCCESS
    reasons: tuple[str, ...] = ()
    is_waiting: bool = False
    is_of_group: bool = False
    is_of_plugin: bool = False

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

    ``workload``: the name of the Workload that it was made for. ``bound`` pods have a node; ``queued`` have none, of
    which ``tried`` are not being deleted, in the order of their turns.
    """

    key: PodGroupKey
    terms: GroupTerms
    workload: str
    bound: tuple[Pod, ...]
    queued: tuple[Pod, ...]
    tried: tuple[Pod, ...]

    @property
    def name(self) -> str:
        """As its object has it."""
        return self.key.name

    @property
    def leaves(self) -> tuple[_Group, ...]:
        """The group itself, as that of a tree."""
        return (self,)


class _Composite(Struct, frozen=True):
    """A CompositePodGroup; its ``parts`` in the order of their turns."""

    name: str
    terms: GroupTerms
    workload: str
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

    ``is_counted``: a plugin of the profile asks for the least number of pods. ``says_what_lacks``: from 1.38 on.
    """

    pod: Pod
    profile: Profile
    is_counted: bool
    says_what_lacks: bool
    choose: Choose | None

    def feasibility(self, terms: GroupTerms, scheduled: int, refused: int, remaining: int) -> GroupStatus:
        """Whether enough members are scheduled, or can still be: PlacementFeasible of GangScheduling (from 1.37)."""
        least = terms.policy.quorum
        if not self.is_counted or scheduled >= least:
            return GroupStatus()
        wanted, counted = f"minCount ({least})", f"{scheduled} scheduled, {remaining} remaining"
        if self.says_what_lacks:
            wanted = f"scheduling policy's minimum threshold ({least})"
            counted = f"{scheduled} scheduled, {refused} unschedulable, {remaining} not-evaluated"
        if scheduled + remaining < least:
            return _unschedulable(f"{wanted} cannot be satisfied: {counted}", is_of_group=False)
        return GroupStatus(Code.UNSCHEDULABLE, (f"{wanted} is not yet satisfied: {counted}",), True)

    def refusal(self, *reasons: str) -> GroupStatus:
        """The status of a group that is unschedulable for these reasons, which until 1.37 stands before them."""
        return _unschedulable(*reasons, is_of_group=not self.says_what_lacks)


class _State(NamedTuple):
    """The cluster as members find it that come later, and whom those before them condemned, by the slots of victims."""

    snapshot: Snapshot
    condemned: frozenset[tuple[int, ...]] = frozenset()


class _Tried:
    """A group or composite as it was tried on all nodes, or on ``rows``, those of a ``domain``.

    ``status``: what came of it; ``state``: the cluster then, and ``condemned`` the pods that have to go for it, where
    nodes are ranked by these. ``score``: of its placement, where several take it;
    ``placements``: all that were tried; ``is_random``: another could have been taken as well, ``tells_of_any``: or told
    of.
    """

    def __init__(self, state: _State, domain: str, rows: Index | None) -> None:
        self.domain, self.rows = domain, rows
        self.status = GroupStatus()
        self.state, self.condemned = state.snapshot.copy(), state.condemned
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

    def __init__(self, composite: _Composite, state: _State, domain: str, rows: Index | None) -> None:
        super().__init__(state, domain, rows)
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
        self,
        asked: _Asked,
        group: _Group,
        state: _State,
        domain: str = "",
        rows: Index | None = None,
        ranking: _Ranking | None = None,
    ) -> None:
        super().__init__(state, domain, rows)
        self.group, self._asked, self._ranking = group, asked, ranking
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
        self.status = self._asked.feasibility(self.group.terms, self.found, 0, remaining)
        if self.is_hopeless:
            self.status = self._asked.refusal(*self.status.reasons)
        for pod in self.group.tried:
            if self.is_hopeless:
                self.members.append(MemberAttempt(pod.key, is_reached=False))
                continue
            error = self._try(pod).error
            remaining -= 1
            if error is None:
                refused = len(self.members) - len(self._assigned)
                self.status = self._asked.feasibility(self.group.terms, self.found, refused, remaining)
        if self.status.is_waiting:
            self.status = self._asked.refusal(*self.status.reasons)
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
        if self._ranking is not None and len(cycle.choices) and not cycle.takes_nominated:
            cheapest = self._ranking.cheapest(cycle.feasible, self.condemned)
            if len(cheapest) < len(cycle.feasible):
                cycle = run_cycle(state, pod, profile, within=self.rows, among=cheapest)
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
            if self._ranking is not None:
                self.condemned |= self._ranking.on(row)
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

# Of very many nodes in all placements so many percent of these are looked for at least.
_LEAST_PERCENTAGE: Final = 5
# Nodes times domains: each pod is tried on the nodes of each domain.
MOST_NODES_TRIED: Final = 20_000
# So many pods times domains: each is a cycle of its own.
MOST_PODS_TRIED: Final = 10_000


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
        # From 1.38 on an empty value is taken for a mistake, and no domain.
        is_domain = value or (value is not None and not snapshot.release.rules.says_what_groups_lack)
        if value is not None and is_domain and among in (None, value):
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
    is_domain = not snapshot.release.rules.says_what_groups_lack
    found: dict[str, None] = {}
    for pod in group.bound:
        labels = snapshot.nodes.nodes[snapshot.nodes.index[pod.node_name]].labels
        if key not in labels:
            raise UnknownDomainError(f"no topology domain found for pod {pod.key}")
        if not labels[key] and not is_domain:
            raise UnknownDomainError(f"empty topology domain found for pod {pod.key}")
        found[labels[key]] = None
    if len(found) == 2 and "" in found:
        raise UncertainDomainError
    if len(found) > 1:
        first, second, *_ = sorted(found)
        both = f"{first}, {second}" if is_domain else f'"{first}", "{second}"'
        raise UnknownDomainError(f"more than 1 domain found for pod group: {both}")
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
    uid: str = ""

    @property
    def rank(self) -> tuple[int, int, int, int, str]:
        """Sorts by importance, the most important first."""
        return (-self.priority, -self.standing, -len(self.slots), self.start, self.uid)


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

    @property
    def _ranks(self) -> bool:
        return self.snapshot.release.rules.ranks_nodes_by_victims

    def priority(self, slot: int) -> int:
        """The priority of a pod in preemption for a group: that of the topmost group above it (1.37), or its own."""
        if self._ranks:
            return int(self.snapshot.pods.priority[slot])
        key = self.keys.get(self.snapshot.pods.keys[slot])
        lineage = () if key is None else self.lineages[key]
        return (lineage[-1].terms.priority or 0) if lineage else int(self.snapshot.pods.priority[slot])

    def together(self, slot: int) -> tuple[tuple[int, ...], int]:
        """The slots of the pods that go with one, it among them, and their standing."""
        key = self.keys.get(self.snapshot.pods.keys[slot])
        lineage = () if key is None else self.lineages[key]
        whole = [each for each in lineage if each.terms.disruption is DisruptionMode.ALL]
        if key is None or not whole:
            return (slot,), int(key is not None and not self._ranks)
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
    by_uid = snapshot.release.rules.orders_victims_by_uid
    placed = np.flatnonzero(pods.node >= 0)
    places = snapshot.nodes.search_places.take(pods.node[placed])
    for slot in placed[np.lexsort((pods.arrival[placed], places))].tolist():
        own = grouped.priority(slot)
        if own >= priority:
            continue
        slots, standing = grouped.together(slot)
        if slots not in found:
            starts = (int(pods.start[each]) for each in slots)
            turn = 0 if by_uid else len(found)
            start = min(NOT_STARTED + turn if each == NOT_STARTED else each for each in starts)
            uid = min(map(pods.uid, slots)) if by_uid else ""
            found[slots] = _Victim(slots, own, standing, start, uid)
    return list(found.values())


class _Ranking:
    """Victims by the rows that they are on: nodes whose victims cost least come first (from 1.38).

    Upstream: ``RankNodes`` of ``plugins/defaultpreemption``, and ``CompareVictimSets`` in ``framework/preemption``
    v1.38.0-beta.0.
    """

    def __init__(self, snapshot: Snapshot, victims: Iterable[_Victim]) -> None:
        self._victims: dict[int, list[_Victim]] = defaultdict(list)
        ordered = sorted(victims, key=lambda each: each.rank)
        self._breaking = Protection(snapshot).violating(slot for victim in ordered for slot in victim.slots)
        for victim in ordered:
            for row in sorted(set(snapshot.pods.node[list(victim.slots)].tolist())):
                self._victims[row].append(victim)

    def on(self, row: int) -> frozenset[tuple[int, ...]]:
        """The victims on a node, by their slots."""
        return frozenset(each.slots for each in self._victims.get(row, ()))

    def cheapest(self, rows: Index, condemned: frozenset[tuple[int, ...]]) -> Index:
        """Those of the rows whose victims cost least, besides those who are condemned already."""
        costs = [self._cost(row, condemned) for row in rows.tolist()]
        least = min(costs)
        return rows[[cost == least for cost in costs]]

    def _cost(self, row: int, condemned: frozenset[tuple[int, ...]]) -> tuple[Any, ...]:
        left = [each for each in self._victims.get(row, ()) if each.slots not in condemned]
        pods = Counter({each.priority: 0 for each in left})
        for each in left:
            pods[each.priority] += len(each.slots)
        broken = sum(len(self._breaking.intersection(each.slots)) for each in left)
        by_priority = tuple(sorted(pods.items(), reverse=True))
        standings = tuple((each.standing, len(each.slots)) for each in left)
        return bool(left), broken, by_priority, pods.total(), standings, len(left)


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
    asks = bool(group_plugins(profile, release))
    if held_groups(snapshot).terms_of(key) is None or (release.rules.names_groups_in_workloads and not asks):
        return None
    if pod.key not in snapshot.groups.of(key):
        # One that does not exist yet counts for its group, too.
        snapshot = snapshot.copy().upsert({**pod.document, "kind": "Pod"})
    asked = _Asked(pod, profile, asks, release.rules.says_what_groups_lack, choose)
    return _Attempt(asked, key, snapshot, settles=settles).result()


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
        bound = tuple(Pod(each.document) for each in members.values() if each.node)
        held = self._held.groups.get((key.namespace, key.name))
        return _Group(key, terms, "" if held is None else _workload(held), bound, queued, tried)

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
        return _Composite(composite.name, composite.terms, _workload(composite), ordered)

    def result(self) -> GroupAttempt:
        if self._undecided and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN, composite=self._undecided)
        if sum(len(leaf.tried) for leaf in self._root.leaves) > MOST_MEMBERS and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        if self._release.rules.names_groups_in_workloads:
            alone = _Run(self._asked, self._group, _State(self._snapshot)).alone()
            if alone.found >= (self._least or 0):
                return self._ended(GroupVerdict.SCHEDULED, alone)
            return self._ended(GroupVerdict.WAITS_ON_PERMIT, alone, WAITS_ON_PERMIT, WAITS_ON_PERMIT)
        if self._is_together and self._gated:
            return self._ended(GroupVerdict.GATED)
        wrong = self._unlike()
        if wrong:
            return replace(self._ended(GroupVerdict.ERROR, None, wrong, wrong, wrong), is_invalid=True)
        try:
            tried = self._scheduled(self._snapshot, None)
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

    def _scheduled(self, snapshot: Snapshot, ranking: _Ranking | None) -> _Run | _Branch:
        """What comes of the whole tree, in the best topology domains. Raises UncertainDomainError."""
        self._ranking = ranking
        tried = self._placed(self._root, _State(snapshot), None)
        if tried.status.code is Code.SUCCESS and not tried.assigned and self._is_together:
            tried.status = self._asked.refusal(*((NONE_SCHEDULED,) if self._asked.says_what_lacks else ()))
        return tried

    def _placed(self, group: _Group | _Composite, state: _State, rows: Index | None) -> _Run | _Branch:
        """A group or composite in the best domain that it may be in, of all nodes or ``rows``."""
        if not self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS):
            return self._run(group, state, "", rows)
        keys, snapshot = group.terms.topology_keys, state.snapshot
        if not keys:
            return self._best(group, state, [self._run(group, state, "", rows)])
        try:
            required = _required_domain(group, snapshot, keys[0])
        except UnknownDomainError as unknown:
            failed = _failed(f"cannot determine domain for already scheduled pods: {unknown}")
            return self._unplaced(group, state, failed)
        domains = domains_of(snapshot, keys[0], rows, required)
        if not domains:
            status = GroupStatus(Code.UNSCHEDULABLE, (NO_PLACEMENTS,), is_of_plugin=True)
            return self._unplaced(group, state, status)
        pods = sum(len(leaf.tried) for leaf in group.leaves)
        if len(domains) * len(snapshot.nodes) > MOST_NODES_TRIED or len(domains) * pods > MOST_PODS_TRIED:
            raise UncertainDomainError
        runs = [self._run(group, state, name, rows) for name, rows in domains.items()]
        best = self._best(group, state, runs, self._nominated(runs))
        best.placements = tuple(run.as_placement() for run in runs)
        return best

    def _nominated(self, runs: Sequence[_Run | _Branch]) -> _Run | _Branch | None:
        """From 1.38 on: the run in the one domain with nodes that pods of a single group are nominated for."""
        if not self._asked.says_what_lacks or isinstance(self._root, _Composite):
            return None
        index = self._snapshot.nodes.index
        rows = {index[name] for each in self._root.tried if (name := each.nominated_node_name) in index}
        matching = [run for run in runs if run.rows is not None and not rows.isdisjoint(run.rows.tolist())]
        return matching[0] if len(matching) == 1 else None

    def _best(
        self,
        group: _Group | _Composite,
        state: _State,
        runs: Sequence[_Run | _Branch],
        nominated: _Run | _Branch | None = None,
    ) -> _Run | _Branch:
        """The run in the best placement of those that take the group; without one the first of all.

        The nominated one comes before all others, and counts only if it takes somebody.
        """
        if nominated is not None and nominated.status.code is Code.SUCCESS and nominated.assigned:
            return nominated
        for run in runs:
            if run.status.code is Code.ERROR or run.status.is_waiting:
                return run
        taking = [run for run in runs if run.status.code is Code.SUCCESS and run is not nominated]
        if len(taking) > 1 and not _score(self._asked.profile, state.snapshot, taking):
            return self._unplaced(group, state, _failed(_SCORING_FAILED))
        if taking:
            best = max(taking, key=lambda run: run.score or 0)
            is_tied = sum(run.score == best.score for run in taking) > 1
            best.is_random = best.is_random or is_tied or len(taking) > self._wanted(runs)
            return best
        # A copy: the placement keeps its own status.
        first = copy(nominated or runs[0])
        first.tells_of_any |= nominated is None and any(run.told != first.told for run in runs)
        said = NOMINATED_TAKES_NONE if first.status.code is Code.SUCCESS else first.status.error
        status = f"0/{len(runs)} placements are available, first placement status: {said}"
        first.status = self._asked.refusal(status) if self._is_together else _unschedulable(status, is_of_group=False)
        return first

    def _wanted(self, runs: Sequence[_Run | _Branch]) -> int:
        """How many placements that take the group are looked for: from 1.38 on some of many, in no order.

        Upstream: ``numFeasiblePlacementsToFind`` of v1.38.0-beta.0.
        """
        if not self._asked.says_what_lacks:
            return len(runs)
        nodes = sum(len(run.rows) for run in runs if run.rows is not None)
        return max(1, len(runs) * max(_LEAST_PERCENTAGE, 100 - nodes * 9 // 500) // 100)

    def _unplaced(self, group: _Group | _Composite, state: _State, status: GroupStatus) -> _Run | _Branch:
        """What nobody comes to be tried of."""
        tried = (
            _Branch(group, state, "", None)
            if isinstance(group, _Composite)
            else _Run(self._asked, group, state).passed_over()
        )
        tried.status = status
        return tried

    def _run(self, group: _Group | _Composite, state: _State, domain: str, rows: Index | None) -> _Run | _Branch:
        if isinstance(group, _Composite):
            return self._parts(_Branch(group, state, domain, rows))
        run = _Run(self._asked, group, state, domain, rows, self._ranking)
        return run.together() if self._is_together else run.until_permitted(settles=self._settles)

    def _parts(self, branch: _Branch) -> _Branch:
        """Try the parts of a composite while as many as it needs can still be scheduled."""
        terms, remaining = branch.group.terms, len(branch.group.parts)
        branch.status = self._asked.feasibility(terms, 0, 0, remaining)
        for each in branch.group.parts:
            if branch.is_hopeless:
                return branch
            part = self._placed(each, _State(branch.state, branch.condemned), branch.rows)
            branch.parts.append(part)
            branch.is_random = branch.is_random or part.is_random
            branch.tells_of_any = branch.tells_of_any or part.tells_of_any
            if part.status.code is Code.ERROR:
                whole, where = "composite pod group", "child"
                if self._asked.says_what_lacks:
                    whole, where = f'{whole} "{branch.group.name}"', f'child "{each.name}"'
                branch.status = _failed(f"{whole} evaluation failed due to {where} error: {part.status.error}")
                return branch
            if part.status.code is Code.SUCCESS:
                branch.state, branch.condemned = part.state, part.condemned
            remaining -= 1
            refused = len(branch.parts) - len(branch.taking)
            branch.status = self._asked.feasibility(terms, len(branch.taking), refused, remaining)
        if branch.status.is_waiting:
            branch.status = self._asked.refusal(*branch.status.reasons)
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
        run = self._own_run(tried)
        if said is not None and said.code is Code.ERROR:
            return self._in_error(run, said.message)
        if run.status.code is Code.SUCCESS:
            return self._ended(GroupVerdict.SCHEDULED, run)
        if run.status.code is Code.ERROR:
            return self._in_error(run, run.status.message)
        is_said = said is not None and (bool(said.message) or not self._asked.says_what_lacks)
        # What several groups have in common is said so many times in each of them.
        reasons = (said.message,) * self._sharing(tried, run) if said is not None and is_said else ()
        message = replace(run.status, reasons=(*run.status.reasons, *reasons)).message
        told, unreached = message, run.status.message
        if self._asked.says_what_lacks and not run.status.is_of_plugin:
            told = unreached = f'parent pod group "{self._group.name}" is unschedulable'
        if found is None or not found.nominations:
            if not self._asked.says_what_lacks:
                told = f"{UNSCHEDULABLE}, {message}"
            return self._ended(GroupVerdict.UNSCHEDULABLE, run, message, told, unreached)
        ended = self._ended(GroupVerdict.PREEMPTS, run, message, told, unreached)
        return replace(ended, victims=found.victims, nominations=found.nominations)

    def _in_error(self, run: _Run, message: str) -> GroupAttempt:
        """The scheduler ends in an error, which until 1.37 every pod is told, and then that its group is in one."""
        own = f'parent pod group "{self._group.name}" encountered an error'
        told = own if self._asked.says_what_lacks else message
        return self._ended(GroupVerdict.ERROR, run, message, told, told)

    def _own_run(self, tried: _Run | _Branch) -> _Run:
        """What is said of the pod's group: of one that would do, or was not reached, what is said of the whole."""
        if isinstance(tried, _Run):
            return tried
        part = next((each for each in tried.parts if self._group in each.group.leaves), None)
        is_whole = tried.status.code is Code.SUCCESS
        is_own = part is not None and (is_whole or part.status.code is not Code.SUCCESS)
        if self._asked.says_what_lacks and tried.status.code is Code.ERROR:
            is_own = part is not None and part.status.code is Code.ERROR
        if part is not None and is_own:
            return self._own_run(part)
        run = _Run(self._asked, self._group, _State(self._snapshot)).passed_over()
        run.status = self._of_ancestor(tried) if self._asked.says_what_lacks else tried.status
        return run

    def _of_ancestor(self, failed: _Branch) -> GroupStatus:
        """From 1.38 on: what a group is told whose ancestor failed."""
        ancestor = f'ancestor composite pod group "{failed.group.name}"'
        if failed.status.code is Code.ERROR:
            return _failed(f"{ancestor} encountered an error")
        return self._asked.refusal(f"{ancestor} is unschedulable")

    def _sharing(self, tried: _Run | _Branch, run: _Run) -> int:
        """How many results of the tree have the very status of a group: those that were given it, and whose it is."""
        if isinstance(tried, _Run) or self._asked.says_what_lacks:
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
        ranks = self._release.rules.ranks_nodes_by_victims
        never = GroupPreemption(_unschedulable(NEVER_PREEMPTS, is_of_group=False))
        if not ranks and not self._may_preempt(pods):
            return never
        if self._is_preempting(pods):
            nominations = {each.key: each.nominated_node_name for each in pods}
            return GroupPreemption(GroupStatus(reasons=(ONGOING,)), nominations=nominations)
        if not self._may_preempt(pods):
            return never
        everybody = _victims_below(snapshot, self._priority)
        if not everybody:
            code = Code.UNSCHEDULABLE if ranks else Code.UNRESOLVABLE
            return GroupPreemption(GroupStatus(code, (NO_VICTIMS,)))
        if self._settles:
            return None
        try:
            ranking = _Ranking(snapshot, everybody) if ranks and self._reserves else None
            run = self._scheduled(_without(snapshot, everybody), ranking)
        except UncertainDomainError:
            return None
        self._is_random = self._is_random or run.is_random
        if run.status.code is not Code.SUCCESS:
            return GroupPreemption(run.status)
        return self._reprieved(everybody, run)

    def _may_preempt(self, pods: Iterable[Pod]) -> bool:
        """Whether the group's policy, or where it has none that of its pods, lets it preempt."""
        own = self._root.terms.preempts
        if self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY):
            return own is not False
        has_policy = self._asked.says_what_lacks and own is not None
        return bool(own) if has_policy else all(each.preempts for each in pods)

    @property
    def _reserves(self) -> bool:
        """Whether the plugin that preempts is asked at Reserve, without which nodes are not ranked."""
        return any(PLUGINS[name].preempts for name in self._asked.profile.reserve if name in PLUGINS)

    def _is_preempting(self, pods: Iterable[Pod]) -> bool:
        """Whether pods are going already on nodes that pods of the group are nominated for."""
        snapshot, grouped = self._snapshot, _Grouped.of(self._snapshot)
        rows = {snapshot.nodes.index.get(each.nominated_node_name) for each in pods}
        slots = (slot for row in rows if row is not None for slot in snapshot.pods.on_node(row))
        return any(snapshot.pods.preempted[slot] and grouped.priority(slot) < self._priority for slot in slots)

    def _reprieved(self, everybody: list[_Victim], run: _Run | _Branch) -> GroupPreemption | None:
        """Let victims come back while every pod of the group keeps the node that it found without them."""
        if isinstance(run, _Branch) and run.has_refused and not self._asked.says_what_lacks:
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
        if self._asked.says_what_lacks:
            return _Likeness(self._root, self._group.key.namespace, self._priority).wrong()
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
            preempts = terms.preempts is not False
            if pod.preempts != preempts:
                said = (
                    "all pods in a single pod group should have the same preemption policy "
                    "as the pod group's preemption policy"
                )
                return f"{said}, got {own} and {_policy(preempts=preempts)}"
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


class _Likeness:
    """What has to be alike in a tree of groups (from 1.38).

    Upstream: ``validatePodGroupHierarchy`` of v1.38.0-beta.0.
    """

    def __init__(self, root: _Group | _Composite, namespace: str, priority: int) -> None:
        self._root, self._namespace, self._priority = root, namespace, priority
        self._first = next(pod for leaf in root.leaves for pod in leaf.queued)
        preempts = root.terms.preempts
        self._policy = _policy(preempts=self._first.preempts if preempts is None else preempts)

    def wrong(self) -> str:
        """The first thing that is not alike; empty where all is."""
        return next(self._of(self._root, None, 1), "")

    def _of(self, group: _Group | _Composite, parent: _Composite | None, depth: int) -> Iterator[str]:
        key = self._key(group)
        if isinstance(group, _Composite) and depth == DEEPEST:
            yield f'hierarchy depth exceeds maximum allowed depth {DEEPEST} at "{key}"'
        if parent is not None:
            yield from self._beside(group, parent, key)
        for part in group.parts if isinstance(group, _Composite) else ():
            yield from self._of(part, group if isinstance(group, _Composite) else None, depth + 1)
        for pod in (*group.queued, *group.bound) if isinstance(group, _Group) else ():
            yield from self._pod(pod)

    def _key(self, group: _Group | _Composite) -> str:
        kind = "compositepodgroup" if isinstance(group, _Composite) else "podgroup"
        return f"{kind}/{self._namespace}/{group.name}"

    def _beside(self, group: _Group | _Composite, parent: _Composite, key: str) -> Iterator[str]:
        own, root = group.terms, self._root
        if group.workload != root.workload:
            both = f'got: "{group.workload}" ("{key}") and "{root.workload}" ("{self._key(root)}")'
            yield f"pod group workload does not match root workload, {both}"
        if (own.priority or 0) != self._priority:
            same = "all pod groups in a hierarchy should have the same priority as the root pod group's priority"
            yield f'{same}, got {own.priority or 0} ("{key}") and {self._priority} ("{self._key(root)}")'
        if own.preempts is not None and _policy(preempts=own.preempts) != self._policy:
            same = "all pod groups in a hierarchy should have the same preemption policy"
            yield f'{same}, got {_policy(preempts=own.preempts)} ("{key}") and {self._policy}'
        if parent.terms.policy.is_gang and not own.policy.is_gang:
            yield f'gang parent "{self._key(parent)}" cannot have basic child "{key}"'
        if parent.terms.disruption is DisruptionMode.ALL and own.disruption is DisruptionMode.SINGLE:
            parents = f'parent "{self._key(parent)}" with All disruption mode'
            yield f'{parents} cannot have child "{key}" with Single disruption mode'

    def _pod(self, pod: Pod) -> Iterator[str]:
        first, same = self._first, "all pods in a pod group hierarchy should have the same"
        if pod.scheduler_name != first.scheduler_name:
            both = f'"{pod.scheduler_name}" ("{pod.name}") and "{first.scheduler_name}" ("{first.name}")'
            yield f"{same} .spec.schedulerName set, got: {both}"
        if pod.priority != self._priority:
            both = f'{pod.priority} ("{pod.name}") and {self._priority} ("{self._key(self._root)}")'
            yield f"{same} priority as the root pod group's priority, got {both}"
        if _policy(preempts=pod.preempts) != self._policy:
            yield f'{same} preemption policy, got {_policy(preempts=pod.preempts)} ("{pod.name}") and {self._policy}'


_SCORING_FAILED: Final = (
    'running NormalizePlacementScore on PlacementScore plugins: plugin "PodGroupPodsCount" failed with: '
    "no pods from pod group are assigned to any of the candidate placements"
)


def _workload(group: PodGroup | CompositePodGroup) -> str:
    return "" if group.workload is None else group.workload.workload


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
