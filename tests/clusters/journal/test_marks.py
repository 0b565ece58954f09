"""The timeline of a cluster, a workload or a pod: decisions counted in steps that suit the time asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from clusters.models import Cluster, Decision, NodeChange
from clusters.services.journal.timeline import Mark, Marks, marks_of
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster

pytestmark = pytest.mark.django_db

Kind = Decision.Kind
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster(source=Cluster.Source.LIVE)


def marks(cluster: Cluster, length: timedelta, *, nodes: list[str] | None = None) -> Marks:
    return marks_of(
        Decision.objects.filter(cluster=cluster), cluster=cluster, nodes=nodes, start=NOON, end=NOON + length
    )


def decided(cluster: Cluster, number: int, minutes: float, kind: Decision.Kind = Kind.BOUND) -> Decision:
    at = NOON + timedelta(minutes=minutes)
    return a_decision(cluster, f"pod-{number}", kind=kind, heard_at=at)


@pytest.mark.parametrize(
    ("length", "step"),
    [
        (timedelta(hours=1), timedelta(minutes=1)),
        (timedelta(hours=4), timedelta(minutes=5)),
        (timedelta(hours=24), timedelta(minutes=15)),
        (timedelta(days=3), timedelta(hours=1)),
        (timedelta(days=60), timedelta(days=1)),
        (timedelta(days=400), timedelta(days=7)),
    ],
)
def test_the_step_suits_the_length(cluster: Cluster, length: timedelta, step: timedelta) -> None:
    assert marks(cluster, length).step == step


def test_decisions_of_a_kind_in_one_step_are_one_mark_with_the_first_of_them(cluster: Cluster) -> None:
    first = decided(cluster, 1, 16)
    decided(cluster, 2, 29.9)
    later = decided(cluster, 3, 30)
    other = decided(cluster, 4, 17, Kind.EVICTED)
    decided(cluster, 5, -1)
    decided(cluster, 6, 24 * 60)

    found = marks(cluster, timedelta(hours=24))

    quarter = NOON + timedelta(minutes=15)
    assert found.marks == [
        Mark(quarter, "bound", 2, first.pk),
        Mark(quarter, "evicted", 1, other.pk),
        Mark(NOON + timedelta(minutes=30), "bound", 1, later.pk),
    ]


def test_changes_are_of_the_time_the_cluster_and_the_nodes_that_are_asked_for(cluster: Cluster) -> None:
    for where, name, minutes in (
        (cluster, "a", 5),
        (cluster, "b", 4),
        (cluster, "a", -5),
        (a_cluster("other"), "a", 5),
    ):
        at = NOON + timedelta(minutes=minutes)
        NodeChange.objects.create(cluster=where, kind="cordoned", node_name=name, heard_at=at)

    every, some = marks(cluster, timedelta(hours=1)), marks(cluster, timedelta(hours=1), nodes=["a"])

    assert [each.node_name for each in every.changes] == ["b", "a"]
    assert [each.node_name for each in some.changes] == ["a"]
