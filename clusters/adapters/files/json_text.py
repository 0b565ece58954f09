"""JSON documents: one, several in a row, or one a line; the items of a long list are parsed one at a time.

orjson parses whole texts only, and a List of 50,000 pods parsed at once takes ten times its size in memory. So the
text is cut between items first. A cut is a guess, by how the first two items are separated, but never a wrong one: no
complete JSON object is the beginning of another, so what parses as an object is the whole item. Where guessing fails,
the document is parsed in one piece.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

from clusters.adapters.bad_input import BadInput
from clusters.adapters.files.buffers import Buffer, check_utf_8
from clusters.adapters.files.documents import Document
from clusters.problems.texts import BrokenJson, JsonBreaksOff, JsonLacksEnd, LargeInMemory, NestingLimit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.files.meter import Meter

# Below, a document is parsed in one piece, whatever it holds.
_SHORT = 1 << 18
# `items` begins and ends within this many bytes of the document: only type and list metadata can stand beside it.
_HEAD = 1 << 16
_MOST_GUESSES = 16
# So much space at the end of a text is passed over.
_LAST_SPACE = 256
# What a map, a list and a value take in memory at most, while there are few keys to a map.
_MAP_BYTES = 160
_LIST_BYTES = 80
_VALUE_BYTES = 200

_ITEMS = re.compile(rb'"items"\s*:\s*\[\s*(?=\{)')
_SPACE = re.compile(rb"[ \t\r\n]*")
_FIRST_KEY = re.compile(rb'\{\s*"[^"\\]*"\s*:')
_PRETTY = re.compile(rb"[\[{][ \t]*\r?\n")
_CLOSING = {ord("{"): b"\n}", ord("["): b"\n]"}


def json_documents(data: Buffer, meter: Meter) -> Iterator[Document]:
    """Read all documents of a text."""
    start = _skip_space(data, 0)
    number = 0
    while start < len(data):
        number += 1
        try:
            document, end = _document(data, start, number, meter)
            yield document
        except BadInput as error:
            raise error.at(document=number) from None
        start = _skip_space(data, end)


def _skip_space(data: Buffer, start: int) -> int:
    match = _SPACE.match(data, start)
    return match.end() if match else start


def _document(data: Buffer, start: int, number: int, meter: Meter) -> tuple[Document, int]:
    """Read the document that begins at `start`; return it and where it ends."""
    end = _likely_end(data, start)
    for guess in (end, len(data)) if end < len(data) else (end,):
        if guess - start > _SHORT:
            found = _long_list(data, start, guess, number, meter)
            if found is not None:
                return found, guess
            if guess == len(data):
                _refuse_cut_off(data, start)
        _refuse_size(guess - start, meter)
        text = data[start:guess]
        try:
            value = _parsed(text, meter)
        except orjson.JSONDecodeError as error:
            if guess == len(data) or len(data) - start > meter.limits.document_bytes:
                raise _broken(text, error) from None
        else:
            return Document(number, value), guess
    raise AssertionError("the last guess returns or raises")


def _likely_end(data: Buffer, start: int) -> int:
    """Guess where a document ends: at a closing bracket in the first column if it is indented, else with its line.

    Right behind it another one must begin: nowhere within a document does a bracket open right after one that closed.
    """
    if _PRETTY.match(data, start):
        end = data.find(_CLOSING.get(data[start], b"\n}"), start) + 2
    else:
        end = data.find(b"\n", start)
    following = _skip_space(data, end)
    return end if end > start and data[following : following + 1] in {b"{", b"["} else len(data)


def _parsed(text: bytes, meter: Meter) -> Any:
    """Parse one text whose nesting is within the limit, and which does not take more memory than it may."""
    if len(text) > _SHORT:
        _refuse_size(_memory_of(text), meter)
    value = orjson.loads(text)
    limit = meter.limits.nesting
    # Counting is far cheaper than walking, and most objects have too few brackets to be nested too deeply.
    if text.count(b"{") + text.count(b"[") >= limit:
        _refuse_depth(value, limit, "")
    return value


def _refuse_cut_off(data: Buffer, start: int) -> None:
    """Raise BadInput if a text plainly lacks its end, before it is refused for taking too much memory as a whole."""
    closing = _CLOSING.get(data[start], b"\n}") if _PRETTY.match(data, start) else _CLOSING.get(data[start], b"")[1:]
    if not data[-_LAST_SPACE:].rstrip().endswith(closing):
        raise BadInput(JsonLacksEnd(closing.decode().strip()))


def _memory_of(text: bytes) -> int:
    """Estimate the bytes of memory that a text takes with all that is parsed from it: what orjson makes, rounded up."""
    maps, lists, values = text.count(b"{"), text.count(b"["), text.count(b",") + text.count(b":")
    return 2 * len(text) + _MAP_BYTES * maps + _LIST_BYTES * lists + _VALUE_BYTES * values


def _refuse_size(memory_bytes: int, meter: Meter) -> None:
    """Raise BadInput if one piece of text takes more memory than it may."""
    if memory_bytes > meter.limits.document_bytes:
        raise too_large(meter.limits.document_bytes)


def too_large(limit_bytes: int) -> BadInput:
    """Build the error for a document that cannot be parsed item by item and is too large to be parsed whole."""
    return BadInput(LargeInMemory(limit_bytes))


def _refuse_depth(value: Any, left: int, path: str) -> None:
    """Raise BadInput if maps and lists lie too deeply within each other."""
    if left <= 0:
        raise too_deep(path)
    pairs = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    for key, content in pairs:
        if type(content) is dict or type(content) is list:
            _refuse_depth(content, left - 1, f"{path}[{key}]" if type(key) is int else f"{path}.{key}")


def too_deep(path: str) -> BadInput:
    """Build the error for nesting beyond the limit; `path` leads to the innermost place."""
    shown = path.removeprefix(".")
    return BadInput(
        NestingLimit(),
        field=shown if len(shown) <= 120 else f"{shown[:119]}…",
    )


def _broken(text: bytes, error: orjson.JSONDecodeError, *, first_line: int = 1) -> BadInput:
    try:
        check_utf_8(text)
    except BadInput as encoding:
        return encoding
    line = first_line + error.lineno - 1
    if error.pos >= len(text.rstrip()) - 1 or "end of data" in error.msg:
        return BadInput(JsonBreaksOff(line, error.colno))
    return BadInput(BrokenJson(line, error.colno, error.msg))


def _long_list(data: Buffer, start: int, end: int, number: int, meter: Meter) -> Document | None:
    """Return a list whose items are parsed one at a time, or None where the text does not lend itself to that."""
    opening = _ITEMS.search(data, start, min(end, start + _HEAD))
    if opening is None:
        return None
    head = data[start : opening.end()].rstrip()
    closing = end
    for _ in range(_MOST_GUESSES):
        closing = data.rfind(b"]", opening.end(), closing)
        if closing < 0 or end - closing > _HEAD:
            return None
        try:
            value = orjson.loads(head + data[closing:end])
        except orjson.JSONDecodeError:
            continue
        # Only the list's own bracket leaves a document with an empty list in it.
        if type(value) is dict and value.get("items") == []:
            return Document(number, value, _items(data, opening.end(), closing, meter))
    return None


def _items(data: Buffer, start: int, end: int, meter: Meter) -> Iterator[Any]:
    """Parse the objects between two brackets one at a time."""
    separator = _separator(data, start, end)
    while start < end:
        boundary = start
        for _ in range(_MOST_GUESSES):
            boundary = data.find(separator, boundary + 1, end) if separator else -1
            stop = boundary + 1 if boundary >= 0 else end
            _refuse_size(stop - start, meter)
            try:
                value = _parsed(data[start:stop], meter)
            except orjson.JSONDecodeError:
                if boundary < 0:
                    yield from _rest(data, start, end, meter)
                    return
            else:
                break
        else:
            yield from _rest(data, start, end, meter)
            return
        meter.at(stop / len(data))
        yield value
        if boundary < 0:
            return
        start = data.find(b"{", stop, end)


def _rest(data: Buffer, start: int, end: int, meter: Meter) -> list[Any]:
    """Parse the remaining items in one piece: they are separated in more than one way, or broken."""
    _refuse_size(end - start, meter)
    text = b"[" + data[start:end] + b"]"
    try:
        values: list[Any] = _parsed(text, meter)
    except orjson.JSONDecodeError as error:
        raise _broken(text, error, first_line=data[:start].count(b"\n") + 1) from None
    return values


def _separator(data: Buffer, start: int, end: int) -> bytes:
    """Return what stands between two items, the end of the one and the beginning of the other included.

    All items of a list begin with the same key, and kubectl puts the same space between all of them.
    """
    head = _FIRST_KEY.match(data, start, end)
    if head is None:
        return b""
    between = re.compile(rb"\}\s*,\s*" + re.escape(head.group())).search(data, start, end)
    return between.group() if between else b""
