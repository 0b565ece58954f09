"""Runs with times: pods that have to go terminate for their grace period, and others wait for their room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.nodes import SECOND
from clusters.engine.objects import key_of
from clusters.engine.simulation import (
    Case,
    Outcome,
    Simulation,
    Step,
    Wanted,
    series_of,
    state_after,
)
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.simulation.batch.examples import a_budget
from tests.engine.simulation.changing import a_workload, after, owned, texts, wanted

if TYPE_CHECKING:
    from collections.abc import Iterable

READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


# That comes or goes later makes a run one with times.
LATER = Wanted(a_pod("later", requests={"cpu": "1"}, nodeSelector={"kubernetes.io/hostname": "none"}), at=100 * SECOND)


def timed(objects: Iterable[Document], pods: Iterable[Document | Wanted] = (), **more: Any) -> Case:
    """A graceful case with times on nodes n (8 CPUs) and what else there is."""
    known = [a_node("n"), *objects]
    placed = {key_of(each): each for each in known if each["kind"] == "Pod"}
    wanted = [each if isinstance(each, Wanted) else Wanted(each) for each in pods]
    configuration = SchedulerConfiguration.default()
    return Case(Snapshot.from_objects(known), configuration, [*wanted, LATER], placed=placed, is_graceful=True, **more)


def a_victim(name: str, cpus: int, *, kind: str = "ReplicaSet", node: str = "n", **spec: Any) -> Document:
    return owned(name, "web", node, kind=kind, status=READY, requests={"cpu": str(cpus)}, **spec)


def urgent(cpus: int, name: str = "urgent", priority: int = 9, **spec: Any) -> Document:
    return a_pod(name, requests={"cpu": str(cpus)}, priority=priority, **spec)


def brief(steps: Iterable[Step]) -> list[tuple[int, str, str]]:
    """When what happened to which pod, but for the one that comes later; times in seconds."""
    return [
        (step.at // SECOND, step.outcome.value, step.pod.partition("/")[2])
        for step in steps
        if step.pod != "default/later"
    ]


def check(case: Case) -> list[Step]:
    """The steps of a case, which a run that is cut off anywhere has too."""
    steps = list(Simulation(case))
    for number in range(len(steps) + 1):
        assert list(Simulation(case, steps[:number])) == steps
    return steps


# -- preemption --------------------------------------------------------------------------------------------------------


def test_two_preemptors_do_not_count_on_the_same_victim() -> None:
    victims = [a_victim("on-n", 8), a_victim("on-m", 8, node="m")]

    steps = check(timed([*[a_node("m")], *victims], [urgent(8, "one"), urgent(8, "two")]))

    assert [each for each in brief(steps) if each[1] == "preempted"] == [
        (0, "preempted", "on-m"),
        (0, "preempted", "on-n"),
    ]
    assert {each[2] for each in brief(steps) if each[1] == "placed"} == {"one", "two"}


def test_a_victim_that_terminates_already_is_waited_for() -> None:
    """A drain lets it go first, and the node is drained for nothing else: the pod tolerates that it is cordoned."""
    victim = a_victim("victim", 8)
    tolerations = [{"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}]

    steps = check(timed([victim], [Wanted(urgent(8, tolerations=tolerations), at=10 * SECOND)], drained=("n",)))

    assert brief(steps) == [
        (0, "evicted", "victim"),
        (0, "unschedulable", "web-again-1"),
        (10, "unschedulable", "urgent"),
        (30, "terminated", "victim"),
        (30, "placed", "urgent"),
    ]


def test_what_terminates_still_takes_up_its_room() -> None:
    case = timed([a_victim("usual", 8)], [urgent(8)])
    steps = list(Simulation(case))
    gone = next(step.number for step in steps if step.outcome is Outcome.TERMINATED)
    before, after = state_after(case, steps[:gone]).snapshot, state_after(case, steps[: gone + 1]).snapshot
    cpu = before.nodes.resources.index("cpu")

    assert (before.nodes.requested[0, cpu], after.nodes.requested[0, cpu]) == (8000, 0)
    assert before.pods.terminating[before.pods.slot_of["default/usual"]]
    points = series_of(case, steps, state_after(case, steps).document_of).points
    requested = {point.step: point.requested["cpu"] for point in points}
    assert (requested[gone - 1], requested[gone]) == (8000, 0)


# -- drains, taints and the flow ---------------------------------------------------------------------------------------


def test_what_a_budget_refuses_is_asked_for_again_once_others_run() -> None:
    """A StatefulSet of two on one node, of which one may be missing: its next pod comes after 30 s."""
    pods = [a_victim(f"web-{number}", 1, kind="StatefulSet", labels={"app": "web"}) for number in range(2)]

    steps = check(timed([a_node("m"), a_budget("web", {"app": "web"}, least=1, pods=2), *pods], drained=("n",)))

    assert brief(steps) == [
        (0, "evicted", "web-0"),
        (30, "terminated", "web-0"),
        (30, "placed", "web-0"),
        (30, "evicted", "web-1"),
        (60, "terminated", "web-1"),
        (60, "placed", "web-1"),
    ]


def test_a_pod_whose_time_ends_while_it_terminates_has_no_further_step() -> None:
    passing = Wanted(a_pod("passing", requests={"cpu": "8"}), until=20 * SECOND)

    assert brief(check(timed([], [passing, Wanted(urgent(8), at=SECOND)]))) == [
        (0, "placed", "passing"),
        (1, "unschedulable", "urgent"),
        (1, "preempted", "passing"),
        (31, "terminated", "passing"),
        (31, "placed", "urgent"),
    ]


# -- always ------------------------------------------------------------------------------------------------------------


@st.composite
def crowded(draw: st.DrawFn) -> Case:
    """Pods that come to nodes which others fill, preempt those, and perhaps leave again; nodes may be drained."""
    kinds = st.sampled_from(("ReplicaSet", "StatefulSet"))
    graces = st.sampled_from((0, 1, 5, 30))
    pods = [
        a_victim(
            f"web-{number}",
            draw(st.integers(2, 5)),
            kind=draw(kinds),
            node=draw(st.sampled_from(("n", "m"))),
            priority=draw(st.integers(0, 3)),
            terminationGracePeriodSeconds=draw(graces),
        )
        for number in range(draw(st.integers(2, 4)))
    ]
    wanted = []
    for number in range(draw(st.integers(1, 5))):
        cpus, at = draw(st.integers(2, 8)), draw(st.integers(0, 12))
        pod = urgent(cpus, f"p{number}", draw(st.integers(1, 9)), terminationGracePeriodSeconds=draw(graces))
        until = draw(st.one_of(st.none(), st.integers(at, 40)))
        wanted.append(Wanted(pod, at * SECOND, None if until is None else until * SECOND))
    drained = draw(st.sampled_from(((), (), ("n",), ("m", "n"))))
    return timed([a_node("m"), *pods], wanted, drained=drained, seed=draw(st.integers(0, 3)))


@settings(max_examples=20, deadline=None)
@given(crowded(), st.data())
def test_no_node_is_ever_over_full_and_a_run_goes_on_where_it_stopped(case: Case, data: st.DataObject) -> None:
    """Pods that terminate take up their room until their grace period is over, and are gone then."""
    full = case.snapshot.nodes.allocatable < case.snapshot.nodes.requested
    simulation, steps = Simulation(case), []
    ends: dict[str, int] = {}

    for step in simulation:
        steps.append(step)
        snapshot, nodes = simulation.snapshot, simulation.snapshot.nodes
        if step.grace:
            assert step.pod not in ends
            ends[step.pod] = step.at + step.grace * SECOND
        elif step.outcome is Outcome.TERMINATED:
            assert (ends.pop(step.pod), snapshot.placed_on(step.pod)) == (step.at, None)
        elif step.outcome is Outcome.PLACED:
            row = nodes.index[step.node]
            assert not ((nodes.requested[row] > nodes.allocatable[row]) & ~full[row]).any()
        assert all(snapshot.pods.terminating[snapshot.pods.slot_of[pod]] for pod in ends)
        assert all(end >= step.at for end in ends.values())

    assert not ends
    known = steps[: data.draw(st.integers(0, len(steps)))]
    assert list(Simulation(case, known)) == steps


DELETED = "Pods deleted by 1 DaemonSets: 1."


def agents(**pod: Any) -> dict[str, Any]:
    return a_workload("DaemonSet", "agent", pod=pod)


def on(name: str, **more: Any) -> dict[str, Any]:
    """A pod of the DaemonSet on a node, as its controller ties it to it."""
    term = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": term}}
    return owned(f"agent-{name}", "agent", name, kind="DaemonSet", affinity=affinity, **more)


SSD = agents(nodeSelector={"disk": "ssd"})
REQUIRED = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd", "nvme"]}]}]}
AFFINE = agents(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": REQUIRED}})
LABEL = {"change": "label-nodes", "nodes": ["n1"], "labels": {"disk": "ssd"}}
UNLABEL = {"change": "label-nodes", "nodes": ["n1"], "labels": {"disk": None}}


def test_a_label_that_makes_nothing_eligible_says_nothing() -> None:
    # What should run there already and does not is for the cluster to make.
    nodes = [a_node("n1", labels={"disk": "ssd"}), a_node("n2")]
    made = after([*nodes, SSD], {**LABEL, "labels": {"disk": "ssd", "tier": "gold"}})
    assert (wanted(made.case), texts(made)) == ([], [])


@pytest.mark.parametrize("daemon_set", [SSD, AFFINE])
def test_a_label_that_goes_takes_the_pod_with_it(daemon_set: dict[str, Any]) -> None:
    made = after([a_node("n1", labels={"disk": "ssd"}), daemon_set, on("n1")], UNLABEL)

    assert made.case.placed == {}
    assert texts(made) == [DELETED]


def test_of_a_daemon_set_whose_template_is_not_known_a_pod_tells_where_it_runs() -> None:
    nodes = [a_node("n1"), a_node("n2", labels={"disk": "ssd"})]
    assert wanted(after([*nodes, on("n2", nodeSelector={"disk": "ssd"})], LABEL).case) == ["agent-n1"]


def test_taints_keep_new_pods_away_and_evict_those_that_do_not_tolerate_them() -> None:
    taint = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
    untaint = {"change": "taint-nodes", "nodes": ["n1"], "taints": [], "remove": ["gpu"]}

    assert wanted(after([a_node("n1", taints=[taint]), agents()], untaint).case) == ["agent-n1"]
    kept = after([a_node("n1"), agents(), on("n1")], {**untaint, "taints": [taint], "remove": []})
    assert list(kept.case.placed) == ["default/agent-n1"]
    evicting = {**untaint, "taints": [{**taint, "effect": "NoExecute"}], "remove": []}
    gone = after([a_node("n1"), agents(), on("n1")], evicting)
    assert (gone.case.placed, wanted(gone.case)) == ({}, [])


@pytest.mark.parametrize(
    ("kind", "spec", "names"),
    [
        ("Deployment", {"replicas": 0}, None),
        ("ReplicaSet", {"replicas": 0}, ["web-1", "web-2"]),
        ("StatefulSet", {"replicas": 0}, ["web-0", "web-1"]),
        ("Job", {"parallelism": 0, "completions": 4, "pod": {"restartPolicy": "Never"}}, ["web-1", "web-2"]),
    ],
)
def test_a_workload_without_pods_is_scaled_by_its_template(
    kind: str, spec: dict[str, Any], names: list[str] | None
) -> None:
    workload = a_workload(kind, **spec)
    scale = {"change": "scale", "kind": kind, "namespace": "default", "name": "web", "replicas": 2}
    made = after([a_node("n1"), workload], scale)

    assert names is None or wanted(made.case) == names
    assert [step.node for step in Simulation(made.case)] == ["n1", "n1"]
    # Down and up again: the template is still there.
    again = after([a_node("n1"), workload], scale, {**scale, "replicas": 0}, {**scale, "replicas": 1})
    assert len(wanted(again.case)) == 1


def test_pods_of_a_deployment_scaled_from_zero_belong_to_its_newest_replica_set() -> None:
    deployment = a_workload("Deployment", replicas=0)
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "uid-web", "controller": True}
    deployment["metadata"]["uid"] = "uid-web"
    sets = [
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": f"web-{hashed}",
                "namespace": "default",
                "uid": f"uid-{hashed}",
                "creationTimestamp": created,
                "labels": {"app": "web", "pod-template-hash": hashed},
                "ownerReferences": [owner],
            },
            "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "web", "pod-template-hash": hashed}}},
        }
        for hashed, created in (("old", "2026-01-01T00:00:00Z"), ("new", "2026-02-01T00:00:00Z"))
    ]
    scale = {"change": "scale", "kind": "Deployment", "namespace": "default", "name": "web", "by": 1}
    made = after([a_node("n1"), deployment, *sets], scale)

    (pod,) = [each.pod for each in made.case.wanted]
    assert pod["metadata"]["labels"] == {"app": "web", "pod-template-hash": "new"}
    assert [(each["name"], each["uid"]) for each in pod["metadata"]["ownerReferences"]] == [("web-new", "uid-new")]
    replicas = {each["metadata"]["name"]: each["spec"]["replicas"] for each in made.case.snapshot.objects("ReplicaSet")}
    assert replicas == {"web-new": 1, "web-old": 0}
