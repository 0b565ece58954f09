"""Updates never have more pods than they may, nor fewer available ones, and say where they get stuck."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.rollout import OldPod, Progress, RolloutPlan, RolloutWay, Round, plan_of, replacing, surging
from clusters.engine.simulation import PodAdmission
from clusters.engine.workloads import PodCopy, copy_of, revised, revised_replica_set
from tests.engine.builders import ZONE, Document, a_node, a_pod, controlled
from tests.engine.quotas.quotas import a_quota
from tests.support.answers import known

DEFAULT = SchedulerConfiguration.default()


def nodes(count: int, cpu: int) -> list[Document]:
    return [a_node(f"n{number}", zone=f"z{number % 2}", allocatable={"cpu": str(cpu)}) for number in range(count)]


def web(name: str, node: str | None = None, **spec: Any) -> Document:
    spread = [
        {
            "maxSkew": 1,
            "topologyKey": ZONE,
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app": "web"}},
        }
    ]
    labels = {"app": "web", "pod-template-hash": "old"}
    return a_pod(name, node=node, labels=labels, requests={"cpu": "1"}, topologySpreadConstraints=spread, **spec)


def standing(pods: list[Document], unready: int = 0) -> list[OldPod]:
    return [
        OldPod("default", pod["metadata"]["name"], pod["spec"]["nodeName"], is_ready=number >= unready)
        for number, pod in enumerate(pods)
    ]


def update(
    count: int, cpu: int, desired: int, plan: RolloutPlan, unready: int = 0, **spec: Any
) -> tuple[list[Round], Snapshot]:
    pods = [web(f"web-{number}", f"n{number % count}", **spec) for number in range(desired)]
    snapshot = Snapshot.from_objects([*nodes(count, cpu), *pods])
    new = revised(web("web"), "new")

    def make(number: int) -> PodCopy:
        return copy_of(snapshot, new, f"new-{number}")

    return list(surging(snapshot, DEFAULT, plan, standing(pods, unready), make)), snapshot


@given(
    count=st.integers(1, 4),
    cpu=st.integers(1, 6),
    desired=st.integers(0, 9),
    surge=st.integers(0, 4),
    unavailable=st.integers(0, 4),
    unready=st.integers(0, 3),
    recreates=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_an_update_stays_within_its_bounds(
    count: int, cpu: int, desired: int, surge: int, unavailable: int, unready: int, recreates: bool
) -> None:
    unavailable = min(unavailable, desired) if surge or unavailable else min(1, desired)
    way = RolloutWay.RECREATE if recreates else RolloutWay.SURGE
    plan = (
        RolloutPlan(way, desired, unavailable=desired)
        if recreates
        else RolloutPlan(way, desired, surge=surge, unavailable=unavailable)
    )
    desired_now = min(desired, count * cpu)
    available = max(0, desired_now - unready)

    rounds, snapshot = update(count, cpu, desired_now, plan, unready)

    assert all(each.most <= plan.most for each in rounds)
    assert all(each.fewest >= min(available, plan.fewest) for each in rounds)
    assert [each.progress is Progress.GOES_ON for each in rounds] == [True] * (len(rounds) - 1) + [False]
    last = rounds[-1]
    if last.progress is Progress.DONE:
        assert (last.old, last.new, last.waiting) == (0, desired, 0)
    else:
        assert last.waiting or not plan.surge
    assert len([key for key in snapshot.pods.slot_of if "/new-" in key]) == last.new - last.waiting
    assert len(snapshot.pods) == last.old + last.new - last.waiting
    assert (snapshot.nodes.requested.max(axis=0)[snapshot.nodes.resources.index("cpu")]) <= cpu * 1000


def test_a_surge_without_room_waits_for_the_scheduler() -> None:
    rounds, _ = update(2, 2, 4, RolloutPlan(RolloutWay.SURGE, 4, surge=1, unavailable=0))

    assert len(rounds) == 1
    (stuck,) = rounds
    assert (stuck.progress, stuck.waiting, stuck.old, stuck.fewest, stuck.most) == (Progress.STALLED, 1, 4, 4, 5)
    assert "Insufficient cpu" in stuck.message


def test_pods_that_are_not_ready_go_first() -> None:
    rounds, _ = update(2, 4, 4, RolloutPlan(RolloutWay.SURGE, 4, surge=1, unavailable=1), unready=1)

    assert "web-0" in rounds[0].removed


def stateful(count: int, *, cpu: int, plan: RolloutPlan, unready: set[int] = frozenset()) -> list[Round]:  # type: ignore[assignment]
    pods = [web(f"db-{number}", f"n{number}") for number in range(count)]
    snapshot = Snapshot.from_objects([*nodes(count, cpu), *pods])
    old = [OldPod("default", f"db-{number}", f"n{number}", is_ready=number not in unready) for number in range(count)]
    by_name = {pod["metadata"]["name"]: pod for pod in pods}

    def make(pod: OldPod) -> PodCopy:
        return copy_of(snapshot, revised(by_name[pod.name], "new"), pod.name, keeps_claims=True)

    return list(replacing(snapshot, DEFAULT, plan, old, make))


def test_ordinals_go_from_the_highest_down_to_the_partition() -> None:
    rounds = stateful(4, cpu=2, plan=RolloutPlan(RolloutWay.ORDINALS, 4, unavailable=1, partition=2, is_ordered=True))

    assert [each.removed for each in rounds] == [("db-3",), ("db-2",)]
    assert (rounds[-1].progress, rounds[-1].old, min(each.fewest for each in rounds)) == (Progress.DONE, 2, 3)


@given(st.integers(1, 5), st.integers(1, 3), st.booleans())
@settings(max_examples=20, deadline=None)
def test_no_more_ordinals_are_missing_than_may_be(count: int, unavailable: int, is_ordered: bool) -> None:
    rounds = stateful(
        count, cpu=2, plan=RolloutPlan(RolloutWay.ORDINALS, count, unavailable=unavailable, is_ordered=is_ordered)
    )

    assert all(each.fewest >= count - unavailable for each in rounds)
    assert rounds[-1].progress is Progress.DONE


def test_which_pods_give_way_is_found_without_comparing_each_with_all_others() -> None:
    compared: list[object] = []

    class Counted(OldPod):
        __hash__ = OldPod.__hash__

        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return self is other

    old: list[OldPod] = [Counted("default", f"db-{number}", "n0", is_ready=False) for number in range(300)]
    plan = RolloutPlan(RolloutWay.ORDINALS, len(old), unavailable=1, partition=1, is_ordered=True)
    (stuck,) = replacing(Snapshot.from_objects([]), DEFAULT, plan, old, lambda pod: PodCopy({}))
    assert (stuck.progress, stuck.old, len(compared) <= len(old)) == (Progress.STALLED, len(old), True)


def test_the_next_revision_renames_what_was_merged_into_selectors() -> None:
    merged = {
        "topologyKey": ZONE,
        "matchLabelKeys": ["pod-template-hash"],
        "labelSelector": {"matchExpressions": [{"key": "pod-template-hash", "operator": "In", "values": ["old"]}]},
    }
    affinity = {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [merged],
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": merged}],
        }
    }
    pod = controlled(web("web-1"), "ReplicaSet", "web-old")
    pod["spec"] |= {"topologySpreadConstraints": [merged], "affinity": affinity}

    found = revised(pod, "new")

    assert found["metadata"]["labels"]["pod-template-hash"] == "new"
    assert found["metadata"]["ownerReferences"][0]["name"] == "web-new"
    spec = found["spec"]
    anti = spec["affinity"]["podAntiAffinity"]
    entries = [
        spec["topologySpreadConstraints"][0],
        anti["requiredDuringSchedulingIgnoredDuringExecution"][0],
        anti["preferredDuringSchedulingIgnoredDuringExecution"][0]["podAffinityTerm"],
    ]
    assert [entry["labelSelector"]["matchExpressions"][0]["values"] for entry in entries] == [["new"]] * 3
    assert pod["metadata"]["labels"]["pod-template-hash"] == "old"


def test_the_next_replica_set_selects_the_new_pods() -> None:
    document = {
        "kind": "ReplicaSet",
        "metadata": {"name": "web-old", "namespace": "default", "uid": "1"},
        "spec": {"selector": {"matchLabels": {"app": "web", "pod-template-hash": "old"}}},
    }

    found = revised_replica_set(document, "new")

    assert found["metadata"]["name"] == "web-new"
    assert found["spec"]["selector"]["matchLabels"] == {"app": "web", "pod-template-hash": "new"}


def plan_for(way: RolloutWay, desired: int, *, surge: int = 0, unavailable: int = 0) -> RolloutPlan:
    return RolloutPlan(way, desired, surge=surge, unavailable=unavailable)


def old_pods(number: int, **spec: Any) -> list[Document]:
    return [a_pod(f"web-{place}", node="n1", requests={"cpu": "1"}, **spec) for place in range(number)]


def standing_pods(pods: list[Document]) -> list[OldPod]:
    return [OldPod("default", pod["metadata"]["name"], "n1", is_ready=True, document=pod) for pod in pods]


def surged(number: int, hard: int, plan: RolloutPlan, *objects: Document) -> list[Round]:
    """An update of so many pods under a quota of pods that counts nothing else."""
    pods = old_pods(number)
    quota = a_quota("few", hard={"pods": str(hard)}, used={"pods": str(number)})
    snapshot = Snapshot.from_objects([a_node("n1", allocatable={"cpu": "100"}), *pods, quota, *objects])

    def make(place: int) -> PodCopy:
        return copy_of(snapshot, a_pod("web", requests={"cpu": "1"}), f"new-{place}")

    return list(surging(snapshot, DEFAULT, plan, standing_pods(pods), make, PodAdmission(snapshot)))


def told(rounds: list[Round]) -> list[tuple[int, int, int, int]]:
    """Created, refused, deleted and old pods of each round."""
    return [(each.created, each.uncreated, len(each.removed), each.old) for each in rounds]


def test_a_recreate_frees_everything_first() -> None:
    rounds = surged(3, 3, plan_for(RolloutWay.RECREATE, 3, unavailable=3))

    assert told(rounds) == [(0, 0, 3, 0), (3, 0, 0, 0)]
    assert rounds[-1].progress is Progress.DONE


@given(number=st.integers(1, 6), room=st.integers(0, 3), surge=st.integers(0, 3), unavailable=st.integers(0, 3))
@settings(max_examples=40)
def test_never_more_pods_than_the_quota_and_always_done_where_pods_may_be_missing_or_there_is_room(
    number: int, room: int, surge: int, unavailable: int
) -> None:
    surge, missing = surge or int(not unavailable), min(unavailable, number)
    rounds = surged(number, number + room, plan_for(RolloutWay.SURGE, number, surge=surge, unavailable=missing))

    assert max(each.most for each in rounds) <= min(number + room, number + surge)
    assert min(each.fewest for each in rounds) >= number - missing
    is_done = rounds[-1].progress is Progress.DONE
    assert is_done is bool(room or unavailable)
    assert sum(each.created for each in rounds) == (number if is_done else 0)


def replaced(number: int, used: int, hard: int, plan: RolloutPlan) -> list[Round]:
    pods = old_pods(number)
    quota = a_quota("few", hard={"pods": str(hard)}, used={"pods": str(used)})
    snapshot = Snapshot.from_objects([a_node("n1", allocatable={"cpu": "100"}), *pods, quota])

    def make(pod: OldPod) -> PodCopy:
        name = pod.name if plan.way is RolloutWay.ORDINALS else f"{pod.name}-next"
        return copy_of(snapshot, a_pod(pod.name, requests={"cpu": "1"}), name)

    return list(replacing(snapshot, DEFAULT, plan, standing_pods(pods), make, PodAdmission(snapshot)))


def test_under_an_over_used_quota_a_stateful_set_stalls_with_its_first_pod() -> None:
    rounds = replaced(2, 4, 2, plan_for(RolloutWay.ORDINALS, 2, unavailable=1))

    assert [(each.created, each.uncreated, each.waiting, each.old) for each in rounds] == [(0, 1, 0, 1), (0, 1, 0, 1)]
    assert rounds[-1].progress is Progress.STALLED
    assert rounds[-1].new == 0


def test_a_daemon_set_whose_surge_is_refused_keeps_its_old_pods() -> None:
    (stuck,) = replaced(2, 2, 2, plan_for(RolloutWay.NODES, 2, surge=1))
    assert (stuck.created, stuck.uncreated, stuck.removed, stuck.old) == (0, 1, (), 2)
    assert stuck.progress is Progress.STALLED


def test_a_daemon_set_with_room_for_its_surge_goes_through() -> None:
    rounds = replaced(2, 2, 3, plan_for(RolloutWay.NODES, 2, surge=1))

    assert rounds[-1].progress is Progress.DONE
    assert max(each.most for each in rounds) == 3


def deployment(**spec: Any) -> Document:
    return {"kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "desired", "surge", "unavailable"),
    [
        ({}, 4, 1, 1),
        ({}, 10, 3, 2),
        ({}, 1, 1, 0),
        ({"strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"}}}, 5, 0, 1),
        ({"strategy": {"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": "50%"}}}, 5, 0, 2),
        ({"strategy": {"rollingUpdate": {"maxSurge": 2, "maxUnavailable": 9}}}, 5, 2, 5),
        ({"strategy": {"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": "25%"}}}, 3, 0, 1),
        ({"strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": "100%"}}}, 4, 1, 4),
        ({"strategy": {"type": "Recreate"}}, 5, 0, 5),
        pytest.param({"strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}}, 3, 0, 1, id="never none"),
        # A bad image of three replicas with the defaults leaves one new pod that is not ready, and all three old ones.
        ({}, 3, 1, 0),
    ],
)
def test_e67_the_pace_of_a_deployment_is_rounded_as_upstream(
    spec: dict[str, Any], desired: int, surge: int, unavailable: int
) -> None:
    plan = known(plan_of(deployment(**spec), "Deployment", desired))

    assert (plan.surge, plan.unavailable, plan.most, plan.fewest) == (
        surge,
        unavailable,
        desired + surge,
        desired - unavailable,
    )


@pytest.mark.parametrize(
    ("spec", "deadline"),
    [
        ({}, 600),
        ({"progressDeadlineSeconds": 30}, 30),
        ({"progressDeadlineSeconds": 2**31 - 1}, None),
        ({"progressDeadlineSeconds": 30, "paused": True}, None),
        ({"strategy": {"type": "Recreate"}}, 600),
    ],
)
def test_a_deployment_says_after_its_deadline_that_it_makes_no_progress(
    spec: dict[str, Any], deadline: int | None
) -> None:

    assert known(plan_of(deployment(**spec), "Deployment", 3)).deadline == deadline


def test_a_daemon_set_rounds_up() -> None:
    pace = {"rollingUpdate": {"maxSurge": "10%", "maxUnavailable": 0}}

    plan = known(plan_of({"spec": {"updateStrategy": pace}}, "DaemonSet", 15))

    assert (plan.way, plan.surge, plan.unavailable) == (RolloutWay.NODES, 2, 0)


def test_what_has_no_updates_has_no_plan() -> None:
    assert plan_of({}, "Job", 3) is None


def test_a_surge_that_the_quota_refuses_waits_for_old_pods_to_go() -> None:
    rounds = surged(4, 4, plan_for(RolloutWay.SURGE, 4, surge=2, unavailable=1))

    # One old pod may be missing: it goes, and its place in the quota is the next new one's.
    assert told(rounds)[0] == (0, 2, 1, 3)
    assert rounds[0].forbidden is not None
    assert rounds[0].forbidden.message == (
        'pods "new-0" is forbidden: exceeded quota: few, requested: pods=1, used: pods=4, limited: pods=4'
    )
    assert rounds[-1].progress is Progress.DONE
    assert all(each.most <= 4 for each in rounds)
    assert sum(each.created for each in rounds) == 4
