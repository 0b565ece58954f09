"""Starts move on, spread and become few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.scheduling import SearchStarts
from clusters.engine.scheduling.searches import MOST, ODD, Advance, Attempt, is_narrow, surprise


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
    chances=st.lists(st.floats(0.01, 1), min_size=5, max_size=12),
    least=st.integers(0, 30),
    more=st.integers(0, 4),
    deviation=st.sampled_from([0.0, 0.5, 2.0, np.inf]),
)
def test_starts_move_by_each_advance_as_often_as_it_is_likely(
    chances: list[float], least: int, more: int, deviation: float
) -> None:
    nodes = len(chances)
    likely = least + more // 2
    advances = range(least, least + more + 1)
    weights = [np.exp(-0.5 * ((each - likely) / max(deviation, 0.1)) ** 2) for each in advances]
    expected = [0.0] * nodes
    for start, chance in enumerate(chances):
        for advanced, weight in zip(advances, weights, strict=True):
            expected[(start + advanced) % nodes] += chance * weight / sum(weights)

    moved = Advance(
        np.full(nodes, least), np.full(nodes, least + more), np.full(nodes, likely), np.full(nodes, deviation)
    ).moved(np.array(chances))

    assert moved.tolist() == pytest.approx(expected)


def test_a_deviation_makes_far_advances_less_likely() -> None:
    advance = Advance(np.full(30, 5), np.full(30, 15), np.full(30, 10), np.full(30, 2.0))
    starts = only(0, nodes=30).after(Attempt([surprise(np.ones(30))], [advance]))

    assert starts.surprises[0].argmin() == 10
    assert starts.surprises[0][[8, 10, 12]].tolist() == pytest.approx([0.5, 0, 0.5], abs=0.01)
    assert kept(starts) == list(range(6, 15))


def test_the_next_search_may_have_another_number_of_workers() -> None:
    surprises = np.full((4, 10), MOST, np.float32)
    surprises[0, 3] = 0
    still = Attempt([surprise(np.ones(10))] * 4, [Advance.between(0, 0, 10)] * 4)

    found = SearchStarts(surprises).after(still, together=2)

    # Of the same order, and not of the other one.
    assert np.argwhere(found.kept).tolist() == [[0, 3], [1, 3]]
    assert found.surprises[0, 3] < found.surprises[1, 3]


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


def test_a_choice_that_is_likelier_than_from_anywhere_is_evidence() -> None:
    def choice(*chances: float) -> Attempt:
        return Attempt([surprise(np.array(chances))], [Advance.between(0, 0, 4)])

    assert only(1, nodes=4).evidence(choice(0, 1, 0, 0)) == pytest.approx(np.log(1 / 0.2875), abs=0.01)
    assert only(1, nodes=4).evidence(choice(0, 0, 1, 0)) == pytest.approx(np.log(0.05 / 0.2875), abs=0.01)
    assert SearchStarts.anywhere(1, 4).evidence(choice(0, 0, 1, 0)) == pytest.approx(0, abs=0.01)


def test_a_quarter_of_the_places_is_few() -> None:
    assert is_narrow(25, 100)
    assert not is_narrow(26, 100)
