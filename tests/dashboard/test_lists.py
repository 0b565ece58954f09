from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.services.mirror.snapshots import forget_snapshots, is_in_memory
from tests.dashboard.random_cluster import READY, resized
from tests.dashboard.rows import MESSAGE, a_cluster, a_node, a_pod, allow_changes
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def names(html: str) -> list[str]:
    """Return the pods of a page in their order."""
    return [part.partition("</a>")[0].strip() for part in html.split("/</span>")[1:]]


def test_pods_that_wait_come_first_on_the_page_and_in_its_fragment(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_pod(cluster, "a", on="n1")
    a_pod(cluster, "z")

    html = signed_in_client.get("/clusters/prod/pods/").text
    fragment = signed_in_client.get("/clusters/prod/pods/", headers=HTMX)
    restored = signed_in_client.get("/clusters/prod/pods/", headers={**HTMX, "HX-History-Restore-Request": "true"})

    assert names(html) == names(fragment.text) == ["z", "a"]
    assert "2 pods." in html
    assert MESSAGE in html
    assert "<html" not in fragment.text
    assert "HX-Request" in fragment.headers["Vary"]
    assert "<html" in restored.text


@pytest.mark.parametrize(("version", "cpu"), [("v1.34.1", 1000), ("v1.37.2", 600)])
def test_pods_are_listed_as_their_release_counts_them_without_the_whole_cluster(
    tmp_path: Path, signed_in_client: Client, version: str, cpu: int
) -> None:
    there = node("n1", "a")
    there["status"]["nodeInfo"] = {"kubeletVersion": version}
    cluster = load(tmp_path, "prod", [there, resized(pod("web", cpu="500m", nodeName="n1", status=READY))])
    forget_snapshots()

    page = text(signed_in_client, "/clusters/prod/pods/")
    _, row = b"".join(signed_in_client.get("/clusters/prod/pods.csv")).decode().splitlines()

    assert not is_in_memory(cluster)
    assert f"{cpu / 1000:.1f}".removesuffix(".0") + " CPU" in page
    assert f",{cpu}," in row


def test_pod_filter_hides_the_rest_and_says_so(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_pod(cluster, "web")
    a_pod(cluster, "held", is_gated=True, unschedulable_message="", scheduler_name="other")
    a_pod(cluster, "log", on="n1", namespace="ops")
    a_pod(cluster, "dead", on="n2", phase="Failed")

    for query, left in [
        ("q=eb", ["web"]),
        ("q=shop/eb", ["web"]),
        ("q=ops/eb", []),
        ("state=pending", ["web"]),
        ("state=gated", ["held"]),
        ("state=Failed", ["dead"]),
        ("state=bound", ["log"]),
        ("node=n1", ["log"]),
        ("node=n", []),
        ("message=with", ["web"]),
        ("scheduler=other", ["held"]),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=ops", ["log"]),
        ("namespace=shop&state=pending", ["web"]),
    ]:
        html = signed_in_client.get(f"/clusters/prod/pods/?{query}").text
        assert names(html) == left
        assert f"{len(left)} of 4 pods shown." in html
        assert f"{4 - len(left)} hidden by: " in html


def test_unknown_filter_value_filters_nothing_and_says_so(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "web")

    for value in ["bogus", "waiting"]:
        html = signed_in_client.get(f"/clusters/prod/pods/?state={value}&page=99").text
        assert names(html) == ["web"]
        assert f"Select a valid choice. {value} is not one of the available choices." in html


def test_names_cannot_carry_markup(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "<script>alert(1)", unschedulable_message="<img src=x>")

    html = signed_in_client.get("/clusters/prod/pods/").text

    assert "<script>alert" not in html
    assert "<img src=x>" not in html


def test_long_list_is_paged(signed_in_client: Client) -> None:
    cluster = a_cluster()
    for number in range(51):
        a_pod(cluster, f"p{number:02d}", on="n1")

    first = signed_in_client.get("/clusters/prod/pods/").text
    second = signed_in_client.get("/clusters/prod/pods/?node=n1&page=2").text

    assert len(names(first)) == 50
    assert names(second) == ["p50"]
    assert 'href="?node=n1&amp;page=1"' in second


def test_node_filter(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_node(cluster, "n1")
    a_node(cluster, "n2", zone="b", ready=False)
    a_node(cluster, "n3", zone="", ready=None, unschedulable=True, taint_count=0)

    for query, left in [
        ("q=n2", ["n2"]),
        ("zone=b", ["n2"]),
        ("zone=-", ["n3"]),
        ("ready=no", ["n2"]),
        ("ready=unknown", ["n3"]),
        ("scheduling=cordoned", ["n3"]),
        ("health=closed", ["n2", "n3"]),
        ("health=pressure", []),
        ("taints=without", ["n3"]),
    ]:
        html = signed_in_client.get(f"/clusters/prod/nodes/?{query}").text
        assert [name for name in ("n1", "n2", "n3") if f'/nodes/{name}/"' in html] == left


def test_pod_bound_to_a_node_of_an_impossible_name_breaks_nothing(signed_in_client: Client) -> None:
    a_pod(a_cluster(), "web", on="not/a\nnode")

    answer = signed_in_client.get("/clusters/prod/pods/")

    assert answer.status_code == 200
    assert "not/a\nnode" in answer.text


def test_requests_beyond_64_bits_are_summed(signed_in_client: Client) -> None:
    cluster = a_cluster()
    a_node(cluster, "n1")
    for name in ("a", "b", "c"):
        a_pod(cluster, name, on="n1", cpu_milli=2**63 - 1, memory_bytes=2**63 - 1)

    for address in ["/clusters/prod/", "/clusters/prod/nodes/"]:
        assert signed_in_client.get(address).status_code == 200


def test_address_with_a_name_that_no_object_has_leads_nowhere(signed_in_client: Client) -> None:
    a_cluster()

    for address in ["pods/shop/we%00b/", "pods/sh%00op/web/", "pods/shop/web%0A/", "nodes/n%001/", "pods/%F0%9F/web/"]:
        assert signed_in_client.get(f"/clusters/prod/{address}").status_code == 404


def test_empty_lists_offer_a_newer_dump_to_those_who_may_send_one(signed_in_client: Client, user: User) -> None:
    a_cluster()
    offer = 'href="/clusters/prod/upload/"'
    pages = [f"/clusters/prod/{page}" for page in ("pods/", "nodes/", "drain/")]

    assert not any(offer in signed_in_client.get(page).text for page in pages)
    allow_changes(user)
    assert all(offer in signed_in_client.get(page).text for page in pages)
