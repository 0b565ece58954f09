"""The order in which equals come out is that of Go's ``sort.Slice``, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.scheduling.search import unstable_sort

if TYPE_CHECKING:
    from collections.abc import Callable

# How the key of element i of n is made: few different keys, so that the places of equals tell the steps apart.
KEYS: dict[str, Callable[[int, int], int]] = {
    "all equal": lambda i, n: 0,
    "two values": lambda i, n: i % 2,
    "three values": lambda i, n: i * 7 % 3,
    "reversed": lambda i, n: n - 1 - i,
    "reversed pairs": lambda i, n: (n - 1 - i) // 2,
    "scattered": lambda i, n: i * i * 31 % 11,
    "last out of place": lambda i, n: 0 if i == n - 1 else i // 3,
}

# (keys, n, whether equals count as less, the places as Go 1.26 left them). The sizes stand on both sides of 12, where
# insertion sort ends, and of 50, where a better pivot is sought and what is nearly sorted gets repaired.
GO = [
    ("all equal", 0, False, ""),
    ("all equal", 1, False, "0"),
    ("two values", 12, False, "0 2 4 6 8 10 1 3 5 7 9 11"),
    ("all equal", 12, True, "11 10 9 8 7 6 5 4 3 2 1 0"),
    ("two values", 13, False, "8 12 2 0 4 10 6 3 7 9 5 11 1"),
    ("last out of place", 13, False, "12 1 2 0 3 4 5 6 8 7 9 10 11"),
    ("all equal", 20, True, "6 0 4 16 12 3 17 1 9 15 14 7 5 13 8 18 2 11 19 10"),
    ("reversed pairs", 20, False, "19 18 17 16 15 14 12 13 10 11 9 8 7 6 5 4 3 2 0 1"),
    (
        "three values",
        49,
        False,
        (
            "24 18 48 3 45 42 6 39 36 9 33 30 12 27 0 15 21 37 10 19 46 16 22 4 1 43 25 13 28 40 7 31 34 41 29 35 "
            "8 26 38 11 32 14 5 17 44 23 20 47 2"
        ),
    ),
    (
        "reversed",
        49,
        False,
        (
            "48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 "
            "15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"
        ),
    ),
    (
        "two values",
        50,
        False,
        (
            "12 28 2 46 4 44 6 42 8 40 10 38 48 14 26 34 16 32 18 30 20 36 22 0 24 23 25 27 21 29 19 31 17 33 15 "
            "35 13 37 11 39 9 41 7 43 5 45 3 47 1 49"
        ),
    ),
    (
        "all equal",
        50,
        True,
        (
            "6 49 34 10 18 26 2 40 44 7 12 16 28 8 46 21 24 0 43 32 23 45 39 17 31 13 15 29 11 37 9 27 14 41 5 25 "
            "20 22 1 42 38 48 36 47 30 33 35 4 3 19"
        ),
    ),
    (
        "scattered",
        51,
        False,
        (
            "0 22 44 11 33 40 37 7 4 29 26 15 48 18 35 42 46 2 13 31 20 9 24 8 47 25 14 41 3 36 30 19 5 17 50 6 "
            "49 16 38 39 28 27 23 43 10 45 32 12 1 21 34"
        ),
    ),
    (
        "reversed pairs",
        51,
        False,
        (
            "50 49 48 47 46 45 44 43 41 42 39 40 38 37 35 36 34 33 32 31 30 29 28 27 26 25 23 24 22 21 20 19 18 "
            "17 16 15 13 14 12 11 10 9 8 7 6 5 4 3 2 1 0"
        ),
    ),
    (
        "scattered",
        100,
        False,
        (
            "22 88 44 55 33 66 99 77 0 11 62 70 48 51 84 40 81 37 18 7 59 4 92 15 95 73 26 29 20 24 57 31 64 75 "
            "46 35 9 68 79 97 90 53 42 13 2 86 74 30 3 96 91 8 52 41 85 14 80 19 58 36 25 47 69 63 72 16 49 5 28 "
            "94 27 71 61 60 93 6 50 38 39 17 83 82 43 21 78 54 12 87 10 89 56 65 76 23 34 67 32 45 98 1"
        ),
    ),
    (
        "two values",
        100,
        True,
        (
            "38 54 10 34 26 18 44 4 74 62 32 28 80 36 48 50 22 16 98 12 78 76 94 72 86 68 70 84 66 92 64 82 30 96 "
            "60 42 58 2 6 46 8 20 56 52 14 88 90 40 0 24 61 45 89 65 73 81 75 95 99 37 67 71 83 63 51 23 19 79 1 "
            "87 21 49 5 27 13 31 29 15 33 7 35 17 69 3 39 55 77 57 97 93 53 91 43 47 85 11 9 59 41 25"
        ),
    ),
]


@pytest.mark.parametrize(
    ("keys", "size", "equals_are_less", "expected"),
    [pytest.param(*case, id=f"{case[0]}, {case[1]}{', equals are less' if case[2] else ''}") for case in GO],
)
def test_leaves_equals_where_go_leaves_them(keys: str, size: int, equals_are_less: bool, expected: str) -> None:
    key = [KEYS[keys](number, size) for number in range(size)]

    def less(left: int, right: int) -> bool:
        return key[left] <= key[right] if equals_are_less else key[left] < key[right]

    assert unstable_sort(range(size), less) == [int(place) for place in expected.split()]


def test_the_golden_orders_tell_it_from_a_stable_sort() -> None:
    stable = [
        sorted(range(size), key=lambda number: KEYS[keys](number, size)) == [int(place) for place in expected.split()]
        for keys, size, _, expected in GO
    ]

    assert stable.count(False) >= 10


@given(items=st.lists(st.integers(0, 9), max_size=200))
def test_sorts_without_losing_anything(items: list[int]) -> None:
    assert unstable_sort(items, lambda left, right: left < right) == sorted(items)


@given(answers=st.lists(st.booleans(), min_size=1, max_size=50), size=st.integers(0, 120))
def test_a_less_that_contradicts_itself_loses_nothing(answers: list[bool], size: int) -> None:
    """The scheduler's own comparison of pods that have not started is of this kind."""
    turns = 0

    def less(left: int, right: int) -> bool:
        nonlocal turns
        turns += 1
        return answers[turns % len(answers)]

    assert sorted(unstable_sort(range(size), less)) == list(range(size))


@given(items=st.lists(st.integers()))
def test_the_given_sequence_is_left_alone(items: list[int]) -> None:
    before = list(items)
    unstable_sort(items, lambda left, right: left < right)

    assert items == before
