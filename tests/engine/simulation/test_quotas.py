"""Simulations in which pods are charged in quotas as they come to be, and free what they used as they go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clusters.engine import SchedulerConfiguration
from clusters.engine.quotas import QuotaExceeded
from clusters.engine.simulation import Case, ClusterDocuments, Simulation, Step, Wanted, read_changes, state_after
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.quotas.quotas import a_quota

if TYPE_CHECKING:
    from collections.abc import Iterable


CONTROLLED = {"ownerReferences": [{"kind": "ReplicaSet", "apiVersion": "apps/v1", "name": "web", "controller": True}]}


def web(name: str, node: str | None = "n1", **spec: Any) -> Document:
    pod = a_pod(name, node=node, requests={"cpu": "1"}, **spec)
    pod["metadata"].update(CONTROLLED)
    if node is not None:
        pod["status"] = {"phase": "Running"}
    return pod


def nodes(*names: str, cpu: str = "10") -> list[Document]:
    return [a_node(name, allocatable={"cpu": cpu, "memory": "32Gi", "pods": "100"}) for name in names]


def deployment(name: str, replicas: int, *, cpu: str | None = "1", namespace: str = "default") -> Document:
    resources = {} if cpu is None else {"requests": {"cpu": cpu}}
    labels = {"app": name}
    template = {
        "metadata": {"labels": labels},
        "spec": {"containers": [{"name": "main", "image": "app", "resources": resources}]},
    }
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def case_of(objects: Iterable[Document], *changes: Document) -> Case:
    world = ClusterDocuments(objects, SchedulerConfiguration.default())
    for number, change in enumerate(read_changes(changes)):
        change.apply(world, f"changes[{number}]")
    return world.case(seed=1, samples=False)


def add(manifest: Document) -> Document:
    return {"change": "add-workload", "manifest": manifest}


def told(steps: Iterable[Step]) -> list[tuple[str, str]]:
    return [(step.outcome.value, step.pod.partition("/")[2]) for step in steps]


def outcomes(case: Case) -> list[str]:
    return [outcome for outcome, _ in told(Simulation(case))]


def test_pods_are_created_as_long_as_the_quota_allows() -> None:
    quota = a_quota("compute", hard={"requests.cpu": "4", "pods": "10"}, used={"requests.cpu": "1500m", "pods": "1"})
    case = case_of([*nodes("n1"), quota], add(deployment("shop", 4)))

    simulation = Simulation(case)
    steps = list(simulation)

    assert [step.outcome.value for step in steps] == ["forbidden", "forbidden", "placed", "placed"]
    problem = steps[0].problem
    assert isinstance(problem, QuotaExceeded)
    name = steps[0].pod.partition("/")[2]
    assert problem.message == (
        f'pods "{name}" is forbidden: exceeded quota: compute, requested: requests.cpu=1, used: requests.cpu=3500m, '
        "limited: requests.cpu=4"
    )
    # It does not exist, and is no pending pod.
    assert not simulation.waiting
    assert simulation.document_of(steps[0].pod)["metadata"]["name"] == name


def test_pods_without_what_the_quota_counts_are_refused_unless_a_limit_range_gives_it() -> None:
    quota = a_quota("compute", hard={"requests.cpu": "4"}, used={})
    defaults = {"type": "Container", "defaultRequest": {"cpu": "3"}}
    ranges = {"kind": "LimitRange", "metadata": {"name": "r", "namespace": "default"}, "spec": {"limits": [defaults]}}
    bare = add(deployment("bare", 1, cpu=None))

    assert outcomes(case_of([*nodes("n1"), quota], bare)) == ["forbidden"]
    assert outcomes(case_of([*nodes("n1"), quota, ranges], bare)) == ["placed"]
    assert outcomes(case_of([*nodes("n1"), quota, ranges], add(deployment("bare", 2, cpu=None)))) == [
        "forbidden",
        "placed",
    ]


def test_what_a_change_takes_away_is_free_for_what_comes() -> None:
    quota = a_quota("pods", hard={"pods": "2"}, used={"pods": "2"})
    base = [*nodes("n1"), web("web-1"), web("web-2"), quota]
    fewer = {"change": "scale", "kind": "ReplicaSet", "namespace": "default", "name": "web", "by": -1}

    assert outcomes(case_of(base, add(deployment("shop", 1)))) == ["forbidden"]
    assert outcomes(case_of(base, fewer, add(deployment("shop", 2)))) == ["forbidden", "placed"]
    more = {**fewer, "by": 1}
    assert outcomes(case_of(base, more)) == ["forbidden"]


def test_replacements_of_drained_pods_take_what_those_freed() -> None:
    quota = a_quota("pods", hard={"pods": "2"}, used={"pods": "2"})
    drain = {"change": "drain-nodes", "nodes": ["n1"]}

    steps = told(Simulation(case_of([*nodes("n1", "n2"), web("web-1"), web("web-2"), quota], drain)))

    assert steps == [
        ("evicted", "web-1"),
        ("placed", "web-again-1"),
        ("evicted", "web-2"),
        ("placed", "web-again-2"),
    ]


def test_a_quota_that_is_over_used_does_not_let_replacements_in() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={"pods": "2"})
    drain = {"change": "drain-nodes", "nodes": ["n1"]}

    steps = told(Simulation(case_of([*nodes("n1", "n2"), web("web-1"), web("web-2"), quota], drain)))

    # Once the second is gone, its own replacement or the first one's is the one that there is room for.
    assert steps == [
        ("evicted", "web-1"),
        ("forbidden", "web-again-1"),
        ("evicted", "web-2"),
        ("placed", "web-again-2"),
    ]


def test_the_replacements_of_nodes_that_go_are_charged_anew() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={"pods": "2"})
    gone = {"change": "remove-nodes", "nodes": ["n1"]}

    assert outcomes(case_of([*nodes("n1", "n2"), web("web-1"), web("web-2"), quota], gone)) == ["forbidden", "placed"]


def test_a_controller_tries_again_when_a_pod_leaves_and_nobody_does_for_a_bare_pod() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={})
    second = 1_000_000_000
    case = case_of([*nodes("n1"), quota])
    short = {**web("short", None), "status": {}}
    bare = a_pod("bare")
    late = {**web("late", None), "status": {}}
    case = replace(case, wanted=[Wanted(short, 0, 2 * second), Wanted(bare, second), Wanted(late, second)])

    assert told(Simulation(case)) == [
        ("placed", "short"),
        ("forbidden", "bare"),
        ("forbidden", "late"),
        ("completed", "short"),
        ("placed", "late"),
    ]


def test_pods_that_are_pending_already_are_not_charged_again() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={"pods": "1"})

    assert outcomes(case_of([*nodes("n1"), web("web-1", None), quota])) == ["placed"]


def test_pods_that_only_move_are_not_created() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={"pods": "2"})

    steps = outcomes(case_of([*nodes("n1"), web("web-1"), web("web-2"), quota], {"change": "place", "pods": "all"}))

    assert steps == ["placed", "placed"]


def test_a_quota_of_a_manifest_counts_the_pods_that_are_there() -> None:
    quota = {**a_quota("new", hard={"pods": "3"}), "apiVersion": "v1"}

    steps = outcomes(case_of([*nodes("n1"), web("web-1"), web("web-2")], add(quota), add(deployment("shop", 2))))

    assert steps == ["forbidden", "placed"]


def test_a_quota_of_another_namespace_refuses_nothing() -> None:
    quota = a_quota("pods", "other", hard={"pods": "0"}, used={})

    assert outcomes(case_of([*nodes("n1"), quota], add(deployment("shop", 1)))) == ["placed"]


def test_claims_of_a_stateful_set_are_charged_before_its_pods() -> None:
    quota = a_quota("storage", hard={"requests.storage": "15Gi"}, used={})
    storage = {
        "kind": "StorageClass",
        "apiVersion": "storage.k8s.io/v1",
        "metadata": {"name": "late"},
        "provisioner": "csi.example.com",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    claim = {
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "late",
            "resources": {"requests": {"storage": "10Gi"}},
        },
    }
    made = deployment("db", 2)
    stateful = {**made, "kind": "StatefulSet", "spec": {**made["spec"], "volumeClaimTemplates": [claim]}}

    steps = list(Simulation(case_of([*nodes("n1"), storage, quota], add(stateful))))

    refused = [step for step in steps if step.outcome == "forbidden"]
    (one,) = refused
    assert one.pod == "default/db-1"
    assert isinstance(one.problem, QuotaExceeded)
    assert one.problem.message == (
        'persistentvolumeclaims "data-db-1" is forbidden: exceeded quota: storage, '
        "requested: requests.storage=10Gi, used: requests.storage=10Gi, limited: requests.storage=15Gi"
    )


def test_a_run_goes_on_from_any_of_its_steps() -> None:
    quota = a_quota("pods", hard={"pods": "3"}, used={"pods": "2"})
    drain = {"change": "drain-nodes", "nodes": ["n1"]}
    case = case_of([*nodes("n1", "n2"), web("web-1"), web("web-2"), quota], add(deployment("shop", 3)), drain)
    steps = list(Simulation(case))
    assert {step.outcome.value for step in steps} == {"forbidden", "placed", "evicted"}

    for number in range(len(steps)):
        again = state_after(case, steps[:number])
        assert [*steps[:number], *again] == steps
