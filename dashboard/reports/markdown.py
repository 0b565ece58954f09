"""A review as Markdown, with tables as GitHub renders them; what others wrote is plain text in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dashboard.reports.blocks import (
    Block,
    Callout,
    Chart,
    Findings,
    Heading,
    KeyFigures,
    Notes,
    Paragraph,
    Recommendation,
    Table,
)
from dashboard.reports.layout import blocks_of, facts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


# What Markdown or GitHub gives a meaning: emphasis, code, links, tables, mathematics, mentions, HTML.
_ACTIVE = re.compile(r"[\\`*_{}\[\]<>#|~$!@^]|&(?=[#A-Za-z])|:(?=[a-z0-9_+-]+:|//)|(?<=www)\.")
# Only at the beginning of a line: lists, rulers, underlines, quotes.
_AT_START = re.compile(r"\A(?:[-+=]|\d+(?=[.)](?:\s|\Z)))")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;<!-- -->"}
_CALLOUTS = {"good": "TIP", "info": "NOTE", "warn": "WARNING", "bad": "CAUTION"}


def markdown_of(document: Mapping[str, Any]) -> str:
    """Return the review as Markdown; charts are told in words."""
    parts = [f"# {escaped(document['title'])}", _facts(facts_of(document))]
    parts += [text for block in blocks_of(document) for text in _written(block)]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Return text as Markdown that says it and nothing else, on one line."""
    line = " ".join(text.split())
    line = _ACTIVE.sub(_harmless, line)
    start = _AT_START.match(line)
    if start is None:
        return line
    number = start.end() if start[0].isdigit() else 0
    return f"{line[:number]}\\{line[number:]}"


def _harmless(match: re.Match[str]) -> str:
    character = match[0]
    if character in _ENTITIES:
        return _ENTITIES[character]
    # A comment within keeps addresses and emoji from being made of what was only written.
    return f"{character}<!-- -->" if character in ":." else f"\\{character}"


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(name)}:** {escaped(value)}" for name, value in facts)


def _written(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"## {escaped(block.text)}"
        case Findings():
            yield "\n".join(
                f"- {escaped(each.text)} [{escaped(each.section)}](#{_anchor(each.section)})" for each in block.items
            )
        case Paragraph():
            yield f"**{escaped(block.text)}**" if block.is_lead else escaped(block.text)
        case KeyFigures():
            figures = (f"{each.label}: {each.value}" + (f" ({each.note})" if each.note else "") for each in block.items)
            yield "\n".join(f"- {escaped(figure)}" for figure in figures)
        case Table():
            yield from _table(block)
        case Chart():
            yield f"*{escaped(block.caption)}:* {escaped(block.text)}"
        case Callout():
            lines = [f"> [!{_CALLOUTS.get(block.kind, 'NOTE')}]", f"> **{escaped(block.title)}**"]
            yield "\n".join([*lines, f"> {escaped(block.text)}"] if block.text else lines)
        case Recommendation():
            yield f"### {block.number}. {escaped(block.title)}"
            yield from (escaped(text) for text in (block.change, block.reason, block.backing) if text)
        case Notes():
            yield from ("> " + escaped(paragraph) for paragraph in block.paragraphs)


def _anchor(heading: str) -> str:
    """Return the anchor that GitHub gives one of our headings."""
    return re.sub(r"[^a-z -]", "", heading.lower()).replace(" ", "-")


def _table(table: Table) -> Iterator[str]:
    yield f"### {escaped(table.caption)}"
    lines = [_row([column.title for column in table.columns])]
    lines.append("|" + "|".join(" ---: " if column.is_number else " --- " for column in table.columns) + "|")
    lines += [_row(row) for row in table.rows]
    if table.total:
        lines.append("|" + "|".join(f" **{escaped(cell)}** " if cell else " " for cell in table.total) + "|")
    yield "\n".join(lines)
    if table.rest:
        yield escaped(table.rest)


def _row(cells: Sequence[str]) -> str:
    return "|" + "|".join(f" {escaped(cell)} " for cell in cells) + "|"
