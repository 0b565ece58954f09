"""What the search for devices finds on each node: nodes whose devices are alike share one search."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.allocation import Allocator, StepsLeft
from clusters.engine.devices.holders import Holders, held_devices
from clusters.engine.devices.likeness import DeviceLikeness
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.devices.search_memory import KeptSearches, held_of, memory_of
from clusters.engine.devices.selecting import CostlyExpressionError, UnsupportedExpressionError
from clusters.engine.devices.suitability import STRICT, Leniency, Suitability
from clusters.engine.devices.taking import SearchLimitError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import Claim
    from clusters.engine.devices.taking import Allocated
    from clusters.engine.snapshot import Snapshot


class DeviceSearch(NamedTuple):
    """What was looked for on one node and found: None where there is no solution, ``fault`` where it fails.

    ``gave_up``: the search was ended before that was known, ``is_costly`` because it takes too much. ``refusal``: what
    the scheduler says of the node instead of that claims cannot be allocated.
    """

    allocated: tuple[Allocated, ...] | None
    fault: str = ""
    gave_up: bool = False
    refusal: str = ""
    is_costly: bool = False


class NodeSearch:
    """Searches nodes of a snapshot for devices that meet all requests of some claims at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._memory = memory_of(snapshot)
        self._reached = self._memory.reached(snapshot.nodes)

    def pools(self, row: int) -> tuple[Pool, ...]:
        """The pools of devices that a node reaches."""
        return self._reached[row].pools

    def everywhere(self, claims: tuple[Claim, ...], leniency: Leniency = STRICT) -> tuple[DeviceSearch, ...]:
        """What is found on each node, by row. Of nodes that are alike the devices found are those of one of them."""
        holders = self._snapshot.followed(Holders)
        kept = self._memory.searches(claims) if leniency == STRICT else KeptSearches()
        # Read once: threads that explain in other snapshots write it too.
        latest = kept.latest
        if latest is not None and latest[0] is holders.state and latest[1] is self._reached:
            return latest[2]
        suitability = Suitability(self._snapshot, leniency)
        likeness = DeviceLikeness(claims, held_devices(self._snapshot), suitability, self._snapshot.release.devices)
        given_up: dict[Hashable, DeviceSearch] = {}
        left = StepsLeft()
        found: list[DeviceSearch] = []
        for row, reached in enumerate(self._reached):
            held = held_of(reached, holders)
            search = kept.by_held.get(held)
            if search is None:
                like = likeness.of(reached.pools)
                search = kept.by_likeness.get(like) or given_up.get(like)
                if search is None:
                    search = self._searched(row, reached.pools, claims, suitability, left)
                # An error names the devices of the node, and where a search ends depends on those before it.
                if like is not None and search.gave_up:
                    given_up[like] = search
                elif like is not None and not search.fault:
                    kept.keep(held, like, search)
            found.append(search)
        answers = tuple(found)
        # An error names the claim too.
        if not any(search.fault for search in found):
            kept.latest = holders.state, self._reached, answers
        return answers

    def on(self, row: int, claims: tuple[Claim, ...]) -> DeviceSearch:
        """What is found on one node, with the devices of that node."""
        return self._searched(row, self.pools(row), claims, Suitability(self._snapshot), StepsLeft())

    def _searched(
        self, row: int, pools: tuple[Pool, ...], claims: tuple[Claim, ...], suitability: Suitability, left: StepsLeft
    ) -> DeviceSearch:
        allocator = Allocator(
            claims, pools, held_devices(self._snapshot), suitability, row, left, self._snapshot.release.devices
        )
        try:
            found = allocator.allocate()
            return DeviceSearch(found, refusal=allocator.refusal if found is None else "")
        except ClaimFault as fault:
            return DeviceSearch(None, fault=str(fault))
        except (SearchLimitError, CostlyExpressionError):
            return DeviceSearch(None, gave_up=True, is_costly=True)
        except UnsupportedExpressionError:
            return DeviceSearch(None, gave_up=True)
