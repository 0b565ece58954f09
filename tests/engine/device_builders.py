"""Objects of dynamic resource allocation for tests: slices with devices, classes, claims, and pods that have them."""

from __future__ import annotations

from typing import Any

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.versions import release_with
from tests.engine.builders import a_node, a_pod, explanation_of

DRIVER = "gpu.example.com"
CLASS = "gpu"


def a_device(name: str = "gpu-0", **fields: Any) -> dict[str, Any]:
    """A device; ``model`` and ``memory`` are shorthands for an attribute and a capacity."""
    attributes = dict(fields.pop("attributes", {}))
    capacity = {}
    if "model" in fields:
        attributes["model"] = {"string": fields.pop("model")}
    if "memory" in fields:
        capacity["memory"] = {"value": fields.pop("memory")}
    return {"name": name, "attributes": attributes, "capacity": capacity, **fields}


def a_slice(*devices: dict[str, Any], node: str = "n0", pool: str = "", name: str = "", **spec: Any) -> dict[str, Any]:
    """A ResourceSlice of one node's pool."""
    held = {"name": pool or node, "generation": 1, "resourceSliceCount": 1, **spec.pop("held", {})}
    reach = (
        {} if "allNodes" in spec or "nodeSelector" in spec or "perDeviceNodeSelection" in spec else {"nodeName": node}
    )
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name or f"{held['name']}-slice"},
        "spec": {"driver": DRIVER, "pool": held, "devices": list(devices), **reach, **spec},
    }


def a_class(*expressions: str, name: str = CLASS) -> dict[str, Any]:
    """A DeviceClass with CEL selectors."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": each}} for each in expressions]},
    }


def a_request(name: str = "gpu", *expressions: str, **fields: Any) -> dict[str, Any]:
    """A request for devices of the class; ``wrapped=False`` makes it an alternative of ``firstAvailable``."""
    wrapped = fields.pop("wrapped", True)
    selectors = [{"cel": {"expression": each}} for each in expressions]
    exactly = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1, "selectors": selectors, **fields}
    return {"name": name, "exactly": exactly} if wrapped else {"name": name, **exactly}


def a_resource_claim(*requests: dict[str, Any], name: str = "claim", **fields: Any) -> dict[str, Any]:
    """A ResourceClaim; ``allocated`` lists device names of the pool ``n0`` that it holds already."""
    constraints, status = fields.pop("constraints", []), dict(fields.pop("status", {}))
    if "allocated" in fields:
        results = [
            {"request": "gpu", "driver": DRIVER, "pool": "n0", "device": device} for device in fields.pop("allocated")
        ]
        status["allocation"] = {"devices": {"results": results}, **fields.pop("allocation", {})}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default", "uid": f"claim-{name}", **fields},
        "spec": {"devices": {"requests": list(requests), "constraints": constraints}},
        "status": status,
    }


def claiming(*names: str) -> list[dict[str, Any]]:
    """``spec.resourceClaims`` of a pod that uses these claims."""
    return [{"name": name, "resourceClaimName": name} for name in names]


MODEL = f'device.attributes["{DRIVER}"].model == "%s"'
BROKEN = {"key": "health", "value": "broken", "effect": "NoSchedule"}


def feasible(
    *objects: dict[str, Any], claims: tuple[str, ...] = ("claim",), nodes: tuple[str, ...] = ("n0",)
) -> list[str]:
    """The nodes that a pod with these claims fits on."""
    pod = a_pod(resourceClaims=claiming(*claims))
    return explanation_of(pod, *(a_node(name) for name in nodes), a_class(), *objects).feasible


def explained(
    pod: dict[str, Any], *objects: dict[str, Any], minor: str, gates: dict[str, bool] | None = None
) -> Explanation:
    """A pod explained by the default scheduler of a minor, with some gates set."""
    release = release_with(f"v{minor}.0", gates or {})
    profile = SchedulerConfiguration.default(release).profile_for(pod)
    return explain(Snapshot.from_objects(objects, release), pod, profile)


def a_cluster(*objects: dict[str, Any]) -> tuple[Snapshot, SchedulerConfiguration]:
    """What a scheduler of 1.36 sees of these objects, and how it is configured by default."""
    release = release_with("v1.36.0", {})
    return Snapshot.from_objects(objects, release), SchedulerConfiguration.default(release)
