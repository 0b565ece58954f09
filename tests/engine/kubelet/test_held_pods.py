"""Pods that finalizers hold, where another one needs what they hold."""

from __future__ import annotations

from clusters.engine.analysis import AwaitTerminating, ReleaseFinalizers, remedies_of
from tests.engine.builders import Document, a_node, a_pod, explanation_of


def leaving(pod: Document) -> Document:
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-11-20T06:00:00Z"}}


def held(pod: Document) -> Document:
    status = {"phase": "Running", "containerStatuses": [{"name": "c", "state": {"terminated": {"exitCode": 0}}}]}
    gone = leaving(pod)
    return {**gone, "metadata": {**gone["metadata"], "finalizers": ["example.com/a"]}, "status": status}


def test_a_pod_that_finalizers_hold_is_not_waited_for() -> None:
    one, two = a_node("n", allocatable={"cpu": "4", "pods": "1"}), a_node("m", allocatable={"cpu": "4", "pods": "1"})
    kept, going = held(a_pod("kept", node="n")), leaving(a_pod("going", node="m"))

    assert remedies_of(explanation_of(a_pod(), one, kept)) == [ReleaseFinalizers("n", ("default/kept",))]
    assert remedies_of(explanation_of(a_pod(), one, two, kept, going)) == [AwaitTerminating("m", ("default/going",))]
