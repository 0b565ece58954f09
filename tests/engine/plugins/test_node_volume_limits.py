from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.objects import Pod
from clusters.engine.plugin import Context
from clusters.engine.plugins.node_volume_limits import DriverComparison, NodeVolumeLimits, VolumeLimitReached
from clusters.engine.status import SKIP, SUCCESS
from clusters.engine.world import World
from tests.engine.builders import Document, a_context, a_node, a_pod
from tests.engine.storage_builders import (
    a_claim,
    a_class,
    a_csi_node,
    a_volume,
    an_attachment,
    csi,
    rejections,
    uses,
    without,
)
from tests.support.constraints import about

FULL = {"n0": ("Unschedulable", VolumeLimitReached.text)}
POD = a_pod(volumes=[uses("new")])
EPHEMERAL: Document = {"ephemeral": {"volumeClaimTemplate": {}}}
DRIVER = "csi.example"
PORTWORX = "kubernetes.io/portworx-volume"


def limits(*objects: Document, pod: Document = POD, kubernetes: str = "1.34") -> NodeVolumeLimits:
    return NodeVolumeLimits(a_context(pod, a_node("n0"), *objects, kubernetes=kubernetes))


def bound(name: str, handle: str | None = None) -> tuple[Document, Document]:
    """A claim with its CSI volume."""
    return a_claim(name, volume=f"pv-{name}"), a_volume(f"pv-{name}", csi=csi(handle or name), phase="Bound")


def holder(name: str, *claims: str, node: str | None = "n0", **more: Any) -> Document:
    return a_pod(name, node=node, volumes=[uses(claim) for claim in claims], **more)


def test_pod_without_attachable_volumes_skips() -> None:
    plugin = limits(pod=a_pod(volumes=[{"emptyDir": {}}, {"csi": {"driver": "inline.example"}}]))

    assert plugin.pre_filter().status == SKIP


@pytest.mark.parametrize(("limit", "fits"), [(2, False), (3, True), (0, False), (None, True)])
def test_volumes_of_pods_on_the_node_count_against_the_limit(limit: int | None, fits: bool) -> None:
    plugin = limits(
        *bound("new"), *bound("a"), *bound("b"), holder("p", "a"), holder("q", "b"), a_csi_node("n0", {DRIVER: limit})
    )

    assert plugin.pre_filter().status == SUCCESS
    assert rejections(plugin) == ({} if fits else FULL)


def test_volume_used_twice_counts_once_and_one_in_use_is_not_new() -> None:
    csi_node = a_csi_node("n0", {DRIVER: 1})

    assert rejections(limits(*bound("new"), holder("p", "new"), holder("q", "new"), csi_node)) == {}
    assert rejections(limits(*bound("new"), *bound("a"), holder("p", "a"), csi_node)) == FULL


def test_other_drivers_do_not_count() -> None:
    other = a_volume("pv-a", csi=csi("a", driver="other.example"))
    plugin = limits(*bound("new"), a_claim("a", volume="pv-a"), other, holder("p", "a"), a_csi_node("n0", {DRIVER: 1}))

    assert rejections(plugin) == {}


def test_attachment_counts_unless_a_pod_on_the_node_uses_the_volume() -> None:
    objects = (*bound("new"), *bound("a"), an_attachment("pv-a", "n0"))

    assert rejections(limits(*objects, a_csi_node("n0", {DRIVER: 1}))) == FULL
    assert rejections(limits(*objects, holder("p", "a"), a_csi_node("n0", {DRIVER: 2}))) == {}


def test_attached_volume_that_no_pod_uses_counts_once_more_when_the_pod_brings_it() -> None:
    objects = (*bound("new"), an_attachment("pv-new", "n0"))

    assert rejections(limits(*objects, a_csi_node("n0", {DRIVER: 1}))) == FULL
    assert rejections(limits(*objects, a_csi_node("n0", {DRIVER: 2}))) == {}


def test_attachments_elsewhere_or_without_a_csi_volume_do_not_count() -> None:
    plugin = limits(
        *bound("new"),
        *bound("a"),
        a_volume("plain", nfs={}),
        an_attachment("pv-a", "n1"),
        an_attachment("plain", "n0"),
        an_attachment("gone", "n0"),
        a_csi_node("n0", {DRIVER: 1}),
    )

    assert rejections(plugin) == {}


def test_claim_that_is_not_provisioned_counts_for_its_class() -> None:
    plugin = limits(a_claim("new"), a_claim("a"), a_class(), holder("p", "a"), a_csi_node("n0", {DRIVER: 1}))
    classless = limits(
        a_claim("new", storage_class="gone"), *bound("a"), holder("p", "a"), a_csi_node("n0", {"other.example": 0})
    )

    assert rejections(plugin) == FULL
    assert rejections(classless) == {}


def test_missing_claim_is_named_on_every_node_even_without_limits() -> None:
    reason = 'looking up PVC default/new: persistentvolumeclaim "new" not found'

    assert rejections(limits()) == {"n0": ("UnschedulableAndUnresolvable", reason)}
    assert rejections(limits(), lifted=[0]) == {}


def test_placed_pods_missing_claim_is_passed_over() -> None:
    plugin = limits(*bound("new"), holder("p", "gone"), a_csi_node("n0", {DRIVER: 1}))

    assert rejections(plugin) == {}


def test_ephemeral_claim_must_belong_to_its_pod() -> None:
    owner = {"kind": "Pod", "name": "pod", "uid": "uid-pod", "controller": True}
    stranger = {**owner, "uid": "uid-other"}
    pod = a_pod(volumes=[EPHEMERAL])
    csi_node = a_csi_node("n0", {DRIVER: 0})

    assert rejections(limits(a_claim("pod-v0", owner=owner), a_class(), csi_node, pod=pod)) == FULL
    reason = "PVC default/pod-v0 was not created for pod default/pod (pod is not owner)"
    assert rejections(limits(a_claim("pod-v0", owner=stranger), csi_node, pod=pod)) == {"n0": ("Error", reason)}


def test_placed_pods_foreign_ephemeral_claim_is_an_error_on_nodes_with_limits() -> None:
    objects = (*bound("new"), a_claim("p-v0"), a_pod("p", node="n0", volumes=[EPHEMERAL]))
    reason = "PVC default/p-v0 was not created for pod default/p (pod is not owner)"

    assert rejections(limits(*objects, a_csi_node("n0", {"other.example": 100}))) == {"n0": ("Error", reason)}
    assert rejections(limits(*objects, a_csi_node("n0"))) == {}


@pytest.mark.parametrize(
    ("inline", "driver", "counts"),
    [
        ({"awsElasticBlockStore": {"volumeID": "vol-1"}}, "ebs.csi.aws.com", True),
        ({"gcePersistentDisk": {"pdName": "disk"}}, "pd.csi.storage.gke.io", True),
        ({"cinder": {"volumeID": "id"}}, "cinder.csi.openstack.org", True),
        ({"azureDisk": {"diskURI": "uri", "kind": "Managed"}}, "disk.csi.azure.com", True),
        # The scheduler does not take part in the migration of these.
        ({"vsphereVolume": {"volumePath": "path"}}, "csi.vsphere.vmware.com", False),
        ({"azureFile": {"shareName": "share"}}, "file.csi.azure.com", False),
        # The node has not handed Portworx over.
        ({"portworxVolume": {"volumeID": "id"}}, "pxd.portworx.com", False),
    ],
)
def test_inline_volumes_count_for_the_driver_that_replaced_them(inline: Document, driver: str, counts: bool) -> None:
    plugin = limits(a_csi_node("n0", {driver: 0}), pod=a_pod(volumes=[inline]))

    assert plugin.pre_filter().status == SUCCESS
    assert rejections(plugin) == (FULL if counts else {})


def test_in_tree_volumes_need_a_csi_node_and_portworx_its_annotation() -> None:
    pod = a_pod(volumes=[{"portworxVolume": {"volumeID": "id"}}])

    assert rejections(limits(pod=a_pod(volumes=[{"azureDisk": {"diskURI": "uri", "kind": "Shared"}}]))) == {}
    assert rejections(limits(a_csi_node("n0", {"pxd.portworx.com": 0}, [PORTWORX]), pod=pod)) == FULL


@pytest.mark.parametrize(("kubernetes", "rejected"), [("1.35", {}), ("1.36", FULL), ("1.37", FULL)])
def test_portworx_needs_no_annotation_from_1_36(kubernetes: str, rejected: dict[str, Any]) -> None:
    csi_node, pod = a_csi_node("n0", {"pxd.portworx.com": 0}), a_pod(volumes=[{"portworxVolume": {"volumeID": "id"}}])

    assert rejections(limits(csi_node, pod=pod, kubernetes=kubernetes)) == rejected
    assert rejections(limits(pod=pod, kubernetes=kubernetes)) == {}


def test_volume_that_cannot_be_translated_is_an_error() -> None:
    plugin = limits(a_csi_node("n0"), pod=a_pod(volumes=[{"azureDisk": {"diskURI": "uri", "kind": "Shared"}}]))

    reason = "converting volume(v0) from inline to csi: kind(Shared) is not supported in csi migration"
    assert rejections(plugin) == {"n0": ("Error", reason)}


def test_migrated_volume_and_class_count_for_the_driver() -> None:
    in_tree = a_volume("pv-new", awsElasticBlockStore={"volumeID": "aws://zone/vol-1"})
    csi_node = a_csi_node("n0", {"ebs.csi.aws.com": 0})

    assert rejections(limits(a_claim("new", volume="pv-new"), in_tree, csi_node)) == FULL
    assert rejections(limits(a_claim("new"), a_class(provisioner="kubernetes.io/aws-ebs"), csi_node)) == FULL
    assert rejections(limits(a_claim("new"), a_class(provisioner="kubernetes.io/vsphere-volume"), csi_node)) == {}


def test_victims_volumes_leave_unless_somebody_else_uses_them() -> None:
    objects = (*bound("new"), *bound("a"), holder("p", "a"), a_csi_node("n0", {DRIVER: 1}))

    alone, shared, attached = (
        limits(*objects),
        limits(*objects, holder("q", "a")),
        limits(*objects, an_attachment("pv-a", "n0")),
    )
    assert rejections(alone) == FULL
    assert rejections(alone, without(alone, "default/p")) == {}
    assert rejections(shared, without(shared, "default/p")) == FULL
    # The attachment outlives the pod.
    assert rejections(attached, without(attached, "default/p")) == FULL


def test_nominated_pods_volumes_count_where_they_are_nominated() -> None:
    plugin = limits(
        *bound("new"),
        *bound("a"),
        holder("p", "a", node=None, nominated="n0"),
        a_csi_node("n0", {DRIVER: 1}),
    )
    pods = plugin.snapshot.pods

    assert rejections(plugin) == {}
    assert rejections(plugin, World.adding(pods, [pods.slot_of["default/p"]])) == FULL


def test_lifted_claim_is_not_brought() -> None:
    plugin = limits(
        *bound("new"), *bound("more"), a_csi_node("n0", {DRIVER: 1}), pod=a_pod(volumes=[uses("new"), uses("more")])
    )

    assert list(map(about, plugin.constraints())) == ["new", "more"]
    assert rejections(plugin) == FULL
    assert rejections(plugin, lifted=[1]) == {}


def test_evidence_counts_by_driver() -> None:
    plugin = limits(
        *bound("new"), *bound("a"), holder("p", "a"), an_attachment("pv-a", "n0"), a_csi_node("n0", {DRIVER: 1})
    )

    (evidence,) = plugin.evidence(0)
    assert evidence == DriverComparison("csi.example", attached=1, requested=1, limit=1)
    assert not evidence.holds


def test_changed_objects_are_seen_in_the_next_cycle() -> None:
    context = a_context(
        POD, a_node("n0"), *bound("new"), *bound("a", handle="a"), holder("p", "a"), a_csi_node("n0", {DRIVER: 1})
    )
    snapshot = context.snapshot

    def verdict() -> dict[str, tuple[str, ...]]:
        return rejections(NodeVolumeLimits(Context(snapshot, Pod(POD), {})))

    assert verdict() == FULL
    snapshot.upsert(a_volume("pv-a", csi=csi("a", driver="other.example")))
    assert verdict() == {}
    snapshot.upsert(an_attachment("pv-new", "n0"))
    assert verdict() == FULL
    snapshot.delete(a_csi_node("n0"))
    assert verdict() == {}


@pytest.mark.parametrize(("owner", "rejected"), [("uid-p", False), ("uid-earlier", True)])
def test_placed_pod_must_own_its_ephemeral_claim(owner: str, rejected: bool) -> None:
    claim = a_claim("p-v0", owner={"kind": "Pod", "name": "p", "uid": owner, "controller": True})
    placed = a_pod("p", node="n0", volumes=[EPHEMERAL])
    plugin = limits(*bound("new"), claim, placed, a_csi_node("n0", {DRIVER: 5}))

    error = ("Error", "PVC default/p-v0 was not created for pod default/p (pod is not owner)")
    assert rejections(plugin) == ({"n0": error} if rejected else {})
