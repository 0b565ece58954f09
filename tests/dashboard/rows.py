"""Mirrored rows for pages to show, written as the mirror writes them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission, User
from django.utils import timezone

from clusters.adapters.state import Gap
from clusters.engine.problems import Quoted
from clusters.models import Cluster, Node, Pod
from clusters.problems.inputs import Use
from clusters.services.mirror.snapshots import forget_snapshots

MESSAGE = "0/2 nodes are available: 2 Insufficient cpu."


def a_cluster(name: str = "prod", **fields: Any) -> Cluster:
    defaults: dict[str, Any] = {"kube_version": "v1.34.1", "revision": 3, "last_sync": timezone.now()}
    # Tests reuse primary keys and revisions.
    forget_snapshots()
    return Cluster.objects.create(name=name, **{**defaults, **fields})


def a_gap(kind: str, why: str = "none", *, felt: bool = True) -> dict[str, Any]:
    """Return what a cluster lacks, as its row stores it."""
    return Gap(kind, Quoted(why), None if felt else Use.CLAIMS).as_dict()


def a_node(cluster: Cluster, name: str, **fields: Any) -> Node:
    defaults: dict[str, Any] = {
        "uid": f"node-{name}",
        "digest": "-",
        "object": {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {"disk": "ssd"}},
            "spec": {"taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]},
            "status": {
                "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110", "nvidia.com/gpu": "2"},
                "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
            },
        },
        "zone": "a",
        "ready": True,
        "unschedulable": False,
        "cpu_milli": 4000,
        "memory_bytes": 8 * 2**30,
        "pods_allocatable": 110,
        "taint_count": 1,
        "created_at": timezone.now(),
    }
    return Node.objects.create(cluster=cluster, name=name, **{**defaults, **fields})


def a_pod(cluster: Cluster, name: str, *, on: str = "", namespace: str = "shop", **fields: Any) -> Pod:
    defaults: dict[str, Any] = {
        "uid": f"pod-{namespace}-{name}",
        "digest": "-",
        "object": {"metadata": {"name": name, "namespace": namespace}},
        "phase": "Running" if on else "Pending",
        "is_pending": not on,
        "is_gated": False,
        "scheduler_name": "default-scheduler",
        "cpu_milli": 500,
        "memory_bytes": 2**30,
        "unschedulable_message": "" if on else MESSAGE,
        "created_at": timezone.now(),
    }
    return Pod.objects.create(cluster=cluster, namespace=namespace, name=name, node_name=on, **{**defaults, **fields})


def allow_changes(user: User) -> None:
    """Give the user the right to upload and delete."""
    user.user_permissions.add(Permission.objects.get(content_type__app_label="clusters", codename="add_cluster"))
