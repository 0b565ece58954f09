"""The picture that shades nodes by how much of a resource is requested."""

from __future__ import annotations

import pytest

from dashboard.presenters.nodes.listing import HeatCell, Listed, NodeMap, ZoneBlock, map_columns, node_map
from tests.engine.builders import a_node, a_pod, explanation_of


@pytest.mark.parametrize(
    ("share", "percent"), [(0.0, 0), (0.001, 1), (0.9, 90), (0.9001, 91), (1.0, 100), (1.001, 101), (5000.0, 999)]
)
def test_heat_map_shades_by_whole_percents_on_the_right_side_of_each_edge(share: float, percent: int) -> None:
    cells = (HeatCell("ash", share, "", "", "open"),)
    found = NodeMap("CPU", "", "", (ZoneBlock("north", cells, "", "", "", 0),), 1, "")

    assert map_columns(found)["nodes"]["share"] == [percent]


def test_heat_map_marks_what_takes_no_pods_and_tells_what_is_beyond() -> None:
    nodes = [a_node(name, allocatable={"cpu": "4"}) for name in ("ash", "birch")]
    snapshot = explanation_of(a_pod(), *nodes, a_pod("more", node="ash", requests={"cpu": "9"})).snapshot
    listed = [Listed("ash", "north", ""), Listed("birch", "south", "cordoned", "cordoned")]
    found = node_map(snapshot, listed, "cpu")
    picture = map_columns(found)

    assert "90\u00a0% or more: 1; overcommitted: 1." in found.sentence
    assert picture["nodes"]["share"] == [225, 0]
    states = [picture["nodeStates"][state] for state in picture["nodes"]["state"]]
    assert states == [("open", ""), ("cordoned", "cordoned")]
