"""Bars of differences: for each row what its parts add to and take from the row that all are compared with."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dashboard.pictures.legends import legend, with_patterns
from dashboard.pictures.patterns import filling
from dashboard.pictures.shapes import label_width, line, rectangle, shortened, text

if TYPE_CHECKING:
    from dashboard.pictures.specs import DifferenceRow, DifferencesSpec

_BAR, _PITCH = 18.0, 26.0
# The labels get at most this share of the width.
_LABELS_MOST = 0.34


def differences_body(spec: DifferencesSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend and a bar for each row around a common zero, what is less at its left; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    left = min(max((label_width(row.label) for row in spec.rows), default=0.0), width * _LABELS_MOST) + 8
    end = max((label_width(row.text, is_bold=True) for row in spec.rows), default=0.0) + 8
    least = max((_side(row, -1) for row in spec.rows), default=0)
    most = max((_side(row, 1) for row in spec.rows), default=0)
    scale = (width - left - end) / (least + most or 1)
    zero = left + least * scale
    first = top
    for row in spec.rows:
        drawn.append(text(0, top + 14, shortened(row.label, left - 8)))
        ends = {1: zero, -1: zero}
        for key, fill, value, words in zip(spec.keys, fills, row.values, row.words, strict=True):
            if not value:
                continue
            sign = 1 if value > 0 else -1
            long = abs(value) * scale
            shape = rectangle(ends[sign] - (long if sign < 0 else 0), top, long, _BAR, fill, "var(--surface-card)")
            drawn.append(f"{shape.removesuffix('/>')}><title>{escape(key.label)}: {escape(words)}</title></rect>")
            ends[sign] += sign * long
        drawn.append(text(ends[1] + 6, top + 14, row.text, weight=600))
        top += _PITCH
    drawn.append(line((zero, first - 4), (zero, top - _PITCH + _BAR + 4), "chart-axis"))
    return with_patterns(patterns, drawn), top


def _side(row: DifferenceRow, sign: int) -> int:
    """Return how far a row reaches to one side."""
    return sum(abs(value) for value in row.values if value * sign > 0)
