"""What has changed on a node in its own world: nominated pods that joined, victims that left."""

from __future__ import annotations

import numpy as np
import pytest

from clusters.engine import Snapshot
from clusters.engine.world import World, no_changes
from tests.engine.builders import a_node, a_pod

NOBODY = np.empty(0, np.int64)


@pytest.fixture
def snapshot() -> Snapshot:
    """Three nodes: two pods on n0, one on n1, and pods nominated to n1 and n2."""
    return Snapshot.from_objects(
        [
            *(a_node(f"n{number}") for number in range(3)),
            a_pod("a", node="n0", labels={"app": "web"}),
            a_pod("b", node="n0", labels={"app": "db"}),
            a_pod("c", node="n1", labels={"app": "web"}),
            a_pod("d", nominated="n1", labels={"app": "web"}),
            a_pod("e", nominated="n2", labels={"app": "web"}),
        ]
    )


def slots(snapshot: Snapshot, names: str) -> list[int]:
    return [snapshot.pods.slot_of[f"default/{name}"] for name in names]


def a_world(snapshot: Snapshot, *, joining: str = "", leaving: str = "") -> World:
    removed = np.array(slots(snapshot, leaving), np.int64)
    return World.adding(snapshot.pods, slots(snapshot, joining)).removing(snapshot.pods, removed, NOBODY)


def label_sets(snapshot: Snapshot, names: str) -> set[int]:
    return {int(snapshot.pods.label_set[slot]) for slot in slots(snapshot, names)}


@pytest.mark.parametrize(
    ("joining", "leaving", "pods"),
    [
        ("", "", [0, 0, 0]),
        ("de", "", [0, 1, 1]),
        ("", "abc", [-2, -1, 0]),
        ("d", "ac", [-1, 0, 0]),
    ],
)
def test_sums_by_node(snapshot: Snapshot, joining: str, leaving: str, pods: list[int]) -> None:
    world = a_world(snapshot, joining=joining, leaving=leaving)
    weights = np.full(len(world.slots), 10)

    assert world.per_node(weights, 3).tolist() == [10 * number for number in pods]
    assert world.per_node(np.stack([weights, weights + 1], axis=1), 3).tolist() == [
        [10 * number, 11 * number] for number in pods
    ]


@pytest.mark.parametrize(
    ("meant", "counts"), [("a", [-1, 0, 1]), ("b", [-1, 0, 0]), ("ab", [-2, 0, 1]), ("", [0, 0, 0])]
)
def test_only_pods_with_the_labels_count(snapshot: Snapshot, meant: str, counts: list[int]) -> None:
    world = a_world(snapshot, joining="de", leaving="abc")

    assert world.count(snapshot.pods, label_sets(snapshot, meant), 3).tolist() == counts


def test_who_leaves_comes_before_who_joins(snapshot: Snapshot) -> None:
    world = a_world(snapshot, joining="d", leaving="ac")

    assert world.slots.tolist() == slots(snapshot, "acd")
    assert world.rows.tolist() == [0, 1, 1]
    assert world.signs.tolist() == [-1, -1, 1]


def test_who_came_back_is_remembered_but_changes_nothing(snapshot: Snapshot) -> None:
    back = np.array(slots(snapshot, "a"))
    world = no_changes().removing(snapshot.pods, NOBODY, back)

    assert world.returned.tolist() == back.tolist()
    assert world.per_node(np.ones(len(world.slots), np.int64), 3).tolist() == [0, 0, 0]
