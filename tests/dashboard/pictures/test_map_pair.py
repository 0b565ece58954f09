"""Two maps with arrows between them: the same places on both sides, and nothing lost between."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from django.template.loader import render_to_string
from hypothesis import given, settings as properties, strategies as st
from msgspec.structs import replace

from dashboard.pictures.verdict_map.layout import HALF, NARROW, layout
from dashboard.pictures.verdict_map.pair import MOST_TILES, DrawnPair
from dashboard.pictures.verdict_map.spec import MapBox, MapMove, MapPair, NodeAddresses
from tests.dashboard.pictures.verdict_maps import a_map

if TYPE_CHECKING:
    from collections.abc import Sequence

BOTH = pytest.mark.parametrize("width", [HALF, NARROW])
# What a page spends on a map, in bytes.
BAR = 60 * 1024
BOXES = (
    MapBox("Pending here only: 0 pods", "Pending here only: 5 pods", "verdict-rejected-solid", "question"),
    MapBox("Not here: 1 pod", "Not here: 0 pods", "verdict-unknown-solid", "dots"),
)


def a_pair(
    pools: Sequence[tuple[str, str, int]],
    moves: Sequence[tuple[int, int, int]],
    boxes: tuple[MapBox, ...] = (),
    names: Sequence[str] = (),
) -> DrawnPair:
    """Make a pair whose left map has the first keys in turn, and the right one others."""
    left, right = a_map(pools, [1, 2], names), a_map(pools, [2, 1, 1], names)
    left = replace(left, figures=tuple("1" for _ in left.names))
    found = MapPair("A pair.", ("Left: a", "Right: b"), left, right, boxes, tuple(MapMove(*move) for move in moves))
    return DrawnPair("pair", found)


def small(drawn: DrawnPair) -> str:
    """Return the component with a pair, without what stands beside it."""
    return render_to_string("_components/map_pair.html", {"pair": drawn, "content": ""})


def svg(drawn: str) -> ET.Element:
    return ET.fromstring(re.sub(r' xmlns="[^"]*"', "", drawn))  # noqa: S314 - drawn right here


def is_map(part: ET.Element) -> bool:
    """Whether a part of a drawing is the ground of one of the maps: what has tiles or bars."""
    grounds = {"map-tiles", "map-bars"}
    return part.tag == "g" and any(each.attrib.get("class") in grounds for each in part.findall("g"))


def tiles_of(root: ET.Element) -> list[set[tuple[str, int, int]]]:
    """Return for each of the maps the grid, the column and the row of every tile that it paints."""
    found = []
    for side in root:
        if not is_map(side):
            continue
        tiles = set()
        for group in side.iter("g"):
            for path in group.findall("path") if group.attrib.get("class") == "map-tiles" else ():
                column = row = 0
                for move, left, down, length in re.findall(r"([Mm])(-?\d+) (-?\d+)h(\d+)", path.attrib["d"]):
                    column, row = (int(left), int(down)) if move == "M" else (column + int(left), row + int(down))
                    tiles |= {(group.attrib["transform"], column + place, row) for place in range(int(length))}
                    column += int(length)
        found.append(tiles)
    return found


@BOTH
@properties(max_examples=30)
@given(counts=st.lists(st.integers(1, 90), min_size=1, max_size=5))
def test_both_maps_have_the_same_tiles_in_the_same_places(width: int, counts: list[int]) -> None:
    drawn = a_pair([(f"z{number // 2}", f"p{number}", nodes) for number, nodes in enumerate(counts)], [])

    left, right = tiles_of(svg(drawn.drawing(width)))

    assert left == right
    assert len(left) == sum(counts)


def test_arrows_stand_between_maps_that_are_beside_each_other_and_their_numbers_in_the_gap() -> None:
    moves = [(one, (one * 7 + away) % 80, 1 + one // 10) for one in range(80) for away in range(3, 30)]
    drawn = a_pair([(f"z{number}", "", 10) for number in range(8)], moves)
    root = svg(drawn.wide)
    (arrows,) = (part for part in root if part.attrib.get("class") == "map-moves")
    places = [(float(number.attrib["x"]), float(number.attrib["y"])) for number in arrows.iter("text")]

    (_, _, left_wide, _), (right, _, _, _) = drawn.data["corners"]["wide"]
    assert len(places) > 9
    assert all(left_wide < x < right for x, _ in places)
    assert len(set(places)) == len(places)
    assert "map-moves" not in drawn.narrow


def test_arrows_lead_from_nodes_and_boxes_of_one_side_to_those_of_the_other() -> None:
    # Places 11 and 12 are those of the boxes.
    drawn = a_pair([("a", "", 8), ("b", "", 3)], [(0, 9, 3), (2, 11, 5), (12, 1, 1)], BOXES)

    assert re.findall(r'data-from="(\w+)" data-to="(\w+)"', drawn.wide) == [
        ("lb1", "rn1"),
        ("ln0", "rn9"),
        ("ln2", "rb0"),
    ]
    assert drawn.arrows == [
        "5 pods from node-00002 to Pending here only: 5 pods",
        "3 pods from node-00000 to node-00009",
        "1 pod from Not here: 1 pod to node-00001",
    ]
    assert 'stroke="var(--verdict-rejected-solid)" stroke-width' in drawn.wide
    for words in ("Left: a", "Right: b", "Pending here only: 0 pods", "Not here: 0 pods"):
        assert f">{words}<" in drawn.wide
        assert f">{words}<" in drawn.narrow


def test_many_arrows_are_bundled_by_pool_and_those_left_out_are_counted() -> None:
    pools = [(f"z{number}", "", 10) for number in range(8)]
    moves = [(one, (one * 7 + away) % 80, 1 + one // 10) for one in range(80) for away in range(3, 30)]
    moves.append((80, 4, 1))
    drawn = a_pair(pools, moves, BOXES)

    numbers = [int(re.match(r"[\d ]+", arrow.replace("\u202f", ""))[0]) for arrow in drawn.arrows]  # type: ignore[index]

    assert numbers == sorted(numbers, reverse=True)
    _, left_out = drawn.of_arrows
    rest = int(re.search(r"\(([\d\u202f]+) pod", left_out)[1].replace("\u202f", ""))  # type: ignore[index]
    assert sum(numbers) + rest == sum(pods for _, _, pods in moves)
    assert len(numbers) == drawn.wide.count("data-from=")


def test_thousands_of_nodes_are_bars_of_one_scale_on_both_sides() -> None:
    drawn = a_pair([("a", "web", 900), ("b", "", 600)], [(0, 901, 3), (1500, 4, 2)], BOXES[:1])

    assert len(drawn.found.left.names) > MOST_TILES
    left, right = (
        [
            (bar.attrib["transform"], [float(part.attrib["d"].partition("h")[2]) for part in bar.findall("path")])
            for bar in side.iter("g")
            if "data-pool" in bar.attrib
        ]
        for side in svg(drawn.wide)
        if is_map(side)
    )
    assert [place for place, _ in left] == [place for place, _ in right]
    for (_, one), (_, other) in zip(left, right, strict=True):
        assert sum(one) == pytest.approx(sum(other), abs=1)
    assert drawn.wide.count("data-from=") == 2


@pytest.mark.parametrize("nodes", [3, 60, 61, 300, MOST_TILES, 1000, 5000])
def test_a_pair_stays_small(nodes: int) -> None:
    pools = min(nodes, 10)
    count = nodes // pools * pools
    drawn = a_pair(
        [(f"zone-{number // 4}", f"pool-{number}", nodes // pools) for number in range(pools)],
        [(node, (node * 7 + away) % count, 2) for node in range(count) for away in range(3)],
        BOXES,
        names=[f"ip-10-{place % 3}-{place // 250}-{place * 7 % 250}.eu-central-1.internal" for place in range(count)],
    )
    both = replace(drawn.found, right=replace(drawn.found.right, figures=drawn.found.left.figures))

    assert len(small(replace(drawn, found=both)).encode()) < BAR


def test_both_sides_are_told_apart_in_what_the_browser_reads() -> None:
    leads = NodeAddresses("/left/?node=", "#pods", frozenset({"node-00001"})), NodeAddresses("/right/")
    box = replace(BOXES[0], left_address="/left/pending", right_address="/right/pending")
    drawn = a_pair([("a", "", 8), ("b", "", 3)], [(0, 9, 3)], (box,))
    data = replace(drawn, found=replace(drawn.found, addresses=leads)).data

    left, right = data["sides"]
    assert [int(key) for key in left["key"]] == list(drawn.found.left.key_of)
    assert [int(key) for key in right["key"]] == list(drawn.found.right.key_of)
    assert left["figures"].split(" ") == ["1"] * 11
    assert (left["node"], left["nodeEnd"], left["without"], left["boxes"]) == (
        "/left/?node=", "#pods", [1], ["/left/pending"],
    )  # fmt: skip
    assert (right["node"], right["without"], right["boxes"]) == ("/right/", [], ["/right/pending"])
    assert data["boxes"] == [[box.left, box.right]]


@BOTH
def test_a_tab_stop_stands_where_its_map_is_drawn(width: int) -> None:
    drawn = a_pair([("a", "", 90), ("b", "", 3)], [], BOXES)
    name = "wide" if width == HALF else "narrow"
    corners = [
        tuple(map(float, re.findall(r"[\d.]+", side.attrib["transform"])))
        for side in svg(drawn.drawing(width))
        if is_map(side)
    ]

    stands = drawn.data["corners"][name]
    assert [(left, top) for left, top, _, _ in stands] == corners
    # As far down as its last box.
    assert all(high > layout(drawn.found.left, width).height + 2 * 30 for _, _, _, high in stands)
    assert {wide for _, _, wide, _ in stands} == {width}


def test_nothing_breaks_out_of_a_pair() -> None:
    pair = a_pair([("</svg><b>", "<i>", 2)], [(0, 2, 1)], (MapBox("<u>", "</text>", "ink", "dots"),), ("<s>", "</g>"))

    for drawn in (pair.wide, pair.narrow):
        svg(drawn)
        assert not re.search("<(b|i|u|s)>", drawn)
