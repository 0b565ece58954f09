"""Where a scheduler's searches begin is found by its choices."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.journal import Agreement, judge_placement
from clusters.engine.objects import Node
from clusters.engine.scheduling import HeardAttempt, SearchFinding, SearchFollower, SearchStarts
from clusters.engine.scheduling.searches import (
    MOST,
    Advance,
    Attempt,
    NodeOrders,
    SearchCourse,
    Walks,
    bound,
    refused,
    surprise,
)
from clusters.engine.versions import RELEASES
from tests.engine.builders import ZONE, Document, a_node, a_pod
from tests.engine.searching.simulated import PROFILE, SimulatedScheduler, a_cluster
from tests.support.answers import known

NODES = 300
DEFAULT_PARALLELISM = 16
SPREAD = [
    {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
]
seeds = st.integers(0, 2**32)


def heard(follower: SearchFollower, explanation: Explanation, node: str) -> HeardAttempt:
    return known(follower.hear(explanation, node))


def followed(follower: SearchFollower, explanation: Explanation, node: str) -> SearchFinding:
    """Hear a decision and go on to the next."""
    found = heard(follower, explanation, node)
    follower.take(found)
    return known(found.finding)


def is_kept(found: HeardAttempt, start: int) -> bool:
    """Whether a start is possible before an attempt, with however many workers."""
    return bool(found.before.kept[:, start].any())


@given(seed=seeds, unfit=st.sampled_from([0.0, 0.1, 0.5]), spread=st.booleans())
@settings(max_examples=8, deadline=None)
def test_the_start_of_one_worker_is_always_among_the_possible_ones(seed: int, unfit: float, spread: bool) -> None:
    chance = random.Random(seed)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=unfit))
    follower = SearchFollower(1)
    spec: dict[str, Any] = {"topologySpreadConstraints": SPREAD} if spread else {}

    for explanation, node, start in scheduler.bind(25, **spec):
        found = heard(follower, explanation, node)
        assert is_kept(found, start)
        if found.finding is not None:
            assert found.finding.is_expected
        follower.take(found)


@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_several_workers_are_followed_without_being_told_how_many(workers: int) -> None:
    chance = random.Random(workers)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.1), workers=workers)
    follower = SearchFollower(DEFAULT_PARALLELISM)
    kept, narrow, expected = [], [], []

    for explanation, node, start in scheduler.bind(60):
        found = heard(follower, explanation, node)
        assert found.finding is not None
        kept.append(is_kept(found, start))
        narrow.append(found.finding.is_proof)
        expected.append(found.finding.is_expected)
        follower.take(found)

    assert sum(kept) >= 57
    assert sum(expected) >= 57
    assert sum(narrow[20:]) >= 30


def test_a_wrong_choice_is_hardly_ever_expected() -> None:
    chance = random.Random(5)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.1), workers=2)
    follower = SearchFollower(DEFAULT_PARALLELISM)
    proofs, wrong = 0, 0

    for explanation, node, _ in scheduler.bind(50):
        others = [each for each in explanation.feasible if each not in (node, *explanation.choices)]
        for other in chance.sample(others, 3):
            # As far as it is known now, all of these would have been called right or wrong within sampling.
            assert judge_placement(explanation, other) is not Agreement.AGREES
            proofs += known(heard(follower, explanation, other).finding).is_proof
            wrong += 1
        follower.take(heard(follower, explanation, node))

    assert proofs / wrong < 0.03


@pytest.mark.parametrize("seed", [10, 11])
def test_a_restart_is_got_over(seed: int) -> None:
    chance = random.Random(seed)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.1))
    follower = SearchFollower(1)
    for explanation, node, _ in scheduler.bind(30):
        followed(follower, explanation, node)

    scheduler.start = 0
    kept = []
    for explanation, node, start in scheduler.bind(60):
        found = heard(follower, explanation, node)
        kept.append(is_kept(found, start))
        follower.take(found)

    assert all(kept[25:])


def test_what_is_lost_can_be_anywhere() -> None:
    chance = random.Random(11)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.1))
    follower = SearchFollower(1)
    for explanation, node, _ in scheduler.bind(20):
        followed(follower, explanation, node)
    follower.lose()

    explanation, node, _ = next(scheduler.bind(1))
    finding = known(heard(follower, explanation, node).finding)
    assert (finding.places, finding.is_proof) == (NODES, False)


def test_a_scheduler_that_heard_of_the_nodes_as_they_came_is_followed() -> None:
    chance = random.Random(12)
    nodes = []
    for number in range(NODES):
        document = a_node(
            f"n{number:04}",
            zone=f"z{number % 2}",
            labels={"fits": "true"},
            allocatable={"cpu": str(chance.randrange(8, 64)), "memory": f"{chance.randrange(16, 128)}Gi"},
        )
        document["metadata"]["creationTimestamp"] = f"2026-01-01T00:00:{chance.randrange(60):02}Z"
        nodes.append(document)
    scheduler = SimulatedScheduler(chance, Snapshot.from_objects(nodes), by_age=True)
    follower = SearchFollower(1)
    found = []

    for explanation, node, start in scheduler.bind(40):
        found.append(heard(follower, explanation, node))
        # The second row is the order of age.
        assert found[-1].before.kept[1][start]
        follower.take(found[-1])

    assert not found[-1].before.kept[0].any()


@pytest.mark.parametrize("seed", [15, 16])
def test_hardly_anything_is_proved_where_the_scheduler_has_the_nodes_in_no_known_order(seed: int) -> None:
    chance = random.Random(seed)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.1), workers=4)
    scheduler.shuffle()
    follower = SearchFollower(DEFAULT_PARALLELISM, is_told_by_name=False)

    found = [followed(follower, explanation, node) for explanation, node, _ in scheduler.bind(80)]

    assert sum(finding.is_proof for finding in found) <= 5


def test_where_all_nodes_are_looked_at_there_is_nothing_to_follow() -> None:
    follower = SearchFollower(DEFAULT_PARALLELISM)
    explanation = explain(Snapshot.from_objects([a_node("a"), a_node("b")]), a_pod(), PROFILE)

    assert follower.hear(explanation, "a") is None
    assert follower.hear_refusal(explanation) is None


def test_what_others_have_a_say_in_leaves_every_start_open() -> None:
    chance = random.Random(14)
    scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.1))
    follower = SearchFollower(1)
    for explanation, node, _ in scheduler.bind(20):
        followed(follower, explanation, node)
    extended = SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "extenders": [{"urlPrefix": "http://x", "filterVerb": "filter"}],
        }
    ).profiles[0]
    asked = explain(scheduler.snapshot, a_pod("asked"), extended)
    follower.take(heard(follower, asked, asked.choices[0]))

    explanation, node, _ = next(scheduler.bind(1))
    assert followed(follower, explanation, node).places == NODES


def only(*places: int, nodes: int = 10) -> SearchStarts:
    """Starts of which these alone are possible."""
    surprises = np.full((1, nodes), MOST, np.float32)
    surprises[0, list(places)] = 0
    return SearchStarts(surprises)


def kept(starts: SearchStarts) -> list[int]:
    return np.flatnonzero(starts.kept[0]).tolist()


def moving(least: int, most: int, nodes: int = 10) -> Attempt:
    return Attempt([surprise(np.ones(nodes))], [Advance.between(least, most, nodes)])


@given(
    chances=st.lists(st.floats(0.01, 1), min_size=5, max_size=12),
    least=st.integers(0, 30),
    more=st.integers(0, 4),
    deviation=st.sampled_from([0.0, 0.5, 2.0, np.inf]),
)
def test_starts_move_by_each_advance_as_often_as_it_is_likely(
    chances: list[float], least: int, more: int, deviation: float
) -> None:
    nodes = len(chances)
    likely = least + more // 2
    advances = range(least, least + more + 1)
    weights = [np.exp(-0.5 * ((each - likely) / max(deviation, 0.1)) ** 2) for each in advances]
    expected = [0.0] * nodes
    for start, chance in enumerate(chances):
        for advanced, weight in zip(advances, weights, strict=True):
            expected[(start + advanced) % nodes] += chance * weight / sum(weights)

    moved = Advance(
        np.full(nodes, least), np.full(nodes, least + more), np.full(nodes, likely), np.full(nodes, deviation)
    ).moved(np.array(chances))

    assert moved.tolist() == pytest.approx(expected)


def test_an_advance_that_is_not_known_spreads() -> None:
    assert kept(only(8).after(moving(1, 3))) == [0, 1, 9]
    assert kept(only(8).after(moving(0, 10))) == list(range(10))


def test_orders_that_part_begin_where_they_were_together() -> None:
    assert np.argwhere(only(3).among([0, 0], 10).kept).tolist() == [[0, 3], [1, 3]]


NODES_OF_STARTS = 200
PROFILE_OF_STARTS = SchedulerConfiguration.default().profiles[0]
BY_DEFAULT = {"maxSkew": 5, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway"}
SPREAD_OF_STARTS = {**BY_DEFAULT, "labelSelector": {"matchLabels": {"app": "web"}}}


def explained(pod: Document, *, fitting: int = NODES_OF_STARTS) -> Explanation:
    """A pod explained on 200 nodes, of which so many are not cordoned."""
    nodes = [a_node(f"n{number:03}", unschedulable=number >= fitting) for number in range(NODES_OF_STARTS)]
    return explain(Snapshot.from_objects(nodes), pod, PROFILE_OF_STARTS)


def bound_to(explanation: Explanation, node: str | None) -> Attempt:
    courses = [SearchCourse(order, 1) for order in NodeOrders().of(explanation.snapshot.nodes.nodes).orders]
    return bound(explanation, node, SearchStarts.anywhere(len(courses), NODES_OF_STARTS), courses)


def bounds(attempt: Attempt) -> tuple[set[int], set[int]]:
    """By how many places the start moves at least and at most, over all starts."""
    [advance] = attempt.advances
    return set(advance.least.tolist()), set(advance.most.tolist())


def is_silent(attempt: Attempt) -> bool:
    """Whether it says nothing of where the search began."""
    return not np.stack(attempt.surprises).any()


def named(*names: str) -> dict[str, Any]:
    expressions = [{"key": "metadata.name", "operator": "In", "values": [name]} for name in names]
    terms = [{"matchFields": [each]} for each in expressions]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def test_a_nominated_node_is_taken_without_a_search() -> None:
    attempt = bound_to(explained(a_pod(nominated="n010")), "n010")

    assert bounds(attempt) == ({0}, {0})
    assert is_silent(attempt)


def test_a_pod_for_one_node_moves_the_start_by_one() -> None:
    attempt = bound_to(explained(a_pod(affinity=named("n010"))), "n010")

    assert bounds(attempt) == ({1}, {1})
    assert is_silent(attempt)


def test_of_many_named_nodes_it_is_not_known_in_which_order_they_are_searched() -> None:
    attempt = bound_to(explained(a_pod(affinity=named(*(f"n{number:03}" for number in range(150))))), "n010")

    assert bounds(attempt) == ({100}, {150})
    assert is_silent(attempt)


def test_a_refusal_before_the_search_moves_nothing() -> None:
    claim = {"persistentVolumeClaim": {"claimName": "missing"}}

    assert bounds(refused(explained(a_pod(volumes=[claim])), 1)) == ({0}, {0})


@pytest.mark.parametrize(
    ("minor", "defaulting", "spec", "is_open"),
    [
        ("1.37", {"defaultingType": "List"}, {}, True),
        ("1.37", {"defaultingType": "List"}, {"topologySpreadConstraints": [SPREAD_OF_STARTS]}, False),
        ("1.37", {"defaultingType": "List", "defaultConstraints": [BY_DEFAULT]}, {}, False),
        ("1.37", {"defaultingType": "System"}, {}, False),
        ("1.37", None, {}, True),
        ("1.34", {"defaultingType": "List"}, {}, False),
    ],
)
def test_a_pod_that_may_share_an_evaluation_leaves_every_start_open(
    minor: str, defaulting: dict[str, Any] | None, spec: dict[str, Any], is_open: bool
) -> None:
    profile: dict[str, Any] = {"schedulerName": "default-scheduler"}
    if defaulting is None:
        profile["plugins"] = {"multiPoint": {"disabled": [{"name": "PodTopologySpread"}]}}
    else:
        profile["pluginConfig"] = [{"name": "PodTopologySpread", "args": defaulting}]
    fields = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    }
    release = RELEASES[minor]
    configuration = SchedulerConfiguration.from_dict(fields, release)
    snapshot = Snapshot.from_objects([a_node(f"n{number:03}", zone="z") for number in range(NODES_OF_STARTS)], release)

    attempt = bound_to(explain(snapshot, a_pod(**spec), configuration.profiles[0]), "n010")

    assert bounds(attempt) == (({0}, {NODES_OF_STARTS}) if is_open else ({100}, {100}))


def nodes_created(seconds: dict[str, int], *, zones: int = 1) -> list[Node]:
    """Nodes by name, created in these seconds, with the zones in turn."""
    found = []
    for number, (name, second) in enumerate(sorted(seconds.items())):
        document = a_node(name, zone=f"z{number % zones}")
        document["metadata"]["creationTimestamp"] = f"2026-01-01T00:00:{second:02}Z"
        found.append(Node.from_dict(document))
    return found


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


@settings(max_examples=40)
@given(fits=st.lists(st.booleans(), min_size=100, max_size=160), wanted=st.integers(1, 40))
def test_one_worker_stops_before_the_node_that_is_one_too_many(fits: list[bool], wanted: int) -> None:
    if sum(fits) <= wanted:
        fits = [True] * len(fits)
    count = len(fits)
    walks = Walks.of(np.array(fits), wanted, 1)

    for start in range(count):
        found = looked_at = 0
        while found < wanted or not fits[(start + looked_at) % count]:
            found += fits[(start + looked_at) % count]
            looked_at += 1
        assert {int(each[start]) for each in (walks.surely, walks.at_most, walks.least, walks.most)} == {looked_at}


@given(seed=st.integers(0, 2**32), workers=st.integers(2, 16))
def test_several_workers_are_less_certain_around_where_one_would_stop(seed: int, workers: int) -> None:
    chance = random.Random(seed)
    fits = np.array([chance.random() < 0.8 for _ in range(400)])
    alone, together = Walks.of(fits, 120, 1), Walks.of(fits, 120, workers)

    assert (together.surely <= alone.surely).all()
    assert (together.at_most >= np.minimum(alone.at_most, 400)).all()
    assert (together.least <= alone.least).all()
    assert (together.most >= np.minimum(alone.most, 400)).all()
    starts = np.arange(400)
    assert (together.chances(starts, np.maximum(together.surely - 1, 0)) > 0).all()
    assert (together.chances(starts, together.at_most) == 0).all()
    assert (np.diff(together.chances(np.zeros(400, np.intp), np.arange(400))) <= 0).all()
