"""What a lesson asks about a decision: where the pod goes, what becomes of it, and what stands in its way."""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.lessons.terms import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.explanation import Explanation

# Each node is a question of its own: more of them are a chore.
_MOST_REJECTIONS: Final = 12


class StepKind(enum.StrEnum):
    """A step of a lesson that is made of a decision; its value is the step's name."""

    WHERE = "where"
    OUTCOME = "outcome"
    VICTIMS = "victims"
    REJECTED = "rejected"
    EACH_NODE = "each-node"


# The words that the texts of each kind of step use; clusters/wording/lessons/taken.py has the texts.
TERMS: Final[Mapping[StepKind, tuple[Term, ...]]] = {
    StepKind.WHERE: (Term.PENDING, Term.FILTER, Term.TAINT, Term.REQUEST, Term.NODE_AFFINITY, Term.SCORE),
    StepKind.OUTCOME: (Term.PENDING, Term.FILTER, Term.PRIORITY, Term.PREEMPTION, Term.SCHEDULING_GATE),
    StepKind.VICTIMS: (Term.PENDING, Term.PREEMPTION, Term.PRIORITY, Term.BUDGET, Term.VICTIM),
    StepKind.REJECTED: (Term.PENDING, Term.PLUGIN),
    StepKind.EACH_NODE: (Term.PENDING, Term.PLUGIN),
}


class AskedStep(NamedTuple):
    """A step, and its question as the files of lessons have it; ``plugin`` is the one that is asked about."""

    kind: StepKind
    question: dict[str, Any]
    plugin: str = ""


def steps_for(explanation: Explanation) -> tuple[AskedStep, ...]:
    """Return the steps for a decision by what happened in it."""
    outcome = AskedStep(StepKind.OUTCOME, {"outcome": {}})
    if explanation.held_back is not None:
        return (outcome,)
    if explanation.fits:
        return (AskedStep(StepKind.WHERE, {"node": {}}), *_about_rejections(explanation))
    preemption = explanation.preemption
    if preemption is not None and preemption.candidates:
        return outcome, AskedStep(StepKind.VICTIMS, {"pods": {"which": "victims"}})
    return (outcome, *_about_rejections(explanation))


def _about_rejections(explanation: Explanation) -> tuple[AskedStep, ...]:
    verdicts = [explanation.verdict_of(row) for row in range(explanation.node_count)]
    rejected = Counter(verdict.plugin for verdict in verdicts if verdict is not None)
    if not rejected:
        return ()
    if explanation.node_count <= _MOST_REJECTIONS:
        return (AskedStep(StepKind.EACH_NODE, {"rejections": {}}),)
    plugin = min(rejected, key=lambda name: (-rejected[name], name))
    return (AskedStep(StepKind.REJECTED, {"nodes": {"which": {"rejectedBy": plugin}}}, plugin),)
