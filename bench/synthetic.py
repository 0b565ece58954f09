"""A synthetic cluster as one List, the same for the same arguments."""

from __future__ import annotations

import random
from typing import Any

_APPS = 200
_ZONES = 3
_TAINTED_EVERY = 20


def _node(index: int, rng: random.Random) -> dict[str, Any]:
    name = f"node-{index:05d}"
    amounts = {"cpu": "32", "memory": "128Gi", "pods": "110", "ephemeral-storage": "100Gi"}
    taint = {"key": "dedicated", "value": "gpu", "effect": rng.choice(["NoSchedule", "PreferNoSchedule"])}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "uid": name,
            "labels": {
                "kubernetes.io/hostname": name,
                "topology.kubernetes.io/zone": f"z{index % _ZONES}",
                "topology.kubernetes.io/region": "r1",
                "node.kubernetes.io/instance-type": rng.choice(["m5.large", "m5.xlarge"]),
                "disktype": rng.choice(["ssd", "hdd"]),
            },
        },
        "spec": {"taints": [taint]} if index % _TAINTED_EVERY == 0 else {},
        "status": {
            "capacity": amounts,
            "allocatable": amounts,
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def _pod(index: int, nodes: int, rng: random.Random) -> dict[str, Any]:
    name, app = f"pod-{index}", f"app-{index % _APPS}"
    requests = {"cpu": rng.choice(["100m", "250m", "500m"]), "memory": rng.choice(["128Mi", "256Mi", "512Mi"])}
    spec: dict[str, Any] = {
        "containers": [{"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}],
        "schedulerName": "default-scheduler",
        "nodeName": f"node-{rng.randrange(nodes):05d}",
    }
    if index % _APPS < _APPS // 10:
        term = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": "kubernetes.io/hostname"}
        preferred = [{"weight": 100, "podAffinityTerm": term}]
        spec["affinity"] = {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": name, "labels": {"app": app}},
        "spec": spec,
        "status": {"phase": "Running"},
    }


def cluster(*, nodes: int, pods: int) -> dict[str, Any]:
    """Return three zones of nodes, one in twenty tainted, under pods of 200 apps, one in ten spread by preference."""
    rng = random.Random(1)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}
    items = [namespace, *(_node(index, rng) for index in range(nodes))]
    items.extend(_pod(index, nodes, rng) for index in range(pods))
    return {"apiVersion": "v1", "kind": "List", "items": items, "metadata": {"resourceVersion": ""}}
