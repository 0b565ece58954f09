"""What a plan of a drain does to workloads, against plans of small clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.disruption import DrainCase, DrainOptions, drain_plan
from clusters.engine.owners import Workload
from clusters.engine.simulation import DrainedWorkload, Quorum, drained_workloads
from tests.engine.builders import Document, a_node
from tests.engine.disruption.builders import a_budget, a_deployment, an_owner, leaving, running, synced

if TYPE_CHECKING:
    from collections.abc import Sequence


DEFAULT = SchedulerConfiguration.default()
DEPLOYMENT, REPLICA_SET = a_deployment(3)
KAFKA = an_owner("StatefulSet", "kafka", replicas=3)


def effect(
    objects: Sequence[Document], *nodes: str, lasting: frozenset[str] = frozenset(), **options: Any
) -> tuple[DrainedWorkload, ...]:
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName") in nodes]
    snapshot = Snapshot.from_objects(objects)
    plan = drain_plan(snapshot, DEFAULT, DrainCase(nodes, pods, lasting=lasting), DrainOptions(**options))
    return drained_workloads(snapshot, plan)


def nodes(count: int, cpu: str = "4") -> list[Document]:
    return [a_node(f"node-{number}", allocatable={"cpu": cpu, "pods": "20"}) for number in range(1, count + 1)]


def member(number: int, node: str, *, cpu: str = "100m") -> Document:
    return requesting(running(f"kafka-{number}", node, owner=KAFKA, labels={"app": "kafka"}), cpu)


def web(number: int, node: str, *, cpu: str = "100m") -> Document:
    return requesting(running(f"web-{number}", node, owner=REPLICA_SET), cpu)


def requesting(pod: Document, cpu: str) -> Document:
    pod["spec"]["containers"][0]["resources"] = {"requests": {"cpu": cpu}}
    return pod


def test_workloads_whose_pods_are_recreated_run_as_many_as_before() -> None:
    objects = [DEPLOYMENT, REPLICA_SET, *nodes(3), web(1, "node-1"), web(2, "node-1"), web(3, "node-2")]

    (found,) = effect(objects, "node-1")

    assert found == DrainedWorkload(Workload("default", "ReplicaSet", "web-1"), 3, 2, 3, 2, 0, 0, Quorum.KEPT)
    assert not found.missing


def test_a_stateful_set_without_a_budget_loses_its_majority_while_its_pods_are_evicted_together() -> None:
    together = [KAFKA, *nodes(3), member(0, "node-1"), member(1, "node-1"), member(2, "node-2")]
    budget = synced(a_budget("kafka", labels={"app": "kafka"}, maxUnavailable=1), *together)

    assert [(each.quorum, each.at_once, each.after) for each in effect(together, "node-1")] == [
        (Quorum.INTERRUPTED, 2, 3)
    ]
    # A budget has them evicted one after the other.
    assert [(each.quorum, each.at_once, each.after) for each in effect([*together, budget], "node-1")] == [
        (Quorum.KEPT, 1, 3)
    ]
    apart = [KAFKA, *nodes(3), member(0, "node-1"), member(1, "node-2"), member(2, "node-2")]
    assert [each.quorum for each in effect(apart, "node-1")] == [Quorum.KEPT]


def test_pods_that_nothing_controls_are_gone_afterwards() -> None:
    objects = [*nodes(2), running("alone", "node-1"), running("other", "node-2")]

    assert effect(objects, "node-1", force=True) == (
        DrainedWorkload(Workload("default", "Pod", "alone"), 1, 1, 0, 1, 0, 0, Quorum.KEPT),
    )
    # Without the flag nothing is evicted, and no budget or scheduler is what keeps it.
    assert effect(objects, "node-1") == ()


def test_pods_without_room_elsewhere_stay_and_are_counted() -> None:
    objects = [DEPLOYMENT, REPLICA_SET, *nodes(2), web(1, "node-1", cpu="3"), web(2, "node-2", cpu="3")]

    (found,) = effect(objects, "node-1")

    assert (found.before, found.evicted, found.after) == (2, 0, 2)
    assert (found.unschedulable, found.refused) == (1, 0)


def test_pods_that_budgets_keep_to_the_end_are_counted_apart() -> None:
    cluster = [DEPLOYMENT, REPLICA_SET, *nodes(2), web(1, "node-1"), web(2, "node-1")]
    budget = synced(a_budget(minAvailable=2), *cluster)

    (found,) = effect([*cluster, budget], "node-1", lasting=frozenset({"default/web"}))

    assert (found.evicted, found.unschedulable, found.refused) == (0, 0, 2)


def test_pods_that_terminate_or_whose_node_does_not_report_do_not_run() -> None:
    silent = a_node("node-3", allocatable={"cpu": "4", "pods": "20"})
    silent["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    objects = [
        DEPLOYMENT, REPLICA_SET, *nodes(2), silent,
        web(1, "node-1"), leaving(web(2, "node-1")), web(3, "node-3"), web(4, "node-2"),
    ]  # fmt: skip

    (found,) = effect(objects, "node-1")

    # The one that terminates has its replacement already, so the plan makes none and nothing is missing.
    assert (found.before, found.after, found.evicted) == (2, 2, 2)


def test_a_pod_that_moves_twice_is_one_pod() -> None:
    objects = [DEPLOYMENT, REPLICA_SET, *nodes(2), web(1, "node-1")]

    (found,) = effect(objects, "node-1", "node-2", uncordon=True, at_a_time=1)

    assert (found.before, found.evicted, found.after) == (1, 1, 1)


@given(
    places=st.lists(st.integers(1, 4), min_size=1, max_size=10),
    drained=st.sets(st.integers(1, 4), min_size=1, max_size=3),
    cpu=st.sampled_from(["100m", "1", "2"]),
)
def test_what_leaves_and_what_stays_adds_up(places: list[int], drained: set[int], cpu: str) -> None:
    objects = [DEPLOYMENT, REPLICA_SET, *nodes(4)]
    used = dict.fromkeys(range(1, 5), 0.0)
    for number, node in enumerate(places):
        if used[node] + float(cpu.replace("100m", "0.1")) <= 4:
            used[node] += float(cpu.replace("100m", "0.1"))
            objects.append(web(number, f"node-{node}", cpu=cpu))
    running_pods = sum(each["kind"] == "Pod" for each in objects)
    on_drained = sum(
        each["kind"] == "Pod" and each["spec"]["nodeName"] in {f"node-{number}" for number in drained}
        for each in objects
    )

    found = effect(objects, *(f"node-{number}" for number in sorted(drained)))

    assert sum(each.before for each in found) in (0, running_pods)
    assert all(each.after == each.before for each in found)
    assert sum(each.evicted + each.unschedulable for each in found) <= on_drained
    assert bool(found) is bool(on_drained)


def test_the_gravest_come_first() -> None:
    members = [member(number, "node-1") for number in range(3)]
    objects = [KAFKA, DEPLOYMENT, REPLICA_SET, *nodes(3), *members, web(1, "node-1"), running("alone", "node-1")]

    assert [each.workload.name for each in effect(objects, "node-1", force=True)] == ["kafka", "alone", "web-1"]
