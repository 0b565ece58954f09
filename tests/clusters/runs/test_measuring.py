"""The numbers of a run: before anything is changed, and after everything."""

from __future__ import annotations

from typing import Any

from clusters.services.runs.spec import read_spec
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.changing import owned
from tests.support.simulating import simulated_on

TAINT = {"key": "team", "value": "x", "effect": "NoSchedule"}
OBJECTS = [
    a_node("a1", zone="a", allocatable={"cpu": "4"}),
    a_node("b1", zone="b", allocatable={"cpu": "4"}),
    a_node("b2", zone="b", allocatable={"cpu": "4"}, taints=[TAINT]),
    owned("web-1", "web", "a1", requests={"cpu": "3"}),
    a_pod("large", requests={"cpu": "5"}),
]


def summary(*changes: dict[str, Any]) -> dict[str, Any]:
    spec = {"version": 1, "base": {"kind": "cluster"}, "changes": list(changes)}
    return simulated_on(OBJECTS, read_spec(spec)).summary


def test_before_is_before_the_changes_whatever_they_are() -> None:
    unchanged = summary()
    lost = {how: summary({"change": "lose-zone", "zone": "a", "how": how}) for how in ("gone", "unreachable")}

    assert unchanged["before"]["cluster"]["nodes"] == 3
    assert all(each["before"] == unchanged["before"] for each in lost.values())
    for how, nodes in (("gone", 2), ("unreachable", 3)):
        after = lost[how]["after"]["cluster"]
        assert (after["nodes"], after["usable"]) == (nodes, 2)
    zones = lost["unreachable"]["after"]["cluster"]["zones"]
    assert [(each["name"], each["nodes"], each["usable"]) for each in zones] == [("a", 1, 0), ("b", 2, 2)]


def test_the_room_that_is_left_is_that_of_pods_that_tolerate_nothing() -> None:
    (room,) = summary({"change": "remove-workload", "kind": "Pod", "namespace": "default", "name": "large"})["after"][
        "cluster"
    ]["fragmentation"]

    assert (room["requests"], room["pods"], room["nodes"]) == ({"cpu": 3000}, 1, 1)
    assert (room["free"], room["unusable"]) == ({"cpu": 5000}, {"cpu": 1000})
