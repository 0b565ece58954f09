"""Pools with the states of their devices, what DeviceClasses select, and how far claims are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.devices import (
    DeviceExclusion,
    DeviceState,
    PoolState,
    ResourceClaimPhase,
    claim_outlook,
    claim_states,
    class_states,
    pool_states,
)
from tests.engine.builders import a_node
from tests.engine.device_builders import BROKEN, DRIVER, MODEL, a_class, a_device, a_request, a_resource_claim, a_slice

GIB = 2**30


def states_of(*objects: dict[str, Any], nodes: tuple[str, ...] = ("n0", "n1")) -> tuple[PoolState, ...]:
    return pool_states(snapshot_of(*objects, nodes=nodes))


def snapshot_of(*objects: dict[str, Any], nodes: tuple[str, ...] = ("n0", "n1")) -> Snapshot:
    return Snapshot.from_objects([*(a_node(name) for name in nodes), a_class(), *objects])


def counters(amount: str) -> list[dict[str, Any]]:
    return [{"name": "gpu", "counters": {"memory": {"value": amount}}}]


def consuming(name: str, amount: str, **fields: Any) -> dict[str, Any]:
    return a_device(name, consumesCounters=[{"counterSet": "gpu", "counters": {"memory": {"value": amount}}}], **fields)


def test_each_device_is_held_tainted_short_of_counters_or_free() -> None:
    devices = [
        consuming("gpu-0", "6Gi"),
        consuming("gpu-1", "6Gi", taints=[BROKEN]),
        consuming("gpu-2", "2Gi", taints=[BROKEN]),
        consuming("gpu-3", "2Gi"),
    ]
    held = a_resource_claim(a_request(), allocated=["gpu-0"])

    (pool,) = states_of(a_slice(*devices, sharedCounters=counters("8Gi")), held)

    # What it lacks of a counter comes first, as kube-scheduler looks at counters before taints.
    assert [each.state for each in pool.devices] == [
        DeviceState.HELD,
        DeviceState.COUNTERS_USED,
        DeviceState.TAINTED,
        DeviceState.FREE,
    ]
    assert pool.devices[0].claim == "default/claim"
    short = pool.devices[1].short
    assert short is not None
    assert (short.name, short.requested, short.available) == ("gpu/memory", Fraction(6 * GIB), Fraction(2 * GIB))
    (counter,) = pool.counters
    assert (counter.name, counter.total, counter.left) == ("gpu/memory", Fraction(8 * GIB), Fraction(2 * GIB))
    assert pool.is_usual


def test_a_taint_without_effect_on_scheduling_leaves_a_device_free() -> None:
    (pool,) = states_of(a_slice(a_device(taints=[{"key": "seen", "effect": "None"}])))

    assert pool.counts == {DeviceState.FREE: 1}


def test_admin_access_holds_nothing() -> None:
    claim = a_resource_claim(a_request(adminAccess=True), allocated=["gpu-0"])
    claim["status"]["allocation"]["devices"]["results"][0]["adminAccess"] = True

    (pool,) = states_of(a_slice(a_device()), claim)

    assert pool.counts == {DeviceState.FREE: 1}


def test_a_pool_is_shown_in_its_newest_generation() -> None:
    old = a_slice(a_device("old"), name="a", pool="p", held={"generation": 1})
    new = a_slice(a_device("new"), name="b", pool="p", held={"generation": 2, "resourceSliceCount": 2})

    (pool,) = states_of(old, new)

    assert [each.device.name for each in pool.devices] == ["new"]
    assert (pool.generation, pool.slice_count, pool.outdated) == (2, 2, 1)
    assert pool.pool.is_incomplete
    assert not pool.is_usual


def test_a_pool_of_which_nodes_reach_a_part_alone_is_incomplete_for_them() -> None:
    held = {"resourceSliceCount": 2}
    slices = [
        a_slice(a_device("a"), name="a", pool="p", held=held, allNodes=True),
        a_slice(a_device("b"), name="b", pool="p", held=held, node="n1"),
    ]

    (pool,) = states_of(*slices)

    assert not pool.pool.is_incomplete
    assert (pool.rows, pool.whole) == ((0, 1), 1)
    assert not pool.is_usual


def test_a_device_that_is_there_twice_makes_a_pool_invalid() -> None:
    held = {"resourceSliceCount": 2}
    slices = [a_slice(a_device("a"), name=name, pool="p", held=held) for name in ("a", "b")]

    (pool,) = states_of(*slices)

    assert pool.pool.duplicate == "a"
    assert not pool.is_usual


def test_devices_that_name_their_nodes_themselves_are_reached_from_them() -> None:
    devices = [a_device("a", nodeName="n1"), a_device("b", nodeName="elsewhere")]

    (pool,) = states_of(a_slice(*devices, perDeviceNodeSelection=True, pool="p"))

    assert pool.rows == (1,)


def test_a_class_selects_devices_by_all_of_its_expressions() -> None:
    devices = [a_device(f"gpu-{number}", model="a100" if number % 2 else "t4") for number in range(4)]
    held = a_resource_claim(a_request(), allocated=["gpu-1"])
    snapshot = snapshot_of(a_slice(*devices), held, a_class(MODEL % "a100", name="big"), a_class("1 +", name="wrong"))

    big, every, wrong = class_states(snapshot, pool_states(snapshot))

    assert (every.name, every.selected, every.free) == ("gpu", 4, 3)
    assert (big.name, big.selected, big.free) == ("big", 2, 1)
    assert wrong.fault.startswith("class wrong: selector #0: CEL compile error")
    assert wrong.selected == 0


@pytest.mark.parametrize(
    ("allocated", "reserved", "deleted", "phase"),
    [
        (False, False, False, ResourceClaimPhase.PENDING),
        (True, False, False, ResourceClaimPhase.ALLOCATED),
        (True, True, False, ResourceClaimPhase.RESERVED),
        (False, False, True, ResourceClaimPhase.DELETED),
        (True, False, True, ResourceClaimPhase.DELETED_ALLOCATED),
        (True, True, True, ResourceClaimPhase.DELETED_RESERVED),
    ],
)
def test_how_far_a_claim_is(allocated: bool, reserved: bool, deleted: bool, phase: ResourceClaimPhase) -> None:
    fields: dict[str, Any] = {"allocated": ["gpu-0"]} if allocated else {}
    if reserved:
        fields["status"] = {"reservedFor": [{"resource": "pods", "name": "train", "uid": "u"}]}
    if deleted:
        fields["deletionTimestamp"] = "2025-01-01T00:00:00Z"

    (claim,) = claim_states(snapshot_of(a_resource_claim(a_request(), **fields)))

    assert claim.phase is phase
    assert claim.phase.is_deleted is deleted
    assert claim.pods == (("train",) if reserved else ())
    assert [str(each) for each in claim.devices] == ([f"{DRIVER}/n0/gpu-0"] if allocated else [])


def test_what_keeps_a_claim_from_being_allocated_is_counted_device_by_device() -> None:
    devices = [
        a_device("gpu-0", model="a100"),
        a_device("gpu-1", model="a100", taints=[BROKEN]),
        a_device("gpu-2", model="t4"),
        a_device("gpu-3", model="a100"),
    ]
    held = a_resource_claim(a_request(), name="held", allocated=["gpu-0"])
    wanted = a_resource_claim(a_request("gpu", MODEL % "a100", count=2), name="wanted")
    snapshot = snapshot_of(a_slice(*devices), held, wanted)
    claim = claim_states(snapshot)[1]

    outlook = claim_outlook(snapshot, claim, pool_states(snapshot))

    assert (outlook.nodes, outlook.every, outlook.refusal, outlook.fault) == (0, 2, None, "")
    (request,) = outlook.requests
    assert request.available == 1
    assert {(each.exclusion, each.by): each.devices for each in request.excluded} == {
        (DeviceExclusion.HELD, ""): 1,
        (DeviceExclusion.TAINT, "health=broken:NoSchedule"): 1,
        (DeviceExclusion.SELECTOR, MODEL % "a100"): 1,
    }


def test_a_claim_whose_class_is_missing_is_refused_whatever_the_node() -> None:
    wanted = a_resource_claim(a_request(deviceClassName="none"), name="wanted")
    snapshot = snapshot_of(a_slice(a_device()), wanted)
    (claim,) = claim_states(snapshot)

    outlook = claim_outlook(snapshot, claim, pool_states(snapshot))

    assert outlook.refusal is not None
    assert outlook.refusal.status.reasons == ("request gpu: device class none does not exist",)


def test_all_devices_of_an_incomplete_pool_are_an_error_and_some_of_them_are_not() -> None:
    incomplete = a_slice(a_device(), held={"resourceSliceCount": 2})
    whole = a_resource_claim(a_request(allocationMode="All"), name="all")
    some = a_resource_claim(a_request(), name="some")
    snapshot = snapshot_of(incomplete, whole, some)
    outlooks = [claim_outlook(snapshot, claim, pool_states(snapshot)) for claim in claim_states(snapshot)]

    assert outlooks[0].fault.endswith(f"but resource pool {DRIVER}/n0 is currently being updated")
    assert outlooks[0].faulty == 1
    assert (outlooks[1].nodes, outlooks[1].fault) == (1, "")


@given(
    devices=st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1, max_size=5),
    available=st.integers(0, 6),
)
def test_a_free_device_is_one_that_a_request_for_it_alone_gets(
    devices: list[tuple[bool, bool, int]], available: int
) -> None:
    offered = [
        consuming(f"gpu-{number}", str(amount), model=str(number), taints=[BROKEN] if is_tainted else [])
        for number, (_, is_tainted, amount) in enumerate(devices)
    ]
    held = [f"gpu-{number}" for number, (is_held, _, _) in enumerate(devices) if is_held]
    wanted = [
        a_resource_claim(a_request("gpu", MODEL % number), name=f"wanted-{number}") for number in range(len(devices))
    ]
    holder = a_resource_claim(a_request(), name="held", allocated=held)
    snapshot = snapshot_of(a_slice(*offered, sharedCounters=counters(str(available))), holder, *wanted)
    pools = pool_states(snapshot)
    (pool,) = pools
    nodes = {claim.name: claim_outlook(snapshot, claim, pools).nodes for claim in claim_states(snapshot)}

    for number, each in enumerate(pool.devices):
        assert (each.state is DeviceState.FREE) == (nodes[f"wanted-{number}"] == 1)
        assert (each.state is DeviceState.HELD) == (each.device.name in held)
