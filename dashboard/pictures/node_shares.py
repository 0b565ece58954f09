"""A node's resources drawn to scale: each pod as wide as what it requests, what it uses below, and what is free."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dashboard.pictures.legends import legend, with_patterns
from dashboard.pictures.patterns import filling
from dashboard.pictures.shapes import label_width, rectangle, shortened, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import NodeShareRow, NodeSharesSpec

_BAR, _USED, _WORDS, _GAP = 34.0, 7.0, 21.0, 14.0
# Less of a name tells nothing.
_LEAST_NAME = 40.0


def node_shares_body(spec: NodeSharesSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend of what there is and a bar for each resource; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    pods = [pod for row in spec.rows for pod in row.pods]
    shown = (
        bool(pods),
        any(sum(pod.value for pod in row.pods) < row.whole for row in spec.rows),
        any(pod.used is not None for pod in pods),
        any((pod.used or 0) > pod.value for pod in pods),
    )
    found = [(key, fill) for key, fill, is_shown in zip(spec.keys, fills, shown, strict=True) if is_shown]
    drawn, top = legend([key for key, _ in found], [fill for _, fill in found], width)
    for row in spec.rows:
        rows, top = _row(spec, row, fills, width, top)
        drawn += rows
    return with_patterns(patterns, drawn), top


def _row(
    spec: NodeSharesSpec, row: NodeShareRow, fills: Sequence[str], width: int, top: float
) -> tuple[list[str], float]:
    requested = sum(pod.value for pod in row.pods)
    unit = (width - 2) / (max(row.whole, requested) or 1)
    room = width - label_width(row.whole_text) - 16
    drawn = [
        text(0, top + 14, shortened(row.label, room, is_bold=True), weight=600),
        text(width, top + 14, row.whole_text, anchor="end", colour="ink-muted"),
    ]
    top += _WORDS
    left = 1.0
    has_usage = any(pod.used is not None for pod in row.pods)
    outline = f"var(--{spec.keys[2].colour})"
    for pod in row.pods:
        wide = unit * pod.value
        drawn.append(f"<g><title>{escape(pod.text)}</title>{rectangle(left, top, wide, _BAR, fills[0], outline)}")
        if pod.used is not None and wide > 0:
            is_over = pod.used > pod.value
            # What is used beyond the request would lie below the next pod.
            drawn.append(
                rectangle(left, top + _BAR + 2, min(wide, unit * pod.used), _USED, fills[3 if is_over else 2], "none")
            )
        drawn.append("</g>")
        if wide >= _LEAST_NAME:
            drawn.append(text(left + 5, top + 21, shortened(pod.label, wide - 10)))
        left += wide
    free = unit * (row.whole - requested)
    if free > 0:
        drawn.append(rectangle(left, top, free, _BAR, fills[1], "var(--line-strong)"))
        if label_width(row.free_text) + 10 <= free:
            drawn.append(text(left + 5, top + 21, row.free_text, colour="ink-muted"))
    return drawn, top + _BAR + (_USED + 4 if has_usage else 0) + _GAP
