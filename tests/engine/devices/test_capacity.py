"""Consumable capacity: devices that claims share by amounts, as each minor's scheduler does with the gate on."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.devices import DeviceState, pool_states
from clusters.engine.devices.claims import Holders, held_devices
from clusters.engine.devices.inventory import RequestPolicy
from clusters.engine.plugins.dynamic_resources import DeviceComparison
from clusters.engine.simulation import Case, Simulation, Wanted
from clusters.engine.versions import release_with
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import (
    DRIVER,
    a_class,
    a_cluster,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    explained,
)

MINORS = ("1.34", "1.35", "1.36", "1.37", "1.38")


def a_shared_device(name: str = "gpu-0", policy: Document | None = None, value: str = "40", **fields: Any) -> Document:
    capacity = {"memory": {"value": value, **({"requestPolicy": policy} if policy else {})}}
    return {**a_device(name, allowMultipleAllocations=True, **fields), "capacity": capacity}


def asking(amount: str | None, name: str = "gpu", **fields: Any) -> Document:
    return a_request(name, **({} if amount is None else {"capacity": {"requests": {"memory": amount}}}), **fields)


def a_share(device: str, amount: str, name: str = "other", **fields: Any) -> Document:
    claim = a_resource_claim(a_request(), name=name)
    result = {"request": "gpu", "driver": DRIVER, "pool": "n0", "device": device, "shareID": f"share-{name}"}
    claim["status"] = {"allocation": {"devices": {"results": [{**result, "consumedCapacity": {"memory": amount}}]}}}
    return {**claim, **fields}


def conclusion(minor: str, *objects: Document, claims: tuple[str, ...] = ("claim",), on: bool = True) -> str:
    pod = a_pod(resourceClaims=claiming(*claims))
    gates = {"DRAConsumableCapacity": on}
    return explained(pod, a_node("n0"), a_class(), *objects, minor=minor, gates=gates).conclusion


def fits(minor: str, *objects: Document, claims: tuple[str, ...] = ("claim",)) -> bool:
    return conclusion(minor, *objects, claims=claims) == "fits"


# -- amounts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minor", MINORS)
def test_a_device_without_the_capacity_is_passed_over(minor: str) -> None:
    claim = a_resource_claim(a_request(capacity={"requests": {"cores": "1"}}))
    assert not fits(minor, a_slice(a_shared_device()), claim)
    other = {**a_device("b", allowMultipleAllocations=True), "capacity": {"cores": {"value": "2"}}}
    # 1.34 looks at the capacity of the slice's first device for the first device of a request.
    assert fits(minor, a_slice(a_shared_device(), other), claim) is (minor != "1.34")
    assert fits(minor, a_slice(other, a_shared_device()), claim)


@pytest.mark.parametrize("minor", MINORS)
def test_devices_of_one_request_are_different_ones_from_1_36(minor: str) -> None:
    found = conclusion(minor, a_slice(a_shared_device()), a_resource_claim(asking("20", count=2)))
    # kube-scheduler 1.34 crashes: it looks for the second device of the slice.
    assert found == {"1.34": "uncertain", "1.35": "fits"}.get(minor, "unschedulable")


# -- distinctAttribute -------------------------------------------------------------------------------------------------


def test_until_1_36_the_last_device_of_each_request_alone_is_compared() -> None:
    def found(minor: str) -> bool:
        devices = [a_shared_device(f"d{number}", model=model) for number, model in enumerate(("a", "b", "a"))]
        claim = a_resource_claim(asking("1", count=3), constraints=[{"distinctAttribute": f"{DRIVER}/model"}])
        return fits(minor, a_slice(*devices), claim)

    # Of the first two devices b is the last: the third, another a, differs from it.
    assert [found(minor) for minor in MINORS] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("minor", "is_error"), [("1.34", False), ("1.35", True), ("1.36", False), ("1.37", False), ("1.38", False)]
)
def test_with_the_gate_off_the_allocator_decides_whether_the_constraint_is_known(minor: str, *, is_error: bool) -> None:
    claim = a_resource_claim(a_request(), constraints=[{"distinctAttribute": f"{DRIVER}/model"}])
    pod = a_pod(resourceClaims=claiming("claim"))
    objects = [a_node("n0"), a_class(), a_slice(a_device(model="a")), claim]
    found = explained(pod, *objects, minor=minor, gates={"DRAConsumableCapacity": False})

    expected = "claim default/claim, constraint #0: empty constraint (unsupported constraint type?)"
    assert (found.cycle.filters["DynamicResources"].at(0).texts == (expected,)) is is_error


# -- the gate ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minor", "expected"),
    [
        ("1.34", "request any: has capacity requests, but the DRAConsumableCapacity feature is disabled"),
        ("1.35", ""),
        ("1.36", "subrequest gpu: has capacity requests, but the DRAConsumableCapacity feature is disabled"),
        ("1.38", "subrequest gpu: has capacity requests, but the DRAConsumableCapacity feature is disabled"),
    ],
)
def test_with_the_gate_off_amounts_are_an_error_or_count_for_nothing(minor: str, expected: str) -> None:
    wrapped = {"name": "any", "firstAvailable": [{**asking("99", wrapped=False)}]}
    pod = a_pod(resourceClaims=claiming("claim"))
    objects = [a_node("n0"), a_class(), a_slice(a_device(memory="1")), a_resource_claim(wrapped)]
    found = explained(pod, *objects, minor=minor, gates={"DRAConsumableCapacity": False})

    reasons = found.cycle.filters["DynamicResources"].at(0).texts
    assert reasons == ((f"claim default/claim, {expected}",) if expected else ())


def test_with_the_gate_off_a_shared_device_is_held_by_one_claim() -> None:
    objects = [a_slice(a_shared_device()), a_resource_claim(a_request()), a_share("gpu-0", "1")]
    assert conclusion("1.36", *objects, on=False) == "unschedulable"


# -- counters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_a_shared_device_takes_of_counters_once(minor: str) -> None:
    uses: Document = {"consumesCounters": [{"counterSet": "set", "counters": {"slots": {"value": "1"}}}]}
    counters = a_slice(
        name="counters", pool="n0", held={"resourceSliceCount": 2},
        sharedCounters=[{"name": "set", "counters": {"slots": {"value": "1"}}}],
    )  # fmt: skip
    devices = a_slice(a_shared_device(**uses), a_device("gpu-1", **uses), pool="n0", held={"resourceSliceCount": 2})
    share, claims = a_share("gpu-0", "1"), [a_resource_claim(asking("5", "one"), name="c0")]

    assert fits(minor, counters, devices, *claims, share, claims=("c0",))
    plain = a_resource_claim(a_request("one", "device.allowMultipleAllocations == false"), name="c0")
    # The shared device has the only slot; without it the other one can be had.
    assert not fits(minor, counters, devices, plain, share, claims=("c0",))
    assert fits(minor, counters, devices, plain, claims=("c0",))


# -- allocationMode All ------------------------------------------------------------------------------------------------


def test_all_devices_are_those_with_enough_left_until_1_36_and_then_those_that_are_large_enough() -> None:
    slices = a_slice(a_shared_device("a"), a_shared_device("b"))
    claim = a_resource_claim(asking("20", allocationMode="All", count=0))

    assert [fits(minor, slices, claim, a_share("a", "30")) for minor in MINORS] == [False, True, True, False, False]


# -- evidence, pages, lifecycle ----------------------------------------------------------------------------------------


def test_the_evidence_says_which_capacity_was_short_or_which_policy_refused() -> None:
    policy = {"default": "4", "validValues": ["4", "8"]}
    devices = [a_shared_device("full"), a_shared_device("strict", policy=policy), a_device("bare")]
    pod = a_pod(resourceClaims=claiming("claim"))
    objects = [a_node("n0"), a_class(), a_slice(*devices), a_resource_claim(asking("11")), a_share("full", "30")]
    found = explained(pod, *objects, minor="1.37").cycle.plugins["DynamicResources"].evidence(0)

    said = {each.device: each for each in found if isinstance(each, DeviceComparison)}
    full, strict, bare = (said[f"{DRIVER}/n0/{name}"] for name in ("full", "strict", "bare"))
    assert (full.exclusion, full.by, full.requested, full.available) == ("capacity-short", "memory", "11", "10")
    assert (strict.exclusion, strict.by, strict.requested) == ("capacity-refused", "memory", "11")
    assert (bare.exclusion, bare.by) == ("capacity-absent", "memory")


def test_a_smaller_amount_would_do() -> None:
    objects = [a_node("n0"), a_class(), a_slice(a_shared_device()), a_resource_claim(asking("41"))]
    (lift,) = explained(a_pod(resourceClaims=claiming("claim")), *objects, minor="1.37").relaxations.singles
    assert [each.subject.kind for each in lift.lifted if each.subject] == ["device-capacity"]


def test_a_shared_device_is_shown_with_what_is_consumed() -> None:
    objects = [a_node("n0"), a_slice(a_shared_device()), a_share("gpu-0", "10"), a_share("gpu-0", "5", name="third")]
    (state,) = pool_states(Snapshot.from_objects(objects, release_with("v1.36.0", {})))
    (device,) = state.devices

    assert device.state is DeviceState.SHARED
    assert device.sharing == ("default/other", "default/third")
    assert [(each.name, each.total, each.consumed) for each in device.consumed] == [
        ("memory", Fraction(40), Fraction(15))
    ]


def test_shares_are_free_again_once_their_pods_have_left() -> None:
    claims = [a_resource_claim(asking("30"), name=name) for name in ("first", "second")]
    snapshot, configuration = a_cluster(a_node("n0"), a_class(), a_slice(a_shared_device()), *claims)
    wanted = [
        Wanted(a_pod("a", resourceClaims=claiming("first")), until=5),
        Wanted(a_pod("b", resourceClaims=claiming("second")), at=1),
    ]
    assert [(step.outcome.value, step.pod) for step in Simulation(Case(snapshot, configuration, wanted))] == [
        ("placed", "default/a"),
        ("unschedulable", "default/b"),
        ("completed", "default/a"),
        ("placed", "default/b"),
    ]


def test_holders_brought_forward_are_those_made_afresh() -> None:
    snapshot, _ = a_cluster(a_share("a", "1"), a_share("a", "2", name="two"))
    assert held_devices(snapshot).consumed(next(iter(held_devices(snapshot).shares))) == {"memory": 3}
    twin = snapshot.copy()
    snapshot.upsert(a_share("a", "5", name="two"))
    snapshot.delete(a_share("a", "1"))
    snapshot.upsert(a_share("b", "7", name="three"))
    afresh = Snapshot.from_objects([a_share("a", "5", name="two"), a_share("b", "7", name="three")], snapshot.release)

    assert held_devices(snapshot).shares == held_devices(afresh).shares
    assert snapshot.followed(Holders).in_pool(DRIVER, "n0") == afresh.followed(Holders).in_pool(DRIVER, "n0")
    # The copy keeps what it was made of.
    assert [held_devices(twin).consumed(device) for device in held_devices(twin).shares] == [{"memory": 3}]


_AMOUNTS = st.integers(1, 6)
_POLICIES = st.one_of(
    st.none(),
    st.builds(lambda values: {"default": str(min(values)), "validValues": [str(each) for each in sorted(values)]},
              st.sets(_AMOUNTS, min_size=1, max_size=3)),
    st.builds(lambda least, step: {"default": str(least), "validRange": {"min": str(least), "step": str(step)}},
              st.integers(1, 3), st.integers(1, 3)),
)  # fmt: skip
_DEVICES = st.lists(st.tuples(st.booleans(), st.integers(1, 8), _POLICIES, st.integers(0, 6)), min_size=1, max_size=3)
_REQUESTS = st.lists(
    st.lists(st.tuples(st.one_of(st.none(), _AMOUNTS), st.integers(1, 2)), min_size=1, max_size=2),
    min_size=1,
    max_size=2,
)


def consumed_plainly(value: int, policy: Document | None, amount: int | None) -> int | None:
    """What a request consumes of a device, None where the policy refuses it: written out for whole numbers."""
    if policy is None:
        return value if amount is None else amount
    if amount is None:
        return int(policy["default"])
    if "validValues" in policy:
        return min((int(each) for each in policy["validValues"] if int(each) >= amount), default=None)
    least, step = int(policy["validRange"]["min"]), int(policy["validRange"]["step"])
    return next(number for number in range(least, amount + step + least, step) if number >= amount)


def is_possible(devices: list[Any], requests: list[tuple[int | None, int]]) -> bool:
    for choice in product(*[list(combinations(range(len(devices)), count)) for _, count in requests]):
        left = [value - used if is_shared else value for is_shared, value, _, used in devices]
        taken = [0] * len(devices)
        is_good = True
        for (amount, _), places in zip(requests, choice, strict=True):
            for place_ in places:
                is_shared, value, policy, _ = devices[place_]
                consumed = consumed_plainly(value, policy if is_shared else None, amount)
                taken[place_] += 1
                if consumed is None or consumed > left[place_] or (not is_shared and taken[place_] > 1):
                    is_good = False
                    continue
                if is_shared:
                    left[place_] -= consumed
        if is_good:
            return True
    return False


@given(_DEVICES, _REQUESTS, st.sampled_from(["1.36", "1.37"]))
def test_a_solution_is_found_exactly_where_there_is_one(devices: Any, claims: Any, minor: str) -> None:
    objects = [
        a_slice(
            *(
                a_shared_device(f"d{number}", policy=policy, value=str(value))
                if is_shared
                else {**a_device(f"d{number}"), "capacity": {"memory": {"value": str(value)}}}
                for number, (is_shared, value, policy, _) in enumerate(devices)
            )
        )
    ]
    objects += [
        a_share(f"d{number}", str(used), name=f"s{number}")
        for number, (is_shared, _, _, used) in enumerate(devices)
        if used and is_shared
    ]
    names = tuple(f"c{number}" for number in range(len(claims)))
    for name, requests in zip(names, claims, strict=True):
        written = [
            asking(None if amount is None else str(amount), f"r{number}", count=count)
            for number, (amount, count) in enumerate(requests)
        ]
        objects.append(a_resource_claim(*written, name=name))

    expected = is_possible(devices, [request for requests in claims for request in requests])
    found = explained(a_pod(resourceClaims=claiming(*names)), a_node("n0"), a_class(), *objects, minor=minor)
    assert found.conclusion == ("fits" if expected else "unschedulable")


@pytest.mark.parametrize("minor", MINORS)
def test_a_request_without_amounts_consumes_the_default_or_everything(minor: str) -> None:
    claim, share = a_resource_claim(asking(None)), a_share("gpu-0", "1")
    assert not fits(minor, a_slice(a_shared_device()), claim, share)
    assert fits(minor, a_slice(a_shared_device(policy={"default": "4", "validValues": ["4", "8"]})), claim, share)


@pytest.mark.parametrize(
    ("policy", "requested", "rounded", "refused"),
    [
        ({"default": "4", "validValues": ["4", "8"]}, "5", 8, False),
        ({"default": "4", "validValues": ["4", "8"]}, "9", 9, True),
        ({"default": "4", "validRange": {"min": "4"}}, "1", 4, False),
        ({"default": "4", "validRange": {"min": "4", "max": "10"}}, "11", 11, True),
        ({"default": "4", "validRange": {"min": "4", "step": "3"}}, "8", 10, False),
        ({"default": "4", "validRange": {"min": "4", "step": "3", "max": "9"}}, "8", 10, True),
        ({"default": "4"}, "5", 5, False),
    ],
)
def test_a_policy_rounds_up_what_is_requested_and_refuses_the_rest(
    policy: Document, requested: str, rounded: int, *, refused: bool
) -> None:
    read = RequestPolicy.from_dict(policy)
    assert read.rounded(Fraction(requested), int(requested)) == rounded
    assert read.refuses(Fraction(rounded), 100) is refused


# -- 1.38 --------------------------------------------------------------------------------------------------------------


def qualified_device(*names: str, policy: Document | None = None) -> Document:
    """A shared device with 40 of a capacity under each of these names."""
    held = {"value": "40", **({"requestPolicy": policy} if policy else {})}
    return {**a_device(allowMultipleAllocations=True), "capacity": dict.fromkeys(names, held)}


def requesting(**amounts: str) -> Document:
    """A claim for amounts by name, a double underscore for the driver's domain."""
    named = {name.replace("own__", f"{DRIVER}/"): amount for name, amount in amounts.items()}
    return a_resource_claim(a_request(capacity={"requests": named}))


def said(minor: str, *objects: Document, **gates: bool) -> tuple[str, ...]:
    """What DynamicResources says of the only node."""
    found = explained(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), *objects, minor=minor, gates=gates
    )
    return found.cycle.filters["DynamicResources"].at(0).texts


@pytest.mark.parametrize("written", ["memory", f"{DRIVER}/memory"])
@pytest.mark.parametrize("asked", ["memory", "own__memory"])
def test_from_1_38_a_capacity_may_be_named_with_the_domain_of_its_driver(written: str, asked: str) -> None:
    objects = [a_slice(qualified_device(written)), requesting(**{asked: "30"})]
    is_alike = written == asked.replace("own__", f"{DRIVER}/")

    assert [fits(minor, *objects) for minor in ("1.37", "1.38")] == [is_alike, True]
    for other in ("memory", f"{DRIVER}/memory"):
        share = a_share("gpu-0", "20")
        (result,) = share["status"]["allocation"]["devices"]["results"]
        result["consumedCapacity"] = {other: "20"}
        assert not fits("1.38", *objects, share)


def test_from_1_38_a_capacity_may_not_be_asked_for_under_both_names() -> None:
    found = said("1.38", a_slice(qualified_device("memory")), requesting(memory="1", own__memory="2"))

    where = f"claim default/claim, request gpu: checking capacity for device {DRIVER}/n0/gpu-0"
    assert found == (f'{where}: capacity "memory" requested both as "memory" and as "{DRIVER}/memory"',)


@pytest.mark.parametrize("written", ["memory", f"{DRIVER}/memory"])
def test_a_claim_says_what_it_consumes_by_the_name_that_the_driver_wrote(written: str) -> None:
    release = release_with("v1.38.0", {})
    objects = [a_node("n0"), a_class(), a_slice(qualified_device(written)), requesting(memory="30")]
    case = Case(
        Snapshot.from_objects(objects, release),
        SchedulerConfiguration.default(release),
        [Wanted(a_pod(resourceClaims=claiming("claim")))],
    )
    simulation = Simulation(case)
    list(simulation)

    claim = simulation.snapshot.object("ResourceClaim", "claim", "default")
    assert claim is not None
    assert claim["status"]["allocation"]["devices"]["results"][0]["consumedCapacity"] == {written: "30"}


def test_of_two_capacities_of_one_name_the_one_with_its_domain_counts() -> None:
    device = {
        **a_device(allowMultipleAllocations=True),
        "capacity": {f"{DRIVER}/memory": {"value": "10"}, "memory": {"value": "40"}},
    }
    assert [fits("1.38", a_slice(device), requesting(memory=amount)) for amount in ("10", "11")] == [True, False]


@pytest.mark.parametrize("amount", ["-5", "-5Mi"])
def test_from_1_38_a_negative_request_is_refused_before_a_policy_rounds_it_up(amount: str) -> None:
    policy = {"default": "10", "validRange": {"min": "10", "max": "40"}}
    objects = [a_slice(qualified_device("memory", policy=policy)), requesting(memory=amount)]

    where = f"claim default/claim, request gpu: checking capacity for device {DRIVER}/n0/gpu-0"
    assert fits("1.37", *objects)
    assert said("1.38", *objects) == (
        f'{where}: capacity "{DRIVER}/memory": capacity value is negative: request {amount}',
    )


def test_from_1_38_claims_that_consumed_less_than_nothing_end_the_attempt() -> None:
    objects = [a_slice(a_shared_device(), a_device("whole")), a_resource_claim(a_request())]
    shares = [a_share("gpu-0", "-2Mi", name="b"), a_share("gpu-0", "-1", name="a")]

    def ended(minor: str, *more: Document, **gates: bool) -> str | None:
        pod = a_pod(resourceClaims=claiming("claim"))
        error = explained(pod, a_node("n0"), a_class(), *objects, *more, minor=minor, gates=gates).cycle.error
        return None if error is None else error.message

    first = f'claim default/a, device {DRIVER}/n0/gpu-0: consumed capacity "memory" must not be negative, got -1'
    error = f'running PreFilter plugin "DynamicResources": gather allocation state: {first}'
    assert ended("1.37", *shares) is None
    assert ended("1.38", *shares[1:]) == error
    assert ended("1.38", *shares) == f"{error} (and 1 more claims with invalid consumed capacity)"
    assert ended("1.38", *shares, DRAConsumableCapacity=False) is None


def test_from_1_38_a_device_that_claims_still_share_goes_to_nobody_alone() -> None:
    device = {**a_device(), "capacity": {"memory": {"value": "40"}}}
    objects = [a_slice(device), a_resource_claim(a_request()), a_share("gpu-0", "1")]

    assert [fits(minor, *objects) for minor in ("1.37", "1.38")] == [True, False]
    found = explained(a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), *objects, minor="1.38")
    compared = [
        each for each in found.cycle.plugins["DynamicResources"].evidence(0) if isinstance(each, DeviceComparison)
    ]
    assert [(each.exclusion, each.by) for each in compared] == [("held", "default/other")]


@pytest.mark.parametrize("rule", ["matchAttribute", "distinctAttribute"])
def test_from_1_38_constraints_compare_versions_without_their_build(rule: str) -> None:
    devices = [
        a_shared_device(name, attributes={"driver": {"version": version}})
        for name, version in (("a", "1.0.0+one"), ("b", "1.0.0+two"))
    ]
    claim = a_resource_claim(asking("1", count=2), constraints=[{rule: f"{DRIVER}/driver"}])

    found = [fits(minor, a_slice(*devices), claim) for minor in ("1.37", "1.38")]
    assert found == ([False, True] if rule == "matchAttribute" else [True, False])


@pytest.mark.parametrize("gates", [{}, {"DRAListTypeAttributes": True}])
def test_from_1_38_a_pool_with_a_fault_fails_its_nodes_alone(gates: dict[str, bool]) -> None:
    objects = [
        a_node("n0"),
        a_node("n1"),
        a_class(),
        a_slice(a_device("twice"), a_device("twice")),
        a_slice(a_device("whole"), node="n1"),
        a_resource_claim(a_request(allocationMode="All", count=0)),
    ]
    pod = a_pod(resourceClaims=claiming("claim"))
    earlier, later = (explained(pod, *objects, minor=minor, gates=gates) for minor in ("1.37", "1.38"))

    text = f"claim default/claim, request gpu: asks for all devices, but resource pool {DRIVER}/n0 is currently invalid"
    assert earlier.cycle.error is not None
    assert (later.cycle.error, later.feasible) == (None, ["n1"])
    assert later.cycle.filters["DynamicResources"].at(0).texts == (text,)
