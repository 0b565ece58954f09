"""A world on the control plane: two hundred nodes of six pools in four zones, storage, classes, and the workloads.

Everything that is chosen by chance is chosen by a seed, so the plan of two runs is the same; what the controllers and
the scheduler make of it, and in which order, is theirs.
"""

from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tests.controlplane.manifests import HOST, ZONE, node_terms, priority_class, storage_class, volume
from tests.controlplane.nodes import create_node, wait_until_untainted
from tests.controlplane.workloads import FULL_SIZE, GPU, TEAMS, Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.controlplane.api import Api, Object
    from tests.controlplane.plane import ControlPlane

Item = TypeVar("Item")
SEED = 1729
_CLIENTS = 8
# Zones are of different sizes, as they are where people rent.
_ZONES = "aaabbbccd"
_NO_ZONE_EVERY = 45
_PICTURES = "registry.example.com/vision:2"
_LOCAL_VOLUMES = 18


@dataclass(frozen=True, slots=True)
class Pool:
    """Nodes of one size."""

    name: str
    count: int
    capacity: Object
    taints: tuple[Object, ...] = ()


POOLS = (
    Pool("small", 58, {"cpu": "4", "memory": "8Gi", "pods": "30"}),
    Pool("medium", 80, {"cpu": "8", "memory": "32Gi"}),
    Pool("large", 36, {"cpu": "16", "memory": "64Gi"}),
    Pool(
        "gpu",
        10,
        {"cpu": "16", "memory": "128Gi", GPU: "4"},
        ({"key": GPU, "value": "present", "effect": "NoSchedule"},),
    ),
    Pool(
        "infra", 10, {"cpu": "8", "memory": "32Gi"}, ({"key": "dedicated", "value": "infra", "effect": "NoSchedule"},)
    ),
    Pool("batch", 6, {"cpu": "4", "memory": "16Gi"}, ({"key": "dedicated", "value": "batch", "effect": "NoSchedule"},)),
)
SPOT: Object = {"key": "spot", "value": "true", "effect": "PreferNoSchedule"}


@dataclass(frozen=True, slots=True)
class PlannedNode:
    name: str
    pool: Pool
    labels: dict[str, str]
    taints: list[Object]
    images: list[Object]

    def create(self, api: Api) -> None:
        create_node(
            api, self.name, labels=self.labels, taints=self.taints, capacity=self.pool.capacity, images=self.images
        )


def planned_nodes(chance: random.Random) -> list[PlannedNode]:
    """Return all nodes, numbered in an order that mixes the pools."""
    pools = [pool for pool in POOLS for _ in range(pool.count)]
    chance.shuffle(pools)
    return [_node(number, pool, chance) for number, pool in enumerate(pools)]


def _node(number: int, pool: Pool, chance: random.Random) -> PlannedNode:
    labels = {
        "pool": pool.name,
        "generation": str(chance.randint(1, 5)),
        "disktype": chance.choice(["ssd", "hdd", "hdd"]),
    }
    if number % _NO_ZONE_EVERY != _NO_ZONE_EVERY - 1:
        labels[ZONE] = f"zone-{_ZONES[number % len(_ZONES)]}"
    taints = list(pool.taints)
    if pool.name == "small" and chance.random() < 0.3:
        taints.append(SPOT)
    images = [{"names": ["app:1"], "sizeBytes": 40_000_000}] if chance.random() < 0.5 else []
    if chance.random() < 0.3:
        images.append(
            {"names": [_PICTURES, "registry.example.com/vision@sha256:" + 64 * "0"], "sizeBytes": 900_000_000}
        )
    return PlannedNode(f"node-{number:04}", pool, labels, taints, images)


@dataclass(slots=True)
class World:
    """What was built, for whoever makes it live."""

    plane: ControlPlane
    catalogue: Catalogue
    nodes: list[PlannedNode]
    chance: random.Random

    @property
    def api(self) -> Api:
        return self.plane.api

    def build(self) -> None:
        """Create nodes, namespaces, classes and volumes; no pods yet."""
        for manifest in (*_classes(), *_volumes(self.nodes)):
            self.api.create(manifest)
        _at_once(self._create_namespace, TEAMS)
        self.create_nodes(self.nodes)

    def create_nodes(self, nodes: list[PlannedNode]) -> None:
        _at_once(lambda node: node.create(self.api), nodes)
        wait_until_untainted(self.api, [node.name for node in nodes])

    def populate(self, calm_down: Callable[[], None]) -> int:
        """Create all workloads in an order that chance chose, with pauses; return how many pods there will be."""
        workloads = self.catalogue.workloads()
        # Of one kind and size they compete for the same room: who comes first is not for the catalogue to say.
        self.chance.shuffle(workloads)
        for workload in workloads:
            for manifest in workload.objects:
                self.api.create(manifest)
            calm_down()
        return sum(workload.pods for workload in workloads)

    def _create_namespace(self, name: str) -> None:
        self.plane.create_namespace(name)
        self.api.patch("v1", "Namespace", name, {"metadata": {"labels": {"team": TEAMS[name]}}})
        if name == "lab":
            limits = [{"type": "Container", "defaultRequest": {"cpu": "150m", "memory": "96Mi"}}]
            self.api.create(
                {
                    "apiVersion": "v1",
                    "kind": "LimitRange",
                    "metadata": {"name": "modest", "namespace": name},
                    "spec": {"limits": limits},
                }
            )


def plan(plane: ControlPlane) -> World:
    """Return the world of the seed, as large as BERTH_TEST_WORLD_PODS says."""
    chance = random.Random(SEED)
    pods = int(os.environ.get("BERTH_TEST_WORLD_PODS", FULL_SIZE))
    return World(plane, Catalogue(pods), planned_nodes(chance), chance)


def _classes() -> list[Object]:
    overhead = {"podFixed": {"cpu": "50m", "memory": "16Mi"}}
    return [
        priority_class("cheap", -10),
        priority_class("urgent", 1000),
        priority_class("polite", 900, preemptionPolicy="Never"),
        {
            "apiVersion": "node.k8s.io/v1",
            "kind": "RuntimeClass",
            "metadata": {"name": "sandboxed"},
            "handler": "sandbox",
            "overhead": overhead,
        },
        storage_class("local", waits=True),
        storage_class("empty", waits=True),
        storage_class("zonal", waits=True),
        storage_class("immediate", waits=False),
    ]


def _volumes(nodes: list[PlannedNode]) -> list[Object]:
    """Return a volume on each of some nodes for `db`, and one in a zone for `readers`."""
    homes = [node.name for node in nodes if node.pool.name in {"medium", "large"}][:_LOCAL_VOLUMES]
    local = [
        volume(f"local-{number}", storage="local", where=node_terms((HOST, "In", [home])))
        for number, home in enumerate(homes)
    ]
    reference = {"claimRef": {"namespace": "data", "name": "shared"}}
    zone = node_terms((ZONE, "In", ["zone-b"]))
    return [*local, volume("shared", storage="zonal", where=zone, mode="ReadWriteMany", **reference)]


def _at_once(work: Callable[[Item], object], items: Iterable[Item]) -> None:
    """Do the same for many, several at a time."""
    with ThreadPoolExecutor(_CLIENTS) as pool:
        list(pool.map(work, items))
