"""Chances of nodes agree with a walk from every start, one after the other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import choice_chances, run_cycle, search_chances
from clusters.engine.scheduling.search import SearchOrder, first_found
from clusters.engine.scheduling.searches import MOST_SEARCHES
from clusters.engine.versions import ASSUMED, NEWEST, Release
from tests.engine.builders import Document, a_node, a_pod

ZONE, HOSTNAME = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def explanation_on(nodes: list[Document], pod: Document, release: Release = ASSUMED, **fields: Any) -> Explanation:
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **fields}
    configuration = SchedulerConfiguration.from_dict(versioned, release)
    return explain(Snapshot.from_objects(nodes, release), pod, configuration.profile_for(pod))


def nodes_of(kinds: list[tuple[int, bool, int]]) -> list[Document]:
    """Nodes with a zone, whether the pod fits, and how much it prefers them."""
    return [
        a_node(
            f"n{number:03}",
            labels={
                # Few nodes of the last zones, and one without any: searches differ in the domains that they find.
                **({ZONE: f"zone-{zone}"} if number != 50 else {}),
                HOSTNAME: f"n{number:03}",
                "fits": str(fits).lower(),
                "rank": str(rank),
            },
            allocatable={"cpu": "4"},
        )
        for number, (zone, fits, rank) in enumerate(kinds)
    ]


def choosy_pod() -> Document:
    preferences = [
        {"weight": 10 * rank, "preference": {"matchExpressions": [_is("rank", str(rank))]}} for rank in (1, 2)
    ]
    required = {"nodeSelectorTerms": [{"matchExpressions": [_is("fits", "true")]}]}
    affinity = {"requiredDuringSchedulingIgnoredDuringExecution": required, PREFERRED: preferences}
    spread = [
        {
            "maxSkew": 1,
            "topologyKey": key,
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app": "web"}},
        }
        for key in (ZONE, HOSTNAME)
    ]
    return a_pod(labels={"app": "web"}, affinity={"nodeAffinity": affinity}, topologySpreadConstraints=spread)


def _is(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": [value]}


def walked(explanation: Explanation) -> tuple[dict[int, int], dict[int, Fraction]]:
    """Walk from every start: in how many walks each row is reached, and with which chance it is chosen."""
    cycle = explanation.cycle
    count = len(explanation.snapshot.nodes)
    fits = np.zeros(count, np.bool_)
    fits[cycle.feasible] = True
    order = SearchOrder(explanation.snapshot.nodes)
    everything = np.ones(count, np.bool_)
    rows = explanation.snapshot.nodes.search_order
    reached = dict.fromkeys(range(count), 0)
    chosen: dict[int, Fraction] = {}
    for start in range(count):
        order.start = start
        search = order.search(everything, fits, explanation.profile)
        for place in range(search.looked_at):
            reached[int(rows[(start + place) % count])] += 1
        seen = run_cycle(explanation.snapshot, explanation.pod, explanation.profile, among=search.found)
        first = first_found(seen, order)
        best = seen.best if first is None else np.array([first])
        for row in best.tolist():
            chosen[row] = chosen.get(row, Fraction()) + Fraction(1, count * len(best))
    return reached, chosen


kinds = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 2)), min_size=100, max_size=120)


@pytest.mark.parametrize("release", [ASSUMED, NEWEST], ids=lambda each: each.minor)
@given(data=st.data())
@settings(max_examples=6)
def test_chances_are_those_of_a_walk_from_every_start(release: Release, data: st.DataObject) -> None:
    mostly = data.draw(
        st.lists(st.tuples(st.integers(0, 2), st.just(True), st.integers(0, 2)), min_size=101, max_size=104)
    )
    others = data.draw(st.lists(st.tuples(st.integers(0, 2), st.just(False), st.integers(0, 2)), max_size=20))
    mixed = data.draw(st.permutations([*mostly, *others]))
    explanation = explanation_on(nodes_of(list(mixed)), choosy_pod(), release)

    chances = search_chances(explanation)

    assert chances is not None
    reached, chosen = walked(explanation)
    assert dict(enumerate(chances.reached.tolist())) == reached
    found = choice_chances(explanation, chances)
    assert found is not None
    assert found == pytest.approx({row: float(share) for row, share in chosen.items()})
    assert sum(found.values()) == pytest.approx(1)
    row = next(iter(found))
    alone = choice_chances(explanation, chances, row)
    assert alone is not None
    assert alone[row] == pytest.approx(found[row])


@given(kinds)
@settings(max_examples=10)
def test_where_no_more_fit_than_are_wanted_every_node_is_looked_at(found: list[tuple[int, bool, int]]) -> None:
    explanation = explanation_on(nodes_of(found), choosy_pod())

    feasible = len(explanation.cycle.feasible)
    assert (search_chances(explanation) is None) == (feasible <= explanation.sampling.wanted)


def test_e25_zones_take_turns_in_the_order() -> None:
    kinds = [(0, True, 0)] * 68 + [(1, True, 0)] * 34
    chances = search_chances(explanation_on(nodes_of(kinds), a_pod()))

    assert chances is not None
    # The node without a zone is in one of its own.
    assert chances.order[:5].tolist() == [0, 50, 68, 1, 69]
    # Each of 102 nodes that all fit is reached from the 100 starts that end with it.
    assert (chances.wanted, set(chances.reached.tolist())) == (100, {100})


def test_e26_e27_fewer_than_a_hundred_nodes_are_all_looked_at() -> None:
    assert search_chances(explanation_on(nodes_of([(0, True, 0)] * 99), a_pod(), percentageOfNodesToScore=10)) is None
    many = explanation_on(nodes_of([(0, True, 0)] * 300), a_pod(), percentageOfNodesToScore=50)
    chances = search_chances(many)
    assert chances is not None
    assert chances.wanted == 150
    assert search_chances(explanation_on(nodes_of([(0, True, 0)] * 300), a_pod(), percentageOfNodesToScore=100)) is None


def test_what_decides_without_a_walk_has_no_chances() -> None:
    nodes = nodes_of([(0, True, 0)] * 120)
    assert search_chances(explanation_on(nodes, a_pod(nominated="n007"))) is None
    named = {"nodeSelectorTerms": [{"matchFields": [_is("metadata.name", "n007")]}]}
    pinned = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": named}}
    assert search_chances(explanation_on(nodes, a_pod(affinity=pinned))) is None


def test_chances_to_be_chosen_need_every_score() -> None:
    nodes = nodes_of([(0, True, 0)] * 120)
    extender = {"urlPrefix": "http://x", "prioritizeVerb": "p", "weight": 1}
    explanation = explanation_on(nodes, a_pod(), extenders=[extender])
    chances = search_chances(explanation)

    assert chances is not None
    assert choice_chances(explanation, chances) is None
    foreign = {"plugins": {"score": {"enabled": [{"name": "Ours"}]}}}
    explanation = explanation_on(nodes, a_pod(), profiles=[foreign])
    assert choice_chances(explanation, chances) is None


def test_too_many_searches_are_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explanation_on(nodes_of([(0, True, 0)] * 120), a_pod())
    chances = search_chances(explanation)
    assert chances is not None
    assert MOST_SEARCHES >= 5000
    monkeypatch.setattr("clusters.engine.scheduling.searches.MOST_SEARCHES", 119)
    assert choice_chances(explanation, chances) is None


def test_an_explanation_stays_as_it_was() -> None:
    explanation = explanation_on(nodes_of([(0, True, number % 3) for number in range(110)]), choosy_pod())
    before = explanation.as_recorded()
    parts = explanation.score_evidence(3, "PodTopologySpread")

    chances = search_chances(explanation)
    assert chances is not None
    choice_chances(explanation, chances)

    assert explanation.as_recorded() == before
    assert explanation.score_evidence(3, "PodTopologySpread") == parts
