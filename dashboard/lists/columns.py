"""What a table is made of: columns, each declared once, how an address sorts and chooses them, and what files have."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from functools import cmp_to_key
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.db.models import F, Model, QuerySet
from django.http import HttpRequest, HttpResponseRedirect, QueryDict

from clusters.wording import columns as words
from clusters.wording.amounts import moment
from clusters.wording.lists import listed
from dashboard.lists.files import csv_file, streamed_csv_file

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from django.db.models.expressions import Expression, OrderBy
    from django.http import HttpResponse, StreamingHttpResponse
    from django.utils.functional import _StrOrPromise

Row = TypeVar("Row")
AnyModel = TypeVar("AnyModel", bound=Model)

# `?sort=cpu`, and `?sort=-cpu` for the other way round.
SORT_PARAMETER = "sort"
# `?columns=zone,cpu`; without it a table shows all of them.
COLUMNS_PARAMETER = "columns"
# A form names each column by itself; its address is then written as the other, which live parts and links repeat.
OF_FORM = "column"


@dataclass(frozen=True, slots=True)
class FileColumn(Generic[Row]):
    """A column of the file: its name, the same in every language, and its value for a row.

    Times are written in UTC, None is left empty.
    """

    heading: str
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
    heading: _StrOrPromise | None = None
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


@dataclass(frozen=True, slots=True)
class ColumnHeading:
    """The head of a column: `sort` is what a click sorts by, `aria` the aria-sort value; empty where there is none."""

    label: str
    is_number: bool = False
    sort: str = ""
    aria: str = ""


class Sorting:
    """The order that an address asks for; one that is not offered is the usual one.

    `usual` are the fields of that order, which also tell rows apart that are equal in another.
    """

    def __init__(self, given: Mapping[str, str], columns: Sequence[DataColumn[Any]], *, usual: Sequence[str]) -> None:
        self._columns = columns
        self._usual = usual
        asked = given.get(SORT_PARAMETER, "")
        self._is_descending = asked.startswith("-")
        name = asked.removeprefix("-")
        self._column = next((each for each in columns if each.is_sortable and each.name == name), None)
        self.value = asked if self._column is not None else ""

    def order(self) -> list[str | OrderBy]:
        """Return what to sort by; what has no value comes last, whichever way."""
        chosen = [F(by) if isinstance(by, str) else by for by in self._column.by] if self._column else []
        if self._is_descending:
            return [*(by.desc(nulls_last=True) for by in chosen), *self._usual]
        return [*(by.asc(nulls_last=True) for by in chosen), *self._usual]

    def sort(self, rows: Iterable[Row], ties: Callable[[Row], Any]) -> list[Row]:
        """Return rows in memory sorted by the column's `order`, equal ones by ``ties``; as given without a column."""
        if self._column is None or self._column.order is None:
            return list(rows)
        return sorted(sorted(rows, key=ties), key=self._column.order, reverse=self._is_descending)

    def past(self, rows: Iterable[AnyModel]) -> list[AnyModel]:
        """Return rows that no database holds in the order in which it would."""
        return sorted(rows, key=self._key())

    def merged(self, rows: QuerySet[AnyModel], others: Iterable[AnyModel]) -> MergedRows[AnyModel]:
        """Return rows of the database and rows that it does not hold, in one order."""
        return MergedRows(rows.order_by(*self.order()), self.past(others), self._key())

    def _key(self) -> Callable[[Model], Any]:
        """Return a key by which rows are in the order of the database; what has no value comes last, whichever way."""
        fields = [(str(by), self._is_descending) for by in (self._column.by if self._column else ())]
        fields += [(name.removeprefix("-"), name.startswith("-")) for name in self._usual]

        def compare(one: Model, other: Model) -> int:
            for field, is_descending in fields:
                left, right = getattr(one, field), getattr(other, field)
                if left != right:
                    if left is None or right is None:
                        return 1 if left is None else -1
                    return 1 if (left < right) is is_descending else -1
            return 0

        return cmp_to_key(compare)

    def headings(self, shown: Container[str] | None = None) -> list[ColumnHeading]:
        """Present the heads of the columns that are shown, of all without a choice."""
        return [self._heading(column) for column in self._columns if shown is None or column.name in shown]

    def _heading(self, column: DataColumn[Any]) -> ColumnHeading:
        if not column.is_sortable:
            return ColumnHeading(str(column.heading), column.is_number)
        if column is not self._column:
            first = f"-{column.name}" if column.starts_descending else column.name
            return ColumnHeading(str(column.heading), column.is_number, first)
        other = column.name if self._is_descending else f"-{column.name}"
        return ColumnHeading(
            str(column.heading), column.is_number, other, "descending" if self._is_descending else "ascending"
        )


class MergedRows(Generic[AnyModel]):
    """Rows of the database among others that it does not hold, both in order, as a paginator takes them.

    A page reads as many rows as it shows, and as there are others.
    """

    def __init__(self, rows: QuerySet[AnyModel], others: list[AnyModel], key: Callable[[AnyModel], Any]) -> None:
        self._rows, self._others, self._key = rows, others, key

    def __len__(self) -> int:
        return self._rows.count() + len(self._others)

    def __getitem__(self, part: slice) -> list[AnyModel]:
        start = part.start or 0
        # So many rows come before the page even where all others do, too.
        passed = max(0, start - len(self._others))
        merged = merge(self._rows[passed : part.stop], self._others, key=self._key)
        return [*islice(merged, start - passed, part.stop and part.stop - passed)]


@dataclass(frozen=True, slots=True)
class ColumnOption:
    """A column that may be chosen; the first one says what a row is about, and is always shown."""

    name: str
    label: str
    is_shown: bool
    is_fixed: bool


class ColumnChoice:
    """The columns that an address asks for; `problem` says which it names that the table does not have."""

    def __init__(self, given: QueryDict, columns: Sequence[DataColumn[Any]]) -> None:
        names = [column.name for column in columns]
        asked = [name for name in given.get(COLUMNS_PARAMETER, "").split(",") if name]
        unknown = [name for name in asked if name not in names]
        chosen = {names[0], *asked}.intersection(names) if len(unknown) < len(asked) else set(names)
        self.shown = frozenset(chosen)
        self.value = ",".join(name for name in names if name in chosen) if len(chosen) < len(names) else ""
        self.problem = (
            words.UNKNOWN(asked=listed(unknown), known=", ".join(names), number=len(unknown)) if unknown else ""
        )
        self.options = [
            ColumnOption(name, str(column.heading), name in chosen, name == names[0])
            for name, column in zip(names, columns, strict=True)
        ]
        self.kept = [
            (name, value) for name, value in given.items() if name not in (COLUMNS_PARAMETER, OF_FORM, "page") and value
        ]


class DataTable(Generic[Row]):
    """The columns of a table in their order; `heads` names the one that says what a row is about, the first if none.

    `key` tells rows apart when a part of a page is rendered again; `usual` as of Sorting.
    """

    def __init__(
        self, *columns: DataColumn[Row], key: Callable[[Row], str], heads: str = "", usual: Sequence[str] = ()
    ) -> None:
        self.columns = [column for column in columns if column.heading is not None]
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
    return [each.heading for each in columns]


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


def address_of_choice(request: HttpRequest, columns: Sequence[DataColumn[Any]]) -> HttpResponseRedirect | None:
    """Return the way to the address of what the form chose; None for an address that is no form's."""
    if OF_FORM not in request.GET:
        return None
    chosen, query = request.GET.getlist(OF_FORM), request.GET.copy()
    del query[OF_FORM]
    query.pop(COLUMNS_PARAMETER, None)
    names = [column.name for column in columns if column.name in chosen]
    if len(names) < len(columns):
        query[COLUMNS_PARAMETER] = ",".join(names)
    return HttpResponseRedirect(f"{request.path}?{query.urlencode(safe=',')}")


def rows_in_order(rows: QuerySet[AnyModel], keys: Sequence[int]) -> list[AnyModel]:
    """Return the rows with these primary keys in this order; so the wide rows of all others are never read."""
    found = rows.in_bulk(list(keys))
    return [found[key] for key in keys if key in found]
