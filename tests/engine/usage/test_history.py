"""Histories of usage: percentiles that are read from counts, against the same from all samples one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.owners import Workload
from clusters.engine.usage import (
    BOUNDS,
    BucketCounts,
    HourlyUsage,
    PodUsage,
    UsageKey,
    UsedAmounts,
    buckets_of,
    percentile,
    statistics_of,
)

KEYS = [
    UsageKey.of(Workload("shop", "Deployment", name), container) for name in ("web", "api") for container in ("a", "b")
]
amounts = st.one_of(st.integers(0, 40), st.integers(0, 2**45))
seen = st.tuples(st.sampled_from(KEYS), st.builds(UsedAmounts, amounts, amounts))
histories = st.lists(st.lists(seen, max_size=12), max_size=5)


def nearest_rank(values: list[int], percent: int) -> int:
    """The least of the values that so many percent of them do not exceed, looked for one by one."""
    return min(value for value in values if 100 * sum(other <= value for other in values) >= percent * len(values))


@given(st.lists(amounts, min_size=1, max_size=30), st.integers(1, 100))
def test_a_percentile_is_by_nearest_rank(values: list[int], percent: int) -> None:
    assert percentile(values, percent) == nearest_rank(values, percent)


def test_of_nothing_there_is_no_percentile() -> None:
    assert percentile([], 95) == 0
    assert statistics_of([]) == {}
    assert statistics_of([HourlyUsage.of([])]) == {}


@given(histories)
def test_statistics_are_those_of_all_samples(history: list[list[tuple[UsageKey, UsedAmounts]]]) -> None:
    found = statistics_of(HourlyUsage.of(hour) for hour in history)

    assert set(found) == {key for hour in history for key, _ in hour}
    for key, statistics in found.items():
        samples = [used for hour in history for each, used in hour if each == key]
        assert statistics.samples == len(samples)
        assert statistics.hours == sum(any(each == key for each, _ in hour) for hour in history)
        for usage, values in (
            (statistics.cpu, [used.cpu_milli for used in samples]),
            (statistics.memory, [used.memory_bytes for used in samples]),
        ):
            assert usage.maximum == max(values)
            assert usage.mean == -(-sum(values) // len(values))
            for told, percent in ((usage.median, 50), (usage.high, 95)):
                true = nearest_rank(values, percent)
                assert true <= told <= max(true, true * 21 // 20)


@given(histories)
def test_the_order_of_samples_makes_no_difference(history: list[list[tuple[UsageKey, UsedAmounts]]]) -> None:
    shuffled = [sorted(hour, key=lambda each: (each[1], each[0]), reverse=True) for hour in reversed(history)]

    assert statistics_of(map(HourlyUsage.of, shuffled)) == statistics_of(map(HourlyUsage.of, history))


@given(st.lists(seen, max_size=12))
def test_an_hour_is_read_back_as_it_was_written(hour: list[tuple[UsageKey, UsedAmounts]]) -> None:
    written = HourlyUsage.of(hour).as_dict()

    read = HourlyUsage.from_dict(written)

    assert read.as_dict() == written
    assert statistics_of([read]) == statistics_of([HourlyUsage.of(hour)])


@given(st.lists(amounts, min_size=1, max_size=20))
def test_an_amount_counts_below_the_bound_of_its_bucket_alone(values: list[int]) -> None:
    numbers = buckets_of(np.array(values, np.int64))

    for value, number in zip(values, numbers.tolist(), strict=True):
        assert value <= BOUNDS[number]
        assert number == 0 or BOUNDS[number - 1] < value


def test_what_no_node_has_counts_in_the_outermost_buckets() -> None:
    assert buckets_of(np.array([-5, 2**62 + 1], np.int64)).tolist() == [0, len(BOUNDS) - 1]


def test_a_key_without_amounts_has_percentiles_of_0() -> None:
    counts = BucketCounts(3, np.array([1]), buckets_of(np.array([7])), np.array([4]))

    assert [found.tolist() for found in counts.percentiles((1, 95))] == [[0, 7, 0], [0, 7, 0]]


def test_a_pod_uses_what_its_containers_use() -> None:
    pod = PodUsage("shop", "web-1", {"app": UsedAmounts(20, 300), "proxy": UsedAmounts(5, 40)})

    assert pod.key == "shop/web-1"
    assert pod.total == UsedAmounts(25, 340)
