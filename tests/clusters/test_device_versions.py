"""Objects about devices are kept in the shape of resource.k8s.io/v1, whatever version they are written in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clusters.test_prune import kept

ATTRIBUTES = {"model": {"string": "a"}}
CAPACITY = {"memory": {"value": "40Gi"}}
SELECTORS = [{"cel": {"expression": "true"}}]
REQUEST = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2, "selectors": SELECTORS}


def a_slice(version: str) -> dict[str, Any]:
    body = {"attributes": ATTRIBUTES, "capacity": CAPACITY}
    device = {"name": "gpu-0", "basic": body} if version == "v1beta1" else {"name": "gpu-0", **body}
    pool = {"name": "n1", "generation": 1, "resourceSliceCount": 1}
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceSlice",
        "metadata": {"name": "n1-gpus"},
        "spec": {"driver": "gpu.example.com", "nodeName": "n1", "pool": pool, "devices": [device]},
    }


def a_claim(version: str) -> dict[str, Any]:
    request = {"name": "gpu", **REQUEST} if version == "v1beta1" else {"name": "gpu", "exactly": REQUEST}
    either = {"name": "either", "firstAvailable": [{"name": "large", **REQUEST}]}
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "claim", "namespace": "shop"},
        "spec": {"devices": {"requests": [request, either]}},
    }


def without_version(document: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in document.items() if name != "apiVersion"}


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
@pytest.mark.parametrize("given", [a_slice, a_claim])
def test_every_version_is_kept_in_the_shape_of_v1(given: Any, version: str) -> None:
    assert without_version(kept(given(version))) == without_version(given("v1"))


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_claims_of_templates_are_too(version: str) -> None:
    claim = a_claim(version)
    template = {**claim, "kind": "ResourceClaimTemplate", "spec": {"spec": claim["spec"]}}

    assert kept(template)["spec"]["spec"] == a_claim("v1")["spec"]


@pytest.mark.parametrize("version", ["v1alpha3", "v1beta2", "v1"])
def test_what_a_taint_rule_selects_by_is_kept(version: str) -> None:
    selector = {"deviceClassName": "gpu", "driver": "gpu.example.com", "selectors": SELECTORS}
    rule = {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "broken"},
        "spec": {"deviceSelector": selector, "taint": {"key": "broken", "effect": "NoExecute"}},
    }

    assert kept(rule)["spec"]["deviceSelector"] == selector


def test_what_features_of_later_minors_read_is_kept() -> None:
    device = {
        "name": "gpu-0",
        "attributes": {"numa": {"ints": [0, 1]}, "links": {"strings": ["a"]}, "flags": {"bools": [True]}},
        "consumesCounters": [
            {"counterSet": "memory", "counters": {"parts": {"value": "1"}}, "compatibilityGroups": ["mig"]}
        ],
        "nodeAllocatableResources": {
            "cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "2"}},
            "memory": {"overhead": {"perPod": "1Gi", "perContainer": "64Mi"}},
        },
        "nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "2"}},
    }
    offered = a_slice("v1")
    offered["spec"] |= {"devices": [device], "skipNodeOperations": ["*"]}
    claim = a_claim("v1")
    derived = [{"name": "derived/numa", "expression": "device.driver"}]
    claim["spec"]["devices"]["requests"][0]["exactly"] = {**REQUEST, "derivedAttributes": derived}
    result = {"request": "gpu", "driver": "a", "pool": "b", "device": "c", "skipNodeOperations": ["*"]}
    claim["status"] = {"allocation": {"devices": {"results": [result]}}}

    for given in (offered, claim):
        assert without_version(kept(given)) == without_version(given)


def test_what_devices_take_of_a_node_is_kept_of_pods() -> None:
    statuses = [
        {
            "resourceClaimName": "claim",
            "containers": ["main"],
            "mapping": [{"name": "cpu", "quantity": "2"}],
            "overhead": [{"name": "memory", "perPod": "1Gi", "perContainer": "64Mi"}],
        },
        {"resourceClaimName": "early", "containers": ["main"], "resources": {"cpu": "2"}},
    ]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"containers": [{"name": "main"}]},
        "status": {"nodeAllocatableResourceClaimStatuses": statuses},
    }

    assert kept(pod)["status"]["nodeAllocatableResourceClaimStatuses"] == statuses
