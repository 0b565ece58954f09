"""Worked examples of the documentation, by number: when a kubelet evicts, whom, and what it enforces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import ConfigurationError
from clusters.engine.kubelet import (
    API_VERSION,
    KIND,
    KubeletSettings,
    Signal,
    enforced_limits,
    oom_scores,
    pressure_order,
    reservations,
)
from clusters.engine.kubelet.containers import cpu_shares

if TYPE_CHECKING:
    from tests.engine.builders import Document

MIB, GIB = 2**20, 2**30


def a_pod(resources: Document) -> Document:
    return {"metadata": {"name": "web"}, "spec": {"containers": [{"name": "main", "resources": resources}]}}


def settings(**fields: Any) -> KubeletSettings:
    return KubeletSettings.from_dict({"apiVersion": API_VERSION, "kind": KIND, **fields})


@pytest.mark.parametrize(("text", "units"), [("1Gi", GIB), ("10%", 1073741840)])
def test_e28_ten_percent_of_10_gib_or_1_gib_is_a_threshold_and_both_are_none(text: str, units: int) -> None:
    found = settings(evictionHard={"memory.available": text}).thresholds[0]

    # The share is a float of 32 bits: 16 bytes more than 1 GiB.
    assert found.amount.of(10 * GIB) == units
    with pytest.raises(ConfigurationError, match=r"evictionHard.memory.available"):
        settings(evictionHard={"memory.available": f"{text},1Gi"})


def test_e61_reclaim_goes_on_until_the_minimum_above_the_threshold() -> None:
    found = settings(
        evictionHard={"memory.available": "500Mi", "nodefs.available": "1Gi", "imagefs.available": "100Gi"},
        evictionMinimumReclaim={"memory.available": "0Mi", "nodefs.available": "500Mi", "imagefs.available": "2Gi"},
    )
    targets = {each.signal: each.target(200 * GIB) for each in found.thresholds}

    assert targets[Signal.MEMORY] == 500 * MIB
    # Which the documentation prints as 1.5 GiB.
    assert targets[Signal.NODE_FS] == GIB + 500 * MIB
    assert targets[Signal.IMAGE_FS] == 102 * GIB


def test_e62_what_is_reserved_includes_the_amount_that_the_threshold_covers() -> None:
    found = settings(evictionHard={"memory.available": "500Mi"}, systemReserved={"memory": "1.5Gi"})
    node = {"status": {"capacity": {"memory": "10Gi"}, "allocatable": {"memory": "8204Mi"}}}
    (memory,) = reservations(node, found)

    assert memory.reserved == GIB + 512 * MIB
    # 10 GiB less 1.5 GiB less 500 MiB.
    assert (memory.expected, memory.beyond) == (8204 * MIB, 0)
    # Evicted is from 95 % used on, with 10 % for the system in use.
    assert round(100 * (1 - memory.threshold / memory.capacity)) == 95


@pytest.mark.parametrize(
    ("memory", "score"),
    # The documentation prints 2 as the least; kubelet v1.34.1 computes 1000 - 997.
    [("1Gi", 875), ("4Gi", 500), ("8Gi", 3), ("1", 999)],
)
def test_e29_burstable_containers_score_by_their_share_of_8_gib(memory: str, score: int) -> None:
    (found,) = oom_scores(a_pod({"requests": {"memory": memory}}), 8 * GIB)

    assert found.score == score


def test_e29_guaranteed_and_best_effort_containers_have_fixed_scores() -> None:
    both = {"cpu": "1", "memory": "1Gi"}

    assert [each.score for each in oom_scores(a_pod({"requests": both, "limits": both}), 8 * GIB)] == [-997]
    assert [each.score for each in oom_scores(a_pod({}), 8 * GIB)] == [1000]


def test_e37_250m_are_256_shares_and_500m_are_50_ms_of_100() -> None:
    _, main = enforced_limits(a_pod({"requests": {"cpu": "250m"}, "limits": {"cpu": "500m"}}))

    assert (main.shares, main.quota_micros) == (256, 50_000)
    assert cpu_shares(1) == 2


def test_e63_usage_above_the_request_goes_first_then_priority_then_how_far_above() -> None:
    def pod(name: str, request: str, priority: int, **resources: Document) -> Document:
        found = a_pod({"requests": {"memory": request}, **resources} if request else {})
        return {
            **found,
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {**found["spec"], "priority": priority},
        }

    guaranteed = {"limits": {"memory": "1Gi", "cpu": "1"}, "requests": {"memory": "1Gi", "cpu": "1"}}
    pods = {
        # Of the lowest priority, and within its request.
        "modest": (pod("modest", "1Gi", 0), 1023 * MIB),
        "guaranteed": (pod("guaranteed", "1Gi", 500, **guaranteed), 900 * MIB),
        "above": (pod("above", "1Gi", 1000), 1100 * MIB),
        "further-above": (pod("further-above", "1Gi", 1000), 1200 * MIB),
        "best-effort": (pod("best-effort", "", 1000), 50 * MIB),
        "above-low": (pod("above-low", "1Gi", 10), 1025 * MIB),
    }
    found = pressure_order(
        [each for each, _ in pods.values()], {f"shop/{name}": used for name, (_, used) in pods.items()}
    )

    assert [each.key.partition("/")[2] for each in found] == [
        "above-low", "further-above", "above", "best-effort", "modest", "guaranteed",
    ]  # fmt: skip
    assert [(each.earliest, each.latest) for each in found] == [(rank, rank) for rank in range(1, 7)]
