"""The order of a search as a strip: how likely each stretch of it is looked at, and which of its nodes fit."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dashboard.pictures.legends import legend, with_patterns
from dashboard.pictures.patterns import filling
from dashboard.pictures.shapes import SIZE, label_width, line, rectangle, text

if TYPE_CHECKING:
    from dashboard.pictures.specs import SearchStripSpec

_HEIGHT, _STRIP, _GAP, _FOOT = 110.0, 14.0, 6.0, 24.0
_TICKS = (0, 50, 100)


def search_strip_body(spec: SearchStripSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend, a bar for each stretch, and below it the share of its nodes that fit; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    drawn.append(text(0, top + SIZE, spec.axis, colour="ink-muted"))
    top += SIZE + 10
    left = label_width("100") + 8
    bottom = top + _HEIGHT
    for tick in _TICKS:
        height = bottom - _HEIGHT * tick / 100
        drawn.append(line((left, height), (width, height), "chart-axis" if tick == 0 else "chart-grid"))
        drawn.append(text(left - 6, height + 4, f"{tick}", anchor="end", colour="ink-muted"))
    pitch = (width - left) / max(1, len(spec.stretches))
    feasible, rejected = fills
    for place, stretch in enumerate(spec.stretches):
        at, long = left + pitch * place, pitch * 0.9
        height = _HEIGHT * stretch.percent / 100
        bar = rectangle(at, bottom - height, long, height, "var(--verdict-fits-solid)", "none")
        drawn.append(f"{bar.removesuffix('/>')}><title>{escape(stretch.text)}</title></rect>")
        fits = long * stretch.feasible / stretch.nodes
        if fits:
            drawn.append(rectangle(at, bottom + _GAP, fits, _STRIP, feasible, "none"))
        if fits < long:
            drawn.append(rectangle(at + fits, bottom + _GAP, long - fits, _STRIP, rejected, "none"))
    base = bottom + _GAP + _STRIP + 16
    drawn.append(text(left, base, spec.first, colour="ink-muted"))
    drawn.append(text(width, base, spec.last, anchor="end", colour="ink-muted"))
    return with_patterns(patterns, drawn), bottom + _GAP + _STRIP + _FOOT
