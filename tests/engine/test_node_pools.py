"""Nodes by zone and pool are those that their labels say, whichever columns tell it."""

from __future__ import annotations

from hypothesis import given, strategies as st

from clusters.engine.columns import NodeTable, interleaved, zone_key
from clusters.engine.nodes import node_pools, pool_of
from clusters.engine.objects import Node

ZONE, OLD_ZONE = "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"
KEYS = (ZONE, OLD_ZONE, "pool", "cloud.google.com/gke-nodepool", "team")

labels = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(("", "a", "b", "c")))


@given(st.lists(labels, max_size=12))
def test_every_node_stands_in_the_pool_of_its_labels(sets: list[dict[str, str]]) -> None:
    nodes = NodeTable()
    nodes.fill(
        Node.from_dict({"metadata": {"name": f"node-{number:02d}", "labels": each}}) for number, each in enumerate(sets)
    )

    members: dict[tuple[str, str], list[int]] = {}
    for row, each in enumerate(sets):
        members.setdefault((each.get(ZONE) or each.get(OLD_ZONE, ""), pool_of(each)), []).append(row)
    order = sorted(members, key=lambda place: [(not name, name) for name in place])

    assert [((pool.zone, pool.name), pool.rows.tolist()) for pool in node_pools(nodes)] == [
        (place, members[place]) for place in order
    ]


@given(st.lists(labels, max_size=12))
def test_zones_take_turns_in_the_order_in_which_they_come(sets: list[dict[str, str]]) -> None:
    nodes = [
        Node.from_dict({"metadata": {"name": f"node-{number:02d}", "labels": each}}) for number, each in enumerate(sets)
    ]

    zones: dict[tuple[str, str], list[int]] = {}
    for row, node in enumerate(nodes):
        zones.setdefault(zone_key(node.labels), []).append(row)
    turns = [rows[turn] for turn in range(len(nodes)) for rows in zones.values() if turn < len(rows)]

    assert interleaved(nodes).tolist() == turns
