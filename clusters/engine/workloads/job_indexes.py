"""Sets of completion indexes of an Indexed Job, as its status and its success policy write them: ``0-2,5``.

Upstream (v1.34.1): ``orderedIntervals`` of ``pkg/controller/job/indexed_job_utils.go``. A Job may have any number of
indexes, so that intervals are kept rather than numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.objects import Document

INDEX: Final = "batch.kubernetes.io/job-completion-index"
# Of a pod: how many of its index failed before it, and how many more that do not count.
COUNTED: Final = "batch.kubernetes.io/job-index-failure-count"
IGNORED: Final = "batch.kubernetes.io/job-index-ignored-failure-count"


@dataclass(frozen=True, slots=True)
class Indexes:
    """Completion indexes: the first and the last of each interval, in order; no two of them touch."""

    intervals: tuple[tuple[int, int], ...] = ()

    @classmethod
    def parse(cls, text: str, completions: int) -> Indexes:
        """Those below ``completions`` that a text has; what is no interval is left out."""
        found = []
        for part in text.split(","):
            first, _, last = part.partition("-")
            if first.isdecimal() and (not last or last.isdecimal()) and int(first) < completions:
                found.append((int(first), min(int(last or first), completions - 1)))
        return cls(tuple(_joined(found)))

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Indexes:
        return cls(tuple(_joined((number, number) for number in numbers)))

    def __bool__(self) -> bool:
        return bool(self.intervals)

    def __contains__(self, number: int) -> bool:
        place = bisect_left(self.intervals, number, key=lambda interval: interval[1])
        return place < len(self.intervals) and self.intervals[place][0] <= number

    def __or__(self, other: Indexes) -> Indexes:
        return Indexes(tuple(_joined((*self.intervals, *other.intervals))))

    def __str__(self) -> str:
        """As Kubernetes writes them: two neighbours with a comma, more with a dash."""
        return ",".join(
            str(first) if first == last else f"{first}{',' if last == first + 1 else '-'}{last}"
            for first, last in self.intervals
        )

    @property
    def count(self) -> int:
        return sum(last - first + 1 for first, last in self.intervals)

    def others(self, completions: int) -> Indexes:
        """Those below ``completions`` that are not among these."""
        found, begin = [], 0
        for first, last in self.intervals:
            if first > begin:
                found.append((begin, min(first, completions) - 1))
            begin = last + 1
        if begin < completions:
            found.append((begin, completions - 1))
        return Indexes(tuple(found))

    def without(self, other: Indexes, completions: int) -> Indexes:
        """Those below ``completions`` that are not among others."""
        return (self.others(completions) | other).others(completions)

    def common(self, other: Indexes) -> int:
        """How many are in both."""
        return self.count + other.count - (self | other).count

    def first(self, most: int) -> list[int]:
        """The lowest ones, so many at most."""
        found: list[int] = []
        for first, last in self.intervals:
            found += range(first, min(last + 1, first + most - len(found)))
        return found


def index_of(pod: Document, completions: int) -> int | None:
    """The completion index of a pod; None where it has none below ``completions``."""
    value = (metadata(pod).get("annotations") or {}).get(INDEX) or (metadata(pod).get("labels") or {}).get(INDEX) or ""
    return int(value) if value.isdecimal() and int(value) < completions else None


def counted(pod: Document, key: str) -> int:
    """How many pods of its index failed before a pod, as one of its annotations says."""
    value = (metadata(pod).get("annotations") or {}).get(key) or ""
    return int(value) if value.isdecimal() and int(value) < 2**31 else 0


def _joined(intervals: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Intervals in order, those that touch as one; one that ends before it begins is left out."""
    begin, end = 0, -1
    for first, last in sorted(interval for interval in intervals if interval[0] <= interval[1]):
        if first > end + 1 or end < 0:
            if end >= 0:
                yield begin, end
            begin, end = first, last
        else:
            end = max(end, last)
    if end >= 0:
        yield begin, end
