"""Nodes that exist in the API only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.controlplane.api import STRATEGIC_MERGE, Api, Object
from tests.controlplane.binaries import KUBERNETES_VERSION
from tests.controlplane.kubelet import address, now
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NOT_READY = "node.kubernetes.io/not-ready"
DEFAULT_CAPACITY = {"cpu": "8", "memory": "32Gi", "ephemeral-storage": "100Gi", "pods": "110"}


def create_node(
    api: Api,
    name: str,
    *,
    labels: Mapping[str, str] | None = None,
    taints: Sequence[Object] = (),
    capacity: Mapping[str, str] | None = None,
    allocatable: Mapping[str, str] | None = None,
    images: Sequence[Object] = (),
) -> None:
    """Create a node as its kubelet would register it, ready; what is allocatable is its capacity unless said."""
    standard = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**standard, **(labels or {})}},
        "spec": {"taints": list(taints)},
    }
    api.create(node)
    whole = {**DEFAULT_CAPACITY, **(capacity or {})}
    status = {
        "capacity": whole,
        "allocatable": {**whole, **(allocatable or {})},
        "addresses": [
            {"type": "InternalIP", "address": address("172.16", name)},
            {"type": "Hostname", "address": name},
        ],
        "nodeInfo": {
            "architecture": "amd64",
            "operatingSystem": "linux",
            "kubeletVersion": KUBERNETES_VERSION,
            "kubeProxyVersion": "",
            "containerRuntimeVersion": "none://0",
            "kernelVersion": "0",
            "osImage": "none",
            "machineID": name,
            "systemUUID": name,
            "bootID": name,
        },
        "images": list(images),
        "conditions": _conditions(ready=True),
    }
    api.patch("v1", "Node", name, {"status": status}, subresource="status", how=STRATEGIC_MERGE)


def set_ready(api: Api, name: str, ready: bool) -> None:
    """Let the node's kubelet report that it is ready, or that it is not; the controllers taint it accordingly."""
    change = {"status": {"conditions": _conditions(ready=ready)}}
    api.patch("v1", "Node", name, change, subresource="status", how=STRATEGIC_MERGE)


def wait_until_untainted(api: Api, names: Iterable[str], *, seconds: float = 30) -> None:
    """Wait until the controllers have seen that the nodes are ready, so that pods can be scheduled to all of them."""
    expected = set(names)

    def untainted() -> bool:
        open_nodes = {
            node["metadata"]["name"]
            for node in api.objects("v1", "Node")
            if all(taint["key"] != NOT_READY for taint in node["spec"].get("taints", []))
        }
        return expected <= open_nodes

    wait_until(untainted, seconds=seconds, otherwise="nodes are still tainted as not ready")


def _conditions(*, ready: bool) -> list[Object]:
    time_now = now()
    word = "KubeletReady" if ready else "KubeletNotReady"
    pressures = {
        "MemoryPressure": "KubeletHasSufficientMemory",
        "DiskPressure": "KubeletHasNoDiskPressure",
        "PIDPressure": "KubeletHasSufficientPID",
    }
    rows = [("Ready", "True" if ready else "False", word), *((name, "False", why) for name, why in pressures.items())]
    return [
        {"type": name, "status": status, "reason": why, "lastHeartbeatTime": time_now, "lastTransitionTime": time_now}
        for name, status, why in rows
    ]
