"""Pods that the device taint eviction controller deletes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.devices import DeviceTaintStay, claim_states, pod_stays, pool_states
from clusters.engine.objects import Pod
from tests.engine.builders import a_node, a_pod
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming

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


def test_other_effects_delete_nothing() -> None:
    assert stays([{**BROKEN, "effect": "NoSchedule"}], []) == ()


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


def test_a_taint_of_an_older_generation_does_not_count() -> None:
    old = a_slice(a_device(taints=[BROKEN]), name="a", held={"name": "n0", "generation": 1})
    new = a_slice(a_device(), name="b", held={"name": "n0", "generation": 2})

    assert stays([], [], objects=(old, new)) == ()


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
    given_taints = [{"key": key, "effect": effect, "timeAdded": ADDED} for key, effect in taints]
    given_tolerations = [
        {"operator": "Exists", **({"key": key} if key else {}), **({"effect": effect} if effect else {})}
        | ({} if seconds is None else {"tolerationSeconds": seconds})
        for key, effect, seconds in tolerations
    ]

    found = stays(given_taints, given_tolerations)

    expected = []
    for key, effect in taints:
        if effect == "NoExecute":
            spans = [span for of, on, span in tolerations if of in ("", key) and on == "NoExecute"]
            if None not in spans:
                expected.append(min((max(span, 0) for span in spans if span is not None), default=None))
    assert [each.seconds for each in found] == expected
