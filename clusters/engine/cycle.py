"""One scheduling cycle over all nodes: PreFilter, Filter, PreScore, Score, Normalise.

Upstream: ``pkg/scheduler/schedule_one.go`` and ``framework/runtime/framework.go`` v1.34.1. Where the scheduler stops at
a node's first failing filter, here every filter answers for every node; what the scheduler itself would record is
derived from that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine import cost
from clusters.engine.configuration.interest import interested_extenders
from clusters.engine.cycle_error import CycleError, Phase, filter_error
from clusters.engine.extending import filter_by_extenders, score_by_extenders
from clusters.engine.plugin import Constraint, Context, Lifted, Plugin, PreFilter, Skipped, Unprepared
from clusters.engine.plugin_score import PluginScore, out_of_range
from clusters.engine.registry import PLUGINS
from clusters.engine.sampling import sampling_of
from clusters.engine.status import Code, FilterAnswer, Index, Ints, Mask, Rejection, Status, unresolvable
from clusters.engine.verdicts import merged, number_patterns
from clusters.engine.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.configuration import Profile
    from clusters.engine.extending import ExtenderCall, Extenders
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot


@dataclass(slots=True)
class Cycle:
    """What a cycle found. N nodes, F feasible ones.

    ``rejected_by`` (N,) indexes ``rejections`` with the first rejection in plugin order, nominated pods taken into
    account; -1 where the node is feasible. ``patterns`` (N,) numbers the nodes by identical answers of all filters.
    ``filter_error`` is the first that a search of all considered nodes meets, ``score_error`` what scoring the feasible
    nodes ends in; which of them ends the cycle is said by ``error``. ``nominated_row`` is the node that the pod itself
    is nominated for, where the scheduler comes to try it. ``calls`` are the extenders that have a say, in the order in
    which they are asked; those that scored nodes stand in ``scores`` by their addresses, ``extender_scores``.
    ``search_start``: the place in the order of the search from which it starts, where that is known.
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
            return CycleError.of(Phase.PRE_FILTER, self.stopped_by.plugin, ", ".join(self.stopped_by.status.reasons))
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
    lifted: frozenset[Constraint] = frozenset(),
    extenders: Extenders | None = None,
) -> Cycle:
    """Filter all nodes and score the feasible ones for a pod.

    ``among`` are the rows that a search has found which ended before it saw all nodes; no other counts as feasible, and
    no filter failed before. ``lifted`` are constraints that do not stand. ``extenders`` asks those of the
    profile; without it they count as letting every node pass. Raises CostLimitError before anything is computed.
    """
    cost.check(snapshot, pod)
    context = Context(snapshot, pod, profile.args)
    used = dict.fromkeys((*profile.pre_filter, *profile.filter, *profile.pre_score, *profile.score))
    plugins = {name: _plugin(name, context, profile) for name in used if name in PLUGINS}
    for name in {constraint.plugin for constraint in lifted}:
        plugins[name] = Lifted(name, plugins[name], lifted)
    cycle = Cycle(context, profile, plugins)
    _pre_filter(cycle)
    _filter(cycle)
    _judge(cycle)
    cycle.feasible = np.flatnonzero(cycle.rejected_by < 0)
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
    cycle.patterns, cycle.pattern_count = number_patterns(cycle.rejected_by, len(cycle.rejections), cycle.filters)


def _ask_scores(cycle: Cycle, extenders: Extenders) -> None:
    """Add what extenders score to the totals, scaled to the range of plugins and times their weights."""
    interested, pod = interested_extenders(cycle.profile, cycle.context.pod), cycle.context.pod.document
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
                cycle.stopped_by = Rejection("", unresolvable(_unsatisfied(restricting)))
    cycle.restricting = tuple(sorted(restricting))
    nodes = cycle.snapshot.nodes
    cycle.considered = np.ones(len(nodes), np.bool_)
    if allowed is not None:
        cycle.considered[:] = False
        cycle.considered[[nodes.index[name] for name in allowed if name in nodes.index]] = True


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
        if name in cycle.plugins and cycle.pre_filters.get(name, PreFilter()).status.ok
    ]


def _filter(cycle: Cycle) -> None:
    for name in answering(cycle):
        cycle.filters[name] = cycle.plugins[name].filter()


def _judge(cycle: Cycle) -> None:
    """Derive the scheduler's own verdict for every node, and number the distinct answers."""
    count = len(cycle.snapshot.nodes)
    first = np.full(count, -1, np.intp)
    rejections: list[Rejection] = []
    _first_rejections(cycle.filters, first, rejections)
    nominated = nominated_world(cycle.snapshot, cycle.context.pod, cycle.profile)
    if nominated is not None:
        cycle.nominated_world = nominated
        with_nominated = {name: cycle.plugins[name].filter(nominated) for name in cycle.filters}
        yielding = np.full(count, -1, np.intp)
        _first_rejections(with_nominated, yielding, rejections)
        concerned = np.zeros(count, np.bool_)
        concerned[nominated.rows] = True
        first = np.where(concerned & (yielding >= 0), yielding, first)
    if cycle.stopped_by is not None:
        first[:] = len(rejections)
        rejections.append(cycle.stopped_by)
    else:
        cycle.nominated_row = cycle.snapshot.nodes.index.get(cycle.context.pod.nominated_node_name)
        if not cycle.considered.all():
            _leave_out(cycle, first, rejections)
    cycle.rejections, cycle.rejected_by = merged(rejections, first)
    if cycle.stopped_by is None:
        failing = np.flatnonzero(errors(cycle))
        cycle.filter_error = error_on(cycle, int(failing[0])) if len(failing) else None
    cycle.patterns, cycle.pattern_count = number_patterns(cycle.rejected_by, len(cycle.rejections), cycle.filters)


def _leave_out(cycle: Cycle, first: Index, rejections: list[Rejection]) -> None:
    """Give the nodes that PreFilter left out their verdict: it names the plugins that restricted the search.

    The node that the pod is nominated for was tried before, whether left out or not: what rejected it is its verdict,
    and stands among the plugins that the others are told. An error of that trial is only logged.
    """
    left_out, names = ~cycle.considered, set(cycle.restricting)
    if cycle.nominated_row is not None:
        number = int(first[cycle.nominated_row])
        tried = rejections[number] if number >= 0 else None
        if tried is None or tried.status.code is not Code.ERROR:
            left_out[cycle.nominated_row] = False
            if tried is not None:
                names.add(tried.plugin)
    listed = sorted(names)
    first[left_out] = len(rejections)
    rejections.append(
        Rejection(",".join(listed), unresolvable(f"node(s) didn't satisfy plugin(s) [{' '.join(listed)}]"))
    )


def errors(cycle: Cycle) -> Mask:
    """Shape (N,): the considered nodes on which a filter fails."""
    failing = [rejection.status.code is Code.ERROR for rejection in cycle.rejections]
    return cycle.considered & np.array([*failing, False], np.bool_)[cycle.rejected_by]


def error_on(cycle: Cycle, row: int) -> CycleError:
    """The error of the filter that fails on a node."""
    failed = cycle.rejections[cycle.rejected_by[row]]
    return CycleError(Phase.FILTER, failed.plugin, failed.status.reasons[0], cycle.snapshot.nodes.names[row])


def _first_rejections(outcomes: Mapping[str, FilterAnswer], first: Index, rejections: list[Rejection]) -> None:
    """Fill in the first rejection of each node, in plugin order."""
    for name, outcome in outcomes.items():
        if outcome.index is None:
            continue
        open_here = (first < 0) & (outcome.index > 0)
        if open_here.any():
            first[open_here] = outcome.index[open_here] - 1 + len(rejections)
            rejections.extend(Rejection(name, recorded(name, status)) for status in outcome.statuses[1:])


def recorded(plugin: str, status: Status) -> Status:
    """A filter's status as the scheduler records it: an error says where it came from."""
    if status.code is not Code.ERROR:
        return status
    return Status(Code.ERROR, (filter_error(plugin, ", ".join(status.reasons)),))


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
            cycle.score_error = CycleError.of(Phase.PRE_SCORE, name, ", ".join(status.reasons))
            return
    for name in cycle.profile.score:
        if name not in cycle.plugins or name in cycle.unscored:
            continue
        plugin = cycle.plugins[name]
        if plugin.unprepared_score is not None and name not in cycle.profile.pre_score:
            cycle.score_error = CycleError.of(Phase.SCORE, name, plugin.unprepared_score)
            return
        if plugin.score_fault is not None:
            cycle.score_error = CycleError.of(Phase.SCORE, name, plugin.score_fault)
            return
        raw = plugin.score(feasible)
        cycle.scores.append(PluginScore(name, cycle.profile.weights[name], raw, plugin.normalise(raw)))
    cycle.score_error = out_of_range(cycle.scores, feasible, cycle.snapshot.nodes.names)
    for score in cycle.scores:
        cycle.totals += score.weighted
