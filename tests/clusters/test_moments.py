"""The moment that a cluster's state is about: the last time that a dump mentions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import Cluster
from clusters.services.mirror.snapshots import last_moment
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 1, 1, 9, tzinfo=UTC)


def born(document: dict[str, Any], at: datetime) -> dict[str, Any]:
    return {**document, "metadata": {**document["metadata"], "creationTimestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ")}}


def an_event(last: datetime) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"namespace": "default", "name": "seen", "uid": "seen"},
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "web"},
        "lastTimestamp": last.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


@pytest.mark.parametrize("latest", ["node", "placed pod", "event"])
def test_it_is_the_last_time_of_whatever_the_dump_holds(tmp_path: Path, latest: str) -> None:
    def at(what: str) -> datetime:
        return NINE if what == latest else NINE - timedelta(hours=1)

    placed = born(pod("web", nodeName="n1"), at("placed pod"))
    cluster = load(tmp_path, "shop", [born(node("n1", "a"), at("node")), placed, an_event(at("event"))])

    assert last_moment(cluster) == NINE


def test_a_dump_goes_no_further_than_when_it_was_read(tmp_path: Path) -> None:
    ahead = born(node("n1", "a"), datetime.now(UTC) + timedelta(days=30))
    cluster = load(tmp_path, "shop", [ahead])

    assert cluster.last_sync is not None
    assert last_moment(cluster) == cluster.last_sync


def test_without_any_time_it_is_when_the_dump_was_read(tmp_path: Path) -> None:
    cluster = load(tmp_path, "shop", [node("n1", "a")])

    assert cluster.last_sync is not None
    assert last_moment(cluster) == cluster.last_sync


def test_a_newer_dump_moves_it_and_the_same_state_is_asked_once(tmp_path: Path) -> None:
    cluster = load(tmp_path, "shop", [born(node("n1", "a"), NINE - timedelta(hours=2))])
    before = last_moment(cluster)
    cluster = load(tmp_path, "shop", [born(node("n1", "a"), NINE - timedelta(hours=2)), an_event(NINE)])

    assert (before, last_moment(cluster)) == (NINE - timedelta(hours=2), NINE)
    with CaptureQueriesContext(connection) as asked:
        last_moment(cluster)
    assert not len(asked)


def test_a_cluster_that_is_followed_is_about_now() -> None:
    assert last_moment(Cluster.objects.create(name="live", source=Cluster.Source.LIVE, last_sync=NINE)) is None
