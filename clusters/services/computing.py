"""Computing in this process: how long one question may take, and what is kept of the answers."""

from __future__ import annotations

import gc
import logging
import time
from contextlib import suppress
from contextvars import ContextVar
from ctypes import CDLL
from itertools import count
from threading import Event, Lock, get_ident
from time import CLOCK_PROCESS_CPUTIME_ID, clock_gettime, thread_time
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar
from weakref import WeakSet

from cachetools import Cache as BaseCache, LRUCache

from clusters.engine.scheduling import AnswerError
from clusters.problems.orders import OverTime

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable

# How long somebody's question may be computed: looked at between its parts, as no part can be interrupted.
#
# Counted is the time in which this thread computes. Waiting for other processes is nobody's fault, and on a busy
# machine the same question gets the same answer. Where another thread computes the answer for both, that thread's
# time counts.

_SECONDS_BETWEEN_LOOKS: Final = 0.1
# macOS has no clock of another thread; the one of the process stands in, which is never slower.
_clock_of: Final[Callable[[int], int]] = getattr(time, "pthread_getcpuclockid", lambda _: CLOCK_PROCESS_CPUTIME_ID)


class _Deadline(NamedTuple):
    at: float
    seconds: float
    waits: bool


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


class OverTimeError(AnswerError):
    """The question takes longer than it may; ``seconds`` is the limit."""

    def __init__(self, seconds: float) -> None:
        self.problem = OverTime(seconds)
        super().__init__(repr(self.problem))


def start(seconds: float, *, waits: bool = True) -> None:
    """Let what this context computes from now on take so long. Without a start, as in workers, there is no limit.

    ``waits``: whether it waits for a large cluster to be read, or would rather know how far that is.
    """
    _deadline.set(_Deadline(thread_time() + seconds, seconds, waits))


def stop() -> None:
    """Lift the limit."""
    _deadline.set(None)


def may_wait() -> bool:
    """Tell whether this question waits for a large cluster to be read."""
    found = _deadline.get()
    return found is None or found.waits


def check() -> None:
    """Raise OverTimeError when time is up; called before each part of an answer that may take long."""
    found = _deadline.get()
    if found is not None and thread_time() > found.at:
        raise OverTimeError(found.seconds)


def share(seconds: float) -> Callable[[], bool]:
    """Return what tells whether there is time for a further part of an answer that can do without it.

    Of so many seconds, and of what is left to the whole question; always where that has no limit.
    """
    found = _deadline.get()
    if found is None:
        return lambda: True
    end = min(thread_time() + seconds, found.at)
    return lambda: thread_time() < end


def _allow(seconds: float) -> None:
    """Let the question take so much longer."""
    found = _deadline.get()
    if found is not None:
        _deadline.set(found._replace(at=found.at + seconds))


class ThreadClock:
    """The seconds that the thread which makes it computes; other threads read it."""

    def __init__(self) -> None:
        self._clock = _clock_of(get_ident())
        self._latest = 0.0

    def read(self) -> float:
        """Return the thread's seconds, those of the last reading once it has ended."""
        # A thread's clock ends with it.
        with suppress(OSError):
            self._latest = clock_gettime(self._clock)
        return self._latest


def wait(done: Event, clock: ThreadClock) -> None:
    """Wait for what another thread computes. Raises OverTimeError where that takes longer than this question may."""
    found = _deadline.get()
    if found is None:
        done.wait()
        return
    end = clock.read() + found.at - thread_time()
    while not done.wait(_SECONDS_BETWEEN_LOOKS):
        if clock.read() > end:
            raise OverTimeError(found.seconds)


# What this process keeps of what it computed: so many results, each computed once for all who ask at the same time.
#
# Nothing is computed under a lock. Threads that ask for what is being computed wait for it, as long as their own
# deadline lets them; threads that ask for anything else go on.

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
        self._clock = ThreadClock()
        self._ended = Event()

    def end(self) -> None:
        self._ended.set()

    def wait(self, *, is_counted: bool) -> None:
        if is_counted:
            wait(self._ended, self._clock)
        else:
            self._ended.wait()


class Cache(Generic[K, V]):
    """The ``most`` results that were asked for last, by key. They are shared: leave them as they are.

    A key has one result, of one version: asking for another one computes it, and replaces what was kept. An error is
    not kept, nor is what ``keeps`` refuses, such as a part of a result: they reach all who waited for that computation.
    ``is_counted``: whether computing it is part of the question that happens to need it first.
    """

    def __init__(
        self, name: str, most: int, keeps: Callable[[V], bool] = lambda _: True, *, is_counted: bool = True
    ) -> None:
        self._name = name
        self._keeps = keeps
        self._is_counted = is_counted
        self._lock = Lock()
        self._kept: LRUCache[K, _Result[V]] = LRUCache(most)
        self._running: dict[K, _Computation[V]] = {}
        # How often a result was asked for, and how often it had to be computed.
        self._asked = self._computed = 0
        with _caches_lock:
            _caches.add(self)

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
            running.wait(is_counted=self._is_counted)
            outcome = running.outcome
            # One that was interrupted has none.
            if running.version == version and outcome is not None:
                if isinstance(outcome, Exception):
                    raise outcome
                return outcome.value

    def drop(self, is_outdated: Callable[[object], bool]) -> None:
        """Drop what is kept of outdated versions, and of those that have an outdated part."""
        with self._lock:
            for key in list(self._kept):
                # Unlike that of an LRUCache, this look does not count as asking.
                version = BaseCache.__getitem__(self._kept, key).version
                if any(map(is_outdated, version if isinstance(version, tuple) else (version,))):
                    del self._kept[key]

    def latest(self, key: K) -> V | None:
        """Return what is kept, of whichever version."""
        with self._lock:
            kept = self._kept.get(key)
        return None if kept is None else kept.value

    def clear(self, but: Container[K] = ()) -> None:
        """Drop everything but what is kept of these keys."""
        with self._lock:
            for key in [key for key in self._kept if key not in but]:
                del self._kept[key]

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
            if not self._is_counted:
                _allow(thread_time() - began)
            with self._lock:
                del self._running[key]
            own.end()


_caches: Final[WeakSet[Cache[Any, Any]]] = WeakSet()
_caches_lock: Final = Lock()


def drop(is_outdated: Callable[[object], bool]) -> None:
    """Drop what any cache keeps of an outdated version, or of one that such a part belongs to.

    Whoever asks again would replace it; but who asks about something else lets it, and what it is about, stay.
    """
    with _caches_lock:
        caches = list(_caches)
    for cache in caches:
        cache.drop(is_outdated)


# Keeps what lives long out of the way of Python's collector of cyclic garbage.


_YOUNG_OBJECTS: Final = 50_000
_TIMES_UNTIL_ALL: Final = 50
_times_set_aside: Final = count(1)
# The number of a parameter of glibc's mallopt, and from which size on each block is mapped by itself.
_MMAP_THRESHOLD: Final = -3
_LARGE_BLOCK: Final = 2 << 20


def set_aside() -> None:
    """Leave all objects that live now out of the collections to come, until this is called again.

    A full collection visits every object, and holds up all threads meanwhile: about 0.2 s with 150,000 pods in memory,
    every few pages. What is set aside is still freed as soon as nothing refers to it; only cycles wait for the next
    call. From then on garbage is looked for less often: answers about so much have very many parts, and all of them
    stay.
    """
    gc.set_threshold(_YOUNG_OBJECTS)
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def set_more_aside() -> None:
    """Free what refers to itself of what came since `set_aside`, and leave the rest out of collections, too.

    What is under way meanwhile and refers to itself later stays until all is looked at anew, after so many times.
    """
    if next(_times_set_aside) % _TIMES_UNTIL_ALL:
        gc.collect()
        gc.freeze()
    else:
        set_aside()


def give_back_blocks() -> None:
    """Have large blocks of memory given back to the system as soon as they are free, where glibc allocates them.

    By itself it keeps what it has freed of up to 32 MiB each for later, which after some changes of a large cluster is
    several times what is in use.
    """
    with suppress(AttributeError, OSError):
        CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE_BLOCK)


def clear_away() -> None:
    """Free what refers to itself, where `set_aside` was called, so that this is soon done.

    A simulation does, and to copies of its cluster: of a large one several would be there until a collection.
    """
    # Asked so, as to count what is set aside takes as long as half of a collection.
    if gc.get_threshold()[0] == _YOUNG_OBJECTS:
        gc.collect()
