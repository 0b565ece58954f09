"""A scheduling attempt from end to end: which plugin had what part at each extension point.

Upstream: ``schedulingCycle`` and ``schedulePod`` in ``pkg/scheduler/schedule_one.go`` and the ``Run...Plugins`` of
``framework/runtime/framework.go`` v1.34.1. Where the scheduler would not have come to a plugin, that is said, even if
its answer is known here.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from clusters.engine.cycle_error import Phase
from clusters.engine.group_attempt import GroupVerdict
from clusters.engine.plugin import Plugin
from clusters.engine.post_filter import answer_of, is_prepared
from clusters.engine.registry import PLUGINS
from clusters.engine.status import SUCCESS, Code, Status, unschedulable
from clusters.engine.versions import ExtensionPoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clusters.engine.explanation import Explanation

# Not a point of a configuration: a plugin that scores may bring it along.
NORMALIZE_SCORE = "normalizeScore"
_TAIL = (
    ExtensionPoint.RESERVE,
    ExtensionPoint.PERMIT,
    ExtensionPoint.PRE_BIND,
    ExtensionPoint.BIND,
    ExtensionPoint.POST_BIND,
)


class Part(enum.StrEnum):
    """What a plugin did at one point."""

    RAN = "ran"
    SKIPPED = "skipped"
    """It had nothing to do, and said so beforehand."""
    REJECTED = "rejected"
    """It rejected nodes, or ended the attempt."""
    NOT_REACHED = "not-reached"
    NOT_COMPUTED = "not-computed"
    """It has a part, but what it says is not known here."""


@dataclass(frozen=True, slots=True)
class PluginPart:
    """One plugin at one point.

    ``asked`` and ``rejected`` count the nodes that a search of all nodes comes to it with and those that it turns down,
    where the point looks at nodes; of many nodes the scheduler searches some only. ``status`` is what the plugin
    returned, where it returned one for all nodes together.
    """

    plugin: str
    part: Part
    asked: int = 0
    rejected: int = 0
    status: Status = SUCCESS


@dataclass(frozen=True, slots=True)
class Stage:
    """One extension point, by its name in a configuration; ``reached`` while nothing ended the attempt before it."""

    point: str
    parts: tuple[PluginPart, ...]
    reached: bool


def stages(explanation: Explanation) -> tuple[Stage, ...]:
    """Every extension point in the order in which an attempt comes to it.

    A pod that gates keep out of the queue reaches nothing after them; the parts then say what would happen without.
    """
    profile, taken = explanation.profile, _is_taken(explanation)
    tries, scores = explanation.node_count > 0, _scores(explanation)
    found = [
        Stage(ExtensionPoint.PRE_ENQUEUE, _pre_enqueue(explanation), reached=True),
        Stage(ExtensionPoint.QUEUE_SORT, _each(profile.queue_sort, _sorts), reached=True),
        Stage(ExtensionPoint.PRE_FILTER, tuple(_pre_filter(explanation)), reached=tries),
        Stage(ExtensionPoint.FILTER, tuple(_filter(explanation)), reached=tries and _filters(explanation)),
        Stage(ExtensionPoint.POST_FILTER, tuple(_post_filter(explanation)), reached=tries and not _ends(explanation)),
        Stage(ExtensionPoint.PRE_SCORE, tuple(_pre_score(explanation)), reached=scores),
        Stage(ExtensionPoint.SCORE, tuple(_score(explanation)), reached=scores and _prepared(explanation)),
        Stage(NORMALIZE_SCORE, tuple(_normalize(explanation)), reached=scores and taken),
        *(
            Stage(point, _each(getattr(profile, point.name.lower()), _after(explanation, point)), reached=taken)
            for point in _TAIL
        ),
    ]
    gated = not explanation.gates.ok
    return tuple(
        _completed(stage, explanation, reached=stage.reached and not (gated and number))
        for number, stage in enumerate(found)
    )


def _completed(stage: Stage, explanation: Explanation, *, reached: bool) -> Stage:
    """Add the plugins that Kubernetes does not bring, at the points that a profile names."""
    part = Part.NOT_COMPUTED if stage.reached else Part.NOT_REACHED
    unknown = explanation.profile.unknown_plugins.items()
    others = (PluginPart(name, part) for name, points in unknown if stage.point in points)
    return replace(stage, parts=(*stage.parts, *others), reached=reached)


def _each(plugins: Iterable[str], part: Callable[[str], PluginPart]) -> tuple[PluginPart, ...]:
    return tuple(part(plugin) for plugin in plugins)


def _unreached(plugin: str) -> PluginPart:
    return PluginPart(plugin, Part.NOT_REACHED)


def _uncomputed(plugin: str) -> PluginPart:
    return PluginPart(plugin, Part.NOT_COMPUTED)


def _after(explanation: Explanation, point: ExtensionPoint) -> Callable[[str], PluginPart]:
    """What plugins do once a node is chosen, which is known of those alone that ask for the pod's group."""
    group = explanation.group
    if not _is_taken(explanation):
        return _unreached
    if point is ExtensionPoint.PERMIT and explanation.cycle.context.is_resize:
        return partial(_permitting_resize, explanation)
    if point is not ExtensionPoint.PERMIT or group is None or group.verdict is GroupVerdict.UNCERTAIN:
        return _uncomputed
    status = unschedulable(group.pod_message) if group.is_blocking else SUCCESS
    answer = Part.REJECTED if group.is_blocking else Part.RAN
    return lambda name: PluginPart(name, answer, status=status) if PLUGINS[name].asks_for_group else _uncomputed(name)


def _permitting_resize(explanation: Explanation, plugin: str) -> PluginPart:
    """What a plugin makes of a resize that fits; most have no say in it."""
    status = PLUGINS[plugin](explanation.cycle.context).permit()
    return PluginPart(plugin, Part.RAN) if status is None else PluginPart(plugin, Part.REJECTED, status=status)


# -- how far an attempt goes -----------------------------------------------------------------------------------------


def _filters(explanation: Explanation) -> bool:
    return explanation.cycle.stopped_by is None


def _ends(explanation: Explanation) -> bool:
    """Whether the attempt ends before PostFilter: with a node, or in an error."""
    return explanation.finds_node or explanation.error is not None


def _scores(explanation: Explanation) -> bool:
    """A single feasible node is taken as it is, and so is the one that the pod is nominated for."""
    error = explanation.error
    is_searched = error is None or error.phase.is_scoring
    return len(explanation.cycle.feasible) > 1 and is_searched and not explanation.takes_nominated


def _prepared(explanation: Explanation) -> bool:
    return all(status.ok or status.code is Code.SKIP for status in explanation.cycle.pre_scores.values())


def _is_taken(explanation: Explanation) -> bool:
    """Whether the pod's own cycle ends with a node."""
    return explanation.finds_node


# -- the points ------------------------------------------------------------------------------------------------------


def _pre_enqueue(explanation: Explanation) -> tuple[PluginPart, ...]:
    is_out = False
    parts = []
    for name in explanation.profile.pre_enqueue:
        answer = PLUGINS[name].pre_enqueue(explanation.pod, explanation.snapshot)
        status = SUCCESS if answer is None else answer
        part = Part.NOT_COMPUTED if answer is None else Part.RAN if answer.ok else Part.REJECTED
        parts.append(_unreached(name) if is_out else PluginPart(name, part, status=status))
        is_out = is_out or not status.ok
    return tuple(parts)


def _sorts(plugin: str) -> PluginPart:
    return PluginPart(plugin, Part.RAN)


def _pre_filter(explanation: Explanation) -> Iterable[PluginPart]:
    cycle, is_over = explanation.cycle, not explanation.node_count
    for name in explanation.profile.pre_filter:
        status = cycle.pre_filters[name].status
        if is_over:
            yield _unreached(name)
        elif status.code is Code.SKIP:
            is_known = not cycle.plugins[name].uncomputed
            yield PluginPart(name, Part.SKIPPED if is_known else Part.NOT_COMPUTED, status=status)
        else:
            is_over = not is_prepared(cycle, name)
            if is_over and cycle.stopped_by is not None:
                # Also where it is well itself, but leaves no node together with others.
                status = cycle.stopped_by.status
            yield PluginPart(name, Part.RAN if status.ok else Part.REJECTED, status=status)


def _filter(explanation: Explanation) -> Iterable[PluginPart]:
    cycle = explanation.cycle
    left = int(cycle.considered.sum()) if _filters(explanation) else 0
    rejected_by = {each.plugin: each.rejected_here for each in explanation.funnel}
    for name in explanation.profile.filter:
        if not left:
            yield _unreached(name)
        elif cycle.plugins[name].uncomputed:
            yield _uncomputed(name)
        elif name not in cycle.filters:
            yield PluginPart(name, Part.SKIPPED)
        else:
            rejected = rejected_by[name]
            error = explanation.error
            fails = error is not None and (error.phase, error.plugin) == (Phase.FILTER, name)
            status = Status(Code.ERROR, (error.message,)) if error is not None and fails else SUCCESS
            yield PluginPart(name, Part.REJECTED if rejected else Part.RAN, left, rejected, status)
            left -= rejected


def _post_filter(explanation: Explanation) -> Iterable[PluginPart]:
    """In turn, until one makes room or fails."""
    is_over = _ends(explanation) or not explanation.node_count
    for name in explanation.profile.post_filter:
        if is_over:
            yield _unreached(name)
        elif not PLUGINS[name].preempts:
            status = answer_of(explanation.cycle, name)
            is_over = status is not None and status.code is Code.ERROR
            yield _uncomputed(name) if status is None else PluginPart(name, Part.REJECTED, status=status)
        else:
            preemption = explanation.preemption
            message = "" if preemption is None else preemption.message
            if preemption is not None and preemption.selected is not None:
                is_over = True
                yield PluginPart(name, Part.RAN)
            elif preemption is not None and preemption.failed:
                is_over = True
                yield PluginPart(name, Part.REJECTED, status=Status(Code.ERROR, (message,)))
            else:
                yield PluginPart(name, Part.REJECTED, status=unschedulable(message))


def _pre_score(explanation: Explanation) -> Iterable[PluginPart]:
    for name in explanation.profile.pre_score:
        status = explanation.cycle.pre_scores.get(name)
        if status is None or not _scores(explanation):
            yield _unreached(name)
        else:
            part = Part.SKIPPED if status.code is Code.SKIP else Part.RAN if status.ok else Part.REJECTED
            yield PluginPart(name, part, status=status)


def _score(explanation: Explanation) -> Iterable[PluginPart]:
    cycle, error = explanation.cycle, explanation.error
    scored = {score.plugin for score in cycle.scores} if _scores(explanation) else set()
    for name in explanation.profile.score:
        if error is not None and error.phase in (Phase.SCORE, Phase.WEIGHING) and error.plugin == name:
            yield PluginPart(name, Part.REJECTED, status=Status(Code.ERROR, (error.message,)))
        elif name in scored:
            yield PluginPart(name, Part.RAN, asked=len(cycle.feasible))
        elif not _scores(explanation) or not _prepared(explanation):
            yield _unreached(name)
        elif name in cycle.unscored:
            yield PluginPart(name, Part.SKIPPED)
        else:
            yield _unreached(name)


def _normalize(explanation: Explanation) -> Iterable[PluginPart]:
    """Those of the plugins that score which bring their scores to 0..100 themselves, once all have scored."""
    cycle = explanation.cycle
    for name in explanation.profile.score:
        if type(cycle.plugins[name]).normalise is Plugin.normalise:
            continue
        if not _scores(explanation) or not _is_taken(explanation):
            yield _unreached(name)
        elif name in cycle.unscored:
            yield PluginPart(name, Part.SKIPPED)
        else:
            yield PluginPart(name, Part.RAN, asked=len(cycle.feasible))
