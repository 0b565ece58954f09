"""What does the Eviction API answer?"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.disruption.eviction import eviction_answer
from clusters.engine.lessons.answers import read_word
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.question import Judgement, Question

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.disruption.eviction import EvictionAnswer
    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation


class EvictionResult(enum.StrEnum):
    """What the Eviction API makes of a request; the values are the answers, and keys in the texts of a lesson."""

    ALLOWED = "allowed"
    """200: the pod is deleted."""
    REFUSED = "refused"
    """429: a budget allows no disruption now."""
    ERROR = "error"
    """500 or 403: the budgets of the pod are such that the API server cannot allow it."""

    @classmethod
    def of(cls, answer: EvictionAnswer) -> EvictionResult:
        """The result that an answer comes to."""
        if answer.is_granted:
            return cls.ALLOWED
        return cls.REFUSED if answer.code == _TOO_MANY_REQUESTS else cls.ERROR


_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class EvictionQuestion(Question):
    """What the API server answers to the eviction of ``pod`` (``namespace/name``). The answer is an EvictionResult."""

    pod: str

    kind: ClassVar[str] = "eviction"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.OTHER_OUTCOME})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        return cls(arguments.fields("pod").key("pod"))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(EvictionResult)

    def solution(self, situation: Situation) -> RawAnswer:
        return str(EvictionResult.of(eviction_answer(situation.snapshot, situation.pod(self.pod))))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.solution(situation), read_word(answer, [str(each) for each in EvictionResult])
        if given == right:
            return Judgement()
        return Judgement((Mistake(MistakeKind.OTHER_OUTCOME, self.pod, given=given, expected=right),))
