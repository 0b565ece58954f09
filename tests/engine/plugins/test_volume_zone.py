from __future__ import annotations

import pytest

from clusters.engine.plugins.volume_zone import OtherZone, VolumeZone, ZoneComparison
from clusters.engine.status import SKIP, SUCCESS
from clusters.engine.volumes import BETA_ZONE
from tests.engine.builders import REGION, ZONE, Document, a_context, a_node, a_pod
from tests.engine.storage_builders import a_claim, a_class, a_volume, rejections, uses
from tests.support.constraints import about

POD = a_pod(volumes=[uses("data")])
REJECTED = ("UnschedulableAndUnresolvable", OtherZone.text)


def zones(*objects: Document, pod: Document = POD) -> VolumeZone:
    return VolumeZone(a_context(pod, *objects))


@pytest.mark.parametrize(
    ("volume_labels", "node_labels", "fits"),
    [
        ({ZONE: "a"}, {ZONE: "a"}, True),
        ({ZONE: "a"}, {ZONE: "b"}, False),
        ({ZONE: "a__b"}, {ZONE: "b"}, True),
        ({ZONE: "a__ b "}, {ZONE: "b"}, True),
        # A label that names an empty zone is passed over.
        ({ZONE: "a__"}, {ZONE: "b"}, True),
        # A node without any zone or region label takes everything.
        ({ZONE: "a"}, {}, True),
        ({ZONE: "a"}, {REGION: "r"}, False),
        ({ZONE: "a", REGION: "r"}, {ZONE: "a", REGION: "s"}, False),
        # An old key of the volume is looked up under today's on the node, not the other way round.
        ({BETA_ZONE: "a"}, {ZONE: "a"}, True),
        ({BETA_ZONE: "a"}, {BETA_ZONE: "b", ZONE: "a"}, False),
        ({ZONE: "a"}, {BETA_ZONE: "a"}, False),
    ],
)
def test_node_must_carry_the_zone_of_a_bound_volume(
    volume_labels: dict[str, str], node_labels: dict[str, str], fits: bool
) -> None:
    plugin = zones(
        a_node("n0", labels=node_labels), a_claim("data", volume="disk"), a_volume("disk", labels=volume_labels)
    )

    assert rejections(plugin) == ({} if fits else {"n0": REJECTED})


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


def test_waiting_claims_and_volumes_without_zones_skip() -> None:
    waiting = zones(a_node("n0", zone="a"), a_claim("data"), a_class("wait"))
    unzoned = zones(a_node("n0", zone="a"), a_claim("data", volume="disk"), a_volume("disk"))
    ephemeral = zones(a_node("n0", zone="a"), pod=a_pod(volumes=[{"ephemeral": {"volumeClaimTemplate": {}}}]))

    assert [plugin.pre_filter().status for plugin in (waiting, unzoned, ephemeral)] == [SKIP, SKIP, SKIP]


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
