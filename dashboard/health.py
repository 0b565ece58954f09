"""Asks each thing that Berth stands on whether it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

if TYPE_CHECKING:
    from collections.abc import Callable

# Seconds. A readiness probe that hangs is worse than one that says no.
_TIMEOUT = 2.0


def dependencies() -> dict[str, str]:
    """Return for each dependency `ok`, or what is wrong with it in a few words that give no address or secret away."""
    return {name: check() for name, check in _CHECKS.items()}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "does not answer"
    return f"lacks {len(pending)} migrations; run manage.py migrate" if pending else "ok"


def _redis() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)
    try:
        client.ping()
    except redis.RedisError:
        return "does not answer"
    finally:
        client.close()
    return "ok"


_CHECKS: dict[str, Callable[[], str]] = {"database": _database, "redis": _redis}
