"""What a page may ask over its websocket: each message is checked as a whole before anything is done about it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from clusters.wording import websockets as words
from clusters.wording.lists import alternatives
from dashboard.live.topics import RefusedError

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
