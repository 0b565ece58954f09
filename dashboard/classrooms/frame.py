"""The frame around a participant's pages: nothing of it leads to where only users are let in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.lessons import classroom as words
from dashboard.access.participants import SEAT, participant_with
from dashboard.lessons.languages import choices

if TYPE_CHECKING:
    from django.http import HttpRequest

    from dashboard.models import Participant

_SEATS = f"/{SEAT}/"


def seat_frame(request: HttpRequest) -> dict[str, Any] | None:
    """Return the frame of a participant's page, of one that there is not as well; None on all other pages."""
    if not request.path.startswith(_SEATS):
        return None
    known: Any = request
    # An address that leads nowhere never comes to the gate.
    found: Participant | None = getattr(known, "participant", None) or participant_with(request.COOKIES)
    if found is None:
        return None
    classroom = found.classroom
    said = {
        "connected": str(words.CONNECTED),
        "connecting": str(words.CONNECTING),
        "asking": str(words.ASKING),
        "away": str(words.AWAY),
    }
    return {
        "name": found.name,
        "classroom": classroom.title,
        "expires_at": classroom.expires_at,
        "languages": choices(),
        "turn": classroom.turn,
        "said": said,
    }
