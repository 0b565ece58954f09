"""What a review consists of between its data and its files: blocks, which hold plain text and numbers, never markup.

`layout.blocks_of` makes them once; the page, HTML, PDF and Markdown render the same ones, so that they say the same.
Every renderer escapes what it writes: names in blocks were written by others.
"""

from __future__ import annotations

from msgspec import Struct

from dashboard.pictures.specs import Spec, TrendSpec


class Heading(Struct, frozen=True):
    """A section of the review; the anchor is unique in the review."""

    text: str
    anchor: str


class Finding(Struct, frozen=True):
    """A sentence of what the review comes to, and the section that it is from: its anchor and its title."""

    text: str
    anchor: str
    section: str


class Findings(Struct, frozen=True):
    """What the review comes to: with it a review begins."""

    items: tuple[Finding, ...]


class Paragraph(Struct, frozen=True):
    """Sentences; a section's first one leads and is set larger."""

    text: str
    is_lead: bool = False


class KeyFigure(Struct, frozen=True):
    """A number to be seen at once, and what it is; the note says of what."""

    label: str
    value: str
    note: str = ""


class KeyFigures(Struct, frozen=True):
    """Two to five numbers beside each other."""

    items: tuple[KeyFigure, ...]


class Column(Struct, frozen=True):
    """The head of a column; numbers stand at the right, and a name, which may be long, wraps anywhere."""

    title: str
    is_number: bool = False
    is_name: bool = False


class Table(Struct, frozen=True):
    """The first rows of a table, in words; `rest` is a sentence on what stands only in the review's CSV files."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] | None = None
    rest: str = ""


class Chart(Struct, frozen=True):
    """A picture and, in `text`, the same in words; two of half the width may stand beside each other."""

    anchor: str
    caption: str
    text: str
    spec: Spec
    is_half: bool = False

    @property
    def is_trend(self) -> bool:
        """Whether it shows lines over time, which can be explored."""
        return isinstance(self.spec, TrendSpec)


class Callout(Struct, frozen=True):
    """Something that must not be overlooked; its kind is good, info, warn or bad."""

    kind: str
    title: str
    text: str = ""


class Recommendation(Struct, frozen=True):
    """What to change and why; `run` is the primary key of the simulation that backs it, which `simulation` names."""

    number: int
    title: str
    change: str
    reason: str
    evidence: str = ""
    run: int | None = None
    simulation: str = ""

    @property
    def backing(self) -> str:
        """The evidence, and which simulation shows it."""
        return " ".join(filter(None, (self.evidence, self.simulation)))


class Notes(Struct, frozen=True):
    """The reviewer's own words."""

    paragraphs: tuple[str, ...]


Block = Heading | Findings | Paragraph | KeyFigures | Table | Chart | Callout | Recommendation | Notes
