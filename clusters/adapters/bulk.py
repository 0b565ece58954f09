"""Many rows written at once, past the ORM, whose instances would take most of the time."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import Model

_ROWS_AT_ONCE: Final = 5_000


def insert(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with a value for each of the columns, in the form that the database takes."""
    quote = connection.ops.quote_name
    name, named = quote(model._meta.db_table), ", ".join(map(quote, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Copying goes past what makes Django's errors of the driver's.
            with connection.wrap_database_errors, cursor.copy(f"COPY {name} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {name} ({named}) VALUES ({places})"  # noqa: S608 -- names of our own models
            values = iter(rows)
            while batch := list(islice(values, _ROWS_AT_ONCE)):
                cursor.executemany(statement, batch)
