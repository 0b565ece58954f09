"""The map as one SVG element for wide screens and one for narrow ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zlib import crc32

from django.utils.safestring import SafeString, mark_safe

from clusters.wording import counts
from clusters.wording.maps import ARROWS, NODES_IN, left_out_arrows, place
from dashboard.pictures.shapes import SIZE
from dashboard.pictures.verdict_map.arrows import arrows_body, bar_arrows, tile_arrows
from dashboard.pictures.verdict_map.bars import BarLayout, bar_layout, bars_body
from dashboard.pictures.verdict_map.columns import columns_of, key_words, steps_of, tiles_of, turns_of
from dashboard.pictures.verdict_map.layout import NARROW, WIDE, MapLayout, layout, places
from dashboard.pictures.verdict_map.tiles import swatch, tiles_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dashboard.pictures.verdict_map.spec import MapKey, MapMark, MapPool, MapStep, ScalePoint, VerdictMap

# With more nodes than this a map has bars, which open to tiles.
MOST_TILES = 1_000
# More characters of what is said of nodes are asked for when somebody looks, where the map has an address for that.
_MOST_SAID = 2_400
# A ring around a bar's part or a tile reaches a little beyond the map.
_MARGIN = 3


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A key as the legend shows it."""

    number: int
    swatch: SafeString
    key: MapKey


@dataclass(frozen=True, slots=True)
class MarkPlaces:
    """HTML that stands where marks are written into a map later: in either drawing, and among the notes below it."""

    wide: SafeString
    narrow: SafeString
    notes: SafeString


@dataclass(frozen=True)
class DrawnMap:
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
        return f"{crc32(f'{self.wide}{self.found.names}'.encode()):x}"

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
            bar_arrows(self.found, bar_layout(self.found, WIDE))
            if self.has_bars
            else tile_arrows(self.found, self._laid(WIDE))
        )
        said = [str(ARROWS), *self.found.notes]
        return [*said, left_out_arrows(arrows.left_out, arrows.left_out_pods)] if arrows.left_out else said

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
            laid = bar_layout(self.found, width)
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
            return "".join(_rings_of_parts(found, bar_layout(found, width)))
        return "".join(_rings_of_tiles(found, self._laid(width)))


def _place(pool: MapPool) -> str:
    return NODES_IN(nodes=counts.nodes(pool.nodes), place=place(zone=pool.zone, pool=pool.name))


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
        part = next(each for each in bar.parts if (each.key, each.shade) == (key, shade))
        yield _ring(mark.kind, part.left, bar.top, part.width, laid.bar)


def _ring(kind: str, left: float, top: float, width: float, height: float) -> str:
    return (
        f'<rect class="map-ring map-ring-{kind}" x="{left - 1.5:g}" y="{top - 1.5:g}" width="{width + 3:g}" '
        f'height="{height + 3:g}" rx="4"/>'
    )
