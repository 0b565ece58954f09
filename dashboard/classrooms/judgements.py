"""Answers of participants with what they are worth: each distinct one is judged once, however often it is looked at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from django.utils import translation
from msgspec import Struct

from clusters.engine.lessons import (
    Judgement,
    Mistake,
    RawAnswer,
    SituationError,
    UnreadableAnswerError,
    UnsolvableError,
)
from clusters.services.computing import Cache
from clusters.services.lessons.reading import BadLesson
from dashboard.lessons.experiments import judged, solution_of
from dashboard.lessons.presenters.questions import Working, working_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dashboard.lessons.experiments import PlayedStep

# All answers of some classes of 100: a judgement is small, and what it took to find it is not.
_kept: Final[Cache[tuple[str, str, str], Judgement | None]] = Cache("judged answers", 8_192)
# Of a changed manifest one that is right is searched for.
_solutions: Final[Cache[tuple[str, str], RawAnswer]] = Cache("answers that are right", 256)
# By language, too.
_workings: Final[Cache[tuple[str, str, str], Working | None]] = Cache("arithmetic of answers", 256)


class JudgedAnswer(Struct, frozen=True):
    """One participant's answer to a step, and what is wrong with it."""

    given: RawAnswer
    mistakes: tuple[Mistake, ...]

    @property
    def is_right(self) -> bool:
        return not self.mistakes


class JudgedAnswers(Struct, frozen=True):
    """All answers to a step; ``unreadable`` counts those that are none to it, as the lesson is another one since."""

    answers: tuple[JudgedAnswer, ...]
    unreadable: int

    @property
    def right(self) -> int:
        """Return how many are right."""
        return sum(each.is_right for each in self.answers)


def right_answer(played: PlayedStep) -> RawAnswer:
    """Return an answer to a step that is right. Raises UnsolvableError and SituationError."""
    names = (played.lesson.name, played.step.name)
    return _solutions.get(names, lambda: solution_of(played.step.question, played.situation), version=played.step)


def right_working(played: PlayedStep) -> Working | None:
    """Return the arithmetic of the answer to a step, in the language of the page. Raises SituationError."""
    key = (played.lesson.name, played.step.name, translation.get_language() or "")
    return _workings.get(key, lambda: working_of(played.step.question, played.situation), version=played.step)


def judge_all(played: PlayedStep, given: Iterable[RawAnswer]) -> JudgedAnswers:
    """Judge answers to a step."""
    every = [judge(played, answer) for answer in given]
    found = tuple(each for each in every if each is not None)
    return JudgedAnswers(found, len(every) - len(found))


def judge(played: PlayedStep, answer: RawAnswer) -> JudgedAnswer | None:
    """Judge one answer; None for what is none to this question, as the lesson is another one since."""
    key = (played.lesson.name, played.step.name, json.dumps(answer))

    def judgement() -> Judgement | None:
        try:
            return judged(played.step.question, played.situation, answer)
        except (UnreadableAnswerError, UnsolvableError, SituationError, BadLesson):
            return None

    found = _kept.get(key, judgement, version=played.step)
    return None if found is None else JudgedAnswer(answer, found.mistakes)
