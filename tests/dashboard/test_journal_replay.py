"""The page on which a stretch of the journal is replayed: its form, what it shows, and what it says is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, Decision
from clusters.services.journal import replays as stretches
from clusters.services.studies.asking import AS_IS
from dashboard.views import journal_replay
from tests.clusters.journal.test_past import PACKING, shop
from tests.support.decision_cluster import text

if TYPE_CHECKING:
    from django.test import Client

__all__ = ["shop"]

pytestmark = pytest.mark.django_db

REPLAY = "/clusters/shop/journal/replay/"


def replay(preset: str, begin: str = "12:00", end: str = "14:00") -> str:
    return f"{REPLAY}?since=2026-03-01T{begin}&until=2026-03-01T{end}&preset={preset}"


def test_the_form_offers_the_last_hours_and_the_presets(shop: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get(REPLAY)

    assert page.status_code == 200
    assert 'value="2026-03-01T12:00"' in page.text
    assert 'value="2026-03-01T13:59"' in page.text
    assert "Bin packing" in page.text
    given = signed_in_client.get(f"{REPLAY}?since=2026-03-01T12:30:00%2B00:00&until=2026-03-01T13:00:10%2B00:00").text
    assert 'value="2026-03-01T12:30"' in given
    assert 'value="2026-03-01T13:01"' in given


def test_a_replay_is_shown_beside_what_was_recorded(shop: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get(replay(PACKING))

    said = text(page)
    assert "Of 3 pods, as recorded: 2, on another node: 1" in said
    assert "Pods deleted while pending, left out, requests not kept: 1." in said
    assert "Pods of other schedulers, left out, requests counted free: 1." in said
    bound = Decision.objects.get(name="web")
    first = page.context["rows"][0]
    assert (first.pod, first.recorded, first.replayed) == ("shop/web", "b", "a")
    assert first.address == f"/clusters/shop/journal/{bound.pk}/"
    workload = page.context["workloads"][0]
    assert workload.elsewhere == "1"
    assert workload.url == "/clusters/shop/pods/shop/web/"


def test_the_clusters_own_configuration_has_a_share_and_no_maps(shop: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client.get(replay(AS_IS)))

    assert "Alike under the cluster's own configuration: 3 of 3 decisions (100 %)." in said
    assert "No pod is placed differently." in said


def test_decisions_stand_on_pages(shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_replay, "ROWS_PER_PAGE", 2)

    last = signed_in_client.get(f"{replay(PACKING)}&page=2")

    assert len(last.context["rows"]) == 1
    assert "3 to 3 of 3" in text(last)
    part = signed_in_client.get(f"{replay(PACKING)}&page=2", headers={"HX-Request": "true"})
    assert "3 to 3 of 3" in text(part)
    assert "<main" not in part.text


def test_what_cannot_be_replayed_is_said(
    shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(address: str) -> str:
        page = signed_in_client.get(address)
        assert page.status_code == 400
        assert page.context.get("replay") is None
        return text(page)

    assert "ends before it begins" in refused(replay(AS_IS, "13:00", "12:00"))
    assert "no decision in this period" in refused(replay(AS_IS, "13:10", "13:20"))
    assert "Removed pods are recorded since 2026-03-01 12:00:00." in refused(replay(AS_IS, "11:00"))
    assert "Select a valid choice" in refused(replay("other"))
    assert "This field is required" in refused(f"{REPLAY}?preset={AS_IS}")
    monkeypatch.setattr(stretches, "MOST_DECISIONS", 3)
    assert "It has 5 decisions, more than 3." in refused(replay(AS_IS, end="13:59"))


def test_a_cluster_without_a_past_has_nothing_to_replay(shop: Cluster, signed_in_client: Client) -> None:
    Cluster.objects.update(departures_since=None)

    page = signed_in_client.get(REPLAY)

    assert "Changes are recorded only while" in text(page)
    assert '<form class="choose-runs"' not in page.text
    assert REPLAY not in signed_in_client.get("/clusters/shop/journal/").text
    assert signed_in_client.get("/clusters/none/journal/replay/").status_code == 404
