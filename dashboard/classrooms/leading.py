"""What trainers do with a classroom: open it, lead it, close it, and remove it; at its end it is removed by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.classrooms.seats import new_code
from dashboard.live import broadcast
from dashboard.models import Classroom, LessonProgress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from django.contrib.auth.models import User

    from clusters.engine.lessons import Lesson

# Of one trainer, those that have not expired.
MOST_CLASSROOMS: Final = 20
# That a new code is one of those in use happens once in many millions of times.
_TRIES: Final = 3


class ManyClassroomsError(Exception):
    """The trainer has as many classrooms as there may be."""


def open_classroom(
    *, trainer: User, title: str, lessons: Sequence[Lesson], language: str, pace: str, lifetime: timedelta
) -> Classroom:
    """Open a classroom with some lessons, at the first step of the first one. Raises ManyClassroomsError."""
    now = timezone.now()
    if Classroom.objects.filter(trainer=trainer, expires_at__gt=now).count() >= MOST_CLASSROOMS:
        raise ManyClassroomsError
    fields: dict[str, Any] = {
        "trainer": trainer,
        "title": title,
        "lessons": [lesson.name for lesson in lessons],
        "language": language,
        "pace": pace,
        "lesson": lessons[0].name,
        "step": lessons[0].steps[0].name,
        "expires_at": now + lifetime,
    }
    for _ in range(_TRIES - 1):
        try:
            with transaction.atomic():
                return Classroom.objects.create(code=new_code(), **fields)
        except IntegrityError:
            continue
    return Classroom.objects.create(code=new_code(), **fields)


def lead_to(classroom: Classroom, lesson: str, step: str) -> None:
    """Lead the class to a step, whose answer is not shown yet."""
    _turn(classroom, lesson=lesson, step=step, is_revealed=False)


@transaction.atomic
def reveal(classroom: Classroom) -> None:
    """Show all the answer of the step where the class is, unless it is led to another one meanwhile.

    In a free class it is shown on the projector alone.
    """
    place = classroom.place
    has_turned = _turn(classroom, at=place, is_revealed=True)
    if has_turned and classroom.is_led:
        LessonProgress.objects.filter(participant__classroom=classroom, **place).update(is_revealed=True)


def set_pace(classroom: Classroom, pace: str) -> None:
    """Lead the class from now on, or let everybody go on at their own pace."""
    _turn(classroom, pace=pace)


def set_closed(classroom: Classroom, *, is_closed: bool) -> None:
    """Let nobody else join, or let others join again; who is in the classroom stays."""
    classroom.is_closed = is_closed
    _change(classroom, is_closed=is_closed)


def end_at(classroom: Classroom, moment: datetime) -> None:
    """Put the end of a classroom off, or forward; no later than its latest end."""
    classroom.expires_at = min(moment, classroom.latest_end)
    _change(classroom, expires_at=classroom.expires_at)


@transaction.atomic
def remove(classroom: Classroom) -> None:
    """Remove a classroom with its participants and all answers; their pages learn that it is gone."""
    broadcast.tell_turn(classroom)
    found = Classroom.locked(classroom.pk)
    if found is not None:
        found.delete()


@transaction.atomic
def remove_expired(*, now: datetime) -> None:
    """Remove classrooms whose time is over, with their participants and all answers."""
    # Whose end was put off meanwhile is none of them any more once it is locked.
    for classroom in Classroom.objects.select_for_update().filter(expires_at__lte=now):
        classroom.delete()


def _change(classroom: Classroom, **changes: object) -> None:
    """Change what no page of a participant shows; a classroom that is gone meanwhile stays so."""
    Classroom.objects.filter(pk=classroom.pk).update(**changes)
    broadcast.tell_trainers(classroom)


@transaction.atomic
def _turn(classroom: Classroom, at: dict[str, str] | None = None, **changes: object) -> bool:
    """Change where a class is; two pages of the trainer's that do so at once count two turns.

    Nothing happens, and False is returned, where the class is not ``at`` that step any more, or where another page
    has removed it.
    """
    locked = Classroom.locked(classroom.pk)
    if locked is None or at not in (None, locked.place):
        return False
    for name, value in changes.items():
        setattr(locked, name, value)
        setattr(classroom, name, value)
    locked.turn += 1
    classroom.turn = locked.turn
    locked.save(update_fields=[*changes, "turn"])
    broadcast.tell_turn(locked)
    return True
