"""An object and those around it as boxes with lines between them; each box leads to its object's page."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from dashboard.pictures.shapes import SIZE, line, shortened, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import RelatedObject, RelationsSpec

_HIGH, _GAP, _PAD = 44.0, 10.0, 8.0
# Narrower than this all boxes are below each other.
_LEAST_ROW = 600
_INDENT = 20.0
_ACROSS = 24.0


def relations_body(spec: RelationsSpec, width: int) -> tuple[str, float]:
    """Draw the object in the middle of a row, or above the others where there is no room beside it."""
    return _beside(spec, width) if width >= _LEAST_ROW else _below(spec, width)


def _beside(spec: RelationsSpec, width: int) -> tuple[str, float]:
    before, behind = _longest(spec.before), _longest(spec.behind)
    columns = 1 + before + behind
    wide = (width - 2 - (columns - 1) * _ACROSS) / columns
    rows = max(len(spec.before), len(spec.behind), 1)
    height = rows * (_HIGH + _GAP) - _GAP

    def place(column: int) -> float:
        return 1 + column * (wide + _ACROSS)

    middle = (height - _HIGH) / 2
    drawn: list[str] = []
    for chains, step in ((spec.before, -1), (spec.behind, 1)):
        offset = (height - len(chains) * (_HIGH + _GAP) + _GAP) / 2
        for number, chain in enumerate(chains):
            top = offset + number * (_HIGH + _GAP)
            lefts = [place(before), *(place(before + step * (depth + 1)) for depth in range(len(chain)))]
            tops = [middle, *(top for _ in chain)]
            for (one, high), (other, low) in pairwise(zip(lefts, tops, strict=True)):
                start, end = (one, other + wide) if step < 0 else (one + wide, other)
                drawn.append(line((start, high + _HIGH / 2), (end, low + _HIGH / 2), "line-strong"))
            drawn += [_box(each, left, top, wide) for each, left in zip(chain, lefts[1:], strict=True)]
    drawn.append(_box(spec.subject, place(before), middle, wide, is_subject=True))
    return "".join(drawn), height + 2


def _below(spec: RelationsSpec, width: int) -> tuple[str, float]:
    drawn, top = [_box(spec.subject, 1, 1, width - 2, is_subject=True)], 1 + _HIGH + _GAP
    for chain in (*spec.before, *spec.behind):
        above = 1 + _HIGH
        for depth, each in enumerate(chain):
            left = 1 + _INDENT * (depth + 1)
            trunk, level = left - _INDENT / 2, top + _HIGH / 2
            drawn.append(line((trunk, above), (trunk, level), "line-strong"))
            drawn.append(line((trunk, level), (left, level), "line-strong"))
            drawn.append(_box(each, left, top, width - 1 - left))
            above, top = top + _HIGH, top + _HIGH + _GAP
    return "".join(drawn), top


def _longest(chains: Sequence[Sequence[RelatedObject]]) -> int:
    return max(map(len, chains), default=0)


def _box(each: RelatedObject, left: float, top: float, width: float, *, is_subject: bool = False) -> str:
    """Draw a box with the kind above the name; one with a page is a link."""
    room = width - 2 * _PAD
    edge = ("accent", 2) if is_subject else ("line-strong", 1)
    shape = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_HIGH}" rx="4" fill="var(--surface-card)" '
        f'stroke="var(--{edge[0]})" stroke-width="{edge[1]}"><title>{escape(f"{each.kind} {each.name}")}</title></rect>'
    )
    kind = text(left + _PAD, top + SIZE + 4, shortened(each.kind, room), colour="ink-muted")
    tone = "link" if each.address else "ink"
    name = text(left + _PAD, top + 2 * SIZE + 9, shortened(each.name, room, is_bold=is_subject), colour=tone,
                weight=600 if is_subject else 400)  # fmt: skip
    words = f"{shape}{kind}{name}"
    if not each.address:
        return words
    # What is cut in the box is the link's whole name.
    return f'<a href="{escape(each.address)}"><title>{escape(f"{each.kind} {each.name}")}</title>{words}</a>'
