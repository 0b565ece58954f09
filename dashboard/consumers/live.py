"""The one websocket of a page: it subscribes to parts of the page, and gets their HTML when it changes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from clusters.wording import websockets as words
from dashboard.consumers.base import SignedInConsumer
from dashboard.live.hub import Hub, Listener, the_hub
from dashboard.live.requests import BadRequestError, Ping, Refresh, Subscribe, Unsubscribe, read_request
from dashboard.live.topics import GoneError, RefusedError, Topic, check, topic_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser


# Application-defined close codes: a page that asks and does not read the answers, and a message that is too long.
UNREAD = 4408
TOO_LONG = 4413
# A page has a handful of parts; its address is the longest thing that a request carries.
MOST_TOPICS = 32
MOST_CHARACTERS = 4_096


class LiveConsumer(SignedInConsumer):
    """Answers the page's requests (dashboard.live.requests), and sends what the hub has for it."""

    listener: Listener | None = None
    sender: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        self.hub: Hub = the_hub()
        self.listener = Listener(send=self._send_text)
        self.hub.join(self.listener)
        self.sender = asyncio.create_task(self._send_for_ever(self.listener))

    async def release(self) -> None:
        if self.sender is not None and self.sender is not asyncio.current_task():
            self.sender.cancel()
        if self.listener is not None:
            await self.hub.leave(self.listener)

    async def answer(self, text: str | None) -> None:
        """Do what is asked for; what cannot be had, and what is no request, is said."""
        listener = self.listener
        assert listener is not None  # noqa: S101 - a socket without one is over, and is not answered
        if text is not None and len(text) > MOST_CHARACTERS:
            await self.end(TOO_LONG)
            return
        try:
            request = read_request(text or "")
            if isinstance(request, Subscribe):
                await self._subscribe(listener, request)
            elif isinstance(request, Unsubscribe):
                await self.hub.unsubscribe(listener, request.unsubscribe)
            elif isinstance(request, Refresh):
                self.hub.refresh(listener, request.refresh)
            elif isinstance(request, Ping):
                listener.tell({"pong": request.ping})
        except BadRequestError as refusal:
            listener.tell({"error": str(refusal), "id": refusal.id})

    async def _subscribe(self, listener: Listener, request: Subscribe) -> None:
        try:
            topic = topic_of(request.subscribe, request.cluster, request.page)
            if topic.identity not in listener.topics and len(listener.topics) >= MOST_TOPICS:
                raise RefusedError(words.TOO_MANY_PARTS(most=MOST_TOPICS))
            is_there = await self.hub.in_thread(_is_there, topic, self.scope["user"])
        except RefusedError as refusal:
            raise BadRequestError(str(refusal), request.id) from None
        listener.tell({"subscribed": request.id, "topic": topic.identity})
        if is_there:
            await self.hub.subscribe(listener, topic)
        else:
            # Deleted since the page was loaded.
            listener.tell({"gone": topic.identity})

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    async def _send_for_ever(self, listener: Listener) -> None:
        # The browser may leave at any moment; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            await listener.run()
            await self.end(UNREAD)


def _is_there(topic: Topic, user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether there is the cluster. Raises RefusedError."""
    try:
        check(topic, user)
    except GoneError:
        return False
    return True
