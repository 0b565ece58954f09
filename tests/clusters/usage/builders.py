"""Usage in the forms in which people send it."""

from __future__ import annotations

from typing import Any

VERSION = "metrics.k8s.io/v1beta1"
AT = "2026-03-02T10:14:30Z"


def pod_metrics(
    name: str, containers: dict[str, tuple[str, str]], *, namespace: str = "shop", at: str = AT
) -> dict[str, Any]:
    """A PodMetrics object; the containers' amounts are CPU and memory."""
    return {
        "apiVersion": VERSION,
        "kind": "PodMetrics",
        "metadata": {"name": name, "namespace": namespace, "creationTimestamp": at, "labels": {"app": name}},
        "timestamp": at,
        "window": "15.1s",
        "containers": [
            {"name": each, "usage": {"cpu": cpu, "memory": memory}} for each, (cpu, memory) in containers.items()
        ],
    }


def node_metrics(name: str, cpu: str, memory: str, *, at: str = AT) -> dict[str, Any]:
    """A NodeMetrics object."""
    return {
        "apiVersion": VERSION,
        "kind": "NodeMetrics",
        "metadata": {"name": name, "creationTimestamp": at},
        "timestamp": at,
        "window": "20.064s",
        "usage": {"cpu": cpu, "memory": memory},
    }


def raw(kind: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    """A list as `kubectl get --raw` prints it: its items have no type."""
    bare = [{key: value for key, value in item.items() if key not in ("kind", "apiVersion")} for item in items]
    return {"kind": f"{kind}List", "apiVersion": VERSION, "metadata": {}, "items": bare}
