"""What searches found on nodes, kept as long as the devices are offered: for the next pod most nodes are as before.

An answer depends on what is requested, on the slices of the pools that a node reaches, and on which of their devices
are held. It is kept by just these, so that it does not matter in which snapshot it was found, nor in which order.
Snapshots share it, which threads explain in at the same time: whatever is kept is read once, and replaced as a whole.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.devices.pod_claims import CLASS, SLICE, TAINT_RULE
from clusters.engine.devices.pools import Inventory, slices_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.devices.holders import Holders
    from clusters.engine.devices.inventory import DeviceSlice
    from clusters.engine.devices.node_search import DeviceSearch
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim
    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions.device_rules import DeviceRules

# So many kinds of requests, and of each so many answers, are kept at most; then it begins anew.
_MOST_KINDS: Final = 32
_MOST_ANSWERS: Final = 100_000


class ReachedPools(NamedTuple):
    """The pools that some nodes reach, and the places of their slices, which name them."""

    places: tuple[int, ...]
    pools: tuple[Pool, ...]


class KeptSearches:
    """The answers for one kind of requests: by pools and the devices held of each, and by what devices look like.

    ``latest`` are those of all nodes at once, with the state of the holders and the pools that they are of.
    """

    def __init__(self) -> None:
        self.by_held: dict[Hashable, DeviceSearch] = {}
        self.by_likeness: dict[Hashable, DeviceSearch] = {}
        self.latest: tuple[object, tuple[ReachedPools, ...], tuple[DeviceSearch, ...]] | None = None

    def keep(self, held: Hashable, likeness: Hashable, search: DeviceSearch) -> None:
        """Keep an answer by both."""
        if len(self.by_held) >= _MOST_ANSWERS:
            self.by_held.clear()
        if len(self.by_likeness) >= _MOST_ANSWERS:
            self.by_likeness.clear()
        self.by_held[held] = self.by_likeness[likeness] = search


class SearchMemory:
    """What is kept of the devices that are offered."""

    def __init__(self, slices: Sequence[DeviceSlice], rules: DeviceRules) -> None:
        self._slices = slices
        self._rules = rules
        self._by_node: tuple[tuple[Node, ...], tuple[ReachedPools, ...]] | None = None
        self._kinds: dict[Hashable, KeptSearches] = {}

    def reached(self, nodes: NodeTable) -> tuple[ReachedPools, ...]:
        """The pools that each node reaches, by row."""
        kept = self._by_node
        if kept is not None and len(kept[0]) == len(nodes) and all(map(operator.is_, kept[0], nodes.nodes)):
            return kept[1]
        inventory = Inventory(self._slices, nodes, self._rules)
        known: dict[tuple[int, ...], ReachedPools] = {}
        found = []
        for row in range(len(nodes)):
            places = inventory.places(row)
            if places not in known:
                known[places] = ReachedPools(places, inventory.pools(places))
            found.append(known[places])
        reached = tuple(found)
        self._by_node = tuple(nodes.nodes), reached
        return reached

    def searches(self, claims: Sequence[Claim]) -> KeptSearches:
        """What is kept for claims that request the same as these."""
        kind = tuple((claim.requests, claim.constraints, claim.unknown_constraint) for claim in claims)
        found = self._kinds.get(kind)
        if found is None:
            if len(self._kinds) >= _MOST_KINDS:
                self._kinds.clear()
            found = self._kinds[kind] = KeptSearches()
        return found


def held_of(reached: ReachedPools, holders: Holders) -> Hashable:
    """Which devices of some pools are held, with the pools."""
    return reached.places, *(holders.in_pool(pool.driver, pool.name) for pool in reached.pools)


def memory_of(snapshot: Snapshot) -> SearchMemory:
    """What is kept of a snapshot's devices, until they, classes or rules for taints change."""
    return snapshot.derived(_memory, SLICE, TAINT_RULE, CLASS)


def _memory(snapshot: Snapshot) -> SearchMemory:
    return SearchMemory(slices_of(snapshot), snapshot.release.devices)
