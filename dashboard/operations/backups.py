"""Backups: all rows and the secret key in one archive, which a database of either kind takes.

The archive is a zip of a manifest, the key, and one file for each table: a line for each row, its values in the order
of the fields that the manifest names. It is written and read as a stream. Rows are read into the tables as they were
when it was written, and are then brought up to date like any other database.
"""

from __future__ import annotations

import base64
import os
import secrets
import zlib
from contextlib import contextmanager
from datetime import datetime  # noqa: TC003 - msgspec reads it
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec
import orjson
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from clusters.wording import backups as words
from clusters.wording.lists import first_of
from dashboard import __version__, datadir

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator, Sequence

    from django.apps.registry import Apps

FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_KEY: Final = "secret-key"
# Rows at once, and bytes of their lines: some rows hold a document of megabytes.
_AT_ONCE: Final = 500
_BYTES_AT_ONCE: Final = 4 * 1024 * 1024
# Made with the tables, and referred to by primary key: those of the backup take their place.
_MADE_WITH_TABLES: Final = ("auth.permission", "contenttypes.contenttype")


class BackupError(Exception):
    """A backup cannot be written or restored; the message says why, and what to do."""


class KeptTable(msgspec.Struct, frozen=True):
    """A table of a backup: its fields in the order of the values, and how many rows there are."""

    fields: tuple[str, ...]
    rows: int


class BackupManifest(msgspec.Struct, frozen=True):
    """What a backup is of; ``migrations`` are those that had been applied, as pairs of app and name."""

    format: int
    version: str
    made_at: datetime
    migrations: tuple[tuple[str, str], ...]
    tables: dict[str, KeptTable]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())


# -- Writing ----------------------------------------------------------------------------------------------------------


def back_up(path: Path) -> BackupManifest:
    """Write a new archive, readable by its owner alone, of one moment of the database. Raises BackupError."""
    if path.exists():
        raise BackupError(words.FILE_EXISTS(file=str(path)))
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            manifest = _write(file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise BackupError(words.CANNOT_WRITE(file=str(path), reason=error.strerror or str(error))) from None
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _write(file: io.BufferedWriter) -> BackupManifest:
    tables = {}
    with ZipFile(file, "w", ZIP_DEFLATED) as archive, _one_moment():
        archive.writestr(_KEY, settings.SECRET_KEY)
        for model in apps.get_models(include_auto_created=True):
            if model._meta.managed and not model._meta.proxy:
                tables[model._meta.label_lower] = _write_table(archive, model)
        manifest = BackupManifest(
            format=FORMAT,
            version=__version__,
            made_at=timezone.now(),
            migrations=tuple(sorted(MigrationExecutor(connection).loader.applied_migrations)),
            tables=tables,
        )
        archive.writestr(_MANIFEST, msgspec.json.encode(manifest))
    return manifest


def _write_table(archive: ZipFile, model: type[models.Model]) -> KeptTable:
    names = [field.attname for field in _stored(model)]
    rows = model._base_manager.order_by("pk").values_list(*names)
    count = 0
    with archive.open(_place(model._meta.label_lower), "w", force_zip64=True) as file:
        for row in rows.iterator(chunk_size=_AT_ONCE):
            file.write(orjson.dumps(row, default=_encoded, option=orjson.OPT_APPEND_NEWLINE))
            count += 1
    return KeptTable(fields=tuple(names), rows=count)


def _encoded(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    raise TypeError(type(value).__name__)


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read the database as it is at one moment, without keeping anybody from writing meanwhile."""
    if connection.vendor != "sqlite":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    # A transaction of Django's would lock the file for writing.
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


# -- Restoring --------------------------------------------------------------------------------------------------------


def restore(path: Path) -> BackupManifest:
    """Read an archive into an empty database, all of it or nothing, and take its secret key. Raises BackupError."""
    try:
        with _opened(path) as archive:
            manifest, key = _manifest(archive), _read(archive, _KEY).decode("ascii")
            state = _prepared(manifest)
            with transaction.atomic():
                _fill(archive, manifest, state)
                if not os.environ.get("BERTH_SECRET_KEY"):
                    datadir.replace_secret_key(settings.BERTH_DATA_DIR, key)
        call_command("migrate", interactive=False, verbosity=0)
    except _DamagedError as error:
        raise BackupError(words.NOT_WHOLE(file=str(path), reason=str(error))) from None
    except OSError as error:
        raise BackupError(words.CANNOT_READ(file=str(path), reason=error.strerror or str(error))) from None
    except DatabaseError as error:
        reason = str(error).strip().partition("\n")[0]
        raise BackupError(words.REFUSED(file=str(path), reason=reason)) from None
    return manifest


class _DamagedError(Exception):
    """The archive does not hold what a backup has; says what was met."""


@contextmanager
def _reading() -> Iterator[None]:
    """Tell what goes wrong in here, where nothing but the archive is read, as damage of it."""
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, LookupError, ValueError, ValidationError, msgspec.MsgspecError) as error:
        raise _DamagedError(str(error) or type(error).__name__) from None


def _opened(path: Path) -> ZipFile:
    with _reading():
        return ZipFile(path)


def _read(archive: ZipFile, name: str) -> bytes:
    with _reading():
        return archive.read(name)


def _manifest(archive: ZipFile) -> BackupManifest:
    text = _read(archive, _MANIFEST)
    with _reading():
        # Another format may have other fields.
        told = orjson.loads(text)
        if told["format"] == FORMAT:
            return msgspec.json.decode(text, type=BackupManifest)
        version = str(told["version"])
    raise BackupError(words.OF_NEWER(version=version, own=__version__))


def _prepared(manifest: BackupManifest) -> Apps:
    """Make the tables as the backup knows them, and return their models. Raises BackupError unless they are empty."""
    executor = MigrationExecutor(connection)
    wanted, applied = set(manifest.migrations), set(executor.loader.applied_migrations)
    if not wanted <= set(executor.loader.graph.nodes):
        raise BackupError(words.OF_NEWER(version=manifest.version, own=__version__))
    # What has been migrated further is nobody's empty database, whatever it holds.
    if used := [*_used_tables(), *(name for _, name in sorted(applied - wanted))]:
        raise BackupError(words.IN_USE(tables=first_of(used)))
    followed = {parent for node in wanted for parent in _before(executor, node)}
    leaves = sorted(wanted - followed)
    executor.migrate(leaves)
    return executor.loader.project_state(leaves).apps


def _before(executor: MigrationExecutor, node: tuple[str, str]) -> list[tuple[str, str]]:
    """Return what a migration follows within its own app."""
    return [parent.key for parent in executor.loader.graph.node_map[node].parents if parent.key[0] == node[0]]


def _used_tables() -> list[str]:
    tables = set(connection.introspection.table_names())
    return [
        model._meta.label_lower
        for model in apps.get_models(include_auto_created=True)
        if model._meta.db_table in tables
        and model._meta.label_lower not in _MADE_WITH_TABLES
        and model._base_manager.exists()
    ]


def _fill(archive: ZipFile, manifest: BackupManifest, state: Apps) -> None:
    for label in _MADE_WITH_TABLES:
        state.get_model(label)._base_manager.all().delete()
    with _reading():
        filled = [state.get_model(label) for label in manifest.tables]
    for model in filled:
        _fill_table(archive, model, manifest.tables[model._meta.label_lower])
    _move_uploads(state.get_model("clusters.ingest"))
    connection.check_constraints()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), filled):
            cursor.execute(statement)


def _fill_table(archive: ZipFile, model: type[models.Model], table: KeptTable) -> None:
    """Insert rows as they are: what is written by itself when a row is added stays what it was."""
    # Asked for millions of times, which by way of the proxy takes longer than all the rest.
    database = connections[DEFAULT_DB_ALIAS]
    by_name = {field.attname: field for field in _stored(model)}
    with _reading():
        fields = [by_name[name] for name in table.fields]
    quoted = database.ops.quote_name
    columns, marks = ", ".join(quoted(str(field.column)) for field in fields), ", ".join("%s" for _ in fields)
    statement = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608 - names of ours
    batch: list[list[Any]] = []
    size = 0
    with database.cursor() as cursor:
        for line, row in _rows(archive, model._meta.label_lower, fields, table.rows):
            batch.append([field.get_db_prep_save(value, database) for field, value in zip(fields, row, strict=True)])
            size += len(line)
            if len(batch) == _AT_ONCE or size > _BYTES_AT_ONCE:
                cursor.executemany(statement, batch)
                batch, size = [], 0
        if batch:
            cursor.executemany(statement, batch)


def _rows(
    archive: ZipFile, label: str, fields: Sequence[models.Field[Any, Any]], wanted: int
) -> Iterator[tuple[bytes, list[Any]]]:
    """Yield each line of a table with its values."""
    # A text in a column of JSON is one.
    readers = [None if isinstance(field, models.JSONField) else field.to_python for field in fields]
    count = 0
    with _reading(), archive.open(_place(label)) as lines:
        for line in lines:
            row = zip(readers, orjson.loads(line), strict=True)
            yield line, [value if read is None else read(value) for read, value in row]
            count += 1
        if count != wanted:
            raise EOFError(f"{label}: {count} of {wanted}")


def _move_uploads(ingests: type[models.Model]) -> None:
    """Look for what waited to be read in the uploads of this installation, and leave those of the other alone."""
    for key, upload in ingests._base_manager.exclude(upload="").values_list("pk", "upload"):
        ingests._base_manager.filter(pk=key).update(upload=str(settings.MEDIA_ROOT / Path(upload).name))


# -- Both -------------------------------------------------------------------------------------------------------------


def _stored(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def _place(label: str) -> str:
    return f"rows/{label}.jsonl"
