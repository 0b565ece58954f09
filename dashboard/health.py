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


def pending_migrations() -> int:
    """Return how many migrations the database still lacks."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _database() -> str:
    try:
        pending = pending_migrations()
    except DatabaseError:
        return "does not answer"
    return f"lacks {pending} migrations; run manage.py migrate" if pending else "ok"


def redis_state() -> str:
    """Return `ok` if Redis answers, else what is wrong."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)
    try:
        client.ping()
    except redis.RedisError:
        return "does not answer"
    finally:
        client.close()
    return "ok"


_CHECKS: dict[str, Callable[[], str]] = {"database": _database, "redis": redis_state}
