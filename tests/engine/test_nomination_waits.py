"""What a nominated pod waits for: its node, and whose termination."""

from __future__ import annotations

from clusters.engine.analysis import awaited
from clusters.engine.analysis.causes import Awaited
from tests.engine.builders import Document, a_node, a_pod, explanation_of


def leaving(name: str, *, priority: int = 0, node: str = "n") -> Document:
    pod = a_pod(name, node=node, requests={"cpu": "8"}, priority=priority)
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}


def waits(*others: Document, nominated: str | None = "n", priority: int = 10) -> Awaited | None:
    pod = a_pod("urgent", requests={"cpu": "4"}, nominated=nominated, priority=priority)
    return awaited(explanation_of(pod, a_node("n"), a_node("m"), *others))


FULL = a_pod("full", node="m", requests={"cpu": "8"}, priority=20)


def test_terminating_pods_of_lower_priority_on_its_node_are_named() -> None:
    others = [leaving("low"), leaving("equal", priority=10), FULL]

    assert waits(*others) == Awaited("n", ("default/low",))


def test_a_pod_that_fits_or_is_not_nominated_waits_for_nobody() -> None:
    assert waits(FULL) is None
    assert waits(leaving("low"), FULL, nominated=None) is None
    assert waits(leaving("low"), FULL, nominated="gone") is None


def test_a_pod_that_would_preempt_once_more_does_not_wait() -> None:
    assert waits(a_pod("low", node="n", requests={"cpu": "8"}), FULL) is None


def test_a_pod_whose_node_was_taken_by_others_waits_for_none_of_them() -> None:
    assert waits(a_pod("high", node="n", requests={"cpu": "8"}, priority=20), FULL) == Awaited("n", ())
