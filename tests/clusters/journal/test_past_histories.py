"""Whatever happens to a followed cluster: what is answered of a moment later is what was answered then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.db import connection
from django.http import QueryDict
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings as hypothesis_settings, strategies as st

from clusters.engine.disruption import DrainOptions
from clusters.engine.simulation import PodEnding
from clusters.models import Cluster, Pod
from clusters.services.decisions.takers import takers_of
from clusters.services.disruption import DrainChoice, PlannedDrain, budgets_of, drains_of, plan_of
from clusters.services.journal.between import moved_between
from clusters.services.journal.ledger import Ledger
from clusters.services.mirror.past import as_it_was, pod_named
from clusters.services.mirror.snapshots import forget_snapshots, snapshot_of
from clusters.services.mirror.state import spread_of, utilisation_of
from clusters.services.pending.pods import pending_of
from clusters.services.watching.watcher import Pending, apply_batch
from clusters.services.workloads import workloads_of
from dashboard.views.node import pods_context
from dashboard.views.pods import list_context
from dashboard.views.workloads import body_context
from tests.clusters.live_batches import followed_cluster, row, statuses
from tests.support.decision_cluster import node, pod, unschedulable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.engine.owners import Workload
    from dashboard.presenters.pods import PodRow

Object = dict[str, Any]

NODES, PODS = ("a", "b", "c"), ("p", "q", "r", "s")
MESSAGES = ("0/3 nodes are available.", "0/3 nodes are available: 3 Insufficient cpu.")
BUDGET: Object = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "web", "namespace": "shop", "uid": "web", "generation": 1},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}},
    "status": {"observedGeneration": 1, "expectedPods": 9, "currentHealthy": 9, "desiredHealthy": 9},
}
SPREAD = {
    "maxSkew": 1,
    "topologyKey": "topology.kubernetes.io/zone",
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": {"matchLabels": {"app": "web"}},
}


class Act(NamedTuple):
    kind: str
    pod: str
    node: str
    message: str


acts = st.builds(
    Act,
    st.sampled_from(("create", "refuse", "bind", "finish", "delete", "cordon", "unready", "remove", "restore")),
    st.sampled_from(PODS),
    st.sampled_from(NODES),
    st.sampled_from(MESSAGES),
)


class World:
    """A cluster that changes, followed the watcher's way."""

    def __init__(self) -> None:
        Cluster.objects.all().delete()
        forget_snapshots()
        self._cluster, self._lease = followed_cluster()
        self._followed = Pending({}, Ledger(is_new=True))
        self.objects: dict[tuple[str, str], Object] = {}
        self._number = 0
        begun = [node(name, zone) for name, zone in zip(NODES, ("north", "south", "south"), strict=True)]
        for kind, found in (("Node", begun), ("Pod", []), ("PodDisruptionBudget", [BUDGET])):
            rows = {each["metadata"]["uid"]: row(each) for each in found}
            self._followed.replace(kind, rows, dict.fromkeys(rows, "0"))
            self.objects |= {(kind, each["metadata"]["name"]): each for each in found}
        self._write()

    @property
    def cluster(self) -> Cluster:
        return Cluster.objects.get(pk=self._cluster.pk)

    def _write(self) -> None:
        batch = self._followed.take()
        batch.statuses = statuses(*batch.listings)
        apply_batch(lease=self._lease, batch=batch)

    def _put(self, document: Object, *, gone: bool = False) -> None:
        self._number += 1
        kind, metadata = document["kind"], document["metadata"]
        found = None if gone else row(document)
        self._followed.change(kind, metadata["uid"], found, str(self._number))
        if gone:
            del self.objects[kind, metadata["name"]]
        else:
            self.objects[kind, metadata["name"]] = document

    def do(self, act: Act) -> None:
        found, place = self.objects.get(("Pod", act.pod)), self.objects.get(("Node", act.node))
        match act.kind:
            case "create" if found is None:
                made = pod(act.pod, cpu="3", topologySpreadConstraints=[SPREAD])
                self._number += 1
                created = {"uid": f"{act.pod}-{self._number}", "creationTimestamp": timezone.now().isoformat()}
                self._put({**made, "metadata": {**made["metadata"], **created}})
            case "refuse" if found is not None and "nodeName" not in found["spec"]:
                self._put({**found, "status": unschedulable(act.message)})
            case "bind" if found is not None and place is not None and "nodeName" not in found["spec"]:
                ready = {"type": "Ready", "status": "True"}
                spec = {**found["spec"], "nodeName": act.node}
                self._put({**found, "spec": spec, "status": {"phase": "Running", "conditions": [ready]}})
            case "finish" if found is not None and found["status"].get("phase") == "Running":
                ended = {"type": "Ready", "status": "False", "lastTransitionTime": timezone.now().isoformat()}
                self._put({**found, "status": {"phase": "Succeeded", "conditions": [ended]}})
            case "delete" if found is not None:
                self._put(found, gone=True)
            case "cordon" if place is not None:
                is_cordoned = place["spec"].get("unschedulable", False)
                self._put({**place, "spec": {**place["spec"], "unschedulable": not is_cordoned}})
            case "unready" if place is not None:
                is_ready = place["status"]["conditions"][0]["status"] != "True"
                conditions = [{"type": "Ready", "status": "True" if is_ready else "Unknown"}]
                # As the controller of nodes sets and lifts it.
                taints = [] if is_ready else [{"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"}]
                spec = {**place["spec"], "taints": taints}
                self._put({**place, "spec": spec, "status": {**place["status"], "conditions": conditions}})
            case "remove" if place is not None:
                for each in list(self.objects.values()):
                    if each["kind"] == "Pod" and each["spec"].get("nodeName") == act.node:
                        self._put(each, gone=True)
                self._put(place, gone=True)
            case "restore" if place is None:
                self._put(node(act.node, "north"))
        self._write()


# Of the past, pods that had finished are not told.
QUERIES = ("", "sort=-name", "sort=cpu", "sort=-state", "q=shop/p", "state=pending", "state=bound", "state=Running",
           "node=a", "message=with", "message=without&q=Q", "state=rejected", "scheduler=other")  # fmt: skip


def listed(rows: Iterable[PodRow]) -> list[tuple[Any, ...]]:
    """Return what tables of pods show of those that have not finished."""
    return [
        (row.pod.name, row.pod.uid, row.pod.node_name, row.badge, row.cpu_milli, row.cause, row.quality_of_service)
        for row in rows
        if row.pod.phase != "Succeeded"
    ]


def of_nodes(cluster: Cluster) -> dict[str, Any]:
    """Return what the pages of nodes show of pods there, of pending ones, and of drains."""
    # A drain evicts these as well, and of the past they are not told.
    ended = Pod.objects.filter(cluster=cluster, phase="Succeeded").values_list("name", flat=True)
    finished = {f"shop/{name}" for name in ended} if cluster.past is None else set()
    found = {}
    for name in snapshot_of(cluster).nodes.index:
        query = QueryDict("sort=-cpu")
        plan = plan_of(cluster=cluster, choice=DrainChoice(nodes=(name,), options=DrainOptions(force=True)))
        assert isinstance(plan, PlannedDrain)
        drain = drains_of(cluster=cluster).nodes[name].drain
        found[name] = (
            listed(pods_context(cluster, query, name)["pods"]),
            [(each.names, each.fits, each.is_best) for each in takers_of(cluster=cluster, node=name).candidates],
            (drain.evicted, drain.unmanaged, drain.staying, drain.outlook),
            sorted(pod for batch in plan.plan.batches for each in batch.evictions if (pod := each.pod) not in finished),
            len(plan.plan.blocked),
        )
    return found


def of_workloads(cluster: Cluster) -> dict[Workload, Any]:
    """Return what the pages of workloads show of where their pods are and which of them wait."""
    found = {}
    for workload in workloads_of(cluster=cluster).states:
        shown = body_context(cluster, QueryDict(), workload.kind, workload.namespace, workload.name)
        waiting = [(each.name, cause) for each, cause in shown["waiting"]]
        spread = [each["sentence"] for each in shown["spread"]]
        found[workload] = waiting, spread, *(shown[each] for each in ("zones", "nodes"))
    return found


def answered(cluster: Cluster) -> dict[str, Any]:
    """Return what pages show of a cluster."""
    snapshot, health = snapshot_of(cluster), utilisation_of(cluster=cluster)
    pods = [each for group in pending_of(cluster=cluster).groups.values() for each in group.pods]
    keys = [f"shop/{name}" for name in PODS]
    found = {name: pod_named(cluster, "shop", name) for name in PODS}
    return {
        "placed": {key: name for key in keys if (name := snapshot.placed_on(key))},
        "nodes": {each.name: (each.unschedulable, each.conditions.get("Ready")) for each in snapshot.nodes.nodes},
        "requested": {each.zone: each.requested for each in health.zones},
        "pending": {each.key: (each.reported, each.finding.cause, each.created_at) for each in pods},
        "spread": [tuple(each.domains()) for each in spread_of(cluster=cluster).groups.values()],
        "budgets": [
            (each.computed.healthy, each.computed.desired, each.computed.allowed)
            for each in budgets_of(cluster=cluster).states.values()
        ],
        "pods": {
            name: (each.node_name, each.phase, each.uid)
            for name, each in found.items()
            if each is not None and each.phase != "Succeeded"
        },
        "listed": {query: listed(list_context(cluster, QueryDict(query))["pods"]) for query in QUERIES},
        "of nodes": of_nodes(cluster),
        "of workloads": of_workloads(cluster),
        "workloads": [
            (each.workload, each.placed, each.ready, each.pending, each.zones, each.nodes, each.cpu_milli)
            for each in workloads_of(cluster=cluster).states.values()
        ],
    }


def ending(answer: dict[str, Any], key: str) -> tuple[str, PodEnding]:
    """Return where a pod was: its node, or none."""
    if node := answer["placed"].get(key):
        return node, PodEnding.ON_NODE
    return "", PodEnding.PENDING if key in answer["pending"] else PodEnding.ABSENT


@pytest.mark.django_db(transaction=True)
# PostgreSQL sorts and compares otherwise, but tells no other history.
@hypothesis_settings(
    max_examples=25 if connection.vendor == "sqlite" else 6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(history=st.lists(acts, min_size=1, max_size=14))
@example(history=[Act(kind, "p", "a", MESSAGES[0]) for kind in ("create", "bind", "finish", "cordon", "delete")])
def test_a_moment_is_answered_later_as_it_was_then(history: list[Act]) -> None:
    world = World()
    answers: list[tuple[Act, datetime, dict[str, Any]]] = []
    for act in history:
        world.do(act)
        answers.append((act, timezone.now(), answered(world.cluster)))

    for act, at, then in answers:
        assert (act, answered(as_it_was(world.cluster, at))) == (act, then)
    (_, begin, first), (_, end, last) = answers[len(answers) // 2], answers[-1]
    moved = moved_between(as_it_was(world.cluster, begin), as_it_was(world.cluster, end)).pods
    assert {each.pod: ((each.left, each.left_end), (each.right, each.right_end)) for each in moved} == {
        key: (before, after)
        for key in (f"shop/{name}" for name in PODS)
        if (before := ending(first, key)) != (after := ending(last, key))
    }
