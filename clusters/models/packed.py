"""Documents that nobody searches in, compressed."""

from __future__ import annotations

import zlib
from typing import Any

import orjson


def packed(document: Any) -> bytes:
    """Return a JSON document compressed."""
    return zlib.compress(orjson.dumps(document), 6)


def unpacked(text: bytes | memoryview) -> Any:
    """Return the document that `packed` compressed."""
    return orjson.loads(zlib.decompress(text))
