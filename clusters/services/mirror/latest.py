"""Results about whole clusters, each kept as long as it is about the present state."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from clusters.engine import Snapshot

T = TypeVar("T")


class Latest(Generic[T]):
    """One result per cluster: it goes when one about a newer snapshot comes, as every revision has its own.

    Computing one keeps the others of its cluster waiting: whoever asks at the same moment asks for the same.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._results: OrderedDict[int, tuple[Snapshot, Hashable, T]] = OrderedDict()
        self._computing: dict[int, Lock] = {}

    def get(self, cluster_id: int, snapshot: Snapshot, settled: Hashable, compute: Callable[[], T]) -> T:
        """Return what was computed from this very snapshot; `settled` is what else the result depends on."""
        with self._lock:
            computing = self._computing.setdefault(cluster_id, Lock())
        with computing:
            with self._lock:
                kept = self._results.get(cluster_id)
            if kept is None or kept[0] is not snapshot or kept[1] != settled:
                kept = snapshot, settled, compute()
            with self._lock:
                self._results[cluster_id] = kept
                self._results.move_to_end(cluster_id)
                # No longer than the snapshots themselves, which results keep alive.
                while len(self._results) > settings.BERTH_SNAPSHOTS_IN_MEMORY:
                    self._results.popitem(last=False)
            return kept[2]
