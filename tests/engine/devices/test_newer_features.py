"""Features of devices that came after 1.34: computed where their gates are known, uncertain where they would decide."""

from __future__ import annotations

from itertools import combinations
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.devices import DeviceExclusion
from clusters.engine.devices.inventory import RequestPolicy
from clusters.engine.objects import Pod
from clusters.engine.plugins.dynamic_resources import AllocatedClaimComparison, DeviceComparison
from clusters.engine.scheduling import reserve_devices
from clusters.engine.versions import release_with
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import (
    DRIVER,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    explained,
)

OPERATIONS = "DRAOptionalNodeOperations"
SKIPPED: dict[str, Any] = {"skipNodeOperations": ["*"]}
GROUPS = "DRADeviceCompatibilityGroups"
RULES = "DRADeviceTaintRules"
LISTS = "DRAListTypeAttributes"
COUNTERS = {"name": "memory", "counters": {"parts": {"value": "8"}}}


def an_able_node(name: str, *features: str) -> Document:
    node = a_node(name)
    node["status"]["declaredFeatures"] = list(features)
    return node


def decided(*objects: Document, minor: str = "1.37", gates: dict[str, bool] | None = None) -> Any:
    nodes = [] if any(each["kind"] == "Node" for each in objects) else [a_node("n0")]
    return explained(a_pod(resourceClaims=claiming("claim")), *nodes, a_class(), *objects, minor=minor, gates=gates)


def conclusion(*objects: Document, minor: str = "1.37", gates: dict[str, bool] | None = None) -> str:
    return str(decided(*objects, minor=minor, gates=gates).conclusion)


# -- operations of the node that are skipped -------------------------------------------------------------------


def everywhere(*devices: Document, **spec: Any) -> Document:
    return a_slice(*devices, allNodes=True, pool="shared", **spec)


def test_a_device_that_needs_no_preparation_goes_to_nodes_that_declare_that_they_skip_it() -> None:
    nodes = [an_able_node("able", OPERATIONS), an_able_node("plain")]
    claim = a_resource_claim(a_request())

    found = decided(*nodes, everywhere(a_device(), **SKIPPED), claim, gates={OPERATIONS: True})

    assert found.feasible == ["able"]
    row = found.snapshot.nodes.index["plain"]
    (compared,) = (each for each in found.evidence(row)["DynamicResources"] if isinstance(each, DeviceComparison))
    assert (compared.exclusion, compared.by) == (DeviceExclusion.OPERATIONS, "*")
    assert decided(*nodes, everywhere(a_device()), claim, gates={OPERATIONS: True}).feasible == ["able", "plain"]


def test_without_the_gate_the_field_counts_for_nothing_until_another_one_brings_the_newest_allocator() -> None:
    offered, claim = a_slice(a_device(), **SKIPPED), a_resource_claim(a_request())

    assert conclusion(offered, claim, gates={OPERATIONS: False}) == "fits"
    assert conclusion(offered, claim, gates={OPERATIONS: False, LISTS: True}) == "unschedulable"
    assert conclusion(offered, claim, minor="1.36") == "fits"


@pytest.mark.parametrize(("first", "second", "expected"), [(SKIPPED, {}, ["n1"]), ({}, SKIPPED, ["n0"])])
def test_nodes_are_told_apart_by_what_is_skipped(
    first: dict[str, Any], second: dict[str, Any], expected: list[str]
) -> None:
    offered = [a_slice(a_device(), node=node, pool=node, **spec) for node, spec in (("n0", first), ("n1", second))]
    claim = a_resource_claim(a_request())

    found = decided(a_node("n0"), a_node("n1"), *offered, claim, gates={OPERATIONS: False, LISTS: True})

    assert found.feasible == expected


def test_while_nobody_set_the_gate_it_is_open_where_such_a_device_is_selected() -> None:
    special = a_slice(a_device("gpu-0", model="a"), name="special", pool="special", **SKIPPED)
    usual = a_slice(a_device("gpu-1", model="b"), name="usual", pool="usual")

    assert conclusion(special, usual, a_resource_claim(a_request("gpu", MODEL % "a"))) == "uncertain"
    assert conclusion(special, usual, a_resource_claim(a_request("gpu", MODEL % "b"))) == "fits"


@pytest.mark.parametrize("gates", [{}, {OPERATIONS: False}, {OPERATIONS: True}])
def test_an_allocated_claim_stays_with_nodes_that_declare_it(gates: dict[str, bool]) -> None:
    claim = a_resource_claim(a_request(), allocated=["gpu-0"])
    claim["status"]["allocation"]["devices"]["results"][0].update(SKIPPED)
    nodes = [an_able_node("able", OPERATIONS), an_able_node("plain")]
    found = decided(*nodes, everywhere(a_device(), **SKIPPED), claim, gates=gates)

    assert found.feasible == ["able"]
    status = found.cycle.filters["DynamicResources"].at(found.snapshot.nodes.index["plain"])
    assert status.reasons == ("resourceclaim not available on the node",)
    (compared,) = (
        each
        for each in found.evidence(found.snapshot.nodes.index["plain"])["DynamicResources"]
        if isinstance(each, AllocatedClaimComparison)
    )
    assert compared.lacking == OPERATIONS
    assert decided(*nodes, everywhere(a_device()), claim, minor="1.36").feasible == ["able", "plain"]


def test_a_claim_that_is_allocated_here_says_what_is_skipped() -> None:
    release = release_with("v1.37.2", {OPERATIONS: True})
    pod = Pod(a_pod(resourceClaims=claiming("claim")))
    objects = [an_able_node("able", OPERATIONS), a_class(), everywhere(a_device(), **SKIPPED)]
    snapshot = Snapshot.from_objects([*objects, a_resource_claim(a_request())], release)

    reserve_devices(snapshot, pod, SchedulerConfiguration.default(release).profiles[0], 0)

    claim = snapshot.object("ResourceClaim", "claim", "default")
    assert claim is not None
    assert claim["status"]["allocation"]["devices"]["results"][0]["skipNodeOperations"] == ["*"]


# -- rules that taint devices ----------------------------------------------------------------------------------

RULE = {
    "apiVersion": "resource.k8s.io/v1beta2",
    "kind": "DeviceTaintRule",
    "metadata": {"name": "broken"},
    "spec": {"deviceSelector": {"device": "gpu-0"}, "taint": {"key": "broken", "effect": "NoSchedule"}},
}


@pytest.mark.parametrize(
    ("minor", "gates", "expected"),
    [
        ("1.34", {}, "unschedulable"),
        ("1.34", {"DRADeviceTaints": False}, "fits"),
        ("1.35", {}, "uncertain"),
        ("1.35", {"DRADeviceTaints": False}, "fits"),
        ("1.36", {}, "uncertain"),
        ("1.36", {RULES: False}, "fits"),
        ("1.36", {RULES: True}, "unschedulable"),
        ("1.37", {}, "unschedulable"),
        ("1.37", {RULES: False}, "fits"),
    ],
)
def test_rules_taint_devices_where_their_own_gate_is_on(minor: str, gates: dict[str, bool], expected: str) -> None:
    offered, claim = a_slice(a_device("gpu-0")), a_resource_claim(a_request())

    assert conclusion(offered, RULE, claim, minor=minor, gates=gates) == expected


def test_a_rule_is_open_only_for_requests_that_select_what_it_taints() -> None:
    offered = a_slice(a_device("gpu-0", model="a"), a_device("gpu-1", model="b"))

    assert conclusion(offered, RULE, a_resource_claim(a_request("gpu", MODEL % "b")), minor="1.36") == "fits"


def test_a_rule_is_open_whatever_else_its_device_says_that_counts_for_nothing() -> None:
    mapped = a_device("gpu-0", nodeAllocatableResourceMappings={"cpu": {"capacityKey": "cores"}})
    gates = {"DRANodeAllocatableResources": False}

    assert conclusion(a_slice(mapped), RULE, a_resource_claim(a_request()), minor="1.36", gates=gates) == "uncertain"


# -- attributes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gates", [{}, {LISTS: True}])
@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (a_resource_claim(a_request()), "fits"),
        (a_resource_claim(a_request("gpu", MODEL % "a")), "fits"),
        (a_resource_claim(a_request("gpu", f'1 in device.attributes["{DRIVER}"].numa')), "uncertain"),
        (a_resource_claim(a_request(), constraints=[{"matchAttribute": f"{DRIVER}/numa"}]), "uncertain"),
        (a_resource_claim(a_request(), constraints=[{"matchAttribute": f"{DRIVER}/model"}]), "fits"),
    ],
)
def test_an_attribute_with_several_values_matters_where_it_is_read(
    gates: dict[str, bool], claim: Document, expected: str
) -> None:
    offered = a_slice(a_device(model="a", attributes={"numa": {"ints": [0, 1]}}))

    assert conclusion(offered, claim, gates=gates) == expected


def test_a_derived_attribute_is_an_error_without_its_gate_and_not_computed_with_it() -> None:
    derived = [{"name": "derived/numa", "expression": "device.attributes['a'].b"}]
    offered, claim = a_slice(a_device()), a_resource_claim(a_request(derivedAttributes=derived))

    off = decided(offered, claim, gates={"DRADerivedAttributes": False})
    expected = (
        "claim default/claim, request gpu: cannot handle request with derived attributes, the feature is disabled"
    )
    assert off.cycle.filters["DynamicResources"].at(0).reasons == (expected,)
    assert conclusion(offered, claim) == "uncertain"
    assert conclusion(offered, claim, gates={"DRADerivedAttributes": True}) == "uncertain"
    assert conclusion(offered, claim, minor="1.36") == "fits"


# -- compatibility groups --------------------------------------------------------------------------------------


def a_part(name: str, *groups: str) -> Document:
    use = {"counterSet": "memory", "counters": {"parts": {"value": "1"}}}
    return a_device(name, consumesCounters=[{**use, "compatibilityGroups": list(groups)} if groups else use])


def parts(*devices: Document) -> tuple[Document, Document]:
    held = {"resourceSliceCount": 2}
    return (
        a_slice(*devices, held=held),
        a_slice(name="counters", pool="n0", held=held, sharedCounters=[COUNTERS]),
    )


@given(
    devices=st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=5),
    held=st.booleans(),
    count=st.integers(1, 3),
)
def test_devices_of_one_counter_set_are_taken_together_where_all_have_a_group_in_common(
    devices: list[set[str]], count: int, *, held: bool
) -> None:
    offered = parts(*(a_part(f"gpu-{number}", *sorted(groups)) for number, groups in enumerate(devices)))
    before = [a_resource_claim(a_request(), name="other", allocated=["gpu-0"])] if held else []
    claim = a_resource_claim(a_request(count=count))

    first, free = (devices[:1], devices[1:]) if held else ([], devices)
    expected = any(
        not any(chosen) or (all(chosen) and bool(set.intersection(*chosen)))
        for taken in combinations(free, count)
        for chosen in ([*first, *taken],)
    )
    found = decided(*offered, *before, claim, gates={GROUPS: True})

    assert (found.conclusion == "fits") is expected


@pytest.mark.parametrize(("groups", "expected"), [(("a", "b"), ["n0"]), (("b", "a"), ["n1"])])
def test_nodes_are_told_apart_by_the_groups_of_devices_that_other_nodes_reach(
    groups: tuple[str, str], expected: list[str]
) -> None:
    objects = []
    for node, group in zip(("n0", "n1"), groups, strict=True):
        counted: dict[str, Any] = {"pool": node, "held": {"resourceSliceCount": 3}}
        objects += [
            a_slice(a_part("own", "a"), node=node, name=f"{node}-own", **counted),
            a_slice(a_part("other", group), node="n2", name=f"{node}-other", **counted),
            a_slice(node=node, name=f"{node}-counters", sharedCounters=[COUNTERS], **counted),
        ]
        results = [{"request": "gpu", "driver": DRIVER, "pool": node, "device": "other"}]
        held = {"allocation": {"devices": {"results": results}}}
        objects.append(a_resource_claim(a_request(), name=f"of-{node}", status=held))
    nodes = [a_node(name) for name in ("n0", "n1", "n2")]

    found = decided(*nodes, *objects, a_resource_claim(a_request()), gates={GROUPS: True})

    assert found.feasible == expected


def test_without_the_gate_a_slice_with_groups_counts_as_not_there() -> None:
    offered, claim = parts(a_part("gpu-0", "a")), a_resource_claim(a_request())

    assert conclusion(*offered, claim, gates={GROUPS: False}) == "unschedulable"
    assert conclusion(*offered, claim) == "uncertain"
    assert conclusion(*offered, claim, minor="1.36") == "fits"
    assert conclusion(*parts(a_part("gpu-0")), claim) == "fits"


# -- thousandths -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "requested", "whole", "thousandths"),
    [
        ({"min": "500m", "step": "500m"}, "600m", "1", "1"),
        ({"min": "500m", "step": "250m"}, "600m", "1", "750m"),
        ({"min": "1", "step": "1"}, "1500m", "2", "2"),
        ({"min": "100u", "step": "500m"}, "600m", "1", "1"),
    ],
)
def test_steps_are_counted_in_thousandths_where_all_limits_can_be(
    limits: Document, requested: str, whole: str, thousandths: str
) -> None:
    policy = RequestPolicy.from_dict({"validRange": limits})
    amount, *expected = (RequestPolicy.from_dict({"default": each}).default for each in (requested, whole, thousandths))
    assert amount is not None

    found = [policy.rounded(amount, ceil(amount), in_thousandths=each) for each in (False, True)]

    assert found == expected
    assert not policy.refuses(found[1], 100, in_thousandths=True)


@pytest.mark.parametrize(
    ("minor", "gates", "expected"),
    [
        ("1.37", {}, "uncertain"),
        ("1.37", {"DRAFractionalCapacityRange": True}, "fits"),
        ("1.37", {"DRAFractionalCapacityRange": False}, "unschedulable"),
        ("1.36", {}, "unschedulable"),
    ],
)
def test_a_request_of_thousandths_is_rounded_as_the_gate_says(
    minor: str, gates: dict[str, bool], expected: str
) -> None:
    policy = {"validRange": {"min": "500m", "step": "250m"}}
    shared = {"allowMultipleAllocations": True, "capacity": {"cores": {"value": "750m", "requestPolicy": policy}}}
    claim = a_resource_claim(a_request(capacity={"requests": {"cores": "600m"}}))

    assert conclusion(a_slice({"name": "gpu-0", **shared}), claim, minor=minor, gates=gates) == expected


# -- the status of devices -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("minor", "expected"), [("1.34", "uncertain"), ("1.35", "fits"), ("1.36", "fits")])
def test_without_the_status_of_devices_1_34_takes_an_allocator_that_is_not_followed(minor: str, expected: str) -> None:
    offered, claim = a_slice(a_device()), a_resource_claim(a_request())

    assert conclusion(offered, claim, minor=minor, gates={"DRAResourceClaimDeviceStatus": False}) == expected


def test_without_the_status_of_devices_the_scheduler_does_not_wait_for_conditions() -> None:
    offered = a_slice(a_device(bindingConditions=["ready"], bindingFailureConditions=["failed"]))
    claim = a_resource_claim(a_request())
    off = {"DRAResourceClaimDeviceStatus": False, "DRADeviceBindingConditions": False}

    assert conclusion(offered, claim, minor="1.36") == "fits"
    assert conclusion(offered, claim, minor="1.36", gates=off) == "unschedulable"
    # kube-scheduler does not start so, and a dump's counts as if both were off.
    assert conclusion(offered, claim, minor="1.36", gates={"DRAResourceClaimDeviceStatus": False}) == "unschedulable"
