"""What maps of nodes share: pools zone by zone, what fills each node, and the slider over moments."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.nodes import pools_or_zones
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.pictures.verdict_map.layout import MOST_NAMED
from dashboard.pictures.verdict_map.spec import MOST_POOLS, MapPool, NodeLoad

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine import Snapshot
    from clusters.engine.columns import NodeTable
    from clusters.engine.status import Index, Ints


def map_pools(nodes: NodeTable, zone: str | None = None, pool: str = "") -> tuple[tuple[MapPool, ...], Index]:
    """Return the pools of nodes, or one of them, and which nodes theirs are, in the map's order.

    Of zones with many pools each is one. Raises LookupError for a pool that there is not.
    """
    found = pools_or_zones(nodes, MOST_POOLS)
    zones = {name: number for number, name in enumerate(dict.fromkeys(each.zone for each in found))}
    chosen = [each for each in found if zone is None or (each.zone, each.name) == (zone, pool)]
    if zone is not None and not chosen:
        raise LookupError(zone, pool)
    pools = []
    first = 0
    for each in chosen:
        # A zone's colour is its place among all zones, so that it keeps it where it stands alone.
        colour = zones[each.zone] % ZONE_COLOURS + 1 if each.zone else 0
        pools.append(MapPool(each.zone, colour, each.name, first, len(each.rows)))
        first += len(each.rows)
    rows = np.concatenate([each.rows for each in chosen]) if chosen else np.empty(0, np.intp)
    return tuple(pools), rows


# Up to so many pods, each is drawn on its node.
_MOST_PODS = 1_500


def node_loads(
    snapshot: Snapshot,
    order: Index,
    resource: str,
    asked: int = 0,
    leaving: Mapping[str, set[int]] = MappingProxyType({}),
    joining: Callable[[int], Ints] | None = None,
) -> tuple[NodeLoad, ...]:
    """Return what fills each node of the `order` of one resource; none where nodes or pods are too many to draw.

    `asked` is what a pod would request beside them, `leaving` the slots of pods that would be removed, by node: they
    come last, and pods of high priority first. `joining` are the slots of pods that count on a row beside those bound.
    """
    pods, nodes = snapshot.pods, snapshot.nodes
    bound = np.flatnonzero(pods.node[: len(pods.keys)] >= 0)
    if len(order) > MOST_NAMED or len(bound) > _MOST_PODS:
        return ()
    has = nodes.allocatable[:, nodes.resources.index(resource)]
    requested = np.array([dict(shape.requests).get(resource, 0) for shape in pods.shapes], np.int64)
    on: dict[int, list[int]] = {}
    for slot in bound.tolist():
        on.setdefault(int(pods.node[slot]), []).append(slot)
    loads = []
    for row in order.tolist():
        gone = leaving.get(nodes.names[row], set())
        slots = sorted(
            (*on.get(row, ()), *(() if joining is None else joining(row).tolist())),
            key=lambda slot: (slot in gone, -int(pods.priority[slot]), -int(requested[pods.shape[slot]]), slot),
        )
        whole = int(has[row])
        amounts = [int(requested[pods.shape[slot]]) for slot in slots]
        shares = tuple(_share(amount, whole) for amount in amounts)
        loads.append(NodeLoad(shares, len(gone), _share(asked, whole)))
    return tuple(loads)


def _share(amount: int, whole: int) -> float:
    """Return a share of a node; of what it does not have, all that could be drawn."""
    return amount / whole if whole > 0 else float(amount > 0)


class Scrubber(Struct, frozen=True):
    """The slider and its controls at one moment.

    `action` takes the slider's value as `field`, beside what is `kept` of the address. Addresses are empty where they
    lead nowhere: the `first` moment, those before and after this one, and the failures `before` and `following`.
    `marks` are places in percent, with the word for their colour.
    """

    action: str
    field: str
    least: int
    most: int
    value: int
    first: str
    before: str
    previous: str
    next: str
    following: str
    marks: tuple[tuple[float, str], ...]
    stride: int = 1
    kept: tuple[tuple[str, str], ...] = ()

    @property
    def controls(self) -> dict[str, str]:
        """Where each control leads, by the name that scrubber.js reads."""
        names = ("first", "before", "previous", "next", "following")
        return {name: address for name in names if (address := getattr(self, name))}
