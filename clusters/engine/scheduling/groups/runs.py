"""A group of pods, alone or in a tree of groups, and one run over its pods on some nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.devices.claims import uses_devices

# DynamicResources by name: it alone allocates devices, and frees them for a whole group.
from clusters.engine.plugins.dynamic_resources import DynamicResources
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling.answers import fit_error_of, rejecting
from clusters.engine.scheduling.cycle import Cycle, reserve_devices, run_cycle
from clusters.engine.scheduling.groups.results import (
    WAITS_FOR_PREEMPTION,
    GroupStatus,
    MemberAttempt,
    PlacementAttempt,
    failed,
    unschedulable,
)
from clusters.engine.scheduling.groups.victims import Ranking, has_lower
from clusters.engine.scheduling.preemption import answer_of, first_rejected, has_run, preempt
from clusters.engine.scheduling.search import first_row
from clusters.engine.status import Code
from clusters.engine.versions import Gate
from clusters.engine.volumes import claim_uses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document, Pod
    from clusters.engine.podgroups import (
        GroupTerms,
        PodGroupKey,
    )
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index


class Assigned(Struct, frozen=True):
    """A pod that finds a node; ``skipped`` filters had nothing to check of it when it did."""

    pod: Pod
    row: int
    skipped: frozenset[str]
    filters: tuple[str, ...]


if TYPE_CHECKING:
    Choose = Callable[[int, Cycle], int]


class Group(Struct, frozen=True):
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
    def leaves(self) -> tuple[Group, ...]:
        """The group itself, as that of a tree."""
        return (self,)


class Composite(Struct, frozen=True):
    """A CompositePodGroup; its ``parts`` in the order of their turns."""

    name: str
    terms: GroupTerms
    workload: str
    parts: tuple[Group | Composite, ...]

    @property
    def leaves(self) -> tuple[Group, ...]:
        """The groups of pods under it."""
        return tuple(leaf for part in self.parts for leaf in part.leaves)

    @property
    def bound(self) -> tuple[Pod, ...]:
        """The pods of these that have a node."""
        return tuple(pod for leaf in self.leaves for pod in leaf.bound)


class Asked(Struct, frozen=True):
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
            return unschedulable(f"{wanted} cannot be satisfied: {counted}", is_of_group=False)
        return GroupStatus(Code.UNSCHEDULABLE, (f"{wanted} is not yet satisfied: {counted}",), True)

    def refusal(self, *reasons: str) -> GroupStatus:
        """The status of a group that is unschedulable for these reasons, which until 1.37 stands before them."""
        return unschedulable(*reasons, is_of_group=not self.says_what_lacks)


class State(NamedTuple):
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

    def __init__(self, state: State, domain: str, rows: Index | None) -> None:
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
    def assigned(self) -> list[Assigned]:
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


class Branch(_Tried):
    """The parts of a CompositePodGroup one after another, each where those before it have their nodes."""

    def __init__(self, composite: Composite, state: State, domain: str, rows: Index | None) -> None:
        super().__init__(state, domain, rows)
        self.group = composite
        self.parts: list[Run | Branch] = []

    @property
    def taking(self) -> list[Run | Branch]:
        """The parts that are scheduled."""
        return [part for part in self.parts if part.status.code is Code.SUCCESS]

    @property
    def has_refused(self) -> bool:
        """Whether pods of a part found a node although it is not scheduled."""
        refused = [part for part in self.parts if part.status.code is not Code.SUCCESS and part.assigned]
        return bool(refused) or any(isinstance(part, Branch) and part.has_refused for part in self.parts)

    @property
    def assigned(self) -> list[Assigned]:
        return [each for part in self.taking for each in part.assigned]

    @property
    def found(self) -> int:
        return len(self.group.bound) + len(self.assigned)

    @property
    def told(self) -> tuple[Any, ...]:
        return self.status, *(part.told for part in self.parts)


class Run(_Tried):
    """The pods of a group one after another, each where those before it have their nodes.

    ``own``: the cluster as the pod finds it that the attempt is about. ``is_prepared``: DynamicResources came to look
    at a pod; ``has_unfreed``: it found one of which it would free no claim; ``unavailable``: the claims that are not
    available on nodes. ``nominations``: the nodes of pods for which ``victims`` have to go (1.36).
    """

    def __init__(
        self,
        asked: Asked,
        group: Group,
        state: State,
        domain: str = "",
        rows: Index | None = None,
        ranking: Ranking | None = None,
    ) -> None:
        super().__init__(state, domain, rows)
        self.group, self._asked, self._ranking = group, asked, ranking
        self.members: list[MemberAttempt] = []
        self._assigned: list[Assigned] = []
        self.own: Snapshot | None = None
        self.is_prepared = self.has_unfreed = False
        self.unavailable: list[Document] = []
        self.nominations: dict[str, str] = {}
        self.victims: tuple[str, ...] = ()

    @property
    def assigned(self) -> list[Assigned]:
        return self._assigned

    @property
    def found(self) -> int:
        return len(self.group.bound) + len(self._assigned)

    @property
    def told(self) -> tuple[Any, ...]:
        return self.status, *((each.refusal, each.is_reached) for each in self.members)

    def together(self) -> Run:
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

    def until_permitted(self, *, settles: bool) -> Run:
        """1.36: all pods are tried, each with preemption; the group is scheduled once Permit lets one of them go.

        Of ``settles`` preemption counts as not helping. Otherwise a pod that it makes room for counts as on that node
        for those after it, and the group waits for its victims to go; they go even where too few pods find room, and
        the status is waiting then.
        """
        least = self.group.terms.policy.least if self._asked.is_counted else None
        is_permitted = False
        for pod in self.group.tried:
            cycle = self._try(pod)
            if cycle.error is not None:
                return self
            is_taken = bool(len(cycle.choices))
            if not is_taken and not settles and self._preempts(cycle):
                if not self._nominate(cycle):
                    self.status = GroupStatus(Code.UNSCHEDULABLE, is_waiting=True)
                    return self
                is_taken = True
            is_permitted = is_permitted or (is_taken and self.found + len(self.nominations) >= (least or 0))
        if not is_permitted:
            self.status = replace(unschedulable(), is_waiting=bool(self.nominations))
        elif self.nominations:
            self.status = unschedulable(WAITS_FOR_PREEMPTION)
        return self

    def passed_over(self) -> Run:
        """Nobody is tried."""
        self.members = [MemberAttempt(each.key, is_reached=False) for each in self.group.tried]
        return self

    def alone(self) -> Run:
        """1.35: each pod by itself; those that find a node wait for the others."""
        for pod in self.group.tried:
            self._try(pod)
        return self

    def _preempts(self, cycle: Cycle) -> bool:
        """Whether preemption makes room for one pod."""
        is_by_pod = not self.state.release.enables(Gate.WORKLOAD_AWARE_PREEMPTION)
        asks = is_by_pod and any(PLUGINS[name].preempts for name in self._asked.profile.post_filter)
        return asks and has_lower(self.state, cycle.context.pod.priority) and preempt(cycle).selected is not None

    def _nominate(self, cycle: Cycle) -> bool:
        """Give a pod the node where preemption makes room; False where what it takes of that is not computed."""
        pod, found = cycle.context.pod, preempt(cycle)
        is_placed = self.state.release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS)
        reserves = bool(claim_uses(pod.spec.get("volumes") or (), pod.name)) or uses_devices(self.state, pod)
        if found.selected is None or is_placed or reserves:
            return False
        self.is_random = self.is_random or len(found.choices) > 1
        self.nominations[pod.key] = found.selected.node
        self.victims = (*self.victims, *(each for each in found.selected.victims if each not in self.victims))
        self.state.assume(pod.document, found.selected.node)
        return True

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
            self.status = failed(error)
        if has_run(cycle, DynamicResources.name):
            self.is_prepared = True
            self._note_claims(state, cycle)
        if len(cycle.choices):
            row = state.nodes.index[self.members[-1].node]
            reserved = reserve_devices(state, pod, profile, row)
            state.assume(reserved.counted(pod.document), self.members[-1].node)
            self._assigned.append(Assigned(pod, row, cycle.skipped, tuple(cycle.filters)))
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


def still_fit(snapshot: Snapshot, profile: Profile, assigned: Sequence[Assigned]) -> bool:
    """Whether every pod of the group still fits on its node, one after another."""
    for each in assigned:
        cycle = run_cycle(snapshot, each.pod, profile, among=np.array([each.row]))
        worlds = (None, cycle.nominated_world) if cycle.nominated_world is not None else (None,)
        for name in cycle.filters.keys() - each.skipped:
            if any(not cycle.plugins[name].filter(world).at(each.row).ok for world in worlds):
                return False
        snapshot.assume(each.pod.document, snapshot.nodes.names[each.row])
    return True
