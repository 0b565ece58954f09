"""When nodes that fail are tainted, against the numbers that the documentation gives."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from clusters.engine import Snapshot
from clusters.engine.nodes import (
    GRACE,
    SECOND,
    TaintChange,
    grace_period,
    taint_events,
)
from tests.engine.builders import Document, a_node


def evicting(events: object, since: int = GRACE) -> dict[str, list[int]]:
    """When nodes are tainted NoExecute, in seconds, by the first letter of their names."""
    found: dict[str, list[int]] = {}
    for event in events:  # type: ignore[attr-defined]
        if event.change is TaintChange.NO_EXECUTE:
            found.setdefault(event.node[0], []).append((event.at - since) // SECOND)
    return found


def zones(down: dict[str, int], up: dict[str, int], **more: str) -> tuple[Snapshot, list[str]]:
    """Nodes that are ready, and the names of those that will fail; each zone has the name it is given."""
    failing = [f"{zone}-{number:03}" for zone, count in down.items() for number in range(count)]
    well = [f"{zone}-up-{number:03}" for zone, count in up.items() for number in range(count)]
    return Snapshot.from_objects(a_node(name, zone=more.get("zone", name[0])) for name in failing + well), failing


def with_ready(name: str, ready: str, zone: str = "a", taints: list[Document] | None = None) -> Document:
    conditions = {"conditions": [{"type": "Ready", "status": ready}]}
    return {**a_node(name, zone=zone, taints=taints or []), "status": conditions}


def test_e59_a_node_that_stops_reporting_is_found_out_after_the_grace_period() -> None:
    """50 s since 1.32, 40 s in the releases of the example; the pods' own 300 s come on top of it."""
    snapshot, failing = zones({"a": 1}, {"a": 3})

    assert [(event.at // SECOND, event.change) for event in taint_events(snapshot, failing)] == [
        (50, TaintChange.NO_SCHEDULE),
        (50, TaintChange.NO_EXECUTE),
    ]
    assert [grace_period(minor) // SECOND for minor in ("1.18", "1.31", "1.32", "1.34", "2.0")] == [40, 40, 50, 50, 50]


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
def test_e60_the_rate_of_a_zone(down: dict[str, int], up: dict[str, int], expected: dict[str, list[int]]) -> None:
    snapshot, failing = zones(down, up)

    assert evicting(taint_events(snapshot, failing)) == expected


def test_once_no_node_is_ready_the_taints_that_evict_are_removed() -> None:
    old = [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]
    nodes = [with_ready("a-old", "False", taints=old), *(with_ready(f"a-{n}", "True") for n in range(2))]
    events = taint_events(Snapshot.from_objects(nodes), ["a-1"], ["a-0"])

    assert [(event.at // SECOND, event.change.name, event.node) for event in events] == [
        (0, "NO_SCHEDULE", "a-0"),
        (0, "NO_EXECUTE", "a-0"),
        (50, "NO_SCHEDULE", "a-1"),
        (50, "LIFTED", "a-0"),
        (50, "LIFTED", "a-old"),
    ]


def test_one_taint_that_evicts_becomes_the_other_at_once() -> None:
    old = [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]
    nodes = [with_ready("a-0", "True"), with_ready("a-1", "False", taints=old), with_ready("a-2", "True")]
    events = taint_events(Snapshot.from_objects(nodes), ["a-0", "a-1"])

    assert [event.at // SECOND for event in events if event.change is TaintChange.NO_EXECUTE] == [50, 50]


def test_excluded_nodes_do_not_count() -> None:
    excluded = {"node.kubernetes.io/exclude-disruption": ""}
    nodes = [a_node(f"n{number}", labels=excluded if number > 2 else {}) for number in range(9)]

    assert evicting(taint_events(Snapshot.from_objects(nodes), ["n0", "n1", "n2"])) == {}
    # A zone all of whose nodes are excluded has no state, and the usual rate.
    apart = [*nodes[:3], *(a_node(f"x{n}", zone="x", labels=excluded) for n in range(2))]
    assert evicting(taint_events(Snapshot.from_objects(apart), ["x0", "x1"])) == {"x": [0, 10]}


@given(
    sizes=st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), min_size=1, max_size=4).filter(
        lambda each: any(down + up for down, up in each)
    )
)
def test_every_zone_keeps_its_pause_and_none_is_tainted_twice(sizes: list[tuple[int, int]]) -> None:
    down = {chr(97 + number): each for number, (each, _) in enumerate(sizes)}
    up = {chr(97 + number): each for number, (_, each) in enumerate(sizes)}
    snapshot, failing = zones(down, up)
    found = evicting(taint_events(snapshot, failing))
    all_down = all(up[zone] == 0 for zone in down if down[zone] + up[zone])

    for zone, count in down.items():
        size = count + up[zone]
        partial = up[zone] > 0 and count > 2 and count * 100 >= 55 * size
        if all_down or (partial and size <= 50):
            assert zone not in found
        else:
            assert found.get(zone, []) == [turn * (100 if partial else 10) for turn in range(count)]
