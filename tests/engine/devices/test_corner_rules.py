"""Which rule comes first where several would reject a node for its devices, and what is refused in every search."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.scheduling.preemption import answer_of
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import DRIVER, a_class, a_device, a_request, a_resource_claim, a_slice, explained

NOT_THERE = "resourceclaim not available on the node"
NO_DEVICES = "cannot allocate all claims"
RANGE = "capacity request cannot be represented in the device's range arithmetic"
STEPS = {"validRange": {"min": "2", "max": "4", "step": "2"}, "default": "2"}


def decided(pod: Document, *objects: Document, minor: str, gates: dict[str, bool] | None = None) -> Any:
    return explained(pod, a_class(), *objects, minor=minor, gates=gates or {})


def claiming(*names: str) -> Document:
    claims = [{"name": name, "resourceClaimName": name} for name in names]
    return a_pod(resourceClaims=claims)


def reasons(found: Any) -> dict[str, str]:
    """What DynamicResources says of each node that it rejects."""
    answer = found.cycle.filters["DynamicResources"]
    return {
        name: ", ".join(answer.at(row).reasons)
        for row, name in enumerate(found.snapshot.nodes.names)
        if answer.at(row).reasons
    }


# -- taints without effect ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("effect", ["None", "Later"])
@pytest.mark.parametrize(("minor", "feasible"), [("1.34", []), ("1.35", ["n0"]), ("1.37", ["n0"])])
def test_a_taint_that_keeps_nothing_out_counts_until_1_34_alone(minor: str, effect: str, feasible: list[str]) -> None:
    gates = {"DRADeviceTaints": True, "DRADeviceTaintRules": True} if minor != "1.34" else {"DRADeviceTaints": True}
    taint = {"key": "note", "effect": effect}
    rule = {
        "kind": "DeviceTaintRule",
        "metadata": {"name": "note"},
        "spec": {"deviceSelector": {"driver": DRIVER}, "taint": taint},
    }
    wanted = (claiming("claim"), a_node("n0"), a_resource_claim(a_request()))

    tainted = decided(*wanted, a_slice(a_device(taints=[taint])), minor=minor, gates=gates)
    ruled = decided(*wanted, a_slice(a_device()), rule, minor=minor, gates=gates)

    assert (tainted.feasible, ruled.feasible) == (feasible, feasible)


@pytest.mark.parametrize(
    ("minor", "selector", "feasible"),
    [
        ("1.34", None, []),
        ("1.36", None, []),
        ("1.37", None, ["n0"]),
        ("1.37", {}, []),
        ("1.34", {"deviceClassName": "absent"}, ["n0"]),
        ("1.35", {"deviceClassName": "absent"}, []),
        ("1.34", {"selectors": [{"cel": {"expression": "false"}}]}, ["n0"]),
        ("1.37", {"selectors": [{"cel": {"expression": "false"}}]}, []),
        ("1.37", {"pool": "other"}, ["n0"]),
    ],
)
def test_what_a_rule_selects(minor: str, selector: Document | None, feasible: list[str]) -> None:
    gates = {"DRADeviceTaints": True, "DRADeviceTaintRules": True} if minor != "1.34" else {"DRADeviceTaints": True}
    spec = {"taint": {"key": "broken", "effect": "NoSchedule"}, "deviceSelector": selector}
    rule = {"kind": "DeviceTaintRule", "metadata": {"name": "broken"}, "spec": spec}
    if selector is None:
        del spec["deviceSelector"]

    wanted = (claiming("claim"), a_node("n0"), a_resource_claim(a_request()), a_slice(a_device()))

    assert decided(*wanted, rule, minor=minor, gates=gates).feasible == feasible


# -- claims that have devices beside claims that can have none ---------------------------------------------------


def held_on(node: str, **fields: Any) -> Document:
    """A claim that has the device of a node."""
    claim = a_resource_claim(a_request(), name="held")
    selector = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]}
    result = {"request": "gpu", "driver": DRIVER, "pool": node, "device": "gpu-0", **fields.pop("result", {})}
    claim["status"] = {"allocation": {"devices": {"results": [result]}, "nodeSelector": selector, **fields}}
    return claim


def two_nodes() -> list[Document]:
    return [a_node("n0"), a_node("n1"), a_slice(a_device(), a_device("gpu-1")), a_slice(a_device(), node="n1")]


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_devices_that_are_lacking_come_before_claims_that_are_elsewhere(minor: str) -> None:
    many = a_resource_claim(a_request(count=3), name="many")

    found = decided(claiming("held", "many"), *two_nodes(), held_on("n0"), many, minor=minor)

    assert reasons(found) == {"n0": NO_DEVICES, "n1": NO_DEVICES}
    assert "deallocation" not in found.message


@pytest.mark.parametrize("minor", ["1.34", "1.37"])
def test_a_claim_is_freed_where_a_node_could_have_had_all_others(minor: str) -> None:
    pair = a_resource_claim(a_request(count=2), name="pair")
    spare = a_slice(a_device("gpu-1"), a_device("gpu-2"), node="n1", pool="spare")

    found = decided(claiming("held", "pair"), *two_nodes(), spare, held_on("n0"), pair, minor=minor)

    assert reasons(found) == {"n0": NO_DEVICES, "n1": NOT_THERE}
    assert "deallocation of ResourceClaim completed" in found.message


def test_a_claim_is_not_freed_for_a_node_that_another_plugin_rejects_first() -> None:
    cordoned = a_node("n1", unschedulable=True)

    found = decided(claiming("held"), a_node("n2"), cordoned, a_slice(a_device()), held_on("n0"), minor="1.37")
    alone = decided(claiming("held"), cordoned, a_slice(a_device()), held_on("n0"), minor="1.37")

    assert "deallocation" in found.message
    assert "deallocation" not in alone.message


def test_a_claim_that_waits_for_its_device_leaves_open_only_nodes_that_have_the_others() -> None:
    waits = {"result": {"bindingConditions": ["attached"]}, "allocationTimestamp": "2026-01-01T00:00:00Z"}
    many, one = (a_resource_claim(a_request(count=count), name=f"{count}") for count in (3, 1))

    lacking = decided(claiming("held", "3"), *two_nodes(), held_on("n0", **waits), many, minor="1.37")
    open_ = decided(claiming("held", "1"), *two_nodes(), held_on("n0", **waits), one, minor="1.37")

    assert reasons(lacking) == {"n0": NO_DEVICES, "n1": NO_DEVICES}
    assert lacking.conclusion == "unschedulable"
    assert open_.conclusion == "uncertain"


def test_a_claim_that_was_made_for_the_pod_s_resources_is_deleted_where_the_pod_fits_nowhere() -> None:
    made = held_on("n0")
    owner = {"kind": "Pod", "name": "pod", "uid": "uid-pod", "controller": True}
    made["metadata"] |= {"annotations": {"resource.kubernetes.io/extended-resource-claim": "true"}}
    made["metadata"] |= {"ownerReferences": [owner]}
    pod = a_pod(requests={"example.com/gpu": "1", "cpu": "64"})
    pod["status"]["extendedResourceClaimStatus"] = {"resourceClaimName": "held"}
    device_class = {**a_class(), "spec": {"extendedResourceName": "example.com/gpu"}}

    found = explained(pod, device_class, *two_nodes(), made, minor="1.37", gates={})
    answer = answer_of(found.cycle, "DynamicResources")

    assert answer is not None
    assert answer.reasons == ("deletion of ResourceClaim completed",)


# -- amounts that cannot be counted ------------------------------------------------------------------------------


def asking(amount: str, capacity: Document, *, mode: str = "ExactCount", **more: Any) -> Any:
    shared = {"allowMultipleAllocations": True, "capacity": {"mem": capacity}}
    request = a_request(allocationMode=mode, capacity={"requests": {"mem": amount}})
    if mode != "ExactCount":
        del request["exactly"]["count"]
    offered = a_slice({**a_device(), **shared})
    return decided(claiming("claim"), a_node("n0"), offered, a_resource_claim(request), **{"minor": "1.37", **more})


@pytest.mark.parametrize(
    ("amount", "capacity", "said"),
    [
        ("-5", {"value": "10"}, "capacity value is negative"),
        (
            "18446744073709551616",
            {"value": "4", "requestPolicy": STEPS},
            "request 18446744073709551616 exceeds MaxInt64",
        ),
        ("20E", {"value": "4", "requestPolicy": STEPS}, "request 20E exceeds MaxInt64"),
        (
            "9223372036854775807",
            {"value": "4", "requestPolicy": STEPS},
            "rounding request 9223372036854775807 up to the next step passes MaxInt64",
        ),
    ],
)
@pytest.mark.parametrize(("mode", "device"), [("ExactCount", f"{DRIVER}/n0/gpu-0"), ("All", "gpu-0")])
def test_an_amount_that_cannot_be_counted_ends_the_cycle_from_1_37(
    amount: str, capacity: Document, said: str, mode: str, device: str
) -> None:
    found = asking(amount, capacity, mode=mode)

    why = said if "negative" in said else f"{RANGE}: {said}"
    expected = f'claim default/claim, request gpu: checking capacity for device {device}: capacity "mem": {why}'
    assert reasons(found) == {"n0": expected}
    assert found.as_recorded()["cycleError"] == f'running "DynamicResources" filter plugin: {expected}'


@pytest.mark.parametrize(
    ("amount", "capacity"),
    [
        # A policy turns it into what may be consumed.
        ("-5", {"value": "4", "requestPolicy": STEPS}),
        ("-5", {"value": "4", "requestPolicy": {"validValues": ["1", "2"]}}),
        ("3", {"value": "4", "requestPolicy": STEPS}),
    ],
)
def test_an_amount_that_a_policy_puts_right_is_counted(amount: str, capacity: Document) -> None:
    assert asking(amount, capacity).feasible == ["n0"]


@pytest.mark.parametrize(
    ("amount", "value", "policy", "fits"),
    [
        # 2^65 + 3 are 3 in the low 64 bits, and 20 × 10^18 are none that Go multiplies: 0.
        ("36893488147419103235", "3", {"min": "1", "step": "1"}, True),
        ("36893488147419103235", "2", {"min": "1", "step": "1"}, False),
        ("20E", "1", {"min": "0", "step": "7"}, True),
        # Rounded up it is 2^63, which is the least there is in int64.
        ("9223372036854775807", "4", {"min": "4611686018427387904", "step": "1Gi"}, True),
        ("4611686018427387904", "4", {"min": "1", "step": "9223372036854775807"}, True),
        # Without a step nothing is counted in int64.
        ("36893488147419103235", "3", {"min": "1"}, False),
    ],
)
@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36"])
def test_steps_wrap_around_until_1_36(minor: str, amount: str, value: str, policy: Document, *, fits: bool) -> None:
    capacity = {"value": value, "requestPolicy": {"validRange": policy, "default": policy["min"]}}

    found = asking(amount, capacity, minor=minor, gates={"DRAConsumableCapacity": True})

    assert found.feasible == (["n0"] if fits else [])
    assert found.conclusion == ("fits" if fits else "unschedulable")


def test_a_capacity_below_zero_ends_the_cycle_from_1_37_also_where_no_amount_is_requested() -> None:
    offered = a_slice({**a_device(), "capacity": {"mem": {"value": "-1m"}}})

    found = decided(claiming("claim"), a_node("n0"), offered, a_resource_claim(a_request()), minor="1.37")

    where = f"checking capacity for device {DRIVER}/n0/gpu-0"
    assert reasons(found) == {
        "n0": f'claim default/claim, request gpu: {where}: capacity "mem": capacity value is negative'
    }


def test_an_amount_of_a_capacity_that_the_device_lacks_is_not_looked_at() -> None:
    shared = {"allowMultipleAllocations": True, "capacity": {"cores": {"value": "4"}}}
    claim = a_resource_claim(a_request(capacity={"requests": {"mem": "-5"}}))

    found = decided(claiming("claim"), a_node("n0"), a_slice({**a_device(), **shared}), claim, minor="1.37")

    assert reasons(found) == {"n0": NO_DEVICES}


@pytest.mark.parametrize(
    ("amount", "limits", "said"),
    [
        ("1600u", {"min": "1m", "step": "1m"}, "request 1600u is not a representable milli value"),
        (
            "9223372036854775807m",
            {"min": "500m", "step": "1"},
            "rounding request 9223372036854775807m up to the next step passes the milli-value range",
        ),
        # A limit that is no thousandth: whole units are counted.
        ("1600u", {"min": "1u", "step": "1m"}, ""),
    ],
)
def test_thousandths_have_a_range_of_their_own(amount: str, limits: dict[str, str], said: str) -> None:
    policy = {"value": "10", "requestPolicy": {"validRange": limits}}

    found = asking(amount, policy, gates={"DRAFractionalCapacityRange": True})

    assert reasons(found).get("n0", "").endswith(f"{RANGE}: {said}" if said else "")
    assert found.feasible == ([] if said else ["n0"])
