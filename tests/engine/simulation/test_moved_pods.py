"""Where pods of two runs ended that ended elsewhere, and what they belong to."""

from __future__ import annotations

from clusters.engine.owners import Workload
from clusters.engine.simulation import Finished, MovedPod, MovedPods, PodEnding, compare_runs, moved_pods
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.simulation.changing import after, owned
from tests.engine.simulation.test_comparison import case_of, finished


def moved(left: Finished, right: Finished) -> MovedPods:
    return moved_pods(left, right, compare_runs(left, right).changes)


def by_pod(found: MovedPods) -> dict[str, MovedPod]:
    return {each.pod.removeprefix("default/"): each for each in found.pods}


def base() -> list[Document]:
    return [
        a_node("a", zone="x"),
        a_node("b", zone="y", allocatable={"cpu": "5"}),
        *(owned(f"web-{number}", "web", "a", requests={"cpu": "3"}) for number in range(2)),
        owned("log", "log", "a", kind="DaemonSet"),
    ]


def test_a_pod_ends_on_a_node_pending_or_nowhere() -> None:
    before = finished(after(base()).case)
    lost = finished(after(base(), {"change": "lose-zone", "zone": "x", "how": "gone"}).case)

    found = by_pod(moved(before, lost))

    web = Workload("default", "ReplicaSet", "web")
    assert (found["web-0"].left, found["web-0"].right) == ("a", "b")
    assert (found["web-0"].left_end, found["web-0"].right_end) == (PodEnding.ON_NODE, PodEnding.ON_NODE)
    assert (found["web-1"].right, found["web-1"].right_end) == ("", PodEnding.PENDING)
    assert (found["log"].right, found["log"].right_end) == ("", PodEnding.ABSENT)
    assert {found["web-0"].workload, found["web-1"].workload} == {web}
    assert found["log"].workload == Workload("default", "DaemonSet", "log")


def test_the_other_way_round_it_is_the_same() -> None:
    before = finished(after(base()).case)
    lost = finished(after(base(), {"change": "lose-zone", "zone": "x", "how": "gone"}).case)

    there, back = moved(before, lost), moved(lost, before)

    assert {(each.pod, each.left, each.right, each.left_end, each.right_end) for each in there.pods} == {
        (each.pod, each.right, each.left, each.right_end, each.left_end) for each in back.pods
    }
    assert [node.name for node in there.nodes] == [node.name for node in back.nodes] == ["a", "b"]
    assert (there.not_left, there.not_right) == (frozenset(), frozenset({"a"}))
    assert (back.not_left, back.not_right) == (frozenset({"a"}), frozenset())


def test_wanted_pods_that_never_ran_belong_to_what_they_name() -> None:
    wanted = [a_pod("alone", requests={"cpu": "9"}), owned("web-9", "web", None, requests={"cpu": "9"})]
    nowhere = finished(case_of(a_node("a", allocatable={"cpu": "4"}), wanted=wanted))
    somewhere = finished(case_of(a_node("a", allocatable={"cpu": "40"}), wanted=wanted))

    found = by_pod(moved(nowhere, somewhere))

    assert found["alone"].workload == Workload("default", "Pod", "alone")
    assert found["web-9"].workload == Workload("default", "ReplicaSet", "web")
    assert {each.left_end for each in found.values()} == {PodEnding.PENDING}


def test_nothing_moves_between_a_run_and_itself() -> None:
    run = finished(after(base()).case)

    assert moved(run, run).pods == ()
