"""Who is in a classroom, where they are, and how far; in a free one also how far the class is with each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clusters.wording.lessons import teaching as words
from dashboard.classrooms.presence import PRESENT
from dashboard.lessons.languages import texts_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from clusters.engine.lessons import Lesson
    from dashboard.models import Classroom, Participant

    Place = tuple[str, str]


class StepProgress(NamedTuple):
    """How far one participant is with one step, without what they answered."""

    participant: int
    lesson: str
    step: str
    tries: int
    is_right: bool
    is_revealed: bool


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """One participant: whether they are connected, at which step, how often they answered it, and how that ended."""

    key: str
    name: str
    is_connected: bool
    presence: str
    place: str
    tries: int
    state: str
    badge: str


@dataclass(frozen=True, slots=True)
class StepRow:
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
    return words.STEP_PLACE(number=place + 1, title=texts_of(lesson).steps[lesson.steps[place].name].title)


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
