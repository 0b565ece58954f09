"""What attempts that are not a usual search say of the start."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import SearchStarts
from clusters.engine.scheduling.searches import Attempt, NodeOrders, SearchCourse, bound, refused
from clusters.engine.versions import RELEASES
from tests.engine.builders import ZONE, Document, a_node, a_pod

NODES = 200
PROFILE = SchedulerConfiguration.default().profiles[0]
BY_DEFAULT = {"maxSkew": 5, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway"}
SPREAD = {**BY_DEFAULT, "labelSelector": {"matchLabels": {"app": "web"}}}


def explained(pod: Document, *, fitting: int = NODES) -> Explanation:
    """A pod explained on 200 nodes, of which so many are not cordoned."""
    nodes = [a_node(f"n{number:03}", unschedulable=number >= fitting) for number in range(NODES)]
    return explain(Snapshot.from_objects(nodes), pod, PROFILE)


def bound_to(explanation: Explanation, node: str | None) -> Attempt:
    courses = [SearchCourse(order, 1) for order in NodeOrders().of(explanation.snapshot.nodes.nodes).orders]
    return bound(explanation, node, SearchStarts.anywhere(len(courses), NODES), courses)


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


def test_a_search_moves_the_start_by_what_it_looked_at() -> None:
    attempt = bound_to(explained(a_pod()), "n010")

    # 48 % of 200 nodes would be 96: never fewer than 100 are wanted.
    assert bounds(attempt) == ({100}, {100})
    assert not is_silent(attempt)
    # The node is within reach from the 100 starts before it.
    assert np.flatnonzero(attempt.surprises[0] == 0).tolist() == [*range(11), *range(111, 200)]


def test_a_search_that_finds_too_few_ends_where_it_began() -> None:
    attempt = bound_to(explained(a_pod(), fitting=100), "n010")

    assert bounds(attempt) == ({NODES}, {NODES})
    assert is_silent(attempt)


def test_a_nominated_node_is_taken_without_a_search() -> None:
    attempt = bound_to(explained(a_pod(nominated="n010")), "n010")

    assert bounds(attempt) == ({0}, {0})
    assert is_silent(attempt)


def test_a_nominated_node_that_no_longer_fits_may_count_by_itself() -> None:
    attempt = bound_to(explained(a_pod(nominated="n199"), fitting=199), "n010")

    assert min(bounds(attempt)[1]) == 101
    assert min(bounds(attempt)[0]) == 100


def test_a_pod_for_one_node_moves_the_start_by_one() -> None:
    attempt = bound_to(explained(a_pod(affinity=named("n010"))), "n010")

    assert bounds(attempt) == ({1}, {1})
    assert is_silent(attempt)


def test_of_many_named_nodes_it_is_not_known_in_which_order_they_are_searched() -> None:
    attempt = bound_to(explained(a_pod(affinity=named(*(f"n{number:03}" for number in range(150))))), "n010")

    assert bounds(attempt) == ({100}, {150})
    assert is_silent(attempt)


def test_a_choice_that_is_not_allowed_still_moves_the_start() -> None:
    attempt = bound_to(explained(a_pod()), None)

    assert bounds(attempt) == ({100}, {100})
    assert len(set(np.stack(attempt.surprises).ravel().tolist())) == 1
    assert not is_silent(attempt)


def test_a_refused_pod_was_tried_on_every_node() -> None:
    attempt = refused(explained(a_pod(requests={"cpu": "99"})), 1)

    assert bounds(attempt) == ({0}, {0})


def test_a_refusal_before_the_search_moves_nothing() -> None:
    claim = {"persistentVolumeClaim": {"claimName": "missing"}}

    assert bounds(refused(explained(a_pod(volumes=[claim])), 1)) == ({0}, {0})


def test_a_refused_pod_for_one_node_may_have_been_tried_again() -> None:
    attempt = refused(explained(a_pod(affinity=named("n010"), requests={"cpu": "99"})), 1)

    assert bounds(attempt) == ({1}, {3})


@pytest.mark.parametrize(
    ("minor", "defaulting", "spec", "is_open"),
    [
        ("1.37", {"defaultingType": "List"}, {}, True),
        ("1.37", {"defaultingType": "List"}, {"topologySpreadConstraints": [SPREAD]}, False),
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
    nodes = [a_node(f"n{number:03}", zone="z") for number in range(NODES)]
    snapshot = Snapshot.from_objects(nodes, release)

    attempt = bound_to(explain(snapshot, a_pod(**spec), configuration.profiles[0]), "n010")

    assert bounds(attempt) == (({0}, {NODES}) if is_open else ({100}, {100}))
