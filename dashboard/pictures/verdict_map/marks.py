"""The signs that nodes bear beside their colour, as strokes in a box of 12."""

from __future__ import annotations

from types import MappingProxyType

BOX = 12

MARKS = MappingProxyType(
    {
        "": "",
        "star": "M6 1.2l1.4 3 3.3.4-2.4 2.3.6 3.3L6 8.6 3.1 10.2l.6-3.3-2.4-2.3 3.3-.4z",
        "question": "M4 4.3a2 2 0 1 1 2.9 1.8q-.9.5-.9 1.4M6 9.4v.6",
        "dots": "M3 6h.1M6 6h.1M9 6h.1",
        "bar": "M2.5 6h7",
        "square": "M3 3h6v6H3z",
        "cross": "M3 3l6 6M3 9l6-6",
        "slash": "M3 9.5l6-7",
        "plus": "M6 2.5v7M2.5 6h7",
        "rails": "M2.5 4h7M2.5 8h7",
        "backslash": "M3 2.5l6 7",
        "pillars": "M4 2.5v7M8 2.5v7",
        "ring": "M9 6a3 3 0 1 1-6 0a3 3 0 1 1 6 0z",
        "chevron": "M4.5 2.5L8 6l-3.5 3.5",
        "zigzag": "M2 7.5l2.7-3.5 2.6 4L10 4.5",
        "post": "M6 2.5v7",
        "diamond": "M6 2l4 4-4 4-4-4z",
        "down": "M2.5 3.5h7L6 9z",
        "up": "M2.5 8.5h7L6 3z",
        "corner": "M3.5 2.5v6h6",
    }
)
"""Every mark by name; the empty one is none."""

OF_FILTERS = (
    "bar", "square", "cross", "slash", "plus", "rails", "backslash", "pillars", "ring", "chevron", "zigzag", "post",
    "diamond", "down", "up",
)  # fmt: skip
"""Those of the plugins that filter, in their order."""
OTHER = "corner"
"""Of whoever else rejects nodes."""


def sign(mark: str, left: float, top: float, side: float, colour: str) -> str:
    """Draw a mark in a square."""
    if not MARKS[mark]:
        return ""
    filled = colour if mark == "star" else "none"
    scale = side / BOX
    return (
        f'<path class="map-sign" d="{MARKS[mark]}" transform="translate({left:g} {top:g}) scale({scale:.3g})" '
        f'fill="{filled}" stroke="{colour}" stroke-width="{1.9 if mark != "star" else 0.6}" stroke-linecap="round"/>'
    )
