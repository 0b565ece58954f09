"""Which ranks pods may have where what they are compared by is known in part alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Pods are evicted group by group: without statistics, usage above the request, usage within it.
UNMEASURED, OVER, WITHIN = range(3)
_FIRST, _LAST = float("-inf"), float("inf")


class RankKey(NamedTuple):
    """What pods are compared by, lower first; ``unused`` is the request less the usage."""

    group: int
    priority: int
    unused: float


class RankKeys(NamedTuple):
    """The comparison that brings a pod to the front, and the one that brings it to the back."""

    best: RankKey
    worst: RankKey

    @classmethod
    def exactly(cls, group: int, priority: int, unused: int) -> RankKeys:
        """A pod of which everything is known."""
        key = RankKey(group, priority, unused)
        return cls(key, key)

    @classmethod
    def between(cls, first: int, last: int, priority: int) -> RankKeys:
        """A pod of whose usage no more is known than that it is in one of these groups."""
        return cls(RankKey(first, priority, _FIRST), RankKey(last, priority, _LAST))


def possible_ranks(keys: Sequence[RankKeys]) -> list[tuple[int, int]]:
    """For each pod the earliest and the latest rank that it may have, from 1.

    A pod is certainly before another where its worst comparison beats the other's best; equals share their ranks.
    """
    bests, worsts = sorted(each.best for each in keys), sorted(each.worst for each in keys)
    return [(1 + bisect_left(worsts, each.best), bisect_right(bests, each.worst)) for each in keys]
