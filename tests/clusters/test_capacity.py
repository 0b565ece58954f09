"""Hourly samples: what they hold, when they are taken, and how long they are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from clusters.models import CapacitySample, Cluster
from clusters.services.reports import capacity_samples as capacity
from tests.clusters.reports.review_cluster import objects, review_cluster
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def test_sample_holds_amounts_by_zone_and_namespace(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    cluster.refresh_from_db()

    taken = capacity.sample(cluster=cluster)

    assert taken is not None
    assert (taken.at.minute, taken.at.second) == (0, 0)
    found = taken.amounts
    assert (found["nodes"], found["usable"], found["pods"], found["pending"]) == (4, 4, 6, 1)
    assert found["resources"]["cpu"] == [3_100, 20_000]
    assert found["zones"]["south"]["cpu"] == [1_500, 12_000]
    assert found["namespaces"]["shop"] == [2_500, 1_792 * 1024**2, 4]
    assert list(found["namespaces"]) == ["shop", "data", "ops"]
    assert len(taken.packed_amounts) < 500


def test_dump_has_one_sample_a_state(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    for _ in range(2):
        assert capacity.sample_all() == 1
    cluster = load(tmp_path, cluster.name, [each for each in objects() if each["metadata"]["name"] != "web-4"])

    assert capacity.sample_all() == 1

    assert CapacitySample.objects.get().amounts["pods"] == 5


def test_followed_cluster_keeps_the_hours_first_sample(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    Cluster.objects.update(source=Cluster.Source.LIVE)
    cluster.refresh_from_db()
    first = capacity.sample(cluster=cluster)
    Cluster.objects.update(revision=cluster.revision + 1)
    cluster.refresh_from_db()

    assert capacity.sample(cluster=cluster) == first
    assert CapacitySample.objects.count() == 1


def test_cluster_without_a_state_has_none() -> None:
    Cluster.objects.create(name="empty")
    assert capacity.sample_all() == 0


def test_old_samples_go_but_for_the_latest(tmp_path: Path) -> None:
    old, new = review_cluster(tmp_path, "old"), review_cluster(tmp_path, "new")
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    for cluster, days in ((old, 500), (old, 450), (new, 500), (new, 1)):
        taken = CapacitySample(cluster=cluster, at=now - timedelta(days=days))
        taken.amounts = {}
        taken.save()

    assert capacity.prune(keep=timedelta(days=400)) == 2

    assert {(each.cluster.name, (now - each.at).days) for each in CapacitySample.objects.all()} == {
        ("old", 450),
        ("new", 1),
    }
