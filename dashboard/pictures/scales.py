"""How full something is, from empty to full, with what begins at which fullness."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dashboard.pictures.legends import legend, with_patterns
from dashboard.pictures.patterns import filling
from dashboard.pictures.shapes import SIZE, label_width, line, rectangle, shortened, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import ScaleRow, ScaleSpec

_BAR, _WORDS, _LINE, _GAP = 18.0, 21.0, 18.0, 14.0


def scale_body(spec: ScaleSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend and the rows; below each bar its marks have a line each, the leftmost first.

    So the line that leads down to a mark's words crosses no words of another.
    """
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    for row in spec.rows:
        rows, top = _row(spec, row, fills, width, top)
        drawn += rows
    return with_patterns(patterns, drawn), top


def _row(spec: ScaleSpec, row: ScaleRow, fills: Sequence[str], width: int, top: float) -> tuple[list[str], float]:
    unit = (width - 2) / row.whole if row.whole > 0 else 0.0
    room = width - label_width(row.whole_text) - 16
    drawn = [
        text(0, top + 14, shortened(row.label, room, is_bold=True), weight=600),
        text(width, top + 14, row.whole_text, anchor="end", colour="ink-muted"),
    ]
    top += _WORDS
    for zone in row.zones:
        left, length = 1 + zone.start * unit, (zone.end - zone.start) * unit
        shape = rectangle(left, top, max(length, 1.5), _BAR, fills[zone.key], "var(--line-strong)")
        title = escape(spec.keys[zone.key].label)
        drawn.append(f"{shape.removesuffix('/>')}><title>{title}</title></rect>")
    foot = top + _BAR
    for mark in sorted(row.marks, key=lambda each: each.at):
        at = 1 + mark.at * unit
        drawn.append(line((at, top), (at, foot + _LINE - 4), "ink"))
        words = shortened(mark.text, width)
        if label_width(words) + 6 < at:
            drawn.append(text(at - 6, foot + SIZE, words, anchor="end"))
        else:
            drawn.append(text(min(at + 6, max(0.0, width - label_width(words))), foot + SIZE, words))
        foot += _LINE
    return drawn, foot + _GAP
