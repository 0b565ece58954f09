"""The explanation over HTTP, and its errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from clusters.models import Cluster, Event
from clusters.services.decisions.explain import explain_pod
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    from django.test import Client

    from clusters.engine import Explanation

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return decision_cluster(tmp_path)


def address(name: str, query: str = "") -> str:
    return f"/api/v1/clusters/shop/pods/shop/{name}/explanation{query}"


def explained(cluster: Cluster, name: str) -> Explanation:
    return explain_pod(cluster=cluster, namespace="shop", name=name)


def answer(client: Client, name: str, query: str = "") -> dict[str, Any]:
    response = client.get(address(name, query))
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_clusters_are_listed_with_their_size(signed_in_client: Client, cluster: Cluster) -> None:
    Cluster.objects.create(name="empty")

    empty, shop = signed_in_client.get("/api/v1/clusters/").json()["clusters"]

    assert (empty["name"], empty["nodes"], empty["lastSync"]) == ("empty", 0, None)
    assert (shop["name"], shop["nodes"], shop["pods"], shop["revision"]) == ("shop", 6, 15, 1)
    assert shop["page"] == "/clusters/shop/"


def test_compact_answer_of_a_pod_that_fits(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "plain")

    found = answer(signed_in_client, "plain", "?top=2")

    assert found["words"]["verdict"] == "Fits on 4 of 6 nodes. The best is cedar with 486 points."
    found = found["explanation"]
    assert found["best"] == {"count": 1, "examples": ["cedar"], "total": 486}
    assert found["preemption"] is None
    assert [score["node"] for score in found["ranking"]] == ["cedar", "birch"]
    row = explanation.snapshot.nodes.index["cedar"]
    assert found["ranking"][0]["scores"] == {
        cell.plugin: [cell.raw, cell.normalised, cell.weighted] for cell in explanation.cells_of(row)
    }
    assert sum(group["count"] for group in found["groups"]) == 6
    assert found["nodes"] == {}


def test_compact_answer_of_a_pod_that_does_not(signed_in_client: Client, cluster: Cluster) -> None:
    explanation = explained(cluster, "urgent")

    found = answer(signed_in_client, "urgent")

    assert found["state"] == "preemptible"
    found = found["explanation"]
    assert found["message"] == explanation.message
    assert found["ranking"] == []
    assert found["preemption"]["selected"] == found["preemption"]["candidates"][0]
    assert found["preemption"]["candidates"][0] == {
        "node": "ash",
        "victims": ["shop/web-1"],
        "victimCount": 1,
        "priorities": [0],
        "pdbViolations": 0,
    }
    assert found["relaxations"]["reductions"] == [
        {"resource": "cpu", "requested": 3000, "fitting": 2000, "node": "ash"}
    ]
    assert found["relaxations"]["singles"][0]["gained"] == 2


def test_what_those_who_add_nodes_reported_is_quoted(signed_in_client: Client, cluster: Cluster) -> None:
    about = {"involved_kind": "Pod", "involved_namespace": "shop", "reason": "FailedScheduling"}
    for number, name in enumerate(("urgent", "web-2", "urgent")):
        component = ("karpenter", "karpenter", "default-scheduler")[number]
        Event.objects.create(
            cluster=cluster,
            namespace="shop",
            name=f"{name}.{number}",
            **about,
            involved_name=name,
            message="no instance type has enough CPU",
            reporting_component=component,
            object={},
            uid=f"event-{number}",
            count=1,
        )

    said = ["karpenter (FailedScheduling): no instance type has enough CPU"]
    assert answer(signed_in_client, "urgent")["words"]["autoscaler"] == said
    assert answer(signed_in_client, "web-1")["words"]["autoscaler"] == []


def test_nodes_have_every_answer(signed_in_client: Client, cluster: Cluster) -> None:
    whole = explained(cluster, "spread").as_recorded()["nodes"]

    found = answer(signed_in_client, "spread", "?nodes=all")["explanation"]["nodes"]
    # What simulators record has the scheduler's words alone, not what they mean.
    filters = {
        name: {plugin: {"code": each["code"], "reasons": each["reasons"]} for plugin, each in part["filters"].items()}
        for name, part in found.items()
    }
    assert filters == {name: part.get("filters", {}) for name, part in whole.items()}
    assert {name: (part["verdict"]["code"], part["total"], part["scores"]) for name, part in found.items()} == {
        name: (part["verdict"]["code"], part.get("total"), part.get("scores", {})) for name, part in whole.items()
    }
    named = answer(signed_in_client, "spread", "?node=ash&node=oak")["explanation"]["nodes"]
    later = ("evidence", "scoreEvidence", "nominated")
    assert {name: {key: part[key] for key in part if key not in later} for name, part in named.items()} == {
        name: found[name] for name in ("ash", "oak")
    }


def test_named_node_comes_with_what_was_compared_and_nominated_pods(signed_in_client: Client, cluster: Cluster) -> None:
    found = answer(signed_in_client, "huge", "?node=cedar")

    cpu = found["explanation"]["nodes"]["cedar"]["evidence"]["NodeResourcesFit"][1]
    assert cpu == {
        "kind": "resource",
        "holds": False,
        "resource": "cpu",
        "requested": 9000,
        "allocatable": 4000,
        "used": 0,
        "nominated": [{"pod": "shop/nominee", "amount": 3500}],
    }


def test_other_schedulers_pod_is_explained_by_a_named_profile(signed_in_client: Client, cluster: Cluster) -> None:
    found = answer(signed_in_client, "foreign", "?profile=default-scheduler")

    assert found["profile"] == "default-scheduler"
    assert found["explanation"]["fits"]


@pytest.mark.parametrize(
    ("path", "status", "where"),
    [
        (address("none-such"), 404, "pod"),
        ("/api/v1/clusters/none-such/pods/shop/plain/explanation", 404, "cluster"),
        (address("plain", "?node=none-such"), 404, "node"),
        (address("plain", "?profile=none-such"), 404, address("plain")),
        (address("foreign"), 409, "spec.schedulerName"),
        (address("plain", "?nodes=some"), 400, "nodes"),
        (address("plain", "?top=0"), 400, "top"),
        (address("plain", "?top=many"), 400, "top"),
        (address("plain", "?top=101"), 400, "top"),
        (address("plain", "?top=000000050999"), 400, "top"),
        ("/api/v1/none-such/", 404, "/api/v1/none-such/"),
        ("/api/", 404, "/api/"),
    ],
)
def test_errors_say_what_where_and_what_to_do(
    signed_in_client: Client, cluster: Cluster, path: str, status: int, where: str
) -> None:
    response = signed_in_client.get(path)

    assert response.status_code == status
    error = response.json()["error"]
    assert set(error) == {"code", "what", "where", "remedy"}
    assert error["where"] == where
    assert error["what"].endswith(".")
    assert error["remedy"].endswith(".")


def test_unreadable_configuration_is_a_conflict_with_its_field(signed_in_client: Client, cluster: Cluster) -> None:
    cluster.scheduler_configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "Deployment"}
    cluster.save()

    response = signed_in_client.get(address("plain"))

    assert response.status_code == 409
    assert response.json()["error"]["where"] == "kind"


def test_every_field_is_documented(signed_in_client: Client, cluster: Cluster) -> None:
    reference = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text(encoding="utf-8")
    found = answer(signed_in_client, "urgent", "?node=ash")

    assert [
        name for part in (found, found["cluster"], found["words"]) for name in part if f"`{name}`" not in reference
    ] == []
