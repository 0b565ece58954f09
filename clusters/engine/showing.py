"""Values as errors show them."""

from __future__ import annotations

from math import log10


def shown(value: object) -> str:
    """A value as an error quotes it: cut where it is long, and of a map or list no more than that it is one."""
    if isinstance(value, int) and abs(value) >= 10**30:
        # So large a number may have more digits than Python writes.
        return f"{'-' if value < 0 else ''}10^{int(log10(abs(value)))}"
    if isinstance(value, dict | list | tuple):
        return "{…}" if isinstance(value, dict) else "[…]"
    text = repr(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 62 else f"{text[:60]}…"
