"""The agreement rate on its page, on the overview and on a live cluster's page."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, Decision
from clusters.wording.amounts import rate
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster
from tests.support.mirrored import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

Verdict, Reason, Kind = Decision.Verdict, Decision.Reason, Decision.Kind


@pytest.mark.parametrize(
    ("part", "whole", "written"),
    [
        (0, 0, "–"),
        (0, 7, "0.00 %"),
        (7, 7, "100 %"),
        (9_999, 10_000, "99.99 %"),
        # Rounding up would hide the one that disagrees.
        (99_999, 100_000, "99.99 %"),
        (2, 3, "66.66 %"),
    ],
)
def test_a_rate_is_never_rounded_up(part: int, whole: int, written: str) -> None:
    assert rate(part, whole) == written


def test_page_shows_rates_by_window_cluster_and_kind(signed_in_client: Client) -> None:
    prod, stage = (a_cluster(name, source=Cluster.Source.LIVE) for name in ("prod", "stage"))
    a_cluster("dumped")
    nearby = {"state": "nearby", "ahead": 0, "behind": 1, "milliseconds": 3}
    a_decision(prod, "fine", basis=nearby)
    a_decision(prod, "odd", ago=timedelta(hours=2), verdict=Verdict.DISAGREES, reason=Reason.LOWER_SCORE)
    a_decision(stage, "big", ago=timedelta(days=2), kind=Kind.UNSCHEDULABLE)
    a_decision(stage, "blind", verdict=Verdict.UNJUDGED, reason=Reason.GAP, basis=None)
    a_decision(stage, "gated", kind=Kind.GATED, verdict=Verdict.UNJUDGED, reason=Reason.NO_DECISION)

    words = text(signed_in_client, "/agreement/")

    assert (
        "Agrees (1 h) 100 % Judged: 1 Disagree: 0. Within sampling: 0. By where the search began: 0. One of several "
        "best nodes: 0. Nearby state: 1 (100 " in words
    )
    assert "Agrees (24 h) 50.00 % Judged: 2 Disagree: 1." in words
    assert "Agrees (whole journal) 66.66 % Judged: 3" in words
    assert "Nearby state: 1 (33.33 %)." in words
    assert " prod 100 % 1 50.00 % 2 50.00 % 2 " in words
    assert " stage – 0 – 0 100 % 1 " in words
    assert "Another node scores higher 0 1 1" in words
    assert "Nothing to compare with" not in words
    assert " dumped " not in words


def test_what_agrees_by_its_search_is_counted_and_how_narrow_that_was(signed_in_client: Client) -> None:
    cluster = a_cluster(source=Cluster.Source.LIVE)
    for places in (10, 20, 80):
        a_decision(cluster, reason=Reason.SEARCH, basis={"state": "before", "search": {"places": places, "nodes": 400}})
    a_decision(cluster, verdict=Verdict.SAMPLED)
    a_decision(cluster, reason=Reason.TIE)

    words = text(signed_in_client, "/agreement/")

    assert "Within sampling: 1. By where the search began: 3 (75.00 %)." in words
    assert "One of several best nodes: 1 (20.00 %)." in words
    assert (
        "Of the latest 3 decisions that agree by where their search began, half left at most 5.00 % of all places"
        in words
    )


def test_every_disagreement_is_listed_and_paged(signed_in_client: Client) -> None:
    cluster = a_cluster(source=Cluster.Source.LIVE)
    for number in range(55):
        a_decision(cluster, f"p{number}", ago=timedelta(minutes=number), verdict=Verdict.DISAGREES, reason=Reason.FITS)
    a_decision(cluster, "fine")

    first = signed_in_client.get("/agreement/")
    second = signed_in_client.get(f"/agreement/?older={first.context['page'].older}", headers={"HX-Request": "true"})

    assert first.text.count('<span class="small">The pod fits</span>') == 50
    assert second.text.count('<span class="small">The pod fits</span>') == 5
    assert "<html" not in second.text
    assert "fine</a>" not in first.text


def test_nothing_judged_is_said_and_no_percentage_given(signed_in_client: Client) -> None:
    a_decision(a_cluster(source=Cluster.Source.LIVE), verdict=Verdict.UNJUDGED, reason=Reason.GAP, basis=None)

    words = text(signed_in_client, "/agreement/")

    assert "No rate: no decision judged (1 h); observed: 1." in words
    assert "%" not in words.partition("By cluster")[0]


def test_without_a_live_cluster_no_rate_is_told(signed_in_client: Client) -> None:
    a_cluster()
    assert "No live cluster" in signed_in_client.get("/agreement/").text

    for address in ("/clusters/", "/clusters/prod/"):
        assert "the scheduler:" not in text(signed_in_client, address)
        assert "No rate" not in text(signed_in_client, address)


def test_overview_and_live_cluster_tell_the_rate_of_a_day(signed_in_client: Client) -> None:
    prod, stage = (a_cluster(name, source=Cluster.Source.LIVE) for name in ("prod", "stage"))
    for _ in range(3):
        a_decision(prod)
    a_decision(prod, ago=timedelta(days=2), verdict=Verdict.DISAGREES, reason=Reason.FITS)
    a_decision(stage, verdict=Verdict.DISAGREES, reason=Reason.FITS)

    assert "Agrees with the scheduler: 75.00 % of 4 decisions (24 h)." in text(signed_in_client, "/clusters/")
    assert "Agrees with the scheduler: 100 % of 3 decisions (24 h)." in text(signed_in_client, "/clusters/prod/")
    assert "0.00 % of 1 decision (24 h)." in text(signed_in_client, "/clusters/stage/")
