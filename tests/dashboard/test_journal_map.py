"""The map of a cluster over time: its moments, what leads from one to another, and what is not known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from django.utils import timezone

from clusters.models import Cluster, Decision, NodeChange
from clusters.services.journal.writing import write_departures
from clusters.services.mirror.snapshots import last_moment
from tests.clusters.journal.decisions import a_decision
from tests.clusters.journal.test_past import listed, named
from tests.clusters.live_batches import apply
from tests.support.decision_cluster import node, pod, text
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MAP = "/clusters/shop/journal/map/"


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    """A dump whose journal holds two hours: web was bound, job was there and went, late was refused, a was cordoned."""
    created = {"creationTimestamp": "2026-03-01T09:00:00Z"}
    web = pod("web", nodeName="a")
    web["metadata"] |= created
    until = pod("until", nodeName="b")
    until["metadata"] |= {"creationTimestamp": "2026-03-01T14:00:00Z"}
    load(tmp_path, "shop", [node("a", "north", unschedulable=True), node("b", "south"), web, until])
    cluster = Cluster.objects.get(name="shop")
    cluster.departures_since = NOON
    cluster.save()
    a_decision(cluster, "web", kind=Decision.Kind.BOUND, node_name="a", heard_at=after(30), last_heard_at=after(30))
    a_decision(
        cluster, "late", kind=Decision.Kind.UNSCHEDULABLE, message="0/2 nodes are available.", heard_at=after(40),
        last_heard_at=after(40),
    )  # fmt: skip
    job = pod("job", nodeName="b")
    job["metadata"] |= created
    write_departures(cluster, "Pod", [job], after(50), is_late=False)
    NodeChange.objects.create(cluster=cluster, kind="cordoned", node_name="a", heard_at=after(60))
    assert last_moment(cluster) == NOON + timedelta(hours=2)
    return cluster


def after(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def moment(minutes: int, address: str = MAP) -> str:
    return f"{address}?at={quote(after(minutes).isoformat(), safe='')}"


def test_the_picture_shows_which_pods_ran_at_a_moment(shop: Cluster, signed_in_client: Client) -> None:
    def drawn(minutes: int) -> tuple[list[str], list[str], object]:
        found = signed_in_client.get(moment(minutes, f"{MAP}picture/")).json()
        states = [found["nodeStates"][state][0] for state in found["nodes"]["state"]]
        lit = found["highlight"]
        return found["pods"]["name"], states, lit and (found["nodes"]["name"][lit["node"]], lit["look"])

    assert drawn(20) == (["job"], ["open", "open"], None)
    assert drawn(30) == (["web", "job"], ["open", "open"], ("a", "placed"))
    assert drawn(40) == (["web", "job"], ["open", "open"], None)
    assert drawn(50) == (["web"], ["open", "open"], ("b", "left"))
    assert drawn(60) == (["web"], ["cordoned", "open"], ("a", "kept"))


def test_nodes_keep_their_place_while_others_come_and_go(shop: Cluster, signed_in_client: Client) -> None:
    write_departures(shop, "Node", [node("a0", "north")], after(70), is_late=False)
    NodeChange.objects.create(cluster=shop, kind="removed", node_name="a0", heard_at=after(70))

    def names(minutes: int) -> list[str]:
        nodes: list[str] = signed_in_client.get(moment(minutes, f"{MAP}picture/")).json()["nodes"]["name"]
        return nodes

    assert names(65) == ["a", "a0", "b"]
    assert names(75) == ["a", "b"]


def test_each_moment_says_what_happened_last_and_leads_on(shop: Cluster, signed_in_client: Client) -> None:
    pages = {minutes: signed_in_client.get(moment(minutes)) for minutes in (10, 30, 45, 50, 60)}
    said = {minutes: text(page) for minutes, page in pages.items()}
    scrubbers = {minutes: page.context["scrubber"] for minutes, page in pages.items()}

    assert "Nothing is recorded since the period began." in said[10]
    assert "shop/web: Bound to a." in said[30]
    assert "shop/late: Unschedulable. At 12:40:00, the last before." in said[45]
    assert "shop/job is gone from b." in said[50]
    assert "a was cordoned." in said[60]
    bound = Decision.objects.get(name="web")
    assert f'href="/clusters/shop/journal/{bound.pk}/"' in pages[30].text
    assert scrubbers[10].next == moment(30)
    assert scrubbers[10].following == moment(40)
    assert (scrubbers[45].before, scrubbers[45].previous) == (moment(40),) * 2
    assert scrubbers[60].next == ""
    assert scrubbers[45].value == 45 * 60
    assert [word for _, word in scrubbers[10].marks] == ["unschedulable"]
    assert "Removed pods are recorded since 2026-03-01 12:00:00." in said[30]


def test_a_second_of_the_slider_leads_to_its_moment(shop: Cluster, signed_in_client: Client) -> None:
    found = signed_in_client.get(f"{MAP}?second={30 * 60}")

    assert found.status_code == 302
    assert "shop/web: Bound to a." in text(signed_in_client.get(found["Location"]))
    # Beyond either end there is nothing to see.
    assert signed_in_client.get(f"{MAP}?at=2020-01-01T00:00:00Z").context["at"] == NOON
    assert signed_in_client.get(f"{MAP}?second=999999999").headers["Location"].endswith("14%3A00%3A00%2B00%3A00")
    for wrong in ("at=noon", "at=9999-12-31T23:59:59-14:00", f"second={2**62}", "second=-1"):
        assert signed_in_client.get(f"{MAP}?{wrong}").status_code == 400
    assert signed_in_client.get(f"{MAP}picture/?at=1999-12-31T23:59:59Z").status_code == 400


def test_what_is_not_known_is_said(shop: Cluster, signed_in_client: Client) -> None:
    assert signed_in_client.get(f"{MAP}picture/?at=2026-03-01T11:00:00Z").status_code == 404
    Cluster.objects.update(departures_since=None)

    assert "Removed pods are not recorded here" in text(signed_in_client.get(MAP))
    assert signed_in_client.get(f"{MAP}picture/").status_code == 404
    assert MAP not in signed_in_client.get("/clusters/shop/journal/").text


def test_a_decision_and_the_journal_lead_to_the_map(shop: Cluster, signed_in_client: Client) -> None:
    bound = Decision.objects.get(name="web")

    assert f'href="{MAP}"' in signed_in_client.get("/clusters/shop/journal/").text
    page = signed_in_client.get(f"/clusters/shop/journal/{bound.pk}/").text
    assert f"{MAP}?at=2026-03-01T12%3A30%3A00%2B00%3A00" in page


def test_the_slider_of_a_followed_cluster_keeps_what_it_counts_from(signed_in_client: Client) -> None:
    cluster, lease = listed()
    before = timezone.now()
    apply(lease, gone=(named(pod("web", nodeName="a")),))
    address = f"/clusters/{cluster.name}/journal/map/?at={quote(before.isoformat())}"

    scrubber = signed_in_client.get(address).context["scrubber"]
    assert [name for name, _ in scrubber.kept] == ["since", "until"]
    assert quote(dict(scrubber.kept)["since"], safe="") in scrubber.next
    assert signed_in_client.get(scrubber.next).context["scrubber"].kept == scrubber.kept
    assert "shop/web is gone from a." in text(signed_in_client.get(scrubber.next))
