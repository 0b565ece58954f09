"""What ImageLocality takes for the size of an image."""

from __future__ import annotations

from tests.engine.builders import Document, a_node, a_pod, explanation_of

IMAGE = "registry.example/app:1"
MIB = 2**20


def holding(name: str, *sizes: int) -> Document:
    node = a_node(name)
    node["status"]["images"] = [{"names": [IMAGE], "sizeBytes": size} for size in sizes]
    return node


def scores(*nodes: Document) -> dict[str, int]:
    found = explanation_of(a_pod(), *nodes)
    cells = {name: found.cells_of(row) for row, name in enumerate(found.feasible)}
    return {name: next(cell.raw for cell in row if cell.plugin == "ImageLocality") for name, row in cells.items()}


def test_size_on_the_first_node_stands_for_all() -> None:
    # 100 × (534 − 23) ÷ (1000 − 23) = 52
    assert scores(holding("n0", 534 * MIB), holding("n1", 1000 * MIB)) == {"n0": 52, "n1": 52}


def test_size_counts_by_the_share_of_nodes_that_hold_the_image() -> None:
    # 100 × (500 − 23) ÷ (1000 − 23) = 48
    assert scores(holding("n0"), holding("n1", 1000 * MIB)) == {"n0": 0, "n1": 48}


def test_first_mention_on_a_node_gives_the_size() -> None:
    assert scores(holding("n0", 534 * MIB, 900 * MIB)) == {"n0": 52}
