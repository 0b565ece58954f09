"""The arrows of a map: pods that go from node to node, bundled until the arrows are few enough to be told apart.

An arrow is a curve from the middle of one place to the middle of another, cut off at the edges of both, so that nothing
of what is written there is crossed out. All curves bend to the same side: what goes there and what comes back are two.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from math import hypot, sqrt
from typing import TYPE_CHECKING, NamedTuple

from clusters.wording.amounts import grouped
from clusters.wording.maps import ARROW as ARROW_WORDS, place
from dashboard.pictures.verdict_map.layout import MapLayout, places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dashboard.pictures.verdict_map.bars import BarLayout
    from dashboard.pictures.verdict_map.spec import MapMove, MapPool, VerdictMap

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


class Bundling(enum.Enum):
    """What the ends of arrows stand for."""

    NODES = "nodes"
    POOLS_TO_NODES = "pools-to-nodes"
    POOLS = "pools"


class Point(NamedTuple):
    """A place in the drawing."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Stop:
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


@dataclass(frozen=True, slots=True)
class Arrow:
    """Pods that go from one stop to another, and the steps at which some of them do; none where steps say nothing."""

    source: Stop
    target: Stop
    pods: int
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrows:
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
    stops = part_stops(found, laid)
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


def arrows_body(arrows: Arrows) -> str:
    """Draw arrows, the largest between pools with their number of pods: tiles say that of nodes by themselves."""
    most = max([_MANY, *(arrow.pods for arrow in arrows.drawn)])
    thick = _THICK if len(arrows.drawn) <= _MOST_NUMBERED else _THICK_OF_MANY
    numbered = arrows.drawn[-_MOST_NUMBERED:] if arrows.bundling is Bundling.POOLS else ()
    drawn = "".join(
        _drawn(arrow, curve, thickness(arrow.pods, most, thick), is_numbered=arrow in numbered)
        for arrow, curve in zip(arrows.drawn, curves_of(arrows.drawn), strict=True)
    )
    return f'<g class="map-moves">{drawn}</g>' if drawn else ""


def _drawn(arrow: Arrow, curve: Curve, width: float, *, is_numbered: bool) -> str:
    keys = " ".join(map(str, dict.fromkeys((arrow.source.key, arrow.target.key))))
    facts = f'data-keys="{keys}" data-from="{arrow.source.name}" data-to="{arrow.target.name}"'
    if arrow.turns:
        facts += f' data-turns="{" ".join(map(str, arrow.turns))}"'
    head = "".join(_head(curve, width))
    path = f'<path d="{_path(curve)}{head}" stroke="var(--{arrow.target.colour})" stroke-width="{width:.3g}"/>'
    number = ""
    if is_numbered:
        x, y = curve.at(0.5)
        number = f'<text x="{x:.0f}" y="{y + 4:.0f}">{grouped(arrow.pods)}</text>'
    return f"<g {facts}>{path}{number}</g>"


def told(arrow: Arrow) -> str:
    """Say an arrow in words."""
    return ARROW_WORDS(pods=arrow.pods, source=arrow.source.label, target=arrow.target.label)


def thickness(pods: int, most: int, thick: float = _THICK) -> float:
    """Return how thick an arrow is: its area, not its width, is what grows with the pods."""
    return _THIN + (thick - _THIN) * sqrt(pods / most)


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve from a start to an end, drawn towards a point beside both."""

    start: Point
    beside: Point
    end: Point

    def at(self, share: float) -> Point:
        """Return the point after a share of the way."""
        before, over, after = (1 - share) ** 2, 2 * share * (1 - share), share**2
        return Point(*(before * a + over * b + after * c for a, b, c in zip(*self._points, strict=True)))

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
