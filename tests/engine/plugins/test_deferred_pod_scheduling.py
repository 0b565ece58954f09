"""Pods whose resize is deferred: the scheduler of 1.37 tries them on their own node, where room may be made."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.deferred_pod_scheduling import FITS
from clusters.engine.registry import registered_events
from clusters.engine.scheduling import Part, stages
from clusters.engine.versions import RELEASES, Gate
from tests.engine.builders import Document, a_node, a_pod
from tests.support.answers import known

RELEASE = RELEASES["1.37"].with_gates({Gate.RESIZE_PREEMPTION: True})


def a_resized_pod(cpu: str = "3", reason: str = "Deferred", **fields: Any) -> Document:
    pod = a_pod("web", node="own", requests={"cpu": cpu}, **fields)
    conditions = [{"type": "PodScheduled", "status": "True"}, {"type": "PodResizePending", "reason": reason}]
    return {**pod, "status": {"phase": "Running", "conditions": conditions}}


def nodes(**spec: Any) -> list[Document]:
    """The pod's own node with room for four, and an empty one that is larger."""
    own = a_node("own", allocatable={"cpu": "4", "pods": "5"})
    return [{**own, "spec": {**own.get("spec", {}), **spec}}, a_node("other", allocatable={"cpu": "64", "pods": "5"})]


def explained(pod: Document, *objects: Document, release: Any = RELEASE) -> Explanation:
    snapshot = Snapshot.from_objects([*objects, pod], release)
    return explain(snapshot, pod, SchedulerConfiguration.default(release).profiles[0])


def fitting(found: Explanation) -> list[str]:
    return [found.snapshot.nodes.names[row] for row in found.cycle.feasible.tolist()]


def rejections(found: Explanation) -> dict[str, tuple[str, ...]]:
    """What every filter says of the pod's own node that rejects it, the first that does first."""
    return {name: status.texts for name, status in found.rejections_of(found.snapshot.nodes.index["own"]).items()}


@pytest.mark.parametrize(
    ("pod", "release"),
    [
        (a_resized_pod(), RELEASES["1.37"]),
        (a_resized_pod(), RELEASES["1.36"]),
        (a_resized_pod(reason="Infeasible"), RELEASE),
        (a_pod("web", node="own", requests={"cpu": "3"}), RELEASE),
    ],
)
def test_any_other_pod_that_runs_is_judged_as_if_it_were_pending(pod: Document, release: Any) -> None:
    found = explained(pod, *nodes(), a_pod("neighbour", node="own", requests={"cpu": "2"}), release=release)

    assert fitting(found) == ["other"]


def test_permit_leaves_a_resize_that_fits_to_the_kubelet() -> None:
    found = explained(a_resized_pod("2"), *nodes())
    parts = [part for stage in stages(found) for part in stage.parts if part.plugin == "DeferredPodScheduling"]

    assert [part.part for part in parts][-1] is Part.REJECTED
    assert known(parts[-1].status).texts == (FITS,)


def test_a_node_that_is_full_of_pods_counts_the_resized_one_once_more() -> None:
    others = [a_pod(f"other-{number}", node="own") for number in range(4)]

    assert fitting(explained(a_resized_pod(), *nodes(), *others[:3])) == ["own"]
    assert rejections(explained(a_resized_pod(), *nodes(), *others)) == {"NodeResourcesFit": ("Too many pods",)}


def test_a_change_of_the_node_s_policy_requeues_it() -> None:
    assert registered_events("DeferredPodScheduling", RELEASE) == (
        ClusterEvent.NODE_PREEMPTION_POLICY,
        ClusterEvent.NODE_ADD,
    )
