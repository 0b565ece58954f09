"""Tables of a review's document: raw values under keys, and of which kind they are. Titles are the web ring's."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.engine.resources.units import Unit, resource_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

Column = dict[str, str]
Row = dict[str, Any]
_FIRST = (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)
# As documents name the kinds of columns and the units of amounts.
_KINDS = {Unit.MILLI_CPU: "cpu", Unit.BYTES: "memory", Unit.COUNT: "number"}
_UNITS = {Unit.MILLI_CPU: "millicores", Unit.BYTES: "bytes", Unit.COUNT: "count"}


def text(key: str) -> Column:
    """Words."""
    return {"key": key, "kind": "text"}


def name(key: str) -> Column:
    """An object's name."""
    return {"key": key, "kind": "name"}


def names(key: str) -> Column:
    """A list of objects' names."""
    return {"key": key, "kind": "names"}


def number(key: str) -> Column:
    """A whole number."""
    return {"key": key, "kind": "number"}


def time(key: str) -> Column:
    """A time, or null."""
    return {"key": key, "kind": "time"}


def money(key: str) -> Column:
    """An amount of money as a decimal text."""
    return {"key": key, "kind": "money"}


def yes(key: str) -> Column:
    """Whether something is so."""
    return {"key": key, "kind": "yes"}


def resource(resource: str, measure: str) -> Column:
    """An amount of a resource in base units."""
    return {"key": f"{resource}_{measure}", "kind": kind_of(resource), "resource": resource, "measure": measure}


def share(resource: str) -> Column:
    """What is requested of what is allocatable, 0 to 1; null where nothing is allocatable."""
    return {"key": f"{resource}_share", "kind": "share", "resource": resource, "measure": "share"}


def kind_of(resource: str) -> str:
    """The kind of a resource's amounts: milli-CPU, bytes, or a number."""
    return _KINDS[resource_unit(resource)]


def unit_of(resource: str) -> str:
    """The name of the unit of a resource's amounts."""
    return "pods" if resource == PODS else _UNITS[resource_unit(resource)]


def in_order(resources: Iterable[str]) -> list[str]:
    """Resources, the usual ones first, then by name."""
    return sorted(resources, key=lambda each: (_FIRST.index(each) if each in _FIRST else len(_FIRST), each))


def ratio(part: int, whole: int) -> float | None:
    """Part of whole, to four decimals."""
    return round(part / whole, 4) if whole > 0 else None


def table(name: str, columns: Sequence[Column], rows: Sequence[Row], total: Mapping[str, Any] | None = None) -> Row:
    """A table; every row has a value under every column's key."""
    return {"name": name, "columns": list(columns), "rows": list(rows), "total": None if total is None else dict(total)}


def section(key: str, facts: Mapping[str, Any], tables: Sequence[Row] = ()) -> Row:
    """A section of a document."""
    return {"key": key, "facts": dict(facts), "tables": list(tables)}


def moment(at: datetime) -> str:
    """A time of UTC to the second."""
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
