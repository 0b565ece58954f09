"""Where waiting pods stand, in which order they are tried, and which events wake them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, Snapshot
from clusters.engine.admission.problems import AboveMaximum
from clusters.engine.configuration import Backoff, ExtensionPoint, tried_again_by
from clusters.engine.problems import NoSuchObject, Problem
from clusters.engine.queueing import IN_LINE, QueuePlace, Waiting, line_up, place_of
from clusters.engine.quotas import QuotaExceeded, QuotaLedger, QuotaUnspecified, pod_charge, raises
from clusters.engine.scheduling import Part, PluginPart, Stage, stages
from clusters.engine.scheduling.explanation import NORMALIZE_SCORE
from clusters.engine.scheduling.search import unstable_sort
from clusters.engine.versions import ASSUMED
from clusters.engine.workloads import NextTry, cause_of, next_try
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.quotas.quotas import a_quota, limited
from tests.engine.strategies import corpus_cases
from tests.engine.test_explanation_properties import COMMON, explained
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.engine.oracle import Case

SECOND = 1_000_000_000
NOW = 1_000 * SECOND


def tried(priority: int = 0, *, ago: int, failures: int = 1, is_awake: bool = False) -> Waiting:
    return Waiting(priority, 0, failures, NOW - ago * SECOND, was_tried=True, is_awake=is_awake)


@pytest.mark.parametrize(
    ("pod", "place"),
    [
        (Waiting(0, 0), QueuePlace.ACTIVE),
        (Waiting(0, 0, was_tried=True), QueuePlace.UNSCHEDULABLE),
        (Waiting(0, 0, was_tried=True, is_awake=True), QueuePlace.ACTIVE),
        (tried(ago=1), QueuePlace.UNSCHEDULABLE),
        (tried(ago=400), QueuePlace.UNSCHEDULABLE),
        # One failure rests a second, and to the end of the second in which that ends.
        (tried(ago=1, is_awake=True), QueuePlace.BACKOFF),
        (tried(ago=2, is_awake=True), QueuePlace.ACTIVE),
        (tried(ago=8, failures=4, is_awake=True), QueuePlace.BACKOFF),
        (tried(ago=11, failures=40, is_awake=True), QueuePlace.ACTIVE),
        (Waiting(0, 0, outside=QueuePlace.GATED), QueuePlace.GATED),
        (Waiting(0, 0, was_tried=True, outside=QueuePlace.BINDING), QueuePlace.BINDING),
        (Waiting(0, 0, outside=QueuePlace.OTHER_SCHEDULER), QueuePlace.OTHER_SCHEDULER),
    ],
)
def test_place_follows_from_what_is_known(pod: Waiting, place: QueuePlace) -> None:
    assert place_of(pod, Backoff(), NOW) is place


def test_higher_priority_goes_first_then_who_was_queued_earlier() -> None:
    pods = [Waiting(5, 30), Waiting(9, 90), Waiting(5, 20), Waiting(5, None), Waiting(-1, 0)]

    assert [standing.row for standing in line_up(pods, Backoff(), NOW)] == [1, 2, 0, 3, 4]


def test_rests_that_end_in_the_same_second_are_sorted_by_priority() -> None:
    in_one_second = [
        Waiting(0, 0, 4, NOW - SECOND, was_tried=True, is_awake=True),
        Waiting(9, 0, 4, NOW - SECOND // 2, was_tried=True, is_awake=True),
    ]
    sooner = tried(-5, ago=1, is_awake=True)

    assert [standing.row for standing in line_up([*in_one_second, sooner], Backoff(), NOW)] == [2, 1, 0]


_waiting = st.builds(
    Waiting,
    priority=st.integers(-5, 5),
    created_at=st.none() | st.integers(0, NOW),
    failures=st.integers(0, 8),
    failed_at=st.none() | st.integers(NOW - 20 * SECOND, NOW),
    was_tried=st.booleans(),
    is_awake=st.booleans(),
    outside=st.sampled_from([None, None, QueuePlace.GATED, QueuePlace.BINDING, QueuePlace.OTHER_SCHEDULER]),
)


@settings(deadline=None)
@given(st.lists(_waiting, max_size=30))
def test_every_pod_stands_once_and_ranks_count_those_in_line(pods: list[Waiting]) -> None:
    found = line_up(pods, Backoff(), NOW)

    assert sorted(standing.row for standing in found) == list(range(len(pods)))
    in_line = [standing for standing in found if standing.place in IN_LINE]
    assert [standing.rank for standing in in_line] == list(range(1, len(in_line) + 1))
    assert found[: len(in_line)] == in_line
    assert all(standing.place is place_of(pods[standing.row], Backoff(), NOW) for standing in found)
    # Within a place nobody passes one of higher priority.
    for place in (QueuePlace.ACTIVE, QueuePlace.UNSCHEDULABLE):
        priorities = [pods[standing.row].priority for standing in found if standing.place is place]
        assert priorities == sorted(priorities, reverse=True)


@pytest.mark.parametrize(
    ("backoff", "rests"),
    [
        (Backoff(), [0, 1, 2, 4, 8, 10, 10]),
        (Backoff(1, 1), [0, 1, 1, 1]),
        (Backoff(3, 20), [0, 3, 6, 12, 20, 20]),
        (Backoff(2, 64), [0, 2, 4, 8, 16, 32, 64, 64]),
    ],
)
def test_rest_doubles_up_to_the_longest(backoff: Backoff, rests: list[int]) -> None:
    assert [backoff.after(failures) for failures in range(len(rests))] == rests


def test_pod_that_nothing_wakes_is_tried_after_five_minutes_and_one_round() -> None:
    assert tried_again_by(0) == 330 * SECOND


EXCEEDED = QuotaExceeded("default", "few", "", ("pods",), ("1",), ("1",), ("1",))


def a_workload(kind: str = "Deployment", requests: dict[str, str] | None = None, **spec: Any) -> Document:
    container: Document = {"name": "main", "image": "app:1", "resources": {"requests": requests or {}}}
    pod: Document = {"containers": [container], **spec.pop("pod", {})}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod}
    return {"kind": kind, "metadata": {"name": "web", "namespace": "default"}, "spec": {"template": template, **spec}}


def answered(
    workload: Document,
    wanted: int,
    *objects: Document,
    quotas: tuple[Document, ...] = (),
    before: Problem = EXCEEDED,
    unread: frozenset[str] = frozenset(),
) -> NextTry | None:
    snapshot = Snapshot.from_objects([*objects, *quotas])
    return next_try(workload, wanted, snapshot, quotas, before=[before], unread=unread)


def limit_range(maximum: str) -> Document:
    limits = [{"type": "Container", "max": {"cpu": maximum}}]
    return {"kind": "LimitRange", "metadata": {"name": "narrow", "namespace": "default"}, "spec": {"limits": limits}}


def test_a_quota_that_is_gone_refuses_nothing_where_quotas_are_mirrored() -> None:
    assert answered(a_workload(), 2) == NextTry(2, 2, (), (), True)
    assert answered(a_workload(), 2, unread=frozenset({"ResourceQuota"})) is None
    few = a_quota("few", hard={"pods": "9"}, used={"pods": "1"})
    assert known(answered(a_workload(), 2, quotas=(few,), unread=frozenset({"ResourceQuota"}))).admitted == 2


def test_what_a_limit_range_refuses_is_refused_whatever_quotas_allow() -> None:
    bound = AboveMaximum("LimitRange narrow", "1", "cpu", "container", "limits", "")
    workload = a_workload(requests={"cpu": "500m"})
    answer = answered(workload, 2, limit_range("1"), before=bound)
    # A maximum is a default as well.
    assert answer == NextTry(2, 2, (), (), True)
    workload = a_workload(requests={"cpu": "2"})
    answer = known(answered(workload, 2, limit_range("1"), before=bound))
    assert answer.admitted == 0
    assert AboveMaximum("LimitRange narrow", "1", "cpu", "container", "requests", "2") in answer.problems
    assert answered(workload, 2, before=bound) == NextTry(2, 2, (), (), True)


def test_what_containers_must_specify_is_refused_before_amounts_are_looked_at() -> None:
    answer = known(answered(a_workload(), 2, quotas=(a_quota("few", hard={"limits.cpu": "9"}, used={}),)))
    assert answer.admitted == 0
    (problem,) = answer.problems
    assert isinstance(problem, QuotaUnspecified)
    assert problem.resources == ("limits.cpu",)


def test_a_priority_class_that_is_still_missing() -> None:
    workload = a_workload(pod={"priorityClassName": "urgent"})
    other = {"kind": "PriorityClass", "metadata": {"name": "low"}, "value": 1}
    (problem,) = known(answered(workload, 1, other, before=NoSuchObject("PriorityClass", "urgent"))).problems
    assert isinstance(problem, NoSuchObject)
    assert cause_of(problem) == NoSuchObject("PriorityClass", "urgent")
    there = {"kind": "PriorityClass", "metadata": {"name": "urgent"}, "value": 1000}
    assert answered(workload, 1, there, before=NoSuchObject("PriorityClass", "urgent")) == NextTry(1, 1, (), (), True)


def test_claims_of_a_stateful_set_are_charged_unless_they_are_there() -> None:
    template = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "10Gi"}}}}
    workload = a_workload("StatefulSet", replicas=3, volumeClaimTemplates=[template])
    quota = a_quota("few", hard={"requests.storage": "15Gi"}, used={})
    answer = known(answered(workload, 2, quotas=(quota,)))
    assert (answer.admitted, [type(each) for each in answer.problems]) == (1, [QuotaExceeded])
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data-web-1", "namespace": "default"}, "spec": {}}
    answer = known(answered(workload, 2, claim, quotas=(quota,)))
    assert answer.admitted == 2


def test_a_cron_job_is_answered_for_its_next_job() -> None:
    cron_job = {"kind": "CronJob", "metadata": {"name": "tidy", "namespace": "default"}, "spec": {}}
    full = a_quota("few", hard={"count/jobs.batch": "2"}, used={"count/jobs.batch": "2"})
    answer = known(answered(cron_job, 1, quotas=(full,)))
    assert answer.admitted == 0
    room = a_quota("few", hard={"count/jobs.batch": "3"}, used={"count/jobs.batch": "2"})
    answer = known(answered(cron_job, 1, quotas=(room,)))
    assert answer.admitted == 1


def test_nothing_is_known_without_a_template() -> None:
    assert answered({"kind": "Deployment", "metadata": {"name": "web", "namespace": "default"}, "spec": {}}, 2) is None
    assert answered(a_workload(requests={"cpu": "many"}), 2) is None


AMOUNTS = st.sampled_from(["100m", "1", "1500m", "2"])
QUOTAS = st.lists(
    st.dictionaries(st.sampled_from(["pods", "requests.cpu", "limits.cpu"]), st.sampled_from(["0", "1", "3500m", "7"])),
    max_size=3,
)


@given(hard=QUOTAS, used=st.sampled_from(["0", "1", "2"]), cpu=AMOUNTS, wanted=st.integers(1, 6))
def test_the_number_is_what_trying_pod_after_pod_gives(
    hard: list[dict[str, str]], used: str, cpu: str, wanted: int
) -> None:
    quotas = tuple(a_quota(f"q{number}", hard=each, used=dict.fromkeys(each, used)) for number, each in enumerate(hard))
    limits = {"limits": {"cpu": cpu}, "requests": {"cpu": cpu}}
    workload = a_workload(pod={"containers": [{"name": "main", "image": "app:1", "resources": limits}]})
    answer = known(answered(workload, wanted, quotas=quotas))

    ledger, tried = QuotaLedger(quotas), 0
    for _ in range(wanted):
        if ledger.charge(pod_charge(limited("web", requests={"cpu": cpu}, limits={"cpu": cpu}))) is not None:
            break
        tried += 1
    assert answer.admitted == tried
    assert bool(answer.problems) == (tried < wanted)
    # Raised by what is said, quotas let in all of them, and by less they do not.
    raised = {(each.quota, each.resource): each.needed for each in raises(answer.demands)}
    after = known(answered(workload, wanted, quotas=tuple(_raised(quota, raised) for quota in quotas)))
    assert after.admitted == wanted
    assert bool(raised) == (tried < wanted)
    if raised:
        short = dict(raised)
        short.pop(next(iter(short)))
        less = known(answered(workload, wanted, quotas=tuple(_raised(quota, short) for quota in quotas)))
        assert less.admitted < wanted


def _raised(quota: Document, raised: dict[tuple[str, str], str]) -> Document:
    name = quota["metadata"]["name"]
    hard = {resource: raised.get((name, resource), amount) for resource, amount in quota["status"]["hard"].items()}
    return {**quota, "status": {**quota["status"], "hard": hard}}


def test_workloads_under_one_quota_need_what_they_need_together() -> None:
    quota = a_quota("few", hard={"pods": "2"}, used={"pods": "2"})
    two, three = answered(a_workload(), 2, quotas=(quota,)), answered(a_workload(), 3, quotas=(quota,))
    assert two is not None
    assert three is not None
    (each,) = raises([*two.demands, *three.demands])
    assert (each.quota, each.resource, each.hard, each.needed) == ("few", "pods", "2", "7")
    # Of what was used, the latest that is known counts.
    late = [replace_used(demand, 3) for demand in three.demands]
    assert [each.needed for each in raises([*two.demands, *late])] == ["8"]


def replace_used(demand: Any, used: int) -> Any:
    return demand._replace(used=demand.used.plus(replace_amount(demand.used, used)))


def replace_amount(amount: Any, used: int) -> Any:
    return amount._replace(nanos=used * 10**9 - amount.nanos)


def test_claims_from_templates_are_charged_with_the_pods_that_a_controller_tries_again() -> None:
    devices = "gpu.deviceclass.resource.k8s.io/devices"
    requests = [{"name": "one", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]
    template = {
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": requests}}},
    }
    workload = a_workload(pod={"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]})
    answer = known(answered(workload, 4, template, quotas=(a_quota("few", hard={devices: "7"}, used={devices: "2"}),)))

    assert answer.admitted == 2
    assert [(demand.resource, str(demand.each)) for demand in answer.demands] == [(devices, "2")]


Point = ExtensionPoint
TWO_NODES = (a_node("east", zone="a"), a_node("west", zone="b"))


def strip(explanation: Explanation) -> dict[str, Stage]:
    return {str(stage.point): stage for stage in stages(explanation)}


def part(explanation: Explanation, point: str, plugin: str) -> PluginPart:
    return next(each for each in strip(explanation)[point].parts if each.plugin == plugin)


def parts(explanation: Explanation, point: str) -> dict[str, Part]:
    return {each.plugin: each.part for each in strip(explanation)[point].parts}


def test_every_default_plugin_stands_at_each_of_its_points() -> None:
    found = strip(explanation_of(a_pod(), *TWO_NODES))

    for plugin, points in ASSUMED.points.items():
        assert {point for point in ExtensionPoint if plugin in [each.plugin for each in found[point].parts]} == points
    normalising = [each.plugin for each in found[NORMALIZE_SCORE].parts]
    assert normalising == ["TaintToleration", "NodeAffinity", "PodTopologySpread", "InterPodAffinity"]


def test_preemption_that_makes_room_has_run() -> None:
    low = a_pod("low", node="east", requests={"cpu": "8"})
    explanation = explanation_of(a_pod(requests={"cpu": "8"}, priority=9), a_node("east"), low)

    assert part(explanation, Point.POST_FILTER, "DefaultPreemption").part is Part.RAN


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
        assert int(cycle.considered.sum()) - sum(each.rejected for each in filters) == len(explanation.feasible)
        if cycle.nominated_world is None:
            steps = {step.plugin: step for step in explanation.funnel}
            assert all(each.rejected == steps[each.plugin].rejected_here for each in filters)
    else:
        assert {each.part for each in filters} <= {Part.NOT_REACHED}
    for stage in found.values():
        reached = {Part.RAN, Part.REJECTED, Part.SKIPPED, Part.NOT_COMPUTED}
        assert stage.reached or explanation.gates.ok is False or not {each.part for each in stage.parts} & reached


# How the key of element i of n is made: few different keys, so that the places of equals tell the steps apart.
KEYS: dict[str, Callable[[int, int], int]] = {
    "all equal": lambda i, n: 0,
    "two values": lambda i, n: i % 2,
    "three values": lambda i, n: i * 7 % 3,
    "reversed": lambda i, n: n - 1 - i,
    "reversed pairs": lambda i, n: (n - 1 - i) // 2,
    "scattered": lambda i, n: i * i * 31 % 11,
    "last out of place": lambda i, n: 0 if i == n - 1 else i // 3,
}


# (keys, n, whether equals count as less, the places as Go 1.26 left them). The sizes stand on both sides of 12, where
# insertion sort ends, and of 50, where a better pivot is sought and what is nearly sorted gets repaired.
GO = [
    ("all equal", 0, False, ""),
    ("all equal", 1, False, "0"),
    ("two values", 12, False, "0 2 4 6 8 10 1 3 5 7 9 11"),
    ("all equal", 12, True, "11 10 9 8 7 6 5 4 3 2 1 0"),
    ("two values", 13, False, "8 12 2 0 4 10 6 3 7 9 5 11 1"),
    ("last out of place", 13, False, "12 1 2 0 3 4 5 6 8 7 9 10 11"),
    ("all equal", 20, True, "6 0 4 16 12 3 17 1 9 15 14 7 5 13 8 18 2 11 19 10"),
    ("reversed pairs", 20, False, "19 18 17 16 15 14 12 13 10 11 9 8 7 6 5 4 3 2 0 1"),
    (
        "three values",
        49,
        False,
        (
            "24 18 48 3 45 42 6 39 36 9 33 30 12 27 0 15 21 37 10 19 46 16 22 4 1 43 25 13 28 40 7 31 34 41 29 35 "
            "8 26 38 11 32 14 5 17 44 23 20 47 2"
        ),
    ),
    (
        "reversed",
        49,
        False,
        (
            "48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 "
            "15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"
        ),
    ),
    (
        "two values",
        50,
        False,
        (
            "12 28 2 46 4 44 6 42 8 40 10 38 48 14 26 34 16 32 18 30 20 36 22 0 24 23 25 27 21 29 19 31 17 33 15 "
            "35 13 37 11 39 9 41 7 43 5 45 3 47 1 49"
        ),
    ),
    (
        "all equal",
        50,
        True,
        (
            "6 49 34 10 18 26 2 40 44 7 12 16 28 8 46 21 24 0 43 32 23 45 39 17 31 13 15 29 11 37 9 27 14 41 5 25 "
            "20 22 1 42 38 48 36 47 30 33 35 4 3 19"
        ),
    ),
    (
        "scattered",
        51,
        False,
        (
            "0 22 44 11 33 40 37 7 4 29 26 15 48 18 35 42 46 2 13 31 20 9 24 8 47 25 14 41 3 36 30 19 5 17 50 6 "
            "49 16 38 39 28 27 23 43 10 45 32 12 1 21 34"
        ),
    ),
    (
        "reversed pairs",
        51,
        False,
        (
            "50 49 48 47 46 45 44 43 41 42 39 40 38 37 35 36 34 33 32 31 30 29 28 27 26 25 23 24 22 21 20 19 18 "
            "17 16 15 13 14 12 11 10 9 8 7 6 5 4 3 2 1 0"
        ),
    ),
    (
        "scattered",
        100,
        False,
        (
            "22 88 44 55 33 66 99 77 0 11 62 70 48 51 84 40 81 37 18 7 59 4 92 15 95 73 26 29 20 24 57 31 64 75 "
            "46 35 9 68 79 97 90 53 42 13 2 86 74 30 3 96 91 8 52 41 85 14 80 19 58 36 25 47 69 63 72 16 49 5 28 "
            "94 27 71 61 60 93 6 50 38 39 17 83 82 43 21 78 54 12 87 10 89 56 65 76 23 34 67 32 45 98 1"
        ),
    ),
    (
        "two values",
        100,
        True,
        (
            "38 54 10 34 26 18 44 4 74 62 32 28 80 36 48 50 22 16 98 12 78 76 94 72 86 68 70 84 66 92 64 82 30 96 "
            "60 42 58 2 6 46 8 20 56 52 14 88 90 40 0 24 61 45 89 65 73 81 75 95 99 37 67 71 83 63 51 23 19 79 1 "
            "87 21 49 5 27 13 31 29 15 33 7 35 17 69 3 39 55 77 57 97 93 53 91 43 47 85 11 9 59 41 25"
        ),
    ),
]


@pytest.mark.parametrize(
    ("keys", "size", "equals_are_less", "expected"),
    [pytest.param(*case, id=f"{case[0]}, {case[1]}{', equals are less' if case[2] else ''}") for case in GO],
)
def test_leaves_equals_where_go_leaves_them(keys: str, size: int, equals_are_less: bool, expected: str) -> None:
    key = [KEYS[keys](number, size) for number in range(size)]

    def less(left: int, right: int) -> bool:
        return key[left] <= key[right] if equals_are_less else key[left] < key[right]

    assert unstable_sort(range(size), less) == [int(place) for place in expected.split()]


@given(items=st.lists(st.integers(0, 9), max_size=200))
def test_sorts_without_losing_anything_and_leaves_the_given_sequence_alone(items: list[int]) -> None:
    before = list(items)

    assert unstable_sort(items, lambda left, right: left < right) == sorted(items)
    assert items == before


@given(answers=st.lists(st.booleans(), min_size=1, max_size=50), size=st.integers(0, 120))
def test_a_less_that_contradicts_itself_loses_nothing(answers: list[bool], size: int) -> None:
    """The scheduler's own comparison of pods that have not started is of this kind."""
    turns = 0

    def less(left: int, right: int) -> bool:
        nonlocal turns
        turns += 1
        return answers[turns % len(answers)]

    assert sorted(unstable_sort(range(size), less)) == list(range(size))


def test_pre_filter_that_ends_the_attempt_leaves_the_rest_unreached() -> None:
    explanation = explanation_of(a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "gone"}}]), *TWO_NODES)

    found = strip(explanation)[Point.PRE_FILTER].parts
    ended = next(number for number, each in enumerate(found) if each.part is Part.REJECTED)

    assert found[ended].status == explanation.cycle.stopped_by.status  # type: ignore[union-attr]
    assert {each.part for each in found[ended + 1 :]} == {Part.NOT_REACHED}
    assert not strip(explanation)[Point.FILTER].reached
    assert set(parts(explanation, Point.FILTER).values()) == {Part.NOT_REACHED}
    assert strip(explanation)[Point.POST_FILTER].reached
