"""The page of a StatefulSet says one thing of its next pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine.owners import Workload
from clusters.models import Cluster
from clusters.services.workloads import workloads_of
from clusters.services.workloads.growth import next_pod
from clusters.services.workloads.owners import sample_of
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


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


def test_further_ordinals_fill_gaps_and_wait_for_a_pod_that_is_not_ready(
    tmp_path: Path, signed_in_client: Client
) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    first, third = pod("db-5", nodeName="ash"), pod("db-7", nodeName="ash", status=ready)
    for made in (first, third):
        made["metadata"]["ownerReferences"] = [owner]
    stateful_set = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "db", "namespace": "shop", "uid": "db"},
        "spec": {"replicas": 2, "ordinals": {"start": 5}, "selector": {"matchLabels": {}}},
    }
    load(tmp_path, "prod", [node("ash", "north"), first, third, stateful_set])

    cluster = Cluster.objects.get(name="prod")
    found = workloads_of(cluster=cluster)
    workload = Workload("shop", "StatefulSet", "db")
    sample = sample_of(cluster, found, workload)
    assert sample is not None

    copied = next_pod(found, workload, sample)[1]
    more = text(signed_in_client, "/clusters/prod/workloads/StatefulSet/shop/db/?more=2")

    assert copied.pod["metadata"]["name"] == "db-6"
    assert "OrderedReady: the next pod waits for db-5 to be ready." in more
