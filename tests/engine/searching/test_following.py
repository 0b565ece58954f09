"""Where a scheduler's searches begin is found by its choices."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.journal import Agreement, judge_placement
from clusters.engine.scheduling import HeardAttempt, SearchFinding, SearchFollower
from tests.engine.builders import ZONE, a_node, a_pod
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
