"""A cluster's first page against the engine's own answers, and the columns of its picture."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from clusters.engine.spreading import worst_of
from clusters.models import Cluster, Pod
from clusters.services.disruption import budgets_of
from clusters.services.mirror import snapshots
from clusters.services.mirror.snapshots import forget_snapshots, is_in_memory
from clusters.services.mirror.state import spread_of
from clusters.services.pending.pods import pending_of
from dashboard.views import map as map_views, overview
from dashboard.views.lenses import LENSES
from tests.clusters.live_batches import apply, followed_cluster
from tests.dashboard.rows import a_cluster
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text, without_tags
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HTMX = {"HX-Request": "true"}


def card(html: str, key: str) -> str:
    """Return the markup of one card, below the map or beside it."""
    found = re.search(
        rf'<li class="glance-card[^>]*id="card-{key}".*?(?=<li class="glance-card|</ul>\s*</div>)'
        rf'|<section class="lens-card" id="card-{key}".*?</section>',
        html,
        re.DOTALL,
    )
    assert found, key
    return found[0]


def lens(client: Client, name: str, key: str, *, cluster: str = "shop") -> str:
    """Return the markup of what a lens of the map answers beside it."""
    return card(client.get(f"/clusters/{cluster}/?lens={name}").text, key)


def budget(name: str, app: str) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"namespace": "shop", "name": name, "uid": f"budget-{name}"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": app}}},
    }


def controlled(document: dict[str, Any]) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "kept", "uid": "kept", "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


def words(markup: str) -> str:
    return re.sub(r"\s+", " ", unescape(without_tags(markup))).replace("\u202f", "")


def links(markup: str) -> list[str]:
    return [unescape(address) for address in re.findall(r'href="([^"]+)"', markup)]


# -- where everybody begins -----------------------------------------------------------------------------------------


def test_the_only_cluster_is_where_everybody_begins(signed_in_client: Client) -> None:
    assert signed_in_client.get("/").headers["Location"] == "/clusters/"
    a_cluster()
    assert signed_in_client.get("/").headers["Location"] == "/clusters/prod/"
    a_cluster("other")
    assert signed_in_client.get("/").headers["Location"] == "/clusters/"


# -- the answers ----------------------------------------------------------------------------------------------------


def test_cards_say_what_the_services_say(demo: Cluster, signed_in_client: Client) -> None:
    drains, skewed = (lens(signed_in_client, *each, cluster="demo") for each in (("drain", "drains"), ("spread",) * 2))
    pending, budgets, spread = pending_of(cluster=demo), budgets_of(cluster=demo), spread_of(cluster=demo)

    stuck = [
        group
        for group in pending.groups.values()
        if group.cause.kind in ("unschedulable", "volume") and group.cause.plugins
    ]
    assert f"{sum(len(group.pods) for group in stuck)} of {pending.total} pending pods" in words(
        lens(signed_in_client, "pending", "pending", cluster="demo")
    )
    assert f"{len(budgets.drains)} of {len(budgets.snapshot.nodes)} drains" in words(drains)
    violated = [identity for identity, group in spread.groups.items() if group.violation]
    assert f"{len(violated)} of {len(spread.groups)} spread constraints" in words(skewed)
    # The one that the head of the page names, and then what a zone's loss takes most of.
    (worst, found), (kafka, _) = spread.by_workloads()[:2]
    assert found is worst_of(spread.groups.values())
    assert found.violation
    assert links(skewed).index(f"/clusters/demo/spread/groups/{worst}/") < links(skewed).index(
        f"/clusters/demo/spread/groups/{kafka}/"
    )
    assert "data/kafka 3 of 5 pods in eu-central-1a" in words(skewed)


def test_the_change_that_frees_the_most_counts_every_pod(demo: Cluster, signed_in_client: Client) -> None:
    shown = card(signed_in_client.get("/clusters/demo/").text, "change")
    freed: dict[Hashable, int] = {}
    for group in pending_of(cluster=demo).groups.values():
        for waiting in group.pods if group.cause.kind in ("unschedulable", "volume") else ():
            for change in waiting.finding.changes:
                freed[change.key] = freed.get(change.key, 0) + 1

    assert words(shown).partition(" of ")[0].strip().endswith(str(max(freed.values())))
    assert any(address.startswith("/clusters/demo/pods/") for address in links(shown))
    assert "would fit after the same change to 3 nodes" in words(shown)
    assert "The nodes: burst-a-01, burst-b-01 and burst-c-01." in words(shown)
    assert "and 1 more" in words(shown)


@pytest.mark.unmeasured
def test_every_link_of_the_page_leads_somewhere(demo: Cluster, signed_in_client: Client) -> None:
    html = signed_in_client.get("/clusters/demo/").text

    addresses = {urlsplit(address).path for address in links(html) if address.startswith("/clusters/demo/")}
    assert len(addresses) > 20
    assert all(resolve(address).url_name for address in addresses)
    pods = [address for address in addresses if address.startswith("/clusters/demo/pods/")]
    assert {signed_in_client.get(address).status_code for address in pods} == {200}


def test_a_cluster_without_trouble_is_told_so(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("ash", "north"), controlled(pod("web", nodeName="ash")), budget("idle", "none")])

    assert "Nothing is known to be wrong, at risk or wasteful" in text(signed_in_client, "/clusters/shop/")
    for name, badge in (
        ("pending", "None pending"),
        ("spread", "Within maxSkew"),
        ("drain", "Drainable"),
        ("health", "Healthy"),
    ):
        assert badge in text(signed_in_client, f"/clusters/shop/?lens={name}")


def test_nothing_is_well_of_a_cluster_of_which_nothing_is_known(signed_in_client: Client) -> None:
    a_cluster("fresh", last_sync=None, revision=0)
    forget_snapshots()

    for name, key in (
        ("pending", "pending"),
        ("spread", "spread"),
        ("drain", "drains"),
        ("health", "nodes"),
        ("stranded", "waste"),
    ):
        assert "Not known" in words(lens(signed_in_client, name, key, cluster="fresh"))


def test_stranded_memory_is_told_to_the_byte(tmp_path: Path, signed_in_client: Client) -> None:
    load(
        tmp_path,
        "shop",
        [
            *(node(name, "north", unschedulable=name == "elm") for name in ("ash", "oak", "elm")),
            pod("web", cpu="3700m", memory="1Gi", nodeName="ash"),
        ],
    )

    shown = words(lens(signed_in_client, "stranded", "waste"))

    assert "7 GiB of memory on 1 node" in shown
    # What is free on a cordoned node is not stranded, and said beside it.
    assert "4 CPU and 8 GiB of memory on nodes that accept no pods" in shown
    sheets = {
        name: words(signed_in_client.get(f"/clusters/shop/map/node/?node={name}", headers={"HX-Request": "true"}).text)
        for name in ("ash", "oak")
    }
    assert "Stranded 7 GiB of memory idle, over 90 % of CPU requested" in sheets["ash"]
    assert "Stranded" not in sheets["oak"]


def test_a_configuration_that_cannot_be_read_hides_only_what_depends_on_it(
    demo: Cluster, signed_in_client: Client
) -> None:
    Cluster.objects.update(scheduler_configuration={"kind": "KubeSchedulerConfiguration", "profiles": "none"})

    page = signed_in_client.get("/clusters/demo/")

    assert page.status_code == 200
    assert "Not all of the cluster can be computed" in page.text
    assert "not known" in words(lens(signed_in_client, "spread", "spread", cluster="demo"))
    assert "Requests by zone" in page.text


def test_many_pods_that_wait_are_judged_once_the_page_stands(
    demo: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = lens(signed_in_client, "pending", "pending", cluster="demo")
    monkeypatch.setattr(map_views, "QUICK_PAIRS", 10)

    page = signed_in_client.get("/clusters/demo/").text
    later = signed_in_client.get("/clusters/demo/pending-cards/", headers=HTMX).text

    assert 'hx-get="/clusters/demo/pending-cards/" hx-trigger="load"' in page
    assert 'id="card-pending"' not in page
    assert 'data-live="overview.pending"' not in page
    assert words(within).partition("need a change")[0].strip() in words(later)
    assert signed_in_client.get("/clusters/demo/pending-cards/").headers["Location"] == "/clusters/demo/pending/"


_BROWSER = {"Accept": "text/html"}


@pytest.fixture
def large(transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """A cluster that counts as large, of which nothing is read."""
    monkeypatch.setattr(snapshots, "READ_AT_ONCE", 2)
    cluster = load(tmp_path, "prod", [node("ash", "north"), *(pod(f"p{each}", nodeName="ash") for each in range(3))])
    forget_snapshots()
    return cluster


@pytest.mark.parametrize("page", ["", "nodes/"])
def test_a_page_tells_how_far_the_reading_of_a_large_cluster_is(
    large: Cluster, signed_in_client: Client, page: str
) -> None:
    cold = signed_in_client.get(f"/clusters/prod/{page}", headers=_BROWSER)
    wait_until(lambda: is_in_memory(large), seconds=20, otherwise="nobody reads the cluster")
    warm = signed_in_client.get(f"/clusters/prod/{page}", headers=_BROWSER)

    assert (cold.status_code, warm.status_code) == (202, 200)
    assert re.search("Reading the cluster.*[0-3] of 3 pods", cold.text, re.DOTALL)
    assert "Refresh" in cold.headers
    assert "Refresh" not in warm.headers


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("/clusters/prod/nodes/?now=1", _BROWSER),
        ("/clusters/prod/nodes/", HTMX | _BROWSER),
        ("/clusters/prod/nodes/nodes.csv", _BROWSER),
        ("/api/v1/clusters/prod/pods/shop/p0/explanation", _BROWSER),
        ("/clusters/prod/nodes/", {}),
    ],
)
def test_whoever_does_not_look_at_a_page_waits_for_a_large_cluster(
    large: Cluster, signed_in_client: Client, address: str, headers: dict[str, str]
) -> None:
    assert signed_in_client.get(address, headers=headers).status_code == 200


def test_a_page_says_what_ended_the_reading_of_a_large_cluster(large: Cluster, signed_in_client: Client) -> None:
    Pod.objects.filter(cluster=large).update(object={})

    def page() -> str:
        return signed_in_client.get("/clusters/prod/nodes/", headers=_BROWSER).text

    assert "Reading the cluster" in page()
    wait_until(
        lambda: "could not be computed" in page(), seconds=20, otherwise="the page goes on telling how far it is"
    )


def test_parts_move_on_with_a_live_cluster(signed_in_client: Client) -> None:
    cluster, lease = followed_cluster()
    forget_snapshots()
    opened = signed_in_client.get("/clusters/prod/").text
    apply(lease, put=(node("ash", "north"), pod("big", cpu="9")))

    def part(name: str, query: str = "") -> str:
        return words(signed_in_client.get(f"/live/{name}/?cluster={cluster.pk}&page=/clusters/prod/{query}").text)

    for name in (
        "overview.summary",
        "overview.map",
        "overview.pending",
        "overview.zones",
        "cluster.counts",
        "cluster.gaps",
    ):
        assert f'data-live="{name}" data-live-cluster="{cluster.pk}"' in opened
    assert "No nodes yet" in opened
    assert "1 pod is pending" in part("overview.summary")
    assert "1 of 1 unschedulable pod would fit" in part("overview.pending")
    assert "1 of 1 pending pod needs a change" in part("overview.map", "?lens=pending")
    assert "0 of 1 node NotReady, cordoned or under pressure" in part("overview.map", "?lens=health")
    assert "of 4 CPU" in part("overview.zones")
    assert "1 insufficient CPU" in part("overview.map")


def test_a_large_live_cluster_is_judged_when_asked(signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "READ_AT_ONCE", 0)
    _, lease = followed_cluster()
    forget_snapshots()
    apply(lease, put=(node("ash", "north"), pod("big", cpu="9")))
    signed_in_client.get("/clusters/prod/map/", headers=HTMX)

    page = signed_in_client.get("/clusters/prod/").text
    answers = signed_in_client.get("/clusters/prod/", headers=HTMX).text

    assert "glance-card" not in page
    assert "As of revision 1." in answers
    assert 'hx-select="#computed" hx-target="#computed"' in answers
    for name in ("overview.summary", "overview.map", "overview.pending"):
        assert f'data-live="{name}"' not in answers
    assert 'data-live="overview.zones"' in answers
    assert "lose-zone" in signed_in_client.get("/clusters/prod/zones/").text


def test_number_of_queries_does_not_grow(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "small", [node("ash", "north"), pod("web", nodeName="ash"), pod("waits")])
    nodes = [node(f"n{number}", f"z{number % 4}") for number in range(40)]
    pods = [pod(f"p{number}", nodeName=f"n{number}") for number in range(40)]
    load(tmp_path, "large", [*nodes, *pods, *(pod(f"w{number}", app=f"a{number}") for number in range(40))])

    def queries(address: str) -> int:
        signed_in_client.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert signed_in_client.get(address).status_code == 200
        return len(captured)

    for query in ("", *(f"?lens={lens}" for lens in LENSES)):
        assert queries(f"/clusters/small/{query}") == queries(f"/clusters/large/{query}") <= 29
