"""The namespace that somebody chose stays from list to list, in its address, until it is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster
from tests.clusters.dumps import node, pod
from tests.dashboard.rows import a_cluster
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PROD = "/clusters/prod/"
LISTS = (
    "pods/", "workloads/", "pending/", "pending/queue/", "pending/preemption/", "pod-groups/", "devices/claims/",
    "spread/", "spread/workloads/", "budgets/", "quotas/", "usage/",
)  # fmt: skip


@pytest.fixture
def prod(tmp_path: Path) -> Cluster:
    others = {**pod("other"), "metadata": {"name": "other", "namespace": "data", "uid": "other"}}
    load(tmp_path, "prod", [node("n1"), pod("web"), others])
    return Cluster.objects.get(name="prod")


def test_every_list_of_namespaced_objects_asks_for_the_one_that_was_chosen(
    prod: Cluster, signed_in_client: Client
) -> None:
    signed_in_client.get(f"{PROD}pods/?namespace=data")

    for place in LISTS:
        answer = signed_in_client.get(f"{PROD}{place}?page=1")
        assert answer.headers["Location"] == f"{PROD}{place}?page=1&namespace=data"
        assert signed_in_client.get(answer.headers["Location"]).status_code == 200


def test_what_is_shown_is_what_the_head_of_the_page_says(prod: Cluster, signed_in_client: Client) -> None:
    html = signed_in_client.get(f"{PROD}pods/?namespace=data").text

    assert '<option value="data" selected>' in html
    assert f"{PROD}pods/data/other/" in html
    assert f"{PROD}pods/shop/web/" not in html

    # Where the namespace has nothing, nothing is shown, and it can be given up.
    nothing = signed_in_client.get(f"{PROD}quotas/?namespace=nowhere")
    assert nothing.status_code == 200
    pods = signed_in_client.get(f"{PROD}pods/", follow=True)
    assert pods.redirect_chain == [(f"{PROD}pods/?namespace=nowhere", 302)]
    assert '<option value="nowhere" selected>' in pods.text
    assert 'href="?namespace="' in pods.text


def test_a_namespace_is_given_up_by_asking_for_none(prod: Cluster, signed_in_client: Client) -> None:
    signed_in_client.get(f"{PROD}pods/?namespace=data")
    # As the choice in the head of the page does it: only the rows are asked for.
    signed_in_client.get(f"{PROD}workloads/?q=&namespace=", headers={"HX-Request": "true"})

    assert signed_in_client.get(f"{PROD}pods/").status_code == 200


def test_pages_without_a_namespace_and_other_clusters_know_nothing_of_it(
    prod: Cluster, signed_in_client: Client
) -> None:
    a_cluster("other")
    signed_in_client.get(f"{PROD}pods/?namespace=data")

    for address in (PROD, f"{PROD}nodes/", f"{PROD}journal/", "/clusters/other/pods/"):
        answer = signed_in_client.get(address)
        assert answer.status_code == 200
        assert 'value="data" selected' not in answer.text


def test_nothing_longer_than_a_namespace_is_kept(prod: Cluster, signed_in_client: Client) -> None:
    assert signed_in_client.get(f"{PROD}pods/", {"namespace": "x" * 64}).status_code == 200
    assert signed_in_client.get(f"{PROD}pods/").status_code == 200
