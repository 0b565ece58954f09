"""A review typeset for A4 by Typst, which comes as a wheel and brings its fonts.

The template, review.typ, never changes; the review goes in as JSON and is set as text, so that no name can be markup.
The file is tagged as PDF/UA-1 asks, and the same document gives the same bytes: of the machine's fonts those alone are
used that ``BERTH_FONTS`` names, and the only date is that of the document. A review of 5,000 nodes takes a tenth of a
second, so that it is made when asked for.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import typst
from django.conf import settings
from django.utils.translation import get_language
from msgspec import Struct, structs
from msgspec.structs import replace

from clusters.wording.lists import OF
from clusters.wording.reviews import document as cover
from dashboard.pictures.figure import drawing
from dashboard.pictures.shapes import NARROW, WIDE
from dashboard.pictures.tokens import light_colours, with_colours
from dashboard.reports import words
from dashboard.reports.blocks import Block, Callout, Chart, Column, Findings, Heading, Paragraph, Recommendation, Table
from dashboard.reports.layout import RANKED, RANKING, blocks_of, facts_of, moment
from dashboard.reports.printing import LONGEST_WORD, drawable, machine_fonts, pieces, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_TEMPLATE = Path(__file__).with_name("review.typ")
_FONT = "Libertinus Serif"
# What a callout's kind is in verdicts, whose colours it has.
_CALLOUTS = {"good": "fits", "info": "chosen", "warn": "preemptible", "bad": "rejected"}
# So many characters of the title stand at the head of each page.
_RUNNING = 80
# Points, and about how many characters of them a line of A4 holds.
_SIZES = ((9.0, 108), (8.0, 122), (7.5, 130))
# A table that needs less of a line has its first words spread, so that it is as wide as the others.
_LOOSE = 0.9
# A column of words up to so many characters is as wide as they are; longer ones share the rest.
_SHORT = 18
_LONGEST = 120
# Of a table that needs more than a line, words of so many characters are cut.
_LONGEST_IN_NARROW = 16
# The letters of a region in the code of a language; another part after the hyphen is a script.
_REGION = 2


def pdf_of(document: Mapping[str, Any]) -> bytes:
    """Typeset a review. The result depends on the document and the reader's language alone."""
    made = datetime.fromisoformat(document["made_at"])
    title = document["title"]
    cluster = document["cluster"]["name"]
    blocks = blocks_of(document)
    # They stand on the cover.
    findings = next((block for block in blocks if isinstance(block, Findings)), Findings(()))
    if findings.items:
        blocks = blocks[2:]
    ranking = next((block for block in blocks if isinstance(block, Table) and block.name == RANKING), None)
    blocks = [block for block in blocks if block is not ranking]
    fonts = machine_fonts()
    language, _hyphen, region = (get_language() or settings.LANGUAGE_CODE).partition("-")
    data = {
        "name": printable(title),
        "title": _words(title),
        "running": _words(title if len(title) <= _RUNNING else f"{title[:_RUNNING]}…"),
        "cluster": _words(cluster),
        "author": printable(document["made_by"]),
        "description": printable(cover.DESCRIPTION(cluster=cluster)),
        "made": [made.year, made.month, made.day, made.hour, made.minute, made.second],
        "made_text": cover.WRITTEN_BY_BERTH(at=moment(document["made_at"])),
        "facts": [[name, _words(value)] for name, value in facts_of(document)],
        "labels": {
            "kind": str(cover.KIND),
            "in_short": str(cover.IN_SHORT),
            "contents": str(cover.CONTENTS),
            "page": OF(part="{page}", whole="{pages}"),
        },
        "fonts": [font.family for font in fonts],
        "language": language,
        "region": region if len(region) == _REGION else None,
        "colours": light_colours(),
        "findings": [
            {"text": _words(each.text), "section": _words(each.section), "anchor": each.anchor}
            for each in findings.items
        ],
        "ranking": None if ranking is None else {**_table(ranking), "title": _words(words.section_title(RANKED))},
        "blocks": [_block(block) for block in blocks],
    }
    folders = sorted({Path(font.folder) for font in fonts})
    made_file = typst.compile(
        _TEMPLATE,
        format="pdf",
        ignore_system_fonts=True,
        font_paths=folders,
        sys_inputs={"review": json.dumps(data)},
        pdf_standards="ua-1",
        timestamp=int(made.timestamp()),
    )
    if not isinstance(made_file, bytes):
        raise TypeError("Typst returned no file")
    return made_file


def _words(text: str, longest: int = LONGEST_WORD) -> str | list[str | list[str]]:
    return pieces(printable(text), longest)


def _block(block: Block) -> dict[str, Any]:
    """Return a block as the template takes it: all texts as words, charts drawn."""
    kind = type(block).__name__
    match block:
        case Heading():
            return {"kind": kind, "text": _words(block.text), "anchor": block.anchor}
        case Paragraph():
            return {"kind": "Lead" if block.is_lead else kind, "text": _words(block.text)}
        case Chart():
            width = NARROW if block.is_half else WIDE
            drawn = drawing(block.spec, name=block.anchor, words=block.text, width=width, font=_FONT)
            return {
                "kind": kind,
                "svg": drawable(with_colours(drawn)),
                "caption": _words(block.caption),
                "text": printable(block.text),
                "is_half": block.is_half,
            }
        case Table():
            return {"kind": kind, **_table(block)}
        case Callout():
            verdict = _CALLOUTS[block.kind]
            colours = {"surface": f"verdict-{verdict}-surface", "solid": f"verdict-{verdict}-solid"}
            return {"kind": kind, "title": _words(block.title), "text": _words(block.text), **colours}
        case Recommendation():
            return {"kind": kind, **_all_words(replace(block, evidence=block.backing))}
        case _:
            return {"kind": kind, **_all_words(block)}


def _all_words(value: Any) -> Any:
    if isinstance(value, str):
        return _words(value)
    if isinstance(value, Struct):
        return {name: _all_words(each) for name, each in structs.asdict(value).items()}
    return [_all_words(each) for each in value] if isinstance(value, list | tuple) else value


def _table(table: Table) -> dict[str, Any]:
    rows = [*table.rows, *((table.total,) if table.total else ())]
    longest = [max((len(row[at]) for row in rows), default=0) for at in range(len(table.columns))]
    columns = [_column(column, most) for column, most in zip(table.columns, longest, strict=True)]
    needed = sum(3 + min(column["most"], 24) for column in columns)
    size, room = next(((size, room) for size, room in _SIZES if needed <= room), _SIZES[-1])
    whole = sum(3 + column["most"] for column in columns)
    most = LONGEST_WORD if whole <= room else _LONGEST_IN_NARROW
    if whole < _LOOSE * room:
        # What is left of the line is shared out: one column would be a desert.
        for column in columns:
            column["share"] = 3 + column["most"]
    else:
        words = [max((len(word) for row in rows for word in row[at].split()), default=0) for at in range(len(columns))]
        _widen(columns, [min(word, most) for word in words], room)
    return {
        "caption": _words(table.caption),
        "columns": columns,
        "rows": [[_words(text, most) for text in row] for row in table.rows],
        "total": [_words(text) for text in table.total] if table.total else None,
        "rest": table.rest,
        "size": size,
    }


def _widen(columns: Sequence[dict[str, Any]], words: Sequence[int], room: int) -> None:
    """Share what is left of a line, in characters, after each column that shares it has room for its longest word."""
    sharing = [(column, 3 + word) for column, word in zip(columns, words, strict=True) if column["share"]]
    whole = sum(column["share"] for column, _ in sharing)
    left = room - sum(least for _, least in sharing) - sum(3 + each["most"] for each in columns if not each["share"])
    for column, least in sharing:
        column["share"] = least + max(left, 0) * column["share"] / whole


def _column(column: Column, longest: int) -> dict[str, Any]:
    """Return a column's head in lines no longer than its cells, where words allow it, and its share of the width."""
    lines = wrap(column.title, max(longest, 8), break_long_words=False) or [column.title]
    most = max(longest, *map(len, lines))
    return {
        "title": [_words(line) for line in lines],
        "is_number": column.is_number,
        "share": None if column.is_number or most <= _SHORT else min(most, _LONGEST),
        "most": most,
    }
