"""What a review consists of between its data and its files: blocks, which hold plain text and numbers, never markup.

`layout.blocks_of` makes them once; the page, HTML, PDF and Markdown render the same ones, so that they say the same.
Every renderer escapes what it writes: names in blocks were written by others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# How an area is filled: three that differ without colour too.
Fill = Literal["solid", "hatch", "light"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A section of the review; the anchor is unique in the review."""

    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of what the review comes to, and the section that it is from: its anchor and its title."""

    text: str
    anchor: str
    section: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What the review comes to: with it a review begins."""

    items: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; a section's first one leads and is set larger."""

    text: str
    is_lead: bool = False


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A number to be seen at once, and what it is; the note says of what."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """Two to five numbers beside each other."""

    items: tuple[KeyFigure, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column; numbers stand at the right, and a name, which may be long, wraps anywhere."""

    title: str
    is_number: bool = False
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The first rows of a table, in words; `rest` is a sentence on what stands only in the review's CSV files."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] | None = None
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its values stand over the trend's times, None where nothing is known; `colour` is a token's name."""

    label: str
    colour: str
    values: tuple[float | None, ...]
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class TrendSpec:
    """Lines over time; times are seconds since 1970, ascending, values in `unit`."""

    unit: str
    times: tuple[float, ...]
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a stacked bar; `text` is its value in words."""

    label: str
    colour: str
    value: float
    text: str
    fill: Fill = "solid"


@dataclass(frozen=True, slots=True)
class StackRow:
    """One stacked bar; its parts lie in `whole`, which is the bar's full length."""

    label: str
    parts: tuple[Part, ...]
    whole: float
    whole_text: str


@dataclass(frozen=True, slots=True)
class StackSpec:
    """Stacked bars below each other, each as long as the others: shares of different wholes."""

    rows: tuple[StackRow, ...]


@dataclass(frozen=True, slots=True)
class HeadroomRow:
    """How many more of a shape fit: now, without its worst node, without its worst zone; None where it is not known."""

    label: str
    now: int
    after_node: int | None = None
    after_zone: int | None = None


@dataclass(frozen=True, slots=True)
class HeadroomSpec:
    """Bars of counts; each shape has a scale of its own, because a small one fits a hundred times as often."""

    rows: tuple[HeadroomRow, ...]


ChartSpec = TrendSpec | StackSpec | HeadroomSpec


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture and, in `text`, the same in words; two of half the width may stand beside each other."""

    anchor: str
    caption: str
    text: str
    spec: ChartSpec
    is_half: bool = False


@dataclass(frozen=True, slots=True)
class Callout:
    """Something that must not be overlooked; its kind is good, info, warn or bad."""

    kind: str
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to change and why; `run` is the primary key of the simulation that backs it."""

    number: int
    title: str
    change: str
    reason: str
    evidence: str = ""
    run: int | None = None


@dataclass(frozen=True, slots=True)
class Notes:
    """The reviewer's own words."""

    paragraphs: tuple[str, ...]


Block = Heading | Findings | Paragraph | KeyFigures | Table | Chart | Callout | Recommendation | Notes
