"""The tiles of a map: nodes and pools with their names, marks, figures and bars of load."""

from __future__ import annotations

from html import escape
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, TypeVar

from dashboard.pictures.shapes import SIZE, label_width, shortened
from dashboard.pictures.verdict_map.layout import MapLayout, PlacedPool, TileSize, places, zone_head
from dashboard.pictures.verdict_map.spec import BOX, SHADES, MapKey, VerdictMap, sign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dashboard.pictures.verdict_map.spec import NodeLoad


# -- What fills the nodes of a map ------------------------------------------------------------------------------------


# By how much a request that does not fit reaches beyond its bar.
_OVERHANG = 6.0
# Pods thinner than this are drawn as one: the least of these with which a map has so few lines between pods.
_THINNEST, _MOST_LINES = (2.5, 4.0, 6.0, 9.0, 14.0, 22.0, 40.0), 300
# Shares are quotients of whole numbers.
_EXACT = 1e-9
# In the order in which they cover each other. What has no outline is a thick stroke, half as long to write as a box.
_PARTS, _STROKES = ("track", "used", "leaving", "asked", "short", "gaps"), ("used", "leaving")


class LoadBars:
    """The bars of the nodes of a map, all parts of one sort as one path; a bar is so long and so deep."""

    def __init__(self, long: float, deep: float) -> None:
        self.long = long
        self._deep = deep
        self._parts: dict[str, list[str]] = {name: [] for name in _PARTS}
        self._ends: list[tuple[float, float, list[float]]] = []

    def add(self, load: NodeLoad, left: float, top: float) -> None:
        """Draw a node's bar: what stays, what preemption removes, and what the pod requests beside it."""
        staying = len(load.pods) - load.leaving
        stays, whole = (min(1.0, sum(load.pods[:number])) for number in (staying, len(load.pods)))
        self._box("track", left, top, 1)
        self._stroke("used", left, top, stays)
        self._stroke("leaving", left + self.long * stays, top, whole - stays)
        ends = [self.long * end for end in accumulate(load.pods) if end <= 1]
        self._ends.append((left, top, ends))
        if load.asked:
            begin = stays if load.leaving else whole
            room = 1 - begin + _OVERHANG / self.long
            # What does not fit reaches beyond the bar.
            name = "short" if whole + load.asked > 1 + _EXACT and not load.leaving else "asked"
            self._box(name, left + self.long * begin, top, max(min(load.asked, room), 2 / self.long))

    def paths(self) -> Iterator[str]:
        """Yield what was added."""
        self._parts["gaps"] = self._separators()
        for name, parts in self._parts.items():
            thick = f' stroke-width="{self._deep:g}"' if name in _STROKES else ""
            if parts:
                yield f'<path class="map-{name}"{thick} d="{"".join(parts)}"/>'

    def _stroke(self, name: str, left: float, top: float, share: float) -> None:
        if share > 0:
            self._parts[name].append(f"M{left:.1f} {top + self._deep / 2:g}h{self.long * share:.1f}")

    def _box(self, name: str, left: float, top: float, share: float) -> None:
        long = self.long * share
        self._parts[name].append(f"M{left:.1f} {top:g}h{long:.1f}v{self._deep:g}h-{long:.1f}z")

    def _separators(self) -> list[str]:
        """Draw a line behind each pod, but for those too thin to be told apart: down, and up again, and so on."""
        drawn: list[list[float]] = []
        for thinnest in _THINNEST:
            drawn = [_apart(ends, thinnest) for _, _, ends in self._ends]
            if sum(map(len, drawn)) <= _MOST_LINES:
                break
        return [self._lines(left, top, ends) for (left, top, _), ends in zip(self._ends, drawn, strict=True) if ends]

    def _lines(self, left: float, top: float, ends: Sequence[float]) -> str:
        path, before, down = f"M{left + ends[0]:.1f} {top:g}v{self._deep:g}", ends[0], self._deep
        for end in ends[1:]:
            down = -down
            path += f"m{end - before:.3g} 0v{down:g}"
            before = end
        return path


def _apart(ends: Sequence[float], thinnest: float) -> list[float]:
    """Return the ends of pods that are so far from the one that is drawn before."""
    drawn: list[float] = []
    for end in ends:
        # A line is told from the one before, whose place was rounded as well.
        if end - (drawn[-1] if drawn else 0.0) >= thinnest:
            drawn.append(round(end, 1))
    return drawn


# -- The map with a tile a node ---------------------------------------------------------------------------------------


Look = TypeVar("Look")

# Of a tile with a name: its name, the bar below it, and the sign in its corner.
_SMALL = 11
_NAME_TOP, _INSET, _BADGE = 13.0, 6.0, 14.0
_CARD = "var(--surface-card)"
# Of a tile what is above its level.
_PALE = 0.25
# Figures of small tiles, in shares of the usual size of words, and how many of them a map has at most.
_FIGURE, _MOST_FIGURES = 0.8, 150


def tiles_body(found: VerdictMap, layout: MapLayout, prefix: str, between: str = "") -> str:
    """Draw headings, tiles, names and what fills them, and `between` tiles and words what crosses them."""
    return "".join(
        (tiles_ground(found, layout, prefix), between, tiles_words(found, layout, is_crossed=bool(found.moves)))
    )


def tiles_ground(found: VerdictMap, layout: MapLayout, prefix: str, painted: Sequence[MapKey] | None = None) -> str:
    """Draw headings and tiles, with what paints them; of two maps of the same keys one has what paints both."""
    keys = found.keys if painted is None else painted
    labels = "".join(_pool_label(found, placed) for placed in layout.pools)
    return "".join(
        (
            f"<defs>{''.join(_patterns(keys, layout.tile, prefix))}</defs>" if keys else "",
            *(zone_head(zone) for zone in layout.zones),
            f'<g font-size="{_SMALL}" fill="var(--ink-muted)">{labels}</g>' if labels else "",
            *_frames(found, layout, prefix),
        )
    )


def tiles_words(found: VerdictMap, layout: MapLayout, *, is_crossed: bool) -> str:
    """Draw what stands on tiles: names, figures, what fills nodes, and what hides it when other keys are isolated.

    Where arrows cross the map a veil would cut them into pieces; its words fade by themselves.
    """
    if not layout.tile.is_named:
        return tile_figures(found, layout, is_crossed=is_crossed)
    content = tile_names(found, layout, is_crossed=is_crossed) + tile_figures(found, layout, is_crossed=is_crossed)
    content += _loads(found, layout)
    return content if is_crossed else content + "".join(_veils(found, layout))


# -- what paints tiles -----------------------------------------------------------------------------------------------


def _patterns(keys: Sequence[MapKey], tile: TileSize, prefix: str) -> Iterator[str]:
    """Yield what paints a tile of each look, and one of which nothing is decided yet, of whose size all others are."""
    draw = _named_tile if tile.is_named else _small_tile
    yield (
        f'<pattern id="{prefix}-left" width="1" height="1" y="-.5" patternUnits="userSpaceOnUse" '
        f'viewBox="{-tile.gap / 2:g} {-tile.gap / 2:g} {tile.width:g} {tile.height:g}" preserveAspectRatio="none">'
        f"{_undecided_tile(tile)}</pattern>"
    )
    for number, key in enumerate(keys):
        if key.nodes and not key.is_shaded:
            yield _pattern(f"{prefix}-{number}", prefix, draw(tile, key, SHADES))
        elif key.nodes:
            for shade in range(1, SHADES + 1):
                yield _pattern(f"{prefix}-{number}-{shade}", prefix, draw(tile, key, shade))


def _pattern(name: str, prefix: str, content: str) -> str:
    return f'<pattern id="{name}" href="#{prefix}-left">{content}</pattern>'


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
    pale = _area(side, side, round_by=1.5, look=f'fill="{colour}" fill-opacity="{_PALE}"')
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
    """Draw the tile that the legend shows for a key; of shades all levels, as stairs."""
    whole, levels = f'width="14" height="14" rx="2" fill="var(--{key.colour})"', ""
    if key.is_faint:
        whole = 'x=".5" y=".5" width="13" height="13" rx="2" fill="var(--surface-muted)" stroke="var(--line-strong)"'
    elif key.is_shaded:
        stair = f"v-{14 / SHADES:g}h{14 / SHADES:g}"
        levels = f'<path class="map-level" d="M0 14{stair * SHADES}V14z" fill="var(--{key.colour})"/>'
        whole += f' fill-opacity="{_PALE}"'
    return (
        f'<svg class="map-swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">'
        f'<rect class="map-fill" {whole}/>{levels}{sign(key.mark, 1, 1, BOX, _CARD)}</svg>'
    )


# -- words -------------------------------------------------------------------------------------------------------------


def _pool_label(found: VerdictMap, placed: PlacedPool) -> str:
    name = found.pools[placed.number].name
    if not name or placed.label_room < 3 * SIZE / 2:
        return ""
    words = escape(shortened(name, placed.label_room * SIZE / _SMALL))
    return f'<text x="{placed.left:g}" y="{placed.top - 4:g}">{words}</text>'


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


def tile_names(found: VerdictMap, layout: MapLayout, *, is_crossed: bool) -> str:
    """Write the names of nodes, where tiles have room for them; crossed ones key by key."""
    if not layout.tile.is_named:
        return ""
    room = layout.tile.width - layout.tile.gap - _INSET - 4
    names: dict[str, list[str]] = {}
    for short, key, (left, top) in zip(
        short_names(found.names), found.key_of, places(layout, found.pools), strict=True
    ):
        place = f'x="{left + _INSET:g}" y="{top + _NAME_TOP:g}"'
        names.setdefault(_group(key, is_crossed=is_crossed), []).append(
            f"<text {place}>{escape(_end_of(short, room))}</text>"
        )
    crossed = ' class="map-crossed"' if is_crossed else ""
    return "".join(f'<g font-size="{_SMALL}"{crossed}{group}>{"".join(words)}</g>' for group, words in names.items())


def tile_figures(found: VerdictMap, layout: MapLayout, *, is_crossed: bool) -> str:
    """Write the figures of nodes at the feet of their tiles, crossed ones key by key; of small tiles in the middle."""
    if not layout.tile.is_named:
        return "".join(_small_figures(found, layout))
    width, height = layout.tile.width - layout.tile.gap, layout.tile.height - layout.tile.gap
    figures: dict[str, list[str]] = {}
    for figure, key, (left, top) in zip(found.figures, found.key_of, places(layout, found.pools), strict=False):
        if figure:
            is_long = label_width(figure, is_bold=True) > width - _INSET - _BADGE - 5
            look = f' font-size="{_SMALL}"' if is_long else ""
            figures.setdefault(_group(key, is_crossed=is_crossed), []).append(
                f'<text x="{left + _INSET:g}" y="{top + height - 6:g}"{look}>{escape(figure)}</text>'
            )
    return "".join(f'<g class="map-figures"{group}>{"".join(words)}</g>' for group, words in figures.items())


def _group(key: int, *, is_crossed: bool) -> str:
    return f' data-key="{key}"' if is_crossed else ""


def _loads(found: VerdictMap, layout: MapLayout) -> str:
    """Draw the bars of the pods of nodes."""
    tile = layout.tile
    bars = LoadBars(tile.width - tile.gap - 2 * _INSET - _BADGE - 5, tile.height - tile.gap - _NAME_TOP - 9)
    for load, (left, top) in zip(found.loads, places(layout, found.pools), strict=False):
        bars.add(load, left + _INSET, top + _NAME_TOP + 5)
    return "".join(bars.paths())


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
