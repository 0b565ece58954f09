"""What workers found out, and what they are at: kept in Redis for a while, where all processes see it.

Nobody holds anything: a note that a worker is at something lives as long as the worker tells of itself, and where two
workers are at the same, both find the same. So there is no token and no take-over here, but a time to live.
"""

from __future__ import annotations

import logging
from time import thread_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError
from clusters.documents.frozen_values import UnreadableError, packed_values, read_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from redis import Redis

_log = logging.getLogger(__name__)

KEPT_SECONDS: Final = 3600
# A worker tells of itself at least this often, or it is taken for dead and another one is asked. The longest it is
# silent is at first, when it reads a large cluster's state.
SILENCE_SECONDS: Final = 300
_SECONDS_BETWEEN_SIGNS = 2.0


class Evaluation(NamedTuple):
    """What was found out of a question by its parts, of the state of a revision, which was read ``at`` that time.

    ``told``: what it comes to, where a worker found out the whole (``is_long``).
    """

    revision: int
    at: datetime
    answers: Mapping[bytes, Any]
    told: Any = None
    is_long: bool = False


class Progress(NamedTuple):
    """How much of its work a worker is done with; ``total`` is 0 where it does not count."""

    done: int = 0
    total: int = 0


def find(name: str) -> Evaluation | None:
    """Return the last evaluation that is whole; None without one, without Redis, and for what another release kept."""
    return _read(_kept(name))


def find_begun(name: str) -> Evaluation | None:
    """Return as much as a worker found out so far; None as above."""
    return _read(_begun(name))


def keep(name: str, whole: Evaluation) -> None:
    """Keep an evaluation for an hour; without Redis it is not kept."""
    _write(_kept(name), whole)
    _told(lambda client: client.delete(_begun(name)))


def keep_begun(name: str, part: Evaluation) -> None:
    """Keep what is known so far."""
    _write(_begun(name), part)


def begin(name: str, progress: Progress) -> bool:
    """Note that a worker is asked; False where one is already. Raises AwayError."""
    note = orjson.dumps([*progress])
    return bool(shared_redis.ask(lambda client: client.set(_asked(name), note, ex=SILENCE_SECONDS, nx=True)))


def tell(name: str, progress: Progress) -> None:
    """Note that a worker is alive, and how far it is."""
    _told(lambda client: client.set(_asked(name), orjson.dumps([*progress]), ex=SILENCE_SECONDS))


def progress_of(name: str) -> Progress | None:
    """Return how far the worker is that is at something, or is about to be; None without one. Raises AwayError."""
    text = shared_redis.ask(lambda client: client.get(_asked(name)))
    return Progress(*orjson.loads(text)) if isinstance(text, bytes) else None


def end(name: str) -> None:
    """Note that no worker is at it any more."""
    _told(lambda client: client.delete(_asked(name)))


class Signs:
    """The signs of life of a worker."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._due = 0.0

    def give(self, progress: Progress) -> bool:
        """Note that the worker is alive, every few seconds of its computing; return whether it was time to."""
        if thread_time() < self._due:
            return False
        self._due = thread_time() + _SECONDS_BETWEEN_SIGNS
        tell(self._name, progress)
        return True


def _read(key: str) -> Evaluation | None:
    try:
        text = shared_redis.ask(lambda client: client.get(key))
        found = read_values(text) if isinstance(text, bytes) else None
    except AwayError:
        return None
    except UnreadableError as error:
        _log.warning("What a worker found out is kept in a form that is not read: %s", error)
        return None
    return found if isinstance(found, Evaluation) else None


def _write(key: str, evaluation: Evaluation) -> None:
    text = packed_values(evaluation)
    _told(lambda client: client.set(key, text, ex=KEPT_SECONDS))


def _told(question: Callable[[Redis], object]) -> None:
    try:
        shared_redis.ask(question)
    except AwayError as error:
        _log.warning("What workers are at is not told: %s", error)


def _kept(name: str) -> str:
    return f"berth:evaluation:kept:{name}"


def _begun(name: str) -> str:
    return f"berth:evaluation:begun:{name}"


def _asked(name: str) -> str:
    return f"berth:evaluation:asked:{name}"
