"""Pods placed one after another see each other, and only those."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.evidence import UnreadableVolumes
from clusters.engine.objects import Pod
from clusters.engine.scheduling import place
from clusters.engine.selectors import EVERYTHING, LabelSelector
from clusters.engine.spreading.constraints import default_selector
from clusters.engine.status import Code
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of
from tests.engine.storage_builders import uses

DEFAULT = SchedulerConfiguration.default()


def nodes_of(snapshot: Snapshot, pods: list[Document]) -> list[str]:
    return [placement.node for placement in place(snapshot, pods, DEFAULT)]


def test_each_pod_takes_room_from_the_next() -> None:
    snapshot = Snapshot.from_objects([a_node(name, allocatable={"cpu": "2"}) for name in ("a", "b")])
    pods = [a_pod(f"web-{number}", requests={"cpu": "1500m"}) for number in range(3)]

    assert nodes_of(snapshot, pods) == ["a", "b", ""]
    assert [snapshot.placed_on(f"default/web-{number}") for number in range(3)] == ["a", "b", None]


def test_an_explanation_is_of_the_state_before_the_placement() -> None:
    snapshot = Snapshot.from_objects([a_node("a", allocatable={"cpu": "2"})])
    pods = [a_pod(name, requests={"cpu": "1"}) for name in ("one", "two", "three")]
    seen = [
        (placement.explanation.feasible, int(snapshot.nodes.requested[0].sum()))
        for placement in place(snapshot, pods, DEFAULT)
    ]

    assert seen == [(["a"], 0), (["a"], 1000), ([], 2000)]


def test_a_gated_pod_is_not_placed() -> None:
    gated = a_pod("gated", schedulingGates=[{"name": "wait"}])

    assert nodes_of(Snapshot.from_objects([a_node("a")]), [gated]) == [""]


def test_a_pod_of_another_node_is_placed_anew() -> None:
    old = a_pod("web", node="gone")
    snapshot = Snapshot.from_objects([a_node("a"), old])

    assert nodes_of(snapshot.delete(old), [old]) == ["a"]
    assert snapshot.placed_on("default/web") == "a"


CLAIM_READERS = ("VolumeRestrictions", "VolumeBinding", "VolumeZone", "NodeVolumeLimits")


def only(extension_point: str, plugin: str) -> Document:
    """Profiles in which a plugin is left out of everything but one extension point."""
    plugins = {"multiPoint": {"disabled": [{"name": plugin}]}, extension_point: {"enabled": [{"name": plugin}]}}
    return {"profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}]}


@pytest.mark.parametrize(
    ("plugin", "error"),
    [
        ("NodeResourcesFit", 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'),
        ("NodePorts", 'reading "PreFilterNodePorts" from cycleState: not found'),
        ("PodTopologySpread", 'reading "PreFilterPodTopologySpread" from cycleState: not found'),
        ("InterPodAffinity", 'error reading "PreFilterInterPodAffinity" from cycleState: not found'),
        ("VolumeRestrictions", 'cannot read "PreFilterVolumeRestrictions" from cycleState'),
        ("VolumeBinding", "not found"),
    ],
)
def test_filter_that_builds_on_its_prefilter_is_an_error_without(plugin: str, error: str) -> None:
    found = explanation_of(a_pod(), a_node("n0"), **only("filter", plugin))

    assert found.rejections_of(0)[plugin].code is Code.ERROR
    assert found.rejections_of(0)[plugin].texts == (error,)
    verdict = found.verdict_of(0)
    assert verdict is not None
    assert verdict.status.texts == (f'running "{plugin}" filter plugin: {error}',)


@pytest.mark.parametrize(
    "plugin", ["NodeName", "NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodeVolumeLimits", "VolumeZone"]
)
def test_filter_that_needs_no_prefilter_does_without(plugin: str) -> None:
    assert explanation_of(a_pod(), a_node("n0"), **only("filter", plugin)).feasible == ["n0"]


def test_relaxing_such_a_filter_lets_the_pod_in() -> None:
    found = explanation_of(a_pod(), a_node("n0"), **only("filter", "NodePorts"))

    assert [[part.plugin for part in lift.lifted] for lift in found.relaxations.filters] == [["NodePorts"]]


@pytest.mark.parametrize("plugin", ["InterPodAffinity", "PodTopologySpread", "TaintToleration"])
def test_score_that_builds_on_its_prescore_leaves_nodes_unranked(plugin: str) -> None:
    found = explanation_of(a_pod(), a_node("n0"), a_node("n1"), **only("score", plugin))

    assert found.feasible == ["n0", "n1"]
    assert found.best == []
    assert found.cycle.score_error is not None
    assert found.cycle.score_error.plugin == plugin


def test_pod_that_asks_for_nothing_is_nowhere_balanced() -> None:
    found = explanation_of(a_pod(), a_node("n0"), **only("score", "NodeResourcesBalancedAllocation"))

    assert [cell.raw for cell in found.cells_of(0) if cell.plugin == "NodeResourcesBalancedAllocation"] == [0]


def test_zones_of_unreadable_claims_reject_every_node() -> None:
    pod = a_pod(volumes=[uses("gone")])
    plugins = {"multiPoint": {"disabled": [{"name": name} for name in CLAIM_READERS]}}
    plugins["filter"] = {"enabled": [{"name": "VolumeZone"}]}
    profiles = [{"schedulerName": "default-scheduler", "plugins": plugins}]
    found = explanation_of(pod, a_node("n0"), profiles=profiles)

    assert found.rejections_of(0)["VolumeZone"].texts == ('persistentvolumeclaim "gone" not found',)
    said = ('persistentvolumeclaim "gone" not found',)
    assert found.evidence(0)["VolumeZone"] == (UnreadableVolumes(found.pod.key, said),)
    assert [[part.plugin for part in lift.lifted] for lift in found.relaxations.filters] == [["VolumeZone"]]


def unreadable() -> dict[str, Any]:
    requirement = {"key": "cores", "operator": "In", "values": ["-3"]}
    term = {"weight": 1, "preference": {"matchExpressions": [requirement]}}
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [term]}}


def test_unreadable_preference_leaves_several_nodes_unranked() -> None:
    answer = explanation_of(a_pod(affinity=unreadable()), a_node("n0"), a_node("n1")).as_recorded()

    assert answer["feasible"] == ["n0", "n1"]
    assert answer["best"] == []
    assert "chosen" not in answer


def test_single_feasible_node_needs_no_score() -> None:
    assert explanation_of(a_pod(affinity=unreadable()), a_node("n0")).best == ["n0"]


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
