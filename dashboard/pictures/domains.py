"""Domains as columns of pods between the fewest and the most that a constraint allows; many domains by their pods."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from dashboard.pictures.shapes import SIZE, filling, label_width, legend, shortened, text, with_patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import DomainColumn, DomainHistogramSpec, DomainsSpec

# A pod is at most so high; a column of more pods than these need is drawn as one area.
_POD, _LEAST_POD, _HEIGHT = 15.0, 5.0, 120.0
_WIDEST, _GAP, _FOOT = 108.0, 10.0, 38.0
_HEAD = SIZE + 10


def domains_body(spec: DomainsSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw a column for each domain, with a square for each pod, and the two lines across; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    drawn, top = _legend(spec, fills, width)
    highest = max([spec.ceiling, *(column.pods + column.is_open for column in spec.columns), 1])
    unit = min(_POD, _HEIGHT / highest)
    bottom = top + 8 + unit * highest
    side = max(label_width(spec.floor_text), label_width(spec.ceiling_text)) + 8
    pitch = min(_WIDEST, (width - side) / max(1, len(spec.columns)))
    end = pitch * len(spec.columns)
    labels = _told_apart([column.label for column in spec.columns], pitch - 2)
    for place, (column, label) in enumerate(zip(spec.columns, labels, strict=True)):
        drawn += _column(column, label, fills, spec.ceiling, (pitch * place, pitch - _GAP, bottom, unit))
    drawn.append(_level(end, bottom, colour="chart-axis"))
    floor, ceiling = bottom - unit * spec.floor, bottom - unit * spec.ceiling
    drawn.append(_level(end, floor, dashes="4 3"))
    drawn.append(_level(end, ceiling, weight=2))
    # The words of lines that lie close to each other would lie upon each other.
    apart = max(0.0, SIZE + 3 - (floor - ceiling)) / 2
    drawn.append(text(end + 6, ceiling + 4 - apart, spec.ceiling_text, weight=600))
    drawn.append(text(end + 6, floor + 4 + apart, spec.floor_text, colour="ink-muted"))
    return with_patterns(patterns, drawn), bottom + _FOOT + max(0.0, apart - _FOOT + SIZE)


def _legend(spec: DomainsSpec, fills: Sequence[str], width: int) -> tuple[list[str], float]:
    """Explain the parts that there are."""
    columns = spec.columns
    shown = (
        any(each.pods and each.counts for each in columns),
        any(each.pods > spec.ceiling and each.counts for each in columns),
        any(each.pods and not each.counts for each in columns),
        any(each.is_open for each in columns),
    )
    found = [(key, fill) for key, fill, is_shown in zip(spec.keys, fills, shown, strict=True) if is_shown]
    return legend([key for key, _ in found], [fill for _, fill in found], width)


def _column(
    column: DomainColumn, label: str, fills: Sequence[str], ceiling: int, at: tuple[float, float, float, float]
) -> list[str]:
    left, width, bottom, unit = at
    within, over, aside = fills[:3]
    allowed = min(column.pods, ceiling) if column.counts else column.pods
    parts = [(0, allowed, within if column.counts else aside), (allowed, column.pods, over)]
    drawn = [f"<g><title>{escape(column.text)}</title>"]
    if column.is_open:
        lit = unit * ceiling
        drawn.append(_area(left, bottom - lit, width, lit, fills[3], ""))
    for first, last, fill in parts:
        step = 1 if unit >= _LEAST_POD else max(1, last - first)
        drawn += [
            _area(left, bottom - unit * (number + step), width, unit * step, fill)
            for number in range(first, last, step)
        ]
    top = bottom - unit * column.pods
    if column.is_open:
        high = max(unit, _LEAST_POD)
        top -= high
        colour = "verdict-fits-solid"
        drawn.append(_area(left + 1, top + 1, width - 2, high - 2, "none", colour, 2))
        if high >= 10:
            middle, centre, arm = left + width / 2, top + high / 2, 3.5
            for start, end in (
                ((middle - arm, centre), (middle + arm, centre)),
                ((middle, centre - arm), (middle, centre + arm)),
            ):
                drawn.append(_stroke(start, end, colour, 2, ""))
    drawn.append("</g>")
    # Above a column its number would lie upon the lines.
    drawn.append(text(left + width / 2, bottom + 16, grouped(column.pods), anchor="middle", weight=600))
    drawn.append(text(left + width / 2, bottom + 32, label, anchor="middle"))
    return drawn


def histogram_body(spec: DomainHistogramSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw how many domains have how many pods, the lines between the columns; return the height."""
    patterns: dict[str, str] = {}
    fills = [filling(key, prefix, patterns) for key in spec.keys]
    shown = [place for place in range(len(spec.keys)) if any(each.domains[place] for each in spec.bins)]
    drawn, top = legend([spec.keys[place] for place in shown], [fills[place] for place in shown], width)
    marks = [(spec.floor_at, spec.floor_text, "4 3", 1), (spec.ceiling_at, spec.ceiling_text, "", 2)]
    lines = [each for each in marks if each[0] is not None]
    top += 18 * len(lines) + _HEAD
    bottom = top + _HEIGHT * 0.75
    pitch = min(_WIDEST / 2, width / max(1, len(spec.bins)))
    most = max((sum(each.domains) for each in spec.bins), default=0) or 1
    for place, each in enumerate(spec.bins):
        at = bottom
        left, wide = pitch * place + 2, pitch - 4
        drawn.append(f"<g><title>{escape(each.text)}</title>")
        for fill, domains in zip(fills, each.domains, strict=True):
            # A few of thousands are seen too.
            high = max(2.0, (bottom - top) * domains / most) if domains else 0.0
            at -= high
            if domains:
                drawn.append(_area(left, at, wide, high, fill))
        drawn.append("</g>")
        count = sum(each.domains)
        if count and label_width(grouped(count)) <= pitch + 4:
            drawn.append(text(left + wide / 2, at - 4, grouped(count), anchor="middle", weight=600))
        if place % max(1, round(label_width(each.label) * 1.2 / pitch + 0.49)) == 0:
            drawn.append(text(left + wide / 2, bottom + 16, each.label, anchor="middle"))
    end = pitch * len(spec.bins)
    drawn.append(_level(max(end, 1), bottom, colour="chart-axis"))
    for row, (place_at, words, dashes, weight) in enumerate(lines):
        across = pitch * (place_at or 0.0)
        head = top - _HEAD - 18 * (len(lines) - row) + 12
        drawn.append(_stroke((across, head - SIZE + 3), (across, bottom), "ink", weight, dashes))
        long = label_width(words, is_bold=weight > 1)
        if across + 6 + long > width:
            drawn.append(text(across - 6, head, words, anchor="end", weight=600 if weight > 1 else 400))
        else:
            drawn.append(text(across + 6, head, words, weight=600 if weight > 1 else 400))
    drawn.append(text(0, bottom + 34, spec.axis, colour="ink-muted"))
    return with_patterns(patterns, drawn), bottom + 40


def _told_apart(labels: Sequence[str], room: float) -> list[str]:
    """Shorten labels that need more room than a column has: what all begin with says least."""
    if all(label_width(label) <= room for label in labels):
        return list(labels)
    shared = 0
    while len(labels) > 1 and len({label[: shared + 1] for label in labels}) == 1 and shared < len(labels[0]):
        shared += 1
    ends = [label[shared:] for label in labels] if shared > 1 else list(labels)
    marked = [f"…{end}" for end in ends] if shared > 1 else ends
    return [mark if label_width(mark) <= room else shortened(end, room) for mark, end in zip(marked, ends, strict=True)]


def _area(
    left: float, top: float, width: float, height: float, fill: str, stroke: str = "surface-card", weight: int = 1
) -> str:
    outline = f'stroke="var(--{stroke})" stroke-width="{weight}"' if stroke else ""
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" '
        f'fill="{fill}" {outline}/>'
    )


def _level(end: float, at: float, *, colour: str = "ink", weight: int = 1, dashes: str = "") -> str:
    return _stroke((0, at), (end, at), colour, weight, dashes)


def _stroke(start: tuple[float, float], end: tuple[float, float], colour: str, weight: int, dashes: str) -> str:
    broken = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="var(--{colour})" stroke-width="{weight}"{broken}/>'
    )
