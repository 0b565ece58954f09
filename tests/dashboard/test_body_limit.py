from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from dashboard.asgi import application
from dashboard.limits.bodies import Bound, LimitedBody, bound_of
from tests.dashboard.rows import allow_changes


async def echo_length(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the body's length, and with nothing when the sender goes away."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})


async def answer(chunks: list[bytes], *, declared: bool, accept: bytes = b"text/html") -> tuple[int, bytes, int]:
    """Send the chunks; return status, body and how many chunks were left unread."""
    length = (b"content-length", str(sum(map(len, chunks))).encode())
    headers = [(b"accept", accept), length if declared else (b"transfer-encoding", b"chunked")]
    left = list(chunks)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def ten(scope: Any) -> Bound:
        return Bound(10, "Too large.")

    limited = LimitedBody(echo_length, anybody=5, bound_of=ten)
    await limited({"type": "http", "headers": headers}, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return sent[0]["status"], sent[1]["body"], len(left)


async def test_body_at_the_limit_passes() -> None:
    assert await answer([b"12345", b"67890"], declared=True) == (200, b"10", 0)


async def test_declared_body_over_the_limit_is_read_away_and_refused() -> None:
    assert await answer([b"123456", b"789012"], declared=True) == (413, b"Too large.", 0)


async def test_undeclared_body_is_refused_where_it_passes_the_limit() -> None:
    assert await answer([b"123456", b"789012", b"x", b"y"], declared=False) == (413, b"Too large.", 2)


async def test_patience_with_a_refused_body_ends() -> None:
    status, _, left = await answer([b"1234567890"] * 50, declared=True)

    assert (status, left) == (413, 46)


async def test_script_gets_the_reason_as_json() -> None:
    _, body, _ = await answer([b"12345678901"], declared=True, accept=b"application/json")

    assert json.loads(body) == {"error": "Too large."}


async def test_nobody_asks_who_sends_a_small_body() -> None:
    async def nobody(scope: Any) -> Bound:
        raise AssertionError("asked")

    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"12345"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    limited = LimitedBody(echo_length, anybody=5, bound_of=nobody)
    await limited({"type": "http", "headers": [(b"content-length", b"5")]}, receive, send)

    assert sent[0]["status"] == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("signed_in", "allowed"), [(False, False), (True, False), (True, True)])
async def test_only_those_who_may_upload_send_large_bodies(*, signed_in: bool, allowed: bool) -> None:
    user = await User.objects.acreate(username="somebody")
    if allowed:
        await sync_to_async(allow_changes)(user)
    client = Client()
    if signed_in:
        await client.aforce_login(user)
    cookies = [(b"cookie", f"{name}={morsel.value}".encode()) for name, morsel in client.cookies.items()]

    bound = await bound_of({"headers": cookies})

    assert (bound.most > settings.BERTH_UPLOAD_LIMIT_BYTES) is allowed
    assert ("Sign in" in bound.reason) is not allowed


@pytest.mark.django_db(transaction=True)
async def test_large_body_of_a_stranger_is_refused_unread() -> None:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    length = str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1).encode()
    scope = {"type": "http", "method": "POST", "path": "/sign-in/", "headers": [(b"content-length", length)]}
    berth: Any = application  # its types know complete scopes only
    await berth(scope, receive, send)

    assert sent[0]["status"] == 413
