"""Random clusters that the pages, the API and the terminal are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.dashboard.test_nodes import controlled
from tests.support.decision_cluster import ZONE, node, pod

if TYPE_CHECKING:
    import random

READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
STARTING = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}


def resized(made: dict[str, Any]) -> dict[str, Any]:
    """Return a pod with two containers that are resized: what each requests is allocated to the other."""
    first = made["spec"]["containers"][0]
    wanted = {"name": "beside", "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}
    allocated = {first["name"]: wanted, "beside": first}
    statuses = [
        {"name": name, "allocatedResources": each["resources"]["requests"], "resources": each["resources"]}
        for name, each in allocated.items()
    ]
    return {
        **made,
        "spec": {**made["spec"], "containers": [first, wanted]},
        "status": {**made["status"], "containerStatuses": statuses},
    }


def cluster_of(chance: random.Random) -> list[dict[str, Any]]:
    """Make nodes, workloads with constraints and budgets of all kinds, pods without controllers and pending ones."""
    nodes = [node(f"n{number}", chance.choice("abc"), cpu=chance.choice("248")) for number in range(9)]
    version = chance.choice(("v1.34.1", "v1.37.2"))
    for each in nodes:
        each["status"]["nodeInfo"] = {"kubeletVersion": version}
    objects: list[dict[str, Any]] = [*nodes]
    for app in ("web", "api", "jobs", "cache"):
        constraint = {
            "topologyKey": ZONE,
            "maxSkew": chance.randint(1, 2),
            "whenUnsatisfiable": chance.choice(("DoNotSchedule", "ScheduleAnyway")),
            "labelSelector": {"matchLabels": {"app": app}},
        }
        replicas = chance.randint(1, 7)
        states = []
        for number in range(replicas):
            spec: dict[str, Any] = {"cpu": chance.choice(("250m", "500m", "1500m")), "app": app}
            if app != "jobs":
                spec["topologySpreadConstraints"] = [constraint]
            states.append(chance.choices((READY, STARTING, None), (7, 1, 1))[0])
            if states[-1] is not None:
                spec |= {"nodeName": chance.choice(nodes)["metadata"]["name"], "status": states[-1]}
            made = pod(f"{app}-{number}", **spec)
            if states[-1] is READY and chance.random() < 0.4:
                made = resized(made)
            objects.append(made if app == "cache" and chance.random() < 0.3 else controlled(made, "ReplicaSet", app))
        owner = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"namespace": "shop", "name": app, "uid": app},
        }
        objects.append({**owner, "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": app}}}})
        healthy = states.count(READY)
        for name in (app, f"{app}-2")[: chance.choice((0, 1, 1, 1, 2))]:
            desired = chance.randint(1, replicas)
            status = {"expectedPods": replicas, "currentHealthy": healthy, "desiredHealthy": desired}
            objects.append(
                {
                    "apiVersion": "policy/v1",
                    "kind": "PodDisruptionBudget",
                    "metadata": {"name": name, "namespace": "shop", "uid": f"budget-{name}"},
                    "spec": {"selector": {"matchLabels": {"app": app}}, "minAvailable": desired},
                    "status": {**status, "disruptionsAllowed": max(0, healthy - desired)},
                }
            )
    return objects
