"""An error at any point ends the cycle, and takes the place of the FailedScheduling text."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.conclusion import Conclusion, PossibleError
from clusters.engine.scheduling import Part, stages
from clusters.engine.status import Phase
from tests.engine.builders import Document, a_node, a_pod, explanation_of

PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
NOT_A_NUMBER = (
    'running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0]: Invalid value: "abc": '
    "for 'Gt', 'Lt' operators, the value must be an integer"
)
NO_OWNER = "PVC default/old-tmp was not created for pod default/old (pod is not owner)"
WITHOUT_PRE_SCORE: Document = {
    "profiles": [{"plugins": {"multiPoint": {"disabled": [{"name": "PodTopologySpread"}]}, "score": {"enabled": [
        {"name": "PodTopologySpread"}]}}}]
}  # fmt: skip


def preferring_a_number(**fields: Any) -> Document:
    preference = {"matchExpressions": [{"key": "cores", "operator": "Gt", "values": ["abc"]}]}
    return a_pod(affinity={"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": preference}]}}, **fields)


def claiming(**fields: Any) -> Document:
    return a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "data"}}], **fields)


def a_cluster_with_a_stolen_claim(*names: str, on: str) -> list[Document]:
    """Nodes that count volumes, and on one of them a pod whose ephemeral volume's claim is another's."""
    template = {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
    old = a_pod("old", node=on)
    old["spec"]["volumes"] = [{"name": "tmp", "ephemeral": {"volumeClaimTemplate": template}}]
    claims = [
        {
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": "default", "uid": name},
            "spec": {**template["spec"], "storageClassName": "fast"},
        }
        for name in ("data", "old-tmp")
    ]
    drivers = [{"name": "d", "allocatable": {"count": 9}}]
    csi_nodes = [{"kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": drivers}} for name in names]
    fast = {
        "kind": "StorageClass",
        "metadata": {"name": "fast"},
        "provisioner": "d",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    return [*map(a_node, names), *csi_nodes, *claims, fast, old]


def test_a_preference_that_cannot_be_read_ends_every_cycle() -> None:
    explanation = explanation_of(preferring_a_number(), a_node("n0"), a_node("n1"))

    assert explanation.error is not None
    assert (explanation.error.phase, explanation.error.plugin) == (Phase.PRE_SCORE, "NodeAffinity")
    assert (explanation.fits, explanation.choices, explanation.message) == (False, [], NOT_A_NUMBER)
    assert explanation.feasible == ["n0", "n1"]
    assert (explanation.fit_error, explanation.preemption) == (None, None)
    assert explanation.conclusion is Conclusion.UNSCHEDULABLE
    assert explanation.as_recorded()["scoreError"] == NOT_A_NUMBER


def test_a_single_feasible_node_is_taken_without_the_score_that_would_fail() -> None:
    explanation = explanation_of(preferring_a_number(), a_node("n0"), a_node("n1", unschedulable=True))

    assert (explanation.error, explanation.choices) == (None, ["n0"])


def test_an_error_of_a_filter_on_one_node_ends_the_cycle_for_all() -> None:
    cluster = a_cluster_with_a_stolen_claim("n0", "n1", on="n0")
    explanation = explanation_of(claiming(), *cluster)

    assert explanation.feasible == ["n1"]
    assert explanation.error is not None
    assert (explanation.error.phase, explanation.error.node) == (Phase.FILTER, "n0")
    assert explanation.message == f'running "NodeVolumeLimits" filter plugin: {NO_OWNER}'
    assert (explanation.fits, explanation.preemption) == (False, None)
    assert explanation.as_recorded()["cycleError"] == explanation.message


def test_a_nominated_node_that_fits_is_taken_before_any_error() -> None:
    cluster = a_cluster_with_a_stolen_claim("n0", "n1", on="n0")

    assert explanation_of(claiming(nominated="n1"), *cluster).choices == ["n1"]
    assert explanation_of(preferring_a_number(nominated="n1"), a_node("n0"), a_node("n1")).choices == ["n1"]
    assert not explanation_of(claiming(nominated="n0"), *cluster).fits


def test_of_many_nodes_the_search_may_end_before_the_error() -> None:
    names = [f"n{number:03}" for number in range(130)]
    cluster = a_cluster_with_a_stolen_claim(*names, on="n000")
    explanation = explanation_of(claiming(), *cluster)

    assert explanation.error is None
    assert explanation.uncertainties == (PossibleError("NodeVolumeLimits", "n000"),)
    assert explanation.conclusion is Conclusion.UNCERTAIN
    every_node = explanation_of(claiming(), *cluster, percentageOfNodesToScore=100)
    assert every_node.error is not None


def test_a_spread_constraint_that_cannot_be_read_ends_the_cycle_in_pre_filter() -> None:
    selector = {"matchExpressions": [{"key": "app", "operator": "Near"}]}
    constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}
    hard = explanation_of(a_pod(topologySpreadConstraints=[constraint]), a_node("n0"))
    soft = explanation_of(
        a_pod(topologySpreadConstraints=[{**constraint, "whenUnsatisfiable": "ScheduleAnyway"}]),
        a_node("n0"),
        a_node("n1"),
    )

    wrong = '"Near" is not a valid label selector operator'
    assert hard.message == (
        'running PreFilter plugin "PodTopologySpread": get constraints from pod: '
        f"obtaining pod's hard topology spread constraints: {wrong}"
    )
    assert soft.message == (
        'running PreScore plugin "PodTopologySpread": calculating preScoreState: '
        f"obtaining pod's soft topology spread constraints: {wrong}"
    )


def test_a_profile_that_scores_without_the_plugins_pre_score_schedules_nothing() -> None:
    explanation = explanation_of(a_pod(), a_node("n0"), a_node("n1"), **WITHOUT_PRE_SCORE)

    assert explanation.message == (
        'running Score plugins: plugin "PodTopologySpread" failed with: '
        'error reading "PreScorePodTopologySpread" from cycleState: not found'
    )
    assert not explanation.fits


def test_a_score_beyond_int64_ends_the_cycle() -> None:
    """(allocatable − requested) × 100 leaves int64, so that the score is negative."""
    nodes = [a_node(name, allocatable={"memory": "100Pi", "cpu": "0"}) for name in ("n0", "n1")]
    explanation = explanation_of(a_pod(requests={"memory": "1Gi"}), *nodes)

    assert explanation.error is not None
    assert (explanation.error.phase, explanation.error.node) == (Phase.WEIGHING, "n0")
    assert explanation.message is not None
    assert explanation.message.startswith(
        'applying score defaultWeights on Score plugins: plugin "NodeResourcesFit" returns an invalid score -'
    )
    assert explanation.message.endswith(", it should in the range of [0, 100] after normalizing")
    assert explanation_of(a_pod(requests={"memory": "1Gi"}), nodes[0]).fits


def test_a_dry_run_that_fails_replaces_the_text_about_preemption() -> None:
    cluster = a_cluster_with_a_stolen_claim("n0", on="n0")
    victim = a_pod("victim", node="n0", requests={"cpu": "7"}, priority=-1)
    explanation = explanation_of(claiming(requests={"cpu": "2"}, priority=0), *cluster, victim)

    preemption = explanation.preemption
    assert preemption is not None
    assert (preemption.eligible, preemption.failed, preemption.candidates) == (True, True, ())
    assert explanation.message == (
        f'0/1 nodes are available: 1 Insufficient cpu. preemption: running "NodeVolumeLimits" filter plugin: {NO_OWNER}'
    )


@pytest.mark.parametrize(
    ("pod", "cluster", "point"),
    [
        (preferring_a_number(), [a_node("n0"), a_node("n1")], "preScore"),
        (claiming(), a_cluster_with_a_stolen_claim("n0", "n1", on="n0"), "filter"),
    ],
)
def test_nothing_is_reached_after_an_error(pod: Document, cluster: list[Document], point: str) -> None:
    explanation = explanation_of(pod, *cluster)
    found = {stage.point: stage for stage in stages(explanation)}

    failed = [part for part in found[point].parts if part.part is Part.REJECTED]
    assert explanation.error is not None
    assert [part.plugin for part in failed] == [explanation.error.plugin]
    assert not any(found[later].reached for later in ("postFilter", "score", "normalizeScore", "reserve", "bind"))


def test_amounts_beyond_int64_never_fail_a_cluster() -> None:
    """Two such containers of one bound pod wrap, as they do in the scheduler's own sum."""
    huge = a_pod("huge", node="n0")
    huge["spec"]["containers"] = [
        {"name": name, "resources": {"requests": {"cpu": cpu}}} for name, cpu in (("a", "9223372036854775"), ("b", "2"))
    ]
    snapshot = Snapshot.from_objects([a_node("n0"), huge])

    assert snapshot.nodes.requested[0, 0] == -9223372036854774616
    assert explanation_of(a_pod(requests={"cpu": "1"}), a_node("n0"), huge).as_recorded()["feasible"] in (["n0"], [])
