"""The websocket of a trainer's page and of the projector: whose it is, and what it sends when."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import Permission, User
from django.test import Client

from dashboard.classrooms import leading, seats
from dashboard.consumers import classroom as consumer
from dashboard.consumers.progress import CHANGED, NO_REQUESTS
from dashboard.live import broadcast
from dashboard.models import Classroom
from dashboard.routing import websocket_urlpatterns
from tests.dashboard.classrooms.rooms import open_room
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture(autouse=True)
def only_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent here is sent because something happened, not because time went by."""
    monkeypatch.setattr(consumer, "AGES_SECONDS", 60.0)


@database_sync_to_async
def a_trainer(name: str = "trainer", *, may_teach: bool = True) -> User:
    user = User.objects.create_user(name)
    if may_teach:
        user.user_permissions.add(Permission.objects.get(codename="teach"))
    return user


@database_sync_to_async
def socket_of(user: User, pk: int, query: str = "") -> WebsocketClient:
    client = Client()
    client.force_login(user)
    headers = [(b"host", b"berth.test"), (b"origin", b"http://berth.test")]
    return WebsocketClient(
        URLRouter(websocket_urlpatterns),
        f"/ws/classrooms/{pk}/",
        headers=headers,
        query_string=query.encode(),
        user=user,
        session=client.session,
    )


@database_sync_to_async
def joined(room: Classroom, *names: str) -> None:
    for name in names:
        seats.join(room, name)
        broadcast.tell_trainers(room)


@asynccontextmanager
async def opened(query: str = "", **fields: Any) -> AsyncIterator[tuple[User, Classroom, WebsocketClient]]:
    """Open a classroom, and the socket of its trainer's page."""
    trainer = await a_trainer()
    room = await database_sync_to_async(open_room)(trainer, **fields)
    socket = await socket_of(trainer, room.pk, query)
    assert await socket.connect()
    yield trainer, room, socket
    await socket.close()


async def test_what_happens_is_shown_and_bursts_together() -> None:
    async with opened() as (_, room, socket):
        first = await socket.receive()
        assert "Nobody has joined yet" in first
        assert f'href="http://berth.test/join/{room.code}/"' in first
        assert "csrf" not in first
        await joined(room, *(f"Ada {number}" for number in range(20)))
        shown = [await socket.receive()]
        while "Ada 19" not in shown[-1]:
            shown.append(await socket.receive())
        assert len(shown) < 20

        await database_sync_to_async(leading.reveal)(room)
        assert "Show everybody the answer" not in await socket.receive()


async def test_the_projector_is_pushed_without_names() -> None:
    async with opened("view=projector", language="uk") as (_, room, socket):
        await socket.receive()
        await joined(room, "Ada")

        assert "Ada" not in await socket.receive()


@pytest.mark.parametrize(("language", "said"), [("uk", "Учасники"), ("tlh", "Participants")])
async def test_the_page_is_pushed_in_its_own_language(language: str, said: str) -> None:
    async with opened(f"language={language}") as (_, _, socket):
        assert said in await socket.receive()


@pytest.mark.parametrize("who", ["another trainer", "no trainer", "nobody's classroom"])
async def test_others_are_refused(who: str) -> None:
    room = await database_sync_to_async(open_room)(await a_trainer())
    user = await a_trainer("other", may_teach=who != "no trainer")
    if who == "no trainer":
        await database_sync_to_async(Classroom.objects.update)(trainer=user)

    socket = await socket_of(user, 999 if who == "nobody's classroom" else room.pk)

    assert not await socket.connect()


@pytest.mark.parametrize("change", ["removed", "may not teach"])
async def test_who_has_no_classroom_any_more_has_the_page_loaded_anew(change: str) -> None:
    async with opened() as (trainer, room, socket):
        await socket.receive()
        if change == "removed":
            await database_sync_to_async(leading.remove)(room)
        else:
            await database_sync_to_async(trainer.user_permissions.clear)()
            await joined(room, "Ada")

        assert await socket.answer() == CHANGED


async def test_nothing_is_taken_from_the_page() -> None:
    async with opened() as (_, _, socket):
        await socket.receive()
        await socket.send_text("step:taints:match")

        assert await socket.closed_with() == NO_REQUESTS


async def test_a_change_that_nobody_told_is_shown_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "AGES_SECONDS", 0.1)
    async with opened() as (_, room, socket):
        await socket.receive()
        await database_sync_to_async(seats.join)(room, "Ada")

        async with asyncio.timeout(30):
            assert "Ada" in await socket.receive()
