"""The demo's usage: a day that is the same every time, with over- and under-requested workloads."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clusters.demo import demo_objects
from clusters.demo.identity import NOW
from clusters.demo.usage import HOURS, demo_usage
from clusters.engine.usage import Sizing
from clusters.models import Cluster, UsageHour
from clusters.services.ingest.demo import DEMO_CLUSTER, load_demo
from clusters.services.usage.history import newest_pods, sizing_of

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


@pytest.mark.django_db
def test_the_demo_is_loaded_with_a_day_of_usage() -> None:
    load_demo()

    cluster = Cluster.objects.get(name=DEMO_CLUSTER)
    assert UsageHour.objects.filter(cluster=cluster).count() == HOURS
    sizing = sizing_of(cluster=cluster)
    assert sizing is not None
    for state in (Sizing.OVER, Sizing.UNDER, Sizing.FITTING):
        assert any(each.has(state) for each in sizing.workloads)
    # Requests of the shop leave a third of what they ask for unused.
    assert sizing.freed.cpu_milli > sizing.requested.cpu_milli // 4
    assert len(newest_pods(cluster=cluster)) > 800

    UsageHour.objects.all().delete()
    assert load_demo() is None

    assert UsageHour.objects.filter(cluster=cluster).count() == HOURS
