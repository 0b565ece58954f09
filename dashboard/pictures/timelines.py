"""Rows of stretches over one scale of time: what happens one after the other, and what lasts how long."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dashboard.pictures.columns import number, ticks
from dashboard.pictures.shapes import filling, label_width, legend, line, rectangle, shortened, text, with_patterns

if TYPE_CHECKING:
    from dashboard.pictures.specs import Stretch, TimelineSpec

_BAR, _WORDS, _GAP = 14.0, 20.0, 12.0
_FOOT = 22.0


def timeline_body(spec: TimelineSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend, and for each row its words above its stretches; return the inside with its height.

    What has no end goes to the right edge and lies open there.
    """
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    moments = [moment for row in spec.rows for each in row.stretches for moment in (each.start, each.end or 0.0)]
    scale = ticks(max(moments, default=0.0))
    # What goes on needs some room behind the last tick.
    unit = (width - 30) / (scale[-1] * 1.04 or 1.0)
    bottom = top + len(spec.rows) * (_WORDS + _BAR + _GAP)
    for tick in scale:
        at = 1 + tick * unit
        drawn.append(line((at, top), (at, bottom), "chart-grid"))
        anchor = "start" if tick == 0 else "middle"
        drawn.append(text(at, bottom + 14, f"{number(tick)} {spec.unit}", anchor=anchor, colour="ink-muted"))
    for row in spec.rows:
        room = width - label_width(row.text) - 16
        drawn.append(text(0, top + 14, shortened(row.label, max(room, width * 0.4), is_bold=True), weight=600))
        drawn.append(text(width, top + 14, shortened(row.text, width * 0.6), anchor="end", colour="ink-muted"))
        top += _WORDS
        for each in row.stretches:
            end = width if each.end is None else 1 + each.end * unit
            shape = rectangle(1 + each.start * unit, top, max(end - 1 - each.start * unit, 1.5), _BAR,
                              fills[each.key], "var(--line-strong)")  # fmt: skip
            drawn.append(f"{shape.removesuffix('/>')}><title>{escape(_title(spec, each))}</title></rect>")
        top += _BAR + _GAP
    return with_patterns(patterns, drawn), bottom + _FOOT


def _title(spec: TimelineSpec, stretch: Stretch) -> str:
    end = "∞" if stretch.end is None else number(stretch.end)
    return f"{spec.keys[stretch.key].label}: {number(stretch.start)}–{end} {spec.unit}"
