"""Why a pod is not on some node: in a sentence, what would have to change, and whether removing pods helps."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from clusters.engine.relaxing.relaxations import mend
from clusters.engine.status import Code
from clusters.wording import attempts
from clusters.wording.amounts import counted, grouped
from clusters.wording.evidence import missing
from clusters.wording.lifts import mending
from dashboard.presenters import wording
from dashboard.presenters.decisions.preemption import CandidateView, candidate_view
from dashboard.presenters.decisions.two_nodes import Comparison, compare, decider
from dashboard.presenters.nodes.verdict import NodeVerdict, matches, node_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.models import Pod

_NEAR = 5


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer about one node.

    `missing` says what is not met, in amounts. `change` is empty where the pod fits. `preemption` says whether removing
    pods would make room, `candidate` whom it would cost. `comparison` is with the best, or the next best.
    """

    node: NodeVerdict
    sentence: str
    missing: tuple[str, ...]
    change: str
    preemption: str
    candidate: CandidateView | None
    comparison: Comparison | None


def why_not(explanation: Explanation, row: int, pod: Pod) -> WhyNot:
    """Answer for the node of one row."""
    fits = explanation.total_of(row) is not None
    comparison = _comparison(explanation, row) if fits else None
    name = explanation.snapshot.nodes.names[row]
    candidate = _candidate(explanation, name)
    return WhyNot(
        node=node_verdict(explanation, row),
        sentence=_fitting(explanation, row, pod, comparison) if fits else _rejected(explanation, row, pod),
        missing=() if fits else tuple(_missing(explanation, row)),
        change="" if fits else mending(mend(explanation.cycle, row), name) or _left_out(explanation, name),
        preemption="" if fits else _preemption(explanation, row, candidate),
        candidate=candidate,
        comparison=comparison,
    )


def near(explanation: Explanation, asked: str) -> list[str]:
    """Return the names of nodes that are spelled much like a text."""
    return get_close_matches(asked, explanation.snapshot.nodes.names, _NEAR)


def found(explanation: Explanation, asked: str) -> list[str]:
    """Return the node of this name, or else those with the text in their name, one more than are shown."""
    return [asked] if asked in explanation.snapshot.nodes.index else matches(explanation, asked)


# -- where it fits -----------------------------------------------------------------------------------------------------


def _comparison(explanation: Explanation, row: int) -> Comparison | None:
    """Compare a node with the best one, or the best with the next."""
    other = next((int(each) for each in explanation.ranking()[:2] if int(each) != row), None)
    return None if other is None or explanation.error is not None else compare(explanation, row, other)


def _fitting(explanation: Explanation, row: int, pod: Pod, comparison: Comparison | None) -> str:
    name = explanation.snapshot.nodes.names[row]
    runs = "The pod is on it. " if pod.node_name == name else ""
    if explanation.error is not None:
        said = attempts.error_clause(explanation.error)
        return f"{runs}{name} passes every filter, but {said}, so the pod is scheduled nowhere."
    if explanation.takes_nominated:
        clause = attempts.nomination_clause(explanation)
        return f"{runs}{clause}." if name in explanation.choices else f"{runs}{name} passes every filter, but {clause}."
    if comparison is None or comparison.first_total is None or comparison.second_total is None:
        return f"{runs}{name} is the only node that takes the pod."
    total = counted(comparison.first_total, "point", "points")
    if name in explanation.best:
        others = len(explanation.best) - 1
        if others:
            return (
                f"{runs}Nothing speaks against {name}: it has the highest total, {total}, as "
                f"{counted(others, 'other has', 'others have')} too, and the scheduler picks one of them at random."
            )
        return f"{runs}{name} is the best node: {total}. {comparison.sentence}"
    made = decider(comparison)
    behind = grouped(comparison.second_total - comparison.first_total)
    most = f" {made.plugin} makes the most of it: {made.signed}." if made is not None else ""
    return f"{runs}{name} takes the pod, but scores {behind} below {comparison.second}.{most}"


# -- where it does not -------------------------------------------------------------------------------------------------


def _rejected(explanation: Explanation, row: int, pod: Pod) -> str:
    name = explanation.snapshot.nodes.names[row]
    runs = "The pod is on it, but would not fit if it were scheduled now: " if pod.node_name == name else ""
    return f"{runs}{name} {wording.why_not_there(explanation, row)}."


def _missing(explanation: Explanation, row: int) -> Iterable[str]:
    """Say of each filter that rejects the node what it compared."""
    evidence = explanation.evidence(row)
    for plugin in {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}:
        if said := missing(evidence[plugin]):
            yield f"{plugin}: {said}"


def _left_out(explanation: Explanation, name: str) -> str:
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return f"Nothing about {name} would help: the attempt ends before any node is looked at."
    return f"{wording.listed(explanation.cycle.restricting)} would have to name {name} among the nodes to look at."


# -- removing pods -----------------------------------------------------------------------------------------------------


def _candidate(explanation: Explanation, name: str) -> CandidateView | None:
    preemption = explanation.preemption
    if preemption is None:
        return None
    return next((candidate_view(each, preemption) for each in preemption.candidates if each.node == name), None)


def _preemption(explanation: Explanation, row: int, candidate: CandidateView | None) -> str:
    preemption, verdict = explanation.preemption, explanation.verdict_of(row)
    if preemption is None:
        if explanation.fits:
            nodes = counted(len(explanation.cycle.feasible), "other node takes", "other nodes take")
            return f"The scheduler removes nobody for it, as {nodes} the pod as things are."
        return "The profile has no plugin that removes pods."
    if not preemption.eligible:
        return f"The scheduler removes nobody for this pod: {preemption.message.removeprefix('preemption: ')}"
    if candidate is not None:
        taken = (
            "This is what the scheduler would do."
            if candidate.is_selected
            else (
                f"The scheduler would rather do so on {preemption.selected.node}."
                if preemption.selected is not None
                else ""
            )
        )
        leaving = counted(len(candidate.victims) + candidate.more, "pod", "pods")
        return f"Removing {leaving} of lower priority from this node would make room. {taken}"
    if verdict is None or verdict.status.code is not Code.UNSCHEDULABLE:
        return "Removing pods cannot help on this node: what stands against it does not depend on them."
    pods = explanation.snapshot.pods
    lower = sum(int(pods.priority[slot]) < explanation.pod.priority for slot in pods.on_node(row))
    if not lower:
        return "Removing pods does not help: no pod of lower priority is on this node."
    gone = counted(lower, "pod", "pods")
    return f"Removing pods does not help: even without its {gone} of lower priority the node would reject it."
