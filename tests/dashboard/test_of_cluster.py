"""What every page of a cluster does where it has nothing to show, or nothing can be computed: it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.services.mirror.snapshots import ChangingTooFastError
from tests.dashboard.rows import a_cluster, a_pod
from tests.support.mirrored import text

if TYPE_CHECKING:
    from django.test import Client

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

# Those that need the scheduler's configuration.
CONFIGURED = (
    "pending/", "pending/queue/", "pending/preemption/", "workloads/", "workloads/Deployment/shop/web/", "spread/",
    "spread/workloads/", "pods/shop/web-1-a1-0/what-if/",
)  # fmt: skip
PAGES = (
    *CONFIGURED,
    *("nodes/", "nodes/free-capacity", "nodes/heat-map", "nodes/a1/", "nodes/a1/pending/", "nodes/a1/drain/"),
    *("budgets/", "budgets/blocked-drains/", "budgets/shop/web/", "quotas/", "pod-groups/", "pod-groups/shop/web/"),
    *("devices/", "devices/claims/", "devices/claims/shop/held/", "devices/pools/gpu.example.com/n0/"),
)
FILES = (
    "pending/pods.csv", "pending/queue.csv", "workloads/workloads.csv", "spread/groups.csv", "spread/workloads.csv",
)  # fmt: skip
OTHER_FILES = (
    "pending/refused.csv", "nodes/nodes.csv", "budgets/budgets.csv", "budgets/blocked-drains.csv", "quotas.csv",
    "pod-groups/pod-groups.csv", "devices/devices.csv", "devices/claims.csv", "drain/nodes.csv", "drain/plan.csv",
)  # fmt: skip


def test_a_cluster_that_changes_too_fast_says_so(
    shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changing(cluster: Cluster) -> object:
        raise ChangingTooFastError(cluster.name)

    monkeypatch.setattr("clusters.services.mirror.snapshots._present", changing)

    for page in PAGES:
        answer = signed_in_client.get(f"/clusters/shop/{page}")
        assert answer.status_code == 503, page
        assert "shop changes too fast to be read. Ask again in a moment." in answer.text
    for file in (*FILES, *OTHER_FILES):
        assert signed_in_client.get(f"/clusters/shop/{file}").status_code == 503, file


def test_a_configuration_that_cannot_be_read_is_told(shop: Cluster, signed_in_client: Client) -> None:
    shop.scheduler_configuration = {"apiVersion": "v0", "kind": "KubeSchedulerConfiguration"}
    shop.save()

    for page in CONFIGURED:
        assert "apiVersion" in text(signed_in_client, f"/clusters/shop/{page}"), page
    for file in FILES:
        assert signed_in_client.get(f"/clusters/shop/{file}").status_code == 404, file


def test_an_empty_cluster_says_what_it_lacks(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "web")
    a_cluster("empty")

    for page, said in (
        ("pods/", "No pods"),
        ("pending/", "No pending pods"),
        ("pending/queue/", "The queue is empty"),
        ("workloads/", "No workloads Read a dump"),
        ("spread/", "No spread constraints"),
        ("spread/workloads/", "No workloads here"),
        ("budgets/", "No budgets here"),
        ("budgets/blocked-drains/", "No drain is blocked"),
    ):
        assert said in text(signed_in_client, f"/clusters/empty/{page}")
    assert signed_in_client.get("/clusters/empty/budgets/shop/web/").status_code == 404
