"""Worked examples of the documentation, by number: what evicts pods, in which order nodes are tried, updates."""

from __future__ import annotations

import pytest

from clusters.engine.columns import interleaved
from clusters.engine.disruption.failing_nodes import tolerated_seconds
from clusters.engine.objects import Node
from clusters.engine.rollout import plan_of
from clusters.engine.taints import Taint
from tests.engine.builders import Document, a_node, a_pod, explanation_of

CUSTOM = Taint("key1", "value1", "NoExecute")
NOT_READY = Taint("node.kubernetes.io/not-ready", "", "NoExecute")
UNREACHABLE = Taint("node.kubernetes.io/unreachable", "", "NoExecute")


def tolerating(taint: Taint, seconds: int | None = None) -> Document:
    operator = {"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"}
    found: Document = {"key": taint.key, "effect": taint.effect, **operator}
    return found if seconds is None else {**found, "tolerationSeconds": seconds}


def test_e14_a_pod_stays_as_long_as_it_tolerates_the_taint() -> None:
    assert tolerated_seconds([CUSTOM], [tolerating(CUSTOM, 3600)]) == 3600
    # Without tolerationSeconds it stays, without a toleration it goes at once, and a removed taint evicts nobody.
    assert tolerated_seconds([CUSTOM], [tolerating(CUSTOM)]) is None
    assert tolerated_seconds([CUSTOM], []) == 0
    assert tolerated_seconds([], [tolerating(CUSTOM, 3600)]) is None


@pytest.mark.parametrize("taint", [NOT_READY, UNREACHABLE])
def test_e15_default_tolerations_last_five_minutes_and_those_of_daemon_sets_for_ever(taint: Taint) -> None:
    defaults = [tolerating(each, 300) for each in (NOT_READY, UNREACHABLE)]

    assert tolerated_seconds([taint], defaults) == 300
    assert tolerated_seconds([taint], [tolerating(UNREACHABLE, 6000), tolerating(NOT_READY, 300)]) == (
        6000 if taint is UNREACHABLE else 300
    )
    assert tolerated_seconds([taint], [tolerating(NOT_READY), tolerating(UNREACHABLE)]) is None
    assert tolerated_seconds([taint, CUSTOM], defaults) == 0, "of several taints the shortest time counts"


@pytest.mark.parametrize(
    ("toleration", "tolerates"),
    [
        ({"key": "key1", "operator": "Equal", "value": "value1", "effect": "NoSchedule"}, True),
        ({"key": "key1", "operator": "Exists", "effect": "NoSchedule"}, True),
        pytest.param({"key": "key1", "value": "value1", "effect": "NoSchedule"}, True, id="Equal by default"),
        pytest.param({"operator": "Exists"}, True, id="every taint"),
        pytest.param({"key": "key1", "operator": "Exists"}, True, id="every effect of the key"),
        ({"key": "key1", "value": "value2", "effect": "NoSchedule"}, False),
        ({"key": "key1", "operator": "Exists", "effect": "NoExecute"}, False),
    ],
)
def test_e15b_what_a_toleration_matches(toleration: Document, tolerates: bool) -> None:
    node = a_node("node", taints=[{"key": "key1", "value": "value1", "effect": "NoSchedule"}])

    assert explanation_of(a_pod(tolerations=[toleration]), node).fits == tolerates


def test_e25_the_search_takes_the_zones_in_turn() -> None:
    zones = {"node-1": "1", "node-2": "1", "node-3": "1", "node-4": "1", "node-5": "2", "node-6": "2"}
    nodes = [Node.from_dict(a_node(name, zone=zone)) for name, zone in zones.items()]

    assert [nodes[row].name[-1] for row in interleaved(nodes)] == ["1", "5", "2", "6", "3", "4"]


def test_e67_a_quarter_of_three_replicas_is_one_more_and_none_less() -> None:
    """The documentation's "at least 2 up" is of a time when maxUnavailable was 1; 25 % of 3 is rounded down."""
    plan = plan_of({"kind": "Deployment", "metadata": {"name": "web"}, "spec": {}}, "Deployment", 3)

    assert plan is not None
    assert (plan.surge, plan.unavailable) == (1, 0)
    assert (plan.most, plan.fewest) == (4, 3)
