"""What a page's websocket may ask for, and what it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.sessions.models import Session
from django.db import OperationalError

from dashboard.consumers import live as consumer
from dashboard.live import hub, open_sockets
from tests.dashboard.live.pages import WORKLOADS

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from pytest_django.fixtures import Settings


pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.mark.parametrize(
    ("part", "page", "why"),
    [
        ("nothing", WORKLOADS, "no live part"),
        ("spread.groups", WORKLOADS, "no live part"),
        ("spread.workloads", "/nowhere/", "No page has this address"),
        ("spread.workloads", "https://elsewhere.example/clusters/other/spread/workloads/", "gone or renamed"),
        ("spread.workloads", "/clusters/other/spread/workloads/", "gone or renamed"),
        ("spread.workloads", f"{WORKLOADS}?{'q' * 2_000}", "too long"),
        ("spread.workloads", "//[", "No page has this address"),
        ("spread.workloads", f"{WORKLOADS}?{'a&' * 501}", "No page has this address"),
        (7, WORKLOADS, "Expected `str`"),
    ],
)
async def test_what_cannot_be_had_is_refused_with_a_reason(
    mirrored: Any, open_page: Any, part: Any, page: str, why: str
) -> None:
    cluster, _ = mirrored
    opened = await open_page()
    await opened.client.send({"subscribe": part, "id": 5, "cluster": cluster.pk, "page": page})

    answer = await opened.message()

    assert why in answer["error"]
    assert answer["id"] == 5


async def test_a_part_that_is_not_for_the_user_is_refused(mirrored: Any, open_page: Any, settings: Settings) -> None:
    settings.BERTH_ROLES = True
    cluster, _ = mirrored
    page = await open_page()

    await page.client.send({"subscribe": "spread.workloads", "id": 2, "cluster": cluster.pk, "page": WORKLOADS})

    assert "may not see" in (await page.other())["error"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "{",
            "[]",
            "7",
            '"subscribe"',
            "{}",
            '{"else": 1}',
            '{"ping": "one"}',
            '{"ping": true}',
            '{"ping": 1e99}',
        ),
        *('{"unsubscribe": ["a"]}', '{"refresh": {}}', '{"subscribe": "stale", "id": -1, "cluster": 1, "page": "/"}'),
        '{"subscribe": "stale", "id": 1, "cluster": 99999999999999999999, "page": "/"}',
        "[" * 4_000,
    ],
)
async def test_what_is_no_request_is_answered_and_the_socket_goes_on(open_page: Any, text: str) -> None:
    page = await open_page()
    await page.client.send_text(text)
    assert set(await page.other()) == {"error", "id"}

    await page.client.send({"ping": 4})

    assert await page.other() == {"pong": 4}


async def test_what_fails_here_closes_the_socket_and_leaves_nothing_behind(
    mirrored: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, _ = mirrored
    page, other = await open_page(), await open_page()
    await page.subscribe("spread.workloads", cluster.pk, WORKLOADS)

    def away(*arguments: Any) -> None:
        raise OperationalError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(consumer, "check", away)
        await page.client.send({"subscribe": "spread.workloads", "id": 2, "cluster": cluster.pk, "page": WORKLOADS})
        assert await page.client.closed_with() == open_sockets.FAILED

    assert not hub.the_hub()._feeds
    assert len(open_sockets.open_sockets()) == 1
    await other.subscribe("spread.workloads", cluster.pk, WORKLOADS)


async def test_a_long_message_closes_the_socket(open_page: Any) -> None:
    page = await open_page()
    await page.client.send({"ping": 1, "padding": "x" * consumer.MOST_CHARACTERS})

    assert await page.client.closed_with() == consumer.TOO_LONG


async def test_a_socket_has_so_many_parts_at_most(mirrored: Any, open_page: Any) -> None:
    cluster, _ = mirrored
    page = await open_page()
    for number in range(consumer.MOST_TOPICS):
        await page.subscribe("spread.workloads", cluster.pk, f"{WORKLOADS}?q={number}")

    await page.client.send({"subscribe": "spread.workloads", "id": 9, "cluster": cluster.pk, "page": WORKLOADS})

    assert "at most 32 live parts" in (await page.other())["error"]


@pytest.mark.parametrize("end", ["signed out", "inactive", "other password", "expired"])
async def test_a_socket_of_somebody_who_is_signed_in_no_more_is_closed(
    mirrored: Any, open_page: Any, user: User, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(open_sockets, "SESSION_SECONDS", 0.2)
    page = await open_page()
    assert await page.client.is_silent(seconds=0.6)

    def leave() -> None:
        if end == "signed out":
            Session.objects.all().delete()
        elif end == "expired":
            Session.objects.update(expire_date="2020-01-01T00:00:00Z")
        else:
            user.is_active = end != "inactive"
            user.set_password("another horse")
            user.save()

    await database_sync_to_async(leave)()

    assert await page.client.closed_with() == open_sockets.SIGNED_OUT


async def test_nobody_has_more_sockets_than_so_many(open_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_sockets, "MOST_OF_ONE_USER", 2)
    first, _, third = [await open_page() for _ in range(3)]

    assert await third.client.closed_with() == open_sockets.TOO_MANY
    await first.client.close()
    await (await open_page()).client.send({"ping": 1})
