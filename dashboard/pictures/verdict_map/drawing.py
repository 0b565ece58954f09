"""A map of nodes as SVG: tiles or bars, and the arrows between them."""

from __future__ import annotations

import enum
from collections import Counter
from functools import cached_property
from html import escape
from itertools import cycle, groupby
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode
from zlib import crc32

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct
from msgspec.structs import replace

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import IN
from clusters.wording.maps import ARROW as ARROW_WORDS, ARROWS, LEFT_OUT_ARROWS, NO_POOL, place
from dashboard.pictures.shapes import SIZE, label_width, shortened, text
from dashboard.pictures.verdict_map.layout import (
    NARROW,
    WIDE,
    MapLayout,
    PlacedZone,
    columns_of,
    key_words,
    layout,
    places,
    steps_of,
    tiles_of,
    turns_of,
    zone_head,
)
from dashboard.pictures.verdict_map.spec import MOST_POOLS, SHADES, MapKey, MapPool, VerdictMap, sign
from dashboard.pictures.verdict_map.tiles import swatch, tiles_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dashboard.pictures.verdict_map.spec import MapMark, MapMove, MapStep, ScalePoint


# -- The map of thousands of nodes ------------------------------------------------------------------------------------


_HEAD, _GAP, _ZONE_GAP, _LABEL = 26.0, 6.0, 8.0, 16.0
# The fewer bars there are, the higher they stand.
_HEIGHTS = ((6, 44), (14, 32), (MOST_POOLS, 24))
_NAMES_MOST = 150.0
# Where shades would take more parts than this, the nodes of a key are one part, whatever their shades.
_MOST_PARTS = 180
# A part is as wide as its sign, and as a finger needs to point at it, however few nodes it has.
SIGN = 14
_FAINT = 0.35


class PoolPart(Struct, frozen=True):
    """The nodes of one look in a pool: a stretch of its bar."""

    key: int
    shade: int
    nodes: int
    left: float
    width: float


class PoolBar(Struct, frozen=True):
    """A pool's bar at its place."""

    number: int
    left: float
    top: float
    parts: tuple[PoolPart, ...]


class BarLayout(Struct, frozen=True):
    """The whole map as bars, each so high."""

    width: float
    height: float
    bar: float
    zones: tuple[PlacedZone, ...]
    bars: tuple[PoolBar, ...]


def bar_layout(found: VerdictMap, width: int, scale: float | None = None) -> BarLayout:
    """Lay bars out below each other, zone by zone, all to one scale; on narrow screens a name stands above its bar.

    Maps that are to be compared have the smallest scale of any of them, as `bar_scale` finds it.
    """
    looks = _looks(found)
    is_named = any(pool.name for pool in found.pools)
    beside = _beside(found, width)
    scale = _scale(looks, width - beside) if scale is None else scale
    above = _LABEL if is_named and width == NARROW else 0.0
    height = next(height for bars, height in _HEIGHTS if len(found.pools) <= bars)
    zones, bars, top = [], [], 0.0
    for zone, members in groupby(enumerate(found.pools), lambda each: each[1].zone):
        pools = list(members)
        zones.append(PlacedZone(zone, pools[0][1].colour, sum(pool.nodes for _, pool in pools), 0, top, width))
        top += _HEAD
        for number, _ in pools:
            bars.append(PoolBar(number, beside, top + above, tuple(_parts(looks[number], beside, scale))))
            top += above + height + _GAP
        top += _ZONE_GAP
    return BarLayout(width, top - _ZONE_GAP, height, tuple(zones), tuple(bars))


def bar_scale(found: VerdictMap, width: int) -> float:
    """Return how wide a node is in the bars of a map."""
    return _scale(_looks(found), width - _beside(found, width))


def _beside(found: VerdictMap, width: int) -> float:
    """Return the room for names beside bars."""
    if width == NARROW or not any(pool.name for pool in found.pools):
        return 0.0
    return min(_NAMES_MOST, max(label_width(pool.name) for pool in found.pools)) + 10


def _looks(found: VerdictMap) -> list[list[tuple[int, int, int]]]:
    """Return of each pool key, shade and number of the nodes that look alike, the best first."""
    shaded, plain = [], []
    for pool in found.pools:
        stretch = slice(pool.first, pool.first + pool.nodes)
        counted, of_key = Counter[tuple[int, int]](), Counter[int]()
        for (key, shade), nodes in Counter(zip(found.key_of[stretch], found.shade_of[stretch], strict=True)).items():
            counted[key, shade if found.keys[key].is_shaded else 0] += nodes
            of_key[key] += nodes
        shaded.append([(*look, counted[look]) for look in sorted(counted, key=lambda look: (look[0], -look[1]))])
        plain.append([(key, 0, of_key[key]) for key in sorted(of_key)])
    return shaded if sum(map(len, shaded)) <= _MOST_PARTS else plain


def _scale(looks: Sequence[Sequence[tuple[int, int, int]]], room: float) -> float:
    """Return how wide a node is where the longest bar takes all the room, though no part is too thin to be seen."""
    bars = [[nodes for _, _, nodes in each] for each in looks]
    low, high = 0.0, room / max((sum(each) for each in bars), default=1)
    for _ in range(30):
        middle = (low + high) / 2
        longest = max(sum(max(SIGN, nodes * middle) for nodes in each) for each in bars)
        low, high = (middle, high) if longest <= room else (low, middle)
    return low


def _parts(looks: Sequence[tuple[int, int, int]], left: float, scale: float) -> Iterator[PoolPart]:
    for key, shade, nodes in looks:
        width = max(SIGN, nodes * scale)
        yield PoolPart(key, shade, nodes, round(left, 1), round(width, 1))
        left += width


def bars_body(found: VerdictMap, laid: BarLayout, prefix: str, painted: Sequence[MapKey] | None = None) -> str:
    """Draw headings, names and bars, with what paints them; of two maps of the same keys one has what paints both."""
    keys = found.keys if painted is None else painted
    return "".join(
        (
            f"<defs>{''.join(_patterns(keys, laid.bar, prefix))}</defs>" if keys else "",
            *(zone_head(zone) for zone in laid.zones),
            *(_name(found, bar, laid.bar) for bar in laid.bars),
            f'<g class="map-bars" stroke-width="{laid.bar:g}">',
            *(_bar(found, bar, laid.bar, prefix) for bar in laid.bars),
            "</g>",
        )
    )


def _name(found: VerdictMap, bar: PoolBar, height: float) -> str:
    name = found.pools[bar.number].name
    if bar.left:
        return text(0, bar.top + height / 2 + 5, shortened(name or str(NO_POOL), bar.left - 8))
    return text(0, bar.top - 3, name, colour="ink-muted") if name else ""


def _patterns(keys: Sequence[MapKey], height: float, prefix: str) -> Iterator[str]:
    """Yield what paints the parts of each look: their colour, with their sign all over it."""
    yield _pattern(f"{prefix}-left", height, "surface-muted", "", 1)
    for number, key in enumerate(keys):
        if key.nodes and not key.is_shaded:
            yield _pattern(f"{prefix}-{number}", height, key.colour, key.mark, _FAINT if key.is_faint else 1)
        elif key.nodes:
            for shade in range(1, SHADES + 1):
                yield _pattern(f"{prefix}-{number}-{shade}", height, key.colour, key.mark, shade / SHADES)


def _pattern(name: str, height: float, colour: str, mark: str, strength: float) -> str:
    whole = f'width="{SIGN}" height="{height:g}"'
    return (
        f'<pattern id="{name}" {whole} y="{-height / 2:g}" patternUnits="userSpaceOnUse">'
        f'<rect {whole} fill="var(--surface-card)"/>'
        f'<rect class="map-fill" {whole} fill="var(--{colour})" fill-opacity="{strength:g}"/>'
        f"{sign(mark, 0, (height - SIGN) / 2, SIGN, 'var(--surface-card)')}</pattern>"
    )


def _bar(found: VerdictMap, bar: PoolBar, height: float, prefix: str) -> str:
    """Draw the parts of a bar from its own corner, where what paints them begins."""
    drawn = []
    for part in bar.parts:
        look = f"{part.key}-{part.shade or SHADES}" if found.keys[part.key].is_shaded else f"{part.key}"
        facts = f'data-key="{part.key}" data-nodes="{counts.NODES(number=part.nodes)}"'
        left = f"{part.left - bar.left:g}"
        # Signs begin where their part does.
        begin = f'transform="translate({left})" d="M0' if found.keys[part.key].mark else f'd="M{left}'
        drawn.append(f'<path {facts} {begin} 0h{part.width:g}" stroke="url(#{prefix}-{look})"/>')
    place = f"translate({bar.left:g} {bar.top + height / 2:g})"
    return f'<g data-pool="{bar.number}" transform="{place}">{"".join(drawn)}{"".join(_numbers(bar))}</g>'


def _numbers(bar: PoolBar) -> Iterator[str]:
    """Yield the number of each key's nodes where there is room for it; shades of a key are one number."""
    for key, members in groupby(bar.parts, lambda part: part.key):
        parts = list(members)
        words = grouped(sum(part.nodes for part in parts))
        left = parts[0].left - bar.left
        if sum(part.width for part in parts) >= label_width(words, is_bold=True) + 14:
            yield f'<text data-key="{key}" x="{left + 6:g}" y="4">{escape(words)}</text>'


# -- The arrows of a map ----------------------------------------------------------------------------------------------


# With more arrows than this, nodes of a pool send or receive together; of pools, those with the most pods are drawn.
MOST_ARROWS = 48
# Of arrows between pools, so many with the most pods have their number beside them.
_MOST_NUMBERED = 16
# How far a curve bends, in shares of its length and at most.
_BEND, _BENT_MOST = 0.14, 56.0
# The thinnest line, the thickest while arrows are few and when they are many; the pods of the thickest at least.
_THIN, _THICK, _THICK_OF_MANY, _MANY = 1.25, 5.0, 3.25, 9
_HEAD_LONG, _HEAD_WIDE = 7.0, 4.0
# Arrows of one stop stand so far apart, as long as it is wide enough; of a pool's nodes their middle has some room.
_APART, _POOL_ROOM = 11.0, 12.0
_LOOP = 26.0
# Of a way, until the point is found where it crosses a line.
_HALVINGS = 12


class Bundling(enum.Enum):
    """What the ends of arrows stand for."""

    NODES = "nodes"
    POOLS_TO_NODES = "pools-to-nodes"
    POOLS = "pools"


class Point(NamedTuple):
    """A place in the drawing."""

    x: float
    y: float


class Stop(Struct, frozen=True):
    """Where arrows begin or end: around a middle, so far to either side; the name tells it from others.

    The label is what people call it, the colour a token's name: that of arrows which end there.
    """

    name: str
    label: str
    key: int
    colour: str
    middle: Point
    across: float
    down: float

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it."""
        return abs(point.x - self.middle.x) < self.across and abs(point.y - self.middle.y) < self.down


class Arrow(Struct, frozen=True):
    """Pods that go from one stop to another, and the steps at which some of them do; none where steps say nothing."""

    source: Stop
    target: Stop
    pods: int
    turns: tuple[int, ...] = ()


class Arrows(Struct, frozen=True):
    """The arrows that are drawn, those of the most pods last; `left_out` counts the others, and the pods of those."""

    drawn: tuple[Arrow, ...]
    bundling: Bundling
    left_out: int = 0
    left_out_pods: int = 0


def arrows_between(
    moves: Sequence[MapMove],
    levels: Iterable[tuple[Bundling, Callable[[int], Stop], Callable[[int], Stop]]],
    most: int = MOST_ARROWS,
) -> Arrows:
    """Bundle moves as little as it takes: a level says what stands for a node at the beginning, and what at the end."""
    found: list[Arrow] = []
    bundling = Bundling.NODES
    for bundling, source_of, target_of in levels:  # noqa: B007 - the last one counts where none is enough
        found = _bundled(moves, source_of, target_of)
        if len(found) <= most:
            break
    found.sort(key=lambda arrow: (arrow.pods, arrow.source.name, arrow.target.name))
    cut = max(0, len(found) - most)
    return Arrows(tuple(found[cut:]), bundling, cut, sum(arrow.pods for arrow in found[:cut]))


def _bundled(
    moves: Sequence[MapMove], source_of: Callable[[int], Stop], target_of: Callable[[int], Stop]
) -> list[Arrow]:
    pods: dict[tuple[str, str], int] = {}
    turns: dict[tuple[str, str], set[int]] = {}
    ends: dict[tuple[str, str], tuple[Stop, Stop]] = {}
    for move in moves:
        source, target = source_of(move.source), target_of(move.target)
        names = source.name, target.name
        ends[names] = source, target
        pods[names] = pods.get(names, 0) + move.pods
        turns.setdefault(names, set()).update({move.turn} - {0})
    return [Arrow(*ends[names], pods[names], tuple(sorted(turns[names]))) for names in ends]


# -- where arrows begin and end ----------------------------------------------------------------------------------------


def tile_arrows(found: VerdictMap, laid: MapLayout) -> Arrows:
    """Return the arrows of a map of tiles."""
    tiles = tile_stops(found, laid)
    sources = pool_stops(found, tiles, (move.source for move in found.moves))
    targets = pool_stops(found, tiles, (move.target for move in found.moves))
    return arrows_between(
        found.moves,
        (
            (Bundling.NODES, tiles.__getitem__, tiles.__getitem__),
            (Bundling.POOLS_TO_NODES, sources.__getitem__, tiles.__getitem__),
            (Bundling.POOLS, sources.__getitem__, targets.__getitem__),
        ),
    )


def tile_stops(found: VerdictMap, laid: MapLayout, left: float = 0.0, top: float = 0.0) -> list[Stop]:
    """Return the tile of each node, in a map that stands so far to the right and so far down."""
    across, down = (laid.tile.width - laid.tile.gap) / 2, (laid.tile.height - laid.tile.gap) / 2
    colours = [_colour(pool) for pool in found.pools for _ in pool.places]
    return [
        Stop(
            f"n{node}", name, found.key_of[node], colours[node], Point(left + x + across, top + y + down), across, down
        )
        for node, (name, (x, y)) in enumerate(zip(found.names, places(laid, found.pools), strict=True))
    ]


def pool_stops(found: VerdictMap, tiles: Sequence[Stop], nodes: Iterable[int]) -> dict[int, Stop]:
    """Return for each of the nodes the middle of those of its pool that have its key."""
    pool_of = [number for number, pool in enumerate(found.pools) for _ in pool.places]
    members: dict[tuple[int, int], list[int]] = {}
    for node in dict.fromkeys(nodes):
        members.setdefault((pool_of[node], found.key_of[node]), []).append(node)
    stops = {}
    for (pool, key), together in members.items():
        middles = [tiles[node].middle for node in together]
        middle = Point(sum(each.x for each in middles) / len(middles), sum(each.y for each in middles) / len(middles))
        stop = Stop(
            f"p{pool}k{key}", _label(found.pools[pool]), key, _colour(found.pools[pool]), middle, _POOL_ROOM, _POOL_ROOM
        )
        stops.update(dict.fromkeys(together, stop))
    return stops


def bar_arrows(found: VerdictMap, laid: BarLayout) -> Arrows:
    """Return the arrows of a map of bars, from part to part."""
    stops = part_stops(found, laid) if found.moves else []
    return arrows_between(found.moves, ((Bundling.POOLS, stops.__getitem__, stops.__getitem__),))


def part_stops(found: VerdictMap, laid: BarLayout, left: float = 0.0, top: float = 0.0) -> list[Stop]:
    """Return for each node the part of its bar that it is in, in a map that stands so far to the right and down."""
    stops: dict[tuple[int, int], Stop] = {}
    for bar in laid.bars:
        for key in {part.key for part in bar.parts}:
            parts = [part for part in bar.parts if part.key == key]
            begin, end = parts[0].left, parts[-1].left + parts[-1].width
            middle = Point(left + (begin + end) / 2, top + bar.top + laid.bar / 2)
            pool = found.pools[bar.number]
            stops[bar.number, key] = Stop(
                f"p{bar.number}k{key}", _label(pool), key, _colour(pool), middle, (end - begin) / 2, laid.bar / 2
            )
    pool_of = [number for number, pool in enumerate(found.pools) for _ in pool.places]
    return [stops[place] for place in zip(pool_of, found.key_of, strict=True)]


def _label(pool: MapPool) -> str:
    return place(zone=pool.zone, pool=pool.name)


def _colour(pool: MapPool) -> str:
    return f"zone-{pool.colour}" if pool.colour else "line-strong"


# -- how they are drawn ------------------------------------------------------------------------------------------------


def arrows_body(arrows: Arrows, lines: Sequence[float] = ()) -> str:
    """Draw arrows, the largest between pools with their number of pods: tiles say that of nodes by themselves.

    A number stands in the middle of its arrow; where there are vertical lines that all arrows cross, on each in turn.
    """
    most = max([_MANY, *(arrow.pods for arrow in arrows.drawn)])
    thick = _THICK if len(arrows.drawn) <= _MOST_NUMBERED else _THICK_OF_MANY
    numbered = arrows.drawn[-_MOST_NUMBERED:] if arrows.bundling is Bundling.POOLS else ()
    curves = dict(zip(arrows.drawn, curves_of(arrows.drawn), strict=True))
    number_at = {arrow: curves[arrow].at(0.5) for arrow in numbered}
    if lines:
        downwards = sorted(numbered, key=lambda arrow: curves[arrow].crossing(lines[0]).y)
        number_at = {arrow: curves[arrow].crossing(x) for arrow, x in zip(downwards, cycle(lines), strict=False)}
    drawn = "".join(
        _drawn(arrow, curve, thickness(arrow.pods, most, thick), number_at.get(arrow))
        for arrow, curve in curves.items()
    )
    return f'<g class="map-moves">{drawn}</g>' if drawn else ""


def _drawn(arrow: Arrow, curve: Curve, width: float, number_at: Point | None) -> str:
    keys = " ".join(map(str, dict.fromkeys((arrow.source.key, arrow.target.key))))
    facts = f'data-keys="{keys}" data-from="{arrow.source.name}" data-to="{arrow.target.name}"'
    if arrow.turns:
        facts += f' data-turns="{" ".join(map(str, arrow.turns))}"'
    head = "".join(_head(curve, width))
    path = f'<path d="{_path(curve)}{head}" stroke="var(--{arrow.target.colour})" stroke-width="{width:.3g}"/>'
    number = ""
    if number_at is not None:
        x, y = number_at
        number = f'<text x="{x:.0f}" y="{y + 4:.0f}">{grouped(arrow.pods)}</text>'
    return f"<g {facts}>{path}{number}</g>"


def told(arrow: Arrow) -> str:
    """Say an arrow in words."""
    return ARROW_WORDS(pods=arrow.pods, source=arrow.source.label, target=arrow.target.label)


def thickness(pods: int, most: int, thick: float = _THICK) -> float:
    """Return how thick an arrow is: its area, not its width, is what grows with the pods."""
    return _THIN + (thick - _THIN) * sqrt(pods / most)


class Curve(Struct, frozen=True):
    """A curve from a start to an end, drawn towards a point beside both."""

    start: Point
    beside: Point
    end: Point

    def at(self, share: float) -> Point:
        """Return the point after a share of the way."""
        before, over, after = (1 - share) ** 2, 2 * share * (1 - share), share**2
        return Point(*(before * a + over * b + after * c for a, b, c in zip(*self._points, strict=True)))

    def crossing(self, x: float) -> Point:
        """Return the point where a way from left to right crosses a vertical line."""
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.at(middle).x < x else (low, middle)
        return self.at(low)

    def between(self, first: float, last: float) -> Curve:
        """Return the part of it from one share of the way to another."""
        beside = Point(
            *(
                (1 - first) * (1 - last) * a + (first * (1 - last) + last * (1 - first)) * b + first * last * c
                for a, b, c in zip(*self._points, strict=True)
            )
        )
        return Curve(self.at(first), beside, self.at(last))

    @property
    def _points(self) -> tuple[Point, Point, Point]:
        return self.start, self.beside, self.end


def curves_of(arrows: Sequence[Arrow]) -> list[Curve]:
    """Return the way of each arrow; those of one stop stand beside each other in the order of where they lead."""
    leaves = _shifts([(arrow.source, arrow.target.middle) for arrow in arrows])
    enters = _shifts([(arrow.target, arrow.source.middle) for arrow in arrows])
    return [
        curve_of(arrow.source, arrow.target, left, came)
        for arrow, left, came in zip(arrows, leaves, enters, strict=True)
    ]


def _shifts(ends: Sequence[tuple[Stop, Point]]) -> list[float]:
    """Return how far to the right of its stop's middle each end stands, where the other ends are at these points."""
    of_stop: dict[str, list[int]] = {}
    for number, (stop, _) in enumerate(ends):
        of_stop.setdefault(stop.name, []).append(number)
    shifts = [0.0] * len(ends)
    for numbers in of_stop.values():
        stop = ends[numbers[0]][0]
        apart = min(_APART, 1.5 * stop.across / len(numbers))
        for rank, number in enumerate(sorted(numbers, key=lambda number: (ends[number][1], number))):
            shifts[number] = apart * (rank - (len(numbers) - 1) / 2)
    return shifts


def curve_of(source: Stop, target: Stop, leaves: float = 0.0, enters: float = 0.0) -> Curve:
    """Return the way from the edge of one stop to the edge of another; a stop by itself has a loop above it.

    It leaves and enters so far to the right of their middles.
    """
    start = Point(source.middle.x + leaves, source.middle.y)
    end = Point(target.middle.x + enters, target.middle.y)
    across, down = end.x - start.x, end.y - start.y
    if source.name == target.name or hypot(across, down) < 1:
        # Both are one place: up, and back.
        high, wide = source.middle.y - source.down, min(source.across, _LOOP / 2) or _LOOP / 2
        return Curve(Point(start.x - wide, high), Point(start.x, high - _LOOP), Point(start.x + wide, high))
    bend = min(_BEND, _BENT_MOST / hypot(across, down))
    beside = Point((start.x + end.x) / 2 + bend * down, (start.y + end.y) / 2 - bend * across)
    whole = Curve(start, beside, end)
    first = _edge(whole, source, 0.0, 0.5)
    last = _edge(whole, target, 1.0, 0.5)
    return whole.between(first, last)


def _edge(curve: Curve, stop: Stop, inside: float, outside: float) -> float:
    """Return where a curve crosses the edge of the stop at its end; its middle where the stop holds that half."""
    if not stop.holds(curve.at(inside)):
        return inside
    if stop.holds(curve.at(outside)):
        return outside
    for _ in range(12):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if stop.holds(curve.at(middle)) else (inside, middle)
    return outside


def _path(curve: Curve) -> str:
    (x, y), (beside_x, beside_y), (end_x, end_y) = curve.start, curve.beside, curve.end
    return f"M{x:.1f} {y:.1f}Q{beside_x:.1f} {beside_y:.1f} {end_x:.1f} {end_y:.1f}"


def _head(curve: Curve, width: float) -> Iterator[str]:
    """Yield the two strokes of an arrow's head from its tip on, which is larger where the line is thick."""
    tip, before = curve.end, curve.beside
    long = hypot(tip.x - before.x, tip.y - before.y) or 1.0
    along = Point((tip.x - before.x) / long, (tip.y - before.y) / long)
    size, wide = _HEAD_LONG + width, _HEAD_WIDE + width / 2
    back = Point(-along.x * size, -along.y * size)
    x, y = round(back.x - along.y * wide, 1), round(back.y + along.x * wide, 1)
    yield f"m{x:g},{y:g}l{-x:g},{-y:g}"
    yield f"l{back.x + along.y * wide:.1f} {back.y - along.x * wide:.1f}"


# -- The map as one SVG element for wide screens and one for narrow ones ----------------------------------------------


# With more nodes than this a map has bars, which open to tiles.
MOST_TILES = 1_000
# More characters of what is said of nodes are asked for when somebody looks, where the map has an address for that.
_MOST_SAID = 2_400
# A ring around a bar's part or a tile reaches a little beyond the map.
_MARGIN = 3


class LegendEntry(Struct, frozen=True):
    """A key as the legend shows it."""

    number: int
    swatch: SafeString
    key: MapKey


class MarkPlaces(Struct, frozen=True):
    """HTML that stands where marks are written into a map later: in either drawing, and among the notes below it."""

    wide: SafeString
    narrow: SafeString
    notes: SafeString


class DrawnMap(Struct, frozen=True, dict=True):
    """A map with its drawings; `id` is unique on the page.

    `address` is where one pool of the same map is, under the names `place_names` for its zone and its own name,
    `node_address` where more about a node is, its name yet to be added, and `lines_address` where what is said of fifty
    nodes is, the number of the first yet to be added; `step_address` is where more about a step is, but for its number.
    Zones and pools that nodes do not say are called `nameless` there. A map that `is_opened` has tiles, however many.
    One that is drawn once for many who have marks of their own has `places` for these.
    """

    id: str
    found: VerdictMap
    address: str = ""
    node_address: str = ""
    lines_address: str = ""
    step_address: str = ""
    place_names: tuple[str, str] = ("zone", "pool")
    nameless: str = ""
    is_opened: bool = False
    places: MarkPlaces | None = None

    @property
    def has_bars(self) -> bool:
        """Whether nodes are too many for a tile each, or have no names."""
        return not self.is_opened and (len(self.found.names) > MOST_TILES or not all(self.found.names))

    @property
    def legend(self) -> list[LegendEntry]:
        """The keys that some node has."""
        return [
            LegendEntry(number, mark_safe(swatch(key)), key)  # noqa: S308
            for number, key in enumerate(self.found.keys)
            if key.nodes
        ]

    @property
    def data(self) -> dict[str, Any]:
        """What the browser's module reads; a map of bars says where each bar opens, any other what each node is."""
        steps = steps_of(self.found, has_bars=self.has_bars)
        if self.has_bars:
            return {
                "keys": [key_words(key) for key in self.found.keys],
                "pools": [[place(zone=pool.zone, pool=pool.name), self._address_of(pool)] for pool in self.found.pools],
                **steps,
            }
        is_long = self.lines_address and sum(map(len, set(self.found.lines))) > _MOST_SAID
        return {
            **columns_of(replace(self.found, lines=()) if is_long else self.found),
            "layouts": {"wide": tiles_of(self._laid(WIDE)), "narrow": tiles_of(self._laid(NARROW))},
            "node": self.node_address,
            "linesAt": self.lines_address,
            "stepAt": self.step_address,
            **steps,
            **turns_of(self.found),
        }

    @property
    def digest(self) -> str:
        """What changes with the drawing: a map that came alive in the browser is left alone as long as it does not."""
        named = () if self.has_bars else self.found.names
        return f"{crc32(f'{self.wide}{named}'.encode()):x}"

    @property
    def scale(self) -> list[tuple[ScalePoint, list[tuple[int, MapStep]]]]:
        """The player's scale: each point with its steps, and how many are done with each."""
        steps = list(enumerate(self.found.steps, 1))
        return [
            (point, [(number, step) for number, step in steps if step.point == point.name])
            for point in self.found.scale
        ]

    def _laid(self, width: int) -> MapLayout:
        if width not in self._layouts:
            self._layouts[width] = layout(self.found, width)
        return self._layouts[width]

    @cached_property
    def _bars(self) -> dict[int, BarLayout]:
        return {width: bar_layout(self.found, width) for width in (WIDE, NARROW)}

    @cached_property
    def _layouts(self) -> dict[int, MapLayout]:
        return {}

    @property
    def mark_notes(self) -> list[MapMark]:
        """The marks in words, each kind with its label once, however many nodes have it."""
        return each_kind(self.found.marks)

    @property
    def notes(self) -> list[str]:
        """What is to be known of the picture: what arrows stand for, and how many of them it has not got."""
        if not self.found.moves:
            return list(self.found.notes)
        arrows = (
            bar_arrows(self.found, self._bars[WIDE]) if self.has_bars else tile_arrows(self.found, self._laid(WIDE))
        )
        said = [str(ARROWS), *self.found.notes]
        return (
            [*said, LEFT_OUT_ARROWS(arrows=arrows.left_out, pods=counts.PODS(number=arrows.left_out_pods))]
            if arrows.left_out
            else said
        )

    @property
    def openings(self) -> list[tuple[str, str]]:
        """Where each bar opens to tiles, and what that is in words; none for a map of tiles, or without an address."""
        if not self.has_bars or not self.address:
            return []
        return [(self._address_of(pool), _place(pool)) for pool in self.found.pools]

    def _address_of(self, pool: MapPool) -> str:
        if not self.address:
            return ""
        joined = "&" if "?" in self.address else "?"
        # Where no pool has a name, those of the map are whole zones.
        no_pool = self.nameless if any(each.name for each in self.found.pools) else ""
        named = (pool.zone or self.nameless, pool.name or no_pool)
        return f"{self.address}{joined}{urlencode(dict(zip(self.place_names, named, strict=True)))}"

    @cached_property
    def wide(self) -> SafeString:
        """The drawing for wide screens."""
        return self._drawn(WIDE)

    @cached_property
    def narrow(self) -> SafeString:
        """The drawing for narrow screens."""
        return self._drawn(NARROW)

    def _drawn(self, width: int) -> SafeString:
        # The drawing escapes every word that it writes.
        return mark_safe(self.drawing(width))  # noqa: S308

    def drawing(self, width: int) -> str:
        """Return the drawing for a width of the layout's."""
        laid: BarLayout | MapLayout
        prefix = f"{self.id}-{width}"
        if self.has_bars:
            laid = self._bars[width]
            body = bars_body(self.found, laid, prefix) + arrows_body(bar_arrows(self.found, laid))
        else:
            laid = self._laid(width)
            body = tiles_body(self.found, laid, prefix, arrows_body(tile_arrows(self.found, laid)))
        body += self.rings(width, self.found.marks)
        if self.places is not None:
            body += self.places.wide if width == WIDE else self.places.narrow
        full, high = laid.width + 2 * _MARGIN, laid.height + _MARGIN
        size = f'viewBox="{-_MARGIN} 0 {full:g} {high:g}" width="{full:g}" height="{high:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map-drawing" {size} data-paints="{prefix}" role="img" '
            f'aria-label="{escape(self.found.sentence)}" font-size="{SIZE}" fill="var(--ink)">{body}</svg>'
        )

    def rings(self, width: int, marks: Sequence[MapMark]) -> str:
        """Draw a ring around each node that stands out, in the drawing of a width."""
        found = replace(self.found, marks=tuple(marks))
        if self.has_bars:
            return "".join(_rings_of_parts(found, self._bars[width]))
        return "".join(_rings_of_tiles(found, self._laid(width)))


def _place(pool: MapPool) -> str:
    return IN(what=counts.NODES(number=pool.nodes), where=place(zone=pool.zone, pool=pool.name))


def each_kind(marks: Iterable[MapMark]) -> list[MapMark]:
    """Return a mark of each kind and label."""
    return list({(mark.kind, mark.label): mark for mark in marks}.values())


def _rings_of_tiles(found: VerdictMap, laid: MapLayout) -> Iterator[str]:
    """Draw a ring around each node that stands out."""
    corners = list(places(laid, found.pools)) if found.marks else []
    tile = laid.tile
    for mark in found.marks:
        left, top = corners[mark.node]
        yield _ring(mark.kind, left, top, tile.width - tile.gap, tile.height - tile.gap)


def _rings_of_parts(found: VerdictMap, laid: BarLayout) -> Iterator[str]:
    """Draw a ring around the part that holds a node which stands out."""
    for mark in found.marks:
        key = found.key_of[mark.node]
        shade = found.shade_of[mark.node] if found.keys[key].is_shaded else 0
        bar = next(each for each in laid.bars if mark.node in found.pools[each.number].places)
        part = next(each for each in bar.parts if each.key == key and each.shade in {shade, 0})
        yield _ring(mark.kind, part.left, bar.top, part.width, laid.bar)


def _ring(kind: str, left: float, top: float, width: float, height: float) -> str:
    return (
        f'<rect class="map-ring map-ring-{kind}" x="{left - 1.5:g}" y="{top - 1.5:g}" width="{width + 3:g}" '
        f'height="{height + 3:g}" rx="4"/>'
    )
