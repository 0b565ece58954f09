"""A trainer's classrooms: the list, who is there and how far, and what came of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from clusters.engine.lessons import Lesson, SituationError, UnsolvableError
from clusters.wording.amounts import grouped
from clusters.wording.lessons import player as player_words, teaching as words
from clusters.wording.lists import OF
from clusters.wording.problems import both_sentences
from dashboard.classrooms.judgements import judge, judge_all, right_answer
from dashboard.classrooms.presenters.answers import CommonMistake, Distribution, commonest_mistake, distribution, said
from dashboard.lessons.experiments import PlayedStep
from dashboard.lessons.languages import texts_of
from dashboard.lessons.presence import PRESENT
from dashboard.lessons.presenters.questions import AnswerChoice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from dashboard.models import Classroom, LessonProgress, Participant

    Place = tuple[str, str]
    Progress = Sequence[LessonProgress]


class ClassroomRow(Struct, frozen=True):
    """A classroom of the list; ``state`` and ``pace`` in words, and when it is removed."""

    pk: int
    title: str
    state: str
    is_closed: bool
    pace: str
    participants: int
    expires_at: datetime


class LessonOffer(Struct, frozen=True):
    """A path with the lessons that can be added from it; ``name`` is empty for those that cannot be added together."""

    name: str
    title: str
    lessons: tuple[AnswerChoice, ...]


def classroom_row(classroom: Classroom, participants: int) -> ClassroomRow:
    """Present one classroom."""
    return ClassroomRow(
        pk=classroom.pk,
        title=classroom.title,
        state=str(words.CLOSED if classroom.is_closed else words.OPEN),
        is_closed=classroom.is_closed,
        pace=classroom.get_pace_display(),
        participants=participants,
        expires_at=classroom.expires_at,
    )


def offers(
    paths: Iterable[tuple[str, Sequence[Lesson]]], uploaded: Iterable[tuple[str, str]], chosen: Sequence[str]
) -> list[LessonOffer]:
    """Present the lessons that are not chosen yet, path by path, and at last those that were uploaded."""
    found = [
        LessonOffer(
            name,
            player_words.path_title(name),
            tuple(lesson_choice(lesson) for lesson in lessons if lesson.name not in chosen),
        )
        for name, lessons in paths
    ]
    own = tuple(AnswerChoice(name, title) for name, title in uploaded if name not in chosen)
    return [each for each in (*found, LessonOffer("", str(words.UPLOADED), own)) if each.lessons]


def lesson_choice(lesson: Lesson) -> AnswerChoice:
    """Present a lesson that can be chosen."""
    return AnswerChoice(lesson.name, texts_of(lesson).title, player_words.MINUTES(number=lesson.minutes))


class StepProgress(NamedTuple):
    """How far one participant is with one step, without what they answered."""

    participant: int
    lesson: str
    step: str
    tries: int
    is_right: bool
    is_revealed: bool


class ParticipantRow(Struct, frozen=True):
    """One participant: whether they are connected, at which step, how often they answered it, and how that ended."""

    key: str
    name: str
    is_connected: bool
    presence: str
    place: str
    tries: int
    state: str
    badge: str


class StepRow(Struct, frozen=True):
    """How many participants have begun one step, answered it rightly, or had its answer shown."""

    lesson: str
    title: str
    act: str
    begun: int
    right: int
    shown: int
    is_current: bool


def participant_rows(
    classroom: Classroom,
    participants: Iterable[Participant],
    progress: Mapping[tuple[int, str, str], StepProgress],
    titles: Mapping[Place, str],
    *,
    now: datetime,
) -> list[ParticipantRow]:
    """Present the participants in the order in which they joined."""
    return [_row(classroom, each, progress, titles, now) for each in participants]


def _row(
    classroom: Classroom,
    participant: Participant,
    progress: Mapping[tuple[int, str, str], StepProgress],
    titles: Mapping[Place, str],
    now: datetime,
) -> ParticipantRow:
    is_connected = now - participant.seen_at < PRESENT
    own = (participant.lesson, participant.step)
    # In a led class the step that counts is the trainer's, also for who is late.
    at = (classroom.lesson, classroom.step) if classroom.is_led else own
    found = progress.get((participant.pk, *at))
    state, badge = _state(found, is_led=classroom.is_led, is_told=classroom.is_revealed or not classroom.is_led)
    return ParticipantRow(
        key=f"participant-{participant.pk}",
        name=participant.name,
        is_connected=is_connected,
        presence=str(words.CONNECTED if is_connected else words.AWAY),
        place=titles.get(own, str(words.NOWHERE_YET)),
        tries=found.tries if found else 0,
        state=str(state),
        badge=badge,
    )


def _state(found: StepProgress | None, *, is_led: bool, is_told: bool) -> tuple[object, str]:
    """Return the state in a word and the kind of its badge; in a led class right and wrong are told at the reveal.

    There the answer is shown to all, which says nothing of one of them.
    """
    if found is not None and found.is_revealed and not found.is_right and not is_led:
        return words.SHOWN, "info"
    if found is None or not found.tries:
        return words.NOT_ANSWERED, ""
    if not is_told:
        return words.ANSWERED, "info"
    return (words.RIGHT, "good") if found.is_right else (words.NOT_RIGHT, "warn")


def step_titles(lessons: Sequence[Lesson]) -> dict[Place, str]:
    """Name every step of some lessons."""
    return {
        (lesson.name, step.name): step_title(lesson, place)
        for lesson in lessons
        for place, step in enumerate(lesson.steps)
    }


def step_title(lesson: Lesson, place: int) -> str:
    """Name a step by its place and its title."""
    return f"{grouped(place + 1)}. {texts_of(lesson).steps[lesson.steps[place].name].title}"


def step_rows(lessons: Iterable[Lesson], progress: Collection[StepProgress], current: Place) -> list[StepRow]:
    """Present every step of a free classroom with how far its participants are."""
    by_step: dict[Place, list[StepProgress]] = {}
    for each in progress:
        by_step.setdefault((each.lesson, each.step), []).append(each)
    return [
        StepRow(
            lesson=texts_of(lesson).title,
            title=step_title(lesson, place),
            act=f"step:{lesson.name}:{step.name}",
            begun=len(found),
            right=sum(each.is_right for each in found),
            shown=sum(each.is_revealed for each in found),
            is_current=(lesson.name, step.name) == current,
        )
        for lesson in lessons
        for place, step in enumerate(lesson.steps)
        for found in [by_step.get((lesson.name, step.name), [])]
    ]


class StepResult(Struct, frozen=True):
    """What was answered to one step; ``problem`` says why it cannot be judged, where it cannot."""

    lesson: str
    title: str
    right: str = ""
    distribution: Distribution | None = None
    mistake: CommonMistake | None = None
    problem: str = ""


class ParticipantResult(Struct, frozen=True):
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
            done=OF(part=sum(row.is_done or row.tries > 0 for row in own.get(each.pk, ())), whole=len(steps)),
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
