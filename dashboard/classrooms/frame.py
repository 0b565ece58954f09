"""The frame around a participant's pages: nothing of it leads to where only users are let in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.lessons import classroom as words
from dashboard.access.participants import SEAT, participant_with
from dashboard.lessons.languages import LanguageChoice, choices

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest

    from dashboard.models import Participant

_SEATS = f"/{SEAT}/"


@dataclass(frozen=True, slots=True)
class SeatConnection:
    """A sentence for each state of a page's connection to its class."""

    connected: str
    connecting: str
    asking: str
    away: str


@dataclass(frozen=True, slots=True)
class SeatFrame:
    """What a participant's pages show around their content, and which turn of the classroom they show."""

    name: str
    classroom: str
    expires_at: datetime
    languages: Sequence[LanguageChoice]
    turn: int
    said: SeatConnection


def seat_frame(request: HttpRequest) -> SeatFrame | None:
    """Return the frame of a participant's page, of one that there is not as well; None on all other pages."""
    if not request.path.startswith(_SEATS):
        return None
    known: Any = request
    # An address that leads nowhere never comes to the gate.
    found: Participant | None = getattr(known, "participant", None) or participant_with(request.COOKIES)
    if found is None:
        return None
    classroom = found.classroom
    said = SeatConnection(str(words.CONNECTED), str(words.CONNECTING), str(words.ASKING), str(words.AWAY))
    return SeatFrame(found.name, classroom.title, classroom.expires_at, choices(), classroom.turn, said)
