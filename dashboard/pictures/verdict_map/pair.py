"""Two maps of the same nodes: beside each other with arrows from one to the other, or below each other without."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct
from msgspec.structs import replace

from clusters.wording import counts
from clusters.wording.maps import ARROWS, LEFT_OUT_ARROWS, place
from dashboard.pictures.shapes import SIZE, shortened, text
from dashboard.pictures.verdict_map.drawing import (
    Arrows,
    BarLayout,
    Bundling,
    Point,
    Stop,
    arrows_between,
    arrows_body,
    bar_layout,
    bar_scale,
    bars_body,
    part_stops,
    pool_stops,
    tile_stops,
    told,
)
from dashboard.pictures.verdict_map.layout import HALF, NARROW, columns_of, digits, key_words, layout, tiles_of
from dashboard.pictures.verdict_map.spec import sign
from dashboard.pictures.verdict_map.tiles import swatch, tile_figures, tile_names, tiles_ground

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dashboard.pictures.verdict_map.spec import MapKey, MapPair, NodeAddresses, VerdictMap

    StopOf = Callable[[int], Stop]

# Arrows between two maps cross more than those of one.
_MOST_ARROWS = 16
# With more nodes, pools are bars: two maps take twice the room of one, on the screen and in the page.
MOST_TILES = 600
_MARGIN = 3
_BETWEEN, _BELOW = 72.0, 40.0
# Where between the maps numbers of arrows stand in turn, in shares of the room.
_NUMBERS = (0.15, 0.5, 0.85)
_TITLE, _BOX, _BOX_GAP = 30.0, 30.0, 8.0
_BOX_SIGN = 14.0
# What the names of stops begin with, on the left and on the right; and the drawings by their class.
_SIDES = ("l", "r")
_WIDTHS = {"wide": HALF, "narrow": NARROW}


class PairedKey(NamedTuple):
    """A key as the legend of a pair shows it: how many nodes have it on the left, and on the right."""

    swatch: SafeString
    key: MapKey
    left: int
    right: int


class _Side(NamedTuple):
    """One of the maps where it stands: what is drawn below arrows, what above, and where arrows begin or end.

    The corner is that of its tiles.
    """

    ground: str
    words: str
    stops: Sequence[Stop]
    height: float
    corner: Point


class DrawnPair(Struct, frozen=True, dict=True):
    """A pair of maps with its drawings; `id` is unique on the page."""

    id: str
    found: MapPair

    @property
    def legend(self) -> list[PairedKey]:
        """The keys that some node has on either side."""
        keys = zip(self.found.left.keys, self.found.right.keys, strict=True)
        return [
            PairedKey(mark_safe(swatch(left)), left, left.nodes, right.nodes)  # noqa: S308
            for left, right in keys
            if left.nodes or right.nodes
        ]

    @property
    def of_arrows(self) -> list[str]:
        """What arrows stand for, and how many of them the picture has not got."""
        if not self.found.moves:
            return []
        arrows = self._arrows
        if not arrows.left_out:
            return [str(ARROWS)]
        return [str(ARROWS), LEFT_OUT_ARROWS(arrows=arrows.left_out, pods=counts.PODS(number=arrows.left_out_pods))]

    @property
    def arrows(self) -> list[str]:
        """The arrows that are drawn in words, those of the most pods first."""
        return [told(arrow) for arrow in reversed(self._arrows.drawn)]

    @property
    def has_bars(self) -> bool:
        """Whether nodes are too many for a tile each."""
        return len(self.found.left.names) > MOST_TILES

    @property
    def data(self) -> dict[str, Any]:
        """What the browser's module reads: what both maps share, and by side what differs and where it stands."""
        found = self.found
        left = found.left
        if self.has_bars:
            shared: dict[str, Any] = {
                "keys": [key_words(key) for key in left.keys],
                "pools": [[place(zone=pool.zone, pool=pool.name), ""] for pool in left.pools],
            }
        else:
            both = columns_of(left)
            layouts = {name: tiles_of(layout(left, width)) for name, width in _WIDTHS.items()}
            shared = {"keys": both["keys"], "pools": both["pools"], "layouts": layouts}
        return {
            **shared,
            "boxes": [[box.left, box.right] for box in found.boxes],
            "corners": {name: self._corners(width) for name, width in _WIDTHS.items()},
            "sides": [
                self._side_data(left, found.addresses[0], [box.left_address for box in found.boxes]),
                self._side_data(found.right, found.addresses[1], [box.right_address for box in found.boxes]),
            ],
        }

    def _corners(self, width: int) -> list[list[float]]:
        """Return where each of the maps stands: its left, its top, how wide and how high it is."""
        return [[*side.corner, width, round(side.height - _TITLE, 1)] for side in self._sides(width)]

    def _side_data(self, found: VerdictMap, addresses: NodeAddresses, boxes: Sequence[str]) -> dict[str, Any]:
        if self.has_bars:
            return {"boxes": boxes}
        return {
            "key": digits(found.key_of),
            "figures": " ".join(found.figures),
            "node": addresses.begin,
            "nodeEnd": addresses.end,
            "without": [number for number, name in enumerate(found.names) if name in addresses.without],
            "boxes": boxes,
        }

    @property
    def _painted(self) -> tuple[MapKey, ...]:
        """The keys of both maps, those that some node of either has with nodes."""
        keys = zip(self.found.left.keys, self.found.right.keys, strict=True)
        return tuple(left if left.nodes else right for left, right in keys)

    @cached_property
    def _arrows(self) -> Arrows:
        return _between(self.found, *self._sides(HALF))

    @cached_property
    def wide(self) -> SafeString:
        """The drawing for wide screens, the maps beside each other."""
        return self._drawn(HALF)

    @cached_property
    def narrow(self) -> SafeString:
        """The drawing for narrow screens, the maps below each other: arrows would run over all that is between them."""
        return self._drawn(NARROW)

    def _drawn(self, width: int) -> SafeString:
        # The drawing escapes every word that it writes.
        return mark_safe(self.drawing(width))  # noqa: S308

    def drawing(self, width: int) -> str:
        """Return the drawing whose maps are so wide each."""
        sides = self._sides(width)
        across, down, arrows = float(width), sides[0].height, ""
        if width == HALF:
            across += width + _BETWEEN
            arrows = arrows_body(self._arrows, [width + _BETWEEN * share for share in _NUMBERS])
        else:
            down += sides[1].height + _BELOW
        body = "".join((*(side.ground for side in sides), arrows, *(side.words for side in sides)))
        full = across + 2 * _MARGIN
        size = f'viewBox="{-_MARGIN} 0 {full:g} {down:g}" width="{full:g}" height="{down:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map-drawing" {size} role="img" '
            f'aria-label="{escape(self.found.sentence)}" font-size="{SIZE}" fill="var(--ink)">{body}</svg>'
        )

    def _sides(self, width: int) -> tuple[_Side, _Side]:
        """Lay both maps out in the same way."""
        if width not in self._laid:
            self._laid[width] = self._both(width)
        return self._laid[width]

    @cached_property
    def _laid(self) -> dict[int, tuple[_Side, _Side]]:
        return {}

    def _both(self, width: int) -> tuple[_Side, _Side]:
        found = self.found
        scale = None
        if self.has_bars:
            scale = min(bar_scale(each, width) for each in (found.left, found.right))
        first = self._side(0, width, scale, 0.0, 0.0)
        corner = (width + _BETWEEN, 0.0) if width == HALF else (0.0, first.height + _BELOW)
        return first, self._side(1, width, scale, *corner)

    def _side(self, number: int, width: int, scale: float | None, left: float, top: float) -> _Side:
        """Lay one of the maps out, as bars where there is a scale of them."""
        found = (self.found.left, self.found.right)[number]
        prefix = f"{self.id}-{width}"
        painted, corner = () if number else self._painted, Point(left, top + _TITLE)
        if scale is None:
            drawn = _tiles(found, width, prefix, corner, _SIDES[number], painted)
        else:
            drawn = _bars(found, bar_layout(found, width, scale), prefix, corner, _SIDES[number], painted)
        return self._with_boxes(drawn, number, width, left, top)

    def _with_boxes(self, side: _Side, number: int, width: int, left: float, top: float) -> _Side:
        """Put the title above a map, and below it the boxes of pods without a node."""
        title = text(left, top + 16, shortened(self.found.titles[number], width, is_bold=True), weight=700)
        drawn, stops = [], list(side.stops)
        bottom = top + _TITLE + side.height
        for at, box in enumerate(self.found.boxes):
            label = (box.left, box.right)[number]
            middle = Point(left + width / 2, bottom + _BOX_GAP + _BOX / 2)
            key = len(self.found.left.keys) + at
            stops.append(Stop(f"b{at}", label, key, box.colour, middle, width / 2, _BOX / 2))
            body = _box(label, box.colour, box.mark, left, bottom + _BOX_GAP, width)
            drawn.append(f'<g data-side="{_SIDES[number]}" data-box="{at}">{body}</g>')
            bottom += _BOX_GAP + _BOX
        ends = [replace(stop, name=f"{_SIDES[number]}{stop.name}") for stop in stops]
        words = f"{title}{side.words}{''.join(drawn)}"
        return side._replace(words=words, stops=ends, height=bottom - top)


def _tiles(found: VerdictMap, width: int, prefix: str, corner: Point, side: str, painted: tuple[MapKey, ...]) -> _Side:
    laid = layout(found, width)
    # The names are the same on both sides.
    names = f'<use href="#{prefix}-names"/>'
    if side == _SIDES[0]:
        names = f'<g id="{prefix}-names">{tile_names(found, laid, is_crossed=True)}</g>'
    return _Side(
        _moved(tiles_ground(found, laid, prefix, painted), corner, side),
        _moved((names if laid.tile.is_named else "") + tile_figures(found, laid, is_crossed=True), corner, side),
        tile_stops(found, laid, *corner),
        laid.height,
        corner,
    )


def _bars(
    found: VerdictMap, laid: BarLayout, prefix: str, corner: Point, side: str, painted: tuple[MapKey, ...]
) -> _Side:
    ground = _moved(bars_body(found, laid, prefix, painted), corner, side)
    return _Side(ground, "", part_stops(found, laid, *corner), laid.height, corner)


def _moved(drawn: str, corner: Point, side: str) -> str:
    return f'<g data-side="{side}" transform="translate({corner.x:g} {corner.y:g})">{drawn}</g>'


def _box(label: str, colour: str, mark: str, left: float, top: float, width: float) -> str:
    corner, line = f'x="{left + 0.6:g}" y="{top + 0.6:g}"', f'stroke="var(--{colour})" stroke-width="1.25"'
    sign_top = top + (_BOX - _BOX_SIGN) / 2
    return (
        f'<rect class="map-fill" {corner} width="{width - 1.2:g}" height="{_BOX - 1.2:g}" rx="4" '
        f'fill="var(--{colour})" fill-opacity="0.14" {line}/>'
        f'<rect class="map-fill" x="{left + 6:g}" y="{sign_top:g}" width="{_BOX_SIGN:g}" height="{_BOX_SIGN:g}" rx="3" '
        f'fill="var(--{colour})"/>{sign(mark, left + 7, sign_top + 1, _BOX_SIGN - 2, "var(--surface-card)")}'
        + text(left + 28, top + _BOX / 2 + 5, shortened(label, width - 34))
    )


def _between(found: MapPair, left: _Side, right: _Side) -> Arrows:
    """Bundle what goes from the left map to the right one."""
    source_of, target_of = left.stops.__getitem__, right.stops.__getitem__
    if len(found.left.names) > MOST_TILES:
        return arrows_between(found.moves, ((Bundling.POOLS, source_of, target_of),), _MOST_ARROWS)
    source_pool = _by_pool(found.left, left.stops, [move.source for move in found.moves]).__getitem__
    target_pool = _by_pool(found.right, right.stops, [move.target for move in found.moves]).__getitem__
    levels: tuple[tuple[Bundling, StopOf, StopOf], ...] = (
        (Bundling.NODES, source_of, target_of),
        (Bundling.POOLS_TO_NODES, source_pool, target_of),
        (Bundling.POOLS, source_pool, target_pool),
    )
    return arrows_between(found.moves, levels, _MOST_ARROWS)


def _by_pool(found: VerdictMap, stops: Sequence[Stop], places: Sequence[int]) -> dict[int, Stop]:
    """Return the pool's stop for each node, and for each box its own."""
    count = len(found.names)
    of_nodes = pool_stops(found, stops, (place for place in places if place < count))
    side = stops[0].name[0] if stops else ""
    named = {node: replace(stop, name=f"{side}{stop.name}") for node, stop in of_nodes.items()}
    return named | {place: stops[place] for place in places if place >= count}
