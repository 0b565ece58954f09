"""The lines of a trend: over days, each labelled at its end."""

from __future__ import annotations

from datetime import UTC, datetime
from math import floor, log10
from typing import TYPE_CHECKING

from clusters.wording.amounts import decimal, grouped
from dashboard.pictures.shapes import SIZE, label_width, line, shortened, text

if TYPE_CHECKING:
    from dashboard.pictures.specs import Series, TrendSpec

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
