"""Bars, columns and lines: what is left, decisions over time, utilisation, trends, differences."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from math import floor, log10
from typing import TYPE_CHECKING

from clusters.wording.amounts import decimal, grouped
from clusters.wording.evaluation import counted
from clusters.wording.runs import summary
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
from dashboard.pictures.specs import BarPart, Fill, HeadroomRow, HeadroomSpec, StackRow, StackSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.functional import _StrOrPromise

    from dashboard.pictures.specs import BarsSpec, ColumnsSpec, Series, TrendSpec


# -- The lines of a trend ---------------------------------------------------------------------------------------------


_HEIGHT = 180.0
_BOTTOM = 26.0
_TOP = 24.0
# Lines' ends are labelled no closer than this.
_APART = SIZE + 3.0
# The labels get at most this share of the width.
_LABELS_MOST = 0.45
_DAY = 86400.0


def trend_body(spec: TrendSpec, width: int) -> tuple[str, float]:
    """Draw the lines and return the drawing's inside with its height."""
    labelled = [(series, _last(series)) for series in spec.series]
    highest = max((value for series in spec.series for value in series.values if value is not None), default=0.0)
    scale = ticks(highest)
    ceiling = scale[-1] or 1.0
    left = max(label_width(number(tick)) for tick in scale) + 8
    ends = [_at_end(series, value) for series, value in labelled if value is not None]
    right = width - min(max((label_width(end, is_bold=True) for end in ends), default=0.0) + 8, width * _LABELS_MOST)
    start, end = (spec.times[0], spec.times[-1]) if spec.times else (0.0, 0.0)
    span = (end - start) or 1.0

    def across(time: float) -> float:
        return left + (right - left) * (time - start) / span

    def down(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / ceiling

    drawn = [text(0, SIZE, spec.unit, colour="ink-muted")]
    for tick in scale:
        drawn.append(line((left, down(tick)), (right, down(tick)), "chart-axis" if tick == 0 else "chart-grid"))
        drawn.append(text(left - 6, down(tick) + 4, number(tick), anchor="end", colour="ink-muted"))
    drawn += _ends(*_words_of_ends(spec), left, right)
    for series in spec.series:
        points = [
            None if value is None else (across(time), down(value))
            for time, value in zip(spec.times, series.values, strict=True)
        ]
        drawn.append(_path(points, series, is_stepped=spec.is_stepped))
    drawn += _end_labels(
        [(series, down(value), value) for series, value in labelled if value is not None], right, width
    )
    return "".join(drawn), _HEIGHT


def _at_end(series: Series, value: float) -> str:
    return series.end or f"{series.label} {number(value)}"


def _last(series: Series) -> float | None:
    return next((value for value in reversed(series.values) if value is not None), None)


def ticks(highest: float) -> list[float]:
    """Return round values from 0 to the highest or beyond it, three to six of them."""
    if highest <= 0:
        return [0.0, 1.0]
    rough = highest / 4
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    count = int(-(-highest // step))
    return [step * number for number in range(count + 1)]


def number(value: float) -> str:
    """Write a value of a scale, with one decimal where it is small and not whole."""
    return grouped(round(value)) if value >= 100 or value == int(value) else decimal(round(value, 1))


def _words_of_ends(spec: TrendSpec) -> tuple[str, str]:
    """Say where the lines begin and end: by day, or with hours where a trend is shorter than two days."""
    if spec.labels:
        return spec.labels[0], spec.labels[-1]
    start, end = (spec.times[0], spec.times[-1]) if spec.times else (0.0, 0.0)
    pattern = "%d %b %Y" if end - start >= 2 * _DAY else "%d %b %H:%M"
    first, last = (datetime.fromtimestamp(time, tz=UTC).strftime(pattern).lstrip("0") for time in (start, end))
    return first, last


def _ends(first: str, last: str, left: float, right: float) -> list[str]:
    drawn = [text(left, _HEIGHT - 8, first, colour="ink-muted")]
    if right - left > label_width(first) + label_width(last) + 12:
        drawn.append(text(right, _HEIGHT - 8, last, anchor="end", colour="ink-muted"))
    return drawn


def _path(points: list[tuple[float, float] | None], series: Series, *, is_stepped: bool) -> str:
    """Draw one line; it is broken where nothing is known, and a point alone is a dot."""
    dashes = ' stroke-dasharray="6 4"' if series.is_dashed else ""
    colour = f"var(--{series.colour})"
    steps: list[str] = []
    dots: list[str] = []
    for before, point, after in zip([None, *points[:-1]], points, [*points[1:], None], strict=True):
        if point is None:
            continue
        if before and is_stepped:
            steps.append(f"H{point[0]:.1f}V{point[1]:.1f}")
        else:
            steps.append(f"{'L' if before else 'M'}{point[0]:.1f} {point[1]:.1f}")
        if before is None and after is None:
            dots.append(f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="3" fill="{colour}"/>')
    return (
        f'<path d="{"".join(steps)}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dashes}/>'
        + "".join(dots)
    )


def _end_labels(ends: list[tuple[Series, float, float]], right: float, width: int) -> list[str]:
    """Write each line's name and last value beside its end, none upon another."""
    drawn: list[str] = []
    above = 0.0
    # Labels of many lines near the ground would end below the picture: then they begin higher.
    ordered = sorted(ends, key=lambda end: end[1])
    for place, (series, height, value) in enumerate(ordered):
        lowest = _HEIGHT - 4 - _APART * (len(ordered) - 1 - place)
        above = max(min(height + 4, lowest), above + _APART)
        words = shortened(_at_end(series, value), width - right - 6, is_bold=True)
        drawn.append(text(right + 6, above, words, colour=series.colour, weight=600))
    return drawn


# -- Stacked bars and columns with one legend -------------------------------------------------------------------------


_BAR, _PITCH = 18.0, 26.0
# The labels get at most this share of the width.
_LABELS_MOST_OF_COLUMNS = 0.34
_HEIGHT_OF_COLUMNS, _FOOT = 150.0, 26.0


def bars_body(spec: BarsSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend and a bar for each row, its label at the left and its whole at the right; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = legend(spec.keys, fills, width)
    left = min(max((label_width(row.label) for row in spec.rows), default=0.0), width * _LABELS_MOST_OF_COLUMNS) + 8
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
    bottom = top + _HEIGHT_OF_COLUMNS
    for tick in scale:
        height = bottom - (_HEIGHT_OF_COLUMNS - SIZE) * tick / scale[-1]
        drawn.append(line((left, height), (width, height), "chart-axis" if tick == 0 else "chart-grid"))
        drawn.append(text(left - 6, height + 4, number(tick), anchor="end", colour="ink-muted"))
    pitch = (width - left) / max(1, len(spec.starts))
    for column, start in enumerate(spec.starts):
        at = bottom
        for key, fill, values in zip(spec.keys, fills, spec.values, strict=True):
            height = (_HEIGHT_OF_COLUMNS - SIZE) * values[column] / scale[-1]
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


# -- Bars of shares and of counts, each labelled directly -------------------------------------------------------------


_BAR_OF_STACKS = 20.0
_GAP = 10.0
# Of fewer bars each has its own words.
_FEW_ROWS = 3
# The hatching's lines are of the card's colour, so that a hatched area reads as the same colour, lighter.
_HATCH = (
    '<pattern id="{id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" fill="var(--{colour})"/>'
    '<rect width="3" height="6" fill="var(--surface-card)"/></pattern>'
)


def _fill(part: BarPart, prefix: str, patterns: dict[str, str]) -> tuple[str, str]:
    """Return an area's filling and its outline; a hatched one needs a pattern."""
    if part.fill == "light":
        return "var(--surface-muted)", "var(--line-strong)"
    if part.fill == "solid":
        return f"var(--{part.colour})", f"var(--{part.colour})"
    name = f"{prefix}-{part.colour}"
    patterns[name] = _HATCH.format(id=name, colour=part.colour)
    return f"url(#{name})", f"var(--{part.colour})"


def stacks_body(spec: StackSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw bars of equal length: a row's label, its whole at the right, the bar, and below it its parts in words.

    Where the words of several bars would take several lines each, they stand once above all, and amounts alone below.
    """
    patterns: dict[str, str] = {}
    drawn: list[str] = []
    top = 0.0
    looks = {part.label: part for row in spec.rows for part in row.parts}
    is_shared = (
        len(spec.rows) >= _FEW_ROWS
        and any(len(_lines(map(_words, row.parts), width)) > 1 for row in spec.rows)
        and _is_of_one_look(spec, looks)
    )
    if is_shared:
        marks = [(*_fill(part, prefix, patterns), label) for label, part in looks.items()]
        drawn, top = _legend(marks, width, top)
        top += _GAP
    for row in spec.rows:
        rows, top = _stack(row, width, top, prefix, patterns, has_words=not is_shared)
        drawn += rows
    return with_patterns(patterns, drawn), top


def _is_of_one_look(spec: StackSpec, looks: Mapping[str, BarPart]) -> bool:
    """Whether parts with the same words have the same colour in all bars; zones have their own."""
    parts = (part for row in spec.rows for part in row.parts)
    return all((part.colour, part.fill) == (looks[part.label].colour, looks[part.label].fill) for part in parts)


def _words(part: BarPart) -> str:
    return f"{part.label} {part.text}"


def _lines(words: Iterable[str], width: int) -> list[list[tuple[float, str]]]:
    """Set words one after another, each behind its mark: lines of places and words."""
    lines: list[list[tuple[float, str]]] = [[]]
    at = 0.0
    for each in words:
        needed = 16 + label_width(each) + 18
        if at and at + needed - 18 > width:
            lines.append([])
            at = 0.0
        lines[-1].append((at, each))
        at += needed
    return lines


def _legend(marks: Sequence[tuple[str, str, str]], width: int, top: float) -> tuple[list[str], float]:
    """Draw marks with their words, each a filling, an outline and what it is; return where the next line begins."""
    drawn: list[str] = []
    fills = iter(marks)
    for parts in _lines([words for _, _, words in marks], width):
        for at, words in parts:
            filling, outline, _ = next(fills)
            drawn.append(rectangle(at + 0.5, top + 2, 10, 10, filling, outline))
            drawn.append(text(at + 16, top + 12, shortened(words, width - at - 16)))
        top += 19
    return drawn, top


def _stack(
    row: StackRow, width: int, top: float, prefix: str, patterns: dict[str, str], *, has_words: bool
) -> tuple[list[str], float]:
    room = width - label_width(row.whole_text) - 16
    drawn = [
        text(0, top + 14, shortened(row.label, room, is_bold=True), weight=600),
        text(width, top + 14, row.whole_text, anchor="end", colour="ink-muted"),
    ]
    top += 21
    left = 1.0
    legend: list[tuple[str, str, str]] = []
    for part in row.parts:
        length = (width - 2) * min(max(part.value, 0) / row.whole, 1) if row.whole > 0 else 0
        filling, outline = _fill(part, prefix, patterns)
        if length > 0:
            drawn.append(rectangle(left, top, min(length, width - 1 - left), _BAR_OF_STACKS, filling, outline))
        left = min(left + length, width - 1.0)
        legend.append((filling, outline, _words(part) if has_words else part.text))
    if left < width - 1:
        drawn.append(rectangle(left, top, width - 1 - left, _BAR_OF_STACKS, "none", "var(--line-strong)"))
    below, top = _legend(legend, width, top + _BAR_OF_STACKS + 6)
    return drawn + below, top + _GAP


def headroom_body(spec: HeadroomSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw up to three bars a shape, each with its number and what it means at its end."""
    patterns: dict[str, str] = {}
    drawn: list[str] = []
    top = 0.0
    for row in spec.rows:
        drawn.append(text(0, top + 14, shortened(row.label, width, is_bold=True), weight=600))
        top += 20
        parts = _losses(row)
        most = max(part.value for part in parts)
        room = width - 10 - max(label_width(f"{part.text} {part.label}") for part in parts)
        for part in parts:
            length = max(room * part.value / most if most else 0, 1)
            filling, outline = _fill(part, prefix, patterns)
            drawn.append(rectangle(1, top + 1, length, 14, filling, outline))
            drawn.append(text(length + 8, top + 13, f"{part.text} {part.label}"))
            top += 18
        top += _GAP
    return with_patterns(patterns, drawn), top


_LOSSES: tuple[tuple[_StrOrPromise, Fill], ...] = (
    (summary.NOW, "solid"),
    (summary.AFTER_NODE, "hatch"),
    (summary.AFTER_ZONE, "light"),
)


def _losses(row: HeadroomRow) -> list[BarPart]:
    counts = (row.now, row.after_node, row.after_zone)
    return [
        BarPart(str(label), "verdict-chosen-solid", count.pods, counted(count.pods, is_whole=count.is_whole), fill)
        for (label, fill), count in zip(_LOSSES, counts, strict=True)
        if count is not None
    ]
