"""How long to wait before asking again."""

from __future__ import annotations

import random

_FIRST = 0.5
_FACTOR = 2.0
# An hour, which is longer than any limit: what fails for weeks must not outgrow a float.
_MOST_DOUBLINGS = 13


class Backoff:
    """Seconds that grow from half a second to a limit, shortened at random by up to a half.

    The chance keeps many kinds, and many watchers, from asking at the same moment.
    """

    def __init__(self, *, longest: float) -> None:
        self._longest = longest
        self.failures = 0

    def next(self) -> float:
        """Count a failure and return how long to wait after it."""
        wait = min(self._longest, _FIRST * _FACTOR ** min(self.failures, _MOST_DOUBLINGS))
        self.failures += 1
        return wait * random.uniform(0.5, 1.0)  # noqa: S311 - to spread load, not to hide anything

    def reset(self) -> None:
        """Begin anew after a success."""
        self.failures = 0
