"""Pods as a row of slots, with a line where something begins: a budget's healthy pods, a gang's pods."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dashboard.pictures.legends import legend, with_patterns
from dashboard.pictures.patterns import filling
from dashboard.pictures.shapes import SIZE, label_width, text

if TYPE_CHECKING:
    from dashboard.pictures.specs import SlotsSpec

# A slot of more width than this looks like a bar, one of less like a stroke.
_MOST, _LEAST = 24.0, 5.0
_HIGH, _WORDS = 22.0, SIZE + 6


def slots_body(spec: SlotsSpec, width: int, prefix: str) -> tuple[str, float]:
    """Draw the legend of the parts that there are, the line's words, and the slots; return the height.

    Where there are too many slots for one each, a part is one area.
    """
    patterns: dict[str, str] = {}
    fills = ["none" if number in spec.empty else filling(key, prefix, patterns) for number, key in enumerate(spec.keys)]
    shown = [part.key for part in spec.parts if part.slots]
    drawn, top = legend([spec.keys[key] for key in shown], [fills[key] for key in shown], width)
    unit = min(_MOST, (width - 4) / max(1, sum(part.slots for part in spec.parts)))
    top += _WORDS
    at = 2.0
    for part in spec.parts:
        colour = f"var(--{spec.keys[part.key].colour})"
        broken = ' stroke-dasharray="4 2"' if part.key in spec.empty else ""
        size, number = (unit, part.slots) if unit >= _LEAST else (unit * part.slots, min(1, part.slots))
        drawn.append(f"<g><title>{escape(part.text)}</title>")
        gap = min(3.0, size / 4)
        drawn += [
            f'<rect x="{at + size * place + gap / 2:.1f}" y="{top:.1f}" width="{size - gap:.1f}" height="{_HIGH}" '
            f'fill="{fills[part.key]}" stroke="{colour}" stroke-width="1.5"{broken}/>'
            for place in range(number)
        ]
        drawn.append("</g>")
        at += size * number
    if not spec.line_text:
        return with_patterns(patterns, drawn), top + _HIGH + 6
    across = 2 + unit * spec.line_at
    drawn.append(
        f'<line x1="{across:.1f}" y1="{top - _WORDS + 4:.1f}" x2="{across:.1f}" y2="{top + _HIGH + 4:.1f}" '
        f'stroke="var(--ink)" stroke-width="2"/>'
    )
    words = spec.line_text
    is_left = across + 6 + label_width(words, is_bold=True) > width
    drawn.append(
        text(across + (-6 if is_left else 6), top - 7, words, anchor="end" if is_left else "start", weight=600)
    )
    return with_patterns(patterns, drawn), top + _HIGH + 6
