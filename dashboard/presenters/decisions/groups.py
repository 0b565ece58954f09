"""Nodes by what filtering found: the funnel, the groups of identical verdict, and the nodes of one group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.status import Code
from clusters.wording.amounts import counted, grouped, percent
from clusters.wording.evidence import missing
from clusters.wording.plugins import wording_of
from dashboard.presenters import wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.cycle import Rejection
    from clusters.engine.explanation import FunnelStep, NodeGroup
    from clusters.engine.status import Status

# So many nominated pods are named.
_NAMED = 3
_BEFORE = "before any node is looked at"


@dataclass(frozen=True, slots=True)
class StepView:
    """One bar of the funnel; `fill` is 0 to 100, `note` says what happened here."""

    name: str
    question: str
    left: str
    fill: float
    note: str
    skipped: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """One plugin's rejection in the scheduler's own words; `resolvable` by removing pods."""

    plugin: str
    reasons: str
    resolvable: bool


@dataclass(frozen=True, slots=True)
class GroupView:
    """Nodes about which everything says the same.

    `verdict` is a word of the verdict tokens. `reported` is what the scheduler records (None: feasible), `everything`
    what each filter says on its own, and `instead` what stands there when no filter says anything. `nominated` names
    the nominated pods that make the scheduler's answer another one; empty where they do not.
    """

    number: int
    count: str
    share: str
    fill: float
    verdict: str
    verdict_text: str
    summary: str
    reported: Answer | None
    everything: tuple[Answer, ...]
    instead: str
    nominated: str


@dataclass(frozen=True, slots=True)
class NodeLine:
    """One node of a group: what is missing here, or how it scores."""

    name: str
    brief: str


def funnel(explanation: Explanation) -> list[StepView]:
    """Present how many nodes are left after each filter in turn."""
    everything = explanation.node_count
    considered = int(explanation.cycle.considered.sum())
    steps = [StepView("All nodes", "", grouped(everything), 100, "", skipped=False)]
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        note = f"{stopped.plugin or 'PreFilter'} ends the cycle here: {wording.reasons(stopped.status)}."
        steps.append(StepView("PreFilter", _BEFORE, "0", 0, note, skipped=False))
    elif considered < everything:
        note = f"{wording.listed(explanation.cycle.restricting)} names the only nodes to look at."
        fill = _fill(considered, everything)
        steps.append(StepView("PreFilter", _BEFORE, grouped(considered), fill, note, skipped=False))
    steps += [_step(step, explanation) for step in explanation.funnel]
    feasible = len(explanation.cycle.feasible)
    if explanation.funnel and feasible < explanation.funnel[-1].left:
        kept = counted(explanation.funnel[-1].left - feasible, "node is", "nodes are")
        note = f"{kept} kept for pods of at least its priority that are nominated there."
        fill = _fill(feasible, everything)
        question = "counted as if they ran there already"
        steps.append(StepView("Nominated pods", question, grouped(feasible), fill, note, skipped=False))
    return steps


def _step(step: FunnelStep, explanation: Explanation) -> StepView:
    return StepView(
        name=step.plugin,
        question=wording_of(step.plugin).decides(),
        left=grouped(step.left),
        fill=_fill(step.left, explanation.node_count),
        note=_step_note(step, explanation),
        skipped=step.skipped,
    )


def _step_note(step: FunnelStep, explanation: Explanation) -> str:
    if step.skipped:
        stopped = explanation.cycle.stopped_by
        if stopped is not None and step.plugin not in explanation.cycle.skipped:
            return "Not asked: the cycle had ended."
        return wording_of(step.plugin).nothing_to_filter()
    if not step.rejected_alone:
        return "Rejects no node."
    if step.rejected_here == step.rejected_alone:
        return f"Rejects {grouped(step.rejected_here)}."
    here = grouped(step.rejected_here) if step.rejected_here else "none"
    return f"Rejects {here} of the nodes left; {grouped(step.rejected_alone)} by itself."


def _fill(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0


def groups(explanation: Explanation) -> list[GroupView]:
    """Present the nodes by identical verdict."""
    return [group(explanation, number) for number in range(len(explanation.groups))]


def group(explanation: Explanation, number: int) -> GroupView:
    """Present one group. Raises IndexError for a number that there is not."""
    found = explanation.groups[number]
    verdict, text = verdict_of(found.verdict)
    return GroupView(
        number=number,
        count=counted(len(found), "node", "nodes"),
        share=percent(len(found), explanation.node_count),
        fill=_fill(len(found), explanation.node_count),
        verdict=verdict,
        verdict_text=text,
        summary=_summary(found),
        reported=None if found.verdict is None else _reported(found.verdict),
        everything=answers(found.filters.items()),
        instead=_instead(explanation, found),
        nominated=_nominated(explanation, found),
    )


def _summary(found: NodeGroup) -> str:
    if found.verdict is None:
        return "no filter rejects the pod"
    statuses = found.filters.values() or (found.verdict.status,)
    return wording.listed([wording.what_they_do(len(found), reason) for each in statuses for reason in each.reasons])


def _instead(explanation: Explanation, found: NodeGroup) -> str:
    """Say why nodes that no filter rejects are out all the same."""
    if found.verdict is None or found.filters:
        return "nothing"
    if explanation.decided_by_nominated(int(found.rows[0])):
        return "nothing as things are; the room is kept for pods that are nominated there"
    if explanation.cycle.stopped_by is not None:
        return "nothing: no filter was asked, as the cycle had ended before"
    return f"nothing: {wording.listed(explanation.cycle.restricting)} left these nodes out before any filter was asked"


def _nominated(explanation: Explanation, found: NodeGroup) -> str:
    if not explanation.decided_by_nominated(int(found.rows[0])):
        return ""
    names = list(dict.fromkeys(name for row in found.rows.tolist() for name in explanation.nominated_on(row)))
    more = len(names) - _NAMED
    shown = [*names[:_NAMED], f"{grouped(more)} more"] if more > 0 else names
    return f"Counts {wording.listed(shown)}, nominated {'for it' if len(found) == 1 else 'there'}."


def verdict_of(rejection: Rejection | None) -> tuple[str, str]:
    """Return the verdict's token and its words."""
    if rejection is None:
        return "fits", "Fits"
    if rejection.status.code is Code.UNSCHEDULABLE:
        return "preemptible", "Rejected; removing pods may help"
    if rejection.status.code is Code.ERROR:
        return "unknown", "Ends in an error"
    return "rejected", "Rejected; removing pods cannot help"


def _reported(rejection: Rejection) -> Answer:
    return _answer(rejection.plugin or "PreFilter", rejection.status)


def answers(filters: Iterable[tuple[str, Status]]) -> tuple[Answer, ...]:
    """Present rejections by plugin."""
    return tuple(_answer(plugin, status) for plugin, status in filters)


def _answer(plugin: str, status: Status) -> Answer:
    return Answer(plugin, wording.reasons(status), status.code is Code.UNSCHEDULABLE)


def node_lines(explanation: Explanation, rows: Iterable[int]) -> list[NodeLine]:
    """Present nodes of a list, each with what counts there in one line."""
    return [NodeLine(explanation.snapshot.nodes.names[row], _line(explanation, row)) for row in rows]


def _line(explanation: Explanation, row: int) -> str:
    total = explanation.total_of(row)
    if total is not None:
        place = grouped(wording.rank(explanation, total))
        return f"{counted(total, 'point', 'points')}, rank {place}"
    evidence = explanation.evidence(row)
    rejecting = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    if rejecting:
        return "; ".join(missing(evidence[plugin]) or wording.reasons(status) for plugin, status in rejecting.items())
    rejection = explanation.verdict_of(row)
    return "" if rejection is None else wording.reasons(rejection.status)
