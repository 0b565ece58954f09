"""Who is let in as a participant of a classroom, and whose share of the installation is counted."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from dashboard.models import Participant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import User
    from django.http import HttpRequest


SEAT: Final = "seat"


def share_of(user: User | None, participant: Participant | None) -> str:
    """Name the share of a user, or of a participant, in what is counted by the minute."""
    return f"participant-{participant.pk}" if participant is not None else str(user.pk if user is not None else "")


COOKIE: Final = "berth_seat"


_LONGEST_TOKEN: Final = 100


def participant_with(cookies: Mapping[str, str]) -> Participant | None:
    """Return whom a browser's token lets in; None without one, and after the classroom's end."""
    token = cookies.get(COOKIE, "")
    if not token or len(token) > _LONGEST_TOKEN:
        return None
    return (
        Participant.objects.select_related("classroom")
        .filter(token_digest=_digest(token), classroom__expires_at__gt=timezone.now())
        .first()
    )


def is_seat(request: HttpRequest) -> bool:
    """Tell whether an address is one of those for participants."""
    return request.resolver_match is not None and request.resolver_match.route.startswith(f"{SEAT}/")


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
