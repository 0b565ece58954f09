"""Fillings that differ without colour: a token's colour with strokes over it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dashboard.pictures.specs import Key

# Strokes over a square of 16, by the sign that stands for a pattern, here and in Plotly.
STROKES = MappingProxyType(
    {
        "": "",
        "/": "M0 16L16 0M-4 4L4 -4M12 20L20 12",
        "\\": "M0 0L16 16M-4 12L4 20M12 -4L20 4",
        "x": "M0 16L16 0M0 0L16 16",
        ".": "M5 5h.01M11 11h.01M11 5h.01M5 11h.01",
        "-": "M0 4h16M0 8h16M0 12h16",
        "|": "M4 0v16M8 0v16M12 0v16",
        "+": "M8 0v16M0 8h16",
    }
)
_PATTERN = (
    '<pattern id="{id}" width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="scale(.6)">'
    '<rect width="16" height="16" fill="var(--{colour})"/><path d="{strokes}" fill="none" '
    'stroke="var(--surface-card)" stroke-width="1.5" stroke-linecap="round"/></pattern>'
)


def filling(key: Key, prefix: str, patterns: dict[str, str]) -> str:
    """Return what fills a part; a pattern that it needs is added to `patterns` under its id."""
    if not key.pattern:
        return f"var(--{key.colour})"
    name = f"{prefix}-{key.colour}"
    patterns[name] = _PATTERN.format(id=name, colour=key.colour, strokes=STROKES[key.pattern])
    return f"url(#{name})"
