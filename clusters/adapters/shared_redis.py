"""The Redis that all processes share, for what they count together and keep for a while."""

from __future__ import annotations

import logging
from functools import cache
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    import redis

_log = logging.getLogger(__name__)

T = TypeVar("T")

# Seconds. Whoever asks can go on without an answer, and must not wait for one.
_TIMEOUT: Final = 1.0
_CONNECTIONS: Final = 32
# So long nobody asks again after there was no answer: a Redis that hangs costs one question its timeout, not each.
_PAUSE: Final = 10.0


class AwayError(Exception):
    """Redis does not answer."""


class _Silence:
    """Until when this process takes Redis for away."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._until = 0.0

    @property
    def lasts(self) -> bool:
        return monotonic() < self._until

    def begin(self) -> None:
        with self._lock:
            self._until = monotonic() + _PAUSE

    def end(self) -> None:
        with self._lock:
            self._until = 0.0


_silence = _Silence()


def ask(question: Callable[[redis.Redis], T]) -> T:
    """Return the answer to a question that takes Redis no time. Raises AwayError, at once while it is known to be."""
    if _silence.lasts:
        raise AwayError("silent")
    return _asked(question)


def _asked(question: Callable[[redis.Redis], T]) -> T:
    # A tenth of a second that many commands never need.
    from redis import RedisError

    try:
        return question(_client(settings.REDIS_URL))
    except RedisError as error:
        _log.warning(
            "Redis is unavailable, and is not asked for %g s; each process counts by itself: %s", _PAUSE, error
        )
        _silence.begin()
        raise AwayError(str(error)) from error


def knock() -> None:
    """Raise AwayError unless Redis answers.

    For what goes there by another client, whose own timeouts are longer: a Redis that hangs is waited for here. What
    happened before does not count, as what cannot be sent now may fail for good.
    """
    _asked(lambda client: client.ping())
    _silence.end()


def forget_silence() -> None:
    """Ask again, whatever happened before."""
    _silence.end()


@cache
def _client(url: str) -> redis.Redis:
    # Requests that come at once wait for each other's connections: more would be refused as if Redis were away.
    from redis import BlockingConnectionPool, Redis

    pool = BlockingConnectionPool.from_url(
        url, max_connections=_CONNECTIONS, timeout=_TIMEOUT, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT
    )
    return Redis(connection_pool=pool)
