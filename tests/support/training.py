"""A cluster of Kubernetes 1.37 on which models are trained: gangs that are placed, and gangs that wait."""

from __future__ import annotations

from typing import Any, Final

from tests.support.gangs import NAMESPACE, group, member

Object = dict[str, Any]

ZONES: Final = ("a", "b")
# Of pods; nodes are younger, so that pods have been pending for a while at the last moment of the dump.
CREATED: Final = "2026-11-25T19:12:00Z"
_READY: Final = "2026-11-25T20:00:00Z"
_VERSION: Final = "v1.37.2"
_SCHEDULER: Final = ["kube-scheduler", "--feature-gates=GenericWorkload=true"]


def _node(name: str, zone: str) -> Object:
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone, "pool": "training"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"node-{name}", "labels": labels, "creationTimestamp": _READY},
        "spec": {},
        "status": {
            "allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True"}],
            "nodeInfo": {"kubeletVersion": _VERSION},
        },
    }


def _scheduler() -> Object:
    container = {"name": "kube-scheduler", "image": f"registry.k8s.io/kube-scheduler:{_VERSION}", "command": _SCHEDULER}
    labels = {"component": "kube-scheduler", "tier": "control-plane"}
    metadata = {"name": "kube-scheduler-cp", "namespace": "kube-system", "uid": "kube-scheduler", "labels": labels}
    spec = {"nodeName": "gpu-a-1", "containers": [container], "priority": 2_000_001_000}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}


def _gang(name: str, least: int | None, pods: int, cpu: str, on: tuple[str, ...] = (), **spec: Any) -> list[Object]:
    """A gang and its pods, the first of them on these nodes."""
    owner = ("Job", name)
    members = [
        member(f"{name}-{number}", name, cpu=cpu, on=on[number] if number < len(on) else "", owner=owner)
        for number in range(pods)
    ]
    for each in members:
        each["metadata"]["creationTimestamp"] = CREATED
        if "priority" in spec:
            each["spec"]["priority"] = spec["priority"]
    return [group(name, least, owner=owner, spec=spec), *members]


def training_objects() -> list[Object]:
    """Four nodes of 8 CPU in two zones, of which 10 CPU are free.

    ``bert`` runs whole; ``llama`` finds nodes for two of its four pods; ``sweep`` lacks one pod; ``urgent`` fits once
    pods of lower priority are removed; ``web`` has the basic policy.
    """
    nodes = [_node(f"gpu-{zone}-{number}", zone) for zone in ZONES for number in (1, 2)]
    names = tuple(each["metadata"]["name"] for each in nodes)
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "uid": "ns-ml"}},
        *nodes,
        _scheduler(),
        *_gang("bert", 4, 4, "5", on=names),
        *_gang("llama", 4, 4, "3", on=()),
        *_gang("sweep", 3, 2, "500m"),
        *_gang("urgent", 4, 4, "6", priority=1000, priorityClassName="high"),
        *_gang("web", None, 2, "1", on=names[:2]),
    ]
