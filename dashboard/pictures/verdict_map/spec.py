"""What a map of nodes shows, in plain values: tiles with their verdicts, bars and marks, and arrows between them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from msgspec import Struct

# -- What a map of nodes shows, in plain values -----------------------------------------------------------------------


# How many steps there are from the worst shade, 1, to the best; 0 is none.
SHADES = 5
# Style sheets know so many keys.
MOST_KEYS = 20

# With more pools than this, a map shows zones alone.
MOST_POOLS = 30

# The last three are of a prediction, beside what is so.
MarkKind = Literal["own", "nominated", "room", "right", "wrong", "missed"]


class MapKey(Struct, frozen=True):
    """What nodes of one look have in common: `label` says it, `source` who says so, and `nodes` counts them.

    `colour` is a token's name, `mark` one of `marks.MARKS`. Nodes of a key that `is_shaded` differ by their shade.
    `together` is what the legend says of all of them, and nobody of one node. Nodes of a key that `is_faint` are
    outlines: nothing happens to them.
    """

    label: str
    source: str
    colour: str
    mark: str
    nodes: int
    is_shaded: bool = False
    together: str = ""
    is_faint: bool = False


class MapPool(Struct, frozen=True):
    """Nodes that stand together, a stretch of the map's columns; `colour` is the number of the zone's token, or 0.

    Zone and name are empty for nodes that do not say.
    """

    zone: str
    colour: int
    name: str
    first: int
    nodes: int

    @property
    def places(self) -> range:
        """Where its nodes stand in the map's columns."""
        return range(self.first, self.first + self.nodes)


class MapMark(Struct, frozen=True):
    """One node that stands out whatever its key is, and what of it."""

    kind: MarkKind
    label: str
    node: int


class MapMove(Struct, frozen=True):
    """Pods that go from one place of the map's columns to another; `turn` is the step at which they go, or 0."""

    source: int
    target: int
    pods: int
    turn: int = 0


class NodeLoad(Struct, frozen=True):
    """What pods request of one node, in shares of all that it has; of the pods the last `leaving` would be removed.

    `asked` is the share that the pod in question requests.
    """

    pods: tuple[float, ...]
    leaving: int
    asked: float


class MapStep(Struct, frozen=True):
    """One step of how it came about: nodes of the keys `gone` are out from here on.

    `point` is where on the scale it stands. `figure` sums it up in a number or two, `fill` is how many of all nodes are
    left in percent, where that is what it is about; `shades` has an entry a node where it ranks those that are left.
    Marks of preemption show where a step `shows_room`.
    """

    name: str
    point: str
    words: str
    figure: str = ""
    fill: float | None = None
    gone: tuple[int, ...] = ()
    shades: tuple[int, ...] = ()
    shows_room: bool = False


class MapTurns(Struct, frozen=True):
    """Steps at which nodes have their turn, one after another: `turn_of` has the step of each, 0 of those without one.

    A node looks as its key says from its turn on, until then undecided; nodes of the keys `kept` always do.
    `reached` are the nodes that pods reach at each step, which look like those of the key `reaching`.
    """

    turn_of: tuple[int, ...]
    kept: tuple[int, ...]
    reached: tuple[tuple[int, ...], ...]
    reaching: int


class ScalePoint(Struct, frozen=True):
    """A stretch of the player's scale; `at` is how many steps are done once it is over.

    `link` leads to more about it, `state` is a class of style sheets.
    """

    name: str
    state: str
    summary: str
    link: str
    at: int
    is_leading: bool = False


class VerdictMap(Struct, frozen=True):
    """The map: nodes pool by pool, with one entry of `key_of` and `shade_of` for each; `sentence` says it in words.

    `loads` and `lines` have an entry a node, or none: what fills it, and what is said of it. The `loads_caption` says
    of which resource. `figures` have an entry a node too, or none: a number that stands on its tile. `steps` end with
    the map as it is; `start` says what stands before the first, and `turns` what they do where that is not in them.
    `notes` are what is to be known of the picture.
    """

    sentence: str
    keys: tuple[MapKey, ...]
    pools: tuple[MapPool, ...]
    names: tuple[str, ...]
    key_of: tuple[int, ...]
    shade_of: tuple[int, ...]
    marks: tuple[MapMark, ...] = ()
    loads: tuple[NodeLoad, ...] = ()
    loads_caption: str = ""
    lines: tuple[str, ...] = ()
    moves: tuple[MapMove, ...] = ()
    figures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    start: str = ""
    steps: tuple[MapStep, ...] = ()
    scale: tuple[ScalePoint, ...] = ()
    turns: MapTurns | None = None


class MapBox(Struct, frozen=True):
    """Pods without a node, below both maps of a pair: what stands there on either side, and where it leads."""

    left: str
    right: str
    colour: str
    mark: str
    left_address: str = ""
    right_address: str = ""


class NodeAddresses(Struct, frozen=True):
    """Where nodes lead: an address is a beginning, the name and an end; those `without` one lead nowhere."""

    begin: str = ""
    end: str = ""
    without: frozenset[str] = frozenset()


class MapPair(Struct, frozen=True):
    """Two maps of the same nodes in the same places, with pods that go from the left one to the right one.

    Places beyond the nodes are those of the boxes, in their order. The keys of both maps are the same, and differ by
    how many nodes have them. `titles` are what is on the left and on the right, `addresses` where the nodes of either
    lead. `figure` says what the number on a node counts, with a hole for it.
    """

    sentence: str
    titles: tuple[str, str]
    left: VerdictMap
    right: VerdictMap
    boxes: tuple[MapBox, ...]
    moves: tuple[MapMove, ...]
    notes: tuple[str, ...] = ()
    addresses: tuple[NodeAddresses, NodeAddresses] = (NodeAddresses(), NodeAddresses())
    figure: str = ""


# -- The signs that nodes bear beside their colour, as strokes in a box of 12 -----------------------------------------


BOX = 12

MARKS = MappingProxyType(
    {
        "": "",
        "star": "M6 1.2l1.4 3 3.3.4-2.4 2.3.6 3.3L6 8.6 3.1 10.2l.6-3.3-2.4-2.3 3.3-.4z",
        "question": "M4 4.3a2 2 0 1 1 2.9 1.8q-.9.5-.9 1.4M6 9.4v.6",
        "dots": "M3 6h.1M6 6h.1M9 6h.1",
        "bar": "M2.5 6h7",
        "square": "M3 3h6v6H3z",
        "cross": "M3 3l6 6M3 9l6-6",
        "slash": "M3 9.5l6-7",
        "plus": "M6 2.5v7M2.5 6h7",
        "rails": "M2.5 4h7M2.5 8h7",
        "backslash": "M3 2.5l6 7",
        "pillars": "M4 2.5v7M8 2.5v7",
        "ring": "M9 6a3 3 0 1 1-6 0a3 3 0 1 1 6 0z",
        "chevron": "M4.5 2.5L8 6l-3.5 3.5",
        "zigzag": "M2 7.5l2.7-3.5 2.6 4L10 4.5",
        "post": "M6 2.5v7",
        "diamond": "M6 2l4 4-4 4-4-4z",
        "down": "M2.5 3.5h7L6 9z",
        "up": "M2.5 8.5h7L6 3z",
        "corner": "M3.5 2.5v6h6",
    }
)
"""Every mark by name; the empty one is none."""

OF_FILTERS = (
    "bar", "square", "cross", "slash", "plus", "rails", "backslash", "pillars", "ring", "chevron", "zigzag", "post",
    "diamond", "down", "up",
)  # fmt: skip
"""Those of the plugins that filter, in their order."""
OTHER = "corner"
"""Of whoever else rejects nodes."""


def sign(mark: str, left: float, top: float, side: float, colour: str) -> str:
    """Draw a mark in a square."""
    if not MARKS[mark]:
        return ""
    filled = colour if mark == "star" else "none"
    scale = side / BOX
    return (
        f'<path class="map-sign" d="{MARKS[mark]}" transform="translate({left:g} {top:g}) scale({scale:.3g})" '
        f'fill="{filled}" stroke="{colour}" stroke-width="{1.9 if mark != "star" else 0.6}" stroke-linecap="round"/>'
    )
