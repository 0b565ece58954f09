"""What came of a classroom: step by step, participant by participant, and every answer as a row of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.lessons import Lesson, SituationError, UnsolvableError
from clusters.wording.lessons import teaching as words
from clusters.wording.problems import both_sentences
from dashboard.classrooms.judgements import judge, judge_all, right_answer
from dashboard.classrooms.presenters.answers import said
from dashboard.classrooms.presenters.attendance import step_title
from dashboard.classrooms.presenters.distribution import Distribution, distribution
from dashboard.classrooms.presenters.mistakes import CommonMistake, commonest_mistake
from dashboard.lessons.languages import texts_of
from dashboard.lessons.situations import PlayedStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dashboard.models import LessonProgress, Participant

    Progress = Sequence[LessonProgress]


@dataclass(frozen=True, slots=True)
class StepResult:
    """What was answered to one step; ``problem`` says why it cannot be judged, where it cannot."""

    lesson: str
    title: str
    right: str = ""
    distribution: Distribution | None = None
    mistake: CommonMistake | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ParticipantResult:
    """How many of all steps a participant has done, and how many of them were answered rightly."""

    name: str
    done: str
    right: int


def step_results(lessons: Iterable[Lesson], progress: Progress) -> list[StepResult]:
    """Present the steps that somebody answered, in the order of the classroom."""
    return [
        _step_result(played, given)
        for played in every_step(lessons)
        if (given := [row for row in progress if row.tries and _is_of(row, played)])
    ]


def every_step(lessons: Iterable[Lesson]) -> Iterator[PlayedStep]:
    """Yield the steps of some lessons."""
    for lesson in lessons:
        for number, step in enumerate(lesson.steps):
            yield PlayedStep(lesson, step, number)


def _is_of(row: LessonProgress, played: PlayedStep) -> bool:
    return (row.lesson, row.step) == (played.lesson.name, played.step.name)


def _step_result(played: PlayedStep, given: Progress) -> StepResult:
    texts = texts_of(played.lesson)
    own = texts.steps[played.step.name]
    title, question = step_title(played.lesson, played.number), played.step.question
    try:
        solution = right_answer(played)
    except (SituationError, UnsolvableError) as error:
        return StepResult(texts.title, title, problem=both_sentences(error.problem))
    judged = judge_all(played, [row.answer for row in given])
    return StepResult(
        lesson=texts.title,
        title=title,
        right=words.right(judged.right, len(judged.answers)),
        distribution=distribution(question, played.situation, judged, solution, is_revealed=True),
        mistake=commonest_mistake(question, judged, own),
    )


def participant_results(
    participants: Iterable[Participant], lessons: Iterable[Lesson], progress: Progress
) -> list[ParticipantResult]:
    """Present how far each participant came."""
    steps = {(each.lesson.name, each.step.name) for each in every_step(lessons)}
    own: dict[int | None, list[LessonProgress]] = {}
    for row in progress:
        if (row.lesson, row.step) in steps:
            own.setdefault(row.participant_id, []).append(row)
    return [
        ParticipantResult(
            name=each.name,
            # In a led class the answer is shown to all at once, and who answered has done the step.
            done=words.DONE_OF(
                done=sum(row.is_done or row.tries > 0 for row in own.get(each.pk, ())), steps=len(steps)
            ),
            right=sum(row.is_right for row in own.get(each.pk, ())),
        )
        for each in participants
    ]


def result_rows(
    participants: Iterable[Participant], lessons: Sequence[Lesson], progress: Progress
) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each participant and each step of the classroom, whether or not it was answered."""
    by_step: dict[tuple[int | None, str, str], LessonProgress] = {
        (row.participant_id, row.lesson, row.step): row for row in progress
    }
    steps = list(every_step(lessons))
    for participant in participants:
        for played in steps:
            row = by_step.get((participant.pk, played.lesson.name, played.step.name))
            yield _result_row(participant.name, played, row)


def _result_row(name: str, played: PlayedStep, row: LessonProgress | None) -> tuple[str | int, ...]:
    place = (name, texts_of(played.lesson).title, step_title(played.lesson, played.number))
    if row is None:
        return (*place, *[""] * (len(words.COLUMNS) - len(place)))
    question: Any = played.step.question
    answer = judge(played, row.answer) if row.tries else None
    return (
        *place,
        said(question, answer) if answer is not None else "",
        row.tries,
        str(words.YES if row.is_right else words.NO),
        row.hints,
        str(words.YES if row.is_revealed else words.NO),
        row.changed_at.isoformat(timespec="seconds"),
    )
