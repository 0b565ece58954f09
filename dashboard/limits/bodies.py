"""A bound on request bodies, before Django writes them to disk: by who sends them."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie
from msgspec import Struct

from clusters.wording import clusters as words
from clusters.wording.access.sign_in import UPLOAD_REFUSED
from clusters.wording.amounts import size
from clusters.wording.api_answers import READ_REFERENCE
from dashboard.access.rights import rights_of
from dashboard.access.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    # Channels' own types for this differ from one of its middlewares to the next.
    _Application = Callable[..., Any]

# A browser that is refused in the middle of sending shows a broken connection instead of the reason, so what it still
# sends is read and thrown away, up to this many times the limit.
_PATIENCE = 4
# More digits than this are no length of anything.
_LENGTH = re.compile(rb"[0-9]{1,18}")


class Bound(Struct, frozen=True):
    """How many bytes a body may have, and what is said to a larger one."""

    most: int
    reason: str


class LimitedBody:
    """Answers 413 to a body beyond its bound; nothing of it reaches the disk if its length was declared.

    Everybody may send as much as `anybody`; for a body beyond that, or one that hides its length, `bound_of` is asked
    with the request's scope.
    """

    def __init__(self, inner: _Application, *, anybody: int, bound_of: Callable[[Any], Awaitable[Bound]]) -> None:
        self._inner = inner
        self._anybody = anybody
        self._bound_of = bound_of

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"")
        is_declared = _LENGTH.fullmatch(declared) is not None
        length = int(declared) if is_declared else 0
        is_hidden = b"transfer-encoding" in headers or (bool(declared) and not is_declared)
        if length <= self._anybody and not is_hidden:
            await self._inner(scope, receive, send)
            return
        bound = await self._bound_of(scope)
        if length > bound.most:
            await self._drain(receive, bound)
            await self._refuse(scope, send, bound)
            return
        read = 0
        started = over = False

        async def counted_receive() -> Any:
            nonlocal read, over
            message = await receive()
            read += len(message.get("body", b""))
            if read <= bound.most:
                return message
            over = True
            return {"type": "http.disconnect"}

        async def watched_send(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        await self._inner(scope, counted_receive, watched_send)
        if over and not started:
            await self._refuse(scope, send, bound)

    async def _drain(self, receive: Any, bound: Bound) -> None:
        read = 0
        while read < _PATIENCE * bound.most:
            message = await receive()
            read += len(message.get("body", b""))
            if not message.get("more_body"):
                return

    async def _refuse(self, scope: Any, send: Any, bound: Bound) -> None:
        is_api = scope.get("path", "").startswith("/api/")
        wants_json = is_api or b"application/json" in dict(scope["headers"]).get(b"accept", b"")
        error = {
            "code": "RequestEntityTooLarge",
            "what": bound.reason,
            "where": "body",
            "remedy": str(READ_REFERENCE),
        }
        body = json.dumps({"error": error if is_api else bound.reason}) if wants_json else bound.reason
        kind = b"application/json" if wants_json else b"text/plain; charset=utf-8"
        await send(
            {
                "type": "http.response.start",
                "status": 413,
                "headers": [
                    (b"content-type", kind),
                    (b"x-content-type-options", b"nosniff"),
                    (b"cache-control", b"private, no-store"),
                    (b"connection", b"close"),
                ],
            }
        )
        await send({"type": "http.response.body", "body": body.encode()})


def body_too_large() -> str:
    """Say that a file is over the limit, and what helps."""
    return words.FILE_TOO_LARGE(limit=size(settings.BERTH_UPLOAD_LIMIT_BYTES))


# What a form adds to the file that it sends.
_FORM_BYTES = 1024 * 1024


async def bound_of(scope: Any) -> Bound:
    """Return what the sender of a request may send: a dump, or for whom may not, a form without one."""
    if await _may_upload(scope):
        return Bound(settings.BERTH_UPLOAD_LIMIT_BYTES + _FORM_BYTES, body_too_large())
    return Bound(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, str(UPLOAD_REFUSED))


@database_sync_to_async
def _may_upload(scope: Any) -> bool:
    kind, _, text = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1").partition(" ")
    if kind.lower() == "bearer":
        token = token_of(text.strip())
        return token is not None and token.may_write and bool(rights_of(token.user).changes)
    cookies = parse_cookie("; ".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"))
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return bool(rights_of(get_user(request)).changes)
