"""What ingest costs beside the least that anything could: parse the text, and hand the finished rows to SQLite.

Both sides take turns in one process, over a database of their own. BERTH_BENCH_DUMP names another dump to measure with.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import statistics
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import orjson

from bench.cluster import each_object
from bench.large_site import running
from bench.live_site import in_own_process
from bench.measure import Figure, figure

if TYPE_CHECKING:
    from collections.abc import Callable

NODES, PODS = 5_000, 50_000
ROUNDS = 7


def run() -> dict[str, Figure]:
    """Measure in a process of its own, and return the measures by name."""
    measures: dict[str, Figure] = in_own_process("bench.ingest")
    return measures


def _dump(folder: Path) -> Path:
    given = os.environ.get("BERTH_BENCH_DUMP")
    if given:
        return Path(given)
    path = folder / "dump.json"
    listed = {"apiVersion": "v1", "kind": "List", "items": list(each_object(NODES, PODS))}
    path.write_bytes(orjson.dumps(listed))
    return path


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _rows_by_table(cluster_id: int) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows that an ingest wrote, as SQLite holds them."""
    from django.db import connection

    from clusters.adapters.rows import OBJECTS, TABLES

    found = {}
    with connection.cursor() as cursor:
        for table in (*TABLES.values(), OBJECTS):
            name = table.model._meta.db_table
            columns = ", ".join(f'"{column}"' for column in ("cluster_id", *table.columns))
            cursor.execute(f'SELECT {columns} FROM "{name}" WHERE cluster_id = %s', [cluster_id])  # noqa: S608
            found[name] = cursor.fetchall()
    return found


def _least(dump: Path, rows: dict[str, list[tuple[Any, ...]]], database: Path) -> None:
    """Parse the whole text and insert finished rows into bare tables: no checks, no indexes, no constraints."""
    orjson.loads(dump.read_bytes())
    connection = sqlite3.connect(database)
    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
    with connection:
        for name, values in rows.items():
            if values:
                width = len(values[0])
                connection.execute(f"CREATE TABLE {name} ({', '.join(f'c{index}' for index in range(width))})")
                connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * width)})", values)  # noqa: S608
    connection.close()


def main() -> None:
    """Measure, and print the result as JSON."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    with running("redis"):
        measures = _measured(Path(settings.BERTH_DATA_DIR))
    sys.stdout.write(orjson.dumps(measures).decode())


def _measured(folder: Path) -> dict[str, Figure]:
    from clusters.models import Cluster
    from clusters.services.ingest.ingest import ingest_path

    dump = _dump(folder)
    first, again, least = [], [], []
    peak_mib = 0.0
    for index in range(ROUNDS):
        cluster = Cluster.objects.create(name=f"bench-{index}")
        first.append(_seconds(lambda: ingest_path(cluster=cluster, path=dump)))  # noqa: B023
        again.append(_seconds(lambda: ingest_path(cluster=cluster, path=dump)))  # noqa: B023
        peak_mib = peak_mib or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows = _rows_by_table(cluster.pk)
        database = folder / f"least-{index}.sqlite3"
        least.append(_seconds(lambda: _least(dump, rows, database)))  # noqa: B023
        database.unlink()
        cluster.delete()
    return {
        "ingest: first": figure(first, "s", against=statistics.median(least)),
        "ingest: unchanged": figure(again, "s"),
        "ingest: orjson.loads and bare executemany": figure(least, "s"),
        "ingest: peak memory": figure([peak_mib], "MiB"),
    }


if __name__ == "__main__":
    main()
