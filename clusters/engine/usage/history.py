"""Many hours of samples as one: mean, percentiles and maximum of what the containers of each workload use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.usage.buckets import BucketCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.status import Ints
    from clusters.engine.usage.hour import HourlyUsage, UsageColumns, UsageKey

MEDIAN: Final = 50
HIGH: Final = 95


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """What one container uses of a resource, in milli-CPU or bytes: the mean (rounded up), p50, p95 and the maximum.

    The percentiles are over all samples of all pods, by nearest rank and at most 5 % too high.
    """

    mean: int
    median: int
    high: int
    maximum: int


@dataclass(frozen=True, slots=True)
class UsageStatistics:
    """What a container of a workload's pods uses. ``hours`` that have a sample; ``samples``: pods × hours."""

    hours: int
    samples: int
    cpu: ResourceUsage
    memory: ResourceUsage


def statistics_of(hours: Iterable[HourlyUsage]) -> dict[UsageKey, UsageStatistics]:
    """Put samples together, in any order; the work grows with the samples only where NumPy does it."""
    read = list(hours)
    numbers: dict[UsageKey, int] = {}
    places = [np.array([numbers.setdefault(key, len(numbers)) for key in hour.keys], np.int64) for hour in read]
    size = len(numbers)
    seen, pods = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for place, hour in zip(places, read, strict=True):
        seen[place] += 1
        pods[place] += hour.pods
    cpu = _usages(places, [hour.cpu for hour in read], pods)
    memory = _usages(places, [hour.memory for hour in read], pods)
    return {
        key: UsageStatistics(int(seen[number]), int(pods[number]), cpu[number], memory[number])
        for key, number in numbers.items()
    }


def _usages(places: Sequence[Ints], hours: Sequence[UsageColumns], pods: Ints) -> list[ResourceUsage]:
    size = len(pods)
    total, maximum = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for place, hour in zip(places, hours, strict=True):
        total[place] += hour.total
        np.maximum.at(maximum, place, hour.maximum)
    nothing = [np.zeros(0, np.int64)]
    counts = BucketCounts(
        size,
        np.concatenate(nothing + [place[hour.key] for place, hour in zip(places, hours, strict=True)]),
        np.concatenate(nothing + [hour.bucket for hour in hours]),
        np.concatenate(nothing + [hour.count for hour in hours]),
    )
    median, high = (np.minimum(found, maximum) for found in counts.percentiles((MEDIAN, HIGH)))
    mean = -(-total // np.maximum(pods, 1))
    columns = (mean.tolist(), median.tolist(), high.tolist(), maximum.tolist())
    return [ResourceUsage(*row) for row in zip(*columns, strict=True)]


def percentile(amounts: Sequence[int], percent: int) -> int:
    """The percentile of plain numbers by nearest rank, 0 of none."""
    ordered = sorted(amounts)
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)] if ordered else 0
