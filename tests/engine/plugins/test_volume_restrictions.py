from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.evidence import CountedPod
from clusters.engine.plugins.volume_restrictions import (
    ClaimTaken,
    DiskTaken,
    ExclusiveClaimComparison,
    VolumeRestrictions,
)
from clusters.engine.status import SKIP, SUCCESS, unresolvable
from clusters.engine.volumes import ClaimProblem, ClaimRefused
from clusters.engine.world import World
from tests.engine.builders import Document, a_context, a_node, a_pod
from tests.engine.storage_builders import a_claim, rejections, uses, without
from tests.support.constraints import about

Volume = dict[str, Any]

NODES = (a_node("n0"), a_node("n1"))
ALONE = ("ReadWriteOncePod",)


def restrictions(pod: Document, *objects: Document) -> VolumeRestrictions:
    return VolumeRestrictions(a_context(pod, *NODES, *objects))


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


def test_pod_without_disks_and_exclusive_claims_skips() -> None:
    plugin = restrictions(a_pod(volumes=[uses("shared")]), a_claim("shared"), a_pod("b", node="n0", volumes=[gce("a")]))

    assert plugin.pre_filter().status == SKIP


def test_missing_claim_is_named() -> None:
    plugin = restrictions(a_pod(volumes=[uses("gone")]))

    assert plugin.pre_filter().status == unresolvable(ClaimRefused(ClaimProblem.NOT_FOUND, ("gone",)))


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


def test_removing_the_holder_frees_the_claim_on_its_node_only() -> None:
    plugin = restrictions(
        a_pod(volumes=[uses("mine")]),
        a_claim("mine", modes=ALONE),
        a_pod("holder", node="n0", volumes=[uses("mine")]),
    )
    world = without(plugin, "default/holder")

    assert set(rejections(plugin, world)) == {"n1"}


def test_victims_are_compared_by_name_of_the_claim_in_any_namespace() -> None:
    plugin = restrictions(
        a_pod(volumes=[uses("mine")]),
        a_claim("mine", modes=ALONE),
        a_pod("holder", node="n0", volumes=[uses("mine")]),
        a_pod("stranger", namespace="team", node="n1", volumes=[uses("mine")]),
    )
    world = without(plugin, "team/stranger")

    assert set(rejections(plugin, world)) == {"n0"}


def test_nominated_pod_adds_a_use_on_its_node() -> None:
    plugin = restrictions(
        a_pod(volumes=[uses("mine"), gce("a")]),
        a_claim("mine", modes=ALONE),
        a_pod("nominated", nominated="n1", volumes=[uses("mine")]),
        a_pod("reader", nominated="n0", volumes=[gce("a")]),
    )
    pods = plugin.snapshot.pods
    world = World.adding(pods, [pods.slot_of["default/nominated"], pods.slot_of["default/reader"]])

    assert rejections(plugin) == {}
    assert rejections(plugin, world) == {
        "n0": ("Unschedulable", DiskTaken.text),
        "n1": ("Unschedulable", ClaimTaken.text),
    }


def test_removing_the_holder_frees_the_disk() -> None:
    plugin = restrictions(a_pod(volumes=[gce("a")]), a_pod("holder", node="n0", volumes=[gce("a")]))

    assert rejections(plugin, without(plugin, "default/holder")) == {}


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
