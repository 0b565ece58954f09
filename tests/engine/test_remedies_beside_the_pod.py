"""Remedies beside the pod: what passes by itself, an update that holds itself up, where volumes are, and spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.analysis import (
    AddNodeAtVolume,
    AwaitNodes,
    AwaitPods,
    AwaitTerminating,
    ChangeStrategy,
    ForgetSelectedNode,
    FreeClaim,
    MatchHostLabel,
    Realism,
    Remedy,
    RestoreHost,
    TaintedNodes,
    TooFewDomains,
    UnreachedMinimum,
    advice,
    circumstances,
    remedies_of,
)
from clusters.engine.scheduling import remedy_for_node
from clusters.wording.lifts import node_remedy
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses

if TYPE_CHECKING:
    from clusters.engine import Explanation

WEB: Document = {"matchLabels": {"app": "web"}}
UNREGISTERED: Document = {"key": "karpenter.sh/unregistered", "effect": "NoExecute"}
NOT_READY: Document = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
REMOVED: Document = {"key": "ToBeDeletedByClusterAutoscaler", "value": "1790000000", "effect": "NoSchedule"}
FARGATE: Document = {"key": "eks.amazonaws.com/compute-type", "value": "fargate", "effect": "NoSchedule"}
CONTROL_PLANE: Document = {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}


def told(explanation: Explanation) -> set[str]:
    """Return the kinds of edits that are offered in any way."""
    found = explanation.relaxations
    lifts = (*found.singles, *found.pairs, *found.filters)
    return {edit.kind for lift in lifts for edit in lift.edits} | {
        each.plugin for lift in lifts for each in lift.lifted
    }


# -- taints that components set ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    [
        "karpenter.sh/unregistered",
        "node.cloudprovider.kubernetes.io/uninitialized",
        "node.cluster.x-k8s.io/uninitialized",
        "node.cilium.io/agent-not-ready",
        "ebs.csi.aws.com/agent-not-ready",
        "startup-taint.cluster-autoscaler.kubernetes.io/gpu",
    ],
)
def test_a_node_that_is_being_prepared_is_waited_for_and_its_taint_never_tolerated(key: str) -> None:
    taint = {"key": key, "effect": "NoSchedule"}
    explanation = explanation_of(a_pod(), a_node("new", taints=[taint, NOT_READY]))

    assert remedies_of(explanation) == [AwaitNodes(("new",), (key, "node.kubernetes.io/not-ready"))]
    assert told(explanation) == set()


def test_a_node_that_would_not_take_the_pod_either_is_not_waited_for() -> None:
    explanation = explanation_of(a_pod(nodeSelector={ZONE: "b"}), a_node("new", zone="a", taints=[UNREGISTERED]))

    assert remedies_of(explanation) == []
    assert [each.nodes for each in circumstances(explanation) if isinstance(each, TaintedNodes)] == [("new",)]


def test_a_node_that_is_merely_not_ready_is_repaired() -> None:
    explanation = explanation_of(a_pod(), a_node("ill", taints=[NOT_READY]))

    assert remedies_of(explanation) == []
    assert [each.realism for each in advice(explanation) if each.ways] == [Realism.REPAIR_NODE]


@pytest.mark.parametrize("taint", [REMOVED, FARGATE, {"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}])
def test_a_node_that_goes_or_is_virtual_is_named_and_never_gained(taint: Document) -> None:
    gold = {"key": "class", "value": "gold", "effect": "NoSchedule"}
    explanation = explanation_of(a_pod(), a_node("odd", taints=[taint]), a_node("gold", taints=[gold]))

    assert [(each.taint, each.nodes) for each in circumstances(explanation) if isinstance(each, TaintedNodes)] == [
        (taint["key"], ("odd",))
    ]
    found = explanation.relaxations
    rows = {row for lift in (*found.singles, *found.pairs, *found.filters) for row in lift.rows}
    assert {explanation.snapshot.nodes.names[row] for row in rows} == {"gold"}


def test_one_node_is_told_what_it_would_take_without_loss() -> None:
    cluster = (a_node("n", zone="a"), a_node("m", zone="b", unschedulable=True), *bound_at(ZONE, "b"))
    explanation = explanation_of(a_pod(volumes=[uses("data")]), *cluster)

    found = remedy_for_node(explanation.cycle, explanation.snapshot.nodes.index["n"])

    assert node_remedy(found, "n") == "Move what the claim data holds to where the node reaches it: it fits on n."


def test_a_port_on_the_hosts_network_is_not_given_up() -> None:
    ports = [{"containerPort": 80, "hostPort": 80}]
    holder = a_pod("holder", node="n", containers=[{"name": "c", "ports": ports}])
    spec: dict[str, Any] = {"containers": [{"name": "c", "ports": ports}]}

    on_host = explanation_of(a_pod(hostNetwork=True, **spec), a_node("n"), holder)
    apart = explanation_of(a_pod(**spec), a_node("n"), holder)

    assert told(on_host) == set()
    assert "no-host-port" in told(apart)


# -- pods that hold what it needs --------------------------------------------------------------------------------------


def owned(pod: Document, kind: str, name: str, **labels: str) -> Document:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    metadata = {**pod["metadata"], "ownerReferences": [owner], "labels": labels}
    return {**pod, "metadata": metadata}


def ready(pod: Document) -> Document:
    return {**pod, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def deployment(replicas: int, **pace: Any) -> Document:
    return {
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": replicas, "strategy": {"type": "RollingUpdate", "rollingUpdate": pace}},
    }


def of_deployment(name: str, revision: str, node: str = "", **spec: Any) -> Document:
    pod = owned(a_pod(name, node=node, **spec), "ReplicaSet", f"web-{revision}", **{"pod-template-hash": revision})
    return ready(pod) if node else pod


FULL: dict[str, Any] = {"requests": {"cpu": "3"}}


@pytest.mark.parametrize(
    ("replicas", "pace", "is_deadlock"),
    [
        (1, {"maxSurge": "25%", "maxUnavailable": "25%"}, True),
        (1, {"maxSurge": 1, "maxUnavailable": 0}, True),
        (1, {"maxSurge": 0, "maxUnavailable": 1}, False),
        (4, {"maxSurge": "25%", "maxUnavailable": "25%"}, True),
        (2, {"maxSurge": 1, "maxUnavailable": 1}, False),
    ],
)
def test_an_update_that_waits_for_a_pod_whose_room_it_keeps(
    replicas: int, pace: dict[str, Any], is_deadlock: bool
) -> None:
    """Each node has room for one; at four replicas with 25 % one is taken away already."""
    nodes = [a_node(f"n-{number}", allocatable={"cpu": "4", "pods": "9"}) for number in range(replicas)]
    kept = replicas if replicas < 4 else 3
    old = [of_deployment(f"old-{number}", "1", f"n-{number}", **FULL) for number in range(kept)]
    other = [a_pod("other", node="n-3", **FULL)] if replicas == 4 else []

    explanation = explanation_of(of_deployment("new", "2", **FULL), *nodes, *old, *other, deployment(replicas, **pace))

    found = [each for each in remedies_of(explanation) if isinstance(each, ChangeStrategy)]
    assert bool(found) is is_deadlock
    if found:
        assert found[0].pods == tuple(f"default/old-{number}" for number in range(kept))


def test_an_earlier_pod_that_is_not_in_the_way_is_not_named() -> None:
    old, pace = of_deployment("old", "1", "n"), deployment(1, maxSurge=1, maxUnavailable=0)

    explanation = explanation_of(of_deployment("new", "2", nodeSelector={ZONE: "b"}), a_node("n", zone="a"), old, pace)

    assert remedies_of(explanation) == []


def test_pods_of_the_same_revision_hold_nothing_up() -> None:
    same, pace = of_deployment("one", "2", "n", **FULL), deployment(2, maxSurge=1, maxUnavailable=0)
    node = a_node("n", allocatable={"cpu": "4", "pods": "9"})

    assert remedies_of(explanation_of(of_deployment("two", "2", **FULL), node, same, pace)) == []


@pytest.mark.parametrize(("surge", "is_deadlock"), [(2, True), (0, False)])
def test_a_daemon_set_that_surges_on_a_host_port(surge: int, is_deadlock: bool) -> None:
    ports = [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]
    old = ready(
        owned(a_pod("old", node="n", containers=ports), "DaemonSet", "edge", **{"controller-revision-hash": "1"})
    )
    new = owned(a_pod("new", containers=ports), "DaemonSet", "edge", **{"controller-revision-hash": "2"})
    pace = {"maxSurge": surge, "maxUnavailable": 0 if surge else 1}
    daemons = {
        "kind": "DaemonSet",
        "metadata": {"name": "edge", "namespace": "default"},
        "spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": pace}},
    }

    found = remedies_of(explanation_of(new, a_node("n"), old, daemons))

    named: list[Remedy] = [ChangeStrategy("DaemonSet", "default", "edge", ("default/old",), 2, 0)]
    assert found == (named if is_deadlock else [])


def leaving(pod: Document) -> Document:
    return {**pod, "metadata": {**pod["metadata"], "deletionTimestamp": "2026-11-20T06:00:00Z"}}


def test_pods_that_terminate_are_waited_for_where_they_are_in_the_way() -> None:
    node = a_node("n", allocatable={"cpu": "4", "pods": "2"})
    pods = (leaving(a_pod("going", node="n")), a_pod("staying", node="n"))

    assert remedies_of(explanation_of(a_pod(), node, *pods)) == [AwaitTerminating("n", ("default/going",))]
    assert remedies_of(explanation_of(a_pod(requests={"cpu": "5"}), node, *pods)) == []


@pytest.mark.parametrize(
    ("holder", "remedy"),
    [
        (a_pod("holder", node="n", volumes=[uses("data")]), FreeClaim("data", ("default/holder",))),
        (leaving(a_pod("holder", node="n", volumes=[uses("data")])), AwaitPods("data", ("default/holder",))),
        (
            owned(a_pod("holder", node="n", volumes=[uses("data")]), "Job", "export"),
            AwaitPods("data", ("default/holder",)),
        ),
    ],
)
def test_who_holds_a_claim_is_waited_for_only_where_it_ends(holder: Document, remedy: Remedy) -> None:
    claim = a_claim("data", volume="pv", modes=["ReadWriteOncePod"])
    pod = a_pod(volumes=[uses("data")])

    assert remedies_of(explanation_of(pod, a_node("n"), claim, a_volume("pv"), holder)) == [remedy]


# -- where volumes are -------------------------------------------------------------------------------------------------


def affinity(key: str, *values: str) -> Document:
    expression = {"key": key, "operator": "In", "values": list(values)}
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}


def bound_at(key: str, *values: str) -> tuple[Document, Document]:
    volume = a_volume("pv", claim="data")
    return a_claim("data", volume="pv"), {**volume, "spec": {**volume["spec"], "nodeAffinity": affinity(key, *values)}}


def test_a_volume_where_no_node_is_asks_for_a_node_there_and_for_no_other_volume() -> None:
    cluster = (a_node("n", zone="a"), *bound_at(ZONE, "b"))

    explanation = explanation_of(a_pod(volumes=[uses("data")]), *cluster)
    bound_elsewhere = explanation_of(a_pod(volumes=[uses("data")], nodeSelector={ZONE: "a"}), *cluster)

    assert remedies_of(explanation) == [AddNodeAtVolume("data", "pv", ZONE, ("b",), "n")]
    assert told(explanation) == set()
    # A node there would not meet the node selector.
    assert remedies_of(bound_elsewhere) == [AddNodeAtVolume("data", "pv", ZONE, ("b",), "")]


def test_a_volume_whose_zone_is_full_is_not_told_to_have_no_node() -> None:
    cluster = (a_node("n", zone="a"), a_node("full", zone="b", allocatable={"cpu": "1", "pods": "9"}))
    pod = a_pod(volumes=[uses("data")], requests={"cpu": "2"})

    explanation = explanation_of(pod, *cluster, *bound_at(ZONE, "b"))

    assert remedies_of(explanation) == []
    assert "VolumeBinding" not in told(explanation)


@pytest.mark.parametrize(
    ("host", "remedy"),
    [
        ("gone", RestoreHost("data", ("pv",), ("gone",), is_bound=True)),
        ("n", MatchHostLabel("data", "pv", "n", "n.example.com", "n.example.com")),
    ],
)
def test_a_local_volume_whose_host_is_gone_or_has_another_label(host: str, remedy: Remedy) -> None:
    explanation = explanation_of(a_pod(volumes=[uses("data")]), a_node("n.example.com"), *bound_at(HOSTNAME, host))

    assert remedies_of(explanation) == [remedy]


def test_local_volumes_that_nobody_has_yet_on_hosts_that_are_gone() -> None:
    volume = a_volume("pv")
    lost = {**volume, "spec": {**volume["spec"], "nodeAffinity": affinity(HOSTNAME, "gone")}}
    static = a_class(provisioner="kubernetes.io/no-provisioner")

    explanation = explanation_of(a_pod(volumes=[uses("data")]), a_node("n"), a_claim("data"), static, lost)

    assert remedies_of(explanation) == [RestoreHost("data", ("pv",), ("gone",), is_bound=False)]


def test_a_claim_that_is_promised_to_a_node_that_is_gone() -> None:
    claim = a_claim("data")
    annotations = {"volume.kubernetes.io/selected-node": "gone"}
    promised = {**claim, "metadata": {**claim["metadata"], "annotations": annotations}}
    cluster = (a_node("n"), a_node("m"), a_class(provisioner="csi.example.com"))

    explanation = explanation_of(a_pod(volumes=[uses("data")]), *cluster, promised)

    assert remedies_of(explanation) == [ForgetSelectedNode("data", "gone", False, 2)]
    assert told(explanation) == set()


# -- spread ------------------------------------------------------------------------------------------------------------


def spread(key: str, **fields: Any) -> Document:
    return {
        "maxSkew": 1,
        "topologyKey": key,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": WEB,
        **fields,
    }


def adjustments(explanation: Explanation) -> list[tuple[str, int]]:
    """Return what each adjustment sets, and how many nodes are gained."""
    found = explanation.relaxations.adjustments
    return [(f"{edit.field}={edit.value}", lift.gained) for lift in found for edit in lift.edits]  # type: ignore[attr-defined]


def test_nodes_that_the_pod_does_not_tolerate_hold_the_minimum() -> None:
    cluster = (a_node("cp", taints=[CONTROL_PLANE]), a_node("w"), a_pod("web", node="w", labels={"app": "web"}))
    pod = a_pod(labels={"app": "web"}, topologySpreadConstraints=[spread(HOSTNAME)])

    explanation = explanation_of(pod, *cluster)

    assert adjustments(explanation) == [("nodeTaintsPolicy=Honor", 1), ("maxSkew=2", 1)]
    (found,) = circumstances(explanation)
    assert isinstance(found, UnreachedMinimum)
    assert (found.minimum, found.max_skew, found.domains, found.plugin) == (0, 1, ("cp",), "TaintToleration")
    assert next(each.realism for each in advice(explanation) if each.ways) is Realism.CORRECT


def test_a_claim_that_is_promised_to_a_node_that_takes_no_pods() -> None:
    claim = a_claim("data")
    annotations = {"volume.kubernetes.io/selected-node": "cordoned"}
    promised = {**claim, "metadata": {**claim["metadata"], "annotations": annotations}}
    cluster = (a_node("n"), a_node("cordoned", unschedulable=True), a_class(provisioner="csi.example.com"))

    explanation = explanation_of(a_pod(volumes=[uses("data")]), *cluster, promised)

    assert remedies_of(explanation) == [ForgetSelectedNode("data", "cordoned", True, 1)]


def test_nodes_that_the_pod_does_not_select_hold_the_minimum() -> None:
    cluster = (a_node("other"), a_node("w", zone="b"), a_pod("web", node="w", labels={"app": "web"}))
    constraint = spread(HOSTNAME, nodeAffinityPolicy="Ignore")
    pod = a_pod(labels={"app": "web"}, nodeSelector={ZONE: "b"}, topologySpreadConstraints=[constraint])

    assert adjustments(explanation_of(pod, *cluster)) == [("nodeAffinityPolicy=Honor", 1), ("maxSkew=2", 1)]


def test_fewer_domains_than_min_domains() -> None:
    webs = (a_pod(f"web-{zone}", node=zone, labels={"app": "web"}) for zone in "ab")
    pod = a_pod(labels={"app": "web"}, topologySpreadConstraints=[spread(ZONE, minDomains=3)])

    explanation = explanation_of(pod, a_node("a", zone="a"), a_node("b", zone="b"), *webs)

    assert adjustments(explanation) == [("minDomains=2", 2), ("maxSkew=2", 2)]
    assert circumstances(explanation) == [TooFewDomains(ZONE, 2, 3)]


def test_an_adjustment_that_does_not_help_is_not_offered() -> None:
    """Zone b, which holds the minimum, is full; without its taint nothing about it changes."""
    cluster = (
        a_node("a", zone="a"),
        a_node("b", zone="b", allocatable={"cpu": "1", "pods": "9"}),
        a_node("cp", zone="b", taints=[CONTROL_PLANE]),
        a_pod("web", node="a", labels={"app": "web"}),
    )
    pod = a_pod(labels={"app": "web"}, requests={"cpu": "2"}, topologySpreadConstraints=[spread(ZONE)])

    assert adjustments(explanation_of(pod, *cluster)) == [("maxSkew=2", 1)]


def test_of_two_constraints_either_can_give_way() -> None:
    """Zone b and node a2 are what each leaves."""
    placed = {"a1": 2, "a2": 1, "b1": 2}
    webs = [
        a_pod(f"{node}-{each}", node=node, labels={"app": "web"}) for node, n in placed.items() for each in range(n)
    ]
    pod = a_pod(labels={"app": "web"}, topologySpreadConstraints=[spread(ZONE), spread(HOSTNAME)])

    explanation = explanation_of(pod, a_node("a1", zone="a"), a_node("a2", zone="a"), a_node("b1", zone="b"), *webs)

    assert adjustments(explanation) == [("maxSkew=2", 1), ("maxSkew=2", 1)]


def test_a_pod_that_fits_has_no_circumstances() -> None:
    explanation = explanation_of(a_pod(), a_node("n"), a_node("odd", taints=[REMOVED]))

    assert (circumstances(explanation), remedies_of(explanation)) == ([], [])
