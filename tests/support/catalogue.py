"""A compiled catalogue of translations, as msgfmt would write it."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_MAGIC = 0x950412DE
_HEADER = struct.Struct("<7I")
_ENTRY = struct.Struct("<2I")


def write_catalogue(folder: Path, locale: str, texts: Mapping[str, str]) -> None:
    """Write translations where Django finds them when ``folder`` is one of its LOCALE_PATHS."""
    entries = sorted({"": "Content-Type: text/plain; charset=UTF-8\n", **texts}.items())
    keys, values = ([text.encode() for text in column] for column in zip(*entries, strict=True))
    keys_at = _HEADER.size
    values_at = keys_at + len(keys) * _ENTRY.size
    place = values_at + len(values) * _ENTRY.size
    table = b""
    for text in (*keys, *values):
        table += _ENTRY.pack(len(text), place)
        place += len(text) + 1
    head = _HEADER.pack(_MAGIC, 0, len(keys), keys_at, values_at, 0, 0)
    path = folder / locale / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(head + table + b"".join(text + b"\0" for text in (*keys, *values)))
