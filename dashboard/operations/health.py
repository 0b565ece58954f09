"""Checks whether each service that Berth depends on answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import redis
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from clusters.wording import operations as words
from dashboard.operations import heartbeat

if TYPE_CHECKING:
    from collections.abc import Callable

# Seconds. A readiness probe that hangs is worse than one that says no.
_TIMEOUT = 2.0
_BUSY_MILLISECONDS = 500
# A session that has expired when it is written, so that it signs nobody in, and is cleared with others.
_PROBE = "readiness-probe"


def dependencies() -> dict[str, str]:
    """Return for each dependency `ok`, or what is wrong with it in a few words that give no address or secret away."""
    return {name: check() for name, check in _CHECKS.items()}


def pending_migrations() -> int:
    """Return how many migrations the database still lacks."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def unknown_migrations() -> list[str]:
    """Return what a newer Berth has done to the database, by the names of its migrations."""
    loader = MigrationExecutor(connection).loader
    known = {*loader.disk_migrations, *(key for each in loader.disk_migrations.values() for key in each.replaces)}
    ours = {app for app, _ in loader.disk_migrations}
    return sorted(f"{app}.{name}" for app, name in {*loader.applied_migrations} - known if app in ours)


def _database() -> str:
    try:
        pending = pending_migrations()
    except DatabaseError:
        return str(words.UNAVAILABLE)
    try:
        _write()
    except DatabaseError:
        return str(words.READ_ONLY)
    return words.PENDING_MIGRATIONS(pending=pending, command=settings.BERTH_COMMAND) if pending else "ok"


def _write() -> None:
    """Commit a row; on a disk that is full or read-only that fails. Another writer at work shows that it does not."""
    is_sqlite = connection.vendor == "sqlite"
    try:
        if is_sqlite:
            connection.cursor().execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        defaults = {"session_data": "", "expire_date": timezone.now()}
        Session.objects.update_or_create(session_key=_PROBE, defaults=defaults)
    except OperationalError as error:
        if "locked" not in str(error):
            raise
    finally:
        if is_sqlite:
            patience = settings.DATABASES["default"]["OPTIONS"]["timeout"] * 1000
            connection.cursor().execute(f"PRAGMA busy_timeout = {patience}")


def redis_state() -> str:
    """Return `ok` if Redis answers, else what is wrong."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)
    try:
        client.ping()
    except redis.RedisError:
        return str(words.UNAVAILABLE)
    finally:
        client.close()
    return "ok"


def beat_state() -> str:
    """Return `ok` if beat has started something lately, else what is wrong."""
    is_running = heartbeat.is_running()
    return str(words.UNAVAILABLE if is_running is None else "ok" if is_running else words.NO_BEAT)


_CHECKS: dict[str, Callable[[], str]] = {"database": _database, "redis": redis_state}
