"""What somebody did in the present minute, counted by all processes together."""

from __future__ import annotations

from math import ceil
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters import shared_redis

if TYPE_CHECKING:
    from redis import Redis

# Pods that somebody writes or changes, on the page of what-ifs and by the API: so many of one user's are judged.
JUDGED: Final = "judged pods"
RUNS_PER_MINUTE: Final = 60
_MINUTE: Final = 60
# One step that nobody can come between: a minute begins with whatever is counted first, by Redis' own clock.
_ADD: Final = """
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {sum, left}
"""


class Sum(NamedTuple):
    """What was counted in this minute, and after how many seconds it ends, 1 at least."""

    number: int
    seconds_left: int


class _OwnWindows:
    """The same for this process alone, while Redis is away: limits are then as many times as wide as there are
    processes, and none is lifted.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._sums: dict[str, tuple[int, float]] = {}

    def add(self, key: str, number: int) -> Sum:
        now = monotonic()
        with self._lock:
            self._sums = {name: found for name, found in self._sums.items() if found[1] > now}
            before, end = self._sums.get(key, (0, now + _MINUTE))
            self._sums[key] = before + number, end
        return Sum(before + number, max(1, ceil(end - now)))

    def forget(self) -> None:
        with self._lock:
            self._sums = {}


_own = _OwnWindows()


def add(what: str, who: str | int, number: int) -> Sum:
    """Count what somebody does, and return what that comes to in this minute; 0 only asks."""
    key = f"berth:minute:{what}:{who}"

    def question(client: Redis) -> Any:
        return client.eval(_ADD, 1, key, number, _MINUTE * 1000)

    try:
        found, left = shared_redis.ask(question)
    except shared_redis.AwayError:
        return _own.add(key, number)
    return Sum(int(found), max(1, ceil(int(left) / 1000)))


def forget_own() -> None:
    """Begin anew what this process counted by itself."""
    _own.forget()
