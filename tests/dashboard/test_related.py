"""The objects around a pod: its makers, what protects and selects it, what it uses, and where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import Pod
from clusters.services.mirror.snapshots import snapshot_of
from dashboard.presenters.pods import related
from tests.dashboard.test_nodes import budget, controlled
from tests.engine.storage_builders import a_claim, uses
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client


pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SERVICE: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "shop", "uid": "service-web"},
    "spec": {"selector": {"app": "web"}},
}


def around(folder: Path, waiting: dict[str, Any], *others: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the kind, name and page of what is around a pod."""
    cluster = load(folder, "shop", [node("ash", "north"), waiting, *others])
    found = related(Pod.objects.get(name=waiting["metadata"]["name"]), snapshot_of(cluster))
    return [] if found is None else [(each.kind, each.name, each.address) for each in found.objects]


def test_all_that_a_pod_belongs_to_and_uses_is_named_once(tmp_path: Path) -> None:
    placed = controlled(
        pod("web", nodeName="ash", volumes=[{"name": "a", **uses("data")}, {"name": "b", **uses("data")}]),
        "StatefulSet",
        "web",
    )
    claim = {"apiVersion": "v1", **a_claim("data", volume="pv-1", namespace="shop")}
    other = {
        **SERVICE,
        "metadata": {**SERVICE["metadata"], "name": "db", "uid": "db"},
        "spec": {"selector": {"app": "db"}},
    }

    assert around(tmp_path, placed, budget(1), SERVICE, other, claim) == [
        ("StatefulSet", "web", "/clusters/shop/workloads/StatefulSet/shop/web/"),
        ("PodDisruptionBudget", "web", "/clusters/shop/budgets/shop/web/"),
        ("Service", "web", ""),
        ("Node", "ash", "/clusters/shop/nodes/ash/"),
        ("PersistentVolumeClaim", "data", ""),
        ("PersistentVolume", "pv-1", ""),
    ]


def test_a_bare_pod_has_nothing_around_it(tmp_path: Path, signed_in_client: Client) -> None:
    assert around(tmp_path, pod("web")) == []
    assert 'id="related"' not in signed_in_client.get("/clusters/shop/pods/shop/web/").text

    assert around(tmp_path, pod("web"), {**SERVICE, "spec": {}}) == []
