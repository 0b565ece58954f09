"""The one websocket of a page: it subscribes to parts of the page, and gets their HTML when it changes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

import orjson
from channels.generic.websocket import AsyncWebsocketConsumer

from dashboard.live.hub import the_hub
from dashboard.live.listener import Listener
from dashboard.live.topics import RefusedError, check, topic_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from dashboard.live.hub import Hub

_log = logging.getLogger(__name__)

# Application-defined close codes: a message that is no request of ours, and one that is too long.
MALFORMED = 4400
TOO_LONG = 4413
# A page has a handful of parts; its address is the longest thing that a request carries.
MOST_TOPICS = 32
MOST_CHARACTERS = 4_096


class LiveConsumer(AsyncWebsocketConsumer):
    """Answers the page's requests, each a JSON object with one of these words:

    `subscribe` (a part's name, with `id`, `cluster` and `page`), `unsubscribe` and `refresh` (a topic), `ping`.
    """

    # The hub hears the channel layer for all sockets.
    channel_layer_alias = ""
    sender: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()
        self.hub: Hub = the_hub()
        user = self.scope["user"]
        assert user is not None  # noqa: S101 - the gate lets nobody else through
        self.listener = Listener(
            send=self._send_text,
            close=self.close,
            session_key=self.scope["session"].session_key or "",
            user_id=user.pk,
        )
        self.hub.join(self.listener)
        self.sender = asyncio.create_task(self._send_for_ever())

    async def disconnect(self, code: int) -> None:
        if self.sender is not None:
            self.sender.cancel()
            await self.hub.leave(self.listener)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a request; what cannot be had is said, and what is no request closes the socket."""
        if text_data is None or len(text_data) > MOST_CHARACTERS:
            await self.close(MALFORMED if text_data is None else TOO_LONG)
            return
        try:
            request = orjson.loads(text_data)
        except orjson.JSONDecodeError:
            request = None
        answers: dict[str, Callable[[dict[str, Any]], Coroutine[Any, Any, None]]] = {
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "refresh": self._refresh,
            "ping": self._pong,
        }
        word = next((word for word in answers if isinstance(request, dict) and word in request), None)
        if word is None:
            await self.close(MALFORMED)
            return
        try:
            await answers[word](request)
        except RefusedError as refusal:
            self.listener.tell({"error": str(refusal), "id": request.get("id")})

    async def _subscribe(self, request: dict[str, Any]) -> None:
        part, cluster, page = (
            _field(request, "subscribe", str),
            _field(request, "cluster", int),
            _field(request, "page", str),
        )
        topic = topic_of(part, cluster, page)
        identity = topic.identity
        if identity not in self.listener.topics and len(self.listener.topics) >= MOST_TOPICS:
            raise RefusedError(f"A page has {MOST_TOPICS} live parts at most.")
        await self.hub.in_thread(check, topic, self.scope["user"])
        self.listener.tell({"subscribed": _field(request, "id", int), "topic": identity})
        await self.hub.subscribe(self.listener, topic)

    async def _unsubscribe(self, request: dict[str, Any]) -> None:
        await self.hub.unsubscribe(self.listener, _field(request, "unsubscribe", str))

    async def _refresh(self, request: dict[str, Any]) -> None:
        self.hub.refresh(self.listener, _field(request, "refresh", str))

    async def _pong(self, request: dict[str, Any]) -> None:
        self.listener.tell({"pong": _field(request, "ping", int)})

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    async def _send_for_ever(self) -> None:
        # The browser may leave at any moment; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            await self.listener.run()
            await self.close(MALFORMED)


def _field(request: dict[str, Any], name: str, kind: type[Any]) -> Any:
    value = request.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RefusedError(f"{name} has to be {'a text' if kind is str else 'a whole number'}.")
    return value
