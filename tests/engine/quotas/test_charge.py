"""What objects are charged in quotas."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.quantity import canonical_text, parsed
from clusters.engine.quotas import (
    DeviceQuotaRules,
    claim_charge,
    device_claim_charge,
    device_quota_rules,
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


def test_pods_are_charged_by_every_name_that_quotas_have() -> None:
    requests = {
        "cpu": "500m",
        "memory": "1Gi",
        "ephemeral-storage": "2Gi",
        "hugepages-2Mi": "4Mi",
        "nvidia.com/gpu": "1",
    }
    pod = a_pod(containers=[a_container(requests=requests, limits={**requests, "cpu": "1"})])

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


GPU = {"kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {"extendedResourceName": "example.com/gpu"}}
NIC = {"kind": "DeviceClass", "metadata": {"name": "nic"}, "spec": {}}


def rules_of(minor: str, gates: dict[str, bool] | None = None) -> DeviceQuotaRules:
    return device_quota_rules(Snapshot.from_objects([GPU, NIC], release_with(minor, gates or {})))


@pytest.mark.parametrize(("minor", "is_charged"), [("1.34", False), ("1.35", True), ("1.37", True)])
def test_pods_are_charged_for_resources_that_have_the_name_of_a_class_from_1_35(minor: str, is_charged: bool) -> None:
    name = "deviceclass.resource.kubernetes.io/gpu"
    charge = pod_charge(a_pod(requests={name: "3"}), rules_of(minor))

    assert (f"requests.{name}" in charge.amounts) is is_charged
    assert charge.is_of(f"requests.{name}") is is_charged
