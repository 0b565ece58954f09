"""Who is in a classroom: let in with a token of the browser's, which opens the seat's addresses and nothing else."""

from __future__ import annotations

from functools import lru_cache
from secrets import choice, token_urlsafe
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from clusters.wording.lessons import teaching as words
from dashboard import env
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


# Nothing that is mistaken for something else when it is read aloud or from a projector: no I, L, O, U, 0 or 1.
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
# 30 to the power of 8 are 656,100,000,000 codes, of which a few are in use.
LENGTH: Final = 8
_HALF: Final = LENGTH // 2
# What people put between the halves.
_SEPARATORS: Final = str.maketrans("", "", " -–—_.")


def new_code() -> str:
    """Return a code that nobody can predict."""
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def code_in(text: str) -> str:
    """Return the code that somebody typed, in any case and with or without a dash; nothing for what is none."""
    code = text.translate(_SEPARATORS).upper()
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def shown(code: str) -> str:
    """Write a code in two halves."""
    return f"{code[:_HALF]}-{code[_HALF:]}"


def join_link(classroom: Classroom, origin: str) -> dict[str, Any]:
    """Return how one joins, at the address that people open, or else that of the trainer's own page.

    How one joins: the code, where it is typed in, the link with the code in it, and a QR code of that link. ``warning``
    says that nobody else reaches the address, where that is so.
    """
    base = settings.BERTH_BASE_URL or origin
    address = f"{base}{reverse('join-with-code', kwargs={'code': classroom.code})}"
    parts = urlsplit(base)
    return {
        "code": shown(classroom.code),
        "place": f"{parts.netloc}{reverse('join')}",
        "address": address,
        "picture": _picture(address),
        "warning": str(words.ONLY_THIS_MACHINE) if env.is_loopback(parts.hostname or "") else "",
    }


@lru_cache(maxsize=64)
def _picture(address: str) -> SafeString:
    # Drawn by segno of numbers alone.
    return mark_safe(segno.make_qr(address, error="m").svg_inline(omitsize=True, svgclass="qr", border=3))  # noqa: S308
