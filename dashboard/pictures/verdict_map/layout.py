"""Where everything of the map lies: zones beside and below each other, in them pools, in those a tile a node.

Nodes of a pool fill rows from left to right. Pools stand beside each other as long as there is room, then below; how
many rows they take is chosen so that the map is as low as may be. The browser's module finds nodes by the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

from dashboard.pictures.shapes import label_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dashboard.pictures.verdict_map.spec import MapPool, VerdictMap

WIDE, NARROW = 860, 340
# Of two maps beside each other.
HALF = 600
# Up to so many nodes, tiles are large enough for a name and what fills the node.
MOST_NAMED = 60
# Widths between which a named tile is chosen; heights by how many nodes there are.
_NAMED_WIDTHS = {WIDE: (80, 144), HALF: (80, 120), NARROW: (78, 110)}
_NAMED_HEIGHTS = ((12, 62), (30, 48), (MOST_NAMED, 38))
_NAMED_GAP = 6
# Sides of a tile without a name, and the area that all of them may take.
_SIDES = (10, 26)
_AREAS = {WIDE: 860 * 330, HALF: 600 * 400, NARROW: 340 * 640}
_HEAD, _LABEL, _ZONE_GAP = 24, 16, 12
# A pool of few small tiles gets so much room for its name.
_NAME_LEAST = 56.0
_MOST_ROWS = 48
# A zone of few nodes gets room for its name and their number.
_HEAD_EXTRA, _HEAD_MOST = 80.0, 200.0


@dataclass(frozen=True, slots=True)
class TileSize:
    """The outer sides of a tile, with the gap that is a part of them at the right and below."""

    width: float
    height: float
    gap: float
    is_named: bool


@dataclass(frozen=True, slots=True)
class PlacedPool:
    """A pool from its top left corner, so many tiles wide; the label has so much room, 0 where there is none.

    Its tiles lie in a grid that begins at `frame`: that of its zone, or where tiles have names of its row of pools.
    """

    number: int
    left: float
    top: float
    columns: int
    label_room: float
    frame: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class PlacedZone:
    """A zone's heading, and the room it has."""

    name: str
    colour: int
    nodes: int
    left: float
    top: float
    room: float


@dataclass(frozen=True, slots=True)
class MapLayout:
    """The whole map."""

    width: float
    height: float
    tile: TileSize
    zones: tuple[PlacedZone, ...]
    pools: tuple[PlacedPool, ...]


class _Shelves(NamedTuple):
    """The pools of one zone from its own corner, and how much room they take."""

    width: float
    height: float
    pools: tuple[PlacedPool, ...]


def layout(found: VerdictMap, width: int) -> MapLayout:
    """Lay the map out for a width."""
    count = len(found.names)
    zones = [(key, list(pools)) for key, pools in groupby(enumerate(found.pools), lambda each: each[1].zone)]
    laid = [_laid(zones, width, tile) for tile in _tiles(count, width)]
    return min(laid, key=lambda each: (round(each.height), -each.tile.width))


def _tiles(count: int, width: int) -> Iterator[TileSize]:
    """Yield the sizes that are tried."""
    if count <= MOST_NAMED:
        least, most = _NAMED_WIDTHS[width]
        height = next(height for nodes, height in _NAMED_HEIGHTS if count <= nodes)
        room = width + _NAMED_GAP
        for columns in range(max(1, room // (most + _NAMED_GAP)), room // (least + _NAMED_GAP) + 1):
            side = min(most + _NAMED_GAP, room / columns)
            yield TileSize(round(side, 2), height + _NAMED_GAP, _NAMED_GAP, is_named=True)
        return
    smallest, largest = _SIDES
    side = min(largest, max(smallest, int(sqrt(_AREAS[width] / count))))
    yield TileSize(side, side, 3 if side > 16 else 2, is_named=False)


def _laid(zones: Sequence[tuple[str, list[tuple[int, MapPool]]]], width: int, tile: TileSize) -> MapLayout:
    """Lay zones out in the order they come, beside each other where they fit."""
    heads: list[PlacedZone] = []
    placed: list[PlacedPool] = []
    left = top = tallest = 0.0
    for name, pools in zones:
        shelves = _shelves(pools, width, tile)
        room = max(shelves.width, min(label_width(name, is_bold=True) + _HEAD_EXTRA, _HEAD_MOST))
        if left and left + room > width:
            left, top, tallest = 0.0, top + tallest + _ZONE_GAP, 0.0
        nodes = sum(pool.nodes for _, pool in pools)
        heads.append(PlacedZone(name, pools[0][1].colour, nodes, left, top, room))
        for each in shelves.pools:
            corner = round(left + each.left, 2), round(top + _HEAD + each.top, 2)
            frame = (round(left, 2), corner[1] if tile.is_named else round(top + _HEAD, 2))
            placed.append(replace(each, left=corner[0], top=corner[1], frame=frame))
        tallest = max(tallest, _HEAD + shelves.height)
        left += room + _ZONE_GAP
    return MapLayout(width, ceil(top + tallest), tile, tuple(heads), tuple(placed))


def _shelves(pools: Sequence[tuple[int, MapPool]], width: int, tile: TileSize) -> _Shelves:
    """Choose the number of rows for which a zone is lowest, and narrowest among those."""
    most = min(_MOST_ROWS, max(pool.nodes for _, pool in pools))
    tried = (_shelved(pools, width, tile, rows) for rows in range(1, most + 1))
    return min(tried, key=lambda each: (round(each.height), each.width))


def _shelved(pools: Sequence[tuple[int, MapPool]], width: int, tile: TileSize, rows: int) -> _Shelves:
    most = int((width + tile.gap) / tile.width)
    has_labels = any(pool.name for _, pool in pools)
    label = _label_height(tile) if has_labels else 0
    placed: list[PlacedPool] = []
    left = top = widest = 0.0
    deepest = 0
    for number, pool in pools:
        columns = min(most, ceil(pool.nodes / rows))
        named = columns if tile.is_named else max(columns, ceil(min(label_width(pool.name), _NAME_LEAST) / tile.width))
        wanted = named * tile.width - tile.gap
        if left and left + wanted > width + 0.01:
            left, top, deepest = 0.0, top + label + deepest * tile.height, 0
        placed.append(PlacedPool(number, left, top + label, columns, wanted if has_labels else 0.0))
        deepest = max(deepest, ceil(pool.nodes / columns))
        widest = max(widest, left + wanted)
        left += wanted + (tile.gap if tile.is_named else tile.width + tile.gap)
    return _Shelves(widest, top + label + deepest * tile.height, tuple(placed))


def _label_height(tile: TileSize) -> float:
    """Return the room for a pool's name; among small tiles whole rows, so that all of a zone lie in one grid."""
    return _LABEL if tile.is_named else ceil(_LABEL / tile.height) * tile.height


def places(layout: MapLayout, pools: Sequence[MapPool]) -> Iterable[tuple[float, float]]:
    """Yield the top left corner of each node's tile, in the order of the map's columns."""
    of_number = {each.number: each for each in layout.pools}
    for number, pool in enumerate(pools):
        placed = of_number[number]
        for place in range(pool.nodes):
            row, column = divmod(place, placed.columns)
            yield placed.left + column * layout.tile.width, placed.top + row * layout.tile.height
