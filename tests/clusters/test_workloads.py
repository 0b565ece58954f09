"""Workloads are what makes pods in the end, counted as the pods lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.engine.owners import Workload
from clusters.engine.rollout import Progress
from clusters.models import Cluster
from clusters.services.workloads import ClusterWorkloads, WorkloadState, listing, workloads_of
from clusters.services.workloads.growth import growth_of, plan_for, update_of
from clusters.services.workloads.owners import sample_of
from tests.clusters.live_batches import apply, followed_cluster
from tests.support.answers import known
from tests.support.decision_cluster import ZONE, node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

API = {"Job": "batch/v1", "CronJob": "batch/v1", "Rollout": "argoproj.io/v1alpha1"}
READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
WEB = Workload("shop", "Deployment", "web")


def owner(kind: str, name: str) -> dict[str, Any]:
    return {
        "apiVersion": API.get(kind, "apps/v1"),
        "kind": kind,
        "name": name,
        "uid": f"{kind}-{name}",
        "controller": True,
    }


def made(document: dict[str, Any], kind: str, name: str, **labels: str) -> dict[str, Any]:
    fields = document["metadata"]
    return {
        **document,
        "metadata": {**fields, "ownerReferences": [owner(kind, name)], "labels": {**fields["labels"], **labels}},
    }


def thing(kind: str, name: str, above: tuple[str, str] | None = None, **fields: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name, "namespace": "shop", "uid": f"{kind}-{name}"}
    if above:
        metadata["ownerReferences"] = [owner(*above)]
    return {"apiVersion": API.get(kind, "apps/v1"), "kind": kind, "metadata": metadata, **fields}


def deployed(places: dict[str, int], waiting: int = 0, **spec: Any) -> list[dict[str, Any]]:
    """Return the pods of the Deployment web, so many on each node, and its ReplicaSet."""
    replicas = sum(places.values()) + waiting
    pods = [
        made(
            pod(f"web-1-{on}-{number}", nodeName=on, status=READY, **spec),
            "ReplicaSet",
            "web-1",
            **{"pod-template-hash": "1"},
        )
        for on, count in places.items()
        for number in range(count)
    ]
    pods += [
        made(pod(f"web-1-w{number}", **spec), "ReplicaSet", "web-1", **{"pod-template-hash": "1"})
        for number in range(waiting)
    ]
    selector = {"matchLabels": {"app": "web", "pod-template-hash": "1"}}
    return [
        *pods,
        thing("ReplicaSet", "web-1", ("Deployment", "web"), spec={"replicas": replicas, "selector": selector}),
        thing("Deployment", "web", spec={"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}}),
    ]


def zones() -> list[dict[str, Any]]:
    return [node("a1", "a"), node("a2", "a"), node("b1", "b"), node("c1", "c")]


def state_of(cluster: Cluster, kind: str, name: str) -> WorkloadState:
    return workloads_of(cluster=cluster).states[Workload("shop", kind, name)]


def test_pods_count_for_what_makes_them_in_the_end(tmp_path: Path) -> None:
    objects = [
        *zones(),
        *deployed({"a1": 2, "b1": 1}, waiting=1),
        made(pod("roll-1", nodeName="a1"), "ReplicaSet", "roll-5"),
        thing("ReplicaSet", "roll-5", ("Rollout", "roll")),
        made(pod("night-1", nodeName="a1"), "Job", "night-123"),
        thing("Job", "night-123", ("CronJob", "night"), spec={"parallelism": 1}),
        made(pod("load-1", nodeName="b1"), "Job", "load"),
        thing("Job", "load", spec={"parallelism": 3, "completions": 5}, status={"succeeded": 4}),
        made(pod("agent-1", nodeName="a1"), "DaemonSet", "agent"),
        thing("DaemonSet", "agent", status={"desiredNumberScheduled": 4}),
        made(pod("db-0", nodeName="c1"), "StatefulSet", "db"),
        thing("StatefulSet", "db", spec={"replicas": 2}),
        pod("alone", nodeName="c1"),
        thing("Deployment", "idle", spec={"replicas": 0}),
    ]
    found = workloads_of(cluster=load(tmp_path, "shop", objects))

    counted = {
        f"{each.workload.kind}/{each.workload.name}": (each.desired, each.placed, each.pending)
        for each in found.states.values()
    }
    assert counted == {
        "Deployment/web": (4, 3, 1),
        "Rollout/roll": (None, 1, 0),
        "CronJob/night": (None, 1, 0),
        "Job/load": (1, 1, 0),
        "DaemonSet/agent": (4, 1, 0),
        "StatefulSet/db": (2, 1, 0),
        "Pod/alone": (1, 1, 0),
        "Deployment/idle": (0, 0, 0),
    }
    assert found.inferred == 0
    web = found.states[WEB]
    assert (found.zones, web.zones, web.nodes, web.ready) == (("a", "b", "c", ""), (2, 1, 0, 0), 2, 3)
    assert (web.cpu_milli, web.memory_bytes) == (4 * 500, 4 * 256 * 2**20)


def test_deployments_are_inferred_where_replica_sets_are_missing(tmp_path: Path) -> None:
    objects = [each for each in deployed({"a1": 1}) if each["kind"] != "ReplicaSet"]
    other = made(pod("bare-1", nodeName="a1"), "ReplicaSet", "bare")

    found = workloads_of(cluster=load(tmp_path, "shop", [*zones(), *objects, other]))

    assert found.states[WEB].placed == 1
    assert found.states[Workload("shop", "ReplicaSet", "bare")].placed == 1
    assert found.inferred == 2


def test_a_change_of_what_the_scheduler_does_not_read_counts_too(tmp_path: Path) -> None:
    agent = made(pod("agent-1", nodeName="a1"), "DaemonSet", "agent")

    def wanted(number: int) -> int | None:
        document = thing("DaemonSet", "agent", status={"desiredNumberScheduled": number})
        return state_of(load(tmp_path, "shop", [*zones(), agent, document]), "DaemonSet", "agent").desired

    assert (wanted(3), wanted(4)) == (3, 4)


def test_budgets_and_spread_groups_find_their_workloads(tmp_path: Path) -> None:
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "shop", "uid": "budget"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}},
    }
    pods = deployed({"a1": 3}, waiting=1, topologySpreadConstraints=[constraint])
    only_waiting = made(pod("late-1", app="web"), "StatefulSet", "late")

    found = workloads_of(cluster=load(tmp_path, "shop", [*zones(), *pods, only_waiting, budget]))

    web = found.states[WEB]
    group = known(found.worst_group(web))
    assert (group.largest_skew, group.violation, found.unevenness(web)) == (3, 2, (2, 3))
    assert web.budgets == ("shop/web",)
    assert found.states[Workload("shop", "StatefulSet", "late")].budgets == ("shop/web",)
    assert found.summary.worst == web


def test_queries_do_not_grow_with_the_workloads(tmp_path: Path) -> None:
    def queries(name: str, objects: list[dict[str, Any]]) -> int:
        cluster = load(tmp_path, name, [*zones(), *objects])
        with CaptureQueriesContext(connection) as captured:
            workloads_of(cluster=cluster)
        return len(captured)

    many = [made(pod(f"p{number}", nodeName="a1"), "StatefulSet", f"s{number}") for number in range(12)]

    assert queries("small", deployed({"a1": 1})) == queries("large", many)


# -- more of them ------------------------------------------------------------------------------------------------------


def grown(cluster: Cluster, workload: Workload, more: int) -> tuple[ClusterWorkloads, Any]:
    found = workloads_of(cluster=cluster)
    sample = known(sample_of(cluster, found, workload))
    return found, growth_of(cluster=cluster, found=found, workload=workload, sample=sample, more=more)


def test_more_pods_go_where_the_scheduler_would_put_them(tmp_path: Path) -> None:
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    cluster = load(tmp_path, "shop", [*zones(), *deployed({"a1": 1}, topologySpreadConstraints=[constraint])])

    found, growth = grown(cluster, WEB, 5)

    assert [landing.zone for landing in growth.landings[:2]] in (["b", "c"], ["c", "b"])
    assert len(growth.landings) == 5
    assert growth.refused is None
    assert [(each.skew, each.max_skew) for each in growth.before + growth.after] == [(1, 1), (0, 1)]
    # The state itself stays as it is.
    assert found.snapshot.pods.slot_of.keys() == {"shop/web-1-a1-0"}


def test_the_first_that_finds_no_place_ends_it(tmp_path: Path) -> None:
    cluster = load(tmp_path, "shop", [node("a1", "a", cpu="2"), *deployed({"a1": 1})])

    _, growth = grown(cluster, WEB, 20)

    assert len(growth.landings) == 3
    assert growth.refused is not None
    assert growth.refused.message.startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert all((landing.node, landing.feasible, landing.plugin) == ("a1", 1, "") for landing in growth.landings)


def test_a_stateful_set_grows_by_ordinals_missing_ones_first(tmp_path: Path) -> None:
    pods = [made(pod(f"db-{number}", nodeName="a1"), "StatefulSet", "db") for number in (0, 3)]

    _, growth = grown(load(tmp_path, "shop", [*zones(), *pods]), Workload("shop", "StatefulSet", "db"), 1)

    assert growth.copy.pod["metadata"]["name"] == "db-1"
    assert growth.waits_for == "db-0"


def test_the_newest_pod_stands_for_the_next(tmp_path: Path) -> None:
    old, new = deployed({"a1": 2})[:2]
    old["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    old["status"] = {**READY, "startTime": "2026-01-01T00:00:00Z"}
    new["metadata"]["creationTimestamp"] = "2026-02-01T00:00:00Z"
    new["status"] = {**READY, "startTime": "2026-02-01T00:00:00Z"}
    cluster = load(tmp_path, "shop", [*zones(), old, new, *deployed({})])
    sample = known(sample_of(cluster, workloads_of(cluster=cluster), WEB))

    assert sample["metadata"]["name"] == new["metadata"]["name"]


# -- updates -----------------------------------------------------------------------------------------------------------


def updated(cluster: Cluster, workload: Workload = WEB) -> Any:
    found = workloads_of(cluster=cluster)
    sample, plan = sample_of(cluster, found, workload), plan_for(found, workload)
    assert sample is not None
    assert plan is not None
    return update_of(cluster=cluster, found=found, workload=workload, sample=sample, plan=plan)


def test_a_surge_that_fits_goes_through(tmp_path: Path) -> None:
    update = updated(load(tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 2})]))

    assert update.rounds[-1].progress is Progress.DONE
    assert max(each.most for each in update.rounds) == 5
    assert min(each.fewest for each in update.rounds) == 3


def test_a_surge_without_room_gets_stuck(tmp_path: Path) -> None:
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    *pods, replica_set, deployment = deployed({"a1": 4})
    deployment["spec"]["strategy"] = strategy

    update = updated(load(tmp_path, "shop", [node("a1", "a", cpu="2"), *pods, replica_set, deployment]))

    (stuck,) = update.rounds
    assert (stuck.progress, stuck.waiting, stuck.old) == (Progress.STALLED, 1, 4)
    assert "1 Insufficient cpu" in stuck.message


def daemon(on: str, **spec: Any) -> dict[str, Any]:
    """Return the pod of the DaemonSet agent for a node."""
    field = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [on]}]}
    rule = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [field]}}}
    return made(pod(f"agent-{on}", affinity=rule, **spec), "DaemonSet", "agent")


def test_each_daemon_goes_back_to_its_node(tmp_path: Path) -> None:
    pods = [daemon(on, nodeName=on, status=READY) for on in ("a1", "a2", "b1", "c1")]
    document = thing("DaemonSet", "agent", status={"desiredNumberScheduled": 4})

    update = updated(load(tmp_path, "shop", [*zones(), *pods, document]), Workload("shop", "DaemonSet", "agent"))

    assert [each.nodes for each in update.rounds] == [("a1",), ("a2",), ("b1",), ("c1",)]


def test_a_daemon_that_waits_is_missing_already(tmp_path: Path) -> None:
    pods = [*(daemon(on, nodeName=on, status=READY) for on in ("a1", "a2", "b1")), daemon("c1")]
    full = pod("full", nodeName="c1", cpu="4", status=READY)
    document = thing("DaemonSet", "agent", status={"desiredNumberScheduled": 4})

    update = updated(load(tmp_path, "shop", [*zones(), *pods, full, document]), Workload("shop", "DaemonSet", "agent"))

    last = update.rounds[-1]
    assert (last.progress, last.refused_by, last.old, last.waiting) == (Progress.STALLED, "c1", 3, 1)
    assert [name for each in update.rounds for name in each.removed] == ["agent-c1"]


def test_a_stateful_set_keeps_its_claims(tmp_path: Path) -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data-db-0", "namespace": "shop", "uid": "claim"},
        "spec": {"volumeName": "gone", "storageClassName": "fast"},
    }
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}]
    database = made(pod("db-0", nodeName="a1", volumes=volumes, status=READY), "StatefulSet", "db")
    document = thing("StatefulSet", "db", spec={"replicas": 1})

    update = updated(
        load(tmp_path, "shop", [*zones(), database, document, claim]), Workload("shop", "StatefulSet", "db")
    )

    assert update.rounds[-1].progress is Progress.STALLED
    assert "unbound immediate PersistentVolumeClaims" in update.rounds[-1].message


def _in(namespace: str, document: dict[str, Any]) -> dict[str, Any]:
    own = document["metadata"]
    return {**document, "metadata": {**own, "namespace": namespace, "uid": f"{namespace}-{own['name']}"}}


def _plain_order(found: ClusterWorkloads) -> list[Workload]:
    """The order of the list, of states that were all made."""

    def key(state: WorkloadState) -> tuple[object, ...]:
        own, uneven = state.workload, max(0, found.unevenness(state)[0])
        return (
            (own not in found.failures, -state.pending, -uneven, -state.placed),
            (own.namespace, own.kind, own.name),
        )

    return [state.workload for state in sorted(found.states.values(), key=key)]


@pytest.mark.parametrize("most_merged", [0, 20_000], ids=["all sorted", "merged"])
def test_bare_pods_stand_in_the_order_of_all_workloads_after_changes_too(
    monkeypatch: pytest.MonkeyPatch, most_merged: int
) -> None:
    monkeypatch.setattr(listing, "_MOST_MERGED", most_merged)
    cluster, lease = followed_cluster()
    bare = [_in(space, pod(name, nodeName="a1")) for space in ("a", "a-b", "b") for name in ("x", "y", "y-1")]
    owned = [made(pod(f"{name}-0", nodeName="b1"), "StatefulSet", name) for name in ("alone", "single")]
    twice = [made(pod(f"twice-{number}", nodeName="c1"), "StatefulSet", "twice") for number in range(2)]
    steps = (
        (
            tuple(zones()) + tuple(bare) + tuple(owned) + tuple(twice) + (thing("Deployment", "idle"),),
            (),
        ),
        (
            (_in("a", pod("m", nodeName="b1")), _in("zz", pod("w", nodeName="a2")), _in("a", pod("late"))),
            (bare[0], bare[4]),
        ),
        ((_in("a", pod("late", nodeName="a1")), bare[0]), (bare[8],)),
    )
    for put, gone in steps:
        apply(lease, put=put, gone=gone)
        cluster = Cluster.objects.get(pk=cluster.pk)
        found = workloads_of(cluster=cluster)

        in_order = list(found.states)
        assert in_order == _plain_order(found)
        assert [state.workload for state in found.states.in_order()[:]] == in_order
        assert found.states.in_order()[-1].workload == in_order[-1]
        assert len(found.states) == len(in_order) == len(set(in_order))
        for workload, state in found.states.items():
            slots = found.slots(workload)
            assert len(slots) == state.placed
            assert [found.workload_at(slot) for slot in slots.tolist()] == [workload] * state.placed
        assert Workload("a", "Pod", "never") not in found.states
        assert Workload("shop", "Pod", "twice-0") not in found.states
