"""One more node like one that there is: whom it takes, of what the cluster has, and how many one after another."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.simulation import MoreNodes, NodeLikeness, OneMoreNode, node_shapes
from clusters.engine.simulation.node_counts import MOST_SHAPES
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod

DEFAULT = SchedulerConfiguration.default()
POOL = "example.com/pool"
GOLD = {"key": "class", "value": "gold", "effect": "NoSchedule"}
NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}


def pool(name: str, pool: str, cpu: str = "4", **fields: Any) -> Document:
    return a_node(name, labels={POOL: pool}, allocatable={"cpu": cpu}, **fields)


def more_of(nodes: list[Document], *others: Document, daemons: dict[str, list[Document]] | None = None) -> MoreNodes:
    """Return one more node of each shape of these, beside other objects."""
    placed = [pod for pods in (daemons or {}).values() for pod in pods]
    snapshot = Snapshot.from_objects([*nodes, *others, *placed])
    by_name = {node["metadata"]["name"]: node for node in nodes}
    return MoreNodes(
        snapshot,
        [NodeLikeness(by_name[name], tuple((daemons or {}).get(name, ()))) for name in node_shapes(snapshot)],
    )


def taking(pod: Document, nodes: list[Document], *others: Document, **fields: Any) -> list[str]:
    """Return the likes of the nodes of which one more would take a pod."""
    more = more_of(nodes, *others, **fields)
    snapshot = Snapshot.from_objects([*nodes, *others])
    explanation = explain(snapshot, pod, DEFAULT.profile_for(pod))
    return [each.like for each in more.taking(explanation)]


FULL = [a_pod(f"full-{name}", node=name, requests={"cpu": "4"}) for name in ("a", "b", "c")]
POOLS = [pool("a", "small"), pool("b", "large", "16"), pool("c", "gold", taints=[GOLD])]
BUSY = [*FULL, a_pod("more", node="b", requests={"cpu": "12"})]


def test_the_smallest_node_that_takes_the_pod_comes_first() -> None:
    assert taking(a_pod(requests={"cpu": "2"}), POOLS, *BUSY) == ["a", "b"]
    assert taking(a_pod(requests={"cpu": "6"}), POOLS, *BUSY) == ["b"]
    assert taking(a_pod(requests={"cpu": "32"}), POOLS, *BUSY) == []


def test_taints_of_the_pool_stay_and_those_of_the_node_s_state_do_not() -> None:
    ill = pool("a", "small", taints=[NOT_READY], unschedulable=True)
    tolerant = a_pod(requests={"cpu": "2"}, tolerations=[{"key": "class", "operator": "Exists"}])

    assert taking(a_pod(requests={"cpu": "2"}), [ill, *POOLS[1:]], *BUSY) == ["a", "b"]
    assert taking(tolerant, POOLS, *BUSY) == ["a", "c", "b"]


def test_pods_of_daemon_sets_take_their_part_of_the_new_node() -> None:
    agent = a_pod("agent", node="a", requests={"cpu": "1"})
    nodes, others = [pool("a", "small")], [FULL[0]]

    assert taking(a_pod(requests={"cpu": "4"}), nodes, *others) == ["a"]
    assert taking(a_pod(requests={"cpu": "4"}), nodes, *others, daemons={"a": [agent]}) == []


def test_no_node_helps_where_none_was_looked_at_or_the_pod_fits_already() -> None:
    missing = a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "none"}}])

    assert taking(missing, POOLS, *BUSY) == []
    assert taking(a_pod(requests={"cpu": "1"}), POOLS) == []


def test_what_is_elsewhere_counts_for_the_new_node_added_alone() -> None:
    term = {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "web"}}}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    nodes = [a_node("e", zone="east"), a_node("w", zone="west", unschedulable=True)]
    web = a_pod("web", node="e", labels={"app": "web"})

    assert taking(a_pod("next", labels={"app": "web"}, affinity=apart), nodes, web) == ["w"]


def test_pods_are_placed_one_after_another_in_the_order_of_the_queue() -> None:
    more = more_of(POOLS[:1], FULL[0])
    waiting = [
        a_pod("first", requests={"cpu": "2"}),
        a_pod("second", requests={"cpu": "2"}),
        a_pod("third", requests={"cpu": "2"}),
        a_pod("important", requests={"cpu": "3"}, priority=9),
    ]

    assert more.freed(OneMoreNode("a"), waiting[:3], DEFAULT) == {"default/first", "default/second"}
    assert more.freed(OneMoreNode("a"), waiting, DEFAULT) == {"default/important"}


@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
@settings(max_examples=25, deadline=None)
def test_as_many_are_freed_as_one_node_has_room_for(sizes: list[int]) -> None:
    waiting = [a_pod(f"p{number}", requests={"cpu": str(size)}) for number, size in enumerate(sizes)]

    freed = more_of(POOLS[:1], FULL[0]).freed(OneMoreNode("a"), waiting, DEFAULT)

    left, expected = 4, set()
    for number, size in enumerate(sizes):
        if size <= left:
            left -= size
            expected.add(f"default/p{number}")
    assert freed == expected


def test_a_shape_is_what_nodes_say_alike_and_many_zones_leave_room_for_every_pool() -> None:
    own = [a_node(f"n{number}", labels={"id": f"i-{number}"}) for number in range(100)]
    zones = [pool(f"{name}-{zone}", name, zone=f"z{zone}") for name in ("aa", "bb") for zone in range(MOST_SHAPES)]
    control_plane = a_node("c", labels={"node-role.kubernetes.io/control-plane": ""}, allocatable={"cpu": "2"})

    assert node_shapes(Snapshot.from_objects([*own, control_plane])) == ["n0"]
    shapes = node_shapes(Snapshot.from_objects(zones))
    assert len(shapes) == MOST_SHAPES
    assert {name[:2] for name in shapes} == {"aa", "bb"}


def test_a_node_that_is_well_speaks_for_its_shape() -> None:
    nodes = [pool("a", "small", taints=[NOT_READY]), pool("b", "small")]

    assert node_shapes(Snapshot.from_objects(nodes)) == ["b"]


def test_the_cluster_itself_stays_as_it_is() -> None:
    snapshot = Snapshot.from_objects([*POOLS, *BUSY])
    before = snapshot.content()

    MoreNodes(snapshot, [NodeLikeness(node) for node in POOLS]).freed(OneMoreNode("a"), [a_pod()], DEFAULT)

    assert snapshot.content() == before
    assert HOSTNAME in snapshot.nodes.nodes[0].labels
