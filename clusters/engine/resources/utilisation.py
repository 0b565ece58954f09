"""How much of a cluster its pods request, where, and what is left that hardly any pod can use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.nodes.pools import node_pools
from clusters.engine.resources.requests import CPU, MEMORY, PODS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask

# A resource is nearly gone from a node when more than this share of it is requested, and idle below the other one.
SCARCE, IDLE = 0.9, 0.5
COUNTED = (CPU, MEMORY, PODS)


@dataclass(frozen=True, slots=True)
class Amounts:
    """What nodes have of a resource and what the pods on them request, shape (N,), in base units."""

    requested: Ints
    allocatable: Ints

    @property
    def shares(self) -> NDArray[np.float64]:
        """Shape (N,): requested of allocatable; where there is nothing to request 0, or infinite if some is."""
        nothing = np.where(self.requested > 0, np.inf, 0.0)
        has = self.allocatable > 0
        return np.where(has, self.requested / np.where(has, self.allocatable, 1), nothing)

    @property
    def left(self) -> Ints:
        """Shape (N,): what is not requested; 0 on nodes of which more is requested than they have."""
        left: Ints = np.maximum(self.allocatable - self.requested, 0)
        return left


@dataclass(frozen=True, slots=True)
class Stranded:
    """A resource that is idle on nodes (``rows``, most left first) where another is nearly gone: so much is ``left``.

    ``for_lack``: each resource that is nearly gone there and on how many of the nodes, most first.

    """

    resource: str
    rows: Index
    left: int
    for_lack: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ZoneUse:
    """One zone, empty for nodes without one: its nodes, and by resource what is requested and what there is."""

    zone: str
    rows: Index
    requested: dict[str, int]
    allocatable: dict[str, int]


def amounts_of(snapshot: Snapshot) -> dict[str, Amounts]:
    """Return the amounts of CPU, memory and pods."""
    nodes = snapshot.nodes
    found = {PODS: Amounts(nodes.pod_count, nodes.allowed_pods)}
    for name in (CPU, MEMORY):
        column = nodes.resources.index(name)
        found[name] = Amounts(nodes.requested[:, column], nodes.allocatable[:, column])
    return found


def stranded(amounts: dict[str, Amounts], usable: Mask) -> tuple[Stranded, ...]:
    """Return the CPU and the memory that are stranded on usable nodes, shape (N,); a resource without any is left out.

    A resource of a node is stranded when less than IDLE of it is requested, while more than SCARCE is of another, be it
    of CPU, of memory or of the pod limit.
    """
    scarce = {name: amounts[name].shares > SCARCE for name in COUNTED}
    found = []
    for resource in (CPU, MEMORY):
        others = {name: mask for name, mask in scarce.items() if name != resource}
        idle = usable & (amounts[resource].allocatable > 0) & (amounts[resource].shares < IDLE)
        rows = np.flatnonzero(idle & np.logical_or.reduce(list(others.values())))
        if len(rows):
            left = amounts[resource].left[rows]
            lacking = sorted(
                ((name, int(mask[rows].sum())) for name, mask in others.items()), key=lambda each: -each[1]
            )
            found.append(
                Stranded(
                    resource=resource,
                    rows=rows[np.argsort(-left, kind="stable")],
                    left=int(left.sum()),
                    for_lack=tuple((name, number) for name, number in lacking if number),
                )
            )
    return tuple(found)


def zone_uses(snapshot: Snapshot, amounts: dict[str, Amounts]) -> tuple[ZoneUse, ...]:
    """Return every zone in the order of the names, nodes without one last; their rows are in the order of names."""
    members: dict[str, list[Index]] = {}
    for each in node_pools(snapshot.nodes.nodes):
        members.setdefault(each.zone, []).append(each.rows)
    zones = [(zone, np.sort(np.concatenate(rows))) for zone, rows in members.items()]
    return tuple(
        ZoneUse(
            zone=zone,
            rows=rows,
            requested={name: int(each.requested[rows].sum()) for name, each in amounts.items()},
            allocatable={name: int(each.allocatable[rows].sum()) for name, each in amounts.items()},
        )
        for zone, rows in zones
    )
