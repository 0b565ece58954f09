"""Nominations: whose count, and what the pod's own does to its attempt."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import awaited
from clusters.engine.analysis.causes import Awaited
from clusters.engine.evidence import CountedPod
from clusters.engine.plugins.inter_pod_affinity import TermComparison
from clusters.engine.plugins.node_ports import PortComparison
from clusters.engine.plugins.node_resources_fit import NominatedRequest, ResourceComparison
from clusters.engine.plugins.pod_topology_spread import DomainComparison
from clusters.engine.plugins.volume_restrictions import DiskComparison
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import a_claim, a_class, a_csi_node, a_volume, csi, on, uses
from tests.engine.strategies import nodes, pods

PROFILES = [{"schedulerName": "default-scheduler"}, {"schedulerName": "batch"}]


def pinned_to(node: str, **fields: str) -> Document:
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    required = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    return a_pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({}, True),
        ({"schedulerName": "batch"}, True),
        ({"schedulerName": "another"}, False),
        ({"schedulingGates": [{"name": "wait"}]}, False),
    ],
)
def test_only_pods_in_the_schedulers_own_queue_take_room(fields: Document, counts: bool) -> None:
    other = a_pod("other", nominated="n0", priority=10, requests={"cpu": "1"}, **fields)

    assert explanation_of(a_pod(requests={"cpu": "7500m"}), a_node("n0"), other, profiles=PROFILES).fits is not counts


def test_a_nominated_node_that_is_left_out_is_tried_and_has_a_verdict_of_its_own() -> None:
    explanation = explanation_of(pinned_to("n0", nominated="n1"), a_node("n0", unschedulable=True), a_node("n1"))

    assert explanation.fit_error == (
        "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable."
    )


def leaving(name: str, *, priority: int = 0, node: str = "n") -> Document:
    pod = a_pod(name, node=node, requests={"cpu": "8"}, priority=priority)
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}


def waits(*others: Document, nominated: str | None = "n", priority: int = 10) -> Awaited | None:
    pod = a_pod("urgent", requests={"cpu": "4"}, nominated=nominated, priority=priority)
    return awaited(explanation_of(pod, a_node("n"), a_node("m"), *others))


FULL = a_pod("full", node="m", requests={"cpu": "8"}, priority=20)


def test_terminating_pods_of_lower_priority_on_its_node_are_named() -> None:
    assert waits(*[leaving("low"), leaving("equal", priority=10), FULL]) == Awaited("n", ("default/low",))


def test_a_pod_that_fits_or_is_not_nominated_waits_for_nobody() -> None:
    assert waits(FULL) is None
    assert waits(leaving("low"), FULL, nominated=None) is None
    assert waits(leaving("low"), FULL, nominated="gone") is None


def test_a_pod_that_would_preempt_once_more_does_not_wait() -> None:
    assert waits(a_pod("low", node="n", requests={"cpu": "8"}), FULL) is None


def test_a_pod_whose_node_was_taken_by_others_waits_for_none_of_them() -> None:
    assert waits(a_pod("high", node="n", requests={"cpu": "8"}, priority=20), FULL) == Awaited("n", ())


NOMINEE = a_pod("nominee", nominated="n", requests={"cpu": "3"}, priority=10, labels={"app": "web"})


def test_room_kept_for_a_nominated_pod_is_in_the_sum_and_names_it() -> None:
    placed = a_pod("p", node="n", requests={"cpu": "4"})
    explanation = explanation_of(a_pod(requests={"cpu": "2"}), a_node("n"), placed, NOMINEE)

    cpu = explanation.evidence(0)["NodeResourcesFit"][1]

    assert explanation.decided_by_nominated(0)
    assert explanation.nominated_on(0) == ["default/nominee"]
    assert cpu == ResourceComparison("cpu", 2000, 8000, 4000, (NominatedRequest("default/nominee", 3000),))
    assert (cpu.reserved, cpu.free, cpu.missing, cpu.holds) == (3000, 1000, 1000, False)


def test_neighbours_and_domains_count_nominated_pods() -> None:
    term = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE}
    spread = {"maxSkew": 1, "topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "web"}}}
    placed = a_pod("p", node="n", labels={"app": "web"})
    pod = a_pod(
        labels={"app": "web"},
        affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}},
        topologySpreadConstraints=[spread],
    )

    explanation = explanation_of(pod, a_node("n", zone="a"), a_node("m", zone="b"), placed, NOMINEE)

    found = explanation.evidence(explanation.snapshot.nodes.index["n"])
    apart, even = found["InterPodAffinity"][0], found["PodTopologySpread"][0]
    assert isinstance(apart, TermComparison)
    assert isinstance(even, DomainComparison)
    assert (apart.value, apart.count) == ("a", 2)
    assert apart.pods == (CountedPod("default/nominee", nominated=True), CountedPod("default/p"))
    assert (even.count, even.skew, even.nominated) == (2, 3, ("default/nominee",))


def test_ports_and_disks_name_the_nominated_pod_that_holds_them() -> None:
    ports = [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]
    disk = {"gcePersistentDisk": {"pdName": "one"}}
    nominee = a_pod("nominee", nominated="n", priority=10, containers=ports, volumes=[disk])

    found = explanation_of(a_pod(containers=ports, volumes=[disk]), a_node("n"), nominee).evidence(0)

    (port,), (mounted,) = found["NodePorts"], found["VolumeRestrictions"]
    assert isinstance(port, PortComparison)
    assert isinstance(mounted, DiskComparison)
    assert port.holders == mounted.holders == (CountedPod("default/nominee", nominated=True),)
    assert not port.holds
    assert not mounted.holds


@given(
    st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node["metadata"]["name"]),
    st.lists(pods(placed=True), max_size=8, unique_by=lambda pod: pod["metadata"]["name"]),
    pods(placed=False),
)
def test_evidence_agrees_with_the_filter_in_the_world_that_decides(
    nodes: list[Document], placed: list[Document], pod: Document
) -> None:
    explanation = explain(
        Snapshot.from_objects([*nodes, *placed]), pod, SchedulerConfiguration.default().profile_for(pod)
    )

    assert_agreement(explanation)


def assert_agreement(explanation: Explanation) -> None:
    """A filter rejects a node exactly where something that it compared there does not hold."""
    for row in range(explanation.node_count):
        failing = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
        for plugin, found in explanation.evidence(row).items():
            assert all(each.holds for each in found) == (plugin not in failing), (plugin, row, found)


def claimed_by(claim: str) -> Document:
    return {"namespace": "default", "name": claim, "uid": f"uid-{claim}"}


STORAGE = (
    a_class(allowedTopologies=[{"matchLabelExpressions": [{"key": ZONE, "values": ["a", "c"]}]}]),
    a_claim("exclusive", volume="pv-exclusive", modes=("ReadWriteOncePod",)),
    a_volume("pv-exclusive", csi=csi("exclusive"), claimRef=claimed_by("exclusive")),
    a_claim("in-a", volume="pv-in-a"),
    a_volume("pv-in-a", affinity=on(ZONE, "a"), csi=csi("in-a"), claimRef=claimed_by("in-a")),
    a_claim("labelled-b", volume="pv-labelled-b"),
    a_volume("pv-labelled-b", labels={ZONE: "b"}, csi=csi("labelled-b"), claimRef=claimed_by("labelled-b")),
    a_claim("waiting"),
)
VOLUMES = (
    {"gcePersistentDisk": {"pdName": "disk"}},
    {"gcePersistentDisk": {"pdName": "disk", "readOnly": True}},
    *(uses(name) for name in ("exclusive", "in-a", "labelled-b", "waiting")),
)
SOME_VOLUMES = st.lists(st.sampled_from(VOLUMES), max_size=3)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.sampled_from(("a", "b", "c", "")), min_size=1, max_size=3),
    st.lists(st.sampled_from((0, 1, 2, None)), min_size=3, max_size=3),
    st.lists(
        st.tuples(st.integers(0, 2), st.booleans(), SOME_VOLUMES, st.sampled_from(("default", "other"))), max_size=4
    ),
    st.lists(st.sampled_from(VOLUMES), min_size=1, max_size=3, unique_by=repr),
)
def test_evidence_of_volumes_agrees_with_the_filter_in_the_world_that_decides(
    zones: list[str],
    limits: list[int | None],
    others: list[tuple[int, bool, list[Document], str]],
    volumes: list[Document],
) -> None:
    names = [f"n{number}" for number in range(len(zones))]
    nodes = [a_node(name, zone=zone) if zone else a_node(name) for name, zone in zip(names, zones, strict=True)]
    csi_nodes = [a_csi_node(name, {"csi.example": limit}) for name, limit in zip(names, limits, strict=False)]
    placed = [
        a_pod(
            f"p{number}",
            namespace=namespace,
            volumes=mounted,
            priority=10,
            node=None if nominated else names[place % len(names)],
            nominated=names[place % len(names)] if nominated else None,
        )
        for number, (place, nominated, mounted, namespace) in enumerate(others)
    ]

    assert_agreement(explanation_of(a_pod(volumes=volumes), *nodes, *csi_nodes, *STORAGE, *placed))
