"""In which orders a scheduler may have the nodes."""

from __future__ import annotations

from clusters.engine.objects import Node
from clusters.engine.scheduling.searches import NodeOrders
from tests.engine.builders import a_node


def nodes_created(seconds: dict[str, int], *, zones: int = 1) -> list[Node]:
    """Nodes by name, created in these seconds, with the zones in turn."""
    found = []
    for number, (name, second) in enumerate(sorted(seconds.items())):
        document = a_node(name, zone=f"z{number % zones}")
        document["metadata"]["creationTimestamp"] = f"2026-01-01T00:00:{second:02}Z"
        found.append(Node.from_dict(document))
    return found


def test_nodes_are_in_order_of_name_or_of_age() -> None:
    found = NodeOrders().of(nodes_created({"a": 3, "b": 2, "c": 1, "d": 0}))

    assert [order.tolist() for order in found.orders] == [[0, 1, 2, 3], [3, 2, 1, 0]]
    assert found.sources == (0, 0)


def test_zones_take_turns_in_either() -> None:
    found = NodeOrders().of(nodes_created({"a": 1, "b": 1, "c": 0, "d": 1, "e": 1}, zones=2))

    # a, c and e are in one zone, b and d in the other.
    assert [order.tolist() for order in found.orders] == [[0, 1, 2, 3, 4], [2, 1, 0, 3, 4]]


def test_one_order_is_told_once() -> None:
    assert len(NodeOrders().of(nodes_created({"a": 0, "b": 0, "c": 1})).orders) == 1


def test_a_node_that_comes_is_behind_all_others_unless_the_scheduler_starts_anew() -> None:
    orders = NodeOrders()
    orders.of(nodes_created({"a": 9, "c": 8}))

    found = orders.of(nodes_created({"a": 9, "b": 10, "c": 8}))

    by_name, by_age, heard = (order.tolist() for order in found.orders)
    assert (by_name, by_age, heard) == ([0, 1, 2], [2, 0, 1], [0, 2, 1])
    # What was heard in the order of the names follows from that.
    assert found.sources == (0, 1, 0)


def test_a_node_that_goes_leaves_the_others_in_their_order() -> None:
    orders = NodeOrders()
    orders.of(nodes_created({"a": 9, "c": 9}))
    orders.of(nodes_created({"a": 9, "b": 10, "c": 9}))

    found = orders.of(nodes_created({"b": 10, "c": 9}))

    assert [order.tolist() for order in found.orders] == [[0, 1], [1, 0]]
    assert found.sources == (0, 1)


def test_orders_stay_while_nodes_change_in_something_else() -> None:
    orders = NodeOrders()
    first = orders.of(nodes_created({"a": 0, "b": 1}))

    assert orders.of(nodes_created({"a": 0, "b": 1})).orders is first.orders
    assert orders.of(nodes_created({"a": 1, "b": 0})).orders is not first.orders


def test_orders_that_are_gone_on_with_are_those_of_before() -> None:
    orders = NodeOrders()
    orders.of(nodes_created({"a": 9, "c": 8}))
    nodes = nodes_created({"a": 9, "b": 10, "c": 8})
    before = orders.of(nodes)

    other = NodeOrders()
    other.go_on(*orders.told)
    found = other.of(nodes)

    assert [order.tolist() for order in found.orders] == [order.tolist() for order in before.orders]
    assert found.sources == (0, 1, 2)


def test_a_scheduler_that_is_told_in_no_order_is_followed_by_age_alone() -> None:
    orders = NodeOrders(is_told_by_name=False)

    first = orders.of(nodes_created({"a": 9, "c": 8}))
    assert [order.tolist() for order in first.orders] == [[1, 0]]

    # Of one second, the one that was seen to come later is behind.
    found = orders.of(nodes_created({"a": 9, "b": 8, "c": 8}))
    assert [order.tolist() for order in found.orders] == [[1, 2, 0], [2, 0, 1]]
    assert found.sources == (0, 0)
