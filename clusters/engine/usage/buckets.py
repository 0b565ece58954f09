"""Counts of amounts by size, from which percentiles of any number of samples are read without keeping the samples.

An amount counts in the bucket of the least bound that is not below it. Bounds grow by a twentieth, so that a percentile
is never below the true one, and at most 5 % above it; amounts up to 20 are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.status import Ints

_GREATEST: Final = 2**62


def _bounds() -> Ints:
    bounds = [0]
    while bounds[-1] < _GREATEST:
        last = bounds[-1]
        bounds.append(min(max(last + 1, last * 21 // 20), _GREATEST))
    return np.array(bounds, np.int64)


# The greatest amount of each bucket, shape (B,).
BOUNDS: Final = _bounds()


def buckets_of(amounts: Ints) -> Ints:
    """The bucket of each amount, shape (N,); negative amounts count as 0, and those beyond 2**62 as that."""
    return np.searchsorted(BOUNDS, np.clip(amounts, 0, _GREATEST)).astype(np.int64)


class BucketCounts:
    """How often each of K keys was seen in each bucket; ``key``, ``bucket`` and ``count`` have shape (E,), by key."""

    def __init__(self, size: int, key: Ints, bucket: Ints, count: Ints) -> None:
        codes, place = np.unique(key * len(BOUNDS) + bucket, return_inverse=True)
        counted = np.zeros(len(codes), np.int64)
        np.add.at(counted, place.ravel(), count)
        self.key, self.bucket, self.count = codes // len(BOUNDS), codes % len(BOUNDS), counted
        self.totals = np.zeros(size, np.int64)
        np.add.at(self.totals, self.key, counted)

    def percentiles(self, percents: Sequence[int]) -> list[Ints]:
        """For each percentage the bound that so many percent of a key's amounts do not exceed, shape (K,).

        By nearest rank: of N amounts in order the one at place ⌈percent × N / 100⌉. 0 for a key without amounts.
        """
        running = np.cumsum(self.count)
        before = np.cumsum(self.totals) - self.totals
        found = []
        for percent in percents:
            rank = np.maximum(1, -(-self.totals * percent // 100))
            place = np.searchsorted(running, before + rank)
            bounds = np.zeros(len(self.totals), np.int64)
            seen = self.totals > 0
            bounds[seen] = BOUNDS[self.bucket[place[seen]]]
            found.append(bounds)
        return found
