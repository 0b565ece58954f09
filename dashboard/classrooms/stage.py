"""The step of a classroom, as its trainer and the projector show it: question, map, answers, and what is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.engine.lessons import Lesson, RawAnswer, SituationError, UnsolvableError
from clusters.wording.lessons import player as player_words, teaching as words
from clusters.wording.problems import both_sentences
from dashboard.classrooms.judgements import judge_all, right_answer, right_working
from dashboard.classrooms.presenters.answers import commonest_mistake, distribution, node_heat
from dashboard.classrooms.presenters.rooms import step_title
from dashboard.lessons.case import as_html, sentence_as_html
from dashboard.lessons.experiments import PlayedStep
from dashboard.lessons.languages import texts_of
from dashboard.lessons.page import neutral_map
from dashboard.lessons.presenters import questions
from dashboard.lessons.presenters.situation import changed_lines, cluster_facts, manifest_groups, pod_text
from dashboard.lessons.shelves import find_lesson
from dashboard.models import Classroom, LessonProgress

if TYPE_CHECKING:
    from collections.abc import Sequence


class StepChoice(Struct, frozen=True):
    """A step to which the class can be led; ``act`` is what the button sends."""

    act: str
    title: str
    is_current: bool


class LessonChoice(Struct, frozen=True):
    """A lesson of a classroom with its steps."""

    title: str
    steps: tuple[StepChoice, ...]


def lessons_of(classroom: Classroom) -> list[Lesson]:
    """Return a classroom's lessons in their order, but for those that are gone since."""
    return [lesson for name in classroom.lessons if (lesson := find_lesson(name)) is not None]


def played_in(classroom: Classroom, lessons: Sequence[Lesson]) -> PlayedStep | None:
    """Return the step where a class is; None where the lesson is gone, or has no such step any more."""
    for lesson in lessons:
        for number, step in enumerate(lesson.steps):
            if (lesson.name, step.name) == (classroom.lesson, classroom.step):
                return PlayedStep(lesson, step, number)
    return None


def answers_to(classroom: Classroom) -> list[RawAnswer]:
    """Return what the participants answered to the step where the class is."""
    rows = LessonProgress.objects.filter(
        participant__classroom=classroom, lesson=classroom.lesson, step=classroom.step, tries__gt=0
    )
    return list(rows.order_by("pk").values_list("answer", flat=True))


def choices_of(classroom: Classroom, lessons: Sequence[Lesson]) -> dict[str, Any]:
    """Return every step to choose from, and those before and after the present one."""
    found = [
        LessonChoice(
            texts_of(lesson).title,
            tuple(
                StepChoice(
                    f"step:{lesson.name}:{step.name}",
                    step_title(lesson, number),
                    (lesson.name, step.name) == (classroom.lesson, classroom.step),
                )
                for number, step in enumerate(lesson.steps)
            ),
        )
        for lesson in lessons
    ]
    every = [step for lesson in found for step in lesson.steps]
    at = next((number for number, step in enumerate(every) if step.is_current), None)
    # A class whose step is gone goes on with the first one.
    previous = every[at - 1] if at else None
    following = next(iter(every[0 if at is None else at + 1 :]), None)
    return {"choices": found, "previous": previous, "following": following}


def stage_context(classroom: Classroom, played: PlayedStep | None, participants: int) -> dict[str, Any]:
    """Return what trainer's page and projector show of the present step, in the language of the page."""
    given = answers_to(classroom)
    context: dict[str, Any] = {
        "classroom": classroom,
        "participants": participants,
        "counted": words.PARTICIPANTS(number=participants),
        "answered": words.answered(len(given), participants),
        "answered_fill": min(100, 100 * len(given) // max(1, participants)),
    }
    if played is None:
        return context
    texts = texts_of(played.lesson)
    own = texts.steps[played.step.name]
    context |= {
        "lesson_title": texts.title,
        "place": player_words.STEP_OF(number=played.number + 1, steps=len(played.lesson.steps)),
        "texts": own,
        "text": as_html(own.text),
        "asking": as_html(own.ask),
    }
    try:
        solution = right_answer(played)
        situation = played.situation
    except (SituationError, UnsolvableError) as error:
        return {**context, "broken": both_sentences(error.problem)}
    question: Any = played.step.question
    judged = judge_all(played, given)
    right = questions.solution_words(question, situation, solution)
    return context | {
        "facts": cluster_facts(situation),
        "manifests": manifest_groups(situation),
        "pod": situation.parts.pod,
        # Of a question about a manifest it is among the objects.
        "pod_text": pod_text(situation) if question.kind != "manifest" else "",
        "map": neutral_map(situation),
        "distribution": distribution(question, situation, judged, solution, is_revealed=classroom.is_revealed),
        "heat": node_heat(question, situation, judged, solution, is_revealed=classroom.is_revealed),
        "right": words.right(judged.right, len(judged.answers)),
        "mistake": commonest_mistake(question, judged, own),
        "answer": sentence_as_html(right),
        "reveal": questions.reveal_text(own, right),
        "working": right_working(played),
        "solution_text": changed_lines(situation.written(question.name), solution)
        if question.kind == "manifest" and solution
        else "",
    }
