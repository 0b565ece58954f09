"""What the pages of a node and of its pods say of disks, by the summary of the node's kubelet and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.services.ingest.ingest import ingest_path
from clusters.wording import nodes as words
from tests.clusters.usage.builders import pod_stats, summary
from tests.dashboard.test_node_kubelet import PRESSURE, ash, given
from tests.support.decision_cluster import pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

GIB = 2**30


def stats(name: str, **more: Any) -> dict[str, Any]:
    return pod_stats(name, uid=f"shop-{name}", **more)


def measured(cluster: Cluster, folder: Path, *pods: dict[str, Any], **parts: Any) -> None:
    path = folder / "summary.json"
    path.write_bytes(orjson.dumps(summary("ash", *pods, **parts)))
    ingest_path(cluster=cluster, path=path)


def storing(name: str, limit: str, **spec: Any) -> dict[str, Any]:
    """A running pod with a limit for ephemeral storage."""
    made = pod(name, nodeName="ash", status={"phase": "Running"}, **spec)
    made["spec"]["containers"][0]["resources"]["limits"] = {"ephemeral-storage": limit}
    return made


def test_a_summary_tells_how_full_the_node_is_and_who_is_evicted_first(
    tmp_path: Path, signed_in_client: Client
) -> None:
    cluster = load(
        tmp_path, "shop", [ash(), storing("large", "90Gi"), storing("small", "90Gi"), storing("greedy", "1Gi")]
    )
    low = {"availableBytes": 9 * GIB, "capacityBytes": 100 * GIB, "inodesFree": 600, "inodes": 1000}
    measured(
        cluster,
        tmp_path,
        stats("large", rootfs=8 * GIB),
        stats("small", rootfs=2**20),
        stats("greedy", logs=2 * GIB),
        fs=low,
        runtime={"imageFs": low, "containerFs": low},
    )

    said = text(signed_in_client, f"{PRESSURE}?signal=nodefs.available")

    assert "nodefs.available 10 GiB (10 %) hard: at once 10 GiB (10 %) 9 GiB (9 %) met DiskPressure" in said
    assert "nodefs.inodesFree 50 (5 %) hard: at once 50 (5 %) 600 (60 %) DiskPressure" in said
    assert "reported: 91 % used" in signed_in_client.get(PRESSURE).text
    order = said[said.index("Disk (nodefs): 3 pods may be evicted") :]
    assert words.CERTAINLY_ABOVE(pods=3) in order
    assert order.index("shop/ large 1") < order.index("shop/ greedy 2") < order.index("shop/ small 3")
    assert "8 GiB It uses more than it requests." in order
    assert f"shop/ greedy whole pod 2 GiB 1 GiB {words.EVICTED_WITH_A_SECOND}" in said


def test_file_systems_lie_as_the_summary_tells_unless_somebody_says_otherwise(
    tmp_path: Path, signed_in_client: Client
) -> None:
    cluster = load(tmp_path, "shop", [ash(), storing("web", "1Gi")])
    images = {"availableBytes": 5 * GIB, "capacityBytes": 50 * GIB, "inodesFree": 9, "inodes": 10}
    measured(
        cluster,
        tmp_path,
        stats("web", rootfs=3 * GIB, total=GIB),
        runtime={"imageFs": images, "containerFs": images},
    )

    apart, together = text(signed_in_client, PRESSURE), given(signed_in_client, "", layout="one")

    assert "Disk: imagefs and containerfs 50 GiB" in apart
    # Layers count against no limit of a container where images have a file system of their own.
    assert "No pod exceeds a limit for ephemeral storage." in apart
    assert f"shop/ web container main 3 GiB 1 GiB {words.EVICTED_WITH_A_SECOND}" in together
    assert "Disk: nodefs, imagefs and containerfs" in together


def test_the_page_of_a_pod_says_that_it_exceeds_its_limit(tmp_path: Path, signed_in_client: Client) -> None:
    cluster = load(
        tmp_path,
        "shop",
        [
            ash(),
            storing("web", "1Gi", volumes=[{"name": "cache", "emptyDir": {"sizeLimit": "1Mi"}}]),
            storing("critical", "1Gi", priority=2_000_000_000),
        ],
    )
    before = text(signed_in_client, "/clusters/shop/pods/shop/web/")
    measured(
        cluster,
        tmp_path,
        stats("web", logs=2 * GIB, volumes={"cache": 2**21}),
        stats("critical", logs=2 * GIB),
    )

    after = text(signed_in_client, "/clusters/shop/pods/shop/web/")

    assert str(words.USAGE_UNKNOWN) in before
    assert " used " not in before[before.index("Enforced while it runs") : before.index("Shares and weights")]
    assert "emptyDir cache uses 2 MiB of ephemeral storage; its limit is 1 MiB." in after
    assert str(words.EVICTED_WITH_A_SECOND) in after
    assert "1 GiB 2 GiB used" in after
    assert words.USED_AT(moment="2026-03-02T10:14:30Z") in after
    assert str(words.USAGE_UNKNOWN) not in after
    spared = text(signed_in_client, "/clusters/shop/pods/shop/critical/")
    assert "whole pod uses 2 GiB of ephemeral storage; its limit is 1 GiB." in spared
    assert str(words.SPARED) in spared
