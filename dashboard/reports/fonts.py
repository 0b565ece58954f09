"""Fonts of the machine that typesetting may use beside its own: the family of each, and which characters it has.

Only what is needed of the files is read: OpenType fonts and collections, their names, and tables of characters in the
formats 4 and 12, one of which every font has that covers more than a few signs.
"""

from __future__ import annotations

import logging
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

_COLLECTION: Final = b"ttcf"
# By platform and encoding: Unicode in full, then its first plane.
_UNICODE: Final = ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3))
_SEGMENTS, _GROUPS = 4, 12
_MOST_BYTES: Final = 64 * 1024 * 1024
# Of a name table: the family as typographers call it, or else the plain one.
_FAMILIES: Final = (16, 1)
_WINDOWS: Final = 3


@dataclass(frozen=True, slots=True)
class MachineFont:
    """A font file: its folder, its family, and the characters that it has."""

    folder: str
    family: str
    signs: frozenset[str]


def machine_fonts() -> tuple[MachineFont, ...]:
    """Return the fonts of ``BERTH_FONTS`` that are there, in order; what is no font is logged and left out."""
    return _read(tuple(str(path) for path in settings.BERTH_FONTS))


@lru_cache(maxsize=2)
def _read(paths: tuple[str, ...]) -> tuple[MachineFont, ...]:
    found = []
    for path in map(Path, paths):
        if not path.is_file():
            continue
        try:
            data = path.read_bytes()[:_MOST_BYTES]
            found.append(MachineFont(str(path.parent), _family(data), _signs(data)))
        except (OSError, ValueError, IndexError, struct.error) as error:
            _log.warning("The font %s cannot be read: %s", path, error)
    return tuple(found)


def _table(data: bytes, tag: bytes) -> bytes:
    """Return a table of a file's first font. Raises ValueError where there is none."""
    start = struct.unpack_from(">I", data, 12)[0] if data[:4] == _COLLECTION else 0
    (count,) = struct.unpack_from(">H", data, start + 4)
    for number in range(count):
        name, _checksum, offset, length = struct.unpack_from(">4sIII", data, start + 12 + 16 * number)
        if name == tag:
            return data[offset : offset + length]
    raise ValueError(f"no table {tag.decode()}")


def _family(data: bytes) -> str:
    table = _table(data, b"name")
    _format, count, strings = struct.unpack_from(">HHH", table)
    names: dict[int, str] = {}
    for number in range(count):
        platform, _encoding, _language, name, length, offset = struct.unpack_from(">6H", table, 6 + 12 * number)
        if platform == _WINDOWS:
            at = strings + offset
            names.setdefault(name, table[at : at + length].decode("utf-16-be"))
    family = next((names[each] for each in _FAMILIES if each in names), "")
    if not family:
        raise ValueError("no name of its family")
    return family


def _signs(data: bytes) -> frozenset[str]:
    table = _table(data, b"cmap")
    (count,) = struct.unpack_from(">H", table, 2)
    offsets = {}
    for number in range(count):
        platform, encoding, offset = struct.unpack_from(">HHI", table, 4 + 8 * number)
        offsets[platform, encoding] = offset
    for each in _UNICODE:
        if each in offsets:
            subtable = table[offsets[each] :]
            (kind,) = struct.unpack_from(">H", subtable)
            if kind == _GROUPS:
                return frozenset(map(chr, _of_groups(subtable)))
            if kind == _SEGMENTS:
                return frozenset(map(chr, _of_segments(subtable)))
    raise ValueError("no table of Unicode characters")


def _of_groups(table: bytes) -> Iterator[int]:
    (count,) = struct.unpack_from(">I", table, 12)
    for number in range(count):
        first, last, glyph = struct.unpack_from(">III", table, 16 + 12 * number)
        # Glyph 0 is the box of missing ones.
        yield from range(first + (glyph == 0), min(last, 0x10FFFF) + 1)


def _of_segments(table: bytes) -> Iterator[int]:
    (double,) = struct.unpack_from(">H", table, 6)
    count = double // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts = struct.unpack_from(f">{count}H", table, 16 + double)
    deltas = struct.unpack_from(f">{count}H", table, 16 + 2 * double)
    at_offsets = 16 + 3 * double
    offsets = struct.unpack_from(f">{count}H", table, at_offsets)
    for number, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                at = at_offsets + 2 * number + offset + 2 * (code - start)
                (glyph,) = struct.unpack_from(">H", table, at)
            if glyph and (glyph + delta) & 0xFFFF:
                yield code
