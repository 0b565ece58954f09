"""Starts move on, spread and become few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.searching.starts import MOST, ODD, Advance, Attempt, SearchStarts, is_narrow, surprise


def only(*places: int, nodes: int = 10) -> SearchStarts:
    """Starts of which these alone are possible."""
    surprises = np.full((1, nodes), MOST, np.float32)
    surprises[0, list(places)] = 0
    return SearchStarts(surprises)


def kept(starts: SearchStarts) -> list[int]:
    return np.flatnonzero(starts.kept[0]).tolist()


def moving(least: int, most: int, nodes: int = 10) -> Attempt:
    return Attempt([surprise(np.ones(nodes))], [Advance.between(least, most, nodes)])


@given(
    start=st.integers(0, 9),
    advances=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.integers(0, 5)), max_size=8),
)
def test_a_start_is_never_lost_by_moving_within_bounds(start: int, advances: list[tuple[int, int, int]]) -> None:
    starts = only(start)
    for advanced, less, more in advances:
        starts = starts.after(moving(max(0, advanced - less), advanced + more))
        start = (start + advanced) % 10

    assert start in kept(starts)


def test_a_known_advance_moves_round_the_end() -> None:
    assert kept(only(3, 8).after(moving(4, 4))) == [2, 7]


def test_an_advance_that_is_not_known_spreads() -> None:
    assert kept(only(8).after(moving(1, 3))) == [0, 1, 9]
    assert kept(only(8).after(moving(0, 10))) == list(range(10))


def test_one_surprise_is_let_pass_and_two_are_not() -> None:
    odd = Attempt([surprise(np.array([1.0] * 5 + [0.0] * 5))], [Advance.between(0, 0, 10)])
    starts = SearchStarts.anywhere(1, 10).after(odd)

    assert kept(starts) == list(range(10))
    assert kept(starts.after(odd)) == [0, 1, 2, 3, 4]
    assert np.flatnonzero(starts.expecting(odd)[0]).tolist() == [0, 1, 2, 3, 4]


def test_a_start_that_was_given_up_comes_back_when_it_explains_more() -> None:
    first = Attempt([surprise(np.array([1.0, 0.0]))], [Advance.between(0, 0, 2)])
    second = Attempt([surprise(np.array([0.0, 1.0]))], [Advance.between(0, 0, 2)])
    starts = SearchStarts.anywhere(1, 2)
    for _ in range(50):
        starts = starts.after(first)
    assert kept(starts) == [0]
    # However long it was held to be wrong.
    for _ in range(7):
        starts = starts.after(second)
    assert kept(starts) == [1]


def test_what_is_certain_surprises_nobody_and_nothing_surprises_without_bound() -> None:
    assert surprise(np.array([1.0, 0.5, 0.0])).tolist() == pytest.approx([0, 0.644, ODD], abs=0.001)


def test_a_start_stays_where_it_is_when_nodes_come() -> None:
    assert kept(only(3, 9).among([0], 14)) == [3, 9]
    # One behind the last node goes round.
    assert kept(only(3, 9).among([0], 4)) == [1, 3]
    assert only(3).among([0], 10).nodes == 10


def test_orders_that_part_begin_where_they_were_together() -> None:
    starts = only(3).among([0, 0], 10)

    assert np.argwhere(starts.kept).tolist() == [[0, 3], [1, 3]]


def test_a_quarter_of_the_places_is_few() -> None:
    assert is_narrow(25, 100)
    assert not is_narrow(26, 100)
