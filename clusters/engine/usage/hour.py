"""One sample as a history keeps it: what the containers of each workload used, without naming pods."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusters.engine.usage.buckets import BucketCounts, buckets_of
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.status import Ints
    from clusters.engine.usage.sample import UsedAmounts


# Written down: what may be many bytes, and what numbers something.
_WIDE, _NARROW = "<i8", "<i4"
_WIDTHS = {"total": _WIDE, "maximum": _WIDE, "key": _NARROW, "bucket": _NARROW, "count": _NARROW}


class UsageKey(NamedTuple):
    """A container of the pods of a workload; ``container`` is ``WHOLE_POD`` where only their sums are known."""

    namespace: str
    kind: str
    name: str
    container: str

    @classmethod
    def of(cls, workload: Workload, container: str) -> UsageKey:
        """Name a container of a workload."""
        return cls(workload.namespace, workload.kind, workload.name, container)

    @property
    def workload(self) -> Workload:
        """The workload."""
        return Workload(self.namespace, self.kind, self.name)


@dataclass(frozen=True, slots=True)
class UsageColumns:
    """Amounts of one resource: ``total`` and ``maximum`` by key, shape (K,), and counts by bucket, shape (E,)."""

    total: Ints
    maximum: Ints
    key: Ints
    bucket: Ints
    count: Ints

    @classmethod
    def of(cls, size: int, keys: Ints, amounts: Ints) -> UsageColumns:
        """Count amounts, shape (N,), of which each belongs to the key with that number."""
        total, maximum = np.zeros(size, np.int64), np.zeros(size, np.int64)
        np.add.at(total, keys, amounts)
        np.maximum.at(maximum, keys, amounts)
        counts = BucketCounts(size, keys, buckets_of(amounts), np.ones(len(keys), np.int64))
        return cls(total, maximum, counts.key, counts.bucket, counts.count)

    @classmethod
    def from_dict(cls, columns: Mapping[str, str]) -> UsageColumns:
        """Read what ``as_dict`` wrote."""
        read = (np.frombuffer(b64decode(columns[name]), width) for name, width in _WIDTHS.items())
        return cls(*(column.astype(np.int64) for column in read))

    def as_dict(self) -> dict[str, str]:
        """The columns as texts, which are read a hundred times as fast as lists of numbers."""
        return {
            name: b64encode(getattr(self, name).astype(width).tobytes()).decode() for name, width in _WIDTHS.items()
        }


@dataclass(frozen=True, slots=True)
class HourlyUsage:
    """What was used in one hour. ``pods``: how many pods of each key were seen, shape (K,)."""

    keys: tuple[UsageKey, ...]
    pods: Ints
    cpu: UsageColumns
    memory: UsageColumns

    @classmethod
    def of(cls, seen: Iterable[tuple[UsageKey, UsedAmounts]]) -> HourlyUsage:
        """Count what containers use, of each pod once."""
        numbers: dict[UsageKey, int] = {}
        rows = [(numbers.setdefault(key, len(numbers)), *used) for key, used in seen]
        table = np.array(rows, np.int64).reshape(len(rows), 3)
        size = len(numbers)
        return cls(
            tuple(numbers),
            np.bincount(table[:, 0], minlength=size).astype(np.int64),
            UsageColumns.of(size, table[:, 0], table[:, 1]),
            UsageColumns.of(size, table[:, 0], table[:, 2]),
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> HourlyUsage:
        """Read what ``as_dict`` wrote."""
        keys = tuple(UsageKey(*key) for key in document["keys"])
        columns = (UsageColumns.from_dict(document[name]) for name in ("cpu", "memory"))
        return cls(keys, np.array(document["pods"], np.int64), *columns)

    def as_dict(self) -> dict[str, Any]:
        """The sample in plain values."""
        return {
            "keys": [list(each) for each in self.keys],
            "pods": self.pods.tolist(),
            "cpu": self.cpu.as_dict(),
            "memory": self.memory.as_dict(),
        }
