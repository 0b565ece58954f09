"""What changed between two moments of a cluster."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.columns import NOWHERE
from clusters.engine.objects import Pod, key_of
from clusters.engine.owners import PodTemplate
from clusters.engine.simulation import MovedPod, MovedPods, PodEnding, named_workload
from clusters.services.computing import check
from clusters.services.mirror.past import pending_pods
from clusters.services.mirror.snapshots import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Snapshot
    from clusters.engine.owners import Workload
    from clusters.engine.status import Ints
    from clusters.models import Cluster


class _Side:
    """A cluster at one of the moments."""

    def __init__(self, cluster: Cluster) -> None:
        self.snapshot: Snapshot = snapshot_of(cluster)
        self.nodes = {node.name: node for node in self.snapshot.nodes.nodes}
        self.pending = {key_of(pod.object): PodTemplate.of(Pod(pod.object)).workload for pod in pending_pods(cluster)}

    def ending(self, key: str, node: str) -> PodEnding:
        if node:
            return PodEnding.ON_NODE
        return PodEnding.PENDING if key in self.pending else PodEnding.ABSENT

    def workloads(self, key: str) -> Iterator[Workload]:
        """Yield what the pod is of, if it is there."""
        slot = self.snapshot.pods.slot_of.get(key)
        if slot is not None:
            yield self.snapshot.pods.templates[int(self.snapshot.pods.template[slot])].workload
        elif key in self.pending:
            yield self.pending[key]


def _elsewhere(left: Snapshot, right: Snapshot) -> Iterator[str]:
    """Yield the pods that only one of the snapshots has, and those that are not on one node in both.

    Of all others there may be a million, so they are compared as columns.
    """
    before, after = left.pods.slot_of, right.pods.slot_of
    yield from before.keys() ^ after.keys()
    both = list(before.keys() & after.keys())
    numbers = {name: number for number, name in enumerate({*left.nodes.names, *right.nodes.names})}

    def nodes(snapshot: Snapshot, slots: dict[str, int]) -> Ints:
        of_row = np.array([*map(numbers.__getitem__, snapshot.nodes.names), NOWHERE], np.int64)
        return of_row[snapshot.pods.node[np.fromiter(map(slots.__getitem__, both), np.int64, len(both))]]

    for index in np.flatnonzero(nodes(left, before) != nodes(right, after)).tolist():
        yield both[index]


def moved_between(earlier: Cluster, later: Cluster) -> MovedPods:
    """Return the pods that came, went, or are on another node or on none, of a cluster at two moments.

    Raises ChangingTooFastError.
    """
    left, right = _Side(earlier), _Side(later)
    check()
    moved = []
    for key in sorted({*_elsewhere(left.snapshot, right.snapshot), *left.pending, *right.pending}):
        before, after = left.snapshot.placed_on(key) or "", right.snapshot.placed_on(key) or ""
        ends = left.ending(key, before), right.ending(key, after)
        if (before, ends[0]) != (after, ends[1]):
            workload = next(chain(right.workloads(key), left.workloads(key)))
            moved.append(MovedPod(key, named_workload(key, workload), before, after, *ends))
    nodes = {**left.nodes, **right.nodes}
    return MovedPods(
        tuple(moved),
        tuple(nodes[name] for name in sorted(nodes)),
        frozenset(nodes.keys() - left.nodes.keys()),
        frozenset(nodes.keys() - right.nodes.keys()),
    )
