"""Devices that claims share by capacity, on small pools: a solution is found exactly where one exists."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import a_class, a_device, a_resource_claim, a_slice, claiming, explained
from tests.engine.devices.test_capacity import a_share, a_shared_device, asking

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
    choices = [list(combinations(range(len(devices)), count)) for _, count in requests]
    for choice in product(*choices):
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
    pod = a_pod(resourceClaims=claiming(*names))
    found = explained(pod, a_node("n0"), a_class(), *objects, minor=minor)
    assert found.conclusion == ("fits" if expected else "unschedulable")
