"""DefaultPreemption: on which nodes would removing pods of lower priority make room, and which node would be taken.

Upstream: ``plugins/defaultpreemption`` and ``framework/preemption`` v1.34.1. The dry runs of all nodes go in step: each
node keeps its own set of removed pods, and one vectorised evaluation of the filters answers for every node at once.
The scheduler tries a random sample of the nodes when they are many; here every node is tried."""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.configuration import DefaultPreemptionArgs, Extender
from clusters.engine.configuration.profiles import interested_extenders
from clusters.engine.objects import NOT_STARTED, Document, namespace_of

# DefaultPreemption by name: this is its PostFilter, with its arguments.
from clusters.engine.plugins.default_preemption import DefaultPreemption
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling.cost import Measure, bound, requirements_of
from clusters.engine.scheduling.cycle import (
    Candidate,
    CandidateChange,
    Cycle,
    ExtenderCall,
    Extenders,
    NamedVictims,
    PreemptReply,
    Silence,
    Verb,
    candidate_on,
    recorded,
)
from clusters.engine.scheduling.search import unstable_sort
from clusters.engine.selectors import LabelSelector, SelectorError
from clusters.engine.status import (
    Code,
    FilterAnswer,
    Ints,
    Mask,
    QuotedReason,
    Rejection,
    Status,
    as_one,
    no_node_available,
    room_made,
    unresolvable,
)
from clusters.engine.world import World, no_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot

# Which pods an eviction may take without breaking a disruption budget, as preemption counts it.
#
# Upstream: ``filterPodsWithPDBViolation`` in ``plugins/defaultpreemption`` v1.34.1.


class Budget(Struct, frozen=True, eq=False):
    """A PodDisruptionBudget: whom it selects, how many disruptions it still allows, and who is being disrupted."""

    selector: LabelSelector
    allowed: int
    disrupted: frozenset[str]


def _by_namespace(snapshot: Snapshot) -> dict[str, list[Budget]]:
    """The budgets of each namespace; one whose selector cannot be read protects nothing."""
    found: dict[str, list[Budget]] = {}
    for document in snapshot.objects("PodDisruptionBudget"):
        status = document.get("status") or {}
        try:
            selector = LabelSelector.from_dict((document.get("spec") or {}).get("selector"))
        except SelectorError:
            continue
        budget = Budget(
            selector, int(status.get("disruptionsAllowed") or 0), frozenset(status.get("disruptedPods") or ())
        )
        found.setdefault(namespace_of(document), []).append(budget)
    return found


class Protection:
    """Which budgets each pod uses up: only those of its namespace are looked at, once for all pods of like labels."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._pods = snapshot.pods
        self._by_empty = snapshot.release.rules.protects_by_empty_selectors
        self._budgets = snapshot.derived(_by_namespace, "PodDisruptionBudget")
        self._selecting: dict[str, dict[int, list[Budget]]] = {}

    def violating(self, slots: Iterable[int]) -> set[int]:
        """Which of the pods, evicted in this order, would break a budget."""
        used: Counter[int] = Counter()
        broken = set()
        for slot in slots:
            name = self._pods.name(slot)
            for budget in self._protecting(slot):
                if name not in budget.disrupted:
                    used[id(budget)] += 1
                    if used[id(budget)] > budget.allowed:
                        broken.add(slot)
        return broken

    def _protecting(self, slot: int) -> list[Budget]:
        """The budgets that select a pod; until 1.37 none do that select by nothing, or a pod without labels."""
        label_set = int(self._pods.label_set[slot])
        namespace = self._pods.label_sets[label_set].namespace
        if namespace not in self._selecting:
            found: dict[int, list[Budget]] = {}
            for budget in self._budgets.get(namespace, ()):
                if self._by_empty or not budget.selector.matches_everything:
                    for number in self._pods.select(budget.selector, frozenset({namespace})).tolist():
                        found.setdefault(number, []).append(budget)
            self._selecting[namespace] = found
        if not self._by_empty and not self._pods.label_sets[label_set].labels:
            return []
        return self._selecting[namespace].get(label_set, [])


# Extenders in preemption: each may take candidates away, and change whom the others cost.
#
# Upstream: ``callExtenders`` in ``framework/preemption/preemption.go`` and ``ProcessPreemption`` in
# ``pkg/scheduler/extender.go``, v1.34.1, and of v1.38.0-beta.0 for candidates without victims. An extender may also
# name pods and nodes that it was not asked about, as long as the pods are on these nodes; whatever their priority.


class NarrowedCandidates(Struct):
    """What extenders leave of the candidates, by the order of their nodes; ``error`` ends preemption."""

    candidates: tuple[Candidate, ...]
    calls: list[ExtenderCall] = field(default_factory=list)
    error: str = ""


def narrow_by_extenders(
    extenders: Extenders,
    interested: Sequence[Extender],
    pod: Document,
    snapshot: Snapshot,
    candidates: tuple[Candidate, ...],
) -> NarrowedCandidates:
    """Ask extenders in turn about candidates, one at least; each is asked about what those before it left.

    One without victims may stay without until all of them were asked.
    """
    found = NarrowedCandidates(candidates)
    for extender in interested:
        if not extender.preempt_verb:
            continue
        asked = found.candidates
        reply = extenders.preempted(extender, pod, asked)
        if isinstance(reply, Silence):
            found.calls.append(ExtenderCall(extender, Verb.PREEMPT, len(asked), silence=reply))
            continue
        left, error = _left(extender, asked, reply, snapshot)
        if error:
            found.calls.append(ExtenderCall(extender, Verb.PREEMPT, len(asked), error=error))
            if not extender.ignorable:
                found.error = error
                return found
            continue
        changes = tuple(_changes(asked, left))
        found.calls.append(ExtenderCall(extender, Verb.PREEMPT, len(asked), len(left), changes=changes))
        found.candidates = tuple(left[row] for row in sorted(left))
        if not left:
            break
    found.candidates = tuple(each for each in found.candidates if each.victims)
    return found


def _left(
    extender: Extender, asked: Sequence[Candidate], reply: PreemptReply, snapshot: Snapshot
) -> tuple[Mapping[int, Candidate], str]:
    """The candidates of a reply by row, and the error for which it does not count: the first by the nodes' names."""
    left: dict[int, Candidate] = {}
    empty = {candidate.node for candidate in asked if not candidate.victims}
    without_victims = ""
    for named in sorted(reply.nodes, key=lambda each: each.node):
        row = snapshot.nodes.index.get(named.node)
        if row is None:
            return {}, f'nodeinfo not found for node name "{named.node}"'
        strange = _strange(named, row, snapshot)
        if strange is not None:
            return {}, (
                f"extender: {extender.address} claims to preempt pod (UID: &{{{strange}}}) on node: {named.node}, "
                "but the pod is not found on that node"
            )
        if named.victims or named.node in empty:
            slots = [snapshot.pods.slot_of[victim.key] for victim in named.victims]
            left[row] = candidate_on(snapshot, row, slots, named.pdb_violations)
        elif not extender.ignorable:
            without_victims = without_victims or f'expected at least one victim pod on node "{named.node}"'
    return ({}, without_victims) if without_victims else (left, "")


def _strange(named: NamedVictims, row: int, snapshot: Snapshot) -> str | None:
    """The UID of the first victim that is not on the node; None where all are."""
    pods = snapshot.pods
    for victim in named.victims:
        slot = pods.slot_of.get(victim.key)
        if slot is None or pods.node[slot] != row:
            return victim.uid
    return None


def _changes(asked: Sequence[Candidate], left: Mapping[int, Candidate]) -> list[CandidateChange]:
    """What differs between the candidates that an extender was asked about and those that it answers, by node."""
    before = {candidate.node: candidate for candidate in asked}
    after = {candidate.node: candidate for candidate in left.values()}
    pairs = [CandidateChange(node, before.get(node), after.get(node)) for node in sorted({*before, *after})]
    return [pair for pair in pairs if pair.before != pair.after]


NO_VICTIMS = unresolvable(QuotedReason("No preemption victims found for incoming pod"))
NOT_HELPFUL = unresolvable(QuotedReason("Preemption is not helpful for scheduling"))
NO_CANDIDATE: Final = "no candidate node for preemption"


class Ineligibility(enum.StrEnum):
    """Why a pod may not preempt others."""

    NEVER = "never"
    TERMINATING = "terminating"

    @property
    def message(self) -> str:
        """What the scheduler says of it."""
        return _INELIGIBLE[self]


_INELIGIBLE = {
    Ineligibility.NEVER: "not eligible due to preemptionPolicy=Never.",
    Ineligibility.TERMINATING: "not eligible due to a terminating pod on the nominated node.",
}


class Preemption(Struct, frozen=True):
    """Whether and how preemption would help; ``sample`` is how many nodes the scheduler itself would try at least.

    ``ineligible``: why it is not tried at all. ``failed``: it found nothing and met an error, which is all that its
    ``message`` then says. ``reasons``: for how many nodes it counts which reason where there is no candidate. ``calls``
    are the extenders that have a say in it, in the order in which they are asked; ``candidates`` are what they leave of
    the ``computed`` ones, some of which may be without victims where extenders can name some.
    """

    message: str
    ineligible: Ineligibility | None = None
    failed: bool = False
    reasons: Mapping[str, int] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    computed: tuple[Candidate, ...] = ()
    potential_nodes: int = 0
    sample: int = 0
    calls: tuple[ExtenderCall, ...] = ()

    @property
    def eligible(self) -> bool:
        return self.ineligible is None

    @property
    def is_refused(self) -> bool:
        """Whether the message is about no node, but about why none is told of."""
        return self.failed or not self.eligible or self.is_emptied

    @property
    def is_emptied(self) -> bool:
        """Whether there were candidates, of which extenders keep none."""
        return not self.failed and bool(self.computed) and not self.candidates

    @property
    def extender_error(self) -> ExtenderCall | None:
        """The extender whose error ends preemption; None where none does."""
        return self.calls[-1] if self.failed and self.calls else None

    def changed_by(self, node: str) -> str:
        """The address of the extender that was the last to change what is removed from a node; empty where none did."""
        calls = (call for call in reversed(self.calls) if any(change.node == node for change in call.changes))
        return next((call.extender.address for call in calls), "")

    @property
    def selected(self) -> Candidate | None:
        return min(self.candidates, key=Candidate.preference) if self.candidates else None

    @property
    def choices(self) -> tuple[Candidate, ...]:
        """The candidates of which the scheduler takes one at random: ``selected``, and those that it prefers alike."""
        if self.selected is None:
            return ()
        preference = self.selected.preference()[:-1]
        return tuple(each for each in self.candidates if each.preference()[:-1] == preference)


def preempt(cycle: Cycle) -> Preemption:
    """Dry-run preemption for a pod that fits nowhere; extenders count as leaving every candidate as it is."""
    ineligible = _ineligible(cycle)
    if ineligible is not None:
        return Preemption(f"preemption: {ineligible.message}", ineligible)
    potential = _potential(cycle)
    dry_run = _DryRun(cycle, potential)
    computed = dry_run.candidates()
    candidates = tuple(each for each in computed if each.victims)
    errors = () if computed else dry_run.errors()
    reasons = {} if computed or errors else dry_run.reasons()
    message = as_one(errors) if errors else no_node_available(len(potential), reasons)
    if computed:
        message = NO_CANDIDATE
    return Preemption(
        message="" if candidates else f"preemption: {message}",
        failed=bool(errors),
        reasons=reasons,
        candidates=candidates,
        computed=computed,
        potential_nodes=int(potential.sum()),
        sample=_sample(cycle, int(potential.sum())),
    )


def narrowed(found: Preemption, cycle: Cycle, extenders: Extenders) -> Preemption:
    """What extenders leave of the candidates: where that is none, or one of them fails, there is no preemption."""
    if not found.computed:
        return found
    pod = cycle.context.pod
    narrowed = narrow_by_extenders(
        extenders, interested_extenders(cycle.profile, pod), pod.document, cycle.snapshot, found.computed
    )
    message = narrowed.error or ("" if narrowed.candidates else NO_CANDIDATE)
    return replace(
        found,
        message=f"preemption: {message}" if message else "",
        failed=bool(narrowed.error),
        candidates=() if narrowed.error else narrowed.candidates,
        calls=tuple(narrowed.calls),
    )


def _ineligible(cycle: Cycle) -> Ineligibility | None:
    pod, snapshot = cycle.context.pod, cycle.snapshot
    if not pod.preempts:
        return Ineligibility.NEVER
    row = snapshot.nodes.index.get(pod.nominated_node_name)
    if row is None:
        return None
    number = cycle.rejected_by[row]
    if number >= 0 and cycle.rejections[number].status.code is Code.UNRESOLVABLE:
        return None
    for slot in snapshot.pods.on_node(row):
        if snapshot.pods.priority[slot] < pod.priority and snapshot.pods.preempted[slot]:
            return Ineligibility.TERMINATING
    return None


def _potential(cycle: Cycle) -> Mask:
    """Shape (N,): nodes whose recorded rejection could be resolved by removing pods."""
    resolvable = [rejection.status.code is Code.UNSCHEDULABLE for rejection in cycle.rejections]
    return np.array([*resolvable, False], np.bool_)[cycle.rejected_by]


def _sample(cycle: Cycle, nodes: int) -> int:
    arguments = cycle.context.arguments_of(DefaultPreemption.name, DefaultPreemptionArgs)
    wanted = max(nodes * arguments.min_candidate_nodes_percentage // 100, arguments.min_candidate_nodes_absolute)
    return min(wanted, nodes)


class _DryRun:
    """Removal and reprieve of lower-priority pods on all potential nodes in step."""

    def __init__(self, cycle: Cycle, potential: Mask) -> None:
        self.cycle = cycle
        self.snapshot = cycle.snapshot
        pods = self._pods = cycle.snapshot.pods
        on_potential = np.append(potential, False)[pods.node]
        lower = pods.priority < cycle.context.pod.priority
        self.potential = potential
        self._expects_victims = cycle.snapshot.release.rules.expects_victims
        self.removed: Mask = on_potential & lower & (pods.node >= 0)
        self.removable = self.removed.copy()
        self.has_victims = np.zeros(len(potential), np.bool_)
        self.has_victims[pods.node[self.removed]] = True
        self.statuses: list[Rejection] = []
        self.failed_at = self._rejections()
        self.fits: Mask = potential & self.has_victims & (self.failed_at < 0)

    # -- filters -----------------------------------------------------------------------------------------

    def _outcomes(self, world: World) -> Mapping[str, FilterAnswer]:
        """Every filter in a world; those that read no pods answer as they did."""
        return {
            name: self.cycle.plugins[name].filter(world) if self.cycle.plugins[name].reads_pods else outcome
            for name, outcome in self.cycle.filters.items()
        }

    def _worlds(self) -> Iterable[World]:
        """The worlds that a node must fit in: with nominated pods and without."""
        removed, returned = np.flatnonzero(self.removed), np.flatnonzero(self.removable & ~self.removed)
        if self.cycle.nominated_world is not None:
            yield self.cycle.nominated_world.removing(self._pods, removed, returned)
        yield no_changes().removing(self._pods, removed, returned)

    def _rejections(self) -> Ints:
        """Shape (N,): the first rejection with the removed pods gone, an index into ``statuses``; -1 where none."""
        first = np.full(len(self.potential), -1, np.int64)
        for world in self._worlds():
            for name, outcome in self._outcomes(world).items():
                if outcome.index is None:
                    continue
                rejected = (first < 0) & (outcome.index > 0)
                if rejected.any():
                    first[rejected] = outcome.index[rejected] - 1 + len(self.statuses)
                    self.statuses.extend(Rejection(name, recorded(name, status)) for status in outcome.statuses[1:])
        return first

    def _fitting(self) -> Mask:
        fits = np.ones(len(self.potential), np.bool_)
        for world in self._worlds():
            for outcome in self._outcomes(world).values():
                if outcome.index is not None:
                    fits &= outcome.index == 0
        return fits

    # -- victims -----------------------------------------------------------------------------------------

    def _queues(self) -> tuple[dict[int, list[int]], set[int]]:
        """For each fitting node its removed pods in the order of reprieve, and which of all of them break a budget."""
        pods, protection = self._pods, Protection(self.snapshot)
        queues: dict[int, list[int]] = {}
        breaking: set[int] = set()
        slots = np.flatnonzero(self.removed)
        for slot in slots[np.lexsort((pods.arrival[slots], pods.node[slots]))].tolist():
            queues.setdefault(int(pods.node[slot]), []).append(slot)
        for row, arrived in queues.items():
            queue = self._by_importance(arrived)
            broken = protection.violating(queue)
            breaking |= broken
            queues[row] = [slot for slot in queue if slot in broken] + [slot for slot in queue if slot not in broken]
        return queues, breaking

    def _by_importance(self, slots: list[int]) -> list[int]:
        """Higher priority first, then who started earlier; equals in the order that the scheduler's sort gives them.

        From 1.38 pods that have not started are the last, and among equals the UIDs decide. Before, such a pod counts
        as starting the moment it is looked at. In 1.37 that is once, in the order of their arrival; until 1.36 in each
        comparison, so that of two such pods the one looked at first always comes out as the earlier.
        """
        chosen, rules = np.array(slots), self.snapshot.release.rules
        starts = self._pods.start[chosen]
        if rules.looks_at_victims_once and not rules.orders_victims_by_uid:
            starts = np.where(starts == NOT_STARTED, NOT_STARTED + self._pods.arrival[chosen], starts)
        uids = [self._pods.uid(slot) if rules.orders_victims_by_uid else "" for slot in slots]
        ranks = list(zip((-self._pods.priority[chosen]).tolist(), starts.tolist(), uids, strict=True))
        rank = dict(zip(slots, ranks, strict=True))
        if len(set(ranks)) == len(ranks):
            return sorted(slots, key=rank.__getitem__)
        looks_anew = not rules.orders_victims_by_uid

        def less(left: int, right: int) -> bool:
            is_tie = looks_anew and rank[left] == rank[right]
            return rank[left] < rank[right] or (is_tie and rank[left][1] == NOT_STARTED)

        return unstable_sort(slots, less)

    def candidates(self) -> tuple[Candidate, ...]:
        """Reprieve as many pods as possible, the most important first, and list what is left on each node.

        Nodes on which nothing is left are listed where an extender may name victims. Raises CostLimitError where that
        would be too much work.
        """
        if not self.fits.any():
            return ()
        pods = self.snapshot.pods
        self.removed &= self.fits[pods.node]
        queues, breaking = self._queues()
        turns = max(len(queue) for queue in queues.values())
        rules = requirements_of(self.cycle.context.pod) + len(self.cycle.context.pod.requests) + 1
        bound(Measure.DRY_RUNS, turns * rules * (int(self.removed.sum()) + len(self.potential)))
        for turn in range(turns):
            tried = np.array([queue[turn] for queue in queues.values() if turn < len(queue)], np.intp)
            self.removed[tried] = False
            self.removed[tried[~self._fitting()[pods.node[tried]]]] = True
        keeps_empty = not self._expects_victims and self._asks_extenders
        return tuple(
            self._candidate(row, queue, breaking)
            for row, queue in sorted(queues.items())
            if keeps_empty or self.removed[queue].any()
        )

    @property
    def _asks_extenders(self) -> bool:
        """Whether an extender that has a say about the pod takes part in preemption."""
        return any(each.preempt_verb for each in interested_extenders(self.cycle.profile, self.cycle.context.pod))

    def _candidate(self, row: int, queue: list[int], breaking: set[int]) -> Candidate:
        """What is left of a node's queue; sorted again only when pods that break budgets went first."""
        victims = [slot for slot in queue if self.removed[slot]]
        if 0 < len(breaking.intersection(queue)) < len(queue):
            victims = self._by_importance(victims)
        return candidate_on(self.snapshot, row, victims, sum(slot in breaking for slot in victims))

    def reasons(self) -> Counter[str]:
        """Why preemption helps nowhere, in the scheduler's words, and on how many nodes."""
        reasons: Counter[str] = Counter()
        reasons.update({NOT_HELPFUL.said: int((~self.potential).sum())})
        failed = self.failed_at[self.potential & self.has_victims]
        # Where the pod fits after all that may go came back, there are none either.
        alone = int((self.potential & ~self.has_victims).sum()) + int((failed < 0).sum())
        reasons.update({NO_VICTIMS.said: alone})
        for number, times in zip(*np.unique(failed[failed >= 0], return_counts=True), strict=True):
            status: Status = self.statuses[number].status
            reasons.update({text: int(times) for text in status.texts})
        return reasons

    def errors(self) -> tuple[str, ...]:
        """The errors of the dry runs, which come before all else where no node could be made room on, by node.

        Until 1.37 it is also an error when every pod that was removed may come back and the new one still fits.
        """
        failed: dict[int, str] = {}
        for row in np.flatnonzero(self.potential & self.has_victims).tolist():
            number = self.failed_at[row]
            if number < 0:
                if not self._expects_victims:
                    continue
                failed[row] = f'expected at least one victim pod on node "{self.snapshot.nodes.names[row]}"'
            elif self.statuses[number].status.code is Code.ERROR:
                failed[row] = self.statuses[number].status.texts[0]
        return tuple(failed.values())


# What the PostFilter plugins add to the FailedScheduling text.
#
# Upstream: ``RunPostFilterPlugins`` in ``framework/runtime/framework.go`` and ``PostFilter`` of the plugins, v1.34.1;
# ``Preempt`` in ``framework/preemption/preemption.go``, v1.37.2. The plugins are asked in turn: one that makes room
# silences all others, an error ends the round with its own words.


def post_filter_message(cycle: Cycle, preemption: Preemption | None) -> str:
    """The reasons of all PostFilter plugins, in the profile's order; of one that made room at most where.

    ``preemption`` is what the plugin that preempts found, None when the profile asks none.
    """
    reasons: list[str] = []
    for name in cycle.profile.post_filter:
        if not PLUGINS[name].preempts:
            status = answer_of(cycle, name)
            if status is not None and status.code is Code.ERROR:
                return status.said
            reasons += () if status is None else status.texts
        elif preemption is not None:
            if preemption.selected is not None:
                names = cycle.snapshot.release.rules.names_preemptions
                return room_made_by(preemption.selected) if names else ""
            if preemption.failed:
                return preemption.message
            reasons.append(preemption.message)
    return ", ".join(reasons)


def room_made_by(candidate: Candidate) -> str:
    """What is said of preemption that makes room with a candidate, from 1.37 on."""
    return room_made(candidate.node, len(candidate.victims))


def fails(cycle: Cycle) -> bool:
    """Whether a plugin that does not preempt answers with an error, so that nothing is said of preemption."""
    answers = (answer_of(cycle, name) for name in cycle.profile.post_filter if not PLUGINS[name].preempts)
    return any(answer is not None and answer.code is Code.ERROR for answer in answers)


def answer_of(cycle: Cycle, name: str) -> Status | None:
    """What the PostFilter of a plugin that does not preempt answers; None where that is not computed."""
    plugin = PLUGINS[name](cycle.context)
    return plugin.post_filter(has_run=has_run(cycle, name), rejected=first_rejected(cycle, name))


def first_rejected(cycle: Cycle, name: str) -> Mapping[Status, Mask]:
    """The nodes, shape (N,), that a plugin was the first to reject, by its answer."""
    rejected: dict[Status, Mask] = {}
    for number, rejection in enumerate(cycle.rejections):
        if rejection.plugin == name:
            rows = cycle.rejected_by == number
            rejected[rejection.status] = rows | rejected.get(rejection.status, rows)
    return rejected


def has_run(cycle: Cycle, name: str) -> bool:
    """Whether a plugin's PreFilter ran, be it that it ended the cycle itself."""
    rejects = cycle.stopped_by is not None and cycle.stopped_by.plugin == name
    return rejects or is_prepared(cycle, name)


def is_prepared(cycle: Cycle, name: str) -> bool:
    """Whether a plugin's PreFilter ran before a rejection ended the cycle."""
    order = cycle.profile.pre_filter
    if name not in order:
        return False
    if cycle.stopped_by is None or cycle.stopped_by.status.code is Code.UNSCHEDULABLE:
        return True
    # Where several restrict the search to nothing, it is the last of them that leaves none.
    ended_by = (cycle.stopped_by.plugin,) if cycle.stopped_by.plugin else cycle.restricting
    return order.index(name) < max(map(order.index, ended_by))
