"""How many more pods fit is what placing them one by one says, and so is what stops the next one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.simulation import Portion, headroom
from clusters.engine.simulation.course import choose
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod
from tests.engine.strategies import nodes, pods

DEFAULT = SchedulerConfiguration.default()


def apart(key: str, **labels: str) -> Document:
    """An affinity that keeps pods with these labels out of each other's domains."""
    term = {"topologyKey": key, "labelSelector": {"matchLabels": labels}}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


@given(
    cluster=st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node["metadata"]["name"]),
    others=st.lists(pods(placed=True), max_size=4, unique_by=lambda pod: pod["metadata"]["name"]),
    shape=pods(placed=False),
    seed=st.integers(0, 9),
)
@settings(max_examples=40)
def test_as_many_fit_as_can_be_placed_one_by_one(
    cluster: list[Document], others: list[Document], shape: Document, seed: int
) -> None:
    snapshot = Snapshot.from_objects([*cluster, *others])
    before = snapshot.content()
    found = headroom(snapshot, DEFAULT, [Portion(shape)], seed=seed)

    spec = {**shape["spec"], "preemptionPolicy": "Never"}
    state, placed = snapshot.copy(), Counter[str]()
    while True:
        number = placed.total()
        copy = {**shape, "metadata": {**shape["metadata"], "name": f"copy-{number}"}, "spec": spec}
        explanation = explain(state, copy, DEFAULT.profile_for(copy))
        if not explanation.fits:
            break
        node = explanation.best[choose(seed, number, len(explanation.best))]
        state.assume(copy, node)
        placed[node] += 1

    assert snapshot.content() == before
    assert found.stop is not None
    assert (found.nodes, found.count, found.stop.message) == (dict(placed), placed.total(), explanation.fit_error)
    assert sum(each.nodes for each in found.stop.reasons) == len(cluster)


def test_nodes_fill_up_and_the_next_pod_is_told_why() -> None:
    taint = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}
    snapshot = Snapshot.from_objects(
        [
            a_node("a", zone="x", allocatable={"cpu": "4"}),
            a_node("b", zone="y", allocatable={"cpu": "9", "pods": "3"}),
            a_node("c", zone="y", taints=[taint]),
            a_pod("there", node="a", requests={"cpu": "1"}),
        ]
    )
    found = headroom(snapshot, DEFAULT, [Portion(a_pod("web", requests={"cpu": "1500m"}))])

    assert (found.count, found.nodes, found.zones) == (5, {"b": 3, "a": 2}, {"x": 2, "y": 3})
    assert found.stop is not None
    assert found.stop.message == (
        "0/3 nodes are available: 1 Insufficient cpu, 1 Too many pods, "
        "1 node(s) had untolerated taint {dedicated: gpu}."
    )
    assert sorted(each.plugin for each in found.stop.reasons) == [
        "NodeResourcesFit",
        "NodeResourcesFit",
        "TaintToleration",
    ]


@pytest.mark.parametrize(("key", "count"), [(HOSTNAME, 4), (ZONE, 2)])
def test_pods_that_keep_apart_fit_once_in_each_domain(key: str, count: int) -> None:
    snapshot = Snapshot.from_objects([a_node(f"n{number}", zone=f"z{number % 2}") for number in range(4)])
    shape = a_pod("db", labels={"app": "db"}, affinity=apart(key, app="db"))
    found = headroom(snapshot, DEFAULT, [Portion(shape)])

    assert (found.count, found.is_computed) == (count, False)
    assert found.stop is not None
    assert found.stop.reasons[0].plugin == "InterPodAffinity"


def test_a_mix_is_placed_in_turn_and_ends_with_the_first_that_does_not_fit() -> None:
    snapshot = Snapshot.from_objects([a_node("a", allocatable={"cpu": "7", "memory": "64Gi"})])
    mix = [
        Portion(a_pod("small", requests={"cpu": "500m"}, priority=0), 2),
        Portion(a_pod("large", requests={"cpu": "2"}, priority=100)),
    ]
    found = headroom(snapshot, DEFAULT, mix)

    # Two small and one large take 3 CPUs; after two turns one CPU is left for two small ones, and the large one stops.
    assert found.counts == (6, 2)
    assert found.stop is not None
    assert found.stop.portion == 1


def test_counting_ends_at_the_limit() -> None:
    snapshot = Snapshot.from_objects([a_node("a")])
    mix = [Portion(a_pod("one")), Portion(a_pod("two"))]

    assert (headroom(snapshot, DEFAULT, mix, most=5).count, headroom(snapshot, DEFAULT, mix, most=5).stop) == (5, None)
    assert headroom(snapshot, DEFAULT, mix).count == 110


def test_an_existing_pod_stands_for_its_shape_and_stays_where_it_is() -> None:
    pod = a_pod("web", node="a", requests={"cpu": "3"})
    found = headroom(Snapshot.from_objects([a_node("a"), pod]), DEFAULT, [Portion(pod)])

    assert found.count == 1


def test_nobody_is_preempted() -> None:
    snapshot = Snapshot.from_objects([a_node("a"), a_pod("low", node="a", requests={"cpu": "8"})])

    assert headroom(snapshot, DEFAULT, [Portion(a_pod("high", requests={"cpu": "1"}, priority=1000))]).count == 0


def test_a_gated_shape_never_fits() -> None:
    gated = a_pod("gated", schedulingGates=[{"name": "wait"}])
    found = headroom(Snapshot.from_objects([a_node("a")]), DEFAULT, [Portion(gated)])

    assert found.count == 0
    assert found.stop is not None
    assert "wait" in found.stop.message


def test_what_no_node_has_fits_nowhere() -> None:
    shape = a_pod("gpu", requests={"cpu": "1", "example.com/gpu": "1"})
    found = headroom(Snapshot.from_objects([a_node("a")]), DEFAULT, [Portion(shape)])

    assert found.count == 0
    assert found.stop is not None
    assert found.stop.message == "0/1 nodes are available: 1 Insufficient example.com/gpu."
    empty = headroom(Snapshot.from_objects([]), DEFAULT, [Portion(shape)])
    assert empty.stop is not None
    assert (empty.count, empty.stop.message) == (0, "no nodes available to schedule pods")
