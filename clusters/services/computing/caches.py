"""What this process keeps of what it computed: so many results, each computed once for all who ask at the same time.

Nothing is computed under a lock. Threads that ask for what is being computed wait for it, as long as their own deadline
lets them; threads that ask for anything else go on.
"""

from __future__ import annotations

import logging
from threading import Event, Lock
from time import thread_time
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from cachetools import LRUCache

from clusters.services.computing import deadlines

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

_log = logging.getLogger(__name__)

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")


class _Result(NamedTuple, Generic[V]):
    """What was computed, and of which version of its key."""

    version: object
    value: V


class _Computation(Generic[V]):
    """A result that one thread computes, and for which others may wait."""

    def __init__(self, version: object) -> None:
        self.version = version
        self.outcome: _Result[V] | Exception | None = None
        self._clock = deadlines.ThreadClock()
        self._ended = Event()

    def end(self) -> None:
        self._ended.set()

    def wait(self) -> None:
        deadlines.wait(self._ended, self._clock)


class Cache(Generic[K, V]):
    """The ``most`` results that were asked for last, by key. They are shared: leave them as they are.

    A key has one result, of one version: asking for another one computes it, and replaces what was kept. An error is
    not kept, nor is what ``keeps`` refuses, such as a part of a result: they reach all who waited for that computation.
    """

    def __init__(self, name: str, most: int, keeps: Callable[[V], bool] = lambda _: True) -> None:
        self._name = name
        self._keeps = keeps
        self._lock = Lock()
        self._kept: LRUCache[K, _Result[V]] = LRUCache(most)
        self._running: dict[K, _Computation[V]] = {}
        # How often a result was asked for, and how often it had to be computed.
        self._asked = self._computed = 0

    def get(self, key: K, compute: Callable[[], V], *, version: object = None) -> V:
        """Return what is kept of this version, or what ``compute`` returns. Raises its errors, and OverTimeError."""
        with self._lock:
            self._asked += 1
        while True:
            with self._lock:
                kept = self._kept.get(key)
                if kept is not None and kept.version == version:
                    return kept.value
                own = _Computation[V](version)
                running = self._running.setdefault(key, own)
            if running is own:
                return self._compute(key, own, compute)
            running.wait()
            outcome = running.outcome
            # One that was interrupted has none.
            if running.version == version and outcome is not None:
                if isinstance(outcome, Exception):
                    raise outcome
                return outcome.value

    def latest(self, key: K) -> V | None:
        """Return what is kept, of whichever version."""
        with self._lock:
            kept = self._kept.get(key)
        return None if kept is None else kept.value

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()

    def _compute(self, key: K, own: _Computation[V], compute: Callable[[], V]) -> V:
        began = thread_time()
        try:
            own.outcome = result = _Result(own.version, compute())
        except Exception as error:
            own.outcome = error
            raise
        else:
            with self._lock:
                if self._keeps(result.value):
                    self._kept[key] = result
                self._computed += 1
                asked, computed = self._asked, self._computed
            seconds = thread_time() - began
            _log.debug("%s: %.3f s of computing, %d times of %d asked", self._name, seconds, computed, asked)
            return result.value
        finally:
            with self._lock:
                del self._running[key]
            own.end()
