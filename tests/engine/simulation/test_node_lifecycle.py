"""When nodes that stop answering are tainted, against the numbers that the documentation gives."""

from __future__ import annotations

import pytest

from clusters.engine import Snapshot
from clusters.engine.simulation.node_lifecycle import GRACE, SECOND, taint_times
from tests.engine.builders import a_node


def seconds(down: dict[str, int], up: dict[str, int], **more: str) -> dict[str, list[int]]:
    """When nodes are tainted, in seconds after they are known not to answer, by zone."""
    silent = [f"{zone}-{number:03}" for zone, count in down.items() for number in range(count)]
    well = [f"{zone}-up-{number:03}" for zone, count in up.items() for number in range(count)]
    zones = {name: more.get("zone", name[0]) for name in silent + well}
    snapshot = Snapshot.from_objects(a_node(name, zone=zone) for name, zone in zones.items())
    found: dict[str, list[int]] = {}
    for at, name in taint_times(snapshot, silent):
        found.setdefault(name[0], []).append((at - GRACE) // SECOND)
    return found


@pytest.mark.parametrize(
    ("down", "up", "expected"),
    [
        # Below the threshold: one node in ten seconds, and zones do not wait for each other.
        ({"a": 3, "b": 2}, {"a": 10, "b": 10}, {"a": [0, 10, 20], "b": [0, 10]}),
        # Exactly 0.55 of a small zone: none at all; of a zone of more than 50 nodes: one in a hundred seconds.
        ({"a": 11}, {"a": 9}, {}),
        ({"a": 10}, {"a": 10}, {"a": [10 * turn for turn in range(10)]}),
        ({"a": 33}, {"a": 27}, {"a": [100 * turn for turn in range(33)]}),
        # A zone that is gone as a whole, as long as another is well.
        ({"a": 4}, {"b": 4}, {"a": [0, 10, 20, 30]}),
        # No zone answers: the fault is taken to lie with the controller's own network.
        ({"a": 4, "b": 4}, {}, {}),
        # Two of two other nodes are no partial disruption.
        ({"a": 2}, {"a": 1}, {"a": [0, 10]}),
    ],
)
def test_the_rate_of_a_zone(down: dict[str, int], up: dict[str, int], expected: dict[str, list[int]]) -> None:
    assert seconds(down, up) == expected


def test_nodes_that_were_not_ready_before_count() -> None:
    def node(name: str, ready: str) -> dict[str, object]:
        return {**a_node(name), "status": {"conditions": [{"type": "Ready", "status": ready}]}}

    nodes = [node(f"n{number}", "True" if number < 6 else "Unknown") for number in range(10)]

    assert [name for _, name in taint_times(Snapshot.from_objects(nodes[:9]), ["n0"])] == ["n0"]
    assert taint_times(Snapshot.from_objects(nodes), ["n0", "n1"]) == []


def test_excluded_nodes_do_not_count() -> None:
    excluded = {"node.kubernetes.io/exclude-disruption": ""}
    nodes = [a_node(f"n{number}", labels=excluded if number > 2 else {}) for number in range(9)]

    assert taint_times(Snapshot.from_objects(nodes), ["n0", "n1", "n2"]) == []
