"""Documents that nobody searches in, compressed."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import orjson


def packed(document: Any) -> bytes:
    """Return a JSON document compressed, or one of msgspec's structs."""
    return zlib.compress(orjson.dumps(document, default=msgspec.to_builtins), 6)


def unpacked(text: bytes | memoryview) -> Any:
    """Return the document that `packed` compressed."""
    return orjson.loads(zlib.decompress(text))
