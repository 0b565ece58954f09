"""A pod's page says which nodes a search that ends early probably looks at, and which of them the pod gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db


def address(part: str = "", name: str = "mine") -> str:
    kwargs = {"cluster": "wide", "namespace": "shop", "name": name}
    return reverse(f"decision-{part}" if part else "decision", kwargs=kwargs)


def load_nodes(folder: Path, count: int, *, full: int = 0, **spec: Any) -> None:
    """Mirror so many nodes, the last of which are full, and a pod."""
    nodes = [
        node(f"n{number:03}", f"zone-{number % 2}", cpu="100m" if number >= count - full else "4")
        for number in range(count)
    ]
    load(folder, "wide", [*nodes, pod("mine", **spec)])


def test_chances_are_shown_with_the_order(tmp_path: Path, signed_in_client: Client) -> None:
    load_nodes(tmp_path, 125, full=5)

    words = text(signed_in_client, address("search-order"))

    assert "search of 125 nodes stops at 100 of the 120 feasible ones" in words
    assert "Zones take turns" in words
    # All 120 nodes are alike: each search of 100 takes any of them with the same chance.
    assert "n000 1 " in words
    assert "84.00 %" in words


def test_why_not_says_the_chance_of_one_node(tmp_path: Path, signed_in_client: Client) -> None:
    load_nodes(tmp_path, 125, full=5)

    fitting = text(signed_in_client, f"{address('why-not')}?node=n100")
    full = text(signed_in_client, f"{address('why-not')}?node=n124")

    # A search reaches it from the 100 places that end with it, as all nodes before it fit.
    assert "A search looks at n100 from 100 of 125 starts (80.00 %)." in fitting
    assert "The pod gets n100 with a chance of 0.80 %." in fitting
    assert "A search looks at n124 from 105 of 125 starts (84.00 %)." in full
    assert "with a chance" not in full


@pytest.mark.parametrize(
    ("count", "full", "said"),
    [
        (99, 0, "The scheduler looks at every node."),
        (100, 0, "The scheduler looks at every node."),
        (120, 20, "100 are feasible, and it would stop after 100."),
    ],
)
def test_one_line_says_why_every_node_is_looked_at(
    tmp_path: Path, signed_in_client: Client, count: int, full: int, said: str
) -> None:
    load_nodes(tmp_path, count, full=full)

    words = text(signed_in_client, address())

    assert said in words
    assert "Search order" not in words
    assert signed_in_client.get(address("search-order")).status_code == 404
    assert "start positions" not in text(signed_in_client, f"{address('why-not')}?node=n050")


def test_a_computation_that_takes_too_long_leaves_the_chances_to_be_taken_out(
    tmp_path: Path, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_nodes(tmp_path, 125)
    monkeypatch.setattr("clusters.engine.scheduling.searches.MOST_SEARCHES", 10)

    words = text(signed_in_client, address("search-order"))

    assert "Which node is taken is not computed." in words
    assert "The likeliest nodes" not in words
