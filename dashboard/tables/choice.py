"""Which columns a table shows, as the address says: `?columns=zone,cpu`; without it all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponseRedirect, QueryDict

from clusters.wording import columns as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.tables.columns import DataColumn

PARAMETER = "columns"
# A form names each column by itself; its address is then written as the other, which live parts and links repeat.
OF_FORM = "column"


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
        asked = [name for name in given.get(PARAMETER, "").split(",") if name]
        unknown = [name for name in asked if name not in names]
        chosen = {names[0], *asked}.intersection(names) if len(unknown) < len(asked) else set(names)
        self.shown = frozenset(chosen)
        self.value = ",".join(name for name in names if name in chosen) if len(chosen) < len(names) else ""
        self.problem = words.unknown(unknown, names) if unknown else ""
        self.options = [
            ColumnOption(name, str(column.heading), name in chosen, name == names[0])
            for name, column in zip(names, columns, strict=True)
        ]
        self.kept = [
            (name, value) for name, value in given.items() if name not in (PARAMETER, OF_FORM, "page") and value
        ]


def address_of_choice(request: HttpRequest, columns: Sequence[DataColumn[Any]]) -> HttpResponseRedirect | None:
    """Return the way to the address of what the form chose; None for an address that is no form's."""
    if OF_FORM not in request.GET:
        return None
    chosen, query = request.GET.getlist(OF_FORM), request.GET.copy()
    del query[OF_FORM]
    query.pop(PARAMETER, None)
    names = [column.name for column in columns if column.name in chosen]
    if len(names) < len(columns):
        query[PARAMETER] = ",".join(names)
    return HttpResponseRedirect(f"{request.path}?{query.urlencode(safe=',')}")
