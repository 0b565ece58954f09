"""What nodes have and do not offer is named where it would take the pod: devices, and room for deferred resizes."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import (
    AddNodeAtVolume,
    AddNodeForClass,
    AwaitNodes,
    AwaitPods,
    AwaitTerminating,
    ChangeStrategy,
    CreateClaim,
    CreateVolume,
    DeleteStaying,
    ForgetSelectedNode,
    FreeClaim,
    FreeVolume,
    GatherVolumes,
    HeldTemplate,
    MatchHostLabel,
    Realism,
    Remedy,
    RepairDevicePlugin,
    ReplaceOutdated,
    RestoreHost,
    RevertResize,
    TaintedNodes,
    TooFewDomains,
    UnreachedMinimum,
    advice,
    circumstances,
    realism_of,
    remedies_of,
)
from clusters.engine.analysis.remedies import realism_of_remedy
from clusters.engine.kubelet import PendingResize, resize_of
from clusters.engine.versions import match_release
from clusters.wording.remedies import remedy_sentence
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of, ready
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses

GPU = "example.com/gpu"
RELEASES = ("v1.34.0", "v1.35.0", "v1.36.0", "v1.37.0")


def node(name: str, *, cpu: str = "8", gpus: tuple[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    capacity, offered = gpus or (None, None)
    amounts = {"cpu": cpu, "memory": "16Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": spec,
        "status": {
            "capacity": {**amounts, **({GPU: capacity} if capacity else {})},
            "allocatable": {**amounts, **({GPU: offered} if offered else {})},
        },
    }


def pod(name: str, *, on: str = "", **requests: str) -> dict[str, Any]:
    placed = {"nodeName": on} if on else {}
    asked = {key.replace("_gpu", GPU): value for key, value in requests.items()}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": name},
        "spec": {"containers": [{"name": "app", "resources": {"requests": asked, "limits": asked}}], **placed},
        "status": {"phase": "Running" if on else "Pending"},
    }


def resized(name: str, *, on: str, runs_with: str, reason: str = "Deferred", cpu: str = "7") -> dict[str, Any]:
    found = pod(name, on=on, cpu=cpu)
    condition = {"type": "PodResizePending", "status": "True", "reason": reason, "message": "no room"}
    container = {"name": "app", "allocatedResources": {"cpu": runs_with}, "resources": {"requests": {"cpu": runs_with}}}
    found["status"] |= {"conditions": [condition], "containerStatuses": [container]}
    return found


def remedies(pending: dict[str, Any], *objects: dict[str, Any], version: str = "v1.34.0") -> list[Any]:
    release = match_release(version).release
    snapshot = Snapshot.from_objects([*objects, pending], release)
    explanation = explain(snapshot, pending, SchedulerConfiguration.default(release).profile_for(pending))
    return [each for each in remedies_of(explanation) if isinstance(each, RepairDevicePlugin | RevertResize)]


@pytest.mark.parametrize(
    "other",
    [
        node("a", gpus=("8", "0"), unschedulable=True),
        node("a", gpus=("8", "0"), taints=[{"key": "k", "effect": "NoSchedule"}]),
        node("a", gpus=("8", "0"), cpu="1"),
        node("a", gpus=("8", "8")),
    ],
)
def test_node_that_would_not_take_the_pod_even_so_is_no_remedy(other: dict[str, Any]) -> None:
    assert remedies(pod("train", cpu="2", _gpu="1"), other, pod("full", on="a", _gpu="8")) == []


@pytest.mark.parametrize("version", RELEASES)
def test_deferred_resize_that_holds_room_is_named_with_what_it_holds(version: str) -> None:
    objects = (node("n"), resized("cache", on="n", runs_with="2"), pod("api", on="n", cpu="1"))

    found = remedies(pod("worker", cpu="2"), *objects, version=version)

    assert found == [RevertResize("n", ("shop/cache",), 1, (("cpu", 5000),))]


def test_resize_that_holds_too_little_or_nothing_is_no_remedy() -> None:
    base = (node("n"), pod("api", on="n", cpu="1"))

    assert remedies(pod("worker", cpu="6"), *base, resized("cache", on="n", runs_with="2")) == []
    assert remedies(pod("worker", cpu="2"), *base, resized("cache", on="n", runs_with="6", reason="Infeasible")) == []
    assert remedies(pod("worker", cpu="1"), *base, pod("cache", on="n", cpu="7")) == []


def test_both_come_before_what_changes_the_pod() -> None:
    release = match_release("v1.34.0").release
    pending = pod("train", _gpu="1")
    snapshot = Snapshot.from_objects([node("a", gpus=("8", "0")), pending], release)
    explanation = explain(snapshot, pending, SchedulerConfiguration.default(release).profile_for(pending))

    assert advice(explanation)[0].ways == (RepairDevicePlugin(GPU, ("a",), 1, 8, 0),)


@pytest.mark.parametrize(("reason", "held"), [("Deferred", (("cpu", 5000),)), ("Infeasible", ()), ("", ())])
def test_resize_of_a_pod_says_what_it_holds(reason: str, held: tuple[tuple[str, int], ...]) -> None:
    assert resize_of(resized("cache", on="n", runs_with="2", reason=reason)) == PendingResize(reason, "no room", held)
    assert resize_of(pod("api", on="n", cpu="1")) is None


NEWEST, EARLIER = "web-2", "web-1"


def stateful_set(replicas: int = 3, *, template: Document | None = None, update: str = NEWEST, **spec: Any) -> Document:
    own = {"containers": [{"name": "c"}], **(template or {})}
    return {
        "kind": "StatefulSet",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": replicas, "template": {"metadata": {"labels": {"app": "web"}}, "spec": own}, **spec},
        "status": {"updateRevision": update},
    }


def ordinal(number: int, revision: str = EARLIER, node: str = "", **spec: Any) -> Document:
    pod = a_pod(f"web-{number}", node=node, **spec)
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "web", "controller": True}
    labels = {
        "app": "web",
        "controller-revision-hash": revision,
        "statefulset.kubernetes.io/pod-name": f"web-{number}",
    }
    conditions = [{"type": "Ready", "status": "True"}] if node else []
    status = {"phase": "Running" if node else "Pending", "conditions": conditions}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner], "labels": labels}, "status": status}


def small(name: str, **fields: Any) -> Document:
    return a_node(name, allocatable={"cpu": "4", "pods": "9"}, **fields)


GONE: dict[str, Any] = {"nodeSelector": {ZONE: "gone"}}
FULL: dict[str, Any] = {"requests": {"cpu": "3"}}
FULL_TEMPLATE = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "3"}}}]}


def found(explanation: Explanation) -> list[ReplaceOutdated | DeleteStaying]:
    return [each for each in remedies_of(explanation) if isinstance(each, ReplaceOutdated | DeleteStaying)]


# -- a revision that is no longer wanted -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "is_held"),
    [
        ({}, True),
        ({"podManagementPolicy": "OrderedReady"}, True),
        # The update deletes it by itself.
        ({"podManagementPolicy": "Parallel"}, False),
        ({"podManagementPolicy": "Parallel", "updateStrategy": {"type": "OnDelete"}}, True),
    ],
)
def test_a_pod_of_an_earlier_template_is_deleted_by_hand_where_nobody_else_does(
    spec: dict[str, Any], is_held: bool
) -> None:
    explanation = explanation_of(ordinal(2, **GONE), a_node("n"), a_node("m"), stateful_set(**spec))

    is_on_delete = "updateStrategy" in spec
    named = [ReplaceOutdated("default", "web", "web-2", is_on_delete, None, 2)] if is_held else []
    assert found(explanation) == named
    assert circumstances(explanation) == []
    if is_held:
        assert next(each.realism for each in advice(explanation) if each.ways) is Realism.UNBLOCK


def test_a_pod_that_would_not_fit_by_the_template_either_is_not_deleted() -> None:
    assert found(explanation_of(ordinal(2, **GONE), a_node("n"), stateful_set(template=GONE))) == []


def _uses(claim: str) -> Document:
    return {"name": "data", "persistentVolumeClaim": {"claimName": claim}}


def test_a_pod_of_the_template_as_it_is_is_told_what_a_change_needs() -> None:
    pod = ordinal(2, NEWEST, **GONE)

    ordered = explanation_of(pod, a_node("n"), stateful_set(template=GONE))
    on_delete = explanation_of(pod, a_node("n"), stateful_set(template=GONE, updateStrategy={"type": "OnDelete"}))
    parallel = explanation_of(pod, a_node("n"), stateful_set(template=GONE, podManagementPolicy="Parallel"))

    assert circumstances(ordered) == [HeldTemplate("default", "web", False)]
    assert circumstances(on_delete) == [HeldTemplate("default", "web", True)]
    assert circumstances(parallel) == []
    assert found(ordered) == found(on_delete) == found(parallel) == []


# -- pods of the same StatefulSet that hold what it needs --------------------------------------------------------------


@pytest.mark.parametrize(("policy", "is_deadlock"), [("OrderedReady", True), ("Parallel", False)])
def test_a_pod_that_goes_with_the_scale_waits_for_the_one_that_needs_its_room(policy: str, is_deadlock: bool) -> None:
    owner = stateful_set(2, podManagementPolicy=policy, template=FULL_TEMPLATE)
    pods = (ordinal(1, NEWEST, "n", **FULL), ordinal(2, NEWEST, "m", **FULL))

    explanation = explanation_of(ordinal(0, NEWEST, **FULL), small("n"), small("m"), *pods, owner)

    assert found(explanation) == ([DeleteStaying("default", "web", ("default/web-2",), True)] if is_deadlock else [])


def test_a_pod_that_goes_with_the_scale_and_is_not_in_the_way_is_not_named() -> None:
    explanation = explanation_of(
        ordinal(0, NEWEST, **GONE), small("n"), ordinal(2, NEWEST, "n", **FULL), stateful_set(2, template=GONE)
    )

    assert found(explanation) == []


@pytest.mark.parametrize(
    ("spec", "is_deadlock"),
    [
        ({}, True),
        ({"podManagementPolicy": "Parallel"}, True),
        ({"updateStrategy": {"rollingUpdate": {"partition": 1}}}, False),
        # The update goes on to the one that is in the way, where the minor counts maxUnavailable.
        ({"podManagementPolicy": "Parallel", "updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}}, False),
    ],
)
def test_an_earlier_pod_on_the_only_node_that_the_later_ordinal_can_use(
    spec: dict[str, Any], is_deadlock: bool
) -> None:
    """The new pod is tied to node n, where web-0 is, which fits on m as well once it is made anew."""
    claim: dict[str, Any] = {"volumes": [_uses("data-web-1")]}
    term = {"matchExpressions": [{"key": HOSTNAME, "operator": "In", "values": ["n"]}]}
    volume = a_volume("pv", claim="data-web-1")
    volume = {**volume, "spec": {**volume["spec"], "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}}
    cluster = (small("n"), small("m"), a_claim("data-web-1", volume="pv"), volume)

    explanation = explanation_of(
        ordinal(1, NEWEST, **FULL, **claim),
        *cluster,
        ordinal(0, EARLIER, "n", **FULL),
        stateful_set(2, template=FULL_TEMPLATE, **spec),
    )

    assert found(explanation) == ([DeleteStaying("default", "web", ("default/web-0",), False)] if is_deadlock else [])


def test_an_earlier_pod_whose_successor_would_have_no_room_is_not_deleted() -> None:
    explanation = explanation_of(
        ordinal(1, NEWEST, **FULL),
        small("n"),
        ordinal(0, EARLIER, "n", **FULL),
        stateful_set(2, template=FULL_TEMPLATE),
    )

    assert found(explanation) == []


@pytest.mark.parametrize(
    ("remedy", "said"),
    [
        (
            ReplaceOutdated("shop", "web", "web-2", False, None, 1),
            "waits until it is Ready (OrderedReady).",
        ),
        (
            ReplaceOutdated("shop", "web", "web-2", True, None, 2),
            "only deleted pods (OnDelete). Its replacement ",
        ),
        (
            ReplaceOutdated("shop", "web", "web-2", False, 2, 2),
            "Set the partition of StatefulSet shop/web to 2 and delete ",
        ),
        (DeleteStaying("shop", "web", ("shop/web-3",), True), "waits for this pod (OrderedReady)."),
        (DeleteStaying("shop", "web", ("shop/web-0", "shop/web-1"), False), "of an earlier revision: StatefulSet "),
    ],
)
def test_what_ends_the_deadlock_in_words(remedy: ReplaceOutdated | DeleteStaying, said: str) -> None:
    assert said in remedy_sentence(remedy)


STATIC = a_class(provisioner="kubernetes.io/no-provisioner")


def in_zone(name: str, zone: str, **fields: Any) -> Document:
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
    volume = a_volume(name, **fields)
    return {**volume, "spec": {**volume["spec"], "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}}


def reserved(uid: str, zone: str) -> Document:
    volume = in_zone("pv", zone)
    reference = {"namespace": "default", "name": "data", "uid": uid}
    return {**volume, "spec": {**volume["spec"], "claimRef": reference}, "status": {"phase": "Released"}}


@pytest.mark.parametrize(("zone", "remedy"), [("a", FreeVolume("data", "pv")), ("b", CreateVolume("data", "wait"))])
def test_a_volume_that_is_reserved_for_an_earlier_claim_is_named_where_it_would_do(zone: str, remedy: object) -> None:
    pod = a_pod(volumes=[uses("data")])

    found = explanation_of(pod, a_node("n", zone="a"), a_claim("data"), STATIC, reserved("earlier", zone))

    assert remedies_of(found) == [remedy]


@pytest.mark.parametrize(("zones", "is_told"), [(["c"], True), (["c", "a"], False)])
def test_a_class_that_provisions_where_no_node_is(zones: list[str], is_told: bool) -> None:
    allowed = [{"matchLabelExpressions": [{"key": ZONE, "values": zones}]}]
    zonal = {**a_class(provisioner="csi.example.com"), "allowedTopologies": allowed}

    found = explanation_of(a_pod(volumes=[uses("data")]), a_node("n", zone="a"), a_claim("data"), zonal)

    assert found.fits is not is_told
    assert remedies_of(found) == ([AddNodeForClass("data", "wait", ZONE, ("c",))] if is_told else [])


@pytest.mark.parametrize(("zone", "is_told"), [("b", True), ("a", False)])
def test_volumes_of_one_pod_in_two_places(zone: str, is_told: bool) -> None:
    claims = (a_claim("one", volume="pv-1"), a_claim("two", volume="pv-2"))
    volumes = (in_zone("pv-1", "a", claim="one"), in_zone("pv-2", zone, claim="two"))
    pod = a_pod(volumes=[{"name": "x", **uses("one")}, {"name": "y", **uses("two")}])

    found = explanation_of(pod, a_node("n", zone="a"), a_node("m", zone="b"), *claims, *volumes)

    assert remedies_of(found) == ([GatherVolumes("one", ("pv-1", "pv-2"))] if is_told else [])


def labelled(volume: Document, zone: str) -> Document:
    return {**volume, "metadata": {**volume["metadata"], "labels": {ZONE: zone}}}


def on_disk(volume: Document, disk: str) -> Document:
    term = volume["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"][0]
    term["matchExpressions"].append({"key": "disk", "operator": "In", "values": [disk]})
    return volume


@pytest.mark.parametrize(
    "nowhere",
    [
        labelled(in_zone("pv-1", "a", claim="one"), "b"),
        on_disk(in_zone("pv-1", "a", claim="one"), "ssd"),
    ],
)
def test_a_volume_that_no_node_reaches_is_not_kept_out_by_the_other(nowhere: Document) -> None:
    claims = (a_claim("one", volume="pv-1"), a_claim("two", volume="pv-2"))
    pod = a_pod(volumes=[{"name": "x", **uses("one")}, {"name": "y", **uses("two")}])
    volumes = (nowhere, in_zone("pv-2", "b", claim="two"))
    nodes = (a_node("n", zone="a"), a_node("m", zone="b", labels={"disk": "ssd"}))

    found = explanation_of(pod, *nodes, *claims, *volumes)

    assert not found.fits
    assert not [each for each in remedies_of(found) if isinstance(each, GatherVolumes)]


WEB: Document = {"matchLabels": {"app": "web"}}
UNREGISTERED: Document = {"key": "karpenter.sh/unregistered", "effect": "NoExecute"}
NOT_READY: Document = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
REMOVED: Document = {"key": "ToBeDeletedByClusterAutoscaler", "value": "1790000000", "effect": "NoSchedule"}
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
    explanation = explanation_of(a_pod(), a_node("new", taints=[{"key": key, "effect": "NoSchedule"}, NOT_READY]))

    assert remedies_of(explanation) == [AwaitNodes(("new",), (key, "node.kubernetes.io/not-ready"))]
    assert told(explanation) == set()


def test_a_node_that_would_not_take_the_pod_either_is_not_waited_for() -> None:
    explanation = explanation_of(a_pod(nodeSelector={ZONE: "b"}), a_node("new", zone="a", taints=[UNREGISTERED]))

    assert remedies_of(explanation) == []
    assert [each.nodes for each in circumstances(explanation) if isinstance(each, TaintedNodes)] == [("new",)]


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
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner], "labels": labels}}


def deployment(replicas: int, **pace: Any) -> Document:
    return {
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": replicas, "strategy": {"type": "RollingUpdate", "rollingUpdate": pace}},
    }


def of_deployment(name: str, revision: str, node: str = "", **spec: Any) -> Document:
    pod = owned(a_pod(name, node=node, **spec), "ReplicaSet", f"web-{revision}", **{"pod-template-hash": revision})
    return ready(pod) if node else pod


def test_an_earlier_pod_that_is_not_in_the_way_is_not_named() -> None:
    old, pace = of_deployment("old", "1", "n"), deployment(1, maxSurge=1, maxUnavailable=0)

    explanation = explanation_of(of_deployment("new", "2", nodeSelector={ZONE: "b"}), a_node("n", zone="a"), old, pace)

    assert remedies_of(explanation) == []


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

    explanation = explanation_of(a_pod(labels={"app": "web"}, topologySpreadConstraints=[spread(HOSTNAME)]), *cluster)

    assert adjustments(explanation) == [("nodeTaintsPolicy=Honor", 1), ("maxSkew=2", 1)]
    (found,) = circumstances(explanation)
    assert isinstance(found, UnreachedMinimum)
    assert (found.minimum, found.max_skew, found.domains, found.plugin) == (0, 1, ("cp",), "TaintToleration")
    assert next(each.realism for each in advice(explanation) if each.ways) is Realism.CORRECT


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


HOST = "kubernetes.io/hostname"
TERM = {"topologyKey": HOST, "labelSelector": {"matchLabels": {"app": "web"}}}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def of_singles(pod: Document, *cluster: Document) -> set[Realism]:
    """Return how realistic the single changes are that would each make a pod fit."""
    return {realism_of(lift.lifted) for lift in explanation_of(pod, *cluster).relaxations.singles}


@pytest.mark.parametrize(
    ("pod", "node", "realism"),
    [
        ({}, {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}, Realism.TOLERATE),
        (
            {},
            {"taints": [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]},
            Realism.CONTROL_PLANE,
        ),
        ({}, {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}, Realism.REPAIR_NODE),
        ({}, {"unschedulable": True}, Realism.CHANGE_NODE),
        ({"nodeSelector": {"disk": "ssd"}}, {}, Realism.REMOVE),
        ({"affinity": {"podAffinity": {REQUIRED: [TERM]}}}, {}, Realism.PREFER),
        (
            {
                "affinity": {
                    "nodeAffinity": {
                        REQUIRED: {
                            "nodeSelectorTerms": [
                                {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}
                            ]
                        }
                    }
                }
            },
            {},
            Realism.PREFER,
        ),
        ({"requests": {"cpu": "9"}}, {}, Realism.REQUEST_NONE),
    ],
)
def test_each_change_has_its_place(pod: Document, node: Document, realism: Realism) -> None:
    assert of_singles(a_pod(**pod), a_node("n", **node)) == {realism}


def test_what_others_require_is_not_the_pod_s_to_prefer() -> None:
    holder = a_pod("holder", node="n", affinity={"podAntiAffinity": {REQUIRED: [TERM]}})

    assert of_singles(a_pod(labels={"app": "web"}), a_node("n"), holder) == {Realism.REMOVE}


def test_waiting_comes_before_what_has_to_be_provided() -> None:
    assert realism_of_remedy(AwaitPods("data", ("shop/holder",))) is Realism.AWAIT
    assert realism_of_remedy(CreateClaim("data", "shop", is_none_known=False)) is Realism.PROVIDE
