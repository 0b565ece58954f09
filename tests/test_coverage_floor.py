"""The floors of coverage: neither below, nor left behind."""

from __future__ import annotations

import pytest

from tests.support.coverage_floor import verdict


@pytest.mark.parametrize(("reached", "said"), [(89.99, "Test what is new."), (91.0, "Raise the floor")])
def test_what_a_run_means_for_a_floor(reached: float, said: str) -> None:
    assert said in verdict("*", reached, 90)


@pytest.mark.parametrize("reached", [90.0, 90.99])
def test_a_floor_holds_for_less_than_a_whole_percent_above_it(reached: float) -> None:
    assert verdict("*", reached, 90).endswith("floor 90 %.")
