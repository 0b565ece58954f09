"""The page of a StatefulSet says one thing of its next pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_stateful_sets_next_pod_gets_the_claim_that_would_be_made_for_it(
    tmp_path: Path, signed_in_client: Client
) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    first = pod("db-0", nodeName="ash", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}])
    first["metadata"]["ownerReferences"] = [owner]
    template = {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk"}}
    stateful_set = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "db", "namespace": "shop", "uid": "db"},
        "spec": {"replicas": 1, "selector": {"matchLabels": {}}, "volumeClaimTemplates": [template]},
    }
    disk = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "disk", "uid": "disk"},
        "provisioner": "example.com/disk",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    load(tmp_path, "prod", [node("ash", "north"), node("birch", "south"), first, stateful_set, disk])

    page = text(signed_in_client, "/clusters/prod/workloads/StatefulSet/shop/db/")
    more = text(signed_in_client, "/clusters/prod/workloads/StatefulSet/shop/db/?more=1")

    assert "One more: Fits on 2 of 2 nodes" in page
    assert "persistentvolumeclaim" not in page
    assert "1 of 1 fit" in more
