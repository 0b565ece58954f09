"""What changes bring against what they cost."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.analysis import ChangeCost, ChangeGain, Whole, worth

SCALE = Whole(pending=36, nodes=60, pods=856, cpu_milli=628_000, memory_bytes=2_000_000)
AMOUNTS = st.integers(0, 5_000)
GAINS = st.builds(ChangeGain, *[AMOUNTS] * len(fields(ChangeGain)))
COSTS = st.builds(ChangeCost, *[AMOUNTS] * len(fields(ChangeCost)))
SCALES = st.builds(Whole, *[AMOUNTS] * len(fields(Whole)))


@given(gain=GAINS, cost=COSTS, scale=SCALES, field=st.sampled_from(fields(ChangeGain)), more=AMOUNTS)
def test_who_brings_more_is_never_worth_less(
    gain: ChangeGain, cost: ChangeCost, scale: Whole, field: object, more: int
) -> None:
    name = field.name  # type: ignore[attr-defined]
    better = replace(gain, **{name: getattr(gain, name) + more})

    assert worth(better, cost, scale) >= worth(gain, cost, scale)


@given(gain=GAINS, cost=COSTS, scale=SCALES, field=st.sampled_from(fields(ChangeCost)), more=AMOUNTS)
def test_what_costs_more_is_never_worth_more(
    gain: ChangeGain, cost: ChangeCost, scale: Whole, field: object, more: int
) -> None:
    name = field.name  # type: ignore[attr-defined]
    dearer = replace(cost, **{name: getattr(cost, name) + more})

    assert worth(gain, dearer, scale) <= worth(gain, cost, scale)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # The same pod without a new node, rather than with two.
        ((ChangeGain(pods_scheduled=1), ChangeCost()), (ChangeGain(pods_scheduled=1), ChangeCost(nodes_added=2))),
        # Twenty nodes that can be drained, rather than one pending pod.
        ((ChangeGain(nodes_drainable=20), ChangeCost()), (ChangeGain(pods_scheduled=1), ChangeCost())),
        # Five nodes less for eighteen evictions, rather than for a lost quorum.
        (
            (ChangeGain(nodes_removed=5), ChangeCost(pods_evicted=18)),
            (ChangeGain(nodes_removed=5), ChangeCost(quorums_lost=1)),
        ),
        # A pod that is scheduled does not make up for one that is pending instead.
        ((ChangeGain(), ChangeCost()), (ChangeGain(pods_scheduled=1), ChangeCost(newly_pending=1, pods_evicted=90))),
    ],
)
def test_what_is_worth_more(better: tuple[ChangeGain, ChangeCost], worse: tuple[ChangeGain, ChangeCost]) -> None:
    assert worth(*better, SCALE) > worth(*worse, SCALE)
