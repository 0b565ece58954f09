"""What a table is made of: columns, each declared once, and the values that a file has of a row."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from clusters.wording.amounts import moment
from dashboard.lists.files import csv_file
from dashboard.tables.sorting import ColumnHeading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.db.models.expressions import Expression
    from django.http import HttpResponse
    from django.utils.functional import _StrOrPromise

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FileColumn(Generic[Row]):
    """A column of the file: its heading, and its value for a row; times are written in UTC, None is left empty."""

    heading: _StrOrPromise
    value: Callable[[Row], _StrOrPromise | int | datetime | None]


@dataclass(frozen=True, slots=True)
class DataColumn(Generic[Row]):
    """A column of a page's table, and what a file says of it; without a heading it is in the file alone.

    `by` are the fields and expressions that it is sorted by, none where nobody sorts by it; `starts_descending`: the
    first click puts the largest first, where that is what people look for. `value` fills cells that the template has no
    markup for, with `–` for nothing; `css` is a class of them. `label` stands beside a cell on a phone, where the
    heading is too long for it.
    """

    name: str
    heading: _StrOrPromise = ""
    by: tuple[str | Expression, ...] = ()
    _: KW_ONLY
    is_number: bool = False
    starts_descending: bool = False
    value: Callable[[Row], _StrOrPromise | int | None] | None = None
    css: str = ""
    label: _StrOrPromise = ""
    file: tuple[FileColumn[Row], ...] = ()

    @property
    def classes(self) -> str:
        """The classes of its cells."""
        return "number" if self.is_number else self.css


class DataTable(Generic[Row]):
    """The columns of a table in their order; `heads` names the one that says what a row is about, the first if none.

    `key` tells rows apart when a part of a page is rendered again.
    """

    def __init__(self, *columns: DataColumn[Row], key: Callable[[Row], str], heads: str = "") -> None:
        self.columns = [column for column in columns if column.heading]
        self.key = key
        self.heads = heads or self.columns[0].name
        self._file = [each for column in columns for each in column.file]

    def of(self, rows: Iterable[Row]) -> TableRows[Row]:
        """Return some rows with all columns, in the order in which they are given."""
        headings = [ColumnHeading(str(column.heading), column.is_number) for column in self.columns]
        return TableRows(self, self.columns, headings, rows)

    def file(self, name: str, rows: Iterable[Row]) -> HttpResponse:
        """Return rows as a download."""
        return csv_file(name, [str(each.heading) for each in self._file], map(self._cells, rows))

    def _cells(self, row: Row) -> list[str | int]:
        return list(map(_plain, (each.value(row) for each in self._file)))


def _plain(value: _StrOrPromise | int | datetime | None) -> str | int:
    if isinstance(value, int):
        return value
    return moment(value) if value is None or isinstance(value, datetime) else str(value)


@dataclass(frozen=True, slots=True)
class TableRows(Generic[Row]):
    """Rows of a table as a page shows them: `{% table rows %}` draws them."""

    table: DataTable[Row]
    columns: list[DataColumn[Row]]
    headings: list[ColumnHeading]
    rows: Iterable[Row]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)
