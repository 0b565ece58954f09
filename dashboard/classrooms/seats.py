"""Who is in a classroom: let in with a token of the browser's, which opens the seat's addresses and nothing else."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.access.participants import COOKIE, _digest
from dashboard.live import broadcast
from dashboard.models import Classroom, Participant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpResponse

MOST_PARTICIPANTS: Final = 100


class NameTakenError(Exception):
    """Somebody of this name is in the classroom already."""


class ClassroomGoneError(Exception):
    """The classroom is closed to others, or has ended, since its code was looked up."""


class ClassroomFullError(Exception):
    """As many are in the classroom as there may be."""


def join(classroom: Classroom, name: str) -> str:
    """Let somebody in; return their token. Raises NameTakenError, ClassroomFullError and ClassroomGoneError."""
    token = token_urlsafe(32)
    try:
        with transaction.atomic():
            # Two who join at once wait for each other here, so that there is never one too many.
            Classroom.locked(classroom.pk)
            if not open_classrooms().filter(pk=classroom.pk).exists():
                raise ClassroomGoneError
            if classroom.participants.count() >= MOST_PARTICIPANTS:
                raise ClassroomFullError
            Participant.objects.create(
                classroom=classroom, name=name, token_digest=_digest(token), seen_at=timezone.now()
            )
    except IntegrityError:
        raise NameTakenError from None
    broadcast.tell_trainers(classroom)
    return token


def open_classrooms() -> QuerySet[Classroom]:
    """Return the classrooms that others may join."""
    return Classroom.objects.filter(is_closed=False, expires_at__gt=timezone.now())


@transaction.atomic
def leave(participant: Participant) -> None:
    """Let a participant go, with all answers."""
    Classroom.locked(participant.classroom_id)
    participant.delete()
    broadcast.tell_trainers(participant.classroom)


def living_seats(participants: Iterable[tuple[int, int]]) -> set[int]:
    """Return which participants, each given as key and owner, are in a classroom that has not ended. One query."""
    keys = [key for key, _ in participants]
    return set(
        Participant.objects.filter(pk__in=keys, classroom__expires_at__gt=timezone.now()).values_list("pk", flat=True)
    )


def give_seat(response: HttpResponse, classroom: Classroom, token: str) -> None:
    """Have the browser keep a token until the last moment to which the classroom's end can be put off."""
    response.set_cookie(
        COOKIE,
        token,
        expires=classroom.latest_end,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
