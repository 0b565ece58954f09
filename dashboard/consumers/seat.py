"""The websocket of a participant's page: the page says which turn of its classroom it shows, and is sent the latest."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Annotated
from weakref import WeakKeyDictionary

import msgspec
from django.conf import settings

from dashboard.classrooms.seat_hub import Seat, seat_hub
from dashboard.classrooms.seats import living_seats
from dashboard.classrooms.turns import Reader
from dashboard.consumers.base import GuardedConsumer
from dashboard.consumers.live import TOO_LONG
from dashboard.live.open_sockets import TOO_MANY, OpenSocket, OpenSockets

if TYPE_CHECKING:
    from dashboard.models import Participant

# As many pages as one participant may have open.
MOST_PAGES = 8
MOST_CHARACTERS = 200
# Application-defined close code: a message that does not say what a page shows.
UNREADABLE = 4400
# A page asks when it connects, and when it has heard nothing for a while.
MOST_ASKED = 20
PER_SECONDS = 10.0


class ShownTurn(msgspec.Struct, frozen=True):
    """Which turn a page shows, -1 for none that is known, in which language, and whether it has the class's step."""

    turn: Annotated[int, msgspec.Meta(ge=-1, le=2**31)]
    language: str
    step: bool


class SeatConsumer(GuardedConsumer):
    """Answers each question with the turn where the page shows the latest; the hub sends what is later."""

    seat: Seat | None = None
    sender: asyncio.Task[None] | None = None
    # When the present stretch of time began, and how much was asked in it.
    began, asked = 0.0, 0

    def guards(self) -> OpenSockets:
        return _open_seats()

    def owned(self) -> OpenSocket:
        participant = self._participant()
        return OpenSocket(participant.pk, participant.pk, self.end)

    async def begin(self) -> None:
        participant = self._participant()
        self.hub = seat_hub()
        self.seat = Seat(participant.pk, participant.classroom_id, self._send_text)
        self.sender = asyncio.create_task(self._send_for_ever(self.seat))
        await self.hub.join(self.seat)

    async def release(self) -> None:
        if self.sender is not None and self.sender is not asyncio.current_task():
            self.sender.cancel()
        if self.seat is not None:
            await self.hub.leave(self.seat)

    async def answer(self, text: str | None) -> None:
        """Take note of what the page shows."""
        if text is not None and len(text) > MOST_CHARACTERS:
            await self.end(TOO_LONG)
            return
        if self._asks_too_often():
            await self.end(TOO_MANY)
            return
        try:
            shown = msgspec.json.decode(text or "", type=ShownTurn)
        except (msgspec.DecodeError, UnicodeError):
            await self.end(UNREADABLE)
            return
        if shown.language not in dict(settings.LANGUAGES):
            await self.end(UNREADABLE)
            return
        assert self.seat is not None  # noqa: S101 - a socket without one is over, and is not answered
        reader = Reader(self.seat.participant, shown.language, shown.step)
        self.hub.ask(self.seat, reader, shown.turn)

    def _asks_too_often(self) -> bool:
        now = asyncio.get_running_loop().time()
        if now - self.began > PER_SECONDS:
            self.began, self.asked = now, 0
        self.asked += 1
        return self.asked > MOST_ASKED

    def _participant(self) -> Participant:
        participant: Participant = self.scope["participant"]  # type: ignore[typeddict-item]
        return participant

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    async def _send_for_ever(self, seat: Seat) -> None:
        # The browser may leave at any moment; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            await seat.run()


_open: WeakKeyDictionary[asyncio.AbstractEventLoop, OpenSockets] = WeakKeyDictionary()


def _open_seats() -> OpenSockets:
    """Return the open sockets of participants on the running event loop."""
    return _open.setdefault(asyncio.get_running_loop(), OpenSockets(living_seats, MOST_PAGES))
