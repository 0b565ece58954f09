"""Two maps of the same nodes beside each other, or below each other, and arrows from one to the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from django.utils.safestring import SafeString, mark_safe

from clusters.wording.maps import ARROWS, left_out_arrows
from dashboard.pictures.shapes import SIZE, shortened, text
from dashboard.pictures.verdict_map.arrows import (
    Bundling,
    Point,
    Stop,
    arrows_between,
    arrows_body,
    part_stops,
    pool_stops,
    tile_stops,
    told,
)
from dashboard.pictures.verdict_map.bars import bar_layout, bar_scale, bars_body
from dashboard.pictures.verdict_map.layout import HALF, NARROW, layout
from dashboard.pictures.verdict_map.marks import sign
from dashboard.pictures.verdict_map.tiles import swatch, tiles_ground, tiles_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dashboard.pictures.verdict_map.arrows import Arrows
    from dashboard.pictures.verdict_map.spec import MapKey, MapPair, VerdictMap

    StopOf = Callable[[int], Stop]

# Arrows between two maps cross more than those of one.
_MOST_ARROWS = 24
# With more nodes, pools are bars: two maps take twice the room of one, on the screen and in the page.
MOST_TILES = 800
_MARGIN = 3
_BETWEEN, _BELOW = 96.0, 40.0
_TITLE, _BOX, _BOX_GAP = 30.0, 30.0, 8.0
_BOX_SIGN = 14.0


class PairedKey(NamedTuple):
    """A key as the legend of a pair shows it: how many nodes have it on the left, and on the right."""

    swatch: SafeString
    key: MapKey
    left: int
    right: int


class _Side(NamedTuple):
    """One of the maps where it stands: what is drawn below arrows, what above, and where arrows begin or end."""

    ground: str
    words: str
    stops: Sequence[Stop]
    height: float


@dataclass(frozen=True)
class DrawnPair:
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
    def notes(self) -> list[str]:
        """What is to be known of the picture: what arrows stand for, and how many of them it has not got."""
        if not self.found.moves:
            return list(self.found.notes)
        arrows = self._arrows
        said = [str(ARROWS[arrows.bundling.value]), *self.found.notes]
        return [*said, left_out_arrows(arrows.left_out, arrows.left_out_pods)] if arrows.left_out else said

    @property
    def arrows(self) -> list[str]:
        """The arrows that are drawn in words, those of the most pods first."""
        return [told(arrow) for arrow in reversed(self._arrows.drawn)]

    @cached_property
    def _arrows(self) -> Arrows:
        return _between(self.found, *self._sides(HALF))

    @cached_property
    def wide(self) -> SafeString:
        """The drawing for wide screens, the maps beside each other."""
        return self._drawn(HALF)

    @cached_property
    def narrow(self) -> SafeString:
        """The drawing for narrow screens, the maps below each other."""
        return self._drawn(NARROW)

    def _drawn(self, width: int) -> SafeString:
        # The drawing escapes every word that it writes.
        return mark_safe(self.drawing(width))  # noqa: S308

    def drawing(self, width: int) -> str:
        """Return the drawing whose maps are so wide each."""
        sides = self._sides(width)
        across, down = float(width), sides[0].height
        if width == HALF:
            across += width + _BETWEEN
        else:
            down += sides[1].height + _BELOW
        arrows = arrows_body(_between(self.found, *sides), is_told=width == HALF)
        body = "".join((*(side.ground for side in sides), arrows, *(side.words for side in sides)))
        full = across + 2 * _MARGIN
        size = f'viewBox="{-_MARGIN} 0 {full:g} {down:g}" width="{full:g}" height="{down:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map-drawing" {size} role="img" '
            f'aria-label="{escape(self.found.sentence)}" font-size="{SIZE}" fill="var(--ink)">{body}</svg>'
        )

    def _sides(self, width: int) -> tuple[_Side, _Side]:
        """Lay both maps out in the same way."""
        found = self.found
        scale = None
        if len(found.left.names) > MOST_TILES:
            scale = min(bar_scale(each, width) for each in (found.left, found.right))
        first = self._side(0, width, scale, 0.0, 0.0)
        corner = (width + _BETWEEN, 0.0) if width == HALF else (0.0, first.height + _BELOW)
        return first, self._side(1, width, scale, *corner)

    def _side(self, number: int, width: int, scale: float | None, left: float, top: float) -> _Side:
        """Lay one of the maps out, as bars where there is a scale of them."""
        found = (self.found.left, self.found.right)[number]
        prefix = f"{self.id}-{width}"
        if scale is None:
            drawn = _tiles(found, width, prefix, left, top + _TITLE, paints=not number)
        else:
            drawn = _bars(found, width, scale, prefix, left, top + _TITLE, paints=not number)
        return self._with_boxes(drawn, number, width, left, top)

    def _with_boxes(self, side: _Side, number: int, width: int, left: float, top: float) -> _Side:
        """Put the title above a map, and below it the boxes of pods without a node."""
        title = text(left, top + 16, shortened(self.found.titles[number], width, is_bold=True), weight=700)
        drawn, stops = [], list(side.stops)
        bottom = top + _TITLE + side.height
        for place, box in enumerate(self.found.boxes):
            label = (box.left, box.right)[number]
            middle = Point(left + width / 2, bottom + _BOX_GAP + _BOX / 2)
            key = len(self.found.left.keys) + place
            stops.append(Stop(f"b{place}", label, key, box.colour, middle, width / 2, _BOX / 2))
            drawn.append(_box(label, box.colour, box.mark, left, bottom + _BOX_GAP, width))
            bottom += _BOX_GAP + _BOX
        ends = [replace(stop, name=f"{'lr'[number]}{stop.name}") for stop in stops]
        return _Side(side.ground, f"{title}{side.words}{''.join(drawn)}", ends, bottom - top)


def _tiles(found: VerdictMap, width: int, prefix: str, left: float, top: float, *, paints: bool) -> _Side:
    laid = layout(found, width)
    return _Side(
        _moved(tiles_ground(found, laid, prefix, paints=paints), left, top),
        _moved(tiles_words(found, laid, is_crossed=True), left, top),
        tile_stops(found, laid, left, top),
        laid.height,
    )


def _bars(found: VerdictMap, width: int, scale: float, prefix: str, left: float, top: float, *, paints: bool) -> _Side:
    laid = bar_layout(found, width, scale)
    ground = _moved(bars_body(found, laid, prefix, paints=paints), left, top)
    return _Side(ground, "", part_stops(found, laid, left, top), laid.height)


def _moved(drawn: str, left: float, top: float) -> str:
    return f'<g transform="translate({left:g} {top:g})">{drawn}</g>'


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
