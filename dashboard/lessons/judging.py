"""Answers as they are stored, judged by their questions: a manifest is kept as the text that somebody wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.lessons import Judgement, Question, RawAnswer, Situation, UnsolvableError
from clusters.problems.inputs import NotOneDocument
from clusters.services.lessons.reading import BadLesson, LessonFault, documents_in

if TYPE_CHECKING:
    from clusters.engine.objects import Document


def judged(question: Question, situation: Situation, given: RawAnswer) -> Judgement:
    """Judge an answer. Raises UnreadableAnswerError, UnsolvableError, and BadLesson for a manifest with mistakes."""
    return question.judge(situation, manifest_in(given) if question.kind == "manifest" else given)


def manifest_in(text: str) -> Document:
    """Return the one object of a text. Raises BadLesson."""
    found = documents_in(text)
    if len(found) != 1:
        raise BadLesson([LessonFault("", 0, "", NotOneDocument(len(found), "YAML"))])
    return found[0]


def solution_of(question: Question, situation: Situation) -> RawAnswer:
    """Return an answer that is right; of a manifest None where no change is known, though there may be some.

    Raises UnsolvableError where the question has no certain answer.
    """
    question.check(situation)
    try:
        return question.solution(situation)
    except UnsolvableError:
        if question.kind == "manifest":
            return None
        raise


def situation_to_show(question: Any, situation: Situation, given: RawAnswer, solution: RawAnswer) -> Situation:
    """Return the situation that an answer makes: of a changed manifest the one with it in it, else as it is."""
    if question.kind != "manifest":
        return situation
    try:
        document = manifest_in(given) if isinstance(given, str) else solution
        if document is not None and question.judge(situation, document).is_right:
            return situation.with_object(document)
    except (BadLesson, ValueError):
        # The lesson is another one since the answer was given.
        return situation
    return situation if solution is None else situation.with_object(solution)
