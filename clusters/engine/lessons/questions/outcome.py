"""What becomes of the pod?"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.lessons.answers import read_word
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.question import Judgement, Question

if TYPE_CHECKING:
    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation


class PodOutcome(enum.StrEnum):
    """What becomes of the pod in question; the values are the answers, and keys in the texts of a lesson."""

    SCHEDULED = "scheduled"
    """It is scheduled to a node."""
    PREEMPTS = "preempts"
    """Other pods are removed for it, and it is nominated for their node."""
    UNSCHEDULABLE = "unschedulable"
    """It stays pending."""
    GATED = "gated"
    """The scheduler does not try it: scheduling gates, or its group, hold it back."""
    REFUSED = "refused"
    """The API server does not create it."""


@dataclass(frozen=True, slots=True)
class OutcomeQuestion(Question):
    """What becomes of the pod in question. The answer is a value of PodOutcome."""

    kind: ClassVar[str] = "outcome"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.OTHER_OUTCOME})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        arguments.fields()
        return cls()

    def solution(self, situation: Situation) -> RawAnswer:
        return str(outcome_of(situation))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = outcome_of(situation), read_word(answer, [str(each) for each in PodOutcome])
        if given == right:
            return Judgement()
        return Judgement((Mistake(MistakeKind.OTHER_OUTCOME, given=given, expected=str(right)),))


def outcome_of(situation: Situation) -> PodOutcome:
    """What becomes of the pod in question. Raises UnsolvableError."""
    if not situation.is_tried:
        return PodOutcome.GATED if situation.refusal is None else PodOutcome.REFUSED
    if situation.attempt().fits:
        return PodOutcome.SCHEDULED
    return PodOutcome.UNSCHEDULABLE if situation.preemption() is None else PodOutcome.PREEMPTS
