"""Pods that NoExecute taints drive out."""

from __future__ import annotations

import pytest

from clusters.engine import Snapshot
from clusters.engine.disruption import TaintEviction, taint_eviction
from clusters.engine.disruption.failing_nodes import tolerated_seconds
from clusters.engine.taints import Taint
from tests.engine.builders import Document, a_node, a_pod

NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}
OWN = {"key": "key1", "value": "value1", "effect": "NoExecute"}
# What admission adds to every pod.
USUAL = {**NOT_READY, "operator": "Exists", "tolerationSeconds": 300}
FOR_AN_HOUR = {**OWN, "operator": "Equal", "tolerationSeconds": 3600}
FOR_EVER = {"key": "key1", "operator": "Exists", "effect": "NoExecute"}


@pytest.mark.parametrize(
    ("taints", "tolerations", "seconds"),
    [
        ([OWN], [], 0),
        ([OWN], [FOR_AN_HOUR], 3600),
        ([OWN], [FOR_EVER], None),
        ([OWN], [{**FOR_AN_HOUR, "value": "other"}], 0),
        ([OWN], [{**FOR_AN_HOUR, "tolerationSeconds": -5}], 0),
        ([OWN], [{**FOR_AN_HOUR, "tolerationSeconds": 2**63 - 1}], None),
        ([OWN], [FOR_AN_HOUR, FOR_EVER], 3600),
        ([OWN], [FOR_EVER, FOR_AN_HOUR], None),
        ([NOT_READY, OWN], [USUAL], 0),
        ([NOT_READY, OWN], [USUAL, FOR_AN_HOUR], 300),
        ([NOT_READY, OWN], [USUAL, FOR_EVER], 300),
        ([NOT_READY], [{"operator": "Exists"}], None),
    ],
)
def test_shortest_of_the_tolerations_used_counts(
    taints: list[Document], tolerations: list[Document], seconds: int | None
) -> None:
    assert tolerated_seconds([Taint.from_dict(each) for each in taints], tolerations) == seconds


def test_pods_of_a_node_are_counted_by_when_they_go() -> None:
    snapshot = Snapshot.from_objects(
        [
            a_node("ill", taints=[NOT_READY, {"key": "gpu", "effect": "NoSchedule"}]),
            a_node("well"),
            a_pod("usual-1", node="ill", tolerations=[USUAL]),
            a_pod("usual-2", node="ill", tolerations=[USUAL]),
            a_pod("daemon", node="ill", tolerations=[{"operator": "Exists"}]),
            a_pod("bare", node="ill"),
            a_pod("elsewhere", node="well"),
        ]
    )

    assert taint_eviction(snapshot, "ill") == TaintEviction(stay=1, at_once=1, later={300: 2})
    assert taint_eviction(snapshot, "well") is None
