"""The gate before every websocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    _Application = Callable[[Any, Any, Any], Awaitable[Any]]


class SignedInOnly:
    """Refuses a stranger's handshake before any consumer sees it; stands inside AuthMiddlewareStack."""

    def __init__(self, inner: _Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["user"].is_authenticated:
            await self._inner(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close"})
