from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.http import QueryDict

from clusters.models import Cluster, Pod
from dashboard.tables.pods import PODS as PODS_TABLE
from tests.dashboard.rows import a_cluster, a_node, a_pod

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

PODS, NODES = "/clusters/prod/pods/", "/clusters/prod/nodes/"


def pods(html: str) -> list[str]:
    return re.findall(r'<span class="muted">shop/</span>([a-z0-9-]+)<', html)


def nodes(html: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="[^"]*">([a-z0-9-]+)<', html)


@pytest.fixture
def cluster() -> Cluster:
    cluster = a_cluster()
    for name, zone, whole, most in (("n1", "a", "4", "100"), ("n2", "b", "1", "10"), ("n3", "a", "0", "0")):
        amounts = {"cpu": whole, "memory": "8Gi", "pods": most}
        document = {"kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts}}
        a_node(cluster, name, zone=zone, object=document)
    for name, on, cpu, priority, day in (("web", "n1", 1000, 5, 3), ("db", "n2", 500, None, 1)):
        document = {
            "kind": "Pod",
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {"nodeName": on, "containers": [{"name": "main", "resources": {"requests": {"cpu": f"{cpu}m"}}}]},
        }
        created = datetime(2026, 1, day, tzinfo=UTC)
        a_pod(cluster, name, on=on, cpu_milli=cpu, priority=priority, created_at=created, object=document)
    a_pod(cluster, "job", cpu_milli=700, priority=-1, created_at=None)
    a_pod(cluster, "done", on="n2", cpu_milli=9000, phase="Succeeded", created_at=datetime(2026, 1, 2, tzinfo=UTC))
    return cluster


def test_pods_are_sorted_by_the_column_asked_for(cluster: Cluster, signed_in_client: Client) -> None:
    for sort, expected in [
        ("", ["job", "db", "done", "web"]),
        ("name", ["db", "done", "job", "web"]),
        ("-name", ["web", "job", "done", "db"]),
        ("cpu", ["db", "job", "web", "done"]),
        ("-cpu", ["done", "web", "job", "db"]),
        ("created", ["db", "done", "web", "job"]),
        ("-created", ["web", "done", "db", "job"]),
        ("message", ["job", "db", "done", "web"]),
        ("bogus", ["job", "db", "done", "web"]),
        ("--cpu", ["job", "db", "done", "web"]),
    ]:
        assert pods(signed_in_client.get(f"{PODS}?sort={sort}").text) == expected


def test_what_has_no_value_comes_last_both_ways(cluster: Cluster, signed_in_client: Client) -> None:
    Pod.objects.filter(name="done").update(priority=7)

    assert pods(signed_in_client.get(f"{PODS}?sort=priority").text) == ["job", "web", "done", "db"]
    assert pods(signed_in_client.get(f"{PODS}?sort=-priority").text) == ["done", "web", "job", "db"]


def test_nodes_are_sorted_by_what_is_requested_of_them(cluster: Cluster, signed_in_client: Client) -> None:
    for sort, expected in [
        ("", ["n1", "n3", "n2"]),
        ("-name", ["n3", "n2", "n1"]),
        ("-cpu", ["n2", "n1", "n3"]),
        ("cpu", ["n1", "n2", "n3"]),
        ("-pods", ["n2", "n1", "n3"]),
        ("-zone", ["n2", "n1", "n3"]),
    ]:
        assert nodes(signed_in_client.get(f"{NODES}?sort={sort}").text) == expected


def test_heads_say_how_the_table_is_sorted_and_keep_the_filters(cluster: Cluster, signed_in_client: Client) -> None:
    html = signed_in_client.get(f"{PODS}?state=bound&sort=-cpu&page=1").text

    assert html.count("aria-sort=") == 1
    assert '<th scope="col" class="number" aria-sort="descending"><a href="?state=bound&amp;sort=cpu"' in html
    assert 'href="?state=bound&amp;sort=-memory"' in html
    # Choosing another filter keeps the order.
    assert '<input type="hidden" form="filters" name="sort" value="-cpu">' in html
    assert '<form class="filters" id="filters"' in html


def test_order_reads_an_index_only(cluster: Cluster) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the plan is spelled otherwise")
    for column in PODS_TABLE.columns:
        if column.by:
            for sort in (column.name, f"-{column.name}"):
                order = PODS_TABLE.sorting(QueryDict(f"sort={sort}")).order()
                matching = Pod.objects.filter(cluster=cluster, is_gated=False, name__icontains="w")
                plan = matching.order_by(*order).values_list("pk", flat=True).explain()
                assert "USING COVERING INDEX pod_list" in plan, (sort, plan)
