"""Devices that take of their node's CPU and memory: counted with the pod, before it is placed and after."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.objects import Pod, PodShape
from clusters.engine.plugins.dynamic_resources import NodeResourceComparison
from clusters.engine.scheduling import place
from clusters.engine.versions import release_with
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import (
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    explained,
)

GATE = "DRANodeAllocatableResources"
ON = {GATE: True}
TWO_CPUS = {"cpu": {"mapping": {"deviceMultiplier": "2"}}}


def a_cpu_device(name: str = "gpu-0", resources: Document | None = None, **fields: Any) -> Document:
    return a_device(name, nodeAllocatableResources=resources or TWO_CPUS, **fields)


def a_claiming_pod(cpu: str = "1", **fields: Any) -> Document:
    pod = a_pod(requests={"cpu": cpu}, resourceClaims=claiming("claim"), **fields)
    pod["spec"]["containers"][0]["resources"]["claims"] = [{"name": "claim"}]
    return pod


def a_sized_node(cpu: str, name: str = "n0") -> Document:
    return a_node(name, allocatable={"cpu": cpu, "memory": "8Gi"})


def decided(pod: Document, *objects: Document, gates: dict[str, bool] | None = None, minor: str = "1.37") -> Any:
    return explained(pod, a_class(), *objects, minor=minor, gates=ON if gates is None else gates)


@pytest.mark.parametrize(
    ("resources", "cpu"),
    [
        (TWO_CPUS, 3),
        ({"cpu": {"overhead": {"perPod": "500m"}}}, 1.5),
        ({"cpu": {"overhead": {"perContainer": "250m"}}}, 1.25),
        ({"cpu": {"mapping": {"deviceMultiplier": "2"}, "overhead": {"perPod": "1", "perContainer": "1"}}}, 5),
        ({"cpu": {"mapping": {"deviceMultiplier": "0"}}}, 1),
    ],
)
def test_a_pod_requests_what_its_device_takes_too(resources: Document, cpu: float) -> None:
    offered, claim = a_slice(a_cpu_device(resources=resources)), a_resource_claim(a_request())

    found = decided(a_claiming_pod(), a_sized_node(f"{int(cpu * 1000)}m"), offered, claim)
    assert found.conclusion == "fits"
    (compared,) = (each for each in found.evidence(0)["DynamicResources"] if isinstance(each, NodeResourceComparison))
    assert (compared.requested, compared.holds) == (cpu * 1000, True)

    # NodeResourcesFit looks at the pod's own request alone, as devices are not chosen yet.
    small = decided(a_claiming_pod(), a_sized_node(f"{max(1000, int(cpu * 1000) - 1)}m"), offered, claim)
    rejection = small.verdict_of(0)
    assert (rejection is None) is (cpu == 1)
    if rejection is not None:
        assert (rejection.plugin, rejection.status.reasons) == ("DynamicResources", ("Insufficient cpu",))
        assert rejection.status.code.name == "UNRESOLVABLE"


def test_a_node_that_is_large_enough_when_empty_may_be_freed_by_preemption() -> None:
    offered, claim = a_slice(a_cpu_device()), a_resource_claim(a_request())
    victim = a_pod("victim", requests={"cpu": "3"}, node="n0", priority=-1)

    found = decided(a_claiming_pod(), a_sized_node("4"), victim, offered, claim)

    rejection = found.verdict_of(0)
    assert (rejection.plugin, rejection.status.code.name) == ("DynamicResources", "UNSCHEDULABLE")
    assert found.preemption is not None
    assert found.preemption.selected is not None


def test_only_the_pods_go_that_hold_what_is_needed_by_their_devices() -> None:
    status = {"nodeAllocatableResourceClaimStatuses": [{"mapping": [{"name": "cpu", "quantity": "2"}]}]}
    holding, plain = (a_pod(name, node="n0", requests={"cpu": "1"}) for name in ("holding", "plain"))
    holding["status"].update(status)

    found = decided(a_pod(requests={"cpu": "3"}, priority=1), a_sized_node("5"), holding, plain).preemption

    assert found is not None
    assert [candidate.victims for candidate in found.candidates] == [("default/holding",)]


def test_a_capacity_is_counted_by_what_is_consumed_of_it() -> None:
    resources = {"cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "2"}}}
    device = a_cpu_device(resources=resources, allowMultipleAllocations=True)
    device["capacity"] = {"cores": {"value": "4"}}
    claim = a_resource_claim(a_request(capacity={"requests": {"cores": "1500m"}}))

    assert decided(a_claiming_pod(), a_sized_node("4"), a_slice(device), claim).conclusion == "fits"
    assert decided(a_claiming_pod(), a_sized_node("3999m"), a_slice(device), claim).conclusion == "unschedulable"

    whole = {name: value for name, value in device.items() if name != "allowMultipleAllocations"}
    failed = decided(a_claiming_pod(), a_sized_node("4"), a_slice(whole), a_resource_claim(a_request()))
    assert failed.cycle.filters["DynamicResources"].at(0).reasons == (
        (
            "claim default/claim, device gpu-0: ConsumedCapacity is nil, but Capacity key 'cores' is set in "
            "NodeAllocatableResources for resource cpu"
        ),
    )


def test_memory_and_huge_pages_are_named_in_their_order() -> None:
    resources = {
        "hugepages-2Mi": {"mapping": {"deviceMultiplier": "4Mi"}},
        "memory": {"mapping": {"deviceMultiplier": "16Gi"}},
        "cpu": {"overhead": {"perPod": "64"}},
    }
    offered, claim = a_slice(a_cpu_device(resources=resources)), a_resource_claim(a_request())

    rejection = decided(a_claiming_pod(), a_sized_node("4"), offered, claim).verdict_of(0)

    assert rejection.status.reasons == ("Insufficient cpu", "Insufficient memory", "Insufficient hugepages-2Mi")


@pytest.mark.parametrize(
    ("minor", "gates", "expected"),
    [
        ("1.35", {}, "fits"),
        ("1.36", {}, "fits"),
        ("1.37", {}, "uncertain"),
        ("1.37", {GATE: False}, "fits"),
        ("1.37", ON, "unschedulable"),
    ],
)
def test_it_is_open_while_nobody_set_the_gate(minor: str, gates: dict[str, bool], expected: str) -> None:
    offered, claim = a_slice(a_cpu_device()), a_resource_claim(a_request())

    assert decided(a_claiming_pod(), a_sized_node("2"), offered, claim, gates=gates, minor=minor).conclusion == expected


@pytest.mark.parametrize(("gates", "expected"), [({}, "uncertain"), (ON, "uncertain"), ({GATE: False}, "fits")])
def test_the_fields_of_1_36_are_not_computed(gates: dict[str, bool], expected: str) -> None:
    early = a_device(nodeAllocatableResourceMappings={"cpu": {"allocationMultiplier": "2"}})

    found = decided(
        a_claiming_pod(), a_sized_node("2"), a_slice(early), a_resource_claim(a_request()), gates=gates, minor="1.36"
    )
    assert found.conclusion == expected


# -- claims that have devices ----------------------------------------------------------------------------------


def an_allocated_claim(*pods: str, **fields: Any) -> Document:
    claim = a_resource_claim(a_request(), allocated=["gpu-0"], **fields)
    claim["status"]["reservedFor"] = [{"resource": "pods", "name": pod, "uid": pod} for pod in pods]
    return claim


def test_a_claim_that_is_allocated_counts_like_one_that_is_now() -> None:
    offered, claim = a_slice(a_cpu_device()), an_allocated_claim()

    assert decided(a_claiming_pod(), a_sized_node("3"), offered, claim).conclusion == "fits"
    assert decided(a_claiming_pod(), a_sized_node("2"), offered, claim).conclusion == "unschedulable"


def test_a_claim_of_the_nodes_own_resources_belongs_to_one_pod() -> None:
    claim = an_allocated_claim("other")
    shared = decided(a_claiming_pod(), a_sized_node("8"), a_slice(a_cpu_device()), claim)
    overhead = a_cpu_device(resources={"cpu": {"overhead": {"perPod": "1"}}})

    rejection = shared.verdict_of(0)
    assert rejection.status.reasons == (
        "node allocatable resource claim claim has a mapped device and cannot be shared across pods",
    )
    assert decided(a_claiming_pod(), a_sized_node("8"), a_slice(overhead), claim).conclusion == "fits"


def test_alternatives_that_a_claim_has_score_only_where_its_devices_take_of_the_node() -> None:
    choices = {"name": "gpu", "firstAvailable": [a_request("small", wrapped=False), a_request("large", wrapped=False)]}
    claim = a_resource_claim(choices, allocated=["gpu-0"])
    claim["status"]["allocation"]["devices"]["results"][0]["request"] = "gpu/large"
    nodes = [a_sized_node("8"), a_sized_node("8", "n1")]

    for device, points in ((a_cpu_device(), 7), (a_device(), 0)):
        found = decided(a_claiming_pod(), *nodes, a_slice(device, allNodes=True, pool="n0"), claim)
        (scored,) = (each for each in found.cycle.scores if each.plugin == "DynamicResources")
        assert scored.raw.tolist() == [points, points]


# -- requests of the pod as a whole ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        (
            {"requests": {"cpu": "2"}},
            (
                "pod level request for cpu is insufficient to cover the aggregated container and node-allocatable DRA "
                "requests"
            ),
        ),
        ({"requests": {"cpu": "3"}}, None),
        (
            {"requests": {"cpu": "3"}, "limits": {"cpu": "4"}},
            "pod level limit for cpu is insufficient to cover the limit and DRA overhead for container main",
        ),
        ({"requests": {"cpu": "3"}, "limits": {"cpu": "5"}}, None),
    ],
)
def test_what_the_pod_requests_as_a_whole_has_to_cover_its_devices(resources: Document, reason: str | None) -> None:
    pod = a_claiming_pod()
    pod["spec"]["resources"] = resources
    pod["spec"]["containers"][0]["name"] = "main"
    pod["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "3"}

    found = decided(pod, a_sized_node("3"), a_slice(a_cpu_device()), a_resource_claim(a_request()))

    rejection = found.verdict_of(0)
    assert (None if rejection is None else rejection.status.reasons) == (None if reason is None else (reason,))


# -- afterwards ------------------------------------------------------------------------------------------------


def test_a_pod_that_is_placed_counts_with_its_devices() -> None:
    release = release_with("v1.37.2", ON)
    objects = [a_sized_node("4"), a_class(), a_slice(a_cpu_device()), a_resource_claim(a_request())]
    snapshot = Snapshot.from_objects(objects, release)
    profiles = SchedulerConfiguration.default(release)

    first, second = place(snapshot, [a_claiming_pod(), a_pod("second", requests={"cpu": "2"})], profiles)

    assert (first.node, second.node) == ("n0", "")
    assert snapshot.nodes.requested[0, snapshot.nodes.resource("cpu")] == 3000


STATUSES = [
    {
        "resourceClaimName": "claim",
        "containers": ["a", "b"],
        "mapping": [{"name": "cpu", "quantity": "2"}],
        "overhead": [{"name": "cpu", "perPod": "1", "perContainer": "500m"}],
    }
]


@pytest.mark.parametrize(
    ("minor", "gates", "statuses", "expected"),
    [
        ("1.37", ON, STATUSES, 5000),
        # The scheduler itself wrote it: its gate is on.
        ("1.37", {}, STATUSES, 5000),
        ("1.37", {GATE: False}, STATUSES, 1000),
        ("1.36", {}, [{"resourceClaimName": "claim", "containers": ["a"], "resources": {"cpu": "2"}}], 3000),
        ("1.35", {}, STATUSES, 1000),
    ],
)
def test_a_pod_on_a_node_counts_as_its_status_says(
    minor: str, gates: dict[str, bool], statuses: list[Document], expected: int
) -> None:
    pod = a_pod(requests={"cpu": "1"}, node="n0")
    pod["status"] = {"nodeAllocatableResourceClaimStatuses": statuses}

    shape = PodShape.of(Pod(pod), release_with(f"v{minor}.0", gates).counting)

    assert dict(shape.requests)["cpu"] == expected


def test_of_a_pod_that_is_resized_the_kubelet_counts_its_devices_in_the_totals_of_the_pod() -> None:
    pod = a_pod(requests={"cpu": "1"}, node="n0")
    pod["status"] = {
        "nodeAllocatableResourceClaimStatuses": STATUSES,
        "resources": {"requests": {"cpu": "7"}},
        "allocatedResources": {"cpu": "6"},
    }

    assert dict(PodShape.of(Pod(pod), release_with("v1.37.2", ON).counting).requests)["cpu"] == 7000
