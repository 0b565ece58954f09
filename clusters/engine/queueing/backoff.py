"""When kube-scheduler looks at a pod again that it could not place.

Upstream: ``pkg/scheduler/backend/queue/backoff_queue.go`` and ``scheduling_queue.go`` v1.34.1. A pod that failed waits
for an event that may help it, and for its back-off; one that no event woke is looked at again all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_SECOND: Final = 1_000_000_000

# A pod that stays unschedulable this long, in seconds, is tried again; who has is looked up every so many seconds.
LONGEST_WAIT: Final = 5 * 60
LOOKED_UP_EVERY: Final = 30


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long a pod rests after each failure, in whole seconds: ``initial`` first, then twice as long each time."""

    initial: int = 1
    longest: int = 10

    def after(self, failures: int) -> int:
        """Return the seconds of rest after so many failures in all."""
        if failures <= 0:
            return 0
        doublings = failures - 1
        # Nanoseconds, because upstream halves those: no half second is lost.
        if self.initial * _SECOND > (self.longest * _SECOND) >> doublings:
            return self.longest
        return self.initial << doublings

    def over_at(self, failed_at: int, failures: int) -> int:
        """Return when a pod that failed at a time (nanoseconds of an epoch) is no longer kept back.

        Back-offs end by whole seconds: the queue is emptied of all that end within one, when that second is over.
        """
        if failures <= 0:
            return failed_at
        return (failed_at + self.after(failures) * _SECOND) // _SECOND * _SECOND + _SECOND


def tried_again_by(failed_at: int) -> int:
    """Return by when a pod that failed at a time (nanoseconds of an epoch) is tried again though no event woke it."""
    return failed_at + (LONGEST_WAIT + LOOKED_UP_EVERY) * _SECOND
