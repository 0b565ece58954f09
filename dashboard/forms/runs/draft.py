"""The changes that somebody has put together so far, as a form carries them from one answer to the next."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING, Any

import orjson

from clusters.wording.runs import building as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_CHANGES = 200
# A trace of 8,000 pods has about 1.5 MiB.
_MOST_BYTES = 16 * 1024 * 1024


class BadState(ValueError):  # noqa: N818 - it is the state that is bad
    """A text that holds no changes; the message is for whoever sent it."""


def packed(changes: Sequence[dict[str, Any]]) -> str:
    """Write changes as letters, digits, dashes and underscores."""
    return base64.urlsafe_b64encode(zlib.compress(orjson.dumps(list(changes)), 6)).decode().rstrip("=")


def unpacked(text: str) -> list[dict[str, Any]]:
    """Undo `packed`. Raises BadState, also for what would be larger than anything that is taken."""
    if not text:
        return []
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), _MOST_BYTES + 1)
        if not stream.eof or len(data) > _MOST_BYTES:
            raise BadState(str(words.INCOMPLETE))
        return _changes(orjson.loads(data))
    except (binascii.Error, zlib.error, orjson.JSONDecodeError, ValueError) as error:
        raise BadState(str(words.DAMAGED)) from error


def of_address(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Read the changes that a link names, each as JSON. Raises BadState."""
    try:
        return _changes([orjson.loads(text) for text in texts])
    except orjson.JSONDecodeError as error:
        raise BadState(str(words.DAMAGED)) from error


def _changes(found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadState(str(words.DAMAGED))
    if len(found) > MOST_CHANGES:
        raise BadState(words.TOO_MANY_CHANGES(changes=len(found), most=MOST_CHANGES))
    return found
