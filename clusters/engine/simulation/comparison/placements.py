"""Why a pod ended elsewhere in another run: the plugin that tipped it, or what had happened before."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.simulation.comparison.finished import ATTEMPTS, Finished
from clusters.engine.simulation.steps import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.problems import Problem
    from clusters.engine.simulation.comparison.parting import Parting
    from clusters.engine.simulation.steps import Step


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


@dataclass(frozen=True, slots=True)
class PluginPoints:
    """How many weighted points a plugin gave the left run's node more than the right run's, in either run."""

    plugin: str
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Difference:
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
        return _Node(verdict.plugin, verdict.status.reasons, None)
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
