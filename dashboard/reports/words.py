"""The words of a review: what each section says, and what its tables and columns are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.reports.recommended import Recommended, recommended
from dashboard.reports.sentences import CALLOUTS, LEADS, PARAGRAPHS, resource_name
from dashboard.reports.titles import CAPTIONS, COLUMNS, MEASURES, NOUNS, SECTIONS, VALUES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dashboard.reports.sentences import Said

    Data = Mapping[str, Any]


def section_title(key: str) -> str:
    """The heading of a section."""
    return SECTIONS[key]


def caption(table: str) -> str:
    """What a table is about."""
    return CAPTIONS[table]


def rows_noun(table: str) -> str:
    """What a table's rows are, as in `20 more nodes`."""
    return NOUNS.get(table, "rows")


def column_title(column: Data) -> str:
    """The heading of a column; of an amount it names the resource."""
    if "resource" in column:
        name = resource_name(column["resource"])
        # A resource of a vendor is a name, and stays as it is.
        return f"{name if '/' in name else name[:1].upper() + name[1:]} {MEASURES[column['measure']]}"
    return COLUMNS[column["key"]]


def said(table: str, row: Data) -> Data:
    """Return a table's row with words in the place of what only programs call so."""
    changed = {key: VALUES[table, key].get(row[key], row[key]) for key in row if (table, key) in VALUES}
    return {**row, **changed} if changed else row


def recommendation(made: Data) -> Recommended:
    """A recommendation in words."""
    return recommended(made)


def lead(section: Data) -> str:
    """The first sentence of a section: what matters most."""
    return LEADS[section["key"]](section["facts"])


def paragraphs(section: Data) -> list[str]:
    """What a reader should know beside it."""
    say = PARAGRAPHS.get(section["key"])
    return [text for text in say(section["facts"]) if text] if say else []


def callouts(section: Data) -> Said:
    """What must not be overlooked: kind, title and text."""
    say = CALLOUTS.get(section["key"])
    return say(section["facts"]) if say else []
