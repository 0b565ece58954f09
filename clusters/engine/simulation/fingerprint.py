"""A short text that stands for a document: the same for equal ones, on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

# What Kubernetes writes hashes with: no vowels, which could make words.
_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_LENGTH: Final = 9


def fingerprint(document: Any) -> str:
    """Nine letters and digits; the order of a map's keys does not matter."""
    number = int.from_bytes(blake2b(repr(_sorted(document)).encode(), digest_size=16).digest())
    text = ""
    for _ in range(_LENGTH):
        number, digit = divmod(number, len(_LETTERS))
        text += _LETTERS[digit]
    return text


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return [(str(key), _sorted(value[key])) for key in sorted(value, key=str)]
    return [_sorted(part) for part in value] if isinstance(value, list | tuple) else value
