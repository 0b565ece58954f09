"""A search that keeps its dead ends finds what one finds that searches from each state anew, and much sooner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.devices import allocation
from clusters.engine.devices.allocation import NodeSearch
from clusters.engine.devices.inventory import Claim
from clusters.engine.versions import release_with
from tests.engine.builders import a_node, a_pod
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
    explained,
)

if TYPE_CHECKING:
    from random import Random

NEVER = 10**9


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_identical_devices_are_not_tried_in_every_combination(minor: str) -> None:
    # Of 32 devices 17 have to be on one side, where 16 are: 1.3 million steps, two seconds of the scheduler.
    devices = [a_device(f"gpu-{number}", attributes={"numa": {"int": number // 16}}) for number in range(32)]
    claim = a_resource_claim(a_request(count=17), constraints=[{"matchAttribute": f"{DRIVER}/numa"}])
    pod = a_pod(resourceClaims=claiming("claim"))

    explanation = explained(pod, a_node("n0"), a_class(), a_slice(*devices), claim, minor=minor)

    assert (explanation.conclusion, explanation.uncertainties) == ("unschedulable", ())
    assert explanation.fit_error == "0/1 nodes are available: 1 cannot allocate all claims."


def test_a_search_that_outlasts_the_schedulers_time_is_uncertain() -> None:
    # The scheduler takes 87 million steps, and gives up after some ten million.
    devices = [a_device(f"gpu-{number:02}", attributes={"numa": {"int": 0}}) for number in range(24)]
    constraints = [{"matchAttribute": f"{DRIVER}/none", "requests": ["odd"]}]
    claim = a_resource_claim(a_request("many", count=12), a_request("odd"), constraints=constraints)

    explanation = explained(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), a_slice(*devices), claim, minor="1.37"
    )

    assert explanation.conclusion == "uncertain"


@given(random=st.randoms(use_true_random=False), minor=st.sampled_from(["1.34", "1.35", "1.36", "1.37"]))
def test_dead_ends_change_no_answer(random: Random, minor: str) -> None:
    gates = dict.fromkeys(("DRAConsumableCapacity", "DRAPartitionableDevices", "DRADeviceTaints"), True)
    release = release_with(f"v{minor}.0", gates if random.random() < 0.8 else {})
    objects = _slices(random)
    claims = [Claim.from_dict(_claim(random, f"c{number}")) for number in range(random.randint(1, 3))]
    answers = []
    for usual in (0, NEVER):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(allocation, "USUAL_STEPS", usual)
            patch.setattr(allocation, "MAX_STEPS", 20_000)
            snapshot = Snapshot.from_objects([a_node("n0"), a_class(), *objects], release)
            answers.append(NodeSearch(snapshot).on(0, tuple(claims)))
    kept, plain = answers

    # One that searches anew may give up where the other does not.
    assert plain.gave_up or _said(kept) == _said(plain)


def _said(search: Any) -> Any:
    taken = [(each.claim, each.request, each.candidate.id, each.consumed) for each in search.allocated or ()]
    return search.allocated is None, taken, search.fault, search.gave_up


def _slices(random: Random) -> list[dict[str, Any]]:
    counter_sets = [f"card-{number}" for number in range(random.randint(0, 2))]
    devices = []
    for number in range(random.randint(2, 7)):
        device = a_device(
            f"gpu-{number}",
            model=random.choice("ab"),
            attributes={name: {"int": random.randrange(2)} for name in ("numa", "rack") if random.random() < 0.9},
            taints=[BROKEN] if random.random() < 0.1 else [],
        )
        if counter_sets:
            uses = random.sample(counter_sets, random.randint(1, len(counter_sets)))
            amounts = {name: {"value": str(random.randint(0, 3))} for name in ("memory",)}
            device["consumesCounters"] = [{"counterSet": each, "counters": amounts} for each in uses]
        if random.random() < 0.3:
            policy = {"default": "1", "validRange": {"min": "1", "step": "1"}}
            device["allowMultipleAllocations"] = True
            device["capacity"] = {"memory": {"value": str(random.randint(1, 6)), "requestPolicy": policy}}
        devices.append(device)
    if not counter_sets:
        return [a_slice(*devices)]
    shared = [{"name": each, "counters": {"memory": {"value": str(random.randint(1, 6))}}} for each in counter_sets]
    held = {"resourceSliceCount": 2}
    counters = a_slice(name="counters", held=held, sharedCounters=shared)
    del counters["spec"]["devices"]
    return [a_slice(*devices, held=held), counters]


def _claim(random: Random, name: str) -> dict[str, Any]:
    requests = [
        {"name": f"r{number}", "firstAvailable": [_request(random, f"s{each}", wrapped=False) for each in range(2)]}
        if random.random() < 0.25
        else _request(random, f"r{number}")
        for number in range(random.randint(1, 3))
    ]
    constraints = [
        {random.choice(["matchAttribute", "matchAttribute", "distinctAttribute"]): f"{DRIVER}/{attribute}"}
        for attribute in ("numa", "rack")
        if random.random() < 0.4
    ]
    return a_resource_claim(*requests, name=name, constraints=constraints)


def _request(random: Random, name: str, *, wrapped: bool = True) -> dict[str, Any]:
    fields: dict[str, Any] = {"count": random.choice([1, 1, 2, 3])}
    if random.random() < 0.1:
        fields = {"allocationMode": "All", "count": 0}
    if random.random() < 0.3:
        fields["tolerations"] = [{"operator": "Exists"}]
    if random.random() < 0.2:
        fields["capacity"] = {"requests": {"memory": str(random.randint(1, 3))}}
    selectors = [MODEL % random.choice("ab")] if random.random() < 0.5 else []
    return a_request(name, *selectors, wrapped=wrapped, **fields)
