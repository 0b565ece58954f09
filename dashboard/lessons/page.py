"""Everything that the page of a step shows: before the answer nothing that gives it away, afterwards all of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.question import UnreadableAnswerError, UnsolvableError
from clusters.services.decisions.what_if import as_text
from clusters.services.lessons.faults import BadLesson
from clusters.wording.lessons import player as words
from clusters.wording.problems import both_sentences
from dashboard.lessons import progress
from dashboard.lessons.case import ExplainedLesson
from dashboard.lessons.judging import judged, situation_to_show, solution_of
from dashboard.lessons.languages import texts_of
from dashboard.lessons.learners import learner_of
from dashboard.lessons.presenters import feedback, shelf
from dashboard.lessons.presenters.asking import asked
from dashboard.lessons.presenters.cluster import authored, cluster_facts, object_texts
from dashboard.lessons.presenters.situation_map import situation_map
from dashboard.lessons.situations import explanation_of
from dashboard.lessons.texts import as_html
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.views.decision_map import map_context
from dashboard.views.decisions import scores_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.lessons.lesson import StepTexts
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation
    from dashboard.http import PageRequest
    from dashboard.lessons.learners import Learner
    from dashboard.lessons.presenters.feedback import MistakeView
    from dashboard.lessons.situations import PlayedStep
    from dashboard.models import LessonProgress
    from dashboard.presenters.what_if.words import FaultView

# Where in an address the lesson's own situation is, and where the experiment.
OWN_SIDE: Final = "decision"
EXPERIMENT_SIDE: Final = "experiment"


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """What was filled in and is not judged, and what is wrong with it."""

    given: RawAnswer
    is_given: bool = False
    problem: str = ""
    faults: Sequence[FaultView] = ()


def step_context(request: PageRequest, played: PlayedStep, draft: DraftAnswer | None) -> dict[str, Any]:
    """Return what the page of a step shows."""
    lesson, step, learner = played.lesson, played.step, learner_of(request)
    row = progress.of_step(learner, lesson.name, step.name)
    rows = progress.of_lessons(learner, lesson.name)
    texts = texts_of(lesson)
    own = texts.steps[step.name]
    context: dict[str, Any] = {
        "played": played,
        "learner": learner,
        "lesson_title": texts.title,
        "texts": own,
        "text": as_html(own.text),
        "asking": as_html(own.ask),
        "place": words.step_of(played.number + 1, len(lesson.steps)),
        "marks": shelf.step_marks(lesson, rows, step.name),
        "progress": row,
        "problem": draft.problem if draft else "",
        "faults": draft.faults if draft else (),
        "hints": feedback.hints_shown(own, row.hints),
        "has_more_hints": row.hints < len(own.hints),
    }
    try:
        situation = played.situation
        solution = solution_of(step.question, situation)
    except (SituationError, UnsolvableError) as error:
        # A trainer's lesson may be wrong; the next step is reachable all the same.
        return {**context, "broken": both_sentences(error.problem)}
    objects = object_texts(situation)
    context |= {"facts": cluster_facts(situation), "objects": objects, "pod": situation.parts.pod}
    # Of a question about a manifest the form has the text.
    if situation.parts.pod and step.question.kind != "manifest":
        context["pod_text"] = objects[0].text
    if learner.sees_answer(row):
        return {**context, **_shown(request, played, row, own, situation, solution)}
    return {**context, **_unanswered(learner, played, row, own, situation, draft)}


def _unanswered(
    learner: Learner,
    played: PlayedStep,
    row: LessonProgress,
    texts: StepTexts,
    situation: Situation,
    draft: DraftAnswer | None,
) -> dict[str, Any]:
    """Return the question with what was answered so far, and a map that says nothing of the answer."""
    question = played.step.question
    given, is_given = (draft.given, draft.is_given) if draft else (row.answer, row.tries > 0)
    context: dict[str, Any] = {
        "ask": asked(question, situation, given, is_given=is_given),
        "map": neutral_map(situation),
    }
    if learner.is_led:
        return {**context, "is_taken": row.tries > 0 and draft is None}
    if row.tries and draft is None:
        context["mistakes"] = _mistakes(played, row, texts, situation)
        context["tries"] = words.tries(row.tries)
    return context


def _mistakes(played: PlayedStep, row: LessonProgress, texts: StepTexts, situation: Situation) -> list[MistakeView]:
    try:
        question: Any = played.step.question
        judgement = judged(question, situation, row.answer)
    except (UnreadableAnswerError, UnsolvableError, BadLesson):
        # The lesson is another one since the answer was given.
        return []
    return feedback.mistakes_said(judgement.mistakes, texts, getattr(question, "goals", ()))


def _shown(
    request: PageRequest,
    played: PlayedStep,
    row: LessonProgress,
    texts: StepTexts,
    situation: Situation,
    solution: RawAnswer,
) -> dict[str, Any]:
    """Return the answer: in words, on the map beside what was predicted, and what is to be learnt."""
    question = played.step.question
    said = feedback.solution_words(question, situation, solution)
    is_given = row.tries > 0
    context: dict[str, Any] = {
        "shown": True,
        "answer": as_html(said),
        "reveal": feedback.reveal_text(texts, said),
        "following": played.following,
        "compared": feedback.compared(question, row.answer, solution) if is_given else [],
    }
    if question.kind == "manifest":
        context["solution_text"] = as_text(authored(solution)) if solution else ""
    drawn: DrawnMap | None
    predicted = feedback.prediction(question, situation, row.answer, solution, is_given=is_given)
    shown = situation_to_show(question, situation, row.answer if is_given else None, solution)
    explanation = explanation_of(shown)
    if explanation is None:
        drawn = neutral_map(shown)
    else:
        case = ExplainedLesson(played, explanation, OWN_SIDE, learner_of(request))
        context |= {"case": case, **map_context(case), **scores_context(request, case)}
        drawn = context["map"]
    if predicted is not None and drawn is not None:
        marks = (*drawn.found.marks, *feedback.marks(predicted, drawn.found.names))
        drawn = replace(drawn, found=replace(drawn.found, marks=marks))
    context["map"] = drawn
    if predicted is not None and question.kind == "pods":
        context["pod_marks"] = sorted(predicted.kinds.items())
    return context


def neutral_map(situation: Situation) -> DrawnMap | None:
    """Draw a situation before anything is decided; nothing where it has no nodes."""
    return DrawnMap(id="map", found=situation_map(situation)) if situation.node_names else None
