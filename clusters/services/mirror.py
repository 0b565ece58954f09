"""Bring the mirror's tables to the state that a source tells, touching only the rows that differ."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.db import connection, models

from clusters.adapters.rows import DIGEST, OBJECTS, TABLES, UID, Row, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.models import Cluster

# SQLite may be built to take no more than 999 values in one statement.
_KEYS_AT_ONCE = 900
_ROWS_AT_ONCE = 5_000


@dataclass(slots=True)
class Changes:
    """How many rows an ingest touched."""

    added: int = 0
    changed: int = 0
    removed: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def replace_rows(cluster: Cluster, rows: Mapping[str, Mapping[tuple[str, str], Row]]) -> Changes:
    """Make the cluster's rows equal to `rows`, given by kind; the caller holds the transaction."""
    changes = Changes()
    for kind, table in TABLES.items():
        _replace(cluster, table, rows.get(kind, {}).values(), changes)
    others = (row for kind, by_name in rows.items() if kind not in TABLES for row in by_name.values())
    _replace(cluster, OBJECTS, others, changes)
    return changes


def _replace(cluster: Cluster, table: Table, rows: Iterable[Row], changes: Changes) -> None:
    objects = table.model._default_manager.filter(cluster=cluster)
    present = {uid: (key, digest) for uid, key, digest in objects.values_list("uid", "pk", "digest")}
    fresh = []
    outdated = []
    for row in rows:
        key, digest = present.pop(row[UID], (None, ""))
        if digest == row[DIGEST]:
            continue
        fresh.append(row)
        if key is None:
            changes.added += 1
        else:
            changes.changed += 1
            outdated.append(key)
    changes.removed += len(present)
    # What changed is deleted and inserted rather than updated: a name may have passed from one object to another.
    outdated.extend(key for key, _ in present.values())
    for start in range(0, len(outdated), _KEYS_AT_ONCE):
        objects.filter(pk__in=outdated[start : start + _KEYS_AT_ONCE]).delete()
    if fresh:
        _insert(cluster, table, fresh)


def _insert(cluster: Cluster, table: Table, rows: list[Row]) -> None:
    """Insert rows past the ORM, whose instances would take most of an ingest's time."""
    quote = connection.ops.quote_name
    name = quote(table.model._meta.db_table)
    columns = ", ".join(map(quote, ("cluster_id", *table.columns)))
    values = _database_values(cluster, table, rows)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {name} ({columns}) FROM STDIN") as copy:
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
