"""How long somebody's question may be computed: looked at between its parts, as no part can be interrupted.

Counted is the time in which this thread computes. Waiting for other processes is nobody's fault, and on a busy machine
the same question gets the same answer.
"""

from __future__ import annotations

from contextvars import ContextVar
from time import thread_time
from typing import NamedTuple

from clusters.engine.failure import AnswerError


class _Deadline(NamedTuple):
    at: float
    seconds: float


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


class OverTimeError(AnswerError):
    """The question takes longer than it may; ``seconds`` is the limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"It takes more than {seconds:g} seconds to compute, which is the limit for one request.")
        self.seconds = seconds


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
