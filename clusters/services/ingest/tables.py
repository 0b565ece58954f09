"""Bring the mirror's tables to the state that a source tells, touching only the rows that differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection, models

from clusters.adapters.rows import DIGEST, OBJECTS, TABLES, UID, Row, Table, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.db.models import QuerySet

    from clusters.models import Cluster

# SQLite may be built to take no more than 999 values in one statement.
_KEYS_AT_ONCE = 900
_ROWS_AT_ONCE = 5_000


class Touched(NamedTuple):
    """An object of which a row was written or removed; a cluster-scoped one has an empty namespace."""

    uid: str
    namespace: str
    name: str
    is_deleted: bool


@dataclass(slots=True)
class Changes:
    """What was written: how many rows, and whose.

    `before` holds the objects as they were, by UID, where somebody asked for single ones to be changed.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    touched: list[Touched] = field(default_factory=list)
    before: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    # Nodes and pods that went, as they were, where one kind was written.
    gone: list[Mapping[str, Any]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def replace_rows(cluster: Cluster, rows: Mapping[str, Mapping[tuple[str, str], Row]]) -> Changes:
    """Make the cluster's rows equal to `rows`, given by kind; the caller holds the transaction."""
    changes = Changes()
    for kind, table in TABLES.items():
        _replace(cluster, table, _all(cluster, table), rows.get(kind, {}).values(), changes)
    others = (row for kind, by_name in rows.items() if kind not in TABLES for row in by_name.values())
    _replace(cluster, OBJECTS, _all(cluster, OBJECTS), others, changes)
    return changes


# Of which the journal keeps what goes.
_KEPT = frozenset({"Node", "Pod"})


def replace_kind(cluster: Cluster, kind: str, rows: Iterable[Row]) -> Changes:
    """Make the cluster's rows of one kind equal to `rows`; the caller holds the transaction."""
    changes = Changes()
    table = table_of(kind)
    present = _all(cluster, table)
    _replace(
        cluster, table, present.filter(kind=kind) if table is OBJECTS else present, rows, changes, keeps=kind in _KEPT
    )
    return changes


def change_kind(cluster: Cluster, kind: str, rows: Mapping[str, Row | None]) -> Changes:
    """Write the rows of some objects of one kind, by UID; None removes. The caller holds the transaction."""
    changes = Changes()
    table = table_of(kind)
    # Those that go come first: their names may be taken over within the same batch.
    uids = sorted(rows, key=lambda uid: rows[uid] is not None)
    for start in range(0, len(uids), _KEYS_AT_ONCE):
        some = uids[start : start + _KEYS_AT_ONCE]
        wanted = (row for uid in some if (row := rows[uid]) is not None)
        present = _all(cluster, table).filter(uid__in=some)
        if kind != "Event":
            changes.before.update(present.values_list("uid", "object"))
        _replace(cluster, table, present, wanted, changes, keeps=kind in _KEPT)
    return changes


def _all(cluster: Cluster, table: Table) -> QuerySet[Any]:
    return table.model._default_manager.filter(cluster=cluster)


def _replace(
    cluster: Cluster,
    table: Table,
    objects: QuerySet[Any],
    rows: Iterable[Row],
    changes: Changes,
    *,
    keeps: bool = False,
) -> None:
    """Make `objects`, a part of the table, equal to `rows`; ``keeps`` what goes as it was."""
    place = (*_place(table), "name")
    present = {
        uid: (key, digest, where) for uid, key, digest, *where in objects.values_list("uid", "pk", "digest", *place)
    }
    columns = [table.columns.index(name) for name in place]
    fresh = []
    outdated = []
    for row in rows:
        key, digest, _ = present.pop(row[UID], (None, "", ()))
        if digest == row[DIGEST]:
            continue
        fresh.append(row)
        changes.touched.append(Touched(row[UID], *_full(row[column] for column in columns), is_deleted=False))
        if key is None:
            changes.added += 1
        else:
            changes.changed += 1
            outdated.append(key)
    changes.removed += len(present)
    if keeps:
        keys = [key for key, _, _ in present.values()]
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            going = _all(cluster, table).filter(pk__in=keys[start : start + _KEYS_AT_ONCE])
            changes.gone.extend(going.order_by("pk").values_list("object", flat=True))
    for uid, (key, _, where) in present.items():
        # What changed is deleted and inserted rather than updated: a name may have passed from one object to another.
        outdated.append(key)
        changes.touched.append(Touched(uid, *_full(where), is_deleted=True))
    for start in range(0, len(outdated), _KEYS_AT_ONCE):
        _all(cluster, table).filter(pk__in=outdated[start : start + _KEYS_AT_ONCE]).delete()
    if fresh:
        _insert(cluster, table, fresh)


def _place(table: Table) -> tuple[str, ...]:
    return ("namespace",) if "namespace" in table.columns else ()


def _full(where: Iterable[str]) -> tuple[str, str]:
    """Return namespace and name of an object that may have a name only."""
    *namespace, name = where
    return (namespace[0] if namespace else "", name)


def _insert(cluster: Cluster, table: Table, rows: list[Row]) -> None:
    """Insert rows past the ORM, whose instances would take most of an ingest's time."""
    quote = connection.ops.quote_name
    name = quote(table.model._meta.db_table)
    columns = ", ".join(map(quote, ("cluster_id", *table.columns)))
    values = _database_values(cluster, table, rows)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Copying goes past what makes Django's errors of the driver's.
            with connection.wrap_database_errors, cursor.copy(f"COPY {name} ({columns}) FROM STDIN") as copy:
                for row in values:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * (len(table.columns) + 1))
            statement = f"INSERT INTO {name} ({columns}) VALUES ({places})"  # noqa: S608 -- names of our own models
            while batch := list(islice(values, _ROWS_AT_ONCE)):
                cursor.executemany(statement, batch)


def _database_values(cluster: Cluster, table: Table, rows: list[Row]) -> Iterator[tuple[Any, ...]]:
    """Put the cluster in front of each row, and its times into the form that the database takes."""
    times = [
        index
        for index, column in enumerate(table.columns)
        if isinstance(table.model._meta.get_field(column), models.DateTimeField)
    ]
    adapt = connection.ops.adapt_datetimefield_value
    for row in rows:
        values = [cluster.pk, *row]
        for index in times:
            moment = row[index]
            if moment is not None:
                values[index + 1] = adapt(moment)
        yield tuple(values)
