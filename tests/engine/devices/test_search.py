"""The search finds devices exactly where a brute force does, alone and for nodes that are alike, and ends."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from tests.engine.builders import a_node, a_pod, explanation_of
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
    feasible,
)


def test_a_search_without_an_end_is_given_up_and_leaves_the_pod_uncertain() -> None:
    # Every pair of devices differs, so that all orders of all of them would be tried.
    devices = [a_device(f"gpu-{number}", model=f"m{number}") for number in range(24)]
    wanted = [a_request(f"r{number}") for number in range(12)]
    claim = a_resource_claim(*wanted, constraints=[{"matchAttribute": f"{DRIVER}/model", "requests": ["r10", "r11"]}])
    explanation = explanation_of(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), a_slice(*devices), claim
    )

    fields = [each.field for each in explanation.uncertainties if hasattr(each, "field")]
    assert fields == ["spec.resourceClaims (cost)"]
    assert explanation.conclusion == "uncertain"


def test_devices_that_several_may_share_leave_the_pod_uncertain() -> None:
    shared = a_slice(a_device(allowMultipleAllocations=True))
    explanation = explanation_of(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), shared, a_resource_claim(a_request())
    )

    assert explanation.conclusion == "uncertain"


MODELS = st.sampled_from(["a", "b"])
DEVICES = st.lists(
    st.fixed_dictionaries({"model": MODELS}, optional={"numa": st.integers(0, 1), "tainted": st.booleans()}),
    min_size=0,
    max_size=5,
)
REQUESTS = st.lists(
    st.fixed_dictionaries({"count": st.integers(1, 2), "model": st.none() | MODELS, "tolerates": st.booleans()}),
    min_size=1,
    max_size=3,
)


@given(
    devices=DEVICES, requests=REQUESTS, split=st.integers(1, 3), matches=st.booleans(), held=st.sets(st.integers(0, 4))
)
def test_devices_are_found_exactly_where_a_brute_force_finds_some(
    devices: list[dict[str, Any]], requests: list[dict[str, Any]], split: int, matches: bool, held: set[int]
) -> None:
    claims = [part for part in (requests[:split], requests[split:]) if part]
    constraints = [{"matchAttribute": f"{DRIVER}/numa"}] if matches else []
    offered = a_slice(
        *(
            a_device(
                f"gpu-{number}",
                model=each["model"],
                attributes={"numa": {"int": each["numa"]}} if "numa" in each else {},
                taints=[BROKEN] if each.get("tainted") else [],
            )
            for number, each in enumerate(devices)
        )
    )
    objects = [
        a_resource_claim(
            *(
                a_request(
                    f"r{number}",
                    *([MODEL % each["model"]] if each["model"] else []),
                    count=each["count"],
                    tolerations=[{"operator": "Exists"}] if each["tolerates"] else [],
                )
                for number, each in enumerate(part)
            ),
            name=f"c{place}",
            constraints=constraints,
        )
        for place, part in enumerate(claims)
    ]
    taken = a_resource_claim(name="other", allocated=[f"gpu-{number}" for number in held])
    names = tuple(f"c{place}" for place in range(len(claims)))

    found = feasible(offered, *objects, taken, claims=names)

    free = [each for number, each in enumerate(devices) if number not in held]
    assert bool(found) is brute_force(free, claims, matches=matches)


def brute_force(free: list[dict[str, Any]], claims: list[list[dict[str, Any]]], *, matches: bool) -> bool:
    """Whether any way to hand out free devices meets all requests: all ways are tried."""
    wanted = [
        (place, request) for place, part in enumerate(claims) for request in part for _ in range(request["count"])
    ]
    return any(is_solution(order, wanted, matches=matches) for order in permutations(free, len(wanted)))


def is_solution(order: tuple[dict[str, Any], ...], wanted: list[tuple[int, dict[str, Any]]], *, matches: bool) -> bool:
    for device, (_, request) in zip(order, wanted, strict=True):
        if request["model"] not in (None, device["model"]) or (device.get("tainted") and not request["tolerates"]):
            return False
    if not matches:
        return True
    values = {
        place: {device.get("numa") for device, (of, _) in zip(order, wanted, strict=True) if of == place}
        for place, _ in wanted
    }
    return all(len(found) == 1 and None not in found for found in values.values())


def test_the_same_devices_are_found_in_a_copy_that_came_about_otherwise() -> None:
    objects = [a_node("n0"), a_class(), a_slice(a_device()), a_resource_claim(a_request())]
    grown = Snapshot.from_objects([])
    for each in objects:
        grown.upsert(each)

    assert grown.content() == Snapshot.from_objects(objects).content()


@given(clusters=st.lists(DEVICES, min_size=2, max_size=5), requests=REQUESTS, matches=st.booleans())
def test_nodes_that_are_searched_together_find_what_each_finds_by_itself(
    clusters: list[list[dict[str, Any]]], requests: list[dict[str, Any]], matches: bool
) -> None:
    names = tuple(f"n{number}" for number in range(len(clusters)))
    slices = {
        name: a_slice(
            *(
                a_device(
                    f"gpu-{number}",
                    model=each["model"],
                    attributes={
                        "serial": {"int": number},
                        **({"numa": {"int": each["numa"]}} if "numa" in each else {}),
                    },
                    taints=[BROKEN] if each.get("tainted") else [],
                )
                for number, each in enumerate(devices)
            ),
            node=name,
        )
        for name, devices in zip(names, clusters, strict=True)
    }
    wanted = [
        a_request(f"r{number}", *([MODEL % each["model"]] if each["model"] else []), count=each["count"])
        for number, each in enumerate(requests)
    ]
    claim = a_resource_claim(*wanted, constraints=[{"matchAttribute": f"{DRIVER}/numa"}] if matches else [])

    together = feasible(*slices.values(), claim, nodes=names)

    assert together == [name for name in names if feasible(slices[name], claim, nodes=(name,))]


def test_a_source_without_any_object_about_devices_leaves_the_pod_uncertain() -> None:
    assert explanation_of(a_pod(resourceClaims=claiming("claim")), a_node("n0")).conclusion == "uncertain"
    assert explanation_of(a_pod(), a_node("n0")).conclusion == "fits"


def test_alternatives_that_are_for_all_devices_do_not_search_for_ever() -> None:
    # Each alternative can be had by itself, and the last request never: all of them together would be tried.
    taken = [
        {"name": f"r{number}", "firstAvailable": [every(f"a{choice}", number) for choice in range(4)]}
        for number in range(12)
    ]
    devices = [a_device(f"gpu-{number}", model=f"m{number}") for number in range(12)]
    claim = a_resource_claim(*taken, a_request("never", MODEL % "none"))
    explanation = explanation_of(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), a_slice(*devices), claim
    )

    assert explanation.conclusion == "uncertain"


def every(name: str, number: int) -> dict[str, Any]:
    return a_request(name, MODEL % f"m{number}", wrapped=False, allocationMode="All", count=0)
