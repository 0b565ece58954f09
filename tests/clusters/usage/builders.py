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


def filesystem(used: int = 0, *, inodes_used: int = 0, **more: int) -> dict[str, Any]:
    """What a kubelet says of a file system, or of a part of one."""
    return {"time": AT, "usedBytes": used, "inodesUsed": inodes_used, **more}


def measured(cpu_nano: int, memory: int) -> dict[str, Any]:
    """CPU and memory as a kubelet tells them."""
    return {
        "cpu": {"time": AT, "usageNanoCores": cpu_nano, "usageCoreNanoSeconds": 7},
        "memory": {"time": AT, "workingSetBytes": memory, "usageBytes": memory + 1, "rssBytes": 5},
    }


def pod_stats(
    name: str,
    *,
    namespace: str = "shop",
    uid: str | None = None,
    rootfs: int = 0,
    logs: int = 0,
    volumes: dict[str, int] | None = None,
    total: int | None = None,
    container: str = "main",
) -> dict[str, Any]:
    """A pod of a summary, with one container; amounts are bytes."""
    sizes = volumes or {}
    return {
        "podRef": {"name": name, "namespace": namespace, "uid": f"pod-{namespace}-{name}" if uid is None else uid},
        "startTime": AT,
        "containers": [
            {
                "name": container,
                "startTime": AT,
                **measured(11_500_001, 34 * 2**20),
                "rootfs": filesystem(rootfs, inodes_used=3),
                "logs": filesystem(logs, inodes_used=2),
            }
        ],
        **measured(12_000_000, 35 * 2**20),
        "network": {"time": AT, "name": "eth0", "rxBytes": 1},
        "volume": [{**filesystem(size, inodes_used=1), "name": each} for each, size in sizes.items()],
        "ephemeral-storage": filesystem(rootfs + logs + sum(sizes.values()) if total is None else total),
        "process_stats": {"process_count": 4},
    }


def summary(node: str, *pods: dict[str, Any], at: str = AT, **parts: Any) -> dict[str, Any]:
    """What a kubelet answers at /stats/summary; images and all else lie on one file system of 100 GiB, 30 left."""
    disk = {"availableBytes": 30 * 2**30, "capacityBytes": 100 * 2**30, "inodesFree": 600, "inodes": 1000}
    told = {
        "nodeName": node,
        "systemContainers": [
            {"name": "kubelet", **measured(1, 1)},
            {"name": "pods", "memory": {"time": AT, "availableBytes": 6 * 2**30, "workingSetBytes": 2 * 2**30}},
        ],
        "startTime": AT,
        "cpu": {"time": at, "usageNanoCores": 329_087_452},
        "memory": {"time": at, "availableBytes": 5 * 2**30, "workingSetBytes": 3 * 2**30},
        "fs": {**filesystem(70 * 2**30), **disk},
        "runtime": {
            "imageFs": {**filesystem(20 * 2**30), **disk},
            "containerFs": {**filesystem(20 * 2**30), **disk},
        },
        "rlimit": {"time": AT, "maxpid": 32_768, "curproc": 768},
    }
    return {"node": {**told, **parts}, "pods": list(pods)}
