"""What a table is made of: columns, each declared once, and the values that a file has of a row."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from clusters.wording.amounts import moment
from dashboard.lists.files import csv_file, streamed_csv_file
from dashboard.tables.choice import ColumnChoice
from dashboard.tables.sorting import ColumnHeading, Sorting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from django.db.models.expressions import Expression
    from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
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

    `by` are the fields and expressions by which the database sorts, `order` is the key by which rows in memory are
    sorted; without either nobody sorts by the column. `starts_descending`: the first click puts the largest first,
    where that is what people look for. `value` fills cells that the template has no markup for, with `–` for nothing;
    `css` is a class of them. `label` stands beside a cell on a phone, where the heading is too long for it.
    """

    name: str
    heading: _StrOrPromise = ""
    by: tuple[str | Expression, ...] = ()
    _: KW_ONLY
    order: Callable[[Row], Any] | None = None
    is_number: bool = False
    starts_descending: bool = False
    value: Callable[[Row], _StrOrPromise | int | None] | None = None
    css: str = ""
    label: _StrOrPromise = ""
    file: tuple[FileColumn[Row], ...] = ()

    @property
    def is_sortable(self) -> bool:
        """Whether its head sorts the table."""
        return bool(self.by) or self.order is not None

    @property
    def classes(self) -> str:
        """The classes of its cells."""
        return "number" if self.is_number else self.css


class DataTable(Generic[Row]):
    """The columns of a table in their order; `heads` names the one that says what a row is about, the first if none.

    `key` tells rows apart when a part of a page is rendered again; `usual` as of Sorting.
    """

    def __init__(
        self, *columns: DataColumn[Row], key: Callable[[Row], str], heads: str = "", usual: Sequence[str] = ()
    ) -> None:
        self.columns = [column for column in columns if column.heading]
        self.key = key
        self.heads = heads or self.columns[0].name
        self._usual = usual
        self._file = [each for column in columns for each in column.file]

    def of(
        self, rows: Iterable[Row], sorting: Sorting | None = None, choice: ColumnChoice | None = None
    ) -> TableRows[Row]:
        """Return rows as a page shows them: in the order in which they are given, with the columns of the choice."""
        return TableRows(self, rows, sorting, choice)

    def sorting(self, query: QueryDict) -> Sorting:
        """Return the order that an address asks for."""
        return Sorting(query, self.columns, usual=self._usual)

    def choice(self, query: QueryDict) -> ColumnChoice:
        """Return the columns that an address asks for."""
        return ColumnChoice(query, self.columns)

    def file(self, name: str, rows: Iterable[Row], *, more: Iterable[FileColumn[Row]] = ()) -> HttpResponse:
        """Return rows as a download; ``more`` columns follow that depend on what there is."""
        columns = [*self._file, *more]
        return csv_file(name, _heads(columns), (_cells(columns, row) for row in rows))

    def streamed_file(self, request: HttpRequest, name: str, chunks: Iterable[Iterable[Row]]) -> StreamingHttpResponse:
        """Return rows too many for memory as a download; each chunk is made when the last one was sent."""
        texts = ((_cells(self._file, row) for row in rows) for rows in chunks)
        return streamed_csv_file(request, name, _heads(self._file), texts)


def _heads(columns: Iterable[FileColumn[Row]]) -> list[str]:
    return [str(each.heading) for each in columns]


def _cells(columns: Iterable[FileColumn[Row]], row: Row) -> list[str | int]:
    return [_plain(each.value(row)) for each in columns]


def _plain(value: _StrOrPromise | int | datetime | None) -> str | int:
    if isinstance(value, int):
        return value
    return moment(value) if value is None or isinstance(value, datetime) else str(value)


@dataclass(frozen=True, slots=True)
class TableRows(Generic[Row]):
    """Rows of a table as a page shows them: `{% table rows %}` draws them, `results_line` offers the columns."""

    table: DataTable[Row]
    rows: Iterable[Row]
    sorting: Sorting | None
    choice: ColumnChoice | None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @property
    def columns(self) -> list[DataColumn[Row]]:
        """The columns that are shown."""
        return [column for column in self.table.columns if self.choice is None or column.name in self.choice.shown]

    @property
    def headings(self) -> list[ColumnHeading]:
        """Their heads; those of a table that nobody sorts are no links."""
        if self.sorting is not None:
            return self.sorting.headings([column.name for column in self.columns])
        return [ColumnHeading(str(column.heading), column.is_number) for column in self.columns]
