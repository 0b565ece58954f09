"""What a node has, and its pods drawn to scale: amounts add up to the node's, and usage stands below where known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.wording import nodes as words
from dashboard.pictures.figure import drawing
from dashboard.pictures.specs import NodeSharesSpec
from dashboard.presenters.nodes.page import MOST_PODS, figure
from tests.engine.builders import a_node, a_pod
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

GIB = 1024**3


def spec_of(snapshot: Snapshot, used: dict[str, dict[str, int]] | None = None) -> NodeSharesSpec:
    found = figure(snapshot, "n1", drawing="pods", used=used)
    assert found is not None
    assert isinstance(found.spec, NodeSharesSpec)
    return found.spec


@settings(max_examples=40, deadline=None)
@given(requests=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 3)), min_size=1, max_size=40))
def test_pods_add_up_to_what_is_requested_of_the_node(requests: list[tuple[int, int]]) -> None:
    pods = [
        a_pod(f"p{number}", node="n1", requests={"cpu": f"{cpu}m", "memory": f"{memory}Gi"})
        for number, (cpu, memory) in enumerate(requests)
    ]
    snapshot = Snapshot.from_objects(
        [a_node("n1"), a_node("n2"), a_pod("other", node="n2", requests={"cpu": "1"}), *pods]
    )
    spec = spec_of(snapshot)
    table = snapshot.nodes

    for row, resource in zip(spec.rows, ("cpu", "memory"), strict=True):
        column = table.resources.index(resource)
        assert sum(each.value for each in row.pods) == table.requested[table.index["n1"], column]
        assert len(row.pods) == min(MOST_PODS + 1, sum(1 for each in requests if each[resource == "memory"]))
        assert row.whole == table.allocatable[table.index["n1"], column]
    for width in (760, 340):
        svg = drawing(spec, name="x", words="w", width=width)
        ends = [float(x) + float(w) for x, w in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg)]
        assert max(ends) <= width + 0.2


def test_usage_stands_below_the_request_and_is_hatched_where_it_is_more() -> None:
    pods = [
        a_pod("calm", node="n1", requests={"cpu": "2", "memory": "1Gi"}),
        a_pod("hot", node="n1", requests={"cpu": "1", "memory": "1Gi"}),
    ]
    used = {"default/calm": {"cpu": 500, "memory": GIB // 2}, "default/hot": {"cpu": 1500, "memory": GIB}}
    snapshot = Snapshot.from_objects([a_node("n1"), *pods])
    spec = spec_of(snapshot, used)
    svg = drawing(spec, name="x", words="w", width=760)

    assert [(each.label, each.value, each.used) for each in spec.rows[0].pods] == [
        ("calm", 2000, 500),
        ("hot", 1000, 1500),
    ]
    assert len(re.findall(r'<rect[^>]*fill="var\(--verdict-chosen-solid\)" stroke="none"', svg)) == 3
    assert len(re.findall(r'<rect[^>]*fill="url\(#x-760-verdict-rejected-solid\)" stroke="none"', svg)) == 1
    assert "default/hot requests 1 CPU and uses 1.5 CPU." in svg
    assert "Used" not in drawing(spec_of(snapshot), name="x", words="w", width=760)


def test_a_node_without_pods_has_no_picture() -> None:
    assert figure(Snapshot.from_objects([a_node("n1")]), "n1", drawing="pods") is None


@pytest.mark.django_db
def test_the_page_of_a_node_shows_its_pods_to_scale(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("a1", "north"), pod("web-0", nodeName="a1"), pod("web-1", nodeName="a1")])

    page = signed_in_client.get("/clusters/shop/nodes/a1/").text
    assert words.BY_REQUEST(pods=2) in page
    assert "shop/web-0 requests 0.5 CPU." in page
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') >= 2


@pytest.mark.django_db
def test_node_page_has_the_capacity_beside_what_is_allocatable(tmp_path: Path, signed_in_client: Client) -> None:
    allocatable = {"cpu": "1800m", "memory": "7474992Ki", "pods": "110"}
    capacity = {"cpu": "2", "memory": "7679792Ki", "pods": "110"}
    status = {"capacity": capacity, "allocatable": allocatable}
    load(tmp_path, "e33", [{**node("pool-4lw4", "north"), "status": status}])

    said = text(signed_in_client, "/clusters/e33/nodes/pool-4lw4/")

    assert "2 CPU 0.2 CPU kept from pods" in said
    assert "7.3 GiB 200 MiB kept from pods" in said
    assert "110 kept" not in said
