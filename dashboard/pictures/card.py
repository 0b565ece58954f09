"""A card for a chat or a ticket: the verdict on a pod and its nodes by points or by who rejects them, as one SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from dashboard.pictures.landscape import key_swatch
from dashboard.pictures.shapes import label_width, shortened, text
from dashboard.pictures.tokens import with_colours
from dashboard.pictures.verdict_map.tiles import swatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dashboard.pictures.specs import Key
    from dashboard.pictures.verdict_map.spec import MapKey

_WIDTH, _EDGE, _LINE = 760, 24, 20
_ROOM: Final = _WIDTH - 2 * _EDGE
# Where the bars begin, and how long they are.
_BARS, _LONG = 260, 400


class CardRow(NamedTuple):
    """A node with its bar, an `svg` element, and its points."""

    node: str
    bar: str
    points: str


def card(title: str, said: str, keys: Sequence[Key], rows: Sequence[CardRow], rejected: Sequence[MapKey]) -> str:
    """Draw a card in the colours of the light theme, which needs neither a style sheet nor the page."""
    drawn, top = [text(_EDGE, _EDGE + _LINE, shortened(title, _ROOM * 0.75), weight=600)], _EDGE + 2 * _LINE
    for line in _lines(said, _ROOM):
        drawn.append(text(_EDGE, top + 4, line))
        top += _LINE
    at = _EDGE
    for key in keys:
        if at + 18 + label_width(key.label) > _WIDTH - _EDGE:
            at, top = _EDGE, top + _LINE
        drawn.append(f'<svg x="{at}" y="{top}" width="14" height="14">{key_swatch(key)}</svg>')
        drawn.append(text(at + 20, top + 12, key.label))
        at += round(label_width(key.label)) + 36
    top += 2 * _LINE if keys else _LINE
    for row in rows:
        drawn.append(text(_EDGE, top, shortened(row.node, _BARS - _EDGE - 8)))
        drawn.append(f'<svg x="{_BARS}" y="{top - 13}" width="{_LONG}" height="16">{row.bar}</svg>')
        drawn.append(text(_WIDTH - _EDGE, top, row.points, anchor="end", weight=600))
        top += _LINE
    most = max((key.nodes for key in rejected), default=1)
    for each in rejected:
        drawn.append(f'<svg x="{_EDGE}" y="{top - 12}" width="14" height="14">{swatch(each)}</svg>')
        label = f"{each.label} ({each.source})" if each.source else each.label
        drawn.append(text(_EDGE + 22, top, shortened(label, _BARS + 120)))
        left, long = _BARS + 180, (_LONG - 180) * each.nodes / most
        drawn.append(f'<rect x="{left}" y="{top - 12}" width="{long:.1f}" height="14" fill="var(--{each.colour})"/>')
        drawn.append(text(_WIDTH - _EDGE, top, f"{each.nodes}", anchor="end", weight=600))
        top += _LINE
    height = top + _EDGE - _LINE // 2
    return with_colours(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(said)}" font-size="13" font-family="system-ui, sans-serif" fill="var(--ink)">'
        f'<rect width="100%" height="100%" fill="var(--surface-card)"/>{"".join(drawn)}</svg>'
    )


def _lines(said: str, room: float) -> Iterator[str]:
    """Break a sentence into lines."""
    line = ""
    for word in said.split():
        longer = f"{line} {word}".strip()
        if line and label_width(longer) > room:
            yield line
            longer = word
        line = longer
    yield line
