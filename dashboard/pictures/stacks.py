"""Bars of shares and of counts, each labelled directly: utilisation and headroom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.evaluation import counted
from clusters.wording.runs import capacity
from dashboard.pictures.legends import with_patterns
from dashboard.pictures.shapes import label_width, rectangle, shortened, text
from dashboard.pictures.specs import BarPart, Fill, HeadroomRow, HeadroomSpec, StackRow, StackSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.functional import _StrOrPromise


_BAR = 20.0
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
    is_shared = len(spec.rows) >= _FEW_ROWS and _is_long(spec, width) and _is_of_one_look(spec, looks)
    if is_shared:
        marks = [(*_fill(part, prefix, patterns), label) for label, part in looks.items()]
        drawn, top = _legend(marks, width, top)
        top += _GAP
    for row in spec.rows:
        rows, top = _stack(row, width, top, prefix, patterns, has_words=not is_shared)
        drawn += rows
    return with_patterns(patterns, drawn), top


def _is_long(spec: StackSpec, width: int) -> bool:
    return any(len(_lines(map(_words, row.parts), width)) > 1 for row in spec.rows)


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
    for line in _lines([words for _, _, words in marks], width):
        for at, words in line:
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
            drawn.append(rectangle(left, top, min(length, width - 1 - left), _BAR, filling, outline))
        left = min(left + length, width - 1.0)
        legend.append((filling, outline, _words(part) if has_words else part.text))
    if left < width - 1:
        drawn.append(rectangle(left, top, width - 1 - left, _BAR, "none", "var(--line-strong)"))
    below, top = _legend(legend, width, top + _BAR + 6)
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
    (capacity.NOW, "solid"),
    (capacity.AFTER_NODE, "hatch"),
    (capacity.AFTER_ZONE, "light"),
)


def _losses(row: HeadroomRow) -> list[BarPart]:
    counts = (row.now, row.after_node, row.after_zone)
    return [
        BarPart(str(label), "verdict-chosen-solid", count.pods, counted(count.pods, is_whole=count.is_whole), fill)
        for (label, fill), count in zip(_LOSSES, counts, strict=True)
        if count is not None
    ]
