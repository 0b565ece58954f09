"""The map of nodes as it is drawn: where tiles and bars lie, and that each is painted as its node's verdict."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from django.conf import settings
from django.template.loader import render_to_string
from hypothesis import given, settings as properties, strategies as st

from dashboard.pictures.verdict_map.drawing import MOST_TILES, SIGN, DrawnMap, bar_layout
from dashboard.pictures.verdict_map.layout import MOST_NAMED, NARROW, WIDE, layout, places
from dashboard.pictures.verdict_map.spec import (
    MARKS,
    MOST_KEYS,
    MOST_POOLS,
    OF_FILTERS,
    MapMark,
    MapStep,
    NodeLoad,
    ScalePoint,
)
from dashboard.pictures.verdict_map.tiles import short_names
from tests.dashboard.pictures.verdict_maps import a_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dashboard.pictures.verdict_map.layout import MapLayout
    from dashboard.pictures.verdict_map.spec import VerdictMap

Pools = list[tuple[str, str, int]]
BOTH = pytest.mark.parametrize("width", [WIDE, NARROW])
# What a page spends on the map, in bytes.
BAR = 60 * 1024
NAMES = st.sampled_from(["", "pool", "a-pool-with-a-long-name"])
POOLS = st.lists(st.tuples(st.sampled_from("abc"), NAMES, st.integers(1, 120)), min_size=1, max_size=12).map(
    lambda pools: sorted({(zone, name): (zone, name, nodes) for zone, name, nodes in pools}.values())
)


def svg(drawn: str) -> ET.Element:
    return ET.fromstring(re.sub(r' xmlns="[^"]*"', "", drawn))  # noqa: S314 - drawn right here


def tiles_of(root: ET.Element, laid: MapLayout) -> Iterator[tuple[float, float, int, int]]:
    """Yield the corner, the key and the shade of every tile that a path paints."""
    tile = laid.tile
    for group in root.iter("g"):
        place = re.match(r"translate\(([\d.e-]+) ([\d.e-]+)\) scale", group.attrib.get("transform", ""))
        for path in group.iter("path") if place else ():
            if path.attrib.get("class") == "map-veil":
                continue
            _, key, *shade = map(int, re.findall(r"-(\d+)", path.attrib["stroke"]))
            assert int(path.attrib["data-key"]) == key
            column = row = 0
            for move, left, down, length in re.findall(r"([Mm])(-?\d+) (-?\d+)h(\d+)", path.attrib["d"]):
                column, row = (int(left), int(down)) if move == "M" else (column + int(left), row + int(down))
                for _ in range(int(length)):
                    assert place
                    x = float(place[1]) + tile.gap / 2 + column * tile.width
                    y = float(place[2]) + tile.gap / 2 + (row - 0.5) * tile.height
                    yield x, y, key, *(shade or [0])  # type: ignore[misc]
                    column += 1


def rings_of(found: VerdictMap) -> list[ET.Element]:
    return [each for each in svg(DrawnMap("m", found).wide).iter("rect") if "ring" in each.attrib.get("class", "")]


def corner_in(ring: ET.Element) -> tuple[float, float]:
    """Return the corner of what a ring is around."""
    return float(ring.attrib["x"]) + 1.5, float(ring.attrib["y"]) + 1.5


@BOTH
@properties(max_examples=30)
@given(pools=POOLS, keys=st.lists(st.integers(0, 3), min_size=1, max_size=7))
def test_every_tile_is_painted_once_as_its_node_is(width: int, pools: Pools, keys: list[int]) -> None:
    found = a_map(pools, keys)
    laid = layout(found, width)
    painted = sorted(tiles_of(svg(DrawnMap("m", found, is_opened=True).drawing(width)), laid))
    looks = zip(places(laid, found.pools), found.key_of, found.shade_of, strict=True)
    wanted = sorted((*corner, key, shade) for corner, key, shade in looks)

    assert [each[2:] for each in painted] == [each[2:] for each in wanted]
    assert [each[:2] for each in painted] == pytest.approx(np.array([each[:2] for each in wanted]), abs=0.1)


@BOTH
@properties(max_examples=30)
@given(pools=POOLS)
def test_no_tile_lies_outside_or_upon_another(width: int, pools: Pools) -> None:
    found = a_map(pools)
    laid = layout(found, width)
    wide, high = laid.tile.width - laid.tile.gap, laid.tile.height - laid.tile.gap
    corners = [(round(left, 1), round(top, 1)) for left, top in places(laid, found.pools)]

    assert len(set(corners)) == len(found.names)
    assert all(0 <= left <= width - wide + 0.1 and 0 <= top <= laid.height - high + 0.1 for left, top in corners)
    rows: dict[float, list[float]] = {}
    for left, top in corners:
        rows.setdefault(top, []).append(left)
    for lefts in rows.values():
        ordered = sorted(lefts)
        assert all(right - left >= wide - 0.1 for left, right in pairwise(ordered))
    tops = sorted(rows)
    assert all(below - above >= high - 0.1 for above, below in pairwise(tops))


@BOTH
def test_thousands_of_nodes_are_bars_that_open(width: int) -> None:
    found = a_map([("a", "web", 1200), ("a", "gpu", 3), ("b", "", 600)], [1, 2, 2, 3])
    drawn = DrawnMap("m", found, address="/map/?profile=p")
    bars = bar_layout(found, width).bars

    assert len(found.names) > MOST_TILES
    assert [sum(part.nodes for part in bar.parts) for bar in bars] == [1200, 3, 600]
    counted = Counter(zip(found.key_of[:1200], found.shade_of[:1200], strict=True))
    assert {(part.key, part.shade): part.nodes for part in bars[0].parts} == counted
    for bar in bars:
        ends = [part.left + part.width for part in bar.parts]
        assert all(part.width >= SIGN for part in bar.parts)
        assert ends[-1] <= width + 0.5
        assert [part.left for part in bar.parts[1:]] == pytest.approx(ends[:-1], abs=0.11)
    painted = [each.attrib for each in svg(drawn.drawing(width)).iter("path") if "data-nodes" in each.attrib]
    parts = [(bar.left, part) for bar in bars for part in bar.parts]
    for (left, part), drawn_part in zip(parts, painted, strict=True):
        # A sign begins where the part does of which it is.
        moved, begin = f"translate({part.left - left:g})", f"M{part.left - left:g} 0h{part.width:g}"
        is_signed = bool(found.keys[part.key].mark)
        assert drawn_part.get("transform") == (moved if is_signed else None)
        assert drawn_part["d"] == (f"M0 0h{part.width:g}" if is_signed else begin)
    assert [address for address, _ in drawn.openings] == [
        "/map/?profile=p&zone=a&pool=web", "/map/?profile=p&zone=a&pool=gpu", "/map/?profile=p&zone=b&pool=",
    ]  # fmt: skip
    assert [words.replace("\u202f", " ") for _, words in drawn.openings] == [
        "1 200 nodes in a, pool web", "3 nodes in a, pool gpu", "600 nodes in b",
    ]  # fmt: skip


@pytest.mark.parametrize("nodes", [3, 60, 61, 300, MOST_TILES, 5_000])
@pytest.mark.parametrize("most_pools", [3, MOST_POOLS])
def test_the_map_is_small(nodes: int, most_pools: int) -> None:
    """Every node another key than the one beside it: no run is longer than a tile; and nothing is compressed."""
    pools = min(nodes, most_pools)
    share = ceil(nodes / pools) if nodes > MOST_TILES else nodes // pools
    count = share * pools
    shades = tuple(place * 7 % 6 for place in range(count))
    steps = [MapStep(f"AFilter{number}", "Filter", "Rejects 3 of 5.", "2", 40.0) for number in range(10)]
    steps += [MapStep(f"APluginThatScores{number}", "Score", "Gives.", "0–100", shades=shades) for number in range(7)]
    # As many pods as a node has by default, none too thin to be told from the next.
    load = NodeLoad(tuple(0.9 / 110 for _ in range(110)), 4, 0.25)
    found = a_map(
        [(f"zone-{number * 3 // pools}", f"pool-{number}", share) for number in range(pools)],
        [1, 2, 1, 3],
        [f"ip-10-{place % 3}-{place // 250}-{place * 7 % 250}.eu-central-1.compute.internal" for place in range(count)],
        steps=tuple(steps),
        scale=tuple(ScalePoint(name, "ran", "2 ran", f"#{name}", 9) for name in ("Filter", "Score", *"abcdefghijk")),
        loads=(load,) * count if count <= MOST_NAMED else (),
        lines=tuple(f"node {place} lacks what the pod requests: {place} CPU missing" * 4 for place in range(count))
        if count <= MOST_NAMED
        else (),
    )
    drawn = DrawnMap("m", found, lines_address="/clusters/a-cluster/pods/a/b/map/lines/?first=")

    html = render_to_string("_components/verdict_map.html", {"drawn": drawn, "content": ""})

    assert len(html.encode()) < BAR


def test_what_is_said_of_nodes_comes_with_the_map_once_and_where_it_is_much_is_asked_for() -> None:
    said = a_map([("a", "", 6)], lines=("a", "b", "a", "", "b", "a"))
    much = a_map([("a", "", 6)], lines=tuple(f"{place}" * 900 for place in range(6)))

    few = DrawnMap("m", said, lines_address="/lines/?first=").data
    assert [few["lines"][line] for line in few["line"]] == list(said.lines)
    assert len(few["lines"]) == 3
    assert DrawnMap("m", much, lines_address="/lines/?first=").data["line"] == []
    # A map that has nobody to ask keeps what it has.
    kept = DrawnMap("m", much).data
    assert [kept["lines"][line] for line in kept["line"]] == list(much.lines)


def test_bars_of_many_pools_are_shaded_while_their_parts_are_few() -> None:
    pools = [(f"zone-{number // 9}", f"pool-{number}", 100) for number in range(27)]
    few = a_map(pools, [1], marks=(MapMark("own", "Runs on it", 1500),))
    many = a_map(pools, [0, 1, 2, 3], marks=(MapMark("own", "Runs on it", 1501),))

    assert {tuple(part.shade for part in bar.parts) for bar in bar_layout(few, WIDE).bars} == {(5, 4, 3, 2, 1)}
    assert {tuple(part.shade for part in bar.parts) for bar in bar_layout(many, WIDE).bars} == {(0, 0, 0, 0)}
    assert [len(rings_of(each)) for each in (few, many)] == [1, 1]


def test_single_nodes_that_stand_out_have_a_ring_around_their_tile_or_bar() -> None:
    found = a_map([("a", "", 70)], marks=(MapMark("own", "Runs on it", 3), MapMark("room", "Room", 69)))
    laid = layout(found, WIDE)
    corners = list(places(laid, found.pools))
    rings = rings_of(found)

    assert [ring.attrib["class"] for ring in rings] == ["map-ring map-ring-own", "map-ring map-ring-room"]
    assert [corner_in(ring) for ring in rings] == [corners[3], corners[69]]

    many = a_map([("a", "", 2000), ("b", "", 900)], [2, 3], marks=(MapMark("own", "Runs on it", 2001),))
    (ring,) = rings_of(many)
    bar = bar_layout(many, WIDE).bars[1]
    part = next(part for part in bar.parts if part.key == many.key_of[2001])
    assert corner_in(ring) == (part.left, bar.top)


def test_pods_are_drawn_to_scale_and_what_is_requested_beside_them() -> None:
    loads = (NodeLoad((0.5, 0.25), 0, 0.125), NodeLoad((0.5, 0.25), 1, 0.5), NodeLoad((0.75,), 0, 0.5))
    found = a_map([("a", "", 3)], loads=loads, loads_caption="Bars: CPU")
    root = svg(DrawnMap("m", found).wide)
    parts = {
        path.attrib["class"]: [float(width) for width in re.findall(r"h(\d[\d.]*)", path.attrib["d"])]
        for path in root.iter("path")
        if "map-" in path.attrib.get("class", "") and "h" in path.attrib["d"]
    }
    long = parts["map-track"][0]

    assert parts["map-used"] == pytest.approx([0.75 * long, 0.5 * long, 0.75 * long], abs=0.1)
    # Of the pods on the second node the last would be removed, and the pod takes its place.
    assert parts["map-leaving"] == pytest.approx([0.25 * long], abs=0.1)
    assert parts["map-asked"] == pytest.approx([0.125 * long, 0.5 * long], abs=0.1)
    # It reaches beyond the bar of the third, as far as the tile goes.
    assert 0.25 * long < parts["map-short"][0] < 0.5 * long
    # A line stands behind each pod.
    lines = next(path.attrib["d"] for path in root.iter("path") if path.attrib.get("class") == "map-gaps")
    steps = [float(step) for step in re.findall(r"m([\d.]+) 0v", lines)]
    assert steps == pytest.approx([0.25 * long, 0.25 * long], abs=0.1)
    assert lines.count("M") == 3


@given(names=st.lists(st.text("ab-.1", min_size=1, max_size=8), min_size=1, max_size=9), pools=st.integers(1, 3))
def test_the_columns_say_which_node_is_which(names: list[str], pools: int) -> None:
    ends = [len(names) * number // pools for number in range(pools + 1)]
    shares = [("a", str(number), end - first) for number, (first, end) in enumerate(pairwise(ends)) if end > first]
    found = a_map(shares, [0, 2], names)
    data = DrawnMap("m", found).data

    read = [f"{begin}{middle}{end}" for _, begin, end, middles in data["pools"] for middle in middles.split(" ")]
    assert read == names
    assert [int(digit, 36) for digit in data["key"]] == list(found.key_of)


@BOTH
def test_the_columns_say_where_tiles_lie(width: int) -> None:
    found = a_map([("a", "web", 40), ("a", "gpu", 3), ("b", "", 30)])
    where = DrawnMap("m", found).data["layouts"]["wide" if width == WIDE else "narrow"]
    wide, high, _ = where["tile"]

    read = [
        (left + place % columns * wide, top + place // columns * high)
        for (left, top, columns, _), pool in zip(where["pools"], found.pools, strict=True)
        for place in range(pool.nodes)
    ]
    assert read == list(places(layout(found, width), found.pools))
    # Tiles of one grid are whole tiles apart.
    for left, top, _, frame in where["pools"]:
        across, down = (left - where["frames"][frame][0]) / wide, (top - where["frames"][frame][1]) / high
        assert (across, down) == pytest.approx((round(across), round(down)), abs=0.01)


def test_steps_say_what_they_do_to_tiles_and_to_bars() -> None:
    steps = (MapStep("A", "Filter", "", gone=(2,)), MapStep("B", "Score", "", shades=(0, 1, 5)), MapStep("", "", ""))
    few = DrawnMap("m", a_map([("a", "", 3)], steps=steps)).data
    assert few["shaded"] == 1
    assert few["steps"] == [
        {"gone": (2,), "room": False, "shades": None},
        {"gone": (), "room": False, "shades": "015"},
        {"gone": (), "room": False, "shades": None},
    ]

    shades = (5,) * 900 + (0, 3) * 400
    ranked = (MapStep("B", "Score", "", shades=shades), MapStep("", "", ""))
    many = DrawnMap("m", a_map([("a", "", 900), ("b", "", 800)], steps=ranked)).data
    assert many["steps"][0]["shades"] == [[0, 0, 0, 0, 900], [0, 0, 400, 0, 0]]


def test_names_lose_the_domain_that_all_have() -> None:
    assert short_names(["ip-1.eu.internal", "ip-2.eu.internal"]) == ["ip-1", "ip-2"]
    assert short_names(["ip-1.eu.internal", "ip-2.us.internal"]) == ["ip-1.eu.internal", "ip-2.us.internal"]


def test_nothing_breaks_out_of_the_drawing() -> None:
    found = a_map([("</svg><b>", "<i>", 2)], names=("<u>", "</text>"))

    for drawn in (DrawnMap("m", found).wide, DrawnMap("m", found).narrow):
        svg(drawn)
        assert not re.search("<(b|i|u)>", drawn)


def test_whoever_rejects_has_a_mark_of_its_own_that_style_sheets_know() -> None:
    assert len(set(OF_FILTERS)) == len(OF_FILTERS)
    assert len({MARKS[name] for name in MARKS}) == len(MARKS)
    assert len(OF_FILTERS) + 4 <= MOST_KEYS
    style = (settings.BASE_DIR / "static/css/verdict-map.css").read_text(encoding="utf-8")
    for number in range(MOST_KEYS):
        assert style.count(f':has(.map-key [value="{number}"]:checked) .map-drawing') == 3
