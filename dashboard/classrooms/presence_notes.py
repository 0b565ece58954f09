"""Stores for all open pages of a web process which participants are there, and who has closed the last one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from dashboard.lessons import presence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

_log = logging.getLogger(__name__)

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
