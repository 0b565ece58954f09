"""The page of a step in a led class: one page that shows each step to which the trainer leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string

from dashboard.lessons import progress
from dashboard.lessons.class_steps import class_step
from dashboard.lessons.languages import texts_of
from dashboard.lessons.shelves import find_lesson

if TYPE_CHECKING:
    from dashboard.http import PageRequest
    from dashboard.lessons.experiments import PlayedStep
    from dashboard.lessons.learners import Learner
    from dashboard.lessons.page import DraftAnswer
    from dashboard.models import Classroom


def led_context(
    request: PageRequest, learner: Learner, played: PlayedStep, draft: DraftAnswer | None
) -> dict[str, Any]:
    """Return what the page shows; what other steps of the classroom need is loaded with it."""
    row = progress.of_step(learner, played.lesson.name, played.step.name)
    texts = texts_of(played.lesson)
    token = render_to_string("lessons/_token.html", {}, request)
    classroom = learner.classroom
    assert classroom is not None  # noqa: S101 - nobody else is led
    return {
        "learner": learner,
        "played": played,
        "lesson_title": texts.title,
        "texts": texts.steps[played.step.name],
        "class_step": class_step(played, learner).html(learner, row, draft, token),
        "shows": shown_state(classroom),
        "has_editor": _has_manifests(classroom),
    }


def shown_state(classroom: Classroom) -> str:
    """Name what a led class sees: its step, and whether the answer is shown."""
    return f"{classroom.lesson}/{classroom.step}/{classroom.is_revealed:d}"


def _has_manifests(classroom: Classroom) -> bool:
    lessons = (find_lesson(name) for name in classroom.lessons)
    return any(step.question.kind == "manifest" for lesson in lessons if lesson for step in lesson.steps)
