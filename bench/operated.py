"""A large cluster as somebody operates one: 1,000 workloads, 400 budgets, spread constraints, 480 pods that wait.

The same each time. Nodes stand in three zones and ten pools; one in fifty is cordoned, one in a hundred is not ready.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from bench.cluster import HOST, INSTANCE, ZONE
from clusters.engine.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

Document = dict[str, Any]

NODES, PODS = 5_000, 150_000
WORKLOADS, NAMESPACES, BUDGETS, SPREADING = 1_000, 40, 400, 100
# The last workloads' pods wait: so many of each, for a reason that goes round.
WAITING_WORKLOADS, WAITING_EACH = 24, 20
# The annotations of an object may have 256 KiB together.
RECORDED_NODES = 2_000

_RECORDED = "kube-scheduler-simulator.sigs.k8s.io/filter-result"
_CREATED = "2026-01-01T00:00:00Z"
_SIZE = {"cpu": "32", "memory": "128Gi", "pods": "110", "ephemeral-storage": "100Gi"}


def namespace_of(workload: int) -> str:
    """The namespace that a workload lives in."""
    return f"team-{workload % NAMESPACES}"


def pod_name(workload: int, number: int) -> str:
    """The name of a workload's pod, whose end looks as controllers make it."""
    return f"app-{workload}-7d9f8b6c5-{number:05x}"


def waiting_pod() -> tuple[str, str]:
    """Namespace and name of a pod that waits."""
    return namespace_of(WORKLOADS), pod_name(WORKLOADS, 0)


def each_object() -> Iterator[Document]:
    """Everything in the cluster, as Kubernetes objects."""
    chance = random.Random(1)
    for number in range(NAMESPACES):
        name = f"team-{number}"
        labels = {"kubernetes.io/metadata.name": name}
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    names = [f"node-{number:05d}" for number in range(NODES)]
    for number, name in enumerate(names):
        yield _node(number, name, chance)
    for workload in range(WORKLOADS + WAITING_WORKLOADS):
        replicas = PODS // WORKLOADS if workload < WORKLOADS else WAITING_EACH
        yield from _controllers(workload, replicas)
    for workload in range(BUDGETS):
        yield _budget(workload)
    for number in range(PODS):
        yield _pod(number % WORKLOADS, number, chance, chance.choice(names))
    for workload in range(WORKLOADS, WORKLOADS + WAITING_WORKLOADS):
        for number in range(WAITING_EACH):
            pod = _pod(workload, number, chance, "")
            if (namespace_of(workload), pod["metadata"]["name"]) == waiting_pod():
                pod["metadata"]["annotations"] = {_RECORDED: _recorded(names)}
            yield pod


def _recorded(names: list[str]) -> str:
    """What a simulator would write of an attempt, for as many nodes as an annotation holds."""
    said = {"NodeName": "passed", "NodeResourcesFit": "Insufficient cpu"}
    return json.dumps(dict.fromkeys(names[:RECORDED_NODES], said))


def _node(number: int, name: str, chance: random.Random) -> Document:
    ready = "True" if number % 100 else "False"
    labels = {HOST: name, ZONE: f"z{number % 3}", "topology.kubernetes.io/region": "r1"}
    labels |= {INSTANCE: chance.choice(["m5.large", "m5.xlarge"]), "pool": f"pool-{number % 10}"}
    taint = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": labels, "creationTimestamp": _CREATED},
        "spec": {"taints": [] if number % 20 else [taint], **({} if number % 50 else {"unschedulable": True})},
        "status": {
            "capacity": _SIZE,
            "allocatable": _SIZE,
            "conditions": [{"type": "Ready", "status": ready, "reason": "KubeletReady"}],
            "nodeInfo": {"kubeletVersion": f"v{NEWEST.minor}.{number % 2}"},
        },
    }


def _controllers(workload: int, replicas: int) -> Iterator[Document]:
    name, namespace = f"app-{workload}", namespace_of(workload)
    common = {"selector": {"matchLabels": {"app": name}}, "replicas": replicas}
    own = {"namespace": namespace, "creationTimestamp": _CREATED, "labels": {"app": name}}
    yield {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {**own, "name": name, "uid": name},
        "spec": {**common, "template": {"metadata": {"labels": {"app": name}}, "spec": _pod_spec(workload, "250m")}},
        "status": {"replicas": replicas},
    }
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name, "uid": name, "controller": True}
    yield {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {**own, "name": f"{name}-7d9f8b6c5", "uid": f"{name}-rs", "ownerReferences": [owner]},
        "spec": common,
        "status": {"replicas": replicas},
    }


def _budget(workload: int) -> Document:
    name = f"app-{workload}"
    # One in ten lets no pod go.
    limit: Document = {"maxUnavailable": "10%"} if workload % 10 else {"minAvailable": "100%"}
    healthy = PODS // WORKLOADS
    allowed = healthy // 10 if workload % 10 else 0
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": namespace_of(workload), "uid": f"{name}-budget", "generation": 1},
        "spec": {**limit, "selector": {"matchLabels": {"app": name}}},
        "status": {
            "observedGeneration": 1,
            "disruptionsAllowed": allowed,
            "currentHealthy": healthy,
            "desiredHealthy": healthy - allowed,
            "expectedPods": healthy,
        },
    }


def _pod_spec(workload: int, cpu: str) -> Document:
    app = f"app-{workload}"
    spec: Document = {"schedulerName": "default-scheduler"}
    selector = {"matchLabels": {"app": app}}
    if workload < SPREADING or workload == WORKLOADS + 1:
        spec["topologySpreadConstraints"] = [
            {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector},
            {"maxSkew": 2, "topologyKey": HOST, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": selector},
        ]
    if workload >= WORKLOADS:
        reason = workload % 4
        cpu = "48" if reason == 0 else cpu
        if reason == 1:
            spec["nodeSelector"] = {"pool": "pool-none"}
        elif reason == 2:
            term = {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}, "topologyKey": ZONE}
            spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
        elif reason == 3:
            spec["schedulingGates"] = [{"name": "example.com/quota"}]
    requests = {"cpu": cpu, "memory": "256Mi"}
    spec["containers"] = [{"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}]
    return spec


def _pod(workload: int, number: int, chance: random.Random, node: str) -> Document:
    name = f"app-{workload}"
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{name}-7d9f8b6c5", "uid": f"{name}-rs"}
    spec = _pod_spec(workload, chance.choice(["100m", "250m", "500m"]))
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": pod_name(workload, number),
            "namespace": namespace_of(workload),
            "uid": f"{name}-{number}",
            "labels": {"app": name, "pod-template-hash": "7d9f8b6c5"},
            "ownerReferences": [{**owner, "controller": True}],
            "creationTimestamp": _CREATED,
        },
        "spec": {**spec, **({"nodeName": node} if node else {})},
        "status": {
            "phase": "Running" if node else "Pending",
            "conditions": [{"type": "Ready", "status": "True" if node else "False"}],
        },
    }
