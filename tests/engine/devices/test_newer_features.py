"""Features of devices that came after 1.34: computed where their gates are known, uncertain where they would decide."""

from __future__ import annotations

from itertools import combinations
from math import ceil
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.adapters.prune.kinds import resource_claim
from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.devices import DeviceExclusion, DeviceTaintStay, claim_states, pod_stays, pool_states
from clusters.engine.devices.inventory import RequestPolicy
from clusters.engine.objects import Pod, PodShape
from clusters.engine.plugins.dynamic_resources import (
    AllocatedClaimComparison,
    BindingConditionsComparison,
    DeviceComparison,
    NodeResourceComparison,
)
from clusters.engine.resources import pod_amounts
from clusters.engine.scheduling import place, reserve_devices
from clusters.engine.scheduling.preemption import answer_of
from clusters.engine.versions import release_with
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import (
    CLASS,
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
from tests.support.answers import known

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


@pytest.mark.parametrize("gates", [{}, {OPERATIONS: False}, {OPERATIONS: True}])
def test_an_allocated_claim_stays_with_nodes_that_declare_it(gates: dict[str, bool]) -> None:
    claim = a_resource_claim(a_request(), allocated=["gpu-0"])
    claim["status"]["allocation"]["devices"]["results"][0].update(SKIPPED)
    nodes = [an_able_node("able", OPERATIONS), an_able_node("plain")]
    found = decided(*nodes, everywhere(a_device(), **SKIPPED), claim, gates=gates)

    assert found.feasible == ["able"]
    status = found.cycle.filters["DynamicResources"].at(found.snapshot.nodes.index["plain"])
    assert status.texts == ("resourceclaim not available on the node",)
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

    claim = known(snapshot.object("ResourceClaim", "claim", "default"))
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
    assert off.cycle.filters["DynamicResources"].at(0).texts == (expected,)
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

    assert (decided(*offered, *before, claim, gates={GROUPS: True}).conclusion == "fits") is expected


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

    assert decided(*nodes, *objects, a_resource_claim(a_request()), gates={GROUPS: True}).feasible == expected


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


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
@pytest.mark.parametrize("asks", [True, False])
def test_without_its_gate_a_request_that_mentions_admin_access_is_an_error(minor: str, *, asks: bool) -> None:
    pod, claim = a_pod(resourceClaims=claiming("claim")), a_resource_claim(a_request(adminAccess=asks))
    objects = [a_node("n0"), a_class(), a_slice(a_device()), claim]
    off = explained(pod, *objects, minor=minor, gates={"DRAAdminAccess": False})

    expected = "claim default/claim, request gpu: admin access is requested, but the feature is disabled"
    assert off.cycle.filters["DynamicResources"].at(0).texts == (expected,)
    assert explained(pod, *objects, minor=minor).conclusion == "fits"


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


MINORS = ("1.34", "1.35", "1.36", "1.37")
ATTACHED: Document = {"bindingConditions": ["attached"], "bindingFailureConditions": ["broken"]}
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
    allocation["devices"]["results"][0] |= ATTACHED
    if timed:
        allocation["allocationTimestamp"] = NOW
    if conditions is not None:
        said = [{"type": name, "status": value} for name, value in conditions.items()]
        claim["status"]["devices"] = [{"driver": DRIVER, "pool": "n0", "device": "gpu-0", "conditions": said}]
    return claim


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
    found = explanation(minor, a_slice(a_device(**ATTACHED)), a_waiting_claim(conditions, timed=timed))

    assert found.conclusion == expected
    if expected == "unschedulable":
        reasons = {found.cycle.filters["DynamicResources"].at(row).texts for row in (0, 1)}
        assert reasons == {("resourceclaim not available on the node",)}


def test_the_first_device_that_is_not_ready_decides() -> None:
    claim = a_waiting_claim({"attached": "True", "broken": "True"})
    results = claim["status"]["allocation"]["devices"]["results"]
    results.insert(0, {**results[0], "device": "gpu-1"})
    # Of the first one the driver says nothing yet: the second is not looked at.
    assert explanation("1.36", a_slice(a_device(**ATTACHED)), claim).conclusion == "fits"


def test_a_claim_that_failed_is_freed_unless_others_have_reserved_it() -> None:
    failed = {"broken": "True"}

    def answer(**status: Any) -> Any:
        found = explanation("1.36", a_slice(a_device(**ATTACHED)), a_waiting_claim(failed, **status))
        return known(answer_of(found.cycle, "DynamicResources")).texts

    mine = {"resource": "pods", "name": "pod", "uid": "uid-pod"}
    assert answer(reservedFor=[mine]) == ("deallocation of ResourceClaim completed",)
    assert answer(reservedFor=[mine, {**mine, "name": "other", "uid": "other"}]) == ("still not schedulable",)


def test_the_evidence_names_what_is_pending_and_what_failed() -> None:
    claim = a_waiting_claim({"broken": "True"})
    found = explanation("1.37", a_slice(a_device()), claim).cycle.plugins["DynamicResources"].evidence(0)
    assert found[1] == BindingConditionsComparison("default/claim", f"{DRIVER}/n0/gpu-0", ("attached",), ("broken",))
    assert not found[1].holds


def test_an_excluded_device_says_so() -> None:
    found = explanation("1.36", a_slice(a_device(**ATTACHED)), a_resource_claim(a_request()), on=False)
    excluded = [
        each for each in found.cycle.plugins["DynamicResources"].evidence(0) if isinstance(each, DeviceComparison)
    ]
    assert [(each.exclusion, each.by) for each in excluded] == [("conditions", "attached")]


def test_a_device_that_binds_to_a_node_ties_its_claim_to_it() -> None:
    release = release_with("v1.36.0", {})
    device = a_device(bindsToNode=True, **ATTACHED)
    objects = [a_node("n0"), a_node("n1"), a_class(), a_slice(device, allNodes=True), a_resource_claim(a_request())]
    snapshot = Snapshot.from_objects(objects, release)
    pods = [a_pod(name, resourceClaims=claiming("claim")) for name in ("a", "b")]

    first, second = place(snapshot, pods, SchedulerConfiguration.default(release))

    assert first.node == second.node
    claim = known(snapshot.object("ResourceClaim", "claim", "default"))
    (result,) = claim["status"]["allocation"]["devices"]["results"]
    assert (result["bindingConditions"], result["bindingFailureConditions"]) == (["attached"], ["broken"])


ADDED = "2025-01-01T00:00:00Z"
BROKEN = {"key": "health", "value": "broken", "effect": "NoExecute", "timeAdded": ADDED}
TOLERATION = {"key": "health", "operator": "Exists", "effect": "NoExecute"}


def stays(
    taints: list[dict[str, Any]],
    tolerations: list[dict[str, Any]],
    *,
    requested: list[dict[str, Any]] | None = None,
    on: str = "n0",
    reserved: str = "uid-train",
    objects: tuple[dict[str, Any], ...] = (),
    claims: list[dict[str, Any]] | None = None,
) -> tuple[DeviceTaintStay, ...]:
    """The taints for which a pod with one device is deleted."""
    claim = a_resource_claim(a_request(tolerations=requested or []), allocated=["gpu-0"])
    claim["status"]["allocation"]["devices"]["results"][0]["tolerations"] = tolerations
    claim["status"]["reservedFor"] = [{"resource": "pods", "name": "train", "uid": reserved}]
    pod = a_pod("train", node=on or None, resourceClaims=claiming("claim") if claims is None else claims)
    offered = [] if objects else [a_slice(a_device(taints=taints))]
    snapshot = Snapshot.from_objects([a_node("n0"), a_class(), *offered, claim, *objects])
    states = {each.key: each for each in claim_states(snapshot)}
    devices = {each.id: each.device for pool in pool_states(snapshot) for each in pool.devices}
    return pod_stays(Pod(pod), states, devices)


@pytest.mark.parametrize(
    ("tolerations", "seconds"),
    [
        ([], [None]),
        ([TOLERATION], []),
        ([{**TOLERATION, "tolerationSeconds": 60}], [60]),
        ([{**TOLERATION, "tolerationSeconds": -5}], [0]),
        ([{**TOLERATION, "tolerationSeconds": 60}, {**TOLERATION, "tolerationSeconds": 30}], [30]),
        # One that tolerates for ever does so beside any other.
        ([{**TOLERATION, "tolerationSeconds": 60}, TOLERATION], []),
        ([{**TOLERATION, "operator": "Equal", "value": "other"}], [None]),
        # To be scheduled with the device an empty effect is enough; to stay it is not.
        ([{"operator": "Exists"}], [None]),
        ([{**TOLERATION, "effect": "NoSchedule"}], [None]),
        # As nanoseconds this is more than an int64 holds.
        ([{**TOLERATION, "tolerationSeconds": 2**63 - 1}], [-1]),
    ],
)
def test_the_tolerations_of_the_allocation_decide(tolerations: list[dict[str, Any]], seconds: list[int | None]) -> None:
    found = stays([BROKEN], tolerations)

    assert [each.seconds for each in found] == seconds
    assert {(each.claim, str(each.taint), each.added) for each in found} <= {
        ("default/claim", "health=broken:NoExecute", ADDED)
    }


def test_a_toleration_of_the_request_is_no_help_and_is_told() -> None:
    (stay,) = stays([BROKEN], [], requested=[TOLERATION])

    assert (stay.seconds, stay.is_requested) == (None, True)


@pytest.mark.parametrize(
    "changed",
    [
        {"on": ""},
        {"reserved": "another"},
        {"claims": claiming("other")},
        {"claims": [{"name": "a", "resourceClaimTemplateName": "t"}]},
    ],
    ids=["no node", "reserved for another", "no such claim", "claim not made yet"],
)
def test_a_pod_that_does_not_use_the_device_stays(changed: dict[str, Any]) -> None:
    assert stays([BROKEN], [], **changed) == ()


KEYS = st.sampled_from(["a", "b"])
SECONDS = st.none() | st.integers(-2, 5)


@given(
    taints=st.lists(st.tuples(KEYS, st.sampled_from(["NoExecute", "NoSchedule"])), max_size=3),
    tolerations=st.lists(
        st.tuples(st.sampled_from(["", "a", "b"]), st.sampled_from(["", "NoExecute", "NoSchedule"]), SECONDS),
        max_size=3,
    ),
)
def test_a_pod_is_deleted_when_the_first_taint_is_no_longer_tolerated(
    taints: list[tuple[str, str]], tolerations: list[tuple[str, str, int | None]]
) -> None:
    given_tolerations = [
        {"operator": "Exists", **({"key": key} if key else {}), **({"effect": effect} if effect else {})}
        | ({} if seconds is None else {"tolerationSeconds": seconds})
        for key, effect, seconds in tolerations
    ]

    found = stays([{"key": key, "effect": effect, "timeAdded": ADDED} for key, effect in taints], given_tolerations)

    expected = []
    for key, effect in taints:
        if effect == "NoExecute":
            spans = [span for of, on, span in tolerations if of in ("", key) and on == "NoExecute"]
            if None not in spans:
                expected.append(min((max(span, 0) for span in spans if span is not None), default=None))
    assert [each.seconds for each in found] == expected


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


def decided_of_nodes(
    pod: Document, *objects: Document, gates: dict[str, bool] | None = None, minor: str = "1.37"
) -> Any:
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

    found = decided_of_nodes(a_claiming_pod(), a_sized_node(f"{int(cpu * 1000)}m"), offered, claim)
    assert found.conclusion == "fits"
    (compared,) = (each for each in found.evidence(0)["DynamicResources"] if isinstance(each, NodeResourceComparison))
    assert (compared.requested, compared.holds) == (cpu * 1000, True)

    # NodeResourcesFit looks at the pod's own request alone, as devices are not chosen yet.
    small = decided_of_nodes(a_claiming_pod(), a_sized_node(f"{max(1000, int(cpu * 1000) - 1)}m"), offered, claim)
    rejection = small.verdict_of(0)
    assert (rejection is None) is (cpu == 1)
    if rejection is not None:
        assert (rejection.plugin, rejection.status.texts) == ("DynamicResources", ("Insufficient cpu",))
        assert rejection.status.code.name == "UNRESOLVABLE"


@pytest.mark.parametrize(
    ("resources", "milli"),
    [
        ({"cpu": {"overhead": {"perContainer": "1"}}}, {"1.37": 4000, "1.38": 3000}),
        ({"cpu": {"overhead": {"perPod": "1"}}}, {"1.37": 3000, "1.38": 3000}),
        (TWO_CPUS, {"1.37": 4000, "1.38": 4000}),
    ],
)
def test_from_1_38_what_a_device_takes_for_a_container_counts_while_that_runs(
    resources: Document, milli: dict[str, int]
) -> None:
    offered, claim = a_slice(a_cpu_device(resources=resources)), a_resource_claim(a_request())
    pod = a_claiming_pod()
    first = {"name": "first", "resources": {"requests": {"cpu": "2"}, "claims": [{"name": "claim"}]}}
    pod["spec"]["initContainers"] = [first]

    for minor, amount in milli.items():
        found = decided_of_nodes(pod, a_sized_node("8"), offered, claim, minor=minor)
        (compared,) = (
            each for each in found.evidence(0)["DynamicResources"] if isinstance(each, NodeResourceComparison)
        )
        assert compared.requested == amount
        # The pod counts so once it is placed, by what its status says then.
        (status,) = found.cycle.plugins["DynamicResources"].statuses_on(0)
        placed = {**pod, "status": {"nodeAllocatableResourceClaimStatuses": [status]}}
        assert pod_amounts(placed, counting=found.snapshot.release.counting)["cpu"] == amount


def test_a_node_that_is_large_enough_when_empty_may_be_freed_by_preemption() -> None:
    offered, claim = a_slice(a_cpu_device()), a_resource_claim(a_request())
    victim = a_pod("victim", requests={"cpu": "3"}, node="n0", priority=-1)

    found = decided_of_nodes(a_claiming_pod(), a_sized_node("4"), victim, offered, claim)

    rejection = found.verdict_of(0)
    assert (rejection.plugin, rejection.status.code.name) == ("DynamicResources", "UNSCHEDULABLE")
    assert known(found.preemption).selected is not None


def test_a_capacity_is_counted_by_what_is_consumed_of_it() -> None:
    resources = {"cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "2"}}}
    device = a_cpu_device(resources=resources, allowMultipleAllocations=True)
    device["capacity"] = {"cores": {"value": "4"}}
    claim = a_resource_claim(a_request(capacity={"requests": {"cores": "1500m"}}))

    assert decided_of_nodes(a_claiming_pod(), a_sized_node("4"), a_slice(device), claim).conclusion == "fits"
    assert (
        decided_of_nodes(a_claiming_pod(), a_sized_node("3999m"), a_slice(device), claim).conclusion == "unschedulable"
    )

    whole = {name: value for name, value in device.items() if name != "allowMultipleAllocations"}
    failed = decided_of_nodes(a_claiming_pod(), a_sized_node("4"), a_slice(whole), a_resource_claim(a_request()))
    assert failed.cycle.filters["DynamicResources"].at(0).texts == (
        (
            "claim default/claim, device gpu-0: ConsumedCapacity is nil, but Capacity key 'cores' is set in "
            "NodeAllocatableResources for resource cpu"
        ),
    )


@pytest.mark.parametrize(("gates", "expected"), [({}, "uncertain"), (ON, "uncertain"), ({GATE: False}, "fits")])
def test_the_fields_of_1_36_are_not_computed(gates: dict[str, bool], expected: str) -> None:
    early = a_device(nodeAllocatableResourceMappings={"cpu": {"allocationMultiplier": "2"}})

    found = decided_of_nodes(
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

    assert decided_of_nodes(a_claiming_pod(), a_sized_node("3"), offered, claim).conclusion == "fits"
    assert decided_of_nodes(a_claiming_pod(), a_sized_node("2"), offered, claim).conclusion == "unschedulable"


def test_a_claim_of_the_nodes_own_resources_belongs_to_one_pod() -> None:
    claim = an_allocated_claim("other")
    shared = decided_of_nodes(a_claiming_pod(), a_sized_node("8"), a_slice(a_cpu_device()), claim)
    overhead = a_cpu_device(resources={"cpu": {"overhead": {"perPod": "1"}}})

    assert shared.verdict_of(0).status.texts == (
        "node allocatable resource claim claim has a mapped device and cannot be shared across pods",
    )
    assert decided_of_nodes(a_claiming_pod(), a_sized_node("8"), a_slice(overhead), claim).conclusion == "fits"


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

    found = decided_of_nodes(pod, a_sized_node("3"), a_slice(a_cpu_device()), a_resource_claim(a_request()))

    rejection = found.verdict_of(0)
    assert (None if rejection is None else rejection.status.texts) == (None if reason is None else (reason,))


# -- afterwards ------------------------------------------------------------------------------------------------


STATUSES = [
    {
        "resourceClaimName": "claim",
        "containers": ["a", "b"],
        "mapping": [{"name": "cpu", "quantity": "2"}],
        "overhead": [{"name": "cpu", "perPod": "1", "perContainer": "500m"}],
    }
]


def test_of_a_pod_that_is_resized_the_kubelet_counts_its_devices_in_the_totals_of_the_pod() -> None:
    pod = a_pod(requests={"cpu": "1"}, node="n0")
    pod["status"] = {
        "nodeAllocatableResourceClaimStatuses": STATUSES,
        "resources": {"requests": {"cpu": "7"}},
        "allocatedResources": {"cpu": "6"},
    }

    assert dict(PodShape.of(Pod(pod), release_with("v1.37.2", ON).counting).requests)["cpu"] == 7000


def test_a_rule_taints_with_its_own_time() -> None:
    taint = {**BROKEN, "timeAdded": "2025-02-02T00:00:00Z"}
    rule = {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "broken"},
        "spec": {"deviceSelector": {"pool": "n0"}, "taint": taint},
    }

    (stay,) = stays([], [], objects=(a_slice(a_device()), rule))

    assert stay.added == "2025-02-02T00:00:00Z"


def conclusion_under(claim: dict[str, Any], *devices: dict[str, Any]) -> str:
    pod = a_pod(resourceClaims=claiming("claim"))
    return explanation_of(pod, a_node("n0"), a_class(), a_slice(*devices), claim).conclusion


def test_devices_that_must_differ_are_of_a_feature_and_an_empty_constraint_is_an_error() -> None:
    distinct = a_resource_claim(a_request(), constraints=[{"distinctAttribute": "gpu.example.com/model"}])
    empty = a_resource_claim(a_request(), constraints=[{}])

    assert conclusion_under(distinct, a_device(model="a")) == "uncertain"
    assert conclusion_under(empty, a_device(model="a")) == "unschedulable"


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


@pytest.mark.parametrize("minor", MINORS)
def test_such_a_device_is_allocated_only_with_the_gate_on(minor: str) -> None:
    objects = [a_slice(a_device(**ATTACHED)), a_resource_claim(a_request())]
    assert explanation(minor, *objects).conclusion == "fits"
    assert explanation(minor, *objects, on=False).conclusion == "unschedulable"


@pytest.mark.parametrize("minor", MINORS)
def test_devices_of_pools_without_conditions_come_first(minor: str) -> None:
    slices = [a_slice(a_device(**ATTACHED), pool="a"), a_slice(a_device(), pool="b")]
    found = explanation(minor, *slices, a_resource_claim(a_request())).cycle.plugins["DynamicResources"].evidence(0)
    (taken,) = [each for each in found if isinstance(each, DeviceComparison) and each.allocated]
    assert taken.device == f"{DRIVER}/b/gpu-0"


def test_what_drivers_say_of_devices_is_kept() -> None:
    claim = a_waiting_claim({"attached": "True"})
    assert resource_claim(claim)["status"]["devices"] == claim["status"]["devices"]
