"""The nodes of a decision by zone and pool, as documents keep them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import UNSET, UnsetType

from clusters.documents.explanation import PoolDocument
from clusters.engine.analysis.rejecting import rejecting_sources
from clusters.engine.nodes.pools import pools_or_zones

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine import Explanation

# Of more pools only zones are told apart, and of more zones nothing.
MOST_POOLS: Final = 30


def pool_documents(
    explanation: Explanation, most: int, bounded: Callable[[str], str]
) -> tuple[PoolDocument, ...] | UnsetType:
    """Write down who rejects the pod where; up to ``most`` nodes are named. ``bounded`` shortens texts."""
    cycle, names = explanation.cycle, explanation.snapshot.nodes.names
    found = pools_or_zones(explanation.snapshot.nodes.nodes, MOST_POOLS)
    if len(found) > MOST_POOLS:
        return UNSET
    sources = [bounded(source) for source in rejecting_sources(explanation)]
    totals = np.zeros(explanation.node_count, np.int64)
    if len(cycle.totals) == len(cycle.feasible):
        totals[cycle.feasible] = cycle.totals
    pools = []
    for pool in found:
        numbers = cycle.rejected_by[pool.rows].tolist()
        rejected = Counter(sources[number] for number in numbers if number >= 0)
        nodes: dict[str, int | str] = {
            names[row]: sources[number] if number >= 0 else int(totals[row])
            for row, number in zip(pool.rows.tolist(), numbers, strict=True)
        }
        pools.append(
            PoolDocument(
                zone=bounded(pool.zone),
                name=bounded(pool.name),
                count=len(numbers),
                feasible=len(numbers) - rejected.total(),
                rejected=dict(rejected),
                nodes=nodes if explanation.node_count <= most else UNSET,
            )
        )
    return tuple(pools)
