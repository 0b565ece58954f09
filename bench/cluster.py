"""A large synthetic cluster, the same each time: three zones, 200 applications, one node in twenty tainted.

One pod in ten prefers not to share a host with its own kind. Three pods are pending: ``plain`` requests cpu and memory
only, ``spread`` has topology spread constraints, ``affinity`` has node affinity and inter-pod anti-affinity. Where the
cluster is owned, each application is a Deployment, so that a pod that goes is replaced.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from clusters.engine.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

Document = dict[str, Any]

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
INSTANCE = "node.kubernetes.io/instance-type"
APPLICATIONS = 200
SIZE = {"cpu": "32", "memory": "128Gi", "pods": "110", "ephemeral-storage": "100Gi"}


def each_object(nodes: int, pods: int, *, is_owned: bool = False) -> Iterator[Document]:
    """A namespace, nodes, bound pods with their owners if any, and the three pending ones, as Kubernetes objects."""
    chance = random.Random(1)
    yield {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "default", "labels": {"kubernetes.io/metadata.name": "default"}},
    }
    names = [f"node-{number:05d}" for number in range(nodes)]
    for number, name in enumerate(names):
        yield _node(name, number, chance)
    for app in range(APPLICATIONS if is_owned else 0):
        yield from _controllers(f"app-{app}", pods // APPLICATIONS)
    for number in range(pods):
        pod = _bound_pod(number, chance.choice(names), chance)
        if is_owned:
            pod["metadata"]["ownerReferences"] = [_owner("ReplicaSet", f"{pod['metadata']['labels']['app']}-1")]
        yield pod
    yield from pending_pods()


def _node(name: str, number: int, chance: random.Random) -> Document:
    effect = chance.choice(["NoSchedule", "PreferNoSchedule"])
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "uid": name,
            "labels": {
                HOST: name,
                ZONE: f"z{number % 3}",
                "topology.kubernetes.io/region": "r1",
                INSTANCE: chance.choice(["m5.large", "m5.xlarge"]),
                "disktype": chance.choice(["ssd", "hdd"]),
            },
        },
        "spec": {"taints": [] if number % 20 else [{"key": "dedicated", "value": "gpu", "effect": effect}]},
        "status": {
            "capacity": SIZE,
            "allocatable": SIZE,
            "conditions": [{"type": "Ready", "status": "True"}],
            "nodeInfo": {"kubeletVersion": NEWEST.compared},
        },
    }


def _owner(kind: str, name: str) -> Document:
    return {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}


def _controllers(app: str, replicas: int) -> Iterator[Document]:
    deployment = workload(app, replicas)
    yield deployment
    metadata = {**deployment["metadata"], "name": f"{app}-1", "uid": f"{app}-1"}
    yield {**deployment, "kind": "ReplicaSet", "metadata": {**metadata, "ownerReferences": [_owner("Deployment", app)]}}


def workload(app: str, replicas: int) -> Document:
    """A Deployment whose pods request cpu and memory only."""
    template = {"metadata": {"labels": {"app": app}}, "spec": wanted_pods(app, 1)[0]["spec"]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": app, "namespace": "default", "uid": app},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": app}}, "template": template},
    }


def wanted_pods(app: str, number: int, **spec: Any) -> list[Document]:
    """Pods that have no node yet, as such a Deployment has them, with more in their specs."""
    return [_pod(f"{app}-{each}", app, "150m", "256Mi", **spec) for each in range(number)]


def _pod(name: str, app: str, cpu: str, memory: str, **spec: Any) -> Document:
    requests = {"cpu": cpu, "memory": memory}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": name, "labels": {"app": app}},
        "spec": {
            "containers": [{"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}],
            "schedulerName": "default-scheduler",
            **spec,
        },
        "status": {"phase": "Running" if "nodeName" in spec else "Pending"},
    }


def _bound_pod(number: int, node: str, chance: random.Random) -> Document:
    app = number % APPLICATIONS
    spec: Document = {"nodeName": node}
    if app < APPLICATIONS // 10:
        spec["affinity"] = {"podAntiAffinity": {_PREFERRED: [_weighted(f"app-{app}", HOST)]}}
    cpu, memory = chance.choice(["100m", "250m", "500m"]), chance.choice(["128Mi", "256Mi", "512Mi"])
    return _pod(f"pod-{number}", f"app-{app}", cpu, memory, **spec)


_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def _term(app: str, topology_key: str) -> Document:
    return {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": topology_key}


def _weighted(app: str, topology_key: str) -> Document:
    return {"weight": 100, "podAffinityTerm": _term(app, topology_key)}


def _expression(key: str, value: str) -> Document:
    return {"matchExpressions": [{"key": key, "operator": "In", "values": [value]}]}


def spread(max_skew: int, topology_key: str, when: str, app: str) -> Document:
    """A topology spread constraint over the pods of an application."""
    selector = {"matchLabels": {"app": app}}
    return {"maxSkew": max_skew, "topologyKey": topology_key, "whenUnsatisfiable": when, "labelSelector": selector}


def pending_pods() -> list[Document]:
    """The three pods that are timed."""
    constraints = [spread(5, ZONE, "DoNotSchedule", "app-1"), spread(1, HOST, "ScheduleAnyway", "app-1")]
    affinity = {
        "nodeAffinity": {
            _REQUIRED: {"nodeSelectorTerms": [_expression("disktype", "ssd")]},
            _PREFERRED: [{"weight": 50, "preference": _expression(INSTANCE, "m5.large")}],
        },
        "podAntiAffinity": {_REQUIRED: [_term("app-5", HOST)], _PREFERRED: [_weighted("app-6", ZONE)]},
    }
    return [
        _pod("plain", "app-1", "100m", "128Mi"),
        _pod("spread", "app-1", "100m", "128Mi", topologySpreadConstraints=constraints),
        _pod("affinity", "app-5", "100m", "128Mi", affinity=affinity),
    ]
