"""Explanations that could not be computed: each costs its own row, is counted, and is in the log once.

Whoever explains many pods asks ``attempted`` for each, and gets the answer or a Failure. Whoever explains the one pod
that a page is about asks ``computed``, which raises NotComputed.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Lock
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cachetools import LRUCache
from django.db import DatabaseError

from clusters.adapters import shared_redis
from clusters.engine.cost import measure_of
from clusters.engine.failure import Failure, attempt
from clusters.services.computing import deadlines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from redis import Redis

_log = logging.getLogger(__name__)

T = TypeVar("T")

# Tracebacks that this process wrote down already.
_MOST_REMEMBERED: Final = 1_000
_COUNTERS: Final = "berth:not-computed"
_OWN: Final = frozenset({"clusters", "dashboard"})
_ENGINE: Final = "clusters.engine."


class NotComputed(Exception):  # noqa: N818 - it reads as the answer that it is
    """The answer that was asked for could not be computed, for a reason that is in the log."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.error)
        self.failure = failure


class _Noted:
    """What this process wrote down."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._references: LRUCache[str, bool] = LRUCache(_MOST_REMEMBERED)

    def is_new(self, reference: str) -> bool:
        """Whether a traceback is to be written down."""
        with self._lock:
            is_new = self._references.get(reference) is None
            self._references[reference] = True
            return is_new

    def forget(self) -> None:
        with self._lock:
            self._references.clear()


_noted = _Noted()


def attempted(about: str, compute: Callable[[], T]) -> T | Failure:
    """Return what is computed about one pod, or the Failure, which is counted and logged. Raises OverTimeError."""
    deadlines.check()
    found = attempt(compute)
    if isinstance(found, Failure):
        note(about, found)
    return found


def computed(about: str, compute: Callable[[], T]) -> T:
    """Return what is computed about the one pod that is asked for. Raises NotComputed, counted and logged."""
    found = attempted(about, compute)
    if isinstance(found, Failure):
        raise NotComputed(found)
    return found


def note(about: str, failure: Failure) -> None:
    """Count a failure for all processes together, unless Redis is away.

    It is logged, with its traceback, the first time that this process meets its like. An explanation that would cost
    too much is no defect, and has none.
    """
    with suppress(shared_redis.AwayError):
        shared_redis.ask(lambda client: client.hincrby(_COUNTERS, failure.reference, 1))
    if not _noted.is_new(failure.reference):
        return
    if measure_of(failure.reference) is not None:
        _log.warning("%s was not computed, as it would cost too much: %s", about, failure.error)
    else:
        _log.error("[%s] %s could not be computed: %s\n%s", failure.reference, about, failure.error, failure.details)


def escaped(error: BaseException) -> Failure | None:
    """Return the failure that an error tells of: NotComputed, or what came out of the engine; None of any other.

    Some parts of an explanation are computed only when a page asks for them, wherever that may be.
    """
    if isinstance(error, NotComputed):
        return error.failure
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    own = [module for module in modules if module.partition(".")[0] in _OWN]
    if isinstance(error, DatabaseError) or not own or not own[-1].startswith(_ENGINE):
        return None
    failure = Failure.of(error)
    note("An answer", failure)
    return failure


def counted_failures() -> Mapping[str, int]:
    """Return how many failures all processes counted, by reference; none while Redis is away."""
    try:
        found: dict[bytes, bytes] = shared_redis.ask(_all_counters)
    except shared_redis.AwayError:
        return {}
    return {reference.decode(): int(number) for reference, number in found.items()}


def _all_counters(client: Redis) -> Any:
    return client.hgetall(_COUNTERS)


def forget() -> None:
    """Let the next failure of each sort be logged again."""
    _noted.forget()
