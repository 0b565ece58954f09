"""The agreement rate: what counts, over which time, and what is told apart."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import WINDOWS, agreement, rate_of, search_places, tallies
from tests.clusters.journal.decisions import a_decision

pytestmark = pytest.mark.django_db

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason
NEARBY = {"state": "nearby", "ahead": 1, "behind": 0, "milliseconds": 12}


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.objects.create(name="prod", source=Cluster.Source.LIVE)


def test_nothing_judged_has_no_rate(cluster: Cluster) -> None:
    a_decision(cluster, verdict=Verdict.WAITING, basis=None)
    a_decision(cluster, verdict=Verdict.UNJUDGED, reason=Reason.GAP, basis=None)

    rate = agreement(None, now=timezone.now(), since=None)

    assert rate.value is None
    assert (rate.judged, rate.waiting, rate.unjudged) == (0, 1, 1)
    assert rate.unjudged_reasons == {"gap": 1}


def test_the_rate_is_agreements_of_all_kinds_by_what_was_judged(cluster: Cluster) -> None:
    for _ in range(5):
        a_decision(cluster)
    a_decision(cluster, verdict=Verdict.SAMPLED, basis=NEARBY)
    a_decision(cluster, kind=Kind.UNSCHEDULABLE)
    a_decision(cluster, kind=Kind.NOMINATED, verdict=Verdict.DISAGREES, reason=Reason.INFEASIBLE, basis=NEARBY)
    a_decision(cluster, verdict=Verdict.UNJUDGED, reason=Reason.OTHER_SCHEDULER, basis=None)

    rate = agreement([cluster.pk], now=timezone.now(), since=timedelta(hours=1))

    assert (rate.agrees, rate.sampled, rate.disagrees, rate.nearby) == (6, 1, 1, 2)
    assert rate.value == 7 / 8
    assert rate.disagreements == {"infeasible": 1}
    assert rate.unjudged_reasons == {"other-scheduler": 1}


def test_what_agrees_by_its_search_or_on_one_of_equally_good_nodes_is_told_apart(cluster: Cluster) -> None:
    a_decision(cluster)
    for reason in (Reason.SEARCH, Reason.SEARCH, Reason.SEARCH, Reason.TIE, Reason.TIE):
        a_decision(cluster, reason=reason)
    a_decision(cluster, verdict=Verdict.SAMPLED)
    rate = agreement([cluster.pk], now=timezone.now(), since=timedelta(hours=1))
    assert (rate.agrees, rate.by_search, rate.tied, rate.sampled) == (6, 3, 2, 1)
    assert rate.value == 1


def test_searches_are_as_narrow_as_half_of_them_are(cluster: Cluster) -> None:
    assert search_places(None, now=timezone.now()) is None
    for places, ago in ((10, 1), (60, 2), (30, 3), (200, 30)):
        basis = {"state": "before", "search": {"places": places, "nodes": 200}}
        a_decision(cluster, reason=Reason.SEARCH, basis=basis, ago=timedelta(hours=ago))
    a_decision(cluster)

    assert search_places(None, now=timezone.now()) == (3, 0.15)


@pytest.mark.parametrize("kind", [Kind.GATED, Kind.PREEMPTED, Kind.EVICTED])
def test_what_the_scheduler_does_not_decide_counts_nowhere(cluster: Cluster, kind: Decision.Kind) -> None:
    a_decision(cluster, kind=kind, verdict=Verdict.UNJUDGED, reason=Reason.NO_DECISION, basis=None)

    rate = agreement(None, now=timezone.now(), since=None)

    assert (rate.judged, rate.unjudged, rate.waiting) == (0, 0, 0)


def test_windows_clusters_and_kinds_are_told_apart_with_one_query(cluster: Cluster) -> None:
    other = Cluster.objects.create(name="stage", source=Cluster.Source.LIVE)
    a_decision(cluster)
    a_decision(cluster, ago=timedelta(hours=2), verdict=Verdict.DISAGREES, reason=Reason.LOWER_SCORE)
    a_decision(cluster, ago=timedelta(days=3), kind=Kind.UNSCHEDULABLE)
    a_decision(other, verdict=Verdict.DISAGREES, reason=Reason.FITS)

    with CaptureQueriesContext(connection) as queries:
        found = tallies(None, now=timezone.now())

    assert len(queries) == 1
    assert {window: rate_of(found, window).judged for window in WINDOWS} == {"1h": 2, "24h": 3, "all": 4}
    assert {window: rate_of(found, window, cluster_id=cluster.pk).value for window in WINDOWS} == {
        "1h": 1.0, "24h": 0.5, "all": 2 / 3,
    }  # fmt: skip
    assert rate_of(found, "all", kind=Kind.UNSCHEDULABLE).value == 1.0
    assert rate_of(found, "1h", kind=Kind.UNSCHEDULABLE).value is None
