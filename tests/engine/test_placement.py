"""Pods placed one after another see each other, and only those."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.evidence import UnreadableVolumes
from clusters.engine.objects import Pod
from clusters.engine.selectors import EVERYTHING, LabelSelector
from clusters.engine.spreading.constraints import default_selector
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import uses

CLAIM_READERS = ("VolumeRestrictions", "VolumeBinding", "VolumeZone", "NodeVolumeLimits")


def only(extension_point: str, plugin: str) -> Document:
    """Profiles in which a plugin is left out of everything but one extension point."""
    plugins = {"multiPoint": {"disabled": [{"name": plugin}]}, extension_point: {"enabled": [{"name": plugin}]}}
    return {"profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}]}


@pytest.mark.parametrize(
    "plugin", ["NodeName", "NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodeVolumeLimits", "VolumeZone"]
)
def test_filter_that_needs_no_prefilter_does_without(plugin: str) -> None:
    assert explanation_of(a_pod(), a_node("n0"), **only("filter", plugin)).feasible == ["n0"]


def test_relaxing_such_a_filter_lets_the_pod_in() -> None:
    found = explanation_of(a_pod(), a_node("n0"), **only("filter", "NodePorts"))

    assert [[part.plugin for part in lift.lifted] for lift in found.relaxations.filters] == [["NodePorts"]]


def test_pod_that_asks_for_nothing_is_nowhere_balanced() -> None:
    found = explanation_of(a_pod(), a_node("n0"), **only("score", "NodeResourcesBalancedAllocation"))

    assert [cell.raw for cell in found.cells_of(0) if cell.plugin == "NodeResourcesBalancedAllocation"] == [0]


def test_zones_of_unreadable_claims_reject_every_node() -> None:
    pod = a_pod(volumes=[uses("gone")])
    plugins = {"multiPoint": {"disabled": [{"name": name} for name in CLAIM_READERS]}}
    plugins["filter"] = {"enabled": [{"name": "VolumeZone"}]}
    found = explanation_of(pod, a_node("n0"), profiles=[{"schedulerName": "default-scheduler", "plugins": plugins}])

    assert found.rejections_of(0)["VolumeZone"].texts == ('persistentvolumeclaim "gone" not found',)
    said = ('persistentvolumeclaim "gone" not found',)
    assert found.evidence(0)["VolumeZone"] == (UnreadableVolumes(found.pod.key, said),)
    assert [[part.plugin for part in lift.lifted] for lift in found.relaxations.filters] == [["VolumeZone"]]


def unreadable() -> dict[str, Any]:
    term = {"weight": 1, "preference": {"matchExpressions": [{"key": "cores", "operator": "In", "values": ["-3"]}]}}
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [term]}}


def test_unreadable_preference_ends_the_cycle_in_score_where_prescore_is_not_run() -> None:
    found = explanation_of(
        a_pod(affinity=unreadable()), a_node("n0"), a_node("n1"), **only("score", "NodeAffinity")
    ).as_recorded()

    told = "[0].matchExpressions[0].values[0][cores]: Invalid value"
    assert found["scoreError"].startswith(f'running Score plugins: plugin "NodeAffinity" failed with: {told}')
    assert found["best"] == []


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
