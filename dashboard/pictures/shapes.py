"""The few shapes of pictures, fillings and legends, and how much room words need."""

from __future__ import annotations

from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dashboard.pictures.specs import Key


# -- The few shapes of the charts, and how much room words need -------------------------------------------------------


WIDE = 680
NARROW = 340
# The size of all words in a drawing, in its units: 9 pt on paper.
SIZE = 13
# Shares of the size that characters take in the widest of usual faces: rather too much than too little.
_THIN = frozenset("fijlrtI.,:;'|!()[]/ \u202f")
_BROAD = frozenset("mwMW%@")


def label_width(words: str, *, is_bold: bool = False) -> float:
    """Estimate how long words are when drawn."""
    width = SIZE * sum(0.38 if sign in _THIN else 0.98 if sign in _BROAD else 0.63 for sign in words)
    return width * 1.12 if is_bold else width


def shortened(words: str, room: float, *, is_bold: bool = False) -> str:
    """Cut words that need more room, at their middle: names of objects differ at their ends."""
    if label_width(words, is_bold=is_bold) <= room:
        return words
    half = len(words) // 2
    while half > 2 and label_width(f"{words[:half]}…{words[-half:]}", is_bold=is_bold) > room:
        half -= 1
    return f"{words[:half]}…{words[-half:]}"


def text(
    left: float, bottom: float, words: str, *, anchor: str = "start", colour: str = "ink", weight: int = 400
) -> str:
    """Write words; the left is their start, middle or end as the anchor says."""
    strong = f' font-weight="{weight}"' if weight != 400 else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    tone = f' fill="var(--{colour})"' if colour != "ink" else ""
    return f'<text x="{left:.1f}" y="{bottom:.1f}"{place}{tone}{strong}>{escape(words)}</text>'


def rectangle(left: float, top: float, width: float, height: float, fill: str, stroke: str) -> str:
    """Draw an area with an outline."""
    place = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}"/>'


def line(start: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    """Draw a thin straight line."""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="var(--{colour})" stroke-width="1"/>'
    )


# -- Fillings that differ without colour ------------------------------------------------------------------------------


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


# -- The legend of a picture whose rows or columns are made of the same parts, and the patterns of its fillings ------


_LINE = 20.0


def legend(keys: Sequence[Key], fills: Sequence[str], width: int) -> tuple[list[str], float]:
    """Return the legend, in as many lines as it needs, and where it ends."""
    drawn: list[str] = []
    at, top = 0.0, 0.0
    for key, fill in zip(keys, fills, strict=True):
        needed = 18 + label_width(key.label) + 16
        if at and at + needed - 16 > width:
            at, top = 0.0, top + _LINE
        drawn.append(rectangle(at + 0.5, top + 2, 12, 12, fill, "var(--line-strong)"))
        drawn.append(text(at + 18, top + 13, shortened(key.label, width - at - 18)))
        at += needed
    return drawn, top + _LINE + 8


def with_patterns(patterns: Mapping[str, str], drawn: Sequence[str]) -> str:
    """Put the patterns that the fillings name before what was drawn."""
    return (f"<defs>{''.join(patterns.values())}</defs>" if patterns else "") + "".join(drawn)
