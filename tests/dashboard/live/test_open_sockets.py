"""The round that ends the sockets of those who are signed in no more: no socket keeps the others from their turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async
from django.db import connection

from dashboard.live import open_sockets
from dashboard.live.open_sockets import FAILED, MOST_OF_ONE_USER, SIGNED_OUT, OpenSocket, OpenSockets, living_sessions

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db(transaction=True)


class Ending:
    """A socket that notes how it was ended, after it did what `does` does."""

    def __init__(self, does: Any = None) -> None:
        self._does = does
        self.codes: list[int] = []
        self.is_ended = asyncio.Event()
        self.socket = OpenSocket(("a session that is gone", None), 1, self._end)

    async def _end(self, code: int) -> None:
        self.codes.append(code)
        self.is_ended.set()
        if self._does is not None:
            await self._does()


async def _raise() -> None:
    raise RuntimeError("this socket is broken")


async def _hang() -> None:
    await asyncio.Event().wait()


async def ended(*sockets: Ending) -> None:
    async with asyncio.timeout(30):
        for socket in sockets:
            await socket.is_ended.wait()


async def test_a_socket_that_fails_or_hangs_costs_no_other_its_turn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(open_sockets, "SESSION_SECONDS", 0.05)
    every = OpenSockets(living_sessions, MOST_OF_ONE_USER)
    sockets = [Ending(does) for does in (_raise, _hang, None, _raise, None)]
    for each in sockets:
        assert every.add(each.socket)

    await ended(*sockets)

    assert all(set(each.codes) == {SIGNED_OUT} for each in sockets)
    assert "this socket is broken" in caplog.text
    for each in sockets:
        every.remove(each.socket)
    assert len(every) == 0


async def test_sockets_are_closed_when_nobody_can_say_who_is_signed_in(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_sockets, "SESSION_SECONDS", 0.05)

    def without_sessions() -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE django_session RENAME TO away")

    def with_sessions() -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE away RENAME TO django_session")

    await database_sync_to_async(without_sessions)()
    try:
        every, socket = OpenSockets(living_sessions, MOST_OF_ONE_USER), Ending()
        assert every.add(socket.socket)
        await ended(socket)
        every.remove(socket.socket)
    finally:
        await database_sync_to_async(with_sessions)()

    assert set(socket.codes) == {FAILED}
