"""The websocket of participants: who is let in, what they are sent, and how it ends."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.test import Client
from django.utils import timezone

from dashboard import asgi
from dashboard.access import participants
from dashboard.classrooms import leading, seat_hub, seats
from dashboard.consumers.live import TOO_LONG
from dashboard.consumers.seat import MOST_ASKED, MOST_CHARACTERS, MOST_PAGES, UNREADABLE
from dashboard.lessons import presence
from dashboard.live import broadcast, open_sockets
from dashboard.live.broadcast import publish
from dashboard.live.open_sockets import SIGNED_OUT, TOO_MANY
from dashboard.models import Classroom, Participant
from dashboard.routing import SEAT_SOCKET, websocket_urlpatterns
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.lessons.learners import step_of_kind
from tests.support.addresses import example
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from django.contrib.auth.models import User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

STEP = step_of_kind("nodes")
ORIGIN = "http://localhost:8000"
# All but the address that leads nowhere.
OTHER_SOCKETS = [f"/{example(pattern)}" for pattern in websocket_urlpatterns[:-1]]


@pytest.fixture
def room(user: User) -> Classroom:
    return open_room(user)


@database_sync_to_async
def join(room: Classroom, name: str = "Ada") -> str:
    return seats.join(room, name)


@database_sync_to_async
def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@database_sync_to_async
def lead(room: Classroom, step: str, *, is_revealed: bool = False) -> None:
    leading.lead_to(room, room.lesson, step)
    if is_revealed:
        leading.reveal(room)


def client_of(cookies: str, path: str = SEAT_SOCKET, origin: str = ORIGIN) -> WebsocketClient:
    headers = [(b"host", b"localhost:8000"), (b"origin", origin.encode()), (b"cookie", cookies.encode())]
    return WebsocketClient(asgi.application, path, headers=headers)


async def lets_in(cookies: str, path: str = SEAT_SOCKET, origin: str = ORIGIN) -> bool:
    client = client_of(cookies, path, origin)
    is_in = await client.connect()
    if is_in:
        await client.close()
    return is_in


@asynccontextmanager
async def seated(token: str) -> AsyncIterator[WebsocketClient]:
    client = client_of(f"{participants.COOKIE}={token}")
    assert await client.connect()
    yield client
    await client.close()


async def ask(client: WebsocketClient, turn: int, *, step: bool = True) -> dict[str, Any]:
    await client.send({"turn": turn, "language": "en-gb", "step": step})
    found: dict[str, Any] = json.loads(await client.receive())
    return found


async def comes_true(client: WebsocketClient, **conditions: Any) -> bool:
    """Wait until a participant is stored as the conditions say; it is, after what is sent."""
    for _ in range(100):
        if await database_sync_to_async(Participant.objects.filter(**conditions).exists)():
            return True
        await client.is_silent()
    return False


async def test_participants_open_this_socket_and_no_other(room: Classroom) -> None:
    cookies = f"{participants.COOKIE}={await join(room)}"

    assert await lets_in(cookies)
    assert len(OTHER_SOCKETS) > 5
    for path in (*OTHER_SOCKETS, "/ws/", "/ws/seat", "/ws/seat/x/"):
        assert not await lets_in(cookies, path), path


async def test_users_strangers_and_other_pages_are_refused(room: Classroom, user: User) -> None:
    token = await join(room)

    assert not await lets_in("")
    assert not await lets_in(f"{settings.SESSION_COOKIE_NAME}={await session_of(user)}")
    for forged in ("x", token[:-1], "x" * 200, participants._digest(token)):
        assert not await lets_in(f"{participants.COOKIE}={forged}")
    for origin in ("https://evil.example", "http://localhost:9999", "null"):
        assert not await lets_in(f"{participants.COOKIE}={token}", origin=origin)
    await database_sync_to_async(Classroom.objects.update)(expires_at=timezone.now())
    assert not await lets_in(f"{participants.COOKIE}={token}")


async def test_each_turn_reaches_all_pages(room: Classroom) -> None:
    async with seated(await join(room)) as ada, seated(await join(room, "Grace")) as grace:
        assert await ask(ada, 0) == {"turn": 0}
        assert await ask(grace, 0, step=False) == {"turn": 0}

        await lead(room, STEP.name)
        step, elsewhere = json.loads(await ada.receive()), json.loads(await grace.receive())
        await database_sync_to_async(leading.reveal)(room)
        shown = json.loads(await ada.receive())
        await database_sync_to_async(leading.set_pace)(room, Classroom.Pace.FREE)
        free = json.loads(await ada.receive())

    assert (step["turn"], step["shows"]) == (1, f"{room.lesson}/{STEP.name}/0")
    assert (elsewhere["turn"], "html" in elsewhere) == (1, False)
    assert (shown["turn"], shown["shows"]) == (2, f"{room.lesson}/{STEP.name}/1")
    assert "lesson-reveal" in shown["html"]
    assert "lesson-reveal" not in step["html"]
    assert (free["turn"], free["address"]) == (3, "")


async def test_a_classroom_hears_nothing_of_another(room: Classroom, user: User) -> None:
    other = await database_sync_to_async(open_room)(user)
    async with seated(await join(room)) as ada, seated(await join(other)) as grace:
        for client in (ada, grace):
            assert await ask(client, 0) == {"turn": 0}

        await lead(other, STEP.name)

        assert json.loads(await grace.receive())["turn"] == 1
        assert await ask(ada, 0) == {"turn": 0}


async def test_who_comes_back_is_sent_what_they_missed(room: Classroom) -> None:
    token = await join(room)
    async with seated(token) as before:
        assert await ask(before, 0) == {"turn": 0}
    await lead(room, STEP.name, is_revealed=True)

    async with seated(token) as again:
        missed = await ask(again, 0)
        present = await ask(again, missed["turn"])
        assert await comes_true(again, lesson=room.lesson, step=STEP.name)

    assert missed["shows"] == f"{room.lesson}/{STEP.name}/1"
    assert present == {"turn": 2}


async def test_a_turn_of_which_no_message_came_is_found(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_hub, "LOOK_SECONDS", 0.1)
    async with seated(await join(room)) as ada:
        assert await ask(ada, 0) == {"turn": 0}

        await database_sync_to_async(Classroom.objects.update)(turn=7, step=STEP.name)

        assert json.loads(await ada.receive())["turn"] == 7


async def test_trainers_are_told_where_a_led_class_is(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def counted(group: str, message: dict[str, Any]) -> None:
        told.append(group)
        publish(group, message)

    monkeypatch.setattr(broadcast, "publish", counted)
    async with seated(await join(room)) as ada, seated(await join(room, "Grace")) as grace:
        for client in (ada, grace):
            assert await ask(client, 0) == {"turn": 0}
        told.clear()
        await lead(room, STEP.name)
        for client in (ada, grace):
            await client.receive()
        # The next message is sent after the last one is done with.
        await database_sync_to_async(leading.reveal)(room)
        for client in (ada, grace):
            await client.receive()

    assert told.count(broadcast.trainers(room.pk)) == 1
    assert await database_sync_to_async(Participant.objects.filter(step=STEP.name).count)() == 2


async def test_who_has_a_page_open_is_there(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "SEEN_SECONDS", 0.1)
    async with seated(await join(room)) as ada:
        assert await ask(ada, 0) == {"turn": 0}
        long_ago = timezone.now() - timedelta(hours=1)
        await database_sync_to_async(Participant.objects.update)(seen_at=long_ago)

        assert await comes_true(ada, seen_at__gt=long_ago)


async def test_who_closes_the_last_page_is_not_there(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_hub, "RETURN_SECONDS", 0.1)
    token = await join(room)
    async with seated(await join(room, "Grace")) as grace:

        async def is_away() -> bool:
            return await comes_true(grace, name="Ada", seen_at__lte=timezone.now() - presence.PRESENT)

        async with seated(token) as page:
            assert await ask(page, 0) == {"turn": 0}
            # One page of two.
            async with seated(token) as other:
                assert await ask(other, 0) == {"turn": 0}
            assert await grace.is_silent(seconds=0.5)
            before = timezone.now() - presence.PRESENT
            assert not await database_sync_to_async(Participant.objects.filter(seen_at__lte=before).exists)()
        assert await is_away()

        # Another page, and they are there.
        async with seated(token) as again:
            assert await ask(again, 0) == {"turn": 0}
            assert await comes_true(again, name="Ada", seen_at__gt=before + presence.PRESENT)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", UNREADABLE),
        ("[]", UNREADABLE),
        ('{"turn": "0", "language": "en-gb", "step": true}', UNREADABLE),
        ('{"turn": 0, "language": "tlh", "step": true}', UNREADABLE),
        ('{"turn": 99999999999999999999999, "language": "en-gb", "step": true}', UNREADABLE),
        ("x" * (MOST_CHARACTERS + 1), TOO_LONG),
    ],
)
async def test_what_is_no_question_ends_the_socket(room: Classroom, text: str, code: int) -> None:
    client = client_of(f"{participants.COOKIE}={await join(room)}")
    assert await client.connect()

    await client.send_text(text)

    assert await client.closed_with() == code


async def test_who_asks_without_end_is_shown_out(room: Classroom) -> None:
    client = client_of(f"{participants.COOKIE}={await join(room)}")
    assert await client.connect()

    for _ in range(MOST_ASKED + 1):
        await client.send({"turn": 0, "language": "en-gb", "step": True})

    assert await client.closed_with() == TOO_MANY


async def test_a_participant_has_so_many_pages_open(room: Classroom) -> None:
    token = await join(room)
    clients = [client_of(f"{participants.COOKIE}={token}") for _ in range(MOST_PAGES + 1)]
    for client in clients:
        assert await client.connect()

    assert await clients[-1].closed_with() == TOO_MANY
    assert await ask(clients[0], 0) == {"turn": 0}
    for client in clients[:-1]:
        await client.close()


@pytest.mark.parametrize("end", ["leave", "expire"])
async def test_the_socket_ends_with_the_seat(room: Classroom, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_sockets, "SESSION_SECONDS", 0.1)
    client = client_of(f"{participants.COOKIE}={await join(room)}")
    assert await client.connect()

    if end == "leave":
        await database_sync_to_async(Participant.objects.all().delete)()
    else:
        await database_sync_to_async(Classroom.objects.update)(expires_at=timezone.now())

    assert await client.closed_with() == SIGNED_OUT
