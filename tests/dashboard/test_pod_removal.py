"""What a running pod's page says of its node: taints that evict it, and what follows once the node fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE, ANSWER = "/clusters/prod/pods/shop/db-0/removal/", "/api/v1/clusters/prod/pods/shop/db-0/removal"
UNREACHABLE = "node.kubernetes.io/unreachable"
USUAL = [
    {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in ("node.kubernetes.io/not-ready", UNREACHABLE)
]


def taint(key: str, added: str | None = None) -> dict[str, Any]:
    return {"key": key, "effect": "NoExecute", **({"timeAdded": added} if added else {})}


def database(**spec: Any) -> dict[str, Any]:
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}
    made = pod("db-0", nodeName="ash", **{"tolerations": USUAL, "volumes": [claim], **spec})
    made["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    ]
    return made


def storage() -> list[dict[str, Any]]:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": "data-db-0", "namespace": "shop", "uid": "data-db-0",
            "annotations": {"pv.kubernetes.io/bind-completed": "yes"},
        },
        "spec": {"accessModes": ["ReadWriteOnce"], "volumeName": "pv-1"},
    }  # fmt: skip
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pv-1", "uid": "pv-1"},
        "spec": {"accessModes": ["ReadWriteOnce"], "csi": {"driver": "csi.example", "volumeHandle": "1"}},
    }
    return [claim, volume]


def test_a_pod_tells_how_it_and_its_volume_fare_once_the_node_fails(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", [node("ash", "north"), node("elm", "south"), database(), *storage()])

    said = text(signed_in_client, PAGE)
    answer = signed_in_client.get(ANSWER).json()

    assert "The node has no NoExecute taint: no pod is evicted by taints." in said
    assert "350 s The toleration expires: the pod is deleted through the API." in said
    assert "ContainerCreating until the volume of data-db-0 is detached" in said
    steps = {step["step"]: step["after"] for step in answer["faults"]["unreachable"]}
    assert (steps["unknown"], steps["deleted"], steps["force-detached"]) == (50, 350, None)
    assert answer["exclusiveVolumes"] == [
        {"claim": "data-db-0", "driver": "csi.example", "accessModes": ["ReadWriteOnce"]}
    ]
    assert answer["taints"]["plannedAt"] is None


def test_a_taint_that_is_there_plans_the_eviction(tmp_path: Path, signed_in_client: Client) -> None:
    taints = [taint(UNREACHABLE, "2026-01-01T10:00:00Z"), taint("shop/own", "2026-01-01T10:01:00Z")]
    own = {"key": "shop/own", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 10}
    load(
        tmp_path,
        "prod",
        [node("ash", "north", taints=taints), node("elm", "south"), database(tolerations=[*USUAL, own])],
    )

    said = text(signed_in_client, PAGE)
    answer = signed_in_client.get(ANSWER).json()

    assert "Eviction at 2026-01-01 10:05:00 UTC:" in said
    assert "shop/own:NoExecute came later: its shorter toleration does not count." in said
    assert answer["taints"]["plannedAt"] == "2026-01-01T10:05:00+00:00"


@pytest.mark.parametrize(
    ("tolerations", "sentence"),
    [
        ([], "Evicted at once: shop/own:NoExecute is not tolerated."),
        ([{"operator": "Exists"}], "The pod tolerates every NoExecute taint for ever: it stays."),
        (
            [{"key": "shop/own", "operator": "Exists", "tolerationSeconds": 60, "effect": "NoExecute"}],
            "Evicted 60 seconds after the controller saw shop/own:NoExecute",
        ),
    ],
)
def test_what_one_taint_does(
    tmp_path: Path, signed_in_client: Client, tolerations: list[dict[str, Any]], sentence: str
) -> None:
    load(tmp_path, "prod", [node("ash", "north", taints=[taint("shop/own")]), database(tolerations=tolerations)])

    assert sentence in text(signed_in_client, PAGE)
