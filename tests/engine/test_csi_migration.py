from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.volumes import (
    BETA_REGION,
    BETA_ZONE,
    InTreePlugin,
    TranslationError,
    in_tree_plugin,
    inline_handle,
    translated_affinity,
    volume_handle,
)
from tests.engine.builders import REGION, ZONE, Document
from tests.engine.storage_builders import a_volume, on

EBS_ZONE = "topology.ebs.csi.aws.com/zone"
GCE_ZONE = "topology.gke.io/zone"


def plugin_of(source: Document) -> InTreePlugin:
    plugin = in_tree_plugin(source)
    assert plugin is not None
    return plugin


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
    with pytest.raises(TranslationError) as caught:
        inline_handle(plugin_of(volume), volume)

    assert str(caught.value) == error


def test_volumes_of_other_kinds_are_not_migrated() -> None:
    assert in_tree_plugin({"nfs": {}}) is None
    assert in_tree_plugin({"csi": {"driver": "ebs.csi.aws.com"}}) is None


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

    with pytest.raises(TranslationError) as caught:
        volume_handle(plugin_of(volume["spec"]), volume)

    assert str(caught.value) == f"failed to get region from zones: {error}"


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
