"""Worked examples of the documentation, by number: when a kubelet evicts, whom, and what it enforces."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import ConfigurationError
from clusters.engine.kubelet.reservations import reservations
from clusters.engine.kubelet.settings import API_VERSION, KIND, KubeletSettings
from clusters.engine.kubelet.signals import Signal

MIB, GIB = 2**20, 2**30


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
