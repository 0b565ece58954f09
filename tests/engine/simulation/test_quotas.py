"""Simulations in which pods are charged in quotas as they come to be, and free what they used as they go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.admission import LimitRangeRefusal
from clusters.engine.quotas import QuotaExceeded
from clusters.engine.simulation import (
    Base,
    Case,
    ChangedCluster,
    Headroom,
    Portion,
    Simulation,
    Step,
    Wanted,
    headroom,
    nodes_needed,
    read_changes,
)
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.quotas.quotas import a_quota
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.simulation.node_counts import NodesNeeded
    from tests.engine.builders import Document

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
    world = ChangedCluster(Base.of(objects, DEFAULT.release), DEFAULT)
    for number, change in enumerate(read_changes(changes)):
        change.apply(world, f"changes[{number}]")
    return world.case(seed=1, samples=False)


def add(manifest: Document) -> Document:
    return {"change": "add-workload", "manifest": manifest}


def told(steps: Iterable[Step]) -> list[tuple[str, str]]:
    return [(step.outcome.value, step.pod.partition("/")[2]) for step in steps]


def outcomes(case: Case) -> list[str]:
    return [outcome for outcome, _ in told(Simulation(case))]


def test_the_replacements_of_nodes_that_go_are_charged_anew() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={"pods": "2"})
    gone = {"change": "remove-nodes", "nodes": ["n1"]}

    assert outcomes(case_of([*nodes("n1", "n2"), web("web-1"), web("web-2"), quota], gone)) == ["forbidden", "placed"]


def test_pods_that_only_move_are_not_created() -> None:
    quota = a_quota("pods", hard={"pods": "1"}, used={"pods": "2"})

    steps = outcomes(case_of([*nodes("n1"), web("web-1"), web("web-2"), quota], {"change": "place", "pods": "all"}))

    assert steps == ["placed", "placed"]


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

    (one,) = [step for step in steps if step.outcome == "forbidden"]
    assert one.pod == "default/db-1"
    assert isinstance(one.problem, QuotaExceeded)
    assert one.problem.message == (
        'persistentvolumeclaims "data-db-1" is forbidden: exceeded quota: storage, '
        "requested: requests.storage=10Gi, used: requests.storage=10Gi, limited: requests.storage=15Gi"
    )


MORE = {"change": "scale", "kind": "ReplicaSet", "namespace": "default", "name": "web", "by": 2}


def a_range(**limit: object) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "bounds", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", **limit}]},
    }


def test_a_replacement_is_refused_though_the_pod_that_it_replaces_ran() -> None:
    objects = [*nodes("n1", "n2"), web("web-1"), web("web-2"), a_range(min={"cpu": "2"})]

    # Nothing that is freed lets them in, so that nobody is asked again.
    assert told(Simulation(case_of(objects, {"change": "drain-nodes", "nodes": ["n1"]}))) == [
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


DEFAULT = SchedulerConfiguration.default()
NODES = [a_node(name, allocatable={"cpu": "4", "memory": "16Gi"}) for name in ("a", "b")]


def counted(*objects: Document, shape: Document | None = None) -> Headroom:
    asked = shape or a_pod("web", requests={"cpu": "1"})
    return headroom(Snapshot.from_objects([*NODES, *objects]), DEFAULT, [Portion(asked)], admits=True)


def cpu_quota(hard: str, used: str = "0") -> Document:
    return a_quota("cpu", hard={"requests.cpu": hard}, used={"requests.cpu": used})


def test_a_quota_stops_the_count_with_the_message_of_the_api_server() -> None:
    found = counted(cpu_quota("5", "2500m"))

    assert (found.count, found.is_computed) == (2, False)
    assert sum(found.nodes.values()) == 2
    assert found.stop is not None
    assert (found.stop.is_forbidden, found.stop.reasons) == (True, ())
    assert found.stop.message == (
        'pods "web-headroom-0-2" is forbidden: exceeded quota: cpu, requested: requests.cpu=1, '
        "used: requests.cpu=4500m, limited: requests.cpu=5"
    )


def test_a_limit_range_lets_none_in() -> None:
    bounds = {"type": "Container", "max": {"cpu": "500m"}}
    limits = {"kind": "LimitRange", "metadata": {"name": "r", "namespace": "default"}, "spec": {"limits": [bounds]}}

    found = counted(limits, shape=a_pod("web", containers=[_limited("1")]))

    assert found.count == 0
    assert known(found.stop).message == (
        'pods "web-headroom-0-0" is forbidden: maximum cpu usage per Container is 500m, but limit is 1'
    )


@given(hard=st.integers(0, 9), used=st.integers(0, 9), pods=st.integers(1, 9), milli=st.sampled_from([250, 500, 1000]))
@settings(max_examples=40)
def test_it_is_what_quota_and_nodes_have_room_for(hard: int, used: int, pods: int, milli: int) -> None:
    quotas = [cpu_quota(str(hard), str(used)), a_quota("pods", hard={"pods": str(pods)}, used={})]

    found = counted(*quotas, shape=a_pod("web", requests={"cpu": f"{milli}m"}))

    on_nodes, left = 8000 // milli, 1000 * max(0, hard - used) // milli
    assert found.count == min(on_nodes, left, pods)
    assert known(found.stop).is_forbidden is (min(left, pods) <= on_nodes)


# -- nodes needed ------------------------------------------------------------------------------------------------------


def needed(pods: int, *objects: Document, **options: Any) -> NodesNeeded:
    wanted = [Wanted(a_pod(f"web-{place}", requests={"cpu": "2"})) for place in range(pods)]
    return nodes_needed(Snapshot.from_objects([*NODES, *objects]), DEFAULT, NODES[0], wanted, admits=True, **options)


def test_no_node_helps_a_pod_that_the_api_server_does_not_create() -> None:
    found = needed(6, cpu_quota("11"))

    assert (found.count, found.never, len(found.trials)) == (None, True, 1)
    assert found.stop is not None
    assert found.stop.is_forbidden
    assert found.stop.message == (
        'pods "web-5" is forbidden: exceeded quota: cpu, requested: requests.cpu=2, used: requests.cpu=10, '
        "limited: requests.cpu=11"
    )


def test_a_pod_that_is_created_once_another_is_gone_needs_no_room_beside_it() -> None:
    owner = {"kind": "ReplicaSet", "apiVersion": "apps/v1", "name": "web", "controller": True}
    pods = [a_pod(f"web-{place}", requests={"cpu": "2"}) for place in range(3)]
    for pod in pods:
        pod["metadata"]["ownerReferences"] = [owner]
    wanted = [Wanted(pod, at=place, until=10 + place) for place, pod in enumerate(pods)]

    found = nodes_needed(Snapshot.from_objects([*NODES, cpu_quota("4")]), DEFAULT, NODES[0], wanted, admits=True)

    assert found.count == 0


def _limited(cpu: str) -> Document:
    return {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}, "limits": {"cpu": cpu}}}
