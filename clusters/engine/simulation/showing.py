"""Numbers and values in messages."""

from __future__ import annotations


def shown(value: object) -> str:
    """A value as it appears in a message: quoted, and cut where it is long."""
    if isinstance(value, int) and abs(value) >= 10**30:
        return "A number of more than 30 digits"
    if isinstance(value, dict | list | tuple):
        return "A map" if isinstance(value, dict) else "A list"
    text = repr(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 62 else f"{text[:60]}…"


def counted(number: int, singular: str, plural: str) -> str:
    """A number with what there is so much of: ``1 pod``, ``3,078 pods``."""
    return f"{number:,} {singular if number == 1 else plural}"
