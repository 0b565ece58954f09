"""What paper can show: the characters of the fonts that Typst brings and of those that the machine has, and where long
words may be cut.

PDF/UA allows no character without a glyph, and names may hold any. What no font has, and what has no look at all
(control characters, marks that turn the direction of writing), is written by its number: `‹U+1F600›`.
"""

from __future__ import annotations

import logging
import re
import struct
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_log = logging.getLogger(__name__)

_COLLECTION: Final = b"ttcf"
# By platform and encoding: Unicode in full, then its first plane.
_UNICODE: Final = ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3))
_SEGMENTS, _GROUPS = 4, 12
_MOST_BYTES: Final = 64 * 1024 * 1024
# Of a name table: the family as typographers call it, or else the plain one.
_FAMILIES: Final = (16, 1)
_WINDOWS: Final = 3


class MachineFont(Struct, frozen=True):
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


# Characters that Libertinus Serif (regular, semibold, italic) or DejaVu Sans Mono have: Latin, Greek, Cyrillic,
# Armenian, Hebrew, Arabic, Georgian, signs and arrows. A test sets them all.
_RANGES = """
    20-7e a0-ac ae-241 243-245 247 249 24c-24d 250-2e9 300-33f 357-363 374-377 37a-37f 384-38a 38e-3a1 3a3-3ce
    3d0-3e1 3f0-45f 470-477 490-4c4 4c7-4cc 4cf-4f9 51a-51d 531-556 559-55f 561-587 5b0-5c3 5d0-5ea 5f0-5f4 621-63a
    640-655 660-66d 6f0-6f9 e94-e97 e99-e9f ead-eb9 ec8-ecd 10d0-10fc 1d30-1d3c 1d3e-1d5b 1d62-1d65 1d9b-1db7
    1db9-1dbf 1e00-1e9b 1e9e-1ef9 1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f5f-1f7d 1f80-1fb4 1fb6-1fc4
    1fc6-1fd3 1fd6-1fdb 1fdd-1fef 1ff6-1ffe 2000-200a 2010-2027 202f-2037 2039-203f 2042 2044-204b 204f 205f
    2070-2071 2074-208e 2090-209c 20a0-20b5 20b8-20ba 20bd 20bf 2100-2103 2105-2106 2109 210c-210f 2111 2113
    2115-2117 2119-211a 211c-211d 2120 2122 2124 2126-2127 212a-212b 212e 2135-2139 2148 2150-2151 2153-2184 2189
    2190-2220 2223-222d 2234-223d 2241-226b 226d-228b 228d-22a5 22b2-22b5 22c2-22c6 22cd-22d1 22da-22e9 2300-2306
    2308-2315 231c-2321 2325-232b 2335-237a 2380-2383 2388-238b 239b-23ae 2500-2606 2609-262f 2638-268b 2690-269c
    26a0-26a4 2701-2704 2706-2709 270c-2727 2729-274b 274d 274f-2752 2756 2758-275e 2761-2775 2794 2798-27af
    27b1-27be 27c2 27c5-27c6 27dc 27e0 27e6-27eb 27f5-27f7 2b05-2b0d 2b12-2b1a 2c60-2c70 2c74-2c77 2c7c-2c7f
    2e22-2e25 a708-a716 a71b-a727 a789-a78e fb29-fb36 fb38-fb3c fb46-fb4e fb52-fb81 fb8a-fb95 fbaa-fbad fbfc-fbff
    fe70-fe74 fe76-fefc
"""
# Those of them that only DejaVu Sans Mono has. Words of a drawing are set in one font: beside a character of another
# one, some of their own get lost.
_IN_MONO_ONLY = """
    240 244-245 24c 2e5-2e9 376-377 37f 3f7 3fa 3fc 4cf 51a-587 621-1d34 1d36-1d42 1d46 1d4c 1d4e 1d54-1d55 1d59
    1d62-1d9b 1d9d-1d9f 1da1-1da3 1da5-1db5 1db7-1dba 1dbc-1dbf 1e9f 203f 2045-2046 2095-20a1 20a5-20a6
    20a9-20aa 20ad-20ae 20b0 20b2-20bd 2117 2148-2151 2189 219c-21a7 21a9-21ad 21af-21bb 21be-21bf 21c2-21ca
    21da-21ff 220e 221d 2220 222c-2235 2237-223b 223d 2242-2244 2246 224a-2258 225a-225f 2263 2266-2269 226d
    2272-2281 2286-2294 2299-22c4 22c6-2301 2304-230f 2311-231f 2325 2328 2335-259f 25a2-25b1 25b4-25b5
    25b8-25bb 25be-25bf 25c2-25c5 25c8 25cd 25d8-2604 2606-2618 261a 261c-261d 261f-2626 2628-262e 2638
    2654-265f 2661-2662 2664 2667-2668 266d-2694 2696-2697 2699-26a1 2701-2766 2768-27e0 27e8-2b1a 2c6d-2c70
    2c7c-a716 a71e-a71f a722-a727 a78d-a78e fb52-fefc
"""
LONGEST_WORD = 24
# Twelve letters at most with the signs after them: no line begins with a dash or a dot.
# Ideographs, kana and Hangul syllables are as wide as two letters each, and a line may end after any.
_PIECE = re.compile(r"[\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\W_]{1,12}[\W_]{0,4}|[\W_]{1,12}")
# They choose between two looks of the sign before them, and have none themselves.
_SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))


def covered() -> str:
    """Return every character that is printed as it is."""
    return "".join(filter(_has_look, _printing_signs(_RANGES)))


def _has_look(sign: str) -> bool:
    # Format characters have no look, and some hide what stands beside them. Marks stand upon any other sign, and no
    # font has all pairs of the two; the usual ones are one character by now.
    return unicodedata.category(sign) not in ("Cc", "Cf", "Mn", "Me", "Co", "Cn")


def _printing_signs(ranges: str) -> Iterator[str]:
    for bounds in ranges.split():
        yield from map(chr, range(int(bounds.partition("-")[0], 16), int(bounds.rpartition("-")[2], 16) + 1))


_COVERED = frozenset(covered())
_DRAWN = _COVERED.difference(_printing_signs(_IN_MONO_ONLY))


def printable(text: str) -> str:
    """Return the text with what cannot be printed written by its number; line breaks and tabs become spaces."""
    return _shown(text.translate(_SELECTORS), *(font.signs for font in machine_fonts()))


def drawable(text: str) -> str:
    """Return a drawing with what cannot be printed in its font written by its number."""
    return _written(text, _DRAWN.__contains__)


def _shown(text: str, *more: frozenset[str]) -> str:
    def is_known(sign: str) -> bool:
        return sign in _COVERED or (_has_look(sign) and any(sign in signs for signs in more))

    return _written(text, is_known)


def _written(text: str, is_known: Callable[[str], bool]) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        sign if is_known(sign) else " " if sign in "\t\n\r" else f"‹U+{ord(sign):04X}›"
        for sign in unicodedata.normalize("NFC", text)
    )


def pieces(text: str, longest: int = LONGEST_WORD) -> str | list[str | list[str]]:
    """Return the text; words too long for a column become lists of pieces between which a line may end."""
    parts = re.split(rf"(\S{{{longest},}})", text)
    if len(parts) == 1:
        return text
    return [_PIECE.findall(part) if at % 2 else part for at, part in enumerate(parts) if part]
