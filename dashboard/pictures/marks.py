"""Rows of marks over one scale of time: what happened when, each mark a link to it."""

from __future__ import annotations

from html import escape
from math import sqrt
from typing import TYPE_CHECKING

from dashboard.pictures.shapes import label_width, line, rectangle, shortened, text

if TYPE_CHECKING:
    from dashboard.pictures.specs import LinkedMark, MarksSpec, MarksTick

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
