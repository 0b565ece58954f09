"""What PodTopologySpread brings forward as pods come and go is what it would count anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context, InStep
from clusters.engine.plugins.pod_topology_spread import PodTopologySpread
from tests.engine.builders import HOSTNAME, Document, a_node, a_pod
from tests.engine.plugins.topology_spread import GOLD, WEB, constraint, soft, spread

PROFILE = SchedulerConfiguration.default().profiles[0]
OTHERS = {"matchLabels": {"tier": "front"}}
NODES = [
    a_node("a1", zone="a"),
    a_node("a2", zone="a", taints=[GOLD]),
    a_node("b1", zone="b"),
    a_node("b2", zone="b", labels={"pool": "x"}),
    a_node("c1", zone="c", labels={"pool": "x"}),
    a_node("d1"),
]
LABELS = [WEB, {**WEB, "tier": "front"}, {"tier": "front"}, {}]
PODS = [
    spread(constraint(), soft(HOSTNAME), soft()),
    spread(soft(HOSTNAME), soft(HOSTNAME, labelSelector=OTHERS), soft("pool", 3, labelSelector=OTHERS)),
    spread(constraint(HOSTNAME, 2), constraint(nodeTaintsPolicy="Honor"), soft(nodeTaintsPolicy="Honor")),
]

# A pod by number comes to a node, is being deleted there, or is gone; nodes are told of by number, too.
changes = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from(["comes", "is being deleted", "is gone"]), st.integers(0, 5)),
    max_size=40,
)


def changed(snapshot: Snapshot, number: int, what: str, node: int) -> None:
    name = f"pod-{number}"
    pod: dict[str, Any] = a_pod(name, node=snapshot.nodes.names[node], labels=LABELS[number % len(LABELS)])
    if what == "is gone":
        snapshot.delete(pod)
        return
    if what == "is being deleted":
        pod["metadata"]["deletionTimestamp"] = "2025-01-01T00:00:00Z"
    snapshot.upsert(pod)


def answers(plugin: PodTopologySpread, rows: Any) -> tuple[list[int], list[int]]:
    """The nodes that it rejects, and the points of the others, as a simulation asks for them."""
    failed = plugin.filter().failed
    assert plugin.pre_score(rows).ok
    points, numbers = plugin.points(rows)
    rejected = [] if failed is None else np.flatnonzero(failed).tolist()
    return rejected, (points if numbers is None else points[numbers]).tolist()


@settings(max_examples=60)
@given(
    pod=st.sampled_from(PODS), rows=st.sets(st.integers(0, 5), min_size=1), steps=changes, inserted=st.integers(0, 40)
)
def test_what_is_brought_forward_is_what_is_counted_anew(
    pod: Document, rows: set[int], steps: list[tuple[int, str, int]], inserted: int
) -> None:
    snapshot = Snapshot.from_objects(NODES)
    followed = PodTopologySpread(Context(snapshot, Pod(pod), PROFILE.args, InStep(16)))
    followed.settle()
    searched = np.array(sorted(rows))
    for number, step in enumerate(steps):
        changed(snapshot, *step)
        if number == inserted:
            # Rows after it have other numbers from now on.
            snapshot.upsert(a_node("a0", zone="a"))
            followed = PodTopologySpread(Context(snapshot, Pod(pod), PROFILE.args, InStep(16)))
        anew = PodTopologySpread(Context(snapshot, Pod(pod), PROFILE.args))
        assert answers(followed.again(), searched) == answers(anew, searched)


def test_pods_with_labels_that_were_not_met_before_count() -> None:
    snapshot = Snapshot.from_objects(NODES)
    in_step, rows = InStep(16), np.arange(len(NODES))
    for number in range(40):
        snapshot.upsert(a_pod(f"pod-{number}", node="a1", labels={**WEB, "number": str(number)}))
        followed = PodTopologySpread(Context(snapshot, Pod(PODS[0]), PROFILE.args, in_step))
        anew = PodTopologySpread(Context(snapshot, Pod(PODS[0]), PROFILE.args))
        assert answers(followed, rows) == answers(anew, rows)
