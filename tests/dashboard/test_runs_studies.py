"""Studies on the web: room for shapes, nodes that are needed or removable, and sweeps."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import Study
from clusters.services.runs.working import work
from clusters.services.studies.asking import work_on_part
from dashboard.views import studies
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.test_runs import MORE, done
from tests.support.decision_cluster import pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

ASK = "/clusters/shop/headroom/"


@pytest.fixture
def shop(tmp_path: Path) -> None:
    """Four nodes of 4 CPUs in three zones, and a Deployment of which two pods of half a CPU run."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])


def answered(client: Client, ask: str, **fields: str) -> str:
    """Ask, have it answered, and return the study's address."""
    response = client.post(ASK, {"ask": ask, **{f"{ask}-{name}": value for name, value in fields.items()}})
    assert response.status_code == 302, response.text
    for part in Study.objects.latest("pk").parts.all():
        work_on_part(part.pk)
    return str(response["Location"])


def test_room_is_counted_for_each_shape_and_as_a_mix(shop: None, signed_in_client: Client) -> None:
    page = answered(signed_in_client, "headroom", workloads="Deployment shop/web", sizes="4 1Gi\n1 1Gi")

    said = text(signed_in_client, page)
    assert "shop/web Done 30 more on 4 nodes." in said
    assert "4 CPU, 1Gi Done 3 more on 3 nodes." in said
    assert "4 nodes: NodeResourcesFit, Insufficient cpu" in said
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"{page}study.csv").text)))
    assert [row["answer"] for row in rows[:2]] == ["30 more on 4 nodes.", "3 more on 3 nodes."]

    mix = text(signed_in_client, answered(signed_in_client, "headroom", sizes="2x 1 CPU, 1 GiB\n500m 1Gi", is_mix="on"))
    assert "Of the mix:" in mix


def test_what_can_be_typed_is_shown_with_names_of_the_cluster(shop: None, signed_in_client: Client) -> None:
    headroom = signed_in_client.get(ASK).text

    assert re.findall('placeholder="([^"]*Deployment[^"]*)"', headroom) == ["Deployment shop/web"] * 2
    assert '<option value="Deployment shop/web">' in headroom
    assert "“web: like Deployment shop/web”" in signed_in_client.get("/clusters/shop/reviews/new").text


def test_another_page_of_studies_takes_the_place_of_the_whole_page(
    shop: None, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "STUDIES_PER_PAGE", 1)
    for size in ("4 1Gi", "1 1Gi"):
        answered(signed_in_client, "headroom", sizes=size)

    (following,) = re.findall(r'<a rel="next"[^>]*>', signed_in_client.get("/studies/").text)

    # The answer is a page with its head, which must not stand within the main part of this one.
    assert 'hx-target="body"' in following


def test_further_replicas_of_a_stateful_set_bring_claims_of_their_own(tmp_path: Path, signed_in_client: Client) -> None:
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}
    first = pod("db-0", nodeName="a1", volumes=[claim])
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    first["metadata"]["ownerReferences"] = [owner]
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "1Gi"}}}
    at_a1 = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["a1"]}]}
    kinds: list[tuple[str, str, dict[str, Any]]] = [
        ("apps/v1", "StatefulSet", {"metadata": {"name": "db", "namespace": "shop"}, "spec": {"replicas": 1}}),
        ("storage.k8s.io/v1", "StorageClass", {"metadata": {"name": "disk"}, "provisioner": "example.com/disk"}),
        ("v1", "PersistentVolumeClaim", {"metadata": {"name": "data-db-0", "namespace": "shop"}, "spec": spec}),
        ("v1", "PersistentVolume", {"metadata": {"name": "pv"}, "spec": {**spec, "capacity": {"storage": "1Gi"}}}),
    ]
    objects = [{"apiVersion": version, "kind": kind, **rest} for version, kind, rest in kinds]
    stateful_set, disk, bound, volume = objects
    template = {"metadata": {"name": "data"}, "spec": spec}
    stateful_set["spec"] |= {"selector": {"matchLabels": {}}, "volumeClaimTemplates": [template]}
    disk["volumeBindingMode"] = "WaitForFirstConsumer"
    bound["spec"] = {**spec, "volumeName": "pv"}
    bound["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
    volume["spec"] |= {
        "claimRef": {"namespace": "shop", "name": "data-db-0"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [at_a1]}},
    }
    load(tmp_path, "shop", [*zones(), first, *objects])

    page = text(signed_in_client, answered(signed_in_client, "headroom", workloads="StatefulSet shop/db"))

    # The volume of db-0 is on a1 alone, and that of no other replica.
    assert re.search(r"[0-9,]+ more on 4 nodes\.", page), page


def test_a_quota_that_stops_the_next_pod_is_quoted(tmp_path: Path, signed_in_client: Client) -> None:
    quota = {"spec": {"hard": {"pods": "1"}}, "status": {"hard": {"pods": "1"}, "used": {"pods": "1"}}}
    place = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "team", "namespace": "shop"}}
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1}), {**place, **quota}])

    page = text(signed_in_client, answered(signed_in_client, "headroom", workloads="shop/web"))

    assert "0 more on 0 nodes." in page
    assert "What stops the next one pods" in page
    assert "exceeded quota: team" in page
    assert "As the scheduler reports it" not in page


def test_nodes_that_are_needed_and_those_that_are_removable(shop: None, signed_in_client: Client) -> None:
    needed = answered(signed_in_client, "needed", workload="Deployment shop/web", count="40", like="a1")
    gone = answered(signed_in_client, "removable")

    # Ten of the forty find no room, and a node takes eight.
    assert "2 more nodes for 40 pods." in text(signed_in_client, needed)
    assert "of 4 nodes are removable" in text(signed_in_client, gone)
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"{gone}study.csv").text)))
    assert {row["node"] for row in rows} == {"a1", "a2", "b1", "c1"}
    assert {row["removable"] for row in rows} <= {"yes", "no"}
    listed = text(signed_in_client, "/studies/?cluster=shop")
    assert "Nodes needed for 40 more replicas of shop/web" in listed


@pytest.mark.parametrize(
    ("ask", "fields", "problem"),
    [
        ("headroom", {}, "Choose a workload, requests or a manifest."),
        ("headroom", {"sizes": "lots"}, "“lots” is not like 500m 1Gi."),
        ("headroom", {"workloads": "Deployment shop/ghost"}, "Deployment shop/ghost has no pod"),
        ("needed", {"workload": "Deployment shop/web", "like": "a1"}, "Write how many replicas."),
        ("needed", {"workload": "Deployment shop/web", "count": "1"}, "Choose a node to copy"),
        ("needed", {"workload": "Deployment shop/ghost", "count": "1", "like": "a1"}, "There is no Deployment shop/gh"),
        ("needed", {"workload": "Deployment shop/web", "count": "1", "like": "ghost"}, "No such nodes: ghost."),
    ],
)
def test_what_cannot_be_asked_says_why(
    shop: None, signed_in_client: Client, ask: str, fields: dict[str, str], problem: str
) -> None:
    sent = {"ask": ask, **{f"{ask}-{name}": value for name, value in fields.items()}}

    response = signed_in_client.post(ASK, sent)

    assert response.status_code == 400
    assert problem in response.text
    assert all(value in response.text for value in fields.values()), "what was written stays"
    assert not Study.objects.exists()


def test_a_run_is_tried_under_several_configurations(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    empty = signed_in_client.post(f"/simulations/{run.pk}/sweep/", {"ask": "sweep"})
    assert "Choose at least one." in empty.text

    sent = {"sweep-built_in": ["as-is", "most-allocated"], "sweep-weights": "ImageLocality=0"}
    page = signed_in_client.post(f"/simulations/{run.pk}/sweep/", sent)["Location"]
    study = Study.objects.latest("pk")
    assert "Running: 0 of 3 done." in text(signed_in_client, page)
    for each in study.runs.all():
        work(each.pk)

    said = text(signed_in_client, page)
    assert "Bin packing (MostAllocated)" in said
    assert said.count("30 of 40") == 6, "in the bars and in the table"
    assert signed_in_client.post(f"{page}delete/").status_code == 302
    assert not Study.objects.exists()
