"""Pods of a dump that were written by hand: they are told, and completed as admission would where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command
from msgspec.structs import asdict

from clusters.documents.problems import worded_gap
from clusters.models import Cluster, Pod
from clusters.problems.inputs import OtherGap
from clusters.services.files import read_dump
from tests.support.decision_cluster import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

Object = dict[str, Any]


def a_pod(name: str, resources: Object | None = None, **spec: Any) -> Object:
    containers = [{"name": "main", "image": "web:1", "resources": resources or {}}]
    metadata = {"name": name, "namespace": "shop", "uid": name}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers, **spec}}


OBJECTS: list[Object] = [
    node("ash", "north"),
    {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high", "uid": "high"},
        "value": 1000,
    },
    {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "kata", "uid": "kata"},
        "handler": "kata",
        "overhead": {"podFixed": {"cpu": "3"}},
    },
    a_pod("limited", {"limits": {"cpu": "500"}}),
    a_pod("ranked", priorityClassName="high"),
    a_pod("boxed", runtimeClassName="kata"),
    a_pod("plain"),
    a_pod("stored", {"limits": {"cpu": "500"}}, schedulerName="default-scheduler", priority=0),
]


def written(folder: Path) -> Path:
    path = folder / "raw.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": OBJECTS}))
    return path


def test_pods_that_admission_would_change_are_told_in_terminal_api_and_page(
    tmp_path: Path, signed_in_client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    load(tmp_path, "prod", OBJECTS)
    (gap,) = [gap for gap in read_dump(written(tmp_path)).gaps if gap.kind == OtherGap.POD_DEFAULTS]
    said = worded_gap(gap.as_dict())
    assert "shop/boxed, shop/limited and shop/ranked" in said.why

    call_command("explain", str(tmp_path / "raw.json"), all_pending=True)
    assert said.why in " ".join(capsys.readouterr().out.split())
    assert said.why in text(signed_in_client, "/clusters/prod/")
    (listed,) = signed_in_client.get("/api/v1/clusters/").json()["clusters"]
    assert asdict(said) in listed["gaps"]


def test_they_are_completed_where_that_is_asked_for(tmp_path: Path) -> None:
    found = read_dump(written(tmp_path), default_pods=True)
    spec = {key: pod["spec"] for key, pod in found.pods.items()}

    assert OtherGap.POD_DEFAULTS not in [gap.kind for gap in found.gaps]
    assert spec["shop/limited"]["containers"][0]["resources"]["requests"] == {"cpu": "500"}
    assert spec["shop/ranked"]["priority"] == 1000
    assert spec["shop/boxed"]["overhead"] == {"cpu": "3"}
    assert "schedulerName" not in spec["shop/plain"]
    assert "requests" not in spec["shop/stored"]["containers"][0]["resources"]


def test_ingest_completes_them_too(tmp_path: Path) -> None:
    call_command("ingest", str(written(tmp_path)), cluster="raw", default_pods=True)
    cluster = Cluster.objects.get(name="raw")
    assert OtherGap.POD_DEFAULTS not in [gap["kind"] for gap in cluster.gaps]
    assert Pod.objects.get(cluster=cluster, name="limited").cpu_milli == 500_000
    assert Pod.objects.get(cluster=cluster, name="ranked").priority == 1000
