"""The gate before every websocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from channels.db import database_sync_to_async
from django.conf import settings

from dashboard.access.participants import participant_with
from dashboard.access.proxy import is_let_through
from dashboard.access.rights import rights_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # Channels' own types for this differ from one of its middlewares to the next.
    _Application = Callable[..., Any]


class SameOriginOnly:
    """Refuses a handshake that a page of another origin began, such as one from another port of the same host."""

    def __init__(self, inner: _Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if _is_same_origin(dict(scope["headers"])):
            await self._inner(scope, receive, send)
        else:
            await refuse(scope, receive, send)


def _is_same_origin(headers: Mapping[bytes, bytes]) -> bool:
    try:
        origin = urlsplit(headers.get(b"origin", b"").decode("latin-1"))
        # The port is read for its errors: whoever comes next takes for granted that there are none.
        return bool(origin.netloc) and origin.netloc == headers.get(b"host", b"").decode("latin-1") and origin.port != 0
    except ValueError:
        # An address that is none, such as "http://[".
        return False


class SignedInOnly:
    """Refuses a stranger's handshake before any consumer sees it; stands inside AuthMiddlewareStack."""

    def __init__(self, inner: _Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["user"].is_authenticated and await _is_let_through(scope):
            if settings.BERTH_ROLES:
                # Looked up here, in a thread: consumers find it known.
                await database_sync_to_async(rights_of)(scope["user"])
            await self._inner(scope, receive, send)
        else:
            await refuse(scope, receive, send)


async def _is_let_through(scope: Any) -> bool:
    return not settings.BERTH_PROXY_USER_HEADER or await database_sync_to_async(is_let_through)(scope)


class ParticipantsOnly:
    """Refuses a handshake without the token of a classroom's participant, and tells the consumer whose it is."""

    def __init__(self, inner: _Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        participant = await database_sync_to_async(participant_with)(scope["cookies"])
        if participant is None:
            await refuse(scope, receive, send)
        else:
            await self._inner({**scope, "participant": participant}, receive, send)


class Gates:
    """Leads a handshake to the gate of its address; all that have none of their own share one."""

    def __init__(self, own: Mapping[str, _Application], others: _Application) -> None:
        self._own = own
        self._others = others

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._own.get(scope["path"], self._others)(scope, receive, send)


async def refuse(scope: Any, receive: Any, send: Any) -> None:
    """Refuse a handshake, whoever's it is."""
    await receive()
    await send({"type": "websocket.close"})
