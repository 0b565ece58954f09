"""By which labels a pod without constraints is spread: those of its services and of its controller together."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.objects import Pod
from clusters.engine.selectors import EVERYTHING, LabelSelector
from clusters.engine.spreading.constraints import default_selector
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of

LABELS = {"app": "web", "tier": "front", "track": "beta"}


def a_service(selector: Any, *, namespace: str = "default", name: str = "service") -> Document:
    return {"kind": "Service", "metadata": {"name": name, "namespace": namespace}, "spec": {"selector": selector}}


def a_controller(kind: str, selector: Any, *, namespace: str = "default") -> Document:
    return {"kind": kind, "metadata": {"name": "owner", "namespace": namespace}, "spec": {"selector": selector}}


def owned(kind: str | None, version: str = "apps/v1", *, controls: bool = True) -> Document:
    pod = a_pod(labels=LABELS)
    if kind is not None:
        owner = {"kind": kind, "apiVersion": version, "name": "owner", "controller": controls}
        pod["metadata"]["ownerReferences"] = [{"kind": "Node", "name": "other"}, owner]
    return pod


def selector(pod: Document, *objects: Document) -> LabelSelector:
    return default_selector(Snapshot.from_objects(objects), Pod(pod))


def demands(labels: dict[str, str], *expressions: dict[str, Any]) -> LabelSelector:
    return LabelSelector.from_dict({"matchLabels": labels, "matchExpressions": list(expressions)})


@pytest.mark.parametrize(
    ("services", "labels"),
    [
        pytest.param((), {}, id="no service"),
        pytest.param((a_service({"app": "web"}),), {"app": "web"}, id="one that selects it"),
        pytest.param((a_service({"app": "web", "tier": "back"}),), {}, id="one that does not"),
        pytest.param((a_service({"app": "web"}, namespace="other"),), {}, id="one of another namespace"),
        pytest.param((a_service(None),), {}, id="one without a selector"),
        pytest.param((a_service({}),), {}, id="one with an empty selector"),
        pytest.param(
            (a_service({"app": "web"}, name="a"), a_service({"tier": "front"}, name="b")),
            {"app": "web", "tier": "front"},
            id="two that select it",
        ),
    ],
)
def test_services(services: tuple[Document, ...], labels: dict[str, str]) -> None:
    assert selector(owned(None), *services) == demands(labels)


@pytest.mark.parametrize("kind", ["ReplicaSet", "StatefulSet"])
def test_a_controller_adds_its_selector(kind: str) -> None:
    expression = {"key": "track", "operator": "In", "values": ["beta", "stable"]}
    controller = a_controller(kind, {"matchLabels": {"tier": "front"}, "matchExpressions": [expression]})

    assert selector(owned(kind), controller) == demands({"tier": "front"}, expression)
    assert selector(owned(kind), controller, a_service({"app": "web"})) == demands(
        {"app": "web", "tier": "front"}, expression
    )


def test_a_replication_controller_has_plain_labels_that_win_over_those_of_services() -> None:
    controller = a_controller("ReplicationController", {"app": "web", "tier": "front"})

    assert selector(owned("ReplicationController", "v1"), controller, a_service({"app": "web"})) == demands(
        {"app": "web", "tier": "front"}
    )
    assert selector(owned("ReplicationController", "v1"), a_controller("ReplicationController", None)) == EVERYTHING


@pytest.mark.parametrize(
    ("pod", "controller"),
    [
        pytest.param(owned("ReplicaSet"), None, id="the controller is gone"),
        pytest.param(
            owned("ReplicaSet", controls=False), a_controller("ReplicaSet", {"matchLabels": LABELS}), id="a mere owner"
        ),
        pytest.param(owned("Job", "batch/v1"), a_controller("Job", {"matchLabels": LABELS}), id="a job"),
        pytest.param(
            owned("ReplicaSet", "example.com/v1"), a_controller("ReplicaSet", {"matchLabels": LABELS}), id="namesake"
        ),
        pytest.param(
            owned("ReplicaSet"),
            a_controller("ReplicaSet", {"matchLabels": LABELS}, namespace="other"),
            id="of another namespace",
        ),
        pytest.param(
            owned("ReplicaSet"), a_controller("ReplicaSet", {"matchLabels": {"app": "no value!"}}), id="unreadable"
        ),
    ],
)
def test_only_services_count_where_no_controller_can_be_read(pod: Document, controller: Document | None) -> None:
    objects = () if controller is None else (controller,)

    assert selector(pod, a_service({"app": "web"}), *objects) == demands({"app": "web"})


def test_pods_of_a_service_keep_apart_and_others_do_not_care() -> None:
    cluster = (a_node("n1"), a_node("n2"), a_pod("p", node="n1", labels=LABELS), a_service({"app": "web"}))

    assert "PodTopologySpread" in explanation_of(a_pod(), *cluster).cycle.unscored
    # By host name with maxSkew 3: one pod × ln(2 nodes + 2) + 3 - 1 = 3.39 on the first node, 0 + 3 - 1 on the second.
    # Without a zone neither node is scored by that.
    assert raw_scores_of(explanation_of(owned(None), *cluster), "PodTopologySpread") == {"n1": 3, "n2": 2}


def test_pods_of_a_service_keep_to_zones_and_nodes_with_the_systems_own_skews() -> None:
    """By node with maxSkew 3, by zone with 5: ln(4) + 2 and ln(4) + 4 are 8.77; without pods 2 + 4."""
    nodes = (a_node("n1", zone="a"), a_node("n2", zone="b"))
    cluster = (*nodes, a_pod("p", node="n1", labels=LABELS), a_service({"app": "web"}))

    assert raw_scores_of(explanation_of(owned(None), *cluster), "PodTopologySpread") == {"n1": 9, "n2": 6}
