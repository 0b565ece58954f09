"""The machines: seven pools over three zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from clusters.demo.identity import Document, ago, metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

REGION = "eu-central-1"
ZONES = ("a", "b", "c")
ZONE = "topology.kubernetes.io/zone"
REGION_LABEL = "topology.kubernetes.io/region"
HOSTNAME = "kubernetes.io/hostname"
ARCHITECTURE = "kubernetes.io/arch"
POOL = "shop.example/pool"
RACK = "topology.shop.example/rack"
EBS_ZONE = "topology.ebs.csi.aws.com/zone"
VERSION = "v1.34.1"

_INCIDENTS = "general-a-09", "general-b-09", "general-c-09"
CORDONED, NOT_READY, UNDER_PRESSURE = _INCIDENTS

# Where a driver offers GPUs by dynamic resource allocation instead of a device plugin.
GPU_DRIVER_NODES = "gpu-a-02", "gpu-b-02"
# Of another machine type than the rest of their pool, by name: the type, and its memory in GiB.
_OTHER_TYPES = {"gpu-b-02": ("g6e.12xlarge", 384)}


class Pool(Struct, frozen=True):
    """Machines of one type; memory in GiB, ``reserved`` of CPU and memory is what the system keeps for itself."""

    name: str
    per_zone: Mapping[str, int]
    instance_type: str
    cpu: int
    memory: int
    pods: int
    architecture: str = "amd64"
    taint: tuple[str, str, str] | None = None
    gpus: int = 0
    volumes: int = 25
    labels: Mapping[str, str] = field(default_factory=dict)


POOLS = (
    Pool("general", {"a": 9, "b": 9, "c": 9}, "c6i.2xlarge", 8, 16, 58),
    Pool("arm", {"a": 2, "b": 2, "c": 2}, "m7g.2xlarge", 8, 32, 58, architecture="arm64"),
    Pool(
        "compute",
        {"a": 2, "b": 2, "c": 2},
        "c6i.4xlarge",
        16,
        32,
        58,
        taint=("dedicated", "search", "NoSchedule"),
        volumes=2,
    ),
    Pool(
        "gpu", {"a": 2, "b": 2}, "g5.12xlarge", 48, 192, 58, taint=("nvidia.com/gpu", "present", "NoSchedule"), gpus=4
    ),
    Pool("data", {"a": 2, "b": 2, "c": 2}, "i4i.2xlarge", 8, 64, 58, taint=("dedicated", "data", "NoSchedule")),
    Pool("ingress", {"a": 1, "b": 1, "c": 1}, "c6i.xlarge", 4, 8, 58, taint=("dedicated", "ingress", "NoSchedule")),
    Pool(
        "spot", {"a": 2, "b": 2, "c": 1}, "m6i.xlarge", 4, 16, 58, taint=("shop.example/spot", "", "PreferNoSchedule")
    ),
    Pool("burst", {"a": 1, "b": 1, "c": 1}, "t3.medium", 2, 4, 11, taint=("shop.example/spot", "", "PreferNoSchedule")),
)


def zone_of(node: str) -> str:
    """Return the zone that a node's name tells."""
    return f"{REGION}{node.split('-')[1]}"


def nodes() -> list[Document]:
    """Return all nodes, healthy and empty."""
    return [
        _node(pool, zone, number)
        for pool in POOLS
        for zone, count in pool.per_zone.items()
        for number in range(1, count + 1)
    ]


def node_of(pool: str, zone: str, number: int) -> Document:
    """Return one more node of a pool, healthy and empty."""
    return _node(next(each for each in POOLS if each.name == pool), zone, number)


def _node(pool: Pool, zone: str, number: int) -> Document:
    name = f"{pool.name}-{zone}-{number:02d}"
    instance_type, memory = _OTHER_TYPES.get(name, (pool.instance_type, pool.memory))
    labels = {
        HOSTNAME: name,
        "kubernetes.io/os": "linux",
        ARCHITECTURE: pool.architecture,
        "node.kubernetes.io/instance-type": instance_type,
        REGION_LABEL: REGION,
        ZONE: f"{REGION}{zone}",
        EBS_ZONE: f"{REGION}{zone}",
        POOL: pool.name,
        **pool.labels,
    }
    if pool.name == "data":
        labels[RACK] = f"r{number}"
    gpus = {"nvidia.com/gpu": str(pool.gpus)} if pool.gpus and name not in GPU_DRIVER_NODES else {}
    spec: Document = {"providerID": f"aws:///{REGION}{zone}/i-{name}"}
    if pool.taint is not None:
        key, value, effect = pool.taint
        spec["taints"] = [{"key": key, "effect": effect, **({"value": value} if value else {})}]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata("Node", name, labels=labels),
        "spec": spec,
        "status": {
            "capacity": {
                "cpu": str(pool.cpu),
                "memory": f"{memory}Gi",
                "ephemeral-storage": "80Gi",
                "pods": str(pool.pods),
                **gpus,
            },
            "allocatable": {
                "cpu": f"{pool.cpu * 1000 - 60 - 10 * pool.cpu}m",
                "memory": f"{memory * 1024 - 600 - 11 * pool.pods}Mi",
                # What the kubelet leaves of 80Gi: it multiplies by 10 percent as a float32.
                "ephemeral-storage": "77309411200",
                "pods": str(pool.pods),
                **gpus,
            },
            "conditions": [
                _condition("MemoryPressure", "False", "KubeletHasSufficientMemory", days=90),
                _condition("DiskPressure", "False", "KubeletHasNoDiskPressure", days=90),
                _condition("PIDPressure", "False", "KubeletHasSufficientPID", days=90),
                _condition("Ready", "True", "KubeletReady", days=90),
            ],
            "nodeInfo": {
                "architecture": pool.architecture,
                "containerRuntimeVersion": "containerd://2.1.4",
                "kernelVersion": "6.12.40-64.114.amzn2023",
                "kubeletVersion": VERSION,
                "operatingSystem": "linux",
                "osImage": "Amazon Linux 2023",
            },
        },
    }


def _condition(kind: str, status: str, reason: str, **age: float) -> Document:
    return {"type": kind, "status": status, "reason": reason, "lastTransitionTime": ago(**age)}


def strike(node: Document) -> None:
    """Let happen to a node what happened this morning: one is cordoned, one silent, one short of memory."""
    name = node["metadata"]["name"]
    if name == CORDONED:
        node["spec"]["unschedulable"] = True
        _taint(node, "node.kubernetes.io/unschedulable", "NoSchedule", minutes=40)
    elif name == NOT_READY:
        _set(node, _condition("Ready", "Unknown", "NodeStatusUnknown", minutes=2))
        _taint(node, "node.kubernetes.io/unreachable", "NoSchedule", minutes=2)
        _taint(node, "node.kubernetes.io/unreachable", "NoExecute", minutes=2)
    elif name == UNDER_PRESSURE:
        _set(node, _condition("MemoryPressure", "True", "KubeletHasInsufficientMemory", minutes=6))
        _taint(node, "node.kubernetes.io/memory-pressure", "NoSchedule", minutes=6)


def _taint(node: Document, key: str, effect: str, **age: float) -> None:
    node["spec"].setdefault("taints", []).append({"key": key, "effect": effect, "timeAdded": ago(**age)})


def _set(node: Document, condition: Document) -> None:
    conditions = node["status"]["conditions"]
    conditions[:] = [condition if each["type"] == condition["type"] else each for each in conditions]


def csi_nodes() -> list[Document]:
    """Return how many volumes each node takes."""
    limits = {pool.name: pool.volumes for pool in POOLS}
    return [
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSINode",
            "metadata": metadata("CSINode", name),
            "spec": {
                "drivers": [
                    {
                        "name": "ebs.csi.aws.com",
                        "nodeID": f"i-{name}",
                        "topologyKeys": [EBS_ZONE],
                        "allocatable": {"count": limits[name.split("-")[0]]},
                    }
                ]
            },
        }
        for name in (node["metadata"]["name"] for node in nodes())
    ]
