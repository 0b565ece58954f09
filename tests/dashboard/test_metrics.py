"""Metrics: who may read them, what they say, and that they cost the same however much there is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from clusters.models import Cluster, Decision, WatchedKind, WatchLease
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = pytest.mark.django_db

TOKEN = "0123456789abcdef"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
Verdict, Reason, Kind = Decision.Verdict, Decision.Reason, Decision.Kind


@pytest.fixture(autouse=True)
def token(settings: Any) -> None:
    settings.BERTH_METRICS_TOKEN = TOKEN


def samples(client: Client) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the numbers by name and the labels' values, which are in the order of the labels' names."""
    response = client.get("/metrics", headers=BEARER)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def test_stranger_is_told_what_to_do(client: Client) -> None:
    for header in [None, "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"]:
        response = client.get("/metrics", headers={"Authorization": header} if header else {})
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == "Bearer"
        assert "BERTH_METRICS_TOKEN" in response.text


def test_no_token_opens_to_nobody(client: Client, settings: Any) -> None:
    settings.BERTH_METRICS_TOKEN = ""

    for header in [None, "Bearer ", "Bearer"]:
        assert client.get("/metrics", headers={"Authorization": header} if header else {}).status_code == 401


def test_only_staff_may_read_them_in_a_browser(signed_in_client: Client, user: User) -> None:
    assert signed_in_client.get("/metrics").status_code == 401
    user.is_staff = True
    user.save()

    assert signed_in_client.get("/metrics").status_code == 200


def test_decisions_and_agreement_by_window(client: Client) -> None:
    cluster = a_cluster(source=Cluster.Source.LIVE)
    nearby = {"state": "nearby", "ahead": 0, "behind": 1, "milliseconds": 3}
    for _ in range(3):
        a_decision(cluster)
    a_decision(cluster, basis=nearby)
    a_decision(cluster, ago=timedelta(hours=2), verdict=Verdict.DISAGREES, reason=Reason.FITS, kind=Kind.UNSCHEDULABLE)
    a_decision(cluster, kind=Kind.GATED, verdict=Verdict.UNJUDGED, reason=Reason.NO_DECISION, basis=None)

    found = samples(client)

    assert found["berth_decisions", ("prod", "bound", "", "agrees", "1h")] == 4
    assert found["berth_decisions", ("prod", "unschedulable", "fits", "disagrees", "1h")] == 0
    assert found["berth_decisions", ("prod", "unschedulable", "fits", "disagrees", "24h")] == 1
    assert found["berth_decisions", ("prod", "gated", "no-decision", "unjudged", "all")] == 1
    assert found["berth_agreement_ratio", ("prod", "1h")] == 1
    assert found["berth_agreement_ratio", ("prod", "24h")] == 0.8
    assert found["berth_agreement_nearby_ratio", ("prod", "1h")] == 0.25


def test_no_rate_without_a_judgement(client: Client) -> None:
    a_decision(a_cluster(source=Cluster.Source.LIVE), verdict=Verdict.WAITING, basis=None)

    assert not [name for name, _ in samples(client) if name.startswith("berth_agreement")]


def test_how_clusters_are_followed(client: Client) -> None:
    now = timezone.now()
    prod = a_cluster(source=Cluster.Source.LIVE, revision=12)
    a_cluster("dumped", revision=4)
    a_cluster("unfollowed", source=Cluster.Source.LIVE)
    WatchLease.objects.create(
        cluster=prod, holder="test", token=1, acquired_at=now, heartbeat_at=now, expires_at=now, lag_ms=250
    )
    for kind, state, ago in (("Pod", "ok", 30), ("Node", "silent", 90), ("ResourceClaim", "unserved", None)):
        moment = None if ago is None else now - timedelta(seconds=ago)
        WatchedKind.objects.create(
            cluster=prod, kind=kind, state=state, state_since=now, last_event_at=moment, last_contact_at=moment
        )

    found = samples(client)

    assert found["berth_cluster_revision", ("prod",)] == 12
    assert found["berth_cluster_revision", ("dumped",)] == 4
    assert found["berth_watch_up", ("prod",)] == 1
    assert found["berth_watch_up", ("unfollowed",)] == 0
    assert ("berth_watch_up", ("dumped",)) not in found
    assert found["berth_watch_lag_seconds", ("prod",)] == 0.25
    assert found["berth_watch_kind_up", ("prod", "Pod")] == 1
    assert found["berth_watch_kind_up", ("prod", "Node")] == 0
    assert ("berth_watch_kind_up", ("prod", "ResourceClaim")) not in found
    assert found["berth_watch_last_event_age_seconds", ("prod", "Pod")] == pytest.approx(30, abs=5)
    assert found["berth_watch_last_contact_age_seconds", ("prod", "Node")] == pytest.approx(90, abs=5)


def test_number_of_queries_does_not_grow(client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            samples(client)
        return len(captured)

    a_decision(a_cluster("first", source=Cluster.Source.LIVE))
    few = queries()
    for number in range(12):
        cluster = a_cluster(f"c{number}", source=Cluster.Source.LIVE)
        a_decision(cluster)
        a_decision(cluster, verdict=Verdict.DISAGREES, reason=Reason.FITS)

    assert queries() == few == 4
