"""What stands alone, and in pairs, against nodes is what a table of all requirements and nodes says."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine.scheduling.relaxations import Obstacles
from tests.engine.builders import HOSTNAME, ZONE, a_node, a_pod, explanation_of

if TYPE_CHECKING:
    from clusters.engine.plugin import Constraint

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


@st.composite
def cases(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A pod with terms, some of them written twice, and nodes with taints and pods with terms of their own."""
    terms = [
        {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}
        for app in ("web", "db")
        for key in (HOSTNAME, ZONE)
    ]
    some = st.lists(st.sampled_from(terms), max_size=3)
    nominated = st.sampled_from(("node", "node", "nominated"))

    def pod(name: str, **where: Any) -> dict[str, Any]:
        affinity = {"podAntiAffinity": {REQUIRED: draw(some)}}
        return a_pod(name, labels={"app": draw(st.sampled_from(("web", "db", "x")))}, affinity=affinity, **where)

    nodes = [
        a_node(
            f"n{number}",
            zone=draw(st.sampled_from("ab")),
            taints=[{"key": key, "effect": "NoSchedule"} for key in draw(st.sets(st.sampled_from("xyz")))],
        )
        for number in range(4)
    ]
    placed = [pod(f"p{number}", **{draw(nominated): f"n{number % 4}"}) for number in range(draw(st.integers(0, 6)))]
    return [pod("incoming"), *nodes, *placed]


@settings(max_examples=150, deadline=None)
@given(case=cases())
def test_alone_and_in_pairs(case: list[dict[str, Any]]) -> None:
    pod, *objects = case
    obstacles = Obstacles(explanation_of(pod, *objects).cycle)
    rows = range(4)
    # ``against`` looks at one node at a time; all of a filter stands there only where none of its own does alone.
    table: dict[Constraint, set[int]] = {constraint: set() for constraint in obstacles.constraints}
    for constraint, mask in obstacles._each():
        table[constraint] |= {row for row in rows if mask[row]}
    alone = {
        each: {row for row in found if sum(row in other for other in table.values()) == 1}
        for each, found in table.items()
    }
    both = Counter(
        frozenset(pair)
        for row in rows
        for pair in combinations([each for each, found in table.items() if row in found], 2)
        if sum(row in found for found in table.values()) == 2
    )

    assert {each: set(mask.nonzero()[0].tolist()) for each, mask in obstacles.alone().items()} == {
        each: found for each, found in alone.items() if found
    }
    assert {frozenset(pair) for pair in obstacles.pairs(99)} == set(both)
    assert len(obstacles.pairs(1)) == min(1, len(both))
