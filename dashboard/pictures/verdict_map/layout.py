"""Where the tiles of a map stand: columns of zones, pools and their heads."""

from __future__ import annotations

from html import escape
from itertools import groupby
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clusters.wording import counts
from clusters.wording.maps import NO_ZONE, place
from dashboard.pictures.shapes import label_width, shortened
from dashboard.pictures.verdict_map.spec import SHADES, MapKey, VerdictMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dashboard.pictures.verdict_map.spec import MapPool


# -- Where everything of the map lies ---------------------------------------------------------------------------------


WIDE, NARROW = 860, 340
# Of two maps beside each other.
HALF = 556
# Up to so many nodes, tiles are large enough for a name and what fills the node.
MOST_NAMED = 64
# Widths between which a named tile is chosen; heights by how many nodes there are.
_NAMED_WIDTHS = {WIDE: (80, 144), HALF: (80, 120), NARROW: (78, 110)}
# So wide are tiles at most where a few have the room.
_FEW_WIDTH = 220
_NAMED_HEIGHTS = ((12, 62), (30, 48), (MOST_NAMED, 38))
_NAMED_GAP = 6
# Sides of a tile without a name, and the area that all of them may take.
_SIDES = (10, 26)
_AREAS = {WIDE: 860 * 330, HALF: 556 * 430, NARROW: 340 * 640}
_HEAD, _LABEL, _ZONE_GAP = 24, 16, 12
# A pool of few small tiles gets so much room for its name.
_NAME_LEAST = 56.0
_MOST_ROWS = 48
# A zone of few nodes gets room for its name and their number.
_HEAD_EXTRA, _HEAD_MOST = 80.0, 200.0


class TileSize(Struct, frozen=True):
    """The outer sides of a tile, with the gap that is a part of them at the right and below."""

    width: float
    height: float
    gap: float
    is_named: bool


class PlacedPool(Struct, frozen=True):
    """A pool from its top left corner, so many tiles wide; the label has so much room, 0 where there is none.

    Its tiles lie in a grid that begins at `frame`: that of its zone, or where tiles have names of its row of pools.
    """

    number: int
    left: float
    top: float
    columns: int
    label_room: float
    frame: tuple[float, float] = (0.0, 0.0)


class PlacedZone(Struct, frozen=True):
    """A zone's heading, and the room it has."""

    name: str
    colour: int
    nodes: int
    left: float
    top: float
    room: float


class MapLayout(Struct, frozen=True):
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
        most = max(most, min(_FEW_WIDTH, room // max(count, 1) - _NAMED_GAP))
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
        room = max(shelves.width, min(label_width(name or str(NO_ZONE), is_bold=True) + _HEAD_EXTRA, _HEAD_MOST))
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
    label = (_LABEL if tile.is_named else ceil(_LABEL / tile.height) * tile.height) if has_labels else 0
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


def places(layout: MapLayout, pools: Sequence[MapPool]) -> Iterable[tuple[float, float]]:
    """Yield the top left corner of each node's tile, in the order of the map's columns."""
    of_number = {each.number: each for each in layout.pools}
    for number, pool in enumerate(pools):
        placed = of_number[number]
        for tile in range(pool.nodes):
            row, column = divmod(tile, placed.columns)
            yield placed.left + column * layout.tile.width, placed.top + row * layout.tile.height


# -- What the browser's module reads of a map beside its drawings -----------------------------------------------------


# More nodes that pods reach, all steps together, are not told step by step.
_MOST_REACHED = 400
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def columns_of(found: VerdictMap) -> dict[str, Any]:
    """Return the nodes by themselves, wherever they lie."""
    return {
        "keys": [key_words(key) for key in found.keys],
        "sources": [key.source for key in found.keys],
        "pools": [
            [place(zone=pool.zone, pool=pool.name), *_shortened(found.names[pool.places.start : pool.places.stop])]
            for pool in found.pools
        ],
        "key": digits(found.key_of),
        **_lines(found.lines),
    }


def _lines(said: Sequence[str]) -> dict[str, Any]:
    """Return what is said of nodes, each line once, and the number of the line that is said of each node."""
    lines = list(dict.fromkeys(said))
    number = {line: place for place, line in enumerate(lines)}
    return {"lines": lines, "line": [number[line] for line in said]}


def key_words(key: MapKey) -> str:
    """Say of a node what its key is."""
    return f"{key.source}: {key.label}" if key.source else key.label


def digits(numbers: Iterable[int]) -> str:
    """Write small numbers as a character each."""
    return "".join(DIGITS[number] for number in numbers)


def _shortened(names: Sequence[str]) -> tuple[str, str, str]:
    """Return what all names begin with, what they end with, and what is between, with blanks between nodes."""
    begin = _common(names)
    rests = [name[len(begin) :] for name in names]
    end = _common([rest[::-1] for rest in rests])[::-1]
    return begin, end, " ".join(rest[: len(rest) - len(end)] for rest in rests)


def _common(words: Sequence[str]) -> str:
    """Return what all words begin with: what the first and the last of them in order do."""
    first, last = min(words), max(words)
    length = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:length]


def tiles_of(laid: MapLayout) -> dict[str, Any]:
    """Return where tiles lie: a pool's corner, how many tiles wide it is, and the number of the grid that it is in."""
    tile = laid.tile
    pools = sorted(laid.pools, key=lambda each: each.number)
    frames = list(dict.fromkeys(each.frame for each in laid.pools))
    return {
        "tile": [tile.width, tile.height, tile.gap],
        "pools": [[each.left, each.top, each.columns, frames.index(each.frame)] for each in pools],
        "frames": frames,
    }


def steps_of(found: VerdictMap, *, has_bars: bool) -> dict[str, Any]:
    """Return what each step does to the map: keys that are out from then on, and shades where it ranks nodes.

    Bars have the number of nodes of each shade, pool by pool, instead.
    """
    return {
        "shaded": next((number for number, key in enumerate(found.keys) if key.is_shaded), None),
        "start": found.start,
        "steps": [
            {
                "gone": step.gone,
                "room": step.shows_room,
                "shades": (_counted(found, step.shades) if has_bars else digits(step.shades)) if step.shades else None,
            }
            for step in found.steps
        ],
    }


def turns_of(found: VerdictMap) -> dict[str, Any]:
    """Return at which step each node has its turn, and which nodes pods reach then; nothing without turns."""
    turns = found.turns
    if turns is None:
        return {}
    reached = turns.reached if sum(map(len, turns.reached)) <= _MOST_REACHED else ()
    numbers = {"kept": turns.kept, "reached": reached, "reaching": turns.reaching}
    return {"turns": {"of": digits(turns.turn_of), **numbers}}


def _counted(found: VerdictMap, shades: Sequence[int]) -> list[list[int]]:
    """Count the nodes of each shade, from the worst to the best, pool by pool."""
    counted = []
    for pool in found.pools:
        stretch = shades[pool.places.start : pool.places.stop]
        counted.append([stretch.count(shade) for shade in range(1, SHADES + 1)])
    return counted


# -- The headings of a map's zones ------------------------------------------------------------------------------------


def zone_head(zone: PlacedZone) -> str:
    """Draw a zone's name beside its colour, and how many nodes it has."""
    nodes = counts.NODES(number=zone.nodes)
    room = zone.room - 12 - label_width(nodes) - 8
    name = shortened(zone.name or str(NO_ZONE), max(room, 40.0), is_bold=True)
    colour = f"zone-{zone.colour}" if zone.colour else "line-strong"
    corner = f'x="{zone.left:g}" y="{zone.top + 3:g}"'
    return (
        f'<rect class="map-fill" {corner} width="4" height="14" rx="1" fill="var(--{colour})"/>'
        f'<text data-zone="{escape(zone.name)}" x="{zone.left + 10:g}" y="{zone.top + 15:g}">'
        f'<tspan font-weight="600">{escape(name)}</tspan>'
        f'<tspan dx="8" fill="var(--ink-muted)">{escape(nodes)}</tspan></text>'
    )
