"""Circumstances of what pods request: more than any node has, and what nodes are kept for."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.analysis import LargerThanNodes, ReservedForResource, circumstances, finding_of
from tests.engine.builders import a_node, a_pod, explanation_of


@pytest.mark.parametrize(
    ("requests", "larger"),
    [
        ({"cpu": "9"}, [LargerThanNodes("cpu", 9_000, 8_000, "closed")]),
        # It is no larger than a node, though no node has as much free.
        ({"cpu": "8"}, []),
        ({"cpu": "5", "memory": "17Gi"}, [LargerThanNodes("memory", 17 * 2**30, 16 * 2**30, "closed")]),
        ({"example.com/gpu": "1"}, [LargerThanNodes("example.com/gpu", 1, 0, "")]),
        # The devices are there, and not offered.
        ({"example.com/nic": "2"}, []),
    ],
)
def test_a_pod_that_is_larger_than_any_node_is_told_from_one_for_which_there_is_no_room(
    requests: dict[str, str], larger: list[LargerThanNodes]
) -> None:
    node = a_node("n", allocatable={"cpu": "6", "example.com/nic": "1"})
    node["status"]["capacity"] = {**node["status"]["allocatable"], "example.com/nic": "2"}
    closed = a_node("closed", unschedulable=True)

    explanation = explanation_of(a_pod(requests=requests), node, closed, a_pod("old", node="n", requests={"cpu": "2"}))

    assert [each for each in circumstances(explanation) if isinstance(each, LargerThanNodes)] == larger
    is_named = any(each.node for each in larger)
    assert finding_of(explanation).cause.is_too_large is is_named


def test_nodes_that_are_kept_for_a_resource_are_told_to_pods_that_request_it() -> None:
    taints = [{"key": "example.com/gpu", "effect": "NoSchedule"}, {"key": "gold", "effect": "NoSchedule"}]
    kept = a_node("kept", allocatable={"example.com/gpu": "2"}, taints=taints[:1])
    gold = a_node("gold", taints=taints[1:])

    def told(**fields: Any) -> list[ReservedForResource]:
        found = circumstances(explanation_of(a_pod(requests={"example.com/gpu": "1"}, **fields), kept, gold))
        return [each for each in found if isinstance(each, ReservedForResource)]

    assert told() == [ReservedForResource("example.com/gpu", ("kept",), 1)]
    assert told(nodeSelector={"a": "b"}, tolerations=[{"key": "example.com/gpu", "operator": "Exists"}]) == []
    assert circumstances(explanation_of(a_pod(), kept, gold)) == []
