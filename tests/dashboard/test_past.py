"""Pages of a cluster at a moment of its past: what they show, how they say so, where they lead, what they refuse."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from clusters.models import Cluster, Decision, NodeChange, Pod
from clusters.services.journal.writing import write_departures
from clusters.services.mirror.past import as_it_was
from clusters.services.mirror.snapshots import last_moment
from dashboard.moments import keep_moment, read_moment
from dashboard.nav import GROUPS
from dashboard.views import pods
from dashboard.views.node import pods_context
from dashboard.views.nodes import list_context
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.test_quotas import quota
from tests.support.decision_cluster import node, pod, text
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


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
    a_decision(cluster, "web", pod_uid="shop-web", node_name="a", heard_at=after(30), last_heard_at=after(30))
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


def moment(minutes: int) -> str:
    return after(minutes).isoformat().replace("+00:00", "Z")


def shown(client: Client, page: str, minutes: int, query: str = "") -> Response:
    response = client.get(f"/clusters/shop/{page}?at={moment(minutes)}{query}")
    assert response.status_code == 200
    return response


def test_each_page_says_that_it_shows_the_past(shop: Cluster, signed_in_client: Client) -> None:
    for page in [
        "",
        "?lens=drain",
        "pending/",
        "nodes/",
        "nodes/a/",
        "pods/",
        "workloads/",
        "spread/",
        "spread/workloads/",
        "budgets/",
        "quotas/",
        "drain/",
        "drain/?node=a&parallel=1",
    ]:
        joint = "&" if "?" in page else "?"
        response = signed_in_client.get(f"/clusters/shop/{page}{joint}at={moment(45)}")
        assert response.status_code == 200
        assert "As it was at 2026-03-01 12:45:00 UTC · back to now" in text(response)
        assert "shop/late: Unschedulable." in text(response)
        # What is live would bring the present.
        assert "data-live-connection" not in response.text
        now = signed_in_client.get(f"/clusters/shop/{page}")
        assert "As it was at" not in text(now)
        assert "data-live-connection" in now.text


def test_nodes_are_as_they_were(shop: Cluster) -> None:
    def rows(minutes: int, query: str = "") -> dict[str, tuple[object, str]]:
        rows = list_context(as_it_was(shop, after(minutes)), QueryDict(query))["nodes"]
        return {row.node.name: (row.node.unschedulable, row.pods.used) for row in rows}

    assert rows(20) == {"a": (False, "0"), "b": (False, "1")}
    assert rows(30) == {"a": (False, "1"), "b": (False, "1")}
    assert rows(55) == {"a": (False, "1"), "b": (False, "0")}
    assert rows(60) == {"a": (True, "1"), "b": (False, "0")}
    assert rows(60, "&scheduling=cordoned").keys() == {"a"}
    assert rows(20, "&scheduling=cordoned") == {}
    assert list(rows(30, "&sort=-name")) == ["b", "a"]
    assert list(rows(20, "&sort=-pods")) == ["b", "a"]
    assert rows(20, "&zone=south&ready=yes&taints=without&health=closed") == {}
    assert rows(20, "&q=B&zone=south&ready=yes&taints=without").keys() == {"b"}


def test_a_pod_that_was_bound_later_is_pending(shop: Cluster, signed_in_client: Client) -> None:
    assert shown(signed_in_client, "pending/", 20).context["total"] == 1
    assert b"shop,web," in shown(signed_in_client, "pending/pods.csv", 20).content
    assert shown(signed_in_client, "pending/", 30).context["total"] == 0

    then = shown(signed_in_client, "pods/shop/web/", 20)
    assert (then.context["pod"].node_name, then.context["case"].explanation.fits) == ("", True)
    assert shown(signed_in_client, "pods/shop/web/", 30).context["pod"].node_name == "a"
    gone = signed_in_client.get("/clusters/shop/pods/shop/job/")
    assert gone.status_code == 404
    assert shown(signed_in_client, "pods/shop/job/", 45).context["pod"].node_name == "b"
    assert signed_in_client.get(f"/clusters/shop/pods/shop/job/?at={moment(50)}").status_code == 404


def test_pods_are_listed_as_they_were(shop: Cluster, signed_in_client: Client) -> None:
    def rows(minutes: int, query: str = "") -> list[tuple[str, str]]:
        found = pods.list_context(as_it_was(shop, after(minutes)), QueryDict(f"namespace=shop{query}"))
        assert found["total"] == 2 - (minutes >= 50)
        return [(row.pod.name, row.pod.node_name) for row in found["pods"]]

    assert rows(20) == [("web", ""), ("job", "b")]
    assert rows(30) == [("job", "b"), ("web", "a")]
    assert rows(55) == [("web", "a")]
    assert rows(30, "&sort=-name") == [("web", "a"), ("job", "b")]
    assert rows(20, "&state=pending") == [("web", "")]
    assert rows(30, "&node=b") == [("job", "b")]
    assert rows(30, "&q=shop/J") == [("job", "b")]
    file = shown(signed_in_client, "pods.csv", 20).getvalue().decode()
    assert [line.split(",")[:2] for line in file.splitlines()[1:]] == [["shop", "job"], ["shop", "web"]]


def test_a_page_of_pods_reads_no_more_of_the_mirror_than_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def aged(name: str, created: str = "2026-03-01T09:00:00Z", **given: Any) -> dict[str, Any]:
        found = pod(name, nodeName="a", **given)
        found["metadata"]["creationTimestamp"] = created
        return found

    ready = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-03-01T12:40:00Z"}
    finished = aged("web-020", status={"phase": "Succeeded", "conditions": [ready]})
    leaving = aged("web-030")
    leaving["metadata"]["deletionTimestamp"] = "2026-03-01T12:50:00Z"
    late = aged("web-040", "2026-03-01T12:45:00Z", cpu="1")
    others = [aged(f"web-{number:03}", cpu=f"{number % 7 + 1}m") for number in range(200) if number % 10]
    load(tmp_path, "many", [node("a", "north"), finished, leaving, late, aged("web-050"), *others])
    many = Cluster.objects.get(name="many")
    many.departures_since = NOON
    many.save()
    bound = after(45)
    a_decision(
        many, "web-050", namespace="shop", pod_uid="shop-web-050", node_name="a", heard_at=bound, last_heard_at=bound
    )
    # Another pod had a name before, which went; one went for good.
    gone = [aged("web-040") | {"metadata": aged("web-040")["metadata"] | {"uid": "before"}}, aged("web-060")]
    write_departures(many, "Pod", gone, after(45), is_late=False)

    then = as_it_was(many, after(30))
    read: list[str] = []
    from_db = Pod.from_db

    def counted(*given: Any) -> Pod:
        found: Pod = from_db(*given)
        read.append(found.name)
        return found

    monkeypatch.setattr(Pod, "from_db", counted)
    for order in ("", "name", "-name", "cpu", "-cpu", "created", "node"):
        names = []
        for page in range(1, 5):
            found = pods.list_context(then, QueryDict(f"namespace=shop&sort={order}&page={page}"))
            names += [row.pod.name for row in found["pods"]]
            assert found["total"] == found["page"].paginator.count == 185
            assert len(read) <= pods.ROWS_PER_PAGE + 5
            read.clear()
        every = [f"web-{number:03}" for number in range(200) if number % 10 or number in (20, 30, 40, 50, 60)]
        assert sorted(names) == every
        if order in ("name", "-name"):
            assert names == (every if order == "name" else every[::-1])
        if order == "":
            assert names == ["web-050", *(name for name in every if name != "web-050")]


def test_a_node_and_what_is_on_it_are_as_they_were(shop: Cluster, signed_in_client: Client) -> None:
    def names(node: str, minutes: int) -> list[str]:
        found = pods_context(as_it_was(shop, after(minutes)), QueryDict(), node)
        return [row.pod.name for row in found["pods"]]

    assert (names("a", 20), names("a", 30)) == ([], ["web"])
    assert (names("b", 45), names("b", 50)) == (["job"], [])
    assert shown(signed_in_client, "nodes/a/", 20).context["node"].unschedulable is False
    assert shown(signed_in_client, "nodes/a/", 60).context["node"].unschedulable is True
    assert [row.name for row in shown(signed_in_client, "nodes/a/", 60).context["decisions"]] == ["web"]
    assert shown(signed_in_client, "nodes/a/", 20).context["decisions"] == []

    candidates = shown(signed_in_client, "nodes/a/pending/", 20).context["candidates"]
    assert len(candidates) == 1
    assert shown(signed_in_client, "nodes/a/pending/", 30).context["candidates"] == []
    assert "job" in text(shown(signed_in_client, "nodes/b/drain/", 45))
    for part in ("usage", "pressure", "shutdown"):
        assert "Known for the present only" in text(shown(signed_in_client, f"nodes/b/{part}/", 45))


def test_workloads_and_drains_are_as_they_were(shop: Cluster, signed_in_client: Client) -> None:
    def states(minutes: int) -> dict[str, tuple[int, int]]:
        rows = shown(signed_in_client, "workloads/", minutes, "&namespace=shop").context["workloads"]
        return {row.workload.name: (row.state.placed, row.state.pending) for row in rows}

    assert states(20) == {"web": (0, 1), "job": (1, 0)}
    assert states(30) == {"web": (1, 0), "job": (1, 0)}
    assert states(55) == {"web": (1, 0)}

    web = shown(signed_in_client, "workloads/Pod/shop/web/", 20)
    assert [each.name for each, _ in web.context["waiting"]] == ["web"]
    assert len(shown(signed_in_client, "workloads/Pod/shop/web/", 30).context["nodes"]) == 1
    assert 'id="usage"' not in web.text
    assert signed_in_client.get(f"/clusters/shop/workloads/Pod/shop/job/?at={moment(55)}").status_code == 404

    plan = shown(signed_in_client, "drain/", 45, "&node=b&flags=force")
    assert "shop/job" in text(plan)
    assert b",shop/job," in shown(signed_in_client, "drain/plan.csv", 45, "&node=b&flags=force").content
    assert b",shop/job," not in shown(signed_in_client, "drain/plan.csv", 55, "&node=b&flags=force").content


def test_quotas_count_the_pods_of_then(shop: Cluster, signed_in_client: Client, tmp_path: Path) -> None:
    hard = {"requests.cpu": "2", "pods": "5", "count/pods": "9", "services": "3", "requests.storage": "1Gi"}
    used = {"requests.cpu": "1900m", "pods": "4", "count/pods": "8", "services": "2", "requests.storage": "1"}
    kept = quota("compute", hard, used)
    later = quota("later", {"pods": "1"})
    later["metadata"]["creationTimestamp"] = "2026-03-01T12:50:00Z"
    job = pod("job", nodeName="b")
    write_departures(shop, "Pod", [job | {"metadata": job["metadata"] | {"name": "ran"}}], after(50), is_late=False)
    web, until = pod("web", nodeName="a"), pod("until", nodeName="b")
    web["metadata"]["creationTimestamp"] = "2026-03-01T09:00:00Z"
    until["metadata"]["creationTimestamp"] = "2026-03-01T14:00:00Z"
    load(tmp_path, "shop", [node("a", "north"), node("b", "south"), web, until, kept, later])

    def said(minutes: int) -> str:
        return text(shown(signed_in_client, "quotas/", minutes, "&namespace=shop"))

    assert "requests.cpu 1.5 CPU of 2 CPU 75 %" in said(20)
    assert "pods 3 of 5 60 %" in said(20)
    for resource in ("count/pods", "services", "requests.storage"):
        assert f"{resource} not recorded" in said(20)
    assert ("shop/later" in said(20), "shop/later" in said(60)) == (False, True)
    file = shown(signed_in_client, "quotas.csv", 20).text.splitlines()
    assert [line.split(",")[3:6] for line in file[1:]] == [["pods", "3", "5"], ["requests.cpu", "1500m", "2"]]


def test_what_the_present_alone_knows_says_so_and_leads_to_what_can(shop: Cluster, signed_in_client: Client) -> None:
    page = shown(signed_in_client, "devices/", 45)

    assert "Known for the present only" in text(page)
    assert 'href="/clusters/shop/nodes/?at=2026-03-01T12%3A45' in page.text
    assert 'href="?">This page as of now' in page.text or 'href="">This page as of now' in page.text
    part = signed_in_client.get(
        f"/clusters/shop/pods/shop/web/removal/?at={moment(45)}", headers={"HX-Request": "true"}
    )
    assert text(part).strip() == "Known for the present only"
    assert signed_in_client.get(f"/clusters/shop/devices/devices.csv?at={moment(45)}").status_code == 404


def test_every_section_shows_the_moment_or_says_that_it_knows_the_present_alone(
    shop: Cluster, signed_in_client: Client
) -> None:
    for section in [section for sections in GROUPS.values() for section in sections]:
        page = signed_in_client.get(
            reverse(section, kwargs={"cluster": "shop"}), {"at": moment(45), "namespace": ""}, follow=True
        )
        assert ("As it was at 2026-03-01 12:45:00 UTC" in text(page)) != ("Known for the present only" in text(page))
        assert 'id="time-strip"' in page.text


def test_what_is_asked_is_of_the_present_and_says_so(shop: Cluster, signed_in_client: Client) -> None:
    page = shown(signed_in_client, "nodes/a/", 45).text
    [drain, _] = map(unescape, re.findall(r'href="(/clusters/shop/\?[^"]*change=[^"]*)"', page))

    asked = signed_in_client.get(drain)
    assert parse_qs(urlsplit(drain).query)["at"] == [moment(45)]
    assert "Known for the present only" in text(asked)
    [query] = re.findall(r'href="([^"]*)">This page as of now', asked.text)
    assert parse_qs(unescape(query)[1:]) == {"change": ['{"change":"drain-nodes","nodes":["a"]}']}
    assert f'href="/clusters/shop/headroom/?at={moment(45).replace(":", "%3A")}"' in page
    lost = {"change": '{"change":"lose-zone","zone":"north","how":"gone"}', "at": moment(45)}
    assert "Known for the present only" in text(signed_in_client.get("/clusters/shop/", lost))
    part = signed_in_client.get("/clusters/shop/map/", lost, headers={"HX-Request": "true"})
    assert text(part).strip() == "Known for the present only"
    # Nor does a script ask of a map of the past.
    assert "data-map-ask" not in shown(signed_in_client, "", 45).text
    assert "data-map-ask" in signed_in_client.get("/clusters/shop/").text


def test_a_search_finds_what_was_there(shop: Cluster, signed_in_client: Client) -> None:
    def found(minutes: int, searched: str) -> list[tuple[str, str]]:
        groups = shown(signed_in_client, "search/", minutes, f"&q={searched}").context["results"].groups
        return [(f"{each.before}{each.name}", each.aside) for group in groups for each in group.options]

    assert found(20, "web") == [("shop/web", "Pending")]
    assert found(30, "web") == [("shop/web", "")]
    assert (found(45, "shop/jo"), found(55, "shop/jo")) == ([("shop/job", "")], [])
    assert found(45, "why jo") == [("why shop/job", "")]
    drain = shown(signed_in_client, "search/", 45, "&q=drain a")
    assert f'href="/clusters/shop/drain/?at={moment(45).replace(":", "%3A")}&amp;node=a"' in drain.text
    assert found(45, "a") == [("a", "")]


def test_what_people_write_becomes_an_address_for_all(shop: Cluster, signed_in_client: Client) -> None:
    for written, clock in [("12:20", 20), ("2026-03-01T13:20:00+01:00", 20), ("2026-03-01 12:45", 45)]:
        response = signed_in_client.get("/clusters/shop/nodes/", {"at": written, "zone": "north"})
        assert response.status_code == 302
        assert response["Location"] == f"/clusters/shop/nodes/?at={moment(clock).replace(':', '%3A')}&zone=north"


def test_what_is_no_moment_is_refused_with_what_would_be_right(shop: Cluster, signed_in_client: Client) -> None:
    for written in ["yesterday", "25:00", "2026-13-01", "1999-12-31T23:00:00Z", "9" * 40]:
        response = signed_in_client.get("/clusters/shop/nodes/", {"at": written})
        assert response.status_code == 400
        assert "at: Write a moment as in 03:00, 2026-03-01 or 2026-03-01T19:00:00Z." in text(response)


def test_what_is_not_recorded_says_from_when_to_when_something_is(shop: Cluster, signed_in_client: Client) -> None:
    for query in ["at=2026-03-01T11:59:59Z", "at=2026-03-01T14:00:01Z", "from=2020-01-01T00:00:00Z"]:
        response = signed_in_client.get(f"/clusters/shop/nodes/?{query}")
        assert response.status_code == 404
        assert "recorded from 2026-03-01 12:00:00 UTC to 2026-03-01 14:00:00 UTC" in text(response)


def test_a_cluster_without_departures_has_no_past(shop: Cluster, signed_in_client: Client) -> None:
    shop.departures_since = None
    shop.save()

    assert "time-strip" not in signed_in_client.get("/clusters/shop/nodes/").text
    response = signed_in_client.get(f"/clusters/shop/nodes/?at={moment(20)}")
    assert response.status_code == 404
    assert "Changes are recorded only while" in text(response)


def test_links_and_filters_stay_at_the_moment(shop: Cluster, signed_in_client: Client) -> None:
    page = shown(signed_in_client, "nodes/", 45, "&span=1h").text

    kept = f"at={moment(45).replace(':', '%3A')}&amp;span=1h"
    for address in ("nodes/a/", "budgets/", "pending/", ""):
        assert f'href="/clusters/shop/{address}?{kept}"' in page
    assert f'<input type="hidden" name="at" value="{moment(45)}">' in page
    # What is of all times, and what is done, is not of a moment.
    for address in ("journal/", "reviews/"):
        assert f'href="/clusters/shop/{address}"' in page


def test_addresses_keep_their_parameters_and_those_of_other_clusters_are_let_be() -> None:
    content = (
        b'<a href="/clusters/shop/nodes/?q=a&amp;zone=b#map"><a href="/clusters/other/nodes/">'
        b'<form hx-get="/clusters/shop/nodes/"><a href="/clusters/shop/pods/x/y/?at=now">'
        b'<div data-map="/clusters/shop/nodes/heat-map">'
        b'<script>{"node": "/clusters/shop/map/node/?lens=a\\u0026node="}</script>'
    )
    query = {"at": "2026-03-01T12:00:00Z", "span": "1h", "q": "x"}

    assert keep_moment(content, "shop", query) == (  # type: ignore[arg-type]
        b'<a href="/clusters/shop/nodes/?at=2026-03-01T12%3A00%3A00Z&amp;span=1h&amp;q=a&amp;zone=b#map">'
        b'<a href="/clusters/other/nodes/">'
        b'<form hx-get="/clusters/shop/nodes/"><a href="/clusters/shop/pods/x/y/?at=now">'
        b'<div data-map="/clusters/shop/nodes/heat-map">'
        b'<script>{"node": "/clusters/shop/map/node/?at=2026-03-01T12%3A00%3A00Z\\u0026span=1h'
        b'\\u0026lens=a\\u0026node="}</script>'
    )


def test_a_time_of_the_day_is_the_last_one_of_it() -> None:
    until = after(0)

    def read(written: str) -> datetime | None:
        return read_moment(written, until)

    assert read("11:30") == after(-30)
    assert read("12:00") == until
    assert read("12:01") == after(1 - 24 * 60)
    assert read("2026-03-01") == after(-12 * 60)
    # As addresses have it whose plus was not written as %2B.
    assert read("2026-03-01T13:00:00 01:00") == until
    with timezone.override("Europe/Kyiv"):
        assert read("13:30") == after(-30)


def test_what_changed_between_two_moments_is_listed(shop: Cluster, signed_in_client: Client) -> None:
    response = signed_in_client.get(f"/clusters/shop/journal/changes/?from={moment(20)}&at={moment(60)}")

    assert response.context["rows"] == [("shop/job", "b", ""), ("shop/web", "pending", "a")]
    assert "0 pods arrived, 1 left, 1 others are placed differently." in text(response)
    assert "a was cordoned" in text(response)
    assert "As it was at" not in text(response)
    # Without a handle, what the strip shows is compared from end to end.
    for query, names in (("", ["shop/job", "shop/until", "shop/web"]), ("?span=1h", ["shop/until"])):
        shown = signed_in_client.get(f"/clusters/shop/journal/changes/{query}")
        assert [row[0] for row in shown.context["rows"]] == names


def test_the_strip_tells_what_is_replayed_and_what_it_shows(shop: Cluster, signed_in_client: Client) -> None:
    def strip(query: str) -> dict[str, object]:
        found = signed_in_client.get(f"/clusters/shop/nodes/?{query}").context["time_strip"]
        return {name: found[name] for name in ("start", "end", "replay", "changes", "place", "place_since")}

    now = strip("")
    assert (now["start"], now["end"], now["place"]) == (after(0), after(120), 7200)
    assert f"since={moment(60)}&until={moment(120)}".replace(":", "%3A") in str(now["replay"])
    zoomed = strip(f"span={moment(30)}/{moment(50)}&at={moment(40)}")
    assert (zoomed["start"], zoomed["end"], zoomed["place"]) == (after(30), after(50), 600)
    assert f"since={moment(40)}&until={moment(100)}".replace(":", "%3A") in str(zoomed["replay"])
    stretch = strip(f"span={moment(30)}/{moment(50)}")
    assert f"since={moment(30)}&until={moment(50)}".replace(":", "%3A") in str(stretch["replay"])
    assert f"at={moment(50)}".replace(":", "%3A") in str(stretch["changes"])
    both = strip(f"span=1h&from={moment(10)}&at={moment(70)}")
    assert both["start"] == after(4)
    assert f"since={moment(10)}&until={moment(70)}".replace(":", "%3A") in str(both["replay"])
    assert strip("span=nonsense")["start"] == after(0)


def test_the_page_of_a_decision_stands_at_its_moment(shop: Cluster, signed_in_client: Client) -> None:
    late = Decision.objects.get(name="late")
    before = a_decision(shop, "before", heard_at=after(-1))

    page = signed_in_client.get(f"/clusters/shop/journal/{late.pk}/")

    strip = page.context["time_strip"]
    assert (strip["place"], "As it was at" in text(page)) == (40 * 60, False)
    assert strip["changes"] == f"/clusters/shop/journal/changes/?at={moment(40).replace(':', '%3A')}"
    assert f"since={moment(40)}".replace(":", "%3A") in strip["replay"]
    # Of what went before, nothing is known but the decision.
    assert "time-strip" not in signed_in_client.get(f"/clusters/shop/journal/{before.pk}/").text


def test_times_are_the_readers_and_addresses_are_for_all(shop: Cluster, signed_in_client: Client) -> None:
    signed_in_client.cookies["berth-zone"] = "Asia/Tokyo"
    page = shown(signed_in_client, "nodes/", 45)
    assert "As it was at 2026-03-01 21:45:00 JST" in text(page)
    written = signed_in_client.get("/clusters/shop/nodes/", {"at": "21:30"})
    assert written["Location"] == f"/clusters/shop/nodes/?at={moment(30).replace(':', '%3A')}"

    signed_in_client.cookies["berth-zone"] = "../../etc/passwd"
    assert "2026-03-01 12:45:00 UTC" in text(shown(signed_in_client, "nodes/", 45))


def test_the_marks_are_what_was_recorded(shop: Cluster, signed_in_client: Client) -> None:
    address = signed_in_client.get("/clusters/shop/nodes/").context["time_strip"]["marks"]

    page = signed_in_client.get(address)

    bars = {bar.kind: (bar.x, bar.number) for bar in page.context["bars"]}
    assert bars == {"bound": (20.833, 1), "unschedulable": (29.167, 1)} or bars.keys() == {"bound", "unschedulable"}
    assert [said for _, _, said in page.context["changes"]] == ["a was cordoned"]
    assert signed_in_client.get("/clusters/shop/journal/marks/").status_code == 404
    assert Decision.objects.count() == 2
