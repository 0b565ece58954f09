"""Updates whose new pods are charged in quotas round by round, while those of the old pods that are gone are free."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.rollout import OldPod, Progress, RolloutPlan, RolloutWay, Round, replacing, surging
from clusters.engine.simulation import PodAdmission
from clusters.engine.workloads import PodCopy, copy_of
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.quotas.quotas import a_quota

DEFAULT = SchedulerConfiguration.default()


def plan_for(way: RolloutWay, desired: int, *, surge: int = 0, unavailable: int = 0) -> RolloutPlan:
    return RolloutPlan(way, desired, surge=surge, unavailable=unavailable)


def old_pods(number: int, **spec: Any) -> list[Document]:
    return [a_pod(f"web-{place}", node="n1", requests={"cpu": "1"}, **spec) for place in range(number)]


def standing(pods: list[Document]) -> list[OldPod]:
    return [OldPod("default", pod["metadata"]["name"], "n1", is_ready=True, document=pod) for pod in pods]


def surged(number: int, hard: int, plan: RolloutPlan, *objects: Document) -> list[Round]:
    """An update of so many pods under a quota of pods that counts nothing else."""
    pods = old_pods(number)
    quota = a_quota("few", hard={"pods": str(hard)}, used={"pods": str(number)})
    snapshot = Snapshot.from_objects([a_node("n1", allocatable={"cpu": "100"}), *pods, quota, *objects])

    def make(place: int) -> PodCopy:
        return copy_of(snapshot, a_pod("web", requests={"cpu": "1"}), f"new-{place}")

    return list(surging(snapshot, DEFAULT, plan, standing(pods), make, PodAdmission(snapshot)))


def told(rounds: list[Round]) -> list[tuple[int, int, int, int]]:
    """Created, refused, deleted and old pods of each round."""
    return [(each.created, each.uncreated, len(each.removed), each.old) for each in rounds]


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


def test_without_unavailable_pods_a_full_quota_stalls_the_update() -> None:
    rounds = surged(3, 3, plan_for(RolloutWay.SURGE, 3, surge=1))

    assert told(rounds) == [(0, 1, 0, 3)]
    (stuck,) = rounds
    assert (stuck.progress, stuck.waiting, stuck.new, stuck.most, stuck.fewest) == (Progress.STALLED, 0, 0, 3, 3)


def test_a_recreate_frees_everything_first() -> None:
    rounds = surged(3, 3, plan_for(RolloutWay.RECREATE, 3, unavailable=3))

    assert told(rounds) == [(0, 0, 3, 0), (3, 0, 0, 0)]
    assert rounds[-1].progress is Progress.DONE


def test_a_limit_range_stalls_it_after_the_pods_that_may_be_missing() -> None:
    bounds = {"type": "Container", "min": {"cpu": "2"}}
    limits = {"kind": "LimitRange", "metadata": {"name": "r", "namespace": "default"}, "spec": {"limits": [bounds]}}

    rounds = surged(3, 9, plan_for(RolloutWay.SURGE, 3, surge=1, unavailable=1), limits)

    assert told(rounds) == [(0, 1, 1, 2), (0, 2, 0, 2)]
    assert rounds[-1].progress is Progress.STALLED
    assert rounds[-1].fewest == 2
    assert rounds[-1].forbidden is not None
    assert "minimum cpu usage per Container is 2, but request is 1" in rounds[-1].forbidden.message


@given(number=st.integers(1, 6), room=st.integers(0, 3), surge=st.integers(0, 3), unavailable=st.integers(0, 3))
@settings(max_examples=60)
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


# -- StatefulSets and DaemonSets ---------------------------------------------------------------------------------------


def replaced(number: int, used: int, hard: int, plan: RolloutPlan) -> list[Round]:
    pods = old_pods(number)
    quota = a_quota("few", hard={"pods": str(hard)}, used={"pods": str(used)})
    snapshot = Snapshot.from_objects([a_node("n1", allocatable={"cpu": "100"}), *pods, quota])

    def make(pod: OldPod) -> PodCopy:
        name = pod.name if plan.way is RolloutWay.ORDINALS else f"{pod.name}-next"
        return copy_of(snapshot, a_pod(pod.name, requests={"cpu": "1"}), name)

    return list(replacing(snapshot, DEFAULT, plan, standing(pods), make, PodAdmission(snapshot)))


def test_a_stateful_set_takes_the_place_that_its_old_pod_frees() -> None:
    rounds = replaced(2, 2, 2, plan_for(RolloutWay.ORDINALS, 2, unavailable=1))

    assert [each.forbidden for each in rounds] == [None, None]
    assert rounds[-1].progress is Progress.DONE


def test_under_an_over_used_quota_a_stateful_set_stalls_with_its_first_pod() -> None:
    rounds = replaced(2, 4, 2, plan_for(RolloutWay.ORDINALS, 2, unavailable=1))

    assert [(each.created, each.uncreated, each.waiting, each.old) for each in rounds] == [(0, 1, 0, 1), (0, 1, 0, 1)]
    assert rounds[-1].progress is Progress.STALLED
    assert rounds[-1].new == 0


def test_a_daemon_set_whose_surge_is_refused_keeps_its_old_pods() -> None:
    rounds = replaced(2, 2, 2, plan_for(RolloutWay.NODES, 2, surge=1))

    (stuck,) = rounds
    assert (stuck.created, stuck.uncreated, stuck.removed, stuck.old) == (0, 1, (), 2)
    assert stuck.progress is Progress.STALLED


def test_a_daemon_set_with_room_for_its_surge_goes_through() -> None:
    rounds = replaced(2, 2, 3, plan_for(RolloutWay.NODES, 2, surge=1))

    assert rounds[-1].progress is Progress.DONE
    assert max(each.most for each in rounds) == 3
