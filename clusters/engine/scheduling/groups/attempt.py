"""What becomes of a group of pods once they are in the queue: its members one after another, and all or none of them.

Upstream: ``pkg/scheduler/schedule_one_podgroup.go`` of v1.36.3, v1.37.2 and v1.38.0-beta.0; in v1.35.4 each pod has a
cycle of its own and waits at Permit (``plugins/gangscheduling``) until there are enough. Where the scheduler takes any
of equally good nodes, it is the first in the order of the snapshot. Pods of one priority go in the order of their
creation, where the scheduler goes by when it first met them.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.group_states import held_groups, known_members, may_be_nested
from clusters.engine.objects import Pod, metadata, sortable_time
from clusters.engine.plugin import Reads

# DynamicResources by name: it alone allocates devices, and frees them for a whole group.
from clusters.engine.plugins.dynamic_resources import DynamicResources, freed_of_group
from clusters.engine.podgroups import (
    COMPOSITE,
    POD_GROUP,
    CompositePodGroup,
    PodGroup,
    PodGroupKey,
    group_key_of,
)
from clusters.engine.registry import PLUGINS, group_plugins, pre_enqueue
from clusters.engine.scheduling.groups.hierarchy import Hierarchy, policy_name
from clusters.engine.scheduling.groups.placements import (
    LEAST_PERCENTAGE,
    MOST_NODES_TRIED,
    MOST_PODS_TRIED,
    UncertainDomainError,
    UnknownDomainError,
    domains_of,
    required_domain,
    score_placements,
)
from clusters.engine.scheduling.groups.results import (
    CLAIMS_FREED,
    NEVER_PREEMPTS,
    NO_PLACEMENTS,
    NO_VICTIMS,
    NOMINATED_TAKES_NONE,
    NONE_SCHEDULED,
    NOTHING_PREPARED,
    NOTHING_TRIED,
    ONGOING,
    UNSCHEDULABLE,
    WAITS_ON_PERMIT,
    WAITS_TO_BE_SCHEDULED,
    GroupAttempt,
    GroupStatus,
    GroupVerdict,
    MemberAttempt,
    failed,
    unschedulable,
)
from clusters.engine.scheduling.groups.runs import Asked, Branch, Composite, Group, Run, State, still_fit
from clusters.engine.scheduling.groups.victims import Grouped, Ranking, Victim, victims_below, without
from clusters.engine.scheduling.preemption import Protection
from clusters.engine.scheduling.search import unstable_sort
from clusters.engine.status import Code
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.configuration import Profile, SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.scheduling.cycle import Cycle
    from clusters.engine.scheduling.groups.runs import Choose
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index
    from clusters.engine.versions import Release


# Each victim that may come back is a trial with every pod of the group, and each of these costs a cycle.
MOST_CYCLES: Final = 1000
# A group with more pods that wait for a node is not evaluated: each costs a cycle.
MOST_MEMBERS: Final = 500


class GroupPreemption(Struct, frozen=True):
    """What preemption does for a group: ``status`` adds to the scheduler's message.

    ``victims`` have to go, the most important first, as ``namespace/name``; ``nominations``: the nodes that pods of the
    group take then.
    """

    status: GroupStatus
    victims: tuple[str, ...] = ()
    nominations: Mapping[str, str] = {}


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
    asked = Asked(pod, profile, asks, release.rules.says_what_groups_lack, choose)
    return _Attempt(asked, key, snapshot, settles=settles).result()


class _Attempt:
    """``settles`` as of `attempt_group`; what is not computed is noted then, and the attempt goes on."""

    def __init__(self, asked: Asked, key: PodGroupKey, snapshot: Snapshot, *, settles: bool) -> None:
        self._asked, self._snapshot, self._settles = asked, snapshot, settles
        self._is_open = self._is_random = self._tells_of_any = False
        self._release, self._held = snapshot.release, held_groups(snapshot)
        self._lineage = self._held.lineage(key, is_nested=self._release.enables(Gate.COMPOSITE_POD_GROUP))
        self._gated: list[Pod] = []
        composite = self._lineage[-1] if len(self._lineage) > 1 else None
        self._root = self._group_of(key) if composite is None else self._composite_of(composite)
        (self._group,) = (each for each in self._root.leaves if each.key == key)

    def _group_of(self, key: PodGroupKey) -> Group:
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
        return Group(key, terms, "" if held is None else _workload(held), bound, queued, tried)

    def _composite_of(self, composite: CompositePodGroup | PodGroup) -> Composite:
        """A CompositePodGroup with its parts, those first that were created first."""
        space = composite.namespace
        parts: list[tuple[int, str, Group | Composite]] = []
        for kind, held in ((POD_GROUP, self._held.groups), (COMPOSITE, self._held.composites)):
            for (namespace, name), each in held.items():
                if namespace == space and each.parent == composite.name:
                    document = self._snapshot.object(kind, name, namespace) or {}
                    created = sortable_time(metadata(document).get("creationTimestamp"))
                    is_leaf = isinstance(each, PodGroup)
                    part = self._group_of(PodGroupKey(namespace, name)) if is_leaf else self._composite_of(each)
                    parts.append((created, name, part))
        ordered = tuple(part for *_, part in sorted(parts, key=itemgetter(0, 1)))
        return Composite(composite.name, composite.terms, _workload(composite), ordered)

    def result(self) -> GroupAttempt:
        if self._undecided and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN, composite=self._undecided)
        if sum(len(leaf.tried) for leaf in self._root.leaves) > MOST_MEMBERS and not self._settled():
            return self._ended(GroupVerdict.UNCERTAIN)
        if self._release.rules.names_groups_in_workloads:
            alone = Run(self._asked, self._group, State(self._snapshot)).alone()
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

    def _scheduled(self, snapshot: Snapshot, ranking: Ranking | None) -> Run | Branch:
        """What comes of the whole tree, in the best topology domains. Raises UncertainDomainError."""
        self._ranking = ranking
        tried = self._placed(self._root, State(snapshot), None)
        if tried.status.code is Code.SUCCESS and not tried.assigned and self._is_together:
            tried.status = self._asked.refusal(*((NONE_SCHEDULED,) if self._asked.says_what_lacks else ()))
        return tried

    def _placed(self, group: Group | Composite, state: State, rows: Index | None) -> Run | Branch:
        """A group or composite in the best domain that it may be in, of all nodes or ``rows``."""
        if not self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS):
            return self._run(group, state, "", rows)
        keys, snapshot = group.terms.topology_keys, state.snapshot
        if not keys:
            return self._best(group, state, [self._run(group, state, "", rows)])
        try:
            required = required_domain(group, snapshot, keys[0])
        except UnknownDomainError as unknown:
            status = failed(f"cannot determine domain for already scheduled pods: {unknown}")
            return self._unplaced(group, state, status)
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

    def _nominated(self, runs: Sequence[Run | Branch]) -> Run | Branch | None:
        """From 1.38 on: the run in the one domain with nodes that pods of a single group are nominated for."""
        if not self._asked.says_what_lacks or isinstance(self._root, Composite):
            return None
        index = self._snapshot.nodes.index
        rows = {index[name] for each in self._root.tried if (name := each.nominated_node_name) in index}
        matching = [run for run in runs if run.rows is not None and not rows.isdisjoint(run.rows.tolist())]
        return matching[0] if len(matching) == 1 else None

    def _best(
        self,
        group: Group | Composite,
        state: State,
        runs: Sequence[Run | Branch],
        nominated: Run | Branch | None = None,
    ) -> Run | Branch:
        """The run in the best placement of those that take the group; without one the first of all.

        The nominated one comes before all others, and counts only if it takes somebody.
        """
        if nominated is not None and nominated.status.code is Code.SUCCESS and nominated.assigned:
            return nominated
        for run in runs:
            if run.status.code is Code.ERROR or run.status.is_waiting:
                return run
        taking = [run for run in runs if run.status.code is Code.SUCCESS and run is not nominated]
        if len(taking) > 1 and not score_placements(self._asked.profile, state.snapshot, taking):
            return self._unplaced(group, state, failed(_SCORING_FAILED))
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
        first.status = self._asked.refusal(status) if self._is_together else unschedulable(status, is_of_group=False)
        return first

    def _wanted(self, runs: Sequence[Run | Branch]) -> int:
        """How many placements that take the group are looked for: from 1.38 on some of many, in no order.

        Upstream: ``numFeasiblePlacementsToFind`` of v1.38.0-beta.0.
        """
        if not self._asked.says_what_lacks:
            return len(runs)
        nodes = sum(len(run.rows) for run in runs if run.rows is not None)
        return max(1, len(runs) * max(LEAST_PERCENTAGE, 100 - nodes * 9 // 500) // 100)

    def _unplaced(self, group: Group | Composite, state: State, status: GroupStatus) -> Run | Branch:
        """What nobody comes to be tried of."""
        tried = (
            Branch(group, state, "", None)
            if isinstance(group, Composite)
            else Run(self._asked, group, state).passed_over()
        )
        tried.status = status
        return tried

    def _run(self, group: Group | Composite, state: State, domain: str, rows: Index | None) -> Run | Branch:
        if isinstance(group, Composite):
            return self._parts(Branch(group, state, domain, rows))
        run = Run(self._asked, group, state, domain, rows, self._ranking)
        return run.together() if self._is_together else run.until_permitted(settles=self._settles)

    def _parts(self, branch: Branch) -> Branch:
        """Try the parts of a composite while as many as it needs can still be scheduled."""
        terms, remaining = branch.group.terms, len(branch.group.parts)
        branch.status = self._asked.feasibility(terms, 0, 0, remaining)
        for each in branch.group.parts:
            if branch.is_hopeless:
                return branch
            part = self._placed(each, State(branch.state, branch.condemned), branch.rows)
            branch.parts.append(part)
            branch.is_random = branch.is_random or part.is_random
            branch.tells_of_any = branch.tells_of_any or part.tells_of_any
            if part.status.code is Code.ERROR:
                whole, where = "composite pod group", "child"
                if self._asked.says_what_lacks:
                    whole, where = f'{whole} "{branch.group.name}"', f'child "{each.name}"'
                branch.status = failed(f"{whole} evaluation failed due to {where} error: {part.status.error}")
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

    def _permitted(self, run: Run) -> GroupAttempt:
        """1.36: a group that Permit lets no pod of go."""
        if run.status.is_waiting or (self._release.enables(Gate.WORKLOAD_AWARE_PREEMPTION) and not self._settled()):
            return self._ended(GroupVerdict.UNCERTAIN, run)
        message, waits = run.status.message, f"{UNSCHEDULABLE}, {WAITS_TO_BE_SCHEDULED}"
        if run.nominations:
            nodes = {each.pod: each.node for each in run.members if each.node}
            ended = self._ended(GroupVerdict.PREEMPTS, run, message, message, message)
            return replace(ended, victims=run.victims, nominations={**nodes, **run.nominations})
        return self._ended(GroupVerdict.UNSCHEDULABLE, run, message, waits, message)

    def _together(self, tried: Run | Branch) -> GroupAttempt:
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

    def _in_error(self, run: Run, message: str) -> GroupAttempt:
        """The scheduler ends in an error, which until 1.37 every pod is told, and then that its group is in one."""
        own = f'parent pod group "{self._group.name}" encountered an error'
        told = own if self._asked.says_what_lacks else message
        return self._ended(GroupVerdict.ERROR, run, message, told, told)

    def _own_run(self, tried: Run | Branch) -> Run:
        """What is said of the pod's group: of one that would do, or was not reached, what is said of the whole."""
        if isinstance(tried, Run):
            return tried
        part = next((each for each in tried.parts if self._group in each.group.leaves), None)
        is_whole = tried.status.code is Code.SUCCESS
        is_own = part is not None and (is_whole or part.status.code is not Code.SUCCESS)
        if self._asked.says_what_lacks and tried.status.code is Code.ERROR:
            is_own = part is not None and part.status.code is Code.ERROR
        if part is not None and is_own:
            return self._own_run(part)
        run = Run(self._asked, self._group, State(self._snapshot)).passed_over()
        run.status = self._of_ancestor(tried) if self._asked.says_what_lacks else tried.status
        return run

    def _of_ancestor(self, above: Branch) -> GroupStatus:
        """From 1.38 on: what a group is told whose ancestor failed."""
        ancestor = f'ancestor composite pod group "{above.group.name}"'
        if above.status.code is Code.ERROR:
            return failed(f"{ancestor} encountered an error")
        return self._asked.refusal(f"{ancestor} is unschedulable")

    def _sharing(self, tried: Run | Branch, run: Run) -> int:
        """How many results of the tree have the very status of a group: those that were given it, and whose it is."""
        if isinstance(tried, Run) or self._asked.says_what_lacks:
            return 1
        held: Counter[int] = Counter()

        def give(group: Group | Composite, result: Run | Branch | None, parent: GroupStatus) -> None:
            is_own = result is not None and (parent.code is Code.SUCCESS or result.status.code is not Code.SUCCESS)
            status = result.status if result is not None and is_own else parent
            held[id(status)] += 1
            parts = {id(each.group): each for each in result.parts} if isinstance(result, Branch) and is_own else {}
            for each in group.parts if isinstance(group, Composite) else ():
                give(each, parts.get(id(each)), status)

        give(tried.group, tried, GroupStatus())
        return held[id(run.status)]

    # -- PodGroupPostFilter ----------------------------------------------------------------------------------

    def _post_filter(self, tried: Run | Branch) -> GroupPreemption | None:
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
                return GroupPreemption(failed(f'error in "{name}" PodGroupPostFilter plugins: {found.status.message}'))
            said += found.status.reasons
        return GroupPreemption(GroupStatus(Code.UNSCHEDULABLE, tuple(said)))

    def _free_claims(self, run: Run | Branch) -> GroupStatus:
        """What DynamicResources does: it frees claims that no node of a pod has the devices of."""
        is_placed = self._release.enables(Gate.TOPOLOGY_AWARE_WORKLOADS) and self._group.terms.is_constrained
        if is_placed or isinstance(run, Branch):
            return unschedulable(is_of_group=False)
        if not run.is_prepared:
            return failed(NOTHING_PREPARED)
        if run.has_unfreed and self._release.enables(Gate.DRA_WORKLOAD_CLAIMS) and not self._group.bound:
            freed = freed_of_group(self._snapshot, self._group.key, self._asked.pod, run.unavailable)
            if freed is not None:
                return GroupStatus(freed.code, freed.texts)
        return unschedulable(CLAIMS_FREED, is_of_group=False)

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
        never = GroupPreemption(unschedulable(NEVER_PREEMPTS, is_of_group=False))
        if not ranks and not self._may_preempt(pods):
            return never
        if self._is_preempting(pods):
            nominations = {each.key: each.nominated_node_name for each in pods}
            return GroupPreemption(GroupStatus(reasons=(ONGOING,)), nominations=nominations)
        if not self._may_preempt(pods):
            return never
        everybody = victims_below(snapshot, self._priority)
        if not everybody:
            code = Code.UNSCHEDULABLE if ranks else Code.UNRESOLVABLE
            return GroupPreemption(GroupStatus(code, (NO_VICTIMS,)))
        if self._settles:
            return None
        try:
            ranking = Ranking(snapshot, everybody) if ranks and self._reserves else None
            run = self._scheduled(without(snapshot, everybody), ranking)
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
        snapshot, grouped = self._snapshot, Grouped.of(self._snapshot)
        rows = {snapshot.nodes.index.get(each.nominated_node_name) for each in pods}
        slots = (slot for row in rows if row is not None for slot in snapshot.pods.on_node(row))
        return any(snapshot.pods.preempted[slot] and grouped.priority(slot) < self._priority for slot in slots)

    def _reprieved(self, everybody: list[Victim], run: Run | Branch) -> GroupPreemption | None:
        """Let victims come back while every pod of the group keeps the node that it found without them."""
        if isinstance(run, Branch) and run.has_refused and not self._asked.says_what_lacks:
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
            if still_fit(without(snapshot, rest), profile, assigned):
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
            return Hierarchy(self._root, self._group.key.namespace, self._priority).wrong()
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
        own = policy_name(preempts=pod.preempts)
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
                return f"{said}, got {own} and {policy_name(preempts=preempts)}"
        elif pod.preempts != first.preempts:
            other = policy_name(preempts=first.preempts)
            return f"all pods in a single pod group should have the same preemption policy, got {own} and {other}"
        return ""

    def _ended(
        self,
        verdict: GroupVerdict,
        run: Run | None = None,
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
            composite=composite or (self._root.name if isinstance(self._root, Composite) else ""),
        )


_SCORING_FAILED: Final = (
    'running NormalizePlacementScore on PlacementScore plugins: plugin "PodGroupPodsCount" failed with: '
    "no pods from pod group are assigned to any of the candidate placements"
)


def _workload(group: PodGroup | CompositePodGroup) -> str:
    return "" if group.workload is None else group.workload.workload


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
    return NOTHING_TRIED


def _first_by_name(_: int, cycle: Cycle) -> int:
    return int(cycle.choices[0])
