"""What becomes of the pod?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.lessons.answers import read_word
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.outcomes import PodOutcome, outcome_of
from clusters.engine.lessons.question import Judgement, Question

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation


__all__ = ["OutcomeQuestion", "PodOutcome", "outcome_of"]


@dataclass(frozen=True, slots=True)
class OutcomeQuestion(Question):
    """What becomes of the pod in question. The answer is a value of PodOutcome."""

    kind: ClassVar[str] = "outcome"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.OTHER_OUTCOME})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        arguments.fields()
        return cls()

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PodOutcome)

    def solution(self, situation: Situation) -> RawAnswer:
        return str(outcome_of(situation))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = outcome_of(situation), read_word(answer, [str(each) for each in PodOutcome])
        if given == right:
            return Judgement()
        return Judgement((Mistake(MistakeKind.OTHER_OUTCOME, given=given, expected=str(right)),))
