"""The nodes of a situation in a table: all of a few, else pool by pool as the map has them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.nodes import pools_or_zones
from clusters.wording import counts
from clusters.wording.lessons import situation as words
from dashboard.pictures.verdict_map.spec import MOST_POOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Node
    from dashboard.lessons.presenters.cluster import NodeFacts

# So many nodes are one table that is open.
MOST_NODES: Final = 12


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes of one zone and pool, and in words how many they are; all nodes of a small situation have no title."""

    title: str
    counted: str
    nodes: tuple[NodeFacts, ...]


def node_groups(nodes: Sequence[Node], facts: Sequence[NodeFacts]) -> tuple[NodeGroup, ...]:
    """Present nodes, each with its facts at the same place, in groups."""
    if len(facts) <= MOST_NODES:
        return (NodeGroup("", "", tuple(facts)),)
    groups = []
    for pool in pools_or_zones(nodes, MOST_POOLS):
        own = tuple(facts[row] for row in pool.rows.tolist())
        counted = words.described([counts.nodes(len(own)), counts.pods(sum(len(node.pods) for node in own))])
        groups.append(NodeGroup(words.pool(pool.zone, pool.name), counted, own))
    return tuple(groups)
