"""What objects are charged in quotas."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.quantity import QuantityFormat, canonical_text, parsed
from clusters.engine.quotas import (
    DeviceQuotaRules,
    QuotaAmount,
    claim_charge,
    device_claim_charge,
    device_quota_rules,
    object_charge,
    pod_charge,
)
from clusters.engine.versions import release_with
from tests.engine.builders import Document, a_pod


def texts(amounts: Any) -> dict[str, str]:
    return {resource: str(amount) for resource, amount in amounts.items()}


def a_container(name: str = "main", *, always: bool = False, **resources: dict[str, str]) -> Document:
    return {"name": name, "resources": resources, **({"restartPolicy": "Always"} if always else {})}


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("1000m", "1"),
        ("1500m", "1500m"),
        ("0.5", "500m"),
        ("10Gi", "10Gi"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("1023", "1023"),
        ("0.5Ki", "512"),
        ("1000", "1k"),
        ("12000k", "12M"),
        ("1e3", "1e3"),
        ("1.1e5", "110e3"),
        ("0Gi", "0"),
        ("1e21", "1e21"),
        ("100n", "100n"),
        ("1.25Ki", "1280"),
        ("0.1Gi", "107374182400m"),
    ],
)
def test_amounts_are_written_as_the_api_server_writes_them(written: str, canonical: str) -> None:
    quantity = parsed(written)

    assert canonical_text(quantity.nano_units, quantity.format) == canonical


def test_a_sum_is_written_as_its_first_amount_that_is_something() -> None:
    binary, decimal = QuotaAmount.read("1Gi"), QuotaAmount.read("1G")

    assert str(binary.plus(decimal)) == "2073741824"
    assert str(decimal.plus(binary)) == "2073741824"
    assert QuotaAmount(0).plus(binary) == binary
    assert binary.plus(decimal).format is QuantityFormat.BINARY_SI


def test_pods_are_charged_by_every_name_that_quotas_have() -> None:
    requests = {
        "cpu": "500m",
        "memory": "1Gi",
        "ephemeral-storage": "2Gi",
        "hugepages-2Mi": "4Mi",
        "nvidia.com/gpu": "1",
    }
    limits = {**requests, "cpu": "1"}
    pod = a_pod(containers=[a_container(requests=requests, limits=limits)])

    assert texts(pod_charge(pod).amounts) == {
        "count/pods": "1",
        "pods": "1",
        "cpu": "500m",
        "requests.cpu": "500m",
        "limits.cpu": "1",
        "memory": "1Gi",
        "requests.memory": "1Gi",
        "limits.memory": "1Gi",
        "ephemeral-storage": "2Gi",
        "requests.ephemeral-storage": "2Gi",
        "limits.ephemeral-storage": "2Gi",
        "hugepages-2Mi": "4Mi",
        "requests.hugepages-2Mi": "4Mi",
        "requests.nvidia.com/gpu": "1",
    }


def test_effective_requests_count_with_sidecars_init_containers_and_overhead() -> None:
    pod = a_pod(
        containers=[a_container(requests={"cpu": "1"}, limits={"cpu": "2"})],
        initContainers=[
            a_container("proxy", always=True, requests={"cpu": "200m"}, limits={"cpu": "300m"}),
            a_container("setup", requests={"cpu": "3"}, limits={"cpu": "4"}),
        ],
        overhead={"cpu": "50m", "memory": "64Mi"},
    )

    # The init container runs beside the sidecar that came before it; overhead raises only limits that there are.
    assert texts(pod_charge(pod).amounts) == {
        "count/pods": "1",
        "pods": "1",
        "cpu": "3250m",
        "requests.cpu": "3250m",
        "limits.cpu": "4350m",
        "memory": "64Mi",
        "requests.memory": "64Mi",
    }


def test_resources_of_the_pod_itself_count_and_leave_containers_free_to_say_nothing() -> None:
    pod = a_pod(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "3"}})
    charge = pod_charge(pod)

    assert (str(charge.amounts["cpu"]), str(charge.amounts["limits.cpu"])) == ("2", "3")
    assert charge.missing == {}
    assert "requests.memory" in pod_charge(a_pod()).missing


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_finished_pods_are_charged_for_their_count_alone(phase: str) -> None:
    pod = {**a_pod(requests={"cpu": "1"}), "status": {"phase": phase}}

    assert texts(pod_charge(pod).amounts) == {"count/pods": "1"}


def test_claims_are_charged_also_in_the_name_of_their_class() -> None:
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "shop"},
        "spec": {"storageClassName": "gold", "resources": {"requests": {"storage": "10Gi"}}},
    }

    assert texts(claim_charge(claim).amounts) == {
        "persistentvolumeclaims": "1",
        "count/persistentvolumeclaims": "1",
        "requests.storage": "10Gi",
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
        "gold.storageclass.storage.k8s.io/requests.storage": "10Gi",
    }


def test_claims_are_charged_whole_bytes() -> None:
    claim = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1500m"}}}}

    assert str(claim_charge(claim).amounts["requests.storage"]) == "2"


def test_device_claims_are_charged_the_most_devices_that_they_may_get() -> None:
    requests = [
        {"name": "one", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}},
        {"name": "all", "exactly": {"deviceClassName": "nic", "allocationMode": "All"}},
        {
            "name": "either",
            "firstAvailable": [
                {"deviceClassName": "gpu", "count": 1},
                {"deviceClassName": "gpu", "count": 3},
                {"deviceClassName": "fpga"},
            ],
        },
    ]
    claim = {"metadata": {"name": "c", "namespace": "shop"}, "spec": {"devices": {"requests": requests}}}

    assert texts(device_claim_charge(claim).amounts) == {
        "count/resourceclaims.resource.k8s.io": "1",
        "gpu.deviceclass.resource.k8s.io/devices": "5",
        "nic.deviceclass.resource.k8s.io/devices": "32",
        "fpga.deviceclass.resource.k8s.io/devices": "1",
    }


def test_other_objects_are_counted() -> None:
    one = {"metadata": {"name": "one", "namespace": "shop"}}

    assert texts(object_charge(one, "deployments", "apps").amounts) == {"count/deployments.apps": "1"}
    assert texts(object_charge(one, "secrets").amounts) == {"count/secrets": "1", "secrets": "1"}


GPU = {"kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {"extendedResourceName": "example.com/gpu"}}
NIC = {"kind": "DeviceClass", "metadata": {"name": "nic"}, "spec": {}}
SERVED = {"requests.example.com/gpu": "2", "requests.deviceclass.resource.kubernetes.io/gpu": "2"}


def a_device_claim(device_class: str, count: int, **metadata: Any) -> dict[str, Any]:
    exactly = {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": count}
    return {
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "shop", **metadata},
        "spec": {"devices": {"requests": [{"name": "some", "exactly": exactly}]}},
    }


def rules_of(minor: str, gates: dict[str, bool] | None = None) -> DeviceQuotaRules:
    return device_quota_rules(Snapshot.from_objects([GPU, NIC], release_with(minor, gates or {})))


@pytest.mark.parametrize(
    ("minor", "gates", "is_served"),
    [
        ("1.34", {"DRAExtendedResource": True}, False),
        ("1.35", {}, False),
        ("1.35", {"DRAExtendedResource": True}, True),
        ("1.36", {}, True),
        ("1.36", {"DRAExtendedResource": False}, False),
        ("1.37", {}, True),
    ],
)
def test_devices_are_charged_as_the_extended_resource_of_their_class_too(
    minor: str, gates: dict[str, bool], is_served: bool
) -> None:
    charge = device_claim_charge(a_device_claim("gpu", 2), rules_of(minor, gates))

    counted = {"count/resourceclaims.resource.k8s.io": "1", "gpu.deviceclass.resource.k8s.io/devices": "2"}
    assert texts(charge.amounts) == (counted | SERVED if is_served else counted)
    assert charge.is_of("requests.example.com/gpu") is is_served
    assert charge.is_of("requests.deviceclass.resource.kubernetes.io/nic") is is_served
    assert not charge.is_of("requests.example.com/other")


def test_a_class_without_a_resource_is_charged_by_its_own_name() -> None:
    charge = device_claim_charge(a_device_claim("nic", 1), rules_of("1.37"))

    assert "requests.deviceclass.resource.kubernetes.io/nic" in charge.amounts
    assert not [name for name in charge.amounts if name.startswith("requests.example.com")]


def test_what_the_pod_paid_is_not_charged_to_the_claim_of_the_scheduler_again() -> None:
    rules = rules_of("1.37")
    paid = pod_charge(a_pod(requests={"example.com/gpu": "2"}), rules).amounts
    claim = a_device_claim("gpu", 2, annotations={"resource.kubernetes.io/extended-resource-claim": "true"})

    # The pod was charged by the resource alone, so that the claim is by the name of its class.
    assert texts(device_claim_charge(claim, rules, paid).amounts) == {
        "count/resourceclaims.resource.k8s.io": "1",
        "gpu.deviceclass.resource.k8s.io/devices": "2",
        "requests.deviceclass.resource.kubernetes.io/gpu": "2",
    }
    assert set(SERVED) <= device_claim_charge(a_device_claim("gpu", 2), rules, paid).amounts.keys()


@pytest.mark.parametrize(("minor", "is_charged"), [("1.34", False), ("1.35", True), ("1.37", True)])
def test_pods_are_charged_for_resources_that_have_the_name_of_a_class_from_1_35(minor: str, is_charged: bool) -> None:
    name = "deviceclass.resource.kubernetes.io/gpu"
    charge = pod_charge(a_pod(requests={name: "3"}), rules_of(minor))

    assert (f"requests.{name}" in charge.amounts) is is_charged
    assert charge.is_of(f"requests.{name}") is is_charged
