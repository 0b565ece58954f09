"""What becomes of a group of pods once they are in the queue: its members one after another, and all or none of them.

Upstream: ``pkg/scheduler/schedule_one_podgroup.go`` of v1.36.3 and v1.37.2; in v1.35.4 each pod has a cycle of its own
and waits at Permit (``plugins/gangscheduling``) until there are enough. Where the scheduler takes any of equally good
nodes, it is the first in the snapshot's order. Pods of one priority go in the order of their creation, where the
scheduler goes by when it first met them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from clusters.engine import group_messages as said
from clusters.engine.cycle import run_cycle
from clusters.engine.group_attempt import GroupAttempt, GroupVerdict, MemberAttempt
from clusters.engine.group_preemption import GroupPreemption, preempt_for_group
from clusters.engine.objects import Pod
from clusters.engine.placements import MOST_NODES_TRIED, best_of, domain_of, domains_of, within
from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.hierarchy import may_be_nested
from clusters.engine.podgroups.reference import group_key_of
from clusters.engine.preemption import preempt
from clusters.engine.refusal import fit_error_of, rejecting
from clusters.engine.registry import PLUGINS, pre_enqueue
from clusters.engine.reserving import reserve_devices
from clusters.engine.ties import first_row
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.configuration import Profile
    from clusters.engine.cycle import Cycle
    from clusters.engine.group_preemption import Retried
    from clusters.engine.podgroups.objects import GroupTerms
    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.snapshot import Snapshot

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
            return self._one_by_one()
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

    def _one_by_one(self) -> GroupAttempt:
        """1.35: each pod by itself, and those that find a node wait for the others."""
        for pod in self._tried:
            self._try(pod)
        if self._found >= (self._least or 0):
            return self._ended(GroupVerdict.SCHEDULED)
        return self._ended(GroupVerdict.WAITS_ON_PERMIT, said.WAITS_ON_PERMIT, said.WAITS_ON_PERMIT)

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
            return taking[best_of([each.found for each in taking])]
        return self._placed_nowhere(tried)

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

    def _placed_nowhere(self, tried: Sequence[GroupAttempt]) -> GroupAttempt:
        """No placement takes the group: what is said of its pods is that of the first."""
        if not tried:
            reason = said.NO_PLACEMENTS
            self._members = [MemberAttempt(each.key, is_reached=False) for each in self._tried]
            message = of_others = reason
            of_found = ""
        else:
            reason, first = said.no_placement_available(len(tried)), tried[0]
            self._members, self._own = list(first.members), first.snapshot
            message = of_others = said.unschedulable(reason) if self._is_together else reason
            of_found = said.unschedulable(message) if self._is_together else first.found_message
        if not self._is_together:
            return self._ended(GroupVerdict.UNSCHEDULABLE, message, of_found, of_others)
        return self._preempting(message, of_others)

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
        waits = said.WAITS_TO_BE_SCHEDULED
        return self._ended(GroupVerdict.UNSCHEDULABLE, said.UNSCHEDULABLE, said.unschedulable(waits))

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
            return (said.cannot_be_satisfied(least, self._found, remaining),)
        is_short = self._asks and self._found < least
        return (said.not_yet_satisfied(least, self._found, remaining),) if is_short else ()

    def _refused(self, reasons: tuple[str, ...]) -> GroupAttempt:
        """1.37: a group without enough nodes, for which preemption may make room."""
        status = said.unschedulable(*reasons)
        if self._is_placement:
            return self._ended(GroupVerdict.UNSCHEDULABLE, status, said.unschedulable(status), status)
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
        return self._ended(GroupVerdict.UNSCHEDULABLE, message, said.unschedulable(message), of_others)

    def _preemption(self) -> GroupPreemption | None:
        """1.37: what preemption does for the group; None where that is not computed."""
        if not self._may_preempt:
            return GroupPreemption(said.NEVER_PREEMPTS)
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
        priority = cycle.context.pod.priority
        if not asks or not self._has_lower(priority):
            return False
        return preempt(cycle).selected is not None

    def _has_lower(self, priority: int) -> bool:
        """Whether pods of a lower priority are on nodes."""
        pods = self._snapshot.pods
        return bool(((pods.node >= 0) & (pods.priority < priority)).any())

    @property
    def _may_preempt(self) -> bool:
        if self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY):
            return self._terms.preempts
        return self._tried[0].preempts

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
                return said.other_scheduler(each.scheduler_name, first.scheduler_name)
            if self._is_together:
                wrong = self._unlike_group(each, first)
                if wrong:
                    return wrong
        return ""

    def _unlike_group(self, pod: Pod, first: Pod) -> str:
        if pod.priority != self._priority:
            return said.other_priority(pod.priority, self._priority)
        if self._release.enables(Gate.POD_GROUP_PREEMPTION_POLICY):
            if pod.preempts != self._terms.preempts:
                return said.other_policy_than_group(
                    _policy(preempts=pod.preempts), _policy(preempts=self._terms.preempts)
                )
        elif pod.preempts != first.preempts:
            return said.other_policy(_policy(preempts=pod.preempts), _policy(preempts=first.preempts))
        return ""

    def _failed(self, error: str, *, is_own: bool) -> GroupAttempt:
        message = said.other_failed(error)
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
