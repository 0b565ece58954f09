"""The arrows of a map: which moves each stands for, where it begins and ends, and what is left out."""

from __future__ import annotations

import re
from math import hypot
from typing import TYPE_CHECKING, Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given, settings as properties, strategies as st

from dashboard.pictures.verdict_map.drawing import (
    MOST_ARROWS,
    MOST_TILES,
    Arrow,
    Bundling,
    DrawnMap,
    Point,
    Stop,
    arrows_between,
    bar_arrows,
    bar_layout,
    curve_of,
    curves_of,
    thickness,
    tile_arrows,
    tile_stops,
)
from dashboard.pictures.verdict_map.layout import NARROW, WIDE, layout
from dashboard.pictures.verdict_map.spec import MapMove, MapStep, MapTurns, ScalePoint
from dashboard.presenters.drains.page import MOST_STEPS
from tests.dashboard.pictures.verdict_maps import a_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.pictures.verdict_map.drawing import Arrows
    from dashboard.pictures.verdict_map.spec import VerdictMap

# What a page spends on a map, in bytes.
BAR = 60 * 1024
COORDINATES = st.floats(0, 800, allow_nan=False)


def stops(name: str) -> st.SearchStrategy[Stop]:
    middles = st.builds(Point, COORDINATES, COORDINATES)
    return st.builds(
        Stop, st.just(name), st.just("a"), st.just(0), st.just("zone-1"), middles, st.just(50), st.just(20)
    )


SOURCES, TARGETS = stops("n0"), stops("n1")


def moving(pools: Sequence[tuple[str, str, int]], moves: Sequence[tuple[int, ...]], **facts: Any) -> VerdictMap:
    return a_map(pools, [0, 2, 3], moves=tuple(MapMove(*move) for move in moves), **facts)


def names(arrows: Arrows) -> dict[tuple[str, str], int]:
    return {(arrow.source.name, arrow.target.name): arrow.pods for arrow in arrows.drawn}


def pods_of(arrows: Arrows) -> int:
    return sum(arrow.pods for arrow in arrows.drawn) + arrows.left_out_pods


def test_few_moves_are_an_arrow_for_each_pair_of_nodes() -> None:
    found = moving([("a", "", 3), ("b", "", 3)], [(0, 4, 2), (0, 5, 1), (1, 4, 1), (0, 4, 3)])

    arrows = tile_arrows(found, layout(found, WIDE))

    assert arrows.bundling is Bundling.NODES
    assert names(arrows) == {("n0", "n4"): 5, ("n0", "n5"): 1, ("n1", "n4"): 1}


def test_many_moves_begin_at_pools_and_more_still_end_there_too() -> None:
    # Every third node has the key 0: forty nodes of one pool that all send pods to three nodes.
    senders = range(0, 120, 3)
    to_few = moving([("a", "web", 120), ("b", "", 3)], [(node, 120 + node % 3, 1) for node in senders])
    bundled = tile_arrows(to_few, layout(to_few, WIDE))
    assert bundled.bundling is Bundling.NODES
    assert len(bundled.drawn) == len(senders)

    to_more = moving([("a", "web", 120), ("b", "", 40)], [(node, 120 + end, 1) for node in senders for end in range(2)])
    bundled = tile_arrows(to_more, layout(to_more, WIDE))
    assert bundled.bundling is Bundling.POOLS_TO_NODES
    assert names(bundled) == {("p0k0", "n120"): 40, ("p0k0", "n121"): 40}

    to_all = moving([("a", "web", 120), ("b", "", 90)], [(node, 120 + end, 1) for node in senders for end in range(90)])
    bundled = tile_arrows(to_all, layout(to_all, WIDE))
    assert bundled.bundling is Bundling.POOLS
    assert names(bundled) == {("p0k0", f"p1k{key}"): 40 * 30 for key in (0, 2, 3)}


@properties(max_examples=30)
@given(
    moves=st.lists(st.tuples(st.integers(0, 89), st.integers(0, 89), st.integers(1, 40)), max_size=200),
    most=st.integers(1, 12),
)
def test_no_pod_is_lost_however_arrows_are_bundled(moves: list[tuple[int, int, int]], most: int) -> None:
    found = moving([("a", "x", 30), ("a", "y", 30), ("b", "", 30)], moves)
    tiles = tile_stops(found, layout(found, WIDE))

    arrows = arrows_between(found.moves, [(Bundling.NODES, tiles.__getitem__, tiles.__getitem__)], most)

    assert pods_of(arrows) == sum(pods for _, _, pods in moves)
    assert len(arrows.drawn) <= most
    assert not arrows.left_out or len(arrows.drawn) == most
    # What is left out has no more pods than what is drawn.
    drawn = [arrow.pods for arrow in arrows.drawn]
    assert drawn == sorted(drawn)
    assert arrows.left_out_pods <= arrows.left_out * min(drawn, default=0)

    whole = tile_arrows(found, layout(found, NARROW))
    assert pods_of(whole) == sum(pods for _, _, pods in moves)
    assert len(whole.drawn) <= MOST_ARROWS


def test_arrows_that_are_left_out_are_counted_below_the_map() -> None:
    pools = [(f"z{number}", "", 40) for number in range(25)]
    moves = [(one * 40, other * 40, one + 1) for one in range(25) for other in range(25) if one != other]
    drawn = DrawnMap("m", moving(pools, moves))
    arrows = tile_arrows(drawn.found, layout(drawn.found, WIDE))

    assert arrows.left_out == len(moves) - MOST_ARROWS
    assert f"{arrows.left_out} more arrows" in drawn.notes[-1]
    assert drawn.wide.count("data-from=") == MOST_ARROWS


@given(source=SOURCES, target=TARGETS)
def test_an_arrow_runs_from_edge_to_edge(source: Stop, target: Stop) -> None:
    curve = curve_of(source, target)
    apart = hypot(source.middle.x - target.middle.x, source.middle.y - target.middle.y)

    if apart > 250:
        for stop, end in ((source, curve.start), (target, curve.end)):
            away = max(abs(end.x - stop.middle.x) / stop.across, abs(end.y - stop.middle.y) / stop.down)
            assert away == pytest.approx(1, abs=0.05)
        assert not source.holds(curve.at(0.5))
        assert not target.holds(curve.at(0.5))
    assert curve.at(0) == pytest.approx(curve.start)
    assert curve.at(1) == pytest.approx(curve.end)


@given(source=SOURCES, target=TARGETS, first=st.floats(0, 0.5), last=st.floats(0.5, 1), share=st.floats(0, 1))
def test_a_part_of_a_curve_lies_upon_it(source: Stop, target: Stop, first: float, last: float, share: float) -> None:
    whole = curve_of(source, target)

    part = whole.between(first, last)

    assert part.at(share) == pytest.approx(whole.at(first + (last - first) * share), abs=1e-6)


def test_what_goes_there_and_what_comes_back_are_two_curves_and_a_node_by_itself_has_a_loop() -> None:
    one, other = (Stop(name, name, 0, "zone-1", Point(x, 100), 40, 20) for name, x in (("n0", 100), ("n1", 400)))

    there, back = curve_of(one, other).at(0.5), curve_of(other, one).at(0.5)

    assert (there.y - 100) * (back.y - 100) < 0
    loop = curve_of(one, one)
    assert loop.start != loop.end
    assert loop.at(0.5).y < 80


def test_arrows_of_one_stop_stand_beside_each_other_in_the_order_of_where_they_lead() -> None:
    source = Stop("n0", "a", 0, "zone-1", Point(400, 0), 60, 20)
    targets = [Stop(f"n{x}", "b", 0, "zone-1", Point(x, 300), 20, 10) for x in (700, 100, 400)]
    curves = curves_of([Arrow(source, target, 1) for target in targets])

    starts = [curve.start.x for curve in curves]
    assert starts[1] < starts[2] < starts[0]
    assert all(abs(start - 400) < 60 for start in starts)
    # One by itself begins in the middle, but for how it bends.
    (alone,) = curves_of([Arrow(source, targets[2], 1)])
    assert alone.start.x == pytest.approx(400, abs=6)


def test_thicker_arrows_have_more_pods() -> None:
    widths = [thickness(pods, 100) for pods in (1, 4, 25, 100)]
    assert widths == sorted(set(widths))


def test_arrows_of_bars_run_between_parts_and_say_how_many_pods() -> None:
    found = moving([("a", "web", 900), ("b", "", 600)], [(0, 901, 3), (3, 904, 2), (0, 1, 1)])
    laid = bar_layout(found, WIDE)

    arrows = bar_arrows(found, laid)

    assert len(found.names) > MOST_TILES
    assert arrows.bundling is Bundling.POOLS
    assert names(arrows) == {("p0k0", "p0k2"): 1, ("p0k0", "p1k2"): 5}
    stretch = {part.key: part for part in laid.bars[1].parts}[2]
    middle = arrows.drawn[-1].target.middle
    assert middle == Point(stretch.left + stretch.width / 2, laid.bars[1].top + laid.bar / 2)
    assert ">5</text>" in DrawnMap("m", found).wide


def test_an_arrow_is_named_by_its_ends_keys_and_zone() -> None:
    found = moving([("a", "", 2), ("b", "", 2)], [(0, 2, 1)])
    drawn = DrawnMap("m", found).wide

    # The first node has key 0, the third one 3.
    assert 'data-keys="0 3" data-from="n0" data-to="n2"' in drawn
    assert re.search(r'<path d="M[^"]+" stroke="var\(--zone-2\)"', drawn)


def test_small_tiles_have_figures_where_they_bear_no_mark_and_there_is_room() -> None:
    found = a_map([("a", "", 100)], [1, 2], figures=("+3",) * 98 + ("+3 000 000", "+4"))

    drawn = DrawnMap("m", found).wide

    # Nodes of key 2 bear a mark.
    assert drawn.count(">+3<") == 49
    assert "+3 000" not in drawn
    assert not layout(found, WIDE).tile.is_named


@pytest.mark.parametrize("nodes", [3, 60, 61, 1000, 5000])
def test_a_map_with_arrows_stays_small(nodes: int) -> None:
    pools = min(nodes, 10)
    nodes = nodes // pools * pools
    half = nodes // 2
    found = moving(
        [(f"zone-{number // 4}", f"pool-{number}", nodes // pools) for number in range(pools)],
        [(node, half + (node * 7 + away) % half, 2) for node in range(half) for away in range(3)],
        names=[f"ip-10-{place % 3}-{place // 250}-{place * 7 % 250}.eu-central-1.internal" for place in range(nodes)],
        figures=tuple(f"+{place % 12}" for place in range(nodes)),
    )

    html = render_to_string("_components/verdict_map.html", {"drawn": DrawnMap("m", found), "content": ""})

    assert len(html.encode()) < BAR


@pytest.mark.parametrize("nodes", [60, 1000])
def test_a_map_that_is_stepped_through_stays_small(nodes: int) -> None:
    share, half, steps = nodes // 10, nodes // 2, MOST_STEPS
    found = moving(
        [(f"zone-{number // 4}", f"pool-{number}", share) for number in range(10)],
        [
            (node, half + (node * 7 + away) % half, 2, node % steps + 1) for node in range(half) for away in range(3)
        ],
        names=[f"ip-10-{place % 3}-{place // 250}-{place * 7 % 250}.eu-central-1.internal" for place in range(nodes)],
        figures=tuple(f"+{place % 12}" for place in range(nodes)),
        turns=MapTurns(
            tuple(place % steps + 1 if place < half else 0 for place in range(nodes)),
            (2,),
            tuple(tuple(range(half, half + min(half, 120))) for _ in range(steps)),
            1,
        ),
        steps=(
            *(
                MapStep(f"Batch {number}", "Batches", "5 nodes are drained. 40 pods are evicted.", "5 nodes, −40")
                for number in range(1, steps + 1)
            ),
            MapStep("Whole plan", "", "24 batches"),
        ),
        scale=(ScalePoint("Batches", "ran", "24 batches", "#map", steps + 1),),
    )  # fmt: skip

    html = render_to_string("_components/verdict_map.html", {"drawn": DrawnMap("m", found), "content": ""})

    assert html.count('class="map-step"') == steps
    assert len(html.encode()) < BAR


def test_an_arrow_knows_at_which_steps_its_pods_go() -> None:
    found = moving([("a", "", 6)], [(0, 5, 1, 2), (0, 5, 1, 1), (1, 5, 1, 2)])

    turns = re.findall(r'data-from="n(\d)" data-to="n5" data-turns="([\d ]+)"', DrawnMap("m", found).wide)

    assert sorted(turns) == [("0", "1 2"), ("1", "2")]
