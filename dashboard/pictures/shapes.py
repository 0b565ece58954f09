"""The few shapes of the charts, and how much room words need: files are drawn without a browser to measure in."""

from __future__ import annotations

from html import escape

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
