"""The journal and the agreement rate over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import orjson
import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import Cluster, Decision
from clusters.services import upgrading as asking
from clusters.services.journal.timeline import decision_document
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster
from tests.dashboard.test_upgrade import TAINT, objects
from tests.engine.builders import a_node, a_pod, explanation_of
from tests.support.gangs import load_gangs
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

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


API = "/api/v1/clusters/upgrade-page/upgrade"


@pytest.fixture
def tainted(tmp_path: Path) -> Cluster:
    return load(tmp_path, "upgrade-page", objects("v1.34.1", TAINT))


def test_the_api_has_what_the_page_has(tainted: Cluster, signed_in_client: Client) -> None:
    found = signed_in_client.get(API, {"to": "1.35"}).json()

    assert found["cluster"]["name"] == "upgrade-page"
    assert found["evaluatedRevision"] == tainted.revision
    assert "2 with another message, of 1 workload and 1 pending pod" in found["upgrade"]["words"]["headline"]
    assert {each["role"] for each in found["upgrade"]["differences"]} == {"pending", "next"}
    assert {rule["name"] for each in found["upgrade"]["differences"] for rule in each["rules"]} == {"names_taints"}


def test_the_api_answers_202_while_a_worker_evaluates(
    tainted: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []
    monkeypatch.setattr(asking, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(current_app, "send_task", lambda _, args: keys.append(args[-1]))

    response = signed_in_client.get(API, {"to": "1.36"})

    assert (response.status_code, response.json()["upgrade"]) == (202, None)
    assert len(keys) == 1


@pytest.mark.parametrize("minor", ["1.99", "1.34"])
def test_the_api_refuses_a_minor_that_is_not_later(tainted: Cluster, signed_in_client: Client, minor: str) -> None:
    response = signed_in_client.get(API, {"to": minor})

    assert response.status_code == 400
    assert (response.json()["error"]["where"], response.json()["error"]["code"]) == ("to", "NotOneOf")


def test_a_configuration_that_the_running_minor_refuses_is_a_conflict(
    tainted: Cluster, signed_in_client: Client
) -> None:
    tainted.chosen_configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "Other"}
    tainted.save()

    response = signed_in_client.get(API, {"to": "1.35"})

    assert (response.status_code, response.json()["error"]["where"]) == (409, "kind")


ADDRESS = "/api/v1/clusters/gangs/pod-groups/"


def test_groups_are_listed_page_by_page_in_the_order_of_the_page(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    first, second = (signed_in_client.get(ADDRESS, {"limit": 3, "page": page}).json() for page in (1, 2))

    assert [each["name"] for each in first["podGroups"]] == ["lost", "train", "infer"]
    assert [each["name"] for each in second["podGroups"]] == ["web", "idle"]
    assert (first["total"], first["next"], second["next"]) == (5, 2, None)
    assert first["podGroups"][1] == {
        "namespace": "ml",
        "name": "train",
        "state": "waiting-for-pods",
        "system": "scheduling.k8s.io",
        "policy": "gang",
        "needed": 5,
        "minCount": 5,
        "pods": 3,
        "scheduled": 0,
        "pending": 3,
        "missing": 2,
        "workload": None,
        "controller": {"kind": "JobSet", "name": "big"},
        "page": "/clusters/gangs/pod-groups/ml/train/",
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"state": "scheduled"}, ["web"]),
        ({"namespace": "ml", "state": "empty"}, ["idle"]),
        ({"namespace": "other"}, []),
    ],
)
def test_groups_are_filtered(signed_in_client: Client, tmp_path: Path, query: dict[str, str], names: list[str]) -> None:
    load_gangs(tmp_path)

    assert [each["name"] for each in signed_in_client.get(ADDRESS, query).json()["podGroups"]] == names


def test_one_group_says_what_becomes_of_it_and_why(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    found = signed_in_client.get(f"{ADDRESS}ml/infer").json()

    assert found["sentence"].startswith("1 of minCount 3 pods have or find a node")
    assert found["remedy"]
    assert found["members"] == [{"pod": f"infer-{number}", "node": None} for number in range(3)]
    assert (found["attempt"]["verdict"], found["attempt"]["found"]) == ("unschedulable", 1)
    assert [each["pod"] for each in found["attempt"]["members"] if each["message"]] == ["ml/infer-1"]
    causes = {each["cause"]: each["pods"] for each in found["causes"]}
    assert "infer-1" in causes["insufficient CPU, larger than any node"]
    assert signed_in_client.get(f"{ADDRESS}ml/web").json()["attempt"] is None


def test_a_group_that_there_is_not_is_not_found(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    answered = signed_in_client.get(f"{ADDRESS}ml/nothing/else")

    assert (answered.status_code, "pod-groups" in str(answered.json())) == (404, True)
