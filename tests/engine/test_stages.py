"""Who had what part in an attempt, from PreEnqueue to PostBind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from clusters.engine.configuration import ExtensionPoint
from clusters.engine.plugins.node_affinity import REASON_POD
from clusters.engine.scheduling import Part, PluginPart, Stage, stages
from clusters.engine.scheduling.explanation import NORMALIZE_SCORE
from clusters.engine.versions import ASSUMED
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.strategies import corpus_cases
from tests.engine.test_explanation_properties import COMMON, explained

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from tests.engine.oracle import Case

Point = ExtensionPoint
GOLD: Document = {"key": "class", "value": "gold", "effect": "NoSchedule"}
TWO_NODES = (a_node("east", zone="a"), a_node("west", zone="b"))


def strip(explanation: Explanation) -> dict[str, Stage]:
    return {str(stage.point): stage for stage in stages(explanation)}


def part(explanation: Explanation, point: str, plugin: str) -> PluginPart:
    return next(each for each in strip(explanation)[point].parts if each.plugin == plugin)


def parts(explanation: Explanation, point: str) -> dict[str, Part]:
    return {each.plugin: each.part for each in strip(explanation)[point].parts}


def test_the_points_come_in_the_order_of_an_attempt() -> None:
    found = [stage.point for stage in stages(explanation_of(a_pod(), *TWO_NODES))]

    assert [point for point in found if point != NORMALIZE_SCORE] == list(ExtensionPoint)
    assert found.index(NORMALIZE_SCORE) == found.index(Point.SCORE) + 1


def test_every_default_plugin_stands_at_each_of_its_points() -> None:
    found = strip(explanation_of(a_pod(), *TWO_NODES))

    for plugin, points in ASSUMED.points.items():
        assert {point for point in ExtensionPoint if plugin in [each.plugin for each in found[point].parts]} == points
    normalising = [each.plugin for each in found[NORMALIZE_SCORE].parts]
    assert normalising == ["TaintToleration", "NodeAffinity", "PodTopologySpread", "InterPodAffinity"]


def test_a_pod_that_fits_on_several_nodes_is_scored_and_bound_unseen() -> None:
    explanation = explanation_of(a_pod(requests={"cpu": "1"}), *TWO_NODES, a_node("full", allocatable={"cpu": "500m"}))

    assert part(explanation, Point.FILTER, "NodeResourcesFit") == PluginPart(
        "NodeResourcesFit", Part.REJECTED, asked=3, rejected=1
    )
    assert part(explanation, Point.SCORE, "NodeResourcesFit").part is Part.RAN
    assert parts(explanation, Point.PRE_SCORE)["NodeAffinity"] is Part.SKIPPED
    assert parts(explanation, Point.SCORE)["NodeAffinity"] is Part.SKIPPED
    assert set(parts(explanation, Point.POST_FILTER).values()) == {Part.NOT_REACHED}
    assert parts(explanation, Point.BIND) == {"DefaultBinder": Part.NOT_COMPUTED}
    assert [stage.point for stage in stages(explanation) if not stage.reached] == [Point.POST_FILTER]


def test_a_single_node_that_fits_is_taken_without_scoring() -> None:
    explanation = explanation_of(a_pod(nodeSelector={ZONE: "a"}), *TWO_NODES)

    for point in (Point.PRE_SCORE, Point.SCORE, NORMALIZE_SCORE):
        assert set(parts(explanation, point).values()) <= {Part.NOT_REACHED}
        assert not strip(explanation)[point].reached
    assert strip(explanation)[Point.RESERVE].reached


def test_a_pod_that_fits_nowhere_asks_post_filter() -> None:
    explanation = explanation_of(a_pod(requests={"cpu": "99"}), *TWO_NODES)

    assert parts(explanation, Point.POST_FILTER) == {
        "DynamicResources": Part.REJECTED,
        "DefaultPreemption": Part.REJECTED,
    }
    message = part(explanation, Point.POST_FILTER, "DefaultPreemption").status.reasons[0]
    assert message == "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    assert not strip(explanation)[Point.BIND].reached
    assert parts(explanation, Point.BIND) == {"DefaultBinder": Part.NOT_REACHED}


def test_preemption_that_makes_room_has_run() -> None:
    low = a_pod("low", node="east", requests={"cpu": "8"})
    explanation = explanation_of(a_pod(requests={"cpu": "8"}, priority=9), a_node("east"), low)

    assert part(explanation, Point.POST_FILTER, "DefaultPreemption").part is Part.RAN


def test_a_filter_that_no_node_is_left_for_is_not_reached() -> None:
    explanation = explanation_of(
        a_pod(requests={"cpu": "99"}), *(a_node(name, taints=[GOLD]) for name in ("one", "two"))
    )

    found = parts(explanation, Point.FILTER)

    assert found["TaintToleration"] is Part.REJECTED
    assert found["NodeResourcesFit"] is Part.NOT_REACHED
    assert explanation.rejections_of(0).keys() == {"TaintToleration", "NodeResourcesFit"}


def test_pre_filter_that_ends_the_attempt_leaves_the_rest_unreached() -> None:
    claim = {"persistentVolumeClaim": {"claimName": "gone"}}
    explanation = explanation_of(a_pod(volumes=[claim]), *TWO_NODES)

    found = strip(explanation)[Point.PRE_FILTER].parts
    ended = next(number for number, each in enumerate(found) if each.part is Part.REJECTED)

    assert found[ended].status == explanation.cycle.stopped_by.status  # type: ignore[union-attr]
    assert {each.part for each in found[ended + 1 :]} == {Part.NOT_REACHED}
    assert not strip(explanation)[Point.FILTER].reached
    assert set(parts(explanation, Point.FILTER).values()) == {Part.NOT_REACHED}
    assert strip(explanation)[Point.POST_FILTER].reached


def test_names_of_nodes_that_exclude_each_other_end_with_the_last() -> None:
    fields = [{"key": "metadata.name", "operator": "In", "values": [name]} for name in ("east", "west")]
    rule = {"nodeSelectorTerms": [{"matchFields": fields}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": rule}}
    explanation = explanation_of(a_pod(affinity=affinity), *TWO_NODES)

    assert part(explanation, Point.PRE_FILTER, "NodeAffinity").part is Part.REJECTED
    assert REASON_POD not in part(explanation, Point.PRE_FILTER, "NodeAffinity").status.reasons


def test_gates_keep_a_pod_from_everything() -> None:
    explanation = explanation_of(a_pod(schedulingGates=[{"name": "wait"}]), *TWO_NODES)

    assert parts(explanation, Point.PRE_ENQUEUE) == {
        "SchedulingGates": Part.REJECTED,
        "DynamicResources": Part.NOT_REACHED,
        "DefaultPreemption": Part.NOT_REACHED,
    }
    assert [stage.point for stage in stages(explanation) if stage.reached] == [Point.PRE_ENQUEUE]
    assert parts(explanation, Point.FILTER)["NodeName"] is Part.RAN


def test_devices_that_may_be_shared_are_not_computed() -> None:
    shared = (a_class(), a_slice(a_device(allowMultipleAllocations=True)), a_resource_claim(a_request()))
    explanation = explanation_of(a_pod(resourceClaims=claiming("claim")), *TWO_NODES, *shared)

    for point in (Point.FILTER, Point.RESERVE, Point.PRE_BIND):
        assert parts(explanation, point)["DynamicResources"] is Part.NOT_COMPUTED


def test_a_claim_that_is_not_there_keeps_the_pod_out_of_the_queue() -> None:
    explanation = explanation_of(a_pod(resourceClaims=claiming("claim")), *TWO_NODES, a_class())

    assert parts(explanation, Point.PRE_ENQUEUE)["DynamicResources"] is Part.REJECTED


def test_foreign_plugins_stand_where_the_profile_names_them() -> None:
    plugins = {"filter": {"enabled": [{"name": "Ours"}]}, "permit": {"enabled": [{"name": "Ours"}]}}
    explanation = explanation_of(a_pod(), *TWO_NODES, profiles=[{"plugins": plugins}])

    assert [str(stage.point) for stage in stages(explanation) if "Ours" in [each.plugin for each in stage.parts]] == [
        "filter",
        "permit",
    ]


def test_a_cluster_without_nodes_tries_nothing() -> None:
    explanation = explanation_of(a_pod())

    assert [stage.point for stage in stages(explanation) if stage.reached] == [Point.PRE_ENQUEUE, Point.QUEUE_SORT]


@COMMON
@given(case=corpus_cases())
def test_the_filters_reject_all_nodes_but_the_feasible_ones(case: Case) -> None:
    explanation = explained(case)
    cycle, found = explanation.cycle, strip(explanation)
    filters = found[Point.FILTER].parts

    if cycle.stopped_by is None:
        considered = int(cycle.considered.sum())
        assert considered - sum(each.rejected for each in filters) == len(explanation.feasible)
        if cycle.nominated_world is None:
            steps = {step.plugin: step for step in explanation.funnel}
            assert all(each.rejected == steps[each.plugin].rejected_here for each in filters)
    else:
        assert {each.part for each in filters} <= {Part.NOT_REACHED}
    for stage in found.values():
        reached = {Part.RAN, Part.REJECTED, Part.SKIPPED, Part.NOT_COMPUTED}
        assert stage.reached or explanation.gates.ok is False or not {each.part for each in stage.parts} & reached
