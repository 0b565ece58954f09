"""Which of equally good nodes is taken: from 1.35 on the root of the heap that upstream makes of what it found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import TieBreak, likely_row, tie_of
from clusters.engine.scheduling.search import SearchOrder, Tie, heap_order
from clusters.engine.simulation import Case, Simulation, Wanted, explained
from clusters.engine.versions import RELEASES
from tests.engine.builders import Document, a_node, a_pod

LATER = ("1.35", "1.36", "1.37")


def root_of(totals: list[int]) -> int:
    """Make a heap as Go's ``container/heap`` does, the highest total first; returns whose place becomes the root."""
    heap = list(enumerate(totals))
    for top in reversed(range(len(heap) // 2)):
        parent = top
        while (child := 2 * parent + 1) < len(heap):
            if child + 1 < len(heap) and heap[child + 1][1] > heap[child][1]:
                child += 1
            if heap[child][1] <= heap[parent][1]:
                break
            heap[parent], heap[child] = heap[child], heap[parent]
            parent = child
    return heap[0][0]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=200))
def test_the_lowest_rank_of_the_best_is_the_root_of_the_heap(totals: list[int]) -> None:
    best = np.flatnonzero(np.array(totals) == max(totals))

    assert best[np.argmin(heap_order(len(totals))[best])] == root_of(totals)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.booleans()), min_size=1, max_size=40), st.integers(0, 39)
)
def test_a_search_takes_the_root_of_what_it_found_in_its_order(kinds: list[tuple[int, bool, bool]], start: int) -> None:
    nodes = [a_node(f"n{number:02}", zone=f"z{zone}") for number, (zone, _, _) in enumerate(kinds)]
    table = Snapshot.from_objects(nodes).nodes
    found = [row for row, (_, fits, _) in enumerate(kinds) if fits]
    best = [row for row in found if kinds[row][2]]
    if not best:
        return
    order = SearchOrder(table, start=start % len(nodes))

    walk = np.roll(table.search_order, -order.start).tolist()
    met = [row for row in walk if row in found]
    assert order.first(np.array(best), np.array(found)) == met[root_of([int(row in best) for row in met])]


def explained_as(minor: str, nodes: list[Document], pod: Document, **fields: Any) -> Explanation:
    release = RELEASES[minor]
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **fields}
    configuration = SchedulerConfiguration.from_dict(versioned, release)
    return explain(Snapshot.from_objects(nodes, release), pod, configuration.profile_for(pod))


def alike(number: int) -> list[Document]:
    return [a_node(f"n{each:03}", zone=f"z{each % 2}") for each in range(number)]


def test_1_34_draws_one_of_equally_good_nodes() -> None:
    assert tie_of(explained_as("1.34", alike(4), a_pod())) == Tie(TieBreak.RANDOM)


@pytest.mark.parametrize("minor", LATER)
def test_later_releases_take_the_first_that_their_search_finds(minor: str) -> None:
    explanation = explained_as(minor, alike(4), a_pod())

    assert tie_of(explanation) == Tie(TieBreak.FIRST_FOUND, 0, is_start_known=False)
    assert likely_row(explanation) == 0


def test_where_zones_take_turns_the_first_is_not_the_first_by_name() -> None:
    taint = [{"key": "old", "effect": "PreferNoSchedule"}]
    nodes = [a_node("a", zone="x", taints=taint), a_node("b", zone="x"), a_node("c", zone="y")]

    assert likely_row(explained_as("1.37", nodes, a_pod())) == 2


def test_one_best_node_is_no_tie() -> None:
    nodes = [a_node("a", allocatable={"cpu": "8"}), a_node("b", allocatable={"cpu": "4"})]
    explanation = explained_as("1.37", nodes, a_pod(requests={"cpu": "1"}))

    assert tie_of(explanation) is None
    assert likely_row(explanation) == 0
    assert likely_row(explained_as("1.37", nodes, a_pod(requests={"cpu": "9"}))) is None


def test_an_extender_that_is_asked_brings_random_numbers() -> None:
    extender = {"urlPrefix": "http://x", "filterVerb": "filter"}

    assert tie_of(explained_as("1.37", alike(4), a_pod(), extenders=[extender])) == Tie(TieBreak.RANDOM)
    managed = {**extender, "managedResources": [{"name": "example.com/card"}]}
    assert tie_of(explained_as("1.37", alike(4), a_pod(), extenders=[managed])) != Tie(TieBreak.RANDOM)


def test_nodes_that_prefilter_names_are_searched_in_random_order() -> None:
    named = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]} for name in ("n001", "n002")
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": named}}

    assert tie_of(explained_as("1.37", alike(4), a_pod(affinity={"nodeAffinity": required}))) == Tie(TieBreak.RANDOM)


def test_a_search_of_a_part_takes_a_node_that_depends_on_its_start() -> None:
    explanation = explained_as("1.37", alike(120), a_pod())

    assert tie_of(explanation) == Tie(TieBreak.FIRST_FOUND)
    assert likely_row(explanation) is None


@pytest.mark.parametrize(
    ("minor", "samples", "number"), [("1.34", False, 10), ("1.37", False, 10), ("1.34", True, 120), ("1.37", True, 120)]
)
def test_a_simulation_takes_nodes_as_the_release_does(minor: str, samples: bool, number: int) -> None:
    """Pods so small that all nodes stay alike: 1.34 draws any, later ones take where each search starts."""
    room = {"cpu": "100000", "memory": "1000Ti", "pods": "1000"}
    release = RELEASES[minor]
    wanted = [Wanted(a_pod(f"p{each}")) for each in range(30)]
    taint = [{"key": "old", "effect": "NoSchedule"}]
    nodes = [a_node(f"n{each:03}", taints=taint if each == 0 else [], allocatable=room) for each in range(number)]
    configuration = SchedulerConfiguration.default(release)
    case = Case(Snapshot.from_objects(nodes, release), configuration, wanted, samples=samples)

    steps = list(Simulation(case))

    taken = [int(step.node[1:]) for step in steps]
    if minor == "1.34":
        assert len(set(taken)) > 5
    elif not samples:
        assert set(taken) == {1}
    else:
        # 100 feasible nodes end a search, and the next one starts behind them.
        starts = np.cumsum([0, *(step.looked_at for step in steps)]) % number
        assert taken == [max(1, start) for start in starts[:-1].tolist()]
        assert len(set(taken)) > 5
    tie = tie_of(explained(case, steps, 7))
    assert tie is not None
    assert tie == (
        Tie(TieBreak.RANDOM) if minor == "1.34" else Tie(TieBreak.FIRST_FOUND, taken[7], is_start_known=True)
    )
