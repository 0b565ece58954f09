"""How large a volume could be provisioned where, as storage systems tell it (CSIStorageCapacity).

Upstream: ``hasEnoughCapacity`` and ``capacitySufficient`` in ``pkg/scheduler/framework/plugins/volumebinding`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.resources.quantity import value

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints
    from clusters.engine.volumes.topology import StorageTopology

UNREACHED = -1


class StorageCapacities:
    """The capacities that the nodes of one cycle reach, found by storage class when first asked for."""

    def __init__(self, snapshot: Snapshot, topology: StorageTopology) -> None:
        self._snapshot, self._topology = snapshot, topology
        self._largest: dict[str, Ints] = {}
        self._free: dict[tuple[str, int], Ints] = {}

    def largest(self, class_name: str) -> Ints:
        """Shape (N,): bytes of the largest volume of a class that each node reaches capacity for, or ``UNREACHED``."""
        if class_name not in self._largest:
            largest = np.full(len(self._snapshot.nodes), UNREACHED, np.int64)
            for capacity in self._snapshot.derived(_by_class, "CSIStorageCapacity").get(class_name, ()):
                limit = _limit(capacity)
                if limit is not None:
                    rows = self._topology.rows_with_access(capacity.get("nodeTopology"))
                    largest[rows] = np.maximum(largest[rows], limit)
            self._largest[class_name] = largest
        return self._largest[class_name]

    def first_free(self, class_name: str, size: int) -> Ints:
        """Shape (N,): what is free, in bytes, of the first capacity that a node reaches and that takes a volume of this
        size, or ``UNREACHED``.

        The scheduler takes any of those; where there are several, which one is not known.
        """
        if (class_name, size) in self._free:
            return self._free[class_name, size]
        found = self._free[class_name, size] = np.full(len(self._snapshot.nodes), UNREACHED, np.int64)
        for capacity in self._snapshot.derived(_by_class, "CSIStorageCapacity").get(class_name, ()):
            limit = _limit(capacity)
            if limit is not None and limit >= size:
                rows = self._topology.rows_with_access(capacity.get("nodeTopology"))
                free = 0 if capacity.get("capacity") is None else value(capacity["capacity"])
                found[rows] = np.where(found[rows] == UNREACHED, free, found[rows])
        return found


def _by_class(snapshot: Snapshot) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = {}
    for capacity in snapshot.objects("CSIStorageCapacity"):
        found.setdefault(str(capacity.get("storageClassName") or ""), []).append(capacity)
    return found


def _limit(capacity: Document) -> int | None:
    """The bytes of the largest volume that can be created, None when that is unknown."""
    limit = capacity.get("maximumVolumeSize")
    limit = capacity.get("capacity") if limit is None else limit
    return None if limit is None else value(limit)
