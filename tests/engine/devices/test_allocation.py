"""Devices are found for claims exactly where there are any: worked examples, upstream's limits, and a brute force."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.plugins.dynamic_resources import CANNOT_ALLOCATE, NOT_AVAILABLE, DeviceComparison
from clusters.engine.versions import RELEASES
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import (
    BROKEN,
    CLASS,
    DRIVER,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    feasible,
)

# -- worked examples ---------------------------------------------------------------------------------------------------


def test_e41_two_claims_from_one_template_get_a_device_each() -> None:
    cat = (f'{MODEL % "black"} && device.attributes["{DRIVER}"].size == "large"',)
    claims = [a_resource_claim(a_request("cat", *cat), name=name) for name in ("cat-0", "cat-1")]
    black = [a_device(name, model="black", attributes={"size": {"string": "large"}}) for name in ("a", "b")]
    small = a_device("c", model="black", attributes={"size": {"string": "small"}})

    assert feasible(*claims, a_slice(*black), claims=("cat-0", "cat-1")) == ["n0"]
    assert feasible(*claims, a_slice(black[0], small), claims=("cat-0", "cat-1")) == []


@pytest.mark.parametrize(
    ("devices", "fits", "taken"),
    [
        (["black", "white", "white"], True, {"gpu-0"}),
        (["white", "white"], True, {"gpu-0", "gpu-1"}),
        (["white"], False, set()),
    ],
)
def test_e42_the_first_alternative_that_can_be_had_is_taken(devices: list[str], fits: bool, taken: set[str]) -> None:
    request = {
        "name": "cat",
        "firstAvailable": [
            a_request("large-black", MODEL % "black", wrapped=False),
            a_request("small-white", MODEL % "white", wrapped=False, count=2),
        ],
    }
    offered = a_slice(*(a_device(f"gpu-{number}", model=model) for number, model in enumerate(devices)))
    explanation = explanation_of(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), offered, a_resource_claim(request)
    )

    assert explanation.fits is fits
    plugin = explanation.cycle.plugins["DynamicResources"]
    devices_compared = [each for each in plugin.evidence(0) if isinstance(each, DeviceComparison)]
    allocated = {each.device.rpartition("/")[2] for each in devices_compared if each.allocated}
    assert allocated == taken


def test_e43_partitions_share_the_counters_of_their_card() -> None:
    use = [{"counterSet": "gpu-1-counters", "counters": {"memory": {"value": "6Gi"}}}]
    card = [{"name": "gpu-1-counters", "counters": {"memory": {"value": "8Gi"}}}]
    partitions = a_slice(
        *(a_device(name, consumesCounters=use) for name in ("device-1", "device-2")), sharedCounters=card
    )

    assert feasible(partitions, a_resource_claim(a_request())) == ["n0"]
    assert feasible(partitions, a_resource_claim(a_request(count=2))) == []
    held = a_resource_claim(name="other", allocated=["device-1"])
    assert feasible(partitions, held, a_resource_claim(a_request())) == []


# -- what excludes devices ---------------------------------------------------------------------------------------------


def test_a_device_that_a_claim_holds_is_not_free_but_for_admin_access() -> None:
    held = a_resource_claim(name="other", allocated=["gpu-0"])

    assert feasible(a_slice(a_device()), held, a_resource_claim(a_request())) == []
    assert feasible(a_slice(a_device()), held, a_resource_claim(a_request(adminAccess=True))) == ["n0"]


def test_admin_access_holds_nothing() -> None:
    watching = a_resource_claim(name="other", allocated=["gpu-0"])
    watching["status"]["allocation"]["devices"]["results"][0]["adminAccess"] = True

    assert feasible(a_slice(a_device()), watching, a_resource_claim(a_request())) == ["n0"]


@pytest.mark.parametrize(
    ("toleration", "fits"),
    [
        (None, False),
        ({"operator": "Exists"}, True),
        ({"key": "health", "value": "broken", "effect": "NoSchedule"}, True),
        ({"key": "health", "value": "fine", "effect": "NoSchedule"}, False),
        ({"key": "health", "operator": "Exists", "effect": "NoExecute"}, False),
    ],
)
def test_taints_of_devices_have_to_be_tolerated(toleration: Document | None, fits: bool) -> None:
    request = a_request(tolerations=[toleration] if toleration else [])

    assert feasible(a_slice(a_device(taints=[BROKEN])), a_resource_claim(request)) == (["n0"] if fits else [])


def test_a_taint_rule_taints_what_it_selects() -> None:
    def rule(**selector: Any) -> Document:
        return {
            "kind": "DeviceTaintRule",
            "metadata": {"name": "r"},
            "spec": {"deviceSelector": selector, "taint": BROKEN},
        }

    claim, offered = a_resource_claim(a_request()), a_slice(a_device(model="a"))
    assert feasible(offered, claim, rule(device="gpu-1")) == ["n0"]
    assert feasible(offered, claim, rule(device="gpu-0")) == []
    assert feasible(offered, claim, rule(driver="other.example.com")) == ["n0"]
    assert feasible(offered, claim, rule(pool="n0", selectors=[{"cel": {"expression": MODEL % "a"}}])) == []
    assert feasible(offered, claim, rule(deviceClassName="absent")) == ["n0"]
    # An expression that fails for a device does not select it.
    assert feasible(offered, claim, rule(selectors=[{"cel": {"expression": MODEL.replace("model", "x") % "a"}}])) == [
        "n0"
    ]


def test_a_taint_rule_that_cannot_be_evaluated_leaves_pods_uncertain() -> None:
    rule = {
        "kind": "DeviceTaintRule",
        "metadata": {"name": "r"},
        "spec": {"deviceSelector": {"selectors": [{"cel": {"expression": "f" * 20_000}}]}, "taint": BROKEN},
    }
    pod = a_pod(resourceClaims=claiming("claim"))

    explanation = explanation_of(pod, a_node("n0"), a_class(), a_slice(a_device()), a_resource_claim(a_request()), rule)

    assert explanation.conclusion == "uncertain"


def test_devices_of_all_nodes_and_of_nodes_by_label_are_reached_from_there() -> None:
    zone = {"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["a"]}]}]}
    pod = a_pod(resourceClaims=claiming("claim"))
    nodes = [a_node("n0", zone="a"), a_node("n1", zone="b")]
    claim = a_resource_claim(a_request())

    def found(offered: Document) -> list[str]:
        return explanation_of(pod, *nodes, a_class(), claim, offered).feasible

    assert found(a_slice(a_device(), pool="net", allNodes=True)) == ["n0", "n1"]
    assert found(a_slice(a_device(), pool="net", nodeSelector=zone)) == ["n0"]
    by_device = [a_device("a", nodeName="n1"), a_device("b", nodeSelector=zone, model="b")]
    assert found(a_slice(*by_device, pool="net", perDeviceNodeSelection=True)) == ["n0", "n1"]


def test_slices_of_older_generations_do_not_count() -> None:
    old = a_slice(a_device("old"), name="old")
    new = a_slice(a_device("new", taints=[BROKEN]), name="new", held={"generation": 2})

    assert feasible(old, a_resource_claim(a_request())) == ["n0"]
    assert feasible(old, new, a_resource_claim(a_request())) == []


def test_constraints_ask_for_one_value_of_an_attribute() -> None:
    same = [{"matchAttribute": f"{DRIVER}/model", "requests": ["gpu"]}]
    claim = a_resource_claim(a_request(count=2), constraints=same)

    assert feasible(a_slice(a_device("a", model="x"), a_device("b", model="y")), claim) == []
    assert feasible(a_slice(a_device("a", model="x"), a_device("b", model="y"), a_device("c", model="x")), claim) == [
        "n0"
    ]
    assert feasible(a_slice(a_device("a"), a_device("b")), claim) == []


# -- verdicts ----------------------------------------------------------------------------------------------------------


def verdict(*objects: Document, pod: Document | None = None) -> tuple[str, tuple[str, ...]]:
    """Code and reasons of the one node, or of PreFilter."""
    claimed = pod or a_pod(resourceClaims=claiming("claim"))
    explanation = explanation_of(claimed, a_node("n0"), *objects)
    if explanation.cycle.stopped_by is not None:
        status = explanation.cycle.stopped_by.status
    else:
        status = explanation.cycle.filters["DynamicResources"].at(0)
    return status.code.value, status.reasons


def test_what_is_wrong_with_a_claim_is_said_before_any_node_is_looked_at() -> None:
    unresolvable = "UnschedulableAndUnresolvable"
    claim = a_resource_claim(a_request())
    made = a_pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])
    generated = {**made, "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "claim"}]}}

    assert verdict(a_class(name="other")) == (unresolvable, ('could not find ResourceClaim "default/claim"',))
    assert verdict(claim) == (unresolvable, (f"request gpu: device class {CLASS} does not exist",))
    assert verdict(a_resource_claim(a_request(), deletionTimestamp="2026-01-01T00:00:00Z")) == (
        unresolvable,
        ('resourceclaim "claim" is being deleted',),
    )
    assert verdict(claim, pod=made) == (unresolvable, ('pod "default/pod": ResourceClaim not created yet',))
    assert verdict(claim, pod=generated) == (
        unresolvable,
        ("ResourceClaim default/claim was not created for pod default/pod (pod is not owner)",),
    )


def test_an_entry_for_which_no_claim_is_needed_needs_none() -> None:
    pod = a_pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])
    pod["status"] = {"resourceClaimStatuses": [{"name": "gpu"}]}

    assert explanation_of(pod, a_node("n0"), a_class()).conclusion == "fits"


def test_all_devices_need_a_whole_pool_and_at_least_one() -> None:
    every = a_resource_claim(a_request(allocationMode="All", count=0))
    updated = (
        f"claim default/claim, request gpu: asks for all devices, but resource pool {DRIVER}/n0 is currently being"
    )

    assert verdict(a_class(), every, a_slice(a_device(), held={"resourceSliceCount": 2})) == (
        "Error",
        (f"{updated} updated",),
    )
    assert verdict(a_class(), every, a_slice()) == ("UnschedulableAndUnresolvable", (CANNOT_ALLOCATE,))
    assert feasible(every, a_slice(a_device("a"), a_device("b"))) == ["n0"]
    assert feasible(every, a_slice(a_device("a"), a_device("b", taints=[BROKEN]))) == []


def test_a_pool_with_two_devices_of_one_name_is_an_error() -> None:
    offered = a_slice(a_device(), a_device())

    assert verdict(a_class(), offered, a_resource_claim(a_request())) == (
        "Error",
        ("pool n0 is invalid: duplicate device name gpu-0",),
    )


def test_a_selector_that_cannot_be_evaluated_is_an_error() -> None:
    claim = a_resource_claim(a_request("gpu", f'device.attributes["{DRIVER}"].absent == "x"'))

    assert verdict(a_class(), claim, a_slice(a_device())) == (
        "Error",
        ("claim default/claim: selector #0: CEL runtime error: no such key: absent",),
    )
    assert verdict(a_class('device.attributes["x"].y'), a_resource_claim(a_request()), a_slice(a_device())) == (
        "Error",
        (f"class {CLASS}: selector #0: CEL runtime error: no such key: y",),
    )


def test_from_1_37_on_a_selector_that_cannot_be_evaluated_names_the_device_and_what_helps() -> None:
    claim = a_resource_claim(a_request("gpu", f'device.attributes["{DRIVER}"].absent == "x"'))
    objects = [a_node("n0"), a_class(), claim, a_slice(a_device())]
    release = RELEASES["1.37"]
    snapshot = Snapshot.from_objects(objects, release)
    profile = SchedulerConfiguration.default(release).profiles[0]
    status = explain(snapshot, a_pod(resourceClaims=claiming("claim")), profile).cycle.filters["DynamicResources"].at(0)

    (reason,) = status.reasons
    assert reason == (
        f"claim default/claim: selector #0 on device {DRIVER}/n0/gpu-0: CEL runtime error: no such key: absent. "
        "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
        "fields"
    )


def test_a_claim_holds_at_most_32_devices() -> None:
    offered = a_slice(*(a_device(f"gpu-{number}") for number in range(40)))

    assert feasible(offered, a_resource_claim(a_request(count=32))) == ["n0"]
    assert verdict(a_class(), offered, a_resource_claim(a_request(count=33))) == (
        "Error",
        ("claim default/claim: number of requested devices 33 exceeds the claim limit of 32",),
    )


def test_an_allocated_claim_ties_its_pods_to_its_nodes() -> None:
    only = {
        "nodeSelector": {
            "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]
        }
    }
    claim = a_resource_claim(a_request(), allocated=["gpu-0"], allocation=only)
    explanation = explanation_of(a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_node("n1"), a_class(), claim)

    assert explanation.feasible == ["n1"]
    assert explanation.cycle.filters["DynamicResources"].at(0).reasons == (NOT_AVAILABLE,)


def test_a_pod_without_claims_is_kept_out_of_the_queue_by_none() -> None:
    assert explanation_of(a_pod(), a_node("n0"), a_slice(a_device())).feasible == ["n0"]
