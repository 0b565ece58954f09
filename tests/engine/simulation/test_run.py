"""What happens in a simulation, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.columns import interleaved
from clusters.engine.configuration import NoScheduler
from clusters.engine.simulation import Case, Outcome, Simulation, Step, VictimsWait, Wanted, explained
from tests.engine.builders import HOSTNAME, Document, a_node, a_pod, with_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def a_case(objects: Iterable[Document], wanted: Iterable[Wanted | Document], **fields: Any) -> Case:
    """A case under the default scheduler; the objects' pods are known."""
    objects = list(objects)
    placed = {f"default/{each['metadata']['name']}": each for each in objects if each["kind"] == "Pod"}
    given = [each if isinstance(each, Wanted) else Wanted(each) for each in wanted]
    configuration = fields.pop("configuration", SchedulerConfiguration.default())
    return Case(Snapshot.from_objects(objects), configuration, given, placed=placed, **fields)


def owned(pod: Document, kind: str = "ReplicaSet", name: str = "web") -> Document:
    """A pod with a controller."""
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


def ready(pod: Document) -> Document:
    return {**pod, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def brief(steps: Iterable[Step]) -> list[tuple[str, str, str]]:
    return [(step.outcome.value, step.pod.removeprefix("default/"), step.node) for step in steps]


# -- the queue ---------------------------------------------------------------------------------------------------------


def test_pods_are_tried_by_priority_then_in_the_order_given() -> None:
    pods = [a_pod("first"), a_pod("second"), a_pod("urgent", priority=5)]

    steps = list(Simulation(a_case([a_node("n")], pods)))

    assert [step.pod for step in steps] == ["default/urgent", "default/first", "default/second"]


def test_who_waits_is_tried_again_when_room_comes_free_and_only_then() -> None:
    small = {"cpu": "1"}
    nodes = [a_node("big", allocatable={"cpu": "4"}), a_node("small", allocatable={"cpu": "1"})]
    wanted = [
        Wanted(a_pod("filler", requests={"cpu": "4"}), until=9),
        Wanted(a_pod("late", requests={"cpu": "3"}), at=1),
        Wanted(a_pod("alike", requests={"cpu": "3"}), at=1),
        Wanted(a_pod("passing", requests=small), at=2, until=3),
    ]

    steps = list(Simulation(a_case(nodes, wanted)))

    assert brief(steps) == [
        ("placed", "filler", "big"),
        ("unschedulable", "late", ""),
        ("unschedulable", "alike", ""),
        ("placed", "passing", "small"),
        ("completed", "passing", "small"),
        ("completed", "filler", "big"),
        ("placed", "late", "big"),
    ]
    assert [step.at for step in steps] == [0, 1, 1, 2, 3, 9, 9]


def test_those_alike_follow_one_after_another_as_long_as_there_is_room() -> None:
    wanted = [Wanted(a_pod("filler", requests={"cpu": "8"}), until=5)]
    wanted += [Wanted(a_pod(f"p{number}", requests={"cpu": "3"}), at=1) for number in range(4)]

    steps = list(Simulation(a_case([a_node("n")], wanted)))

    assert brief(steps)[5:] == [("completed", "filler", "n"), ("placed", "p0", "n"), ("placed", "p1", "n")]


def test_another_is_tried_in_the_place_of_a_woken_pod_that_leaves() -> None:
    full = {"cpu": "8"}
    wanted = [
        Wanted(a_pod("filler", requests=full), until=5),
        Wanted(a_pod("leaving", requests=full), until=5),
        Wanted(a_pod("next", requests=full)),
    ]

    steps = list(Simulation(a_case([a_node("n")], wanted)))

    assert brief(steps)[3:] == [("completed", "filler", "n"), ("completed", "leaving", ""), ("placed", "next", "n")]


def test_a_departure_wakes_who_may_preempt_the_rest() -> None:
    objects = [a_node("n"), a_pod("low", node="n", priority=1, requests={"cpu": "4"})]
    wanted = [
        Wanted(a_pod("peer", priority=9, requests={"cpu": "4"}), until=5),
        Wanted(a_pod("large", priority=9, requests={"cpu": "8"}), at=1),
    ]

    steps = list(Simulation(a_case(objects, wanted)))

    assert brief(steps)[1:] == [
        ("unschedulable", "large", ""),
        ("completed", "peer", "n"),
        ("unschedulable", "large", "n"),
        ("preempted", "low", "n"),
        ("placed", "large", "n"),
    ]


def test_pods_that_differ_only_in_what_scheduling_does_not_read_fare_alike() -> None:
    mounts = [{"name": "kube-api-access-x1"}, {"name": "kube-api-access-x2"}]
    pods = [a_pod(f"p{number}", requests={"cpu": "5"}) for number in range(2)]
    for pod, mount in zip(pods, mounts, strict=True):
        pod["spec"]["volumes"] = [mount]
        pod["status"]["conditions"] = [{"type": "PodScheduled", "lastTransitionTime": mount["name"]}]
    simulation = Simulation(a_case([a_node("n", allocatable={"cpu": "1"})], pods))
    for _ in simulation:
        pass

    assert [keys for keys, _ in simulation.explain_waiting()] == [["default/p0", "default/p1"]]


def test_a_placement_wakes_who_wants_to_be_near_it() -> None:
    term = {"labelSelector": {"matchLabels": {"app": "store"}}, "topologyKey": HOSTNAME}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    wanted = [
        Wanted(a_pod("web", affinity=affinity)),
        Wanted(a_pod("other"), at=1),
        Wanted(a_pod("store", labels={"app": "store"}), at=2),
    ]

    steps = list(Simulation(a_case([a_node("n")], wanted)))

    assert [step.pod for step in steps] == [f"default/{name}" for name in ("web", "other", "store", "web")]
    assert steps[-1].node == "n"


def test_gated_pods_and_those_of_other_schedulers_wait_outside() -> None:
    pods = [a_pod("gated", schedulingGates=[{"name": "quota"}]), a_pod("foreign", schedulerName="mine")]

    simulation = Simulation(a_case([a_node("n")], pods))
    steps = list(simulation)

    assert [step.outcome for step in steps] == [Outcome.GATED, Outcome.UNSCHEDULABLE]
    assert steps[0].message == "waiting for scheduling gates: [quota]"
    assert (steps[1].message, steps[1].problem) == ("", NoScheduler("'mine'", ("default-scheduler",)))
    assert set(simulation.waiting) == {"default/gated", "default/foreign"}


def test_the_seed_decides_among_equals_and_nothing_else_does() -> None:
    nodes = [a_node(f"n{number}") for number in range(8)]
    pods = [a_pod(f"p{number}", requests={"cpu": "1"}) for number in range(8)]

    runs = [list(Simulation(a_case(nodes, pods, seed=seed))) for seed in (1, 1, 2)]

    assert runs[0] == runs[1]
    assert [step.node for step in runs[0]] != [step.node for step in runs[2]]
    assert sorted(step.node for step in runs[2]) == sorted(f"n{number}" for number in range(8))


def test_explaining_what_was_no_attempt_is_an_error() -> None:
    case = a_case([a_node("n")], [Wanted(a_pod("p"), until=1)])
    steps = list(Simulation(case))

    with pytest.raises(ValueError, match="step 1 is no attempt to place a pod: completed"):
        explained(case, steps, 1)


def test_pending_pods_are_explained_once_for_all_that_are_alike() -> None:
    pods = [a_pod(f"p{number}", requests={"cpu": "99"}) for number in range(3)] + [a_pod("x", requests={"cpu": "98"})]
    simulation = Simulation(a_case([a_node("n")], pods))
    for _ in simulation:
        pass

    found = [(keys, explanation.fit_error) for keys, explanation in simulation.explain_waiting()]

    said = "0/1 nodes are available: 1 Insufficient cpu."
    assert found == [(["default/p0", "default/p1", "default/p2"], said), (["default/x"], said)]


# -- preemption --------------------------------------------------------------------------------------------------------


def test_victims_go_their_controllers_make_others_and_the_preemptor_takes_the_node() -> None:
    half = {"cpu": "4"}
    objects = [a_node("n"), owned(a_pod("old", node="n", requests=half)), a_pod("bare", node="n", requests=half)]
    objects[2]["status"]["startTime"] = "2026-01-01T00:00:00Z"
    urgent = a_pod("urgent", priority=9, requests={"cpu": "8"})

    simulation = Simulation(a_case(objects, [urgent]))
    steps = list(simulation)

    assert brief(steps) == [
        ("unschedulable", "urgent", "n"),
        ("preempted", "bare", "n"),
        ("preempted", "old", "n"),
        ("placed", "urgent", "n"),
        ("unschedulable", "web-again-1", ""),
    ]
    assert {step.by for step in steps[1:3]} == {"default/urgent"}
    assert list(simulation.waiting) == ["default/web-again-1"]


@pytest.mark.parametrize(
    ("graces", "seconds"), [((None, None), 30), ((0, 0), 0), ((0, 45), 45), ((5, None), 30), ((-3, 0), 1)]
)
def test_a_preemptor_would_wait_for_the_victim_that_takes_longest(
    graces: tuple[int | None, int | None], seconds: int
) -> None:
    given: list[dict[str, Any]] = [
        {} if grace is None else {"terminationGracePeriodSeconds": grace} for grace in graces
    ]
    victims = [a_pod(f"v{n}", node="n", requests={"cpu": "4"}, **spec) for n, spec in enumerate(given)]
    case = a_case([a_node("n"), *victims], [a_pod("urgent", priority=9, requests={"cpu": "8"})])

    steps = list(Simulation(case))

    assert [step.waits for step in steps] == [VictimsWait(seconds, 2), None, None, None]
    assert brief(steps)[-1] == ("placed", "urgent", "n")


def test_who_never_preempts_waits() -> None:
    objects = [a_node("n"), a_pod("old", node="n", requests={"cpu": "8"})]
    patient = a_pod("patient", priority=9, requests={"cpu": "8"}, preemptionPolicy="Never")

    steps = list(Simulation(a_case(objects, [patient])))

    assert brief(steps) == [("unschedulable", "patient", "")]
    assert "preemptionPolicy=Never" in steps[0].message


# -- sampling ----------------------------------------------------------------------------------------------------------


def in_zones(zones: Mapping[str, str]) -> list[Document]:
    return [a_node(name, zone=zone) for name, zone in zones.items()]


def test_zones_take_turns_in_the_order_of_search() -> None:
    zones = {"1": "a", "2": "a", "3": "a", "4": "a", "5": "b", "6": "b"}
    nodes = Snapshot.from_objects(in_zones(zones)).nodes

    assert [nodes.names[row] for row in interleaved(nodes.nodes)] == ["1", "5", "2", "6", "3", "4"]


def test_a_search_ends_early_and_the_next_goes_on_from_there() -> None:
    nodes = [a_node(f"n{number:03d}") for number in range(250)]
    pods = [a_pod(f"p{number}", requests={"cpu": "100m"}) for number in range(4)]

    steps = list(Simulation(a_case(nodes, pods, samples=True)))

    # 48 % of 250 nodes.
    assert [(step.looked_at, step.feasible) for step in steps] == [(120, 120)] * 4
    found = [int(step.node[1:]) for step in steps]
    assert found[0] < 120 <= found[1] < 240
    assert found[2] >= 240 or found[2] < 110
    assert 110 <= found[3] < 230


def test_small_clusters_are_searched_whole_and_a_single_node_is_not_scored() -> None:
    steps = list(Simulation(a_case([a_node("a"), a_node("b", unschedulable=True)], [a_pod("p")], samples=True)))

    assert (steps[0].looked_at, steps[0].feasible, steps[0].total, steps[0].ties) == (2, 1, None, 1)


def test_the_share_that_a_configuration_asks_for_is_searched() -> None:
    data = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 80,
    }
    nodes = [a_node(f"n{number:03d}") for number in range(150)]

    steps = list(
        Simulation(a_case(nodes, [a_pod("p")], samples=True, configuration=SchedulerConfiguration.from_dict(data)))
    )

    assert steps[0].looked_at == 120


# -- evictions ---------------------------------------------------------------------------------------------------------


def a_deployment_of_three() -> list[Document]:
    labels = {"app": "db"}
    pods = [
        ready(owned(a_pod(f"pod-{name}", node=f"node-{number}", labels=labels, requests={"cpu": "3"})))
        for number, name in enumerate("abc", 1)
    ]
    lone = ready(owned(a_pod("pod-x", node="node-1", requests={"cpu": "3"}), name="other"))
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "db", "namespace": "default"},
        "spec": {"minAvailable": 2, "selector": {"matchLabels": labels}},
    }
    nodes = [a_node(f"node-{number}", allocatable={"cpu": cpu}) for number, cpu in ((1, "7"), (2, "7"), (3, "6"))]
    return [*nodes, *pods, lone, budget]


def test_a_drain_goes_as_far_as_budgets_allow() -> None:
    simulation = Simulation(a_case(a_deployment_of_three(), [], drained=["node-1", "node-2"]))
    steps = list(simulation)

    assert brief(steps) == [
        ("evicted", "pod-a", "node-1"),
        ("placed", "web-again-1", "node-2"),
        ("evicted", "pod-x", "node-1"),
        ("placed", "other-again-1", "node-3"),
        ("evicted", "pod-b", "node-2"),
        ("unschedulable", "web-again-2", ""),
        ("refused", "web-again-1", "node-2"),
    ]
    assert steps[-1].message == (
        "Cannot evict pod as it would violate the pod's disruption budget. "
        "The disruption budget db needs 2 healthy pods and has 2 currently"
    )
    assert list(simulation.waiting) == ["default/web-again-2"]
    assert [node.unschedulable for node in simulation.snapshot.nodes.nodes] == [True, True, False]


def test_a_node_with_a_pod_that_nothing_controls_is_not_begun_with() -> None:
    objects = [a_node("a"), a_node("b"), ready(a_pod("bare", node="a")), ready(owned(a_pod("web", node="a")))]

    steps = list(Simulation(a_case(objects, [], drained=["a"])))

    assert brief(steps) == [("held", "bare", "a")]
    assert steps[0].message.startswith("cannot delete Pods that declare no controller")


def test_daemon_pods_stay_where_they_are() -> None:
    objects = [a_node("a"), a_node("b"), ready(owned(a_pod("agent", node="a"), "DaemonSet", "agent"))]

    assert list(Simulation(a_case(objects, [], drained=["a"]))) == []


def test_a_stateful_pod_comes_back_under_its_name() -> None:
    objects = [a_node("a"), a_node("b"), ready(owned(a_pod("db-0", node="a"), "StatefulSet", "db"))]

    steps = list(Simulation(a_case(objects, [], drained=["a"])))

    assert brief(steps) == [("evicted", "db-0", "a"), ("placed", "db-0", "b")]


def test_pods_leave_a_silent_node_after_the_time_that_they_tolerate() -> None:
    toleration = {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute"}
    patient = ready(owned(a_pod("patient", node="a", tolerations=[{**toleration, "tolerationSeconds": 300}])))
    loyal = ready(owned(a_pod("loyal", node="a", tolerations=[toleration])))
    nodes = [a_node(name, zone="z") for name in "abcd"]

    steps = list(
        Simulation(
            a_case([*nodes, patient, loyal, ready(owned(a_pod("hasty", node="a")))], [a_pod("new")], unreachable=["a"])
        )
    )

    second = 1_000_000_000
    assert [(step.at // second, step.outcome.value, step.pod) for step in steps] == [
        (0, "placed", "default/new"),
        (50, "evicted", "default/hasty"),
        (50, "placed", "default/web-again-1"),
        (350, "evicted", "default/patient"),
        (350, "placed", "default/web-again-2"),
    ]
    assert steps[1].by == "node.kubernetes.io/unreachable:NoExecute"
    assert "a" not in {step.node for step in steps if step.at and step.outcome is Outcome.PLACED}


# -- scoring -----------------------------------------------------------------------------------------------------------


def test_nodes_are_filled_one_by_one_when_the_most_allocated_is_best() -> None:
    strategy = {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}
    configuration = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            **with_arguments("NodeResourcesFit", scoringStrategy=strategy),
        }
    )
    nodes = [a_node(f"n{number}", allocatable={"cpu": "4"}) for number in range(3)]
    pods = [a_pod(f"p{number}", requests={"cpu": "1", "memory": "1Gi"}) for number in range(12)]

    steps = list(Simulation(a_case(nodes, pods, configuration=configuration)))

    order = [step.node for step in steps]
    assert len(set(order)) == 3
    assert [order[start : start + 4] for start in (0, 4, 8)] == [[order[start]] * 4 for start in (0, 4, 8)]
