"""Devices with binding conditions: who gets them, and what claims come to whose devices wait or fail."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.adapters.prune.nodes import resource_claim
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.plugins.dynamic_resources import BindingConditionsComparison, DeviceComparison
from clusters.engine.scheduling import place
from clusters.engine.scheduling.preemption import answer_of
from clusters.engine.versions import release_with
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import (
    DRIVER,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    explained,
)

MINORS = ("1.34", "1.35", "1.36", "1.37")
CONDITIONAL: Document = {"bindingConditions": ["attached"], "bindingFailureConditions": ["broken"]}
NOW = "2026-01-01T00:00:00Z"


def gates(*, on: bool) -> dict[str, bool]:
    return {"DRADeviceBindingConditions": on}


def explanation(minor: str, *objects: Document, on: bool = True) -> Any:
    pod = a_pod(resourceClaims=claiming("claim"))
    return explained(pod, a_node("n0"), a_node("n1"), a_class(), *objects, minor=minor, gates=gates(on=on))


def a_waiting_claim(conditions: dict[str, str] | None, *, timed: bool = False, **status: Any) -> Document:
    """A claim with a device of n0; ``conditions``: what its driver has said of it, None where it said nothing."""
    claim = a_resource_claim(a_request(), allocated=["gpu-0"], status=status)
    allocation = claim["status"]["allocation"]
    allocation["devices"]["results"][0] |= CONDITIONAL
    if timed:
        allocation["allocationTimestamp"] = NOW
    if conditions is not None:
        said = [{"type": name, "status": value} for name, value in conditions.items()]
        claim["status"]["devices"] = [{"driver": DRIVER, "pool": "n0", "device": "gpu-0", "conditions": said}]
    return claim


@pytest.mark.parametrize("minor", MINORS)
def test_such_a_device_is_allocated_only_with_the_gate_on(minor: str) -> None:
    objects = [a_slice(a_device(**CONDITIONAL)), a_resource_claim(a_request())]
    assert explanation(minor, *objects).conclusion == "fits"
    assert explanation(minor, *objects, on=False).conclusion == "unschedulable"


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
def test_where_the_gate_is_off_by_default_nobody_knows(minor: str) -> None:
    pod = a_pod(resourceClaims=claiming("claim"))
    objects = [a_node("n0"), a_class(), a_slice(a_device(**CONDITIONAL)), a_resource_claim(a_request())]
    assert explained(pod, *objects, minor=minor).conclusion == "uncertain"


@pytest.mark.parametrize("minor", MINORS)
def test_devices_of_pools_without_conditions_come_first(minor: str) -> None:
    slices = [a_slice(a_device(**CONDITIONAL), pool="a"), a_slice(a_device(), pool="b")]
    found = explanation(minor, *slices, a_resource_claim(a_request())).cycle.plugins["DynamicResources"].evidence(0)
    (taken,) = [each for each in found if isinstance(each, DeviceComparison) and each.allocated]
    assert taken.device == f"{DRIVER}/b/gpu-0"


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("conditions", "timed", "expected"),
    [
        ({"attached": "True"}, True, "fits"),
        ({"attached": "True", "broken": "True"}, True, "unschedulable"),
        ({"attached": "False", "broken": "True"}, False, "unschedulable"),
        ({"attached": "False", "broken": "Unknown"}, False, "fits"),
        (None, False, "fits"),
        # It is given up some time after its allocation, which nobody says is over.
        ({"attached": "False"}, True, "uncertain"),
        (None, True, "uncertain"),
    ],
)
def test_a_claim_whose_device_failed_is_rejected_everywhere(
    minor: str, conditions: dict[str, str] | None, expected: str, *, timed: bool
) -> None:
    claim = a_waiting_claim(conditions, timed=timed)
    found = explanation(minor, a_slice(a_device(**CONDITIONAL)), claim)

    assert found.conclusion == expected
    if expected == "unschedulable":
        reasons = {found.cycle.filters["DynamicResources"].at(row).reasons for row in (0, 1)}
        assert reasons == {("resourceclaim not available on the node",)}


def test_the_first_device_that_is_not_ready_decides() -> None:
    claim = a_waiting_claim({"attached": "True", "broken": "True"})
    results = claim["status"]["allocation"]["devices"]["results"]
    results.insert(0, {**results[0], "device": "gpu-1"})
    # Of the first one the driver says nothing yet: the second is not looked at.
    assert explanation("1.36", a_slice(a_device(**CONDITIONAL)), claim).conclusion == "fits"


def test_a_claim_that_failed_is_freed_unless_others_have_reserved_it() -> None:
    failed = {"broken": "True"}

    def answer(**status: Any) -> Any:
        found = explanation("1.36", a_slice(a_device(**CONDITIONAL)), a_waiting_claim(failed, **status))
        answered = answer_of(found.cycle, "DynamicResources")
        assert answered is not None
        return answered.reasons

    mine = {"resource": "pods", "name": "pod", "uid": "uid-pod"}
    assert answer(reservedFor=[mine]) == ("deallocation of ResourceClaim completed",)
    assert answer(reservedFor=[mine, {**mine, "name": "other", "uid": "other"}]) == ("still not schedulable",)


def test_with_the_gate_off_conditions_of_a_claim_count_for_nothing() -> None:
    claim = a_waiting_claim({"broken": "True"}, timed=True)
    assert explanation("1.36", a_slice(a_device()), claim, on=False).conclusion == "fits"


def test_the_evidence_names_what_is_pending_and_what_failed() -> None:
    claim = a_waiting_claim({"broken": "True"})
    found = explanation("1.37", a_slice(a_device()), claim).cycle.plugins["DynamicResources"].evidence(0)
    assert found[1] == BindingConditionsComparison("default/claim", f"{DRIVER}/n0/gpu-0", ("attached",), ("broken",))
    assert not found[1].holds


def test_an_excluded_device_says_so() -> None:
    claim = a_resource_claim(a_request())
    found = explanation("1.36", a_slice(a_device(**CONDITIONAL)), claim, on=False)
    excluded = [
        each for each in found.cycle.plugins["DynamicResources"].evidence(0) if isinstance(each, DeviceComparison)
    ]
    assert [(each.exclusion, each.by) for each in excluded] == [("conditions", "attached")]


def test_a_device_that_binds_to_a_node_ties_its_claim_to_it() -> None:
    release = release_with("v1.36.0", {})
    device = a_device(bindsToNode=True, **CONDITIONAL)
    objects = [a_node("n0"), a_node("n1"), a_class(), a_slice(device, allNodes=True), a_resource_claim(a_request())]
    snapshot = Snapshot.from_objects(objects, release)
    pods = [a_pod(name, resourceClaims=claiming("claim")) for name in ("a", "b")]

    first, second = place(snapshot, pods, SchedulerConfiguration.default(release))

    assert first.node == second.node
    claim = snapshot.object("ResourceClaim", "claim", "default")
    assert claim is not None
    (result,) = claim["status"]["allocation"]["devices"]["results"]
    assert (result["bindingConditions"], result["bindingFailureConditions"]) == (["attached"], ["broken"])


def test_what_drivers_say_of_devices_is_kept() -> None:
    claim = a_waiting_claim({"attached": "True"})
    assert resource_claim(claim)["status"]["devices"] == claim["status"]["devices"]
