from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context
from clusters.engine.plugins.node_volume_limits import DriverComparison, NodeVolumeLimits, VolumeLimitReached
from clusters.engine.volumes import (
    BETA_REGION,
    BETA_ZONE,
    DriverUse,
    InTreePlugin,
    TranslationError,
    drivers_on,
    in_tree_plugin,
    inline_handle,
    translated_affinity,
    volume_handle,
)
from clusters.engine.world import World
from tests.engine.builders import REGION, ZONE, Document, a_context, a_node, a_pod
from tests.engine.storage_builders import (
    a_claim,
    a_class,
    a_csi_node,
    a_volume,
    an_attachment,
    csi,
    on,
    rejections,
    uses,
)
from tests.support.answers import error_of, known
from tests.support.constraints import about

FULL = {"n0": ("Unschedulable", VolumeLimitReached.text)}

POD = a_pod(volumes=[uses("new")])


DRIVER = "csi.example"


def limits(*objects: Document, pod: Document = POD, kubernetes: str = "1.34") -> NodeVolumeLimits:
    return NodeVolumeLimits(a_context(pod, a_node("n0"), *objects, kubernetes=kubernetes))


def bound(name: str, handle: str | None = None) -> tuple[Document, Document]:
    """A claim with its CSI volume."""
    return a_claim(name, volume=f"pv-{name}"), a_volume(f"pv-{name}", csi=csi(handle or name), phase="Bound")


def holder(name: str, *claims: str, node: str | None = "n0", **more: Any) -> Document:
    return a_pod(name, node=node, volumes=[uses(claim) for claim in claims], **more)


def test_attachment_counts_unless_a_pod_on_the_node_uses_the_volume() -> None:
    objects = (*bound("new"), *bound("a"), an_attachment("pv-a", "n0"))

    assert rejections(limits(*objects, a_csi_node("n0", {DRIVER: 1}))) == FULL
    assert rejections(limits(*objects, holder("p", "a"), a_csi_node("n0", {DRIVER: 2}))) == {}


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


OTHER = "other.example"


def test_volumes_of_pods_and_other_attachments_count_by_driver_as_the_plugin_counts_them() -> None:
    objects = [
        a_node("n0"),
        a_node("n1"),
        a_csi_node("n0", {DRIVER: 5, OTHER: 2}),
        *[a_claim(name, volume=f"pv-{name}") for name in ("a", "b", "c", "new")],
        *[a_volume(f"pv-{name}", csi=csi(name, driver=DRIVER)) for name in ("a", "b", "c", "new", "idle")],
        a_pod("p", node="n0", volumes=[uses("a"), uses("b")]),
        # The same volume twice on a node counts once, and a missing claim is passed over.
        a_pod("q", node="n0", volumes=[uses("b"), uses("gone")]),
        a_pod("elsewhere", node="n1", volumes=[uses("c")]),
        an_attachment("pv-a", "n0"),
        an_attachment("pv-idle", "n0"),
    ]
    snapshot = Snapshot.from_objects(objects)
    plugin = NodeVolumeLimits(Context(snapshot, Pod(a_pod("asking", volumes=[uses("new")])), {}))

    assert drivers_on(snapshot, "n0") == [DriverUse(DRIVER, 2, 1, 5), DriverUse(OTHER, 0, 0, 2)]
    assert drivers_on(snapshot, "n1") == [DriverUse(DRIVER, 1, 0, None)]
    assert plugin.evidence(0) == (DriverComparison(DRIVER, attached=3, requested=1, limit=5),)


EBS_ZONE = "topology.ebs.csi.aws.com/zone"

GCE_ZONE = "topology.gke.io/zone"


def plugin_of(source: Document) -> InTreePlugin:
    return known(in_tree_plugin(source))


def ebs(volume: str = "vol-1", **more: Any) -> Document:
    return a_volume("pv", awsElasticBlockStore={"volumeID": volume}, **more)


def gce(**more: Any) -> Document:
    return a_volume("pv", gcePersistentDisk={"pdName": "disk"}, **more)


@pytest.mark.parametrize(
    ("volume", "driver", "handle"),
    [
        ({"awsElasticBlockStore": {"volumeID": "vol-1"}}, "ebs.csi.aws.com", "vol-1"),
        ({"awsElasticBlockStore": {"volumeID": "aws://us-east-1a/vol-1"}}, "ebs.csi.aws.com", "vol-1"),
        ({"awsElasticBlockStore": {"volumeID": "aws:///vol-1"}}, "ebs.csi.aws.com", "vol-1"),
        (
            {"gcePersistentDisk": {"pdName": "disk"}},
            "pd.csi.storage.gke.io",
            "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/disk",
        ),
        ({"cinder": {"volumeID": "id"}}, "cinder.csi.openstack.org", "id"),
        ({"azureDisk": {"diskURI": "uri"}}, "disk.csi.azure.com", "uri"),
        ({"azureDisk": {"diskURI": "uri", "kind": "managed"}}, "disk.csi.azure.com", "uri"),
        ({"portworxVolume": {"volumeID": "id"}}, "pxd.portworx.com", "id"),
    ],
)
def test_inline_volume_has_driver_and_handle(volume: Document, driver: str, handle: str) -> None:
    plugin = plugin_of(volume)

    assert (plugin.driver, inline_handle(plugin, volume)) == (driver, handle)


@pytest.mark.parametrize(
    ("volume", "error"),
    [
        (
            {"awsElasticBlockStore": {"volumeID": "aws://zone/disk"}},
            "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://zone/disk)",
        ),
        ({"azureDisk": {"diskURI": "uri", "kind": "Dedicated"}}, "kind(Dedicated) is not supported in csi migration"),
    ],
)
def test_volume_without_a_counterpart_is_an_error(volume: Document, error: str) -> None:
    assert str(error_of(TranslationError, inline_handle, plugin_of(volume), volume)) == error


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        ({}, "zones/UNSPECIFIED"),
        ({ZONE: "us-central1-a"}, "zones/us-central1-a"),
        ({BETA_ZONE: "us-central1-a", ZONE: "us-central1-b"}, "zones/us-central1-a"),
        ({ZONE: "us-central1-a__us-central1-b"}, "regions/us-central1"),
    ],
)
def test_gce_disk_is_named_by_its_place(labels: dict[str, str], place: str) -> None:
    volume = gce(labels=labels)

    assert volume_handle(plugin_of(volume["spec"]), volume) == f"projects/UNSPECIFIED/{place}/disks/disk"


@pytest.mark.parametrize(
    ("zones", "error"),
    [
        ("a__b", "zone in unexpected format, expected: {locale}-{region}-{zone}, got: a"),
        ("us-west1-a__us-east1-b", "multiple or no regions gotten from zones, got: map[us-east1:{} us-west1:{}]"),
    ],
)
def test_gce_disk_in_strange_zones_is_an_error(zones: str, error: str) -> None:
    volume = gce(labels={ZONE: zones})

    assert (
        str(error_of(TranslationError, volume_handle, plugin_of(volume["spec"]), volume))
        == f"failed to get region from zones: {error}"
    )


def term(*expressions: tuple[str, list[str]]) -> Document:
    wanted = [{"key": key, "operator": "In", "values": values} for key, values in expressions]
    return {"nodeSelectorTerms": [{"matchExpressions": wanted}]}


@pytest.mark.parametrize(
    ("volume", "expected"),
    [
        (ebs(), None),
        (ebs(affinity=on(ZONE, "a")), on(EBS_ZONE, "a")),
        (ebs(affinity=on(BETA_ZONE, "a")), on(EBS_ZONE, "a")),
        (
            ebs(affinity=term((BETA_ZONE, ["a"]), (BETA_REGION, ["r"]))),
            term((EBS_ZONE, ["a"]), (REGION, ["r"])),
        ),
        (ebs(affinity=term((ZONE, ["a"]), (REGION, ["r"]))), term((EBS_ZONE, ["a"]), (REGION, ["r"]))),
        # Labels stand in where the node affinity says nothing of a zone.
        (gce(labels={ZONE: "b__a"}), on(GCE_ZONE, "a", "b")),
        (gce(labels={BETA_ZONE: "a"}), on(GCE_ZONE, "a")),
        (gce(labels={ZONE: "a"}, affinity=on("disk", "ssd")), term(("disk", ["ssd"]), (GCE_ZONE, ["a"]))),
        (gce(labels={ZONE: "a"}, affinity=on(ZONE, "b")), on(GCE_ZONE, "b")),
        # Azure's own topology key is not derived from the zone.
        (a_volume("pv", azureDisk={"diskURI": "uri"}, affinity=on(ZONE, "a")), on(ZONE, "a")),
    ],
)
def test_zones_are_renamed_to_the_drivers_key(volume: Document, expected: Document | None) -> None:
    assert translated_affinity(plugin_of(volume["spec"]), volume) == expected


def test_translation_leaves_the_volume_as_it_is() -> None:
    volume = ebs(affinity=on(ZONE, "a"))

    translated_affinity(plugin_of(volume["spec"]), volume)

    assert volume == ebs(affinity=on(ZONE, "a"))
