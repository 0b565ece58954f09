"""A pod explained as of its decision, or as of now, and its attempts over time."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from clusters.models import Cluster, Decision, Pod
from clusters.services.decisions.explain import explain_pod
from clusters.services.journal.timeline import decision_document
from dashboard.live.rendering import render
from dashboard.live.topics import topic_of
from tests.clusters.journal.decisions import a_decision
from tests.support.decision_cluster import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Kind, Verdict = Decision.Kind, Decision.Verdict
NOW = "Evaluated now, not at its decision."
THEN = "At its decision:"


def page(client: Client, name: str, query: str = "") -> str:
    return text(client.get(f"/clusters/shop/pods/shop/{name}/{query}"))


def placed(cluster: Cluster, name: str, *, explained: bool = True, **fields: Any) -> Decision:
    """Store a pod's placement with the explanation that it has now."""
    pod = Pod.objects.get(cluster=cluster, name=name)
    document = decision_document(explain_pod(cluster=cluster, namespace="shop", name=name), pod.node_name)
    values = {"node_name": pod.node_name, "pod_uid": pod.uid, "explanation": document if explained else None}
    return a_decision(cluster, name, **{**values, **fields})


def test_a_placed_pod_is_explained_as_of_its_decision_and_says_so(signed_in_client: Client, cluster: Cluster) -> None:
    decision = placed(cluster, "web-2")
    assert decision.explanation is not None
    total = decision.explanation.nodes["birch"].total

    shown = page(signed_in_client, "web-2")

    assert f"{THEN} Bound to birch" in shown
    assert NOW not in shown
    assert "The scheduler bound shop/web-2 to birch. The pod fits on 3 of" in shown
    assert str(total) in shown
    assert "birch is " in shown


def test_the_switch_leads_to_now_and_back(signed_in_client: Client, cluster: Cluster) -> None:
    placed(cluster, "web-2")
    address = "/clusters/shop/pods/shop/web-2/"

    then, now = (signed_in_client.get(f"{address}{query}").content.decode() for query in ("", "?at=now"))

    assert '<a href="?at=decision" aria-current="true">As of its decision</a>' in then
    assert '<a href="?at=now">As of now</a>' in then
    assert '<a href="?at=now" aria-current="true">As of now</a>' in now
    assert NOW in page(signed_in_client, "web-2", "?at=now")
    assert "Ways to widen the choice" in now
    assert "Ways to widen the choice" not in then


def test_what_the_journal_kept_stays_when_the_cluster_moves_on(signed_in_client: Client, cluster: Cluster) -> None:
    decision = placed(cluster, "web-2")
    document = decision.explanation
    assert document is not None
    first, *others = document.ranking
    decision.explanation = replace(document, node_count=4711, ranking=(replace(first, total=4712), *others))
    decision.save()

    assert "of 4 711 nodes" in page(signed_in_client, "web-2")
    assert "4 712" in page(signed_in_client, "web-2")
    assert "4 711" not in page(signed_in_client, "web-2", "?at=now")


def test_a_decision_without_explanation_is_shown_as_of_now(signed_in_client: Client, cluster: Cluster) -> None:
    placed(cluster, "web-2", explained=False, verdict=Verdict.UNJUDGED, reason=Decision.Reason.GAP)

    for query in ("", "?at=decision"):
        shown = page(signed_in_client, "web-2", query)
        assert NOW in shown
        assert "Decision without an explanation:" in shown
        assert "As of its decision" not in shown


def test_a_waiting_pod_is_explained_as_of_now_unless_asked(signed_in_client: Client, cluster: Cluster) -> None:
    document = decision_document(explain_pod(cluster=cluster, namespace="shop", name="huge"), None)
    a_decision(
        cluster, "huge", pod_uid="shop-huge", kind=Kind.UNSCHEDULABLE, node_name="", explanation=document, attempts=3,
        message=document.message,
    )  # fmt: skip

    assert NOW in page(signed_in_client, "huge")
    shown = page(signed_in_client, "huge", "?at=decision")
    assert f"{THEN} Unschedulable" in shown
    assert "The scheduler found no node for shop/huge, 3 times in a row. The pod fits on 0 of" in shown


def test_another_profile_is_asked_as_of_now(signed_in_client: Client, cluster: Cluster) -> None:
    placed(cluster, "web-2")

    assert NOW in page(signed_in_client, "web-2", "?profile=default-scheduler")


def test_only_where_it_is_now_counts_as_its_decision(signed_in_client: Client, cluster: Cluster) -> None:
    placed(cluster, "web-2", node_name="elm")
    placed(cluster, "web-2", pod_uid="another")

    assert f"{NOW} Revision" in (shown := page(signed_in_client, "web-2"))
    assert "Its decision is not recorded." in shown


def test_attempts_are_told_newest_first_with_what_berth_says(signed_in_client: Client, cluster: Cluster) -> None:
    # Of a dump, ages would count to its last time.
    Cluster.objects.update(source=Cluster.Source.LIVE)
    refused = a_decision(
        cluster, "web-1", pod_uid="shop-web-1", kind=Kind.UNSCHEDULABLE, node_name="", attempts=4,
        message="0/6 nodes are available.", verdict=Verdict.DISAGREES, reason=Decision.Reason.FITS,
        ago=timedelta(hours=3),
    )  # fmt: skip
    bound = placed(cluster, "web-1", explained=False)
    a_decision(cluster, "web-1", pod_uid="of-an-earlier-pod", node_name="elm")

    body = signed_in_client.get("/clusters/shop/pods/shop/web-1/").content.decode()
    shown = page(signed_in_client, "web-1")

    assert "Bound to ash" in shown
    said = r"Unschedulable \(4 attempts\) (\d+ \w+ )?\d\d:\d\d UTC Disagrees The pod fits 0/6 nodes are available\."
    assert re.search(said, shown)
    assert 'title="3h ago · ' in body
    assert body.index(f"/journal/{bound.pk}/") < body.rindex(f"/journal/{refused.pk}/")
    assert "Bound to elm" not in shown


def live(cluster: Cluster, part: str, query: str = "") -> str:
    """Render a live part as a browser that shows a pod's page is sent it."""
    return render(topic_of(part, cluster.pk, f"/clusters/shop/pods/shop/web-1/{query}")).html


def test_attempts_are_pushed_as_they_come(signed_in_client: Client, cluster: Cluster) -> None:
    before = live(cluster, "decision.attempts")
    # Observed so long ago that its age in words does not change between the two looks.
    decision = placed(cluster, "web-1", explained=False, ago=timedelta(days=20, hours=12))

    assert f"/journal/{decision.pk}/" not in before
    assert (
        live(cluster, "decision.attempts").strip()
        in signed_in_client.get("/clusters/shop/pods/shop/web-1/").content.decode()
    )
    assert f"/journal/{decision.pk}/" in live(cluster, "decision.attempts")


def test_page_of_a_live_cluster_says_where_the_cluster_is_by_now(signed_in_client: Client, cluster: Cluster) -> None:
    assert "is at revision" not in page(signed_in_client, "web-1")
    Cluster.objects.filter(pk=cluster.pk).update(source=Cluster.Source.LIVE, revision=41)

    assert "Now at revision 41. Compute again" in page(signed_in_client, "web-1")
    Cluster.objects.filter(pk=cluster.pk).update(revision=42)
    pushed = live(cluster, "decision.revision", "?profile=default-scheduler&at=decision")
    assert "Now at revision 42." in pushed
    assert 'href="?profile=default-scheduler&amp;at=now"' in pushed


def test_many_attempts_do_not_lengthen_the_page_nor_its_queries(signed_in_client: Client, cluster: Cluster) -> None:
    counts, lengths = [], []
    for number in (1, 40):
        for _ in range(number):
            a_decision(cluster, "huge", pod_uid="shop-huge", kind=Kind.UNSCHEDULABLE, node_name="")
        page(signed_in_client, "huge")
        with CaptureQueriesContext(connection) as queries:
            body = signed_in_client.get("/clusters/shop/pods/shop/huge/").content.decode()
        counts.append(len(queries))
        lengths.append(body.count("<tr data-key="))

    assert counts[0] == counts[1]
    assert lengths == [1, 20]
