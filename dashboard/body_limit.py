"""A bound on request bodies, before Django writes them to disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    # Channels' own types for this differ from one of its middlewares to the next.
    _Application = Callable[..., Any]

# A browser that is refused in the middle of sending shows a broken connection instead of the reason, so what it still
# sends is read and thrown away, up to this many times the limit.
_PATIENCE = 4


class LimitedBody:
    """Answers 413 to a body of more than `most` bytes; nothing of it reaches the disk if its length was declared."""

    def __init__(self, inner: _Application, *, most: int, reason: str) -> None:
        self._inner = inner
        self._most = most
        self._reason = reason

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"")
        if declared.isdigit() and int(declared) > self._most:
            await self._drain(receive)
            await self._refuse(headers, send)
            return
        read = 0
        started = over = False

        async def counted_receive() -> Any:
            nonlocal read, over
            message = await receive()
            read += len(message.get("body", b""))
            if read <= self._most:
                return message
            over = True
            return {"type": "http.disconnect"}

        async def watched_send(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        await self._inner(scope, counted_receive, watched_send)
        if over and not started:
            await self._refuse(headers, send)

    async def _drain(self, receive: Any) -> None:
        read = 0
        while read < _PATIENCE * self._most:
            message = await receive()
            read += len(message.get("body", b""))
            if not message.get("more_body"):
                return

    async def _refuse(self, headers: dict[bytes, bytes], send: Any) -> None:
        wants_json = b"application/json" in headers.get(b"accept", b"")
        body = json.dumps({"error": self._reason}) if wants_json else self._reason
        kind = b"application/json" if wants_json else b"text/plain; charset=utf-8"
        await send(
            {
                "type": "http.response.start",
                "status": 413,
                "headers": [
                    (b"content-type", kind),
                    (b"x-content-type-options", b"nosniff"),
                    (b"connection", b"close"),
                ],
            }
        )
        await send({"type": "http.response.body", "body": body.encode()})
