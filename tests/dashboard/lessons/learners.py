"""What learners send: answers as forms have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.lessons.situation import build_situation
from clusters.services.lessons.library import built_in_lessons
from dashboard.lessons.presenters.questions import FITS, NO_NODE

if TYPE_CHECKING:
    from clusters.engine.lessons.lesson import LessonStep

LESSON = "filter-and-score"


def address(step: str, rest: str = "", lesson: str = LESSON) -> str:
    """Return the address of a step."""
    return f"/lessons/{lesson}/{step}/{rest}"


def step_of_kind(kind: str, lesson: str = LESSON) -> LessonStep:
    """Return the first step of a lesson that asks a question of a kind."""
    return next(step for step in built_in_lessons()[lesson].steps if step.question.kind == kind)


def solution(step: LessonStep) -> Any:
    """Return the engine's own answer."""
    return step.question.solution(build_situation(step.situation))


def posted(step: LessonStep, answer: Any) -> dict[str, Any]:
    """Return the fields in which a form sends an answer."""
    fields: dict[str, Any] = {"act": "answer"}
    if step.question.kind == "rejections":
        return fields | {f"each:{node}": plugin or FITS for node, plugin in answer.items()}
    return fields | {"answer": NO_NODE if answer is None else answer}
