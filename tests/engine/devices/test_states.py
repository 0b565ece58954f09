"""Pools with the states of their devices, what DeviceClasses select, and how far claims are."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion, UncomputedObject
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
from clusters.engine.devices.claims import claims_from_templates, consumer_of, release, reserved_for
from clusters.engine.objects import Pod
from clusters.engine.plugins.dynamic_resources import (
    DeviceCountSubject,
    DeviceSelectorSubject,
    DeviceTaintSubject,
    MatchAttributeSubject,
    ResourceClaimSubject,
)
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.simulation import PodAdmission
from clusters.engine.versions import Gate
from clusters.wording.plugins import lifting_of
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import (
    BROKEN,
    DRIVER,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
)
from tests.engine.podgroups.groups import GROUPING, a_group, a_member
from tests.engine.quotas.quotas import a_quota
from tests.support.answers import known

if TYPE_CHECKING:
    from clusters.engine.evidence import Subject

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
    short = known(pool.devices[1].short)
    assert (short.name, short.requested, short.available) == ("gpu/memory", Fraction(6 * GIB), Fraction(2 * GIB))
    (counter,) = pool.counters
    assert (counter.name, counter.total, counter.left) == ("gpu/memory", Fraction(8 * GIB), Fraction(2 * GIB))
    assert pool.is_usual


def test_a_taint_without_effect_on_scheduling_leaves_a_device_free() -> None:
    (pool,) = states_of(a_slice(a_device(taints=[{"key": "seen", "effect": "None"}])))

    assert pool.counts == {DeviceState.FREE: 1}


def test_a_pool_is_shown_in_its_newest_generation() -> None:
    new = a_slice(a_device("new"), name="b", pool="p", held={"generation": 2, "resourceSliceCount": 2})

    (pool,) = states_of(a_slice(a_device("old"), name="a", pool="p", held={"generation": 1}), new)

    assert [each.device.name for each in pool.devices] == ["new"]
    assert (pool.generation, pool.slice_count, pool.outdated) == (2, 2, 1)
    assert pool.pool.is_incomplete
    assert not pool.is_usual


def test_a_device_that_is_there_twice_makes_a_pool_invalid() -> None:
    held = {"resourceSliceCount": 2}

    (pool,) = states_of(*[a_slice(a_device("a"), name=name, pool="p", held=held) for name in ("a", "b")])

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
    wanted = a_resource_claim(a_request("gpu", MODEL % "a100", count=2), name="wanted")
    snapshot = snapshot_of(a_slice(*devices), a_resource_claim(a_request(), name="held", allocated=["gpu-0"]), wanted)

    outlook = claim_outlook(snapshot, claim_states(snapshot)[1], pool_states(snapshot))

    assert (outlook.nodes, outlook.every, outlook.refusal, outlook.fault) == (0, 2, None, "")
    (request,) = outlook.requests
    assert request.available == 1
    assert {(each.exclusion, each.by): each.devices for each in request.excluded} == {
        (DeviceExclusion.HELD, ""): 1,
        (DeviceExclusion.TAINT, "health=broken:NoSchedule"): 1,
        (DeviceExclusion.SELECTOR, MODEL % "a100"): 1,
    }


def test_a_claim_whose_class_is_missing_is_refused_whatever_the_node() -> None:
    snapshot = snapshot_of(a_slice(a_device()), a_resource_claim(a_request(deviceClassName="none"), name="wanted"))
    (claim,) = claim_states(snapshot)

    outlook = claim_outlook(snapshot, claim, pool_states(snapshot))

    assert known(outlook.refusal).status.texts == ("request gpu: device class none does not exist",)


def test_all_devices_of_an_incomplete_pool_are_an_error_and_some_of_them_are_not() -> None:
    incomplete = a_slice(a_device(), held={"resourceSliceCount": 2})
    whole = a_resource_claim(a_request(allocationMode="All"), name="all")
    snapshot = snapshot_of(incomplete, whole, a_resource_claim(a_request(), name="some"))
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


ENTRY = {"name": "gpu", "resourceClaimTemplateName": "gpu"}
NOT_CREATED_FOR = "ResourceClaim default/train-gpu was not created for Pod default/a"
TEMPLATE: Document = {
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "gpu", "namespace": "default"},
    "spec": {"spec": {"devices": {"requests": [a_request()]}}},
}


def owned_by_group(name: str = "train-gpu", group: str = "train", **fields: Any) -> Document:
    owner = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "name": group, "controller": True}
    return a_resource_claim(a_request(), name=name, ownerReferences=[owner], **fields)


def sharing(name: str, claim: str = "train-gpu") -> Document:
    pod = a_member(name, resourceClaims=[ENTRY])
    return {**pod, "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": claim}]}}


def offers() -> list[Document]:
    slices = [a_slice(a_device(), node=name) for name in ("n0", "n1")]
    return [a_class(), a_node("n0"), a_node("n1"), *slices, TEMPLATE]


def a_state(*objects: Document, minor: str = "1.37", is_on: bool | None = True) -> Snapshot:
    gates = {} if is_on is None else {Gate.DRA_WORKLOAD_CLAIMS: is_on}
    group = a_group(least=2, minor=minor, resourceClaims=[ENTRY])
    return Snapshot.from_objects([*offers(), group, *objects], GROUPING[minor].with_gates(gates))


def explained(snapshot: Snapshot, pod: Document) -> Any:
    return explain(snapshot, pod, SchedulerConfiguration.default(snapshot.release).profiles[0])


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_pods_of_a_group_share_the_devices_of_its_claim(minor: str) -> None:
    pods = [sharing("a"), sharing("b")]

    found = explained(a_state(owned_by_group(), *pods, minor=minor), pods[0])

    assert found.conclusion is Conclusion.FITS
    assert found.group.verdict is GroupVerdict.SCHEDULED
    # Each node has one device: the second pod goes to where the claim has got it.
    assert len({each.node for each in found.group.members}) == 1


@pytest.mark.parametrize(
    ("minor", "is_on", "said"),
    [
        ("1.36", False, f"{NOT_CREATED_FOR} (Pod is not owner)"),
        ("1.37", False, f"{NOT_CREATED_FOR} (Pod is not owner)"),
        (
            "1.37",
            True,
            f"{NOT_CREATED_FOR} (neither Pod nor PodGroup train is the owner)",
        ),
    ],
)
def test_a_claim_of_another_group_is_refused_as_each_release_says_it(minor: str, is_on: bool, said: str) -> None:
    pod = sharing("a")
    claim = owned_by_group(group="other" if is_on else "train")

    assert explained(a_state(claim, pod, sharing("b"), minor=minor, is_on=is_on), pod).gates.texts == (said,)


def test_it_is_uncertain_whether_a_claim_of_a_group_is_accepted_where_nobody_set_the_gate() -> None:
    pods = [sharing("a"), sharing("b")]

    found = explained(a_state(owned_by_group(), *pods, is_on=None), pods[0])

    assert found.conclusion is Conclusion.UNCERTAIN
    assert UncomputedObject("DynamicResources", "PodGroup", "default", "train") in found.uncertainties
    assert explained(a_state(owned_by_group(), *pods, is_on=True), pods[0]).uncertainties == ()


def test_the_group_reserves_the_claim_and_keeps_it_when_a_pod_goes() -> None:
    claim, document = owned_by_group(), sharing("train")
    pod, snapshot = Pod(document), a_state(claim, document)

    consumer = consumer_of(snapshot, pod, claim)
    snapshot.upsert(reserved_for(reserved_for(claim, pod, (), "n0", consumer), pod, None, "n0", consumer))
    release(snapshot, pod)

    (held,) = snapshot.objects("ResourceClaim")
    assert [(each["resource"], each["name"]) for each in held["status"]["reservedFor"]] == [("podgroups", "train")]
    assert "allocation" in held["status"]
    assert consumer_of(a_state(claim, document, is_on=False), pod, claim) is None


def test_a_claim_is_made_for_a_group_once_and_charged_once() -> None:
    quota = a_quota("few", hard={"count/resourceclaims.resource.k8s.io": "1"}, used={})
    snapshot = a_state(quota)
    pods = [{**sharing(name), "status": {}} for name in ("a", "b")]
    admission = PodAdmission(snapshot)

    names, (made,) = claims_from_templates(snapshot, pods[0])
    assert names == {"gpu": "train-gpu"}
    assert made["metadata"]["ownerReferences"][0]["kind"] == "PodGroup"
    assert [admission.admit(pod) for pod in pods] == [None, None]
    snapshot.upsert(made)
    assert claims_from_templates(snapshot, pods[1]) == (names, ())
    assert PodAdmission(a_state(quota, is_on=False)).admit(pods[0]) is None
    separate = PodAdmission(a_state(quota, is_on=False))
    assert [separate.admit(pod) is None for pod in pods] == [True, False]


A, B = a_device("a", model="a"), a_device("b", model="b")
MATCHING: Document = {"constraints": [{"matchAttribute": f"{DRIVER}/model"}]}


@pytest.mark.parametrize(
    ("claim", "devices", "subject", "words"),
    [
        (
            a_resource_claim(a_request("gpu", MODEL % "a")),
            [B],
            DeviceSelectorSubject("default/claim", "gpu", "", MODEL % "a"),
            f"remove selector {MODEL % 'a'} from request gpu of claim default/claim",
        ),
        (
            a_resource_claim(a_request()),
            [a_device(taints=[BROKEN])],
            DeviceTaintSubject("health=broken:NoSchedule"),
            "tolerate the device taint health=broken:NoSchedule",
        ),
        (
            a_resource_claim(a_request(count=2)),
            [A],
            DeviceCountSubject("default/claim", "gpu", 2),
            "request fewer than 2 devices in request gpu of claim default/claim",
        ),
        (
            a_resource_claim(a_request(count=3), **MATCHING),
            [A, B, a_device("c", model="a")],
            MatchAttributeSubject("default/claim", f"{DRIVER}/model"),
            f"let devices of claim default/claim differ in {DRIVER}/model",
        ),
        (
            a_resource_claim(a_request()),
            [],
            ResourceClaimSubject("default/claim"),
            "remove the resource claim default/claim",
        ),
    ],
)
def test_one_requirement_that_stands_in_the_way_is_named(
    claim: Document, devices: list[Document], subject: Subject, words: str
) -> None:
    pod = a_pod(resourceClaims=claiming("claim"))

    (lift,) = explanation_of(pod, a_node("n0"), a_class(), a_slice(*devices), claim).relaxations.singles
    (lifted,) = lift.lifted
    assert lifted.subject == subject
    assert lift.gained == 1
    assert lifting_of(subject) == words
