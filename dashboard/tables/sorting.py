"""Tables sorted by the column that the address names: `?sort=cpu`, and `?sort=-cpu` for the other way round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import F, Model, QuerySet

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from django.db.models.expressions import OrderBy

    from dashboard.tables.columns import DataColumn

Row = TypeVar("Row", bound=Model)
AnyRow = TypeVar("AnyRow")

PARAMETER = "sort"


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
        asked = given.get(PARAMETER, "")
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

    def sort(self, rows: Iterable[AnyRow], ties: Callable[[AnyRow], Any]) -> list[AnyRow]:
        """Return rows in memory sorted by the column's `order`, equal ones by ``ties``; as given without a column."""
        if self._column is None or self._column.order is None:
            return list(rows)
        return sorted(sorted(rows, key=ties), key=self._column.order, reverse=self._is_descending)

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


def rows_in_order(rows: QuerySet[Row], keys: Sequence[int]) -> list[Row]:
    """Return the rows with these primary keys in this order; so the wide rows of all others are never read."""
    found = rows.in_bulk(list(keys))
    return [found[key] for key in keys if key in found]
