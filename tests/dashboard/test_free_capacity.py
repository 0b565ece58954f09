"""Free capacity by shape: the parts add up to what is free, each for its reason, and the page draws them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.nodes import ShapeRoom, Unusable, amounts_of, node_health, shape_room
from clusters.services.mirror.state import utilisation_in
from dashboard.pictures.specs import StackSpec
from dashboard.presenters.nodes.listing import SIZES, figures
from tests.dashboard.rows import a_cluster
from tests.engine.builders import Document, a_node, a_pod
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

GIB = 1024**3


def room(objects: list[Document], cpu: int = 1_000, memory: int = GIB) -> ShapeRoom:
    snapshot = Snapshot.from_objects(objects)
    return shape_room(amounts_of(snapshot), node_health(snapshot), cpu=cpu, memory=memory)


def sized(name: str, cpu: str, memory: str, pods: str = "110", **fields: Any) -> Document:
    return a_node(name, allocatable={"cpu": cpu, "memory": memory, "pods": pods}, **fields)


def test_each_reason_has_its_part_of_what_is_free() -> None:
    taints = [{"key": "dedicated", "effect": "NoSchedule"}]
    found = room(
        [
            sized("whole", "2500m", "16Gi"),
            sized("little-memory", "8", "2Gi"),
            sized("few-pods", "8", "16Gi", pods="1"),
            sized("tainted", "4", "16Gi", taints=taints),
            sized("cordoned", "1", "16Gi", unschedulable=True),
        ]
    )

    assert found.pods == 2 + 2 + 1
    assert (found.free["cpu"], found.used["cpu"]) == (23_500, 5_000)
    assert found.rest["cpu"] == {
        Unusable.CLOSED: 1_000,
        Unusable.TAINTED: 4_000,
        Unusable.POD_LIMIT: 7_000,
        Unusable.OTHER_RESOURCE: 6_000,
        Unusable.REMAINDER: 500,
    }


machines = st.tuples(st.integers(0, 20_000), st.integers(0, 64), st.integers(0, 12), st.sampled_from("otc"))


@settings(max_examples=30, deadline=None)
@given(nodes=st.lists(machines, max_size=8), cpu=st.integers(1, 9_000), memory=st.integers(1, 40))
def test_parts_add_up_to_what_is_free(nodes: list[tuple[int, int, int, str]], cpu: int, memory: int) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "o": {},
        "t": {"taints": [{"key": "x", "effect": "NoExecute"}]},
        "c": {"unschedulable": True},
    }
    objects: list[Document] = []
    for number, (milli, gib, pods, kind) in enumerate(nodes):
        objects.append(sized(f"n{number}", f"{milli}m", f"{gib}Gi", str(pods), **kinds[kind]))
        objects.append(a_pod(f"p{number}", node=f"n{number}", requests={"cpu": "300m", "memory": "2Gi"}))
    found = room(objects or [a_node("n")], cpu, memory * GIB)

    for resource in ("cpu", "memory"):
        assert found.used[resource] + sum(found.rest[resource].values()) == found.free[resource]
        assert min(found.rest[resource].values()) >= 0
    assert found.used["cpu"] == found.pods * cpu


def test_pictures_have_a_bar_for_each_shape_that_is_as_long_as_what_is_free() -> None:
    snapshot = Snapshot.from_objects(
        [sized("a", "8", "32Gi"), a_pod("p", node="a", requests={"cpu": "1", "memory": "4Gi"})]
    )
    curve, *uses = figures(utilisation_in(snapshot))

    assert [int(row[1]) for row in curve.rows] == [28, 14, 7, 3, 1, 0, 0]
    assert np.all(np.diff([int(row[1]) for row in curve.rows]) <= 0)
    for each in uses:
        assert isinstance(each.spec, StackSpec)
        assert len(each.spec.rows) == len(SIZES)
        assert all(sum(part.value for part in row.parts) == row.whole for row in each.spec.rows)
    assert uses[0].summary == "7 CPU free; pods of 1 CPU, 4 GiB can use 7 CPU of it (100 %)."


@pytest.mark.django_db
def test_the_page_draws_them_and_the_overview_leads_to_it(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("a1", "north"), pod("web-0", nodeName="a1")])

    page = signed_in_client.get("/clusters/shop/nodes/free-capacity").text
    assert set(re.findall(r'<figure class="figure" id="([a-z-]+)"', page)) == {
        "usable-curve",
        "usable-cpu",
        "usable-memory",
    }
    assert "0 pods of 16 CPU" in page, "at the end of the curve"
    assert "/clusters/shop/nodes/free-capacity" in signed_in_client.get("/clusters/shop/?lens=stranded").text
    a_cluster("bare")
    assert "Nothing to fill" in signed_in_client.get("/clusters/bare/nodes/free-capacity").text
