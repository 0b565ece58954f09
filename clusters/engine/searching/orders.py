"""The orders in which a scheduler may hold the nodes that it searches.

Upstream: ``addNode`` and ``list`` of ``pkg/scheduler/backend/cache/node_tree.go`` v1.34.1, and ``Replace`` of
client-go's queues. A scheduler that starts is told of all nodes by name, and of later ones as they come; the zones then
take turns. When it started nobody outside knows: after all nodes, before all of them, or in between. Of the last it is
followed when it started before the first of these nodes was seen that came later.

From 1.35 on a scheduler that starts is told of the nodes that are there in no order (``watchList`` of client-go's
``reflector.go`` v0.37.2 collects them in a map). Only one that started before all of them is followed there; those that
were created within one second count as created by name, unless they were seen to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clusters.engine.nodes.zones import interleaved, zone_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Node
    from clusters.engine.status import Index


class KnownOrders(NamedTuple):
    """Different orders of rows, each of shape (N,), and for each of them the number that it had before (0 at first)."""

    orders: tuple[Index, ...]
    sources: tuple[int, ...]


class NodeOrders:
    """The possible orders of a cluster's nodes, as nodes come and go."""

    def __init__(self, *, is_told_by_name: bool = True) -> None:
        self._is_told_by_name = is_told_by_name
        self._nodes: list[Node] = []
        # Names in the order in which a scheduler was told of them, the first ones by name or else by age.
        self._heard: list[str] = []
        self._orders: tuple[Index, ...] = ()
        # Which of the orders is that by name, by age and as heard.
        self._numbers = (0, 0, 0)

    @property
    def told(self) -> tuple[tuple[str, ...], tuple[int, int, int]]:
        """What to go on from: names as they were heard, and which of the orders is by name, by age and as heard."""
        return tuple(self._heard), self._numbers

    def go_on(self, heard: Sequence[str], numbers: tuple[int, int, int]) -> None:
        """Know what others were told."""
        self._heard, self._numbers = list(heard), numbers

    def of(self, nodes: Sequence[Node]) -> KnownOrders:
        """Return the orders of these nodes, which are sorted by name."""
        # Nodes change often, and hardly ever in what orders them.
        is_known = len(self._nodes) == len(nodes) and all(
            known is node or _place(known) == _place(node) for known, node in zip(self._nodes, nodes, strict=True)
        )
        self._nodes = list(nodes)
        if is_known:
            return KnownOrders(self._orders, tuple(range(len(self._orders))))
        orders: list[Index] = []
        numbers = []
        for order in self._possible(nodes):
            number = next((place for place, each in enumerate(orders) if np.array_equal(each, order)), len(orders))
            numbers.append(number)
            if number == len(orders):
                orders.append(order)
        sources = tuple(self._numbers[numbers.index(number)] for number in range(len(orders)))
        self._orders, self._numbers = tuple(orders), (numbers[0], numbers[1], numbers[2])
        return KnownOrders(self._orders, sources)

    def _possible(self, nodes: Sequence[Node]) -> tuple[Index, Index, Index]:
        row_of = {node.name: row for row, node in enumerate(nodes)}
        by_age = sorted(range(len(nodes)), key=lambda row: nodes[row].created)
        known = {name: None for name in self._heard if name in row_of}
        if not self._heard and self._is_told_by_name:
            known = dict.fromkeys(row_of)
        self._heard = [*known, *(nodes[row].name for row in by_age if nodes[row].name not in known)]
        aged = _in_turn(nodes, by_age)
        return (
            interleaved(nodes) if self._is_told_by_name else aged,
            aged,
            _in_turn(nodes, [row_of[name] for name in self._heard]),
        )


def _in_turn(nodes: Sequence[Node], rows: Sequence[int]) -> Index:
    """Let the zones take turns, of nodes that came in this order."""
    return np.array(rows, np.intp)[interleaved([nodes[row] for row in rows])]


def _place(node: Node) -> tuple[str, tuple[str, str], int]:
    """What orders a node among others."""
    return node.name, zone_key(node.labels), node.created
