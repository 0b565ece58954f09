"""Receives the turns of classrooms in a web process, and sends them to the websockets of their participants."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakKeyDictionary

import orjson
from channels.db import DatabaseSyncToAsync
from django.utils import timezone

from dashboard.classrooms.turns import Reader, coming, messages, prepare, turn_of, turns_of
from dashboard.lessons import presence
from dashboard.live.broadcast import Subscriber, everybody
from dashboard.live.hub import end_tasks

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from dashboard.models import Classroom


# Seconds. Who goes from one page to the next has no socket for a moment.
RETURN_SECONDS: Final = 3.0
# However many come within it, they are stored together.
_TOGETHER: Final = 1.0


class PresenceNotes:
    """Everything but queries happens on one event loop; `there` returns the participants who have pages, by their keys.

    `in_thread` does work that reaches the database.
    """

    def __init__(self, there: Callable[[], set[int]], in_thread: Callable[..., Awaitable[Any]]) -> None:
        self._there = there
        self._in_thread = in_thread
        self._has_come = asyncio.Event()
        self._left: dict[int, datetime] = {}
        self._leaving: asyncio.Task[None] | None = None

    def come(self) -> None:
        """Store soon that whoever has a page is there: another process may have stored that they left."""
        self._has_come.set()

    def leave(self, participant: int) -> None:
        """Store that a participant has closed the last page, unless they open another one in a moment."""
        self._left[participant] = timezone.now()
        if self._leaving is None:
            self._leaving = asyncio.create_task(self._note_left(), name="who left classrooms")

    async def run(self) -> None:
        """Store who is there, now and then, until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._has_come.wait(), presence.SEEN_SECONDS)
            self._has_come.clear()
            await self._store(presence.all_seen, self._there())
            await asyncio.sleep(min(_TOGETHER, presence.SEEN_SECONDS))

    async def _note_left(self) -> None:
        while self._left:
            left, self._left = self._left, {}
            await asyncio.sleep(RETURN_SECONDS)
            there = self._there()
            await self._store(presence.all_left, {each: moment for each, moment in left.items() if each not in there})
        self._leaving = None

    async def _store(self, write: Callable[..., None], found: object) -> None:
        try:
            await self._in_thread(write, found)
        except Exception:  # noqa: BLE001 - whatever it is, the next round is the remedy
            _log.exception("Who is in the classrooms that are open cannot be stored.")


_log = logging.getLogger(__name__)

Result = TypeVar("Result")

# Seconds. A turn of which no message came is found after so long at most.
LOOK_SECONDS = 3.0
# After a look, or a rendering, that failed.
_PAUSE = 1.0
# The first screens do not wait until all are rendered, nor does whatever else the process does.
_AT_ONCE = 8


class Seat:
    """One open page of a participant: what it shows, and the message that it is to be sent next, the latest alone."""

    def __init__(self, participant: int, classroom: int, send: Callable[[str], Awaitable[None]]) -> None:
        self.participant = participant
        self.classroom = classroom
        # What the page said last: who reads it, which turn it shows, and whether it waits to hear which is the latest.
        self.reader: Reader | None = None
        self.turn = -1
        self.is_asking = False
        self._send = send
        self._waiting = ""
        self._filled = asyncio.Event()

    def show(self, turn: int, message: str) -> None:
        """Send the message about a turn, unless a later one comes before the socket is ready."""
        self.turn, self.is_asking = turn, False
        self._waiting = message
        self._filled.set()

    def confirm(self) -> None:
        """Tell a page that asks that it shows the latest turn."""
        if self.is_asking:
            self.show(self.turn, orjson.dumps({"turn": self.turn}).decode())

    async def run(self) -> None:
        """Send what comes until cancelled."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            await self._send(self._waiting)


class _Room:
    """The open pages of one classroom; `turn` is the latest that is known."""

    def __init__(self) -> None:
        self.seats: set[Seat] = set()
        self.turn = -1
        self.is_behind = asyncio.Event()

    def behind(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.reader is not None and seat.turn != self.turn]


class SeatHub:
    """Classrooms by their keys; everything but rendering and queries happens on one event loop."""

    def __init__(self) -> None:
        self._rooms: dict[int, _Room] = {}
        self._runs: dict[int, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._subscriber = Subscriber(self._take)
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="classrooms")
        self._notes = PresenceNotes(self._there, self._in_thread)

    async def join(self, seat: Seat) -> None:
        """Take a page in; the first one sets the hub to work."""
        room = self._rooms.get(seat.classroom)
        if room is None:
            room = self._rooms[seat.classroom] = _Room()
            self._runs[seat.classroom] = asyncio.create_task(self._run(seat.classroom, room), name="classroom")
        room.seats.add(seat)
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(task, name="classrooms")
                for task in (self._subscriber.run(), self._look_for_ever(), self._notes.run())
            ]
        self._notes.come()
        await self._subscriber.join([everybody(seat.classroom)])

    async def leave(self, seat: Seat) -> None:
        """Let a page go; after the last one nothing is done any more but to store who left."""
        room = self._rooms.get(seat.classroom)
        if room is None or seat not in room.seats:
            return
        room.seats.discard(seat)
        if seat.participant not in self._there():
            self._notes.leave(seat.participant)
        if room.seats:
            return
        del self._rooms[seat.classroom]
        ended = [self._runs.pop(seat.classroom)]
        if not self._rooms:
            ended += self._tasks
            self._tasks = []
        await self._subscriber.leave(everybody(seat.classroom))
        await end_tasks(ended)

    def ask(self, seat: Seat, reader: Reader, turn: int) -> None:
        """Take note of what a page shows, and tell it that this is the latest turn, or send it that one."""
        seat.reader, seat.turn, seat.is_asking = reader, turn, True
        room = self._rooms[seat.classroom]
        if turn == room.turn:
            seat.confirm()
        else:
            room.is_behind.set()

    def _take(self, message: dict[str, Any]) -> None:
        room = self._rooms.get(message["classroom"])
        if room is not None and room.turn != message["turn"]:
            room.is_behind.set()

    # -- rendering and sending -----------------------------------------------------------------------------------------

    async def _run(self, classroom: int, room: _Room) -> None:
        while True:
            await room.is_behind.wait()
            room.is_behind.clear()
            try:
                await self._bring_forward(classroom, room)
            except Exception:  # noqa: BLE001 - whatever it is, the next attempt is the remedy
                _log.exception("The turn of a classroom cannot be sent.")
                await asyncio.sleep(_PAUSE)
                room.is_behind.set()

    async def _bring_forward(self, classroom: int, room: _Room) -> None:
        found = await self._in_thread(turn_of, classroom)
        if found is None:
            # Who looks after the sockets ends them.
            return
        room.turn = found.turn
        seats = room.behind()
        for seat in room.seats.difference(seats):
            seat.confirm()
        for first in range(0, len(seats), _AT_ONCE):
            some = seats[first : first + _AT_ONCE]
            readers = [seat.reader for seat in some if seat.reader is not None]
            texts = await self._in_thread(messages, found, readers)
            for seat, text in zip(some, texts, strict=True):
                seat.show(found.turn, text)
        led = [seat.participant for seat in seats if seat.reader is not None and seat.reader.has_step]
        if found.is_led and led:
            await self._in_thread(presence.all_at_step, found, led)
        await self._prepare(found, room)

    async def _prepare(self, classroom: Classroom, room: _Room) -> None:
        """Render ahead what comes next, until it has come."""
        languages = {seat.reader.language for seat in room.seats if seat.reader is not None and seat.reader.has_step}
        for ahead in await self._in_thread(coming, classroom):
            for language in languages:
                if room.is_behind.is_set():
                    return
                await self._in_thread(prepare, ahead, language)

    # -- what was missed -----------------------------------------------------------------------------------------------

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._look()
            except Exception:  # noqa: BLE001 - whatever it is, the next look is the remedy
                _log.exception("The turns of the classrooms that are open cannot be looked up.")

    async def _look(self) -> None:
        classrooms = tuple(self._rooms)
        found = await self._in_thread(turns_of, classrooms)
        for classroom in classrooms:
            room = self._rooms.get(classroom)
            if room is not None and found.get(classroom, room.turn) != room.turn:
                room.is_behind.set()
        await self._subscriber.join(map(everybody, classrooms))

    def _there(self) -> set[int]:
        return {seat.participant for room in self._rooms.values() for seat in room.seats}

    async def _in_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        call: Callable[..., Awaitable[Result]] = DatabaseSyncToAsync(
            work, thread_sensitive=False, executor=self._threads
        )
        return await call(*arguments)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, SeatHub] = WeakKeyDictionary()


def seat_hub() -> SeatHub:
    """Return the hub of the running event loop, of which a web process has one."""
    return _hubs.setdefault(asyncio.get_running_loop(), SeatHub())
