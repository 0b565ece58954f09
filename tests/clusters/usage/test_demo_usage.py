"""The demo's usage: a day that is the same every time, with over- and under-requested workloads."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clusters.demo import demo_objects
from clusters.demo.identity import NOW
from clusters.demo.usage import HOURS, demo_usage

pytestmark = pytest.mark.unmeasured


def test_the_samples_are_the_same_every_time_and_of_the_pods_that_run() -> None:
    objects = demo_objects()

    found, again = demo_usage(objects), demo_usage(objects)

    assert found.hours == again.hours
    assert len(found.hours) == HOURS
    assert max(found.hours) == NOW.replace(minute=0) - timedelta(hours=1)
    running = {
        f"{each['metadata']['namespace']}/{each['metadata']['name']}"
        for each in objects
        if each["kind"] == "Pod" and each.get("status", {}).get("phase") == "Running"
    }
    assert all(set(hour.pods) == running for hour in found.hours.values())
