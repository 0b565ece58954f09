"""Scores from amounts, held against exact arithmetic."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, strategies as st

from clusters.engine.scoring import least_allocated, most_allocated, weighted_mean

# Up to where a hundred times as much is still a number of int64, and beyond, where it is exact from 1.38 on.
AMOUNTS = st.integers(0, (2**63 - 1) // 100)
ANY_AMOUNTS = st.integers(0, 2**63 - 1)


@given(allocatable=AMOUNTS, asked=AMOUNTS, is_exact=st.booleans())
@example(allocatable=2**50 - 1, asked=0, is_exact=False)
@example(allocatable=3 * 2**51 - 1, asked=2**51, is_exact=False)
@example(allocatable=(2**53 - 1) // 100, asked=1, is_exact=False)
@example(allocatable=2**56, asked=2**56 - 1, is_exact=False)
def test_quotients_are_those_of_integers(allocatable: int, asked: int, is_exact: bool) -> None:
    _assert_quotients(allocatable, asked, is_exact=is_exact)


@given(allocatable=ANY_AMOUNTS, asked=ANY_AMOUNTS)
@example(allocatable=2**63 - 1, asked=2**62)
def test_quotients_of_huge_amounts_do_not_wrap(allocatable: int, asked: int) -> None:
    _assert_quotients(allocatable, asked, is_exact=True)


def _assert_quotients(allocatable: int, asked: int, *, is_exact: bool) -> None:
    amounts = np.array([[asked]], np.int64), np.array([[allocatable]], np.int64)
    free = 0 if not allocatable or asked > allocatable else (allocatable - asked) * 100 // allocatable
    used = 0 if not allocatable else min(asked, allocatable) * 100 // allocatable

    assert least_allocated(*amounts, is_exact=is_exact).tolist() == [[free]]
    assert most_allocated(*amounts, is_exact=is_exact).tolist() == [[used]]


@given(
    nodes=st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100), st.booleans(), st.booleans()), min_size=1),
    weights=st.tuples(st.integers(1, 100), st.integers(1, 100)),
)
def test_a_mean_counts_what_a_node_has(nodes: list[tuple[int, int, bool, bool]], weights: tuple[int, int]) -> None:
    scores = np.array([node[:2] for node in nodes], np.int64).T
    has = np.array([node[2:] for node in nodes], np.int64).T
    wanted = []
    for node in nodes:
        counted = [
            (score, weight) for score, weight, is_there in zip(node[:2], weights, node[2:], strict=True) if is_there
        ]
        whole = sum(weight for _, weight in counted)
        wanted.append(sum(score * weight for score, weight in counted) // whole if whole else 0)

    assert weighted_mean(scores, has, weights).tolist() == wanted
