"""Features that are off by default in 1.34: a pod is uncertain where they would decide, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.builders import a_node, a_pod, explanation_of
from tests.engine.device_builders import (
    CLASS,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    explained,
)

SHARED = {"allowMultipleAllocations": True}
CONDITIONAL = {"bindingConditions": ["ready"], "bindingFailureConditions": ["failed"]}


def conclusion(claim: dict[str, Any], *devices: dict[str, Any]) -> str:
    pod = a_pod(resourceClaims=claiming("claim"))
    return explanation_of(pod, a_node("n0"), a_class(), a_slice(*devices), claim).conclusion


@pytest.mark.parametrize("fields", [SHARED, CONDITIONAL], ids=["multiple allocations", "binding conditions"])
def test_a_device_that_a_feature_treats_otherwise_matters_only_where_it_is_selected(fields: dict[str, Any]) -> None:
    special, usual = a_device("gpu-0", model="a", **fields), a_device("gpu-1", model="b")

    assert conclusion(a_resource_claim(a_request("gpu", MODEL % "a")), special, usual) == "uncertain"
    assert conclusion(a_resource_claim(a_request("gpu", MODEL % "b")), special, usual) == "fits"
    assert conclusion(a_resource_claim(a_request("gpu", MODEL % "c")), special, usual) == "unschedulable"


def test_a_claim_whose_device_has_binding_conditions_may_be_rejected() -> None:
    claim = a_resource_claim(a_request(), allocated=["gpu-0"])
    assert conclusion(claim, a_device()) == "fits"

    claim["status"]["allocation"]["devices"]["results"][0]["bindingConditions"] = ["ready"]
    assert conclusion(claim, a_device()) == "uncertain"


def test_a_request_of_capacity_is_an_error_or_not() -> None:
    request = a_request(capacity={"requests": {"memory": "1Gi"}})

    assert conclusion(a_resource_claim(request), a_device(memory="40Gi")) == "uncertain"
    wrapped = {"name": "any", "firstAvailable": [a_request(wrapped=False, capacity={"requests": {"memory": "1Gi"}})]}
    assert conclusion(a_resource_claim(wrapped), a_device(memory="40Gi")) == "uncertain"


def test_devices_that_must_differ_are_of_a_feature_and_an_empty_constraint_is_an_error() -> None:
    distinct = a_resource_claim(a_request(), constraints=[{"distinctAttribute": "gpu.example.com/model"}])
    empty = a_resource_claim(a_request(), constraints=[{}])

    assert conclusion(distinct, a_device(model="a")) == "uncertain"
    assert conclusion(empty, a_device(model="a")) == "unschedulable"


@pytest.mark.parametrize(
    ("resource", "named", "expected"),
    [
        ("example.com/gpu", "example.com/gpu", "uncertain"),
        ("example.com/gpu", "example.com/other", "unschedulable"),
        (f"deviceclass.resource.kubernetes.io/{CLASS}", "", "uncertain"),
        ("deviceclass.resource.kubernetes.io/absent", "", "unschedulable"),
    ],
)
def test_an_extended_resource_may_be_one_of_a_class(resource: str, named: str, expected: str) -> None:
    found = a_class()
    if named:
        found["spec"]["extendedResourceName"] = named
    pod = a_pod(requests={resource: "1"})

    assert explanation_of(pod, a_node("n0"), found, a_slice(a_device())).conclusion == expected


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
@pytest.mark.parametrize("asks", [True, False])
def test_without_its_gate_a_request_that_mentions_admin_access_is_an_error(minor: str, *, asks: bool) -> None:
    pod, claim = a_pod(resourceClaims=claiming("claim")), a_resource_claim(a_request(adminAccess=asks))
    objects = [a_node("n0"), a_class(), a_slice(a_device()), claim]
    off = explained(pod, *objects, minor=minor, gates={"DRAAdminAccess": False})

    expected = "claim default/claim, request gpu: admin access is requested, but the feature is disabled"
    assert off.cycle.filters["DynamicResources"].at(0).reasons == (expected,)
    assert explained(pod, *objects, minor=minor).conclusion == "fits"


def test_its_gate_cannot_be_turned_off_later() -> None:
    pod, claim = a_pod(resourceClaims=claiming("claim")), a_resource_claim(a_request(adminAccess=True))
    objects = [a_node("n0"), a_class(), a_slice(a_device()), claim]
    assert explained(pod, *objects, minor="1.36", gates={"DRAAdminAccess": False}).conclusion == "fits"


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36"])
def test_without_its_gate_alternatives_are_rejected_before_any_node(minor: str) -> None:
    wrapped = {"name": "any", "firstAvailable": [a_request(wrapped=False)]}
    pod, objects = a_pod(resourceClaims=claiming("claim")), [a_node("n0"), a_class(), a_slice(a_device())]
    off = explained(pod, *objects, a_resource_claim(wrapped), minor=minor, gates={"DRAPrioritizedList": False})

    expected = (
        "resource claim default/claim, request any: has subrequests, but the DRAPrioritizedList feature is disabled"
    )
    assert off.cycle.stopped_by is not None
    assert expected in (off.refusal or "")
    assert explained(pod, *objects, a_resource_claim(wrapped), minor=minor).conclusion == "fits"
