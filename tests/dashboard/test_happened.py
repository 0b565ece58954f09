"""The timeline on the pages of a cluster's journal, a workload and a pod."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import Cluster, Decision, NodeChange, Pod
from clusters.services.mirror.snapshots import last_moment
from tests.clusters.journal.decisions import a_decision
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.rows import a_cluster
from tests.support.answers import known
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

Kind = Decision.Kind
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SPAN = "since=2026-03-01T12:00&until=2026-03-02T12:00"


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster(source=Cluster.Source.LIVE)


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return unescape(response.content.decode())


def marks(html: str) -> dict[str, str]:
    """Return the addresses of a page's marks and times by what they say."""
    wide = html.partition('id="happened"')[2].partition('class="narrow"')[0]
    return {words: address for address, words in re.findall(r'<a href="([^"]*)"[^>]* aria-label="([^"]*)"><rect', wide)}


def test_one_decision_opens_itself_and_several_open_the_list_of_them(
    signed_in_client: Client, cluster: Cluster
) -> None:
    single = a_decision(cluster, "pod-1", kind=Kind.EVICTED, heard_at=NOON + timedelta(minutes=3))
    for number in (2, 3):
        a_decision(cluster, f"pod-{number}", kind=Kind.BOUND, heard_at=NOON + timedelta(minutes=20 + number))

    found = marks(page(signed_in_client, f"/clusters/prod/journal/?{SPAN}&namespace=shop"))

    assert found["Evicted, 12:00–12:15: 1 decision"] == f"/clusters/prod/journal/{single.pk}/"
    several = found["Bound, 12:15–12:30: 2 decisions"]
    assert "kind=bound" in several
    assert "namespace=shop" in several
    assert "2 of 3 decisions shown" in page(signed_in_client, several)


def test_a_time_below_the_picture_zooms_in_and_keeps_the_filters(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster, "pod-1", kind=Kind.BOUND, heard_at=NOON + timedelta(hours=2, minutes=7))

    day = page(signed_in_client, f"/clusters/prod/journal/?{SPAN}&kind=bound")
    hour = marks(day)["2026-03-01 14:00 – 2026-03-01 15:00"]

    assert "kind=bound" in hour
    zoomed = page(signed_in_client, hour)
    assert "2026-03-01 14:00 to 2026-03-01 15:00: decisions 1, changes of nodes 0." in zoomed
    assert "Bound, 14:07–14:08: 1 decision" in marks(zoomed)
    assert "Zoom out" in zoomed


def test_changes_of_nodes_are_a_row_of_their_own(signed_in_client: Client, cluster: Cluster) -> None:
    at = NOON + timedelta(hours=2)
    NodeChange.objects.create(cluster=cluster, kind="pressure", node_name="n1", heard_at=at, condition="DiskPressure")

    html = page(signed_in_client, f"/clusters/prod/journal/?{SPAN}")

    assert "<title>14:00: n1 reports DiskPressure</title>" in html
    assert "changes of nodes 1." in html


def test_a_time_that_makes_no_sense_is_no_error(signed_in_client: Client, cluster: Cluster) -> None:
    for span in [
        "since=soon&until=2026",
        "since=2026-03-02T12:00&until=2026-03-01T12:00",
        "until=0001-01-01T00:00",
        "since=9999-12-31T23:59",
    ]:
        assert 'id="happened"' in page(signed_in_client, f"/clusters/prod/journal/?{span}")


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    """A dump with a Deployment, and a simulated day that is about it, another workload, and two nodes."""
    found = load(tmp_path, "shop", [*zones(), *deployed({"a1": 2}, waiting=1)])
    own: dict[str, Any] = {
        "owner_kind": "Deployment",
        "owner_name": "web",
        "reason": "simulated",
        "verdict": "unjudged",
    }
    running = known(Pod.objects.filter(cluster=found, node_name="a1").order_by("name").first())
    end = known(last_moment(found))
    uid: dict[str, Any] = {"pod_uid": running.uid, "node_name": "a1", "heard_at": end - timedelta(minutes=50)}
    a_decision(found, running.name, kind=Kind.BOUND, **uid, **own)
    a_decision(found, "web-gone", kind=Kind.EVICTED, heard_at=end - timedelta(hours=3), **own)
    a_decision(found, "other", kind=Kind.PREEMPTED, heard_at=end - timedelta(hours=2), owner_name="db")
    for name in ("a1", "elsewhere"):
        at = end - timedelta(minutes=40)
        NodeChange.objects.create(cluster=found, kind="cordoned", node_name=name, heard_at=at)
    return found


def test_a_workload_has_the_timeline_of_its_pods_and_their_nodes(shop: Cluster, signed_in_client: Client) -> None:
    html = page(signed_in_client, "/clusters/shop/workloads/Deployment/shop/web/")

    told = " ".join(marks(html))
    assert "Bound, " in told
    assert "Evicted, " in told
    assert "Preempted, " not in told
    assert "a1 was cordoned" in told
    assert "elsewhere" not in html.partition('id="timeline"')[2]
    assert "A simulated day" in html


def test_a_pod_has_the_timeline_since_its_first_decision(shop: Cluster, signed_in_client: Client) -> None:
    name = Decision.objects.get(kind=Kind.BOUND).name

    told = marks(page(signed_in_client, f"/clusters/shop/pods/shop/{name}/"))
    # From ten minutes before at most, in steps of a minute.
    (bound,) = (each for each in told if each.startswith("Bound, "))
    start, end = re.findall(r"\d\d:\d\d", bound)
    assert (int(end[3:]) - int(start[3:])) % 60 == 1
    assert any("a1 was cordoned" in each for each in told)
