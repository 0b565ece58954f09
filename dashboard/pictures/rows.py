"""Pictures that are one row: marks over time, slots of pods, how full something is, shares of nodes, searches."""

from __future__ import annotations

from html import escape
from math import sqrt
from typing import TYPE_CHECKING

from dashboard.pictures.shapes import (
    SIZE,
    filling,
    label_width,
    legend,
    line,
    rectangle,
    shortened,
    text,
    with_patterns,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import (
        LinkedMark,
        MarksSpec,
        MarksTick,
        NodeShareRow,
        NodeSharesSpec,
        ScaleRow,
        ScaleSpec,
        SearchStripSpec,
        SlotsSpec,
    )


# -- Rows of marks over one scale of time -----------------------------------------------------------------------------


_PITCH, _MARK, _LEAST = 26.0, 20.0, 7.0
_FOOT = 28.0
# The labels get at most this share of the width.
_LABELS_MOST = 0.38
# What a finger needs.
_TARGET = 24.0


def marks_body(spec: MarksSpec, width: int) -> tuple[str, float]:
    """Draw a row for each kind, its label at the left and its number at the right, and the scale below them."""
    left = min(max((label_width(row.label) for row in spec.rows), default=0.0), width * _LABELS_MOST) + 10
    end = max((label_width(row.text) for row in spec.rows), default=0.0) + 12
    room, bottom = width - left - end, len(spec.rows) * _PITCH
    drawn: list[str] = []
    labelled = _thinned(spec.ticks, room)
    drawn.extend(line((left + tick.at * room, 0), (left + tick.at * room, bottom), "chart-grid") for tick in labelled)
    for number, row in enumerate(spec.rows):
        foot = (number + 1) * _PITCH - 3
        drawn.append(line((left, foot), (width - end, foot), "chart-grid"))
        drawn.append(text(0, foot - 4, shortened(row.label, left - 10)))
        drawn.append(text(width, foot - 4, row.text, anchor="end", colour="ink-muted"))
        drawn.extend(_mark(mark, left, room, foot, row.colour) for mark in row.marks)
    drawn.extend(_label(tick, left + tick.at * room, bottom, width) for tick in labelled)
    return "".join(drawn), bottom + _FOOT


def _mark(mark: LinkedMark, left: float, room: float, foot: float, colour: str) -> str:
    """Draw a mark, as high as the root of what it stands for; keyboards reach the same in the table below."""
    height = _LEAST + (_MARK - _LEAST) * sqrt(mark.size)
    wide = max(mark.width * room * 0.85, 3.0)
    at = min(left + mark.at * room, left + room - wide)
    shape = rectangle(at, foot - height, wide, height, f"var(--{colour})", "none")
    shape = f"{shape.removesuffix('/>')}><title>{escape(mark.title)}</title></rect>"
    if not mark.address:
        return shape
    return f'<a href="{escape(mark.address)}" tabindex="-1" aria-label="{escape(mark.title)}">{shape}</a>'


def _thinned(ticks: tuple[MarksTick, ...], room: float) -> tuple[MarksTick, ...]:
    """Leave out moments until the words of the others have room beside each other."""
    needed = max((label_width(tick.label) for tick in ticks), default=0.0) + 14
    every = 1
    while len(ticks) / every * needed > room and every < len(ticks):
        every += 1
    return ticks[::every]


def _label(tick: MarksTick, at: float, top: float, width: int) -> str:
    half = label_width(tick.label) / 2
    at = min(max(at, half), width - half)
    words = text(at, top + 17, tick.label, anchor="middle", colour="link" if tick.address else "ink-muted")
    if not tick.address:
        return words
    area = rectangle(at - half - 3, top, max(2 * half + 6, _TARGET), _TARGET, "transparent", "none")
    return f'<a href="{escape(tick.address)}" aria-label="{escape(tick.title)}">{area}{words}</a>'


# -- Pods as a row of slots, with a line where something begins -------------------------------------------------------


# A slot of more width than this looks like a bar, one of less like a stroke.
_MOST, _LEAST_OF_SLOTS = 24.0, 5.0
_HIGH, _WORDS = 22.0, SIZE + 6


def slots_body(spec: SlotsSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend of the parts that there are, the line's words, and the slots; return the height.

    Where there are too many slots for one each, a part is one area.
    """
    patterns: dict[str, str] = {}
    fills = ["none" if number in spec.empty else filling(key, prefix, patterns) for number, key in enumerate(spec.keys)]
    shown = [part.key for part in spec.parts if part.slots]
    drawn, top = legend([spec.keys[key] for key in shown], [fills[key] for key in shown], width)
    unit = min(_MOST, (width - 4) / max(1, sum(part.slots for part in spec.parts)))
    top += _WORDS
    at = 2.0
    for part in spec.parts:
        colour = f"var(--{spec.keys[part.key].colour})"
        broken = ' stroke-dasharray="4 2"' if part.key in spec.empty else ""
        size, number = (unit, part.slots) if unit >= _LEAST_OF_SLOTS else (unit * part.slots, min(1, part.slots))
        drawn.append(f"<g><title>{escape(part.text)}</title>")
        gap = min(3.0, size / 4)
        drawn += [
            f'<rect x="{at + size * place + gap / 2:.1f}" y="{top:.1f}" width="{size - gap:.1f}" height="{_HIGH}" '
            f'fill="{fills[part.key]}" stroke="{colour}" stroke-width="1.5"{broken}/>'
            for place in range(number)
        ]
        drawn.append("</g>")
        at += size * number
    if not spec.line_text:
        return with_patterns(patterns, drawn), top + _HIGH + 6
    across = 2 + unit * spec.line_at
    drawn.append(
        f'<line x1="{across:.1f}" y1="{top - _WORDS + 4:.1f}" x2="{across:.1f}" y2="{top + _HIGH + 4:.1f}" '
        f'stroke="var(--ink)" stroke-width="2"/>'
    )
    words = spec.line_text
    is_left = across + 6 + label_width(words, is_bold=True) > width
    drawn.append(
        text(across + (-6 if is_left else 6), top - 7, words, anchor="end" if is_left else "start", weight=600)
    )
    return with_patterns(patterns, drawn), top + _HIGH + 6


# -- How full something is, from empty to full, with what begins at which fullness ------------------------------------


_BAR, _WORDS_OF_SCALES, _LINE, _GAP = 18.0, 21.0, 18.0, 14.0


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
    top += _WORDS_OF_SCALES
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


# -- The order of a search as a strip ---------------------------------------------------------------------------------


_HEIGHT, _STRIP, _GAP_OF_SEARCH_STRIPS, _FOOT_OF_SEARCH_STRIPS = 110.0, 14.0, 6.0, 24.0
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
            drawn.append(rectangle(at, bottom + _GAP_OF_SEARCH_STRIPS, fits, _STRIP, feasible, "none"))
        if fits < long:
            drawn.append(rectangle(at + fits, bottom + _GAP_OF_SEARCH_STRIPS, long - fits, _STRIP, rejected, "none"))
    base = bottom + _GAP_OF_SEARCH_STRIPS + _STRIP + 16
    drawn.append(text(left, base, spec.first, colour="ink-muted"))
    drawn.append(text(width, base, spec.last, anchor="end", colour="ink-muted"))
    return with_patterns(patterns, drawn), bottom + _GAP_OF_SEARCH_STRIPS + _STRIP + _FOOT_OF_SEARCH_STRIPS


# -- A node's resources drawn to scale --------------------------------------------------------------------------------


_BAR_OF_NODE_SHARES, _USED, _WORDS_OF_NODE_SHARES, _GAP_OF_NODE_SHARES = 34.0, 7.0, 21.0, 14.0
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
        rows, top = _row_of_node_shares(spec, row, fills, width, top)
        drawn += rows
    return with_patterns(patterns, drawn), top


def _row_of_node_shares(
    spec: NodeSharesSpec, row: NodeShareRow, fills: Sequence[str], width: int, top: float
) -> tuple[list[str], float]:
    requested = sum(pod.value for pod in row.pods)
    unit = (width - 2) / (max(row.whole, requested) or 1)
    room = width - label_width(row.whole_text) - 16
    drawn = [
        text(0, top + 14, shortened(row.label, room, is_bold=True), weight=600),
        text(width, top + 14, row.whole_text, anchor="end", colour="ink-muted"),
    ]
    top += _WORDS_OF_NODE_SHARES
    left = 1.0
    has_usage = any(pod.used is not None for pod in row.pods)
    outline = f"var(--{spec.keys[2].colour})"
    for pod in row.pods:
        wide = unit * pod.value
        drawn.append(
            f"<g><title>{escape(pod.text)}</title>{rectangle(left, top, wide, _BAR_OF_NODE_SHARES, fills[0], outline)}"
        )
        if pod.used is not None and wide > 0:
            is_over = pod.used > pod.value
            # What is used beyond the request would lie below the next pod.
            drawn.append(
                rectangle(
                    left,
                    top + _BAR_OF_NODE_SHARES + 2,
                    min(wide, unit * pod.used),
                    _USED,
                    fills[3 if is_over else 2],
                    "none",
                )
            )
        drawn.append("</g>")
        if wide >= _LEAST_NAME:
            drawn.append(text(left + 5, top + 21, shortened(pod.label, wide - 10)))
        left += wide
    free = unit * (row.whole - requested)
    if free > 0:
        drawn.append(rectangle(left, top, free, _BAR_OF_NODE_SHARES, fills[1], "var(--line-strong)"))
        if label_width(row.free_text) + 10 <= free:
            drawn.append(text(left + 5, top + 21, row.free_text, colour="ink-muted"))
    return drawn, top + _BAR_OF_NODE_SHARES + (_USED + 4 if has_usage else 0) + _GAP_OF_NODE_SHARES
