"""What is left of a cluster for the shapes that are asked for most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Portion, fragmentation_of, headroom, measures, reference_shapes
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.changing import owned

if TYPE_CHECKING:
    import pytest

DEFAULT = SchedulerConfiguration.default()
GIB = 1024**3


def test_what_a_shape_leaves_lies_on_nodes_where_it_does_not_fit() -> None:
    snapshot = Snapshot.from_objects(
        [
            a_node("a", allocatable={"cpu": "4", "memory": "8Gi"}),
            a_node("b", allocatable={"cpu": "4", "memory": "8Gi"}),
            a_node("full", allocatable={"cpu": "8", "memory": "8Gi", "pods": "1"}),
            a_node("theirs", taints=[{"key": "team", "value": "x", "effect": "NoSchedule"}]),
            a_node("closed", unschedulable=True),
            a_pod("one", node="b", requests={"cpu": "3"}),
            a_pod("only", node="full"),
        ]
    )
    (found,) = fragmentation_of(snapshot, DEFAULT, [{"cpu": 2000, "memory": GIB}])
    asked = a_pod("shape", requests={"cpu": "2", "memory": "1Gi"})

    assert found.pods == headroom(snapshot, DEFAULT, [Portion(asked)]).count
    assert (found.pods, found.nodes) == (2, 1)
    assert (found.free, found.unusable) == (
        {"cpu": 13000, "memory": 24 * GIB},
        {"cpu": 9000, "memory": 16 * GIB},
    )


def test_the_reference_is_what_waits_most_often_or_what_runs() -> None:
    objects = [
        a_node("a"),
        *(a_pod(f"p{number}", node="a", requests={"cpu": f"{number + 1}00m"}) for number in range(4)),
        owned("log", "log", "a", kind="DaemonSet", requests={"cpu": "7"}),
    ]
    snapshot = Snapshot.from_objects(objects)
    waiting = [a_pod(f"w{number}", requests={"cpu": "1" if number else "2"}) for number in range(3)]

    assert reference_shapes(snapshot) == ({"cpu": 200},)
    assert reference_shapes(snapshot, waiting) == ({"cpu": 1000}, {"cpu": 2000})


def test_pods_that_are_counted_up_to_a_bound_are_at_least_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "_MOST_PODS", 1)
    nodes = [a_node(name, allocatable={"cpu": "4", "memory": "8Gi"}) for name in ("a", "b")]
    full = [a_node("full", allocatable={"cpu": "1", "memory": "8Gi"})]
    snapshot = Snapshot.from_objects(
        [*nodes, *full, a_pod("soon", nominated="full", requests={"cpu": "1"}, priority=9)]
    )

    # Beside nominated pods the shape is placed pod by pod.
    (found,) = fragmentation_of(snapshot, DEFAULT, [{"cpu": 2000}])

    assert (found.pods, found.nodes, found.is_whole) == (1, 1, False)
    # The node to which counting did not come is of use.
    assert found.unusable == {"cpu": 1000}
