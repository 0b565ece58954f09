"""What workers found out, and what they are at: kept in Redis for a while, where all processes see it.

Nobody holds anything: a note that a worker is at something lives as long as the worker tells of itself, and where two
workers are at the same, both find the same. So there is no token and no take-over here, but a time to live.
"""

from __future__ import annotations

import logging
from time import thread_time
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError
from clusters.documents.frozen_values import UnreadableError, packed_values, read_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from redis import Redis

_log = logging.getLogger(__name__)

KEPT_SECONDS: Final = 3600
# A worker tells of itself at least this often, or it is taken for dead and another one is asked. The longest it is
# silent is at first, when it reads a large cluster's state.
SILENCE_SECONDS: Final = 300
_SECONDS_BETWEEN_SIGNS = 2.0


def find(name: str) -> Any:
    """Return what is kept; None without anything, without Redis, and for what another release kept."""
    try:
        text = shared_redis.ask(lambda client: client.get(_kept(name)))
        return read_values(text) if isinstance(text, bytes) else None
    except AwayError:
        return None
    except UnreadableError as error:
        _log.warning("What a worker found out is kept in a form that is not read: %s", error)
        return None


def keep(name: str, value: object) -> None:
    """Keep a value for an hour; without Redis it is not kept."""
    text = packed_values(value)
    _told(lambda client: client.set(_kept(name), text, ex=KEPT_SECONDS))


def begin(name: str) -> bool:
    """Note that a worker is asked; False where one is already. Raises AwayError."""
    return bool(shared_redis.ask(lambda client: client.set(_asked(name), b"1", ex=SILENCE_SECONDS, nx=True)))


def is_asked(name: str) -> bool:
    """Tell whether a worker is at something, or is about to be."""
    try:
        return bool(shared_redis.ask(lambda client: client.exists(_asked(name))))
    except AwayError:
        return False


class Signs:
    """The signs of life of a worker."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._due = 0.0

    def give(self) -> bool:
        """Note that the worker is alive, every few seconds of its computing; return whether it was time to."""
        if thread_time() < self._due:
            return False
        self._due = thread_time() + _SECONDS_BETWEEN_SIGNS
        _told(lambda client: client.set(_asked(self._name), b"1", ex=SILENCE_SECONDS))
        return True


def end(name: str) -> None:
    """Note that no worker is at it any more."""
    _told(lambda client: client.delete(_asked(name)))


def _told(question: Callable[[Redis], object]) -> None:
    try:
        shared_redis.ask(question)
    except AwayError as error:
        _log.warning("What workers are at is not told: %s", error)


def _kept(name: str) -> str:
    return f"berth:evaluation:kept:{name}"


def _asked(name: str) -> str:
    return f"berth:evaluation:asked:{name}"
