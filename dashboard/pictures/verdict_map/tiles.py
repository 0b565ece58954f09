"""The map with a tile a node: the tiles of a pool that look alike are one path, so that thousands are a few dozen.

A path runs along rows of tiles, in units of tiles, and is as thick as one; what paints it repeats tile by tile. So a
run of any length is a few characters, and whoever plays the map changes whole paths.
"""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from dashboard.pictures.shapes import SIZE, label_width, shortened
from dashboard.pictures.verdict_map.heads import zone_head
from dashboard.pictures.verdict_map.layout import places
from dashboard.pictures.verdict_map.marks import BOX, sign
from dashboard.pictures.verdict_map.spec import SHADES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dashboard.pictures.verdict_map.layout import MapLayout, PlacedPool, TileSize
    from dashboard.pictures.verdict_map.spec import MapKey, NodeLoad, VerdictMap

Look = TypeVar("Look")

# Of a tile with a name: its name, the bar below it, and the sign in its corner.
_SMALL = 11
_NAME_TOP, _INSET, _BADGE = 13.0, 6.0, 14.0
_CARD = "var(--surface-card)"
# By how much a request that does not fit reaches beyond its bar; pods thinner than the least are drawn as one.
_OVERHANG, _THINNEST = 6.0, 2.5
# Figures of small tiles, in shares of the usual size of words, and how many of them a map has at most.
_FIGURE, _MOST_FIGURES = 0.8, 150
# Shares are quotients of whole numbers.
_EXACT = 1e-9


def tiles_body(found: VerdictMap, layout: MapLayout, prefix: str, between: str = "") -> str:
    """Draw headings, tiles, names and what fills them, and `between` tiles and words what crosses them."""
    return "".join(
        (tiles_ground(found, layout, prefix), between, tiles_words(found, layout, is_crossed=bool(found.moves)))
    )


def tiles_ground(found: VerdictMap, layout: MapLayout, prefix: str, *, paints: bool = True) -> str:
    """Draw headings and tiles, with what paints them unless another map of the same keys has that."""
    return "".join(
        (
            f"<defs>{''.join(_patterns(found, layout.tile, prefix))}</defs>" if paints else "",
            *(zone_head(zone) for zone in layout.zones),
            *(_pool_label(found, placed) for placed in layout.pools),
            *_frames(found, layout, prefix),
        )
    )


def tiles_words(found: VerdictMap, layout: MapLayout, *, is_crossed: bool) -> str:
    """Draw what stands on tiles: names, figures, what fills nodes, and what hides it when other keys are isolated.

    Where arrows cross the map a veil would cut them into pieces; its words fade by themselves.
    """
    if not layout.tile.is_named:
        return "".join(_small_figures(found, layout))
    short = short_names(found.names)
    content = "".join(
        part for placed in layout.pools for part in _content(found, placed, layout.tile, short, is_crossed=is_crossed)
    )
    return content if is_crossed else content + "".join(_veils(found, layout))


# -- what paints tiles -----------------------------------------------------------------------------------------------


def _patterns(found: VerdictMap, tile: TileSize, prefix: str) -> Iterator[str]:
    """Yield what paints a tile of each key and shade, and one of which nothing is decided yet."""
    draw = _named_tile if tile.is_named else _small_tile
    yield _pattern(f"{prefix}-left", tile, _undecided_tile(tile))
    for number, key in enumerate(found.keys):
        if not key.is_shaded:
            yield _pattern(f"{prefix}-{number}", tile, draw(tile, key, SHADES))
        else:
            for shade in range(1, SHADES + 1):
                yield _pattern(f"{prefix}-{number}-{shade}", tile, draw(tile, key, shade))


def _pattern(name: str, tile: TileSize, content: str) -> str:
    return (
        f'<pattern id="{name}" width="1" height="1" y="-.5" patternUnits="userSpaceOnUse" '
        f'viewBox="{-tile.gap / 2:g} {-tile.gap / 2:g} {tile.width:g} {tile.height:g}" preserveAspectRatio="none">'
        f"{content}</pattern>"
    )


def _area(
    width: float, height: float, top: float = 0, left: float = 0, *, round_by: float, look: str, kind: str = "fill"
) -> str:
    box = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="{round_by:g}"'
    return f'<rect class="map-{kind}" {box} {look}/>'


def _undecided_tile(tile: TileSize) -> str:
    width, height = tile.width - tile.gap - 1, tile.height - tile.gap - 1
    look = 'fill="var(--surface-muted)" stroke="var(--line-strong)"'
    return _area(width, height, 0.5, 0.5, round_by=4 if tile.is_named else 1.5, look=look)


def _small_tile(tile: TileSize, key: MapKey, shade: int) -> str:
    """Draw a tile full of its colour with its sign; worse shades fill it less, for whoever cannot tell them apart."""
    if key.is_faint:
        return _undecided_tile(tile)
    side, colour = tile.width - tile.gap, f"var(--{key.colour})"
    if not key.is_shaded:
        return _area(side, side, round_by=1.5, look=f'fill="{colour}"') + sign(key.mark, 0, 0, side, _CARD)
    level = side * shade / SHADES
    pale = _area(side, side, round_by=1.5, look=f'fill="{colour}" fill-opacity=".25"')
    full = _area(side, level, side - level, round_by=1.5, look=f'fill="{colour}"', kind="level")
    return pale + full + sign(key.mark, 0, 0, side, _CARD)


def _named_tile(tile: TileSize, key: MapKey, shade: int) -> str:
    """Draw a tile pale enough for words, with its sign in a corner; of shades the level stands at the edge too."""
    if key.is_faint:
        return _undecided_tile(tile)
    width, height = tile.width - tile.gap, tile.height - tile.gap
    colour, is_best = f"var(--{key.colour})", key.mark == "star"
    strength = 0.42 if is_best else 0.06 + 0.05 * shade if key.is_shaded else 0.14
    line = 2.5 if is_best else 1.25
    look = f'fill="{colour}" fill-opacity="{strength:.2f}" stroke="{colour}" stroke-width="{line:g}"'
    drawn = [_area(width - line, height - line, line / 2, line / 2, round_by=4, look=look)]
    if key.is_shaded:
        level = (height - 2) * shade / SHADES
        drawn.append(_area(4, level, height - 1 - level, 1, round_by=1.5, look=f'fill="{colour}"', kind="level"))
    if key.mark:
        left, top = width - _BADGE - 3, height - _BADGE - 3
        drawn.append(_area(_BADGE, _BADGE, top, left, round_by=3, look=f'fill="{colour}"'))
        drawn.append(sign(key.mark, left + 1, top + 1, _BADGE - 2, _CARD))
    return "".join(drawn)


def swatch(key: MapKey) -> str:
    """Draw the tile that the legend shows for a key."""
    whole = 'x=".5" y=".5" width="13" height="13" rx="2" fill="var(--surface-muted)" stroke="var(--line-strong)"'
    if not key.is_faint:
        whole = f'width="14" height="14" rx="2" fill="var(--{key.colour})"'
    return (
        f'<svg class="map-swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">'
        f'<rect class="map-fill" {whole}/>{sign(key.mark, 1, 1, BOX, _CARD)}</svg>'
    )


# -- words -------------------------------------------------------------------------------------------------------------


def _pool_label(found: VerdictMap, placed: PlacedPool) -> str:
    name = found.pools[placed.number].name
    if not name or placed.label_room < 3 * SIZE / 2:
        return ""
    text = shortened(name, placed.label_room * SIZE / _SMALL)
    return _small_text(placed.left, placed.top - 4, text, "ink-muted")


def _small_text(left: float, bottom: float, words: str, colour: str) -> str:
    return f'<text x="{left:g}" y="{bottom:g}" font-size="{_SMALL}" fill="var(--{colour})">{escape(words)}</text>'


def short_names(names: Sequence[str]) -> list[str]:
    """Leave out the domain that all names end with."""
    domains = {name.partition(".")[2] for name in names}
    return [name.partition(".")[0] for name in names] if len(domains) == 1 else list(names)


def _end_of(name: str, room: float) -> str:
    """Cut a name at its beginning, between its parts where there are any: names of nodes differ at their ends."""
    scale = _SMALL / SIZE
    if label_width(name) * scale <= room:
        return name
    fitting = [at for at in range(1, len(name)) if label_width(f"…{name[at:]}") * scale <= room]
    between = [at for at in fitting if name[at - 1] in "-._"]
    at = next(iter(between or fitting), len(name) - 1)
    return f"…{name[at:]}"


# -- tiles -------------------------------------------------------------------------------------------------------------


def _frames(found: VerdictMap, layout: MapLayout, prefix: str) -> Iterator[str]:
    """Yield the tiles of each grid, those of one look as one path."""
    for frame, members in groupby(layout.pools, lambda placed: placed.frame):
        strokes: dict[tuple[int, int], _Stroke] = {}
        for placed in members:
            _draw(_looks(found, placed), placed, layout.tile, strokes)
        paths = (_path(found, look, strokes[look], prefix) for look in sorted(strokes))
        yield f'<g class="map-tiles" transform="{_transform(frame, layout.tile)}">{"".join(paths)}</g>'


def _looks(found: VerdictMap, placed: PlacedPool) -> list[tuple[int, int]]:
    """Return key and shade of a pool's nodes; the shade is 0 where there is none."""
    places = found.pools[placed.number].places
    keys = found.key_of[places.start : places.stop]
    shades = found.shade_of[places.start : places.stop]
    return [(key, shade if found.keys[key].is_shaded else 0) for key, shade in zip(keys, shades, strict=True)]


def _path(found: VerdictMap, look: tuple[int, int], stroke: _Stroke, prefix: str) -> str:
    key, shade = look
    name = f"{key}-{shade}" if found.keys[key].is_shaded else f"{key}"
    return f'<path data-key="{key}" d="{stroke.path}" stroke="url(#{prefix}-{name})"/>'


def _transform(frame: tuple[float, float], tile: TileSize) -> str:
    """Return what makes a tile the unit, its strokes' middle whole numbers.

    Half of the gap lies before a tile, so that where a stroke ends nothing of the next one shows.
    """
    left, top = frame[0] - tile.gap / 2, frame[1] - tile.gap / 2 + tile.height / 2
    return f"translate({left:g} {top:g}) scale({tile.width:g} {tile.height:g})"


class _Stroke:
    """A path along tiles, in as few characters as it takes: from where it stands, or from the corner of the grid."""

    def __init__(self) -> None:
        self.path = ""
        self._at = (0, 0)

    def run(self, column: int, row: int, length: int) -> None:
        """Go on along so many tiles from a column of a row."""
        absolute = f"M{column} {row}"
        relative = f"m{column - self._at[0]} {row - self._at[1]}"
        self.path += f"{relative if self.path and len(relative) < len(absolute) else absolute}h{length}"
        self._at = (column + length, row)


def _draw(looks: Sequence[Look], placed: PlacedPool, tile: TileSize, strokes: dict[Look, _Stroke]) -> None:
    """Draw the tiles of a pool along the rows of their grid, each with the stroke of its look."""
    left = round((placed.left - placed.frame[0]) / tile.width)
    top = round((placed.top - placed.frame[1]) / tile.height)
    for row, first in enumerate(range(0, len(looks), placed.columns)):
        at = left
        for look, stretch in groupby(looks[first : first + placed.columns]):
            length = len(list(stretch))
            strokes.setdefault(look, _Stroke()).run(at, top + row, length)
            at += length


# -- what fills a node -------------------------------------------------------------------------------------------------


def _content(
    found: VerdictMap, placed: PlacedPool, tile: TileSize, short: Sequence[str], *, is_crossed: bool
) -> Iterator[str]:
    """Yield the names of a pool's nodes, their figures, and the bars of their pods; crossed ones key by key."""
    pool = found.pools[placed.number]
    width, height = tile.width - tile.gap, tile.height - tile.gap
    bars = _Bars(width - 2 * _INSET - _BADGE - 5, height - _NAME_TOP - 9)
    names: dict[str, list[str]] = {}
    figures: dict[str, list[str]] = {}
    for place in range(pool.nodes):
        node = pool.first + place
        row, column = divmod(place, placed.columns)
        left, top = placed.left + column * tile.width + _INSET, placed.top + row * tile.height + _NAME_TOP
        group = f' data-key="{found.key_of[node]}"' if is_crossed else ""
        name = escape(_end_of(short[node], width - _INSET - 4))
        names.setdefault(group, []).append(f'<text x="{left:g}" y="{top:g}">{name}</text>')
        if found.loads:
            bars.add(found.loads[node], left, top + 5)
        if found.figures and found.figures[node]:
            bottom = top - _NAME_TOP + height - 6
            figure = found.figures[node]
            is_long = label_width(figure, is_bold=True) > width - _INSET - _BADGE - 5
            small = f' font-size="{_SMALL}"' if is_long else ""
            figures.setdefault(group, []).append(f'<text x="{left:g}" y="{bottom:g}"{small}>{escape(figure)}</text>')
    crossed = ' class="map-crossed"' if is_crossed else ""
    for group, words in names.items():
        yield f'<g font-size="{_SMALL}"{crossed}{group}>{"".join(words)}</g>'
    for group, words in figures.items():
        yield f'<g class="map-figures"{group}>{"".join(words)}</g>'
    yield from bars.paths()


def _small_figures(found: VerdictMap, layout: MapLayout) -> Iterator[str]:
    """Yield the figures of tiles without a name, where there is room and none of them bears a mark."""
    side = layout.tile.width - layout.tile.gap
    shown = [
        (figure, corner)
        for figure, corner, key in zip(found.figures, places(layout, found.pools), found.key_of, strict=False)
        if figure and not found.keys[key].mark and label_width(figure) * _FIGURE <= side
    ]
    if not shown or len(shown) > _MOST_FIGURES:
        return
    middle = "".join(
        f'<text x="{left + side / 2:g}" y="{top + side / 2 + 3.5:g}">{escape(figure)}</text>'
        for figure, (left, top) in shown
    )
    yield f'<g class="map-figures map-small-figures" text-anchor="middle" font-size="{SIZE * _FIGURE:g}">{middle}</g>'


class _Bars:
    """The bars of the nodes of a pool, all parts of one sort as one path."""

    def __init__(self, long: float, deep: float) -> None:
        self.long = long
        self._deep = deep
        self._parts: dict[str, list[str]] = {
            name: [] for name in ("track", "used", "leaving", "asked", "short", "gaps")
        }

    def add(self, load: NodeLoad, left: float, top: float) -> None:
        """Draw a node's bar: what stays, what preemption removes, and what the pod requests beside it."""
        staying = len(load.pods) - load.leaving
        stays, whole = (min(1.0, sum(load.pods[:number])) for number in (staying, len(load.pods)))
        self._box("track", left, top, 1)
        self._box("used", left, top, stays)
        self._box("leaving", left + self.long * stays, top, whole - stays)
        self._separate(load.pods, left, top)
        if load.asked:
            begin = stays if load.leaving else whole
            room = 1 - begin + _OVERHANG / self.long
            # What does not fit reaches beyond the bar.
            name = "short" if whole + load.asked > 1 + _EXACT and not load.leaving else "asked"
            self._box(name, left + self.long * begin, top, max(min(load.asked, room), 2 / self.long))

    def paths(self) -> Iterator[str]:
        """Yield what was added."""
        for name, parts in self._parts.items():
            if parts:
                yield f'<path class="map-{name}" d="{"".join(parts)}"/>'

    def _box(self, name: str, left: float, top: float, share: float) -> None:
        if share > 0:
            long = self.long * share
            self._parts[name].append(f"M{left:.1f} {top:g}h{long:.1f}v{self._deep:g}h-{long:.1f}z")

    def _separate(self, shares: Sequence[float], left: float, top: float) -> None:
        """Draw a line behind each pod, but for those too thin to be told apart."""
        at = drawn = 0.0
        for share in shares:
            at += share * self.long
            if at > self.long:
                return
            if at - drawn >= _THINNEST:
                self._parts["gaps"].append(f"M{left + at:.1f} {top:g}v{self._deep:g}")
                drawn = at


def _veils(found: VerdictMap, layout: MapLayout) -> Iterator[str]:
    """Cover the tiles of each key with what hides them when others are isolated, names and pods too."""
    for frame, members in groupby(layout.pools, lambda placed: placed.frame):
        strokes: dict[int, _Stroke] = {}
        for placed in members:
            _draw([key for key, _ in _looks(found, placed)], placed, layout.tile, strokes)
        paths = "".join(
            f'<path class="map-veil" data-key="{key}" d="{strokes[key].path}" stroke="{_CARD}"/>'
            for key in sorted(strokes)
        )
        yield f'<g class="map-tiles map-veils" transform="{_transform(frame, layout.tile)}">{paths}</g>'
