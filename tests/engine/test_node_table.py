"""Nodes as columns: rows in order of name, resources as they turn up, labels and images looked up for all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clusters.engine.columns import LabelColumn, NodeTable
from clusters.engine.objects import Node
from tests.engine.builders import ZONE, a_node


def a_table(*documents: dict[str, Any]) -> NodeTable:
    table = NodeTable()
    table.fill(Node.from_dict(document) for document in documents)
    return table


def with_images(name: str, *images: dict[str, Any]) -> dict[str, Any]:
    node = a_node(name)
    node["status"]["images"] = list(images)
    return node


def test_some_rows_by_themselves_are_nodes_too_as_often_as_they_are_named() -> None:
    table = a_table(a_node("a", allocatable={"cpu": "1"}), a_node("b", allocatable={"cpu": "2"}), a_node("c"))
    part = table.rows(np.array([1, 0, 1]))
    part.requested[0] += 500

    assert part.names == ["b", "a", "b"]
    assert part.allocatable[:, 0].tolist() == [2000, 1000, 2000]
    assert (part.requested[0] == 500).all()
    assert not part.requested[1:].any()
    assert not table.requested.any()


# -- label columns -----------------------------------------------------------------------------------------------

# Five nodes: two in a, two in b, one without.
COLUMN = LabelColumn(("a", "b"), np.array([0, 1, -1, 1, 0]))


@pytest.mark.parametrize(("value", "rows"), [("a", [0, 4]), ("b", [1, 3]), ("c", []), ("", [])])
def test_nodes_with_a_value(value: str, rows: list[int]) -> None:
    assert np.flatnonzero(COLUMN.equals(value)).tolist() == rows


def test_a_missing_label_takes_no_part_in_sums() -> None:
    assert COLUMN.present.tolist() == [True, True, False, True, True]
    sums = COLUMN.sum_by_value(np.array([1, 10, 100, 1000, 10000]))
    assert sums.tolist() == [10001, 1010]
    assert COLUMN.spread(sums).tolist() == [10001, 1010, 0, 1010, 10001]


def test_a_label_that_no_node_has() -> None:
    column = LabelColumn((), np.array([-1, -1]))

    assert column.sum_by_value(np.array([1, 2])).tolist() == []
    assert column.spread(column.sum_by_value(np.array([1, 2]))).tolist() == [0, 0]


def test_label_columns_follow_the_nodes() -> None:
    table = a_table(a_node("n2", zone="b"), a_node("n1"))

    def zones() -> list[str | None]:
        column = table.label(ZONE)
        return [column.values[code] if code >= 0 else None for code in column.codes]

    assert zones() == [None, "b"]
    table.replace(0, Node.from_dict(a_node("n1", zone="a")))
    assert zones() == ["a", "b"]
    table.insert(Node.from_dict(a_node("n0", zone="")))
    assert zones() == ["", "a", "b"]
    table.delete(1)
    assert zones() == ["", "b"]
    assert table.index == {"n0": 0, "n2": 1}


# -- resources ---------------------------------------------------------------------------------------------------


def test_resources_get_a_column_when_first_mentioned() -> None:
    table = a_table(a_node("n1", allocatable={"example.com/b": "3", "pods": "7"}), a_node("n2"))
    assert table.resources == ["cpu", "memory", "ephemeral-storage", "example.com/b"]
    assert table.allocatable.tolist() == [[8000, 16 * 1024**3, 0, 3], [8000, 16 * 1024**3, 0, 0]]
    assert table.allowed_pods.tolist() == [7, 110]
    assert table.resource("example.com/a") is None

    assert table.vector([("example.com/a", 5), ("cpu", 1), ("pods", 9)]).tolist() == [1, 0, 0, 0, 5]
    assert table.resource("example.com/a") == 4
    assert table.requested.shape == table.allocatable.shape == (2, 5)


def test_a_replaced_node_keeps_what_its_pods_hold() -> None:
    table = a_table(a_node("n1", allocatable={"example.com/b": "3"}))
    table.requested[0, 0] = 500
    table.replace(0, Node.from_dict(a_node("n1", allocatable={"cpu": "2"}, unschedulable=True)))

    assert table.requested[0].tolist() == [500, 0, 0, 0]
    assert table.allocatable[0].tolist() == [2000, 16 * 1024**3, 0, 0]
    assert table.unschedulable.tolist() == [True]


def test_equal_sets_of_taints_are_kept_once() -> None:
    taint = {"key": "a", "effect": "NoSchedule"}
    table = a_table(
        a_node("n1", taints=[taint]), a_node("n2"), a_node("n3", taints=[taint]), a_node("n4", taints=[taint, taint])
    )

    assert table.taint_set.tolist() == [1, 0, 1, 2]
    assert [len(taints) for taints in table.taint_sets] == [0, 1, 2]


# -- images ------------------------------------------------------------------------------------------------------


def test_images_by_every_name() -> None:
    table = a_table(
        with_images("n1", {"names": ["app@sha256:1", "app:1"], "sizeBytes": 5}),
        with_images("n2", {"names": ["other:1"], "sizeBytes": 1}, {"names": ["app:1"], "sizeBytes": 5}),
        with_images("n3", {"names": None, "sizeBytes": 3}),
    )

    def holders(image: str) -> list[str]:
        return [table.names[row] for row in table.image(image)[0]]

    assert [holders(image) for image in ("app:1", "app@sha256:1", "app:2")] == [["n1", "n2"], ["n1"], []]
    table.replace(2, Node.from_dict(with_images("n3", {"names": ["app:1"], "sizeBytes": 5})))
    assert holders("app:1") == ["n1", "n2", "n3"]
    table.delete(0)
    assert holders("app:1") == ["n2", "n3"]


def test_a_copy_is_not_changed_with_its_original() -> None:
    table = a_table(a_node("n1", zone="a"))
    table.label(ZONE)
    twin = table.copy()
    table.insert(Node.from_dict(a_node("n0", zone="b", allocatable={"example.com/a": "1"})))
    table.requested[1, 0] = 7

    assert (twin.names, twin.resources) == (["n1"], ["cpu", "memory", "ephemeral-storage"])
    assert twin.requested.tolist() == [[0, 0, 0]]
    assert twin.label(ZONE).values == ("a",)
