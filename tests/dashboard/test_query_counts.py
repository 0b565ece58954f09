"""No page asks the database more often because there are more rows, nor does a list grow beyond a page."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clusters.models import Decision
from clusters.services.mirror.snapshots import forget_snapshots
from tests.dashboard.rows import a_cluster
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

PAGES = (
    "",
    "configuration/",
    # Counting on where not all are listed is a query more for each sort; no such search is here.
    "search/?q=app-1",
    "pods/",
    "pods/?q=app&sort=-cpu",
    "pods/team/waiting-0/",
    "pods/team/app-0-0/",
    "pending/",
    "pending/queue/",
    "pending/queue.csv",
    "pending/pods.csv",
    "workloads/",
    "workloads/Deployment/team/app-0/?more=20&update=1",
    "nodes/",
    "nodes/?sort=-cpu",
    "nodes/node-0/",
    "nodes/node-0/pending/",
    "nodes/node-0/drain/",
    "nodes/heat-map",
    "nodes/nodes.csv",
    "drain/",
    "drain/?node=node-0",
    "journal/",
    "spread/",
    "spread/workloads/",
    "budgets/",
    "quotas/",
    "devices/",
    "devices/claims/",
    "devices/claims/team/claim-0/",
    "devices/pools/gpu.example.com/node-0/",
    "usage/",
    "budgets/blocked-drains/",
)
SMALL, LARGE = 3, 60
# A page shows one revision; where a plan is kept it is asked again whether that is still the present one.
MOST_REVISIONS = 2
MOST_BYTES = 60 * 1024


def objects(size: int) -> list[dict[str, object]]:
    """Return as many nodes, and Deployments with a budget, a pod on a node and one that waits."""
    found: list[dict[str, object]] = []
    room = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    for number in range(size):
        app = f"app-{number}"
        labels = {"kubernetes.io/hostname": f"node-{number}", "topology.kubernetes.io/zone": f"z{number % 3}"}
        selector = {"matchLabels": {"app": app}}
        common = {"namespace": "team", "name": app, "uid": app}
        found += [
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": f"node-{number}", "labels": labels},
                "status": {"allocatable": room, "conditions": [{"type": "Ready", "status": "True"}]},
            },
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": common, "spec": {"selector": selector}},
            {
                "apiVersion": "policy/v1",
                "kind": "PodDisruptionBudget",
                "metadata": {**common, "uid": f"{app}-budget"},
                "spec": {"maxUnavailable": 0, "selector": selector},
            },
            a_pod(f"{app}-0", app, node=f"node-{number}"),
            a_pod(f"waiting-{number}", app, cpu="64"),
            a_slice(*(a_device(f"gpu-{place}") for place in range(8)), node=f"node-{number}"),
            a_resource_claim(a_request(), name=f"claim-{number}", namespace="team"),
        ]
    return [*found, a_class()]


def a_pod(name: str, app: str, *, node: str = "", cpu: str = "100m") -> dict[str, object]:
    constraint = {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": app}},
    }
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": app, "uid": app, "controller": True}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "team", "labels": {"app": app}, "ownerReferences": [owner]},
        "spec": {
            "containers": [{"name": "main", "image": "app", "resources": {"requests": {"cpu": cpu}}}],
            "topologySpreadConstraints": [constraint],
            **({"nodeName": node} if node else {}),
        },
        "status": {"phase": "Running" if node else "Pending"},
    }


def decide(cluster: Cluster, size: int) -> None:
    now = timezone.now()
    Decision.objects.bulk_create(
        Decision(
            cluster=cluster,
            kind=Decision.Kind.BOUND,
            pod_uid=f"pod-{number}",
            namespace="team",
            name=f"app-{number}-0",
            node_name=f"node-{number}",
            heard_at=now,
            last_heard_at=now,
        )
        for number in range(size)
    )


@pytest.fixture
def clusters(tmp_path: Path) -> None:
    for name, size in (("small", SMALL), ("large", LARGE)):
        decide(load(tmp_path, name, objects(size)), size)
    forget_snapshots()


def queries(client: Client, address: str) -> tuple[list[str], bytes]:
    # The first answer makes what is kept for the revision.
    assert client.get(address).status_code == 200, address
    with CaptureQueriesContext(connection) as captured:
        content = client.get(address).getvalue()
    return [each["sql"] for each in captured], content


# One test for all pages, because making the clusters takes longer than looking at them.
@pytest.mark.unmeasured
def test_pages_of_a_larger_cluster_ask_no_more_often_and_stay_small(clusters: None, signed_in_client: Client) -> None:
    grown, heavy, repeated = {}, {}, {}
    for page in PAGES:
        few, _ = queries(signed_in_client, f"/clusters/small/{page}")
        many, content = queries(signed_in_client, f"/clusters/large/{page}")
        if len(many) > len(few):
            grown[page] = (len(few), len(many))
        revisions = sum(query.startswith('SELECT "clusters_cluster"."revision"') for query in many)
        if revisions > MOST_REVISIONS:
            repeated[page] = revisions
        if len(gzip.compress(content, 6)) > MOST_BYTES:
            heavy[page] = len(content)

    assert (grown, heavy, repeated) == ({}, {}, {})


def test_list_of_clusters_asks_no_more_often(signed_in_client: Client) -> None:
    a_cluster("one")
    few, _ = queries(signed_in_client, "/clusters/")
    for number in range(30):
        a_cluster(f"more-{number}")
    many, _ = queries(signed_in_client, "/clusters/")

    assert len(many) <= len(few)
