"""A pod's page leads to its node and to its workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize("is_mirrored", [True, False])
def test_a_pod_leads_to_its_node_and_its_deployment(
    tmp_path: Path, signed_in_client: Client, is_mirrored: bool
) -> None:
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "web", "controller": True}
    replica_set = {**deployment, "kind": "ReplicaSet", "name": "web-5f", "uid": "web-5f"}
    metadata = {"name": "web-5f", "namespace": "shop", "uid": "web-5f", "ownerReferences": [deployment]}
    of_deployment = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"replicas": 1}}
    made = pod("web-5f-x", nodeName="ash")
    made["metadata"] |= {"ownerReferences": [replica_set], "labels": {"app": "web", "pod-template-hash": "5f"}}
    load(tmp_path, "prod", [node("ash", "north"), made, *([of_deployment] if is_mirrored else [])])

    page = signed_in_client.get("/clusters/prod/pods/shop/web-5f-x/").text

    assert 'Node <a href="/clusters/prod/nodes/ash/">ash</a>' in page
    assert 'Workload <a href="/clusters/prod/workloads/Deployment/shop/web/">Deployment web</a>' in page
    assert signed_in_client.get("/clusters/prod/workloads/Deployment/shop/web/").status_code == 200


def test_a_pod_that_nothing_controls_and_no_node_has_leads_to_itself(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", [node("ash", "north"), pod("alone")])

    page = signed_in_client.get("/clusters/prod/pods/shop/alone/").text

    assert 'Workload <a href="/clusters/prod/workloads/Pod/shop/alone/">no controller</a>' in page
    assert "Node <a" not in page
