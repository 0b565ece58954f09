"""The gate before every websocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

    # Channels' own types for this differ from one of its middlewares to the next.
    _Application = Callable[..., Any]


class SameOriginOnly:
    """Refuses a handshake that a page of another origin began, such as one from another port of the same host."""

    def __init__(self, inner: _Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        origin = urlsplit(headers.get(b"origin", b"").decode("latin-1"))
        if origin.netloc == headers.get(b"host", b"").decode("latin-1"):
            await self._inner(scope, receive, send)
        else:
            await _refuse(receive, send)


class SignedInOnly:
    """Refuses a stranger's handshake before any consumer sees it; stands inside AuthMiddlewareStack."""

    def __init__(self, inner: _Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["user"].is_authenticated:
            await self._inner(scope, receive, send)
        else:
            await _refuse(receive, send)


async def _refuse(receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.close"})
