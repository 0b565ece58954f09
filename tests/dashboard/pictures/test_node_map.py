"""The picture that shades nodes by how much of a resource is requested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clusters.engine import Snapshot
from clusters.services.mirror.state import utilisation_in
from dashboard.presenters.nodes.listing import NodeMap, map_columns, node_map
from tests.engine.builders import a_node, a_pod


def picture_of(*documents: dict[str, Any]) -> tuple[NodeMap, dict[str, Any]]:
    snapshot = Snapshot.from_objects(documents)
    found = node_map(utilisation_in(snapshot), np.full(len(snapshot.nodes), True), "cpu")
    return found, map_columns(found)


def node(name: str, zone: str, *, is_ready: bool = True, unschedulable: bool = False) -> dict[str, Any]:
    found = a_node(name, zone=zone, allocatable={"cpu": "4"}, unschedulable=unschedulable)
    conditions = [{"type": "Ready", "status": str(is_ready)}]
    return {**found, "status": {**found["status"], "conditions": conditions}}


@pytest.mark.parametrize(
    ("milli", "percent"), [(0, 0), (1, 1), (900, 90), (901, 91), (1_000, 100), (1_001, 101), (5_000_000, 999)]
)
def test_heat_map_shades_by_whole_percents_on_the_right_side_of_each_edge(milli: int, percent: int) -> None:
    _, picture = picture_of(
        a_node("ash", allocatable={"cpu": "1"}), a_pod("some", node="ash", requests={"cpu": f"{milli}m"})
    )

    assert picture["nodes"]["share"] == [percent]


def test_heat_map_marks_what_takes_no_pods_and_tells_what_is_beyond() -> None:
    found, picture = picture_of(
        node("ash", "north"),
        node("birch", "south", unschedulable=True),
        a_pod("more", node="ash", requests={"cpu": "9"}),
    )

    assert "90\u00a0% or more: 1; overcommitted: 1." in found.sentence
    assert picture["nodes"]["share"] == [225, 0]
    states = [picture["nodeStates"][state] for state in picture["nodes"]["state"]]
    assert states == [("open", ""), ("cordoned", "Cordoned")]


def test_neighbours_of_very_many_nodes_are_one_box_in_the_gravest_state_of_any() -> None:
    nodes = [node(f"n{number:04d}", f"z{number % 2}", is_ready=number != 4) for number in range(5_002)]
    _, picture = picture_of(*nodes, a_pod("some", node="n0002", requests={"cpu": "2"}))

    assert (picture["each"], [zone["nodes"] for zone in picture["zones"]]) == (2, [1_251, 1_251])
    ends = [(picture["nodes"]["name"][place], picture["nodes"]["last"][place]) for place in (0, 1_250)]
    assert ends == [("n0002", "n0000"), ("n5000", "n5000")]
    assert picture["nodes"]["share"][0] == 25
    marks = [picture["nodeStates"][state][0] for state in picture["nodes"]["state"]]
    assert [place for place, mark in enumerate(marks) if mark == "not-ready"] == [1]
