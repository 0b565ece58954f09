"""Lines over steps or hours, drawn by the server as SVG, with the same numbers as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# The picture is so wide and high in its own units and is stretched to its place; a line keeps its width.
_WIDTH, _HEIGHT = 1000.0, 100.0
_MOST_ROWS = 25


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its name, the class that colours and dashes it, and its path; ``last`` is its last value in words."""

    name: str
    mark: str
    path: str
    last: str


@dataclass(frozen=True, slots=True)
class LineChart:
    """A chart: a sentence, its lines, the words at its edges, and the numbers; ``ticks`` go from the top down."""

    id: str
    title: str
    sentence: str
    lines: tuple[Line, ...]
    ticks: tuple[str, ...]
    first: str
    last: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    axis: str


def line_chart(
    *,
    name: str,
    title: str,
    sentence: str,
    at: Sequence[float],
    at_words: Sequence[str],
    values: Mapping[str, Sequence[float]],
    write: Callable[[float], str],
    axis: str,
    most: float | None = None,
) -> LineChart:
    """Draw series of the same length over ``at``; ``most`` is the top of the picture, by default the largest value."""
    top = most or max((max(series, default=0) for series in values.values()), default=0) or 1.0
    first, last = (at[0], at[-1]) if at else (0.0, 0.0)
    span = (last - first) or 1.0
    xs = [_WIDTH * (each - first) / span for each in at]
    rows = _some(range(len(at)))
    return LineChart(
        id=name,
        title=title,
        sentence=sentence,
        lines=tuple(
            Line(series, f"line-{number}", _path(xs, values[series], top), write(values[series][-1]) if at else "")
            for number, series in enumerate(values, 1)
        ),
        ticks=tuple(write(top * part) for part in (1.0, 0.5, 0.0)),
        first=at_words[0] if at else "",
        last=at_words[-1] if at else "",
        columns=(axis, *values),
        rows=tuple((at_words[row], *(write(series[row]) for series in values.values())) for row in rows),
        axis=axis,
    )


def _path(xs: Sequence[float], values: Sequence[float], top: float) -> str:
    """Return a path in steps: a value holds until the next one."""
    parts: list[str] = []
    for x, value in zip(xs, values, strict=True):
        y = _HEIGHT - _HEIGHT * min(1.0, max(0.0, value / top))
        parts.append(f"H{x:.1f}V{y:.2f}" if parts else f"M{x:.1f} {y:.2f}")
    if len(xs) == 1:
        parts.append(f"H{_WIDTH:.0f}")
    return "".join(parts)


def _some(rows: range) -> list[int]:
    """Return rows for a table that people read: spread evenly, with the first and the last."""
    if len(rows) <= _MOST_ROWS:
        return list(rows)
    return sorted({round(number * (len(rows) - 1) / (_MOST_ROWS - 1)) for number in range(_MOST_ROWS)})
