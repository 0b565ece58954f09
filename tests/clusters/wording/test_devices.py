"""What DynamicResources compares in words: what excludes a device is named, and what is missing is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine.devices import DeviceExclusion
from clusters.engine.plugins.dynamic_resources import (
    AllocatedClaimComparison,
    BindingConditionsComparison,
    DeviceComparison,
    DevicesTogetherComparison,
    ExtendedResourceComparison,
    LeftBehindClaimComparison,
    NodeResourceComparison,
)
from clusters.wording.devices import device
from clusters.wording.evidence import EvidenceView, comparison_view

if TYPE_CHECKING:
    from clusters.engine.evidence import Comparison

AMOUNTS = {DeviceExclusion.CAPACITY_SHORT, DeviceExclusion.COUNTER, DeviceExclusion.CAPACITY_REFUSED}


def values(view: EvidenceView) -> list[str]:
    return [fact.value for fact in view.facts]


@pytest.mark.parametrize("exclusion", [each for each in DeviceExclusion if each is not DeviceExclusion.NODE])
def test_what_excludes_a_device_is_named(exclusion: DeviceExclusion) -> None:
    view = device(DeviceComparison("shop/claim", "gpus", "d/pool/gpu-0", exclusion, "the reason", requested="40Gi"))

    assert not view.holds
    assert "the reason" in values(view)
    assert ("40Gi" in values(view)) == (exclusion in AMOUNTS)


def test_a_device_is_free_or_allocated_and_binding_waits_for_its_conditions() -> None:
    free, taken = (
        device(DeviceComparison("shop/claim", "gpus", "d/pool/gpu-0", allocated=allocated, conditions=conditions))
        for allocated, conditions in ((False, ()), (True, ("d/attached",)))
    )

    assert free.holds
    assert taken.holds
    assert values(free) != values(taken)[:2]
    assert values(taken)[-1] == "d/attached"


@pytest.mark.parametrize(
    ("holding", "failing", "named"),
    [
        (AllocatedClaimComparison("c", ()), AllocatedClaimComparison("c", (), lacking="Feature"), "Feature"),
        (
            BindingConditionsComparison("c", "d/pool/gpu-0", ("d/attached",), ()),
            BindingConditionsComparison("c", "d/pool/gpu-0", (), ("d/broken",)),
            "d/broken",
        ),
        (
            DevicesTogetherComparison(("c",), found=False, gave_up=True),
            DevicesTogetherComparison(("c",), found=False, fault="too many constraints"),
            "too many constraints",
        ),
        (
            ExtendedResourceComparison("example.com/gpu", 2, "gpus", is_offered=False),
            ExtendedResourceComparison("example.com/gpu", 2, "", is_offered=False),
            "example.com/gpu",
        ),
        (NodeResourceComparison("pods", 3, 10, 7), NodeResourceComparison("pods", 3, 10, 8), "1"),
    ],
)
def test_what_is_missing_is_said_where_it_fails(holding: Comparison, failing: Comparison, named: str) -> None:
    held, failed = comparison_view(holding), comparison_view(failing)

    assert (held.holds, failed.holds) == (True, False)
    assert not held.missing
    assert failed.missing
    assert named in " ".join([failed.label, failed.missing, *values(failed)])


def test_a_claim_of_an_earlier_try_never_holds() -> None:
    view = comparison_view(LeftBehindClaimComparison("shop/claim"))

    assert not view.holds
    assert "shop/claim" in view.missing
