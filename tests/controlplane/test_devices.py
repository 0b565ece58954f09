"""Pods that claim devices: Berth and the real scheduler look at the same slices and claims, and say the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot, explain
from clusters.engine.objects import Pod
from clusters.engine.scheduling.cycle import reserve_devices
from tests.controlplane.release import CONFIGURATION, RELEASE
from tests.controlplane.test_agreement import a_pod, decided, disagreement, mirrored
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.controlplane.api import Api, Object

pytestmark = pytest.mark.controlplane

API, DRIVER, CLASS = "resource.k8s.io/v1", "gpu.example.com", "test-gpu"
OWN, AMOUNTS = f'device.attributes["{DRIVER}"]', f'device.capacity["{DRIVER}"]'
A100 = f'{OWN}.model == "a100"'


def a_slice(node: str, model: str, devices: int) -> Object:
    return {
        "apiVersion": API,
        "kind": "ResourceSlice",
        "metadata": {"name": f"test-{node}"},
        "spec": {
            "driver": DRIVER,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": [
                {
                    "name": f"gpu-{number}",
                    "attributes": {
                        "model": {"string": model},
                        "numa": {"int": number % 2},
                        "driverVersion": {"version": f"1.{number}.0"},
                    },
                    "capacity": {"memory": {"value": "40Gi" if model == "a100" else "16Gi"}},
                }
                for number in range(devices)
            ],
        },
    }


def asking(*expressions: str, **fields: Any) -> Object:
    selectors = [{"cel": {"expression": each}} for each in expressions]
    return {"deviceClassName": CLASS, "selectors": selectors, **fields}


def exactly(name: str, *expressions: str, **fields: Any) -> Object:
    return {"name": name, "exactly": asking(*expressions, **fields)}


# What the pods claim, one after the other; some of it cannot be had, and some of it is taken by those before.
REQUESTS: list[tuple[list[Object], list[Object]]] = [
    ([exactly("one", A100)], []),
    ([exactly("pair", A100, count=2)], [{"matchAttribute": f"{DRIVER}/numa"}]),
    ([exactly("large", f'{AMOUNTS}.memory.compareTo(quantity("30Gi")) >= 0')], []),
    ([exactly("new", f'{OWN}.driverVersion.isGreaterThan(semver("1.2.0"))')], []),
    ([exactly("none", f'{OWN}.model == "h100"')], []),
    ([exactly("error", f'{OWN}.absent == "x"')], []),
    (
        [
            {
                "name": "either",
                "firstAvailable": [
                    {"name": "four", **asking(A100, count=4)},
                    {"name": "two", **asking(f'{OWN}.model == "t4"', count=2)},
                ],
            }
        ],
        [],
    ),
    ([exactly("every", allocationMode="All")], []),
    ([exactly("first", A100), exactly("second", f'{OWN}.model == "t4"')], []),
    ([exactly("many", count=9)], []),
    ([exactly("left", f"has({OWN}.numa) && {OWN}.numa == 0")], []),
]


@pytest.fixture
def offered(api: Api, create_nodes: Callable[[int], list[str]]) -> Iterator[list[str]]:
    """Nodes with devices, and a class for them."""
    names = create_nodes(6)
    selector = {"cel": {"expression": f'device.driver == "{DRIVER}"'}}
    api.create(
        {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": CLASS}, "spec": {"selectors": [selector]}}
    )
    for number, name in enumerate(names[:5]):
        api.create(a_slice(name, "a100" if number % 2 else "t4", 4))
    yield names
    for found in api.objects(API, "ResourceSlice"):
        api.delete(API, "ResourceSlice", found["metadata"]["name"])
    api.delete(API, "DeviceClass", CLASS)


def state(api: Api) -> list[Object]:
    kinds = ("ResourceSlice", "ResourceClaim", "DeviceClass")
    devices = [{**found, "apiVersion": API, "kind": kind} for kind in kinds for found in api.objects(API, kind)]
    return [*mirrored(api), *devices]


def test_pods_that_claim_devices_are_decided_as_the_scheduler_decides(
    api: Api, offered: list[str], namespace: str, measurements: list[str]
) -> None:
    profile = CONFIGURATION.profiles[0]
    different, bound = [], 0
    for number, (requests, constraints) in enumerate(REQUESTS):
        name = f"claim-{number}"
        claimed = [{"name": "devices", "resourceClaimName": name}]
        spec = {"devices": {"requests": requests, **({"constraints": constraints} if constraints else {})}}
        fields = {"name": name, "namespace": namespace}
        api.create({"apiVersion": API, "kind": "ResourceClaim", "metadata": fields, "spec": spec})
        before = Snapshot.from_objects(state(api), RELEASE)
        api.create(a_pod(namespace, f"pod-{number}", "devices", "100m", resourceClaims=claimed))
        pod = decided(api, namespace, f"pod-{number}")
        pending = {**pod, "spec": {key: value for key, value in pod["spec"].items() if key != "nodeName"}, "status": {}}
        explanation = explain(before, pending, profile)
        difference = disagreement(pod, explanation)
        if difference is not None and not names_another_node(*difference):
            different.append(difference)
        if node := pod["spec"].get("nodeName"):
            bound += 1
            claim = api.get(API, "ResourceClaim", name, namespace=namespace)
            assert expected(before, pending, node, name) == shape(claim)
        elif explanation.error is not None:
            # The scheduler goes on trying what ends in an error, which would take from those after it.
            remove(api, namespace, f"pod-{number}")

    measurements.append(f"devices: {len(REQUESTS)} pods with claims, {bound} bound, {len(different)} decided otherwise")
    assert different == []
    assert bound >= 6


def names_another_node(_: str, *said: str) -> bool:
    """Whether two errors name another free device alone: nodes are looked at side by side."""
    return len({re.sub(rf"{re.escape(DRIVER)}/node-\d+/gpu-\d+", "a device", each) for each in said}) == 1


def remove(api: Api, namespace: str, name: str) -> None:
    def is_gone() -> bool:
        return api.find("v1", "Pod", name, namespace=namespace) is None

    api.delete("v1", "Pod", name, namespace=namespace)
    wait_until(is_gone, seconds=30, otherwise=f"{name} is still there")


def expected(before: Snapshot, pod: Object, node: str, name: str) -> Object:
    """What Berth would write into the claim if the pod went to this node."""
    snapshot = before.copy()
    profile = CONFIGURATION.profiles[0]
    assert reserve_devices(snapshot, Pod(pod), profile, snapshot.nodes.index[node])
    claim = snapshot.object("ResourceClaim", name, pod["metadata"]["namespace"])
    assert claim is not None
    return shape(claim)


def shape(claim: Mapping[str, Any]) -> Object:
    """Requests with the devices that they have, the nodes that reach these, and who reserves the claim."""
    status = claim["status"]
    allocation = status["allocation"]
    return {
        "devices": [(each["request"], each["pool"], each["device"]) for each in allocation["devices"]["results"]],
        "nodeSelector": allocation.get("nodeSelector"),
        "reservedFor": [(each["resource"], each["name"]) for each in status["reservedFor"]],
    }
