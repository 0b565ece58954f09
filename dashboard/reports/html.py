"""A review as HTML: the same parts for its page and for a file that needs nothing but itself.

The file has its style inside, no script, and no address outside of it. It is as dark as its reader's screen, and light
on paper.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from dashboard.pictures.figure import drawing
from dashboard.pictures.shapes import NARROW, WIDE
from dashboard.reports.blocks import Block, Chart, Heading, Table
from dashboard.reports.layout import blocks_of, facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_DARK = ':root[data-bs-theme="dark"]'


class TableCell(Struct, frozen=True):
    """A cell of a table and the class that places it: number, name or none."""

    text: str
    kind: str


class HtmlBlock(Struct, frozen=True):
    """A block, the name of its kind, and what only some have.

    A chart has drawings for wide and for narrow screens, a table has rows and perhaps a last one of totals.
    """

    kind: str
    block: Block
    wide: str = ""
    narrow: str = ""
    rows: tuple[tuple[TableCell, ...], ...] = ()
    total: tuple[TableCell, ...] = ()


class Section(Struct, frozen=True):
    """A heading and what stands below it; charts that may stand beside each other are neighbours."""

    title: str
    anchor: str
    parts: tuple[HtmlBlock, ...]


class ReviewView(Struct, frozen=True):
    """A review as the templates take it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def review_view(document: Mapping[str, Any]) -> ReviewView:
    """Prepare a review for the templates."""
    sections: list[Section] = []
    heading: Heading | None = None
    parts: list[HtmlBlock] = []
    for block in [*blocks_of(document), None]:
        if isinstance(block, Heading) or block is None:
            if heading is not None:
                sections.append(Section(heading.text, heading.anchor, tuple(parts)))
            heading, parts = block, []
        else:
            parts.append(_part(block))
    return ReviewView(document["title"], tuple(facts_of(document)), tuple(sections))


def _part(block: Block) -> HtmlBlock:
    kind = type(block).__name__
    if isinstance(block, Table):
        kinds = ["number" if column.is_number else "name" if column.is_name else "" for column in block.columns]
        rows = tuple(_cells(row, kinds) for row in block.rows)
        return HtmlBlock(kind, block, rows=rows, total=_cells(block.total, kinds) if block.total else ())
    if not isinstance(block, Chart):
        return HtmlBlock(kind, block)
    wide = _drawn(block, NARROW if block.is_half else WIDE)
    return HtmlBlock(kind, block, wide, wide if block.is_half else _drawn(block, NARROW))


def _drawn(chart: Chart, width: int) -> SafeString:
    # The drawing escapes every word that it writes.
    return mark_safe(drawing(chart.spec, name=chart.anchor, words=chart.text, width=width))  # noqa: S308


def _cells(row: Sequence[str], kinds: Sequence[str]) -> tuple[TableCell, ...]:
    return tuple(TableCell(text, kind) for text, kind in zip(row, kinds, strict=True))


def html_of(document: Mapping[str, Any]) -> str:
    """Return a review as one HTML file."""
    return render_to_string("reports/file.html", {"review": review_view(document), "style": _style()})


@cache
def _style() -> SafeString:
    """Return the tokens and the rules of reviews as one style sheet."""
    css = settings.SITE_DIR / "static" / "css"
    tokens, rules, file_rules = (
        (css / name).read_text(encoding="utf-8") for name in ("tokens.css", "review.css", "review-file.css")
    )
    at = tokens.index(_DARK)
    dark = tokens[at:].replace(_DARK, ":root", 1)
    whole = f"{tokens[:at]}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n{rules}{file_rules}"
    return mark_safe(whole)  # noqa: S308 - these are our own files
