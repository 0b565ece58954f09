"""The legend of a picture whose rows or columns are made of the same parts, and the patterns that its fillings need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.pictures.shapes import label_width, rectangle, shortened, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dashboard.pictures.specs import Key

_LINE = 20.0


def legend(keys: Sequence[Key], fills: Sequence[str], width: int) -> tuple[list[str], float]:
    """Return the legend, in as many lines as it needs, and where it ends."""
    drawn: list[str] = []
    at, top = 0.0, 0.0
    for key, fill in zip(keys, fills, strict=True):
        needed = 18 + label_width(key.label) + 16
        if at and at + needed - 16 > width:
            at, top = 0.0, top + _LINE
        drawn.append(rectangle(at + 0.5, top + 2, 12, 12, fill, "var(--line-strong)"))
        drawn.append(text(at + 18, top + 13, shortened(key.label, width - at - 18)))
        at += needed
    return drawn, top + _LINE + 8


def with_patterns(patterns: Mapping[str, str], drawn: Sequence[str]) -> str:
    """Put the patterns that the fillings name before what was drawn."""
    return (f"<defs>{''.join(patterns.values())}</defs>" if patterns else "") + "".join(drawn)
