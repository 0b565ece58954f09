"""Pods placed one after another see each other, and only those."""

from __future__ import annotations

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling import place
from tests.engine.builders import Document, a_node, a_pod

DEFAULT = SchedulerConfiguration.default()


def nodes_of(snapshot: Snapshot, pods: list[Document]) -> list[str]:
    return [placement.node for placement in place(snapshot, pods, DEFAULT)]


def test_each_pod_takes_room_from_the_next() -> None:
    snapshot = Snapshot.from_objects([a_node(name, allocatable={"cpu": "2"}) for name in ("a", "b")])
    pods = [a_pod(f"web-{number}", requests={"cpu": "1500m"}) for number in range(3)]

    assert nodes_of(snapshot, pods) == ["a", "b", ""]
    assert [snapshot.placed_on(f"default/web-{number}") for number in range(3)] == ["a", "b", None]


def test_an_explanation_is_of_the_state_before_the_placement() -> None:
    snapshot = Snapshot.from_objects([a_node("a", allocatable={"cpu": "2"})])
    pods = [a_pod(name, requests={"cpu": "1"}) for name in ("one", "two", "three")]
    seen = [
        (placement.explanation.feasible, int(snapshot.nodes.requested[0].sum()))
        for placement in place(snapshot, pods, DEFAULT)
    ]

    assert seen == [(["a"], 0), (["a"], 1000), ([], 2000)]


def test_a_gated_pod_is_not_placed() -> None:
    gated = a_pod("gated", schedulingGates=[{"name": "wait"}])

    assert nodes_of(Snapshot.from_objects([a_node("a")]), [gated]) == [""]


def test_a_pod_of_another_node_is_placed_anew() -> None:
    old = a_pod("web", node="gone")
    snapshot = Snapshot.from_objects([a_node("a"), old])

    assert nodes_of(snapshot.delete(old), [old]) == ["a"]
    assert snapshot.placed_on("default/web") == "a"
