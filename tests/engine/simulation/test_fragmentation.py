"""What is left of a cluster for the shapes that are asked for most."""

from __future__ import annotations

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation.measures import Portion, fragmentation_of, headroom, reference_shapes
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.changing import owned

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
