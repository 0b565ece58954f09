"""The score landscape: nodes by their totals as stacked bars, and as a ribbon where they are many."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from dashboard.pictures.shapes import filling, rectangle, with_patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.specs import Key
    from dashboard.pictures.verdict_map.spec import MapKey

_BAR: Final = 16
RIBBON: Final = 72
# So much of the ribbon is at most left to the nodes beyond the cliff, in percent, and so high do they lie.
_BEYOND_MOST: Final = 30
_BEYOND_HEIGHT: Final = 16
_PREFIX: Final = "landscape"


def stack(keys: Sequence[Key], values: Sequence[int], longest: int) -> str:
    """Draw the parts of one node beside each other, where ``longest`` points take all the width."""
    drawn, at = [], 0.0
    for key, value in zip(keys, values, strict=True):
        if value:
            width = 100 * value / longest
            drawn.append(
                f'<rect x="{at:.2f}%" width="{width:.2f}%" height="{_BAR}" fill="{filling(key, _PREFIX, {})}" '
                'stroke="var(--surface-card)"/>'
            )
            at += width
    return f'<svg class="landscape-bar" width="100%" height="{_BAR}" aria-hidden="true">{"".join(drawn)}</svg>'


def key_swatch(key: Key) -> str:
    """Draw what the legend shows of a part; every bar of the page is filled by what is defined here."""
    patterns: dict[str, str] = {}
    shape = rectangle(0.5, 0.5, 13, 13, filling(key, _PREFIX, patterns), "var(--line-strong)")
    return f'<svg width="14" height="14" aria-hidden="true">{with_patterns(patterns, [shape])}</svg>'


def beyond(rejected: int, feasible: int) -> float:
    """Return which share of the ribbon nodes beyond the cliff have, in percent: theirs, or as much as they may."""
    return round(min(_BEYOND_MOST, 100 * rejected / (rejected + feasible)), 2)


def ribbon(keys: Sequence[Key], columns: Sequence[Sequence[int]], rejected: Sequence[MapKey], share: float) -> str:
    """Draw columns of points by part, the best first, and beyond a cliff, on a share in percent, who rejects others."""
    highest = max((sum(column) for column in columns), default=0) or 1
    below, layers = [0] * len(columns), []
    for number, key in enumerate(keys):
        above = [base + column[number] for base, column in zip(below, columns, strict=True)]
        layers.append(f'<path d="{_layer(below, above, highest)}" fill="var(--{key.colour})"/>')
        below = above
    out = sum(each.nodes for each in rejected)
    at, cliff = 100 - share, []
    for each in rejected:
        width, top = share * each.nodes / out, RIBBON - _BEYOND_HEIGHT
        cliff.append(
            f'<rect x="{at:.2f}%" y="{top}" width="{width:.2f}%" height="{_BEYOND_HEIGHT}" fill="var(--{each.colour})">'
            f"<title>{escape(each.label)}</title></rect>"
        )
        at += width
    return (
        f'<svg width="100%" height="{RIBBON}" aria-hidden="true">'
        f'<svg width="{100 - share:g}%" height="{RIBBON}" viewBox="0 0 {len(columns)} {RIBBON}" '
        f'preserveAspectRatio="none">{"".join(layers)}</svg>{"".join(cliff)}</svg>'
    )


def _layer(below: Sequence[int], above: Sequence[int], highest: int) -> str:
    """Return the outline of one part over all columns: along its top, and back along its bottom."""

    def at(points: int) -> str:
        return f"{RIBBON * (1 - points / highest):.1f}"

    top = "".join(f"V{at(points)}H{end}" for end, points in enumerate(above, 1))
    bottom = "".join(f"V{at(below[column])}H{column}" for column in reversed(range(len(below))))
    return f"M0 {RIBBON}{top}{bottom}Z"
