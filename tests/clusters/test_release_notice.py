"""A verdict about a cluster of another Kubernetes minor says so, wherever it is shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from clusters.engine.versions import NEWEST
from clusters.models import Cluster
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

NOTICE = f"This cluster runs Kubernetes 1.99. Berth answers as kube-scheduler {NEWEST.compared} does"
VERSIONS = (
    ("v1.36.2+k3s1", "Kubernetes 1.36"),
    ("v1.99.2", f"Kubernetes 1.99, answered as {NEWEST.minor}"),
    ("v1.29.0", "Kubernetes 1.29, answered as 1.34"),
    ("", "Kubernetes version unknown, answered as 1.34"),
)
PAGES = (
    "",
    "pods/shop/web/",
    "pods/shop/web/what-if/",
    "pending/",
    "nodes/",
    "journal/",
    "workloads/",
    "drain/",
)


def objects(version: str) -> list[dict[str, Any]]:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1", "uid": "n1"},
        "status": {"allocatable": {"cpu": "4", "pods": "10"}, "nodeInfo": {"kubeletVersion": version}},
    }
    containers = [{"name": "main", "image": "web:1", "resources": {"requests": {"cpu": "1"}}}]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "shop", "name": "web", "uid": "web"},
        "spec": {"containers": containers, "schedulerName": "default-scheduler"},
        "status": {"phase": "Pending"},
    }
    return [node, pod]


def dump(folder: Path, version: str) -> str:
    path = folder / "dump.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects(version)}))
    return str(path)


@pytest.mark.django_db
@pytest.mark.parametrize(("version", "is_said"), [("v1.99.2", True), ("v1.34.3", False)])
def test_pages_and_the_api(version: str, is_said: bool, tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", objects(version))
    for page in PAGES if is_said else PAGES[:1]:
        assert (NOTICE in signed_in_client.get(f"/clusters/shop/{page}").text) is is_said, page
    state = signed_in_client.get("/api/v1/clusters/shop/pods/shop/web/explanation").json()["cluster"]
    assert state["answeredAs"] == (NEWEST.compared if is_said else "v1.34.9")
    assert (NOTICE in (state["releaseNotice"] or "")) is is_said


@pytest.mark.django_db
@pytest.mark.parametrize(("version", "said"), VERSIONS)
def test_a_page_of_a_cluster_names_its_version(
    version: str, said: str, tmp_path: Path, signed_in_client: Client
) -> None:
    load(tmp_path, "shop", objects(version))
    assert f'<span class="cluster-version">{said}</span>' in signed_in_client.get("/clusters/shop/nodes/").text


@pytest.mark.parametrize(("version", "is_said"), [("v1.99.2", True), ("v1.34.3", False)])
@pytest.mark.parametrize("arguments", [["--pod", "shop/web"], ["--all-pending"], ["--pod", "shop/web", "-o", "json"]])
def test_the_terminal(
    version: str, is_said: bool, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("explain", dump(tmp_path, version), *arguments)
    out, err = capsys.readouterr()
    assert (NOTICE in err) is is_said
    assert (f"Kubernetes 1.99, answered as {NEWEST.minor}" in out) is (is_said and "json" not in arguments)
    if "json" in arguments:
        assert (NOTICE in (json.loads(out)["releaseNotice"] or "")) is is_said


@pytest.mark.parametrize(("version", "is_said"), [("v1.99.2", True), ("v1.34.3", False)])
def test_a_simulation(version: str, is_said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate", "--dump", dump(tmp_path, version), "--format", "json")

    notes = json.loads(capsys.readouterr().out)["summary"]["notes"]
    assert any(note.startswith(NOTICE) for note in notes) is is_said


@pytest.mark.django_db
def test_the_agreement_page_names_the_cluster(signed_in_client: Client) -> None:
    Cluster.objects.create(name="east", source=Cluster.Source.LIVE, kube_version="v1.99.0")
    Cluster.objects.create(name="west", source=Cluster.Source.LIVE, kube_version="v1.34.2")

    said = signed_in_client.get("/agreement/").text
    assert f"east: {NOTICE}" in said
    assert "west: This cluster" not in said
