"""Everything that the page of a step shows: before the answer nothing that gives it away, afterwards all of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.lessons import (
    RawAnswer,
    Situation,
    SituationError,
    StepTexts,
    UnreadableAnswerError,
    UnsolvableError,
)
from clusters.services.lessons.reading import BadLesson
from clusters.wording.lessons import player as words
from clusters.wording.lessons.terms import TERMS, words_of_step
from clusters.wording.problems import both_sentences
from dashboard.lessons import progress
from dashboard.lessons.case import ExplainedLesson, as_html, sentence_as_html
from dashboard.lessons.experiments import PlayedStep, explanation_of, judged, situation_to_show, solution_of
from dashboard.lessons.languages import texts_of
from dashboard.lessons.learners import Learner, learner_of
from dashboard.lessons.presenters import questions, shelf
from dashboard.lessons.presenters.questions import MistakeView, asked, working_of
from dashboard.lessons.presenters.situation import (
    changed_lines,
    cluster_facts,
    manifest_groups,
    pod_asked_about,
    pod_text,
    situation_map,
)
from dashboard.lessons.shelves import lesson_after
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.views.decision_parts import map_context
from dashboard.views.decisions import scores_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

    from dashboard.http import PageRequest
    from dashboard.models import LessonProgress
    from dashboard.pictures.verdict_map.spec import MapMark
    from dashboard.presenters.what_if import FaultView


# Where in an address the lesson's own situation is, and where the experiment.
OWN_SIDE: Final = "decision"
EXPERIMENT_SIDE: Final = "experiment"


class NextLesson(NamedTuple):
    """The lesson after the one whose last step is done, and where it is."""

    title: str
    address: str


class DraftAnswer(Struct, frozen=True):
    """What was filled in and is not judged, and what is wrong with it."""

    given: RawAnswer
    is_given: bool = False
    problem: str = ""
    faults: Sequence[FaultView] = ()

    @property
    def is_refused(self) -> bool:
        """Whether it was sent as an answer and is none."""
        return bool(self.problem or self.faults)


def step_context(request: PageRequest, played: PlayedStep, draft: DraftAnswer | None) -> dict[str, Any]:
    """Return what the page of a step shows to one learner."""
    learner, lesson = learner_of(request), played.lesson
    row = progress.of_step(learner, lesson.name, played.step.name)
    rows = progress.of_lessons(learner, lesson.name)
    context, judged_of = common_context(request, played, learner, row)
    context["marks"] = shelf.step_marks(lesson, rows, played.step.name)
    if judged_of is None:
        return context
    if not judged_of.is_shown:
        return {**context, **asking_context(judged_of, learner, row, draft)}
    context |= result_context(judged_of, row)
    drawn: DrawnMap | None = context["map"]
    if drawn is not None and (marks := marks_on(judged_of, row, drawn)):
        context["map"] = replace(drawn, found=replace(drawn.found, marks=(*drawn.found.marks, *marks)))
    return context


class JudgedStep(Struct, frozen=True, dict=True):
    """A step that the engine answers, in one language, and whether the answer is shown."""

    played: PlayedStep
    texts: StepTexts
    situation: Situation
    solution: RawAnswer
    is_shown: bool

    @property
    def question(self) -> Any:
        """Return the question of the step, of whichever kind."""
        return self.played.step.question

    @cached_property
    def answer(self) -> SafeString:
        """What is right, in words."""
        return sentence_as_html(self.said)

    @cached_property
    def said(self) -> str:
        """What is right, as the texts of lessons write it."""
        return questions.solution_words(self.question, self.situation, self.solution)

    @cached_property
    def asking(self) -> SafeString:
        """The question in words."""
        return as_html(self.texts.ask)


def common_context(
    request: PageRequest, played: PlayedStep, learner: Learner, row: LessonProgress
) -> tuple[dict[str, Any], JudgedStep | None]:
    """Return what a step shows beside the question and what came of an answer; None for a step that cannot be judged.

    In a led class that is the same for everybody: the row then says no more than of which step it is.
    """
    lesson, step = played.lesson, played.step
    texts = texts_of(lesson)
    own = texts.steps[step.name]
    context: dict[str, Any] = {
        "played": played,
        "learner": learner,
        "lesson_title": texts.title,
        "texts": own,
        "text": as_html(own.text),
        "step_of": words.STEP_OF(number=played.number + 1, steps=len(lesson.steps)),
        "terms": [TERMS[each] for each in step.terms],
        "terms_named": words_of_step(step.terms),
    }
    try:
        situation = played.situation
        solution = solution_of(step.question, situation)
    except (SituationError, UnsolvableError) as error:
        # A trainer's lesson may be wrong; the next step is reachable all the same.
        return {**context, "broken": both_sentences(error.problem)}, None
    context |= {
        "manifests": manifest_groups(situation),
        "pod": situation.parts.pod,
        # Of a question about a manifest the form has the text.
        "pod_text": pod_text(situation) if step.question.kind != "manifest" else "",
    }
    judged_of = JudgedStep(played, own, situation, solution, learner.sees_answer(row))
    if judged_of.is_shown:
        context["facts"] = cluster_facts(situation)
        return {**context, **_shown(request, judged_of, learner, row)}, judged_of
    context["facts"] = cluster_facts(situation, unsaid=pod_asked_about(step.question, situation))
    context["ask"] = asked(step.question, situation, None, is_given=False)
    return {**context, "map": neutral_map(situation)}, judged_of


def asking_context(
    judged_of: JudgedStep, learner: Learner, row: LessonProgress, draft: DraftAnswer | None
) -> dict[str, Any]:
    """Return the question with what one learner answered so far; what a led class answers is not judged here.

    What was said of the last answer stays beside a hint, and where things are moved, until another answer is sent.
    """
    texts = judged_of.texts
    given, is_given = (draft.given, draft.is_given) if draft else (row.answer, row.tries > 0)
    context: dict[str, Any] = {
        "learner": learner,
        "asking": judged_of.asking,
        "ask": asked(judged_of.question, judged_of.situation, given, is_given=is_given),
        "problem": draft.problem if draft else "",
        "faults": draft.faults if draft else (),
        "hints": questions.hints_shown(texts, row.hints),
        "has_more_hints": row.hints < len(texts.hints),
    }
    is_said = row.tries > 0 and not (draft and draft.is_refused)
    if learner.is_led:
        return {**context, "is_taken": is_said}
    if is_said:
        context["mistakes"] = _mistakes(judged_of.played, row, texts, judged_of.situation)
        context["tries"] = words.TRIES(number=row.tries)
    return context


def _mistakes(played: PlayedStep, row: LessonProgress, texts: StepTexts, situation: Situation) -> list[MistakeView]:
    try:
        question: Any = played.step.question
        judgement = judged(question, situation, row.answer)
    except (UnreadableAnswerError, UnsolvableError, BadLesson):
        # The lesson is another one since the answer was given.
        return []
    return questions.mistakes_said(judgement.mistakes, texts, getattr(question, "goals", ()))


def _shown(request: PageRequest, judged_of: JudgedStep, learner: Learner, row: LessonProgress) -> dict[str, Any]:
    """Return what is to be learnt, and the decision on the map; a led class sees one, whoever answered what."""
    played, question, solution = judged_of.played, judged_of.question, judged_of.solution
    context: dict[str, Any] = {
        "shown": True,
        "asking": judged_of.asking,
        "reveal": questions.reveal_text(judged_of.texts, judged_of.said),
        "working": working_of(question, judged_of.situation),
        "following": played.following,
        "next_lesson": _next_lesson(learner, played.lesson.name) if played.following is None else None,
    }
    if question.kind == "manifest":
        before = judged_of.situation.written(question.name)
        context["solution_text"] = changed_lines(before, solution) if solution else ""
    shown = situation_to_show(question, judged_of.situation, row.answer if own_shown(learner, row) else None, solution)
    explanation = explanation_of(shown) if played.step.shows_decision else None
    if explanation is None:
        return {**context, "map": neutral_map(shown)}
    case = ExplainedLesson(played, explanation, OWN_SIDE, learner)
    return {**context, "case": case, **map_context(case), **scores_context(request, case)}


def _next_lesson(learner: Learner, name: str) -> NextLesson | None:
    classroom = learner.classroom
    found = lesson_after(name, None if classroom is None else classroom.lessons)
    if found is None:
        return None
    return NextLesson(texts_of(found).title, learner.address("", {"lesson": found.name}))


def own_shown(learner: Learner, row: LessonProgress) -> bool:
    """Tell whether what is shown is what the learner's own answer makes of the cluster."""
    return row.tries > 0 and not learner.is_led


def result_context(judged_of: JudgedStep, row: LessonProgress) -> dict[str, Any]:
    """Return what is right beside what one learner answered."""
    question, situation, solution = judged_of.question, judged_of.situation, judged_of.solution
    is_given = row.tries > 0
    context: dict[str, Any] = {
        "progress": row,
        "answer": judged_of.answer,
        "compared": questions.compared(question, row.answer, solution) if is_given and not row.is_right else [],
        "mistakes": _mistakes(judged_of.played, row, judged_of.texts, situation) if _is_told(question, row) else [],
        "own": questions.own_answer(question, row.answer) if is_given and not row.is_right else "",
    }
    predicted = questions.prediction(question, situation, row.answer, solution, is_given=is_given)
    if predicted is not None and question.kind == "pods":
        context["pod_marks"] = sorted(predicted.kinds.items())
    return context


def _is_told(question: Any, row: LessonProgress) -> bool:
    """Tell whether the mistakes stand beside what is right; each changed manifest would be a cluster to build."""
    return row.tries > 0 and not row.is_right and question.kind != "manifest"


def marks_on(judged_of: JudgedStep, row: LessonProgress, drawn: DrawnMap) -> tuple[MapMark, ...]:
    """Return what one learner predicted as marks on the map."""
    predicted = questions.prediction(
        judged_of.question, judged_of.situation, row.answer, judged_of.solution, is_given=row.tries > 0
    )
    return () if predicted is None else tuple(questions.marks(predicted, drawn.found.names))


def neutral_map(situation: Situation) -> DrawnMap | None:
    """Draw a situation before anything is decided; nothing where it has no nodes."""
    return DrawnMap(id="map", found=situation_map(situation)) if situation.node_names else None
