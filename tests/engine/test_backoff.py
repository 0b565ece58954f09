from __future__ import annotations

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.configuration import Backoff, tried_again_by

SECOND = 1_000_000_000
V1 = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


@pytest.mark.parametrize(
    ("backoff", "rests"),
    [
        (Backoff(), [0, 1, 2, 4, 8, 10, 10]),
        (Backoff(1, 1), [0, 1, 1, 1]),
        (Backoff(3, 20), [0, 3, 6, 12, 20, 20]),
        (Backoff(2, 64), [0, 2, 4, 8, 16, 32, 64, 64]),
    ],
)
def test_rest_doubles_up_to_the_longest(backoff: Backoff, rests: list[int]) -> None:
    assert [backoff.after(failures) for failures in range(len(rests))] == rests


def test_rest_after_very_many_failures_is_the_longest() -> None:
    assert Backoff().after(5_000) == 10


def test_rest_ends_with_a_whole_second() -> None:
    failed_at = 100 * SECOND + 700_000_000

    assert Backoff().over_at(failed_at, 1) == 102 * SECOND
    assert Backoff().over_at(failed_at, 3) == 105 * SECOND
    assert Backoff().over_at(100 * SECOND, 1) == 102 * SECOND


def test_pod_that_never_failed_does_not_rest() -> None:
    assert Backoff().over_at(100 * SECOND + 5, 0) == 100 * SECOND + 5


def test_pod_that_nothing_wakes_is_tried_after_five_minutes_and_one_round() -> None:
    assert tried_again_by(0) == 330 * SECOND


def test_configuration_says_how_long_pods_rest() -> None:
    assert SchedulerConfiguration.default().backoff == Backoff(1, 10)
    told = SchedulerConfiguration.from_dict({**V1, "podInitialBackoffSeconds": 3, "podMaxBackoffSeconds": 40})
    assert told.backoff == Backoff(3, 40)
