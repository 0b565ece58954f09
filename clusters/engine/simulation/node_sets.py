"""A cluster with many nodes more or fewer at once, where the snapshot changes them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.columns.nodes import NodeTable
from clusters.engine.columns.pods import NOWHERE
from clusters.engine.objects import Node

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

_BOOKED = ("requested", "non_zero", "pod_count")


def with_nodes(snapshot: Snapshot, added: Iterable[Document]) -> Snapshot:
    """A copy with nodes more, without pods yet; their names are new to the snapshot and its pods."""
    return _with_table(snapshot.copy(), [*snapshot.nodes.nodes, *map(Node.from_dict, added)])


def without_nodes(snapshot: Snapshot, lost: Collection[str]) -> Snapshot:
    """A copy without some of its nodes, the pods on them, and those that were nominated for them."""
    twin, names = snapshot.copy(), frozenset(lost)
    pods, gone = twin.pods, np.array([name in names for name in snapshot.nodes.names], np.bool_)
    for column in (pods.node, pods.nominated):
        for slot in np.flatnonzero((column >= 0) & np.append(gone, False)[column]).tolist():
            pods.remove(slot)
    return _with_table(twin, [node for node in snapshot.nodes.nodes if node.name not in names])


def _with_table(snapshot: Snapshot, nodes: Sequence[Node]) -> Snapshot:
    """Give a snapshot other nodes; what is booked on those that it had stays booked."""
    old, table = snapshot.nodes, NodeTable()
    table.resources = list(old.resources)
    table.fill(nodes)
    rows = np.array([table.index.get(name, NOWHERE) for name in old.names], np.intp)
    kept = np.flatnonzero(rows != NOWHERE)
    for column in _BOOKED:
        before, after = getattr(old, column), getattr(table, column)
        if before.ndim > 1:
            after[rows[kept], : before.shape[1]] = before[kept]
        else:
            after[rows[kept]] = before[kept]
    snapshot.nodes = table
    moved = np.append(rows, NOWHERE).astype(np.int64)
    snapshot.pods.node, snapshot.pods.nominated = moved[snapshot.pods.node], moved[snapshot.pods.nominated]
    return snapshot
