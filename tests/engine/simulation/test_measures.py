"""The numbers of a cluster are sums over its nodes, and say of what use the rest is."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.resources import PODS
from clusters.engine.simulation import Amount, budget_measures, measures_of, spread_measures
from clusters.engine.simulation.node_counts import with_nodes, without_nodes
from tests.engine.builders import ZONE, Document, a_node, a_pod
from tests.engine.strategies import nodes, pods

GIB = 2**30


def made_by(kind: str, pod: dict[str, Any]) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "web", "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


def test_amounts_by_zone_and_pool() -> None:
    pool = "cloud.google.com/gke-nodepool"
    gpus = {"example.com/gpu": "2", "cpu": "4", "memory": "8Gi", "pods": "10"}
    found = measures_of(
        Snapshot.from_objects(
            [
                a_node("a", zone="x", labels={pool: "gpu"}, allocatable=gpus),
                a_node("b", zone="y"),
                a_node("c", zone="y", unschedulable=True),
                a_pod("one", node="a", requests={"cpu": "3", "memory": "1Gi", "example.com/gpu": "1"}),
                made_by("DaemonSet", a_pod("log", node="b", requests={"cpu": "1"})),
            ]
        ),
        [a_pod("waits", requests={"cpu": "1", "memory": "6Gi"}), a_pod("too", requests={"cpu": "1"})],
    )

    assert (found.nodes, found.usable, found.empty, found.pods, found.pending) == (3, 2, 2, 2, 2)
    assert found.wanted == {"cpu": 2000, "memory": 6 * GIB}
    assert (found.amounts["cpu"], found.open["cpu"]) == (Amount(4000, 20000), 12000)
    assert (found.amounts["example.com/gpu"], found.amounts[PODS]) == (Amount(1, 2), Amount(2, 230))
    assert "ephemeral-storage" not in found.amounts
    assert [(part.name, part.nodes, part.usable, part.empty, part.amounts["cpu"]) for part in found.zones] == [
        ("x", 1, 1, 0, Amount(3000, 4000)),
        ("y", 2, 1, 2, Amount(1000, 16000)),
    ]
    assert [(part.name, part.nodes) for part in found.pools] == [("gpu", 1), ("", 2)]
    # Cordoned nodes are neither full nor empty.
    assert [(each.node, each.share) for each in found.fullest] == [("a", 0.75), ("b", 0.125)]
    assert [each.node for each in found.emptiest] == ["b", "a"]


def test_constraints_by_how_they_stand() -> None:
    def spread(app: str, action: str, *placed: str) -> list[Document]:
        constraint = {
            "maxSkew": 1,
            "topologyKey": ZONE,
            "whenUnsatisfiable": action,
            "labelSelector": {"matchLabels": {"app": app}},
        }
        return [
            a_pod(f"{app}-{number}", node=node, labels={"app": app}, topologySpreadConstraints=[constraint])
            for number, node in enumerate(placed)
        ]

    snapshot = Snapshot.from_objects(
        [
            a_node("a", zone="x"),
            a_node("b", zone="y"),
            *spread("even", "DoNotSchedule", "a", "b"),
            *spread("tight", "DoNotSchedule", "a"),
            *spread("over", "DoNotSchedule", "a", "a", "a"),
            *spread("soft", "ScheduleAnyway", "a", "a"),
        ]
    )
    found = spread_measures(snapshot, SchedulerConfiguration.default().profiles)

    assert (found.hard, found.hard_violated, found.hard_tight, found.widest) == (3, 1, 1, 3)
    assert (found.soft, found.soft_violated) == (1, 1)


def test_budgets_are_computed_from_the_pods() -> None:
    def budget(name: str, **spec: Any) -> Document:
        selector = {"matchLabels": {"app": name}}
        return {
            "kind": "PodDisruptionBudget",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": selector, **spec},
            "status": {"disruptionsAllowed": 9, "observedGeneration": 1},
        }

    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    running = [
        {**a_pod(f"{app}-{number}", node="a", labels={"app": app}), "status": ready}
        for app in ("web", "db")
        for number in range(3)
    ]
    found = budget_measures(
        Snapshot.from_objects([a_node("a"), *running, budget("web", minAvailable=1), budget("db", minAvailable=3)])
    )

    assert (found.budgets, found.granted, found.blocked) == (2, 2, ("default/db",))


@given(
    cluster=st.lists(nodes(), min_size=1, max_size=5, unique_by=lambda node: node["metadata"]["name"]),
    others=st.lists(pods(placed=True), max_size=6, unique_by=lambda pod: pod["metadata"]["name"]),
    lost=st.sets(st.integers(0, 4)),
)
@settings(max_examples=40)
def test_many_nodes_more_or_fewer_are_as_one_by_one(
    cluster: list[Document], others: list[Document], lost: set[int]
) -> None:
    objects = [*cluster, *others]
    names = {cluster[number]["metadata"]["name"] for number in lost if number < len(cluster)}
    left = [node for node in cluster if node["metadata"]["name"] not in names]
    gone = {
        pod["metadata"]["name"]
        for pod in others
        if (pod["spec"].get("nodeName") or pod["status"].get("nominatedNodeName")) in names
    }
    snapshot = Snapshot.from_objects(objects)
    before = snapshot.content()
    fewer = without_nodes(snapshot, names)

    staying = [pod for pod in others if pod["metadata"]["name"] not in gone]
    assert fewer.content() == Snapshot.from_objects([*left, *staying]).content()
    added = [node for node in cluster if node["metadata"]["name"] in names]
    assert with_nodes(fewer, added).content() == Snapshot.from_objects([*cluster, *staying]).content()
    assert snapshot.content() == before
