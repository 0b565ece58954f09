"""Claims that are bound, and claims that wait for a volume which exists already."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.evidence import CountedPod, NodeRequirement, NodeTerm
from clusters.engine.plugins.volume_binding import (
    BoundClaimComparison,
    NoStorage,
    NoVolume,
    ProvisioningComparison,
    SelectedNodeComparison,
    VolumeBinding,
    VolumeElsewhere,
    VolumeMatch,
)
from clusters.engine.plugins.volume_restrictions import (
    ClaimTaken,
    DiskTaken,
    ExclusiveClaimComparison,
    VolumeRestrictions,
)
from clusters.engine.plugins.volume_zone import OtherZone, VolumeZone, ZoneComparison
from clusters.engine.selectors import Operator
from clusters.engine.status import SKIP, SUCCESS, Status, failure, unresolvable
from clusters.engine.volumes import BETA_ZONE, ClaimProblem, ClaimRefused
from tests.engine.builders import HOSTNAME, ZONE, Document, a_context, a_node, a_pod
from tests.engine.storage_builders import a_claim, a_class, a_csi_node, a_volume, csi, on, rejections, uses
from tests.support.constraints import about

POD = a_pod(volumes=[uses("data")])

NODES = (a_node("n0", zone="a"), a_node("n1", zone="b"))

STATIC = a_class(provisioner="kubernetes.io/no-provisioner")

EPHEMERAL: Document = {"ephemeral": {"volumeClaimTemplate": {}}}


def binding(*objects: Document, pod: Document = POD, nodes: tuple[Document, ...] = NODES) -> VolumeBinding:
    return VolumeBinding(a_context(pod, *nodes, *objects))


def refused(problem: ClaimProblem, *names: str) -> Status:
    return unresolvable(ClaimRefused(problem, names))


def rejected(*reasons: str) -> tuple[str, ...]:
    return ("UnschedulableAndUnresolvable", *reasons)


@pytest.mark.parametrize(
    ("objects", "status"),
    [
        ((), refused(ClaimProblem.NOT_FOUND, "data")),
        (
            (a_claim("data", volume="pv", phase="Lost"),),
            refused(ClaimProblem.LOST, "data", "pv"),
        ),
        ((a_claim("data", deleted=True),), refused(ClaimProblem.BEING_DELETED, "data")),
        (
            (a_claim("data"), a_class(mode="Immediate")),
            refused(ClaimProblem.NOT_BOUND),
        ),
        # Without a class, or with one that nobody knows, a claim is bound at once or never.
        ((a_claim("data", storage_class=None),), refused(ClaimProblem.NOT_BOUND)),
        ((a_claim("data"),), refused(ClaimProblem.NOT_BOUND)),
        # A claim that names its volume is the controller's to bind.
        (
            (a_claim("data", volume="pv", bound=False), a_class()),
            refused(ClaimProblem.NOT_BOUND),
        ),
        (
            (a_claim("data"), a_class(mode="")),
            failure('VolumeBindingMode not set for StorageClass "wait"'),
        ),
        ((a_claim("data"), a_class()), SUCCESS),
        (
            (
                a_claim("data", annotations={"volume.beta.kubernetes.io/storage-class": "wait"}, storage_class="x"),
                a_class(),
            ),
            SUCCESS,
        ),
    ],
)
def test_claims_are_judged_before_any_node(objects: tuple[Document, ...], status: Status) -> None:
    assert binding(*objects).pre_filter().status == status


def test_ephemeral_claim_must_exist_and_belong_to_the_pod() -> None:
    pod = a_pod(volumes=[EPHEMERAL])
    owner = {"kind": "Pod", "name": "pod", "uid": "uid-pod", "controller": True}
    foreign = "PVC default/pod-v0 was not created for pod default/pod (pod is not owner)"

    assert binding(pod=pod).pre_filter().status.said == (
        'waiting for ephemeral volume controller to create the persistentvolumeclaim "pod-v0"'
    )
    assert binding(a_claim("pod-v0"), a_class(), pod=pod).pre_filter().status.said == foreign
    assert binding(a_claim("pod-v0", owner=owner), a_class(), pod=pod).pre_filter().status == SUCCESS


@pytest.mark.parametrize(
    ("affinity", "reaching"),
    [
        (None, {"n0", "n1"}),
        (on(ZONE, "a"), {"n0"}),
        (on(HOSTNAME, "n1", "n9"), {"n1"}),
        ({"nodeSelectorTerms": []}, set()),
        ({"nodeSelectorTerms": [{}]}, set()),
        (
            {"nodeSelectorTerms": [*on(ZONE, "a")["nodeSelectorTerms"], *on(ZONE, "b")["nodeSelectorTerms"]]},
            {"n0", "n1"},
        ),
        ({"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "NotIn", "values": ["a"]}]}]}, {"n1"}),
        ({"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "Near", "values": ["a"]}]}]}, set()),
        # A volume is shown a node without a name, on which conditions on fields do not bear.
        (
            {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n0"]}]}]},
            {"n0", "n1"},
        ),
    ],
)
def test_node_must_reach_the_bound_volume(affinity: Document | None, reaching: set[str]) -> None:
    plugin = binding(a_claim("data", volume="pv"), a_volume("pv", affinity=affinity))

    assert rejections(plugin) == {name: rejected(VolumeElsewhere.text) for name in {"n0", "n1"} - reaching}


def test_migrated_volume_is_looked_up_by_the_drivers_zone_where_the_node_migrated() -> None:
    key = "topology.ebs.csi.aws.com/zone"
    plugin = binding(
        a_claim("data", volume="pv"),
        a_volume("pv", awsElasticBlockStore={"volumeID": "vol-1"}, affinity=on(BETA_ZONE, "a")),
        a_csi_node("migrated", migrated=["kubernetes.io/gce-pd", "kubernetes.io/aws-ebs"]),
        a_csi_node("in-tree"),
        a_csi_node("both", migrated=["kubernetes.io/aws-ebs"]),
        nodes=(
            a_node("migrated", labels={key: "a"}),
            a_node("in-tree", labels={key: "a"}),
            a_node("both", labels={BETA_ZONE: "a"}),
            a_node("old", labels={BETA_ZONE: "a"}),
        ),
    )

    assert rejections(plugin) == dict.fromkeys(("in-tree", "both"), rejected(VolumeElsewhere.text))


def test_volume_that_cannot_be_translated_is_an_error_where_the_node_migrated() -> None:
    plugin = binding(
        a_claim("data", volume="pv"),
        a_volume("pv", azureDisk={"diskURI": "uri", "kind": "Shared"}, nodes=["n1"]),
        a_csi_node("n0", migrated=["kubernetes.io/azure-disk"]),
    )

    reason = "could not translate pv: kind(Shared) is not supported in csi migration"
    assert rejections(plugin) == {"n0": ("Error", reason)}


@pytest.mark.parametrize(
    ("claim", "volume", "fits"),
    [
        ({}, {}, True),
        ({"size": "10Gi"}, {"size": "10Gi"}, True),
        ({"size": "10Gi"}, {"size": "9Gi"}, False),
        ({"size": None}, {"size": "0"}, True),
        ({"modes": ["ReadWriteMany"]}, {}, False),
        ({"modes": ["ReadWriteOnce"]}, {"modes": ["ReadWriteMany", "ReadWriteOnce"]}, True),
        ({"volumeMode": "Block"}, {}, False),
        ({"volumeMode": "Filesystem"}, {}, True),
        ({"volumeMode": "Block"}, {"volumeMode": "Block"}, True),
        ({"volumeAttributesClassName": "gold"}, {}, False),
        ({}, {"volumeAttributesClassName": "gold"}, False),
        ({"volumeAttributesClassName": "gold"}, {"volumeAttributesClassName": "gold"}, True),
        ({"selector": {"matchLabels": {"tier": "fast"}}}, {}, False),
        ({"selector": {"matchLabels": {"tier": "fast"}}}, {"labels": {"tier": "fast"}}, True),
        ({"selector": {}}, {}, True),
        ({}, {"storage_class": "other"}, False),
        ({}, {"phase": "Released"}, False),
        ({}, {"deleted": True}, False),
        # Reserved for the claim, for another one, for one that was deleted.
        ({}, {"claimRef": {"namespace": "default", "name": "data"}, "phase": "Pending"}, True),
        ({}, {"claimRef": {"namespace": "default", "name": "data", "uid": "uid-data"}}, True),
        ({}, {"claimRef": {"namespace": "default", "name": "data", "uid": "uid-old"}}, False),
        ({}, {"claimRef": {"namespace": "team", "name": "data"}}, False),
        # A reservation does not help a volume that is too small, but overrides access modes.
        ({"size": "20Gi"}, {"claimRef": {"namespace": "default", "name": "data"}}, False),
        ({"modes": ["ReadWriteMany"]}, {"claimRef": {"namespace": "default", "name": "data"}}, True),
    ],
)
def test_waiting_claim_takes_a_fitting_volume(claim: dict[str, Any], volume: dict[str, Any], fits: bool) -> None:
    plugin = binding(a_claim("data", **claim), a_volume("pv", **volume), STATIC)

    assert rejections(plugin) == ({} if fits else dict.fromkeys(("n0", "n1"), rejected(NoVolume.text)))


def test_claims_of_a_pod_take_different_volumes_the_smallest_that_fits_first() -> None:
    objects = (a_claim("data", size="1Gi"), a_claim("logs", size="8Gi"), STATIC)
    pod = a_pod(volumes=[uses("logs"), uses("data")])
    enough = binding(*objects, a_volume("large", size="10Gi"), a_volume("small", size="2Gi"), pod=pod)
    single = binding(*objects, a_volume("large", size="10Gi"), pod=pod)

    assert rejections(enough) == {}
    assert set(enough.evidence(0)) == {
        VolumeMatch("data", 1 << 30, "small", 2 << 30),
        VolumeMatch("logs", 8 << 30, "large", 10 << 30),
    }
    assert rejections(single) == dict.fromkeys(("n0", "n1"), rejected(NoVolume.text))
    assert rejections(single, lifted=[0]) == {}


def test_unreadable_selector_is_an_error() -> None:
    plugin = binding(a_claim("data", selector={"matchExpressions": [{"key": "tier", "operator": "Near"}]}), STATIC)

    code, reason = rejections(plugin)["n0"]
    assert code == "Error"
    assert reason.startswith("error creating internal label selector for claim: default/data: ")


def topology(**values: list[str]) -> Document:
    keys = {"zone": ZONE, "host": HOSTNAME}
    return {"matchLabelExpressions": [{"key": keys[name], "values": wanted} for name, wanted in values.items()]}


@pytest.mark.parametrize(
    ("topologies", "allowed"),
    [
        ([], {"n0", "n1"}),
        ([topology(zone=["a"])], {"n0"}),
        ([topology(zone=["a", "b"])], {"n0", "n1"}),
        ([topology(zone=["a"], host=["n1"])], set()),
        ([topology(zone=["a"]), topology(host=["n1"])], {"n0", "n1"}),
        ([{}], set()),
        ([topology(zone=[])], set()),
    ],
)
def test_class_provisions_only_in_its_allowed_topologies(topologies: list[Document], allowed: set[str]) -> None:
    plugin = binding(a_claim("data"), a_class(allowedTopologies=topologies))

    assert rejections(plugin) == {name: rejected(NoVolume.text) for name in {"n0", "n1"} - allowed}


def driver(tells: bool | None = True) -> Document:
    spec = {} if tells is None else {"storageCapacity": tells}
    return {"kind": "CSIDriver", "metadata": {"name": "csi.example"}, "spec": spec}


def capacity(name: str = "cap", storage_class: str = "wait", **fields: Any) -> Document:
    return {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": name, "namespace": "kube-system"},
        "storageClassName": storage_class,
        **fields,
    }


@pytest.mark.parametrize(
    ("objects", "short"),
    [
        ((), set()),
        ((driver(tells=False),), set()),
        ((driver(tells=None),), set()),
        ((driver(),), {"n0", "n1"}),
        ((driver(), capacity(capacity="5Gi", nodeTopology={})), set()),
        ((driver(), capacity(capacity="4Gi", nodeTopology={})), {"n0", "n1"}),
        ((driver(), capacity(capacity="9Gi", nodeTopology={"matchLabels": {ZONE: "a"}})), {"n1"}),
        # Without a topology nobody has access; the largest volume matters more than what is free.
        ((driver(), capacity(capacity="9Gi")), {"n0", "n1"}),
        ((driver(), capacity(capacity="9Gi", maximumVolumeSize="1Gi", nodeTopology={})), {"n0", "n1"}),
        ((driver(), capacity(nodeTopology={})), {"n0", "n1"}),
        ((driver(), capacity(storage_class="other", capacity="9Gi", nodeTopology={})), {"n0", "n1"}),
        (
            (
                driver(),
                capacity("one", capacity="9Gi", nodeTopology={"matchLabels": {ZONE: "a"}}),
                capacity("two", capacity="9Gi", nodeTopology={"matchLabels": {ZONE: "b"}}),
            ),
            set(),
        ),
    ],
)
def test_driver_that_tells_its_capacity_needs_enough_of_it(objects: tuple[Document, ...], short: set[str]) -> None:
    plugin = binding(a_claim("data", size="5Gi"), a_class(), *objects)

    assert rejections(plugin) == {name: rejected(NoStorage.text) for name in short}


def test_evidence_shows_where_the_bound_volume_and_the_node_are() -> None:
    plugin = binding(a_claim("data", volume="pv"), a_volume("pv", affinity=on(ZONE, "a"), csi=csi("h")))

    for row, zone in enumerate("ab"):
        (found,) = plugin.evidence(row)
        meets = zone == "a"
        term = NodeTerm((NodeRequirement(ZONE, Operator.IN, ("a",), zone, matches=meets),), matches=meets)
        assert found == BoundClaimComparison("data", "pv", exists=True, terms=(term,))
        assert found.holds == meets


def test_evidence_shows_what_provisioning_lacks() -> None:
    access = {"matchLabels": {ZONE: "a"}}
    plugin = binding(a_claim("data"), a_class(), driver(), capacity(capacity="9Gi", nodeTopology=access))

    for row, largest in enumerate((9 << 30, 0)):
        (found,) = plugin.evidence(row)
        assert found == ProvisioningComparison(
            claim="data",
            requested_bytes=5 << 30,
            storage_class="wait",
            provisioner="csi.example",
            provisions=True,
            topologies=(),
            largest_bytes=largest,
            has_capacity=bool(largest),
        )
        assert found.holds == bool(largest)


def test_evidence_names_missing_volume_and_selected_node() -> None:
    selected = a_claim("data", annotations={"volume.kubernetes.io/selected-node": "n1"})

    (gone,) = binding(a_claim("data", volume="gone")).evidence(0)
    (elsewhere,) = binding(selected, a_class()).evidence(0)
    assert gone == BoundClaimComparison("data", "gone", exists=False, terms=None)
    assert elsewhere == SelectedNodeComparison("data", 5 << 30, "n1", "n0")
    assert not gone.holds
    assert not elsewhere.holds


Volume = dict[str, Any]

TWO_NODES = (a_node("n0"), a_node("n1"))

ALONE = ("ReadWriteOncePod",)


def restrictions(pod: Document, *objects: Document) -> VolumeRestrictions:
    return VolumeRestrictions(a_context(pod, *TWO_NODES, *objects))


def gce(name: str, read_only: bool = False) -> Volume:
    return {"gcePersistentDisk": {"pdName": name, "readOnly": read_only}}


def rbd(monitors: list[str], pool: str, image: str, read_only: bool = False) -> Volume:
    return {"rbd": {"monitors": monitors, "pool": pool, "image": image, "readOnly": read_only}}


def iscsi(iqn: str, read_only: bool = False) -> Volume:
    return {"iscsi": {"targetPortal": "10.0.0.1", "iqn": iqn, "lun": 0, "readOnly": read_only}}


def ebs(volume: str, read_only: bool = False) -> Volume:
    return {"awsElasticBlockStore": {"volumeID": volume, "readOnly": read_only}}


@pytest.mark.parametrize(
    ("asked", "held", "conflict"),
    [
        (gce("a"), gce("a"), True),
        (gce("a"), gce("b"), False),
        (gce("a", True), gce("a"), True),
        (gce("a", True), gce("a", True), False),
        (ebs("vol-1"), ebs("vol-1"), True),
        # EBS knows no read-only sharing.
        (ebs("vol-1", True), ebs("vol-1", True), True),
        (ebs("vol-1"), ebs("vol-2"), False),
        (iscsi("iqn.x"), iscsi("iqn.x"), True),
        (iscsi("iqn.x", True), iscsi("iqn.x", True), False),
        (iscsi("iqn.x"), iscsi("iqn.y"), False),
        (rbd(["m1", "m2"], "p", "i"), rbd(["m2", "m3"], "p", "i"), True),
        (rbd(["m1"], "p", "i"), rbd(["m2"], "p", "i"), False),
        (rbd(["m1"], "p", "i"), rbd(["m1"], "q", "i"), False),
        (rbd(["m1"], "p", "i"), rbd(["m1"], "p", "j"), False),
        (rbd(["m1"], "p", "i", True), rbd(["m1"], "p", "i", True), False),
        (gce("a"), ebs("a"), False),
    ],
)
def test_disks_exclude_each_other_per_node(asked: Volume, held: Volume, conflict: bool) -> None:
    plugin = restrictions(a_pod(volumes=[asked]), a_pod("holder", node="n0", volumes=[held]))

    assert plugin.pre_filter().status == SUCCESS
    assert rejections(plugin) == ({"n0": ("Unschedulable", DiskTaken.text)} if conflict else {})


def test_free_exclusive_claim_skips_and_one_in_use_rejects_every_node() -> None:
    claim, pod = a_claim("mine", modes=ALONE), a_pod(volumes=[uses("mine")])
    elsewhere = a_pod("other", namespace="team", node="n0", volumes=[uses("mine")])

    assert restrictions(pod, claim, elsewhere).pre_filter().status == SKIP

    plugin = restrictions(pod, claim, a_pod("holder", node="n0", volumes=[uses("mine")]))
    assert plugin.pre_filter().status == SUCCESS
    expected = ("Unschedulable", ClaimTaken.text)
    assert rejections(plugin) == {"n0": expected, "n1": expected}
    (evidence,) = plugin.evidence(1)
    assert evidence == ExclusiveClaimComparison("mine", (CountedPod("default/holder"),))
    assert not evidence.holds


def test_each_disk_and_claim_can_be_lifted_by_itself() -> None:
    plugin = restrictions(
        a_pod(volumes=[uses("mine"), gce("a")]),
        a_claim("mine", modes=ALONE),
        a_pod("holder", node="n0", volumes=[uses("mine"), gce("a")]),
    )

    assert list(map(about, plugin.constraints())) == ["gcePersistentDisk a", "mine"]
    assert rejections(plugin, lifted=[1]) == {"n0": ("Unschedulable", DiskTaken.text)}
    assert rejections(plugin, lifted=[0])["n0"] == ("Unschedulable", ClaimTaken.text)
    assert rejections(plugin, lifted=[0, 1]) == {}


REJECTED = ("UnschedulableAndUnresolvable", OtherZone.text)


def zones(*objects: Document, pod: Document = POD) -> VolumeZone:
    return VolumeZone(a_context(pod, *objects))


@pytest.mark.parametrize(
    ("objects", "reason"),
    [
        ((), 'persistentvolumeclaim "data" not found'),
        ((a_claim("data", volume="disk"),), 'persistentvolume "disk" not found'),
        ((a_claim("data", storage_class=None),), "PersistentVolumeClaim had no pv name and storageClass name"),
        ((a_claim("data", storage_class="fast"),), 'storageclass.storage.k8s.io "fast" not found'),
        (
            (a_claim("data", storage_class="fast"), a_class("fast", mode="")),
            'VolumeBindingMode not set for StorageClass "fast"',
        ),
        ((a_claim("data", storage_class="fast"), a_class("fast", mode="Immediate")), "PersistentVolume had no name"),
    ],
)
def test_unreadable_claim_rejects_before_any_node(objects: tuple[Document, ...], reason: str) -> None:
    assert zones(a_node("n0"), *objects).pre_filter().status.said == reason


def test_claim_without_a_name_rejects() -> None:
    plugin = zones(a_node("n0"), pod=a_pod(volumes=[uses("")]))

    assert plugin.pre_filter().status.said == "PersistentVolumeClaim had no name"


def test_each_claim_can_be_lifted_and_shows_both_zones() -> None:
    plugin = zones(
        a_node("n0", zone="a"),
        a_claim("data", volume="one"),
        a_claim("logs", volume="two"),
        a_volume("one", labels={ZONE: "a"}),
        a_volume("two", labels={ZONE: "b__c"}),
        pod=a_pod(volumes=[uses("data"), uses("logs")]),
    )

    assert plugin.pre_filter().status == SUCCESS
    assert list(map(about, plugin.constraints())) == ["data", "logs"]
    assert rejections(plugin, lifted=[0]) == {"n0": REJECTED}
    assert rejections(plugin, lifted=[1]) == {}
    data, logs = plugin.evidence(0)
    assert (data.holds, logs.holds) == (True, False)
    assert logs == ZoneComparison("logs", "two", ZONE, ("b", "c"), "a", zoned=True)
