"""The page of quotas: what is used of each, by which workloads, and what fits next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import Pod
from clusters.services.runs.spec import read_spec
from clusters.services.runs.starting import stored_run
from clusters.services.runs.working import work
from tests.clusters.dumps import node, pod
from tests.clusters.reports.review_cluster import reviewed, rows
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def quota(name: str, hard: dict[str, str], used: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    status = {} if used is None else {"status": {"hard": hard, "used": used}}
    metadata = {"name": name, "namespace": "shop", "uid": name}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata,
        "spec": {"hard": hard, **spec},
        **status,
    }


def requesting(made: dict[str, Any], cpu: str) -> dict[str, Any]:
    made["spec"]["containers"][0]["resources"]["requests"]["cpu"] = cpu
    return made


def web(name: str) -> dict[str, Any]:
    made = requesting(pod(name, on="n1"), "2")
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
    made["metadata"]["ownerReferences"] = [owner]
    return made


def test_each_quota_tells_what_is_used_by_whom_and_what_fits_next(tmp_path: Path, signed_in_client: Client) -> None:
    compute = quota("compute", {"requests.cpu": "8", "pods": "10"}, {"requests.cpu": "5500m", "pods": "3"})
    full = quota("full", {"pods": "3"}, {"pods": "3"}, scopes=["NotTerminating"])
    pods = [web("web-1"), web("web-2"), requesting(pod("bare", on="n1"), "1500m")]
    load(tmp_path, "prod", [node("n1"), compute, full, *pods])

    said = text(signed_in_client, "/clusters/prod/quotas/")

    # The fullest comes first.
    assert said.index("shop/full") < said.index("shop/compute")
    assert "requests.cpu 5.5 CPU of 8 CPU 69 %" in said
    assert "2 pods pods=2,requests.cpu=4 1 further pod like its largest" in said.replace(", ", ",")
    assert "Pods without a controller 1 pod" in said


def test_a_simulation_tells_which_pods_a_quota_refuses(tmp_path: Path, signed_in_client: Client) -> None:
    cluster = load(tmp_path, "prod", [node("n1"), quota("few", {"pods": "2"}, {"pods": "1"}), pod("there", on="n1")])
    manifest = {**pod("new"), "status": {}}
    spec = {"base": {"kind": "cluster"}, "changes": [{"change": "add-workload", "manifest": manifest, "replicas": 3}]}
    run = stored_run(cluster=cluster, spec=read_spec(spec), title="More", user=None)
    work(run.pk)
    message = 'pods "new-2" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2'

    said = text(signed_in_client, f"/simulations/{run.pk}/")
    fits = signed_in_client.get(f"/api/v1/runs/{run.pk}/fits").json()

    assert "Added pods: 1 of 3 placed, 2 not created." in said
    assert message in said
    assert (fits["fits"], fits["pending"], fits["forbidden"]) == (False, [], ["shop/new-2", "shop/new-3"])
    row = run.pods.get(name="new-3")
    assert (row.outcome, row.node_name, row.attempts) == ("forbidden", "", 0)


def test_a_quota_that_no_controller_has_counted_is_counted(tmp_path: Path, signed_in_client: Client) -> None:
    pods = [pod(f"p{number}", on="n1") for number in range(3)]
    load(tmp_path, "prod", [node("n1"), quota("few", {"pods": "2"}), *pods])

    said = text(signed_in_client, "/clusters/prod/quotas/")

    assert "pods 3 of 2 150 %" in said
    assert "Used above hard" in said


def test_page_api_and_review_tell_of_every_pod_of_large_namespaces(tmp_path: Path, signed_in_client: Client) -> None:
    few = quota("few", {"pods": "10"}, {"pods": "2"})
    many = quota("many", {"pods": "10000"}, {"pods": "5000"})
    many["metadata"]["namespace"] = "crowd"
    cluster = load(tmp_path, "prod", [node("n1"), few, many, web("web-1"), web("web-2")])
    (row, _) = Pod.objects.filter(cluster=cluster).order_by("name")
    crowd = []
    for number in range(5_000):
        name = f"web-{number}"
        metadata = {**row.object["metadata"], "name": name, "namespace": "crowd"}
        copied = {"pk": None, "uid": f"crowd-{number}", "name": name, "namespace": "crowd"}
        values = {field.attname: getattr(row, field.attname) for field in Pod._meta.concrete_fields}
        crowd.append(Pod(**{**values, **copied, "object": {**row.object, "metadata": metadata}}))
    Pod.objects.bulk_create(crowd)

    said = text(signed_in_client, "/clusters/prod/quotas/")
    api = signed_in_client.get("/api/v1/clusters/prod/quotas/").json()["quotas"]
    found = rows(reviewed(cluster, "quotas"), "quotas", "quota_users")

    assert "5 000 pods pods=5k" in said
    assert [(each["name"], each["users"][0]["pods"]) for each in api] == [("many", 5_000), ("few", 2)]
    assert [(each["name"], each["pods"]) for each in found] == [("many", 5_000), ("few", 2)]


def test_the_api_and_the_file_have_what_the_page_has(tmp_path: Path, signed_in_client: Client) -> None:
    compute = quota("compute", {"requests.cpu": "8", "pods": "10"}, {"requests.cpu": "5500m", "pods": "3"})
    full = quota("full", {"pods": "3"}, {"pods": "3"}, scopes=["NotTerminating"])
    load(
        tmp_path, "prod", [node("n1"), compute, full, web("web-1"), web("web-2"), requesting(pod("bare", on="n1"), "1")]
    )

    first, second = (
        signed_in_client.get("/api/v1/clusters/prod/quotas/", {"limit": 1, "page": page}).json() for page in (1, 2)
    )
    elsewhere = signed_in_client.get("/api/v1/clusters/prod/quotas/", {"namespace": "other"}).json()
    file = signed_in_client.get("/clusters/prod/quotas.csv").content.decode().splitlines()

    assert (first["total"], first["next"], second["next"], first["podsCut"]) == (2, 2, None, False)
    assert (first["quotas"][0]["name"], first["quotas"][0]["isExhausted"]) == ("full", True)
    (found,) = second["quotas"]
    assert found["resources"] == [
        {"resource": "pods", "used": "3", "hard": "10", "share": 0.3},
        {"resource": "requests.cpu", "used": "5500m", "hard": "8", "share": 0.6875},
    ]
    assert found["users"] == [
        {
            "workload": {"namespace": "shop", "kind": "ReplicaSet", "name": "web"},
            "pods": 2,
            "used": {"pods": "2", "requests.cpu": "4"},
            "share": 0.5,
            "more": 1,
            "unspecified": [],
        },
        {
            "workload": None,
            "pods": 1,
            "used": {"pods": "1", "requests.cpu": "1"},
            "share": 0.125,
            "more": 2,
            "unspecified": [],
        },
    ]
    assert elsewhere["quotas"] == []
    assert file == [
        "namespace,quota,scopes,resource,used,hard,share used",
        "shop,full,NotTerminating,pods,3,3,1.0000",
        "shop,compute,,pods,3,10,0.3000",
        "shop,compute,,requests.cpu,5500m,8,0.6875",
    ]


def test_amounts_beyond_64_bits_are_shown_as_more_than_there_is(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", [node("n1"), quota("odd", {"pods": "1"}, {"pods": "1e399"})])

    for place in ["/clusters/prod/quotas/", "/clusters/prod/quotas.csv", "/api/v1/clusters/prod/quotas/"]:
        answer = signed_in_client.get(place)
        assert answer.status_code == 200
        assert b"odd" in answer.content
