"""Where waiting pods stand, in which order they are tried, and which events wake them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine.configuration import Backoff
from clusters.engine.queueing import IN_LINE, QueuePlace, Waiting, line_up, place_of

SECOND = 1_000_000_000
NOW = 1_000 * SECOND


def tried(priority: int = 0, *, ago: int, failures: int = 1, is_awake: bool = False) -> Waiting:
    return Waiting(priority, 0, failures, NOW - ago * SECOND, was_tried=True, is_awake=is_awake)


@pytest.mark.parametrize(
    ("pod", "place"),
    [
        (Waiting(0, 0), QueuePlace.ACTIVE),
        (Waiting(0, 0, was_tried=True), QueuePlace.UNSCHEDULABLE),
        (Waiting(0, 0, was_tried=True, is_awake=True), QueuePlace.ACTIVE),
        (tried(ago=1), QueuePlace.UNSCHEDULABLE),
        (tried(ago=400), QueuePlace.UNSCHEDULABLE),
        # One failure rests a second, and to the end of the second in which that ends.
        (tried(ago=1, is_awake=True), QueuePlace.BACKOFF),
        (tried(ago=2, is_awake=True), QueuePlace.ACTIVE),
        (tried(ago=8, failures=4, is_awake=True), QueuePlace.BACKOFF),
        (tried(ago=11, failures=40, is_awake=True), QueuePlace.ACTIVE),
        (Waiting(0, 0, outside=QueuePlace.GATED), QueuePlace.GATED),
        (Waiting(0, 0, was_tried=True, outside=QueuePlace.BINDING), QueuePlace.BINDING),
        (Waiting(0, 0, outside=QueuePlace.OTHER_SCHEDULER), QueuePlace.OTHER_SCHEDULER),
    ],
)
def test_place_follows_from_what_is_known(pod: Waiting, place: QueuePlace) -> None:
    assert place_of(pod, Backoff(), NOW) is place


def test_higher_priority_goes_first_then_who_was_queued_earlier() -> None:
    pods = [Waiting(5, 30), Waiting(9, 90), Waiting(5, 20), Waiting(5, None), Waiting(-1, 0)]

    assert [standing.row for standing in line_up(pods, Backoff(), NOW)] == [1, 2, 0, 3, 4]


def test_a_failure_is_a_new_entry_into_the_queue() -> None:
    older, newer = Waiting(0, 10, 3, NOW, was_tried=True), Waiting(0, 20, 3, NOW - SECOND, was_tried=True)

    assert [standing.row for standing in line_up([older, newer], Backoff(), NOW)] == [1, 0]


def test_rests_that_end_in_the_same_second_are_sorted_by_priority() -> None:
    in_one_second = [
        Waiting(0, 0, 4, NOW - SECOND, was_tried=True, is_awake=True),
        Waiting(9, 0, 4, NOW - SECOND // 2, was_tried=True, is_awake=True),
    ]
    sooner = tried(-5, ago=1, is_awake=True)

    assert [standing.row for standing in line_up([*in_one_second, sooner], Backoff(), NOW)] == [2, 1, 0]


def test_who_is_not_in_line_has_no_rank_and_comes_last() -> None:
    pods = [
        Waiting(9, 0, outside=QueuePlace.GATED),
        Waiting(0, 0),
        tried(7, ago=60),
        Waiting(9, 0, outside=QueuePlace.OTHER_SCHEDULER),
    ]

    found = line_up(pods, Backoff(), NOW)

    assert [(standing.row, standing.rank) for standing in found] == [(1, 1), (2, 2), (0, 0), (3, 0)]


_waiting = st.builds(
    Waiting,
    priority=st.integers(-5, 5),
    created_at=st.none() | st.integers(0, NOW),
    failures=st.integers(0, 8),
    failed_at=st.none() | st.integers(NOW - 20 * SECOND, NOW),
    was_tried=st.booleans(),
    is_awake=st.booleans(),
    outside=st.sampled_from([None, None, QueuePlace.GATED, QueuePlace.BINDING, QueuePlace.OTHER_SCHEDULER]),
)


@settings(deadline=None)
@given(st.lists(_waiting, max_size=30))
def test_every_pod_stands_once_and_ranks_count_those_in_line(pods: list[Waiting]) -> None:
    found = line_up(pods, Backoff(), NOW)

    assert sorted(standing.row for standing in found) == list(range(len(pods)))
    in_line = [standing for standing in found if standing.place in IN_LINE]
    assert [standing.rank for standing in in_line] == list(range(1, len(in_line) + 1))
    assert found[: len(in_line)] == in_line
    assert all(standing.place is place_of(pods[standing.row], Backoff(), NOW) for standing in found)


@settings(deadline=None)
@given(st.lists(_waiting, min_size=2, max_size=20))
def test_within_a_place_nobody_passes_one_of_higher_priority(pods: list[Waiting]) -> None:
    found = line_up(pods, Backoff(), NOW)

    for place in (QueuePlace.ACTIVE, QueuePlace.UNSCHEDULABLE):
        priorities = [pods[standing.row].priority for standing in found if standing.place is place]
        assert priorities == sorted(priorities, reverse=True)
