"""Profiles that run a plugin at one extension point but not at the one before, and preferences nobody can read."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.evidence import UnreadableVolumes
from clusters.engine.status import Code
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import uses

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
    assert found.rejections_of(0)[plugin].reasons == (error,)
    verdict = found.verdict_of(0)
    assert verdict is not None
    assert verdict.status.reasons == (f'running "{plugin}" filter plugin: {error}',)


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

    assert found.rejections_of(0)["VolumeZone"].reasons == ('persistentvolumeclaim "gone" not found',)
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
