"""What a scheduler answers for a pod, small enough to keep of every pod under several releases."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.explanation import explain
from clusters.engine.ties import TieBreak, tie_of

if TYPE_CHECKING:
    from clusters.engine.admission import Refusal
    from clusters.engine.conclusion import Conclusion
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


class AnswerAspect(enum.StrEnum):
    """In what two answers differ, the gravest first."""

    ADMISSION = "admission"
    VERDICT = "verdict"
    PREEMPTION = "preemption"
    NODES = "nodes"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class NodesRejected:
    """How many nodes a plugin rejects first, with which reasons."""

    plugin: str
    reasons: tuple[str, ...]
    nodes: int


@dataclass(frozen=True, slots=True)
class SchedulingAnswer:
    """What the scheduler answers for one pod. ``message``: its FailedScheduling text, empty for a pod that fits.

    ``choices``: the nodes of which it takes one, none where its group keeps it from them. ``rejected``: what keeps the
    other nodes out. ``preempted_on`` and ``victims``: where preemption makes room, and of which pods; for a whole group
    no node is named. ``refusals``: what the API server has against a pod
    that does not exist yet. ``takes_first``: of several choices the first in the order of the search is taken.
    """

    conclusion: Conclusion
    message: str
    choices: tuple[str, ...]
    rejected: tuple[NodesRejected, ...]
    preempted_on: str
    victims: tuple[str, ...]
    refusals: tuple[Refusal, ...] = ()
    takes_first: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class ScoreTip:
    """The plugin whose scores tip the choice from one node to another.

    ``lead_before`` and ``lead_after``: how many points it gives ``node_after`` more than ``node_before``.
    """

    plugin: str
    node_before: str
    node_after: str
    lead_before: int
    lead_after: int


def explained(snapshot: Snapshot, configuration: SchedulerConfiguration, pod: Document) -> Explanation | None:
    """Explain a pod; None for one that no profile schedules or that gates hold back."""
    try:
        profile = configuration.profile_for(pod)
    except UnknownScheduler:
        return None
    found = explain(snapshot, pod, profile)
    return found if found.gates.ok else None


def answer_of(explanation: Explanation, refusals: tuple[Refusal, ...] = ()) -> SchedulingAnswer:
    """Return what is kept of an explanation, of a pod that the API server refuses too."""
    selected = None if explanation.preemption is None else explanation.preemption.selected
    of_group = () if explanation.group is None else explanation.group.victims
    return SchedulingAnswer(
        explanation.conclusion,
        explanation.message or "",
        () if explanation.blocking_group is not None else tuple(explanation.choices),
        _rejected(explanation),
        "" if selected is None else selected.node,
        of_group if selected is None else selected.victims,
        refusals,
        takes_first=(tie := tie_of(explanation)) is not None and tie.by is TieBreak.FIRST_FOUND,
    )


def aspects_between(before: SchedulingAnswer, after: SchedulingAnswer) -> tuple[AnswerAspect, ...]:
    """Return in what two answers differ; where admission or the verdict does, the rest is not told."""
    if before.refusals != after.refusals:
        return (AnswerAspect.ADMISSION,)
    if before.conclusion is not after.conclusion:
        return (AnswerAspect.VERDICT,)
    found = []
    if (before.preempted_on, before.victims) != (after.preempted_on, after.victims):
        found.append(AnswerAspect.PREEMPTION)
    if before.choices != after.choices:
        found.append(AnswerAspect.NODES)
    if before.message != after.message:
        found.append(AnswerAspect.MESSAGE)
    return tuple(found)


def tip_between(before: Explanation, after: Explanation) -> ScoreTip | None:
    """Return which plugin tips the choice from the first node of one explanation to one that it did not choose.

    None where one of the two nodes does not fit under both.
    """
    old = min(set(before.choices) - set(after.choices) or before.choices, default=None)
    new = min(set(after.choices) - set(before.choices) or after.choices, default=None)
    if old is None or new is None or old == new:
        return None
    leads = [_leads(each, old, new) for each in (before, after)]
    if not all(leads):
        return None
    names = sorted(leads[0].keys() | leads[1].keys())
    plugin = max(names, key=lambda name: leads[1].get(name, 0) - leads[0].get(name, 0))
    return ScoreTip(plugin, old, new, leads[0].get(plugin, 0), leads[1].get(plugin, 0))


def plugins_between(before: SchedulingAnswer, after: SchedulingAnswer) -> tuple[str, ...]:
    """Return the plugins that reject other nodes, or with other reasons, in order of name."""
    unlike = set(before.rejected) ^ set(after.rejected)
    return tuple(sorted({each.plugin for each in unlike if each.plugin}))


def _leads(explanation: Explanation, old: str, new: str) -> dict[str, int]:
    index = explanation.snapshot.nodes.index
    theirs = {cell.plugin: cell.weighted for cell in explanation.cells_of(index[old])}
    mine = {cell.plugin: cell.weighted for cell in explanation.cells_of(index[new])}
    return {name: points - theirs[name] for name, points in mine.items()} if theirs else {}


def _rejected(explanation: Explanation) -> tuple[NodesRejected, ...]:
    cycle = explanation.cycle
    numbers = [int((cycle.rejected_by == number).sum()) for number in range(len(cycle.rejections))]
    return tuple(
        NodesRejected(each.plugin, tuple(each.status.reasons), nodes)
        for each, nodes in zip(cycle.rejections, numbers, strict=True)
        if nodes
    )
