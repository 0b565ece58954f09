"""Stacked bars and columns with one legend: what is left of workloads and budgets, decisions over time."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from dashboard.pictures.legends import legend, with_patterns
from dashboard.pictures.lines import number, ticks
from dashboard.pictures.patterns import filling
from dashboard.pictures.shapes import SIZE, label_width, line, rectangle, shortened, text

if TYPE_CHECKING:
    from dashboard.pictures.specs import BarsSpec, ColumnsSpec

_BAR, _PITCH = 18.0, 26.0
# The labels get at most this share of the width.
_LABELS_MOST = 0.34
_HEIGHT, _FOOT = 150.0, 26.0


def bars_body(spec: BarsSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend and a bar for each row, its label at the left and its whole at the right; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    left = min(max((label_width(row.label) for row in spec.rows), default=0.0), width * _LABELS_MOST) + 8
    end = max((label_width(row.text, is_bold=True) for row in spec.rows), default=0.0) + 8
    most = max((sum(row.values) for row in spec.rows), default=0) or 1
    for row in spec.rows:
        drawn.append(text(0, top + 14, shortened(row.label, left - 8)))
        at = left
        for key, fill, value in zip(spec.keys, fills, row.values, strict=True):
            length = (width - left - end) * value / most
            if length > 0:
                drawn.append(_named(rectangle(at, top, length, _BAR, fill, "var(--surface-card)"), key.label, value))
            at += length
        drawn.append(text(at + 6, top + 14, row.text, weight=600))
        top += _PITCH
    return with_patterns(patterns, drawn), top


def columns_body(spec: ColumnsSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend, a scale and a column for each start; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    scale = ticks(max((sum(column) for column in zip(*spec.values, strict=True)), default=0))
    # Decisions are whole.
    scale = [tick for tick in scale if tick == int(tick)]
    left = max(label_width(number(tick)) for tick in scale) + 8
    bottom = top + _HEIGHT
    for tick in scale:
        height = bottom - (_HEIGHT - SIZE) * tick / scale[-1]
        drawn.append(line((left, height), (width, height), "chart-axis" if tick == 0 else "chart-grid"))
        drawn.append(text(left - 6, height + 4, number(tick), anchor="end", colour="ink-muted"))
    pitch = (width - left) / max(1, len(spec.starts))
    for column, start in enumerate(spec.starts):
        at = bottom
        for key, fill, values in zip(spec.keys, fills, spec.values, strict=True):
            height = (_HEIGHT - SIZE) * values[column] / scale[-1]
            at -= height
            if height > 0:
                shape = rectangle(left + pitch * column, at, pitch * 0.9, height, fill, "none")
                drawn.append(_named(shape, f"{start}, {key.label}", values[column]))
    if spec.starts:
        drawn.append(text(left, bottom + 18, spec.starts[0], colour="ink-muted"))
        drawn.append(text(width, bottom + 18, spec.starts[-1], anchor="end", colour="ink-muted"))
    return with_patterns(patterns, drawn), bottom + _FOOT


def _named(shape: str, label: str, value: int) -> str:
    """Give a shape a title, which browsers show to a pointer."""
    return f"{shape.removesuffix('/>')}><title>{escape(label)}: {grouped(value)}</title></rect>"
