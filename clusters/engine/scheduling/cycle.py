"""One scheduling cycle over all nodes: PreFilter, Filter, PreScore, Score, Normalise.

Upstream: ``pkg/scheduler/schedule_one.go`` and ``framework/runtime/framework.go`` v1.34.1. Where the scheduler stops at
a node's first failing filter, here every filter answers for every node; what the scheduler itself would record is
derived from that."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np
from msgspec import Struct, field

from clusters.engine.columns import distinguish
from clusters.engine.configuration.profiles import interested_extenders
from clusters.engine.devices.claims import (
    claim_for_resources,
    consumer_of,
    reserved_for,
    served_resources,
    uses_devices,
)
from clusters.engine.plugin import (
    MAX_NODE_SCORE,
    PROCEED,
    Constraint,
    Context,
    Lifted,
    Plugin,
    PluginScore,
    PreFilter,
    Skipped,
    Unprepared,
    out_of_range,
)

# DynamicResources by name: it alone allocates devices in Reserve.
from clusters.engine.plugins.dynamic_resources import DynamicResources, with_statuses
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling.cost import check
from clusters.engine.scheduling.search import sampling_of
from clusters.engine.status import (
    Code,
    CycleError,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Phase,
    QuotedReason,
    Reason,
    Rejection,
    Status,
    failure,
    filter_error,
    unresolvable,
    unschedulable,
)
from clusters.engine.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.configuration import Extender, Profile
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot

# Candidates of preemption: nodes where a pod would fit without other pods, and which of them the scheduler prefers.
#
# Upstream: ``pickOneNodeForPreemption`` in ``framework/preemption`` and ``GetEarliestPodStartTime`` in
# ``pkg/scheduler/util``, v1.34.1.


class Candidate(Struct, frozen=True):
    """A node where the pod would fit without the victims, the most important of which come first.

    One without victims is not preferred to others, but may be given some by an extender (from 1.38). ``victims`` are
    ``namespace/name``; ``priorities`` are theirs; ``earliest_start`` belongs to the most important. Extenders may name
    victims in another order; the first still counts as the most important.
    """

    node: str
    victims: tuple[str, ...]
    pdb_violations: int
    priorities: tuple[int, ...]
    earliest_start: int

    def preference(self) -> tuple[int, int, int, int, int, str]:
        """The less the better; the scheduler's last choice among equals is random, here it is by name."""
        offset = 2**31
        return (
            self.pdb_violations,
            self.priorities[0],
            sum(priority + offset for priority in self.priorities),
            len(self.victims),
            -self.earliest_start,
            self.node,
        )


def candidate_on(snapshot: Snapshot, row: int, victims: Sequence[int], pdb_violations: int) -> Candidate:
    """The candidate that removing these pods makes of a node; ``victims`` are their slots."""
    pods = snapshot.pods
    priorities = [int(pods.priority[slot]) for slot in victims]
    highest = max(priorities, default=0)
    top = [slot for slot, priority in zip(victims, priorities, strict=True) if priority == highest]
    return Candidate(
        node=snapshot.nodes.names[row],
        victims=tuple(pods.keys[slot] for slot in victims),
        pdb_violations=pdb_violations,
        priorities=tuple(priorities),
        earliest_start=min((int(pods.start[slot]) for slot in top), default=0),
    )


def leaving_victims(snapshot: Snapshot, candidate: Candidate) -> tuple[str, ...]:
    """The victims of a candidate that are terminating already, whether or not anybody preempts them."""
    pods = snapshot.pods
    slots = {key: pods.slot_of[key] for key in candidate.victims if key in pods.slot_of}
    return tuple(key for key, slot in slots.items() if pods.terminating[slot])


# What extenders answer about the nodes that passed every filter, where somebody can ask them.
#
# Upstream: ``findNodesThatPassExtenders`` and ``prioritizeNodes`` in ``pkg/scheduler/schedule_one.go`` and
# ``pkg/scheduler/extender.go``, v1.34.1. An extender that does not answer here may well answer the scheduler: then
# its part stays unknown, and counts as letting every node pass.

MAX_EXTENDER_SCORE: Final = 10


class Silence(enum.StrEnum):
    """Why nothing is known of what an extender would answer."""

    NOT_LISTED = "not-listed"
    """Its host is not among those that may be asked, or its address was not kept."""
    TIMED_OUT = "timed-out"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """It answered with another HTTP status than 200."""
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    TOO_MANY_VICTIMS = "too-many-victims"
    """More pods would have to be told of than Berth sends."""
    UNIDENTIFIED = "unidentified"
    """A pod that would have to be told of has no UID in the source, or is not kept by it."""


class FilterReply(Struct, frozen=True):
    """The nodes that an extender keeps, and the others with its message, those apart that removing pods cannot help.

    ``error``: it gives up on the pod, whatever else it says; empty where it does not.
    """

    kept: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    unresolvable: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


class ScoreReply(Struct, frozen=True):
    """An extender's scores by node, of 0 to 10."""

    scores: tuple[tuple[str, int], ...] = ()


class NamedVictim(Struct, frozen=True):
    """A victim as an extender names it; ``key`` is its namespace/name, empty where no pod of the node has the UID."""

    uid: str
    key: str


class NamedVictims(Struct, frozen=True):
    """A node that an extender has for a candidate of preemption, and whose removal it takes."""

    node: str
    victims: tuple[NamedVictim, ...]
    pdb_violations: int


class PreemptReply(Struct, frozen=True):
    """The candidates of preemption that an extender leaves, each with its victims."""

    nodes: tuple[NamedVictims, ...] = ()


class Extenders(Protocol):
    """Asks extenders; ``nodes`` are names, in the order of the snapshot."""

    def filtered(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> FilterReply | Silence:
        """Ask which of the nodes an extender keeps."""

    def scored(self, extender: Extender, pod: Document, nodes: Sequence[str]) -> ScoreReply | Silence:
        """Ask how an extender scores nodes."""

    def preempted(self, extender: Extender, pod: Document, candidates: Sequence[Candidate]) -> PreemptReply | Silence:
        """Ask what an extender leaves of the candidates for preemption."""


class Verb(enum.StrEnum):
    """What an extender was asked to do."""

    FILTER = "filter"
    PRIORITIZE = "prioritize"
    PREEMPT = "preempt"


class CandidateChange(Struct, frozen=True):
    """What an extender made of a candidate for preemption: other victims, or another number of violated budgets.

    It took away what has no ``after``, and added what has no ``before``.
    """

    node: str
    before: Candidate | None
    after: Candidate | None


class ExtenderCall(Struct, frozen=True):
    """An extender that has a say, and what came of it.

    ``asked`` nodes were sent, ``kept`` of them stay, or have a score; of candidates for preemption it may add some, and
    ``changes`` says what it changed of them. ``silence`` is None where it answered; ``error`` is what it gave up with,
    which an ignorable one may do without consequence.
    """

    extender: Extender
    verb: Verb
    asked: int
    kept: int = 0
    silence: Silence | None = None
    error: str = ""
    changes: tuple[CandidateChange, ...] = ()

    @property
    def is_answered(self) -> bool:
        return self.silence is None


class Extended(Struct):
    """What filtering extenders leave: rows that stay feasible, what rejects others, and the error that ends it all."""

    feasible: Index
    rejected: dict[int, Rejection] = field(default_factory=dict)
    calls: list[ExtenderCall] = field(default_factory=list)
    error: tuple[str, str] | None = None


def filter_by_extenders(
    extenders: Extenders, interested: Sequence[Extender], pod: Document, names: Sequence[str], feasible: Index
) -> Extended:
    """Ask extenders in turn about the feasible rows; each is asked about what those before it kept."""
    found = Extended(feasible)
    index = {name: row for row, name in enumerate(names)}
    for extender in interested:
        if not len(found.feasible):
            break
        if not extender.filter_verb:
            continue
        asked = [names[row] for row in found.feasible.tolist()]
        reply = extenders.filtered(extender, pod, asked)
        if isinstance(reply, Silence):
            found.calls.append(ExtenderCall(extender, Verb.FILTER, len(asked), silence=reply))
            continue
        error = reply.error or _unknown_node(extender, reply, asked)
        if error:
            found.calls.append(ExtenderCall(extender, Verb.FILTER, len(asked), error=error))
            if not extender.ignorable:
                found.error = (extender.address, error)
                return found
            continue
        _leave_out(found, extender, reply, index)
        found.calls.append(ExtenderCall(extender, Verb.FILTER, len(asked), len(found.feasible)))
    return found


def _unknown_node(extender: Extender, reply: FilterReply, asked: Sequence[str]) -> str:
    """The error of an extender that knows nodes by name and keeps one that it was not asked about."""
    known = frozenset(asked)
    strange = next((name for name in reply.kept if name not in known), None) if extender.node_cache_capable else None
    if strange is None:
        return ""
    return f'extender "{extender.address}" claims a filtered node "{strange}" which is not found in the input node list'


def _leave_out(found: Extended, extender: Extender, reply: FilterReply, index: Mapping[str, int]) -> None:
    kept = np.array(sorted({index[name] for name in reply.kept if name in index}), np.intp)
    # A node about which it says nothing is left out without a reason, as one that removing pods cannot help.
    for row in np.setdiff1d(found.feasible, kept).tolist():
        found.rejected[row] = Rejection(extender.address, unresolvable())
    statuses = {
        **{name: unschedulable(QuotedReason(message)) for name, message in reply.failed.items()},
        **{name: unresolvable(QuotedReason(message)) for name, message in reply.unresolvable.items()},
    }
    for name, status in statuses.items():
        row = index.get(name)
        if row is not None and row in found.rejected:
            found.rejected[row] = Rejection(extender.address, status)
    found.feasible = np.intersect1d(found.feasible, kept)


class ExtenderScores(Struct, frozen=True):
    """One extender's scores of the feasible nodes, shape (F,): raw of 0 to 10, and scaled to 0 to 100."""

    extender: Extender
    raw: Ints
    scaled: Ints


def score_by_extenders(
    extenders: Extenders, interested: Sequence[Extender], pod: Document, names: Sequence[str]
) -> tuple[list[ExtenderScores], list[ExtenderCall]]:
    """Ask extenders for scores of the feasible nodes ``names``; what one does not name has 0 of it."""
    scores: list[ExtenderScores] = []
    calls: list[ExtenderCall] = []
    index = {name: number for number, name in enumerate(names)}
    for extender in interested:
        if not extender.prioritize_verb:
            continue
        reply = extenders.scored(extender, pod, names)
        if isinstance(reply, Silence):
            calls.append(ExtenderCall(extender, Verb.PRIORITIZE, len(names), silence=reply))
            continue
        raw = np.zeros(len(names), np.int64)
        for name, score in reply.scores:
            if name in index:
                raw[index[name]] += score
        scores.append(ExtenderScores(extender, raw, raw * (MAX_NODE_SCORE // MAX_EXTENDER_SCORE)))
        named = len({name for name, _ in reply.scores} & index.keys())
        calls.append(ExtenderCall(extender, Verb.PRIORITIZE, len(names), named))
    return scores, calls


# The verdicts of a cycle: equal rejections as one, and the nodes by identical answers.


def merged(rejections: Sequence[Rejection], first: Index) -> tuple[list[Rejection], Index]:
    """Equal rejections as one, wherever they came from; ``first`` (N,) numbers them, -1 where there is none."""
    position = {rejection: number for number, rejection in enumerate(dict.fromkeys(rejections))}
    if len(position) == len(rejections):
        return list(rejections), first
    translate = np.array([*(position[rejection] for rejection in rejections), -1], np.intp)
    return list(position), translate[first]


# Up to so many patterns of answers are few.
FEW: Final = 16


class Cycle(Struct):
    """What a cycle found. N nodes, F feasible ones.

    ``rejected_by`` (N,) indexes ``rejections`` with the first rejection in plugin order, nominated pods taken into
    account; -1 where the node is feasible. ``patterns`` (N,) numbers the nodes by identical answers of all filters and
    verdicts; where ``pattern_count`` is no more than FEW, no node may have some of the numbers.
    ``filter_error`` is the first that a search of all considered nodes meets, ``score_error`` what scoring the feasible
    nodes ends in; which of them ends the cycle is said by ``error``. ``nominated_row`` is the node that the pod itself
    is nominated for, where the scheduler comes to try it. ``calls`` are the extenders that have a say, in the order in
    which they are asked; those that scored nodes stand in ``scores`` by their addresses, ``extender_scores``.
    ``search_start``: the place in the order of the search from which it starts, where that is known. ``placement``
    (N,): the nodes that are searched at all for a pod of a group, None for all; nothing is said of the others.
    """

    context: Context
    profile: Profile
    plugins: Mapping[str, Plugin]
    pre_filters: dict[str, PreFilter] = field(default_factory=dict)
    stopped_by: Rejection | None = None
    restricting: tuple[str, ...] = ()
    filters: dict[str, FilterAnswer] = field(default_factory=dict)
    nominated_world: World | None = None
    nominated_row: int | None = None
    placement: Mask | None = None
    rejections: list[Rejection] = field(default_factory=list)
    rejected_by: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    considered: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))
    patterns: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    pattern_count: int = 0
    pre_scores: dict[str, Status] = field(default_factory=dict)
    unscored: list[str] = field(default_factory=list)
    scores: list[PluginScore] = field(default_factory=list)
    filter_error: CycleError | None = None
    is_error_met: bool = False
    score_error: CycleError | None = None
    calls: list[ExtenderCall] = field(default_factory=list)
    extender_scores: tuple[str, ...] = ()
    feasible: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    totals: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    search_start: int | None = None

    @property
    def snapshot(self) -> Snapshot:
        return self.context.snapshot

    @property
    def skipped(self) -> frozenset[str]:
        """Plugins whose PreFilter said that their filter has nothing to check."""
        return frozenset(name for name, result in self.pre_filters.items() if result.status.code is Code.SKIP)

    @property
    def error(self) -> CycleError | None:
        """The error that ends the cycle, so that no node is taken; None where ``possible_error`` is all there is.

        None also where the pod's nominated node is taken before the others are looked at. A single feasible node is
        taken without a score, so that none can fail.
        """
        if self.takes_nominated:
            return None
        if self.stopped_by is not None and self.stopped_by.status.code is Code.ERROR:
            return CycleError.of(Phase.PRE_FILTER, self.stopped_by.plugin, self.stopped_by.status.said)
        if self.filter_error is not None and self.possible_error is None:
            return self.filter_error
        return self.score_error if len(self.feasible) > 1 else None

    @property
    def possible_error(self) -> CycleError | None:
        """A filter's error that ends the cycle only if the search comes to its node before it has found enough others.

        From where it starts cannot be known.
        """
        if self.filter_error is None or self.is_error_met or self.takes_nominated:
            return None
        wanted = sampling_of(self.profile, int(self.considered.sum())).wanted
        return self.filter_error if len(self.feasible) > wanted else None

    @property
    def left_out(self) -> Mask:
        """Shape (N,): nodes that an extender rejects; whatever filters would let pass, it was asked about this pod."""
        addresses = {call.extender.address for call in self.calls}
        by_extender = [rejection.plugin in addresses for rejection in self.rejections]
        return np.array([*by_extender, False], np.bool_)[self.rejected_by]

    def fail(self, error: CycleError) -> None:
        """Let the search be known to come to a filter's error."""
        self.filter_error, self.is_error_met = error, True

    @property
    def takes_nominated(self) -> bool:
        """Whether the node that the pod is nominated for fits, and so is taken without a look at the others."""
        return self.nominated_row is not None and self.nominated_row in self.feasible

    @property
    def best(self) -> Index:
        """Rows of the feasible nodes with the highest total; a choice that could not be scored has none."""
        if not len(self.feasible) or (self.score_error is not None and len(self.feasible) > 1):
            return self.feasible[:0]
        best: Index = self.feasible[self.totals == self.totals.max()]
        return best

    @property
    def choices(self) -> Index:
        """Rows of which the scheduler takes one, any of them; without one the pod is not scheduled."""
        if self.takes_nominated:
            return np.array([self.nominated_row], np.intp)
        return self.feasible[:0] if self.error is not None else self.best


def run_cycle(
    snapshot: Snapshot,
    pod: Pod,
    profile: Profile,
    *,
    among: Index | None = None,
    within: Index | None = None,
    lifted: frozenset[Constraint] = frozenset(),
    extenders: Extenders | None = None,
) -> Cycle:
    """Filter all nodes and score the feasible ones for a pod.

    ``among`` are the rows that a search has found which ended before it saw all nodes; no other counts as feasible, and
    no filter failed before. ``within`` are the rows that are searched at all, those of a placement of the pod's group.
    ``lifted`` are constraints that do not stand. ``extenders`` asks those of the profile; without it they count as
    letting every node pass. Raises CostLimitError before anything is computed.
    """
    check(snapshot, pod)
    context = Context(snapshot, pod, profile.args)
    used = dict.fromkeys((*profile.pre_filter, *profile.filter, *profile.pre_score, *profile.score))
    plugins = {name: _plugin(name, context, profile) for name in used if name in PLUGINS}
    for name in {constraint.plugin for constraint in lifted}:
        plugins[name] = Lifted(name, plugins[name], lifted)
    cycle = Cycle(context, profile, plugins)
    if within is not None:
        cycle.placement = np.zeros(len(snapshot.nodes), np.bool_)
        cycle.placement[within] = True
    _pre_filter(cycle)
    _filter(cycle)
    _judge(cycle)
    cycle.feasible = (cycle.rejected_by < 0).nonzero()[0]
    if among is not None:
        cycle.feasible, cycle.filter_error = np.intersect1d(cycle.feasible, among), None
    if extenders is not None and cycle.error is None:
        _ask_filters(cycle, extenders)
    _score(cycle)
    if extenders is not None and len(cycle.feasible) > 1 and not cycle.takes_nominated and cycle.error is None:
        _ask_scores(cycle, extenders)
    return cycle


def _ask_filters(cycle: Cycle, extenders: Extenders) -> None:
    """Let extenders reject feasible nodes: their rejections are recorded as those of plugins are."""
    interested, pod = interested_extenders(cycle.profile, cycle.context.pod), cycle.context.pod.document
    if not interested:
        return
    found = filter_by_extenders(extenders, interested, pod, cycle.snapshot.nodes.names, cycle.feasible)
    cycle.calls = found.calls
    if found.error is not None:
        address, message = found.error
        cycle.fail(CycleError(Phase.FILTER, address, message))
    if not found.rejected:
        return
    first = cycle.rejected_by.copy()
    rejections = list(cycle.rejections)
    for row, rejection in found.rejected.items():
        first[row] = len(rejections)
        rejections.append(rejection)
    cycle.rejections, cycle.rejected_by = merged(rejections, first)
    cycle.feasible = found.feasible
    _tell_verdicts_apart(cycle)


def _ask_scores(cycle: Cycle, extenders: Extenders) -> None:
    """Add what extenders score to the totals, scaled to the range of plugins and times their weights."""
    interested, pod = interested_extenders(cycle.profile, cycle.context.pod), cycle.context.pod.document
    if not interested:
        return
    names = [cycle.snapshot.nodes.names[row] for row in cycle.feasible.tolist()]
    scores, calls = score_by_extenders(extenders, interested, pod, names)
    cycle.calls += calls
    cycle.extender_scores = tuple(each.extender.address for each in scores)
    for each in scores:
        score = PluginScore(each.extender.address, each.extender.weight, each.raw, each.scaled)
        cycle.scores.append(score)
        cycle.totals = cycle.totals + score.weighted


def _plugin(name: str, context: Context, profile: Profile) -> Plugin:
    plugin = PLUGINS[name](context)
    if context.is_resize and not plugin.judges_resizes:
        return Skipped(context)
    if plugin.unprepared is not None and name in profile.filter and name not in profile.pre_filter:
        return Unprepared(plugin, plugin.unprepared)
    return plugin


def nominated_world(snapshot: Snapshot, pod: Pod, profile: Profile) -> World | None:
    """Nominated pods that the pod must make way for: those of at least its priority, but not itself.

    Only pods in the scheduler's own queue count: neither those of another scheduler nor those that gates hold back.
    """
    pods = snapshot.pods
    slots = [
        slot
        for slot, scheduler in pods.nominees.items()
        if scheduler in profile.queue
        and pods.nominated[slot] >= 0
        and pods.priority[slot] >= pod.priority
        and pods.keys[slot] != pod.key
    ]
    return World.adding(pods, sorted(slots, key=pods.arrival.__getitem__)) if slots else None


def _pre_filter(cycle: Cycle) -> None:
    """Run every PreFilter; remember which rejection would have ended the cycle."""
    allowed: frozenset[str] | None = None
    restricting: list[str] = []
    for name in cycle.profile.pre_filter:
        if name not in cycle.plugins:
            continue
        result = cycle.pre_filters[name] = cycle.plugins[name].pre_filter()
        code = result.status.code
        if code is Code.SKIP or _ended(cycle):
            continue
        if code is not Code.SUCCESS:
            cycle.stopped_by = Rejection(name, result.status)
            continue
        if result.node_names is not None:
            restricting.append(name)
            allowed = result.node_names if allowed is None else allowed & result.node_names
            if not allowed:
                cycle.stopped_by = Rejection("", unresolvable(QuotedReason(_unsatisfied(restricting))))
    cycle.restricting = tuple(sorted(restricting))
    nodes = cycle.snapshot.nodes
    cycle.considered = np.full(len(nodes), allowed is None)
    if allowed is not None:
        cycle.considered[[nodes.index[name] for name in allowed if name in nodes.index]] = True
    if cycle.placement is not None:
        cycle.considered &= cycle.placement


def _ended(cycle: Cycle) -> bool:
    """A rejection that removing pods could resolve lets the remaining PreFilters run; others end the cycle."""
    return cycle.stopped_by is not None and cycle.stopped_by.status.code is not Code.UNSCHEDULABLE


def _unsatisfied(plugins: list[str]) -> str:
    if len(plugins) == 1:
        return f"node(s) didn't satisfy plugin {plugins[0]}"
    return f"node(s) didn't satisfy plugin(s) [{' '.join(sorted(plugins))}] simultaneously"


def answering(cycle: Cycle) -> list[str]:
    """The filter plugins that have an answer for this pod, in the profile's order."""
    return [
        name
        for name in cycle.profile.filter
        if name in cycle.plugins and cycle.pre_filters.get(name, PROCEED).status.ok
    ]


def _filter(cycle: Cycle) -> None:
    for name in answering(cycle):
        cycle.filters[name] = cycle.plugins[name].filter()


def _judge(cycle: Cycle) -> None:
    """Derive the scheduler's own verdict for every node, and number the distinct answers."""
    count = len(cycle.snapshot.nodes)
    answers = [(each.index, len(each.statuses)) for each in cycle.filters.values() if each.index is not None]
    cycle.patterns, cycle.pattern_count = distinguish(answers, count, FEW)
    # One node speaks for all that are answered alike.
    examples = np.zeros(cycle.pattern_count if count else 0, np.intp)
    examples[cycle.patterns] = np.arange(count)
    rejections: list[Rejection] = []
    first = _first_rejections(cycle.filters, examples, rejections).take(cycle.patterns)
    nominated = nominated_world(cycle.snapshot, cycle.context.pod, cycle.profile)
    if nominated is not None:
        cycle.nominated_world = nominated
        with_nominated = {name: cycle.plugins[name].filter(nominated) for name in cycle.filters}
        yielding = _first_rejections(with_nominated, nominated.rows, rejections)
        first[nominated.rows] = np.where(yielding >= 0, yielding, first[nominated.rows])
    if cycle.stopped_by is not None:
        first[:] = len(rejections)
        rejections.append(cycle.stopped_by)
    else:
        row = cycle.snapshot.nodes.index.get(cycle.context.pod.nominated_node_name)
        if row is not None and (cycle.placement is None or cycle.placement[row]):
            cycle.nominated_row = row
        if not cycle.considered.all():
            _cycle_leave_out(cycle, first, rejections)
        if cycle.placement is not None:
            first[~cycle.placement] = len(rejections)
            rejections.append(Rejection(OutsidePlacement.generator, unresolvable(OutsidePlacement())))
    cycle.rejections, cycle.rejected_by = merged(rejections, first)
    if cycle.stopped_by is None and any(rejection.status.code is Code.ERROR for rejection in cycle.rejections):
        failing = np.flatnonzero(errors(cycle))
        cycle.filter_error = error_on(cycle, int(failing[0])) if len(failing) else None
    if nominated is not None or cycle.restricting or cycle.placement is not None:
        _tell_verdicts_apart(cycle)


def _tell_verdicts_apart(cycle: Cycle) -> None:
    """Number nodes with other verdicts otherwise, though all filters answer alike."""
    columns = (cycle.rejected_by + 1, len(cycle.rejections) + 1), (cycle.patterns, cycle.pattern_count)
    cycle.patterns, cycle.pattern_count = distinguish(columns, len(cycle.patterns), FEW)


class LeftOut(Reason, frozen=True):
    """PreFilter of these plugins leaves the node out of the search."""

    kind = "left-out"

    plugins: tuple[str, ...]

    def __str__(self) -> str:
        return f"node(s) didn't satisfy plugin(s) [{' '.join(self.plugins)}]"


class OutsidePlacement(Reason, frozen=True):
    """The node is not in the topology domain that the pod's group is tried in."""

    kind = "outside-placement"
    # TopologyPlacementGenerator by name: it alone has a group tried on some nodes only.
    generator = "TopologyPlacementGenerator"

    def __str__(self) -> str:
        return str(LeftOut((self.generator,)))


def _cycle_leave_out(cycle: Cycle, first: Index, rejections: list[Rejection]) -> None:
    """Give the nodes that PreFilter left out their verdict: it names the plugins that restricted the search.

    The node that the pod is nominated for was tried before, whether left out or not: what rejected it is its verdict,
    and stands among the plugins that the others are told. An error of that trial is only logged.
    """
    left_out, names = ~cycle.considered, set(cycle.restricting)
    if not names:
        return
    if cycle.nominated_row is not None:
        number = int(first[cycle.nominated_row])
        tried = rejections[number] if number >= 0 else None
        if tried is None or tried.status.code is not Code.ERROR:
            left_out[cycle.nominated_row] = False
            if tried is not None:
                names.add(tried.plugin)
    listed = sorted(names)
    first[left_out] = len(rejections)
    rejections.append(Rejection(",".join(listed), unresolvable(LeftOut(tuple(listed)))))


def errors(cycle: Cycle) -> Mask:
    """Shape (N,): the considered nodes on which a filter fails."""
    failing = [rejection.status.code is Code.ERROR for rejection in cycle.rejections]
    return cycle.considered & np.array([*failing, False], np.bool_)[cycle.rejected_by]


def error_on(cycle: Cycle, row: int) -> CycleError:
    """The error of the filter that fails on a node."""
    failed = cycle.rejections[cycle.rejected_by[row]]
    return CycleError(Phase.FILTER, failed.plugin, failed.status.texts[0], cycle.snapshot.nodes.names[row])


def _first_rejections(outcomes: Mapping[str, FilterAnswer], rows: Index, rejections: list[Rejection]) -> Index:
    """For some rows the first rejection in plugin order, as a number among all that are added; -1 for none."""
    first = np.full(len(rows), -1, np.intp)
    for name, outcome in outcomes.items():
        if outcome.index is None:
            continue
        answers = outcome.index.take(rows)
        open_here = (first < 0) & (answers > 0)
        if open_here.any():
            np.copyto(first, answers + (len(rejections) - 1), where=open_here)
            rejections.extend(Rejection(name, recorded(name, status)) for status in outcome.statuses[1:])
    return first


def recorded(plugin: str, status: Status) -> Status:
    """A filter's status as the scheduler records it: an error says where it came from."""
    if status.code is not Code.ERROR:
        return status
    return failure(filter_error(plugin, status.said))


def _score(cycle: Cycle) -> None:
    """Score the feasible nodes, also a single one, for which the scheduler itself would not bother."""
    feasible = cycle.feasible
    cycle.totals = np.zeros(len(feasible), np.int64)
    if not len(feasible) or not cycle.profile.score:
        return
    for name in cycle.profile.pre_score:
        if name not in cycle.plugins:
            continue
        status = cycle.pre_scores[name] = cycle.plugins[name].pre_score(feasible)
        if status.code is Code.SKIP:
            if name in cycle.profile.score:
                cycle.unscored.append(name)
        elif not status.ok:
            cycle.score_error = CycleError.of(Phase.PRE_SCORE, name, status.said)
            return
    for name in cycle.profile.score:
        if name not in cycle.plugins or name in cycle.unscored:
            continue
        plugin = cycle.plugins[name]
        unprepared = None if name in cycle.profile.pre_score else plugin.unprepared_score
        fault = plugin.score_fault if unprepared is None else unprepared
        if fault is not None:
            cycle.score_error = CycleError.of(Phase.SCORE, name, fault)
            return
        raw = plugin.score(feasible)
        cycle.scores.append(PluginScore(name, cycle.profile.weights[name], raw, plugin.normalise(raw)))
    cycle.score_error = out_of_range(cycle.scores, feasible, cycle.snapshot.nodes.names)
    for score in cycle.scores:
        cycle.totals += score.weighted


# Devices that a pod has because it was placed.


class ReservedClaims(NamedTuple):
    """The claims of a pod as they were ``before`` it reserved them, and the one ``made`` for extended resources.

    ``statuses``: what the pod's status says from then on of what its devices take of the node's own resources.
    """

    before: tuple[Document, ...] = ()
    made: tuple[Document, ...] = ()
    statuses: tuple[Document, ...] = ()

    def counted(self, pod: Document) -> Document:
        """A pod that counts on its node with what its devices take."""
        return with_statuses(pod, self.statuses)


NONE_RESERVED = ReservedClaims()


def claim_made_on(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> Document | None:
    """The claim for extended resources that the scheduler makes as it binds a pod to a row; None: it makes none."""
    if DynamicResources.name not in profile.filter or not served_resources(snapshot, pod):
        return None
    own = DynamicResources(Context(snapshot, pod, profile.args)).allocated_for_resources(row)
    return None if own is None else claim_for_resources(pod, own[0])


def reserve_devices(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> ReservedClaims:
    """Allocate and reserve the claims of a pod that is placed on a row."""
    if DynamicResources.name not in profile.filter or not uses_devices(snapshot, pod):
        return NONE_RESERVED
    plugin = DynamicResources(Context(snapshot, pod, profile.args))
    if not plugin.pre_filter().status.ok:
        return NONE_RESERVED
    found = {id(claim): allocated for claim, allocated in plugin.allocations(row)}
    node = snapshot.nodes.names[row]
    own, statuses = plugin.allocated_for_resources(row), plugin.statuses_on(row)
    for claim in plugin.claims:
        consumer = consumer_of(snapshot, pod, claim.document)
        snapshot.upsert(reserved_for(claim.document, pod, found.get(id(claim)), node, consumer))
    made = () if own is None else (reserved_for(claim_for_resources(pod, own[0]), pod, own[1], node),)
    for document in made:
        snapshot.upsert(document)
    return ReservedClaims(tuple(claim.document for claim in plugin.claims), made, statuses)
