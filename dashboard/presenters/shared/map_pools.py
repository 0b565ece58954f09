"""The nodes of a cluster as maps show them: zone by zone, pool by pool, in the order of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.nodes import pools_or_zones
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.pictures.verdict_map.spec import MOST_POOLS, MapPool

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Node
    from clusters.engine.status import Index


def map_pools(nodes: Iterable[Node], zone: str | None = None, pool: str = "") -> tuple[tuple[MapPool, ...], Index]:
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
