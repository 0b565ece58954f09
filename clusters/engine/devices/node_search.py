"""What the search for devices finds on each node: nodes whose devices are alike share one search."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.allocation import Allocator, SearchLimitError, StepsLeft
from clusters.engine.devices.likeness import DeviceLikeness
from clusters.engine.devices.pools import Inventory, holders_of, slices_of
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.devices.suitability import STRICT, Leniency, Suitability

if TYPE_CHECKING:
    from collections.abc import Hashable

    from clusters.engine.devices.allocation import Allocated
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim
    from clusters.engine.snapshot import Snapshot


class DeviceSearch(NamedTuple):
    """What was looked for on one node and found: None where there is no solution, ``fault`` where it fails.

    ``gave_up``: the search was ended before that was known.
    """

    allocated: tuple[Allocated, ...] | None
    fault: str = ""
    gave_up: bool = False


class NodeSearch:
    """Searches nodes of a snapshot for devices that meet all requests of some claims at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._inventory = Inventory(slices_of(snapshot), snapshot.nodes)

    def pools(self, row: int) -> tuple[Pool, ...]:
        """The pools of devices that a node reaches."""
        return self._inventory.pools(self._inventory.places(row))

    def everywhere(self, claims: tuple[Claim, ...], leniency: Leniency = STRICT) -> dict[int, DeviceSearch]:
        """What is found on each node, by row. Of nodes that are alike the devices found are those of one of them."""
        suitability = Suitability(self._snapshot, leniency)
        likeness = DeviceLikeness(claims, holders_of(self._snapshot), suitability)
        known: dict[Hashable, DeviceSearch] = {}
        found: dict[int, DeviceSearch] = {}
        left = StepsLeft()
        for row in range(len(self._snapshot.nodes)):
            pools = self.pools(row)
            like = likeness.of(pools)
            search = known.get(like) if like is not None else None
            if search is None:
                search = self._searched(row, pools, claims, suitability, left)
                # An error names the devices of the node.
                if like is not None and not search.fault:
                    known[like] = search
            found[row] = search
        return found

    def on(self, row: int, claims: tuple[Claim, ...]) -> DeviceSearch:
        """What is found on one node, with the devices of that node."""
        return self._searched(row, self.pools(row), claims, Suitability(self._snapshot), StepsLeft())

    def _searched(
        self, row: int, pools: tuple[Pool, ...], claims: tuple[Claim, ...], suitability: Suitability, left: StepsLeft
    ) -> DeviceSearch:
        allocator = Allocator(claims, pools, holders_of(self._snapshot), suitability, row, left)
        try:
            return DeviceSearch(allocator.allocate())
        except ClaimFault as fault:
            return DeviceSearch(None, fault=str(fault))
        except (SearchLimitError, UnsupportedExpressionError):
            return DeviceSearch(None, gave_up=True)
