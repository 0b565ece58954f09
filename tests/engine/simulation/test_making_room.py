"""Pods that could run elsewhere, so that a pod fits where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.analysis import MovePods, pods_to_move
from clusters.engine.objects import key_of
from tests.engine.builders import Document, a_node, a_pod, explanation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

BIG = a_pod("big", requests={"cpu": "3"})
HOST = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}


def owned(name: str, node: str, cpu: str, kind: str = "ReplicaSet", **fields: Any) -> Document:
    pod = a_pod(name, node=node, requests={"cpu": cpu}, labels={"app": "web"}, **fields)
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "u-web", "controller": True}
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}, "status": status}


def moved(pod: Document, *cluster: Document) -> MovePods | None:
    pods = {key_of(each): each for each in cluster if each["kind"] == "Pod"}

    def documents(keys: Sequence[str]) -> list[Document]:
        return [pods[key] for key in keys]

    return pods_to_move(explanation_of(pod, *cluster), SchedulerConfiguration.default(), documents)


def nodes(**cpu: str) -> list[Document]:
    return [a_node(name, allocatable={"cpu": amount}) for name, amount in cpu.items()]


def test_a_pod_that_fits_elsewhere_makes_room() -> None:
    cluster = [*nodes(a="4", b="4", c="2"), owned("web-1", "a", "1"), owned("web-2", "b", "2500m")]
    cluster.append(owned("web-3", "a", "1", kind="DaemonSet"))

    assert moved(BIG, *cluster) == MovePods("a", ("default/web-1",), ("c",))


def test_the_smallest_that_is_enough_goes() -> None:
    cluster = [*nodes(a="4", b="2"), owned("web-1", "a", "2"), owned("web-2", "a", "1")]

    assert moved(a_pod("big", requests={"cpu": "2"}), *cluster[:2], *cluster[2:], owned("web-3", "b", "500m")) == (
        MovePods("a", ("default/web-2",), ("b",))
    )


def test_several_go_where_one_is_not_enough() -> None:
    cluster = [*nodes(a="4", b="2"), owned("web-1", "a", "1"), owned("web-2", "a", "1")]

    assert moved(a_pod("big", requests={"cpu": "4"}), *cluster) == (
        MovePods("a", ("default/web-1", "default/web-2"), ("b", "b"))
    )


@pytest.mark.parametrize(
    "holder",
    [
        # Its replacement fits nowhere else, or nowhere at all.
        owned("web-1", "a", "3"),
        owned("web-1", "a", "1", nodeSelector={"disk": "ssd"}),
        # Nothing makes it again, or only there.
        a_pod("web-1", node="a", requests={"cpu": "1"}),
        owned("web-1", "a", "1", kind="DaemonSet"),
        owned("web-1", "a", "1", kind="Node"),
        # It loses what it has written.
        owned("web-1", "a", "1", volumes=[{"name": "data", "emptyDir": {}}]),
    ],
)
def test_a_pod_that_cannot_go_elsewhere_stays(holder: Document) -> None:
    cluster = [a_node("a", allocatable={"cpu": "3"}, labels={"disk": "ssd"}), *nodes(b="2")]

    assert moved(BIG, *cluster, holder) is None


def test_a_budget_that_allows_no_disruption_keeps_it() -> None:
    budget: Document = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default", "generation": 1},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}},
        "status": {"observedGeneration": 1, "disruptionsAllowed": 0, "desiredHealthy": 1, "currentHealthy": 1},
    }
    cluster = [*nodes(a="3", b="2"), owned("web-1", "a", "1")]
    allowing = {**budget, "status": {**budget["status"], "disruptionsAllowed": 1}}

    assert moved(BIG, *cluster, budget) is None
    assert moved(BIG, *cluster, allowing) == MovePods("a", ("default/web-1",), ("b",))
    # Of two pods of one budget that allows one disruption only one may go.
    both = [*nodes(a="3", b="2"), owned("web-1", "a", "1"), owned("web-2", "a", "1")]
    assert moved(BIG, *both) is not None
    assert moved(BIG, *both, allowing) is None


def guarded(pod: Document) -> Document:
    return {**pod, "metadata": {**pod["metadata"], "labels": {"app": "guarded"}}}


NO_DISRUPTION: Document = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "guarded", "namespace": "default", "generation": 1},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "guarded"}}},
    "status": {"observedGeneration": 1, "disruptionsAllowed": 0, "desiredHealthy": 1, "currentHealthy": 1},
}


def test_pods_that_may_not_go_leave_their_place_to_smaller_ones_together() -> None:
    small = [owned("web-1", "a", "1"), owned("web-2", "a", "1")]
    cluster = [*nodes(a="4100m", b="2"), guarded(owned("big-1", "a", "2")), *small, NO_DISRUPTION]

    assert moved(a_pod("big", requests={"cpu": "2100m"}), *cluster) == (
        MovePods("a", ("default/web-1", "default/web-2"), ("b", "b"))
    )


def test_a_pod_that_fits_nowhere_else_leaves_its_place_to_smaller_ones_together() -> None:
    small = [owned("web-1", "a", "1"), owned("web-2", "a", "1")]
    cluster = [*nodes(a="5100m", b="2"), owned("large", "a", "3"), *small]

    assert moved(a_pod("big", requests={"cpu": "2100m"}), *cluster) == (
        MovePods("a", ("default/web-1", "default/web-2"), ("b", "b"))
    )


@pytest.mark.parametrize("number", [8, 40])
def test_pods_that_may_not_go_hide_none_that_may(number: int) -> None:
    refused = [guarded(owned(f"guarded-{each}", "a", "200m")) for each in range(number)]
    cluster = [*nodes(a=f"{number * 200 + 211}m", b="201m"), *refused, owned("web-1", "a", "201m"), NO_DISRUPTION]

    assert moved(a_pod("new", requests={"cpu": "210m"}), *cluster) == MovePods("a", ("default/web-1",), ("b",))


def test_the_replacement_is_tried_beside_the_pod() -> None:
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [HOST]}}
    cluster = [*nodes(a="3", b="2"), owned("web-1", "a", "1", affinity=apart), owned("web-2", "b", "500m")]

    assert moved(BIG, *cluster) is None
    assert moved(BIG, *cluster[:-1]) == MovePods("a", ("default/web-1",), ("b",))


def test_a_node_that_something_else_keeps_closed_is_left_alone() -> None:
    closed = a_node("a", allocatable={"cpu": "3"}, taints=[{"key": "gold", "effect": "NoSchedule"}])

    assert moved(BIG, closed, *nodes(b="2"), owned("web-1", "a", "1")) is None


def test_what_preemption_does_by_itself_is_no_advice() -> None:
    cluster = [*nodes(a="3", b="2"), owned("web-1", "a", "1", priority=-1)]

    assert moved(BIG, *cluster) is None
    assert moved(a_pod("big", requests={"cpu": "3"}, preemptionPolicy="Never"), *cluster) is not None


def test_a_node_at_its_pod_limit_is_room_for_one_more() -> None:
    full = a_node("a", allocatable={"cpu": "8", "pods": "1"})
    cluster = [full, a_node("b", allocatable={"cpu": "2"}), owned("web-1", "a", "1")]

    assert moved(BIG, *cluster) == MovePods("a", ("default/web-1",), ("b",))
