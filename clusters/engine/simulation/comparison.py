"""Comparison of two runs: which pods ended elsewhere and why, and what each run could not place, did and needs."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from msgspec import Struct

from clusters.engine.configuration import compare_configurations
from clusters.engine.objects import Document, Node, key_of, labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.simulation.case import ASIDE, Case, Outcome, Step
from clusters.engine.simulation.measures import (
    BudgetMeasures,
    Fragmentation,
    Measures,
    SpreadMeasures,
    budget_measures,
    fragmentation_of,
    measures_of,
    nodes_in_use,
    reference_shapes,
    resource_amounts,
    spread_measures,
)
from clusters.engine.simulation.outcome import named_workload
from clusters.engine.simulation.run import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.problems import Problem
    from clusters.engine.snapshot import Snapshot

# A run that is over, and how to go through it again.

ATTEMPTS = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.GATED, Outcome.NOT_COMPUTED, Outcome.FORBIDDEN})


class Replay(Protocol):
    """Any kind of simulation: it yields steps, and its snapshot is the cluster after the last one."""

    @property
    def snapshot(self) -> Snapshot: ...

    @property
    def waiting(self) -> Mapping[str, Step]: ...

    @property
    def replaced(self) -> Mapping[str, str]: ...

    def document_of(self, key: str) -> Document: ...

    def __iter__(self) -> Iterator[Step]: ...

    def __next__(self) -> Step: ...


@dataclass(frozen=True)
class Finished:
    """A run that is over: its case, its steps, and the simulation after the last of them.

    Pods that controllers made in the place of others count as those, so that runs can be told apart pod by pod.
    ``again``: makes a simulation that goes through the same steps from the beginning; without it one that places pod
    after pod does.
    """

    case: Case
    steps: Sequence[Step]
    simulation: Replay
    again: Callable[[], Replay] | None = field(default=None, compare=False)

    @cached_property
    def wanted(self) -> Mapping[str, Document]:
        """The pods that were to be placed, by ``namespace/name``."""
        return {key_of(each.pod): each.pod for each in self.case.wanted}

    @cached_property
    def last_steps(self) -> Mapping[str, Step]:
        """The last thing that happened to each pod or who took its place; refused evictions are nothing."""
        return {self.first_of(step.pod): step for step in self.steps if step.outcome not in ASIDE}

    @cached_property
    def nodes(self) -> Mapping[str, str]:
        """Where each pod lies in the end, or who took its place."""
        nodes, pods = self.simulation.snapshot.nodes, self.simulation.snapshot.pods
        rows = pods.node.tolist()
        return {self.first_of(key): nodes.names[rows[slot]] for key, slot in pods.slot_of.items() if rows[slot] >= 0}

    @cached_property
    def pending(self) -> frozenset[str]:
        """The pending pods at the end, or their replacements."""
        return frozenset(map(self.first_of, self.simulation.waiting))

    @cached_property
    def _firsts(self) -> Mapping[str, str]:
        """The pods in whose place others came, by those."""
        replaced = (*self.case.replaced.items(), *self.simulation.replaced.items())
        return {later: earlier for earlier, later in replaced if later != earlier}

    @cached_property
    def _lasts(self) -> Mapping[str, str]:
        followed = frozenset(self._firsts.values())
        return {self.first_of(later): later for later in self._firsts if later not in followed}

    def first_of(self, key: str) -> str:
        """The pod in whose place this one came in the end, or the pod itself."""
        while key in self._firsts:
            key = self._firsts[key]
        return key

    def last_of(self, key: str) -> str:
        """The pod that came in the place of this one in the end, empty where none did."""
        return self._lasts.get(key, "")

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset((*map(self.first_of, self.wanted), *self.nodes, *self.last_steps))

    def knows(self, key: str) -> bool:
        """Whether the pod was part of the run in any way."""
        return key in self._known

    def waiting(self) -> list[Document]:
        """The pods that have no node in the end."""
        return [self.simulation.document_of(key) for key in sorted(self.simulation.waiting)]

    def explanations(self, numbers: Iterable[int]) -> Iterator[tuple[int, Explanation]]:
        """The decisions of some attempts in their order, each on the state before it.

        What an explanation computes on demand has to be asked for before the next one is.
        """
        replay = Simulation(self.case, self.steps) if self.again is None else self.again()
        taken = 0
        for number in sorted(set(numbers)):
            if isinstance(replay, Simulation):
                yield number, replay.explanation_at(number)
                continue
            while taken < number:
                next(replay)
                taken += 1
            key = self.steps[number].pod
            pod = self.wanted.get(key) or replay.document_of(key)
            yield number, explain(replay.snapshot, pod, self.case.configuration.profile_for(pod))


# Where the pods of two runs ended that ended elsewhere: on a node, pending, or nowhere, with what they belong to.


class PodEnding(enum.StrEnum):
    """How a run ended for a pod: it runs on a node, it is pending, or it is gone or was never part of the run."""

    ON_NODE = "on-node"
    PENDING = "pending"
    ABSENT = "absent"


class MovedPod(Struct, frozen=True):
    """A pod that ended elsewhere; ``left`` and ``right`` are names of nodes, empty where it ended on none."""

    pod: str
    workload: Workload
    left: str
    right: str
    left_end: PodEnding
    right_end: PodEnding


class MovedPods(Struct, frozen=True):
    """The pods that ended elsewhere, and the nodes that either run has ever had, in order of name.

    ``not_left`` and ``not_right``: names of those that a run has not got in the end.
    """

    pods: tuple[MovedPod, ...]
    nodes: tuple[Node, ...]
    not_left: frozenset[str]
    not_right: frozenset[str]


def moved_pods(left: Finished, right: Finished, changes: Sequence[PlacementChange]) -> MovedPods:
    """Tell of each of these pods how either run ended for it."""
    mine, theirs = ({node.name: node for node in run.simulation.snapshot.nodes.nodes} for run in (left, right))
    before = {node.name: node for run in (right, left) for node in run.case.snapshot.nodes.nodes}
    nodes = {**before, **theirs, **mine}
    return MovedPods(
        pods=tuple(
            MovedPod(
                change.pod,
                _workload(change.pod, left, right),
                change.left,
                change.right,
                _end(left, change.pod, change.left),
                _end(right, change.pod, change.right),
            )
            for change in changes
        ),
        nodes=tuple(nodes[name] for name in sorted(nodes)),
        not_left=frozenset(nodes.keys() - mine.keys()),
        not_right=frozenset(nodes.keys() - theirs.keys()),
    )


def _end(run: Finished, pod: str, node: str) -> PodEnding:
    if node:
        return PodEnding.ON_NODE
    return PodEnding.PENDING if pod in run.pending else PodEnding.ABSENT


def _workload(pod: str, *runs: Finished) -> Workload:
    """What a pod belongs to, by whichever run knows it: as it was placed, at the beginning or the end, or as wanted."""
    for run in runs:
        for snapshot in (run.simulation.snapshot, run.case.snapshot):
            slot = snapshot.pods.slot_of.get(pod)
            if slot is not None:
                return named_workload(pod, snapshot.pods.templates[int(snapshot.pods.template[slot])].workload)
        document = run.wanted.get(pod)
        if document is not None:
            workload = Workload.of(
                pod.partition("/")[0], Controller.of(document), labels_of(document).get(TEMPLATE_HASH, "")
            )
            return named_workload(pod, workload)
    return Workload(pod.partition("/")[0], "Pod", pod.partition("/")[2])


# Where two runs part: until then they had the same state and took the same steps.


class Parting(Struct, frozen=True):
    """The first steps that differ, one of each run; None where a run was over.

    ``number``: how many steps they have in common. ``same_beginning``: whether they begin with the same nodes and pods;
    if not, they differ before their first step, and that their steps begin alike means little.
    """

    number: int
    left: Step | None
    right: Step | None
    same_beginning: bool

    def is_before(self, number: int) -> bool:
        """Whether the state was another one before the step of this number."""
        return not self.same_beginning or number > self.number


def parting_of(left: Finished, right: Finished) -> Parting | None:
    """Where the runs part; None where they are the same from the beginning to the end."""
    same = _alike(left.case.snapshot, right.case.snapshot)
    common = 0
    for one, other in zip(left.steps, right.steps, strict=False):
        if (one.at, one.outcome, one.pod, one.node) != (other.at, other.outcome, other.pod, other.node):
            break
        common += 1
    if same and common == len(left.steps) == len(right.steps):
        return None
    return Parting(
        common,
        left.steps[common] if common < len(left.steps) else None,
        right.steps[common] if common < len(right.steps) else None,
        same,
    )


def _alike(left: Snapshot, right: Snapshot) -> bool:
    """Whether two clusters have the same nodes, and pods with the same names on them that request the same in all."""
    if left is right:
        return True
    if left.nodes.nodes != right.nodes.nodes or left.pods.slot_of.keys() != right.pods.slot_of.keys():
        return False
    amounts = (left.nodes.requested, left.nodes.pod_count), (right.nodes.requested, right.nodes.pod_count)
    if any(one.shape != other.shape or not np.array_equal(one, other) for one, other in zip(*amounts, strict=True)):
        return False
    here, there = left.pods, right.pods
    return all(here.node[slot] == there.node[there.slot_of[key]] for key, slot in here.slot_of.items())


# Why a pod ended elsewhere in another run: the plugin that tipped it, or what had happened before.


class Side(enum.StrEnum):
    """One of two runs."""

    LEFT = "left"
    RIGHT = "right"


class Why(enum.StrEnum):
    """Why a pod ended elsewhere; the first that holds."""

    # ``side`` is the run that the pod was no part of.
    NOT_WANTED = "not-wanted"
    # ``side`` is the run that has not got the node on which it was (``reasons``), nor a replacement.
    NODE_GONE = "node-gone"
    # ``side`` is the run in which another pod (``reasons``: which, and what it met) replaced it.
    REPLACED = "replaced"
    # ``side`` is the run in which it had to go, or its time was over.
    GONE = "gone"
    # ``side`` is the run in which it was not placed anew, if there is one.
    NOT_TRIED = "not-tried"
    # ``side`` is the run in which gates hold it back.
    GATED = "gated"
    # ``side`` is the run in which its attempt could not be computed.
    FAILED = "failed"
    # ``side`` is the run that has not got the other one's node.
    NO_SUCH_NODE = "no-such-node"
    # ``side`` is the run in which ``plugin`` rejects the other one's node.
    FILTERED = "filtered"
    # ``side`` is the run that did not look at the other one's node.
    NOT_LOOKED_AT = "not-looked-at"
    # ``plugin`` made the most of the difference.
    SCORED = "scored"
    TIE = "tie"
    # ``side`` is the run in which nothing schedules it, and ``reasons`` or ``problem`` say so.
    UNKNOWN = "unknown"
    # More pods ended elsewhere than decisions were computed again.
    NOT_COMPUTED = "not-computed"


# What may be otherwise only because the runs had parted before.
_MAY_FOLLOW = frozenset({Why.GONE, Why.FILTERED, Why.NOT_LOOKED_AT, Why.SCORED, Why.TIE, Why.UNKNOWN})


# What keeps a pod from every node without a look at any.
_UNTRIED = {Outcome.GATED: Why.GATED, Outcome.NOT_COMPUTED: Why.FAILED, Outcome.FORBIDDEN: Why.UNKNOWN}
_OTHER = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}


class PlacementChange(NamedTuple):
    """A pod as ``namespace/name`` and the nodes on which it ended; an empty one where it ended on none.

    ``left_pod`` and ``right_pod``: which pod replaced it there, empty where none did.
    """

    pod: str
    left: str
    right: str
    left_pod: str = ""
    right_pod: str = ""


class PluginPoints(Struct, frozen=True):
    """How many weighted points a plugin gave the left run's node more than the right run's, in either run."""

    plugin: str
    left: int
    right: int


class Difference(Struct, frozen=True):
    """A pod that ended elsewhere, and why.

    ``left_step`` and ``right_step``: the steps that decided, None where there was none. ``reasons`` are the words of
    the ``plugin`` that rejected a node, or what is known otherwise; ``problem`` is that of the step that decided.
    ``points``: those plugins that told the nodes apart, the one that made the most of it first. ``state_differed``: the
    runs had parted before one of the steps, so that what is said here may follow from that.
    """

    change: PlacementChange
    why: Why
    side: Side | None
    left_step: int | None
    right_step: int | None
    plugin: str = ""
    reasons: tuple[str, ...] = ()
    points: tuple[PluginPoints, ...] = ()
    state_differed: bool = False
    problem: Problem | None = None


class _Node(NamedTuple):
    """What an attempt said about a node: rejected by a plugin with reasons, or scored; neither where not looked at."""

    plugin: str
    reasons: tuple[str, ...]
    points: Mapping[str, int] | None


class _View(NamedTuple):
    """What an attempt said about the nodes on which the pod ended in the runs; None where it ended on none."""

    left: _Node | None
    right: _Node | None


def differences(
    left: Finished, right: Finished, changes: Sequence[PlacementChange], parting: Parting | None, most: int
) -> tuple[Difference, ...]:
    """Why each of these pods ended elsewhere, in their order.

    Most reasons follow from what happened. For so many of the others as ``most`` says the decisions are computed again,
    for which each run is gone through once more.
    """
    runs = {Side.LEFT: left, Side.RIGHT: right}
    steps_of = [{side: run.last_steps.get(change.pod) for side, run in runs.items()} for change in changes]
    known = [_by_steps(change, runs, steps) for change, steps in zip(changes, steps_of, strict=True)]
    computed = [change for change, told in zip(changes, known, strict=True) if told is None][:most]
    asked = frozenset(computed)
    views = {side: _views(run, computed) for side, run in runs.items()} if computed else {}
    found = []
    for change, steps, told_by_steps in zip(changes, steps_of, known, strict=True):
        told = told_by_steps
        if told is None:
            told = _by_views(change, runs, steps, views) if change in asked else _without_views(change, runs)
        numbers = {side: None if step is None else step.number for side, step in steps.items()}
        before = [parting.is_before(each) for each in numbers.values() if parting is not None and each is not None]
        found.append(
            Difference(
                change=change,
                why=told.why,
                side=told.side,
                left_step=numbers[Side.LEFT],
                right_step=numbers[Side.RIGHT],
                plugin=told.plugin,
                reasons=told.reasons,
                points=told.points,
                state_differed=told.why in _MAY_FOLLOW and any(before),
                problem=told.problem,
            )
        )
    return tuple(found)


def _views(run: Finished, changes: Sequence[PlacementChange]) -> dict[str, _View]:
    """What the deciding attempts of pods said, by pod."""
    asked = {}
    for change in changes:
        step = run.last_steps.get(change.pod)
        if step is not None and _was_tried(step):
            asked[step.number] = change
    return {
        asked[number].pod: _View(_node(explanation, asked[number].left), _node(explanation, asked[number].right))
        for number, explanation in run.explanations(asked)
    }


def _was_tried(step: Step) -> bool:
    """Whether a step is an attempt that looked at nodes; a pod that no profile is for never gets so far."""
    return step.outcome is Outcome.PLACED or (step.outcome is Outcome.UNSCHEDULABLE and bool(step.plugins))


def _node(explanation: Explanation, name: str) -> _Node | None:
    row = explanation.snapshot.nodes.index.get(name)
    if row is None:
        return None
    verdict = explanation.verdict_of(row)
    if verdict is not None:
        return _Node(verdict.plugin, verdict.status.texts, None)
    cells = explanation.cells_of(row)
    return _Node("", (), {cell.plugin: cell.weighted for cell in cells} if cells else None)


class _Reason(NamedTuple):
    """The parts of a difference that say why."""

    why: Why
    side: Side | None = None
    plugin: str = ""
    reasons: tuple[str, ...] = ()
    points: tuple[PluginPoints, ...] = ()
    problem: Problem | None = None


def _by_steps(
    change: PlacementChange, runs: Mapping[Side, Finished], steps: Mapping[Side, Step | None]
) -> _Reason | None:
    """What follows from what happened to the pod; None where both runs tried it and one placed it."""
    for side, run in runs.items():
        if not run.knows(change.pod):
            lay_on = runs[_OTHER[side]].case.snapshot.placed_on(change.pod)
            if lay_on is not None and lay_on not in run.case.snapshot.nodes.index:
                return _Reason(Why.NODE_GONE, side, reasons=(lay_on,))
            return _Reason(Why.NOT_WANTED, side)
    for side, later in ((Side.LEFT, change.left_pod), (Side.RIGHT, change.right_pod)):
        step = steps[side]
        if later and step is not None and steps[_OTHER[side]] is None:
            reasons = (later, step.message) if step.message else (later,)
            return _Reason(Why.REPLACED, side, reasons=reasons, problem=step.problem)
    for side, step in steps.items():
        if step is not None and step.outcome not in ATTEMPTS:
            return _Reason(Why.GONE, side, reasons=tuple(text for text in (step.outcome.value, step.by) if text))
    for side, step in steps.items():
        if step is None:
            return _Reason(Why.NOT_TRIED, side)
        if step.outcome in _UNTRIED:
            said = (step.message,) if step.problem is None else ()
            return _Reason(_UNTRIED[step.outcome], side, reasons=said, problem=step.problem)
    if change.left and change.left not in runs[Side.RIGHT].case.snapshot.nodes.index:
        return _Reason(Why.NO_SUCH_NODE, Side.RIGHT)
    return None


def _without_views(change: PlacementChange, runs: Mapping[Side, Finished]) -> _Reason:
    """What is known of a pod whose decisions are not computed again."""
    if change.right and change.right not in runs[Side.LEFT].case.snapshot.nodes.index:
        return _Reason(Why.NO_SUCH_NODE, Side.LEFT)
    return _Reason(Why.NOT_COMPUTED)


def _by_views(
    change: PlacementChange,
    runs: Mapping[Side, Finished],
    steps: Mapping[Side, Step | None],
    views: Mapping[Side, Mapping[str, _View]],
) -> _Reason:
    """What follows from what the two attempts said about the two nodes."""
    # What kept the right run from the left one's node is asked first, as if it came after.
    for side, node in ((Side.RIGHT, change.left), (Side.LEFT, change.right)):
        if not node:
            continue
        if node not in runs[side].case.snapshot.nodes.index:
            return _Reason(Why.NO_SUCH_NODE, side)
        view, step = views[side].get(change.pod), steps[side]
        found = None if view is None else view.left if side is Side.RIGHT else view.right
        if found is None:
            if step is None:
                return _Reason(Why.UNKNOWN, side)
            reasons = (step.message,) if step.message else ()
            return _Reason(Why.UNKNOWN, side, reasons=reasons, problem=step.problem)
        if found.plugin or found.reasons:
            return _Reason(Why.FILTERED, side, found.plugin, found.reasons)
        if found.points is None:
            return _Reason(Why.NOT_LOOKED_AT, side)
    points = _points(views[Side.LEFT].get(change.pod), views[Side.RIGHT].get(change.pod))
    if points is None:
        return _Reason(Why.UNKNOWN)
    if not sum(each.left for each in points) and not sum(each.right for each in points):
        return _Reason(Why.TIE, points=points)
    return _Reason(Why.SCORED, plugin=points[0].plugin, points=points)


def _points(left: _View | None, right: _View | None) -> tuple[PluginPoints, ...] | None:
    """How far apart plugins saw the two nodes in either run; None where one of them was not scored in both.

    First comes the plugin whose answer changed most in favour of the right run's node; where none changed, as with
    seeds that break ties otherwise, the one that told the nodes apart most.
    """
    nodes = (*(left or ()), *(right or ()))
    scored = [node.points for node in nodes if node is not None and node.points is not None]
    if len(scored) < 4:
        return None
    here, there, here_after, there_after = scored
    found = [
        PluginPoints(
            plugin,
            here.get(plugin, 0) - there.get(plugin, 0),
            here_after.get(plugin, 0) - there_after.get(plugin, 0),
        )
        for plugin in dict.fromkeys((*here, *here_after))
    ]
    apart = [each for each in found if each.left or each.right]
    return tuple(sorted(apart, key=lambda each: (each.right - each.left, -abs(each.left), each.plugin)))


# A run as a whole: how the cluster is after it, what it did to running pods, and what its nodes cost.


class Prices(Struct, frozen=True):
    """What a node costs by the value of one of its labels, in whatever unit and for whatever time."""

    label: str
    by_value: Mapping[str, float]


class Disruptions(Struct, frozen=True):
    """How often running pods had to go, or should have gone and stayed."""

    preempted: int
    evicted: int
    refused: int


class Cost(Struct, frozen=True):
    """Nodes with a pod that is neither of a DaemonSet nor static, and what they have, by resource in base units.

    ``price``: the sum of those that a price is known for, None where none was asked for; ``unpriced``: the others.
    """

    nodes: int
    allocatable: Mapping[str, int]
    price: float | None
    unpriced: int


class Totals(Struct, frozen=True):
    """A run after its last step; ``placed``: wanted pods on nodes then, and copies of others that had to go.

    ``uncertain``: those of them that only do if what is not computed lets them. ``pending``: pending pods, as
    ``namespace/name``.
    """

    placed: int
    uncertain: int
    pending: tuple[str, ...]
    disruptions: Disruptions
    measures: Measures
    fragmentation: tuple[Fragmentation, ...]
    spread: SpreadMeasures
    budgets: BudgetMeasures
    cost: Cost


def totals_of(run: Finished, shapes: Sequence[Mapping[str, int]], prices: Prices | None = None) -> Totals:
    """Sum a run up; by ``shapes`` its fragmentation is judged."""
    snapshot, waiting = run.simulation.snapshot, run.waiting()
    times = Counter(step.outcome for step in run.steps)
    placed = [step for key, step in run.last_steps.items() if step.outcome is Outcome.PLACED and key in run.nodes]
    return Totals(
        placed=len(placed),
        uncertain=sum(bool(step.uncertain) for step in placed),
        pending=tuple(sorted(run.simulation.waiting)),
        disruptions=Disruptions(times[Outcome.PREEMPTED], times[Outcome.EVICTED], times[Outcome.REFUSED]),
        measures=measures_of(snapshot, waiting),
        fragmentation=fragmentation_of(snapshot, run.case.configuration, shapes),
        spread=spread_measures(snapshot, run.case.configuration.profiles, waiting),
        budgets=budget_measures(snapshot, waiting),
        cost=_cost(run, prices),
    )


def _cost(run: Finished, prices: Prices | None) -> Cost:
    snapshot = run.simulation.snapshot
    rows = np.flatnonzero(nodes_in_use(snapshot))
    allocatable = {name: int(each.allocatable[rows].sum()) for name, each in resource_amounts(snapshot).items()}
    if prices is None:
        return Cost(len(rows), allocatable, None, len(rows))
    values = [snapshot.nodes.nodes[row].labels.get(prices.label, "") for row in rows.tolist()]
    known = [prices.by_value[value] for value in values if value in prices.by_value]
    return Cost(len(rows), allocatable, sum(known), len(rows) - len(known))


# The comparison of two runs, pods matched by their names.

# Of so many pods decisions are computed again to say why they ended elsewhere; what follows from steps is told of all.
MOST_REASONS = 200


class RunComparison(Struct, frozen=True):
    """What two runs have in common and what not.

    ``same``: pods that ended on the same node, or on none in either; ``changes``: all others, those first that were
    decided first; ``differences``: why, of each in the same order. ``pending``: pods that are pending after the left
    run only, the right one only, and both. ``parting``: where the runs part, None where they are the same.
    """

    same: int
    changes: tuple[PlacementChange, ...]
    differences: tuple[Difference, ...]
    same_configuration: bool
    parting: Parting | None
    only_left_pending: tuple[str, ...]
    only_right_pending: tuple[str, ...]
    both_pending: int
    left: Totals
    right: Totals


def compare_runs(
    left: Finished, right: Finished, *, most_reasons: int = MOST_REASONS, prices: Prices | None = None
) -> RunComparison:
    """Compare two runs that are over. Reasons cost one more passage through each run and two decisions for each pod."""
    parting = parting_of(left, right)
    changes, same = _changes(left, right)
    shapes = reference_shapes(left.case.snapshot, {**left.wanted, **right.wanted}.values())
    pending = left.pending, right.pending
    return RunComparison(
        same=same,
        changes=changes,
        differences=differences(left, right, changes, parting, most_reasons),
        same_configuration=compare_configurations(left.case.configuration, right.case.configuration).is_empty,
        parting=parting,
        only_left_pending=tuple(sorted(pending[0] - pending[1])),
        only_right_pending=tuple(sorted(pending[1] - pending[0])),
        both_pending=len(pending[0] & pending[1]),
        left=totals_of(left, shapes, prices),
        right=totals_of(right, shapes, prices),
    )


def _changes(left: Finished, right: Finished) -> tuple[tuple[PlacementChange, ...], int]:
    """Pods that ended elsewhere, or that only one of the runs knows, and how many did not."""
    found, same = [], 0
    for key in dict.fromkeys((*left.nodes, *right.nodes, *left.last_steps, *right.last_steps)):
        nodes = left.nodes.get(key, ""), right.nodes.get(key, "")
        change = PlacementChange(key, *nodes, left.last_of(key), right.last_of(key))
        if change.left == change.right:
            same += 1
        else:
            found.append(change)

    def decided(change: PlacementChange) -> tuple[int, str]:
        steps = left.last_steps.get(change.pod), right.last_steps.get(change.pod)
        return min((step.number for step in steps if step is not None), default=-1), change.pod

    return tuple(sorted(found, key=decided)), same
