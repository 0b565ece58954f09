from __future__ import annotations

import json
from typing import Any

from dashboard.body_limit import LimitedBody


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
    headers = [(b"accept", accept)]
    if declared:
        headers.append((b"content-length", str(sum(map(len, chunks))).encode()))
    left = list(chunks)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    limited = LimitedBody(echo_length, most=10, reason="Too large.")
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
