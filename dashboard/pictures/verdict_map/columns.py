"""What the browser's module reads of a map beside its drawings: where tiles lie and which node is where, in columns.

Names of a pool's nodes share a beginning and an end, which are written once. Keys and shades are a character a node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.maps import SAID_BY, place
from dashboard.pictures.verdict_map.spec import SHADES, MapKey, VerdictMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dashboard.pictures.verdict_map.layout import MapLayout

# More nodes that pods reach, all steps together, are not told step by step.
_MOST_REACHED = 400
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def columns_of(found: VerdictMap) -> dict[str, Any]:
    """Return the nodes by themselves, wherever they lie."""
    return {
        "keys": [key_words(key) for key in found.keys],
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
    return SAID_BY(source=key.source, said=key.label) if key.source else key.label


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
