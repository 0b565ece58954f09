"""Which of equally good nodes is taken: from 1.35 on the root of the heap that upstream makes of what it found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import fields, replace

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import ChangeCost, ChangeGain, Whole, worth
from clusters.engine.scheduling import Sampling, TieBreak, choice_chances, likely_row, run_cycle, search_chances, tie_of
from clusters.engine.scheduling.search import SearchOrder, Tie, first_found, heap_order
from clusters.engine.scheduling.searches import MOST_SEARCHES, Searches
from clusters.engine.versions import ASSUMED, NEWEST, RELEASES, Release
from tests.engine.builders import Document, a_node, a_pod
from tests.support.answers import known

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

    met = [row for row in np.roll(table.search_order, -order.start).tolist() if row in found]
    assert order.first(np.array(best), np.array(found)) == met[root_of([int(row in best) for row in met])]


def explanation_on(nodes: list[Document], pod: Document, release: Release = ASSUMED, **fields: Any) -> Explanation:
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **fields}
    configuration = SchedulerConfiguration.from_dict(versioned, release)
    return explain(Snapshot.from_objects(nodes, release), pod, configuration.profile_for(pod))


def alike(number: int) -> list[Document]:
    return [a_node(f"n{each:03}", zone=f"z{each % 2}") for each in range(number)]


def test_1_34_draws_one_of_equally_good_nodes() -> None:
    assert tie_of(explanation_on(alike(4), a_pod(), RELEASES["1.34"])) == Tie(TieBreak.RANDOM)


@pytest.mark.parametrize("minor", LATER)
def test_later_releases_take_the_first_that_their_search_finds(minor: str) -> None:
    explanation = explanation_on(alike(4), a_pod(), RELEASES[minor])

    assert tie_of(explanation) == Tie(TieBreak.FIRST_FOUND, 0, is_start_known=False)
    assert likely_row(explanation) == 0


def test_one_best_node_is_no_tie() -> None:
    nodes = [a_node("a", allocatable={"cpu": "8"}), a_node("b", allocatable={"cpu": "4"})]
    explanation = explanation_on(nodes, a_pod(requests={"cpu": "1"}), RELEASES["1.37"])

    assert tie_of(explanation) is None
    assert likely_row(explanation) == 0
    assert likely_row(explanation_on(nodes, a_pod(requests={"cpu": "9"}), RELEASES["1.37"])) is None


def test_a_search_of_a_part_takes_a_node_that_depends_on_its_start() -> None:
    explanation = explanation_on(alike(120), a_pod(), RELEASES["1.37"])

    assert tie_of(explanation) == Tie(TieBreak.FIRST_FOUND)
    assert likely_row(explanation) is None


@given(nodes=st.integers(0, 20000), percentage=st.integers(0, 100))
def test_never_more_than_there_are_and_never_too_few(nodes: int, percentage: int) -> None:
    wanted = Sampling.of(percentage, nodes).wanted

    assert min(nodes, 100) <= wanted <= nodes
    assert wanted >= nodes * (percentage or 5) // 100


ZONE, HOSTNAME = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


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
    count = len(explanation.snapshot.nodes)
    fits = np.zeros(count, np.bool_)
    fits[explanation.cycle.feasible] = True
    order = SearchOrder(explanation.snapshot.nodes)
    everything = np.ones(count, np.bool_)
    rows = explanation.snapshot.nodes.search_order
    reached = dict.fromkeys(range(count), 0)
    chosen: dict[int, Fraction] = {}
    for start in range(count):
        order.start = start
        search = order.search(order.walk(everything, fits), explanation.profile)
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
    # The score of a node goes by the pods on itself, too.
    counts = data.draw(st.lists(st.integers(0, 2), min_size=len(mixed), max_size=len(mixed)))
    pods = [
        a_pod(f"x{place}-{number}", node=f"n{place:03}", labels={"app": "web"})
        for place, count in enumerate(counts)
        for number in range(count)
    ]
    explanation = explanation_on([*nodes_of(list(mixed)), *pods], choosy_pod(), release)

    chances = known(search_chances(explanation))

    reached, chosen = walked(explanation)
    assert dict(enumerate(chances.reached.tolist())) == reached
    searches = Searches(explanation, chances)
    for first in (0, chances.feasible // 2, chances.feasible - 1):
        rows, totals = searches.found_from(first)
        seen = run_cycle(explanation.snapshot, explanation.pod, explanation.profile, among=np.sort(rows))
        assert dict(zip(rows, totals, strict=True)) == dict(zip(seen.feasible, seen.totals, strict=True))
    found = known(choice_chances(explanation, chances))
    assert found == pytest.approx({row: float(share) for row, share in chosen.items()})
    assert sum(found.values()) == pytest.approx(1)
    row = next(iter(found))
    assert known(choice_chances(explanation, chances, row))[row] == pytest.approx(found[row])


@given(kinds)
@settings(max_examples=10)
def test_where_no_more_fit_than_are_wanted_every_node_is_looked_at(found: list[tuple[int, bool, int]]) -> None:
    explanation = explanation_on(nodes_of(found), choosy_pod())

    assert (search_chances(explanation) is None) == (len(explanation.cycle.feasible) <= explanation.sampling.wanted)


def test_e25_zones_take_turns_in_the_order() -> None:
    kinds = [(0, True, 0)] * 68 + [(1, True, 0)] * 34
    chances = known(search_chances(explanation_on(nodes_of(kinds), a_pod())))

    # The node without a zone is in one of its own.
    assert chances.order[:5].tolist() == [0, 50, 68, 1, 69]
    # Each of 102 nodes that all fit is reached from the 100 starts that end with it.
    assert (chances.wanted, set(chances.reached.tolist())) == (100, {100})


def test_e26_e27_fewer_than_a_hundred_nodes_are_all_looked_at() -> None:
    assert search_chances(explanation_on(nodes_of([(0, True, 0)] * 99), a_pod(), percentageOfNodesToScore=10)) is None
    chances = known(
        search_chances(explanation_on(nodes_of([(0, True, 0)] * 300), a_pod(), percentageOfNodesToScore=50))
    )
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
    chances = known(search_chances(explanation))

    assert choice_chances(explanation, chances) is None
    explanation = explanation_on(nodes, a_pod(), profiles=[{"plugins": {"score": {"enabled": [{"name": "Ours"}]}}}])
    assert choice_chances(explanation, chances) is None


def test_too_many_searches_are_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explanation_on(nodes_of([(0, True, 0)] * 120), a_pod())
    chances = known(search_chances(explanation))
    assert MOST_SEARCHES >= 5000
    monkeypatch.setattr("clusters.engine.scheduling.searches.MOST_SEARCHES", 119)
    assert choice_chances(explanation, chances) is None


def test_an_explanation_stays_as_it_was() -> None:
    explanation = explanation_on(nodes_of([(0, True, number % 3) for number in range(110)]), choosy_pod())
    before = explanation.as_recorded()
    parts = explanation.score_evidence(3, "PodTopologySpread")

    choice_chances(explanation, known(search_chances(explanation)))

    assert explanation.as_recorded() == before
    assert explanation.score_evidence(3, "PodTopologySpread") == parts


SCALE = Whole(pending=36, nodes=60, pods=856, cpu_milli=628_000, memory_bytes=2_000_000)
AMOUNTS = st.integers(0, 5_000)
GAINS = st.builds(ChangeGain, *[AMOUNTS] * len(fields(ChangeGain)))
COSTS = st.builds(ChangeCost, *[AMOUNTS] * len(fields(ChangeCost)))
SCALES = st.builds(Whole, *[AMOUNTS] * len(fields(Whole)))


@given(gain=GAINS, cost=COSTS, scale=SCALES, field=st.sampled_from(fields(ChangeGain)), more=AMOUNTS)
def test_who_brings_more_is_never_worth_less(
    gain: ChangeGain, cost: ChangeCost, scale: Whole, field: object, more: int
) -> None:
    name = field.name  # type: ignore[attr-defined]

    assert worth(replace(gain, **{name: getattr(gain, name) + more}), cost, scale) >= worth(gain, cost, scale)


@given(gain=GAINS, cost=COSTS, scale=SCALES, field=st.sampled_from(fields(ChangeCost)), more=AMOUNTS)
def test_what_costs_more_is_never_worth_more(
    gain: ChangeGain, cost: ChangeCost, scale: Whole, field: object, more: int
) -> None:
    name = field.name  # type: ignore[attr-defined]

    assert worth(gain, replace(cost, **{name: getattr(cost, name) + more}), scale) <= worth(gain, cost, scale)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # The same pod without a new node, rather than with two.
        ((ChangeGain(pods_scheduled=1), ChangeCost()), (ChangeGain(pods_scheduled=1), ChangeCost(nodes_added=2))),
        # Twenty nodes that can be drained, rather than one pending pod.
        ((ChangeGain(nodes_drainable=20), ChangeCost()), (ChangeGain(pods_scheduled=1), ChangeCost())),
        # Five nodes less for eighteen evictions, rather than for a lost quorum.
        (
            (ChangeGain(nodes_removed=5), ChangeCost(pods_evicted=18)),
            (ChangeGain(nodes_removed=5), ChangeCost(quorums_lost=1)),
        ),
        # A pod that is scheduled does not make up for one that is pending instead.
        ((ChangeGain(), ChangeCost()), (ChangeGain(pods_scheduled=1), ChangeCost(newly_pending=1, pods_evicted=90))),
    ],
)
def test_what_is_worth_more(better: tuple[ChangeGain, ChangeCost], worse: tuple[ChangeGain, ChangeCost]) -> None:
    assert worth(*better, SCALE) > worth(*worse, SCALE)


def test_where_zones_take_turns_the_first_is_not_the_first_by_name() -> None:
    taint = [{"key": "old", "effect": "PreferNoSchedule"}]
    nodes = [a_node("a", zone="x", taints=taint), a_node("b", zone="x"), a_node("c", zone="y")]

    assert likely_row(explanation_on(nodes, a_pod(), RELEASES["1.37"])) == 2
