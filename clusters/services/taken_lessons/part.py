"""Which nodes and pods of a cluster a lesson shows: all of a small one, and of a larger one a part that decides alike.

Of a larger cluster the nodes are taken that the scheduler prefers, those where preemption makes room, and of each
plugin that rejects nodes as large a share as it has, one at least; and all pods on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation

# Nodes with the highest totals, and nodes where preemption makes room, that come before all others.
_BEST: Final = 8
_CANDIDATES: Final = 4


class Part(NamedTuple):
    """Nodes by name, in their order in the cluster, and the pods on them by ``namespace/name``, in order of arrival.

    ``nodes_in_all``, ``pods_in_all``: how many the cluster has.
    """

    nodes: tuple[str, ...]
    pods: tuple[str, ...]
    nodes_in_all: int
    pods_in_all: int

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the cluster."""
        return len(self.nodes) == self.nodes_in_all and len(self.pods) == self.pods_in_all


def part_of(explanation: Explanation, *, most_nodes: int, most_pods: int) -> Part:
    """Choose nodes and pods around a decision; the pod in question is not among the pods."""
    snapshot, own = explanation.snapshot, explanation.pod.key
    pods = snapshot.pods
    slots = [slot for key, slot in pods.slot_of.items() if key != own]
    placed = [slot for slot in slots if pods.node[slot] >= 0]
    held = [slot for slot in slots if pods.node[slot] < 0 and pods.nominated[slot] >= 0]
    on_row = np.bincount([int(pods.node[slot]) for slot in placed], minlength=len(snapshot.nodes))
    rows: set[int] = set()
    left = most_pods
    for row in _in_order(explanation, min(_BEST, most_nodes // 3)):
        if len(rows) == most_nodes:
            break
        if on_row[row] <= left:
            rows.add(row)
            left -= int(on_row[row])
    taken = [slot for slot in placed if int(pods.node[slot]) in rows]
    taken += [slot for slot in held if int(pods.nominated[slot]) in rows][:left]
    taken.sort(key=lambda slot: int(pods.arrival[slot]))
    return Part(
        nodes=tuple(snapshot.nodes.names[row] for row in sorted(rows)),
        pods=tuple(pods.keys[slot] for slot in taken),
        nodes_in_all=len(snapshot.nodes),
        pods_in_all=len(placed) + len(held),
    )


def _in_order(explanation: Explanation, best: int) -> Iterator[int]:
    """Yield every row once, those first that matter most: so many of the highest totals, and the first candidates."""
    index = explanation.snapshot.nodes.index
    ranked = explanation.ranking().tolist() if explanation.fits else []
    preemption = explanation.preemption
    candidates = sorted(preemption.candidates, key=lambda each: each.preference()) if preemption is not None else []
    first = [*ranked[:best], *(index[each.node] for each in candidates[:_CANDIDATES])]
    classes: dict[str, list[int]] = {}
    for row in range(explanation.node_count):
        verdict = explanation.verdict_of(row)
        classes.setdefault("" if verdict is None else verdict.plugin, []).append(row)
    if ranked:
        classes[""] = ranked
    shares = [(place / len(rows), rows[place]) for rows in classes.values() for place in range(len(rows))]
    seen: set[int] = set()
    for row in [*first, *(row for _, row in sorted(shares))]:
        if row not in seen:
            seen.add(row)
            yield row
