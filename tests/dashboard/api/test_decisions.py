"""The journal and the agreement rate over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import decision_document
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster
from tests.engine.builders import a_node, a_pod, explanation_of

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

DECISIONS = "/api/v1/clusters/prod/decisions/"
Verdict, Reason, Kind = Decision.Verdict, Decision.Reason, Decision.Kind


@pytest.fixture
def cluster() -> Cluster:
    return a_cluster(source=Cluster.Source.LIVE)


def answer(client: Client, address: str) -> dict[str, Any]:
    response = client.get(address)
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_decisions_come_page_by_page(signed_in_client: Client, cluster: Cluster) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for number in range(7):
        a_decision(cluster, f"p{number}", heard_at=moment)
    a_decision(a_cluster("other"), "foreign")

    page = answer(signed_in_client, f"{DECISIONS}?limit=3")
    names = [decision["pod"]["name"] for decision in page["decisions"]]
    while page["next"] is not None:
        page = answer(signed_in_client, f"{DECISIONS}?limit=3&cursor={page['next']}")
        names += [decision["pod"]["name"] for decision in page["decisions"]]

    assert names == ["p6", "p5", "p4", "p3", "p2", "p1", "p0"]
    assert page["cluster"]["name"] == "prod"


def test_filters_are_those_of_the_page(signed_in_client: Client, cluster: Cluster) -> None:
    a_decision(cluster, "past", heard_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    a_decision(cluster, "odd", verdict=Verdict.DISAGREES, reason=Reason.FITS, kind=Kind.UNSCHEDULABLE)

    def names(query: str) -> list[str]:
        return [found["pod"]["name"] for found in answer(signed_in_client, f"{DECISIONS}?{query}")["decisions"]]

    assert names("verdict=disagrees&reason=fits&kind=unschedulable") == ["odd"]
    assert names("since=2026-03-01T12:30:00Z&until=2026-03-01T12:30:01Z") == ["past"]
    assert names("namespace=none-such") == []


def test_one_decision_comes_with_what_was_computed(signed_in_client: Client, cluster: Cluster) -> None:
    document = decision_document(explanation_of(a_pod(), a_node("n1"), a_node("n2")), "n1")
    event = {"reason": "Scheduled", "note": "placed", "component": "default-scheduler", "time": None}
    decision = a_decision(cluster, explanation=document, event=event)

    found = answer(signed_in_client, f"{DECISIONS}{decision.pk}")["decision"]
    [listed] = answer(signed_in_client, DECISIONS)["decisions"]

    assert found.pop("explanation") == orjson.loads(msgspec.json.encode(document))
    assert found == listed
    assert found["pod"] == {"namespace": "shop", "name": "web-1", "uid": "uid-web-1"}
    assert (found["node"], found["verdict"], found["reason"], found["preemptor"]) == ("n1", "agrees", None, None)
    assert found["event"] == event
    assert found["page"] == f"/clusters/prod/journal/{decision.pk}/"
    assert found["heardAt"] == decision.heard_at.isoformat()


def test_agreement_by_window_cluster_and_kind(signed_in_client: Client, cluster: Cluster) -> None:
    a_cluster("dumped")
    a_decision(cluster)
    a_decision(cluster, ago=timedelta(hours=2), verdict=Verdict.DISAGREES, reason=Reason.FITS, kind=Kind.UNSCHEDULABLE)
    a_decision(cluster, verdict=Verdict.UNJUDGED, reason=Reason.GAP, basis=None)

    found = answer(signed_in_client, "/api/v1/agreement")

    assert {window: rate["rate"] for window, rate in found["windows"].items()} == {"1h": 1.0, "24h": 0.5, "all": 0.5}
    assert found["windows"]["24h"]["disagreements"] == {"fits": 1}
    assert found["windows"]["1h"]["unjudgedReasons"] == {"gap": 1}
    assert [each["name"] for each in found["clusters"]] == ["prod"]
    assert found["kinds"]["unschedulable"]["1h"]["rate"] is None
    assert found["kinds"]["unschedulable"]["24h"]["rate"] == 0.0
    assert found["windows"]["1h"]["bySearch"] == 0
    assert found["searches"] is None


def test_what_agrees_by_its_search_is_told_with_how_narrow_that_was(signed_in_client: Client, cluster: Cluster) -> None:
    basis = {"state": "before", "search": {"places": 12, "nodes": 200}}
    a_decision(cluster, reason=Reason.SEARCH, basis=basis)

    found = answer(signed_in_client, "/api/v1/agreement")

    assert (found["windows"]["1h"]["bySearch"], found["windows"]["1h"]["tied"]) == (1, 0)
    assert found["searches"] == {"decisions": 1, "places": 0.06}
    [decision] = answer(signed_in_client, f"{DECISIONS}?reason=search")["decisions"]
    assert decision["basis"] == basis


def test_number_of_queries_does_not_grow(signed_in_client: Client, cluster: Cluster) -> None:
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            answer(signed_in_client, address)
        return len(captured)

    a_decision(cluster)
    few = [queries(address) for address in (DECISIONS, "/api/v1/agreement")]
    for number in range(9):
        a_decision(cluster, f"p{number}")
        a_decision(a_cluster(f"c{number}", source=Cluster.Source.LIVE))

    assert [queries(address) for address in (DECISIONS, "/api/v1/agreement")] == few


@pytest.mark.parametrize(
    ("address", "status", "where"),
    [
        ("/api/v1/clusters/none-such/decisions/", 404, "cluster"),
        (f"{DECISIONS}999999", 404, "decision"),
        (f"{DECISIONS}{10**30}", 404, "decision"),
        ("/api/v1/clusters/none-such/decisions/1", 404, "cluster"),
        (f"{DECISIONS}?limit=0", 400, "limit"),
        (f"{DECISIONS}?limit=501", 400, "limit"),
        (f"{DECISIONS}?limit=many", 400, "limit"),
        (f"{DECISIONS}?cursor=here", 400, "cursor"),
        (f"{DECISIONS}?kind=bogus", 400, "kind"),
        (f"{DECISIONS}?since=yesterday", 400, "since"),
        (f"{DECISIONS}?q=%00", 400, "q"),
    ],
)
def test_errors_say_what_where_and_what_to_do(
    signed_in_client: Client, cluster: Cluster, address: str, status: int, where: str
) -> None:
    response = signed_in_client.get(address)

    assert response.status_code == status
    error = response.json()["error"]
    assert error["where"] == where
    assert error["what"].endswith(".")
    assert error["remedy"].endswith(".")
