"""Devices, attachable volumes and storage in a review, beside what pods request."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.simulation import Case, losses
from tests.clusters.reports.review_cluster import node as reviewed_node
from tests.clusters.reports.review_cluster import objects, reviewed, rows, section
from tests.clusters.reports.review_cluster import pod as reviewed_pod
from tests.engine.device_builders import DRIVER, a_device, a_resource_claim, a_slice
from tests.engine.storage_builders import a_claim, a_csi_node, an_attachment
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


pytestmark = pytest.mark.django_db
GIB = 1024**3


def a_capacity(name: str, zone: str, size: str) -> dict[str, Any]:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIStorageCapacity",
        "metadata": {"name": name, "namespace": "default", "uid": name},
        "storageClassName": "wait",
        "capacity": size,
        "nodeTopology": {"matchLabels": {"topology.csi.example/zone": zone}},
    }


def test_devices_volumes_and_storage_are_counted(tmp_path: Path) -> None:
    claim = {**a_claim("data", volume="pv-1"), "apiVersion": "v1"}
    waiting = {**a_claim("more", size="10Gi"), "apiVersion": "v1"}
    cluster = load(
        tmp_path,
        "others",
        [
            *objects(),
            a_slice(a_device("gpu-0"), a_device("gpu-1"), a_device("gpu-2"), node="n1", pool="n0"),
            a_resource_claim(allocated=["gpu-1"]),
            {**a_csi_node("n1", {"csi.example": 1}), "apiVersion": "storage.k8s.io/v1"},
            {**a_csi_node("n2", {"csi.example": 24}), "apiVersion": "storage.k8s.io/v1"},
            {**a_csi_node("n3", {"csi.example": None}), "apiVersion": "storage.k8s.io/v1"},
            {**an_attachment("pv-1", "n1"), "apiVersion": "storage.k8s.io/v1"},
            claim,
            waiting,
            a_capacity("north-1", "north", "10Gi"),
            a_capacity("north-2", "north", "5Gi"),
        ],
    )

    found = reviewed(cluster, "utilisation")

    assert rows(found, "utilisation", "devices") == [{"driver": DRIVER, "pools": 1, "devices": 3, "used": 1, "free": 2}]
    assert rows(found, "utilisation", "storage_classes") == [
        {"storage_class": "wait", "unit": "bytes", "claims": 2, "pending": 1, "requested": 15 * GIB}
    ]
    assert rows(found, "utilisation", "storage_zones") == [
        {"storage_class": "wait", "zone": "north", "unit": "bytes", "free": 15 * GIB}
    ]
    (volumes,) = rows(found, "utilisation", "volumes")
    # A driver without a limit has nothing that could run out.
    assert (volumes["nodes"], volumes["hard"]) == (2, 25)
    assert volumes["used"] + volumes["left"] == volumes["hard"]


@pytest.mark.parametrize("sections", [["recommendations"], ["headroom", "recommendations"]])
def test_removed_nodes_say_what_the_loss_of_a_zone_does_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sections: list[str]
) -> None:
    play, played = losses._after, Counter[tuple[Snapshot, tuple[str, ...]]]()

    def counting(case: Case, lost: Sequence[str], by_node: Any) -> Any:
        played[case.snapshot, tuple(lost)] += 1
        return play(case, lost, by_node)

    monkeypatch.setattr(losses, "_after", counting)
    cluster = load(
        tmp_path,
        "thin",
        [
            *(reviewed_node(f"{zone}-{number}", zone, "web") for zone in ("north", "south") for number in (1, 2)),
            reviewed_pod("shop", "web-1", "2500m", "1Gi", "north-1"),
            reviewed_pod("shop", "api-1", "2500m", "1Gi", "south-1"),
            reviewed_pod("shop", "job-1", "100m", "64Mi", "north-2"),
        ],
    )

    found = reviewed(cluster, *sections)
    made = {each["rule"]: each for each in section(found, "recommendations")["facts"]["made"]}

    # Both free nodes could go; then nothing takes what a lost zone ran.
    removal = made["remove-nodes"]
    assert removal["gain"]["nodes_removed"] == 2
    assert removal["zone_loss"] == {"zone": "north", "before": 0, "after": 1}
    assert set(played.values()) == {1}
    assert sum(len(lost) == 2 for _, lost in played) == 4, "both zones of the cluster as it is, and without the nodes"
