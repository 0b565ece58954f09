"""The map of thousands of nodes: a bar for each pool, with a part for the nodes of each look, which opens to tiles."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.maps import NO_POOL
from dashboard.pictures.shapes import label_width, shortened, text
from dashboard.pictures.verdict_map.heads import zone_head
from dashboard.pictures.verdict_map.layout import NARROW, PlacedZone
from dashboard.pictures.verdict_map.marks import sign
from dashboard.pictures.verdict_map.spec import MOST_POOLS, SHADES, MapKey, MapPool, VerdictMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_HEAD, _GAP, _ZONE_GAP, _LABEL = 26.0, 6.0, 8.0, 16.0
# The fewer bars there are, the higher they stand.
_HEIGHTS = ((6, 44), (14, 32), (MOST_POOLS, 24))
# A part is as wide as a finger needs to point at it, however few nodes it has.
_LEAST = 12.0
_NAMES_MOST = 150.0
# With more bars than this, the nodes of a key are one part, whatever their shades.
_MOST_SHADED = 12
_SIGN = 14
_FAINT = 0.35


@dataclass(frozen=True, slots=True)
class PoolPart:
    """The nodes of one look in a pool: a stretch of its bar."""

    key: int
    shade: int
    nodes: int
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class PoolBar:
    """A pool's bar at its place."""

    number: int
    left: float
    top: float
    parts: tuple[PoolPart, ...]


@dataclass(frozen=True, slots=True)
class BarLayout:
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
    looks = [_looks(found, pool) for pool in found.pools]
    is_named = any(pool.name for pool in found.pools)
    beside = _beside(found, width)
    scale = bar_scale(found, width) if scale is None else scale
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
    looks = [[nodes for _, _, nodes in _looks(found, pool)] for pool in found.pools]
    return _scale(looks, width - _beside(found, width))


def _beside(found: VerdictMap, width: int) -> float:
    """Return the room for names beside bars."""
    if width == NARROW or not any(pool.name for pool in found.pools):
        return 0.0
    return min(_NAMES_MOST, max(label_width(pool.name) for pool in found.pools)) + 10


def _looks(found: VerdictMap, pool: MapPool) -> list[tuple[int, int, int]]:
    """Return key, shade and number of the nodes of a pool that look alike, the best first."""
    stretch = slice(pool.first, pool.first + pool.nodes)
    counted: dict[tuple[int, int], int] = {}
    for key, shade in zip(found.key_of[stretch], found.shade_of[stretch], strict=True):
        look = (key, shade if found.keys[key].is_shaded and len(found.pools) <= _MOST_SHADED else 0)
        counted[look] = counted.get(look, 0) + 1
    return [(key, shade, counted[key, shade]) for key, shade in sorted(counted, key=lambda look: (look[0], -look[1]))]


def _scale(bars: Sequence[Sequence[int]], room: float) -> float:
    """Return how wide a node is where the longest bar takes all the room, though no part is too thin to be seen."""
    low, high = 0.0, room / max((sum(each) for each in bars), default=1)
    for _ in range(30):
        middle = (low + high) / 2
        longest = max(sum(max(_LEAST, nodes * middle) for nodes in each) for each in bars)
        low, high = (middle, high) if longest <= room else (low, middle)
    return low


def _parts(looks: Sequence[tuple[int, int, int]], left: float, scale: float) -> Iterator[PoolPart]:
    for key, shade, nodes in looks:
        width = max(_LEAST, nodes * scale)
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
    whole = f'width="{_SIGN}" height="{height:g}"'
    return (
        f'<pattern id="{name}" {whole} y="{-height / 2:g}" patternUnits="userSpaceOnUse">'
        f'<rect {whole} fill="var(--surface-card)"/>'
        f'<rect class="map-fill" {whole} fill="var(--{colour})" fill-opacity="{strength:g}"/>'
        f"{sign(mark, 0, (height - _SIGN) / 2, _SIGN, 'var(--surface-card)')}</pattern>"
    )


def _bar(found: VerdictMap, bar: PoolBar, height: float, prefix: str) -> str:
    """Draw the parts of a bar from its own corner, where what paints them begins."""
    drawn = []
    for part in bar.parts:
        look = f"{part.key}-{part.shade or SHADES}" if found.keys[part.key].is_shaded else f"{part.key}"
        facts = f'data-key="{part.key}" data-nodes="{counts.nodes(part.nodes)}"'
        drawn.append(f'<path {facts} d="M{part.left - bar.left:g} 0h{part.width:g}" stroke="url(#{prefix}-{look})"/>')
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
