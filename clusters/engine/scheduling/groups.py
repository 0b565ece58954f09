"""An attempt to schedule a group of pods: its members one after another, placements, preemption, and messages."""

from __future__ import annotations

import enum
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.group_states import held_groups, may_be_nested
from clusters.engine.objects import Pod
from clusters.engine.plugin import Reads
from clusters.engine.podgroups import DisruptionMode, GroupTerms, PodGroupKey, group_key_of
from clusters.engine.registry import PLUGINS, pre_enqueue
from clusters.engine.scheduling.answers import fit_error_of, rejecting
from clusters.engine.scheduling.cycle import Cycle, reserve_devices, run_cycle
from clusters.engine.scheduling.preemption import Protection, preempt
from clusters.engine.scheduling.search import first_row
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.snapshot import Snapshot


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

    ``is_reached``: the attempt had not ended before its turn. Of ``looked_at`` nodes so many were ``feasible``, of
    which ``ties`` had the highest ``total`` (None where nothing was scored). ``plugins`` rejected nodes.
    """

    pod: str
    node: str = ""
    refusal: str = ""
    is_reached: bool = True
    total: int | None = None
    ties: int = 0
    feasible: int = 0
    looked_at: int = 0
    plugins: tuple[str, ...] = ()


class GroupAttempt(Struct, frozen=True, eq=False):
    """What an attempt to schedule the group of a pod comes to.

    ``least``: how many pods have to be scheduled together; None for a group with the basic policy. ``existing``: how
    many there are, of which ``scheduled`` have had a node before. ``members``: those that wait, in the order in which
    they are tried. ``message``: what the scheduler says of the group, ``found_message`` of each pod that has found a
    node and does not get it, ``unreached_message`` of those that the attempt does not come to. ``is_open``: something
    that is not computed could change what becomes of the group. ``snapshot``: the cluster as that pod finds it.
    ``held_back``: the first other pod of the group that is kept out of the queue. ``victims`` have to go for the group.
    ``domain``: the topology domain that all its pods go to, where it asks for one; the cluster is that domain then.
    ``composite``: the CompositePodGroup with which the group is tried, which is not computed; empty for any other.
    """

    key: PodGroupKey
    pod: str
    least: int | None
    existing: int
    scheduled: int
    verdict: GroupVerdict
    snapshot: Snapshot
    members: tuple[MemberAttempt, ...] = ()
    message: str = ""
    found_message: str = ""
    unreached_message: str = ""
    is_open: bool = False
    held_back: str = ""
    victims: tuple[str, ...] = ()
    domain: str = ""
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
    def status(self) -> str:
        """What is said of the group before preemption is asked."""
        return self.unreached_message or self.message

    @property
    def pod_message(self) -> str:
        """What the scheduler says of the pod that the attempt is about, unless no node takes it."""
        own = next((each for each in self.members if each.pod == self.pod), None)
        return self.found_message if own is None else self.message_of(own)

    def message_of(self, member: MemberAttempt) -> str:
        """What the scheduler says of a pod of the group that does not get a node."""
        if not member.is_reached:
            return self.unreached_message
        return member.refusal or self.found_message

    @property
    def refused(self) -> tuple[MemberAttempt, ...]:
        """The pods that were tried and find no node."""
        return tuple(each for each in self.members if each.is_reached and not each.node)


# Placements of a group of pods: the nodes of one topology domain, as if there were no others.
#
# Upstream: ``plugins/topologyaware`` and ``plugins/podgrouppodscount`` of v1.36.3 and v1.37.2.

# Nodes times domains; each domain is tried on a cluster of its own.
MOST_NODES_TRIED: Final = 20_000
_HIGHEST: Final = 100


def domains_of(snapshot: Snapshot, key: str) -> Mapping[str, frozenset[str]]:
    """The names of the nodes that have a label, by its value, in order of that."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in snapshot.nodes.nodes:
        if key in node.labels:
            found[node.labels[key]].add(node.name)
    return {value: frozenset(found[value]) for value in sorted(found)}


def within(snapshot: Snapshot, names: frozenset[str]) -> Snapshot:
    """The cluster with these nodes alone; pods of others are as good as gone."""
    left = snapshot.copy()
    for name in [each for each in snapshot.nodes.names if each not in names]:
        left.delete({"kind": "Node", "metadata": {"name": name}})
    return left


def domain_of(snapshot: Snapshot, key: str, nodes: Iterable[str]) -> str | None:
    """The domain that all these nodes are in; empty without any, None where they have none or several."""
    by_name = {node.name: node.labels.get(key) for node in snapshot.nodes.nodes}
    found = {by_name.get(name) for name in nodes}
    if not found:
        return ""
    (domain, *others) = found
    return None if others else domain


# What kube-scheduler says of the pods of a group that is not scheduled.
#
# Upstream: ``schedule_one_podgroup.go`` and ``plugins/gangscheduling`` of v1.35.4, v1.36.3 and v1.37.2, and
# ``framework/preemption/podgrouppreemption.go`` of v1.37.2.

UNSCHEDULABLE: Final = "pod group is unschedulable"
WAITS_ON_PERMIT: Final = "waiting for minCount pods from a gang to be waiting on permit"
WAITS_TO_BE_SCHEDULED: Final = "waiting for minCount pods from a gang to be scheduled"
NEVER_PREEMPTS: Final = "pod group preemption: not eligible due to preemptionPolicy=Never."
NO_VICTIMS: Final = "pod group preemption: No preemption victims found for incoming preemptor"


NO_PLACEMENTS: Final = "no feasible placements found"


def preempts(victims: int) -> str:
    """So many pods go for the group."""
    return f"pod group preemption: found a placement for podgroup, preempting {victims} victims"


def unschedulable(*reasons: str) -> str:
    """The message of a group, or of a pod in it, with what led to it."""
    return ", ".join((UNSCHEDULABLE, *reasons))


# Preemption for a whole group: all pods of lower priority go, the group is tried, and as many as can come back.
#
# Upstream: ``framework/preemption/podgrouppreemption.go`` of v1.37.2. The pods of a group that is disrupted as a
# whole are one victim, and a pod of a group has the priority of its group. Of equally important victims the one that
# was placed first counts as more important, where the scheduler's order is not defined.

if TYPE_CHECKING:
    # The message of a group that is not scheduled, or its pods with their nodes; None where that is uncertain.
    Retried = str | Sequence[tuple[Pod, str]] | None
    Retry = Callable[[Snapshot], Retried]

# Each victim that may come back is a trial with every pod of the group, and each of these costs a cycle.
MOST_CYCLES: Final = 200


class GroupPreemption(Struct, frozen=True):
    """What preemption does for a group: ``message`` is what it adds to the scheduler's.

    ``victims`` have to go, the most important first, as ``namespace/name``; none where it does not help.
    """

    message: str
    victims: tuple[str, ...] = ()


class _Victim(Struct, frozen=True):
    """Pods that go together, by their slots."""

    slots: tuple[int, ...]
    priority: int
    is_group: bool
    start: int

    @property
    def rank(self) -> tuple[int, bool, int, int, int]:
        """Sorts by importance, the most important first."""
        return (-self.priority, not self.is_group, -len(self.slots), self.start, self.slots[0])


def preempt_for_group(snapshot: Snapshot, profile: Profile, priority: int, retry: Retry) -> GroupPreemption | None:
    """Find out which pods make room for a group; None where that cannot be told or costs too much.

    ``retry`` tries the group on another state of the cluster: its message, or its pods with the nodes that they take.
    """
    victims = _potential(snapshot, priority)
    if not victims:
        return GroupPreemption(NO_VICTIMS)
    everybody = victims
    found = retry(_without(snapshot, victims))
    if found is None:
        return None
    if isinstance(found, str):
        return GroupPreemption(f"pod group preemption: {found}")
    if _reads_nodes_alone(snapshot, profile, found):
        # Whoever is on no node that the group takes comes back, whatever the order.
        rows = {snapshot.nodes.index[node] for _, node in found}
        victims = [each for each in victims if not rows.isdisjoint(snapshot.pods.node[list(each.slots)].tolist())]
    if len(victims) * len(found) > MOST_CYCLES:
        return None
    order = sorted(everybody, key=lambda each: each.rank)
    breaking = Protection(snapshot).violating(slot for victim in order for slot in victim.slots)
    order.sort(key=lambda each: breaking.isdisjoint(each.slots))
    tried = set(victims)
    gone = [each for each in order if each in tried]
    for victim in list(gone):
        rest = [each for each in gone if each is not victim]
        if _holds(_without(snapshot, rest), profile, found):
            gone = rest
    gone.sort(key=lambda each: each.rank)
    names = tuple(snapshot.pods.keys[slot] for victim in gone for slot in victim.slots)
    return GroupPreemption(preempts(len(names)), names)


def _reads_nodes_alone(snapshot: Snapshot, profile: Profile, placed: Sequence[tuple[Pod, str]]) -> bool:
    """Whether no filter of a pod of the group looks at pods of other nodes, now or with the group placed."""
    there = snapshot.copy()
    for pod, node in placed:
        there.assume(pod.document, node)
    cycles = [run_cycle(state, pod, profile) for state in (snapshot, there) for pod, _ in placed]
    return not any(PLUGINS[name].reads & Reads.PODS for cycle in cycles for name in cycle.filters)


def _potential(snapshot: Snapshot, priority: int) -> list[_Victim]:
    """The pods, alone or together, that a group of a priority may have removed."""
    pods, held = snapshot.pods, held_groups(snapshot)
    found: list[_Victim] = []
    lower = (pods.node >= 0) & (pods.priority < priority)
    for key in snapshot.groups.known():
        terms = held.terms_of(key)
        placed = [slot for name in snapshot.groups.of(key) if (slot := pods.slot_of.get(name)) is not None]
        slots = [slot for slot in placed if pods.node[slot] >= 0]
        if terms is None or key.workload or not slots:
            continue
        lower[slots] = False
        is_whole = terms.disruption is DisruptionMode.ALL
        for together in [slots] if is_whole else [[slot] for slot in slots]:
            start = min(int(pods.start[slot]) for slot in together)
            found.append(_Victim(tuple(together), terms.priority or 0, is_group=is_whole, start=start))
    alone = np.flatnonzero(lower).tolist()
    found += [_Victim((slot,), int(pods.priority[slot]), is_group=False, start=int(pods.start[slot])) for slot in alone]
    return [each for each in found if each.priority < priority]


def _without(snapshot: Snapshot, victims: Iterable[_Victim]) -> Snapshot:
    left = snapshot.copy()
    for victim in victims:
        for slot in victim.slots:
            namespace, _, name = snapshot.pods.keys[slot].partition("/")
            left.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
    return left


def _holds(snapshot: Snapshot, profile: Profile, placed: Sequence[tuple[Pod, str]]) -> bool:
    """Whether every pod of the group still fits on its node, one after another."""
    for pod, node in placed:
        if run_cycle(snapshot, pod, profile).rejected_by[snapshot.nodes.index[node]] >= 0:
            return False
        snapshot.assume(pod.document, node)
    return True


# What becomes of a group of pods once they are in the queue: its members one after another, and all or none of them.
#
# Upstream: ``pkg/scheduler/schedule_one_podgroup.go`` of v1.36.3 and v1.37.2; in v1.35.4 each pod has a cycle of its
# own and waits at Permit (``plugins/gangscheduling``) until there are enough. Where the scheduler takes any of
# equally good nodes, it is the first in the snapshot's order. Pods of one priority go in the order of their creation,
# where the scheduler goes by when it first met them.

if TYPE_CHECKING:
    Choose = Callable[[int, Cycle], int]

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
    is_alone = release.rules.names_groups_in_workloads and not _asks(profile)
    terms = held_groups(snapshot).terms_of(key)
    return (
        None
        if terms is None or is_alone
        else _Attempt(snapshot, pod, profile, key, terms, choose, settles=settles).result()
    )


class _Attempt:
    def __init__(
        self,
        snapshot: Snapshot,
        pod: Pod,
        profile: Profile,
        key: PodGroupKey,
        terms: GroupTerms,
        choose: Choose | None,
        *,
        settles: bool,
        is_placement: bool = False,
    ) -> None:
        self._choose, self._settles, self._is_open = choose, settles, False
        self._is_placement = is_placement
        self._snapshot, self._pod, self._profile = snapshot, pod, profile
        self._key, self._terms = key, terms
        self._release = snapshot.release
        self._asks = _asks(profile)
        self._least = terms.policy.least if self._asks else None
        known = snapshot.groups.of(key)
        self._bound = [Pod(each.document) for name, each in known.items() if each.node and name != pod.key]
        others = [Pod(each.document) for name, each in known.items() if not each.node and name != pod.key]
        self._existing = len(self._bound) + len(others) + 1
        waiting = [each for each in others if not each.terminating]
        if waiting and pod.key not in known:
            # One that does not exist yet counts for its group, too.
            snapshot = snapshot.copy()
            snapshot.upsert({**pod.document, "kind": "Pod"})
        self._gated = [each for each in waiting if pre_enqueue(each, profile, snapshot) is not None]
        gated = {each.key for each in self._gated}
        tried = [pod, *(each for each in waiting if each.key not in gated)]
        self._tried = sorted(tried, key=lambda each: (-each.priority, each.created, each.name))
        self._trial = snapshot.copy()
        self._own: Snapshot | None = None
        self._members: list[MemberAttempt] = []
        self._placed = 0

    @property
    def _is_together(self) -> bool:
        """Whether the order of the scheduler's steps is that of 1.37."""
        return self._release.rules.evaluates_groups_first

    def result(self) -> GroupAttempt:
        if self._composite and not self._settled():
            return replace(self._ended(GroupVerdict.UNCERTAIN), composite=self._composite)
        if len(self._tried) > MOST_MEMBERS and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        if self._release.rules.names_groups_in_workloads:
            # 1.35: each pod by itself, and those that find a node wait for the others
            for pod in self._tried:
                self._try(pod)
            if self._found >= (self._least or 0):
                return self._ended(GroupVerdict.SCHEDULED)
            return self._ended(GroupVerdict.WAITS_ON_PERMIT, WAITS_ON_PERMIT, WAITS_ON_PERMIT)
        wrong = self._unlike()
        if wrong:
            return self._ended(GroupVerdict.ERROR, wrong, wrong)
        if self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS) and not self._is_placement:
            return self._by_placement()
        if self._is_together:
            return self._together()
        return self._until_permitted()

    @property
    def _composite(self) -> str:
        """The CompositePodGroup with which the group is tried; empty for a group that is tried by itself."""
        group = held_groups(self._snapshot).groups.get((self._key.namespace, self._key.name))
        return "" if group is None or not may_be_nested(self._snapshot, group) else group.parent

    # -- the minors ------------------------------------------------------------------------------------------

    def _by_placement(self) -> GroupAttempt:
        """Try the group in each topology domain, or in the whole cluster, and take the best of those that take it."""
        placements: dict[str, Snapshot] = {"": self._snapshot}
        for key in self._terms.topology_keys:
            domains = domains_of(self._snapshot, key)
            taken = domain_of(self._snapshot, key, [each.node_name for each in self._bound])
            if taken is None or len(domains) * len(self._snapshot.nodes) > MOST_NODES_TRIED:
                return self._ended(GroupVerdict.UNCERTAIN)
            placements = {
                domain: within(self._snapshot, names) for domain, names in domains.items() if taken in ("", domain)
            }
        tried = [replace(self._within(snapshot), domain=domain) for domain, snapshot in placements.items()]
        ended = next((each for each in tried if each.verdict in (GroupVerdict.ERROR, GroupVerdict.UNCERTAIN)), None)
        if ended is not None:
            return ended
        taking = [each for each in tried if each.verdict is GroupVerdict.SCHEDULED]
        if taking:
            # The placement is taken that has most pods of the group: the first of equally good ones.
            counts = [each.found for each in taking]
            most = max(counts)
            scores = [count * _HIGHEST // most if most else 0 for count in counts]
            return taking[scores.index(max(scores))]
        # No placement takes the group: what is said of its pods is that of the first.
        if not tried:
            reason = NO_PLACEMENTS
            self._members = [MemberAttempt(each.key, is_reached=False) for each in self._tried]
            message = of_others = reason
            of_found = ""
        else:
            reason = f"0/{len(tried)} placements are available, first placement status: {UNSCHEDULABLE}"
            first = tried[0]
            self._members, self._own = list(first.members), first.snapshot
            message = of_others = unschedulable(reason) if self._is_together else reason
            of_found = unschedulable(message) if self._is_together else first.found_message
        if not self._is_together:
            return self._ended(GroupVerdict.UNSCHEDULABLE, message, of_found, of_others)
        return self._preempting(message, of_others)

    def _within(self, snapshot: Snapshot) -> GroupAttempt:
        attempt = _Attempt(
            snapshot,
            self._pod,
            self._profile,
            self._key,
            self._terms,
            self._choose,
            settles=self._settles,
            is_placement=True,
        )
        return attempt.result()

    def _until_permitted(self) -> GroupAttempt:
        """1.36: all pods are tried, each with preemption; the group is scheduled once Permit lets one of them go."""
        is_permitted = False
        for pod in self._tried:
            cycle = self._try(pod)
            if cycle.error is not None:
                return self._failed(cycle.error.message, is_own=pod.key == self._pod.key)
            if not len(cycle.choices) and self._preempts(cycle) and not self._settled():
                return self._ended(GroupVerdict.UNCERTAIN)
            is_permitted = is_permitted or (bool(len(cycle.choices)) and self._found >= (self._least or 0))
        if is_permitted:
            return self._ended(GroupVerdict.SCHEDULED)
        if self._release.enables(Gate.WORKLOAD_AWARE_PREEMPTION) and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        return self._ended(GroupVerdict.UNSCHEDULABLE, UNSCHEDULABLE, unschedulable(WAITS_TO_BE_SCHEDULED))

    def _together(self) -> GroupAttempt:
        """1.37: pods are tried while as many as the group needs can still be reached."""
        if self._gated:
            return self._ended(GroupVerdict.GATED)
        remaining = len(self._tried)
        reasons = self._lacking(remaining)
        for number, pod in enumerate(self._tried, start=1):
            if self._is_hopeless(remaining):
                self._members.append(MemberAttempt(pod.key, is_reached=False))
                continue
            cycle = self._try(pod)
            if cycle.error is not None:
                return self._failed(cycle.error.message, is_own=pod.key == self._pod.key)
            remaining = len(self._tried) - number
            reasons = self._lacking(remaining)
        if not reasons and self._placed:
            return self._ended(GroupVerdict.SCHEDULED)
        return self._refused(reasons)

    @property
    def _found(self) -> int:
        """How many pods of the group have a node, or have found one."""
        return len(self._bound) + self._placed

    def _is_hopeless(self, remaining: int) -> bool:
        """Whether the least number is out of reach with the pods that are left."""
        return self._asks and self._found + remaining < self._terms.policy.quorum

    def _lacking(self, remaining: int) -> tuple[str, ...]:
        least = self._terms.policy.quorum
        if self._is_hopeless(remaining):
            return (f"minCount ({least}) cannot be satisfied: {self._found} scheduled, {remaining} remaining",)
        if self._asks and self._found < least:
            return (f"minCount ({least}) is not yet satisfied: {self._found} scheduled, {remaining} remaining",)
        return ()

    def _refused(self, reasons: tuple[str, ...]) -> GroupAttempt:
        """1.37: a group without enough nodes, for which preemption may make room."""
        status = unschedulable(*reasons)
        if self._is_placement:
            return self._ended(GroupVerdict.UNSCHEDULABLE, status, unschedulable(status), status)
        return self._preempting(status, status)

    def _preempting(self, status: str, of_others: str) -> GroupAttempt:
        """1.37: a group that is not scheduled, with what preemption does for it."""
        preemption = self._preemption()
        if preemption is None and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        message = status if preemption is None else f"{status}, {preemption.message}"
        if preemption is not None and preemption.victims:
            ended = self._ended(GroupVerdict.PREEMPTS, message, message, of_others)
            return replace(ended, victims=preemption.victims)
        return self._ended(GroupVerdict.UNSCHEDULABLE, message, unschedulable(message), of_others)

    def _preemption(self) -> GroupPreemption | None:
        """1.37: what preemption does for the group; None where that is not computed."""
        has_policy = self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY)
        if not (self._terms if has_policy else self._tried[0]).preempts:
            return GroupPreemption(NEVER_PREEMPTS)
        # Whether a nominated pod waits for pods that go already is not looked at, nor what lies in composite groups.
        is_other = any(each.nominated_node_name for each in self._tried)
        if is_other or self._release.enables(Gate.COMPOSITE_POD_GROUP):
            return None
        if self._settles and self._has_lower(self._priority):
            return None
        return preempt_for_group(self._snapshot, self._profile, self._priority, self._retried)

    def _retried(self, snapshot: Snapshot) -> Retried:
        again = attempt_group(snapshot, self._pod, self._profile, settles=True)
        if again is None or again.is_open or again.verdict is GroupVerdict.ERROR:
            return None
        if again.verdict is not GroupVerdict.SCHEDULED:
            return again.status
        pods = {each.key: each for each in self._tried}
        return [(pods[each.pod], each.node) for each in again.members if each.node]

    def _settled(self) -> bool:
        """Whether the attempt goes on although something is not computed, which it then notes."""
        self._is_open = self._is_open or self._settles
        return self._settles

    # -- steps -----------------------------------------------------------------------------------------------

    def _try(self, pod: Pod) -> Cycle:
        """Try one pod where those before it have their nodes, and give it its own."""
        trial = self._trial
        if pod.key == self._pod.key:
            self._own = trial.copy()
        cycle = run_cycle(trial, pod, self._profile)
        choices = cycle.choices
        self._members.append(self._member(pod, cycle))
        if len(choices):
            node = self._members[-1].node
            reserved = reserve_devices(trial, pod, self._profile, trial.nodes.index[node])
            trial.assume(reserved.counted(pod.document), node)
            self._placed += 1
        return cycle

    def _member(self, pod: Pod, cycle: Cycle) -> MemberAttempt:
        choices, looked_at = cycle.choices, int(cycle.considered.sum())
        if not len(choices):
            refusal = cycle.error.message if cycle.error is not None else fit_error_of(cycle) or ""
            return MemberAttempt(pod.key, refusal=refusal, looked_at=looked_at, plugins=rejecting(cycle))
        ties = len(choices)
        row = first_row(cycle) if self._choose is None else self._choose(len(self._members), cycle)
        total = None if cycle.takes_nominated else int(cycle.totals.max())
        node, feasible = cycle.snapshot.nodes.names[row], len(cycle.feasible)
        return MemberAttempt(pod.key, node, total=total, ties=ties, feasible=feasible, looked_at=looked_at)

    def _preempts(self, cycle: Cycle) -> bool:
        """Whether preemption makes room for one pod: what the others find then is not computed."""
        asks = any(PLUGINS[name].preempts for name in self._profile.post_filter)
        if not asks or not self._has_lower(cycle.context.pod.priority):
            return False
        return preempt(cycle).selected is not None

    def _has_lower(self, priority: int) -> bool:
        """Whether pods of a lower priority are on nodes."""
        pods = self._snapshot.pods
        return bool(((pods.node >= 0) & (pods.priority < priority)).any())

    @property
    def _priority(self) -> int:
        """The priority of the group; of one that no API server has seen yet that of its PriorityClass."""
        if self._terms.priority is not None:
            return self._terms.priority
        return int((self._snapshot.object("PriorityClass", self._terms.priority_class) or {}).get("value") or 0)

    def _unlike(self) -> str:
        """What is wrong with pods that have to be alike in a group; empty where nothing is."""
        first, others = self._tried[0], (*self._tried[1:], *(self._bound if self._is_together else ()))
        for each in (first, *others):
            if each.scheduler_name != first.scheduler_name:
                said = "all pods in a single pod group should have the same .spec.schedulerName set, got:"
                return f'{said} "{each.scheduler_name}" and "{first.scheduler_name}"'
            if self._is_together:
                wrong = self._unlike_group(each, first)
                if wrong:
                    return wrong
        return ""

    def _unlike_group(self, pod: Pod, first: Pod) -> str:
        own = _policy(preempts=pod.preempts)
        if pod.priority != self._priority:
            said = "all pods in a single pod group should have the same priority as the pod group's priority, got"
            return f"{said} {pod.priority} and {self._priority}"
        if self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY):
            if pod.preempts != self._terms.preempts:
                said = (
                    "all pods in a single pod group should have the same preemption policy "
                    "as the pod group's preemption policy"
                )
                return f"{said}, got {own} and {_policy(preempts=self._terms.preempts)}"
        elif pod.preempts != first.preempts:
            other = _policy(preempts=first.preempts)
            return f"all pods in a single pod group should have the same preemption policy, got {own} and {other}"
        return ""

    def _failed(self, error: str, *, is_own: bool) -> GroupAttempt:
        message = f"failed to schedule other pod from a pod group: {error}"
        return self._ended(GroupVerdict.ERROR, message, error if is_own else message, message)

    def _ended(self, verdict: GroupVerdict, message: str = "", of_found: str = "", of_others: str = "") -> GroupAttempt:
        return GroupAttempt(
            key=self._key,
            pod=self._pod.key,
            least=self._least,
            existing=self._existing,
            scheduled=len(self._bound),
            verdict=verdict,
            snapshot=self._snapshot if self._own is None else self._own,
            members=tuple(self._members),
            message=message,
            found_message=of_found,
            unreached_message=of_others,
            is_open=self._is_open or verdict is GroupVerdict.UNCERTAIN,
            held_back=self._gated[0].key if self._gated else "",
        )


def _asks(profile: Profile) -> bool:
    """Whether a plugin of the profile asks for the least number of pods."""
    return any(PLUGINS[name].asks_for_group for name in profile.permit if name in PLUGINS)


def _policy(*, preempts: bool) -> str:
    return "PreemptLowerPriority" if preempts else "Never"
