"""A workload without pods: its page leads to the simulation that makes the first ones from the template."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.clusters.dumps import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

CONTAINERS = [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "100m"}}}]


@pytest.mark.parametrize(("kind", "is_led"), [("ReplicaSet", True), ("Deployment", True), ("DaemonSet", False)])
def test_pods_of_a_workload_without_any_are_simulated(
    kind: str, is_led: bool, tmp_path: Path, signed_in_client: Client
) -> None:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": CONTAINERS}}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    document = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "web", "namespace": "shop"}, "spec": spec}
    load(tmp_path, "shop", [node("n1"), document])
    address = f"/clusters/shop/workloads/{kind}/shop/web/"

    assert ("Simulate some" in text(signed_in_client, address)) is is_led

    if is_led:
        (led,) = re.findall(r'href="([^"]+)">Simulate some', signed_in_client.get(address).text)
        assert signed_in_client.get(unescape(led)).status_code == 200
