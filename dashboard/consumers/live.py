"""The one websocket of a page: it subscribes to parts of the page, and gets their HTML when it changes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Annotated

import msgspec

from clusters.wording import websockets as words
from clusters.wording.lists import alternatives
from dashboard.consumers.base import SignedInConsumer
from dashboard.live.hub import Hub, Listener, the_hub
from dashboard.live.topics import GoneError, RefusedError, Topic, check, topic_of
from dashboard.reader_zone import zone_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser


# Primary keys, and numbers that a page counts by itself.
_LARGEST = 2**63 - 1
_Whole = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]


class Subscribe(msgspec.Struct, frozen=True):
    """Show a part of a page from now on; `id` is the page's own number for it, which the answer repeats."""

    subscribe: str
    id: _Whole
    cluster: _Whole
    page: str


class Unsubscribe(msgspec.Struct, frozen=True):
    """Show a topic no more."""

    unsubscribe: str


class Refresh(msgspec.Struct, frozen=True):
    """Show the present state of a topic once more."""

    refresh: str


class Ping(msgspec.Struct, frozen=True):
    """Say whether somebody is there; the answer repeats the number."""

    ping: _Whole


Request = Subscribe | Unsubscribe | Refresh | Ping
_KINDS: dict[str, type[Request]] = {
    "subscribe": Subscribe,
    "unsubscribe": Unsubscribe,
    "refresh": Refresh,
    "ping": Ping,
}


class BadRequestError(RefusedError):
    """A message that is no request; `id` is the page's number for what it asked, None where it gave no such one."""

    def __init__(self, why: str, id: int | None = None) -> None:  # noqa: A002 - as the message calls it
        super().__init__(why)
        self.id = id


def read_request(text: str) -> Request:
    """Read a message, a JSON object with one of the four words. Raises BadRequestError, which says what is wrong."""
    try:
        given = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise BadRequestError(str(words.NO_OBJECT)) from None
    kind = next((_KINDS[word] for word in _KINDS if word in given), None) if isinstance(given, dict) else None
    if kind is None:
        raise BadRequestError(words.NO_REQUEST(known=alternatives(_KINDS)))
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        number = given.get("id")
        # What is no number of a page is not repeated: answers cannot hold integers of any size.
        is_number = isinstance(number, int) and 0 <= number <= _LARGEST
        raise BadRequestError(words.BAD_FIELD(reason=str(error)), number if is_number else None) from None


# Application-defined close codes: a page that asks and does not read the answers, and a message that is too long.
UNREAD = 4408
TOO_LONG = 4413
# A page has a handful of parts; its address is the longest thing that a request carries.
MOST_TOPICS = 32
MOST_CHARACTERS = 4_096


class LiveConsumer(SignedInConsumer):
    """Answers the page's requests (dashboard.consumers.live), and sends what the hub has for it."""

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
            topic = topic_of(request.subscribe, request.cluster, request.page, zone_of(self.scope["cookies"]))
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
