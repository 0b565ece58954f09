"""How long a decision takes where pods claim devices: a thousand nodes with eight devices each, half of them held."""

from __future__ import annotations

import statistics
from itertools import count
from typing import Any

from bench.measure import Figure, figure, milliseconds
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.simulation import Portion, headroom
from clusters.engine.versions import NEWEST

NODES = 1000
DEVICES = 8
# A decision that shows everything takes no longer than this, and a placement of a simulation no longer than that.
BAR_MS = 150.0
PLACEMENT_BAR_MS = 15.0
PLACED = 200

_DRIVER = "gpu.example.com"
_API = "resource.k8s.io/v1"


def run() -> dict[str, Figure]:
    """Whole decisions for requests that were not seen before, so that no search is kept; and placements of headroom."""
    figures: dict[str, Figure] = {}
    profile = SchedulerConfiguration.default(NEWEST).profiles[0]
    for name, request in _requests().items():
        snapshot = Snapshot.from_objects([*_cluster(), _claim("wanted", request)], NEWEST)
        pod, numbers = _pod(), count()

        def everything(
            snapshot: Snapshot = snapshot,
            pod: dict[str, Any] = pod,
            request: list[dict[str, Any]] = request,
            numbers: count[int] = numbers,
        ) -> None:
            snapshot.upsert(_claim("wanted", [_tolerating(each, next(numbers)) for each in request]))
            explanation = explain(snapshot, pod, profile)
            assert explanation.groups
            assert explanation.conclusion in ("fits", "unschedulable")

        samples = milliseconds(everything, times=60)
        found = figure(samples, "ms")
        found["p95"] = round(statistics.quantiles(samples, n=20)[-1], 3)
        found["ratio"] = round(found["p95"] / BAR_MS, 4)
        figures[f"explain a pod with {name}: {NODES} nodes with {DEVICES} devices"] = found
    return figures | {f"place a pod with a device: {NODES} nodes with {DEVICES} devices": _headroom()}


def _headroom() -> Figure:
    """Milliseconds of a placement of headroom, each of which allocates a device, over many of them."""
    template = {
        "apiVersion": _API,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": _claim("", _requests()["one device"])["spec"]},
    }
    snapshot = Snapshot.from_objects([*_cluster(), template], NEWEST)
    pod = _pod()
    pod["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]
    configuration = SchedulerConfiguration.default(NEWEST)

    def place() -> None:
        assert headroom(snapshot, configuration, [Portion(pod)], most=PLACED).count == PLACED

    samples = [each / PLACED for each in milliseconds(place, times=5, warm_up=1)]
    return figure(samples, "ms", against=PLACEMENT_BAR_MS)


def _tolerating(request: dict[str, Any], number: int) -> dict[str, Any]:
    """A request that is like none before in what it tolerates, which no device asks for."""
    tolerations = [{"key": f"unseen-{number}", "operator": "Exists"}]
    if "exactly" in request:
        return {**request, "exactly": {**request["exactly"], "tolerations": tolerations}}
    return {**request, "firstAvailable": [{**each, "tolerations": tolerations} for each in request["firstAvailable"]]}


def _requests() -> dict[str, list[dict[str, Any]]]:
    own = f'device.attributes["{_DRIVER}"]'
    return {
        "one device": [_request("one", f'{own}.model == "a100"')],
        "four devices on one NUMA node": [_request("four", f'{own}.model == "a100"', count=4)],
        "a memory size that none has": [
            _request("big", f'device.capacity["{_DRIVER}"].memory.isGreaterThan(quantity("1Ti"))')
        ],
        "alternatives": [
            {
                "name": "any",
                "firstAvailable": [
                    {"name": "big", **_request("", f"{own}.serial == 7", count=2)["exactly"]},
                    {"name": "small", **_request("", f'{own}.model == "t4"', count=3)["exactly"]},
                ],
            }
        ],
    }


def _request(name: str, expression: str, count: int = 1) -> dict[str, Any]:
    selectors = [{"cel": {"expression": expression}}]
    exactly = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count, "selectors": selectors}
    return {"name": name, "exactly": exactly}


def _cluster() -> list[dict[str, Any]]:
    selector = {"cel": {"expression": f'device.driver == "{_DRIVER}"'}}
    objects: list[dict[str, Any]] = [
        {"apiVersion": _API, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {"selectors": [selector]}}
    ]
    for number in range(NODES):
        name = f"node-{number}"
        objects.append(
            {
                "kind": "Node",
                "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
                "status": {"allocatable": {"cpu": "64", "memory": "256Gi", "pods": "110"}},
            }
        )
        objects.append(_slice(name, number))
        objects += [_held(number, place) for place in range(DEVICES // 2)]
    return objects


def _slice(node: str, number: int) -> dict[str, Any]:
    """Devices that all differ in their serial number, as those of real drivers do."""
    devices = [
        {
            "name": f"gpu-{place}",
            "attributes": {
                "model": {"string": "a100" if number % 2 else "t4"},
                "numa": {"int": place % 2},
                "serial": {"int": number * DEVICES + place},
                "driverVersion": {"version": "1.2.3"},
            },
            "capacity": {"memory": {"value": "40Gi"}},
        }
        for place in range(DEVICES)
    ]
    pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": _DRIVER, "nodeName": node, "pool": pool, "devices": devices}
    return {"apiVersion": _API, "kind": "ResourceSlice", "metadata": {"name": node}, "spec": spec}


def _held(number: int, place: int) -> dict[str, Any]:
    """A claim that holds one device of a node."""
    device = {"request": "r", "driver": _DRIVER, "pool": f"node-{number}", "device": f"gpu-{place}"}
    claim = _claim(f"held-{number}-{place}", [])
    return {**claim, "status": {"allocation": {"devices": {"results": [device]}}}}


def _claim(name: str, requests: list[dict[str, Any]]) -> dict[str, Any]:
    constraints = [{"matchAttribute": f"{_DRIVER}/numa"}]
    return {
        "apiVersion": _API,
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"devices": {"requests": requests, "constraints": constraints}},
    }


def _pod() -> dict[str, Any]:
    return {
        "kind": "Pod",
        "metadata": {"name": "training", "namespace": "default", "uid": "training"},
        "spec": {
            "containers": [{"name": "c", "image": "x", "resources": {"requests": {"cpu": "1"}}}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "wanted"}],
        },
    }
