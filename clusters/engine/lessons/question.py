"""What every kind of question offers: the engine's own answer, and what is wrong with another one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.mistakes import Mistake, MistakeKind
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.problems import Problem

# What a learner gives, as JSON: a text, none, a list of texts, or a map of texts.
RawAnswer: TypeAlias = Any


class UnsolvableError(ValueError):
    """The engine has no certain answer: the question asks for what is not there, or something else decides."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class UnreadableAnswerError(ValueError):
    """An answer that is none to this question."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer is worth. Right answers have no mistakes."""

    mistakes: tuple[Mistake, ...] = ()

    @property
    def is_right(self) -> bool:
        return not self.mistakes


class Question(ABC):
    """A question about a situation. ``kind`` is its key in the files of lessons, and names the way it is answered.

    ``mistakes``: the kinds of mistakes that its judgements may hold.
    """

    __slots__ = ()
    kind: ClassVar[str]
    mistakes: ClassVar[frozenset[MistakeKind]]

    @classmethod
    @abstractmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        """Read a question from what stands under its key. Raises ChangeError, which ``read_question`` passes on."""

    @property
    def keys(self) -> frozenset[str]:
        """Every key that the texts of a lesson may have a hint for here, such as ``missed`` and ``missed/NodeName``."""
        special = (f"{kind}/{word}" for kind in self.mistakes for word in self.special_words(kind))
        return frozenset((*map(str, self.mistakes), *special))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        """What a key of this kind may name behind a slash, nothing by default."""
        return ()

    def check(self, situation: Situation) -> None:
        """Find out whether the question can be asked here. Raises UnsolvableError where it has no certain answer."""
        self.solution(situation)

    @abstractmethod
    def solution(self, situation: Situation) -> RawAnswer:
        """Return an answer that is right, as a learner would give it. Raises UnsolvableError."""

    @abstractmethod
    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        """Compare an answer with what the engine finds. Raises UnreadableAnswerError and UnsolvableError."""
