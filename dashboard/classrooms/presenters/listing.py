"""The list of a trainer's classrooms, and the lessons that can be put into a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.lessons import player as player_words
from clusters.wording.lessons import teaching as words
from dashboard.lessons.languages import texts_of
from dashboard.lessons.presenters.asking import AnswerChoice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from clusters.engine.lessons import Lesson
    from dashboard.models import Classroom


@dataclass(frozen=True, slots=True)
class ClassroomRow:
    """A classroom of the list; ``state`` and ``pace`` in words, and when it is removed."""

    pk: int
    title: str
    state: str
    is_closed: bool
    pace: str
    participants: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class LessonOffer:
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
