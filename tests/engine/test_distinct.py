"""Rows of any number of columns are numbered as a dictionary of tuples would number them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.columns import distinguish

if TYPE_CHECKING:
    from numpy.typing import NDArray


@given(
    rows=st.integers(0, 40), columns=st.integers(0, 200), bound=st.sampled_from((1, 2, 3, 1 << 20)), seed=st.integers(0)
)
def test_equal_rows_are_numbered_alike_in_the_order_of_their_values(
    rows: int, columns: int, bound: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    # Few distinct rows, so that some are equal.
    table = chance.integers(0, bound, (5, columns))[chance.integers(0, 5, rows)]
    numbers, count = distinguish([(table[:, column], bound) for column in range(columns)], rows)

    expected = {row: number for number, row in enumerate(sorted({tuple(row) for row in table.tolist()}))}
    assert numbers.tolist() == [expected[tuple(row)] for row in table.tolist()]
    assert count == len(expected)


def test_answers_that_differ_far_beyond_a_machine_word_stay_apart() -> None:
    """200 columns of a million values each: a product of the bounds would have 4000 bits."""
    wide = [np.zeros(3, np.int64) for _ in range(200)]
    first: NDArray[np.int64] = np.array([0, 1, 0])
    numbers, count = distinguish([(column, 1 << 20) for column in (first, *wide)], 3)

    assert numbers.tolist() == [0, 1, 0]
    assert count == 2
