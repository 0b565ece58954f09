"""How long somebody's question may be computed: looked at between its parts, as no part can be interrupted.

Counted is the time in which this thread computes. Waiting for other processes is nobody's fault, and on a busy machine
the same question gets the same answer. Where another thread computes the answer for both, that thread's time counts.
"""

from __future__ import annotations

import time
from contextlib import suppress
from contextvars import ContextVar
from threading import get_ident
from time import CLOCK_PROCESS_CPUTIME_ID, clock_gettime, thread_time
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.failure import AnswerError
from clusters.problems.answers import OverTime

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

_SECONDS_BETWEEN_LOOKS: Final = 0.1
# macOS has no clock of another thread; the one of the process stands in, which is never slower.
_clock_of: Final[Callable[[int], int]] = getattr(time, "pthread_getcpuclockid", lambda _: CLOCK_PROCESS_CPUTIME_ID)


class _Deadline(NamedTuple):
    at: float
    seconds: float


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


class OverTimeError(AnswerError):
    """The question takes longer than it may; ``seconds`` is the limit."""

    def __init__(self, seconds: float) -> None:
        self.problem = OverTime(seconds)
        super().__init__(repr(self.problem))


def start(seconds: float) -> None:
    """Let what this context computes from now on take so long. Without a start, as in workers, there is no limit."""
    _deadline.set(_Deadline(thread_time() + seconds, seconds))


def stop() -> None:
    """Lift the limit."""
    _deadline.set(None)


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
