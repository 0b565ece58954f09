"""A cluster of four nodes that has something for every section of a review."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from clusters.services.reports.making import document_of
from clusters.services.reports.order import read_order
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.models import Cluster

Object = dict[str, Any]
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
GPU_TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def node(
    name: str, zone: str, pool: str, *, pods: str = "10", taints: list[Object] | None = None, **more: str
) -> Object:
    allocatable = {"cpu": "4", "memory": "8Gi", "pods": pods, **more}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": {HOST: name, ZONE: zone, "pool": pool}},
        "spec": {"taints": taints or []},
        "status": {
            "allocatable": allocatable,
            "capacity": {**allocatable, "cpu": "5"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def pod(namespace: str, name: str, cpu: str, memory: str, on: str = "", **spec: Any) -> Object:
    app = name.partition("-")[0]
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{app}-1", "uid": f"{app}-1", "controller": True}
    ready = [{"type": "Ready", "status": "True"}] if on else []
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"{namespace}-{name}",
            "labels": {"app": app},
            "ownerReferences": [owner],
            "creationTimestamp": "2026-03-01T10:00:00Z",
        },
        "spec": {
            "containers": [{"name": "main", "resources": {"requests": {"cpu": cpu, "memory": memory}}}],
            **({"nodeName": on} if on else {}),
            **spec,
        },
        "status": {"phase": "Running" if on else "Pending", "qosClass": "Burstable", "conditions": ready},
    }


def objects() -> list[Object]:
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    web = {"topologySpreadConstraints": [spread], "priority": 1000, "priorityClassName": "high"}
    return [
        node("n1", "north", "web"),
        node("n2", "south", "web"),
        node("n3", "south", "gpu", taints=[GPU_TAINT], **{"cpu": "8", "nvidia.com/gpu": "2"}),
        node("n4", "north", "web", pods="1"),
        pod("shop", "web-1", "1", "1Gi", "n1", **web),
        pod("shop", "web-2", "500m", "256Mi", "n2", **web),
        pod("shop", "web-3", "500m", "256Mi", "n2", **web),
        pod("shop", "web-4", "500m", "256Mi", "n2", **web),
        pod("data", "db-0", "500m", "6656Mi", "n1"),
        pod("ops", "agent-1", "100m", "128Mi", "n4"),
        pod("shop", "big-1", "6", "1Gi"),
        *(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": each, "uid": each}}
            for each in ("shop", "ops")
        ),
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "web", "namespace": "shop", "uid": "pdb", "generation": 1},
            "spec": {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "web"}}},
            "status": {
                "observedGeneration": 1,
                "expectedPods": 4,
                "currentHealthy": 4,
                "desiredHealthy": 4,
                "disruptionsAllowed": 0,
            },
        },
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"name": "web-1", "namespace": "shop", "uid": "web-1"},
            "spec": {"replicas": 4, "selector": {"matchLabels": {"app": "web"}}},
        },
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "compute", "namespace": "shop", "uid": "quota"},
            "spec": {"hard": {"requests.cpu": "9", "pods": "20"}, "scopes": ["NotTerminating"]},
            "status": {"hard": {"requests.cpu": "9", "pods": "20"}, "used": {"requests.cpu": "8500m", "pods": "5"}},
        },
        {
            "apiVersion": "v1",
            "kind": "LimitRange",
            "metadata": {"name": "defaults", "namespace": "shop", "uid": "range"},
            "spec": {"limits": [{"type": "Container", "default": {"cpu": "500m"}, "max": {"memory": "4Gi"}}]},
        },
    ]


def review_cluster(folder: Path, name: str = "harbour") -> Cluster:
    """Mirror the cluster."""
    return load(folder, name, objects())


def section(document: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a section of a review's document."""
    found: dict[str, Any] = next(each for each in document["sections"] if each["key"] == key)
    return found


def rows(document: dict[str, Any], key: str, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table of a section."""
    found: list[dict[str, Any]] = next(
        each["rows"] for each in section(document, key)["tables"] if each["name"] == table
    )
    return found


def reviewed(cluster: Cluster, *sections: str, **order: Any) -> dict[str, Any]:
    """Return the document of a review of a cluster with some sections."""
    cluster.refresh_from_db()
    read = read_order({"cluster": cluster.name, "sections": list(sections), **order})
    return document_of(
        cluster=cluster, run=None, order=read, now=NOW, user=None, alive=lambda: None, written=lambda _: None
    )
