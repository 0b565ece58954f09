"""Simulations in which copies of pods have to keep the bounds of LimitRanges, and get their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission import LimitRangeRefusal
from clusters.engine.simulation import Simulation, state_after
from tests.engine.quotas.quotas import a_quota
from tests.engine.simulation.test_quotas import add, case_of, deployment, nodes, outcomes, told, web

if TYPE_CHECKING:
    from tests.engine.builders import Document

MORE = {"change": "scale", "kind": "ReplicaSet", "namespace": "default", "name": "web", "by": 2}


def a_range(**limit: object) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "bounds", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", **limit}]},
    }


def test_more_replicas_that_exceed_a_bound_are_refused_in_the_words_of_the_api_server() -> None:
    case = case_of([*nodes("n1"), web("web-1"), a_range(min={"cpu": "2"})], MORE)

    simulation = Simulation(case)
    steps = list(simulation)

    assert [step.outcome.value for step in steps] == ["forbidden", "forbidden"]
    assert steps[0].problem == LimitRangeRefusal(
        "default",
        "bounds",
        f'pods "{steps[0].pod.partition("/")[2]}" is forbidden: minimum cpu usage per Container is 2, but request is 1',
        ("cpu",),
    )
    assert not simulation.waiting


def test_pods_within_the_bounds_are_created_and_those_that_exist_stay() -> None:
    assert outcomes(case_of([*nodes("n1"), web("web-1"), a_range(min={"cpu": "1"})], MORE)) == ["placed", "placed"]
    assert outcomes(case_of([*nodes("n1"), web("web-1", None), a_range(min={"cpu": "2"})])) == ["placed"]


def test_a_replacement_is_refused_though_the_pod_that_it_replaces_ran() -> None:
    drain = {"change": "drain-nodes", "nodes": ["n1"]}
    objects = [*nodes("n1", "n2"), web("web-1"), web("web-2"), a_range(min={"cpu": "2"})]

    steps = told(Simulation(case_of(objects, drain)))

    # Nothing that is freed lets them in, so that nobody is asked again.
    assert steps == [
        ("evicted", "web-1"),
        ("forbidden", "web-again-1"),
        ("evicted", "web-2"),
        ("forbidden", "web-again-2"),
    ]


def test_copies_request_what_a_limit_range_gives_them_now() -> None:
    tiny = web("web-1")
    tiny["metadata"]["annotations"] = {
        "kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu request for container main"
    }
    objects = [*nodes("n1", cpu="8"), tiny]

    assert outcomes(case_of([*objects, a_range(defaultRequest={"cpu": "1"})], MORE)) == ["placed", "placed"]
    # 1 runs, and each of the new ones requests 4.
    assert outcomes(case_of([*objects, a_range(defaultRequest={"cpu": "4"})], MORE)) == ["placed", "unschedulable"]


def test_defaults_of_a_limit_range_are_charged_in_quotas() -> None:
    quota = a_quota("memory", hard={"requests.memory": "3Gi"}, used={"requests.memory": "0"})
    bounds = a_range(defaultRequest={"memory": "2Gi"})

    assert outcomes(case_of([*nodes("n1"), web("web-1"), quota], MORE)) == ["forbidden", "forbidden"]
    assert sorted(outcomes(case_of([*nodes("n1"), web("web-1"), quota, bounds], MORE))) == ["forbidden", "placed"]


def test_a_limit_range_of_the_question_itself_counts() -> None:
    objects = [*nodes("n1"), web("web-1")]

    assert outcomes(case_of(objects, add(a_range(max={"cpu": "500m"})), MORE)) == ["forbidden", "forbidden"]


def test_claims_of_a_stateful_set_have_to_keep_the_bounds_of_claims() -> None:
    storage = {
        "kind": "StorageClass",
        "apiVersion": "storage.k8s.io/v1",
        "metadata": {"name": "late"},
        "provisioner": "csi.example.com",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    resources = {"requests": {"storage": "10Gi"}}
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data-db-0", "namespace": "default"},
        "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "late", "resources": resources},
    }
    db = web("db-0", volumes=[{"persistentVolumeClaim": {"claimName": "data-db-0"}}])
    owner = {"kind": "StatefulSet", "apiVersion": "apps/v1", "name": "db", "controller": True}
    db["metadata"]["ownerReferences"] = [owner]
    bounds = a_range(type="PersistentVolumeClaim", max={"storage": "5Gi"})
    more = {**MORE, "kind": "StatefulSet", "name": "db", "by": 1}

    (step,) = Simulation(case_of([*nodes("n1"), storage, claim, db, bounds], more))

    assert isinstance(step.problem, LimitRangeRefusal)
    assert step.pod == "default/db-1"
    assert step.problem.message == (
        'persistentvolumeclaims "data-db-1" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but '
        "request is 10Gi"
    )


def test_a_run_goes_on_from_any_of_its_steps() -> None:
    drain = {"change": "drain-nodes", "nodes": ["n1"]}
    objects = [*nodes("n1", "n2"), web("web-1"), web("web-2"), a_range(min={"cpu": "2"})]
    case = case_of(objects, add(deployment("shop", 2, cpu="3")), drain)
    steps = list(Simulation(case))
    assert {step.outcome.value for step in steps} == {"forbidden", "placed", "evicted"}

    for number in range(len(steps)):
        assert [*steps[:number], *state_after(case, steps[:number])] == steps
